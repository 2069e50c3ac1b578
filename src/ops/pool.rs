//! The threads of one operation. Only this file knows the thread pool.

use std::collections::{BTreeMap, VecDeque};
use std::iter::successors;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use crate::fs::lock;

/// How often results are delivered while no thread asks for it. If the caller woke up for each of many small results,
/// it would take time from the working threads: 3,000 small archives on two cores took 5 % longer.
const DELIVERY: Duration = Duration::from_millis(10);

/// How many items per thread are collected before the threads get them.
const BATCH: usize = 8;

/// The threads of one operation.
///
/// A pool is created for one operation and dropped with it. So the user of the library keeps control over threads,
/// and `jobs` applies to everything that runs inside. The threads start as soon as there is work for two of them.
/// If the system cannot create all of them, the pool tries half as many, and so on, down to the caller's own
/// thread. The result is the same, so nothing is reported.
#[derive(Debug)]
pub(crate) struct Pool {
    wanted: usize,
    /// `None` if the caller's own thread is enough.
    threads: OnceLock<Option<rayon::ThreadPool>>,
    /// Buffers that are not in use. Without them, a run over many archives would allocate and free this memory for
    /// each archive, which takes longer than filling it.
    spare: Mutex<Vec<Vec<u8>>>,
}

impl Pool {
    /// Creates a pool with this many threads, or one for each core, or as many as the system can create.
    pub(crate) fn new(jobs: Option<NonZeroUsize>) -> Self {
        let wanted = jobs.or_else(|| std::thread::available_parallelism().ok());
        Self {
            wanted: wanted.map_or(1, NonZeroUsize::get),
            threads: OnceLock::new(),
            spare: Mutex::default(),
        }
    }

    /// Returns a buffer with any length and any content.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        lock(&self.spare).pop().unwrap_or_default()
    }

    /// Takes a buffer back, for the next caller of [`buffer`](Self::buffer).
    pub(crate) fn give_back(&self, buffer: Vec<u8>) {
        lock(&self.spare).push(buffer);
    }

    fn pool(&self) -> Option<&rayon::ThreadPool> {
        if cfg!(target_family = "wasm") {
            return None; // no threads there, and nothing of rayon in the page
        }
        let begin = || {
            attempts(self.wanted).find_map(|threads| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .thread_name(|n| format!("daisho-{n}"))
                    .build()
                    .ok()
            })
        };
        self.threads.get_or_init(begin).as_ref()
    }

    /// How many threads it has.
    pub(crate) fn threads(&self) -> usize {
        self.pool().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Runs `work` on every item, on all threads. Meanwhile the caller's thread gets further items from the iterator, and
    /// passes each result to `deliver` as soon as it and all results before it are ready. If `deliver` breaks, no
    /// further item is begun.
    ///
    /// At most `window` results wait for one before them. Results that need little memory need no such limit, which
    /// makes threads wait for the caller's.
    pub(crate) fn in_order<I: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = I>,
        window: usize,
        work: impl Fn(I) -> R + Sync,
        mut deliver: impl FnMut(R) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut items = items.into_iter();
        let first: Vec<I> = items.by_ref().take(2).collect();
        let pool = if first.len() > 1 { self.pool() } else { None };
        let mut items = first.into_iter().chain(items);
        let Some(pool) = pool else {
            return items.try_for_each(|item| deliver(work(item)));
        };
        let threads = pool.current_num_threads();
        let queue = Queue::new(window.max(2));
        let (sender, results) = mpsc::channel();
        let (mut early, mut delivered) = (BTreeMap::new(), 0);
        pool.in_place_scope(|scope| {
            let mut is_last = false;
            while !queue.is_over(delivered, is_last) {
                if is_last {
                    queue.wait();
                } else {
                    let batch: Vec<I> = items.by_ref().take(BATCH * threads).collect();
                    is_last = batch.is_empty();
                    queue.add(batch);
                }
                for (index, result) in results.try_iter() {
                    early.insert(index, result);
                    while let Some(result) = early.remove(&delivered) {
                        delivered += 1;
                        if deliver(result).is_break() {
                            queue.end();
                            return ControlFlow::Break(());
                        }
                    }
                }
                for _ in 0..queue.hire(threads, delivered) {
                    let (queue, work, sender) = (&queue, &work, sender.clone());
                    scope.spawn(move |_| {
                        let _panic = EndInPanic(queue);
                        while let Some((index, item)) = queue.take() {
                            // The other side exists as long as the scope.
                            let _ = sender.send((index, work(item)));
                        }
                    });
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Runs `work` on every item, on all threads, and returns the results in the items' order. Items are started in
    /// order, so put the longest ones first.
    ///
    /// `work` may call this again: all calls share the threads, and a thread that waits for its inner items does
    /// other work meanwhile.
    pub(crate) fn map<'i, I: Sync, R: Send>(
        &self,
        items: &'i [I],
        work: impl Fn(&'i I) -> R + Sync,
    ) -> Vec<R> {
        self.map_with(items, || (), |(), item| work(item))
    }

    /// Like [`map`](Self::map), but `local` creates a value that a thread keeps between items, such as its buffers.
    /// It is called once for each thread. Rayon's `map_init` may call it for each item.
    pub(crate) fn map_with<I: Send, L, R: Send>(
        &self,
        items: impl IntoIterator<Item = I, IntoIter: ExactSizeIterator + Send>,
        local: impl Fn() -> L + Sync,
        work: impl Fn(&mut L, I) -> R + Sync,
    ) -> Vec<R> {
        let items = items.into_iter();
        let count = items.len();
        let waiting = Mutex::new(items.enumerate());
        let done = Mutex::new(Vec::with_capacity(count));
        let run = || {
            let mut kept = None;
            let mut own = Vec::new();
            loop {
                let next = lock(&waiting).next();
                let Some((index, item)) = next else { break };
                own.push((index, work(kept.get_or_insert_with(&local), item)));
            }
            lock(&done).append(&mut own);
        };
        match if count > 1 { self.pool() } else { None } {
            None => run(),
            Some(pool) => pool.install(|| {
                let workers = pool.current_num_threads().min(count);
                rayon::scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| run())));
            }),
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

/// Items that wait for a thread, in order.
///
/// A thread that gets none leaves, and does other work of the pool, such as parts of the items that others have taken.
struct Queue<I> {
    state: Mutex<QueueState<I>>,
    /// Wakes the caller.
    call: Condvar,
    /// How many items may be taken whose results are not delivered.
    window: usize,
}

struct QueueState<I> {
    waiting: VecDeque<I>,
    /// How many items were taken.
    taken: usize,
    /// How many results were delivered.
    delivered: usize,
    /// How many threads take items.
    hired: usize,
    /// Whether a thread needs the caller.
    calls: bool,
    /// Whether no further item may be taken.
    has_ended: bool,
}

impl<I> Queue<I> {
    fn new(window: usize) -> Self {
        Self {
            state: Mutex::new(QueueState {
                waiting: VecDeque::new(),
                taken: 0,
                delivered: 0,
                hired: 0,
                calls: false,
                has_ended: false,
            }),
            call: Condvar::new(),
            window,
        }
    }

    fn add(&self, items: Vec<I>) {
        lock(&self.state).waiting.extend(items);
    }

    /// Takes the next item, with its number. A thread that gets none is no longer hired.
    fn take(&self) -> Option<(usize, I)> {
        let mut state = lock(&self.state);
        let ahead = state.taken - state.delivered;
        let item =
            if state.has_ended || ahead >= self.window { None } else { state.waiting.pop_front() };
        if item.is_none() {
            state.hired -= 1;
        }
        // Called when the window is half full, the caller comes before it is full.
        if item.is_none() || ahead == self.window / 2 {
            state.calls = true;
            self.call.notify_one();
        }
        let number = state.taken;
        state.taken += usize::from(item.is_some());
        Some((number, item?))
    }

    /// Waits until a thread needs the caller, but not for long.
    fn wait(&self) {
        let state = lock(&self.state);
        let waited = self.call.wait_timeout_while(state, DELIVERY, |it| !it.calls);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.calls = false;
    }

    /// Learns how many results were delivered. Returns how many of so many threads must be started to take items.
    fn hire(&self, threads: usize, delivered: usize) -> usize {
        let mut state = lock(&self.state);
        state.delivered = delivered;
        let free = self.window - (state.taken - delivered);
        let missing = (threads - state.hired).min(state.waiting.len()).min(free);
        state.hired += missing;
        missing
    }

    /// Whether all is done, if nothing comes after the items in the queue.
    fn is_over(&self, delivered: usize, is_last: bool) -> bool {
        let state = lock(&self.state);
        state.has_ended || is_last && state.waiting.is_empty() && delivered == state.taken
    }

    fn end(&self) {
        lock(&self.state).has_ended = true;
    }
}

/// Ends the queue if the work panics, so that the caller does not wait for its result.
struct EndInPanic<'q, I>(&'q Queue<I>);

impl<I> Drop for EndInPanic<'_, I> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// How many threads to ask for: so many, then half as many if the system refuses, and so on, down to two.
fn attempts(wanted: usize) -> impl Iterator<Item = usize> {
    successors(Some(wanted), |threads| Some(threads / 2)).take_while(|threads| *threads > 1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn threads_begin_with_the_first_work_for_two() {
        let pool = Pool::new(NonZeroUsize::new(3));
        assert_eq!(pool.map(&[1], |n| n + 1), [2]);
        assert!(pool.threads.get().is_none());
        assert_eq!(pool.map(&[1, 2], |n| n + 1), [2, 3]);
        assert_eq!(pool.threads(), 3);
    }

    #[test]
    fn results_keep_item_order_for_any_threads() {
        let items: Vec<u32> = (0..1000).collect();
        for jobs in 1..5 {
            let pool = Pool::new(NonZeroUsize::new(jobs));
            assert_eq!(pool.threads(), jobs);
            let nested = |n: &u32| {
                let inner = pool.map(&[*n, 1], |n| n * 2);
                inner.iter().sum::<u32>()
            };
            let sums = pool.map(&items, nested);
            assert!(sums.iter().zip(&items).all(|(sum, n)| *sum == n * 2 + 2));
        }
    }

    #[test]
    fn results_are_delivered_in_order_when_due() {
        let items: Vec<usize> = (0..200).collect();
        for jobs in 1..5 {
            let pool = Pool::new(NonZeroUsize::new(jobs));
            // Work within work shares the threads.
            let mut seen = Vec::new();
            let work = |n: &usize| {
                let sum: usize = pool.map(&[*n, 1], |n| n * 2).iter().sum();
                sum
            };
            let flow = pool.in_order(&items, usize::MAX, work, |sum| {
                seen.push(sum);
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            let expected: Vec<usize> = items.iter().map(|n| n * 2 + 2).collect();
            assert_eq!(seen, expected);

            // All that are done before the last are delivered before it ends. It must not wait for them within
            // the work of another item, as a thread that waits for work within work may run it.
            let (delivered, mut seen) = (AtomicUsize::new(0), Vec::new());
            let work = |n: &usize| {
                while *n == 199 && delivered.load(Ordering::Relaxed) < 199 {
                    std::thread::yield_now();
                }
                *n
            };
            let flow = pool.in_order(&items, usize::MAX, work, |n| {
                seen.push(n);
                delivered.fetch_add(1, Ordering::Relaxed);
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            assert_eq!(seen, items);
        }
    }

    #[test]
    fn nothing_is_delivered_or_begun_after_a_break() {
        let items: Vec<usize> = (0..100_000).collect();
        for jobs in 1..5 {
            let pool = Pool::new(NonZeroUsize::new(jobs));
            let (begun, mut seen) = (AtomicUsize::new(0), Vec::new());
            let work = |n: &usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                // Slow enough that the break comes long before the end.
                std::thread::sleep(Duration::from_micros(50));
                *n
            };
            let flow = pool.in_order(&items, usize::MAX, work, |n| {
                seen.push(n);
                if n < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            assert!(flow.is_break());
            assert_eq!(seen, [0, 1, 2, 3]);
            assert!(begun.into_inner() < items.len());
        }
    }

    #[test]
    fn half_as_many_threads_are_tried_each_time() {
        for (wanted, tried) in
            [(16, &[16, 8, 4, 2][..]), (7, &[7, 3]), (2, &[2]), (1, &[]), (0, &[])]
        {
            assert_eq!(attempts(wanted).collect::<Vec<_>>(), tried);
        }
    }
}
