//! Games for two.

use std::collections::HashMap;

use tabia_alignment::connect4::{Connect4, Threats};
use tabia_breakthrough::breakthrough::{Advancement, Breakthrough, SettledByArrival, State};
use tabia_game::{Cancel, Game, Knowledge, Player, Turn, Wdl, perft_limited};
use tabia_reversi::{Othello, Score};
use tabia_small::pig::Pig;
use tabia_solve::best_first::Guided;
use tabia_solve::dfpn::Dfpn;
use tabia_solve::expectation::expectation;
use tabia_solve::{Attack, Prover, Settled, Status};

use tabia_lab::experiment::ExperimentPlan;
use tabia_lab::{LabError, Setting};

use super::{Check, checks, within, wrong};

/// Positions of which the expectation is found, at most.
const MAX_POSITIONS: u64 = 50_000_000;

pub fn pig(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let wins = |cancel: &Cancel| {
        let pig = Pig::new(100);
        let found = expectation(&pig, &pig.start(), MAX_POSITIONS, &within(cancel));
        let share = (found.map_err(wrong)?.value + 1.0) / 2.0;
        Ok([(share * 10_000.0).round() as u64])
    };
    let check = Check::new("to 100 points", [("wins of 10,000", 5_306)], wins);
    Ok(checks(vec![check], &[]))
}

/// Bytes of the table.
const TABLE: u64 = 1 << 28;

pub fn connect_four(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let check = |attacker: Player, name: &str| {
        let fails = move |cancel: &Cancel| {
            let game = Connect4::<u64>::new(5, 5, 4).map_err(wrong)?;
            let attack = Attack {
                attacker,
                at_least: 1,
            };
            let mut dfpn = Dfpn::guided(TABLE, 1, Guided::by(Threats));
            let limits = within(cancel);
            let proof = dfpn.prove(&game, &game.start(), attack, &(), &limits);
            Ok([u64::from(proof.status == Status::Disproved)])
        };
        Check::new(name, [("a win is disproved", 1)], fails)
    };
    let players = [
        check(Player::FIRST, "the first player"),
        check(Player::SECOND, "the second player"),
    ];
    Ok(checks(players.into(), &["5x5, four in a row"]))
}

/// Games in which nobody can move after nine moves.
const OVER: u64 = 228;

pub fn othello(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let known = [(8, 390_216), (9, 3_005_288), (10, 24_571_284 - OVER)];
    let check = |(depth, sequences): (u32, u64)| {
        let count = move |cancel: &Cancel| {
            let game = Othello::<u64>::new(8, Score::Win).map_err(wrong)?;
            Ok([perft_limited(&game, &game.start(), depth, &within(cancel))?])
        };
        Check::new(format!("{depth} moves"), [("sequences", sequences)], count)
    };
    let checked = known.into_iter().map(check).collect();
    Ok(checks(
        checked,
        &[
            "passes are moves of this count",
            "228 games are over after nine moves; 24,571,284 are printed for ten, where these go \
             on with a pass",
        ],
    ))
}

/// Evaluations from here on claim a win.
const CLAIM: i32 = 900_000;

pub fn breakthrough_races(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let check = |(width, height): (usize, usize)| {
        let count = move |_: &Cancel| {
            let game = Breakthrough::<u64>::new(width, height).map_err(wrong)?;
            let mut known = HashMap::new();
            mover_wins(&game, &game.start(), &mut known);
            let (mut claims, mut untrue, mut missed) = (0, 0, 0);
            for (state, &wins) in &known {
                let Turn::Player(mover) = game.turn(state) else {
                    continue;
                };
                let value = Advancement.evaluate(&game, state, mover);
                if value.abs() > CLAIM {
                    claims += 1;
                    untrue += u64::from((value > 0) != wins);
                }
                let seen = SettledByArrival.value(&game, state);
                missed += u64::from(seen.is_some_and(|value| (value == Wdl::Win) != wins));
            }
            Ok([u64::from(claims > 1_000), untrue, missed])
        };
        let figures = [
            ("more than 1,000 claims", 1),
            ("claims that are not true", 0),
            ("seen at sight and not true", 0),
        ];
        Check::new(format!("{width}x{height}"), figures, count)
    };
    let boards = [(2, 7), (3, 5), (4, 4)];
    Ok(checks(boards.map(check).into(), &[]))
}

/// Whether the player to move wins; `known` is told of every position that can arise.
fn mover_wins(
    game: &Breakthrough<u64>,
    state: &State<u64>,
    known: &mut HashMap<State<u64>, bool>,
) -> bool {
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let Turn::Player(mover) = game.turn(state) else {
        return false;
    };
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    // No short cut: all positions are to be known.
    let mut wins = false;
    for mv in moves {
        let mut child = *state;
        game.play(&mut child, mv);
        wins |= match game.turn(&child) {
            Turn::Over => game.payoff(&child, mover) > 0,
            _ => !mover_wins(game, &child, known),
        };
    }
    known.insert(*state, wins);
    wins
}
