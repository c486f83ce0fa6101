//! `tabia_fuzz::engine_spec` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::engine_spec::target(text));
