//! How many source files are open, and which one is closed next.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// How many source files are open at most. There can be more archives than a process may have open files.
/// The limit of a process can be as low as 64, and outputs, directories and pipes need some of them.
pub(super) const OPEN_MAX: usize = 32;

/// The source files that are open, the oldest first.
#[derive(Default)]
pub(super) struct Handles(Mutex<VecDeque<Weak<dyn Close>>>);

/// What can be closed and opens itself again.
pub(super) trait Close: Send + Sync {
    fn close(&self) -> io::Result<()>;
}

impl Handles {
    /// Adds a file that was just opened, and closes the oldest if there are too many.
    pub(super) fn add(&self, slot: Arc<dyn Close>) {
        let mut open = lock(&self.0);
        if open.len() >= OPEN_MAX {
            open.retain(|slot| slot.strong_count() > 0);
        }
        let oldest = match open.len() >= OPEN_MAX {
            true => open.pop_front(),
            false => None,
        };
        open.push_back(Arc::downgrade(&slot));
        drop(open);
        if let Some(oldest) = oldest.and_then(|slot| slot.upgrade()) {
            let _ = oldest.close();
        }
    }

    pub(super) fn remove<T: Close>(&self, slot: &Arc<T>) {
        lock(&self.0).retain(|it| !core::ptr::addr_eq(it.as_ptr(), Arc::as_ptr(slot)));
    }

    /// Closes all of them, and returns whether there were any.
    pub(super) fn close_all(&self) -> bool {
        let all = core::mem::take(&mut *lock(&self.0));
        let mut any = false;
        for slot in all.iter().filter_map(Weak::upgrade) {
            any |= slot.close().is_ok();
        }
        any
    }
}

impl fmt::Debug for Handles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handles")
            .field(&lock(&self.0).len())
            .finish()
    }
}

/// Takes a lock, whatever has become of the thread that had it.
pub(super) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
