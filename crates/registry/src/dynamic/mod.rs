//! Games behind an object, so that all of them share one copy of every algorithm.
//!
//! An algorithm is compiled once for every type of game, which makes it fast and takes seconds each
//! time. A small game needs no speed, so its rules go behind the object-safe trait [`Position`],
//! and algorithms see the one type [`Dynamic`] instead of the game's own. A search then costs a
//! virtual call and an allocation or two per node; playouts run at the speed of the game itself.
//!
//! A move is a [`DynamicMove`]: its place in the list of legal moves. A position remembers that
//! list and what takes its moves back, so that most calls only look something up.

mod game;
mod knowledge;
mod listing;
mod shared;

pub use game::{Any, Dynamic, Two};
pub use knowledge::DynamicKnowledge;
pub use listing::SharedListing;

use std::any::Any as AnyType;
use std::fmt;
use std::sync::{Arc, OnceLock};

use rand::Rng;
use tabia_game::{
    Chance, Game, Made, MoveIndex, Path, Payoff, Picture, Player, Ruling, TextError, Turn,
};

use crate::listing::Listable;

/// A move of a [`Dynamic`] game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicMove {
    /// The place among the legal moves, or the outcomes of chance.
    place: u32,
    /// The number of [`MoveIndex`].
    number: u32,
}

impl DynamicMove {
    fn place(self) -> usize {
        self.place as usize
    }
}

/// A position together with the rules of its game.
pub trait Position: AnyType + Send + Sync {
    /// For downcasts to the position of a typed game.
    fn as_any(&self) -> &dyn AnyType;
    /// For downcasts to the position of a typed game.
    fn as_any_mut(&mut self) -> &mut dyn AnyType;
    /// A copy, whose last moves cannot be taken back.
    fn copy(&self) -> Box<dyn Position>;
    /// Whether this is the same position of the same type of game.
    fn is_same(&self, other: &dyn Position) -> bool;
    /// The position in its debugging form.
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// As [`Game::turn`].
    fn turn(&self) -> Turn;
    /// As [`Game::moves`].
    fn moves(&self, out: &mut Vec<DynamicMove>);
    /// As [`Game::play`].
    fn play(&mut self, pick: DynamicMove);
    /// Takes back what was done last, since this value was made.
    fn undo(&mut self);
    /// As [`Game::payoff`].
    fn payoff(&self, player: Player) -> Payoff;
    /// As [`Game::payoff_range`].
    fn payoff_range(&self, player: Player) -> (Payoff, Payoff);
    /// As [`Game::payoff_total`].
    fn payoff_total(&self) -> Option<Payoff>;
    /// As [`Game::play_at_random`].
    fn play_at_random(&mut self, plies: u32, rng: &mut dyn Rng) -> u32;
    /// As [`tabia_game::Key::key`].
    fn key(&self) -> u64;
    /// As [`Game::ruled`].
    fn ruled(&self, ruling: Ruling, player: Player) -> Payoff;
    /// As [`tabia_game::Key::history_key`].
    fn history_key(&self) -> Option<u64>;
    /// As [`tabia_game::Key::maker`].
    fn maker(&self, pick: DynamicMove) -> Option<Player>;
    /// As [`tabia_game::Key::note`].
    fn note(&self, pick: DynamicMove) -> u64;
    /// As [`tabia_game::Key::judge`].
    fn judge(&self, cycle: &[Made]) -> Ruling;
    /// As [`tabia_game::Key::retain_allowed`].
    fn retain_allowed(&mut self, path: &Path, picks: &mut Vec<DynamicMove>, first: usize);
    /// As [`tabia_game::Key::stuck`].
    fn stuck(&self, path: &Path) -> Ruling;
    /// As [`tabia_game::Key::key_on_path`].
    fn key_on_path(&self, path: &Path) -> u64;
    /// As [`tabia_game::Key::future_key`].
    fn future_key(&self) -> Option<u64>;
    /// As [`Chance::outcomes`]; nothing for games without chance.
    fn outcomes(&self, out: &mut Vec<(DynamicMove, u64)>);
    /// As [`Chance::sample_outcome`]; `None` for games without chance.
    fn sample_outcome(&self, rng: &mut dyn Rng) -> Option<DynamicMove>;
    /// As [`HandTurn`]; does nothing for games in which the turn cannot be handed over.
    fn hand_turn(&mut self, player: Player);
    /// As [`tabia_game::Text::position_text`].
    fn text(&self) -> String;
    /// As [`tabia_game::Text::situation_text`].
    fn situation_text(&self, path: &Path) -> String;
    /// As [`tabia_game::Text::move_text`].
    fn move_text(&self, pick: DynamicMove) -> String;
    /// As [`tabia_game::Text::parse_move`].
    fn parse_move(&self, text: &str) -> Result<DynamicMove, TextError>;
    /// As [`tabia_game::Draw::picture`], with the cells of the last move marked if that is asked
    /// for.
    fn picture(&self, marked: bool) -> Picture;
}

type Outcomes<G> = fn(&G, &<G as Game>::State, &mut Vec<(<G as Game>::Move, u64)>);
type Sample<G> = fn(&G, &<G as Game>::State, &mut dyn Rng) -> <G as Game>::Move;
/// How the turn is handed to a player: see [`tabia_search::many::reduction::HandTurn`].
pub type HandTurn<G> = fn(&G, &mut <G as Game>::State, Player) -> <G as Game>::Undo;

/// The rules of a game, and those of its capabilities that not every game has.
pub(crate) struct Rules<G: Game> {
    pub(crate) game: Arc<G>,
    outcomes: Option<Outcomes<G>>,
    sample: Option<Sample<G>>,
    hand_turn: Option<HandTurn<G>>,
}

impl<G: Game> Clone for Rules<G> {
    fn clone(&self) -> Self {
        Rules {
            game: Arc::clone(&self.game),
            ..*self
        }
    }
}

impl<G: Game> Rules<G> {
    pub(crate) fn new(game: Arc<G>) -> Rules<G> {
        Rules {
            game,
            outcomes: None,
            sample: None,
            hand_turn: None,
        }
    }

    pub(crate) fn with_chance(self) -> Rules<G>
    where
        G: Chance,
    {
        Rules {
            outcomes: Some(|game, state, out| game.outcomes(state, out)),
            sample: Some(|game, state, rng| game.sample_outcome(state, rng)),
            ..self
        }
    }

    pub(crate) fn with_any_turn(self, hand_turn: HandTurn<G>) -> Rules<G> {
        Rules {
            hand_turn: Some(hand_turn),
            ..self
        }
    }
}

/// What [`Dynamic`] asks of a game.
pub trait Boxable: Listable + MoveIndex + Game<Undo: Send + Sync> {}
impl<G: Listable + MoveIndex + Game<Undo: Send + Sync>> Boxable for G {}

/// The legal moves of a position, listed when they are first asked for.
type Legal<G> = OnceLock<Vec<<G as Game>::Move>>;

/// What stood before a move: its undo token, the legal moves, and the move before it.
struct Before<G: Game> {
    token: G::Undo,
    legal: Legal<G>,
    last: Option<G::Move>,
}

/// The position of a typed game.
pub(crate) struct Held<G: Game> {
    rules: Rules<G>,
    state: G::State,
    legal: Legal<G>,
    last: Option<G::Move>,
    trail: Vec<Before<G>>,
}

impl<G: Boxable> Held<G> {
    pub(crate) fn new(rules: Rules<G>, state: G::State) -> Held<G> {
        Held {
            rules,
            state,
            legal: OnceLock::new(),
            last: None,
            trail: Vec::new(),
        }
    }

    /// The typed position behind an object, if it is one of this game.
    pub(crate) fn of(position: &dyn Position) -> Option<&Held<G>> {
        position.as_any().downcast_ref()
    }

    /// The rules.
    pub(crate) fn game(&self) -> &G {
        &self.rules.game
    }

    /// The position.
    pub(crate) fn state(&self) -> &G::State {
        &self.state
    }

    fn legal(&self) -> &[G::Move] {
        self.legal.get_or_init(|| {
            let mut moves = Vec::new();
            self.rules.game.moves(&self.state, &mut moves);
            moves
        })
    }

    fn pick(&self, place: usize) -> DynamicMove {
        let number = self.rules.game.move_index(self.legal()[place]);
        DynamicMove {
            place: place as u32,
            number: number as u32,
        }
    }

    /// The pick of a move, which must be legal.
    fn pick_of(&self, mv: G::Move) -> Option<DynamicMove> {
        let place = self.legal().iter().position(|&legal| legal == mv)?;
        Some(self.pick(place))
    }

    /// The typed move of a pick.
    pub(crate) fn typed(&self, pick: DynamicMove) -> Option<G::Move> {
        self.legal().get(pick.place()).copied()
    }

    /// Enters what has been done, with what takes it back.
    fn enter(&mut self, token: G::Undo, last: Option<G::Move>) {
        let legal = std::mem::take(&mut self.legal);
        let last = std::mem::replace(&mut self.last, last);
        self.trail.push(Before { token, legal, last });
    }

    /// Gives the turn away as some knowledge of the game can.
    pub(crate) fn pass(&mut self, pass: impl FnOnce(&G, &mut G::State) -> Option<G::Undo>) -> bool {
        let token = pass(&self.rules.game, &mut self.state);
        let passed = token.is_some();
        if let Some(token) = token {
            self.enter(token, None);
        }
        passed
    }
}

impl<G: Boxable> Position for Held<G> {
    fn as_any(&self) -> &dyn AnyType {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn AnyType {
        self
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(Held {
            rules: self.rules.clone(),
            state: self.state.clone(),
            legal: OnceLock::new(),
            last: self.last,
            trail: Vec::new(),
        })
    }

    fn is_same(&self, other: &dyn Position) -> bool {
        Held::<G>::of(other).is_some_and(|other| self.state == other.state)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.state, f)
    }

    fn turn(&self) -> Turn {
        self.rules.game.turn(&self.state)
    }

    fn moves(&self, out: &mut Vec<DynamicMove>) {
        out.extend((0..self.legal().len()).map(|place| self.pick(place)));
    }

    fn play(&mut self, pick: DynamicMove) {
        // A pick of another position is a mistake of the caller, as for any game.
        if let Some(mv) = self.typed(pick) {
            let token = self.rules.game.play(&mut self.state, mv);
            self.enter(token, Some(mv));
        }
    }

    fn undo(&mut self) {
        debug_assert!(!self.trail.is_empty(), "nothing to take back");
        if let Some(Before { token, legal, last }) = self.trail.pop() {
            self.rules.game.undo(&mut self.state, token);
            (self.legal, self.last) = (legal, last);
        }
    }

    fn payoff(&self, player: Player) -> Payoff {
        self.rules.game.payoff(&self.state, player)
    }

    fn payoff_range(&self, player: Player) -> (Payoff, Payoff) {
        self.rules.game.payoff_range(&self.state, player)
    }

    fn payoff_total(&self) -> Option<Payoff> {
        self.rules.game.payoff_total(&self.state)
    }

    fn play_at_random(&mut self, plies: u32, rng: &mut dyn Rng) -> u32 {
        let (mut moves, game) = (Vec::new(), &self.rules.game);
        let played = game.play_at_random(&mut self.state, plies, &mut moves, rng);
        self.legal = OnceLock::new();
        self.last = None;
        self.trail.clear();
        played
    }

    fn key(&self) -> u64 {
        self.rules.game.key(&self.state)
    }

    fn ruled(&self, ruling: Ruling, player: Player) -> Payoff {
        self.rules.game.ruled(ruling, player)
    }

    fn history_key(&self) -> Option<u64> {
        self.rules.game.history_key(&self.state)
    }

    fn maker(&self, pick: DynamicMove) -> Option<Player> {
        self.rules.game.maker(&self.state, self.typed(pick)?)
    }

    fn note(&self, pick: DynamicMove) -> u64 {
        let note = |mv| self.rules.game.note(&self.state, mv);
        self.typed(pick).map_or(0, note)
    }

    fn judge(&self, cycle: &[Made]) -> Ruling {
        self.rules.game.judge(&self.state, cycle)
    }

    fn retain_allowed(&mut self, path: &Path, picks: &mut Vec<DynamicMove>, first: usize) {
        let game = Arc::clone(&self.rules.game);
        let typed = picks[first..].iter().filter_map(|&pick| self.typed(pick));
        let mut typed: Vec<G::Move> = typed.collect();
        game.retain_allowed(&mut self.state, path, &mut typed, 0);
        let mut place = 0;
        picks.retain(|&pick| {
            place += 1;
            place <= first || self.typed(pick).is_some_and(|mv| typed.contains(&mv))
        });
    }

    fn stuck(&self, path: &Path) -> Ruling {
        self.rules.game.stuck(&self.state, path)
    }

    fn key_on_path(&self, path: &Path) -> u64 {
        self.rules.game.key_on_path(&self.state, path)
    }

    fn future_key(&self) -> Option<u64> {
        self.rules.game.future_key(&self.state)
    }

    fn outcomes(&self, out: &mut Vec<(DynamicMove, u64)>) {
        let Some(outcomes) = self.rules.outcomes else {
            return;
        };
        let mut typed = Vec::new();
        outcomes(&self.rules.game, &self.state, &mut typed);
        let picked = typed
            .into_iter()
            .filter_map(|(mv, weight)| Some((self.pick_of(mv)?, weight)));
        out.extend(picked);
    }

    fn sample_outcome(&self, rng: &mut dyn Rng) -> Option<DynamicMove> {
        let sample = self.rules.sample?;
        self.pick_of(sample(&self.rules.game, &self.state, rng))
    }

    fn hand_turn(&mut self, player: Player) {
        if let Some(hand_turn) = self.rules.hand_turn {
            let token = hand_turn(&self.rules.game, &mut self.state, player);
            self.enter(token, self.last);
        }
    }

    fn text(&self) -> String {
        self.rules.game.position_text(&self.state)
    }

    fn situation_text(&self, path: &Path) -> String {
        self.rules.game.situation_text(&self.state, path)
    }

    fn move_text(&self, pick: DynamicMove) -> String {
        let text = |mv| self.rules.game.move_text(&self.state, mv);
        self.typed(pick).map_or_else(String::new, text)
    }

    fn parse_move(&self, text: &str) -> Result<DynamicMove, TextError> {
        let mv = self.rules.game.parse_move(&self.state, text)?;
        let illegal = || TextError::new(format!("'{text}' is not a legal move here"));
        self.pick_of(mv).ok_or_else(illegal)
    }

    fn picture(&self, marked: bool) -> Picture {
        let last = self.last.filter(|_| marked);
        self.rules.game.picture(&self.state, last)
    }
}
