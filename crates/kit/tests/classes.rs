//! The check of classes of symmetric positions, on two heaps that can be exchanged: a sound
//! numbering passes, and each fault is caught.

use tabia_game::{
    Classes, Deterministic, Game, Indexed, Payoff, Perfect, Player, Symmetric, Turn, TwoPlayer,
};
use tabia_kit::{Kit, Violation};

/// Heaps of three at most, from which one is taken at a time. The word says what is wrong.
#[derive(Clone, Copy)]
struct Heaps(&'static str);

const MAX_HEAP: u64 = 3;

type State = ([u64; 2], Player);

impl Game for Heaps {
    type State = State;
    type Move = u8;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> State {
        ([MAX_HEAP; 2], Player::FIRST)
    }
    fn turn(&self, (heaps, mover): &State) -> Turn {
        match heaps {
            [0, 0] => Turn::Over,
            _ => Turn::Player(*mover),
        }
    }
    fn moves(&self, (heaps, _): &State, out: &mut Vec<u8>) {
        out.extend((0u8..2).filter(|&heap| heaps[usize::from(heap)] > 0));
    }
    fn play(&self, state: &mut State, heap: u8) -> State {
        let old = *state;
        state.0[usize::from(heap)] -= 1;
        state.1 = state.1.other();
        old
    }
    fn undo(&self, state: &mut State, old: State) {
        *state = old;
    }
    fn payoff(&self, (_, mover): &State, player: Player) -> Payoff {
        if player == *mover { -1 } else { 1 }
    }
}

impl TwoPlayer for Heaps {}

impl Symmetric for Heaps {
    fn symmetries(&self) -> usize {
        2
    }
    fn map_state(&self, &([a, b], mover): &State, symmetry: usize) -> State {
        match symmetry {
            0 => ([a, b], mover),
            _ => ([b, a], mover),
        }
    }
    fn map_move(&self, heap: u8, symmetry: usize) -> u8 {
        heap ^ symmetry as u8
    }
}

impl Indexed for Heaps {
    type Slice = ();
    type Classes = Heaps;

    fn slices(&self) -> Vec<()> {
        vec![()]
    }
    fn slice_len(&self, (): ()) -> Option<u64> {
        Some((MAX_HEAP + 1) * (MAX_HEAP + 1))
    }
    fn next_slices(&self, (): ()) -> Vec<()> {
        vec![()]
    }
    fn locate(&self, ([a, b], _): &State) -> Option<((), u64)> {
        Some(((), (MAX_HEAP + 1) * a + b))
    }
    fn position_at(&self, (): (), index: u64) -> State {
        (
            [index / (MAX_HEAP + 1), index % (MAX_HEAP + 1)],
            Player::FIRST,
        )
    }
    fn slice_text(&self, (): ()) -> String {
        "all".to_string()
    }
    fn slice_size(&self, (): ()) -> u32 {
        0
    }
    fn class_count(&self, (): ()) -> Option<u64> {
        let pairs = (MAX_HEAP + 1) * (MAX_HEAP + 2) / 2;
        Some(match self.0 {
            "count" => pairs + 1,
            "merged" => pairs - 1,
            _ => pairs,
        })
    }
    fn classes(&self, (): ()) -> Option<Heaps> {
        (self.0 != "none").then_some(*self)
    }
}

impl Classes<State> for Heaps {
    fn number(&self, &([a, b], _): &State) -> u64 {
        let (least, most) = (a.min(b), a.max(b));
        let number = most * (most + 1) / 2 + least;
        match (self.0, number) {
            ("image", 4) => number - u64::from(a < b),
            ("beyond", 9) => 10,
            // The last two classes have one number.
            ("merged", 9) => 8,
            _ => number,
        }
    }
    fn member(&self, number: u64) -> State {
        let most = (0..=MAX_HEAP).rev().find(|n| n * (n + 1) / 2 <= number);
        let most = most.unwrap_or(0);
        let mover = match self.0 {
            "mover" => Player::SECOND,
            _ => Player::FIRST,
        };
        match (self.0, number) {
            ("member", 5) => ([0, 0], mover),
            _ => ([most, number - most * (most + 1) / 2], mover),
        }
    }
}

fn run(fault: &'static str) -> Result<(), Violation> {
    let kit = Kit::new().two_player().indexed().symmetric().classes();
    kit.run(&Heaps(fault))
}

#[test]
fn a_sound_numbering_passes() {
    run("").unwrap();
}

#[test]
fn each_fault_is_caught() {
    for (fault, reason) in [
        ("none", "without numbers"),
        ("count", "has 10 classes of symmetric positions, not 11"),
        ("merged", "has 10 classes of symmetric positions, not 9"),
        ("beyond", "has number 10 of 10 classes"),
        ("image", "its image"),
        ("member", "is no member of class 5"),
        ("mover", "is no member of class"),
    ] {
        let violation = run(fault).unwrap_err();
        assert_eq!(violation.check, "classes", "{fault}");
        assert!(violation.reason.contains(reason), "{}", violation.reason);
    }
}
