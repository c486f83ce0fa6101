//! A search for lines as a player who is asked for moves.

use tabia_game::{Limits, OnePlayer, Payoff, Seed};

use super::ruled::Ruled;
use super::{Found, Seek};
use crate::{Choice, Engine, Listener, Past, Reading, Report, Situation};

/// Plays the moves of the best line that its search has found so far, and searches on at every
/// move.
pub struct Follow<S, G: OnePlayer> {
    search: S,
    own: Seed,
    known: Option<Known<G::Move>>,
}

/// The best line so far.
struct Known<M> {
    payoff: Payoff,
    /// The keys of the positions it leads through, and the moves made there.
    steps: Vec<(u64, M)>,
}

impl<S, G: OnePlayer> Follow<S, G> {
    /// A player with this search; `own` is the seed of its options.
    pub fn new(search: S, own: Seed) -> Self {
        Follow {
            search,
            own,
            known: None,
        }
    }

    /// What is left of the line that is known, if it leads through this position.
    fn rest(&self, key: u64) -> Option<(Payoff, Vec<G::Move>)> {
        let Known { payoff, steps } = self.known.as_ref()?;
        let at = steps.iter().position(|&(before, _)| before == key)?;
        let rest = steps[at..].iter().map(|&(_, mv)| mv).collect();
        Some((*payoff, rest))
    }
}

impl<S: Seek<G>, G: OnePlayer> Engine<G> for Follow<S, G> {
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn prepare(&mut self, game: &G) {
        self.search.prepare(game);
    }

    fn counts_playouts(&self) -> bool {
        self.search.counts_playouts()
    }

    /// Reports every line that is better than all before.
    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, .. } = situation;
        let mut limits = limits.clone();
        if self.search.counts_playouts() {
            limits.nodes = limits.nodes.into_iter().chain(limits.playouts).min();
        }
        let largest = f64::from(game.max_payoff().max(1));
        let mut improved = |payoff: Payoff, line: &[G::Move], nodes| {
            listener.tell(&Report {
                rank: 1,
                depth: 0,
                value: Some(f64::from(payoff) / largest),
                solved: false,
                plies: None,
                visits: None,
                line,
                nodes,
                elapsed: listener.elapsed(),
            });
        };
        let Found {
            mut payoff,
            mut line,
            proved,
            nodes,
            counters,
        } = self.search.seek(situation, &limits, &mut improved);
        // The known line may have been found from a position that had earned something else, or on
        // another path; then it proves nothing here.
        let ruled = Ruled::new(situation);
        if let Some((known, rest)) = self.rest(game.key(state))
            && known > payoff
            && ruled.payoff(state, &rest) == Some(known)
        {
            (payoff, line) = (known, rest);
        }
        let mut here = state.clone();
        let mut steps = Vec::with_capacity(line.len());
        for &mv in &line {
            steps.push((game.key(&here), mv));
            game.play(&mut here, mv);
        }
        self.known = Some(Known { payoff, steps });
        let best = line.first().copied().or_else(|| {
            let mut moves = Vec::new();
            ruled.moves(&mut state.clone(), &mut moves);
            moves.first().copied()
        });
        if line.is_empty() {
            line.extend(best);
        }
        let choice = Choice {
            best,
            value: Some(f64::from(payoff) / largest),
            reading: Reading::Own,
            solved: proved,
            plies: None,
            line,
            depth: 0,
            nodes,
            counters,
        };
        listener.conclude(&choice);
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.known = None;
        self.search.reseed(luck.number(self.own.value()));
    }
}
