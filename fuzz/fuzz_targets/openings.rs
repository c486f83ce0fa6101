//! `tabia_fuzz::openings` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::openings::target(text));
