//! Games with chance: what the papers on *-Minimax measure, on one frame.
//!
//! Cells ask engines of the catalog at seeded positions, or let two of them play with the same dice
//! from both sides.

pub mod dice;
pub mod gammon;
pub mod probcut;
pub mod rivals;
pub mod trees;

use std::sync::Arc;
use std::time::Instant;

use tabia_game::{Cancel, Limits, Player, Seed, Turn};
use tabia_registry::{Answer, AnyGame, Counter, open};

use tabia_lab::experiment::{ExperimentCell, Measured};
use tabia_lab::statistics::{CONFIDENCE, Interval, Mean, Moments, Score};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Verdict};

/// Positions that engines are asked at.
#[derive(Clone)]
struct Set {
    game: Arc<dyn AnyGame>,
    positions: Arc<Vec<String>>,
}

/// What a search is measured by beside its nodes, in the order of the figures of a cell.
const SECONDS: usize = 1;
const VALUE: usize = 2;
const PROBED: usize = 3;
const PROBE_CUTOFFS: usize = 4;

fn counter(answer: &Answer, name: &str) -> f64 {
    let found = answer.counters.iter().find(|(known, _)| *known == name);
    match found {
        Some((_, Counter::One(n))) => *n as f64,
        _ => 0.0,
    }
}

impl Set {
    /// The search of an engine at each of the first `count` positions, with an empty memory each
    /// time.
    fn cell(&self, name: String, spec: String, depth: u32, count: usize) -> ExperimentCell {
        let set = self.clone();
        let count = count.min(self.positions.len());
        ExperimentCell::sample(name, count, move |item, cancel| {
            set.search(&spec, depth, item, cancel)
        })
    }

    /// Nodes of one search and what else it is measured by.
    fn search(
        &self,
        spec: &str,
        depth: u32,
        item: usize,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, LabError> {
        let mut engine = self.game.engine(spec)?;
        engine.new_game(Seed::new(1));
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::depth(depth)
        };
        let session = self.game.session(Some(&self.positions[item]))?;
        let started = Instant::now();
        let answer = session.ask(&mut engine, &limits)?;
        let seconds = started.elapsed().as_secs_f64();
        Ok(vec![
            answer.nodes as f64,
            seconds,
            answer.value.unwrap_or(f64::NAN),
            counter(&answer, "probed"),
            counter(&answer, "probe_cutoffs"),
        ])
    }
}

/// Whether two searches found the same value everywhere, but for rounding.
fn same_values(measured: &Measured, one: &str, other: &str) -> Result<bool, LabError> {
    let pairs = measured.column(one, VALUE)?.into_iter();
    let mut pairs = pairs.zip(measured.column(other, VALUE)?);
    Ok(pairs.all(|(a, b)| (a - b).abs() < 1e-9))
}

/// The share of chance nodes with probes that their probes decided.
fn probe_efficiency(measured: &Measured, cell: &str) -> Result<f64, LabError> {
    let sum = |column| -> Result<f64, LabError> {
        Ok(measured.column(cell, column)?.iter().sum::<f64>())
    };
    Ok(sum(PROBE_CUTOFFS)? / sum(PROBED)?.max(1.0))
}

/// Nodes of three searches of the same positions to one depth.
struct Family {
    /// What they are called in the report.
    title: String,
    expectimax: String,
    star1: String,
    star2: String,
}

/// What a family of searches was printed to need: nodes of Expectimax, and shares of them in
/// percent.
#[derive(Clone, Copy)]
struct Printed {
    expectimax: Option<f64>,
    star1: Option<f64>,
    star2: Option<f64>,
}

impl Family {
    fn new(title: String) -> Family {
        let cell = |engine: &str| format!("{title}, {engine}");
        Family {
            expectimax: cell("Expectimax"),
            star1: cell("Star1"),
            star2: cell("Star2"),
            title,
        }
    }

    fn cells(&self, set: &Set, specs: [&str; 3], depth: u32, count: usize) -> [ExperimentCell; 3] {
        let cell = |name: &String, spec: &str| set.cell(name.clone(), spec.into(), depth, count);
        let [expectimax, star1, star2] = specs;
        [
            cell(&self.expectimax, expectimax),
            cell(&self.star1, star1),
            cell(&self.star2, star2),
        ]
    }

    /// Adds rows and relations; the share of Star2.
    fn report(
        &self,
        report: &mut ExperimentReport,
        measured: &Measured,
        printed: Printed,
    ) -> Result<f64, LabError> {
        let title = &self.title;
        let nodes = measured.values(&self.expectimax)?;
        let mean = Mean::new(&nodes.iter().copied().collect::<Moments>(), CONFIDENCE);
        let number = |figure: Option<f64>| figure.map(Figure::Number);
        report.rows.push(
            Row::compared(
                format!("{title}: nodes of Expectimax"),
                number(printed.expectimax),
                Figure::Number(mean.mean),
            )
            .within(mean.interval),
        );
        let mut shares = Vec::new();
        for (name, cell, printed) in [
            ("Star1", &self.star1, printed.star1),
            ("Star2", &self.star2, printed.star2),
        ] {
            let (ratio, interval) = measured.ratio(cell, &self.expectimax)?;
            let row = Row::compared(
                format!("{title}: {name} / Expectimax"),
                number(printed.map(|percent| percent / 100.0)),
                Figure::Number(ratio),
            );
            report.rows.push(row.within(interval));
            shares.push((ratio, interval));
        }
        let (star2_to_star1, between) = measured.ratio(&self.star2, &self.star1)?;
        let verdict = match (
            Verdict::below(shares[0].1, 1.0),
            Verdict::below(between, 1.0),
        ) {
            (Verdict::Held, Verdict::Held) => Verdict::Held,
            (Verdict::Failed, _) | (_, Verdict::Failed) => Verdict::Failed,
            _ => Verdict::Undecided,
        };
        report.relation(
            format!("{title}: Star2 needs fewer nodes than Star1, and Star1 fewer than Expectimax"),
            verdict,
            format!(
                "Star1 {:.3} of Expectimax, Star2 {star2_to_star1:.3} of Star1",
                shares[0].0
            ),
        );
        let same = same_values(measured, &self.star1, &self.expectimax)?
            && same_values(measured, &self.star2, &self.expectimax)?;
        report.relation(
            format!("{title}: all three find the same values"),
            Verdict::of(same),
            format!("{} positions", nodes.len()),
        );
        let time = |cell: &str| -> Result<f64, LabError> {
            Ok(measured.column(cell, SECONDS)?.iter().sum::<f64>())
        };
        report.rows.push(Row::compared(
            format!("{title}: time of Star2 / Expectimax"),
            None,
            Figure::Number(time(&self.star2)? / time(&self.expectimax)?.max(1e-9)),
        ));
        Ok(shares[1].0)
    }
}

/// A game or networks that cannot be made.
fn failure(error: impl std::fmt::Display) -> LabError {
    LabError::BadRequest(error.to_string())
}

/// Games between two engines, each with the same dice from both sides; an item is such a pair, and
/// its figures are the share of the first engine in wins and its mean payoff.
fn duel(
    name: String,
    game: &str,
    engines: [String; 2],
    pairs: usize,
    seed: Seed,
) -> Result<ExperimentCell, LabError> {
    let game: Arc<dyn AnyGame> = open(game)?.into();
    Ok(ExperimentCell::sample(name, pairs, move |item, cancel| {
        play_pair(&*game, &engines, seed.number(item as u64), cancel)
    }))
}

/// The same with another game for every pair.
fn duel_of(
    name: String,
    game: impl Fn(usize) -> String + Send + Sync + 'static,
    engines: [String; 2],
    pairs: usize,
    seed: Seed,
) -> ExperimentCell {
    ExperimentCell::sample(name, pairs, move |item, cancel| {
        let game = open(&game(item))?;
        play_pair(&*game, &engines, seed.number(item as u64), cancel)
    })
}

fn play_pair(
    game: &dyn AnyGame,
    engines: &[String; 2],
    luck: Seed,
    cancel: &Cancel,
) -> Result<Vec<f64>, LabError> {
    let (mut wins, mut payoff) = (0.0, 0.0);
    for first in [0, 1] {
        let paid = play(game, engines, first, luck, cancel)?;
        payoff += paid / 2.0;
        wins += match paid {
            paid if paid > 0.0 => 0.5,
            paid if paid < 0.0 => 0.0,
            _ => 0.25,
        };
    }
    Ok(vec![wins, payoff])
}

/// What the first engine gets for a game in which it sits at seat `own`.
fn play(
    game: &dyn AnyGame,
    specs: &[String; 2],
    own: usize,
    luck: Seed,
    cancel: &Cancel,
) -> Result<f64, LabError> {
    let mut engines = Vec::new();
    for spec in specs {
        let mut engine = game.engine(spec)?;
        engine.new_game(luck);
        engines.push(engine);
    }
    let mut session = game.session(None)?;
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    let mut event = 0;
    loop {
        match session.turn() {
            Turn::Over => break,
            Turn::Chance => {
                // Each throw has luck of its own, so that both games of a pair have the same.
                session.roll(&mut luck.number(event).rng())?;
                event += 1;
            }
            Turn::Player(player) => {
                let who = if player.index() == own { 0 } else { 1 };
                let answer = session.ask(&mut engines[who], &limits)?;
                if cancel.is_cancelled() {
                    return Err(LabError::Stopped);
                }
                let moves = session.moves();
                let chosen = answer.best.or_else(|| moves.first().cloned());
                session.play(&chosen.unwrap_or_default())?;
            }
        }
    }
    let ending = session.ending();
    let payoffs = ending.map(|ending| ending.payoffs).unwrap_or_default();
    let seat = Player(own as u8).index();
    Ok(payoffs.get(seat).copied().map_or(0.0, f64::from))
}

/// The share of the first engine of a duel, with its interval.
fn share(measured: &Measured, cell: &str) -> Result<(f64, Interval), LabError> {
    let units: Moments = measured.values(cell)?.into_iter().collect();
    let score = Score::new(&units, CONFIDENCE);
    Ok((score.mean, score.interval))
}
