//! Rooms: what arrows have cut off from each other (Tegos 2002, chapter 3).

use tabia_game::Player;
use tabia_game::bits::Bits;

use super::{Amazons, Set, Shot, State};

/// A region of squares without arrows that hang together, with the queens in it.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    squares: Set,
    state: State,
}

impl Room {
    /// The position with everything outside the room closed.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How many squares it has, those under queens included.
    pub fn size(&self) -> usize {
        self.squares.count()
    }

    /// Whether queens of both colours are in it.
    pub fn is_contested(&self) -> bool {
        self.state.queens.iter().all(|own| !own.is_empty())
    }

    /// Whether a move takes place in it.
    pub fn holds(&self, shot: Shot) -> bool {
        self.squares.has(usize::from(shot.from))
    }
}

impl Amazons {
    /// The rooms in which somebody can move.
    pub fn rooms(&self, state: &State) -> Vec<Room> {
        let open = self.lines.full & !state.arrows;
        let queens = state.queens[0] | state.queens[1];
        let (mut rest, mut rooms) = (queens, Vec::new());
        while !rest.is_empty() {
            let mut squares = rest & rest.wrapping_neg();
            loop {
                let more = self.lines.around(squares) & open;
                if more == squares {
                    break;
                }
                squares = more;
            }
            rest &= !squares;
            if squares & queens != squares {
                let own = state.queens.map(|queens| queens & squares);
                let arrows = self.lines.full & !squares;
                rooms.push(Room {
                    squares,
                    state: self.set_up(own, arrows, state.mover),
                });
            }
        }
        rooms
    }

    /// The position after a move of a player, whose turn it need not be; the other is to move.
    pub fn after(&self, state: &State, player: Player, shot: Shot) -> State {
        let mut next = self.set_up(state.queens, state.arrows, player);
        tabia_game::Game::play(self, &mut next, shot);
        next
    }
}
