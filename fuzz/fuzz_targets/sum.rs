//! `tabia_fuzz::sum` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::sum::target(text));
