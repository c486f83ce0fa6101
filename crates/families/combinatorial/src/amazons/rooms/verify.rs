//! Verifying tables of rooms by the rules of Amazons alone.
//!
//! Nothing is shared with what builds them but the order of rooms: rooms are grown square by
//! square, positions are those of the rules, which also split them into parts, and every entry must
//! follow from the entries after one move. Since every move takes a square away, this proves all
//! entries.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::amazons::combinatorial::{Amazons, Shot};
use crate::{Cells, Shape};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tabia_cgt::{Exceeded, Thermograph};
use tabia_game::{Combinatorial, Player};
use tabia_tables::{Table, TableError, VerifyError, VerifyJob};

use crate::amazons::rooms::active::{Active, Canonical, Minimax, Scores, Thermographs, Valuation};
use crate::amazons::rooms::atlas::Atlas;
use crate::amazons::rooms::frame::{Set, squares};
use crate::amazons::rooms::kind::too_many;
use crate::amazons::rooms::room::{Room, RoomGenerator};
use crate::amazons::rooms::spec::{AreaValue, Holds, Spec};
use crate::amazons::rooms::store::{active, rooms, territories};
use crate::amazons::rooms::territory::Territories;

const PLAYERS: [Player; 2] = [Player::FIRST, Player::SECOND];

/// Verifies a table.
pub(super) struct Judge<'a> {
    spec: &'a Spec,
    table: &'a Table,
    checking: &'a VerifyJob<'a>,
    done: AtomicU64,
}

impl<'a> Judge<'a> {
    /// For a table that is among those given.
    pub fn new(spec: &'a Spec, checking: &'a VerifyJob<'a>) -> Result<Judge<'a>, VerifyError> {
        Ok(Judge {
            spec,
            table: checking.tables.table(&spec.to_string())?,
            checking,
            done: AtomicU64::new(0),
        })
    }

    fn wrong(&self, reason: String) -> VerifyError {
        VerifyError::False {
            file: self.table.file().to_string(),
            reason,
        }
    }

    fn tell(&self, more: u64, all: u64) -> Result<(), VerifyError> {
        if self.checking.cancel.is_cancelled() {
            return Err(TableError::Stopped.into());
        }
        let before = self.done.fetch_add(more, Ordering::Relaxed);
        (self.checking.progress)(before + more, all);
        Ok(())
    }

    /// Derives all entries again. Returns how many there are.
    pub fn verify(&self) -> Result<u64, VerifyError> {
        let atlas = Atlas::new(self.spec.frame.clone(), self.checking.cancel);
        let atlas = atlas.map_err(TableError::from)?;
        self.rooms(&atlas)?;
        match self.spec.holds {
            Holds::Rooms => self.classes(&atlas),
            Holds::Territory(queens) => {
                let table = territories(&atlas, queens, self.table)?;
                self.territories(&atlas, &table)
            }
            Holds::Active(worth, largest) => {
                let below = self.spec.holding(Holds::Territory(1)).to_string();
                let below = self.checking.tables.table(&below)?;
                let defects = defects(&atlas, &territories(&atlas, 1, below)?);
                match worth {
                    AreaValue::Minimax => {
                        let table: Active<Minimax> = active(&atlas, largest, self.table)?;
                        let known = known(&atlas, &table);
                        self.active(&atlas, &table, &known, &defects, |left, right| {
                            Ok(scores(left, right))
                        })
                    }
                    AreaValue::Canonical => {
                        let mut table: Active<Canonical> = active(&atlas, largest, self.table)?;
                        let known = known(&atlas, &table);
                        let store = std::mem::take(table.kind_mut().values_mut());
                        let store = std::cell::RefCell::new(store);
                        self.active(&atlas, &table, &known, &defects, |left, right| {
                            store.borrow_mut().from_options(left, right)
                        })
                    }
                    AreaValue::Thermograph => {
                        let table: Active<Thermographs> = active(&atlas, largest, self.table)?;
                        let known = known(&atlas, &table);
                        let kind = table.kind();
                        self.active(&atlas, &table, &known, &defects, |left, right| {
                            let graphs = |side: &[u32]| -> Vec<&Thermograph> {
                                side.iter().map(|&number| &**kind.graph(number)).collect()
                            };
                            let graph =
                                Thermograph::of_options(&graphs(left), &graphs(right))?.of_value();
                            // One that the table does not have is no entry's.
                            Ok(kind.number(&graph).unwrap_or(u32::MAX))
                        })
                    }
                }
            }
        }
    }

    /// The rooms of the atlas, which tables number theirs by, are those that grow square by square.
    fn rooms(&self, atlas: &Atlas) -> Result<(), VerifyError> {
        let (long, short) = (self.spec.frame.width(), self.spec.frame.height());
        let fits =
            |width: usize, height: usize| width.max(height) <= long && width.min(height) <= short;
        let mut grown = 0;
        for (size, rooms) in RoomGenerator::new(fits).enumerate() {
            let here: BTreeSet<Room> = atlas
                .of_size(size + 1)
                .map(|room| atlas.room(room).least_image())
                .collect();
            grown += rooms.len();
            if !here.iter().eq(&rooms) || here.len() != atlas.of_size(size + 1).len() {
                return Err(self.wrong(format!("there are other rooms of size {}", size + 1)));
            }
        }
        match grown == atlas.rooms().len() {
            true => Ok(()),
            false => Err(self.wrong(format!("there are {grown} rooms"))),
        }
    }

    /// Rooms of one class can be matched square by square, those of different classes cannot.
    fn classes(&self, atlas: &Atlas) -> Result<u64, VerifyError> {
        let rooms = rooms(self.table)?;
        if !rooms.iter().map(|(room, _)| room).eq(atlas.rooms()) {
            return Err(self.wrong("it lists other rooms".to_string()));
        }
        let all = rooms.len() as u64;
        let lines: Vec<Runs> = (0..rooms.len())
            .into_par_iter()
            .map(|n| Runs::new(&atlas.room(n)))
            .collect();
        let mut firsts: FxHashMap<&[Profile], Vec<usize>> = FxHashMap::default();
        for (number, &(_, class)) in rooms.iter().enumerate() {
            if class as usize == number {
                firsts
                    .entry(&lines[number].profiles)
                    .or_default()
                    .push(number);
            }
        }
        (0..rooms.len())
            .into_par_iter()
            .with_max_len(256)
            .try_for_each(|number| {
                let class = rooms[number].1 as usize;
                let alike = firsts
                    .get(&lines[number].profiles[..])
                    .map_or(&[][..], |firsts| &firsts[..]);
                let matched: Vec<usize> = alike
                    .iter()
                    .copied()
                    .filter(|&first| lines[first].matches(&lines[number]))
                    .collect();
                self.tell(1, all)?;
                match matched == [class] && class <= number {
                    true => Ok(()),
                    false => Err(self.wrong(format!(
                        "room {number} is not of the class of {class} alone"
                    ))),
                }
            })?;
        Ok(all)
    }

    fn territories(&self, atlas: &Atlas, table: &Territories) -> Result<u64, VerifyError> {
        let defects = defects(atlas, table);
        let all = atlas.rooms().len() as u64;
        let derived = AtomicU64::new(0);
        (0..atlas.rooms().len())
            .into_par_iter()
            .with_max_len(64)
            .try_for_each(|number| {
                let room = atlas.rooms()[number];
                let mut buffers = Buffers::default();
                let mut failed = None;
                for placed in 1..=table.queens().min(room.count_ones() as usize) {
                    crate::amazons::rooms::territory::subsets(room, placed, |queens| {
                        let position = cells(atlas, room, [queens, 0]);
                        let claimed = table.moves(atlas, room, queens);
                        let moves = buffers.most_moves(&position, claimed, &defects);
                        derived.fetch_add(1, Ordering::Relaxed);
                        if moves != claimed {
                            failed = Some(format!(
                                "the queens of {} have {moves} moves, not {claimed}",
                                Amazons.position_text(&position)
                            ));
                        }
                    });
                }
                self.tell(1, all)?;
                failed.map_or(Ok(()), |reason| Err(self.wrong(reason)))
            })?;
        Ok(derived.into_inner())
    }

    /// Derives every entry from those after one move. `derive` is given what Left and Right can
    /// move to.
    fn active<K: Valuation>(
        &self,
        atlas: &Atlas,
        table: &Active<K>,
        known: &FxHashMap<Cells, K::Entry>,
        defects: &FxHashMap<Cells, u8>,
        derive: impl Fn(&[K::Entry], &[K::Entry]) -> Result<K::Entry, Exceeded>,
    ) -> Result<u64, VerifyError> {
        let worth = |part: &Cells| {
            if let Some(&entry) = known.get(part) {
                return Some(entry);
            }
            if let Some(&entry) = known.get(&Amazons.negative(part)) {
                return Some(table.kind().negative(entry));
            }
            None
        };
        // What a position after a move is worth: an active area, or territories.
        let whole = |position: &Cells, parts: &mut Vec<Cells>| {
            parts.clear();
            Amazons.split(position, parts);
            let mut moves = 0;
            for part in parts.iter() {
                let left = part.stones(Player::FIRST) != 0;
                if left && part.stones(Player::SECOND) != 0 {
                    return worth(part);
                }
                let filled = part.empty().count_ones() as i32
                    - defects.get(part).map_or(0, |&n| i32::from(n));
                moves += if left { filled } else { -filled };
            }
            Some(table.kind().integer(moves))
        };
        let all = table.entries().len() as u64;
        let rooms: Vec<usize> = (0..atlas.of_size(table.largest()).end).collect();
        for batch in rooms.chunks(256) {
            // A position, and what either player can move to; nothing if a value is missing.
            type Gathered<E> = Vec<(Cells, Option<[Vec<E>; 2]>)>;
            let gathered: Vec<Gathered<K::Entry>> = batch
                .par_iter()
                .map(|&number| {
                    let (mut moves, mut parts) = (Vec::new(), Vec::new());
                    let position = |queens: (usize, usize)| {
                        let position =
                            cells(atlas, atlas.rooms()[number], [1 << queens.0, 1 << queens.1]);
                        let mut sides = [Vec::new(), Vec::new()];
                        for (side, player) in sides.iter_mut().zip(PLAYERS) {
                            moves.clear();
                            Amazons.moves(&position, player, &mut moves);
                            for &mv in &moves {
                                let mut after = position;
                                Amazons.play(&mut after, player, mv);
                                match whole(&after, &mut parts) {
                                    Some(entry) => side.push(entry),
                                    None => return (position, None),
                                }
                            }
                            side.sort_unstable();
                            side.dedup();
                        }
                        (position, Some(sides))
                    };
                    pairs(atlas.rooms()[number]).map(position).collect()
                })
                .collect();
            let mut done = 0;
            for (&number, gathered) in batch.iter().zip(gathered) {
                for (&claimed, (position, sides)) in table.of_room(number).iter().zip(gathered) {
                    done += 1;
                    let expected = match sides {
                        Some([left, right]) => Some(
                            derive(&left, &right)
                                .map_err(|error| VerifyError::Limit(too_many(error)))?,
                        ),
                        None => None,
                    };
                    if expected != Some(claimed) {
                        let text = Amazons.position_text(&position);
                        return Err(self.wrong(format!(
                            "the value of {text} does not follow from those after it"
                        )));
                    }
                }
            }
            self.tell(done, all)?;
        }
        Ok(all)
    }
}

/// A room with queens as a position of the rules.
fn cells(atlas: &Atlas, room: Set, queens: [Set; 2]) -> Cells {
    let frame = atlas.frame();
    let shape = Shape::new(frame.width(), frame.height()).expect("a frame is smaller than a board");
    let position = Cells::from_sets(shape, room.into(), queens.map(u128::from));
    position.expect("queens stand on squares of the room, none on another's")
}

/// Both queens' squares, in the order of entries.
fn pairs(room: Set) -> impl Iterator<Item = (usize, usize)> {
    squares(room)
        .flat_map(move |white| squares(room & ((1 << white) - 1)).map(move |black| (black, white)))
}

/// The position as the rules write it when they split one; `None` if nobody can move in it.
fn part(position: &Cells) -> Option<Cells> {
    let mut parts = Vec::new();
    Amazons.split(position, &mut parts);
    parts.pop()
}

/// The defective territories of either player as positions of the rules.
fn defects(atlas: &Atlas, table: &Territories) -> FxHashMap<Cells, u8> {
    let mut defects = FxHashMap::default();
    for found in table.listed() {
        let room = atlas.rooms()[found.room as usize];
        for queens in [[found.queens, 0], [0, found.queens]] {
            defects.extend(part(&cells(atlas, room, queens)).map(|part| (part, found.defects)));
        }
    }
    defects
}

/// The entries of a table by positions of the rules.
fn known<K: Valuation>(atlas: &Atlas, table: &Active<K>) -> FxHashMap<Cells, K::Entry> {
    let mut known = FxHashMap::default();
    for number in 0..atlas.of_size(table.largest()).end {
        let room = atlas.rooms()[number];
        for ((black, white), &entry) in pairs(room).zip(table.of_room(number)) {
            let position = cells(atlas, room, [1 << black, 1 << white]);
            // Where nobody can move there is no part, and no move leads to a look at it.
            known.extend(part(&position).map(|part| (part, entry)));
        }
    }
    known
}

/// Scores by their definition: the mover gains one and the other moves next; who cannot move
/// passes.
fn scores(left: &[Scores], right: &[Scores]) -> Scores {
    let mut first = None;
    for &[_, after] in left {
        first = first.max(Some(after + 1));
    }
    let mut second: Option<i8> = None;
    for &[after, _] in right {
        second = Some(second.map_or(after - 1, |least| least.min(after - 1)));
    }
    match (first, second) {
        (Some(first), Some(second)) => [first, second],
        (Some(alone), None) | (None, Some(alone)) => [alone, alone],
        (None, None) => [0, 0],
    }
}

#[derive(Default)]
struct Buffers {
    moves: Vec<Shot>,
    parts: Vec<Cells>,
}

impl Buffers {
    /// The most moves that Left has if those after one are as claimed. Stops where as many are
    /// found as there can be.
    fn most_moves(
        &mut self,
        position: &Cells,
        claimed: u32,
        defects: &FxHashMap<Cells, u8>,
    ) -> u32 {
        self.moves.clear();
        Amazons.moves(position, Player::FIRST, &mut self.moves);
        let empty = position.empty().count_ones();
        let mut most = 0;
        for &mv in &self.moves {
            let mut after = *position;
            Amazons.play(&mut after, Player::FIRST, mv);
            self.parts.clear();
            Amazons.split(&after, &mut self.parts);
            let moves = self.parts.iter().map(|part| {
                part.empty().count_ones() - defects.get(part).map_or(0, |&n| u32::from(n))
            });
            most = most.max(1 + moves.sum::<u32>());
            if most == empty || most > claimed {
                break;
            }
        }
        most
    }
}

/// The lines through a square: how long each is, and how far it is to the nearer end.
type Profile = Vec<(usize, usize)>;

/// The lines of a room by their squares, to be matched with those of another by trying.
struct Runs {
    lines: Vec<Vec<usize>>,
    /// Of every square, in order of the squares.
    of_square: Vec<Profile>,
    /// The same in order.
    profiles: Vec<Profile>,
}

impl Runs {
    fn new(room: &Room) -> Runs {
        let squares: Vec<(i32, i32)> = room.squares().map(|(x, y)| (x.into(), y.into())).collect();
        let at = |place: (i32, i32)| squares.iter().position(|&square| square == place);
        let mut lines = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for &(x, y) in &squares {
                if at((x - dx, y - dy)).is_none() {
                    let line: Vec<usize> =
                        (0..).map_while(|i| at((x + i * dx, y + i * dy))).collect();
                    lines.extend((line.len() > 1).then_some(line));
                }
            }
        }
        let mut of_square = vec![Vec::new(); squares.len()];
        for line in &lines {
            for (place, &square) in line.iter().enumerate() {
                of_square[square].push((line.len(), place.min(line.len() - 1 - place)));
            }
        }
        of_square
            .iter_mut()
            .for_each(|profile: &mut Profile| profile.sort_unstable());
        let mut profiles = of_square.clone();
        profiles.sort_unstable();
        Runs {
            lines,
            of_square,
            profiles,
        }
    }

    /// Whether squares can be matched so that lines become lines.
    fn matches(&self, other: &Runs) -> bool {
        if self.profiles != other.profiles || self.lines.len() != other.lines.len() {
            return false;
        }
        let mut targets: BTreeSet<Vec<usize>> = other.lines.iter().cloned().collect();
        targets.extend(
            other
                .lines
                .iter()
                .map(|line| line.iter().rev().copied().collect()),
        );
        self.extend(other, &targets, &mut Vec::new())
    }

    /// Whether a matching of the first squares can be completed.
    fn extend(
        &self,
        other: &Runs,
        targets: &BTreeSet<Vec<usize>>,
        matched: &mut Vec<usize>,
    ) -> bool {
        let whole = |line: &&Vec<usize>| line.iter().max() == matched.len().checked_sub(1).as_ref();
        let mut finished = self.lines.iter().filter(whole);
        if !finished
            .all(|line| targets.contains(&line.iter().map(|&s| matched[s]).collect::<Vec<_>>()))
        {
            return false;
        }
        let next = matched.len();
        if next == self.of_square.len() {
            return true;
        }
        (0..other.of_square.len()).any(|candidate| {
            if matched.contains(&candidate) || other.of_square[candidate] != self.of_square[next] {
                return false;
            }
            matched.push(candidate);
            let complete = self.extend(other, targets, matched);
            matched.pop();
            complete
        })
    }
}
