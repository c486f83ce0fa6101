//! `tabia_fuzz::puzzle_files` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::puzzle_files::target(text));
