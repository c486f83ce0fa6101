//! `tabia_fuzz::cgt_value` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::cgt_value::target(text));
