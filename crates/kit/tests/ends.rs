//! The check that random games end, on a game that goes round and round: a rule of repetition may
//! end it.

use tabia_game::{Deterministic, Game, Key, Payoff, Perfect, Player, Repetition, Turn};
use tabia_kit::Kit;

/// Three positions in a ring and a single move, from each to the next.
struct Ring(Repetition);

impl Game for Ring {
    type State = u8;
    type Move = ();
    type Undo = u8;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, place: &u8) -> Turn {
        Turn::Player(Player(place % 2))
    }
    fn moves(&self, _: &u8, out: &mut Vec<()>) {
        out.push(());
    }
    fn play(&self, place: &mut u8, (): ()) -> u8 {
        std::mem::replace(place, (*place + 1) % 3)
    }
    fn undo(&self, place: &mut u8, before: u8) {
        *place = before;
    }
    fn payoff(&self, _: &u8, _: Player) -> Payoff {
        0
    }
    fn repetition(&self) -> Repetition {
        self.0
    }
}

impl Key for Ring {
    fn key(&self, place: &u8) -> u64 {
        u64::from(*place)
    }
}

#[test]
fn a_rule_of_repetition_ends_games() {
    for rule in [
        Repetition::draw(3),
        Repetition::loss(2),
        Repetition::forbidden(2),
    ] {
        Kit::new().key().run(&Ring(rule)).unwrap();
    }
    let endless = Kit::new().key().run(&Ring(Repetition::ALLOWED));
    assert_eq!(endless.unwrap_err().check, "end");
}

/// Without its key the rule cannot be applied.
#[test]
fn without_a_key_positions_recur_freely() {
    let endless = Kit::new().run(&Ring(Repetition::draw(3)));
    assert_eq!(endless.unwrap_err().check, "end");
}
