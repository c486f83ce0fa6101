//! Toads-and-Frogs and its players (Wieczorek et al. 2013).
use std::cmp::Ordering;

use rand::RngExt;
use tabia_catalog::sums::{SumEvaluator, Summands};
use tabia_catalog::{Answer, AnyGame, open};
use tabia_game::{Limits, Seed};

const PLAYERS: [&str; 5] = [
    "alphabeta:deepening=on",
    "mcts:exploration=2.828,expand=5,playouts=10,choice=bound,solver=off",
    "array:playouts=2",
    "rules:games=4,training=50",
    "sums:table=1M",
];

/// A strip of toads, frogs and empty cells, half of them empty.
fn strip(rng: &mut tabia_game::GameRng, cells: usize) -> String {
    let cell = |_| ['T', 'F', '.', '.'][rng.random_range(0..4)];
    (0..cells).map(cell).collect()
}

/// TTFF is an edge for what is on either side of it.
#[test]
fn wieczorek_hard_lock_on_300_pairs() {
    let mut rng = Seed::new(1).rng();
    let mut worth = SumEvaluator::new();
    for _ in 0..300 {
        let [x, y] = [(); 2].map(|()| {
            let cells = rng.random_range(1..=6);
            strip(&mut rng, cells)
        });
        let whole = Summands::read(&format!("toads:{x}TTFF{y}")).unwrap();
        let apart = Summands::read(&format!("toads:{x} + toads:{y}")).unwrap();
        let order = worth.compare(&whole, &apart, &Limits::default()).unwrap();
        assert_eq!(order, Some(Ordering::Equal), "{x} and {y}");
    }
}

/// Value and outcome of a strip.
fn worth(strip: &str) -> (String, String) {
    let sum = Summands::read(strip).unwrap();
    let valued = SumEvaluator::new().of(&sum, &Limits::default()).unwrap();
    (valued.value, valued.outcome.to_string())
}

/// The position of figure 1; its value is not in the paper.
#[test]
fn wieczorek_figure_1() {
    assert_eq!(worth("toads:T.TF.FF"), worth("{0|-1/2}"));
}

/// Families of starts that are known from Winning Ways and Erickson (1996): with one cell between
/// two or more on either side a star, with two cells before a lone frog one less than there are
/// toads.
#[test]
fn wieczorek_families_of_toads_and_frogs() {
    let strip = |toads: usize, cells: usize, frogs: usize| {
        let cells = ".".repeat(cells);
        format!("toads:{}{cells}{}", "T".repeat(toads), "F".repeat(frogs))
    };
    for toads in 2..=6 {
        for frogs in 2..=6 {
            assert_eq!(
                worth(&strip(toads, 1, frogs)),
                worth("*"),
                "{toads} {frogs}"
            );
        }
    }
    for toads in 1..=8 {
        let less = (toads - 1).to_string();
        assert_eq!(worth(&strip(toads, 2, 1)), worth(&less), "{toads}");
    }
    for both in 1..=7 {
        let outcome = if both == 1 { "P" } else { "N" };
        assert_eq!(worth(&strip(both, 2, both)).1, outcome, "{both}");
    }
}

fn ask(game: &dyn AnyGame, engine: &str, position: &str, limits: &Limits) -> Option<Answer> {
    let session = game.session(Some(position)).unwrap();
    session.ending().is_none().then(|| {
        let mut engine = game.engine(engine).unwrap();
        session.ask(&mut engine, limits).unwrap()
    })
}

/// The player of sums knows the winner, as minimax does, and wins what can be won.
#[test]
fn sums_are_exact() {
    let game = open("toads").unwrap();
    let mut rng = Seed::new(2).rng();
    let mut decided = 0;
    for number in 0..60 {
        let position = format!("{} {}", strip(&mut rng, 9), ["x", "o"][number % 2]);
        let limits = Limits::default();
        let Some(answer) = ask(&*game, "sums:table=1M", &position, &limits) else {
            continue;
        };
        let exact = ask(&*game, "minimax", &position, &Limits::depth(60)).unwrap();
        assert!(answer.solved && exact.solved, "{position}");
        assert_eq!(answer.value, exact.value, "{position}");
        let mut session = game.session(Some(&position)).unwrap();
        session.play(&answer.best.unwrap()).unwrap();
        let reply = ask(&*game, "minimax", &session.position(), &Limits::depth(60));
        if answer.value == Some(1.0) {
            assert!(
                reply.is_none_or(|reply| reply.value == Some(-1.0)),
                "{position}"
            );
            decided += 1;
        }
    }
    assert!(decided > 10);
}

/// Every player plays every strip, short or long, however its stones go.
#[test]
fn all_strips_and_gaits_are_played() {
    let game = open("toads").unwrap();
    let long = "T.".repeat(30) + "...." + &".F".repeat(30);
    for position in [
        "TT.FF o",
        "1,2,2,1:X.XO..OX.O x",
        "2,3,1,0:X..X...O..O o",
        &long,
        "T.",
    ] {
        for player in PLAYERS {
            let answer = ask(&*game, player, position, &Limits::nodes(2000)).unwrap();
            let mut session = game.session(Some(position)).unwrap();
            session.play(&answer.best.unwrap()).unwrap();
        }
    }
    assert!(open("toads:impartial=on").is_ok() && open("toads:40,40,40").is_ok());
}

/// The same luck makes the same moves; another one others, where luck is asked.
#[test]
fn games_replay() {
    let game = open("toads:4,3,4").unwrap();
    for player in PLAYERS {
        let line = |luck: u64| {
            let mut engine = game.engine(player).unwrap();
            engine.new_game(Seed::new(luck));
            let mut session = game.session(None).unwrap();
            let mut line = Vec::new();
            while session.ending().is_none() {
                let answer = session.ask(&mut engine, &Limits::nodes(500)).unwrap();
                let best = answer.best.unwrap();
                session.play(&best).unwrap();
                line.push(best);
            }
            line
        };
        assert_eq!(line(1), line(1), "{player}");
    }
}
