//! One budget of memory for all threads that decode pictures.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::fs::lock;

/// The most bytes that all pictures being decoded at the same time may use together. A picture that needs more is
/// decoded alone.
const ALL: u64 = 256 << 20;

/// The part of the budget that nobody has taken.
#[derive(Debug)]
pub(super) struct Memory {
    free: Mutex<u64>,
    freed: Condvar,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            free: Mutex::new(ALL),
            freed: Condvar::new(),
        }
    }
}

impl Memory {
    /// Waits until so many bytes are free, or all of them. A thread must not take two shares at once, or wait for
    /// another thread while it has a share. So every wait ends.
    pub(super) fn take(&self, bytes: u64) -> Share<'_> {
        let bytes = bytes.min(ALL);
        let mut free = lock(&self.free);
        while *free < bytes {
            free = self
                .freed
                .wait(free)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *free -= bytes;
        Share {
            memory: self,
            bytes,
        }
    }
}

/// A part of the budget, until it is dropped.
#[derive(Debug)]
pub(in crate::ops) struct Share<'m> {
    memory: &'m Memory,
    bytes: u64,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        *lock(&self.memory.free) += self.bytes;
        self.memory.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn shares_never_exceed_the_budget_and_all_are_served() {
        let memory = Memory::default();
        let taken = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (memory, taken) = (&memory, &taken);
                scope.spawn(move || {
                    for round in 0..200 {
                        let bytes = (thread * 7919 + round * 104_729) % (ALL + ALL / 4);
                        let share = memory.take(bytes);
                        let now = taken.fetch_add(share.bytes, Ordering::SeqCst) + share.bytes;
                        assert!(now <= ALL, "{now}");
                        taken.fetch_sub(share.bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(*memory.free.lock().unwrap(), ALL);
    }
}
