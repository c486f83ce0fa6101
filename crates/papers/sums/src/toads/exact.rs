//! What is exact: values, outcomes, the start, and table 1.

use tabia_cgt::{Evaluator, OutcomeClass, Unevaluated};
use tabia_combinatorial::toads::{Freedom, Locks, Toads};
use tabia_game::{Cancel, Combinatorial, LastMover, Limits, Player};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::tournament::Tournament;
use tabia_lab::{ExperimentReport, LabError, Row, Verdict};
use tabia_search::array::Numbering;

/// Strips and their values: Berlekamp, Conway and Guy (1982), Erickson (1996), and figure 1 of the
/// paper.
const VALUES: [(&str, &str); 19] = [
    ("T.F", "*"),
    ("TT.FF", "*"),
    ("TTT.FF", "*"),
    ("TTTT.FFF", "*"),
    ("TT.F", "{1/2|0}"),
    ("TTT.F", "{1*|0}"),
    ("TTTT.F", "{{2|1}|0}"),
    ("TT..F", "1"),
    ("TTTTT..F", "4"),
    ("TT..FF", "*"),
    ("TTT..FF", "{1/2|0}"),
    ("TTT..FFF", "{1/8|-1/8}"),
    ("TTTT..FF", "{3/2|0}"),
    ("T...F", "*"),
    ("TT...F", "2*"),
    ("TTT...F", "4*"),
    ("TTT...FF", "1*"),
    ("TTT...FFF", "0"),
    ("T.TF.FF", "{0|-1/2}"),
];

const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";
const STRIPS: &str = "values";
const OUTCOMES: &str = "outcomes";
const FACTS: &str = "start";
/// T^a..F^a has been settled up to this a.
const MAX_ANIMALS: usize = 7;

fn bad(error: impl std::fmt::Display) -> LabError {
    LabError::BadRequest(error.to_string())
}

fn unevaluated(error: Unevaluated) -> LabError {
    match error {
        Unevaluated::Stopped(_) => LabError::Stopped,
        other => bad(other),
    }
}

fn limits(cancel: &Cancel) -> Limits {
    Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    }
}

/// For each strip 1 if its value is as told, else 0.
fn strips(cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let mut evaluator = Evaluator::new(Toads);
    let mut meter = limits(cancel).meter();
    let mut equal = Vec::new();
    for (strip, told) in VALUES {
        let strip = Toads.parse_position(strip).map_err(bad)?;
        let value = evaluator.value(&strip, &mut meter).map_err(unevaluated)?;
        let told = evaluator.values_mut().read(told).map_err(bad)?;
        equal.push(f64::from(u8::from(value == told)));
    }
    Ok(equal)
}

/// For each a 1 if whoever moves first wins T^a..F^a, 0 if whoever moves second does, and 2
/// otherwise.
fn outcomes(cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let mut evaluator = Evaluator::new(Toads);
    let mut meter = limits(cancel).meter();
    let mut found = Vec::new();
    for animals in 1..=MAX_ANIMALS {
        let text = format!("{}..{}", "T".repeat(animals), "F".repeat(animals));
        let strip = Toads.parse_position(&text).map_err(bad)?;
        let value = evaluator.value(&strip, &mut meter).map_err(unevaluated)?;
        found.push(match evaluator.values_mut().outcome(value).map_err(bad)? {
            OutcomeClass::P => 0.0,
            OutcomeClass::N => 1.0,
            _ => 2.0,
        });
    }
    Ok(found)
}

/// Slides of both sides, steps of both, moves in all, whether it is its own negative.
fn facts() -> Result<Vec<f64>, LabError> {
    let strip = Toads.parse_position(START).map_err(bad)?;
    let [toads, frogs] = Freedom::of(&strip, 0, START.len());
    let game = LastMover::new(Toads, strip);
    let state = game.standing(strip, Player::FIRST);
    Ok(vec![
        toads.slides.into(),
        frogs.slides.into(),
        toads.steps.into(),
        frogs.steps.into(),
        Locks.mobility(&game, &state) as f64,
        f64::from(u8::from(Toads.negative(&strip) == strip)),
        Locks::worth(&strip),
    ])
}

/// Values, outcomes and the start.
pub fn values() -> ExperimentPlan {
    ExperimentPlan {
        cells: vec![
            ExperimentCell::once(STRIPS, strips),
            ExperimentCell::once(OUTCOMES, outcomes),
            ExperimentCell::once(FACTS, |_| facts()),
        ],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for (place, (strip, told)) in VALUES.iter().enumerate() {
                let equal = measured.count(STRIPS, place)?;
                report
                    .rows
                    .push(Row::exact(format!("{strip} is {told}"), 1, equal).derived());
            }
            for animals in 1..=MAX_ANIMALS {
                let first = measured.count(OUTCOMES, animals - 1)?;
                let name = format!("T^{animals}..F^{animals}: won by whoever begins");
                let row = Row::exact(name, u64::from(animals > 1), first);
                report.rows.push(row.derived());
            }
            let rows = [
                ("slides of the toads at the start", 7),
                ("slides of the frogs", 7),
                ("E of the toads", 97),
                ("E of the frogs", 97),
                ("moves of both sides", 14),
            ];
            for (column, (name, told)) in rows.into_iter().enumerate() {
                report
                    .rows
                    .push(Row::exact(name, told, measured.count(FACTS, column)?));
            }
            let negative = measured.count(FACTS, 5)? == 1;
            report.relation(
                "The start is its own negative, so that neither side wins it whoever begins",
                Verdict::of(negative),
                START,
            );
            let worth = measured.column(FACTS, 6)?;
            report.relation(
                "The evaluation of the start is zero",
                Verdict::of(worth == [0.0]),
                format!("{worth:?}"),
            );
            report.conditions.push(
                "values and outcomes are not printed in the paper; they follow from Winning Ways \
                 and Erickson (1996)"
                    .to_string(),
            );
            Ok(report)
        }),
    }
}

const RESULTS: &str = include_str!("../../../../../examples/tournaments/toads-and-frogs-2013.toml");

/// NBW, SOS and SOSOS by place.
const TABLE_1: [(&str, [u64; 3]); 17] = [
    ("W. Wieczorek (MCTS)", [5, 15, 75]),
    ("R. Skinderowicz (αβ)", [4, 16, 68]),
    ("A. Mikrut", [4, 14, 73]),
    ("P. Niegowski", [3, 16, 59]),
    ("J. Kozak (Rules)", [3, 14, 63]),
    ("R. Kucharski", [3, 13, 71]),
    ("M. Gwiżdż", [3, 13, 64]),
    ("A. Nowakowski (UCT)", [3, 13, 63]),
    ("M. Gołab", [3, 12, 65]),
    ("W. Kloc", [3, 8, 64]),
    ("K. Bukowiński", [2, 16, 62]),
    ("K. Dworak", [2, 13, 59]),
    ("M. Cywka", [2, 12, 52]),
    ("M. Bałchanowski", [2, 8, 56]),
    ("P. Juszczyk", [1, 13, 66]),
    ("K. Ciepiewski", [1, 10, 57]),
    ("M. Środa", [1, 9, 60]),
];

const TIE_BREAKS: [&str; 3] = ["NBW", "SOS", "SOSOS"];

/// Table 1 from the results of its games.
pub fn tournament() -> Result<ExperimentPlan, LabError> {
    let cell = ExperimentCell::once("table 1", |_| {
        let tournament: Tournament = RESULTS.parse().map_err(bad)?;
        let standings = tournament.standings();
        let mut figures = Vec::new();
        for (place, (name, _)) in TABLE_1.iter().enumerate() {
            let standing = standings
                .get(place)
                .ok_or_else(|| bad("a player is missing"))?;
            let here = tournament.players[standing.player].name == *name;
            figures.push(f64::from(u8::from(here)));
            for number in 0..TIE_BREAKS.len() {
                let value = standing.tie_breaks.get(number).copied().flatten();
                figures.push(value.map_or(-1.0, |value| value.to_integer() as f64));
            }
        }
        Ok(figures)
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            let width = 1 + TIE_BREAKS.len();
            let mut in_place = 0;
            for (place, (name, printed)) in TABLE_1.iter().enumerate() {
                in_place += measured.count("table 1", width * place)?;
                for (number, tie_break) in TIE_BREAKS.iter().enumerate() {
                    let ours = measured.count("table 1", width * place + 1 + number)?;
                    let row = format!("{}. {name}: {tie_break}", place + 1);
                    report.rows.push(Row::exact(row, printed[number], ours));
                }
            }
            report.relation(
                "All players come in the printed order",
                Verdict::of(in_place == TABLE_1.len() as u64),
                format!("{in_place} of {}", TABLE_1.len()),
            );
            report.conditions.push(
                "a bye is a win over an opponent without wins whose SOS is the wins of the five \
                 who had it"
                    .to_string(),
            );
            Ok(report)
        }),
    })
}
