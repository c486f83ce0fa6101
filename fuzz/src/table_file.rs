//! Table files: any bytes are opened or refused, and what is opened can be asked for any value.
//!
//! A file whose checksums are wrong is refused at once, so the input is also taken apart and put
//! together with the right ones: its first line as the header, the rest as the blocks, which end
//! wherever the header's number of positions makes them.

use crate::sealed_table;
use tabia_game::{Cancel, Probability};
use tabia_tables::Table;

/// The target.
pub fn target(bytes: &[u8]) {
    probe(bytes.to_vec());
    probe(sealed_table(bytes));
}

fn probe(bytes: Vec<u8>) {
    let table = match Table::from_bytes("input", bytes) {
        Ok(table) => table,
        Err(error) => {
            let message = error.to_string();
            assert!(
                message.starts_with("'input' is no sound table: "),
                "{message}"
            );
            return;
        }
    };
    let positions = table.header().positions;
    let is_sound = table.check(&Cancel::default()).is_ok();
    for index in [
        0,
        1,
        positions / 2,
        positions.saturating_sub(1),
        positions,
        u64::MAX,
    ] {
        let value = table.value(index).is_ok();
        let chance = table.content::<Probability>(index).is_ok();
        let byte = table.content::<u8>(index).is_ok();
        let kinds = [value, chance, byte]
            .into_iter()
            .filter(|&kind| kind)
            .count();
        assert!(kinds <= 1, "a value of two kinds");
        let found = kinds == 1;
        assert!(index < positions || !found, "a value beyond the end");
        assert!(
            found || !is_sound || index >= positions,
            "no value of a sound table"
        );
    }
}
