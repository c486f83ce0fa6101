//! The tables of the tournaments in ICGA Journal 36(4), 2013, recomputed from their results.
//!
//! In the files the players stand in another order than in the tables, so that the order of the
//! rows is computed, too.

use std::collections::HashSet;
use std::path::Path;

use tabia_lab::tournament::{Meeting, Points, Standing, Tournament, show_points};

fn read(file: &str) -> (Tournament, Vec<Standing>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tournaments");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let tournament: Tournament = text.parse().unwrap();
    let standings = tournament.standings();
    (tournament, standings)
}

fn names<'a>(tournament: &'a Tournament, standings: &[Standing]) -> Vec<&'a str> {
    let names = standings.iter().map(|s| s.player);
    names.map(|p| tournament.players[p].name.as_str()).collect()
}

fn points(standings: &[Standing]) -> Vec<String> {
    standings.iter().map(|s| show_points(s.points)).collect()
}

fn tie_break(standings: &[Standing], number: usize) -> Vec<i128> {
    let values = standings.iter().map(|s| s.tie_breaks[number].unwrap());
    values
        .map(|value: Points| {
            assert!(value.is_integer());
            value.to_integer()
        })
        .collect()
}

fn places(standings: &[Standing]) -> Vec<String> {
    standings.iter().map(Standing::place_text).collect()
}

/// Van Horssen (2013), Table 3; games and draws from the text.
#[test]
fn dutch_rapid_draughts_table_3() {
    let (tournament, standings) = read("dutch-rapid-draughts-2013.toml");
    assert_eq!(
        names(&tournament, &standings),
        [
            "DRAGON",
            "MAXIMUS",
            "GWD",
            "SJENDE BLYN",
            "TD KING",
            "TORNADO",
            "DAM 2.2",
            "CERBERUS",
            "DREAM",
            "SLAGZET.COM"
        ]
    );
    assert_eq!(
        points(&standings),
        ["15", "13", "13", "12", "11", "9", "7", "5", "5", "0"]
    );
    assert_eq!(
        tie_break(&standings, 0),
        [112, 98, 96, 88, 76, 50, 44, 25, 23, 0]
    );
    assert_eq!(
        places(&standings),
        ["1", "2=", "2=", "4", "5", "6", "7", "8=", "8=", "10"]
    );
    assert_eq!(tournament.meetings.len(), 45);
    let draws: usize = standings.iter().map(|s| s.draws).sum();
    assert_eq!(draws, 2 * 19);
    let table = tournament.crosstable(&standings);
    assert_eq!(
        table.rows[7],
        [
            "8", "8=", "CERBERUS", "0", "1", "0", "0", "0", "0", "1", "x", "1", "2", "5", "25"
        ]
    );
}

/// Wieczorek et al. (2013), Table 1: every row as it is printed.
#[test]
fn toads_and_frogs_table_1() {
    let (tournament, standings) = read("toads-and-frogs-2013.toml");
    let printed = [
        "1 W. Wieczorek (MCTS) 4+ 11+ 5+ 2+ 8+ 5 15 75",
        "2 R. Skinderowicz (αβ) 3+ 15+ 6+ 1- 7+ 4 16 68",
        "3 A. Mikrut 2- 9+ 11+ 12+ 4+ 4 14 73",
        "4 P. Niegowski 1- 10+ 17+ 6+ 3- 3 16 59",
        "5 J. Kozak (Rules) 9+ 12+ 1- 7- 16+ 3 14 63",
        "6 R. Kucharski 15+ 8+ 2- 4- 12+ 3 13 71",
        "7 M. Gwiżdż 17+ 13+ 8- 5+ 2- 3 13 64",
        "8 A. Nowakowski (UCT) 0+ 6- 7+ 13+ 1- 3 13 63",
        "9 M. Gołab 5- 3- 15+ 11+ 14+ 3 12 65",
        "10 W. Kloc 11- 4- 0+ 16+ 13+ 3 8 64",
        "11 K. Bukowiński 10+ 1- 3- 9- 15+ 2 16 62",
        "12 K. Dworak 14+ 5- 16+ 3- 6- 2 13 59",
        "13 M. Cywka 16+ 7- 14+ 8- 10- 2 12 52",
        "14 M. Bałchanowski 12- 17+ 13- 0+ 9- 2 8 56",
        "15 P. Juszczyk 6- 2- 9- 17+ 11- 1 13 66",
        "16 K. Ciepiewski 13- 0+ 12- 10- 5- 1 10 57",
        "17 M. Środa 7- 14- 4- 15- 0+ 1 9 60",
    ];
    let table = tournament.crosstable(&standings);
    let points = table.header.iter().position(|h| h == "points").unwrap();
    assert_eq!(table.header[points..], ["points", "nbw", "sos", "sosos"]);
    for (row, printed) in table.rows.iter().zip(printed) {
        // A win is a point, so that points and wins are the same.
        assert_eq!(row[points], row[points + 1]);
        let cells = [&row[..points], &row[points + 1..]].concat();
        assert_eq!(cells.join(" "), printed);
    }
    assert_eq!(table.rows.len(), printed.len());
    let places: HashSet<usize> = standings.iter().map(|s| s.place).collect();
    assert_eq!(places.len(), 17);
    let byes = |m: &&Meeting| matches!(m, Meeting::Bye { .. });
    assert_eq!(tournament.meetings.iter().filter(byes).count(), 5);
}

/// Lorentz (2013), Table 2.
#[test]
fn amazons_table_2() {
    let (tournament, standings) = read("amazons-2013.toml");
    assert_eq!(
        names(&tournament, &standings),
        [
            "INVADER",
            "8 QUEENS PROBLEM",
            "LONG SHOT",
            "FORTRESS",
            "ARROW 2",
            "EXPLORER"
        ]
    );
    assert_eq!(points(&standings), ["10", "8", "6", "3", "2", "1"]);
    assert_eq!(places(&standings), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(tournament.meetings.len(), 30);
    let table = tournament.crosstable(&standings);
    assert_eq!(
        table.rows[4],
        ["5", "ARROW 2", "0", "0", "0", "1", "x", "1", "2"]
    );
}

/// Lanctot and Winands (2013), Table 1.
#[test]
fn surakarta_table_1() {
    let (tournament, standings) = read("surakarta-2013.toml");
    assert_eq!(
        names(&tournament, &standings),
        ["SIA", "BITSKT", "DEEP NIKITA", "V&S SURAKARTA"]
    );
    assert_eq!(points(&standings), ["6", "3", "2½", "½"]);
    let table = tournament.crosstable(&standings);
    assert_eq!(table.rows[1], ["2", "BITSKT", "0", "x", "1½", "1½", "3"]);
}
