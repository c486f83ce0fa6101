//! Random graphs full of cycles, under any rule of repetition, and a plain walk to compare with.
//!
//! [`Cyclic`] has a few places; moves lead from one to another, and every feature is a hash.
//! [`Walk`] values a position by going through all lines of play and keeping whole paths. It
//! applies the rule of repetition from its definition and uses no [`Path`].

use std::fmt;
use std::marker::PhantomData;

use rand::{Rng, RngExt};
use tabia_game::zobrist::{mix, number};
use tabia_game::{
    CERTAIN, Chance, Compared, Consequence, Deterministic, Game, Key, Knowledge, Luck, Made,
    MoveIndex, OnePlayer, Path, Payoff, Perfect, Player, Repetition, Ruling, Stochastic, Turn,
    TwoPlayer,
};

pub use crate::tree::Hashed;

/// A random graph of positions for this many players.
///
/// With [`compared`](Repetition::compared) history keys the player to move does not count, and
/// places of one kind do not count at all. Under a rule that looks at moves no player may repeat
/// either of their last two moves.
pub struct Cyclic<const PLAYERS: usize, L = Deterministic> {
    /// Another seed, another graph.
    pub seed: u64,
    /// The number of places, 1 to 255.
    pub places: u8,
    /// The greatest number of moves of a position.
    pub branching: u8,
    /// Who moves is a matter of the place; otherwise players move in turn.
    pub erratic: bool,
    /// The rule of repetition.
    pub rule: Repetition,
    /// The largest payoff.
    pub largest: Payoff,
    luck: PhantomData<fn() -> L>,
}

impl<const PLAYERS: usize, L> Clone for Cyclic<PLAYERS, L> {
    fn clone(&self) -> Self {
        Cyclic { ..*self }
    }
}

impl<const PLAYERS: usize, L> fmt::Debug for Cyclic<PLAYERS, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cyclic")
            .field("seed", &self.seed)
            .field("places", &self.places)
            .field("branching", &self.branching)
            .field("erratic", &self.erratic)
            .field("rule", &self.rule)
            .finish()
    }
}

/// A position of a [`Cyclic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// Where the game stands.
    pub place: u8,
    /// Whose turn it is, unless it is chance's or nobody's.
    pub mover: u8,
}

impl<const PLAYERS: usize, L: Luck> Cyclic<PLAYERS, L> {
    /// A graph under a rule of repetition.
    pub fn new(seed: u64, places: u8, rule: Repetition) -> Self {
        Cyclic {
            seed,
            places: places.max(1),
            branching: 3,
            erratic: seed.is_multiple_of(2),
            rule,
            largest: 2,
            luck: PhantomData,
        }
    }

    fn hash(&self, what: u64, place: u8) -> u64 {
        number(self.seed ^ what << 32, u64::from(place)) >> 8
    }

    /// Whether the rule looks at moves and this one is forbidden: `earlier` are those of the same
    /// player, the last one first.
    fn repeats(mut earlier: impl Iterator<Item = (u8, u8)>, mv: (u8, u8)) -> bool {
        [earlier.next(), earlier.next()].contains(&Some(mv))
    }
}

impl<const PLAYERS: usize, L: Luck> Game for Cyclic<PLAYERS, L> {
    type State = Spot;
    type Move = u8;
    type Undo = Spot;
    type Luck = L;
    type Information = Perfect;

    fn players(&self) -> usize {
        PLAYERS
    }

    fn start(&self) -> Spot {
        Spot { place: 0, mover: 0 }
    }

    fn turn(&self, spot: &Spot) -> Turn {
        if spot.place > 0 && self.hash(1, spot.place).is_multiple_of(5) {
            Turn::Over
        } else if L::CHANCE && spot.place > 0 && self.hash(2, spot.place).is_multiple_of(3) {
            Turn::Chance
        } else {
            Turn::Player(Player(spot.mover))
        }
    }

    fn moves(&self, spot: &Spot, out: &mut Vec<u8>) {
        if self.turn(spot) == Turn::Over {
            return;
        }
        let first = out.len();
        for n in 0..=self.hash(3, spot.place) % u64::from(self.branching.max(1)) {
            let what = 4 + n + 16 * u64::from(spot.mover);
            let to = (self.hash(what, spot.place) % u64::from(self.places)) as u8;
            if !out[first..].contains(&to) {
                out.push(to);
            }
        }
    }

    fn play(&self, spot: &mut Spot, to: u8) -> Spot {
        let mover = match self.erratic {
            true => (self.hash(200, to) % PLAYERS as u64) as u8,
            false => ((usize::from(spot.mover) + 1) % PLAYERS) as u8,
        };
        std::mem::replace(spot, Spot { place: to, mover })
    }

    fn undo(&self, spot: &mut Spot, before: Spot) {
        *spot = before;
    }

    fn payoff(&self, spot: &Spot, player: Player) -> Payoff {
        let others = (PLAYERS as Payoff - 1).max(1);
        let most = self.largest / others;
        let part = |p: u64| {
            let range = 2 * most as u64 + 1;
            (self.hash(300 + p, spot.place) % range) as Payoff - most
        };
        match player.index() + 1 == PLAYERS && PLAYERS > 1 {
            true => -(0..PLAYERS as u64 - 1).map(part).sum::<Payoff>(),
            false => part(u64::from(player.0)),
        }
    }

    fn max_payoff(&self) -> Payoff {
        self.largest
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        (PLAYERS > 1).then_some(0)
    }

    fn repetition(&self) -> Repetition {
        self.rule
    }
}

impl<L: Luck> TwoPlayer for Cyclic<2, L> {}

impl<const PLAYERS: usize, L: Luck> Key for Cyclic<PLAYERS, L> {
    fn key(&self, spot: &Spot) -> u64 {
        number(400, u64::from(spot.place) | u64::from(spot.mover) << 8)
    }

    fn history_key(&self, spot: &Spot) -> Option<u64> {
        let counts = !self.hash(500, spot.place).is_multiple_of(6);
        counts.then(|| number(401, u64::from(spot.place)))
    }

    fn note(&self, spot: &Spot, to: u8) -> u64 {
        1 << 16 | u64::from(spot.place) << 8 | u64::from(to)
    }

    /// A ruling that depends on all moves of the cycle, their order and who made them.
    fn judge(&self, _: &Spot, cycle: &[Made]) -> Ruling {
        let mixed = cycle.iter().fold(self.seed, |mixed, made| {
            let player = made.player.map_or(9, |player| u64::from(player.0));
            mix(mixed.rotate_left(3) ^ made.note ^ player << 32)
        });
        let last = cycle.last().and_then(|made| made.player);
        match mixed % 5 {
            0 | 1 => Ruling::Open,
            2 => Ruling::Draw,
            3 => Ruling::Loss(last.unwrap_or(Player::FIRST)),
            _ => Ruling::Payoff(Player::FIRST, 1),
        }
    }

    fn retain_allowed(&self, spot: &mut Spot, path: &Path, moves: &mut Vec<u8>, first: usize) {
        if self.rule.compared != Compared::Moves {
            path.retain_unrepeated(self, spot, moves, first);
            return;
        }
        let (from, mover) = (spot.place, Some(Player(spot.mover)));
        let mut place = 0;
        moves.retain(|&to| {
            place += 1;
            let own = path.made().iter().rev();
            let own = own.filter(|made| made.player == mover && made.note != 0);
            let own = own.map(|made| ((made.note >> 8) as u8, made.note as u8));
            place <= first || !Self::repeats(own, (from, to))
        });
    }

    /// A player who is left without a move loses; under a rule that looks at moves the game is
    /// drawn.
    fn stuck(&self, spot: &Spot, _: &Path) -> Ruling {
        match self.rule.compared {
            Compared::Moves => Ruling::Draw,
            _ => Ruling::Loss(Player(spot.mover)),
        }
    }
}

impl<const PLAYERS: usize, L: Luck> MoveIndex for Cyclic<PLAYERS, L> {
    fn move_indices(&self) -> usize {
        256
    }

    fn move_index(&self, to: u8) -> usize {
        usize::from(to)
    }
}

impl<const PLAYERS: usize> Cyclic<PLAYERS, Stochastic> {
    fn weight(&self, spot: &Spot, to: u8) -> u64 {
        1 + self.hash(600 + u64::from(to), spot.place) % 3
    }
}

impl<const PLAYERS: usize> Chance for Cyclic<PLAYERS, Stochastic> {
    fn outcomes(&self, spot: &Spot, out: &mut Vec<(u8, u64)>) {
        let mut moves = Vec::new();
        self.moves(spot, &mut moves);
        out.extend(moves.iter().map(|&to| (to, self.weight(spot, to))));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, spot: &Spot, rng: &mut R) -> u8 {
        let mut outcomes = Vec::new();
        self.outcomes(spot, &mut outcomes);
        let all: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
        let place = rng.random_range(0..all.max(1));
        tabia_game::outcome_at(&outcomes, place).unwrap_or(spot.place)
    }
}

impl OnePlayer for Cyclic<1> {
    fn earned(&self, spot: &Spot) -> Payoff {
        match self.turn(spot) {
            Turn::Over => self.payoff(spot, Player::FIRST),
            _ => 0,
        }
    }

    fn most(&self, spot: &Spot) -> Payoff {
        match self.turn(spot) {
            Turn::Over => self.payoff(spot, Player::FIRST),
            _ => self.largest,
        }
    }
}

/// An estimate for every position, so that what happens on the way matters.
impl<const PLAYERS: usize, L: Luck> Knowledge<Cyclic<PLAYERS, L>> for Hashed {
    fn evaluate(&self, game: &Cyclic<PLAYERS, L>, spot: &Spot, player: Player) -> i32 {
        let estimate = (game.hash(700 + u64::from(spot.mover), spot.place) % 801) as i32 - 400;
        match player {
            Player::FIRST => estimate * 1000,
            _ => -estimate * 1000,
        }
    }
}

/// The rules of repetition that a test should go through: every consequence at several occurrences,
/// for whole positions and for history keys, and a rule that looks at moves.
pub fn rules() -> Vec<Repetition> {
    let by_positions = [
        Repetition::ALLOWED,
        Repetition::draw(2),
        Repetition::draw(3),
        Repetition::loss(2),
        Repetition::loss(3),
        Repetition::forbidden(2),
        Repetition::forbidden(3),
        Repetition::judged(2),
        Repetition::judged(3),
    ];
    let by_keys = by_positions[1..].iter().map(|rule| rule.by_history_key());
    let mut rules: Vec<Repetition> = by_positions.iter().copied().chain(by_keys).collect();
    rules.push(Repetition::forbidden_by_moves());
    rules
}

/// A position on a path, and the move that led to it.
#[derive(Clone, Debug)]
pub struct Visit {
    spot: Spot,
    made: Option<(Option<Player>, u8, u8)>,
}

/// What a walk finds: what everybody gets, as shares of the largest payoff.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkValue {
    /// By player.
    pub shares: Vec<f64>,
    /// Whether no estimate went into them.
    pub complete: bool,
}

/// Goes through all lines of play of a [`Cyclic`] to a horizon and keeps whole paths.
pub struct Walk<'a, const PLAYERS: usize, L> {
    game: &'a Cyclic<PLAYERS, L>,
    visits: Vec<Visit>,
}

impl<'a, const PLAYERS: usize, L: Luck> Walk<'a, PLAYERS, L> {
    /// A walk that begins in the start position.
    pub fn new(game: &'a Cyclic<PLAYERS, L>) -> Self {
        let spot = game.start();
        Walk {
            game,
            visits: vec![Visit { spot, made: None }],
        }
    }

    /// The present position.
    pub fn spot(&self) -> Spot {
        self.visits[self.visits.len() - 1].spot
    }

    /// Makes a move.
    pub fn play(&mut self, to: u8) {
        let mut spot = self.spot();
        let player = match self.game.turn(&spot) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let made = Some((player, spot.place, to));
        self.game.play(&mut spot, to);
        self.visits.push(Visit { spot, made });
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        self.visits.pop();
    }

    /// What the rule compares of a position.
    fn compared(&self, spot: &Spot) -> Option<(u8, Option<u8>)> {
        match self.game.rule.compared {
            Compared::Positions => Some((spot.place, Some(spot.mover))),
            Compared::HistoryKeys => self.game.history_key(spot).map(|_| (spot.place, None)),
            Compared::Moves => None,
        }
    }

    fn count(&self, spot: &Spot) -> usize {
        let Some(same) = self.compared(spot) else {
            return 0;
        };
        let visits = self.visits.iter();
        visits
            .filter(|visit| self.compared(&visit.spot) == Some(same))
            .count()
    }

    /// The legal moves of the present position, and the outcomes of chance.
    pub fn moves(&self) -> Vec<u8> {
        let spot = self.spot();
        let mut moves = Vec::new();
        self.game.moves(&spot, &mut moves);
        let rule = self.game.rule;
        let Turn::Player(player) = self.game.turn(&spot) else {
            return moves;
        };
        if rule.consequence != Consequence::Forbidden {
            return moves;
        }
        moves.retain(|&to| {
            if rule.compared == Compared::Moves {
                let made = self.visits.iter().rev().filter_map(|visit| visit.made);
                let own: Vec<(u8, u8)> = made
                    .filter(|&(by, ..)| by == Some(player))
                    .map(|(_, from, to)| (from, to))
                    .take(2)
                    .collect();
                return !own.contains(&(spot.place, to));
            }
            let mut next = spot;
            self.game.play(&mut next, to);
            let over = self.game.turn(&next) == Turn::Over;
            over || self.count(&next) + 1 < rule.occurrences as usize
        });
        moves
    }

    /// How the rule ends the game in the present position.
    pub fn ruling(&self) -> Ruling {
        let (spot, rule) = (self.spot(), self.game.rule);
        let turn = self.game.turn(&spot);
        if turn == Turn::Over {
            return Ruling::Open;
        }
        if let (Consequence::Forbidden, Turn::Player(player)) = (rule.consequence, turn) {
            return match (self.moves().is_empty(), rule.compared) {
                (false, _) => Ruling::Open,
                (true, Compared::Moves) => Ruling::Draw,
                (true, _) => Ruling::Loss(player),
            };
        }
        let count = self.count(&spot);
        if count < rule.occurrences as usize {
            return Ruling::Open;
        }
        let made = self.visits[self.visits.len() - 1].made;
        match (rule.consequence, made) {
            (Consequence::Draw, _) => Ruling::Draw,
            (Consequence::Loss, Some((Some(player), ..))) => Ruling::Loss(player),
            (Consequence::Judged, _) => {
                let same = self.compared(&spot);
                let before = &self.visits[..self.visits.len() - 1];
                let earlier = before
                    .iter()
                    .rposition(|visit| self.compared(&visit.spot) == same);
                let Some(earlier) = earlier else {
                    return Ruling::Open;
                };
                let cycle: Vec<Made> = self.visits[earlier + 1..]
                    .iter()
                    .filter_map(|visit| visit.made)
                    .map(|(player, from, to)| Made {
                        player,
                        note: 1 << 16 | u64::from(from) << 8 | u64::from(to),
                    })
                    .collect();
                self.game.judge(&spot, &cycle)
            }
            _ => Ruling::Open,
        }
    }

    /// Whether the game is over, by its rules or by that of repetition.
    pub fn is_over(&self) -> bool {
        self.game.turn(&self.spot()) == Turn::Over || !self.ruling().is_open()
    }

    /// The path that a referee would have kept.
    pub fn path(&self) -> Path {
        let (game, rule) = (self.game, self.game.rule);
        let mut path = Path::from_start(game, &self.visits[0].spot);
        for pair in self.visits.windows(2) {
            let to = pair[1].made.map_or(0, |(.., to)| to);
            let made = Made::of(game, rule, &pair[0].spot, to);
            path.enter(game, rule, &pair[1].spot, made);
        }
        path
    }

    fn shares(&self, payoff: impl Fn(Player) -> Payoff) -> Vec<f64> {
        let largest = f64::from(self.game.largest);
        let players = (0..PLAYERS).map(|p| Player(p as u8));
        players
            .map(|player| f64::from(payoff(player)) / largest)
            .collect()
    }
}

impl<const PLAYERS: usize> Walk<'_, PLAYERS, Deterministic> {
    /// The value of the present position, searched to this depth: everybody takes the first of
    /// their best moves.
    pub fn value(&mut self, depth: u32) -> WalkValue {
        self.valued(depth, &|_, _| None)
    }
}

impl<const PLAYERS: usize> Walk<'_, PLAYERS, Stochastic> {
    /// The expected value of the present position, searched to this depth in moves and events.
    pub fn expected(&mut self, depth: u32) -> WalkValue {
        self.valued(depth, &|game, spot| {
            let mut outcomes = Vec::new();
            game.outcomes(spot, &mut outcomes);
            Some(outcomes)
        })
    }
}

/// The outcomes of a chance event with their weights, if there are such events.
type Outcomes<const PLAYERS: usize, L> =
    dyn Fn(&Cyclic<PLAYERS, L>, &Spot) -> Option<Vec<(u8, u64)>>;

impl<const PLAYERS: usize, L: Luck> Walk<'_, PLAYERS, L> {
    fn valued(&mut self, depth: u32, outcomes: &Outcomes<PLAYERS, L>) -> WalkValue {
        let (game, spot) = (self.game, self.spot());
        let exact = |shares| WalkValue {
            shares,
            complete: true,
        };
        let turn = game.turn(&spot);
        if turn == Turn::Over {
            return exact(self.shares(|player| game.payoff(&spot, player)));
        }
        let ruling = self.ruling();
        let stuck = game.rule.consequence == Consequence::Forbidden;
        // At the horizon nobody asks whether there is a move.
        let unasked = stuck && depth == 0;
        if !(ruling.is_open() || unasked) {
            return exact(self.shares(|player| ruling.payoff(game, player)));
        }
        if depth == 0 {
            let players = (0..PLAYERS).map(|p| Player(p as u8));
            let share = |player| f64::from(Hashed.evaluate(game, &spot, player));
            return WalkValue {
                shares: players.map(|p| share(p) / f64::from(CERTAIN)).collect(),
                complete: false,
            };
        }
        let mut complete = true;
        let mut child = |walk: &mut Self, to| {
            walk.play(to);
            let value = walk.valued(depth - 1, outcomes);
            walk.undo();
            complete &= value.complete;
            value.shares
        };
        let mut shares: Vec<f64> = Vec::new();
        if let Turn::Player(player) = turn {
            for to in self.moves() {
                let value = child(self, to);
                let own = player.index();
                if shares.is_empty() || value[own] > shares[own] {
                    shares = value;
                }
            }
        } else {
            let outcomes = outcomes(game, &spot).unwrap_or_default();
            let all: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
            shares = vec![0.0; PLAYERS];
            for (to, weight) in outcomes {
                let value = child(self, to);
                for (sum, value) in shares.iter_mut().zip(value) {
                    *sum += value * weight as f64 / all as f64;
                }
            }
        }
        WalkValue { shares, complete }
    }
}
