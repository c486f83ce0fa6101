//! Endgame tables of Fanorona against table 4.3 of Schadd (2011).
use tabia_fanorona::fanorona::{Fanorona, Slice};
use tabia_game::{Cancel, Indexed, Text, Wdl};
use tabia_tables::retrograde::{Solved, solve_all};
use tabia_tables::{Counted, Kept, SliceValues, stats};

fn board() -> Fanorona<u64> {
    Fanorona::new(5, 9).unwrap()
}

fn of_size(game: &Fanorona<u64>, sizes: std::ops::RangeInclusive<u32>) -> Vec<Slice> {
    let mut slices = game.slices();
    slices.retain(|&slice| sizes.contains(&game.slice_size(slice)));
    slices
}

fn solved(game: &Fanorona<u64>, most: u32, kept: Kept) -> Solved<Fanorona<u64>> {
    let cancel = Cancel::default();
    solve_all(
        game,
        &of_size(game, 2..=most),
        kept,
        4 << 30,
        &cancel,
        &|_| {},
    )
    .unwrap()
}

/// Won, drawn and lost positions of a slice.
fn counts(
    game: &Fanorona<u64>,
    values: &Solved<Fanorona<u64>>,
    of: (u16, u16),
    counted: Counted,
) -> [u64; 3] {
    let (own, enemy) = of;
    let slice = Slice { own, enemy };
    let slice_values = values.slice(slice).unwrap();
    let value = |index| Ok(slice_values.get(index));
    let counts = stats(game, slice, value, counted, &Cancel::default()).unwrap();
    [counts.win, counts.draw, counts.loss]
}

fn check(
    game: &Fanorona<u64>,
    values: &Solved<Fanorona<u64>>,
    counted: Counted,
    rows: &[((u16, u16), [u64; 3])],
) {
    for &(slice, expected) in rows {
        assert_eq!(
            counts(game, values, slice, counted),
            expected,
            "{slice:?} {counted:?}"
        );
    }
}

/// The ranks of a board as text, with numbers for empty points, letter by letter.
fn points(text: &str) -> Vec<String> {
    let board = text.split(' ').next().unwrap();
    let rank = |rank: &str| -> String {
        let point = |c: char| match c.to_digit(10) {
            Some(empty) => ".".repeat(empty as usize),
            None => c.to_string(),
        };
        rank.chars().map(point).collect()
    };
    board.split('/').map(rank).collect()
}

/// Won, drawn and lost positions of a slice, all of them and one of each class, counted on texts: a
/// position counts for its class if no mirror image and no half turn of its text comes before it.
fn plain_counts(
    game: &Fanorona<u64>,
    values: &Solved<Fanorona<u64>>,
    (own, enemy): (u16, u16),
) -> [[u64; 3]; 2] {
    let slice = Slice { own, enemy };
    let of_slice = values.slice(slice).unwrap();
    let mut counts = [[0; 3]; 2];
    for index in 0..game.slice_len(slice).unwrap() {
        let ranks = points(&game.position_text(&game.position_at(slice, index)));
        let backwards = |rank: &String| rank.chars().rev().collect::<String>();
        let mirrored: Vec<String> = ranks.iter().map(backwards).collect();
        let upside_down = |ranks: &[String]| ranks.iter().rev().cloned().collect::<Vec<_>>();
        let images = [upside_down(&ranks), upside_down(&mirrored), mirrored];
        let place = match of_slice.get(index).wdl {
            Wdl::Win => 0,
            Wdl::Draw => 1,
            Wdl::Loss => 2,
        };
        counts[0][place] += 1;
        counts[1][place] += u64::from(images.iter().all(|image| *image >= ranks));
    }
    counts
}

/// As printed: classes under the symmetries of the board without those that a half turn maps to
/// themselves.
#[test]
fn schadd_table_4_3_up_to_4_pieces() {
    let game = board();
    let values = solved(&game, 4, Kept::Distance);
    check(
        &game,
        &values,
        Counted::Thesis,
        &[
            ((1, 1), [158, 334, 26]),
            ((2, 1), [10_366, 398, 6]),
            ((1, 2), [717, 3_231, 6_822]),
            ((3, 1), [149_458, 91, 1]),
            ((2, 2), [127_756, 79_012, 17_386]),
            ((1, 3), [4_188, 15_875, 129_487]),
        ],
    );
    // The true numbers of classes, and all placements.
    for of in [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (1, 3)] {
        let counted = [Counted::All, Counted::Orbits].map(|c| counts(&game, &values, of, c));
        assert_eq!(counted, plain_counts(&game, &values, of), "{of:?}");
    }
    check(
        &game,
        &values,
        Counted::Orbits,
        &[
            ((2, 1), [10_378, 400, 6]),
            ((1, 2), [717, 3_237, 6_830]),
            ((2, 2), [127_819, 79_137, 17_444]),
            ((3, 1), [149_458, 91, 1]),
            ((1, 3), [4_188, 15_875, 129_487]),
        ],
    );
    check(
        &game,
        &values,
        Counted::All,
        &[
            ((1, 1), [592, 1_288, 100]),
            ((2, 2), [509_777, 314_953, 69_240]),
        ],
    );
}

#[test]
fn schadd_table_4_3_of_5_pieces() {
    let game = board();
    let values = solved(&game, 5, Kept::Wdl);
    check(
        &game,
        &values,
        Counted::Thesis,
        &[
            ((4, 1), [1_529_142, 12, 0]),
            ((3, 2), [2_711_327, 327_836, 18_297]),
            ((2, 3), [774_043, 1_252_162, 1_031_255]),
            ((1, 4), [19_814, 88_187, 1_421_153]),
        ],
    );
}
