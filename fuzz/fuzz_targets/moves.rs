//! `tabia_fuzz::moves` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::moves::target(text));
