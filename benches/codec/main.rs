//! The codec against its yardsticks, on samples that are made up from what was measured on real
//! files, on noise and on zeros.
//!
//! Run in this folder, `cargo bench --bench codec` runs all; `-- decode/map` what matches. At the end, or alone with
//! `-- table`, it prints one table of medians and ratios, for which all contenders take turns on
//! the same data: on a noisy machine ratios within such a run hold where single figures do not.
//! `DAISHO_BENCH_FILES=a.bsp:b.tga` adds files of your own, encoded with the default profile.

mod baseline;
mod contenders;
#[path = "../../tests/it/codec/greedy.rs"]
mod greedy;
mod samples;
mod table;

use std::time::Duration;

use criterion::{Criterion, Throughput};

fn main() {
    let samples = contenders::samples();
    let table_only = std::env::args().any(|arg| arg == "table");
    // `cargo test --benches` asks for a quick look only; so does `-- --test`.
    let quick = std::env::args().any(|arg| arg == "--test");
    if !table_only {
        let mut criterion = Criterion::default()
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .configure_from_args();
        for sample in &samples {
            measure(&mut criterion, "decode", sample, contenders::DECODERS);
            measure(&mut criterion, "encode", sample, contenders::ENCODERS);
        }
        criterion.final_summary();
    }
    if table_only || (!quick && std::env::args().len() <= 2) {
        table::print(&samples);
    }
}

fn measure(
    criterion: &mut Criterion,
    what: &str,
    sample: &contenders::Subject,
    contenders: &[contenders::Contender],
) {
    let mut group = criterion.benchmark_group(format!("{what}/{}", sample.name));
    group.throughput(Throughput::Bytes(sample.content.len() as u64));
    let mut output = vec![0; sample.content.len()];
    for contender in contenders {
        group.bench_function(contender.name, |bench| {
            bench.iter(|| (contender.run)(sample, &mut output));
        });
    }
    group.finish();
}
