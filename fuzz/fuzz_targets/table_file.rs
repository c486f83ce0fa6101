//! `tabia_fuzz::table_file` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabia_fuzz::table_file::target(bytes));
