//! Progress: one bar for the whole operation, and a few lines for what is running.
//!
//! The worker threads only add to counters. A separate thread reads them ten times a second and
//! draws, beginning half a second after the start: an operation that is done by then shows nothing,
//! and no worker ever waits for a terminal.
//!
//! The rate is that of the last ten seconds. How long the rest takes is said once the total has stood for a
//! second and two have passed: before that it would be a guess that jumps.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use daisho::ops::context::{Observer, Work};

use super::screen::{self, Screen};
use super::text;
use super::values::When;

/// How long an operation runs before it shows a bar.
const DELAY: Duration = Duration::from_millis(500);
/// How often the bars are drawn.
const TICK: Duration = Duration::from_millis(100);
/// How many running items are shown.
const LINES: usize = 3;
/// The template of the bar for the whole. The words fit 80 columns, and the bar takes the rest.
/// Bytes are shown in decimal units, as in the summaries.
const WHOLE: &str = "{wide_bar} {msg}";
/// How far back the rate is measured.
const WINDOW: Duration = Duration::from_secs(10);
/// From when on, since the start, the time left is said.
const SETTLED: Duration = Duration::from_secs(2);
/// How long the total has to stand for that.
const STEADY: Duration = Duration::from_secs(1);

/// Whether to show bars, given what standard error is.
pub(crate) fn wanted(when: When) -> bool {
    match when {
        When::Never => false,
        When::Always => true,
        When::Auto => screen::is_there(),
    }
}

/// The observer that counts the work of one operation, and shows it as bars where they are wanted.
/// They are cleared when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    counters: Arc<Counters>,
    /// The thread that draws until the other end of its channel is gone.
    drawer: Option<(JoinHandle<()>, Sender<()>)>,
}

#[derive(Debug, Default)]
struct Counters {
    found: Sum,
    done: Sum,
    /// What is running, the oldest first.
    running: Mutex<Vec<String>>,
}

/// The work of all threads, summed up.
#[derive(Debug, Default)]
struct Sum {
    entries: AtomicU64,
    bytes: AtomicU64,
}

impl Sum {
    fn add(&self, work: Work) {
        self.entries.fetch_add(work.entries, Ordering::Relaxed);
        self.bytes.fetch_add(work.bytes, Ordering::Relaxed);
    }

    /// Entries and bytes.
    fn so_far(&self) -> (u64, u64) {
        let entries = self.entries.load(Ordering::Relaxed);
        (entries, self.bytes.load(Ordering::Relaxed))
    }
}

impl Progress {
    /// Starts the thread that draws, after a delay. If it cannot be started, there are no bars, and
    /// the work goes on.
    pub(crate) fn with_bars(screen: &MultiProgress) -> Self {
        Self::start(screen, DELAY, Screen::target)
    }

    /// The bytes processed so far, each payload counted once.
    pub(crate) fn bytes(&self) -> u64 {
        self.counters.done.so_far().1
    }

    fn start(screen: &MultiProgress, delay: Duration, target: fn() -> ProgressDrawTarget) -> Self {
        let counters = Arc::new(Counters::default());
        let (working, over) = mpsc::channel();
        let drawer = {
            let (counters, screen) = (Arc::clone(&counters), screen.clone());
            let thread = thread::Builder::new().name("progress".to_owned());
            thread.spawn(move || {
                let mut pace = Pace::new(Instant::now());
                let whole = screen.add(ProgressBar::new(0).with_style(style(WHOLE)));
                if !is_over_after(&over, delay) {
                    screen.set_draw_target(target());
                    draw(&counters, &screen, &whole, &mut pace, &over);
                    screen.set_draw_target(ProgressDrawTarget::hidden());
                }
                screen.remove(&whole);
            })
        };
        Self {
            counters,
            drawer: drawer.ok().map(|drawer| (drawer, working)),
        }
    }
}

impl Observer for Progress {
    fn found(&self, work: Work) {
        self.counters.found.add(work);
    }

    fn begin(&self, name: &str) {
        if self.drawer.is_some() {
            lock(&self.counters.running).push(text::scrub(name));
        }
    }

    fn done(&self, work: Work) {
        self.counters.done.add(work);
    }

    fn end(&self, name: &str) {
        if self.drawer.is_none() {
            return;
        }
        let name = text::scrub(name);
        let mut running = lock(&self.counters.running);
        if let Some(at) = running.iter().position(|other| *other == name) {
            running.remove(at);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((drawer, working)) = self.drawer.take() {
            drop(working);
            let _ = drawer.join();
        }
    }
}

/// Draws until the work is over, and clears the screen.
fn draw(
    counters: &Counters,
    bars: &MultiProgress,
    whole: &ProgressBar,
    pace: &mut Pace,
    over: &Receiver<()>,
) {
    let mut lines: Vec<ProgressBar> = Vec::new();
    loop {
        let running = shown(&lock(&counters.running));
        while lines.len() > running.len() {
            if let Some(line) = lines.pop() {
                bars.remove(&line);
            }
        }
        while lines.len() < running.len() {
            let line = ProgressBar::new(0).with_style(style("  {wide_msg}"));
            lines.push(bars.add(line));
        }
        for (line, name) in lines.iter().zip(running) {
            line.set_message(name);
        }
        let (done, bytes) = counters.done.so_far();
        let (found, total) = counters.found.so_far();
        let (found, total) = (found.max(done), total.max(bytes));
        // Before anything is found there is nothing to draw.
        if total == 0 && lines.is_empty() {
            if is_over_after(over, TICK) {
                break;
            }
            continue;
        }
        whole.set_length(total);
        whole.set_message(format!(
            "{} of {}, {done} of {}{}",
            text::bytes(bytes),
            text::bytes(total),
            text::count(found, "entry", "entries"),
            pace.in_words(Instant::now(), bytes, total)
        ));
        whole.set_position(bytes);
        whole.tick();
        screen::drawn(1 + lines.len());
        if is_over_after(over, TICK) {
            break;
        }
    }
    for line in &lines {
        bars.remove(line);
    }
    whole.finish_and_clear();
    let _ = bars.clear();
    screen::drawn(0);
}

/// How fast the work goes, and how long the rest takes.
#[derive(Debug)]
struct Pace {
    start: Instant,
    /// When so many bytes were done, the oldest first: those of the window, and one before it.
    marks: VecDeque<(Instant, u64)>,
    /// The total, and since when it stands.
    total: (u64, Instant),
}

impl Pace {
    fn new(start: Instant) -> Self {
        Self {
            start,
            marks: VecDeque::from([(start, 0)]),
            total: (0, start),
        }
    }

    /// `, 40 MB/s, 12 s left`, as far as that is known.
    fn in_words(&mut self, now: Instant, bytes: u64, total: u64) -> String {
        if self.total.0 != total {
            self.total = (total, now);
        }
        self.marks.push_back((now, bytes));
        let is_old = |mark: Option<&(Instant, u64)>| mark.is_some_and(|(at, _)| now - *at > WINDOW);
        while is_old(self.marks.get(1)) {
            self.marks.pop_front();
        }
        let (since, before) = self.marks.front().copied().unwrap_or((self.start, 0));
        let (seconds, done) = ((now - since).as_secs_f64(), bytes.saturating_sub(before));
        if done == 0 || seconds <= 0.0 {
            return String::new();
        }
        #[allow(clippy::cast_precision_loss)] // It is shown in whole seconds.
        let left = total.saturating_sub(bytes) as f64 / done as f64 * seconds;
        let rate = text::rate_of(done, seconds);
        let is_known = now - self.start >= SETTLED && now - self.total.1 >= STEADY;
        match is_known && left.is_finite() {
            true => format!(", {rate}, {} left", text::wait(left)),
            false => format!(", {rate}"),
        }
    }
}

/// Waits for `wait` or until the work is over, and returns whether it is over.
fn is_over_after(over: &Receiver<()>, wait: Duration) -> bool {
    over.recv_timeout(wait) != Err(RecvTimeoutError::Timeout)
}

/// The lines that show what is running.
fn shown(running: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = running.iter().take(LINES).cloned().collect();
    let more = running.len().saturating_sub(LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

/// Locks, even if another thread panicked while it held the lock: a counter stays usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use indicatif::TermLike;

    #[test]
    fn a_few_lines_say_what_is_running() {
        let names = |n: usize| (0..n).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(shown(&names(2)), ["0", "1"]);
        assert_eq!(shown(&names(5)), ["0", "1", "2", "and 2 more"]);
    }

    #[test]
    fn of_two_of_one_name_one_ends() {
        let bars = Progress::with_bars(&hidden());
        for name in ["a\x1b", "b", "a\x1b"] {
            bars.begin(name);
        }
        bars.end("a\x1b");
        assert_eq!(*lock(&bars.counters.running), ["b", r"a\x1b"]);
    }

    #[test]
    fn bars_show_the_whole_and_what_runs_and_leave_an_empty_screen() {
        let screen = hidden();
        let bars = Progress::start(&screen, Duration::ZERO, || {
            ProgressDrawTarget::term_like_with_hz(Box::new(Paper), 255)
        });
        bars.found(Work {
            entries: 4,
            bytes: 4096,
        });
        bars.begin("pak0.pak");
        bars.done(Work {
            entries: 1,
            bytes: 1024,
        });
        let shown = |what: &str| lock(&DRAWN).contains(what);
        while !(shown("1024 bytes of 4096 bytes, 1 of 4 entries") && shown("  pak0.pak")) {
            std::thread::yield_now();
        }
        drop(bars);
        let drawn = lock(&DRAWN).clone();
        let (_, rest) = drawn.rsplit_once("entries").unwrap();
        assert!(rest.contains("<clear>"), "{rest:?}");
        let last = drawn.rsplit("<clear>").next().unwrap();
        assert_eq!(last.trim(), "", "{drawn:?}");
    }

    #[test]
    fn the_rate_is_that_of_the_last_seconds_and_the_time_left_waits_for_the_total() {
        let start = Instant::now();
        let at = |tenths| start + Duration::from_millis(100 * tenths);
        let mut pace = Pace::new(start);
        assert_eq!(pace.in_words(start, 0, 0), "");
        // 10 MB/s of a total that grows for two seconds.
        for tenths in 1..20 {
            let words = pace.in_words(at(tenths), tenths * 1_000_000, 500_000_000 + tenths);
            assert_eq!(words, ", 10 MB/s", "{tenths}");
        }
        assert_eq!(pace.in_words(at(28), 28_000_000, 500_000_019), ", 10 MB/s");
        assert_eq!(
            pace.in_words(at(30), 30_000_000, 500_000_019),
            ", 10 MB/s, 48 s left"
        );
        // Ten seconds at a fifth of that, and the first three are forgotten.
        for tenths in 31..=140 {
            pace.in_words(
                at(tenths),
                30_000_000 + (tenths - 30) * 200_000,
                500_000_019,
            );
        }
        assert_eq!(
            pace.in_words(at(140), 52_000_000, 500_000_019),
            ", 2.0 MB/s, 4 min left"
        );
        assert!(pace.marks.len() < 110, "{}", pace.marks.len());
    }

    fn hidden() -> MultiProgress {
        MultiProgress::with_draw_target(ProgressDrawTarget::hidden())
    }

    static DRAWN: Mutex<String> = Mutex::new(String::new());

    /// Remembers all that was ever drawn.
    #[derive(Debug)]
    struct Paper;

    impl Paper {
        #[allow(clippy::unnecessary_wraps)] // The trait's type.
        fn put(text: &str) -> io::Result<()> {
            lock(&DRAWN).push_str(text);
            Ok(())
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            120
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            Self::put(text).and_then(|()| Self::put("\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            Self::put(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            Self::put("<clear>")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }
}
