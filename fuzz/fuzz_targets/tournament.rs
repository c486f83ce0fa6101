//! `tabia_fuzz::tournament` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::tournament::target(text));
