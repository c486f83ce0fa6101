//! `tabia_fuzz::room_table` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabia_fuzz::room_table::target(bytes));
