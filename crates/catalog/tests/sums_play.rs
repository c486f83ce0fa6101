//! Sums played move by move.

use tabia_catalog::sums::play::{Bout, METHODS, PlayMethod};
use tabia_catalog::sums::{Config, OutcomeClass, SumEvaluator, Summands};
use tabia_game::{Limits, Player, Seed};

const CONFIG: Config = Config {
    valued: Some(6),
    memory: 2 << 20,
    threads: 1,
};

fn bout(text: &str, first: Player, seed: u64) -> Bout {
    Bout::new(
        &Summands::read(text).unwrap(),
        first,
        CONFIG,
        Seed::new(seed),
    )
}

/// Who wins if both play like that, Left moving first.
fn winner(text: &str, methods: [PlayMethod; 2], seed: u64) -> Player {
    let mut bout = bout(text, Player::FIRST, seed);
    loop {
        let mover = bout.mover();
        let choice = bout
            .choose(methods[mover.index()], &Limits::default())
            .unwrap();
        match choice {
            Some(choice) => bout.play(choice),
            None => return mover.other(),
        }
    }
}

const SUMS: [&str; 7] = [
    "domineering:...|... + toads:TT.FF",
    "clobber:XOXO|OXOX + *2",
    "{3|-3} + {10|0||-1} + -1/2",
    "hackenbush:BRG + nim:2 + ^",
    "impartial clobber:XOXO + octal.137:5",
    "snort:...|.#. + col:....",
    "amazons:X..|..O + domineering:....",
];

/// Whoever wins by the canonical value wins by the exact search, whatever the other does.
#[test]
fn the_exact_player_loses_no_won_sum() {
    let mut worth = SumEvaluator::new();
    for text in SUMS {
        let sum = Summands::read(text).unwrap();
        let outcome = worth.of(&sum, &Limits::default()).unwrap().outcome;
        let first_wins = matches!(outcome, OutcomeClass::L | OutcomeClass::N);
        for (_, other) in METHODS {
            for seed in 0..3 {
                let (methods, wanted) = match first_wins {
                    true => ([PlayMethod::Exact, other], Player::FIRST),
                    false => ([other, PlayMethod::Exact], Player::SECOND),
                };
                assert_eq!(winner(text, methods, seed), wanted, "{text} {other:?}");
            }
        }
    }
}

/// Of two switches all strategies take the larger one.
#[test]
fn strategies_take_the_largest_switch() {
    for method in [
        PlayMethod::Hotstrat,
        PlayMethod::Sentestrat,
        PlayMethod::Thermostrat,
    ] {
        for first in [Player::FIRST, Player::SECOND] {
            let mut bout = bout("{1|-1} + {3|-3} + *", first, 0);
            let choice = bout.choose(method, &Limits::default()).unwrap().unwrap();
            let after = if first == Player::FIRST { "3" } else { "-3" };
            assert_eq!((choice.component, choice.text.as_str()), (2, after));
        }
    }
}

/// The threat of temperature 15 is above the ambient 10: Sentestrat answers it, and Hotstrat goes
/// on with its own of 20.
#[test]
fn sentestrat_answers_threats() {
    for (method, answer) in [(PlayMethod::Sentestrat, 1), (PlayMethod::Hotstrat, 2)] {
        let mut bout = bout("{30|0||-1} + {10||0|-40}", Player::SECOND, 0);
        let limits = Limits::default();
        let first = bout.choose(method, &limits).unwrap().unwrap();
        assert_eq!(first.component, 2, "{method:?}");
        bout.play(first);
        let threat = bout
            .moves()
            .unwrap()
            .into_iter()
            .find(|choice| choice.component == 1);
        bout.play(threat.unwrap());
        let found = bout.choose(method, &limits).unwrap().unwrap();
        assert_eq!(found.component, answer, "{method:?}");
    }
}

#[test]
fn hints_tell_values_and_winning_moves() {
    let mut bout = bout("toads:TT.F + *2", Player::FIRST, 0);
    let told = bout.told(&Limits::default()).unwrap();
    assert_eq!(told[0].value, "{1/2|0}");
    assert_eq!(told[0].text, "toads:TT.F");
    assert_eq!(told[1].temperature.to_string(), "0");
    // The frog's {1/2|0} made 1/2 wins, and so does *2 made a star: Right's 0 + * is Left's, as is
    // {1/2|0}. Without the star Right would move to nothing.
    let wins = bout.winning(&Limits::default()).unwrap();
    let wins: Vec<(usize, &str)> = wins
        .iter()
        .map(|c| (c.component, c.text.as_str()))
        .collect();
    assert_eq!(wins.len(), 2, "{wins:?}");
    assert_eq!((wins[0].0, wins[1]), (1, (2, "*")));
}
