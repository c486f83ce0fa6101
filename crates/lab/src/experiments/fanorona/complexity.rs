//! Table 4.1 and figures 4.5 to 4.7: how long games are and how many moves there are, estimated from
//! games that a search of four plies plays against itself.
//!
//! The thesis evaluates by the difference in material and a random factor. Here a piece always counts
//! for more than luck does, and luck is a function of the position and of the game's seed. A virtual
//! database of k pieces ends a game as soon as no more than k are left.

use tabia_game::{Cancel, Game, Key, Knowledge, Limits, Path, Player, Seed, Turn, zobrist};
use tabia_games::fanorona::{Chain, Material, State};
use tabia_search::alphabeta::{AlphaBeta, Config, Method};
use tabia_search::{Engine, Situation};

use super::{Board, board};
use crate::experiment::{Cell, Measured, Plan, Series};
use crate::statistics::{Interval, paired_ratio};
use crate::{Curve, Figure, LabError, Report, Row, Scale, Setting, Verdict};

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

/// Games in an item.
const BATCH: usize = 20;
const DEPTH: u32 = 4;
const CELL: &str = "games";
/// Pieces at the start.
const PIECES: usize = 44;
/// Plies that figure 4.7 shows.
const PLIES: usize = 60;
/// What one piece is worth.
const PIECE: i32 = 20_000;

/// The difference in material and a little luck.
struct Greedy {
    salt: u64,
}

impl Knowledge<Board> for Greedy {
    fn evaluate(&self, game: &Board, state: &State<u64>, player: Player) -> i32 {
        let [first, second] = state.pieces().map(|pieces| pieces.count_ones() as i32);
        let luck = (zobrist::mix(game.key(state) ^ self.salt) % PIECE as u64) as i32 - PIECE / 2;
        let value = PIECE * (first - second) + luck;
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
fn play(game: &Board, seed: Seed, cancel: &Cancel) -> Result<Vec<Ply>, LabError> {
    let config = Config {
        method: Method::Pvs,
        killers: 2,
        static_order: true,
        ..Config::default()
    };
    let salt = seed.value();
    let mut engine = AlphaBeta::new(config, Greedy { salt });
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::depth(DEPTH)
    };
    let mut state = game.start();
    let mut path = Path::new();
    path.push(game.key(&state));
    let (mut plies, mut moves) = (Vec::new(), Vec::new());
    while game.turn(&state) != Turn::Over {
        moves.clear();
        game.moves(&state, &mut moves);
        plies.push(Ply {
            pieces: state.count(),
            moves: moves.len(),
            captures: moves.first().is_some_and(|mv| mv.length() > 0),
        });
        let situation = Situation {
            game,
            state: &state,
            path: &path,
        };
        let best = engine.choose(situation, &limits).best;
        let Some(best) = best.filter(|_| !cancel.is_cancelled()) else {
            return Err(LabError::Stopped);
        };
        game.play(&mut state, best);
        if game.repetition().is_draw(path.push(game.key(&state))) {
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

pub fn plan(setting: &Setting) -> Result<Plan, LabError> {
    let games = match setting.scale {
        Scale::Quick => 400,
        Scale::Full => 10_000,
    };
    let seed = Seed::new(setting.seed).split("self-play");
    let game = board((5, 9))?;
    let cell = Cell::sample(CELL, games / BATCH, move |item, cancel| {
        let mut sums = Sums::new();
        for number in 0..BATCH {
            let seed = seed.number((item * BATCH + number) as u64);
            sums.add(&play(&game, seed, cancel)?);
        }
        Ok(sums.figures())
    });
    Ok(Plan {
        cells: vec![cell],
        report: Box::new(move |measured| report(measured, games, seed)),
    })
}

/// Ratios of what was measured.
struct Ratios<'a> {
    measured: &'a Measured,
    seed: Seed,
}

impl Ratios<'_> {
    fn interval(&self, above: usize, below: usize) -> Result<(f64, Interval), LabError> {
        let column = |column| self.measured.column(CELL, column);
        Ok(paired_ratio(&column(above)?, &column(below)?, self.seed))
    }

    /// Not a number where there is nothing to divide by.
    fn only(&self, above: usize, below: usize) -> Result<f64, LabError> {
        let sum = |column| -> Result<f64, LabError> {
            Ok(self.measured.column(CELL, column)?.iter().sum())
        };
        Ok(sum(above)? / sum(below)?)
    }

    /// One ratio for each number of pieces.
    fn by_pieces(&self, above: usize, below: usize) -> Result<Vec<f64>, LabError> {
        let ratio = |pieces| self.only(with_pieces(pieces) + above, with_pieces(pieces) + below);
        (0..=PIECES).map(ratio).collect()
    }
}

fn report(measured: &Measured, games: usize, seed: Seed) -> Result<Report, LabError> {
    let ratios = Ratios { measured, seed };
    let mut report = Report {
        conditions: vec![
            format!("ours: {games} games; the thesis: 10,000 games"),
            "the players know that a repetition is a draw; of the thesis's it is not told"
                .to_string(),
        ],
        ..Report::default()
    };
    let mut rows: Vec<(f64, f64, f64)> = Vec::new();
    for (number, (pieces, length, branching, tree)) in TABLE_4_1.into_iter().enumerate() {
        let plies = database(number);
        let all = measured.column(CELL, plies)?;
        let batches = vec![BATCH as f64; all.len()];
        let (our_length, length_interval) = paired_ratio(&all, &batches, seed);
        let (our_branching, branching_interval) = ratios.interval(plies + 1, plies)?;
        let our_tree = our_length * our_branching.log10();
        let compared = |what: &str, printed, ours| {
            let name = format!("database of {pieces}: {what}");
            Row::compared(name, Some(Figure::Number(printed)), Figure::Number(ours))
        };
        report.rows.extend([
            compared("plies", length, our_length).within(length_interval),
            compared("moves", branching, our_branching).within(branching_interval),
            compared("log10 of the tree", tree, our_tree),
        ]);
        rows.push((our_length, our_branching, our_tree));
    }
    relations(&rows, &mut report);
    figures(&ratios, &mut report)?;
    Ok(report)
}

/// The claims of table 4.1.
fn relations(rows: &[(f64, f64, f64)], report: &mut Report) {
    let ([first, .., last], [_, smallest, ..]) = (rows, rows) else {
        return;
    };
    let steps = || rows.iter().zip(rows.iter().skip(1));
    report.relation(
        "the larger the database, the shorter the games",
        Verdict::of(steps().all(|(a, b)| b.0 < a.0)),
        format!("from {:.2} to {:.2} plies", first.0, last.0),
    );
    report.relation(
        "the larger the database, the more moves there are",
        Verdict::of(steps().all(|(a, b)| b.1 > a.1)),
        format!("from {:.2} to {:.2} moves", first.1, last.1),
    );
    let pieces = (rows.len() - 2).max(1) as f64;
    let factor = (smallest.2 - last.2) / pieces;
    report.relation(
        "a piece more in the database makes the tree smaller by a factor of more than 100 on average",
        Verdict::of(factor > 2.0),
        format!("10^{factor:.2}"),
    );
}

/// Figures 4.5 to 4.7.
fn figures(ratios: &Ratios<'_>, report: &mut Report) -> Result<(), LabError> {
    let captures = ratios.by_pieces(1, 0)?;
    let branching = ratios.by_pieces(2, 0)?;
    let left = |ply| ratios.only(at_ply(ply) + 1, at_ply(ply));
    let left = (0..=PLIES)
        .map(left)
        .collect::<Result<Vec<f64>, LabError>>()?;
    let known = |values: &[f64], pieces: &dyn Fn(usize) -> bool| -> Vec<f64> {
        let chosen = values.iter().enumerate().filter(|(n, _)| pieces(*n));
        chosen
            .map(|(_, &value)| value)
            .filter(|v| !v.is_nan())
            .collect()
    };
    let middle_game = known(&captures, &|pieces| pieces >= 19);
    let rarest = middle_game.iter().copied().fold(1.0, f64::min);
    report.relation(
        "with 19 pieces or more a capture is to be expected",
        Verdict::of(rarest > 0.5),
        format!("in {:.0}% of the positions at least", 100.0 * rarest),
    );
    // A number of pieces that hardly ever occurs says nothing.
    let quiet = captures.iter().take(25).rposition(|&share| share < 0.5);
    if let Some(quiet) = quiet {
        report.rows.push(Row::compared(
            "pieces from which on captures prevail",
            Some(Figure::Count(13)),
            Figure::Count(quiet as u64 + 1),
        ));
    }
    let most = known(&branching, &|pieces| pieces < 13)
        .into_iter()
        .fold(0.0, f64::max);
    let least = known(&branching, &|pieces| (13..=25).contains(&pieces));
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
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
    let curve = |name: &str, x: &str, y: &str, values: Vec<f64>| Curve {
        name: name.to_string(),
        x: x.to_string(),
        y: y.to_string(),
        logarithmic: false,
        series: vec![Series::new(y, (0..).map(f64::from).zip(values))],
    };
    let capturing = "share of capturing moves";
    report.curves = vec![
        curve(
            "Captures by pieces left (figure 4.5)",
            "pieces",
            capturing,
            captures,
        ),
        curve(
            "Moves by pieces left (figure 4.6)",
            "pieces",
            "moves",
            branching,
        ),
        curve("Pieces by ply (figure 4.7)", "ply", "pieces", left),
    ];
    Ok(())
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

    /// A piece more is worth more than any luck, and what one side gains the other loses.
    #[test]
    fn luck_decides_only_between_equals() {
        let game = board((3, 5)).unwrap();
        let mut state = game.start();
        let greedy = Greedy { salt: 7 };
        let white = greedy.evaluate(&game, &state, Player::FIRST);
        assert!(white.abs() <= PIECE / 2);
        assert_eq!(greedy.evaluate(&game, &state, Player::SECOND), -white);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[0]);
        assert!(greedy.evaluate(&game, &state, Player::FIRST) >= PIECE / 2);
    }

    #[test]
    fn games_end_and_follow_from_their_seed() {
        let game = board((3, 5)).unwrap();
        let played = |seed| play(&game, Seed::new(seed), &Cancel::default()).unwrap();
        let lengths: Vec<usize> = (0..20).map(|seed| played(seed).len()).collect();
        assert_eq!(played(3).len(), lengths[3]);
        assert!(lengths.iter().any(|&length| length != lengths[0]));
    }
}
