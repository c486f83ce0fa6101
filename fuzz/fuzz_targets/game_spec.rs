//! `tabia_fuzz::game_spec` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::game_spec::target(text));
