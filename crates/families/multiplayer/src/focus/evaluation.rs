//! What is known of Focus (Schadd 2011, section 6.4.2): a thousand points for every man that is
//! still to be captured, by the nearer way to win, and for every own man the square of its height.
//! Moves with many men come first, and among these the ones that win control of stacks.

use tabia_game::{Knowledge, Player};

use super::{BOARD, Focus, Move, PASS, RESERVE, SQUARES, State};

/// Points of a man that is still to be captured.
const NEEDED: i32 = 1_000;

/// Men to capture and heights of men.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stacks;

/// The squares of the heights of a player's men.
fn heights(state: &State, player: Player) -> i32 {
    let squares = (0..SQUARES).filter(|&square| BOARD & 1 << square != 0);
    let of_stack = |square: usize| {
        let men = (1..).zip(state.stacks[square].men());
        let own = men.filter(|&(_, owner)| owner == player.0);
        own.map(|(height, _)| height * height).sum::<i32>()
    };
    squares.map(of_stack).sum()
}

impl Knowledge<Focus> for Stacks {
    fn evaluate(&self, game: &Focus, state: &State, player: Player) -> i32 {
        let of = |player| heights(state, player) - NEEDED * i32::from(game.needed(state, player));
        match game.players {
            // With two players what one has the other has not.
            2 => of(player) - of(player.other()),
            _ => of(player),
        }
    }

    fn priority(&self, _: &Focus, state: &State, mv: Move) -> i32 {
        if mv == PASS {
            return 0;
        }
        let mover = Some(state.mover.0);
        let target = state.stacks[usize::from(mv.to)];
        let men = mv.men() + target.height();
        let won = i32::from(target.top() != mover);
        let lost = match mv.from {
            RESERVE => 0,
            from => {
                let (rest, _) = state.stacks[usize::from(from)].split(mv.men());
                i32::from(rest.top() != mover)
            }
        };
        4 * men as i32 + won - lost
    }
}
