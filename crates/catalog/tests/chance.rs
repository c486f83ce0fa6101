//! The searches of trees with chance nodes agree on every game of the catalog that has them.
use rand::RngExt;
use tabia_catalog::{AnyGame, entries, open};
use tabia_game::{Limits, Seed, Turn};

/// All that find the value of Expectimax, each in an order of its own.
const SAFE: [&str; 6] = [
    "star1:deepening=off,table=0,order=generated",
    "star2:deepening=off,table=0,outcomes=given",
    "star2:deepening=off,table=1M,etc=on,history=on",
    "star2.5:deepening=off,table=1K,probes=3,order=random",
    "star2:deepening=on,table=4M,outcomes=widest,pick=table",
    "star1:deepening=on,table=4K,order=static",
];

/// Positions of random play in which a player moves.
fn positions(game: &dyn AnyGame, count: usize) -> Vec<String> {
    let mut found = Vec::new();
    for number in 0..10 * count as u64 {
        let mut rng = Seed::new(7).number(number).rng();
        let mut session = game.session(None).unwrap();
        for _ in 0..rng.random_range(0..40) {
            match session.turn() {
                Turn::Over => break,
                Turn::Chance => drop(session.roll(&mut rng).unwrap()),
                Turn::Player(_) => {
                    let moves = session.moves();
                    session
                        .play(&moves[rng.random_range(0..moves.len())])
                        .unwrap();
                }
            }
        }
        if session.turn() == Turn::Chance {
            session.roll(&mut rng).unwrap();
        }
        if matches!(session.turn(), Turn::Player(_)) {
            found.push(session.position());
        }
        if found.len() == count {
            break;
        }
    }
    found
}

#[test]
fn searches_agree_on_every_game_with_chance() {
    let mut compared = 0;
    for spec in entries().iter().flat_map(|entry| entry.examples) {
        let game = open(spec).unwrap();
        if !game.engines().iter().any(|info| info.name == "expectimax") {
            continue;
        }
        for position in positions(&*game, 4) {
            for chance in ["on", "off"] {
                let depth = 2;
                let value = |engine: &str| {
                    let engine = match engine.contains(':') {
                        true => format!("{engine},chance={chance}"),
                        false => format!("{engine}:chance={chance}"),
                    };
                    let mut engine = game.engine(&engine).unwrap();
                    let session = game.session(Some(&position)).unwrap();
                    let answer = session.ask(&mut engine, &Limits::depth(depth)).unwrap();
                    answer.value.unwrap()
                };
                let wanted = value("expectimax");
                for engine in SAFE {
                    let found = value(engine);
                    assert!(
                        (found - wanted).abs() < 1e-9,
                        "{spec} at {position}: {engine} with chance={chance} finds {found}, \
                         Expectimax {wanted}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 6 * 2 * 4 * 10, "{compared} comparisons");
}
