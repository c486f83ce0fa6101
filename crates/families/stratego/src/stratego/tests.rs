use super::reference::{BATTLES, LETTERS, Plain};
use super::*;
use proptest::prelude::*;
use rand::RngExt;
use tabia_game::{Hidden, Made, Path, Seed, Text, perft};
use tabia_kit::Kit;

const ALL: [Setup; 5] = [
    Setup::Random(0),
    Setup::Figure,
    Setup::Corner,
    Setup::Centre,
    Setup::Decoy,
];

fn game() -> Stratego {
    Stratego::new(Setup::Figure, 1000)
}

fn listed(game: &Stratego, state: &State) -> Vec<Step> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// A position and the path to it, which has a say in what is legal.
#[derive(Clone)]
struct Situation {
    state: State,
    path: Path,
}

impl Situation {
    fn read(text: &str) -> Situation {
        let state = game().parse_position(text).unwrap();
        let path = game().parse_path(text).unwrap();
        let path = match path.is_empty() {
            true => Path::from_start(&game(), &state),
            false => path,
        };
        Situation { state, path }
    }

    fn text(&self) -> String {
        game().situation_text(&self.state, &self.path)
    }

    fn legal(&self) -> Vec<Step> {
        let mut moves = Vec::new();
        self.path.legal_moves(&game(), &self.state, &mut moves);
        moves
    }

    fn allows(&self, mv: &str) -> bool {
        let step = game().parse_move(&self.state, mv);
        step.is_ok_and(|step| self.legal().contains(&step))
    }

    fn play(&mut self, step: Step) {
        let rule = game().repetition();
        let made = Made::of(&game(), rule, &self.state, step);
        game().play(&mut self.state, step);
        self.path.enter(&game(), rule, &self.state, made);
    }
}

/// Plays these moves from a position; the number of those that are legal.
fn play(text: &str, moves: &str) -> (Situation, usize) {
    let mut at = Situation::read(text);
    let mut played = 0;
    for mv in moves.split(' ') {
        if !at.allows(mv) {
            break;
        }
        at.play(game().parse_move(&at.state, mv).unwrap());
        played += 1;
    }
    (at, played)
}

#[test]
fn conforms() {
    for (setup, limit) in [
        (Setup::Figure, 1000),
        (Setup::Random(3), 40),
        (Setup::Corner, 0),
    ] {
        let kit = Kit::new().effort(3, 60).two_player().key().move_index();
        let kit = kit.text().text_key().draw().hidden();
        // Without a limit random games end as well, by a Flag that is taken.
        kit.run(&Stratego::new(setup, limit)).unwrap();
    }
}

#[test]
fn battles() {
    for (attacker, row) in BATTLES {
        for (defender, outcome) in LETTERS.chars().zip(row.chars()) {
            let [a, d] = [attacker, defender].map(|letter| Rank::of_letter(letter).unwrap());
            let expected = match outcome {
                'W' => Battle::Won,
                'L' => Battle::Lost,
                _ => Battle::Both,
            };
            assert_eq!(battle(a, d), expected, "{attacker} attacks {defender}");
        }
    }
}

/// Schadd (2011), figure 5.7, as printed: 1 is the Marshal, 9 the Scout.
#[test]
fn schadd_figure_5_7() {
    let printed = "\
        48BFB86983 672B79S1B7 3B5468B899 5969959475 \
        9673964569 59896952B9 B7S18B3745 FB84B7B898";
    let printed: String = printed.split_whitespace().collect();
    let letters: Vec<char> = printed
        .chars()
        .map(|c| {
            c.to_digit(10)
                .map_or(c, |n| LETTERS.chars().nth(12 - n as usize).unwrap())
        })
        .collect();
    let row = |i: usize| letters[10 * i..10 * i + 10].iter().collect::<String>();
    let black: Vec<String> = (0..4).map(|i| row(i).to_lowercase()).collect();
    let white: Vec<String> = (4..8).map(row).collect();
    let expected = format!("{}/10/10/{} w", black.join("/"), white.join("/"));
    assert_eq!(game().position_text(&game().start()), expected);
}

#[test]
fn armies_are_complete_and_sensible() {
    let drawn = (0..50).map(Setup::Random);
    for setup in ALL.into_iter().chain(drawn) {
        let state = Stratego::new(setup, 0).start();
        for player in [Player::FIRST, Player::SECOND] {
            let mut counts = [0; 12];
            let (own, back, front) = match player {
                Player::FIRST => (0..40, 0, 3),
                _ => (60..100, 9, 6),
            };
            for (square, piece) in state.board.pieces(player) {
                assert!(own.contains(&square));
                let rank = piece.rank.unwrap();
                counts[rank.index()] += 1;
                if rank == Rank::Flag {
                    assert_eq!(square / 10, back);
                    let near = board::near(square) & state.board.owned(player);
                    let guards = (0..100u8).filter(|s| near >> s & 1 == 1);
                    let bombs = guards.filter_map(|s| state.board.at(s)?.rank);
                    assert!(
                        bombs.into_iter().all(|rank| rank == Rank::Bomb),
                        "{setup:?}"
                    );
                }
                if matches!(setup, Setup::Random(_)) && square / 10 == front {
                    assert!(![Rank::Bomb, Rank::Miner, Rank::Spy].contains(&rank));
                }
            }
            assert_eq!(counts, ARMY, "{setup:?}");
        }
    }
    let starts = [0, 1].map(|seed| Stratego::new(Setup::Random(seed), 0).start());
    assert_ne!(starts[0], starts[1]);
    assert!(
        super::setup::NAMES
            .iter()
            .zip(ALL)
            .all(|(name, setup)| Setup::named(name, 0) == setup)
    );
}

/// A piece may go to and fro three times, and begin again after another piece has moved.
#[test]
fn two_squares() {
    let text = "9f/10/10/10/4t5/10/10/4M5/10/FS8 w";
    let (at, played) = play(text, "e3-e2 e6-f6 e2-e3 f6-f7 e3-e2 f7-g7 e2-e3");
    assert_eq!(played, 6);
    let texts: Vec<String> = at
        .legal()
        .iter()
        .map(|&mv| game().move_text(&at.state, mv))
        .collect();
    assert!(texts.contains(&"e2-d2".to_string()) && texts.contains(&"e2-e1".to_string()));
    let after = "e3-e2 e6-f6 e2-e3 f6-f7 e3-e2 f7-g7 b1-c1 g7-g8 e2-e3";
    assert_eq!(play(text, after).1, 9);
    // The text of the situation tells of the moves to and fro.
    let text = "9f/10/10/6t'3/10/10/10/10/4M'5/FS8 w 6 e3e2e3e2 f7g7";
    assert_eq!(at.text(), text);
    let read = Situation::read(text);
    assert_eq!((&read.state, read.text()), (&at.state, at.text()));
    assert!(!read.allows("e2-e3") && read.allows("e2-e1"));
    assert!(Situation::read(&game().position_text(&at.state)).allows("e2-e3"));
}

/// A Scout passes all squares on its way: what counts is a border crossed four times in a row.
#[test]
fn two_squares_of_a_scout() {
    let text = "9f/10/10/10/5t4/10/10/4O5/10/F9 w";
    let moves = "e3-e6 f6-f7 e6-e4 f7-f8 e4-e9 f8-g8";
    for (last, legal) in [
        ("e9-e3", false),
        ("e9-e5", false),
        ("e9-e6", true),
        ("e9-d9", true),
    ] {
        let (_, played) = play(text, &format!("{moves} {last}"));
        assert_eq!(played == 7, legal, "{last}");
    }
}

/// An attack is a move like any other, and the opponent's attacks do not interrupt the count.
#[test]
fn two_squares_with_battles() {
    let text = "9f/10/10/10/5t4/10/o9/T3M5/4t5/F9 w";
    let moves = "e3xe2 f6-f7 e2-e3 a4xa3 e3-e2 f7-f8 e2-e3";
    assert_eq!(play(text, moves).1, 6);
}

/// Round the lake: twelve moves are new, the thirteenth would be the first position again.
#[test]
fn more_squares() {
    let text = "9f/10/10/10/1t8/10/1M8/10/10/F9 w";
    let ring = [
        "b4", "b5", "b6", "b7", "c7", "d7", "e7", "e6", "e5", "e4", "d4", "c4",
    ];
    // Black stands two ahead of White before each of White's moves, and goes one further.
    let moves: Vec<String> = (0..13)
        .flat_map(|i| {
            let at = |ahead: usize| ring[(i + ahead) % 12];
            [
                format!("{}-{}", at(0), at(1)),
                format!("{}-{}", at(2), at(3)),
            ]
        })
        .collect();
    let (at, played) = play(text, &moves.join(" "));
    assert_eq!(played, 24);
    let read = Situation::read(&at.text());
    assert_eq!((&read.state, read.text()), (&at.state, at.text()));
    assert!(!at.allows("b4-b5") && !read.allows("b4-b5"));
    assert!(read.allows("b4-a4"));
    // Black may go round as it likes once it is not chased: a pause of White's ends the chase.
    let mut paused = moves[..22].to_vec();
    paused.extend(
        [
            "c4-c3", "b5-b6", "c3-c4", "b6-b5", "c4-b4", "b5-b6", "b4-b5",
        ]
        .map(String::from),
    );
    assert_eq!(play(text, &paused.join(" ")).1, paused.len());
}

/// To go straight back is no offence until the Two-Squares Rule stops it.
#[test]
fn more_squares_lets_the_chaser_step_back() {
    let text = "9f/1t8/M9/10/10/10/10/10/10/F9 w";
    let moves = "a8-a9 b9-b8 a9-a8 b8-b9 a8-a9 b9-b8 a9-a8";
    assert_eq!(play(text, moves).1, 6);
}

#[test]
fn ends() {
    let outcome = |text: &str| {
        let state = game().parse_position(text).unwrap();
        (game().turn(&state), game().payoff(&state, Player::FIRST))
    };
    // White has nothing that moves; then neither side has.
    assert_eq!(
        outcome("fm8/10/10/10/10/10/10/10/10/FB8 w"),
        (Turn::Over, -1)
    );
    assert_eq!(
        outcome("fm8/10/10/10/10/10/10/10/10/FB8 b"),
        (Turn::Player(Player::SECOND), 0)
    );
    assert_eq!(
        outcome("fb8/10/10/10/10/10/10/10/10/FB8 w"),
        (Turn::Over, 0)
    );
    // The last two pieces that move take each other.
    let state = play("f9/10/10/10/4t5/4T5/10/10/10/F9 w", "e5xe6").0.state;
    assert_eq!(
        (game().turn(&state), game().payoff(&state, Player::FIRST)),
        (Turn::Over, 0)
    );
    let state = play("f9/T9/10/10/4t5/10/10/10/10/F9 w", "a9xa10").0.state;
    assert_eq!(
        (game().turn(&state), game().payoff(&state, Player::SECOND)),
        (Turn::Over, -1)
    );
    assert_eq!(
        outcome("f8m/10/10/10/10/10/10/10/10/FM8 w 999"),
        (Turn::Player(Player::FIRST), 0)
    );
    assert_eq!(
        outcome("f8m/10/10/10/10/10/10/10/10/FM8 w 1000"),
        (Turn::Over, 0)
    );
}

#[test]
fn marks() {
    let after = |text: &str, moves: &str| {
        let (at, _) = play(text, moves);
        let text = game().position_text(&at.state);
        text.split(' ').next().unwrap().to_string()
    };
    let text = "9f/10/10/10/4t5/10/10/4M3O1/10/F9 w";
    assert_eq!(after(text, "e3-e4"), "9f/10/10/10/4t5/10/4M'5/8O1/10/F9");
    assert_eq!(after(text, "i3-i4"), "9f/10/10/10/4t5/10/8O'1/4M5/10/F9");
    assert_eq!(after(text, "i3-i5"), "9f/10/10/10/4t5/8O!1/10/4M5/10/F9");
    let near = "9f/10/10/10/4t5/4S5/10/10/10/F9 w";
    assert_eq!(after(near, "e5xe6"), "9f/10/10/10/4t!5/10/10/10/10/F9");
    let bomb = "9f/10/10/10/4b5/4N5/10/10/10/F9 w";
    assert_eq!(after(bomb, "e5xe6"), "9f/10/10/10/4N!5/10/10/10/10/F9");
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    for (text, reason) in [
        ("", "1 row(s) where 10 belong"),
        (
            "f9/10/10/10/10/10/10/10/10/F8 w",
            "9 square(s) where 10 belong",
        ),
        ("f9/10/10/10/2m7/10/10/10/10/F9 w", "in a lake"),
        (
            "f9/10/10/10/2q7/10/10/10/10/F9 w",
            "pieces are FBSONTLPJCGM",
        ),
        (
            "f9/10/10/10/10/10/10/10/10/FMM7 w",
            "White has more than 1 of 'M'",
        ),
        ("f9/10/10/10/10/10/10/10/10/FB'8 w", "that has moved"),
        ("m9/10/10/10/10/10/10/10/10/M9 w", "neither side has a Flag"),
        ("f9/10/10/10/10/10/10/10/10/F9", "side to move is missing"),
        ("f9/10/10/10/10/10/10/10/10/F9 w x", "no number of plies"),
        ("f9/10/10/10/10/10/10/10/10/FM8 w 4 b2b1", "to and fro"),
        ("f9/10/10/10/10/10/10/10/10/FM'8 w 4 a2b1", "to and fro"),
        ("f9/10/10/10/10/10/10/10/10/FM'8 w 4 b3b1", "to and fro"),
        (
            "f9/10/10/10/10/10/10/10/10/FM'7m b 4 b2b1 - b2b1",
            "who threatens",
        ),
        (
            "f9/10/10/10/10/10/10/1m8/10/FM'8 b 0 b2b1 - - more",
            "too much",
        ),
    ] {
        let error = game().parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "'{text}': {error}");
    }
}

/// A position of few pieces around the lakes, so that they meet and run.
fn skirmish(seed: u64) -> String {
    let mut rng = Seed::new(seed).split("skirmish").rng();
    let mut squares = [['.'; 10]; 10];
    squares[0][0] = 'F';
    squares[9][9] = 'f';
    for letter in "MmOoTt"
        .chars()
        .take(2 + 2 * rng.random_range(0..3))
        .chain("Bb".chars())
    {
        loop {
            let (file, rank) = (rng.random_range(0..10), rng.random_range(2..8));
            let lake = matches!(rank, 4 | 5) && matches!(file, 2 | 3 | 6 | 7);
            if !lake && squares[rank][file] == '.' {
                squares[rank][file] = letter;
                break;
            }
        }
    }
    let rows: Vec<String> = squares
        .iter()
        .rev()
        .map(|row| {
            let mut text = String::new();
            let mut empty = 0;
            for &c in row.iter().chain(&['/']) {
                if c == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(c);
            }
            text.trim_end_matches('/').to_string()
        })
        .collect();
    format!("{} w", rows.join("/"))
}

/// A move that seldom attacks, mostly threatens, and mostly runs from a threat.
fn lively(state: &State, moves: &[Step], choice: u32) -> Step {
    let mover = state.mover;
    let enemies = state.board.owned(mover.other());
    let fit = |step: &&Step| {
        let quiet = state.board.at(step.to).is_none();
        let threatens = board::near(step.to) & enemies != 0;
        let runs = board::near(step.from) & enemies != 0;
        quiet
            && (if mover == Player::FIRST {
                threatens
            } else {
                runs
            })
    };
    let picked: Vec<Step> = moves.iter().filter(fit).copied().collect();
    let from = if picked.is_empty() || choice.is_multiple_of(8) {
        moves
    } else {
        &picked
    };
    from[(choice / 8) as usize % from.len()]
}

/// The fast rules and the slow ones along games that shuttle and chase.
fn follow(game: &Stratego, text: &str, seed: u64, plies: usize) -> (usize, usize) {
    let mut rng = Seed::new(seed).rng();
    let mut state = game.parse_position(text).unwrap();
    let mut path = Path::from_start(game, &state);
    let rule = game.repetition();
    let mut plain = Plain::new(text, game.limit);
    let (mut chases, mut played) = (0, 0);
    for _ in 0..plies {
        let mut moves = Vec::new();
        let ruling = path.legal_moves(game, &state, &mut moves);
        let mut sorted: Vec<(u8, u8)> = moves.iter().map(|step| (step.from, step.to)).collect();
        sorted.sort_unstable();
        assert_eq!(sorted, plain.moves(), "{}", game.position_text(&state));
        chases += usize::from(plain.forbids_a_chase());
        match plain.result() {
            Some(result) => {
                let payoff = match ruling.is_open() {
                    true => game.payoff(&state, Player::FIRST),
                    false => ruling.payoff(game, Player::FIRST),
                };
                assert!(game.turn(&state) == Turn::Over || !ruling.is_open());
                assert_eq!(payoff, result);
                break;
            }
            None => assert_eq!(game.turn(&state), Turn::Player(state.mover)),
        }
        let step = lively(&state, &moves, rng.random_range(0..u32::MAX));
        let before = state.clone();
        let made = Made::of(game, rule, &state, step);
        let token = game.play(&mut state, step);
        let after = state.clone();
        game.undo(&mut state, token);
        assert_eq!(state, before);
        state = after;
        path.enter(game, rule, &state, made);
        let text = game.situation_text(&state, &path);
        let read = game.parse_position(&text);
        assert_eq!(read.as_ref(), Ok(&state));
        assert_eq!(read.map(|read| game.key(&read)), Ok(game.key(&state)));
        // The path that a text tells of forbids the same, now and later.
        let told = game.parse_path(&text).unwrap();
        assert_eq!(game.situation_text(&state, &told), text);
        assert_eq!(
            game.key_on_path(&state, &told),
            game.key_on_path(&state, &path)
        );
        if !told.is_empty() && rng.random_range(0..8) == 0 {
            path = told;
        }
        plain.play((step.from, step.to));
        played += 1;
    }
    (chases, played)
}

#[test]
fn skirmishes_agree_with_the_plain_rules() {
    let game = Stratego::new(Setup::Figure, 150);
    let counted = (0..150).map(|seed| follow(&game, &skirmish(seed), seed, 200));
    let (chases, played) = counted.fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    assert!(
        chases > 0 && played > 1000,
        "{chases} chases were forbidden in {played} plies"
    );
}

#[test]
fn whole_games_agree_with_the_plain_rules() {
    for setup in ALL {
        let game = Stratego::new(setup, 60);
        follow(&game, &game.position_text(&game.start()), 1, 120);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn perft_agrees_with_the_plain_rules(seed: u64) {
        let text = skirmish(seed);
        let game = Stratego::new(Setup::Figure, 1000);
        let state = game.parse_position(&text).unwrap();
        for depth in 1..=3 {
            prop_assert_eq!(perft(&game, &state, depth), Plain::new(&text, 1000).perft(depth));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[FfMmOo10/w!' a-e-]{0,60}|.{0,30}") {
        let _ = game().parse_position(&text);
        let text = format!("9f/10/10/10/4t'5/4M'5/10/10/10/F9 b {text}");
        if game().parse_position(&text).is_ok() {
            prop_assert!(game().parse_path(&text).is_ok());
        }
    }

    #[test]
    fn sampled_positions_look_the_same(seed: u64) {
        let game = Stratego::new(Setup::Random(seed), 1000);
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        for _ in 0..300 {
            let moves = listed(&game, &state);
            if moves.is_empty() {
                break;
            }
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
            for player in [Player::FIRST, Player::SECOND] {
                let seen = game.observe(&state, &[], player);
                let sampled = game.sample_state(&seen, &mut rng);
                prop_assert_eq!(&game.view(&sampled, player), seen.view());
            }
        }
    }
}

/// The pictures of two states that look the same to a player are the same for that player, and
/// differ for the other.
#[test]
fn a_player_sees_no_hidden_rank() {
    let game = game();
    let state = game.start();
    let mut rng = Seed::new(9).rng();
    let seen = game.observe(&state, &[], Player::FIRST);
    let other = game.sample_state(&seen, &mut rng);
    assert_ne!(state, other);
    let view = |state: &State, viewer| {
        let view = game.view(state, viewer);
        let picture = game.picture_for(&view, None);
        format!("{picture:?} {}", game.view_text(&view))
    };
    assert_eq!(view(&state, Player::FIRST), view(&other, Player::FIRST));
    assert_ne!(view(&state, Player::SECOND), view(&other, Player::SECOND));
}

/// Schadd (2011, formula 5.8) as it stands: 4.84e101, not the 10^115 of the text.
#[test]
fn schadd_formula_5_8() {
    let mobile = Rank::ALL.into_iter().filter(|rank| rank.is_mobile());
    let counts: Vec<usize> = mobile.map(|rank| usize::from(ARMY[rank.index()])).collect();
    // The number of ways to choose k pieces of both sides in order, by k, divided by k!.
    let mut ways = vec![1.0];
    for &count in counts.iter().chain(&counts) {
        let mut next = vec![0.0; ways.len() + count];
        let mut share = 1.0;
        for a in 0..=count {
            share /= a.max(1) as f64;
            for (k, way) in ways.iter().enumerate() {
                next[k + a] += way * share;
            }
        }
        ways = next;
    }
    let choose = |n: u32, k: u32| (0..k).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1));
    let bombs = u32::from(ARMY[Rank::Bomb.index()]);
    let mut sum = 0.0;
    for (y, z) in (0..=bombs).flat_map(|y| (0..=bombs).map(move |z| (y, z))) {
        let free = 90 - y - z;
        let mut falling = 1.0;
        for (k, way) in ways.iter().enumerate() {
            sum += choose(39, y) * choose(39, z) * way * falling;
            falling *= f64::from(free) - k as f64;
        }
    }
    let states = 40.0 * 40.0 * sum;
    assert!((states / 4.84151e101 - 1.0).abs() < 1e-5, "{states:e}");
}
