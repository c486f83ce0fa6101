//! Table 4.1 and figures 4.5 to 4.7: how long games are and how many moves there are, estimated
//! from games that a search of four plies plays against itself.
//!
//! The thesis evaluates by the difference in material and a random factor, of which it does not
//! tell how large it is. The larger it is the more pieces are given away, so three sizes are
//! measured. Luck is a function of the position and of a seed that every search has for itself.
//! Players look at the present position alone, and the first repetition ends the game. A
//! virtual database of k pieces ends it as soon as no more than k are left.

use tabia_fanorona::fanorona::{Chain, Material, State};
use tabia_game::{Cancel, Game, Key, Knowledge, Limits, Path, Player, Seed, Turn, zobrist};
use tabia_search::alphabeta::{AlphaBeta, Config, Method};
use tabia_search::{Engine, Situation};

use super::{Board, board};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::statistics::{Interval, paired_ratio};
use tabia_lab::{Curve, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// Pieces of the database, plies, branching and the logarithm of the size of the tree, as printed.
const TABLE_4_1: [(usize, f64, f64, f64); 10] = [
    (0, 43.81, 11.19, 45.96),
    (2, 42.60, 11.37, 44.97),
    (3, 40.23, 11.63, 42.88),
    (4, 36.23, 11.98, 39.07),
    (5, 31.62, 12.31, 34.48),
    (6, 26.99, 12.59, 29.70),
    (7, 22.98, 12.82, 25.45),
    (8, 19.74, 13.02, 22.01),
    (9, 17.27, 13.26, 19.39),
    (10, 15.44, 13.53, 17.47),
];

/// Sizes of the random factor in pieces, either way; the one in the middle is compared in full.
const LUCK: [i32; 3] = [1, 2, 4];
const MIDDLE: i32 = LUCK[1];
/// Games in an item.
const BATCH: usize = 20;
const DEPTH: u32 = 4;
/// Pieces at the start.
const PIECES: usize = 44;
/// Plies that figure 4.7 shows.
const PLIES: usize = 60;
/// What one piece is worth.
const PIECE: i32 = 10_000;

/// The difference in material and some luck.
struct Greedy {
    /// The most that luck is worth, in pieces.
    luck: i32,
    salt: u64,
}

impl Knowledge<Board> for Greedy {
    fn evaluate(&self, game: &Board, state: &State<u64>, player: Player) -> i32 {
        let [first, second] = state.pieces().map(|pieces| pieces.count_ones() as i32);
        let most = PIECE * self.luck;
        let drawn =
            zobrist::mix(game.key(state) ^ self.salt) % (2 * most.unsigned_abs() + 1) as u64;
        let value = PIECE * (first - second) + drawn as i32 - most;
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }

    fn priority(&self, game: &Board, state: &State<u64>, mv: Chain<u64>) -> i32 {
        Material.priority(game, state, mv)
    }
}

/// A position of a game, before a move.
#[derive(Clone, Copy, Debug)]
struct Ply {
    pieces: usize,
    moves: usize,
    /// Whether the moves are captures.
    captures: bool,
}

/// Plays a game to its end, which is the first repetition at the latest.
fn play(game: &Board, luck: i32, seed: Seed, cancel: &Cancel) -> Result<Vec<Ply>, LabError> {
    let config = Config {
        method: Method::Pvs,
        killers: 2,
        static_order: true,
        ..Config::default()
    };
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::depth(DEPTH)
    };
    let mut state = game.start();
    let mut history = Path::new();
    history.push(game.key(&state));
    let (mut plies, mut moves) = (Vec::new(), Vec::new());
    while game.turn(&state) != Turn::Over {
        moves.clear();
        game.moves(&state, &mut moves);
        let salt = seed.number(plies.len() as u64).value();
        plies.push(Ply {
            pieces: state.count(),
            moves: moves.len(),
            captures: moves.first().is_some_and(|mv| mv.length() > 0),
        });
        let mut path = Path::new();
        path.push(game.key(&state));
        let situation = Situation {
            game,
            state: &state,
            path: &path,
        };
        let mut engine = AlphaBeta::new(config.clone(), Greedy { luck, salt });
        let best = engine.choose(situation, &limits).best;
        let Some(best) = best.filter(|_| !cancel.is_cancelled()) else {
            return Err(LabError::Stopped);
        };
        game.play(&mut state, best);
        let occurrences = history.push(game.key(&state));
        if game.repetition().is_draw(occurrences) {
            break;
        }
    }
    Ok(plies)
}

/// Sums over the games of an item.
#[derive(Debug, Default)]
struct Sums {
    /// By database: plies, and moves in all positions.
    databases: [[u64; 2]; TABLE_4_1.len()],
    /// By pieces: positions, those with captures, and moves in all of them.
    pieces: Vec<[u64; 3]>,
    /// By ply: games that have come so far, and their pieces.
    plies: Vec<[u64; 2]>,
}

impl Sums {
    fn new() -> Sums {
        Sums {
            pieces: vec![[0; 3]; PIECES + 1],
            plies: vec![[0; 2]; PLIES + 1],
            ..Sums::default()
        }
    }

    fn add(&mut self, game: &[Ply]) {
        for ((database, ..), sums) in TABLE_4_1.iter().zip(&mut self.databases) {
            let before = game.iter().take_while(|ply| ply.pieces > *database);
            for ply in before {
                sums[0] += 1;
                sums[1] += ply.moves as u64;
            }
        }
        for ply in game {
            if let Some([positions, captures, moves]) = self.pieces.get_mut(ply.pieces) {
                *positions += 1;
                *captures += u64::from(ply.captures);
                *moves += ply.moves as u64;
            }
        }
        for (ply, sums) in game.iter().zip(&mut self.plies) {
            sums[0] += 1;
            sums[1] += ply.pieces as u64;
        }
    }

    fn figures(&self) -> Vec<f64> {
        let all = self.databases.iter().flatten();
        let all = all.chain(self.pieces.iter().flatten());
        let all = all.chain(self.plies.iter().flatten());
        all.map(|&sum| sum as f64).collect()
    }
}

/// Where the figures of an item are.
fn database(number: usize) -> usize {
    2 * number
}

fn with_pieces(pieces: usize) -> usize {
    2 * TABLE_4_1.len() + 3 * pieces
}

fn at_ply(ply: usize) -> usize {
    with_pieces(PIECES + 1) + 2 * ply
}

fn cell_name(luck: i32) -> String {
    format!("luck of {luck}")
}

pub fn plan(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let games = setting.scale.pick([400, 10_000]);
    let seed = Seed::new(setting.seed).split("self-play");
    let game = board((5, 9))?;
    let cell = |luck| {
        let game = game.clone();
        ExperimentCell::sample(cell_name(luck), games / BATCH, move |item, cancel| {
            let mut sums = Sums::new();
            for number in 0..BATCH {
                let seed = seed.number((item * BATCH + number) as u64);
                sums.add(&play(&game, luck, seed, cancel)?);
            }
            Ok(sums.figures())
        })
    };
    Ok(ExperimentPlan {
        cells: LUCK.into_iter().map(cell).collect(),
        report: Box::new(move |measured| report(measured, games, seed)),
    })
}

/// Ratios of what was measured with one size of the random factor.
struct Ratios<'a> {
    measured: &'a Measured,
    luck: i32,
    seed: Seed,
}

impl Ratios<'_> {
    fn column(&self, column: usize) -> Result<Vec<f64>, LabError> {
        self.measured.column(&cell_name(self.luck), column)
    }

    fn interval(&self, above: usize, below: usize) -> Result<(f64, Interval), LabError> {
        Ok(paired_ratio(
            &self.column(above)?,
            &self.column(below)?,
            self.seed,
        ))
    }

    /// Not a number where there is nothing to divide by.
    fn only(&self, above: usize, below: usize) -> Result<f64, LabError> {
        let sum = |column| self.column(column).map(|all| all.iter().sum::<f64>());
        Ok(sum(above)? / sum(below)?)
    }

    /// One ratio for each number of pieces.
    fn by_pieces(&self, above: usize, below: usize) -> Result<Vec<f64>, LabError> {
        let ratio = |pieces| self.only(with_pieces(pieces) + above, with_pieces(pieces) + below);
        (0..=PIECES).map(ratio).collect()
    }

    /// Pieces by ply, in games that have come so far.
    fn by_ply(&self) -> Result<Vec<f64>, LabError> {
        let pieces = |ply| self.only(at_ply(ply) + 1, at_ply(ply));
        (0..=PLIES).map(pieces).collect()
    }

    /// Plies of a game and moves of a position with each database, with their intervals.
    fn by_database(&self) -> Result<Vec<[(f64, Interval); 2]>, LabError> {
        let one = |number| {
            let plies = self.column(database(number))?;
            let games = vec![BATCH as f64; plies.len()];
            let length = paired_ratio(&plies, &games, self.seed);
            Ok([
                length,
                self.interval(database(number) + 1, database(number))?,
            ])
        };
        (0..TABLE_4_1.len()).map(one).collect()
    }
}

fn report(measured: &Measured, games: usize, seed: Seed) -> Result<ExperimentReport, LabError> {
    let mut report = ExperimentReport {
        conditions: vec![
            format!(
                "ours: {games} games for each size of the random factor; the thesis: 10,000 games, \
                 the size is not told"
            ),
            format!(
                "all rows of the table for luck of up to {MIDDLE} pieces either way, three of them \
                 for the others"
            ),
        ],
        ..ExperimentReport::default()
    };
    let all = LUCK.map(|luck| Ratios {
        measured,
        luck,
        seed,
    });
    for ratios in &all {
        let found = ratios.by_database()?;
        let middle = ratios.luck == MIDDLE;
        for ((pieces, length, branching, tree), ours) in TABLE_4_1.into_iter().zip(&found) {
            if !middle && !matches!(pieces, 0 | 5 | 10) {
                continue;
            }
            let [(our_length, _), (our_branching, _)] = *ours;
            let compared = |what: &str, printed, ours| {
                let name = format!("luck of {}, database of {pieces}: {what}", ratios.luck);
                Row::compared(name, Some(Figure::Number(printed)), Figure::Number(ours))
            };
            report.rows.extend([
                compared("plies", length, our_length).within(ours[0].1),
                compared("moves", branching, our_branching).within(ours[1].1),
                compared("log10 of the tree", tree, log_tree(ours)),
            ]);
        }
        if middle {
            relations(&found, &mut report);
            claims(ratios, &mut report)?;
        }
    }
    report.curves = curves(&all)?;
    Ok(report)
}

/// The logarithm of the size of a tree.
fn log_tree(&[(length, _), (branching, _)]: &[(f64, Interval); 2]) -> f64 {
    length * branching.log10()
}

/// The claims of table 4.1.
fn relations(found: &[[(f64, Interval); 2]], report: &mut ExperimentReport) {
    let ([first, .., last], [_, smallest, ..]) = (found, found) else {
        return;
    };
    let mut steps = found.iter().zip(found.iter().skip(1));
    report.relation(
        "the larger the database, the shorter the games",
        Verdict::of(steps.all(|(a, b)| b[0].0 < a[0].0)),
        format!("from {:.2} to {:.2} plies", first[0].0, last[0].0),
    );
    let (before, after) = (first[1], last[1]);
    report.relation(
        "with the largest database there are more moves than without",
        match (before.1, after.1) {
            (before, after) if after.low > before.high => Verdict::Held,
            (before, after) if after.high < before.low => Verdict::Failed,
            _ => Verdict::Undecided,
        },
        format!("from {:.2} to {:.2} moves", before.0, after.0),
    );
    let pieces = (found.len() - 2).max(1) as f64;
    let factor = (log_tree(smallest) - log_tree(last)) / pieces;
    report.relation(
        "a piece more in the database makes the tree smaller by a factor of more than 100 on \
         average",
        Verdict::of(factor > 2.0),
        format!("10^{factor:.2}"),
    );
}

/// What the text says of figures 4.5 to 4.7.
fn claims(ratios: &Ratios<'_>, report: &mut ExperimentReport) -> Result<(), LabError> {
    let captures = ratios.by_pieces(1, 0)?;
    let branching = ratios.by_pieces(2, 0)?;
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let rarest = least(&captures[19..]);
    report.relation(
        "with 19 pieces or more a capture is to be expected",
        Verdict::of(rarest > 0.5),
        format!("in {:.0}% of the positions at least", 100.0 * rarest),
    );
    if let Some(quiet) = captures.iter().rposition(|&share| share < 0.5) {
        report.rows.push(Row::compared(
            "pieces from which on captures prevail",
            Some(Figure::Count(13)),
            Figure::Count(quiet as u64 + 1),
        ));
    }
    let most = branching[..13].iter().copied().fold(0.0, f64::max);
    let least = least(&branching[13..=25]);
    report.relation(
        "the branching factor rises again in the endgame",
        Verdict::of(most > least),
        format!("down to {least:.2} moves with 13 to 25 pieces, then up to {most:.2}"),
    );
    let (pieces, interval) = ratios.interval(at_ply(21) + 1, at_ply(21))?;
    report.relation(
        "after 21 plies fewer than 8 pieces are left on average",
        Verdict::below(interval, 8.0),
        format!("{pieces:.2} pieces in games that are not over"),
    );
    Ok(())
}

/// One figure: its name, its axes, and how its values are found.
type Figured = (
    &'static str,
    [&'static str; 2],
    fn(&Ratios<'_>) -> Result<Vec<f64>, LabError>,
);

const FIGURES: [Figured; 3] = [
    (
        "Captures by pieces left (figure 4.5)",
        ["pieces", "share of captures"],
        |ratios| ratios.by_pieces(1, 0),
    ),
    (
        "Moves by pieces left (figure 4.6)",
        ["pieces", "moves"],
        |ratios| ratios.by_pieces(2, 0),
    ),
    ("Pieces by ply (figure 4.7)", ["ply", "pieces"], |ratios| {
        ratios.by_ply()
    }),
];

fn curves(all: &[Ratios<'_>]) -> Result<Vec<Curve>, LabError> {
    let curve = |&(name, [x, y], values): &Figured| {
        let line = |ratios: &Ratios<'_>| {
            let points = (0..).map(f64::from).zip(values(ratios)?);
            Ok(Series::new(cell_name(ratios.luck), points))
        };
        Ok(Curve {
            name: name.to_string(),
            x: x.to_string(),
            y: y.to_string(),
            logarithmic: false,
            series: all.iter().map(line).collect::<Result<_, LabError>>()?,
        })
    };
    FIGURES.iter().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_ends_games_early() {
        let ply = |pieces, moves, captures| Ply {
            pieces,
            moves,
            captures,
        };
        let mut sums = Sums::new();
        sums.add(&[
            ply(44, 5, true),
            ply(9, 3, true),
            ply(3, 8, false),
            ply(3, 7, false),
        ]);
        // Databases of 0, 2, 3, ..., 8, 9 and 10 pieces.
        assert_eq!(sums.databases[..3], [[4, 23], [4, 23], [2, 8]]);
        assert_eq!(sums.databases[7..], [[2, 8], [1, 5], [1, 5]]);
        assert_eq!(sums.pieces[3], [2, 0, 15]);
        assert_eq!(sums.plies[1..3], [[1, 9], [1, 3]]);
        let figures = sums.figures();
        assert_eq!(figures[database(2) + 1], 8.0);
        assert_eq!(figures[with_pieces(9) + 2], 3.0);
        assert_eq!(figures[at_ply(2) + 1], 3.0);
        assert_eq!(figures.len(), at_ply(PLIES + 1));
    }

    /// What one side gains the other loses, and luck is never larger than it is said to be.
    #[test]
    fn luck_is_bounded_and_differs_from_search_to_search() {
        let game = board((3, 5)).unwrap();
        let state = game.start();
        for luck in LUCK {
            let values: Vec<i32> = (0..1000)
                .map(|salt| {
                    let greedy = Greedy { luck, salt };
                    let white = greedy.evaluate(&game, &state, Player::FIRST);
                    assert_eq!(greedy.evaluate(&game, &state, Player::SECOND), -white);
                    white
                })
                .collect();
            let (low, high) = (values.iter().min().unwrap(), values.iter().max().unwrap());
            assert!((-luck * PIECE..-luck * PIECE / 2).contains(low));
            assert!((luck * PIECE / 2..=luck * PIECE).contains(high));
        }
    }

    #[test]
    fn games_end_and_follow_from_their_seed() {
        let game = board((3, 5)).unwrap();
        let played = |seed| play(&game, 1, Seed::new(seed), &Cancel::default()).unwrap();
        let lengths: Vec<usize> = (0..20).map(|seed| played(seed).len()).collect();
        assert_eq!(played(3).len(), lengths[3]);
        assert!(lengths.iter().any(|&length| length != lengths[0]));
    }
}
