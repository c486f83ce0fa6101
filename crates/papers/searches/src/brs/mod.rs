//! Schadd (2011), chapter 6: Best-Reply Search against paranoid search and max^n in Chinese
//! Checkers, Focus and Rolit.
//!
//! An item of a cell is a round: one game for every way to seat the players, all with the same
//! random opening. The paper has 250 to 5,000 milliseconds a move, about a thousand nodes to the
//! millisecond; here there are nodes, so that runs replay, and fewer of them. In place of the
//! random part of its evaluations, openings make games different.

mod printed;
mod tables;

use std::ops::ControlFlow;
use std::sync::Arc;

use tabia_game::{Cancel, Seed};
use tabia_registry::{AnyGame, open};

use printed::{PrintedGame, PrintedRow, TABLE_6_4, TABLE_6_5, range};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::matches::units::score_of_player;
use tabia_lab::matches::{Fixture, Hall, Opening, seating};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_lab::statistics::{CONFIDENCE, Interval, Moments, Score};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};
use tables::{consistency, table_6_1, table_6_2, table_6_3, table_6_6};

const PAPER: &str = "brs";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "table-6.1",
        title: "Paranoid search against max^n in Chinese Checkers",
        source: "Schadd (2011), table 6.1",
        takes: ["a minute", "an hour"],
        plan: table_6_1,
    },
    Experiment {
        paper: PAPER,
        name: "table-6.2",
        title: "Paranoid search against Best-Reply Search with two players",
        source: "Schadd (2011), table 6.2",
        takes: ["a minute", "an hour"],
        plan: table_6_2,
    },
    Experiment {
        paper: PAPER,
        name: "table-6.3",
        title: "How far max^n, paranoid search and Best-Reply Search look ahead",
        source: "Schadd (2011), table 6.3",
        takes: ["a minute", "twenty minutes"],
        plan: table_6_3,
    },
    Experiment {
        paper: PAPER,
        name: "table-6.4",
        title: "Best-Reply Search against max^n",
        source: "Schadd (2011), table 6.4",
        takes: ["a minute", "several hours"],
        plan: |setting| against(setting, &TABLE_6_4, "maxn", "max^n"),
    },
    Experiment {
        paper: PAPER,
        name: "table-6.5",
        title: "Best-Reply Search against paranoid search",
        source: "Schadd (2011), table 6.5",
        takes: ["a minute", "several hours"],
        plan: |setting| against(setting, &TABLE_6_5, "paranoid", "paranoid search"),
    },
    Experiment {
        paper: PAPER,
        name: "table-6.6",
        title: "Best-Reply Search, paranoid search and max^n at one table",
        source: "Schadd (2011), table 6.6",
        takes: ["a minute", "several hours"],
        plan: table_6_6,
    },
    Experiment {
        paper: PAPER,
        name: "printed",
        title: "What the tables add up to, and what chapter 7 makes of them",
        source: "Schadd (2011), tables 6.4 to 6.6 and section 7.1",
        takes: ["a second", "a second"],
        plan: |_| Ok(consistency()),
    },
];

/// The searches of section 6.5, with tables small enough to be emptied for every round.
const MAXN: &str = "maxn:table=4M";
const PARANOID: &str = "paranoid:table=4M";
const BRS: &str = "brs:table=4M";

/// What a game adds to every engine: in Chinese Checkers positions are judged by the table of
/// solitary play, as in the paper, unless there is only a minute, which it would take to build.
fn evaluation(scale: Scale, spec: &str) -> &'static str {
    match scale {
        Scale::Full if spec.starts_with("chinese") => ",evaluation=table",
        _ => "",
    }
}

/// Moves at random before the players are asked; whole rounds of all players, so that nobody is
/// ahead.
const OPENING_ROUNDS: u32 = 2;

/// Nodes a move that stand for 250, 1,000 and 5,000 milliseconds, as far as they are played.
fn budgets(scale: Scale) -> &'static [(u32, u64)] {
    match scale {
        Scale::Quick => &[(250, 250)],
        Scale::Full => &[(250, 1_000), (1_000, 4_000), (5_000, 20_000)],
    }
}

/// Games of a cell: at least a thousand, or a few.
fn rounds(scale: Scale, players: usize, kinds: usize) -> usize {
    let seatings = seating::count(kinds, players).unwrap_or(1);
    let games: u64 = scale.pick([96, 1_000]);
    games.div_ceil(seatings) as usize
}

/// A round for each item; its figures are the shares of all kinds in the wins.
fn cell(
    name: String,
    game: &Arc<dyn AnyGame>,
    spec: String,
    kinds: &[&str],
    (scale, nodes): (Scale, u64),
    rounds: usize,
    seed: Seed,
) -> ExperimentCell {
    let game = Arc::clone(game);
    let evaluation = evaluation(scale, &spec);
    let entrants: Vec<Entrant> = kinds
        .iter()
        .map(|kind| Entrant::parse(&format!("{kind}{evaluation},nodes={nodes}")))
        .collect();
    let seats = game.traits().players;
    let seatings = seating::seatings(entrants.len(), seats);
    ExperimentCell::sample(name, rounds, move |item, cancel| {
        let hall = Hall {
            game: &*game,
            spec: &spec,
            entrants: &entrants,
            terms: &Terms::default(),
            opening: &Opening::Random(OPENING_ROUNDS * seats as u32),
            seed,
        };
        play_round(&hall, &seatings, item as u64, cancel)
    })
}

fn play_round(
    hall: &Hall<'_>,
    seatings: &[Vec<usize>],
    round: u64,
    cancel: &Cancel,
) -> Result<Vec<f64>, LabError> {
    let fixtures: Vec<Fixture> = (0..)
        .zip(seatings)
        .map(|(number, seats)| Fixture {
            number,
            round,
            opening: round,
            seats: seats.clone(),
        })
        .collect();
    let mut shares = vec![0.0; hall.entrants.len()];
    let done = hall.play(&fixtures, 1, cancel, &mut |played| {
        for (kind, share) in shares.iter_mut().enumerate() {
            *share += score_of_player(&played, kind).unwrap_or(0.0) / seatings.len() as f64;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    match done {
        true => Ok(shares),
        false => Err(LabError::Stopped),
    }
}

/// The share of a kind in a cell, with its interval.
fn share(measured: &Measured, cell: &str, kind: usize) -> Result<(f64, Interval), LabError> {
    let units: Moments = measured.column(cell, kind)?.into_iter().collect();
    let score = Score::new(&units, CONFIDENCE);
    Ok((score.mean, score.interval))
}

/// That a share is above a limit.
fn above(interval: Interval, limit: f64) -> Verdict {
    let turned = Interval {
        low: 1.0 - interval.high,
        high: 1.0 - interval.low,
    };
    Verdict::below(turned, 1.0 - limit)
}

/// Several claims as one: as good as the worst of them.
fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut all = Verdict::Held;
    for verdict in verdicts {
        all = match (all, verdict) {
            (Verdict::Failed, _) | (_, Verdict::Failed) => Verdict::Failed,
            (Verdict::Held, Verdict::Held) => Verdict::Held,
            _ => Verdict::Undecided,
        };
    }
    all
}

fn conditions(scale: Scale, seating: &str) -> Vec<String> {
    let nodes: Vec<String> = budgets(scale)
        .iter()
        .map(|(ms, nodes)| format!("{nodes} nodes for {ms} ms"))
        .collect();
    vec![
        format!("ours: {} a move; {seating}", nodes.join(", ")),
        match scale {
            Scale::Quick => "Chinese Checkers is judged by rows to go",
            Scale::Full => "Chinese Checkers is judged by the table of solitary play",
        }
        .to_string(),
        format!(
            "{OPENING_ROUNDS} moves of each player at random, the same for all seatings of a \
             round; a shared win counts in parts"
        ),
    ]
}

fn games_of(lines: &[PrintedRow]) -> Vec<(PrintedGame, usize)> {
    let mut games: Vec<(PrintedGame, usize)> = lines.iter().map(|l| (l.game, l.players)).collect();
    games.dedup();
    games
}

/// Tables 6.4 and 6.5.
fn against(
    setting: &Setting,
    lines: &'static [PrintedRow],
    rival: &'static str,
    rival_name: &'static str,
) -> Result<ExperimentPlan, LabError> {
    let scale = setting.scale;
    let name = |game: PrintedGame, players: usize, ms: u32| {
        format!("{}, {players} players, {ms} ms", game.name())
    };
    let rival = match rival {
        "maxn" => MAXN,
        _ => PARANOID,
    };
    let mut cells = Vec::new();
    for (game, players) in games_of(lines) {
        let spec = game.spec(players);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        for &(ms, nodes) in budgets(scale) {
            let name = name(game, players, ms);
            let seed = Seed::new(setting.seed).split(rival).split(&name);
            let rounds = rounds(scale, players, 2);
            let kinds = [BRS, rival];
            cells.push(cell(
                name,
                &opened,
                spec.clone(),
                &kinds,
                (scale, nodes),
                rounds,
                seed,
            ));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(scale, "all mixed seatings equally often"),
                ..ExperimentReport::default()
            };
            let mut verdicts: Vec<(PrintedGame, f64, Verdict)> = Vec::new();
            for &(ms, _) in budgets(scale) {
                for line in lines.iter().filter(|line| line.ms == ms) {
                    let cell = name(line.game, line.players, ms);
                    let (ours_share, interval) = share(measured, &cell, 0)?;
                    let title = format!("{cell}: share of BRS");
                    let (ours, printed) = (
                        Figure::Number(ours_share),
                        Figure::Number(line.share / 100.0),
                    );
                    let row = match line.is_consistent() {
                        true => Row::compared(title, Some(printed), ours),
                        // It was divided by the games of four players.
                        false => {
                            let corrected = Figure::Number(line.corrected() / 100.0);
                            Row::compared(title, Some(corrected), ours).corrected_from(printed)
                        }
                    };
                    report.rows.push(row.within(interval));
                    verdicts.push((line.game, ours_share, above(interval, 0.5)));
                }
            }
            for game in PrintedGame::ALL {
                let own = || verdicts.iter().filter(|(other, ..)| *other == game);
                let (low, high) = range(own().map(|(_, share, _)| 100.0 * share));
                report.relation(
                    format!(
                        "{}: BRS wins more than half against {rival_name}",
                        game.name()
                    ),
                    all(own().map(|(.., verdict)| *verdict)),
                    format!("from {low:.1} to {high:.1}% in {} cells", own().count()),
                );
            }
            Ok(report)
        }),
    })
}
