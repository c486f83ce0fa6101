//! Compares canonical forms with those of the crate `cgt`, an implementation by other hands.
//!
//! Without arguments: every Domineering position on boards up to 4x4, every Toads-and-Frogs strip
//! up to 11 cells and every Amazons position on boards up to 3x3 must have the same canonical form,
//! option by option. With `--time`: both add pairs of values, and find the values of all positions
//! of 4x4 and 4x5 Domineering boards, on one thread and from an empty table; the best of three runs
//! counts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cgt::grid::small_bit_grid::SmallBitGrid;
use cgt::short::partizan::canonical_form::CanonicalForm;
use cgt::short::partizan::games::amazons::Amazons as PeerAmazons;
use cgt::short::partizan::games::domineering::{Domineering as PeerDomineering, Tile};
use cgt::short::partizan::games::toads_and_frogs::{Tile as Animal, ToadsAndFrogs};
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;
use tabia_cgt::{Evaluator, Value, Values};
use tabia_game::{Combinatorial, Limits, Player};
use tabia_combinatorial::Cells;
use tabia_combinatorial::amazons::combinatorial::Amazons;
use tabia_combinatorial::domineering::Domineering;
use tabia_combinatorial::toads::Toads;

type Failure = Box<dyn Error>;

const RUNS: usize = 3;

/// Our names of forms of the peer, by their texts.
type Known = HashMap<String, Value>;

/// The value whose canonical form has exactly the options of the peer's form: they are not
/// simplified, so a form that is not canonical has none.
fn same_form(
    form: &CanonicalForm,
    values: &mut Values,
    known: &mut Known,
) -> Result<Value, Failure> {
    let text = form.to_string();
    if let Some(&value) = known.get(&text) {
        return Ok(value);
    }
    let mut side = |forms: Vec<CanonicalForm>| -> Result<Vec<Value>, Failure> {
        let mut side = forms
            .iter()
            .map(|option| same_form(option, values, known))
            .collect::<Result<Vec<Value>, Failure>>()?;
        side.sort_unstable();
        Ok(side)
    };
    let left = side(form.left_moves().map(Cow::into_owned).collect())?;
    let right = side(form.right_moves().map(Cow::into_owned).collect())?;
    let value = values.from_options(&left, &right)?;
    if values.options(value, Player::FIRST)? != left
        || values.options(value, Player::SECOND)? != right
    {
        return Err(format!("{text} is not canonical here: {}", values.write(value)?).into());
    }
    known.insert(text, value);
    Ok(value)
}

fn peer_board(width: u8, height: u8, taken: u64) -> Result<PeerDomineering, Failure> {
    let grid = SmallBitGrid::<Tile>::from_number(width, height, taken)
        .map_err(|_| "the board is too large")?;
    Ok(PeerDomineering::new(grid))
}

fn board_text(width: u8, height: u8, taken: u64) -> String {
    let row = |y: u8| -> String {
        (0..width)
            .map(|x| {
                if taken >> (y * width + x) & 1 == 1 {
                    '#'
                } else {
                    '.'
                }
            })
            .collect()
    };
    (0..height).map(row).collect::<Vec<String>>().join("|")
}

fn compare_domineering() -> Result<(), Failure> {
    for height in 1..=4 {
        for width in 1..=4 {
            let mut evaluator = Evaluator::new(Domineering);
            let mut meter = Limits::default().meter();
            let table = ParallelTranspositionTable::new();
            let mut known = Known::new();
            for taken in 0..1u64 << (width * height) {
                let text = board_text(width, height, taken);
                let ours = evaluator.value(&Domineering.parse_position(&text)?, &mut meter)?;
                let form = peer_board(width, height, taken)?.canonical_form(&table);
                let theirs = same_form(&form, evaluator.values_mut(), &mut known)?;
                if ours != theirs {
                    let ours = evaluator.values_mut().write(ours)?;
                    return Err(format!("Domineering {text}: {ours}, the peer says {form}").into());
                }
            }
            println!(
                "Domineering {width}x{height}: {} positions agree",
                1u64 << (width * height)
            );
        }
    }
    Ok(())
}

fn compare_toads() -> Result<(), Failure> {
    let mut evaluator = Evaluator::new(Toads);
    let mut meter = Limits::default().meter();
    let table = ParallelTranspositionTable::new();
    let mut known = Known::new();
    for cells in 1..=11u32 {
        for number in 0..3usize.pow(cells) {
            let strip = (0..cells).map(|i| number / 3usize.pow(i) % 3);
            let text: String = strip.clone().map(|cell| ['.', 'T', 'F'][cell]).collect();
            let animals = [Animal::Empty, Animal::Toad, Animal::Frog];
            let peer = ToadsAndFrogs::new(strip.map(|cell| animals[cell]).collect());
            let ours = evaluator.value(&Toads.parse_position(&text)?, &mut meter)?;
            let form = peer.canonical_form(&table);
            let theirs = same_form(&form, evaluator.values_mut(), &mut known)?;
            if ours != theirs {
                let ours = evaluator.values_mut().write(ours)?;
                return Err(format!("Toads and Frogs {text}: {ours}, the peer says {form}").into());
            }
        }
        println!(
            "Toads and Frogs of {cells} cells: {} strips agree",
            3u64.pow(cells)
        );
    }
    Ok(())
}

fn compare_amazons() -> Result<(), Failure> {
    for (width, height) in [(1, 1), (2, 1), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
        let mut evaluator = Evaluator::new(Amazons);
        let mut meter = Limits::default().meter();
        let table = ParallelTranspositionTable::new();
        let mut known = Known::new();
        let positions = 4usize.pow(width * height);
        for number in 0..positions {
            let row = |y: u32| -> String {
                (0..width)
                    .map(|x| ['.', 'x', 'o', '#'][number >> (2 * (y * width + x)) & 3])
                    .collect()
            };
            let text = (0..height).map(row).collect::<Vec<String>>().join("|");
            let peer: PeerAmazons = text.parse().map_err(|_| "the peer cannot read it")?;
            let form = peer.canonical_form(&table);
            let position = Amazons.parse_position(&text.to_uppercase())?;
            let ours = evaluator.value(&position, &mut meter)?;
            let theirs = same_form(&form, evaluator.values_mut(), &mut known)?;
            if ours != theirs {
                let ours = evaluator.values_mut().write(ours)?;
                return Err(format!("Amazons {text}: {ours}, the peer says {form}").into());
            }
        }
        println!("Amazons {width}x{height}: {positions} positions agree");
    }
    Ok(())
}

/// The values of all positions of a board, by us: the evaluator that has found them, and
/// themselves.
fn evaluate_ours(boards: &[Cells]) -> Result<(Evaluator<Domineering>, Vec<Value>), Failure> {
    let mut evaluator = Evaluator::new(Domineering);
    let mut meter = Limits::default().meter();
    let values = boards
        .iter()
        .map(|board| evaluator.value(board, &mut meter))
        .collect::<Result<Vec<Value>, _>>()?;
    Ok((evaluator, values))
}

fn evaluate_theirs(boards: &[PeerDomineering]) -> Vec<CanonicalForm> {
    let table = ParallelTranspositionTable::new();
    boards
        .iter()
        .map(|board| board.canonical_form(&table))
        .collect()
}

fn our_boards(width: u8, height: u8) -> Result<Vec<Cells>, Failure> {
    (0..1u64 << (width * height))
        .map(|taken| Ok(Domineering.parse_position(&board_text(width, height, taken))?))
        .collect()
}

fn their_boards(width: u8, height: u8) -> Result<Vec<PeerDomineering>, Failure> {
    (0..1u64 << (width * height))
        .map(|taken| peer_board(width, height, taken))
        .collect()
}

/// The shorter of several times, since other work on the machine only ever adds to them.
fn shortest(runs: &[Duration]) -> f64 {
    runs.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
}

fn report(what: &str, ours: &[Duration], theirs: &[Duration]) {
    let (ours, theirs) = (shortest(ours), shortest(theirs));
    println!(
        "{what}: ours {ours:.3} s, cgt {theirs:.3} s, ratio {:.1}",
        theirs / ours
    );
}

fn time_positions(width: u8, height: u8) -> Result<(), Failure> {
    let (our_boards, their_boards) = (our_boards(width, height)?, their_boards(width, height)?);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        black_box(evaluate_ours(&our_boards)?);
        ours.push(start.elapsed());
        let start = Instant::now();
        black_box(evaluate_theirs(&their_boards));
        theirs.push(start.elapsed());
    }
    report(
        &format!("all positions of {width}x{height} Domineering"),
        &ours,
        &theirs,
    );
    Ok(())
}

/// Sums of the different values of a board, two at a time: arithmetic alone.
fn time_sums(width: u8, height: u8) -> Result<(), Failure> {
    let (our_boards, their_boards) = (our_boards(width, height)?, their_boards(width, height)?);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let forms = evaluate_theirs(&their_boards);
    let (_, all) = evaluate_ours(&our_boards)?;
    let mut firsts: Vec<usize> = (0..all.len()).collect();
    firsts.sort_by_key(|&i| all[i]);
    firsts.dedup_by_key(|&mut i| all[i]);
    for _ in 0..RUNS {
        let (mut evaluator, all) = evaluate_ours(&our_boards)?;
        let start = Instant::now();
        for &i in &firsts {
            for &j in &firsts {
                black_box(evaluator.values_mut().sum(all[i], all[j])?);
            }
        }
        ours.push(start.elapsed());
        let start = Instant::now();
        for &i in &firsts {
            for &j in &firsts {
                black_box(&forms[i] + &forms[j]);
            }
        }
        theirs.push(start.elapsed());
    }
    let pairs = firsts.len() * firsts.len();
    report(
        &format!("sums of {pairs} pairs of values of {width}x{height} Domineering"),
        &ours,
        &theirs,
    );
    Ok(())
}

fn main() -> Result<(), Failure> {
    match std::env::args().nth(1).as_deref() {
        None => {
            compare_domineering()?;
            compare_toads()?;
            compare_amazons()
        }
        Some("--time") => {
            time_sums(4, 3)?;
            time_positions(4, 4)?;
            time_positions(4, 5)?;
            Ok(())
        }
        Some(other) => Err(format!("unknown argument '{other}'; only --time is known").into()),
    }
}
