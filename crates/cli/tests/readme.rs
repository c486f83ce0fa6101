//! Keeps the pages true: README.md and docs/*.md.
//!
//! In a block marked `console` every line that begins with `$ ` is a command, which must succeed,
//! and the lines up to the next one are its output. A line is compared up to the first time in it,
//! such as `0.269 s`, since nobody can repeat that and what follows; a last line `...` stands for
//! all further lines; a command without output is only run. The commands of a page share a folder,
//! which has a copy of `examples`. `TABIA_BLESS=1` writes the outputs anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{command, json, run};
use serde_json::Value;

const ELSEWHERE: &str = "...";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.replace("\r\n", "\n")
}

/// README.md, the other pages beside it, and those in `docs`.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = [root(), root().join("docs")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    assert!(pages.len() > 5);
    pages
}

/// Copies a folder with all that is in it but what was compiled there.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let copied = to.join(entry.file_name());
        if entry.file_name() == "target" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &copied);
        } else {
            fs::copy(entry.path(), copied).unwrap();
        }
    }
}

/// The words of a command line; quotes hold words together, and there is no other magic.
fn words(line: &str) -> Vec<String> {
    assert!(!line.contains(['`', '$', '\\', '\'']), "{line}");
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            assert!(!part.contains(['|', '>', '<']), "{line}");
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}

/// What can be compared of a line: all before the first time, a number with a decimal point
/// followed by ` s`.
fn comparable(line: &str) -> &str {
    let ends = line.match_indices(" s").map(|(at, _)| at).filter(|at| {
        line[at + 2..]
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric())
    });
    for end in ends {
        let number = line[..end].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        if line[number.len()..end].contains('.') {
            return number.trim_end();
        }
    }
    line.trim_end()
}

/// The standard output of a command of a page, without blank lines at its end.
fn output(line: &str, folder: &Path) -> Vec<String> {
    let words = words(line);
    assert_eq!(words[0], "tabia", "{line}");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let done = command(&args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{line}\n{complaint}");
    let text = String::from_utf8(done.stdout).unwrap();
    text.trim_end().lines().map(str::to_string).collect()
}

/// The page with the outputs that its commands have now. Those that can be compared and do not
/// differ stay as they are.
fn refreshed(page: &str, folder: &Path) -> String {
    let mut fresh = Vec::new();
    let mut lines = page.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        fresh.push(line.to_string());
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else {
            continue;
        };
        let mut told: Vec<String> = Vec::new();
        while let Some(next) = lines.next_if(|l| !l.starts_with("$ ") && !l.starts_with("```")) {
            told.push(next.to_string());
        }
        let now = output(command, folder);
        fresh.extend(compared(&told, now));
    }
    fresh.join("\n") + "\n"
}

/// What a page should tell of an output, given what it tells.
fn compared(told: &[String], mut now: Vec<String>) -> Vec<String> {
    let kept = told
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    let (text, blanks) = told.split_at(kept);
    if text.is_empty() {
        return told.to_vec();
    }
    if let Some((ELSEWHERE, shown)) = text
        .split_last()
        .map(|(last, shown)| (last.as_str(), shown))
    {
        now.truncate(shown.len());
        now.push(ELSEWHERE.to_string());
    }
    let same = |a: &String, b: &String| comparable(a) == comparable(b);
    if text.len() == now.len() && text.iter().zip(&now).all(|(a, b)| same(a, b)) {
        return told.to_vec();
    }
    now.extend_from_slice(blanks);
    now
}

#[test]
fn what_the_pages_show_is_what_the_command_prints() {
    let bless = std::env::var_os("TABIA_BLESS").is_some();
    let mut commands = 0;
    for path in pages() {
        let page = read(&path);
        let folder = tempfile::tempdir().unwrap();
        copy(&root().join("examples"), &folder.path().join("examples"));
        let fresh = refreshed(&page, folder.path());
        commands += page
            .lines()
            .filter(|line| line.starts_with("$ tabia "))
            .count();
        if fresh == page {
            continue;
        }
        if bless {
            fs::write(&path, &fresh).unwrap();
            continue;
        }
        let differing = page
            .lines()
            .zip(fresh.lines())
            .zip(1..)
            .find(|((told, now), _)| told != now);
        panic!(
            "{} is not what the command prints now, from here on: {differing:?}; run\n  \
             TABIA_BLESS=1 cargo test -p tabia --test all readme\nand look at the difference",
            path.display()
        );
    }
    assert!(commands > 10, "only {commands} commands were found");
}

#[test]
fn times_are_not_compared() {
    assert_eq!(
        comparable("effort    96 nodes, 0.000 s, 7 nodes/s"),
        "effort    96 nodes,"
    );
    assert_eq!(comparable("    4    3,024   10.5 s   12"), "    4    3,024");
    assert_eq!(comparable("3 stones, 1.5 sacks"), "3 stones, 1.5 sacks");
    let told = ["a".to_string(), ELSEWHERE.to_string(), String::new()];
    let now = |lines: &[&str]| compared(&told, lines.iter().map(|l| l.to_string()).collect());
    assert_eq!(now(&["a", "b", "c"]), told);
    assert_eq!(now(&["b", "c", "d"]), ["b", ELSEWHERE, ""]);
}

/// The lines of the only block in a section.
fn block<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let section = page.lines().skip_while(|line| *line != heading).skip(1);
    let section: Vec<&str> = section
        .take_while(|line| !line.starts_with("## "))
        .collect();
    let fences: Vec<usize> = (0..section.len())
        .filter(|&i| section[i].starts_with("```"))
        .collect();
    assert_eq!(fences.len(), 2, "{heading}");
    section[fences[0] + 1..fences[1]].to_vec()
}

#[test]
fn the_readme_tells_how_to_run_and_test() {
    let readme = read(&root().join("README.md"));
    assert_eq!(
        block(&readme, "## Test"),
        ["cargo test --workspace --locked"]
    );
    let [line] = block(&readme, "## Run")[..] else {
        panic!("one line runs the main job");
    };
    let args = line.strip_prefix("cargo run --release -- ").unwrap();
    let run = run(&args.split(' ').collect::<Vec<_>>());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("\nmove "), "{}", run.out);
    let manifest = read(&root().join("Cargo.toml"));
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "))
        .unwrap();
    assert!(readme.contains(&format!("Rust {} or later", version.trim_matches('"'))));
}

/// Files that pages link to exist, and so do the headings.
#[test]
fn links_lead_somewhere() {
    for path in pages() {
        let page = read(&path);
        for link in page
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => path.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", path.display());
            let known = |heading: &str| anchor_of(heading) == anchor;
            if !anchor.is_empty() {
                assert!(
                    headings(&read(&target)).any(known),
                    "{}: {link}",
                    path.display()
                );
            }
        }
    }
}

/// Programs in pages are parts of the files that the paragraph before them links to, which
/// continuous integration compiles and runs.
#[test]
fn quoted_programs_are_parts_of_their_files() {
    let mut quoted = 0;
    for path in pages() {
        let page = read(&path);
        for (at, fence) in page.match_indices("```rust\n") {
            let before = page[..at].trim_end();
            let paragraph = before.rsplit("\n\n").next().unwrap();
            let links = paragraph.split("](").skip(1);
            let file = links
                .filter_map(|rest| rest.split(')').next())
                .find(|link| link.ends_with(".rs"))
                .unwrap_or_else(|| panic!("{}: whose code is it?\n{before}", path.display()));
            let source = read(&path.parent().unwrap().join(file));
            let block = page[at + fence.len()..].split("```\n").next().unwrap();
            assert!(
                source.contains(block),
                "{}: this is not in {file}:\n{block}",
                path.display()
            );
            quoted += 1;
        }
    }
    assert!(quoted >= 2, "only {quoted} programs were found");
}

fn headings(page: &str) -> impl Iterator<Item = &str> {
    let heading = |line: &'_ str| line.starts_with('#');
    page.lines()
        .filter(move |line| heading(line))
        .map(|line| line.trim_start_matches('#').trim())
}

/// The name under which a heading can be linked to.
fn anchor_of(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// The cells of a row of a table, without the marks of code.
fn cells(row: &str) -> Vec<&str> {
    let cells = row.trim_matches('|').split(" | ");
    cells.map(|cell| cell.trim().trim_matches('`')).collect()
}

/// The rows of all tables after a heading, up to the next heading.
fn table<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let section = page.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<&str> = section.take_while(|line| !line.starts_with('#')).collect();
    let rows: Vec<Vec<&str>> = lines
        .split(|line| !line.starts_with("| "))
        .flat_map(|table| table.iter().skip(2))
        .map(|row| cells(row))
        .collect();
    assert!(!rows.is_empty(), "no table under {heading}");
    rows
}

/// The object that a value is, or the first one of a list of objects.
fn object(value: &Value) -> &serde_json::Map<String, Value> {
    value.as_object().or_else(|| value[0].as_object()).unwrap()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// Every field that a command prints is documented with its type, and nothing else is.
#[test]
fn json_fields_are_documented() {
    let page = read(&root().join("docs/json.md"));
    let mut value = Value::Null;
    let mut checked = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let fields = if line.starts_with("## `tabia") {
            let command = lines
                .by_ref()
                .find_map(|line| line.strip_prefix("$ tabia "));
            // Examples are named from the root of the repository.
            let place = |word: String| match word.starts_with("examples/") {
                true => root().join(word).display().to_string(),
                false => word,
            };
            let words: Vec<String> = words(command.unwrap()).into_iter().map(place).collect();
            let args: Vec<&str> = words
                .iter()
                .map(String::as_str)
                .filter(|w| *w != "--json")
                .collect();
            value = json(&args);
            object(&value)
        } else if let Some(field) = line.strip_prefix("### `") {
            object(&object(&value)[field.trim_end_matches('`')])
        } else {
            continue;
        };
        let rows = table(&page, line);
        let documented: Vec<&str> = rows.iter().map(|row| row[0]).collect();
        assert_eq!(fields.keys().collect::<Vec<_>>(), documented, "{line}");
        for row in rows {
            let kind = type_of(&fields[row[0]]);
            assert!(
                row[1].split(" or ").any(|k| k == kind),
                "{line}: {} is {kind}",
                row[0]
            );
        }
        checked += 1;
    }
    assert!(checked > 10);
}

/// The examples of JSON are JSON.
#[test]
fn json_examples_can_be_read() {
    for path in pages() {
        let page = read(&path);
        for block in page.split("```json\n").skip(1) {
            let text = block.split("```").next().unwrap();
            let read = serde_json::from_str::<Value>(text);
            assert!(read.is_ok(), "{}: {read:?}\n{text}", path.display());
        }
    }
}

/// The table of switches has every option of plain alpha-beta with its default.
#[test]
fn every_switch_is_documented() {
    let page = read(&root().join("docs/switches.md"));
    let games = json(&["games", "tictactoe"]);
    let options = games[0]["engine_options"]["alphabeta"].as_array().unwrap();
    let rows = table(&page, "## All switches");
    for option in options {
        let key = option["key"].as_str().unwrap();
        let row = rows.iter().find(|row| row[0] == key);
        let row = row.unwrap_or_else(|| panic!("docs/switches.md lacks '{key}'"));
        assert_eq!(row[2], option["default"], "{key}");
    }
    assert_eq!(rows.len(), options.len(), "a switch that there is not");
}
