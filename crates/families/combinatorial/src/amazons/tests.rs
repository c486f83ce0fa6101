use std::collections::BTreeMap;

use proptest::prelude::*;
use rand::RngExt;
use tabia_game::{
    CERTAIN, Combinatorial, Draw, Game, Knowledge, Player, Seed, Text, Turn, Wdl, perft,
};
use tabia_kit::Kit;
use tabia_registry::Settled;

use super::*;
use crate::amazons::combinatorial as plain;

fn game(width: usize, height: usize) -> Amazons {
    Amazons::new(width, height).unwrap()
}

#[test]
fn conforms() {
    let sizes = [
        (2, 1),
        (1, 5),
        (3, 3),
        (4, 4),
        (4, 5),
        (5, 5),
        (6, 5),
        (10, 3),
    ];
    for (width, height) in sizes {
        let kit = Kit::new().two_player().key().move_index().symmetric();
        let kit = kit.text().text_key().draw().effort(3, 40);
        kit.run(&game(width, height)).unwrap();
    }
    let kit = Kit::new().two_player().key().move_index().symmetric();
    let kit = kit.text().text_key().draw();
    kit.effort(1, 4).run(&game(10, 10)).unwrap();
}

/// Tegos (2002): 2176 first moves; after two plies 4,307,152 lines.
#[test]
fn tegos_perft_of_the_start() {
    let game = game(10, 10);
    assert_eq!(perft(&game, &game.start(), 1), 2_176);
    assert_eq!(perft(&game, &game.start(), 2), 4_307_152);
}

/// Karapetyan and Lorentz (2004): their first moves.
#[test]
fn karapetyan_lorentz_first_moves_are_legal() {
    let game = game(10, 10);
    let start = game.start();
    for (text, ours) in [
        ("D1-D8(B6)", "d1-d8/b6"),
        ("D1-D7(G7)", "d1-d7/g7"),
        ("d1d7xg7", "d1-d7/g7"),
    ] {
        let shot = game.parse_move(&start, text).unwrap();
        assert_eq!(game.move_text(&start, shot), ours);
    }
    for text in [
        "d1-d10/b6",
        "d1-d8",
        "",
        "a4-a7/a8",
        "d1-d8/b6/b6",
        "D1-D8(B6",
    ] {
        let read = game.parse_move(&start, text);
        assert_eq!(read.is_ok(), text == "D1-D8(B6", "{text}");
    }
}

/// Song and Müller (2014): White a2 b1 d1 e2 on 5x5, a2 b1 e1 f2 on 6x5.
#[test]
fn starts_of_other_boards() {
    for (width, height, text) in [
        (10, 10, "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w"),
        (8, 8, "2b2b2/8/b6b/8/8/w6w/8/2w2w2 w"),
        (6, 5, "1b2b1/b4b/6/w4w/1w2w1 w"),
        (5, 5, "1b1b1/b3b/5/w3w/1w1w1 w"),
        (4, 4, "1bb1/b2b/w2w/1ww1 w"),
        (3, 3, "2b/3/w2 w"),
        (2, 1, "wb w"),
    ] {
        let game = game(width, height);
        assert_eq!(game.position_text(&game.start()), text);
    }
}

#[test]
fn the_plain_text_is_read_as_well() {
    let game = game(3, 3);
    let state = game.parse_position("X..|.#.|..O o").unwrap();
    assert_eq!(game.position_text(&state), "w2/1#1/2b b");
    for (text, reason) in [
        ("X..|.?.|..O x", "'w', 'b', '#' or '.'"),
        ("X..|...", "2 rows where 3 belong"),
        ("...|.#.|... x", "no queen"),
        ("X..|.#.|..O q", "no side to move"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn boards_beyond_the_limits_are_refused() {
    for (width, height) in [(0, 5), (5, 0), (11, 5), (5, 11), (1, 1), (usize::MAX, 2)] {
        assert!(Amazons::new(width, height).is_err());
    }
}

fn boards() -> impl Strategy<Value = (Amazons, State)> {
    (1usize..11, 2usize..11, any::<[u128; 3]>(), any::<bool>()).prop_map(|(w, h, sets, black)| {
        let game = game(w, h);
        let arrows = sets[0] & sets[1] & game.lines.full;
        let queens = sets[2] & sets[1] & !arrows & game.lines.full;
        let white = queens & (sets[0] | sets[2] >> 3);
        let state = game.set_up([white, queens & !white], arrows, Player(black.into()));
        (game, state)
    })
}

proptest! {
    /// Against the combinatorial game, whose moves are tested against plain rules by coordinates.
    #[test]
    fn moves_are_those_of_the_combinatorial_game((game, state) in boards()) {
        let cells = game.cells(&state);
        for player in [Player::FIRST, Player::SECOND] {
            let mut moves = Vec::new();
            plain::Amazons.moves(&cells, player, &mut moves);
            let name = |mv| plain::Amazons.move_text(&cells, player, mv);
            let mut expected: Vec<String> = moves.into_iter().map(name).collect();
            let mut ours = Vec::new();
            game.each_move(&state, player, |shot| ours.push(game.move_text(&state, shot)));
            expected.sort();
            ours.sort();
            prop_assert_eq!(game.count_moves(&state, player), ours.len());
            prop_assert_eq!(&ours, &expected);
            prop_assert_eq!(game.can_move(&state, player), !ours.is_empty());
        }
    }

    /// Squares in sight of any of several are those in sight of each.
    #[test]
    fn floods_spread_by_slides((game, state) in boards()) {
        let empty = game.lines.full & !state.occupied();
        for set in [state.queens[0], state.queens[1], state.arrows, empty] {
            let together = game.lines.sight_of_all(set, empty);
            let blocked = Blocked::new(state.occupied());
            let apart = set.iter().fold(0, |all, square| all | game.lines.sight(square, blocked));
            prop_assert_eq!(together & empty, apart);
        }
    }

    /// The same position with the colours exchanged is worth the opposite, and its mirror images
    /// the same.
    #[test]
    fn evaluations_are_fair((game, state) in boards()) {
        let [white, black] = state.queens;
        let exchanged = game.set_up([black, white], state.arrows, state.mover.other());
        for name in Evaluation::NAMES {
            let judge = Judge(Evaluation::named(name));
            let value = judge.evaluate(&game, &state, Player::FIRST);
            prop_assert!(value.abs() < CERTAIN);
            prop_assert_eq!(judge.evaluate(&game, &state, Player::SECOND), -value);
            prop_assert_eq!(judge.evaluate(&game, &exchanged, Player::SECOND), value, "{}", name);
            for symmetry in 1..game.symmetries() {
                // The nine blocks of the opening are not the same for all attitudes of every board.
                if *name == "phases" {
                    continue;
                }
                let image = game.map_state(&state, symmetry);
                prop_assert_eq!(judge.evaluate(&game, &image, Player::FIRST), value, "{}", name);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[xobw#.0-9/| ]{0,40}|.{0,20}") {
        let game = game(4, 3);
        let _ = game.parse_position(&text);
        let _ = game.parse_move(&game.start(), &text);
    }
}

/// Random moves of positions with many and with few moves, counted, against the chances that follow
/// from the list of all moves: a queen that has moves, one of its goals, one of its arrows. Of n
/// moves, each expected at least 20 times, the statistic of chi-square has mean n - 1 and deviation
/// sqrt(2 n - 2) about; five deviations.
#[test]
fn random_moves_come_as_often_as_they_should() {
    let positions = [
        (10, 10, "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w", 2176),
        (4, 4, "1bb1/b#1b/w2w/1ww1 b", 0),
        (5, 1, "w#w.b w", 1),
        (3, 3, "w2/1#1/2b b", 0),
        (10, 10, "wwwww5/wwwww5/10/10/10/10/10/10/10/9b w", 0),
        // One queen is stuck beside another, one for ever.
        (5, 4, "w#b../##.../ww.../ww..b w", 0),
    ];
    for (width, height, text, count) in positions {
        let game = game(width, height);
        let state = game.parse_position(text).unwrap();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert!(count == 0 || moves.len() == count);
        let mut arrows: BTreeMap<(u8, u8), f64> = BTreeMap::new();
        for shot in &moves {
            *arrows.entry((shot.from, shot.to)).or_default() += 1.0;
        }
        let mut goals: BTreeMap<u8, f64> = BTreeMap::new();
        for (from, _) in arrows.keys() {
            *goals.entry(*from).or_default() += 1.0;
        }
        let chance = |shot: &Shot| {
            1.0 / (goals.len() as f64 * goals[&shot.from] * arrows[&(shot.from, shot.to)])
        };
        assert!((moves.iter().map(chance).sum::<f64>() - 1.0).abs() < 1e-9);
        let least = moves.iter().map(chance).fold(1.0, f64::min);
        let draws = 20.0 / least;
        let mut seen: BTreeMap<State, u32> = BTreeMap::new();
        let mut rng = Seed::new(7).rng();
        for _ in 0..draws as u32 {
            let mut next = state;
            let played = game.play_at_random(&mut next, 1, &mut Vec::new(), &mut rng);
            assert_eq!(played, 1);
            *seen.entry(next).or_default() += 1;
        }
        let differences = moves.iter().map(|&shot| {
            let mut next = state;
            game.play(&mut next, shot);
            let expected = draws.floor() * chance(&shot);
            let found = f64::from(seen.remove(&next).unwrap_or_default());
            (found - expected).powi(2) / expected
        });
        let statistic: f64 = differences.sum();
        assert!(seen.is_empty(), "something illegal was played");
        let free = moves.len() as f64 - 1.0;
        let limit = free + 5.0 * (2.0 * free).sqrt();
        assert!(statistic <= limit, "{text}: {statistic} > {limit}");
    }
}

/// Whole random games, every ply of which is looked up among all moves.
#[test]
fn random_games_are_played_by_the_rules() {
    for (width, height) in [(10, 10), (6, 5), (3, 8), (1, 9), (2, 2)] {
        let game = game(width, height);
        let mut rng = Seed::new(11).rng();
        for _ in 0..20 {
            let mut state = game.start();
            loop {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                let mut next = state;
                let played = game.play_at_random(&mut next, 1, &mut Vec::new(), &mut rng);
                assert_eq!(played == 0, moves.is_empty());
                if played == 0 {
                    break;
                }
                let legal = moves.iter().any(|&shot| {
                    let mut after = state;
                    game.play(&mut after, shot);
                    after == next
                });
                assert!(legal, "{}", game.position_text(&next));
                state = next;
            }
        }
    }
}

/// Games in one go and ply by ply end alike: what is remembered of queens that are stuck is
/// forgotten between plies.
#[test]
fn stuck_queens_are_remembered_rightly() {
    let game = game(5, 5);
    let wins = |at_once: bool| {
        let mut rng = Seed::new(13).rng();
        let mut wins = 0.0;
        let mut plies = 0.0;
        for _ in 0..20_000 {
            let mut state = game.start();
            let most = if at_once { u32::MAX } else { 1 };
            while game.turn(&state) != Turn::Over {
                let played = game.play_at_random(&mut state, most, &mut Vec::new(), &mut rng);
                plies += f64::from(played);
            }
            wins += f64::from(game.payoff(&state, Player::FIRST));
        }
        (wins / 20_000.0, plies / 20_000.0)
    };
    let (at_once, by_plies) = (wins(true), wins(false));
    // The standard error of a difference of two shares of 20,000 games is below 0.01 each; lengths
    // vary by less than three plies.
    assert!(
        (at_once.0 - by_plies.0).abs() < 0.06,
        "{at_once:?} {by_plies:?}"
    );
    assert!(
        (at_once.1 - by_plies.1).abs() < 0.15,
        "{at_once:?} {by_plies:?}"
    );
}

#[test]
fn random_play_ends_where_nobody_can_move() {
    let game = game(6, 6);
    let mut rng = Seed::new(3).rng();
    for _ in 0..50 {
        let mut state = game.start();
        let plies = game.play_at_random(&mut state, 1000, &mut Vec::new(), &mut rng);
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(state.arrows(), plies as usize);
        assert_eq!(
            state,
            game.parse_position(&game.position_text(&state)).unwrap()
        );
    }
}

/// Whether the mover wins, by looking at everything.
fn wins(game: &Amazons, state: &State, known: &mut BTreeMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let wins = moves.into_iter().any(|shot| {
        let mut next = *state;
        game.play(&mut next, shot);
        !wins(game, &next, known)
    });
    known.insert(*state, wins);
    wins
}

/// What is decided at sight is what a search to the end finds, on many boards and with any queens
/// and arrows.
#[test]
fn positions_decided_at_sight_end_so() {
    let mut rng = Seed::new(19).rng();
    let mut decided = [0; 2];
    for (width, height) in [(3, 3), (4, 3), (3, 4), (6, 2), (9, 1), (4, 4)] {
        let game = game(width, height);
        let mut known = BTreeMap::new();
        for _ in 0..400 {
            let cells = "....#####wwbb".as_bytes();
            let row = |rng: &mut tabia_game::GameRng| -> String {
                let cell = |_| char::from(cells[rng.random_range(0..cells.len())]);
                (0..width).map(cell).collect()
            };
            let rows: Vec<String> = (0..height).map(|_| row(&mut rng)).collect();
            let mover = ["w", "b"][rng.random_range(0..2)];
            let Ok(state) = game.parse_position(&format!("{} {mover}", rows.join("/"))) else {
                continue;
            };
            if state.occupied().count() + 7 < width * height {
                continue;
            }
            let [least, most] = game.bounds(&state);
            assert!(least <= most);
            if let (Some(value), Turn::Player(_)) =
                (SettledByBounds.value(&game, &state), game.turn(&state))
            {
                let text = game.position_text(&state);
                assert_eq!(value == Wdl::Win, wins(&game, &state, &mut known), "{text}");
                decided[usize::from(value == Wdl::Win)] += 1;
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 100), "{decided:?}");
}

/// Behind a white queen that stays, or leaves an arrow behind, lie three squares; Black has one
/// square of their own and one that both can reach. White is ahead by 3 - 2 at least and by 4 - 1
/// at most.
#[test]
fn queens_keep_what_lies_behind_them() {
    let game = game(7, 1);
    let bounds = |text| game.bounds(&game.parse_position(text).unwrap());
    assert_eq!(bounds("...w.b. w"), [3 - 2, 4 - 1]);
    assert_eq!(bounds("...w#b. w"), [3 - 1, 3 - 1]);
    assert_eq!(bounds("..w.b.. b"), [2 - 3, 3 - 2]);
}

/// Karapetyan and Lorentz (2004), section 2: 20 points are a square, 500 are 25 squares, 60 three.
#[test]
fn karapetyan_lorentz_points() {
    assert_eq!((500 * POINT, 60 * POINT), (25 * SQUARE, 3 * SQUARE));
}

/// A wall of arrows: five squares for White, two for Black, and nothing to be had by either of the
/// other's.
#[test]
fn walls_make_territories() {
    let game = game(4, 3);
    let state = game.parse_position("..#.|w.#b|..#. w").unwrap();
    for name in ["territory", "distance"] {
        let value = Judge(Evaluation::named(name)).evaluate(&game, &state, Player::FIRST);
        assert_eq!(value, 3 * SQUARE, "{name}");
    }
    assert_eq!(game.picture(&state, None).pieces.len(), 5);
}
