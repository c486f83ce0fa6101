//! Bearing off against the databases of GNU Backgammon, which must be installed.
//!
//! A database begins with a line of 40 bytes.
//!
//! *Two-sided*: by the number of the home on roll, then of the other, four numbers of two bytes.
//! The first is the cubeless equity: 0 for a loss and 65,535 for a win.
//!
//! *One-sided*: eight bytes for each home, which say where its numbers are, how many there are, and
//! for which number of rolls the first stands. Then all numbers, of two bytes, 65,535 for
//! certainty.

use std::path::Path;

use tabia_backgammon::backgammon::{Bearoff, Board, OneSided, POINTS, homes, numbered_home};

const TWO_SIDED: &str = "/var/lib/gnubg/gnubg_ts0.bd";
const ONE_SIDED: &str = "/usr/share/gnubg/gnubg_os0.bd";
const HEADER: usize = 40;

/// The database, which must be the one we know.
fn database(file: &str, kind: &str) -> Vec<u8> {
    let bytes = std::fs::read(Path::new(file));
    let bytes = bytes.unwrap_or_else(|error| panic!("gnubg is needed: '{file}': {error}"));
    assert!(
        bytes.starts_with(kind.as_bytes()),
        "'{file}' is no '{kind}'"
    );
    bytes
}

fn word(bytes: &[u8], at: usize) -> f64 {
    f64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn side(number: usize) -> [u8; POINTS + 1] {
    let mut side = [0; POINTS + 1];
    side[..6].copy_from_slice(&numbered_home(number));
    side
}

#[test]
#[ignore = "needs gnubg: cargo test -p tabia-backgammon -- --ignored gnubg"]
fn two_sided() {
    let bytes = database(TWO_SIDED, "gnubg-TS-06-06-1");
    let bearoff = Bearoff::new();
    let homes = homes(6);
    assert_eq!(bytes.len(), HEADER + 8 * homes * homes);
    let mut furthest = 0f64;
    for own in 1..homes {
        for other in 1..homes {
            let board = Board::new([side(own), side(other)]).unwrap();
            let found = bearoff.probability(&board).unwrap().to_f64();
            let theirs = word(&bytes, HEADER + 8 * (own * homes + other)) / 65_535.0;
            furthest = furthest.max((found - theirs).abs());
        }
    }
    eprintln!("two-sided: the furthest apart are {furthest:.2e}");
    // Their numbers have 16 bits, and are rounded once for each turn.
    assert!(furthest < 2e-4);
}

#[test]
#[ignore = "needs gnubg: cargo test -p tabia-backgammon -- --ignored gnubg"]
fn one_sided() {
    let bytes = database(ONE_SIDED, "gnubg-OS-06-15-1-1-0");
    let one_sided = OneSided::new();
    let homes = homes(15);
    let numbers = HEADER + 8 * homes;
    let (mut furthest, mut worst_mean) = (0f64, 0f64);
    for number in 1..homes {
        let entry = &bytes[HEADER + 8 * number..][..8];
        let offset = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]) as usize;
        let (count, first) = (usize::from(entry[4]), usize::from(entry[5]));
        let row = one_sided.distribution(&side(number)).unwrap();
        let mut mean = 0.0;
        for (place, rolls) in (first..first + count).enumerate() {
            let theirs = word(&bytes, numbers + 2 * (offset + place)) / 65_535.0;
            let found = row.get(rolls).copied().unwrap_or(0.0);
            furthest = furthest.max((found - theirs).abs());
            mean += theirs * rolls as f64;
        }
        let ours = one_sided.mean(&side(number)).unwrap();
        worst_mean = worst_mean.max((mean - ours).abs());
    }
    eprintln!("one-sided: the furthest apart are {furthest:.2e}, of means {worst_mean:.2e}");
    // Where the means of two plays differ by less than their 16 bits can tell, they may take the
    // other one: then the distributions differ more than the means do.
    assert!(furthest < 5e-3 && worst_mean < 5e-4);
}
