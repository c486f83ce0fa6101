//! A joint choice of three players that is not kept secret in one of several ways, which the kit
//! must catch.

use rand::{Rng, RngExt};
use tabia_game::{
    Deterministic, Game, Hidden, Imperfect, ObservationOf, Payoff, Player, Simultaneous, Turn,
};
use tabia_kit::Kit;

/// Three players show one or two fingers, at the same time; an even sum pays the first.
struct Fingers(&'static str);

impl Game for Fingers {
    type State = Vec<u8>;
    type Move = u8;
    type Undo = ();
    type Luck = Deterministic;
    type Information = Imperfect;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, shown: &Vec<u8>) -> Turn {
        match (shown.len(), self.0) {
            (3, _) => Turn::Over,
            (1, "twice") => Turn::Player(Player(0)),
            (1, "turn") => Turn::Player(Player(shown[0])),
            (2, "turn") => Turn::Player(Player(3 - shown[0])),
            (player, _) => Turn::Player(Player(player as u8)),
        }
    }

    fn moves(&self, shown: &Vec<u8>, out: &mut Vec<u8>) {
        match (shown.len(), self.0) {
            (3, _) => {}
            (2, "moves") => out.extend(1..=shown[0]),
            _ => out.extend(1..=2),
        }
    }

    fn play(&self, shown: &mut Vec<u8>, fingers: u8) {
        shown.push(fingers);
    }

    fn undo(&self, shown: &mut Vec<u8>, (): ()) {
        shown.pop();
    }

    fn payoff(&self, shown: &Vec<u8>, player: Player) -> Payoff {
        let even = shown.iter().sum::<u8>() % 2 == 0;
        match (player, even) {
            (Player(0), true) => 2,
            (Player(1), false) => 2,
            (Player(2), _) => -2,
            _ => 0,
        }
    }

    fn max_payoff(&self) -> Payoff {
        2
    }
}

impl Hidden for Fingers {
    /// What the player can see, and how many have chosen.
    type View = (Vec<u8>, usize);
    type Signal = Vec<u8>;

    fn view(&self, shown: &Vec<u8>, player: Player) -> (Vec<u8>, usize) {
        let seen = match (shown.len(), self.0) {
            (3, _) => shown.clone(),
            (2, "view") if player.index() == 2 => shown[..1].to_vec(),
            _ => shown.iter().skip(player.index()).take(1).copied().collect(),
        };
        (seen, shown.len())
    }

    fn signal(&self, shown: &Vec<u8>, fingers: u8, player: Player) -> Vec<u8> {
        match (shown.len(), self.0) {
            (2, _) => [&shown[..], &[fingers]].concat(),
            (1, "signal") => vec![fingers],
            (mover, _) if mover == player.index() => vec![fingers],
            _ => Vec::new(),
        }
    }

    fn is_secret(&self, shown: &Vec<u8>) -> bool {
        shown.len() < if self.0 == "open" { 1 } else { 2 }
    }

    fn sample_state<R: Rng + ?Sized>(&self, seen: &ObservationOf<Self>, rng: &mut R) -> Vec<u8> {
        let (known, chosen) = seen.view();
        if *chosen == 3 {
            return known.clone();
        }
        let mut shown: Vec<u8> = (0..*chosen).map(|_| rng.random_range(1..=2)).collect();
        let place = if self.0 == "view" && seen.player().index() == 2 {
            0
        } else {
            seen.player().index()
        };
        if let (Some(own), Some(place)) = (known.first(), shown.get_mut(place)) {
            *place = *own;
        }
        shown
    }
}

impl Simultaneous for Fingers {
    fn choosers(&self, shown: &Vec<u8>) -> usize {
        match (shown.len(), self.0) {
            (0, "many") => 4,
            (0, _) => 3,
            (1, "nested") => 2,
            _ => 0,
        }
    }
}

#[test]
fn each_fault_of_a_joint_choice_is_caught() {
    Kit::new()
        .hidden()
        .simultaneous()
        .run(&Fingers(""))
        .unwrap();
    for (fault, reason) in [
        ("twice", "chooses twice"),
        ("turn", "tells what others have chosen"),
        ("moves", "moves that depend on"),
        ("view", "sees what others have chosen"),
        ("open", "secret: false"),
        ("many", "4 of 3 players"),
        ("nested", "begins within another one"),
    ] {
        let found = Kit::new()
            .simultaneous()
            .run(&Fingers(fault))
            .expect_err(fault);
        assert_eq!(found.check, "simultaneous moves", "{fault}: {found}");
        assert!(found.reason.contains(reason), "{fault}: {found}");
    }
    let found = Kit::new().hidden().run(&Fingers("signal")).unwrap_err();
    assert_eq!(found.check, "signals", "{found}");
}
