use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proptest::prelude::*;
use rand::RngExt;
use tabia_game::picture::svg;
use tabia_game::{Draw, MoveFeature, MoveFeatures, Playouts, Text};
use tabia_kit::Kit;

use super::*;

#[path = "../../tests/support/plain_samegame.rs"]
mod plain;

use plain::Plain;

fn usual() -> SameGame {
    SameGame::new(15, 15, 5).unwrap()
}

fn list(game: &SameGame, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// Boards of the literature, in the folder that `TABIA_DATA` names.
fn data(name: &str) -> String {
    let folder = std::env::var_os("TABIA_DATA").expect("TABIA_DATA names the folder of boards");
    let file = PathBuf::from(folder).join("samegame").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The position by the rules of the plain implementation.
fn plainly(game: &SameGame, state: &State) -> Plain {
    let text = game.position_text(state);
    let rows = text.split(' ').next().unwrap().split('/');
    Plain {
        cells: rows
            .map(|row| {
                row.chars()
                    .map(|c| c.to_digit(10).map(|d| d as u8))
                    .collect()
            })
            .collect(),
        score: state.points(),
    }
}

#[test]
fn conforms() {
    for (columns, rows, colours) in [
        (1, 1, 2),
        (1, 15, 2),
        (20, 1, 3),
        (4, 6, 2),
        (7, 5, 6),
        (20, 15, 5),
    ] {
        for (score, penalty) in [
            (Score::Standard, true),
            (Score::Product, true),
            (Score::None, false),
        ] {
            let game = SameGame::new(columns, rows, colours)
                .unwrap()
                .scored(score, 500, penalty);
            let kit = Kit::new()
                .key()
                .text()
                .text_key()
                .draw()
                .one_player()
                .move_index();
            let effort = if columns * rows > 100 {
                (2, 60)
            } else {
                (12, 60)
            };
            kit.effort(effort.0, effort.1)
                .run(&game)
                .unwrap_or_else(|e| panic!("{columns}x{rows}x{colours} {score:?}: {e}"));
        }
    }
}

/// What figure 3.1 of Schadd (2011) shows, on a board after its description: a group of three in
/// the third column, connected to the second, brings one point; blocks fall and six come together,
/// which bring sixteen; the third column is empty then, and the two at the right move to the left.
#[test]
fn schadd_figure_3_1_falling_blocks_join() {
    let game = SameGame::new(5, 4, 5).unwrap();
    let mut state = game.parse_position(".02../321../21143/22234").unwrap();
    let three = game.parse_move(&state, "c2").unwrap();
    assert_eq!(
        (game.size(&state, three), game.colour(&state, three)),
        (3, Some(1))
    );
    game.play(&mut state, three);
    assert_eq!(game.position_text(&state), "...../30.../22243/22234 1");
    let six = game.parse_move(&state, "c2").unwrap();
    assert_eq!(
        (game.size(&state, six), game.colour(&state, six)),
        (6, Some(2))
    );
    game.play(&mut state, six);
    assert_eq!(game.position_text(&state), "...../...../..43./3034. 17");
    assert_eq!(state.points(), 17);
}

#[test]
fn a_cleared_board_brings_the_bonus_and_leftovers_cost() {
    let game = SameGame::new(3, 2, 3).unwrap();
    let over = |text: &str| {
        let state = game.parse_position(text).unwrap();
        assert_eq!(game.turn(&state), Turn::Over, "{text}");
        game.payoff(&state, Player::FIRST)
    };
    assert_eq!(over(".../... 16"), 1016);
    assert_eq!(over(".../0.. 9"), 8, "one block costs a point");
    assert_eq!(over("01./10."), 0, "two of a colour cost nothing");
    assert_eq!(over("010/101"), -2, "three of a colour cost a point");
    let free = game.clone().scored(Score::Standard, 1000, false);
    assert_eq!(
        free.payoff(&free.parse_position("010/101").unwrap(), Player::FIRST),
        0
    );
    let jawbreaker = game.clone().scored(Score::Product, 0, true);
    let mut state = jawbreaker.parse_position("000/111").unwrap();
    let upper = jawbreaker.parse_move(&state, "b2").unwrap();
    jawbreaker.play(&mut state, upper);
    assert_eq!(state.points(), 6);
}

/// With penalties every finished game pays an amount that is even or odd with the number of cells,
/// for an even bonus: (n-2)^2 is even exactly if n is, and so is what is left over of a colour.
#[test]
fn parity_of_the_payoff_is_that_of_the_board() {
    for (columns, rows) in [(15, 15), (14, 15), (1, 9), (7, 3), (6, 6), (20, 15), (5, 5)] {
        for colours in 2..=6 {
            let game = SameGame::new(columns, rows, colours).unwrap();
            for seed in 0..40 {
                let mut rng = Seed::new(seed).split("parity").rng();
                let mut state = game.random_board(&mut rng);
                game.play_at_random(&mut state, u32::MAX, &mut Vec::new(), &mut rng);
                assert_eq!(game.turn(&state), Turn::Over);
                let payoff = game.payoff(&state, Player::FIRST);
                assert_eq!(payoff.rem_euclid(2), (columns * rows % 2) as i32);
            }
        }
    }
}

/// Schadd (2011, section 3.1.2): games of random moves on random boards have 64.4 moves on average,
/// and 20.7 to choose from. The length of a game varies by some seven moves, and so the mean of ten
/// thousand games by less than a tenth of one.
#[test]
fn schadd_length_and_branching_of_random_games() {
    let game = usual();
    let mut rng = Seed::new(2011).rng();
    const GAMES: u32 = 10_000;
    let (mut plies, mut choices, mut drawn) = (0u64, 0u64, 0u64);
    let mut groups = Vec::new();
    for _ in 0..GAMES {
        let start = game.random_board(&mut rng);
        let mut state = start;
        // Once by drawing from the list of moves, once by drawing blocks.
        loop {
            groups.clear();
            game.groups(&state, &mut groups);
            if groups.is_empty() {
                break;
            }
            plies += 1;
            choices += groups.len() as u64;
            game.play(&mut state, groups[rng.random_range(0..groups.len())].mv);
        }
        let mut state = start;
        drawn += u64::from(game.play_at_random(&mut state, u32::MAX, &mut Vec::new(), &mut rng));
    }
    let games = f64::from(GAMES);
    let (length, drawn) = (plies as f64 / games, drawn as f64 / games);
    let branching = choices as f64 / plies as f64;
    assert!((length - 64.40).abs() < 0.2, "{length}");
    assert!((drawn - 64.40).abs() < 0.2, "{drawn}");
    assert!((branching - 20.69).abs() < 0.15, "{branching}");
}

/// Schadd (2011, section 3.1.2): 38,146,972,656 fillings of a column and 10^159 positions.
#[test]
fn schadd_state_space() {
    assert!((usual().state_space() - 15.0 * 38_146_972_656f64.log10()).abs() < 1e-9);
    assert_eq!(format!("{:.2}", usual().state_space()), "158.72");
}

/// Our own boards, made by `samegame:6x6,colours=4,seed=1` to `seed=12`, with the best payoff of
/// each: the plain implementation looks at every game. `tabia-solve` tests its exact searches with
/// the same file.
#[test]
fn our_boards_have_the_payoffs_that_plain_search_finds() {
    const OWN: &str = include_str!("../../tests/data/samegame-6x6.txt");
    let game = SameGame::new(6, 6, 4).unwrap();
    let boards = game.boards(&plain::boards_of(OWN)).unwrap();
    let best = plain::payoffs_of(OWN);
    assert_eq!((boards.len(), best.len()), (12, 12));
    for (number, (state, best)) in (1..).zip(boards.iter().zip(best)) {
        assert_eq!(state.counts().iter().sum::<u16>(), 36);
        let spec = format!("samegame:6x6,colours=4,seed={number}");
        assert_eq!(&game.clone().seeded(number).start(), state, "{spec}");
        assert!(game.most(state) >= best, "{spec}");
        assert_eq!(plainly(&game, state).best(), best, "{spec}");
    }
}

/// Facts of the standardised test set of twenty boards.
#[test]
#[ignore = "needs the published sets of SameGame boards: \
            TABIA_DATA=FOLDER cargo test -p tabia-puzzles -- --ignored set"]
fn standard_set_counts_and_over_estimator() {
    let game = usual();
    let boards = game.boards(&data("standard-20.txt")).unwrap();
    assert_eq!(boards.len(), 20);
    let sorted = |state: &State| {
        let mut counts = state.counts();
        counts.sort_unstable();
        counts
    };
    assert_eq!(game.most(&boards[0]), 10_417);
    for state in &boards[10..15] {
        assert_eq!(sorted(state), [0, 45, 45, 45, 45, 45]);
        assert_eq!(game.most(state), 10_245);
    }
    for state in &boards[15..] {
        assert_eq!(sorted(state), [0, 40, 40, 40, 40, 65]);
        assert_eq!(game.most(state), 10_745);
    }
}

#[test]
#[ignore = "needs the published sets of SameGame boards: \
            TABIA_DATA=FOLDER cargo test -p tabia-puzzles -- --ignored set"]
fn the_set_of_250_boards_is_read() {
    let boards = usual().boards(&data("set-250.txt")).unwrap();
    assert_eq!(boards.len(), 250);
    assert!(
        boards
            .iter()
            .all(|state| state.counts().iter().sum::<u16>() == 225)
    );
}

/// Moves, sizes, boards and scores of whole games agree with the plain implementation.
fn walk_along(game: &SameGame, seed: u64) -> Result<(), TestCaseError> {
    let mut rng = Seed::new(seed).rng();
    let mut state = game.random_board(&mut rng);
    let mut plain = plainly(game, &state);
    loop {
        let mut groups = Vec::new();
        game.groups(&state, &mut groups);
        let name = |&(row, column): &(usize, usize)| (column, game.rows() - 1 - row);
        let ours: BTreeSet<((usize, usize), u8, u16)> = groups
            .iter()
            .map(|g| ((g.mv.column(), g.mv.row()), g.colour, g.size))
            .collect();
        let mut theirs = BTreeSet::new();
        let mut by_name = Vec::new();
        for group in plain.groups() {
            let first = group.iter().map(name).min().unwrap();
            let (row, column) = group[0];
            theirs.insert((first, plain.cells[row][column].unwrap(), group.len() as u16));
            by_name.push((first, group));
        }
        prop_assert_eq!(&ours, &theirs);
        let moves = list(game, &state);
        prop_assert_eq!(moves.len(), groups.len());
        prop_assert!(moves.iter().zip(&groups).all(|(&mv, group)| mv == group.mv));
        prop_assert_eq!(game.turn(&state) == Turn::Over, groups.is_empty());
        if groups.is_empty() {
            prop_assert_eq!(game.payoff(&state, Player::FIRST), plain.payoff());
            return Ok(());
        }
        let mv = moves[rng.random_range(0..moves.len())];
        game.play(&mut state, mv);
        let place = (mv.column(), mv.row());
        let (_, group) = by_name.iter().find(|(first, _)| *first == place).unwrap();
        plain.take(group);
        prop_assert_eq!(&plainly(game, &state), &plain);
    }
}

proptest! {
    #[test]
    fn agrees_with_the_plain_implementation(
        columns in 1usize..=20, rows in 1usize..=15, colours in 2usize..=6, seed in any::<u64>(),
    ) {
        walk_along(&SameGame::new(columns, rows, colours).unwrap(), seed)?;
    }

    #[test]
    fn no_text_upsets_the_parser(text in "[0-9./ -]{0,40}") {
        let game = SameGame::new(3, 2, 3).unwrap();
        if let Ok(state) = game.parse_position(&text) {
            prop_assert_eq!(game.parse_position(&game.position_text(&state)), Ok(state));
        }
        let _ = game.boards(&text);
        let _ = game.parse_move(&game.start(), &text);
    }

    /// Every move of a game that blocks are drawn for is legal, and a tabu colour waits for the
    /// others.
    #[test]
    fn drawn_moves_are_legal_and_avoid_the_tabu_colour(seed in any::<u64>(), tabu in 0u8..4) {
        let game = SameGame::new(8, 8, 4).unwrap();
        let mut rng = Seed::new(seed).rng();
        let start = game.random_board(&mut rng);
        let mut line = Vec::new();
        let mut end = start;
        let plies = game.play_out(&mut end, u32::MAX, Some(tabu), &mut rng, |mv| line.push(mv));
        prop_assert_eq!(plies as usize, line.len());
        let mut state = start;
        let mut groups = Vec::new();
        for mv in line {
            groups.clear();
            game.groups(&state, &mut groups);
            let group = groups.iter().find(|group| group.mv == mv).unwrap();
            prop_assert!(group.colour != tabu || groups.iter().all(|g| g.colour == tabu));
            game.play(&mut state, mv);
        }
        prop_assert_eq!(state, end);
        prop_assert_eq!(game.turn(&state), Turn::Over);
    }
}

/// Drawing blocks prefers no group: on this board four groups of different sizes and shapes, one of
/// them with two blocks that look like its first, come equally often.
#[test]
fn every_group_is_drawn_equally_often() {
    let game = SameGame::new(6, 3, 4).unwrap();
    // The first group of colour 1 goes around a corner from above.
    let state = game.parse_position("111203/021322/011330").unwrap();
    let moves = list(&game, &state);
    let mut rng = Seed::new(5).rng();
    let mut counts = vec![0u32; moves.len()];
    const DRAWS: u32 = 40_000;
    for _ in 0..DRAWS {
        game.play_out(&mut state.clone(), 1, None, &mut rng, |mv| {
            counts[moves.iter().position(|&m| m == mv).unwrap()] += 1;
        });
    }
    let expected = f64::from(DRAWS) / moves.len() as f64;
    for (&count, mv) in counts.iter().zip(&moves) {
        let error = (f64::from(count) - expected) / expected.sqrt();
        assert!(
            error.abs() < 4.5,
            "{mv:?} came {count} times instead of {expected}"
        );
    }
}

#[test]
fn wrong_boards_are_refused_with_the_place() {
    let game = SameGame::new(3, 2, 3).unwrap();
    for (text, reason) in [
        (
            "",
            "row 1 from the top begins a board of 1 row(s) where 2 belong",
        ),
        ("012/01", "row 2 from the top has 2 cell(s) where 3 belong"),
        (
            "012/0122",
            "row 2 from the top has 4 cell(s) where 3 belong",
        ),
        (
            "013/012",
            "row 1 from the top has a block of colour 3, but colours go from 0 to 2",
        ),
        (
            "01a/012",
            "row 1 from the top has 'a' where the digit of a colour or '.' belongs",
        ),
        (
            "01./0.2",
            "row 2 from the top has an empty cell below a block in column 2",
        ),
        (
            ".../0.2",
            "row 2 from the top leaves column 2 empty, but columns to its right have blocks",
        ),
        (
            ".../00. 5",
            "'5' is no score: the 4 blocks taken away brought 0 to 4 points",
        ),
        (
            ".../00. 4 4",
            "'4' is too much: after the board belongs only the score",
        ),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert_eq!(error, reason, "{text}");
    }
    let error = game.boards("012\n012\n\n\n012\n").unwrap_err().to_string();
    assert_eq!(error, "line 5 begins a board of 1 row(s) where 2 belong");
    assert!(game.boards("01.\n012\n").is_err());
    let state = game.parse_position("001/212").unwrap();
    assert_eq!(game.parse_move(&state, "B2"), game.parse_move(&state, "a2"));
    for text in ["", "a", "d1", "a3", "a0", "1", "é1", "c2", "b1"] {
        assert!(game.parse_move(&state, text).is_err(), "{text}");
    }
}

/// A list of lessons that is kept up from move to move holds the same moves as one that is made
/// anew, with the same favours. Each is known by its size and by where its lowest block of the
/// leftmost column came from, which is followed here on a plain board of names.
#[test]
fn lessons_are_kept_up() {
    let policy = Tabu {
        spared: Spared::MostFrequent,
        epsilon: 0.0,
    };
    let sorted = |list: &MoveFeatures<Move>| {
        let lesson = |(&mv, lesson): (&Move, &MoveFeature)| (mv, lesson.favour.to_bits());
        let mut all: Vec<_> = list.moves.iter().zip(&list.features).map(lesson).collect();
        all.sort_unstable();
        all
    };
    for (columns, rows, colours) in [(15, 15, 5), (20, 15, 6), (1, 15, 2), (20, 1, 2), (6, 5, 2)] {
        let rng = &mut Seed::new(columns as u64).rng();
        let game = SameGame::new(columns, rows, colours).unwrap();
        for _ in 0..50 {
            let mut state = game.random_board(rng);
            let mut names: Vec<Vec<(usize, usize)>> = (0..columns)
                .map(|column| (0..rows).map(|row| (column, row)).collect())
                .collect();
            let mut codes: BTreeMap<u64, ((usize, usize), u32)> = BTreeMap::new();
            let mut known: BTreeMap<((usize, usize), u32), u64> = BTreeMap::new();
            let plan = policy.plan(&game, &state, rng);
            let (mut notes, mut list) = (CandidateGroups::default(), MoveFeatures::default());
            policy.move_features(&game, &state, &plan, &mut notes, &mut list);
            while !list.moves.is_empty() {
                for (&mv, lesson) in list.moves.iter().zip(&list.features) {
                    let name = (names[mv.column()][mv.row()], game.size(&state, mv));
                    assert_eq!(*codes.entry(lesson.code).or_insert(name), name);
                    assert_eq!(*known.entry(name).or_insert(lesson.code), lesson.code);
                }
                let chosen = rng.random_range(0..list.moves.len());
                let (column, row) = (list.moves[chosen].column(), list.moves[chosen].row());
                let groups = plainly(&game, &state).groups();
                let first = (rows - 1 - row, column);
                let mut taken = groups
                    .into_iter()
                    .find(|group| group.contains(&first))
                    .unwrap();
                // From the top, so that what is still to be taken keeps its place.
                taken.sort_unstable();
                for (row, column) in taken {
                    names[column].remove(rows - 1 - row);
                }
                names.retain(|column| !column.is_empty());
                let mut plainly = state;
                game.play(&mut plainly, list.moves[chosen]);
                policy.next_move_features(&game, &mut state, &plan, chosen, &mut notes, &mut list);
                assert_eq!(state, plainly);
                let (mut fresh, mut anew) = (CandidateGroups::default(), MoveFeatures::default());
                policy.move_features(&game, &state, &plan, &mut fresh, &mut anew);
                assert_eq!(
                    sorted(&list),
                    sorted(&anew),
                    "{}",
                    game.position_text(&state)
                );
            }
            assert_eq!(game.turn(&state), Turn::Over);
        }
    }
}

#[test]
fn sizes_and_options_are_checked() {
    assert!(SameGame::new(0, 4, 3).is_err() && SameGame::new(4, 16, 3).is_err());
    assert!(SameGame::new(21, 4, 3).is_err() && SameGame::new(4, 4, 7).is_err());
    let read = |text: &str| {
        let values = OptionValues::parse("samegame", text, PARAMETERS)?;
        SameGame::from_values(&values)
    };
    let game = read("6x4,3,product,bonus=7,penalty=off,seed=3").unwrap();
    assert_eq!((game.columns(), game.rows(), game.colours()), (6, 4, 3));
    assert_eq!(
        (game.score, game.bonus, game.penalty),
        (Score::Product, 7, false)
    );
    assert_ne!(game.start(), game.clone().seeded(4).start());
    assert_eq!(game.start(), game.clone().seeded(3).start());
    let error = read("4x16").unwrap_err().to_string();
    assert_eq!(
        error,
        "samegame: a board of 4x16 is not possible: 1 to 20 columns and 1 to 15 rows"
    );
}

#[test]
fn six_colours_look_different() {
    let game = SameGame::new(6, 1, 6).unwrap();
    let drawn = game.picture(&game.parse_position("012345").unwrap(), None);
    let looks: BTreeSet<String> = drawn
        .pieces
        .iter()
        .map(|piece| format!("{:?} {:?}", piece.colour, piece.body))
        .collect();
    assert_eq!(looks.len(), 6);
    assert!(svg::render(&drawn, "").contains(">5</text>"));
}
