//! How often the layout is recognised, over generated paks: sound ones always, damaged ones in at
//! least 99 of 100; odd ones never wrong, and left undecided in one of 500 at most.
//!
//! A part of them in every run; all of them, with the figures that README states:
//!
//! ```text
//! cargo test --release --test it -- --ignored --nocapture detection
//! ```

use daisho::format::Detection;

use super::generate::{Damage, Random, Sketch, sketch, sketch_of};
use super::odd::odd_sketch;
use crate::archive::build::PACKS;

#[derive(Debug, Default)]
struct Figures {
    paks: u32,
    wrong: u32,
    undecided: u32,
    /// Divides both ways.
    both: u32,
    /// The lowest margin of a right verdict that stood on the records.
    narrowest: Option<i32>,
}

impl Figures {
    fn count(&mut self, sketch: &Sketch) -> Detection {
        let found = judge(sketch);
        self.paks += 1;
        self.both += u32::from(found.readings().iter().all(|reading| reading.divides));
        match found.format() {
            None => self.undecided += 1,
            Some(layout) if layout == sketch.layout => {
                let mut scores = found.readings().iter().filter_map(|reading| reading.score);
                let margin = match (scores.next(), scores.next()) {
                    (Some(one), Some(other)) => (one - other).abs(),
                    _ => i32::MAX,
                };
                let mut divides = found.readings().iter().filter(|reading| reading.divides);
                if divides.next().is_none() || divides.next().is_some() {
                    self.narrowest = Some(self.narrowest.map_or(margin, |least| least.min(margin)));
                }
            }
            Some(_) => self.wrong += 1,
        }
        found
    }
}

fn judge(sketch: &Sketch) -> Detection {
    Detection::of(&sketch.directory, sketch.header, sketch.file_len, None)
}

fn sound_paks(paks: u64) {
    let mut figures = Figures::default();
    for seed in 0..paks {
        let sketch = sketch(&mut Random::new(seed));
        let found = figures.count(&sketch);
        assert_eq!(found.format(), Some(sketch.layout), "seed {seed}: {found}");
    }
    println!("sound: {figures:?}");
    assert!(figures.both * 2 >= figures.paks, "{figures:?}");
}

fn damaged_paks(paks: u64) {
    for damage in Damage::ALL {
        let mut figures = Figures::default();
        for seed in 0..paks {
            let sketch = damage.sketch(&mut Random::new(seed));
            let found = figures.count(&sketch);
            if found.format() != Some(sketch.layout) && std::env::var_os("DAISHO_SHOW").is_some() {
                println!("{damage:?} seed {seed}, {}: {found}", sketch.layout);
            }
        }
        let missed = figures.wrong + figures.undecided;
        let right = 100.0 - 100.0 * f64::from(missed) / f64::from(figures.paks);
        println!("{damage:?}: {right:.3} % right, {figures:?}");
        assert!(missed * 100 <= figures.paks, "{damage:?}: {figures:?}");
    }
}

fn odd_paks(paks: u64) {
    let mut figures = Figures::default();
    for seed in 0..paks {
        let sketch = odd_sketch(&mut Random::new(seed));
        let found = figures.count(&sketch);
        let right = found.format().is_none_or(|layout| layout == sketch.layout);
        assert!(right, "seed {seed}, {}: {found}", sketch.layout);
    }
    println!("odd: {figures:?}");
    assert!(figures.undecided * 500 <= figures.paks, "{figures:?}");
}

#[test]
fn an_odd_pak_is_never_misjudged() {
    odd_paks(4000);
}

#[test]
fn a_sound_pak_is_never_misjudged() {
    sound_paks(500);
}

#[test]
fn a_damaged_pak_is_judged_right_in_99_of_100() {
    damaged_paks(300);
}

#[test]
#[ignore = "minutes without --release; prints the figures of README"]
fn a_hundred_thousand_paks_are_judged_right() {
    odd_paks(400_000);
    sound_paks(100_000);
    damaged_paks(100_000);
}

#[test]
fn paks_of_1_to_40_entries_are_judged_right() {
    for layout in PACKS {
        for count in 1..=40 {
            for seed in 0..20 {
                let sketch = sketch_of(&mut Random::new(seed), layout, count);
                let found = judge(&sketch);
                assert_eq!(found.format(), Some(layout), "{count} entries, seed {seed}: {found}");
            }
        }
    }
}
