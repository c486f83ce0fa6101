//! `tabia_fuzz::certificate` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::certificate::target(text));
