//! Looking rooms up: for searches of sums and for players.

use std::sync::{Arc, OnceLock};

use crate::Cells;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tabia_cgt::{Dyadic, Thermograph, Value};
use tabia_game::Player;
use tabia_game::bits::Bits;

use crate::amazons::rooms::active::{Active, Canonical, Minimax, Scores, Thermographs, Valuation};
use crate::amazons::rooms::area::Area;
use crate::amazons::rooms::atlas::{Atlas, RoomNumber};
use crate::amazons::rooms::frame::{Set, squares};
use crate::amazons::rooms::lines::{LineForm, LineSegments};
use crate::amazons::rooms::room::{Room, Square};
use crate::amazons::rooms::territory::Territories;

/// What is known of the rooms in a frame. Tables that are not there answer nothing.
///
/// Rooms are positions as [`split`](tabia_game::Combinatorial::split) gives them; one is placed
/// once and can then be asked for whatever the tables hold.
///
/// ```
/// use tabia_game::{Cancel, Combinatorial};
/// use tabia_combinatorial::amazons::combinatorial::Amazons;
/// use tabia_combinatorial::amazons::rooms::active::{Active, Minimax};
/// use tabia_combinatorial::amazons::rooms::atlas::Atlas;
/// use tabia_combinatorial::amazons::rooms::frame::Frame;
/// use tabia_combinatorial::amazons::rooms::RoomTables;
/// use tabia_combinatorial::amazons::rooms::territory::Territories;
///
/// let stop = Cancel::default();
/// let atlas = Atlas::new(Frame::new(3, 4).unwrap(), &stop).unwrap();
/// let territories = Territories::build(&atlas, 2, &stop, &|_| {}).unwrap();
/// let scores = Active::build(&atlas, &territories, Minimax, 12, &stop, &|_| {}).unwrap();
/// let tables = RoomTables::new(atlas, territories).with_scores(scores);
///
/// // A queen in the bend of a room gets only one of two squares.
/// let room = Amazons.parse_position(".X#|##.").unwrap();
/// assert_eq!(tables.territory(&tables.place(&room).unwrap()), Some(1));
/// // Whoever begins takes the square.
/// let room = Amazons.parse_position("X.O").unwrap();
/// assert_eq!(tables.scores(&tables.place(&room).unwrap()), Some([1, -1]));
/// ```
#[derive(Debug)]
pub struct RoomTables {
    atlas: Atlas,
    territories: Territories,
    scores: Option<Active<Minimax>>,
    values: Option<Active<Canonical>>,
    thermographs: Option<Active<Thermographs>>,
    /// Rooms by their lines, for those that do not fit into the frame.
    alike: OnceLock<FxHashMap<LineForm, Alike>>,
}

/// A room of the atlas, and its squares by the labels of its form.
type Alike = (RoomNumber, Box<[u8]>);

/// A room with its queens as a room of the atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    room: RoomNumber,
    squares: u32,
    queens: [Set; 2],
}

impl Placed {
    /// How many squares the room has, those under queens included.
    pub fn size(&self) -> u32 {
        self.squares
    }

    /// The queens of a player.
    pub fn queens(&self, player: Player) -> Set {
        self.queens[player.index() & 1]
    }

    /// Whose territory it is, if it is one.
    pub fn owner(&self) -> Option<Player> {
        match self.queens {
            [left, 0] if left != 0 => Some(Player::FIRST),
            [0, right] if right != 0 => Some(Player::SECOND),
            _ => None,
        }
    }

    /// The active area that it is, if there is one queen of each colour.
    pub fn area(&self) -> Option<Area> {
        let [left, right] = self.queens;
        let single = left.count_ones() == 1 && right.count_ones() == 1;
        single.then_some(Area {
            room: self.room,
            black: left.trailing_zeros() as u8,
            white: right.trailing_zeros() as u8,
        })
    }
}

impl RoomTables {
    /// Territories alone.
    pub fn new(atlas: Atlas, territories: Territories) -> RoomTables {
        RoomTables {
            atlas,
            territories,
            scores: None,
            values: None,
            thermographs: None,
            alike: OnceLock::new(),
        }
    }

    /// With scores of active areas.
    pub fn with_scores(mut self, scores: Active<Minimax>) -> RoomTables {
        self.scores = Some(scores);
        self
    }

    /// With canonical forms of active areas.
    pub fn with_values(mut self, values: Active<Canonical>) -> RoomTables {
        self.values = Some(values);
        self
    }

    /// With thermographs of active areas.
    pub fn with_thermographs(mut self, thermographs: Active<Thermographs>) -> RoomTables {
        self.thermographs = Some(thermographs);
        self
    }

    /// The rooms.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The territories.
    pub fn territories(&self) -> &Territories {
        &self.territories
    }

    /// The table of canonical forms, whose store the values belong to.
    pub fn values(&self) -> Option<&Active<Canonical>> {
        self.values.as_ref()
    }

    /// The same, for sums, means and so on.
    pub fn values_mut(&mut self) -> Option<&mut Active<Canonical>> {
        self.values.as_mut()
    }

    /// Finds a room: one that fits into the frame, shifted and turned as it may be, or one with the
    /// same lines as a room that does. Nothing if there is none, or if the squares do not hang
    /// together.
    pub fn place(&self, room: &Cells) -> Option<Placed> {
        self.placed(room, |points| {
            self.in_the_frame(points)
                .or_else(|| self.with_same_lines(points))
        })
    }

    /// The same for rooms that fit into the frame alone, which is faster.
    pub fn place_at_sight(&self, room: &Cells) -> Option<Placed> {
        self.placed(room, |points| self.in_the_frame(points))
    }

    fn placed(
        &self,
        room: &Cells,
        find: impl Fn(&[Square]) -> Option<(RoomNumber, Vec<u8>)>,
    ) -> Option<Placed> {
        let cells: Vec<usize> = room.open().iter().collect();
        if cells.len() > self.atlas.frame().area() {
            return None;
        }
        let width = room.shape().width();
        let places = || {
            cells
                .iter()
                .map(|&cell| ((cell % width) as u8, (cell / width) as u8))
        };
        let left = places().map(|(x, _)| x).min()?;
        let top = places().map(|(_, y)| y).min()?;
        let points: Vec<Square> = places().map(|(x, y)| (x - left, y - top)).collect();
        let (number, targets) = find(&points)?;
        let mut queens = [0; 2];
        for (player, set) in [Player::FIRST, Player::SECOND].into_iter().zip(&mut queens) {
            let stones = room.stones(player);
            for (&cell, &target) in cells.iter().zip(&targets) {
                *set |= Set::from(stones.has(cell)) << target;
            }
        }
        Some(Placed {
            room: number,
            squares: cells.len() as u32,
            queens,
        })
    }

    /// A room that fits into the frame, with the squares that points become there.
    fn in_the_frame(&self, points: &[Square]) -> Option<(RoomNumber, Vec<u8>)> {
        let frame = self.atlas.frame();
        let width = points.iter().map(|p| p.0).max()?;
        let height = points.iter().map(|p| p.1).max()?;
        let stands = width < height;
        let fits = |along: u8, down: u8| {
            usize::from(along) < frame.width() && usize::from(down) < frame.height()
        };
        if !fits(width.max(height), width.min(height)) {
            return None;
        }
        let cell = |&(x, y): &Square| {
            let (x, y) = if stands { (y, x) } else { (x, y) };
            usize::from(y) * frame.width() + usize::from(x)
        };
        let set = points
            .iter()
            .fold(0, |set: Set, point| set | 1 << cell(point));
        let (number, turned) = self.atlas.find(set)?;
        Some((
            number,
            points
                .iter()
                .map(|point| turned.square(cell(point)) as u8)
                .collect(),
        ))
    }

    /// A room of any shape that is alike to one of the atlas.
    fn with_same_lines(&self, points: &[Square]) -> Option<(RoomNumber, Vec<u8>)> {
        let shape = Room::of(points).filter(Room::is_connected)?;
        let labelled = LineSegments::new(&shape).form();
        let (number, by_label) = self.alike().get(&labelled.form)?;
        // Cells and points of lines are both in rows from the top left.
        let targets = labelled
            .labels
            .iter()
            .map(|&label| by_label[usize::from(label)]);
        Some((*number, targets.collect()))
    }

    /// The rooms of the atlas by their lines, the first of those that are alike. This takes
    /// seconds, once.
    fn alike(&self) -> &FxHashMap<LineForm, Alike> {
        if let Some(known) = self.alike.get() {
            return known;
        }
        let label = |number: usize| {
            let labelled = LineSegments::new(&self.atlas.room(number)).form();
            let mut by_label = vec![0; labelled.labels.len()];
            for (square, &label) in squares(self.atlas.rooms()[number]).zip(&labelled.labels) {
                by_label[usize::from(label)] = square as u8;
            }
            (
                labelled.form,
                (number as RoomNumber, by_label.into_boxed_slice()),
            )
        };
        let rooms = (0..self.atlas.rooms().len()).into_par_iter();
        let labelled: Vec<(LineForm, Alike)> = rooms.map(label).collect();
        let mut alike = FxHashMap::default();
        for (form, room) in labelled {
            alike.entry(form).or_insert(room);
        }
        // Not found while the cell is locked: a thread that waits for others may be given work that
        // asks for it again.
        self.alike.get_or_init(|| alike)
    }

    /// How many moves the queens of a territory have; nothing if there are queens of both colours,
    /// none, or more than the table knows.
    pub fn territory(&self, placed: &Placed) -> Option<u32> {
        let queens = placed.queens(placed.owner()?);
        let known = (1..=self.territories.queens() as u32).contains(&queens.count_ones());
        let empty = placed.squares - queens.count_ones();
        known.then(|| empty - self.territories.defects(placed.room, queens))
    }

    /// What a territory is worth to Left.
    fn integer(&self, placed: &Placed) -> Option<i32> {
        let moves = self.territory(placed)? as i32;
        Some(if placed.owner() == Some(Player::FIRST) {
            moves
        } else {
            -moves
        })
    }

    fn entry<K: Valuation>(&self, table: Option<&Active<K>>, placed: &Placed) -> Option<K::Entry> {
        table?.of_area(&self.atlas, placed.area()?)
    }

    /// The scores for Left if Left and if Right begins, each move counting one.
    pub fn scores(&self, placed: &Placed) -> Option<Scores> {
        let territory = self.integer(placed).map(|moves| Minimax.integer(moves));
        territory.or_else(|| self.entry(self.scores.as_ref(), placed))
    }

    /// The value, in the store of [`RoomTables::values`].
    pub fn value(&self, placed: &Placed) -> Option<Value> {
        let table = self.values.as_ref()?;
        let territory = self
            .integer(placed)
            .map(|moves| table.kind().integer(moves));
        territory.or_else(|| self.entry(Some(table), placed))
    }

    /// The thermograph.
    pub fn thermograph(&self, placed: &Placed) -> Option<Arc<Thermograph>> {
        if let Some(moves) = self.integer(placed) {
            return Some(Arc::new(Thermograph::of_integer(Dyadic::from(moves))));
        }
        let table = self.thermographs.as_ref()?;
        let number = self.entry(Some(table), placed)?;
        Some(table.kind().graph(number).clone())
    }
}
