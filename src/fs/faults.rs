//! A system that fails on purpose: counts the calls, and lets one of them fail, or every one from
//! there on.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use cap_std::fs::Dir;
use rustix::io::Errno;

use super::calls::{Calls, Real};
use super::look::{FileId, Rights, Seen};

/// Which call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    OpenRoot,
    MakeRoot,
    Identify,
    OpenDir,
    MakeDir,
    Look,
    Names,
    Create,
    Reopen,
    Write,
    Copy,
    Allocate,
    SetLen,
    SetRights,
    Link,
    Rename,
    RenameNew,
    Remove,
    RemoveDir,
    RemoveRoot,
    SyncFile,
    SyncDir,
    SyncAll,
    OpenSource,
    Read,
    Len,
    IdentifyOpen,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call is not made.
    Fails(Errno),
    /// The call is made, and said to have failed.
    DoneAndFails(Errno),
    /// The call is made for half of the bytes, if it has bytes.
    Short,
}

/// From which call on, and whether only there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Once(usize),
    From(usize),
}

/// The real calls, behind a gate. Only syncing is not done at all: it changes nothing that a test
/// could see, and takes long.
#[derive(Debug, Default)]
pub(crate) struct Faulty {
    /// The first that strikes does.
    faults: Vec<(When, Fault)>,
    /// What this system does not have.
    lacks: Vec<Call>,
    log: Mutex<Vec<Call>>,
    /// What somebody else does just before the first call of a kind.
    meddling: Mutex<Vec<(Call, Meddling)>>,
}

/// What somebody else does meanwhile.
pub(crate) struct Meddling(Box<dyn FnOnce() + Send>);

impl core::fmt::Debug for Meddling {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Meddling")
    }
}

impl Faulty {
    /// A system without faults, that lacks some calls.
    pub(crate) fn lacking(lacks: &[Call]) -> Self {
        Self {
            lacks: lacks.to_vec(),
            ..Self::default()
        }
    }

    /// The same with one more fault.
    pub(crate) fn with(mut self, when: When, fault: Fault) -> Self {
        self.faults.push((when, fault));
        self
    }

    /// The same with somebody else who does something just before the first call of a kind.
    pub(crate) fn meddled(self, before: Call, what: impl FnOnce() + Send + 'static) -> Self {
        let meddling = (before, Meddling(Box::new(what)));
        self.meddling.lock().unwrap().push(meddling);
        self
    }

    /// The calls so far, those that the system lacks included.
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

    fn gate<T>(&self, call: Call, real: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.strikes(call) {
            Some(Fault::Fails(errno)) => Err(errno.into()),
            Some(Fault::DoneAndFails(errno)) => {
                real()?;
                Err(errno.into())
            }
            Some(Fault::Short) | None => real(),
        }
    }

    fn gate_bytes(
        &self,
        call: Call,
        len: usize,
        real: impl FnOnce(usize) -> io::Result<usize>,
    ) -> io::Result<usize> {
        match self.strikes(call) {
            Some(Fault::Fails(errno)) => Err(errno.into()),
            Some(Fault::DoneAndFails(errno)) => {
                real(len)?;
                Err(errno.into())
            }
            Some(Fault::Short) => real(len.div_ceil(2)),
            None => real(len),
        }
    }
}

impl Calls for Faulty {
    fn open_source(&self, path: &Path) -> io::Result<File> {
        self.gate(Call::OpenSource, || Real.open_source(path))
    }

    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.gate_bytes(Call::Read, buffer.len(), |len| {
            Real.read_at(file, &mut buffer[..len], offset)
        })
    }

    fn identify_open(&self, file: &File) -> io::Result<FileId> {
        self.gate(Call::IdentifyOpen, || Real.identify_open(file))
    }

    fn len(&self, file: &File) -> io::Result<u64> {
        self.gate(Call::Len, || Real.len(file))
    }

    fn open_root(&self, path: &Path) -> io::Result<Dir> {
        self.gate(Call::OpenRoot, || Real.open_root(path))
    }

    fn make_root(&self, path: &Path) -> io::Result<()> {
        self.gate(Call::MakeRoot, || Real.make_root(path))
    }

    fn identify(&self, path: &Path) -> io::Result<FileId> {
        self.gate(Call::Identify, || Real.identify(path))
    }

    fn open_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<Dir> {
        self.gate(Call::OpenDir, || Real.open_dir(parent, name))
    }

    fn make_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.gate(Call::MakeDir, || Real.make_dir(parent, name))
    }

    fn look(&self, parent: &Dir, name: &OsStr) -> io::Result<Seen> {
        self.gate(Call::Look, || Real.look(parent, name))
    }

    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>> {
        self.gate(Call::Names, || Real.names(dir))
    }

    fn create(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        self.gate(Call::Create, || Real.create(parent, name))
    }

    fn reopen(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        self.gate(Call::Reopen, || Real.reopen(parent, name))
    }

    fn write_at(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.gate_bytes(Call::Write, bytes.len(), |len| {
            Real.write_at(file, &bytes[..len], offset)
        })
    }

    fn copy_range(&self, from: (&File, u64), to: (&File, u64), len: usize) -> io::Result<usize> {
        self.gate_bytes(Call::Copy, len, |len| Real.copy_range(from, to, len))
    }

    fn allocate(&self, file: &File, len: u64) -> io::Result<()> {
        self.gate(Call::Allocate, || Real.allocate(file, len))
    }

    fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        self.gate(Call::SetLen, || Real.set_len(file, len))
    }

    fn set_rights(&self, file: &File, rights: Rights) -> io::Result<()> {
        self.gate(Call::SetRights, || Real.set_rights(file, rights))
    }

    fn link(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.gate(Call::Link, || Real.link(parent, old, new))
    }

    fn rename(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.gate(Call::Rename, || Real.rename(parent, old, new))
    }

    fn rename_new(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.gate(Call::RenameNew, || Real.rename_new(parent, old, new))
    }

    fn remove(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.gate(Call::Remove, || Real.remove(parent, name))
    }

    fn remove_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.gate(Call::RemoveDir, || Real.remove_dir(parent, name))
    }

    fn remove_root(&self, path: &Path) -> io::Result<()> {
        self.gate(Call::RemoveRoot, || Real.remove_root(path))
    }

    fn sync_file(&self, _: &File) -> io::Result<()> {
        self.gate(Call::SyncFile, || Ok(()))
    }

    fn sync_dir(&self, _: &Dir) -> io::Result<()> {
        self.gate(Call::SyncDir, || Ok(()))
    }

    fn sync_all(&self, _: &Dir) -> io::Result<()> {
        self.gate(Call::SyncAll, || Ok(()))
    }
}
