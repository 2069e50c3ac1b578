//! Progress: one bar for the whole operation, and a line that says what is running.
//!
//! The worker threads only add to counters. A separate thread reads them ten times a second and draws. It begins
//! half a second after the start, so a shorter operation shows nothing. No worker ever waits for a terminal.
//!
//! How much a batch holds is known when all of its archives are open. So its bar shows how much of their files is
//! done, and the bar of a single archive how much of its content.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::cli::args::When;
use crate::cli::text;
use crate::fs::lock;
use crate::ops::{Observer, Work};

/// How long an operation runs before it shows a bar.
const DELAY: Duration = Duration::from_millis(500);
/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);
/// The time after which the remaining time is shown. Before that it would jump.
const SETTLED: Duration = Duration::from_secs(2);
/// The words after the bar fit into 80 columns, and the bar takes the rest of the line.
const TEMPLATE: &str = "{wide_bar} {prefix}\n  {wide_msg}";

/// Whether to show bars, given what standard error is.
pub(crate) fn wanted(when: When) -> bool {
    match when {
        When::Never => false,
        When::Always => true,
        When::Auto => !ProgressDrawTarget::stderr().is_hidden(),
    }
}

/// Counts the work of one operation, and shows it as a bar if one is wanted. The bar is cleared when this is
/// dropped.
#[derive(Debug)]
pub(crate) struct Bars {
    begun: Instant,
    counters: Arc<Counters>,
    /// The thread that draws until the other end of its channel is gone.
    drawer: Option<(JoinHandle<()>, Sender<()>)>,
}

#[derive(Debug, Default)]
struct Counters {
    archives: Count,
    /// The bytes of their files.
    files: Count,
    entries: Count,
    bytes: Count,
    /// What is running, the oldest first.
    running: Mutex<Vec<String>>,
}

/// How much of something was found and done, by all threads together.
#[derive(Debug, Default)]
struct Count {
    found: AtomicU64,
    done: AtomicU64,
}

impl Count {
    fn find(&self, more: u64) {
        self.found.fetch_add(more, Ordering::Relaxed);
    }

    fn finish(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }

    /// How much was done, and how much there is.
    fn so_far(&self) -> (u64, u64) {
        let done = self.done.load(Ordering::Relaxed);
        (done, self.found.load(Ordering::Relaxed).max(done))
    }
}

impl Bars {
    /// Begins to count.
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), counters: Arc::default(), drawer: None }
    }

    /// Begins to count, and starts the thread that draws, after a delay. If it cannot be started, there are no bars,
    /// and the work goes on.
    pub(crate) fn with_bars(screen: &MultiProgress) -> Self {
        Self::start(screen, DELAY, || {
            ProgressDrawTarget::term_like(Box::new(Screen(Term::buffered_stderr())))
        })
    }

    /// Ends. Returns how long it took, and at what rate, with each payload counted once.
    pub(crate) fn finish(self) -> String {
        text::rate(self.counters.bytes.so_far().0, self.begun.elapsed().as_secs_f64())
    }

    fn start(screen: &MultiProgress, delay: Duration, target: fn() -> ProgressDrawTarget) -> Self {
        let (working, over) = mpsc::channel();
        let mut bars = Self::new();
        let (counters, screen) = (Arc::clone(&bars.counters), screen.clone());
        let thread = thread::Builder::new().name("progress".to_owned());
        let drawer = thread.spawn(move || {
            let bar = screen.add(ProgressBar::new(0).with_style(style()));
            if !is_over_after(&over, delay) {
                screen.set_draw_target(target());
                draw(&counters, &bar, &over);
                bar.finish_and_clear();
                screen.set_draw_target(ProgressDrawTarget::hidden());
            }
            screen.remove(&bar);
        });
        bars.drawer = drawer.ok().map(|drawer| (drawer, working));
        bars
    }
}

impl Observer for Bars {
    fn archives(&self, found: u64, bytes: u64) {
        self.counters.archives.find(found);
        self.counters.files.find(bytes);
    }

    fn archive_done(&self, bytes: u64) {
        self.counters.archives.finish(1);
        self.counters.files.finish(bytes);
    }

    fn found(&self, work: Work) {
        self.counters.entries.find(work.entries);
        self.counters.bytes.find(work.bytes);
    }

    fn begin(&self, name: &str) {
        if self.drawer.is_some() {
            lock(&self.counters.running).push(text::scrub(name));
        }
    }

    fn done(&self, work: Work) {
        self.counters.entries.finish(work.entries);
        self.counters.bytes.finish(work.bytes);
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

impl Drop for Bars {
    fn drop(&mut self) {
        if let Some((drawer, working)) = self.drawer.take() {
            drop(working);
            let _ = drawer.join();
        }
    }
}

/// Draws until the work is over.
fn draw(counters: &Counters, bar: &ProgressBar, over: &Receiver<()>) {
    loop {
        let running = running(&lock(&counters.running));
        let (entries_done, entries) = counters.entries.so_far();
        // Before anything is found there is nothing to draw.
        if entries > 0 || !running.is_empty() {
            let (bytes_done, bytes) = counters.bytes.so_far();
            let (archives_done, archives) = counters.archives.so_far();
            let (position, length, words) = if archives > 1 {
                let (files_done, files) = counters.files.so_far();
                let words = format!(
                    "{archives_done} of {archives} archives, {} of {}",
                    text::bytes(files_done),
                    text::bytes(files)
                );
                (files_done, files, words)
            } else {
                let words = format!(
                    "{} of {}, {entries_done} of {}",
                    text::bytes(bytes_done),
                    text::bytes(bytes),
                    text::count(entries, "entry", "entries"),
                );
                (bytes_done, bytes, words)
            };
            bar.set_length(length);
            bar.set_position(position);
            bar.set_prefix(words + &pace(bar, bytes_done));
            bar.set_message(running);
            bar.tick();
        }
        if is_over_after(over, TICK) {
            return;
        }
    }
}

/// `, 40 MB/s, 12 s left`, or the part of it that is known.
fn pace(bar: &ProgressBar, bytes: u64) -> String {
    let elapsed = bar.elapsed();
    if bytes == 0 || elapsed.is_zero() {
        return String::new();
    }
    let rate = text::rate_of(bytes, elapsed.as_secs_f64());
    let left = bar.eta();
    if elapsed < SETTLED || left.is_zero() {
        return format!(", {rate}");
    }
    format!(", {rate}, {} left", text::wait(left.as_secs_f64()))
}

/// What is running: the name of the oldest, and the number of others.
fn running(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [name, others @ ..] => format!("{name} and {} more", others.len()),
    }
}

/// Waits for `wait` or until the work is over, and returns whether it is over.
fn is_over_after(over: &Receiver<()>, wait: Duration) -> bool {
    over.recv_timeout(wait) != Err(RecvTimeoutError::Timeout)
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template(TEMPLATE)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

/// Standard error, with the cursor in the first column after each redraw.
///
/// indicatif leaves the cursor after the last column. A `^C` that the terminal echoes there would move to the next
/// line, and clearing would then miss the first line.
#[derive(Debug)]
struct Screen(Term);

impl TermLike for Screen {
    fn width(&self) -> u16 {
        TermLike::width(&self.0)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.write_str("\r")?;
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_running() {
        let names = |n: usize| (0..n).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(running(&names(0)), "");
        assert_eq!(running(&names(1)), "0");
        assert_eq!(running(&names(5)), "0 and 4 more");
    }

    #[test]
    fn of_two_of_one_name_one_ends() {
        let bars = Bars::with_bars(&hidden());
        for name in ["a\x1b", "b", "a\x1b"] {
            bars.begin(name);
        }
        bars.end("a\x1b");
        assert_eq!(*lock(&bars.counters.running), ["b", r"a\x1b"]);
    }

    #[test]
    fn bars_show_the_whole_and_leave_an_empty_screen() {
        let screen = hidden();
        let bars = Bars::start(&screen, Duration::ZERO, || {
            ProgressDrawTarget::term_like_with_hz(Box::new(Paper), 255)
        });
        bars.found(Work { entries: 4, bytes: 4096 });
        bars.begin("pak0.pak");
        bars.done(Work { entries: 1, bytes: 1024 });
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
