//! `tabia_fuzz::answers` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::answers::target(text));
