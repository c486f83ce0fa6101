//! All rooms in a frame, and the way from any of them, shifted and turned as it may be, to the one
//! that stands for its class.
//!
//! Unlike the growth of rooms ([`crate::amazons::rooms::room`]) this looks at every set of squares.
//! Tables number rooms as they are numbered here: by size, then by bitmap.

use rayon::prelude::*;
use tabia_game::Cancel;

use crate::amazons::rooms::Stopped;
use crate::amazons::rooms::frame::{Frame, MAX_SQUARES, Set, squares};
use crate::amazons::rooms::room::{Room, Square};

/// A room of an atlas.
pub type RoomNumber = u32;

const NONE: u32 = u32::MAX;

/// A square's image under a way of shifting and turning; squares that do not belong there have
/// none.
type Map = [u8; MAX_SQUARES];

/// The rooms of a frame up to symmetry.
#[derive(Debug)]
pub struct Atlas {
    frame: Frame,
    /// By number.
    rooms: Vec<Set>,
    /// The first room of each size, and one beyond.
    first: Vec<usize>,
    /// By set of squares: the room that it is an image of.
    numbers: Vec<u32>,
    /// By set of squares: how to shift and turn it to get there.
    ways: Vec<u16>,
    maps: Vec<Map>,
}

/// Shifts a rectangle into the corner and turns it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    attitude: usize,
}

/// The ways that are possible in a frame, in the order of their numbers.
struct Ways<'f> {
    frame: &'f Frame,
}

impl Ways<'_> {
    fn number(&self, way: Way) -> usize {
        let (w, h) = (self.frame.width(), self.frame.height());
        let place = (way.top * w + way.left) * h + way.height - 1;
        (place * w + way.width - 1) * 8 + way.attitude
    }

    fn way(&self, number: usize) -> Way {
        let (w, h) = (self.frame.width(), self.frame.height());
        let (rest, attitude) = (number / 8, number % 8);
        let (rest, width) = (rest / w, rest % w + 1);
        let (place, height) = (rest / h, rest % h + 1);
        Way {
            left: place % w,
            top: place / w,
            width,
            height,
            attitude,
        }
    }

    fn len(&self) -> usize {
        let (w, h) = (self.frame.width(), self.frame.height());
        w * h * w * h * 8
    }

    /// `None` if the rectangle does not fit as it is or turned.
    fn map(&self, way: Way) -> Option<Map> {
        let (w, h) = (self.frame.width(), self.frame.height());
        let turned = match way.attitude & 4 {
            0 => (way.width, way.height),
            _ => (way.height, way.width),
        };
        let fits = way.left + way.width <= w && way.top + way.height <= h;
        if !fits || turned.0 > w || turned.1 > h {
            return None;
        }
        let mut map = [u8::MAX; MAX_SQUARES];
        for y in 0..way.height {
            for x in 0..way.width {
                let (a, b) = if way.attitude & 4 == 0 {
                    (x, y)
                } else {
                    (y, x)
                };
                let a = if way.attitude & 1 == 0 {
                    a
                } else {
                    turned.0 - 1 - a
                };
                let b = if way.attitude & 2 == 0 {
                    b
                } else {
                    turned.1 - 1 - b
                };
                map[(way.top + y) * w + way.left + x] = (b * w + a) as u8;
            }
        }
        Some(map)
    }

    /// The rectangle around a set.
    fn around(&self, set: Set) -> Way {
        let (w, h) = (self.frame.width(), self.frame.height());
        let rows = (0..h).filter(|&y| set >> (y * w) & (Set::MAX >> (32 - w)) != 0);
        let columns = (0..w).filter(|&x| (0..h).any(|y| set >> (y * w + x) & 1 != 0));
        let ends = |line: &mut dyn Iterator<Item = usize>| {
            let first = line.next().unwrap_or(0);
            (first, line.last().unwrap_or(first) - first + 1)
        };
        let (mut rows, mut columns) = (rows, columns);
        let (top, height) = ends(&mut rows);
        let (left, width) = ends(&mut columns);
        Way {
            left,
            top,
            width,
            height,
            attitude: 0,
        }
    }
}

fn image(map: &Map, set: Set) -> Set {
    squares(set).fold(0, |image, square| image | 1 << map[square])
}

impl Atlas {
    /// The bytes of memory that an atlas takes, about.
    pub fn memory(frame: &Frame) -> u64 {
        // A number, a way, a bitmap while it is made.
        (1u64 << frame.area()) * 10 + (1 << 20)
    }

    /// Looks at every set of squares.
    pub fn new(frame: Frame, cancel: &Cancel) -> Result<Atlas, Stopped> {
        let all = Ways { frame: &frame };
        let possible: Vec<Option<Map>> = (0..all.len()).map(|n| all.map(all.way(n))).collect();
        let sets = 1usize << frame.area();
        let mut ways = vec![0u16; sets];
        // At first the least images, then their numbers.
        let mut numbers = vec![NONE; sets];
        const CHUNK: usize = 1 << 12;
        let chunks = numbers
            .par_chunks_mut(CHUNK)
            .zip(ways.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (numbers, ways))| {
            if cancel.is_cancelled() {
                return;
            }
            for (i, (number, way)) in numbers.iter_mut().zip(ways).enumerate() {
                let set = (chunk * CHUNK + i) as Set;
                if set == 0 || frame.component(set.trailing_zeros() as usize, set) != set {
                    continue;
                }
                let around = all.around(set);
                for attitude in 0..8 {
                    let candidate = all.number(Way { attitude, ..around });
                    if let Some(map) = &possible[candidate] {
                        let image = image(map, set);
                        if image < *number {
                            (*number, *way) = (image, candidate as u16);
                        }
                    }
                }
            }
        });
        if cancel.is_cancelled() {
            return Err(Stopped);
        }
        let mut rooms: Vec<Set> = (0..sets as Set)
            .filter(|&set| numbers[set as usize] == set)
            .collect();
        rooms.par_sort_unstable_by_key(|&room| (room.count_ones(), room));
        let first = (0..=frame.area() + 1)
            .map(|size| rooms.partition_point(|room| (room.count_ones() as usize) < size))
            .collect();
        let number_of = |least: Set| {
            let key = |room: &Set| (room.count_ones(), *room);
            rooms
                .binary_search_by_key(&key(&least), key)
                .map_or(NONE, |n| n as u32)
        };
        numbers.par_iter_mut().for_each(|number| {
            if *number != NONE {
                *number = number_of(*number);
            }
        });
        Ok(Atlas {
            rooms,
            first,
            numbers,
            ways,
            maps: possible
                .into_iter()
                .map(|map| map.unwrap_or([u8::MAX; MAX_SQUARES]))
                .collect(),
            frame,
        })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The bitmaps of all rooms, by number.
    pub fn rooms(&self) -> &[Set] {
        &self.rooms
    }

    /// A room as a shape, with its squares in the same order.
    pub fn room(&self, number: usize) -> Room {
        let width = self.frame.width();
        let place = |square: usize| ((square % width) as u8, (square / width) as u8);
        let places: Vec<Square> = squares(self.rooms[number]).map(place).collect();
        Room::of(&places).expect("a frame is smaller than the largest room")
    }

    /// The numbers of the rooms of a size.
    pub fn of_size(&self, size: usize) -> std::ops::Range<usize> {
        match self.first.get(size..size + 2) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    /// The room that some squares are an image of, if they hang together, with what belongs to
    /// their squares.
    #[inline]
    pub fn find(&self, set: Set) -> Option<(RoomNumber, Turned<'_>)> {
        let number = *self.numbers.get(set as usize)?;
        let map = &self.maps[usize::from(self.ways[set as usize])];
        (number != NONE).then_some((number, Turned(map)))
    }

    /// All ways to turn a room into itself, the identity included.
    pub fn symmetries(&self, room: RoomNumber) -> Vec<Turned<'_>> {
        let set = self.rooms[room as usize];
        let all = Ways { frame: &self.frame };
        let around = all.around(set);
        let maps = (0..8).map(|attitude| &self.maps[all.number(Way { attitude, ..around })]);
        maps.filter(|map| map[set.trailing_zeros() as usize] != u8::MAX && image(map, set) == set)
            .map(Turned)
            .collect()
    }
}

/// Where squares go when a room is shifted and turned.
#[derive(Clone, Copy, Debug)]
pub struct Turned<'a>(&'a Map);

impl Turned<'_> {
    /// Where a square of the room goes.
    #[inline]
    pub fn square(self, square: usize) -> usize {
        usize::from(self.0[square])
    }

    /// Where squares of the room go.
    #[inline]
    pub fn squares(self, set: Set) -> Set {
        image(self.0, set)
    }
}
