//! A system that counts its calls, and makes one of them fail, or all from that one on.

use std::sync::Mutex;

use rustix::io::Errno;

use crate::fs::{Call, Interference, Treatment};

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call is not made.
    Fails(Errno),
    /// The call is made, and reports an error.
    DoneAndFails(Errno),
    /// The call transfers half of the bytes, if it transfers bytes.
    Short,
}

/// Which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// The one with this number, counted from 0.
    Once(usize),
    /// That one and all after it.
    From(usize),
}

/// A system with faults, which keeps a log of the calls.
#[derive(Debug, Default)]
pub(crate) struct Faulty {
    /// The first fault that matches a call applies.
    faults: Vec<(When, Fault)>,
    /// The calls that this system lacks.
    lacks: Vec<Call>,
    log: Mutex<Vec<Call>>,
    /// What another program does just before the first call of a kind.
    meddling: Mutex<Vec<(Call, Meddling)>>,
}

/// What another program does during the run.
pub(crate) struct Meddling(Box<dyn FnOnce() + Send>);

impl core::fmt::Debug for Meddling {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Meddling")
    }
}

impl Faulty {
    /// A system without faults that lacks some calls.
    pub(crate) fn lacking(lacks: &[Call]) -> Self {
        Self { lacks: lacks.to_vec(), ..Self::default() }
    }

    /// Adds a fault.
    pub(crate) fn with(mut self, when: When, fault: Fault) -> Self {
        self.faults.push((when, fault));
        self
    }

    /// Adds another program that acts just before the first call of a kind.
    pub(crate) fn meddled(self, before: Call, what: impl FnOnce() + Send + 'static) -> Self {
        let meddling = (before, Meddling(Box::new(what)));
        self.meddling.lock().unwrap().push(meddling);
        self
    }

    /// The calls so far, including those which the system lacks.
    pub(crate) fn log(&self) -> Vec<Call> {
        self.log.lock().unwrap().clone()
    }

    fn strikes(&self, call: Call) -> Option<Fault> {
        let mut meddling = self.meddling.lock().unwrap();
        if let Some(at) = meddling.iter().position(|(before, _)| *before == call) {
            let (_, what) = meddling.remove(at);
            what.0();
        }
        drop(meddling);
        let mut log = self.log.lock().unwrap();
        let number = log.len();
        log.push(call);
        if self.lacks.contains(&call) {
            return Some(Fault::Fails(Errno::NOSYS));
        }
        let strikes = |when: &When| match *when {
            When::Once(at) => number == at,
            When::From(at) => number >= at,
        };
        let fault = self.faults.iter().find(|(when, _)| strikes(when))?;
        Some(fault.1)
    }
}

impl Interference for Faulty {
    fn treat(&self, call: Call) -> Treatment {
        match self.strikes(call) {
            None => Treatment::Make,
            Some(Fault::Short) => Treatment::MakeShort,
            Some(Fault::Fails(errno)) => Treatment::Fail(errno.into()),
            Some(Fault::DoneAndFails(errno)) => Treatment::MakeAndFail(errno.into()),
        }
    }
}
