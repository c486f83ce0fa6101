//! `tabia_fuzz::grid` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::grid::target(text));
