//! Slices in words, and which of them need which.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use tabia_game::Indexed;
use tabia_game::text::shortened;

use crate::NamesError;

/// The slices that a text names, in ascending order and each once: slices such as `2-1`, ranges of
/// sizes such as `2..5` with both ends included, joined by commas; all slices for an empty text.
pub fn parse_slices<G: Indexed>(game: &G, text: &str) -> Result<Vec<G::Slice>, NamesError> {
    let all = game.slices();
    if text.trim().is_empty() {
        return Ok(all);
    }
    let mut named = Vec::new();
    for word in text.split(',').map(str::trim) {
        let before = named.len();
        match word.split_once("..") {
            Some((least, most)) => {
                let size = |text: &str| {
                    let number = text.trim().parse::<u32>();
                    number.map_err(|_| refusal(game, &all, word))
                };
                let sizes = size(least)?..=size(most)?;
                let fitting = all.iter().filter(|&&s| sizes.contains(&game.slice_size(s)));
                named.extend(fitting);
            }
            None => named.extend(all.iter().find(|&&s| game.slice_text(s) == word)),
        }
        if named.len() == before {
            return Err(refusal(game, &all, word));
        }
    }
    named.sort_unstable();
    named.dedup();
    Ok(named)
}

fn refusal<G: Indexed>(game: &G, all: &[G::Slice], word: &str) -> NamesError {
    const SHOWN: usize = 12;
    let names: Vec<String> = all
        .iter()
        .take(SHOWN)
        .map(|&s| game.slice_text(s))
        .collect();
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    let sizes = || all.iter().map(|&s| game.slice_size(s));
    NamesError::new(format!(
        "'{}' names no slice; there are {}{more}, and ranges of sizes from {}..{}",
        shortened(word),
        names.join(", "),
        sizes().min().unwrap_or(0),
        sizes().max().unwrap_or(0),
    ))
}

/// These slices and all that moves can lead to from them, in ascending order.
pub fn with_all_they_need<G: Indexed>(game: &G, slices: &[G::Slice]) -> Vec<G::Slice> {
    let mut reached: BTreeSet<G::Slice> = slices.iter().copied().collect();
    let mut waiting = slices.to_vec();
    while let Some(slice) = waiting.pop() {
        for next in game.next_slices(slice) {
            if reached.insert(next) {
                waiting.push(next);
            }
        }
    }
    reached.into_iter().collect()
}

/// The sum of numbers; `None` if one of them or the sum cannot be told.
pub fn total(numbers: impl IntoIterator<Item = Option<u64>>) -> Option<u64> {
    let mut numbers = numbers.into_iter();
    numbers.try_fold(0u64, |sum, n| sum.checked_add(n?))
}

/// Slices divided into groups that moves lead back and forth within, every group after those that
/// moves from it lead to.
pub fn groups<G: Indexed>(game: &G, slices: &[G::Slice]) -> Vec<Vec<G::Slice>> {
    let mut graph = DiGraph::<G::Slice, ()>::new();
    let nodes: BTreeMap<_, _> = slices.iter().map(|&s| (s, graph.add_node(s))).collect();
    for (&slice, &node) in &nodes {
        for next in game.next_slices(slice) {
            if let Some(&next) = nodes.get(&next) {
                graph.add_edge(node, next, ());
            }
        }
    }
    let in_order = |members: Vec<_>| {
        let mut group: Vec<G::Slice> = members.into_iter().map(|node| graph[node]).collect();
        group.sort_unstable();
        group
    };
    tarjan_scc(&graph).into_iter().map(in_order).collect()
}

/// The slices outside of a group that a move from it leads to.
pub fn below<G: Indexed>(game: &G, group: &[G::Slice]) -> Vec<G::Slice> {
    let next = group.iter().flat_map(|&slice| game.next_slices(slice));
    let below: BTreeSet<G::Slice> = next.filter(|slice| !group.contains(slice)).collect();
    below.into_iter().collect()
}
