//! Options of games and engines as plain words: `name:value,key=value`.
//!
//! Whoever takes options declares them once as a list of [`Parameter`]s. Reading, defaults, help
//! texts and error messages all come from that list.

use std::collections::BTreeMap;
use std::fmt;

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// An integer between these bounds, both included.
    Integer(i64, i64),
    /// A decimal number between these bounds, which are in thousandths, with three decimal places
    /// at most.
    Decimal(i64, i64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A board size such as `7x6`: files and ranks, each between these bounds.
    Size(usize, usize),
    /// The same told the other way round, as matrices are: rows and columns.
    Rows(usize, usize),
    /// A number of bytes, such as `64M`, between these bounds.
    Bytes(u64, u64),
    /// `on` or `off`.
    Switch,
    /// The name of a file; nothing for none.
    File,
}

/// One option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub key: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
    /// What it is when nothing is said.
    pub default: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A bound that only the machine sets says nothing.
            ParameterKind::Integer(min, i64::MAX) => write!(f, "{min}.."),
            ParameterKind::Integer(min, max) => write!(f, "{min}..{max}"),
            ParameterKind::Decimal(min, max) => {
                write!(f, "{}..{}", decimal_text(*min), decimal_text(*max))
            }
            ParameterKind::Choice(words) => f.write_str(&words.join("|")),
            ParameterKind::Size(min, max) => write!(f, "FILESxRANKS, each {min}..{max}"),
            ParameterKind::Rows(min, max) => write!(f, "ROWSxCOLUMNS, each {min}..{max}"),
            ParameterKind::Bytes(min, u64::MAX) => write!(f, "{}..", bytes_text(*min)),
            ParameterKind::Bytes(min, max) => {
                write!(f, "{}..{}", bytes_text(*min), bytes_text(*max))
            }
            ParameterKind::Switch => f.write_str("on|off"),
            ParameterKind::File => f.write_str("FILE"),
        }
    }
}

/// An option that was not understood, with what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(String);

impl OptionError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> OptionError {
        OptionError(message.into())
    }
}

/// A value that has been checked against its [`ParameterKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionValue {
    Integer(i64),
    /// In thousandths.
    Decimal(i64),
    Word(&'static str),
    Size(usize, usize),
    Bytes(u64),
    Switch(bool),
    File(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Integer(n) => write!(f, "{n}"),
            OptionValue::Decimal(thousandths) => f.write_str(&decimal_text(*thousandths)),
            OptionValue::Word(word) => f.write_str(word),
            OptionValue::Size(width, height) => write!(f, "{width}x{height}"),
            OptionValue::Bytes(bytes) => f.write_str(&bytes_text(*bytes)),
            OptionValue::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
            OptionValue::File(name) => f.write_str(name),
        }
    }
}

/// Checked values of all parameters.
#[derive(Clone, Debug)]
pub struct OptionValues {
    values: BTreeMap<&'static str, OptionValue>,
    given: Vec<&'static str>,
}

/// Splits `name:options` at the first colon.
pub fn split_spec(spec: &str) -> (&str, &str) {
    spec.split_once(':').unwrap_or((spec, ""))
}

impl OptionValues {
    /// Reads `value,key=value,...`. Values without a key belong to the parameters in the order of
    /// their declaration. `whose` names the game or engine in error messages.
    pub fn parse(
        whose: &str,
        text: &str,
        parameters: &[Parameter],
    ) -> Result<OptionValues, OptionError> {
        let mut values = BTreeMap::new();
        for parameter in parameters {
            values.insert(
                parameter.key,
                parse_value(whose, parameter, parameter.default)?,
            );
        }
        let mut given = Vec::new();
        let words = text.split(',').map(str::trim);
        for (i, word) in words.enumerate().filter(|_| !text.trim().is_empty()) {
            let (parameter, value) = match word.split_once('=') {
                Some((key, value)) => (
                    parameters.iter().find(|p| p.key == key.trim()),
                    value.trim(),
                ),
                None => match parameters
                    .iter()
                    .find(|p| p.key == word && p.kind == ParameterKind::Switch)
                {
                    Some(switch) => (Some(switch), "on"),
                    None => (parameters.get(i), word),
                },
            };
            let parameter = parameter.ok_or_else(|| unknown(whose, word, parameters))?;
            if given.contains(&parameter.key) {
                return Err(OptionError(format!(
                    "{whose}: '{}' is given twice",
                    parameter.key
                )));
            }
            given.push(parameter.key);
            values.insert(parameter.key, parse_value(whose, parameter, value)?);
        }
        Ok(OptionValues { values, given })
    }

    /// Whether the user gave this parameter.
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains(&key)
    }

    fn get(&self, key: &str) -> Option<&OptionValue> {
        debug_assert!(
            self.values.contains_key(key),
            "undeclared parameter '{key}'"
        );
        self.values.get(key)
    }

    /// The value of any parameter, as it would be given.
    pub fn text(&self, key: &str) -> String {
        self.get(key)
            .map_or(String::new(), |value| value.to_string())
    }

    /// The value of an integer parameter.
    pub fn integer(&self, key: &str) -> i64 {
        match self.get(key) {
            Some(OptionValue::Integer(n)) => *n,
            _ => 0,
        }
    }

    /// The value of a decimal parameter.
    pub fn decimal(&self, key: &str) -> f64 {
        match self.get(key) {
            Some(OptionValue::Decimal(thousandths)) => *thousandths as f64 / 1000.0,
            _ => 0.0,
        }
    }

    /// The value of a parameter that is one of several words.
    pub fn word(&self, key: &str) -> &'static str {
        match self.get(key) {
            Some(OptionValue::Word(word)) => word,
            _ => "",
        }
    }

    /// The two sides of a board, in the order in which they are told.
    pub fn size(&self, key: &str) -> (usize, usize) {
        match self.get(key) {
            Some(OptionValue::Size(width, height)) => (*width, *height),
            _ => (0, 0),
        }
    }

    /// A number of bytes.
    pub fn bytes(&self, key: &str) -> u64 {
        match self.get(key) {
            Some(OptionValue::Bytes(bytes)) => *bytes,
            _ => 0,
        }
    }

    /// The file that was named, if one was.
    pub fn file(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(OptionValue::File(name)) if !name.is_empty() => Some(name),
            _ => None,
        }
    }

    /// Whether a switch is on.
    pub fn switch(&self, key: &str) -> bool {
        self.get(key) == Some(&OptionValue::Switch(true))
    }
}

/// The name that was probably meant, if one is near enough.
///
/// ```
/// use tabia_game::options::nearest;
///
/// assert_eq!(nearest("fanarona", &["connect4", "fanorona"]), Some("fanorona"));
/// assert_eq!(nearest("chess", &["connect4", "fanorona"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let wanted = name.to_ascii_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&wanted, known);
    let is_near = |known: &str| {
        let length = known.chars().count();
        let allowed = (length / 3).max(1).min(length - 1);
        distance(known) <= allowed || known.starts_with(&wanted)
    };
    let near = known.iter().copied();
    let near = near.filter(|known| !wanted.is_empty() && !known.is_empty() && is_near(known));
    near.min_by_key(|known| distance(known))
}

fn unknown(whose: &str, word: &str, parameters: &[Parameter]) -> OptionError {
    let keys: Vec<&str> = parameters.iter().map(|p| p.key).collect();
    let key = word.split_once('=').map_or(word, |(key, _)| key.trim());
    if let Some(guess) = nearest(key, &keys) {
        return OptionError(format!(
            "{whose} has no option '{word}'; did you mean '{guess}'?"
        ));
    }
    // A long list tells the names only.
    let known: Vec<String> = match parameters.len() {
        0..=6 => parameters
            .iter()
            .map(|p| format!("{}={}", p.key, p.kind))
            .collect(),
        _ => parameters.iter().map(|p| p.key.to_string()).collect(),
    };
    OptionError(if known.is_empty() {
        format!("{whose} takes no options, but '{word}' was given")
    } else {
        format!(
            "{whose} has no option '{word}'; it takes {}",
            known.join(", ")
        )
    })
}

fn parse_value(whose: &str, parameter: &Parameter, text: &str) -> Result<OptionValue, OptionError> {
    let value = match parameter.kind {
        ParameterKind::Integer(min, max) => text
            .parse()
            .ok()
            .filter(|n| (min..=max).contains(n))
            .map(OptionValue::Integer),
        ParameterKind::Decimal(min, max) => parse_decimal(text)
            .filter(|n| (min..=max).contains(n))
            .map(OptionValue::Decimal),
        ParameterKind::Choice(words) => words
            .iter()
            .find(|&&word| word == text)
            .map(|w| OptionValue::Word(w)),
        ParameterKind::Size(min, max) | ParameterKind::Rows(min, max) => text
            .split_once(['x', 'X'])
            .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)))
            .filter(|(w, h)| (min..=max).contains(w) && (min..=max).contains(h))
            .map(|(w, h)| OptionValue::Size(w, h)),
        ParameterKind::Bytes(min, max) => parse_bytes(text)
            .filter(|n| (min..=max).contains(n))
            .map(OptionValue::Bytes),
        ParameterKind::Switch => match text {
            "on" => Some(OptionValue::Switch(true)),
            "off" => Some(OptionValue::Switch(false)),
            _ => None,
        },
        ParameterKind::File => Some(OptionValue::File(text.to_string())),
    };
    value.ok_or_else(|| {
        let guess = match parameter.kind {
            ParameterKind::Choice(words) => nearest(text, words),
            _ => None,
        };
        let guess = guess.map_or_else(String::new, |guess| format!("; did you mean '{guess}'?"));
        OptionError(format!(
            "{whose}: '{text}' is no value for '{}', which is {}{guess}",
            parameter.key, parameter.kind
        ))
    })
}

/// Reads a number of bytes with an optional suffix `K`, `M` or `G` (powers of 1024).
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let shift = match text.chars().last()?.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => 0,
    };
    let digits = if shift == 0 {
        text
    } else {
        &text[..text.len() - 1]
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// A decimal number in thousandths.
fn parse_decimal(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let numeric = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !numeric(whole) || !numeric(part) || part.len() > 3 {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let part: i64 = format!("{part:0<3}").parse().ok()?;
    let thousandths = whole.checked_mul(1000)?.checked_add(part)?;
    Some(if negative { -thousandths } else { thousandths })
}

fn decimal_text(thousandths: i64) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, part) = (
        thousandths.unsigned_abs() / 1000,
        thousandths.unsigned_abs() % 1000,
    );
    match format!("{part:03}").trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{part}"),
    }
}

fn bytes_text(bytes: u64) -> String {
    [(30, "G"), (20, "M"), (10, "K")]
        .into_iter()
        .find(|(shift, _)| bytes >= 1 << shift && bytes.is_multiple_of(1 << shift))
        .map_or(bytes.to_string(), |(shift, suffix)| {
            format!("{}{suffix}", bytes >> shift)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decimals_round_trip(thousandths in -1_000_000_000i64..1_000_000_000) {
            prop_assert_eq!(parse_decimal(&decimal_text(thousandths)), Some(thousandths));
        }
    }

    #[test]
    fn decimals_that_are_none_are_refused() {
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1.2345",
            "--1",
            "1e3",
            "+1",
            "nan",
            "99999999999999999999",
        ] {
            assert_eq!(parse_decimal(text), None, "{text}");
        }
        assert_eq!(parse_decimal("-1.6"), Some(-1_600));
    }

    const PARAMETERS: &[Parameter] = &[
        Parameter {
            key: "size",
            kind: ParameterKind::Size(1, 9),
            default: "3x3",
            help: "",
        },
        Parameter {
            key: "k",
            kind: ParameterKind::Integer(1, 9),
            default: "3",
            help: "",
        },
        Parameter {
            key: "table",
            kind: ParameterKind::Bytes(16, 1 << 30),
            default: "1M",
            help: "",
        },
        Parameter {
            key: "order",
            kind: ParameterKind::Choice(&["none", "static"]),
            default: "none",
            help: "",
        },
        Parameter {
            key: "etc",
            kind: ParameterKind::Switch,
            default: "off",
            help: "",
        },
    ];

    fn parse(text: &str) -> Result<OptionValues, String> {
        OptionValues::parse("mnk", text, PARAMETERS).map_err(|e| e.to_string())
    }

    #[test]
    fn positional_and_named_values_and_defaults() {
        let values = parse("5x4, 4, order=static,etc").unwrap();
        assert_eq!(values.size("size"), (5, 4));
        assert_eq!(values.integer("k"), 4);
        assert_eq!(values.bytes("table"), 1 << 20);
        assert_eq!(values.word("order"), "static");
        let texts = ["size", "k", "table", "order", "etc"].map(|key| values.text(key));
        assert_eq!(texts, ["5x4", "4", "1M", "static", "on"]);
        assert!(values.switch("etc") && values.is_given("etc") && !values.is_given("table"));
    }

    #[test]
    fn errors_list_what_would_be_right() {
        assert_eq!(
            parse("q=1").unwrap_err(),
            "mnk has no option 'q=1'; it takes size=FILESxRANKS, each 1..9, k=1..9, table=16..1G, \
             order=none|static, etc=on|off"
        );
        assert_eq!(
            parse("ordre=static").unwrap_err(),
            "mnk has no option 'ordre=static'; did you mean 'order'?"
        );
        assert_eq!(
            parse("order=statik").unwrap_err(),
            "mnk: 'statik' is no value for 'order', which is none|static; did you mean 'static'?"
        );
        assert_eq!(
            parse("k=10").unwrap_err(),
            "mnk: '10' is no value for 'k', which is 1..9"
        );
        assert_eq!(parse("k=1,k=1").unwrap_err(), "mnk: 'k' is given twice");
        assert_eq!(
            OptionValues::parse("loa", "8x8", &[])
                .unwrap_err()
                .to_string(),
            "loa takes no options, but '8x8' was given"
        );
    }

    #[test]
    fn a_bound_of_the_machine_is_not_told() {
        assert_eq!(ParameterKind::Integer(0, i64::MAX).to_string(), "0..");
        assert_eq!(ParameterKind::Integer(0, 9).to_string(), "0..9");
        assert_eq!(ParameterKind::Bytes(1 << 10, u64::MAX).to_string(), "1K..");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0-9x=,:.éKMG-]{0,24}") {
            let _ = parse(&text);
            let _ = parse_bytes(&text);
        }
    }
}
