//! Checks of numbered positions, and of moves taken back.

use std::collections::{HashMap, HashSet};

use super::list;
use tabia_game::{Classes, Indexed, Player, Retro, Symmetric, Turn};

/// A position's place leads back to it, and its moves to slices that were announced.
pub(super) fn check_index<G: Indexed>(game: &G, state: &G::State) -> Result<(), String> {
    let Some((slice, index)) = game.locate(state) else {
        ensure!(
            game.turn(state) == Turn::Over,
            "a position to move in has no place"
        );
        return Ok(());
    };
    ensure!(
        game.slices().contains(&slice),
        "{slice:?} is not among the slices"
    );
    if let Some(len) = game.slice_len(slice) {
        ensure!(index < len, "place {index} of {slice:?}, which has {len}");
        let there = game.position_at(slice, index);
        ensure!(
            game.locate(&there) == Some((slice, index)),
            "place {index} of {slice:?} holds {there:?}, which has another place"
        );
        if game.turn(state) == Turn::Player(Player::FIRST) {
            ensure!(
                there == *state,
                "place {index} of {slice:?} holds {there:?}"
            );
        }
        ensure!(
            (game.turn(&there) == Turn::Over) == (game.turn(state) == Turn::Over)
                && list(game, &there).len() == list(game, state).len(),
            "{there:?} shares its place and is another position"
        );
    }
    for mv in list(game, state) {
        let mut child = state.clone();
        game.play(&mut child, mv);
        if let Some((next, _)) = game.locate(&child) {
            ensure!(
                game.next_slices(slice).contains(&next),
                "{mv:?} leads to {next:?}"
            );
        }
    }
    Ok(())
}

/// Positions that [`check_classes`] looks at.
const MAX_POSITIONS: u64 = 1_000_000;

/// The classes of slices that are small enough, as often as there is time: the images of a position
/// have its number, every number is that of a position, and there are as many as classes.
pub(super) fn check_classes<G: Indexed + Symmetric>(game: &G) -> Result<(), String> {
    let mut left = MAX_POSITIONS;
    for slice in game.slices() {
        let (Some(count), Some(len)) = (game.class_count(slice), game.slice_len(slice)) else {
            continue;
        };
        if len > left {
            continue;
        }
        left -= len;
        let Some(classes) = game.classes(slice) else {
            return Err(format!("{slice:?} has {count} classes without numbers"));
        };
        let mut met = vec![false; usize::try_from(count).unwrap_or(0)];
        let mut least = 0;
        for index in 0..len {
            let state = game.position_at(slice, index);
            let number = classes.number(&state);
            let place = usize::try_from(number).ok().and_then(|n| met.get_mut(n));
            let Some(place) = place else {
                return Err(format!("{state:?} has number {number} of {count} classes"));
            };
            *place = true;
            for symmetry in 1..game.symmetries() {
                let image = game.map_state(&state, symmetry);
                let other = classes.number(&image);
                ensure!(
                    other == number,
                    "{state:?} has number {number}, its image {image:?} {other}"
                );
            }
            least += u64::from(game.canonical(&state) == state);
        }
        ensure!(
            least == count,
            "{slice:?} has {least} classes of symmetric positions, not {count}"
        );
        for (number, met) in (0u64..).zip(met) {
            ensure!(met, "no position of {slice:?} has number {number}");
            let member = classes.member(number);
            let place = game.locate(&member);
            ensure!(
                place.is_some_and(|(found, _)| found == slice)
                    && classes.number(&member) == number
                    && matches!(game.turn(&member), Turn::Player(Player::FIRST) | Turn::Over),
                "{member:?} is no member of class {number} of {slice:?}"
            );
        }
    }
    Ok(())
}

/// Each move that can be taken back is found by [`Retro::predecessors`] as often as it can be
/// played, and each predecessor has such a move.
pub(super) fn check_predecessors<G: Retro>(game: &G, state: &G::State) -> Result<(), String> {
    let counted = |slice| game.slice_len(slice).is_some();
    let Some((slice, _)) = game.locate(state).filter(|&(slice, _)| counted(slice)) else {
        return Ok(());
    };
    let place = |s: &G::State| game.locate(s);
    let ways = |from: &G::State, to: Option<(G::Slice, u64)>| {
        let reached = list(game, from).into_iter().filter(|&mv| {
            let mut child = from.clone();
            game.play(&mut child, mv);
            place(&child) == to
        });
        reached.count()
    };
    let undone = |state: &G::State| {
        let mut out = Vec::new();
        game.predecessors(state, &mut out);
        out
    };
    let mut returning = HashMap::new();
    for mv in list(game, state) {
        let mut child = state.clone();
        game.play(&mut child, mv);
        let Some((next, _)) = place(&child).filter(|&(next, _)| counted(next)) else {
            continue;
        };
        if !*returning
            .entry(next)
            .or_insert_with(|| reaches(game, next, slice))
        {
            continue;
        }
        let found = undone(&child)
            .iter()
            .filter(|p| place(p) == place(state))
            .count();
        let played = ways(state, place(&child));
        ensure!(
            found == played,
            "{mv:?} is played in {played} ways and taken back in {found}"
        );
    }
    for before in undone(state) {
        ensure!(
            ways(&before, place(state)) > 0,
            "{before:?} is no predecessor"
        );
    }
    Ok(())
}

/// Whether moves can lead from one slice to another.
fn reaches<G: Indexed>(game: &G, from: G::Slice, to: G::Slice) -> bool {
    let mut seen = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(slice) = open.pop() {
        if slice == to {
            return true;
        }
        let next = game.next_slices(slice).into_iter();
        open.extend(next.filter(|&slice| seen.insert(slice)));
    }
    false
}
