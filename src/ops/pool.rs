//! The only file that knows the thread pool.
//!
//! A pool is made for one operation and dropped with it, so that a library's user keeps the say
//! over threads, and `jobs` holds for what runs inside, however deep.

use std::num::NonZeroUsize;

use rayon::prelude::*;

use crate::error::{Error, ErrorKind};

/// The threads of one operation.
#[derive(Debug)]
pub(crate) struct Pool(rayon::ThreadPool);

impl Pool {
    /// So many threads, or one for each core.
    pub(crate) fn new(jobs: Option<NonZeroUsize>) -> Result<Self, Error> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(jobs.map_or(0, NonZeroUsize::get))
            .thread_name(|n| format!("daisho-{n}"))
            .build()
            .map(Self)
            .map_err(|error| ErrorKind::Io(std::io::Error::other(error)).into())
    }

    /// How many threads it has.
    pub(crate) fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs `work` on every item, in any order and on all threads, and returns the results in
    /// the items' order. `local` makes what a thread keeps between items: its buffers.
    ///
    /// May be called from within itself: the threads are shared.
    pub(crate) fn map<I, L, R>(
        &self,
        items: &[I],
        local: impl Fn() -> L + Sync + Send,
        work: impl Fn(&mut L, &I) -> R + Sync + Send,
    ) -> Vec<R>
    where
        I: Sync,
        R: Send,
    {
        self.0.install(|| {
            items
                .par_iter()
                .with_max_len(1)
                .map_init(&local, |local, item| work(local, item))
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_items_order_for_any_number_of_threads() {
        let items: Vec<u32> = (0..1000).collect();
        for jobs in 1..5 {
            let pool = Pool::new(NonZeroUsize::new(jobs)).unwrap();
            assert_eq!(pool.threads(), jobs);
            let nested = |(): &mut (), n: &u32| {
                let inner = pool.map(&[*n, 1], || (), |(), n| n * 2);
                inner.iter().sum::<u32>()
            };
            let sums = pool.map(&items, || (), nested);
            assert!(sums.iter().zip(&items).all(|(sum, n)| *sum == n * 2 + 2));
        }
    }
}
