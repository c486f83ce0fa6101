//! The game as one player sees it: what is hidden is left to chance.
//!
//! The opponent's pieces of unknown rank share a pool of ranks. Where one of them fights, chance
//! says what it is (Schadd 2011, section 5.5.4, chance model of the Stratego engine). The thesis
//! weighs ranks by their frequency in the pool, without Flag and Bombs if the piece has moved.
//! These weights fit together for several pieces only while none has moved: what has moved is no
//! Bomb, so that the others are Bombs the more often. Here the weights are exact: all ways to deal
//! the pool out are equally likely, with no Flag or Bomb on a piece that has moved. For the
//! examples of the thesis both are the same.
//!
//! A piece of unknown rank steps like any other but never far: a Scout that goes far is known. It
//! cannot step if all pieces that have not moved must be Flag and Bombs. The opponent is assumed to
//! know the viewer's ranks, as in the thesis. Rules of repetition look at the notes of moves, which
//! tell what both see.

use rand::{Rng, RngExt};
use tabia_game::{
    Chance, Game, Key, MoveIndex, Path, Payoff, Perfect, Player, Repetition, Ruling, Stochastic,
    Turn, TwoPlayer, zobrist,
};

use super::board::SQUARES;
use super::pieces::{Piece, RANKS, Rank, Sight};
use super::position;
use super::repetition::History;
use super::{State, Step, Stratego};
use tabia_game::Outcome;

/// The ranks of the pieces whose rank a player does not know.
pub(super) type Pool = [u8; RANKS];

/// A position as one player sees it; also everything they know of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) viewer: Player,
    /// The opponent's pieces that are not known have no rank.
    pub(super) position: State,
    pub(super) pool: Pool,
    /// An attack whose outcome chance has to tell.
    pub(super) attack: Option<Step>,
}

/// What may happen in a [`Belief`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A piece moves or attacks.
    Step(Step),
    /// The unknown piece of an attack turns out to have this rank.
    Reveal(Rank),
}

/// The game as one player sees it.
///
/// ```
/// use tabia_game::{Game, Player, Turn};
/// use tabia_stratego::stratego::{Belief, Setup, Stratego};
///
/// let belief = Belief::new(Stratego::new(Setup::Figure, 1000), Player::FIRST);
/// assert_eq!(belief.turn(&belief.start()), Turn::Player(Player::FIRST));
/// ```
#[derive(Clone, Debug)]
pub struct Belief {
    game: Stratego,
    viewer: Player,
    /// What [`Armies`](super::Armies) subtracts from all evaluations, in millionths.
    pub(super) origin: i32,
}

/// What is needed to take an event back.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    position: Option<position::Undo>,
    pool: Pool,
    attack: Option<Step>,
}

impl Belief {
    /// The game as this player sees it.
    pub fn new(game: Stratego, viewer: Player) -> Belief {
        Belief {
            game,
            viewer,
            origin: 0,
        }
    }

    fn settle(&self, view: &mut View) {
        let wake = [Player::FIRST, Player::SECOND].map(|player| view.wakes(player));
        view.position.settle(self.game.limit, wake);
    }
}

impl View {
    /// Whether pieces of this player may move of which nothing is known.
    fn wakes(&self, player: Player) -> bool {
        player == self.viewer || self.idle() > self.immobile()
    }

    /// How many of the opponent's pieces there are of which nothing is known.
    fn idle(&self) -> u64 {
        let pieces = self.position.board.pieces(self.viewer.other());
        pieces
            .filter(|(_, piece)| piece.rank.is_none() && piece.sight == Sight::Hidden)
            .count() as u64
    }

    /// How many Bombs and Flags there are among the unknown pieces.
    fn immobile(&self) -> u64 {
        let fixed = Rank::ALL.into_iter().filter(|rank| !rank.is_mobile());
        fixed.map(|rank| u64::from(self.pool[rank.index()])).sum()
    }

    /// The ranks that the unknown piece of the attack may have, with their weights.
    pub(super) fn each_rank(&self, mut visit: impl FnMut(Rank, u64)) {
        let Some(step) = self.attack else { return };
        let unknown = |piece: &Piece| piece.rank.is_none();
        let board = &self.position.board;
        let defender = board.at(step.to).filter(unknown);
        let immobile = self.immobile();
        let mobile = self.pool.iter().map(|&n| u64::from(n)).sum::<u64>() - immobile;
        // Of the pieces that have not moved so many are Bombs or the Flag, whichever they are; the
        // others and those that have moved share the ranks that move.
        let (resting, moving) = match defender {
            Some(piece) if piece.sight == Sight::Hidden => {
                (mobile.max(1), self.idle().saturating_sub(immobile))
            }
            _ => (0, 1),
        };
        for rank in Rank::ALL {
            let share = if rank.is_mobile() { moving } else { resting };
            let weight = u64::from(self.pool[rank.index()]) * share;
            if weight > 0 {
                visit(rank, weight);
            }
        }
    }

    /// The ranks of both pieces of the attack if the unknown one has this rank.
    pub(super) fn ranks(&self, step: Step, unknown: Rank) -> (Rank, Rank) {
        let rank = |square| {
            let piece = self.position.board.at(square);
            piece.and_then(|piece| piece.rank).unwrap_or(unknown)
        };
        (rank(step.from), rank(step.to))
    }
}

impl Game for Belief {
    type State = View;
    type Move = Event;
    type Undo = Token;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> View {
        View::of(&self.game.start(), self.viewer)
    }

    #[inline]
    fn turn(&self, view: &View) -> Turn {
        match view.position.outcome {
            Outcome::Open if view.attack.is_some() => Turn::Chance,
            Outcome::Open => Turn::Player(view.position.mover),
            _ => Turn::Over,
        }
    }

    fn moves(&self, view: &View, out: &mut Vec<Event>) {
        if view.attack.is_some() {
            view.each_rank(|rank, _| out.push(Event::Reveal(rank)));
        } else {
            let wake = view.wakes(view.position.mover);
            view.position
                .each_step(wake, |step| out.push(Event::Step(step)));
        }
    }

    fn play(&self, view: &mut View, event: Event) -> Token {
        let mut token = Token {
            position: None,
            pool: view.pool,
            attack: view.attack,
        };
        match event {
            Event::Step(step) => {
                let [attacker, defender] =
                    [step.from, step.to].map(|square| view.position.board.at(square));
                let ranks = (
                    attacker.and_then(|piece| piece.rank),
                    defender.map(|piece| piece.rank),
                );
                token.position = match ranks {
                    (_, None) => Some(view.position.shift(step)),
                    (Some(attacker), Some(Some(defender))) => {
                        Some(view.position.fight(step, attacker, defender))
                    }
                    _ => {
                        view.attack = Some(step);
                        return token;
                    }
                };
            }
            Event::Reveal(rank) => {
                if let Some(step) = view.attack.take() {
                    let (attacker, defender) = view.ranks(step, rank);
                    let left = &mut view.pool[rank.index()];
                    *left = left.saturating_sub(1);
                    token.position = Some(view.position.fight(step, attacker, defender));
                }
            }
        }
        self.settle(view);
        token
    }

    fn undo(&self, view: &mut View, token: Token) {
        if let Some(position) = token.position {
            view.position.take_back(position);
        }
        view.pool = token.pool;
        view.attack = token.attack;
    }

    fn payoff(&self, view: &View, player: Player) -> Payoff {
        view.position.outcome.payoff(player)
    }

    fn repetition(&self) -> Repetition {
        self.game.repetition()
    }
}

impl TwoPlayer for Belief {}

impl Chance for Belief {
    fn outcomes(&self, view: &View, out: &mut Vec<(Event, u64)>) {
        view.each_rank(|rank, weight| out.push((Event::Reveal(rank), weight)));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, view: &View, rng: &mut R) -> Event {
        let mut sum = 0;
        view.each_rank(|_, weight| sum += weight);
        let mut left = rng.random_range(0..sum.max(1));
        let mut drawn = None;
        view.each_rank(|rank, weight| {
            if drawn.is_none() && left < weight {
                drawn = Some(rank);
            }
            left = left.saturating_sub(weight);
        });
        Event::Reveal(drawn.unwrap_or(Rank::Flag))
    }
}

impl Key for Belief {
    fn key(&self, view: &View) -> u64 {
        // No rank has more than eight pieces.
        let pool = view
            .pool
            .iter()
            .fold(0, |packed, &n| packed << 4 | u64::from(n));
        let attack = view.attack.map_or(0, |step| step.index() as u64 + 1);
        // Evaluations with another origin are no evaluations of this game.
        let whose = u64::from(self.origin as u32) << 1 | u64::from(view.viewer.0);
        view.position.key()
            ^ zobrist::number(0x57_7e, pool)
            ^ zobrist::number(0x57_7f, attack)
            ^ zobrist::number(0x57_80, whose)
    }

    /// The same notes as those of [`Stratego`]. An attack is noted when both ranks are known.
    fn note(&self, view: &View, event: Event) -> u64 {
        let position = &view.position;
        match (event, view.attack) {
            (Event::Reveal(rank), Some(step)) => position.note(step, Some(view.ranks(step, rank))),
            (Event::Reveal(_), None) => 0,
            (Event::Step(step), _) => {
                let piece = |square| position.board.at(square);
                let rank = |square| piece(square).and_then(|piece| piece.rank);
                match (rank(step.from), piece(step.to), rank(step.to)) {
                    (_, None, _) => position.note(step, None),
                    (Some(attacker), _, Some(defender)) => {
                        position.note(step, Some((attacker, defender)))
                    }
                    _ => 0,
                }
            }
        }
    }

    fn retain_allowed(&self, view: &mut View, path: &Path, moves: &mut Vec<Event>, first: usize) {
        let (history, position) = (History::of(path.made()), &view.position);
        if history.may_forbid(position.mover) {
            let mut place = 0;
            moves.retain(|&event| {
                place += 1;
                let Event::Step(step) = event else {
                    return true;
                };
                place <= first || !history.forbids(&position.board, position.mover, step)
            });
        }
    }

    fn stuck(&self, view: &View, path: &Path) -> Ruling {
        let wake = [Player::FIRST, Player::SECOND].map(|player| view.wakes(player));
        view.position.stuck(&History::of(path.made()), wake)
    }

    fn key_on_path(&self, view: &View, path: &Path) -> u64 {
        self.key(view) ^ History::of(path.made()).key()
    }
}

impl MoveIndex for Belief {
    fn move_indices(&self) -> usize {
        SQUARES * SQUARES + RANKS
    }

    #[inline]
    fn move_index(&self, event: Event) -> usize {
        match event {
            Event::Step(step) => step.index(),
            Event::Reveal(rank) => SQUARES * SQUARES + rank.index(),
        }
    }
}
