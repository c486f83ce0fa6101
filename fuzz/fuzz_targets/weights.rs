//! `tabia_fuzz::weights` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabia_fuzz::weights::target(bytes));
