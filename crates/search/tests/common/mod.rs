//! Trees written down node by node, as papers print them.
// Each test uses what it needs of this module.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::Mutex;

use rand::Rng;
use tabia_game::{
    Chance, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Stochastic, Turn, TwoPlayer,
};

/// A node and all below it.
#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(i32),
    Max(Vec<Tree>),
    Min(Vec<Tree>),
    Chance(Vec<(u64, Tree)>),
}

#[derive(Debug)]
enum Kind {
    Leaf(i32),
    Choice(Player, Vec<usize>),
    Chance(Vec<(usize, u64)>),
}

/// A printed tree as a game. It remembers which leaves were looked at, numbered from left to right.
pub struct Printed {
    nodes: Vec<Kind>,
    leaves: Vec<usize>,
    seen: Mutex<BTreeSet<usize>>,
    looks: Mutex<usize>,
    largest: i32,
}

impl Printed {
    /// Values lie between minus and plus `largest`.
    pub fn new(root: &Tree, largest: i32) -> Printed {
        let mut printed = Printed {
            nodes: vec![Kind::Leaf(0)],
            leaves: Vec::new(),
            seen: Mutex::default(),
            looks: Mutex::default(),
            largest,
        };
        printed.fill(0, root);
        printed
    }

    fn fill(&mut self, at: usize, tree: &Tree) {
        let first = self.nodes.len();
        let below: Vec<&Tree> = match tree {
            Tree::Leaf(_) => Vec::new(),
            Tree::Max(children) | Tree::Min(children) => children.iter().collect(),
            Tree::Chance(outcomes) => outcomes.iter().map(|(_, tree)| tree).collect(),
        };
        self.nodes.extend(below.iter().map(|_| Kind::Leaf(0)));
        let numbers: Vec<usize> = (first..first + below.len()).collect();
        for (&number, tree) in numbers.iter().zip(&below) {
            self.fill(number, tree);
        }
        self.nodes[at] = match tree {
            Tree::Leaf(value) => {
                self.leaves.push(at);
                Kind::Leaf(*value)
            }
            Tree::Max(_) => Kind::Choice(Player::FIRST, numbers),
            Tree::Min(_) => Kind::Choice(Player::SECOND, numbers),
            Tree::Chance(outcomes) => {
                let weights = outcomes.iter().map(|(weight, _)| *weight);
                Kind::Chance(numbers.into_iter().zip(weights).collect())
            }
        };
    }

    /// The leaves looked at so far, from left to right, and how often leaves were looked at in all.
    pub fn seen(&self) -> (Vec<usize>, usize) {
        let seen = self.seen.lock().unwrap();
        let place = |node: &usize| self.leaves.iter().position(|leaf| leaf == node).unwrap();
        (
            seen.iter().map(place).collect(),
            *self.looks.lock().unwrap(),
        )
    }
}

impl Game for Printed {
    type State = usize;
    type Move = u8;
    type Undo = usize;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> usize {
        0
    }
    fn turn(&self, node: &usize) -> Turn {
        match &self.nodes[*node] {
            Kind::Leaf(_) => Turn::Over,
            Kind::Choice(player, _) => Turn::Player(*player),
            Kind::Chance(_) => Turn::Chance,
        }
    }
    fn moves(&self, node: &usize, out: &mut Vec<u8>) {
        let count = match &self.nodes[*node] {
            Kind::Leaf(_) => 0,
            Kind::Choice(_, children) => children.len(),
            Kind::Chance(outcomes) => outcomes.len(),
        };
        out.extend(0..count as u8);
    }
    fn play(&self, node: &mut usize, mv: u8) -> usize {
        let old = *node;
        *node = match &self.nodes[old] {
            Kind::Leaf(_) => old,
            Kind::Choice(_, children) => children[usize::from(mv)],
            Kind::Chance(outcomes) => outcomes[usize::from(mv)].0,
        };
        old
    }
    fn undo(&self, node: &mut usize, old: usize) {
        *node = old;
    }
    fn payoff(&self, node: &usize, player: Player) -> Payoff {
        let Kind::Leaf(value) = self.nodes[*node] else {
            return 0;
        };
        self.seen.lock().unwrap().insert(*node);
        *self.looks.lock().unwrap() += 1;
        if player == Player::FIRST {
            value
        } else {
            -value
        }
    }
    fn max_payoff(&self) -> Payoff {
        self.largest
    }
}

impl TwoPlayer for Printed {}

impl Chance for Printed {
    fn outcomes(&self, node: &usize, out: &mut Vec<(u8, u64)>) {
        if let Kind::Chance(outcomes) = &self.nodes[*node] {
            out.extend(
                outcomes
                    .iter()
                    .zip(0..)
                    .map(|(&(_, weight), i)| (i, weight)),
            );
        }
    }
    fn sample_outcome<R: Rng + ?Sized>(&self, _: &usize, _: &mut R) -> u8 {
        0
    }
}

impl Key for Printed {
    fn key(&self, node: &usize) -> u64 {
        tabia_game::zobrist::mix(*node as u64)
    }
}

impl MoveIndex for Printed {
    fn move_indices(&self) -> usize {
        256
    }
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Nothing is known of inner nodes.
#[derive(Clone, Copy)]
pub struct Nothing;

impl Knowledge<Printed> for Nothing {
    fn evaluate(&self, _: &Printed, _: &usize, _: Player) -> i32 {
        0
    }
}
