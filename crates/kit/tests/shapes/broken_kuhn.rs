//! Kuhn poker that tells its players too much, too little or something wrong, which the kit must
//! catch.

use rand::Rng;
use tabia_game::{
    Game, Hidden, Imperfect, Observation, ObservationOf, Payoff, Player, Stochastic, Turn,
};
use tabia_kit::Kit;

use super::kuhn_poker::{Action, KuhnPoker, Signal, State, View};

/// Kuhn poker with one fault.
struct Broken(&'static str);

impl Game for Broken {
    type State = State;
    type Move = Action;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        KuhnPoker.start()
    }

    fn turn(&self, s: &State) -> Turn {
        match KuhnPoker.turn(s) {
            // Whose turn it is depends on a hidden card.
            Turn::Player(player) if self.0 == "turn" && s.bets.is_empty() => {
                match s.cards.is_some_and(|[first, _]| first == 0) {
                    true => Turn::Player(player.other()),
                    false => Turn::Player(player),
                }
            }
            turn => turn,
        }
    }

    fn moves(&self, s: &State, out: &mut Vec<Action>) {
        let before = out.len();
        KuhnPoker.moves(s, out);
        // Nobody bets into the highest card.
        let high = |s: &State| s.cards.is_some_and(|[_, second]| second == 2);
        if self.0 == "moves" && self.turn(s) == Turn::Player(Player::FIRST) && high(s) {
            out.truncate(before + 1);
        }
    }

    fn play(&self, s: &mut State, action: Action) -> State {
        KuhnPoker.play(s, action)
    }

    fn undo(&self, s: &mut State, old: State) {
        *s = old;
    }

    fn payoff(&self, s: &State, player: Player) -> Payoff {
        KuhnPoker.payoff(s, player)
    }

    fn max_payoff(&self) -> Payoff {
        2
    }
}

impl Hidden for Broken {
    /// What the player may see, and what is wrongly shown of the first player's card.
    type View = (View, Option<u8>);
    type Signal = Signal;

    fn view(&self, s: &State, player: Player) -> Self::View {
        // Once the first player has acted its card lies open, and nobody was told.
        let shown = s.cards.filter(|_| self.0 == "shown" && !s.bets.is_empty());
        let whose = match self.0 {
            "leak" => player.other(),
            _ => player,
        };
        (KuhnPoker.view(s, whose), shown.map(|[first, _]| first))
    }

    fn signal(&self, s: &State, action: Action, player: Player) -> Signal {
        match (self.0, action) {
            // Nobody is told what was bet, not even who has bet.
            ("deaf", Action::Bet) => Signal::Acted(Action::Pass),
            _ => KuhnPoker.signal(s, action, player),
        }
    }

    fn is_secret(&self, s: &State) -> bool {
        self.0 == "secret" && matches!(self.turn(s), Turn::Player(_))
    }

    fn sample_state<R: Rng + ?Sized>(&self, seen: &ObservationOf<Self>, rng: &mut R) -> State {
        let (view, shown) = seen.view().clone();
        let known = Observation::new(seen.player(), view);
        let fits = |state: &State| match (shown, state.cards) {
            (Some(card), Some([first, _])) => first == card,
            _ => true,
        };
        let mut state = KuhnPoker.sample_state(&known, rng);
        while !fits(&state) {
            state = KuhnPoker.sample_state(&known, rng);
        }
        if self.0 == "sample" {
            state.bets.clear();
        }
        state
    }

    fn view_text(&self, view: &Self::View) -> String {
        match self.0 {
            "lines" => format!("{view:#?}"),
            _ => format!("{view:?}"),
        }
    }

    fn signal_text(&self, signal: &Signal) -> String {
        match (self.0, signal) {
            ("mute", Signal::Acted(_)) => "acted".into(),
            ("words", Signal::Acted(action)) => format!("he did {action:?}"),
            _ => format!("{signal:?}"),
        }
    }
}

#[test]
fn each_fault_of_what_players_know_is_caught() {
    Kit::new().hidden().run(&Broken("")).unwrap();
    for (fault, check) in [
        ("turn", "sampled states"),
        ("moves", "sampled states"),
        ("leak", "information sets"),
        ("sample", "sampled states"),
        ("deaf", "signals"),
        ("secret", "signals"),
        ("mute", "signals"),
        ("words", "signals"),
        ("lines", "signals"),
        // Samples are drawn from the view, so only histories tell that it says too much.
        ("shown", "information sets"),
    ] {
        let found = Kit::new().hidden().run(&Broken(fault)).expect_err(fault);
        assert_eq!(found.check, check, "{fault}: {found}");
    }
}
