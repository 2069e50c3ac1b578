//! How large `src` may be: code lines for each folder. CONTRIBUTING says what the budget is for.

use crate::source;

/// The code lines that each folder or file of `src` may have. Comments, blank lines and unit tests do not count.
const BUDGET: [(&str, usize); 12] = [
    ("archive", 3_204),
    ("cli", 7_065),
    ("codec", 1_535),
    ("engine", 3_174),
    ("format", 3_346),
    ("fs", 2_071),
    ("guide.rs", 20),
    ("lib.rs", 28),
    ("main.rs", 4),
    ("media", 4_825),
    ("ops", 13_310),
    ("web", 646),
];

/// The columns that a line may have, unless it has one string or is an attribute: rustfmt does not break these.
const COLUMNS: usize = 100;

#[test]
fn each_folder_keeps_to_its_budget() {
    let mut larger = Vec::new();
    let mut all = 0;
    let sources: Vec<(String, usize)> =
        source::all().into_iter().map(|it| (it.path, it.code.lines().count())).collect();
    for (folder, budget) in BUDGET {
        let of_folder = sources.iter().filter(|(path, _)| path.split('/').next() == Some(folder));
        let lines: usize = of_folder.map(|(_, lines)| lines).sum();
        all += lines;
        println!("{folder:10} {lines:6} code lines of {budget:6}");
        if lines > budget {
            larger.push(folder);
        }
    }
    println!("{:10} {all:6}", "all");
    let total: usize = sources.iter().map(|(_, lines)| lines).sum();
    assert_eq!(all, total, "a folder of src has no row in BUDGET");
    assert!(larger.is_empty(), "more code lines than BUDGET allows: {larger:?}");
}

#[test]
fn no_line_of_code_is_too_long() {
    let mut longer = Vec::new();
    for source in source::all() {
        for line in source.code.lines() {
            let quotes = line.replace(r#"\""#, "").matches('"').count();
            let is_broken = !(1..=2).contains(&quotes) && !line.trim_start().starts_with('#');
            if line.chars().count() > COLUMNS && is_broken {
                longer.push(format!("src/{}: {}", source.path, line.trim_start()));
            }
        }
    }
    assert!(longer.is_empty(), "lines of more than {COLUMNS} columns:\n{}", longer.join("\n"));
}
