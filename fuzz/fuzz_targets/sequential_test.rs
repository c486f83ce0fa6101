//! `tabia_fuzz::sequential_test` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::sequential_test::target(text));
