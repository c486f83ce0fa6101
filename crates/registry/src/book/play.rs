//! Engines that play from a book as long as it knows the position.

use std::collections::HashMap;
use std::path::Path;

use tabia_game::options::OptionError;
use tabia_game::{Limits, Player, Seed, Turn};
use tabia_search::{Choice, Counter, Engine, Listener, Past, Reading, Situation};

use super::{Book, NodeId};
use crate::listing::Listable;

/// A book with its positions.
pub(crate) struct Pages<G: Listable> {
    book: Book,
    positions: HashMap<u64, (G::State, NodeId)>,
}

impl<G: Listable> Pages<G> {
    /// Opens the book of a file for a game; a book of another game is refused.
    pub(crate) fn open(game: &G, file: &str) -> Result<Pages<G>, OptionError> {
        let wrong = |reason: String| OptionError::new(format!("the book '{file}': {reason}"));
        let text = crate::read_text(Path::new(file)).map_err(|e| wrong(e.to_string()))?;
        let book = Book::read(&text).map_err(|e| wrong(e.to_string()))?;
        let mut states: Vec<G::State> = Vec::with_capacity(book.nodes().len());
        let mut positions = HashMap::new();
        for (id, node) in book.nodes().iter().enumerate() {
            let state = match node.parent {
                None => match &book.header().position {
                    None => game.start(),
                    Some(text) => game
                        .parse_position(text)
                        .map_err(|e| wrong(e.to_string()))?,
                },
                Some(parent) => {
                    let mut state = states[parent].clone();
                    let mv = game
                        .parse_move(&state, &node.mv)
                        .map_err(|e| wrong(format!("it is not for this game or board: {e}")))?;
                    game.play(&mut state, mv);
                    state
                }
            };
            // Of positions that come about in several ways the first with moves counts.
            if !book.tree()[id].children.is_empty() {
                positions
                    .entry(game.key(&state))
                    .or_insert((state.clone(), id));
            }
            states.push(state);
        }
        Ok(Pages { book, positions })
    }

    fn choice(&self, game: &G, state: &G::State, player: Player) -> Option<Choice<G::Move>> {
        let (known, id) = self.positions.get(&game.key(state))?;
        if known != state {
            return None;
        }
        let mut line = Vec::new();
        let mut here = state.clone();
        for child in self.book.principal_line(*id) {
            let mv = game.parse_move(&here, &self.book.nodes()[child].mv).ok()?;
            game.play(&mut here, mv);
            line.push(mv);
        }
        let value = f64::from(self.book.tree()[*id].propagated) / 1e6;
        Some(Choice {
            best: Some(*line.first()?),
            value: Some(if player == Player::FIRST {
                value
            } else {
                -value
            }),
            reading: Reading::Own,
            solved: false,
            plies: None,
            line,
            depth: 0,
            nodes: 1,
            counters: vec![("book", Counter::One(1))],
        })
    }
}

/// An engine with a book.
pub(crate) struct Booked<G: Listable> {
    pub(crate) pages: Pages<G>,
    pub(crate) engine: Box<dyn Engine<G>>,
}

impl<G: Listable> Engine<G> for Booked<G> {
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
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
        self.engine.reports()
    }

    fn counts_playouts(&self) -> bool {
        self.engine.counts_playouts()
    }

    fn choose_reporting(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        if let Turn::Player(player) = game.turn(state)
            && let Some(choice) = self.pages.choice(game, state, player)
        {
            listener.conclude(&choice);
            return choice;
        }
        let situation = Situation { game, state, path };
        self.engine
            .choose_reporting(past, situation, limits, listener)
    }

    fn prepare(&mut self, game: &G) {
        self.engine.prepare(game);
    }

    fn new_game(&mut self, luck: Seed) {
        self.engine.new_game(luck);
    }

    fn estimate(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        self.engine.estimate(game, state, player)
    }
}
