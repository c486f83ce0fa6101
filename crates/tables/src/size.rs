//! Numbers as people read them.

/// A number of bytes with a unit. Sums that are too large end at the largest number, which stands
/// for everything beyond.
pub fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        u64::MAX => "more than 16 EiB".to_string(),
        _ => {
            let mut size = bytes as f64 / 1024.0;
            let mut units = UNITS.iter();
            let mut unit = units.next();
            // What would be rounded to 1024 is one of the next unit.
            while size >= 1023.95 {
                (size, unit) = (size / 1024.0, units.next());
            }
            format!("{size:.1} {}", unit.unwrap_or(&"EiB"))
        }
    }
}

/// A number with its thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(13_983_816), "13,983,816");
    }

    #[test]
    fn sizes_as_people_read_them() {
        assert_eq!(size_text(0), "0 bytes");
        assert_eq!(size_text(1023), "1023 bytes");
        assert_eq!(size_text(1024), "1.0 KiB");
        assert_eq!(size_text(1536), "1.5 KiB");
        assert_eq!(size_text((1 << 20) - 1), "1.0 MiB");
        assert_eq!(size_text(5 << 30), "5.0 GiB");
        assert_eq!(size_text(3 << 50), "3.0 PiB");
        assert_eq!(size_text(u64::MAX - 1), "16.0 EiB");
        assert_eq!(size_text(u64::MAX), "more than 16 EiB");
    }
}
