//! The machine that results come from, in words.

/// The processor, how many of its cores may be used, and the system.
pub(super) fn describe() -> String {
    let processor = processor(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = match cores {
        1 => "1 core".to_string(),
        cores => format!("{cores} cores"),
    };
    let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    match processor {
        Some(processor) => format!("{processor}, {cores}, {system} {architecture}"),
        None => format!("{cores}, {system} {architecture}"),
    }
}

/// The name of the processor, where the system tells it.
fn processor(told: &str) -> Option<String> {
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_named_where_they_are_told() {
        let told = "processor\t: 0\nmodel name\t: Some  Processor 3000\nflags\t: fpu\n";
        assert_eq!(processor(told).as_deref(), Some("Some Processor 3000"));
        assert_eq!(processor(""), None);
        assert!(describe().contains("core"));
    }
}
