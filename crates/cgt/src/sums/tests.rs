use rand::RngExt;
use tabia_combinatorial::amazons::combinatorial::Amazons;
use tabia_combinatorial::clobber::Clobber;
use tabia_combinatorial::domineering::Domineering;
use tabia_combinatorial::hackenbush::Hackenbush;
use tabia_combinatorial::nim::Nim;
use tabia_combinatorial::nogo::NoGo;
use tabia_game::{Combinatorial, Impartial, Limits, Player, Seed};

use super::{Config, Solver, Sum};
use crate::Evaluator;

const SMALL: Config = Config {
    valued: Some(12),
    memory: 2 << 20,
    threads: 1,
};

fn read<R: Combinatorial>(rules: &R, text: &str) -> R::Position {
    match rules.parse_position(text) {
        Ok(position) => position,
        Err(error) => panic!("'{text}': {error}"),
    }
}

/// A position after some moves of either player.
fn wander<R: Combinatorial>(
    rules: &R,
    mut position: R::Position,
    rng: &mut tabia_game::GameRng,
) -> R::Position {
    for _ in 0..rng.random_range(0..6) {
        let player = Player(rng.random_range(0..2));
        let mut moves = Vec::new();
        rules.moves(&position, player, &mut moves);
        if moves.is_empty() {
            break;
        }
        rules.play(
            &mut position,
            player,
            moves[rng.random_range(0..moves.len())],
        );
    }
    position
}

/// The search with values, the search without, several threads, and the canonical value of the sum
/// agree.
fn agree<R: Combinatorial + Clone>(rules: R, starts: &[&str], sums: u64) {
    const LIMITS: fn() -> Limits = Limits::default;
    let mut evaluator = Evaluator::new(rules.clone());
    let mut solvers = [Some(12), Some(0), None]
        .map(|valued| Solver::new(rules.clone(), Config { valued, ..SMALL }));
    let mut two = Solver::new(
        rules.clone(),
        Config {
            threads: 2,
            ..SMALL
        },
    );
    for number in 0..sums {
        let mut rng = Seed::new(5).number(number).rng();
        let positions: Vec<R::Position> = (0..rng.random_range(1..4))
            .map(|_| {
                let start = read(&rules, starts[rng.random_range(0..starts.len())]);
                wander(&rules, start, &mut rng)
            })
            .collect();
        let texts: Vec<String> = positions.iter().map(|p| rules.position_text(p)).collect();
        let mut value = crate::Value::ZERO;
        for position in &positions {
            let worth = evaluator.value(position, &mut LIMITS().meter()).unwrap();
            value = evaluator.values_mut().sum(value, worth).unwrap();
        }
        let wanted = evaluator.values_mut().outcome(value).unwrap();
        let sum = Sum {
            positions: &positions,
            values: &[],
        };
        for solver in &mut solvers {
            let found = solver.outcome(sum, &LIMITS()).unwrap();
            assert_eq!(
                found,
                wanted,
                "{texts:?} valued {:?}",
                solver.config().valued
            );
        }
        if number % 50 == 0 {
            assert_eq!(two.outcome(sum, &LIMITS()).unwrap(), wanted, "{texts:?}");
        }
    }
}

#[test]
fn searches_agree_with_values() {
    agree(Domineering, &["...|...|...", "....|....", "......"], 2000);
    agree(Clobber, &["XOX|OXO", "XOXOXOX", "XXO|O.X|XOO"], 2000);
    agree(NoGo, &["...|...", "....."], 1000);
    agree(Amazons, &["X..|..O", "X.#|.O.", "XO..|...."], 500);
    agree(
        Hackenbush,
        &["BRG", "BBRR+RG", "0-1:b,1-2:r,0-2:g,2-3:b"],
        1000,
    );
    agree(Impartial(Domineering), &["...|...", "....|...."], 500);
    agree(Impartial(Clobber), &["XOX|OXO"], 500);
}

/// Random sums of some positions, one after the other in the same solvers, of which a few are new
/// each time.
fn threads_agree<R: Combinatorial + Clone>(rules: R, starts: &[&str], sums: u64) {
    let solver = |threads| {
        let valued = None;
        Solver::new(
            rules.clone(),
            Config {
                threads,
                valued,
                ..SMALL
            },
        )
    };
    let mut solvers = [solver(1), solver(2)];
    for number in 0..sums {
        let mut rng = Seed::new(14).number(number).rng();
        let positions: Vec<R::Position> = (0..rng.random_range(1..4))
            .map(|_| {
                let start = read(&rules, starts[rng.random_range(0..starts.len())]);
                wander(&rules, start, &mut rng)
            })
            .collect();
        let texts: Vec<String> = positions.iter().map(|p| rules.position_text(p)).collect();
        let sum = Sum {
            positions: &positions,
            values: &[],
        };
        if number % 8 == 0 {
            solvers = [solver(1), solver(2)];
        }
        let mover = Player(rng.random_range(0..2));
        let [one, two] = &mut solvers;
        let [one, two] = [one, two].map(|s| s.wins(sum, mover, &Limits::default()).unwrap());
        assert_eq!(one.wins, two.wins, "{texts:?} {mover:?}");
        if number % 8 == 0 {
            let again = solver(1).wins(sum, mover, &Limits::default()).unwrap();
            assert_eq!(one, again, "{texts:?}: one thread takes the same nodes");
        }
    }
}

#[test]
fn two_threads_answer_as_one() {
    threads_agree(Clobber, &["XOXO|OXOX|XOXO", "XXOO|OXXO", "XOXOXOXOXO"], 150);
    threads_agree(
        Domineering,
        &[".....|.....|.....|.....", "....|....|...."],
        150,
    );
    threads_agree(NoGo, &["...|...|...", "....|....", "......."], 150);
    threads_agree(Amazons, &["X..|..O|...", "X.#.|.O.."], 60);
}

/// Positions of every game to begin with.
const STARTS: [(&str, &[&str]); 16] = [
    ("amazons", &["X..|..O", "X.#|.O.", "XO.."]),
    ("clobber", &["XOX|OXO", "XOXOXO", "XXO|O.X"]),
    ("col", &["...|...", "....", "X..|.#O"]),
    ("domineering", &["...|...", "....", "..#|...|#.."]),
    ("elephants", &["X..XO..O", "X.O.X.O"]),
    ("fission", &[".X.|...", "..X..", ".#.|.X.|..."]),
    ("hackenbush", &["BRG", "BBR+RG", "0-1:b,1-2:r,0-2:g"]),
    ("nim", &["3,1", "2", "5"]),
    ("nodekayles", &["path:5", "cycle:5", "star:2,1,1"]),
    ("nogo", &["...|...", "....."]),
    ("octal.137", &["7", "4,3"]),
    ("octal.07", &["6", "5,2"]),
    ("pinkayles", &["path:4", "star:1,1,1"]),
    ("snort", &["..|..", "....", "X..|.#O"]),
    ("toads", &["TT..FF", "T.TF.F", "TTT.F"]),
    ("toppling_dominoes", &["XOXO", "X#OX", "XXOO#"]),
];

/// A hundred thousand sums of positions of all games, mixed, one in four in its impartial form: who
/// wins by search is who wins by the canonical value of the sum.
#[test]
fn a_hundred_thousand_mixed_sums_are_won_as_their_values_say() {
    use tabia_combinatorial::mixed::{GameKind, Mixed};
    assert!(
        tabia_combinatorial::mixed::NAMES
            .iter()
            .all(|name| STARTS.iter().any(|(start, _)| start.starts_with(name))),
        "every game has its turn"
    );
    let any = Mixed::new(GameKind::Nim, false);
    let starts: Vec<(Mixed, _)> = STARTS
        .iter()
        .flat_map(|&(name, texts)| texts.iter().map(move |&text| (name, text)))
        .flat_map(|(name, text)| {
            [false, false, false, true].map(|impartial| {
                let rules = Mixed::new(GameKind::named(name).unwrap(), impartial);
                let start = read(&rules, text);
                (rules, start)
            })
        })
        .collect();
    let mut evaluator = Evaluator::new(any.clone());
    let mut solvers = [None, Some(0), Some(12)]
        .map(|valued| Solver::new(any.clone(), Config { valued, ..SMALL }));
    let mut outcomes = [0; 4];
    for number in 0..100_000u64 {
        let mut rng = Seed::new(6).number(number).rng();
        let mut value = crate::Value::ZERO;
        let positions: Vec<_> = (0..rng.random_range(1..4))
            .map(|_| {
                let (rules, start) = &starts[rng.random_range(0..starts.len())];
                wander(rules, start.clone(), &mut rng)
            })
            .collect();
        for position in &positions {
            let worth = evaluator.value(position, &mut Limits::default().meter());
            value = evaluator.values_mut().sum(value, worth.unwrap()).unwrap();
        }
        let wanted = evaluator.values_mut().outcome(value).unwrap();
        let solver = &mut solvers[number as usize % 3];
        let sum = Sum {
            positions: &positions,
            values: &[],
        };
        let found = solver.outcome(sum, &Limits::default()).unwrap();
        assert_eq!(found, wanted, "{positions:?}");
        outcomes[wanted as usize] += 1;
    }
    assert!(outcomes.iter().all(|&n| n > 5000), "{outcomes:?}");
}

/// The bounds of a position hold of its value.
fn check_bounds<R: Combinatorial>(evaluator: &mut Evaluator<R>, text: &str) {
    let position = read(evaluator.rules(), text);
    let [low, high] = evaluator.rules().bounds(&position).unwrap();
    let value = evaluator
        .value(&position, &mut Limits::default().meter())
        .unwrap();
    let values = evaluator.values_mut();
    let [low, high] = [low, high].map(|n| values.integer(n as i32).unwrap());
    assert!(values.le(low, value).unwrap(), "{text}");
    assert!(values.le(value, high).unwrap(), "{text}");
}

/// The bounds of Amazons hold on every board of 3x2 squares, and in random larger rooms of one
/// side; most of these can be filled.
#[test]
fn bounds_of_amazons_hold() {
    let mut evaluator = Evaluator::new(Amazons);
    for number in 0..4usize.pow(6) {
        let cell = |i: usize| ['.', 'X', 'O', '#'][number >> (2 * i) & 3];
        let row = |y: usize| (0..3).map(|x| cell(3 * y + x)).collect::<String>();
        check_bounds(&mut evaluator, &format!("{}|{}", row(0), row(1)));
    }
    let mut rng = Seed::new(9).rng();
    let mut full = 0;
    for _ in 0..200 {
        let queen = ['X', 'O'][rng.random_range(0..2)];
        let cell = |_| ['.', '.', '.', '#', '.', '#', queen][rng.random_range(0..7)];
        let cells: Vec<char> = (0..12).map(cell).collect();
        let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
        let text = rows.join("|");
        check_bounds(&mut evaluator, &text);
        let [low, high] = Amazons.bounds(&read(&Amazons, &text)).unwrap();
        full += u32::from(low == high);
    }
    assert!(full > 20, "{full} rooms");
}

/// The bounds of Domineering hold on every board of up to 4x4 squares, and on random larger ones.
#[test]
fn bounds_of_domineering_hold() {
    let mut evaluator = Evaluator::new(Domineering);
    let mut check = |text: &str| check_bounds(&mut evaluator, text);
    let text_of = |width: usize, height: usize, bits: u64| {
        let row = |y: usize| -> String {
            let cell = |x: usize| {
                if bits >> (y * width + x) & 1 == 1 {
                    '#'
                } else {
                    '.'
                }
            };
            (0..width).map(cell).collect()
        };
        (0..height).map(row).collect::<Vec<_>>().join("|")
    };
    for (width, height) in [(4, 3), (3, 4), (4, 4), (6, 2), (2, 6), (12, 1)] {
        for bits in 0..1 << (width * height) {
            check(&text_of(width, height, bits));
        }
    }
    let mut rng = Seed::new(7).rng();
    for (width, height) in [(5, 5), (6, 4), (4, 6), (5, 4)] {
        for _ in 0..150 {
            let holes = rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>();
            check(&text_of(width, height, holes));
        }
    }
}

/// The bounds of NoGo hold on every board of up to six points, and on random larger ones.
#[test]
fn bounds_of_nogo_hold() {
    let mut evaluator = Evaluator::new(NoGo);
    let mut meeting = 0;
    let mut check = |cells: &[char], width: usize| {
        let rows: Vec<String> = cells
            .chunks(width)
            .map(|row| row.iter().collect())
            .collect();
        let text = rows.join("|");
        // Blocks without a liberty are no positions.
        if let Ok(position) = NoGo.parse_position(&text) {
            check_bounds(&mut evaluator, &text);
            let [low, high] = NoGo.bounds(&position).unwrap();
            meeting += u32::from(low == high);
        }
    };
    for (width, height) in [(6, 1), (3, 2), (2, 2), (2, 3)] {
        for number in 0..4usize.pow((width * height) as u32) {
            let cell = |i: usize| ['.', 'X', 'O', '#'][number >> (2 * i) & 3];
            let cells: Vec<char> = (0..width * height).map(cell).collect();
            check(&cells, width);
        }
    }
    let mut rng = Seed::new(12).rng();
    for (width, height) in [(3, 3), (4, 3), (4, 4)] {
        for _ in 0..300 {
            let cell = |_| ['.', '.', 'X', 'X', 'O'][rng.random_range(0..5)];
            let cells: Vec<char> = (0..width * height).map(cell).collect();
            check(&cells, width);
        }
    }
    assert!(meeting > 100, "{meeting} boards");
}

/// Games that say that they are all small have all-small values.
#[test]
fn all_small_games_have_all_small_values() {
    let mut evaluator = Evaluator::new(Clobber);
    for number in 0..300u64 {
        let mut rng = Seed::new(13).number(number).rng();
        let position = wander(&Clobber, read(&Clobber, "XOXO|OXOX|XXOO"), &mut rng);
        let value = evaluator.value(&position, &mut Limits::default().meter());
        assert!(Clobber.is_all_small(&position));
        assert!(evaluator.values().is_all_small(value.unwrap()));
    }
}

/// Beside infinitesimals the smallest number decides, without search.
#[test]
fn numbers_outweigh_all_small_games() {
    let mut solver = Solver::new(Clobber, SMALL);
    let board = [read(&Clobber, "XOXOXO|OXOXOX|XOXOXO|OXOXOX|XOXOXO|OXOXOX")];
    let mut ask = |number: &str, first| {
        let sum = Sum {
            positions: &board,
            values: &[number.to_string()],
        };
        solver.wins(sum, first, &Limits::nodes(1)).unwrap().wins
    };
    assert!(ask("1/1024", Player::FIRST) && !ask("1/1024", Player::SECOND));
    assert!(!ask("-1/1024", Player::FIRST) && ask("-1/1024", Player::SECOND));
}

/// Values stand beside positions.
#[test]
fn values_are_summands() {
    let mut solver = Solver::new(Domineering, SMALL);
    let board = [read(&Domineering, "..|..")];
    let mut wins = |value: &str, player| {
        let sum = Sum {
            positions: &board,
            values: &[value.to_string()],
        };
        solver.wins(sum, player, &Limits::default()).unwrap().wins
    };
    // The board is worth +-1.
    assert!(wins("0", Player::FIRST) && wins("0", Player::SECOND));
    assert!(!wins("+-1", Player::FIRST) && !wins("+-1", Player::SECOND));
    assert!(wins("2", Player::FIRST) && !wins("2", Player::SECOND));
    assert!(wins("1", Player::FIRST) && wins("1", Player::SECOND));
    assert!(wins("1*", Player::FIRST) && !wins("1*", Player::SECOND));
    let sum = Sum {
        positions: &board,
        values: &["{1|".to_string()],
    };
    assert!(solver.wins(sum, Player::FIRST, &Limits::default()).is_err());
}

#[test]
fn limits_end_a_search() {
    let mut solver = Solver::new(
        Domineering,
        Config {
            valued: Some(0),
            ..SMALL
        },
    );
    let board = [read(
        &Domineering,
        "......|......|......|......|......|......",
    )];
    let sum = Sum {
        positions: &board,
        values: &[],
    };
    let stopped = solver.wins(sum, Player::FIRST, &Limits::nodes(100));
    assert_eq!(stopped, Err(tabia_game::Stopped.into()));
    assert_eq!(solver.spent(), 100, "nodes are told all the same");
}

/// Values that would take hours end with the time there is.
#[test]
fn time_ends_the_search_for_values() {
    let config = Config {
        valued: Some(64),
        ..SMALL
    };
    let mut solver = Solver::new(Clobber, config);
    let board = [read(&Clobber, "XOXOXO|OXOXOX|XOXOXO|OXOXOX|XOXOXO|OXOXOX")];
    let sum = Sum {
        positions: &board,
        values: &[],
    };
    let limits = Limits {
        time: Some(std::time::Duration::from_millis(50)),
        ..Limits::default()
    };
    let stopped = solver.wins(sum, Player::FIRST, &limits);
    assert_eq!(stopped, Err(tabia_game::Stopped.into()));
}

/// Rules that do not tell that they are impartial.
#[derive(Clone, Debug)]
struct Silent<R>(R);

impl<R: Combinatorial> Combinatorial for Silent<R> {
    type Position = R::Position;
    type Move = R::Move;

    fn moves(&self, position: &R::Position, player: Player, out: &mut Vec<R::Move>) {
        self.0.moves(position, player, out);
    }

    fn can_move(&self, position: &R::Position, player: Player) -> bool {
        self.0.can_move(position, player)
    }

    fn play(&self, position: &mut R::Position, player: Player, mv: R::Move) {
        self.0.play(position, player, mv);
    }

    fn split(&self, position: &R::Position, out: &mut Vec<R::Position>) {
        self.0.split(position, out);
    }

    fn negative(&self, position: &R::Position) -> R::Position {
        self.0.negative(position)
    }

    fn position_text(&self, position: &R::Position) -> String {
        self.0.position_text(position)
    }

    fn parse_position(&self, text: &str) -> Result<R::Position, tabia_game::TextError> {
        self.0.parse_position(text)
    }

    fn position_help(&self) -> &'static str {
        self.0.position_help()
    }

    fn move_text(&self, position: &R::Position, player: Player, mv: R::Move) -> String {
        self.0.move_text(position, player, mv)
    }

    fn picture(&self, position: &R::Position, last: Option<R::Move>) -> tabia_game::Picture {
        self.0.picture(position, last)
    }
}

fn ask<R: Combinatorial + Clone>(
    rules: R,
    text: &str,
    valued: Option<u32>,
) -> Result<bool, super::Unsolved> {
    let position = [read(&rules, text)];
    let sum = Sum {
        positions: &position,
        values: &[],
    };
    let config = Config {
        valued,
        memory: 1 << 24,
        ..SMALL
    };
    let mut solver = Solver::new(rules, config);
    let won = solver.wins(sum, Player::FIRST, &Limits::default());
    won.map(|won| won.wins)
}

/// Long lines of play are searched by recursion, which needs no more stack than a thread has; that
/// for nimbers has none. From a heap one is taken at a time: there is one line of play.
#[test]
fn long_lines_of_play_do_not_overflow_the_stack() {
    use tabia_combinatorial::octal::Octal;
    let rules = Octal::new(".3").unwrap();
    for valued in [None, Some(0)] {
        let silent = |heap: u32| ask(Silent(rules.clone()), &heap.to_string(), valued);
        assert_eq!(silent(1500), Ok(false));
        assert_eq!(silent(3001), Ok(true));
        assert_eq!(silent(2 * super::MAX_PLIES), Err(super::Unsolved::Plies));
        assert_eq!(ask(rules.clone(), "9999", valued), Ok(true));
    }
}

/// Impartial sums, for which there is another search, are won as they are by the search of sums.
#[test]
fn impartial_sums_are_won_as_by_the_search_of_sums() {
    for seed in 0..60 {
        let rng = &mut Seed::new(seed).rng();
        let start = ["XOX.|OXOX|.XOX", "XOXOXOXOXO"][seed as usize % 2];
        let rules = Impartial(Clobber);
        let board = wander(&rules, read(&rules, start), rng);
        let text = rules.position_text(&board);
        let heap = rng.random_range(0..4);
        for valued in [None, Some(0)] {
            let config = Config { valued, ..SMALL };
            let values = [format!("*{heap}")];
            let positions = [board];
            let sum = Sum {
                positions: &positions,
                values: &values,
            };
            let limits = Limits::default();
            let own = Solver::new(rules, config).wins(sum, Player::FIRST, &limits);
            let all = Solver::new(Silent(rules), config).wins(sum, Player::FIRST, &limits);
            let wins = own.unwrap().wins;
            assert_eq!(wins, all.unwrap().wins, "{text} + *{heap}");
            let nimber = Solver::new(rules, config).nimber(sum, &limits).unwrap();
            assert!(nimber.is_some());
            assert_eq!(nimber == Some(0), !wins, "{text} + *{heap}");
            let none = Solver::new(Silent(rules), config).nimber(sum, &limits);
            assert_eq!(none, Ok(None));
        }
    }
}

/// Where there is no more room for values, fewer are found, and the answers are the same.
#[test]
fn little_memory_makes_no_difference_to_answers() {
    let rows = ["XOXOXOXOXOXOXOXOXOXOXOXOXO", "XOXO|OXOX|XOXO|OXOX"];
    for text in rows {
        let asked = |memory, valued| {
            let config = Config {
                memory,
                valued,
                ..SMALL
            };
            let position = [read(&Clobber, text)];
            let sum = Sum {
                positions: &position,
                values: &[],
            };
            let limits = Limits::default();
            let won = Solver::new(Clobber, config).wins(sum, Player::FIRST, &limits);
            won.unwrap().wins
        };
        assert_eq!(asked(1 << 20, Some(40)), asked(1 << 26, None), "{text}");
    }
}

/// A table that there is no memory for is refused when it is needed, and nothing is aborted.
#[test]
fn more_memory_than_there_is_is_refused() {
    let config = Config {
        memory: 1 << 60,
        ..SMALL
    };
    let position = [read(&Clobber, "XO")];
    let sum = Sum {
        positions: &position,
        values: &[],
    };
    let refused = Solver::new(Clobber, config).wins(sum, Player::FIRST, &Limits::default());
    assert_eq!(refused, Err(super::Unsolved::Memory(1 << 59)));
}

/// Domineering on square boards (Breuker, Uiterwijk and van den Herik 2000): the first player wins
/// on 2x2, 3x3 and 4x4, the second on 5x5, the first on 6x6.
#[test]
fn breuker_domineering_on_square_boards() {
    let mut solver = Solver::new(Domineering, Config::default());
    for (size, first) in [(2, true), (3, true), (4, true), (5, false), (6, true)] {
        let board = [read(&Domineering, &vec![".".repeat(size); size].join("|"))];
        let sum = Sum {
            positions: &board,
            values: &[],
        };
        for player in [Player::FIRST, Player::SECOND] {
            let answer = solver.wins(sum, player, &Limits::default()).unwrap();
            assert_eq!(answer.wins, first, "{size}x{size}");
        }
    }
}

#[test]
fn winning_moves_are_those_after_which_the_other_loses() {
    let mut solver = Solver::new(Nim, SMALL);
    let positions = ["1", "2", "5"].map(|text| read(&Nim, text));
    let sum = Sum {
        positions: &positions,
        values: &[],
    };
    let moves = solver
        .winning_moves(sum, Player::FIRST, &Limits::default())
        .unwrap();
    // 1 ^ 2 ^ 5 = 6: only the heap of five can be made three.
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].0, 2);
}
