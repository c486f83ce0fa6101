//! Options of games and engines, with a parameter of every kind. Values lie within their bounds,
//! and spelled out in full they are read as the same values.

use tabia_game::options::{OptionValues, Parameter, ParameterKind, split_spec};

const fn parameter(key: &'static str, kind: ParameterKind, default: &'static str) -> Parameter {
    Parameter {
        key,
        kind,
        default,
        help: "",
    }
}

const WORDS: &[&str] = &["none", "static", "x"];
const LARGEST_TABLE: u64 = 16 << 30;

const PARAMETERS: &[Parameter] = &[
    parameter("size", ParameterKind::Size(1, 26), "8x8"),
    parameter("k", ParameterKind::Integer(-5, 9), "0"),
    parameter("nodes", ParameterKind::Integer(0, i64::MAX), "0"),
    parameter("table", ParameterKind::Bytes(16, LARGEST_TABLE), "1M"),
    parameter("order", ParameterKind::Choice(WORDS), "none"),
    parameter("etc", ParameterKind::Switch, "off"),
];

fn read(text: &str) -> Option<OptionValues> {
    match OptionValues::parse("fuzz", text, PARAMETERS) {
        Ok(values) => Some(values),
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz"), "{error}");
            None
        }
    }
}

fn check_bounds(values: &OptionValues) {
    let (files, ranks) = values.size("size");
    assert!((1..=26).contains(&files) && (1..=26).contains(&ranks));
    assert!((-5..=9).contains(&values.integer("k")));
    assert!(values.integer("nodes") >= 0);
    assert!((16..=LARGEST_TABLE).contains(&values.bytes("table")));
    assert!(WORDS.contains(&values.word("order")));
}

/// All values, each with its key.
fn spelled_out(values: &OptionValues) -> String {
    let (files, ranks) = values.size("size");
    format!(
        "size={files}x{ranks},k={},nodes={},table={},order={},etc={}",
        values.integer("k"),
        values.integer("nodes"),
        values.bytes("table"),
        values.word("order"),
        if values.switch("etc") { "on" } else { "off" },
    )
}

/// The target.
pub fn target(text: &str) {
    let (name, options) = split_spec(text);
    assert!(!name.contains(':') && text.len() >= name.len() + options.len());
    let Some(values) = read(text) else {
        return;
    };
    check_bounds(&values);
    let full = spelled_out(&values);
    match read(&full) {
        Some(again) => {
            assert_eq!(spelled_out(&again), full);
            assert!(PARAMETERS.iter().all(|p| again.is_given(p.key)));
        }
        None => panic!("'{text}' is read, but not '{full}'"),
    }
}
