//! Schadd (2011), chapter 6: Best-Reply Search against paranoid search and max^n in Chinese
//! Checkers, Focus and Rolit.
//!
//! An item of a cell is a round: one game for every way to seat the players, all with the same
//! random opening. The paper has 250 to 5,000 milliseconds a move, about a thousand nodes to the
//! millisecond; here there are nodes, so that runs replay, and fewer of them. In place of the
//! random part of its evaluations, openings make games different.

mod printed;

use std::ops::ControlFlow;
use std::sync::Arc;

use tabia_game::{Cancel, Limits, Seed, Turn};
use tabia_registry::{AnyGame, open};

use printed::{Game, PrintedRow, TABLE_6_3, TABLE_6_4, TABLE_6_5, TABLE_6_6, range};
use tabia_lab::experiment::{Cell, ExperimentPlan, Measured};
use tabia_lab::matches::units::score_of_player;
use tabia_lab::matches::{Fixture, Hall, Opening, seating};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_lab::statistics::{CONFIDENCE, Interval, Mean, Moments, Score};
use tabia_lab::{Experiment, Figure, LabError, Report, Row, Scale, Setting, Verdict};

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
) -> Cell {
    let game = Arc::clone(game);
    let evaluation = evaluation(scale, &spec);
    let entrants: Vec<Entrant> = kinds
        .iter()
        .map(|kind| Entrant::parse(&format!("{kind}{evaluation},nodes={nodes}")))
        .collect();
    let seats = game.traits().players;
    let seatings = seating::seatings(entrants.len(), seats);
    Cell::sample(name, rounds, move |item, cancel| {
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

fn games_of(lines: &[PrintedRow]) -> Vec<(Game, usize)> {
    let mut games: Vec<(Game, usize)> = lines.iter().map(|l| (l.game, l.players)).collect();
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
    let name = |game: Game, players: usize, ms: u32| {
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
            let mut report = Report {
                conditions: conditions(scale, "all mixed seatings equally often"),
                ..Report::default()
            };
            let mut verdicts: Vec<(Game, f64, Verdict)> = Vec::new();
            for &(ms, _) in budgets(scale) {
                for line in lines.iter().filter(|line| line.ms == ms) {
                    let cell = name(line.game, line.players, ms);
                    let (ours, interval) = share(measured, &cell, 0)?;
                    let mut title = format!("{cell}: share of BRS");
                    if !line.is_consistent() {
                        title += &format!(" (printed {:.1}%, divided by 1008 games)", line.share);
                    }
                    let printed = Some(Figure::Number(line.corrected() / 100.0));
                    let row = Row::compared(title, printed, Figure::Number(ours));
                    report.rows.push(row.within(interval));
                    verdicts.push((line.game, ours, above(interval, 0.5)));
                }
            }
            for game in Game::ALL {
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

fn table_6_1(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const BASIC: [&str; 2] = ["paranoid:table=0,killers=0,history=none", "maxn:table=0"];
    const ADVANCED: [&str; 2] = [PARANOID, MAXN];
    const CELLS: [(usize, &str, [&str; 2], f64); 4] = [
        (2, "basic", BASIC, 0.955),
        (2, "advanced", ADVANCED, 0.917),
        (3, "basic", BASIC, 0.583),
        (3, "advanced", ADVANCED, 0.790),
    ];
    let (_, nodes) = budgets(setting.scale)[0];
    let name = |players: usize, kind: &str| format!("{players} players, {kind} settings");
    let mut cells = Vec::new();
    for (players, kind, engines, _) in CELLS {
        let spec = Game::Chinese.spec(players);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        let name = name(players, kind);
        let seed = Seed::new(setting.seed).split(&name);
        let rounds = rounds(setting.scale, players, 2);
        cells.push(cell(
            name,
            &opened,
            spec,
            &engines,
            (setting.scale, nodes),
            rounds,
            seed,
        ));
    }
    let scale = setting.scale;
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: conditions(scale, "all mixed seatings equally often"),
                ..Report::default()
            };
            let mut verdicts = Vec::new();
            for (players, kind, _, printed) in CELLS {
                let cell = name(players, kind);
                let (ours, interval) = share(measured, &cell, 0)?;
                let printed = Some(Figure::Number(printed));
                let row = Row::compared(
                    format!("{cell}: share of paranoid search"),
                    printed,
                    Figure::Number(ours),
                );
                report.rows.push(row.within(interval));
                verdicts.push(above(interval, 0.5));
            }
            report.relation(
                "paranoid search wins more than half against max^n in every setting",
                all(verdicts),
                "Sturtevant (2003) had 60.6% with three players and basic settings",
            );
            Ok(report)
        }),
    })
}

fn table_6_2(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const PRINTED: [(Game, f64); 3] = [
        (Game::Chinese, 0.475),
        (Game::Focus, 0.506),
        (Game::Rolit, 0.488),
    ];
    let scale = setting.scale;
    let (_, nodes) = budgets(scale)[0];
    let mut cells = Vec::new();
    for game in Game::ALL {
        let spec = game.spec(2);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        let seed = Seed::new(setting.seed).split("two").split(game.name());
        let rounds = rounds(scale, 2, 2);
        let name = game.name().to_string();
        cells.push(cell(
            name,
            &opened,
            spec,
            &[PARANOID, BRS],
            (scale, nodes),
            rounds,
            seed,
        ));
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: conditions(scale, "both seatings equally often, advanced settings"),
                ..Report::default()
            };
            for (game, printed) in PRINTED {
                let (ours, interval) = share(measured, game.name(), 0)?;
                let row = Row::compared(
                    format!("{}: share of paranoid search", game.name()),
                    Some(Figure::Number(printed)),
                    Figure::Number(ours),
                );
                report.rows.push(row.within(interval));
                let halves = measured.column(game.name(), 0)?;
                report.relation(
                    format!(
                        "{}: with two players both are one search, and every round is shared",
                        game.name()
                    ),
                    Verdict::of(halves.iter().all(|&half| half == 0.5)),
                    format!("{} rounds of two games", halves.len()),
                );
            }
            Ok(report)
        }),
    })
}

/// Positions at which depths are measured, after this many random moves of each player.
const DEPTH_ROUNDS: [u32; 4] = [1, 4, 8, 12];

fn table_6_3(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const ENGINES: [(&str, &str); 3] = [("max^n", MAXN), ("paranoid", PARANOID), ("BRS", BRS)];
    let scale = setting.scale;
    let positions = scale.pick([16, 200]);
    let name = |game: Game, players: usize, ms: u32, engine: &str| {
        format!("{}, {players} players, {ms} ms, {engine}", game.name())
    };
    let mut cells = Vec::new();
    for (game, players, ms, _) in TABLE_6_3 {
        let Some(&(_, nodes)) = budgets(scale).iter().find(|(own, _)| *own == ms) else {
            continue;
        };
        let game_spec = game.spec(players);
        let opened: Arc<dyn AnyGame> = open(&game_spec)?.into();
        for (engine, spec) in ENGINES {
            let opened = Arc::clone(&opened);
            let spec = format!("{spec}{}", evaluation(scale, &game_spec));
            let seed = Seed::new(setting.seed).split("depth").split(game.name());
            let name = name(game, players, ms, engine);
            cells.push(Cell::sample(name, positions, move |item, cancel| {
                let plies = DEPTH_ROUNDS[item % DEPTH_ROUNDS.len()] * players as u32;
                let beginning = Opening::Random(plies).draw(&*opened, item as u64, seed)?;
                let mut session = opened.session(None)?;
                session.play_line(&beginning.moves.join(" "))?;
                if session.turn() == Turn::Over {
                    return Ok(vec![0.0]);
                }
                let limits = Limits {
                    cancel: cancel.clone(),
                    ..Limits::nodes(nodes)
                };
                let mut engine = opened.engine(&spec)?;
                engine.new_game(seed);
                let answer = session.ask(&mut engine, &limits)?;
                Ok(vec![f64::from(answer.depth)])
            }));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: vec![
                    conditions(scale, "depths of finished iterations").swap_remove(0),
                    format!(
                        "{positions} positions after {DEPTH_ROUNDS:?} random moves of each player; \
                         the paper: all positions of its games"
                    ),
                ],
                ..Report::default()
            };
            let (mut deeper, mut cells) = (0, 0);
            for (game, players, ms, printed) in TABLE_6_3 {
                if budgets(scale).iter().all(|(own, _)| *own != ms) {
                    continue;
                }
                let mut means = Vec::new();
                for ((engine, _), printed) in ENGINES.iter().zip(printed) {
                    let cell = name(game, players, ms, engine);
                    let depths: Moments = measured.values(&cell)?.into_iter().collect();
                    let mean = Mean::new(&depths, CONFIDENCE);
                    let row = Row::compared(
                        cell,
                        Some(Figure::Number(printed)),
                        Figure::Number(mean.mean),
                    );
                    report.rows.push(row.within(mean.interval));
                    means.push(mean.mean);
                }
                cells += 1;
                deeper += usize::from(means[1] > means[0]);
            }
            report.relation(
                "paranoid search looks further than max^n in every cell",
                Verdict::of(deeper == cells),
                format!("in {deeper} of {cells}"),
            );
            Ok(report)
        }),
    })
}

fn table_6_6(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const KINDS: [(&str, &str); 3] = [("BRS", BRS), ("paranoid", PARANOID), ("max^n", MAXN)];
    let scale = setting.scale;
    let name = |game: Game, ms: u32| format!("{}, {ms} ms", game.name());
    let mut cells = Vec::new();
    for game in Game::ALL {
        let spec = game.spec(3);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        for &(ms, nodes) in budgets(scale) {
            let name = name(game, ms);
            let seed = Seed::new(setting.seed).split("three").split(&name);
            let kinds = KINDS.map(|(_, spec)| spec);
            let rounds = rounds(scale, 3, 3);
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
            let mut report = Report {
                conditions: conditions(scale, "one player of each kind, in all six orders"),
                ..Report::default()
            };
            for (game, ms, points, _) in TABLE_6_6 {
                if budgets(scale).iter().all(|(own, _)| *own != ms) {
                    continue;
                }
                let cell = name(game, ms);
                let all: f64 = points.iter().sum();
                let mut shares = Vec::new();
                for (kind, (engine, _)) in KINDS.iter().enumerate() {
                    let (ours, interval) = share(measured, &cell, kind)?;
                    let row = Row::compared(
                        format!("{cell}: share of {engine}"),
                        Some(Figure::Number(points[kind] / all)),
                        Figure::Number(ours),
                    );
                    report.rows.push(row.within(interval));
                    shares.push((ours, interval));
                }
                let last = &shares[2];
                let verdict = match shares[..2].iter().all(|(_, i)| i.low > last.1.high) {
                    true => Verdict::Held,
                    false if shares[..2].iter().any(|(_, i)| i.high < last.1.low) => {
                        Verdict::Failed
                    }
                    false => Verdict::Undecided,
                };
                report.relation(
                    format!("{cell}: max^n is last"),
                    verdict,
                    format!(
                        "{:.1}, {:.1} and {:.1}%",
                        100.0 * shares[0].0,
                        100.0 * shares[1].0,
                        100.0 * shares[2].0
                    ),
                );
            }
            Ok(report)
        }),
    })
}

/// What can be said of the tables without playing.
fn consistency() -> ExperimentPlan {
    ExperimentPlan {
        cells: vec![Cell::once("printed", |_| {
            let tables = [TABLE_6_4, TABLE_6_5];
            let wrong = tables.map(|table| table.iter().filter(|l| !l.is_consistent()).count());
            Ok(wrong.map(|count| count as f64).to_vec())
        })],
        report: Box::new(|measured| {
            let mut report = Report::default();
            let names = ["table 6.4", "table 6.5"];
            for (column, (name, table)) in names.iter().zip([TABLE_6_4, TABLE_6_5]).enumerate() {
                let wrong = measured.count("printed", column)?;
                let six = table.iter().filter(|line| line.players == 6);
                report.relation(
                    format!("{name}: all shares but those of six players follow from the points"),
                    Verdict::of(wrong == 3 && six.clone().all(|line| !line.is_consistent())),
                    format!("{wrong} do not: they divide by the 1008 games of four players"),
                );
                for line in six {
                    report.rows.push(Row::compared(
                        format!(
                            "{name}, 6 players, {} ms: share of BRS in 1054 games",
                            line.ms
                        ),
                        Some(Figure::Number(line.share)),
                        Figure::Number((10.0 * line.corrected()).round() / 10.0),
                    ));
                }
            }
            let (low, high) = range(TABLE_6_4.map(|line| line.share));
            report.relation(
                "chapter 7: BRS wins from 65 to 95% against max^n",
                Verdict::of(low >= 65.0 - 0.5 && high <= 95.0),
                format!("table 6.4 says from {low} to {high}%"),
            );
            let lines = TABLE_6_5.iter().filter(|line| line.game != Game::Rolit);
            let (low, high) = range(lines.map(|line| line.share));
            report.relation(
                "chapter 7: BRS wins from 57 to 71% against paranoid search in Chinese Checkers \
                 and Focus",
                Verdict::of(low >= 56.5 && high <= 71.5),
                format!("table 6.5 says from {low} to {high}%"),
            );
            Ok(report)
        }),
    }
}
