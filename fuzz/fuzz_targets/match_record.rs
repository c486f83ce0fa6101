//! `tabia_fuzz::match_record` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::match_record::target(text));
