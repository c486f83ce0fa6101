//! Opponents whose mind is not known: prob-max^n and soft-max^n.
//!
//! Both look at everything, with no bounds and no table: what they back up is no vector of one line
//! of play.

use tabia_game::{Key, Knowledge, Made, MoveIndex, Player, Ruling, Stopped, Turn};

use super::aims::{Aims, MAX_PLAYERS, Vector};
use super::node::{Found, Worker};
use super::ties::Offer;
use crate::alphabeta::MAX_DEPTH;

/// What the lines of play of a node may come to, and whether no estimate went into it.
type Values = (Vec<Vector>, bool);

impl<G, K, A> Worker<'_, G, K, A>
where
    G: Key + MoveIndex,
    K: Knowledge<G>,
    A: Aims<G>,
{
    /// Prob-max^n (Sturtevant, Zinkevich and Bowling 2006) with two models of an opponent: they do
    /// what is worst for the root with this probability, and what is best for themselves otherwise.
    /// Values are means.
    pub fn search_prob(&mut self, depth: i32, hostile: f64) -> Result<Found, Stopped> {
        let combine = |worker: &Self, player: usize, children: &mut Vec<Values>| {
            worker.mixed(player, children, hostile)
        };
        self.modelled(depth, &combine)
    }

    /// Soft-max^n (Sturtevant and Bowling 2006): a node has the values of all moves that are not
    /// dominated, where a move dominates another if its player prefers whatever comes of it to
    /// whatever comes of the other. At the root the move is chosen that is best in the worst case,
    /// and of those the best on the average.
    pub fn search_soft(&mut self, depth: i32) -> Result<Found, Stopped> {
        self.modelled(depth, &|_, player, children| undominated(player, children))
    }

    fn modelled(
        &mut self,
        depth: i32,
        combine: &impl Fn(&Self, usize, &mut Vec<Values>) -> Values,
    ) -> Result<Found, Stopped> {
        self.lines.resize_with(MAX_DEPTH as usize + 2, Vec::new);
        self.moves.clear();
        self.meter.tick()?;
        let mut complete = true;
        let mut best: Option<(Offer, (i32, i64), G::Move)> = None;
        self.game.moves(&self.state, &mut self.moves);
        self.retain_legal(0);
        let excluded = &self.excluded;
        self.moves.retain(|mv| !excluded.contains(mv));
        for number in 0..self.moves.len() {
            let mv = self.moves[number];
            let made = self.made(mv);
            let token = self.game.play(&mut self.state, mv);
            let child = self.any(depth - 1, 1, made, combine);
            self.game.undo(&mut self.state, token);
            let (values, whole) = child?;
            complete &= whole;
            let own = |v: &Vector| v[self.root];
            let worst = values.iter().map(own).min().unwrap_or(0);
            let all: i64 = values.iter().map(|v| i64::from(own(v))).sum();
            let merit = (worst, all / values.len().max(1) as i64);
            if best.as_ref().is_none_or(|(_, most, _)| merit > *most) {
                let values = *values
                    .iter()
                    .min_by_key(|v| own(v))
                    .unwrap_or(&[0; MAX_PLAYERS]);
                let number = number as u32;
                best = Some((Offer { values, number }, merit, mv));
                self.lines[0].clear();
                self.lines[0].push(mv);
            }
        }
        let values = best.map_or([0; MAX_PLAYERS], |(offer, ..)| offer.values);
        Ok(Found::Values { values, complete })
    }

    /// What may come of the position just entered.
    fn any(
        &mut self,
        depth: i32,
        ply: usize,
        made: Made,
        combine: &impl Fn(&Self, usize, &mut Vec<Values>) -> Values,
    ) -> Result<Values, Stopped> {
        self.meter.tick()?;
        self.stats.deepest = self.stats.deepest.max(ply);
        let one = |found| match found {
            Found::Values { values, complete } => (vec![values], complete),
            Found::Rejected { .. } => (vec![[0; MAX_PLAYERS]], false),
        };
        let Turn::Player(Player(player)) = self.game.turn(&self.state) else {
            return Ok(one(self.finished()));
        };
        let tracked = self.repetition.is_tracked();
        let (game, rule) = (self.game, self.repetition);
        let ruling = match tracked {
            true => self.path.enter(game, rule, &self.state, made),
            false => Ruling::Open,
        };
        let found = if !ruling.is_open() {
            Ok(one(self.judged(ruling)))
        } else if depth <= 0 || ply >= MAX_DEPTH as usize {
            Ok(one(self.estimated()))
        } else {
            let base = self.moves.len();
            self.game.moves(&self.state, &mut self.moves);
            let stuck = self.retain_legal(base);
            let children = (base..self.moves.len()).map(|at| {
                let mv = self.moves[at];
                let made = self.made(mv);
                let token = self.game.play(&mut self.state, mv);
                let child = self.any(depth - 1, ply + 1, made, combine);
                self.game.undo(&mut self.state, token);
                child
            });
            let children: Result<Vec<Values>, Stopped> = children.collect();
            self.moves.truncate(base);
            match stuck.is_open() {
                false => Ok(one(self.judged(stuck))),
                true => {
                    children.map(|mut children| combine(self, usize::from(player), &mut children))
                }
            }
        };
        if tracked {
            self.path.pop();
        }
        found
    }

    fn mixed(&self, player: usize, children: &mut [Values], hostile: f64) -> Values {
        let complete = children.iter().all(|(_, complete)| *complete);
        let offers = children
            .iter()
            .enumerate()
            .filter_map(|(number, (values, _))| {
                Some(Offer {
                    values: *values.first()?,
                    number: number as u32,
                })
            });
        let mut best: Option<Offer> = None;
        let mut worst: Option<Offer> = None;
        for offer in offers {
            let preferred = |old: &Offer| self.config.ties.prefers(player, self.root, &offer, old);
            if best.as_ref().is_none_or(preferred) {
                best = Some(offer);
            }
            if worst.is_none_or(|old| offer.values[self.root] < old.values[self.root]) {
                worst = Some(offer);
            }
        }
        let (Some(best), Some(worst)) = (best, worst) else {
            return (vec![[0; MAX_PLAYERS]], false);
        };
        if player == self.root {
            return (vec![best.values], complete);
        }
        let mut mean = [0; MAX_PLAYERS];
        for (i, value) in mean.iter_mut().enumerate() {
            let (own, other) = (f64::from(best.values[i]), f64::from(worst.values[i]));
            *value = (own + hostile * (other - own)).round() as i32;
        }
        (vec![mean], complete)
    }
}

/// The values of all children that no other dominates.
fn undominated(player: usize, children: &mut Vec<Values>) -> Values {
    let complete = children.iter().all(|(_, complete)| *complete);
    let worst = |values: &[Vector]| values.iter().map(|v| v[player]).min();
    let best = |values: &[Vector]| values.iter().map(|v| v[player]).max();
    let safest = children
        .iter()
        .filter_map(|(values, _)| worst(values))
        .max();
    let mut all = Vec::new();
    for (values, _) in children.drain(..) {
        if best(&values) >= safest {
            all.extend(values);
        }
    }
    all.sort_unstable();
    all.dedup();
    (all, complete)
}
