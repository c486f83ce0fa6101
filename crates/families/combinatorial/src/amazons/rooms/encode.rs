//! Tables as bytes, and back. All numbers are little-endian; `docs/rooms.md` tells the formats.

use rustc_hash::FxHashMap;
use tabia_cgt::{Dyadic, NumberUpStar, Thermograph, Value, Values};
use tabia_game::Player;

use crate::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs, Valuation};
use crate::amazons::rooms::atlas::Atlas;
use crate::amazons::rooms::territory::{Defective, Territories};

/// Reads numbers one after the other; `None` at the end.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn dyadic(&mut self) -> Option<Dyadic> {
        let numerator = self.take().map(i64::from_le_bytes)?;
        Dyadic::new(numerator, self.u8()?.into()).ok()
    }

    fn is_done(&self) -> bool {
        self.0.is_empty()
    }
}

fn put_dyadic(out: &mut Vec<u8>, number: Dyadic) {
    out.extend(number.numerator().to_le_bytes());
    out.push(number.exponent() as u8);
}

/// The bitmap of every room, and the first room with the same lines.
pub(crate) fn rooms(atlas: &Atlas, classes: &[u32]) -> Vec<u8> {
    let pairs = atlas.rooms().iter().zip(classes);
    pairs
        .flat_map(|(room, class)| [room.to_le_bytes(), class.to_le_bytes()].concat())
        .collect()
}

/// The bitmaps of rooms and the first rooms with the same lines.
pub(crate) fn read_rooms(bytes: &[u8]) -> Option<Vec<(u32, u32)>> {
    let mut reader = Reader(bytes);
    let mut rooms = Vec::new();
    while !reader.is_done() {
        rooms.push((reader.u32()?, reader.u32()?));
    }
    Some(rooms)
}

/// Room, queens and defects of every defective territory.
pub(crate) fn territories(territories: &Territories) -> Vec<u8> {
    let mut out = Vec::new();
    for defective in territories.listed() {
        out.extend(defective.room.to_le_bytes());
        out.extend(defective.queens.to_le_bytes());
        out.push(defective.defects);
    }
    out
}

pub(crate) fn read_territories(atlas: &Atlas, queens: usize, bytes: &[u8]) -> Option<Territories> {
    let mut reader = Reader(bytes);
    let mut listed = Vec::new();
    while !reader.is_done() {
        listed.push(Defective {
            room: reader.u32()?,
            queens: reader.u32()?,
            defects: reader.u8()?,
        });
    }
    Territories::of_list(atlas, queens, &listed)
}

/// A kind of active areas that can be kept in a file.
pub(crate) trait Coded: Valuation + Sized {
    fn encode(active: &mut Active<Self>) -> Option<Vec<u8>>;
    fn decode(atlas: &Atlas, largest: usize, bytes: &[u8]) -> Option<Active<Self>>;
}

/// Both scores of every entry.
impl Coded for Minimax {
    fn encode(active: &mut Active<Minimax>) -> Option<Vec<u8>> {
        let bytes = active.entries().iter().flatten();
        Some(bytes.map(|&score| score as u8).collect())
    }

    fn decode(atlas: &Atlas, largest: usize, bytes: &[u8]) -> Option<Active<Minimax>> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let scores = pairs
            .iter()
            .map(|pair| pair.map(|score| score as i8))
            .collect();
        Active::of_entries(atlas, Minimax, largest, scores).filter(|_| rest.is_empty())
    }
}

/// Marks a sum of a number, ups and a star.
const SIMPLE: u8 = 0;
/// Marks a value by its options.
const OPTIONS: u8 = 1;

/// The number of values and each of them, after those that are its options; then the number of the
/// value of every entry.
impl Coded for Canonical {
    fn encode(active: &mut Active<Canonical>) -> Option<Vec<u8>> {
        let entries = active.entries().to_vec();
        let values = active.kind_mut().values_mut();
        let mut needed: std::collections::BTreeSet<Value> = entries.iter().copied().collect();
        // Options have been stored before what they are options of.
        let mut open: Vec<Value> = needed.iter().copied().collect();
        while let Some(value) = open.pop() {
            if values.as_number_up_star(value).is_none() {
                for player in [Player::FIRST, Player::SECOND] {
                    let options = values.options(value, player).ok()?.to_vec();
                    open.extend(options.into_iter().filter(|&option| needed.insert(option)));
                }
            }
        }
        let numbers: FxHashMap<Value, u32> = needed.iter().copied().zip(0..).collect();
        let mut out = (numbers.len() as u32).to_le_bytes().to_vec();
        for &value in &needed {
            if let Some(simple) = values.as_number_up_star(value) {
                out.push(SIMPLE);
                put_dyadic(&mut out, simple.number);
                out.extend(simple.up.to_le_bytes());
                out.extend(simple.nimber.to_le_bytes());
                continue;
            }
            out.push(OPTIONS);
            for player in [Player::FIRST, Player::SECOND] {
                let options = values.options(value, player).ok()?;
                out.extend((options.len() as u32).to_le_bytes());
                for option in options {
                    out.extend(numbers.get(option)?.to_le_bytes());
                }
            }
        }
        for entry in &entries {
            out.extend(numbers.get(entry)?.to_le_bytes());
        }
        Some(out)
    }

    fn decode(atlas: &Atlas, largest: usize, bytes: &[u8]) -> Option<Active<Canonical>> {
        let mut reader = Reader(bytes);
        let count = reader.u32()?;
        let mut kind = Canonical::new(Values::with_limit(2 * count as usize + 4096)).ok()?;
        let mut known: Vec<Value> = Vec::new();
        for _ in 0..count {
            let value = match reader.u8()? {
                SIMPLE => {
                    let simple = NumberUpStar {
                        number: reader.dyadic()?,
                        up: reader.take().map(i32::from_le_bytes)?,
                        nimber: reader.u32()?,
                    };
                    kind.values_mut().number_up_star(simple).ok()?
                }
                OPTIONS => {
                    let mut sides = [Vec::new(), Vec::new()];
                    for side in &mut sides {
                        for _ in 0..reader.u32()? {
                            side.push(*known.get(reader.u32()? as usize)?);
                        }
                    }
                    kind.values_mut().from_options(&sides[0], &sides[1]).ok()?
                }
                _ => return None,
            };
            known.push(kind.admit(value).ok()?);
        }
        let mut entries = Vec::new();
        while !reader.is_done() {
            entries.push(*known.get(reader.u32()? as usize)?);
        }
        Active::of_entries(atlas, kind, largest, entries)
    }
}

/// The number of thermographs and each of them, then the number of the thermograph of every entry.
impl Coded for Thermographs {
    fn encode(active: &mut Active<Thermographs>) -> Option<Vec<u8>> {
        let graphs = active.kind().graphs();
        let mut out = (graphs.len() as u32).to_le_bytes().to_vec();
        for graph in graphs {
            for wall in [graph.left(), graph.right()] {
                out.push(u8::try_from(wall.points().len()).ok()?);
                for &(tax, value) in wall.points() {
                    put_dyadic(&mut out, tax);
                    put_dyadic(&mut out, value);
                }
            }
            put_dyadic(&mut out, graph.temperature());
            put_dyadic(&mut out, graph.mean());
            for player in [Player::FIRST, Player::SECOND] {
                let pseudo = graph.pseudo_temperature(player);
                out.push(u8::from(pseudo.is_some()));
                if let Some(pseudo) = pseudo {
                    put_dyadic(&mut out, pseudo);
                }
            }
        }
        for entry in active.entries() {
            out.extend(entry.to_le_bytes());
        }
        Some(out)
    }

    fn decode(atlas: &Atlas, largest: usize, bytes: &[u8]) -> Option<Active<Thermographs>> {
        let mut reader = Reader(bytes);
        let mut kind = Thermographs::default();
        let mut known = Vec::new();
        for _ in 0..reader.u32()? {
            let mut walls = [Vec::new(), Vec::new()];
            for wall in &mut walls {
                for _ in 0..reader.u8()? {
                    wall.push((reader.dyadic()?, reader.dyadic()?));
                }
            }
            let (temperature, mean) = (reader.dyadic()?, reader.dyadic()?);
            let mut pseudo = [None, None];
            for pseudo in &mut pseudo {
                *pseudo = match reader.u8()? {
                    0 => None,
                    1 => Some(reader.dyadic()?),
                    _ => return None,
                };
            }
            known.push(kind.admit(Thermograph::of_points(walls, temperature, mean, pseudo)?));
        }
        let mut entries = Vec::new();
        while !reader.is_done() {
            entries.push(*known.get(reader.u32()? as usize)?);
        }
        Active::of_entries(atlas, kind, largest, entries)
    }
}
