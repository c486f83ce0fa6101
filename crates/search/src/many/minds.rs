//! Who believes what of whom: max^n in which players may be wrong about each other.
//!
//! In max^n a searcher believes something of everybody's aims, and that all others believe the
//! same. In tables 4 and 5 of Sturtevant (2004) that is often wrong, as the paper notes: a player
//! who knows the aims of the others takes it that they know theirs. Here a [`Mind`] holds what its
//! owner believes of everybody's aims, and by which mind they believe everybody to decide, as in
//! the recursive models of M* (Carmel and Markovitch 1996). All minds are backed up in one search
//! to the end of the game: at a node each of them follows the move that the player would choose by
//! the mind that it credits them with.
//!
//! With one mind, by which everybody decides, this is max^n. Rules of repetition are left aside.

use rustc_hash::FxHashMap;
use tabia_game::{Key, Limits, Meter, Player, Stopped, Turn};

use super::aims::{Aims, MAX_PLAYERS, Vector};
use super::ties::{Offer, Ties};
use crate::alphabeta::MAX_DEPTH;

/// The most minds of one search.
pub const MAX_MINDS: usize = 8;

/// What somebody believes.
#[derive(Clone, Debug)]
pub struct Mind<A> {
    /// What everybody wants.
    pub aims: A,
    /// The number of the mind by which each player decides.
    pub deciders: [usize; MAX_PLAYERS],
}

/// Several minds, which may refer to each other.
#[derive(Clone, Debug)]
pub struct Minds<A>(Vec<Mind<A>>);

impl<A> Minds<A> {
    /// These minds; `None` if there are none or too many, or if one refers to a mind that is not
    /// there.
    pub fn new(minds: Vec<Mind<A>>) -> Option<Minds<A>> {
        let there = |mind: &Mind<A>| mind.deciders.iter().all(|&d| d < minds.len());
        let right = (1..=MAX_MINDS).contains(&minds.len()) && minds.iter().all(there);
        right.then_some(Minds(minds))
    }

    /// One mind, by which everybody is taken to decide.
    pub fn common(aims: A) -> Minds<A> {
        Minds(vec![Mind {
            aims,
            deciders: [0; MAX_PLAYERS],
        }])
    }

    /// The minds.
    pub fn all(&self) -> &[Mind<A>] {
        &self.0
    }
}

/// What each mind expects of a position, in the numbers of its aims.
pub type Expected = [Vector; MAX_MINDS];

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct MindsAnswer<M> {
    /// The move of the player who is asked.
    pub best: M,
    /// What each mind expects of the position.
    pub expected: Expected,
    /// Nodes visited, the root included.
    pub nodes: u64,
}

/// Searches to the end of a game in which no position comes back.
pub struct MindSearch<'a, G: Key, A> {
    game: &'a G,
    minds: &'a Minds<A>,
    ties: Ties,
    root: usize,
    meter: Meter,
    known: FxHashMap<u64, Expected>,
    /// Positions that are kept in mind at most.
    most_known: usize,
}

impl<'a, G: Key, A: Aims<G>> MindSearch<'a, G, A> {
    /// A search with these minds and this tie rule that keeps at most this many positions.
    pub fn new(
        game: &'a G,
        minds: &'a Minds<A>,
        ties: Ties,
        most_known: usize,
        limits: &Limits,
    ) -> MindSearch<'a, G, A> {
        MindSearch {
            game,
            minds,
            ties,
            root: 0,
            meter: limits.meter(),
            known: FxHashMap::default(),
            most_known,
        }
    }

    /// The move of the player to move, who decides by the mind with this number; `None` if a limit
    /// stopped the search, nobody is to move or there is no such mind.
    pub fn choose(&mut self, state: &G::State, mind: usize) -> Option<MindsAnswer<G::Move>> {
        let Turn::Player(player) = self.game.turn(state) else {
            return None;
        };
        if mind >= self.minds.0.len() {
            return None;
        }
        self.root = player.index();
        self.known.clear();
        self.meter.tick().ok()?;
        let mut state = state.clone();
        let mut moves = Vec::new();
        let (expected, chosen) = self
            .decide(&mut state, player, &mut moves, 0, Some(mind))
            .ok()?;
        Some(MindsAnswer {
            best: chosen?,
            expected,
            nodes: self.meter.nodes(),
        })
    }

    fn entered(
        &mut self,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
        ply: u32,
    ) -> Result<Expected, Stopped> {
        self.meter.tick()?;
        let Turn::Player(player) = self.game.turn(state) else {
            return Ok(self.finished(state));
        };
        if ply >= MAX_DEPTH {
            return Err(Stopped);
        }
        let key = self.game.key(state);
        if let Some(expected) = self.known.get(&key) {
            return Ok(*expected);
        }
        let (expected, _) = self.decide(state, player, moves, ply, None)?;
        if self.known.len() < self.most_known {
            self.known.insert(key, expected);
        }
        Ok(expected)
    }

    fn finished(&self, state: &G::State) -> Expected {
        let mut expected = [[0; MAX_PLAYERS]; MAX_MINDS];
        for (mind, values) in self.minds.0.iter().zip(&mut expected) {
            let players = self.game.players().min(MAX_PLAYERS);
            for (player, value) in values[..players].iter_mut().enumerate() {
                *value = mind.aims.worth(self.game, state, Player(player as u8));
            }
        }
        expected
    }

    /// What each mind expects where `player` is to move, and their move by the mind with the number
    /// `asked`.
    fn decide(
        &mut self,
        state: &mut G::State,
        player: Player,
        moves: &mut Vec<G::Move>,
        ply: u32,
        asked: Option<usize>,
    ) -> Result<(Expected, Option<G::Move>), Stopped> {
        let base = moves.len();
        self.game.moves(state, moves);
        let mut chosen = None;
        let mut expected = [[0; MAX_PLAYERS]; MAX_MINDS];
        // The best move of each mind, if that is what the player decides by.
        let mut best: [Option<Offer>; MAX_MINDS] = [None; MAX_MINDS];
        for number in base..moves.len() {
            let mv = moves[number];
            let token = self.game.play(state, mv);
            let child = self.entered(state, moves, ply + 1);
            self.game.undo(state, token);
            let child = child?;
            let mut taken = [false; MAX_MINDS];
            for mind in 0..self.minds.0.len() {
                let offer = Offer {
                    values: child[mind],
                    number: number as u32,
                };
                let prefers =
                    |old: &Offer| self.ties.prefers(player.index(), self.root, &offer, old);
                if best[mind].as_ref().is_none_or(prefers) {
                    best[mind] = Some(offer);
                    taken[mind] = true;
                }
            }
            for (number, mind) in self.minds.0.iter().enumerate() {
                if taken[mind.deciders[player.index()]] {
                    expected[number] = child[number];
                }
            }
            if asked.is_some_and(|mind| taken[mind]) {
                chosen = Some(mv);
            }
        }
        moves.truncate(base);
        Ok((expected, chosen))
    }
}
