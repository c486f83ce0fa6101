//! Searching what a player sees: an engine for games with perfect information plays one with hidden
//! information.
//!
//! The position that is searched is made from what the player to move observes and from nothing
//! else, so the choice cannot depend on what is hidden from them.

use tabia_game::{
    Compared, Game, Hidden, Key, Limits, Made, ObservationOf, Perfect, Player, Seed, Turn,
};

use crate::{Choice, Engine, Listener, Past, Reading, Report, Situation};

/// A game with hidden information that can be searched as one player sees it: as a game with
/// perfect information in which chance stands for what is hidden.
pub trait Believed: Hidden {
    /// The game as one player sees it.
    type Belief: Game<Information = Perfect>;

    /// Returns that game, and its position, for what a player has observed.
    fn belief(
        &self,
        observation: &ObservationOf<Self>,
    ) -> (Self::Belief, <Self::Belief as Game>::State);

    /// Returns the move that this move of the belief stands for; none for an outcome of chance.
    fn real_move(&self, mv: <Self::Belief as Game>::Move) -> Option<Self::Move>;
}

/// An engine of the belief of a game, as an engine of the game itself.
///
/// ```
/// use tabia_game::{Game, Limits, Path};
/// use tabia_stratego::stratego::{Armies, Setup, Stratego};
/// use tabia_search::chance::{StarMinimax, preset};
/// use tabia_search::{Engine, OnBelief, Situation};
///
/// let game = Stratego::new(Setup::Figure, 1000);
/// let star1 = preset("star1").and_then(|preset| preset.configure("table=1M").ok());
/// let mut engine = OnBelief(StarMinimax::<_, f64>::new(star1.unwrap_or_default(), Armies));
/// let (state, path) = (game.start(), Path::new());
/// let situation = Situation { game: &game, state: &state, path: &path };
/// assert!(engine.choose(situation, &Limits::nodes(500)).best.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct OnBelief<E>(pub E);

impl<G, E> Engine<G> for OnBelief<E>
where
    G: Believed<Belief: Key>,
    E: Engine<G::Belief>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_after(past, situation, limits)
    }

    fn choose_after(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
    ) -> Choice<G::Move> {
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        self.0.reports()
    }

    fn counts_playouts(&self) -> bool {
        self.0.counts_playouts()
    }

    fn choose_reporting(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let player = match game.turn(state) {
            Turn::Player(player) => player,
            // Nothing is chosen.
            _ => Player::FIRST,
        };
        let (belief, view) = game.belief(&past.observed_by(game, player));
        // The keys of the real positions would tell what is hidden; the moves are public.
        let mut path = path.public(game.repetition());
        if belief.repetition().compared == Compared::Positions {
            path.pop();
            path.enter(&belief, belief.repetition(), &view, Made::NOTHING);
        }
        let situation = Situation {
            game: &belief,
            state: &view,
            path: &path,
        };
        // What was found for certain holds in the belief alone, and what follows the best move
        // hangs on what is hidden.
        let (lines, interval) = (listener.lines(), listener.interval());
        let mut tell = |report: &Report<'_, <G::Belief as Game>::Move>| {
            if let Some(mv) = report.line.first().and_then(|&mv| game.real_move(mv)) {
                listener.tell(&Report {
                    solved: false,
                    plies: None,
                    ..report.with_line(&[mv])
                });
            }
        };
        let mut inner = Listener::new(lines, &mut tell).every(interval);
        let past = Past::none(&view);
        let choice = self.0.choose_reporting(past, situation, limits, &mut inner);
        let best = choice.best.and_then(|mv| game.real_move(mv));
        Choice {
            best,
            value: choice.value,
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: best.into_iter().collect(),
            depth: choice.depth,
            nodes: choice.nodes,
            counters: choice.counters,
        }
    }

    fn new_game(&mut self, luck: Seed) {
        self.0.new_game(luck);
    }
}
