//! `tabia_fuzz::byte_size` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::byte_size::target(text));
