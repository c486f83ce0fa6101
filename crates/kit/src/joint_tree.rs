//! Random games in which any number of players choose at the same time, with or without chance.
//!
//! A [`JointTree`] has a fixed number of rounds. In each round some of the players choose, by a
//! hash of everything that was played before: several of them jointly, or one alone. With
//! [`Stochastic`] luck every round begins with an event of chance.

use std::marker::PhantomData;

use rand::{Rng, RngExt};
use tabia_game::picture::{Body, Colour, Shade};
use tabia_game::text::shortened;
use tabia_game::zobrist::{mix, number};
use tabia_game::{
    Chance, Draw, Game, Hidden, Imperfect, Key, Luck, MoveIndex, ObservationOf, Payoff, Picture,
    Player, Simultaneous, Stochastic, Text, TextError, Turn, TwoPlayer, outcome_at,
};

/// A random game of joint choices for `PLAYERS` players; `L` is the kind of its luck.
///
/// ```
/// use tabia_game::{Deterministic, Game, Simultaneous};
/// use tabia_kit::joint_tree::JointTree;
///
/// let game = JointTree::<3, Deterministic>::new(7, 4, 3);
/// assert!(game.choosers(&game.start()) <= 3);
/// ```
#[derive(Clone, Debug)]
pub struct JointTree<const PLAYERS: usize, L> {
    seed: u64,
    rounds: u8,
    max_moves: u8,
    luck: PhantomData<fn() -> L>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level<const PLAYERS: usize> {
    /// A hash of all that was played up to this round.
    node: u64,
    rounds_left: u8,
    /// Whether chance has acted in this round.
    thrown: bool,
    /// One more than what each player has chosen in this round; 0 for nothing.
    choices: [u8; PLAYERS],
}

/// What a player sees of a position: all but what others have chosen in this round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View<const PLAYERS: usize> {
    level: Level<PLAYERS>,
    /// How many have chosen.
    chosen: usize,
}

/// What a player sees of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal<const PLAYERS: usize> {
    /// An outcome of chance.
    Thrown(u8),
    /// The player's own choice.
    Own(u8),
    /// Somebody else has chosen.
    Chosen,
    /// All have chosen: what was chosen, as in [`Level`].
    Revealed([u8; PLAYERS]),
}

const MAX_PAYOFF: Payoff = 9;

impl<const PLAYERS: usize, L: Luck> JointTree<PLAYERS, L> {
    /// Returns a game of this many rounds, with up to `max_moves` moves for each player.
    pub fn new(seed: u64, rounds: u8, max_moves: u8) -> JointTree<PLAYERS, L> {
        JointTree {
            seed,
            rounds,
            max_moves: max_moves.max(1),
            luck: PhantomData,
        }
    }

    fn hash(&self, level: &Level<PLAYERS>, what: u64) -> u64 {
        number(self.seed ^ what, level.node ^ u64::from(level.rounds_left))
    }

    /// Those who choose in this round, in the order in which they do.
    fn choosers_in_order(
        &self,
        level: &Level<PLAYERS>,
    ) -> impl Iterator<Item = usize> + use<PLAYERS, L> {
        let some = 1 + self.hash(level, 1) % ((1 << PLAYERS) - 1);
        let first = self.hash(level, 2) as usize % PLAYERS;
        let order = (0..PLAYERS).map(move |step| (first + step) % PLAYERS);
        order.filter(move |player| some >> player & 1 == 1)
    }

    /// How many moves a player has in this round.
    fn width(&self, level: &Level<PLAYERS>, player: usize) -> u8 {
        1 + (self.hash(level, 10 + player as u64) % u64::from(self.max_moves)) as u8
    }

    fn next_chooser(&self, level: &Level<PLAYERS>) -> Option<usize> {
        self.choosers_in_order(level)
            .find(|&player| level.choices[player] == 0)
    }

    fn is_last(&self, level: &Level<PLAYERS>) -> bool {
        let left = self.choosers_in_order(level);
        left.filter(|&player| level.choices[player] == 0).count() == 1
    }

    fn check(&self, level: &Level<PLAYERS>) -> Result<(), &'static str> {
        if level.rounds_left > self.rounds {
            return Err("there are not that many rounds");
        }
        if level.thrown && (!L::CHANCE || level.rounds_left == 0) {
            return Err("nothing was thrown here");
        }
        let open = level.rounds_left > 0 && level.thrown == L::CHANCE;
        let mut before = open;
        let mut known = 0;
        for player in self.choosers_in_order(level) {
            let choice = level.choices[player];
            if choice > 0 && (!before || choice > self.width(level, player)) {
                return Err("this cannot have been chosen");
            }
            before &= choice > 0;
            known += usize::from(choice > 0);
        }
        if before || known != chosen(level) {
            return Err("others choose here, or all have chosen");
        }
        Ok(())
    }
}

fn chosen<const PLAYERS: usize>(level: &Level<PLAYERS>) -> usize {
    level.choices.iter().filter(|&&choice| choice > 0).count()
}

fn step(node: u64, by: u8) -> u64 {
    mix(node.wrapping_mul(31).wrapping_add(u64::from(by) + 1))
}

impl<const PLAYERS: usize, L: Luck> Game for JointTree<PLAYERS, L> {
    type State = Level<PLAYERS>;
    type Move = u8;
    type Undo = Level<PLAYERS>;
    type Luck = L;
    type Information = Imperfect;

    fn players(&self) -> usize {
        PLAYERS
    }

    fn start(&self) -> Level<PLAYERS> {
        Level {
            node: 1,
            rounds_left: self.rounds,
            thrown: false,
            choices: [0; PLAYERS],
        }
    }

    fn turn(&self, level: &Level<PLAYERS>) -> Turn {
        if level.rounds_left == 0 {
            return Turn::Over;
        }
        if L::CHANCE && !level.thrown {
            return Turn::Chance;
        }
        match self.next_chooser(level) {
            Some(player) => Turn::Player(Player(player as u8)),
            None => Turn::Over,
        }
    }

    fn moves(&self, level: &Level<PLAYERS>, out: &mut Vec<u8>) {
        out.extend(match self.turn(level) {
            Turn::Over => 0..0,
            Turn::Chance => 0..1 + (self.hash(level, 5) % 2) as u8,
            Turn::Player(player) => 0..self.width(level, player.index()),
        });
    }

    fn play(&self, level: &mut Level<PLAYERS>, mv: u8) -> Level<PLAYERS> {
        let before = *level;
        match self.turn(level) {
            Turn::Over => {}
            Turn::Chance => (level.node, level.thrown) = (step(level.node, mv), true),
            Turn::Player(player) => {
                let last = self.is_last(level);
                level.choices[player.index()] = mv + 1;
                if last {
                    *level = Level {
                        node: level.choices.iter().fold(level.node, |n, &c| step(n, c)),
                        rounds_left: level.rounds_left - 1,
                        thrown: false,
                        choices: [0; PLAYERS],
                    };
                }
            }
        }
        before
    }

    fn undo(&self, level: &mut Level<PLAYERS>, before: Level<PLAYERS>) {
        *level = before;
    }

    /// What a player has more than the next one, so that payoffs cancel out.
    fn payoff(&self, level: &Level<PLAYERS>, player: Player) -> Payoff {
        let share = |player: usize| {
            let hash = self.hash(level, 100 + (player % PLAYERS) as u64);
            (hash % (MAX_PAYOFF as u64 + 1)) as Payoff
        };
        share(player.index()) - share(player.index() + 1)
    }

    fn max_payoff(&self) -> Payoff {
        MAX_PAYOFF
    }
}

impl<L: Luck> TwoPlayer for JointTree<2, L> {}

impl<const PLAYERS: usize> Chance for JointTree<PLAYERS, Stochastic> {
    fn outcomes(&self, level: &Level<PLAYERS>, out: &mut Vec<(u8, u64)>) {
        if self.turn(level) == Turn::Chance {
            let mut moves = Vec::new();
            self.moves(level, &mut moves);
            out.extend(moves.into_iter().map(|mv| (mv, 1 + u64::from(mv))));
        }
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, level: &Level<PLAYERS>, rng: &mut R) -> u8 {
        let mut outcomes = Vec::new();
        self.outcomes(level, &mut outcomes);
        let sum: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
        outcome_at(&outcomes, rng.random_range(0..sum.max(1))).unwrap_or(0)
    }
}

impl<const PLAYERS: usize, L: Luck> Hidden for JointTree<PLAYERS, L> {
    type View = View<PLAYERS>;
    type Signal = Signal<PLAYERS>;

    fn view(&self, level: &Level<PLAYERS>, player: Player) -> View<PLAYERS> {
        let mut seen = *level;
        for (other, choice) in seen.choices.iter_mut().enumerate() {
            if other != player.index() {
                *choice = 0;
            }
        }
        View {
            level: seen,
            chosen: chosen(level),
        }
    }

    fn signal(&self, level: &Level<PLAYERS>, mv: u8, player: Player) -> Signal<PLAYERS> {
        match self.turn(level) {
            Turn::Player(mover) if self.is_last(level) => {
                let mut choices = level.choices;
                choices[mover.index()] = mv + 1;
                Signal::Revealed(choices)
            }
            Turn::Player(mover) if mover == player => Signal::Own(mv),
            Turn::Player(_) => Signal::Chosen,
            _ => Signal::Thrown(mv),
        }
    }

    fn sample_state<R: Rng + ?Sized>(
        &self,
        observation: &ObservationOf<Self>,
        rng: &mut R,
    ) -> Level<PLAYERS> {
        let &View { mut level, chosen } = observation.view();
        for player in self.choosers_in_order(&level).take(chosen) {
            if player != observation.player().index() {
                level.choices[player] = rng.random_range(1..=self.width(&level, player));
            }
        }
        level
    }

    fn is_secret(&self, level: &Level<PLAYERS>) -> bool {
        matches!(self.turn(level), Turn::Player(_)) && !self.is_last(level)
    }

    fn view_text(&self, view: &View<PLAYERS>) -> String {
        format!("{} chosen={}", self.position_text(&view.level), view.chosen)
    }

    fn signal_text(&self, signal: &Signal<PLAYERS>) -> String {
        match signal {
            Signal::Thrown(mv) => format!("thrown:{mv}"),
            Signal::Own(mv) => mv.to_string(),
            Signal::Chosen => "?".to_string(),
            Signal::Revealed(choices) => choices_text(choices),
        }
    }
}

impl<const PLAYERS: usize, L: Luck> Simultaneous for JointTree<PLAYERS, L> {
    fn choosers(&self, level: &Level<PLAYERS>) -> usize {
        let joint = matches!(self.turn(level), Turn::Player(_)) && chosen(level) == 0;
        match self.choosers_in_order(level).count() {
            count @ 2.. if joint => count,
            _ => 0,
        }
    }
}

impl<const PLAYERS: usize, L: Luck> Key for JointTree<PLAYERS, L> {
    fn key(&self, level: &Level<PLAYERS>) -> u64 {
        let choices = level
            .choices
            .iter()
            .fold(7, |all, &choice| step(all, choice));
        let rest = u64::from(level.rounds_left) | u64::from(level.thrown) << 8;
        mix(mix(level.node ^ choices).wrapping_add(rest))
    }
}

impl<const PLAYERS: usize, L: Luck> MoveIndex for JointTree<PLAYERS, L> {
    fn move_indices(&self) -> usize {
        256
    }

    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

fn choices_text(choices: &[u8]) -> String {
    let words = choices.iter().map(|&choice| match choice.checked_sub(1) {
        Some(mv) => mv.to_string(),
        None => "-".to_string(),
    });
    words.collect::<Vec<_>>().join(",")
}

impl<const PLAYERS: usize, L: Luck> Text for JointTree<PLAYERS, L> {
    fn position_text(&self, level: &Level<PLAYERS>) -> String {
        let thrown = if level.thrown { " thrown" } else { "" };
        let choices = choices_text(&level.choices);
        format!("{:x} {} {choices}{thrown}", level.node, level.rounds_left)
    }

    fn parse_position(&self, text: &str) -> Result<Level<PLAYERS>, TextError> {
        let wrong = |why: &str| TextError::new(format!("'{}': {why}", shortened(text)));
        let words: Vec<&str> = text.split_whitespace().collect();
        let (node, rounds, choices, thrown) = match words[..] {
            [node, rounds, choices] => (node, rounds, choices, false),
            [node, rounds, choices, "thrown"] => (node, rounds, choices, true),
            _ => return Err(wrong("a node, the rounds left and the choices are wanted")),
        };
        let mut level = Level {
            node: u64::from_str_radix(node, 16).map_err(|_| wrong("no node"))?,
            rounds_left: rounds.parse().map_err(|_| wrong("no number of rounds"))?,
            thrown,
            choices: [0; PLAYERS],
        };
        let words: Vec<&str> = choices.split(',').collect();
        if words.len() != PLAYERS {
            return Err(wrong("another number of players"));
        }
        for (choice, word) in level.choices.iter_mut().zip(words) {
            if word != "-" {
                let mv: u8 = word.parse().map_err(|_| wrong("no choice"))?;
                *choice = mv.checked_add(1).ok_or_else(|| wrong("no choice"))?;
            }
        }
        self.check(&level).map_err(wrong)?;
        Ok(level)
    }

    fn move_text(&self, _: &Level<PLAYERS>, mv: u8) -> String {
        mv.to_string()
    }

    fn position_help(&self) -> &'static str {
        "a node, the rounds left and what everybody has chosen, e.g. '1 3 0,-'"
    }
}

impl<const PLAYERS: usize, L: Luck> Draw for JointTree<PLAYERS, L> {
    fn picture(&self, level: &Level<PLAYERS>, _: Option<u8>) -> Picture {
        let mut picture = Picture::default();
        for (place, &choice) in level.choices.iter().enumerate() {
            let at = (place as f32, 0.0);
            picture.cell(at.0, at.1, Shade::Light);
            if choice > 0 {
                picture.piece(at, '#', Colour::Black, Body::Tile(choice - 1));
            }
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kit;
    use tabia_game::Deterministic;

    fn kit<const PLAYERS: usize, L: Luck + 'static>() -> Kit<JointTree<PLAYERS, L>> {
        let kit = Kit::new().key().move_index().text().text_key().draw();
        kit.hidden().simultaneous()
    }

    #[test]
    fn joint_trees_conform() {
        for seed in 0..6 {
            let game = JointTree::<2, Deterministic>::new(seed, 4, 3);
            kit().two_player().settled().run(&game).unwrap();
            let game = JointTree::<2, Stochastic>::new(seed, 4, 3);
            kit().two_player().settled().chance().run(&game).unwrap();
            kit()
                .run(&JointTree::<3, Deterministic>::new(seed, 4, 3))
                .unwrap();
            let game = JointTree::<4, Stochastic>::new(seed, 3, 3);
            kit().chance().run(&game).unwrap();
            let game = JointTree::<5, Stochastic>::new(seed, 3, 2);
            kit().chance().run(&game).unwrap();
        }
    }

    /// Choices of every number of players occur.
    #[test]
    fn any_number_of_players_chooses() {
        let mut seen = [false; 6];
        for seed in 0..200 {
            let game = JointTree::<5, Deterministic>::new(seed, 1, 2);
            seen[Simultaneous::choosers(&game, &game.start())] = true;
        }
        // One alone is no joint choice.
        assert_eq!(seen, [true, false, true, true, true, true]);
    }
}
