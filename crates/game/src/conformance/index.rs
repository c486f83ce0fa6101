//! Checks of numbered positions, and of moves taken back.

use std::collections::{HashMap, HashSet};

use super::list;
use crate::{Indexed, Player, Retro, Turn};

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
