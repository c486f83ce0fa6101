//! Kuhn poker: three cards, one each, one bet.

use rand::{Rng, RngExt};
use tabia_game::{
    Chance, Game, Hidden, Imperfect, ObservationOf, Payoff, Player, Stochastic, Turn, TwoPlayer,
};

pub struct KuhnPoker;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub cards: Option<[u8; 2]>,
    pub bets: Vec<Action>,
}

impl State {
    /// The same play with the second player holding the third card.
    pub fn with_other_card_changed(&self) -> State {
        let cards = self.cards.map(|[own, other]| [own, 3 - own - other]);
        State {
            cards,
            ..self.clone()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Deal([u8; 2]),
    Pass,
    Bet,
}

/// What a player sees of a position: the own card and what was bet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    player: Player,
    card: Option<u8>,
    bets: Vec<Action>,
}

/// What a player sees of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    Dealt(u8),
    Acted(Action),
}

impl KuhnPoker {
    fn deals() -> impl Iterator<Item = [u8; 2]> {
        (0..3).flat_map(|a| (0..3).filter(move |&b| b != a).map(move |b| [a, b]))
    }
}

impl Game for KuhnPoker {
    type State = State;
    type Move = Action;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            cards: None,
            bets: vec![],
        }
    }

    fn turn(&self, s: &State) -> Turn {
        use Action::{Bet, Pass};
        match (s.cards, s.bets.as_slice()) {
            (None, _) => Turn::Chance,
            (_, [Pass, Pass] | [Bet, _] | [Pass, Bet, _]) => Turn::Over,
            (_, bets) => Turn::Player(Player(bets.len() as u8 % 2)),
        }
    }

    fn moves(&self, s: &State, out: &mut Vec<Action>) {
        match self.turn(s) {
            Turn::Chance => out.extend(Self::deals().map(Action::Deal)),
            Turn::Player(_) => out.extend([Action::Pass, Action::Bet]),
            Turn::Over => {}
        }
    }

    fn play(&self, s: &mut State, action: Action) -> State {
        let old = s.clone();
        match action {
            Action::Deal(cards) => s.cards = Some(cards),
            bet => s.bets.push(bet),
        }
        old
    }

    fn undo(&self, s: &mut State, old: State) {
        *s = old;
    }

    fn payoff(&self, s: &State, player: Player) -> Payoff {
        use Action::{Bet, Pass};
        let Some([first, second]) = s.cards else {
            return 0;
        };
        let showdown = if first > second { 1 } else { -1 };
        let to_first = match s.bets.as_slice() {
            [Bet, Pass] => 1,
            [Pass, Bet, Pass] => -1,
            [Bet, Bet] | [Pass, Bet, Bet] => 2 * showdown,
            _ => showdown,
        };
        if player == Player::FIRST {
            to_first
        } else {
            -to_first
        }
    }

    fn max_payoff(&self) -> Payoff {
        2
    }
}

impl TwoPlayer for KuhnPoker {}

impl Chance for KuhnPoker {
    fn outcomes(&self, _: &State, out: &mut Vec<(Action, u64)>) {
        out.extend(Self::deals().map(|cards| (Action::Deal(cards), 1)));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> Action {
        let own = rng.random_range(0..3);
        Action::Deal([own, (own + rng.random_range(1..3)) % 3])
    }
}

impl Hidden for KuhnPoker {
    type View = View;
    type Signal = Signal;

    fn view(&self, s: &State, player: Player) -> View {
        let card = s.cards.map(|cards| cards[player.index()]);
        View {
            player,
            card,
            bets: s.bets.clone(),
        }
    }

    fn signal(&self, _: &State, action: Action, player: Player) -> Signal {
        match action {
            Action::Deal(cards) => Signal::Dealt(cards[player.index()]),
            bet => Signal::Acted(bet),
        }
    }

    fn sample_state<R: Rng + ?Sized>(&self, seen: &ObservationOf<Self>, rng: &mut R) -> State {
        let View { player, card, bets } = seen.view().clone();
        let cards = card.map(|own| {
            let other = (own + rng.random_range(1..3)) % 3;
            match player {
                Player::FIRST => [own, other],
                _ => [other, own],
            }
        });
        State { cards, bets }
    }
}
