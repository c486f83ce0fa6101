//! Numbers of bytes such as `64M`, against wider arithmetic, and back to text.

use tabia_game::options::{ParameterKind, parse_bytes};

/// The number with its suffix, read in 128 bits; `None` where it is no such number or none of 64.
fn expected(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, factor) = [("kK", 1u128 << 10), ("mM", 1 << 20), ("gG", 1 << 30)]
        .into_iter()
        .find_map(|(suffix, factor)| {
            let digits = text.strip_suffix(|c| suffix.contains(c))?;
            Some((digits, factor))
        })
        .unwrap_or((text, 1));
    let number: u64 = digits.parse().ok()?;
    u64::try_from(u128::from(number) * factor).ok()
}

/// The target.
pub fn target(text: &str) {
    let bytes = parse_bytes(text);
    assert_eq!(bytes, expected(text), "'{text}'");
    if let Some(bytes) = bytes {
        assert_eq!(parse_bytes(&bytes.to_string()), Some(bytes));
        let bounds = ParameterKind::Bytes(bytes, bytes).to_string();
        let (least, largest) = bounds.split_once("..").expect("two bounds");
        assert_eq!(parse_bytes(least), Some(bytes), "written as {least}");
        // The largest size of all is no bound.
        let bound = (bytes < u64::MAX).then_some(bytes);
        assert_eq!(parse_bytes(largest), bound, "written as {largest}");
    }
}
