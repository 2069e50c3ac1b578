//! One table: medians in MB/s (of content), and ratios to the first contender of each kind.

use std::time::{Duration, Instant};

use crate::contenders::{Contender, DECODERS, ENCODERS, Subject};

/// Measurements a contender; the median of so few is steady enough for two digits.
const ROUNDS: usize = 21;
/// An encoder that takes longer than this for a round gets fewer of them.
const PATIENCE: Duration = Duration::from_secs(4);

pub(crate) fn print(subjects: &[Subject]) {
    section("decode", subjects, DECODERS);
    section("encode", subjects, ENCODERS);
    println!("\nsize of the stream in percent of the content");
    println!("| sample | plain greedy | compatible | overlapping |");
    println!("|---|---|---|---|");
    for subject in subjects {
        let sizes: Vec<String> = ENCODERS
            .iter()
            .take(3)
            .map(|encoder| {
                let packed = (encoder.run)(subject, &mut []) as f64;
                format!("{:.2}", 100.0 * packed / subject.content.len() as f64)
            })
            .collect();
        println!("| {} | {} |", subject.name, sizes.join(" | "));
    }
}

fn section(what: &str, subjects: &[Subject], contenders: &[Contender]) {
    println!("\n{what}: MB/s, median (ratio to {})", contenders[0].name);
    let names: Vec<&str> = contenders.iter().map(|c| c.name).collect();
    println!("| sample | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(contenders.len()));
    for subject in subjects {
        let medians = take_turns(subject, contenders);
        let cells: Vec<String> = medians
            .iter()
            .map(|median| {
                let rate = subject.content.len() as f64 / 1e6 / median.as_secs_f64();
                let ratio = medians[0].as_secs_f64() / median.as_secs_f64();
                format!("{rate:.0} ({ratio:.2})")
            })
            .collect();
        println!("| {} | {} |", subject.name, cells.join(" | "));
    }
}

/// Every contender once a round, so that a slow spell of the machine meets all of them.
fn take_turns(subject: &Subject, contenders: &[Contender]) -> Vec<Duration> {
    let mut output = vec![0; subject.content.len()];
    let mut times = vec![Vec::with_capacity(ROUNDS); contenders.len()];
    let start = Instant::now();
    for round in 0..ROUNDS {
        for (contender, times) in contenders.iter().zip(&mut times) {
            let start = Instant::now();
            (contender.run)(subject, &mut output);
            times.push(start.elapsed());
        }
        if round >= 2 && start.elapsed() > PATIENCE {
            break;
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_unstable();
            times[times.len() / 2]
        })
        .collect()
}
