//! Games between the players: tables 2 to 4, and beyond.

use std::sync::{Arc, OnceLock};

use rand::RngExt;
use tabia_cgt::sums;
use tabia_combinatorial::Strip;
use tabia_combinatorial::toads::{Locks, Toads};
use tabia_game::combinatorial::LastMoverState;
use tabia_game::{Cancel, Combinatorial, Game, Key, LastMover, Limits, Path, Seed, Turn};
use tabia_registry::{SumPlayer, UCT, learnt};
use tabia_search::alphabeta::{self, AlphaBeta};
use tabia_search::array::{self, Array};
use tabia_search::learned_rules::{RuleBook, RuleEngine};
use tabia_search::mcts::{Mcts, WithoutChance};
use tabia_search::{Engine, Situation};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{CONFIDENCE, Interval, Moments, Score};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

type Pond = LastMover<Toads>;
type Hop = <Toads as Combinatorial>::Move;

const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";

/// The clocks of tables 2 to 4.
const CLOCKS: [&str; 3] = ["0.5 s", "1 s", "2 s"];

/// What a second is worth to one core, quick and full. The paper's array of five plies took at most
/// two seconds of six cores; ours takes 54 million moves of playouts at the start, so that a second
/// is about five million. Alpha-beta visits a node in the time of 3.3 such moves. Quick games have
/// a hundred-and-sixtieth.
const NODES: [u64; 2] = [9_375, 1_500_000];
const PLAYOUT_MOVES: [u64; 2] = [31_250, 5_000_000];
const CORES: u64 = 6;

/// Pairs of games of two players, quick and full.
const PAIRS: [usize; 2] = [10, 50];

const OPENING_PLIES: usize = 2;
/// The size of the archive that rules were learnt from, and the nodes for each move of it here.
const ARCHIVE: usize = 337;
const ARCHIVE_NODES: u64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Array,
    AlphaBeta,
    Uct,
    Rules,
    Exact,
}

use Who::{AlphaBeta as Ab, Array as Mcts13, Exact, Rules as ByRules, Uct};

impl Who {
    fn name(self) -> &'static str {
        match self {
            Who::Array => "MCTS",
            Who::AlphaBeta => "alpha-beta",
            Who::Uct => "UCT",
            Who::Rules => "Rules",
            Who::Exact => "sums",
        }
    }
}

/// Points of the first in 100 games against the second, tables 2 to 4.
const PRINTED: [(Who, Who, [u64; 3]); 6] = [
    (Mcts13, Ab, [68, 99, 87]),
    (Mcts13, Uct, [97, 93, 77]),
    (Mcts13, ByRules, [99, 97, 90]),
    (Uct, Ab, [19, 60, 66]),
    (Ab, ByRules, [94, 63, 82]),
    (Uct, ByRules, [65, 81, 85]),
];

/// Everything that games need, for one setting.
#[derive(Clone)]
struct Field {
    setting: Setting,
    book: Arc<OnceLock<Arc<RuleBook<Hop>>>>,
}

impl Field {
    fn new(setting: &Setting) -> Field {
        Field {
            setting: *setting,
            book: Arc::default(),
        }
    }

    fn pond() -> Result<Pond, LabError> {
        let start = Toads.parse_position(START);
        let start = start.map_err(|error| LabError::BadRequest(error.to_string()))?;
        Ok(LastMover::new(Toads, start))
    }

    /// A player, and what it may spend on a move. The clock is counted in half seconds, doubled
    /// from table to table.
    fn player(&self, game: &Pond, who: Who, clock: usize) -> (Box<dyn Engine<Pond>>, Limits) {
        let spend = |a_second: u64| Limits::nodes((a_second << clock) / 2);
        let (nodes, moves) = (
            self.setting.scale.pick(NODES),
            self.setting.scale.pick(PLAYOUT_MOVES),
        );
        let plain = alphabeta::Config {
            deepening: true,
            ..alphabeta::Config::default()
        };
        match who {
            Who::Array => {
                let config = array::Config {
                    start: 5,
                    playouts: 20,
                    threads: 1,
                    seed: 0,
                };
                (Box::new(Array::new(config, Locks)), spend(CORES * moves))
            }
            Who::AlphaBeta => (Box::new(AlphaBeta::new(plain, Locks)), spend(nodes)),
            Who::Uct => {
                let engine = Mcts::<_, _, WithoutChance>::new(UCT, Locks);
                (Box::new(engine), spend(moves))
            }
            Who::Rules => {
                let seed = Seed::new(self.setting.seed).split("archive");
                let book = self
                    .book
                    .get_or_init(|| Arc::new(learnt(game, &Locks, ARCHIVE, ARCHIVE_NODES, seed)));
                let engine = RuleEngine::new(Arc::clone(book), Locks, seed);
                (Box::new(engine), Limits::default())
            }
            Who::Exact => {
                let config = sums::Config {
                    valued: Some(2),
                    memory: 32 << 20,
                    threads: 1,
                };
                let before = alphabeta::Config {
                    method: alphabeta::Method::Pvs,
                    table: 4 << 20,
                    killers: 2,
                    history: alphabeta::History::Relative,
                    distances: true,
                    ..plain
                };
                let before = AlphaBeta::new(before, Locks);
                (
                    Box::new(SumPlayer::new(Toads, config, before)),
                    spend(nodes),
                )
            }
        }
    }

    /// Pairs of games between two players; each item has the points of the first, as toads and as
    /// frogs.
    fn cell(&self, one: Who, other: Who, clock: usize) -> ExperimentCell {
        let field = self.clone();
        let name = cell_name(one, other, clock);
        let seed = Seed::new(self.setting.seed).split(&name);
        let pairs = self.setting.scale.pick(PAIRS);
        ExperimentCell::sample(name, pairs, move |item, cancel| {
            let game = Field::pond()?;
            let seed = seed.number(item as u64);
            let opening = opening(&game, seed.split("opening"));
            let mut players = [one, other].map(|who| field.player(&game, who, clock));
            let mut points = Vec::new();
            for first in 0..2 {
                let luck = seed.number(first as u64);
                let winner = play(&game, &opening, &mut players, first, luck, cancel)?;
                points.push(f64::from(u8::from(winner == 0)));
            }
            Ok(points)
        })
    }
}

fn cell_name(one: Who, other: Who, clock: usize) -> String {
    format!("{} - {}, {}", one.name(), other.name(), CLOCKS[clock])
}

/// The start after some random plies.
fn opening(game: &Pond, seed: Seed) -> LastMoverState<Strip> {
    let mut rng = seed.rng();
    let mut state = game.start();
    let mut moves = Vec::new();
    for _ in 0..OPENING_PLIES {
        moves.clear();
        game.moves(&state, &mut moves);
        if !moves.is_empty() {
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
    }
    state
}

/// Plays a game in which player `first` has the toads; who won.
fn play(
    game: &Pond,
    opening: &LastMoverState<Strip>,
    players: &mut [(Box<dyn Engine<Pond>>, Limits); 2],
    first: usize,
    luck: Seed,
    cancel: &Cancel,
) -> Result<usize, LabError> {
    for (number, (engine, limits)) in players.iter_mut().enumerate() {
        engine.new_game(luck.number(number as u64));
        limits.cancel = cancel.clone();
    }
    let mut state = opening.clone();
    let mut path = Path::new();
    path.push(game.key(&state));
    while let Turn::Player(player) = game.turn(&state) {
        let (engine, limits) = &mut players[(player.index() + first) % 2];
        let situation = Situation {
            game,
            state: &state,
            path: &path,
        };
        let choice = engine.choose(situation, limits).best;
        if cancel.is_cancelled() {
            return Err(LabError::Stopped);
        }
        let Some(mv) = choice else { break };
        game.play(&mut state, mv);
        path.push(game.key(&state));
    }
    // Whoever is to move has lost.
    Ok((state.mover().other().index() + first) % 2)
}

/// What the first of two scored, and in how many games.
fn score(
    measured: &Measured,
    (one, other): (Who, Who),
    clock: usize,
) -> Result<(Score, usize), LabError> {
    let name = cell_name(one, other, clock);
    let [toads, frogs] = [measured.column(&name, 0)?, measured.column(&name, 1)?];
    let mut pairs = Moments::default();
    for (a, b) in toads.iter().zip(&frogs) {
        pairs.add((a + b) / 2.0);
    }
    Ok((Score::new(&pairs, CONFIDENCE), 2 * toads.len()))
}

/// The claim that the first scores more than half.
fn ahead(score: &Score) -> Verdict {
    Verdict::below(score.interval.complement(), 0.5)
}

fn percent(interval: Interval) -> Interval {
    Interval {
        low: 100.0 * interval.low,
        high: 100.0 * interval.high,
    }
}

fn row(
    report: &mut ExperimentReport,
    pair: (Who, Who),
    clock: usize,
    printed: Option<u64>,
    score: &Score,
    games: usize,
) {
    let name = format!(
        "{}: points of 100, {games} games",
        cell_name(pair.0, pair.1, clock)
    );
    let printed = printed.map(Figure::Count);
    let ours = Figure::Number(100.0 * score.mean);
    let row = Row::compared(name, printed, ours).within(percent(score.interval));
    report.rows.push(row);
}

fn conditions(setting: &Setting, clocks: &[usize]) -> Vec<String> {
    let mut lines = vec![format!(
        "{} random plies, then both players on either side; rules from {ARCHIVE} games of \
         alpha-beta against UCT with {ARCHIVE_NODES} nodes a move",
        OPENING_PLIES
    )];
    for &clock in clocks {
        let [nodes, moves] = [NODES, PLAYOUT_MOVES].map(|a| (setting.scale.pick(a) << clock) / 2);
        lines.push(format!(
            "ours for {}: {nodes} nodes of alpha-beta, {moves} moves of playouts for UCT and {} \
             for the array",
            CLOCKS[clock],
            CORES * moves
        ));
    }
    lines.push(
        "the paper: 100 games on six cores at 4 GHz, which only the array player (MCTS) used"
            .to_string(),
    );
    lines
}

/// Tables 2 to 4.
pub fn mini_tournament(setting: &Setting, clock: usize) -> ExperimentPlan {
    let field = Field::new(setting);
    let setting = *setting;
    let cells = PRINTED.iter().map(|&(a, b, _)| field.cell(a, b, clock));
    ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(&setting, &[clock]),
                ..ExperimentReport::default()
            };
            for (one, other, printed) in PRINTED {
                let (score, games) = score(measured, (one, other), clock)?;
                let printed = printed[clock];
                row(
                    &mut report,
                    (one, other),
                    clock,
                    Some(printed),
                    &score,
                    games,
                );
                let (winner, loser, verdict) = match printed > 50 {
                    true => (one, other, ahead(&score)),
                    false => (other, one, Verdict::below(score.interval, 0.5)),
                };
                report.relation(
                    format!("{} beats {}", winner.name(), loser.name()),
                    verdict,
                    format!("{:.0}% for {}", 100.0 * score.mean, one.name()),
                );
            }
            Ok(report)
        }),
    }
}

/// How UCT and alpha-beta compare as time goes up.
pub fn clock(setting: &Setting) -> ExperimentPlan {
    let field = Field::new(setting);
    let setting = *setting;
    let cells = (0..CLOCKS.len()).map(|clock| field.cell(Uct, Ab, clock));
    ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(&setting, &[0, 1, 2]),
                ..ExperimentReport::default()
            };
            let printed = PRINTED.iter().find(|&&(a, b, _)| (a, b) == (Uct, Ab));
            let mut scores = Vec::new();
            for clock in 0..CLOCKS.len() {
                let (score, games) = score(measured, (Uct, Ab), clock)?;
                let printed = printed.map(|(_, _, points)| points[clock]);
                row(&mut report, (Uct, Ab), clock, printed, &score, games);
                scores.push(score);
            }
            let (least, most) = (&scores[0], &scores[CLOCKS.len() - 1]);
            let difference = most.mean - least.mean;
            let error = |score: &Score| score.standard_error.unwrap_or(0.0).powi(2);
            let width = 1.96 * (error(least) + error(most)).sqrt();
            let falls = Interval {
                low: -difference - width,
                high: -difference + width,
            };
            report.relation(
                "UCT improves against alpha-beta from 0.5 s to 2 s",
                Verdict::below(falls, 0.0),
                format!(
                    "by {:.0} ± {:.0} points of 100",
                    100.0 * difference,
                    100.0 * width
                ),
            );
            Ok(report)
        }),
    }
}

/// Beyond the paper: exact sums.
pub fn exact_player(setting: &Setting) -> ExperimentPlan {
    const CLOCK: usize = 2;
    const OTHERS: [Who; 4] = [Mcts13, Ab, Uct, ByRules];
    let field = Field::new(setting);
    let setting = *setting;
    ExperimentPlan {
        cells: OTHERS.map(|other| field.cell(Exact, other, CLOCK)).into(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(&setting, &[CLOCK]),
                ..ExperimentReport::default()
            };
            report.conditions.push(
                "the player of sums has as many nodes as alpha-beta, half of them for sums"
                    .to_string(),
            );
            for other in OTHERS {
                let (score, games) = score(measured, (Exact, other), CLOCK)?;
                row(&mut report, (Exact, other), CLOCK, None, &score, games);
                report.relation(
                    format!("The player of sums beats {}", other.name()),
                    ahead(&score),
                    format!("{:.0}%", 100.0 * score.mean),
                );
            }
            Ok(report)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_lab::experiment::Scale;

    /// A game follows from its seed, whoever has sat there before.
    #[test]
    fn games_replay() {
        let field = Field::new(&Setting {
            scale: Scale::Quick,
            seed: 3,
        });
        let game = Field::pond().unwrap();
        let opening = opening(&game, Seed::new(8));
        let round = |first| {
            let mut players = [Ab, Uct].map(|who| {
                let (engine, _) = field.player(&game, who, 0);
                (engine, Limits::nodes(300))
            });
            let luck = Seed::new(4);
            play(
                &game,
                &opening,
                &mut players,
                first,
                luck,
                &Cancel::default(),
            )
            .unwrap()
        };
        assert_eq!([round(0), round(1)], [round(0), round(1)]);
    }
}
