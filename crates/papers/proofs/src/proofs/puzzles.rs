//! Games for one.

use tabia_cards::klondike::{Klondike, Rules};
use tabia_game::{Cancel, Game, Limits, Payoff, Text};
use tabia_puzzles::morpion::{Morpion, Variant};
use tabia_puzzles::sliding::{Blank, Sliding, TilePattern};
use tabia_solve::single_agent::{DepthFirst, ida_star_by};
use tabia_tables::patterns::{Additive, PatternDatabase, distances};

use tabia_lab::experiment::ExperimentPlan;
use tabia_lab::{LabError, Setting};

use super::{Check, checks, within, wrong};

#[path = "../../../../families/cards/tests/support/plain_klondike.rs"]
mod plain_klondike;
#[path = "../../../../families/puzzles/tests/support/plain_morpion.rs"]
#[allow(dead_code)]
mod plain_morpion;

/// Positions of Korf (1985, table 1) with the lengths of their shortest solutions.
const KORF: [(u32, &str, u64); 6] = [
    (1, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57),
    (2, "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55),
    (79, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42),
    (3, "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", 59),
    (4, "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", 56),
    (5, "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0", 56),
];

pub fn fifteen_puzzle(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (largest, count) = setting.scale.pick([(5, 3), (6, KORF.len())]);
    let check = Check::all("lengths", &KORF[..count], move |instances, cancel| {
        let game = Sliding::new(4, 4, Blank::First, 0).map_err(wrong)?;
        let databases = both_ways(&game, largest, cancel)?;
        let mut lengths = Vec::new();
        for (_, text, _) in instances {
            let state = game.parse_position(text).map_err(wrong)?;
            let most = |game: &Sliding, state: &_| databases.most(game, state);
            let found = ida_star_by(&game, &state, &most, &within(cancel));
            lengths.push(found.payoff.map_or(0, Payoff::unsigned_abs).into());
        }
        Ok(lengths)
    });
    Ok(checks(
        vec![check],
        &["databases of up to five or six tiles, each also seen in the mirror"],
    ))
}

impl Check {
    /// One measurement of several positions, each with a number, a text and a length.
    fn all(
        name: &str,
        instances: &'static [(u32, &'static str, u64)],
        measure: impl Fn(&[(u32, &str, u64)], &Cancel) -> Result<Vec<u64>, LabError>
        + Send
        + Sync
        + 'static,
    ) -> Check {
        let figures = instances.iter();
        let figures = figures.map(|(number, _, length)| (format!("position {number}"), *length));
        let measure = move |cancel: &Cancel| {
            let figures = measure(instances, cancel)?;
            Ok(figures.into_iter().map(|figure| figure as f64).collect())
        };
        Check {
            name: name.to_string(),
            figures: figures.collect(),
            cell: tabia_lab::experiment::ExperimentCell::once(name, measure),
        }
    }
}

/// The databases of a partition, and the same seen in the mirror.
fn both_ways(
    game: &Sliding,
    largest: usize,
    cancel: &Cancel,
) -> Result<Additive<TilePattern>, LabError> {
    let lacking = || wrong("the patterns cannot be numbered");
    let groups = TilePattern::partition(game, largest).map_err(wrong)?;
    let (mut plain, mut mirrored) = (Vec::new(), Vec::new());
    for group in groups {
        let found = distances(&group, cancel, &|_| {}).map_err(wrong)?;
        let database = PatternDatabase::new(group, found).ok_or_else(lacking)?;
        let mirror = database.abstraction().mirrored(game).map_err(wrong)?;
        mirrored.push(database.shared(mirror).ok_or_else(lacking)?);
        plain.push(database);
    }
    Ok(Additive::default().with(mirrored).with(plain))
}

pub fn morpion_positions(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let known = [
        (Variant::FiveTouching, [21_497, 105_596]),
        (Variant::FiveDisjoint, [19_281, 89_212]),
        (Variant::FourTouching, [89_802, 656_064]),
        (Variant::FourDisjoint, [84_226, 589_672]),
    ];
    let depth = setting.scale.pick([4, 5]);
    let check = |(variant, counts): (Variant, [u64; 2])| {
        let count = move |cancel: &Cancel| {
            let touching = matches!(variant, Variant::FiveTouching | Variant::FourTouching);
            let plain = plain_morpion::PlainMorpion::new(variant.length() as i32, touching);
            let plain = plain.positions(depth).last().map_or(0, |&n| n as u64);
            let game = Morpion::new(variant);
            let visited = |depth: u32| {
                let limits = Limits {
                    depth: Some(depth),
                    ..within(cancel)
                };
                let search = DepthFirst::incremental();
                search.search(&game, &game.start(), &limits).nodes
            };
            Ok([plain, visited(depth as u32) - visited(depth as u32 - 1)])
        };
        let wanted = counts[depth - 4];
        let figures = [("plain", wanted), ("incremental", wanted)];
        Check::new(
            format!("{} after {depth} moves", variant.name()),
            figures,
            count,
        )
    };
    Ok(checks(known.map(check).into(), &[]))
}

/// Positions of a deal that the plain implementation looks at, at most.
const MAX_POSITIONS: usize = 8_000;
/// Deals of each kind.
const DEALS: u64 = 30;

pub fn klondike_moves(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let small = |(draw, passes, back, ranks, piles)| Rules {
        draw,
        passes,
        back,
        ranks,
        piles,
    };
    let kinds = [
        (2, 0, true, 4, 4),
        (1, 1, true, 4, 5),
        (3, 0, false, 4, 5),
        (3, 0, true, 4, 5),
        (3, 0, true, 5, 5),
        (3, 1, false, 6, 6),
    ];
    let check = |rules: Rules| {
        let compare = move |_: &Cancel| {
            let mut different = 0;
            for seed in 0..DEALS {
                let game = Klondike::new(rules, seed).map_err(wrong)?;
                let start = game.start();
                let table = plain_klondike::Table::read(&game.position_text(&start));
                let (draw, ranks) = (usize::from(rules.draw), usize::from(rules.ranks));
                let wanted = table.best(draw, ranks, rules.back, MAX_POSITIONS);
                let Some(wanted) = wanted else {
                    continue;
                };
                different += u64::from(best(&game) != wanted as u64);
            }
            Ok([different])
        };
        let name = format!(
            "{} ranks, {} piles, draw {}, {} passes, back {}",
            rules.ranks, rules.piles, rules.draw, rules.passes, rules.back
        );
        Check::new(name, [("deals with another result", 0)], compare)
    };
    Ok(checks(
        kinds.map(small).map(check).into(),
        &["deals with too many positions for the plain implementation are left out"],
    ))
}

/// The most cards on the foundations over all positions that moves lead to.
fn best(game: &Klondike) -> u64 {
    use std::collections::HashSet;
    use tabia_game::{Key, OnePlayer};

    let start = game.start();
    let mut seen = HashSet::from([game.key(&start)]);
    let mut open = vec![start];
    let mut best = 0;
    let mut moves = Vec::new();
    while let Some(state) = open.pop() {
        best = best.max(game.earned(&state));
        if best == game.max_payoff() {
            break;
        }
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let mut next = state;
            game.play(&mut next, mv);
            if seen.insert(game.key(&next)) {
                open.push(next);
            }
        }
    }
    best.unsigned_abs().into()
}
