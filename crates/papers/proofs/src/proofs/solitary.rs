//! One player alone in Chinese Checkers: how far every position is from the target.

use tabia_game::{Cancel, Game, Player};
use tabia_multiplayer::chinese_checkers::{ChineseCheckers, Foreign, Rules, Solitaire};
use tabia_tables::patterns::distances;

use tabia_lab::experiment::ExperimentPlan;
use tabia_lab::{LabError, Scale, Setting};

use super::{Check, checks, wrong};

pub fn plan(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let leaving = Rules {
        leave: true,
        ..Rules::default()
    };
    let known = [
        ("49 cells", Rules::default(), 9_351),
        ("49 cells, leaving the target", leaving, 9_353),
    ];
    let mut checked = Vec::new();
    for (name, rules, fifth) in known {
        let figures = [
            ("positions", 13_983_816),
            ("moves from the start", 17),
            ("moves from the furthest", 21),
            ("positions so far away", 38),
            ("positions five moves away", fifth),
        ];
        checked.push(Check::new(name, figures, move |cancel| {
            let found = solved(rules, cancel)?;
            let (positions, start, layers) = (found.positions, found.start, found.layers);
            let furthest = layers.len() as u64 - 1;
            let last = layers.last().copied().unwrap_or(0);
            Ok([positions, start, furthest, last, layers[5]])
        }));
    }
    if setting.scale == Scale::Full {
        let open = Rules {
            foreign: Foreign::Open,
            ..Rules::default()
        };
        let figures = [
            ("positions", 170_230_452),
            ("the start is no further away than on 49", 1),
        ];
        checked.push(Check::new("73 cells", figures, move |cancel| {
            let found = solved(open, cancel)?;
            Ok([found.positions, u64::from(found.start <= 17)])
        }));
    }
    Ok(checks(
        checked,
        &["six pieces, by retrograde search from the target"],
    ))
}

struct Found {
    positions: u64,
    /// The distance of the start.
    start: u64,
    /// How many positions are 0, 1, 2 and so on moves away.
    layers: Vec<u64>,
}

fn solved(rules: Rules, cancel: &Cancel) -> Result<Found, LabError> {
    let solitaire = Solitaire::new(rules);
    let distances = distances::<ChineseCheckers>(&solitaire, cancel, &|_| {}).map_err(wrong)?;
    let game = ChineseCheckers::new(6, rules).map_err(wrong)?;
    let start = solitaire.number(&game, &game.start(), Player::FIRST);
    let mut layers = vec![0u64; 256];
    for &distance in &distances {
        layers[usize::from(distance)] += 1;
    }
    while layers.last() == Some(&0) {
        layers.pop();
    }
    Ok(Found {
        positions: distances.len() as u64,
        start: distances[start as usize].into(),
        layers,
    })
}
