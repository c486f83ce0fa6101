//! Every target over its seeds: those in `seeds`, written by hand or left by a crash, and those
//! that follow from the catalog.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tabia_fuzz::{TARGETS, Target};

/// Runs an input, telling whose it was if it fails: a target panics.
fn run(name: &str, target: Target, seed: &str, input: &[u8]) {
    let verdict = std::panic::catch_unwind(|| match target {
        Target::Text(run) => run(std::str::from_utf8(input).expect("seeds of texts are texts")),
        Target::Bytes(run) => run(input),
    });
    assert!(
        verdict.is_ok(),
        "the target {name} fails on its seed {seed}"
    );
}

#[test]
fn seeds_written_by_hand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut folders: Vec<String> = fs::read_dir(&folder)
        .expect("a folder of seeds")
        .map(|entry| {
            entry
                .expect("a folder")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    folders.sort();
    let names: Vec<&str> = TARGETS.iter().map(|&(name, _)| name).collect();
    assert_eq!(folders, names, "a folder of seeds for each target");
    for (name, target) in TARGETS {
        let mut seeds = 0;
        for entry in fs::read_dir(folder.join(name)).expect("a folder") {
            let path = entry.expect("a file").path();
            run(
                name,
                target,
                &path.display().to_string(),
                &fs::read(&path).expect("a file"),
            );
            seeds += 1;
        }
        assert!(seeds > 0, "the target {name} has no seeds");
    }
}

#[test]
fn seeds_of_the_catalog() {
    let targets = BTreeMap::from(TARGETS);
    let seeds = tabia_fuzz::seeds::of_the_catalog().expect("what the catalog lists is there");
    assert!(seeds.len() > 100, "{} seeds", seeds.len());
    for seed in seeds {
        run(
            seed.target,
            targets[seed.target],
            &seed.name,
            seed.text.as_bytes(),
        );
    }
}

/// Every target has a program for libFuzzer, and there is no other.
#[test]
fn programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let listed = manifest.matches("[[bin]]").count();
    assert_eq!(listed, TARGETS.len());
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
        let program = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs")));
        let calls = format!("tabia_fuzz::{name}::target(");
        assert!(program.is_ok_and(|text| text.contains(&calls)), "{name}");
    }
}
