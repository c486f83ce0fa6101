//! All plays of many positions against the move generator of GNU Backgammon, which must be
//! installed; see `bench/gnubg`.

#[path = "support/gnubg_plays.rs"]
mod gnubg_plays;

fn compare(count: usize) {
    let compared = gnubg_plays::compare(count).unwrap();
    assert!(compared.plays > compared.rolls);
    let differences = &compared.differences;
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
#[ignore = "needs gnubg: cargo test -p tabia-backgammon -- --ignored gnubg --skip 5000"]
fn plays_are_those_of_gnubg() {
    compare(250);
}

#[test]
#[ignore = "some minutes, and needs gnubg: tabia reproduce proofs gnubg-plays --scale full"]
fn plays_of_5000_positions_are_those_of_gnubg() {
    compare(5000);
}
