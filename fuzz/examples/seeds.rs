//! Writes the seeds that follow from the catalog, in a folder for each target.
//!
//! `cargo run -p tabia-fuzz --example seeds -- fuzz/corpus`

use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("corpus".to_string()));
    for seed in tabia_fuzz::seeds::of_the_catalog()? {
        let folder = folder.join(seed.target);
        fs::create_dir_all(&folder)?;
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = seed.name.chars().map(safe).take(60).collect();
        fs::write(folder.join(name), seed.text)?;
    }
    Ok(())
}
