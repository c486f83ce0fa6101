//! Single active areas: what moves make of them, and who is nearer to their squares.

use tabia_game::Player;

use crate::amazons::rooms::atlas::{Atlas, RoomNumber};
use crate::amazons::rooms::frame::{Set, squares};
use crate::amazons::rooms::territory::Territories;

/// An active area with one queen of each colour, in a room of an atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Area {
    /// The room.
    pub room: RoomNumber,
    /// The square of Black's queen.
    pub black: u8,
    /// The square of White's.
    pub white: u8,
}

/// What is left after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum After {
    /// A smaller active area.
    Active(Area),
    /// Territories, in which Black has this many moves more than White.
    Settled(i32),
}

/// Calls `visit` with what every move of a queen leads to, for its owner as Black.
#[inline]
pub(crate) fn each_move(
    atlas: &Atlas,
    territories: &Territories,
    set: Set,
    [own, other]: [usize; 2],
    mut visit: impl FnMut(After),
) {
    let frame = atlas.frame();
    let empty = set & !(1 << own | 1 << other);
    frame.moves(own, empty, |to, arrow| {
        let rest = set & !(1 << arrow);
        let room = frame.component(to, rest);
        let found = atlas.find(room).filter(|_| room >> other & 1 != 0);
        visit(match found {
            Some((room, turned)) => After::Active(Area {
                room,
                black: turned.square(to) as u8,
                white: turned.square(other) as u8,
            }),
            None => {
                let others = frame.component(other, rest);
                let own = territories.moves(atlas, room, 1 << to);
                let other = territories.moves(atlas, others, 1 << other);
                After::Settled(own as i32 - other as i32)
            }
        });
        true
    });
}

impl Area {
    /// Appends what the moves of a player lead to, each once.
    pub fn moves(
        &self,
        atlas: &Atlas,
        territories: &Territories,
        player: Player,
        out: &mut Vec<After>,
    ) {
        let set = atlas.rooms()[self.room as usize];
        let queens = [self.black, self.white].map(usize::from);
        let start = out.len();
        match player {
            Player::FIRST => each_move(atlas, territories, set, queens, |after| out.push(after)),
            _ => each_move(atlas, territories, set, [queens[1], queens[0]], |after| {
                out.push(match after {
                    After::Settled(moves) => After::Settled(-moves),
                    After::Active(area) => After::Active(Area {
                        black: area.white,
                        white: area.black,
                        ..area
                    }),
                });
            }),
        }
        out[start..].sort_unstable();
        let mut kept = start;
        for i in start..out.len() {
            if kept == start || out[i] != out[kept - 1] {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Squares that Black's queen reaches in fewer moves than White's, less those that White's
    /// reaches first; arrows are left aside (Tegos 2002, section 6.2.1).
    pub fn nearer(&self, atlas: &Atlas) -> i32 {
        let frame = atlas.frame();
        let queens = [1 << self.black, 1 << self.white];
        let empty = atlas.rooms()[self.room as usize] & !(queens[0] | queens[1]);
        let mut seen: [Set; 2] = [0, 0];
        let mut fresh: [Set; 2] = queens;
        let mut nearer = 0;
        while fresh != [0, 0] {
            for (seen, fresh) in seen.iter_mut().zip(&mut fresh) {
                let reached = squares(*fresh).fold(0, |set, from| set | frame.reach(from, empty));
                *fresh = reached & !*seen;
            }
            let before = seen;
            seen = [seen[0] | fresh[0], seen[1] | fresh[1]];
            let first = (fresh[0] & !seen[1]).count_ones() as i32;
            let second = (fresh[1] & !seen[0]).count_ones() as i32;
            // What the other has seen before is not new to anybody.
            debug_assert_eq!(before[0] & fresh[0] | before[1] & fresh[1], 0);
            nearer += first - second;
        }
        nearer
    }
}
