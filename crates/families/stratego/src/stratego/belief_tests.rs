use super::*;
use proptest::prelude::*;
use rand::RngExt;
use std::collections::{BTreeMap, HashSet};
use tabia_game::{CERTAIN, Chance, Hidden, Knowledge, Seed, Text};
use tabia_kit::Kit;
use tabia_search::Believed;

const PLAYERS: [Player; 2] = [Player::FIRST, Player::SECOND];

fn game() -> Stratego {
    Stratego::new(Setup::Figure, 1000)
}

fn listed<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// What White sees, after this move if there is one.
fn seen(text: &str, mv: Option<&str>) -> View {
    let state = game().parse_position(text).unwrap();
    let belief = Belief::new(game(), Player::FIRST);
    let mut view = game().view(&state, Player::FIRST);
    if let Some(mv) = mv {
        let step = game().parse_move(&state, mv).unwrap();
        belief.play(&mut view, Event::Step(step));
    }
    view
}

/// The probabilities of an attack's outcomes in lowest terms, by the letter of the rank.
fn chances(view: &View) -> BTreeMap<char, (u64, u64)> {
    let mut outcomes = Vec::new();
    Belief::new(game(), Player::FIRST).outcomes(view, &mut outcomes);
    let sum: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
    let fraction = |weight| reduced(weight, sum);
    let letters = outcomes.into_iter().map(|(event, weight)| match event {
        Event::Reveal(rank) => (rank.letter(), fraction(weight)),
        Event::Step(_) => panic!("{event:?} is no outcome of chance"),
    });
    letters.collect()
}

fn reduced(a: u64, b: u64) -> (u64, u64) {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    (a / x, b / x)
}

#[test]
fn conforms() {
    for viewer in PLAYERS {
        let belief = Belief::new(Stratego::new(Setup::Decoy, 200), viewer);
        let kit = Kit::new().effort(4, 120).two_player().chance();
        kit.key().move_index().run(&belief).unwrap();
    }
}

/// Schadd (2011, section 5.5.4): of a Flag, a Bomb, a General, two Colonels and three Captains an
/// unmoved piece is a General, Colonel or Captain with 1/8, 2/8 and 3/8; one that has moved with
/// 1/6, 2/6 and 3/6.
#[test]
fn schadd_5_5_4_chance_model() {
    let unmoved = seen("fb8/gccppp4/2M7/10/10/10/10/10/10/F9 w", Some("c8xc9"));
    let expected = [
        ('F', (1, 8)),
        ('B', (1, 8)),
        ('G', (1, 8)),
        ('C', (1, 4)),
        ('P', (3, 8)),
    ];
    assert_eq!(chances(&unmoved), BTreeMap::from(expected));
    let moved = seen("fb8/gcc'ppp4/2M7/10/10/10/10/10/10/F9 w", Some("c8xc9"));
    let expected = [('G', (1, 6)), ('C', (1, 3)), ('P', (1, 2))];
    assert_eq!(chances(&moved), BTreeMap::from(expected));
    // What attacks has moved, whatever it did before.
    let mut view = seen("fb8/gccppp4/10/2M7/10/10/10/10/10/F9 w", Some("c7-c8"));
    let belief = Belief::new(game(), Player::FIRST);
    belief.play(&mut view, Event::Step(Step { from: 82, to: 72 }));
    assert_eq!(chances(&view), BTreeMap::from(expected));
}

/// All different ways to put these letters in a row.
fn arrangements(letters: &[char]) -> HashSet<Vec<char>> {
    let mut all = HashSet::new();
    if letters.is_empty() {
        all.insert(Vec::new());
    }
    for (i, &first) in letters.iter().enumerate() {
        let mut rest = letters.to_vec();
        rest.remove(i);
        for tail in arrangements(&rest) {
            all.insert([vec![first], tail].concat());
        }
    }
    all
}

/// The weights are those of all ways to deal the unknown ranks out, counted one by one, and samples
/// come with these frequencies.
#[test]
fn weights_are_counted_and_sampled() {
    // Which of Black's unknown pieces have moved, and what they are in some order.
    for (marks, ranks, attack, target) in [
        ("--*--*", "fbncot", "a8xa9", 0),
        ("--*--*", "fbbcoo", "c8xc9", 2),
        ("--***", "fbnps", "a8xa9", 0),
        ("---**", "fbbps", "a8xa9", 0),
        ("---**", "fbpps", "c8xc9", 2),
        ("----", "fbbb", "c8xc9", 2),
    ] {
        let moved: Vec<bool> = marks.chars().map(|mark| mark == '*').collect();
        // Deal the ranks so that they suit the marks.
        let letters: Vec<char> = ranks.chars().collect();
        let consistent: Vec<Vec<char>> = arrangements(&letters)
            .into_iter()
            .filter(|row| {
                row.iter()
                    .zip(&moved)
                    .all(|(c, moved)| !moved || !"fb".contains(*c))
            })
            .collect();
        let row: String = consistent[0]
            .iter()
            .zip(&moved)
            .map(|(c, moved)| {
                if *moved {
                    format!("{c}'")
                } else {
                    c.to_string()
                }
            })
            .collect();
        let text = format!("10/{row}{}/M1O7/10/10/10/10/10/10/F9 w", 10 - moved.len());
        let mut counts: BTreeMap<char, u64> = BTreeMap::new();
        for row in &consistent {
            *counts.entry(row[target].to_ascii_uppercase()).or_default() += 1;
        }
        let sum = consistent.len() as u64;
        let expected: BTreeMap<char, (u64, u64)> =
            counts.iter().map(|(&c, &n)| (c, reduced(n, sum))).collect();
        assert_eq!(chances(&seen(&text, Some(attack))), expected, "{text}");

        let state = game().parse_position(&text).unwrap();
        let observed = game().observe(&state, &[], Player::FIRST);
        let mut rng = Seed::new(5).rng();
        let mut sampled: BTreeMap<char, f64> = BTreeMap::new();
        let draws = 20_000;
        for _ in 0..draws {
            let drawn = game().sample_state(&observed, &mut rng);
            let rank = drawn.board.at(80 + target as u8).unwrap().rank.unwrap();
            *sampled.entry(rank.letter()).or_default() += 1.0;
        }
        for (letter, (n, of)) in expected {
            let p = n as f64 / of as f64;
            let mean = p * f64::from(draws);
            let deviation = (mean * (1.0 - p)).sqrt();
            let drawn = sampled.remove(&letter).unwrap_or_default();
            assert!(
                (drawn - mean).abs() <= 5.0 * deviation,
                "{text}: {letter} {drawn} for {mean}"
            );
        }
        assert!(sampled.is_empty());
    }
}

/// If all that has not moved must be Flag and Bombs, none of it moves.
#[test]
fn bombs_that_are_certain_stay() {
    let belief = Belief::new(game(), Player::FIRST);
    let sleeping = seen("fb8/4t'5/10/10/10/10/10/10/10/FM8 b", None);
    let moves = listed(&belief, &sleeping);
    let steps =
        [(84, 83), (84, 85), (84, 74), (84, 94)].map(|(from, to)| Event::Step(Step { from, to }));
    assert_eq!(moves, steps);
    // With one more that moves any of three may be it.
    let waking = seen("fbt7/4t'5/10/10/10/10/10/10/10/FM8 b", None);
    assert_eq!(listed(&belief, &waking).len(), 4 + 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whoever follows a game in their belief, and is told each rank when it is revealed, sees what
    /// they would observe; and the player to move has the moves of the real game.
    #[test]
    fn the_belief_follows_the_game(seed: u64) {
        let game = Stratego::new(Setup::Random(seed), 100);
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        loop {
            let moves = listed(&game, &state);
            if moves.is_empty() {
                break;
            }
            let step = moves[rng.random_range(0..moves.len())];
            let mut after = state.clone();
            game.play(&mut after, step);
            for viewer in PLAYERS {
                let (belief, mut view) = game.belief(&game.observe(&state, &[], viewer));
                let before = view.clone();
                let events = listed(&belief, &view);
                if viewer == state.mover {
                    let real = events.iter().filter_map(|&event| game.real_move(event));
                    let real: Vec<Step> = real.collect();
                    prop_assert_eq!(&real, &moves);
                }
                // An unknown Scout that goes far comes as a surprise.
                if !events.contains(&Event::Step(step)) {
                    prop_assert!(step.is_long() && viewer != state.mover);
                    continue;
                }
                let mut tokens = vec![belief.play(&mut view, Event::Step(step))];
                if belief.turn(&view) == Turn::Chance {
                    let board = &before.position.board;
                    let known = |square: u8| board.at(square).unwrap().rank.is_some();
                    let hidden = if known(step.from) { step.to } else { step.from };
                    let rank = state.board.at(hidden).unwrap().rank.unwrap();
                    prop_assert!(listed(&belief, &view).contains(&Event::Reveal(rank)));
                    tokens.push(belief.play(&mut view, Event::Reveal(rank)));
                }
                if game.turn(&after) != Turn::Over {
                    prop_assert_eq!(&view, &game.view(&after, viewer));
                }
                while let Some(token) = tokens.pop() {
                    belief.undo(&mut view, token);
                }
                prop_assert_eq!(view, before);
            }
            state = after;
        }
    }

    /// Before a battle the evaluation is the mean over the outcomes.
    #[test]
    fn battles_are_evaluated_on_average(seed: u64) {
        let game = Stratego::new(Setup::Random(seed), 1000);
        let mut rng = Seed::new(seed).rng();
        let (belief, mut view) = game.belief(&game.observe(&game.start(), &[], Player::SECOND));
        for _ in 0..200 {
            let moves = listed(&belief, &view);
            if moves.is_empty() {
                break;
            }
            if belief.turn(&view) == Turn::Chance {
                let mut outcomes = Vec::new();
                belief.outcomes(&view, &mut outcomes);
                let (mut sum, mut weights) = (0.0, 0.0);
                for (event, weight) in outcomes {
                    let mut child = view.clone();
                    belief.play(&mut child, event);
                    let value = match belief.turn(&child) {
                        Turn::Over => belief.payoff(&child, Player::SECOND) * CERTAIN,
                        _ => Armies.evaluate(&belief, &child, Player::SECOND),
                    };
                    sum += f64::from(value) * weight as f64;
                    weights += weight as f64;
                }
                let value = f64::from(Armies.evaluate(&belief, &view, Player::SECOND));
                prop_assert!((value - sum / weights).abs() <= 1.0);
            }
            belief.play(&mut view, moves[rng.random_range(0..moves.len())]);
        }
    }
}

/// What White's view is worth to White, in millionths.
fn worth(text: &str) -> i32 {
    let belief = Belief::new(game(), Player::FIRST);
    let view = seen(text, None);
    let value = Armies.evaluate(&belief, &view, Player::FIRST);
    assert_eq!(Armies.evaluate(&belief, &view, Player::SECOND), -value);
    value
}

/// Schadd (2011, table 5.1): the values of the pieces, three tenths more if hidden. The Flags are
/// hidden and cancel out.
#[test]
fn schadd_table_5_1() {
    // Squares: e4 is eleven steps from j10 and worth 50 * 7/18; e6 is nine steps from a1 and worth
    // 25.
    let squares = 50_000 * 7 / 18 - 25_000;
    let plain =
        |white: &str, black: &str| worth(&format!("9f/10/10/10/4{black}5/10/4{white}5/10/10/F9 w"));
    let values = [
        ("M", 400),
        ("G", 300),
        ("C", 175),
        ("J", 140),
        ("P", 100),
        ("L", 50),
        ("T", 20),
        ("O", 10),
    ];
    for (letter, value) in values {
        assert_eq!(
            plain(&format!("{letter}!"), "t!"),
            (value - 20) * 1000 + squares,
            "{letter}"
        );
        assert_eq!(
            plain(&format!("{letter}'"), "t!"),
            value * 1300 - 20_000 + squares,
            "{letter}"
        );
        let black = letter.to_lowercase();
        assert_eq!(
            plain("T!", &format!("{black}!")),
            (20 - value) * 1000 + squares,
            "{letter}"
        );
        assert_eq!(
            plain("T!", &format!("{black}'")),
            20_000 - value * 1300 + squares,
            "{letter}"
        );
    }
    // A Spy is worth 100 as long as there is a Marshal to be taken.
    assert_eq!(plain("S!", "t!"), (10 - 20) * 1000 + squares);
    assert_eq!(plain("S!", "m!"), (100 - 400) * 1000 + squares);
    // A Miner 10 without Bombs, 200 if it is one of the last, 100 otherwise. The Bombs on j9 and
    // i10 are worth 75 each, and their squares 50 * 1/18.
    assert_eq!(plain("N!", "t!"), (10 - 20) * 1000 + squares);
    let bombs = |white: &str| worth(&format!("8b!f/9b!/10/10/4t!5/10/{white}/10/10/F9 w"));
    let sum = -150_000 - 2 * (50_000 / 18);
    assert_eq!(bombs("4N!5"), (200 - 20) * 1000 + squares + sum);
    // c4 is 13 steps from the Flag, d4 12.
    let three = 300_000 - 20_000 + 50_000 * 5 / 18 + 50_000 * 6 / 18 + squares;
    assert_eq!(bombs("2N!N!N!5"), three + sum);
    // Every two plies without an attack cost a point.
    assert_eq!(
        worth("9f/10/10/10/4t!5/10/4M!5/10/10/F9 w 7"),
        377_000 + squares
    );
}

/// Values are those of the change since the position that is searched, within the bounds of a win.
#[test]
fn values_are_bounded_and_count_from_the_root() {
    let rich = "9f/10/10/10/4t!5/10/10/10/MGCCJJJPPP/F9 w";
    assert_eq!(worth(rich), CERTAIN - 1);
    let state = game().parse_position(rich).unwrap();
    let (belief, view) = game().belief(&game().observe(&state, &[], Player::FIRST));
    assert_eq!(Armies.evaluate(&belief, &view, Player::FIRST), 0);
    let mut poorer = view.clone();
    poorer.position.board.set(10, None);
    // The hidden Marshal is gone, and a square 17 steps from the Flag.
    let lost = 520_000 + 50_000 / 18;
    assert_eq!(Armies.evaluate(&belief, &poorer, Player::FIRST), -lost);
}
