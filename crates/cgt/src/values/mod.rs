//! Values of games, each stored once.
//!
//! [`Values`] is an arena of canonical forms (Conway 1976, chapter 10): no dominated and no
//! reversible options. Equal values have equal canonical forms, so each is stored once and two
//! values are equal if their identifiers are. A sum of a number, ups and a star is held as such
//! ([`NumberUpStar`]), all others by their options. What sums and comparisons have found is kept in
//! two caches of bounded size.

mod cache;
mod canonical;
mod cooling;
mod order;
mod properties;
mod sum;

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use tabia_game::{Limits, Meter, Player, Stopped};

use crate::{Dyadic, NumberUpStar, Thermograph, TooLarge};
use cache::Cache;

pub use order::OutcomeClass;

/// A value in a store of [`Values`]: two of the same store are equal if and only if the values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);

impl Value {
    /// Nothing: whoever is to move loses. It is the same in every store.
    pub const ZERO: Value = Value(0);
}

/// An operation would have passed a bound of the store; the store is as good as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    /// Too many values.
    #[error("more than {0} values would have to be stored")]
    Values(usize),
    /// Too large a number.
    #[error("{TooLarge}")]
    Number,
    /// Too much memory for values, in bytes.
    #[error(
        "the values would take more than their share of the memory, {} MB",
        .0.div_ceil(1 << 20)
    )]
    Memory(u64),
    /// Too deep a value.
    #[error(
        "a value would be more than {MAX_HEIGHT} moves deep: numbers of ups and nimbers beside ups \
         or in options go up to {MAX_HEIGHT} as well"
    )]
    Height,
    /// Too large a nimber.
    #[error("a nimber would be more than {MAX_NIMBER}")]
    Nimber,
    /// The time was over, or stopping was asked for; see [`Values::watch`].
    #[error("{Stopped}")]
    Stopped,
    /// Too long a text.
    #[error("written out, the value has more than {0} characters")]
    Text(usize),
}

impl From<TooLarge> for Exceeded {
    fn from(TooLarge: TooLarge) -> Exceeded {
        Exceeded::Number
    }
}

/// Values deeper than this are refused, since their sums are found by recursion.
pub const MAX_HEIGHT: u32 = 1023;

/// The largest nimber, of which sums and comparisons need no recursion. Beyond [`MAX_HEIGHT`] it
/// stands beside numbers only, and its options are not written out.
pub const MAX_NIMBER: u32 = (1 << 20) - 1;

/// How many values a store holds unless told otherwise.
const DEFAULT_LIMIT: usize = 1 << 22;

/// Options that a store holds for every value it may hold.
const OPTIONS_PER_VALUE: usize = 16;

/// About what a thermograph takes, in bytes.
const THERMOGRAPH: usize = 512;

/// Values between two looks at the memory.
const LOOK: usize = 256;

const UNKNOWN: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    left_stop: Dyadic,
    right_stop: Dyadic,
    up: i32,
    nimber: u32,
    /// Where the options are, the left before the right; of a number-up-star `UNKNOWN` until they
    /// are asked for.
    start: u32,
    left: u32,
    right: u32,
    negative: u32,
    height: u16,
    is_simple: bool,
    is_all_small: bool,
}

impl Node {
    #[inline]
    fn simple(&self) -> Option<NumberUpStar> {
        self.is_simple.then_some(NumberUpStar {
            number: self.left_stop,
            up: self.up,
            nimber: self.nimber,
        })
    }

    #[inline]
    fn is_number(&self) -> bool {
        self.is_simple && self.up == 0 && self.nimber == 0
    }

    fn lefts(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.left as usize
    }

    fn rights(&self) -> Range<usize> {
        let start = self.start as usize + self.left as usize;
        start..start + self.right as usize
    }
}

/// A store of values.
#[derive(Debug)]
pub struct Values {
    nodes: Vec<Node>,
    options: Vec<Value>,
    index: HashTable<u32>,
    sums: Cache<Value>,
    orders: Cache<bool>,
    thermographs: FxHashMap<Value, Arc<Thermograph>>,
    birthdays: FxHashMap<Value, u64>,
    atomic_weights: FxHashMap<Value, Value>,
    /// Names in the cache of comparisons for sets of options whose canonical form is still being
    /// found.
    unnamed: u32,
    spare: Vec<Vec<Value>>,
    limit: usize,
    /// Bytes that may be taken.
    memory: u64,
    meter: Meter,
}

impl Default for Values {
    fn default() -> Values {
        Values::new()
    }
}

fn hash_simple(value: NumberUpStar) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn hash_options(left: &[Value], right: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(left.len());
    for &Value(option) in left.iter().chain(right) {
        hasher.write_u32(option);
    }
    hasher.finish()
}

fn hash_node(node: &Node, options: &[Value]) -> u64 {
    match node.simple() {
        Some(simple) => hash_simple(simple),
        None => hash_options(&options[node.lefts()], &options[node.rights()]),
    }
}

impl Values {
    /// An empty store for up to four million values.
    pub fn new() -> Values {
        Values::with_limit(DEFAULT_LIMIT)
    }

    /// An empty store for this many values: what would need more is refused with
    /// [`Exceeded::Values`]. Each takes some 300 bytes, and as much again if its thermograph is
    /// asked for.
    pub fn with_limit(limit: usize) -> Values {
        let limit = limit.clamp(16, (u32::MAX >> 5) as usize);
        let mut values = Values {
            nodes: Vec::new(),
            options: Vec::new(),
            index: HashTable::new(),
            sums: Cache::new(),
            orders: Cache::new(),
            thermographs: FxHashMap::default(),
            birthdays: FxHashMap::default(),
            atomic_weights: FxHashMap::default(),
            unnamed: UNKNOWN,
            spare: Vec::new(),
            limit,
            memory: u64::MAX,
            meter: Limits::default().meter(),
        };
        let zero = values.intern_simple(NumberUpStar::default());
        debug_assert_eq!(zero, Ok(Value::ZERO));
        values
    }

    /// An empty store that takes about this many bytes at most: what would need more is refused
    /// with [`Exceeded::Memory`].
    pub fn with_memory(bytes: u64) -> Values {
        Values {
            memory: bytes,
            ..Values::new()
        }
    }

    /// About how many bytes are in use once there is room for [`LOOK`] values more.
    fn bytes(&self) -> u64 {
        // What is full is copied to twice the room before it is given back.
        let list = |length: usize, capacity: usize, more: usize| match length + more > capacity {
            true => 3 * capacity,
            false => capacity,
        };
        let nodes = list(self.nodes.len(), self.nodes.capacity(), LOOK);
        let options = list(self.options.len(), self.options.capacity(), 16 * LOOK);
        let index = list(self.index.len(), self.index.capacity(), LOOK);
        let maps = self.birthdays.capacity() + self.atomic_weights.capacity();
        let bytes = nodes * size_of::<Node>()
            + options * size_of::<Value>()
            + index * 6
            + self.sums.bytes()
            + self.orders.bytes()
            + self.thermographs.len() * THERMOGRAPH
            + maps * 32;
        bytes as u64
    }

    /// Whether there is room for [`LOOK`] values more, which is made.
    #[cold]
    fn make_room(&mut self) -> Result<(), Exceeded> {
        let nodes = &self.nodes;
        let options = &self.options;
        let rehash = |&id: &u32| hash_node(&nodes[id as usize], options);
        let indexed = self.index.try_reserve(LOOK, rehash).is_ok();
        match self.bytes() <= self.memory && indexed && self.nodes.try_reserve(LOOK).is_ok() {
            true => Ok(()),
            false => Err(Exceeded::Memory(self.memory)),
        }
    }

    /// How many values are stored.
    #[expect(clippy::len_without_is_empty, reason = "zero is always there")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// From now on stops with [`Exceeded::Stopped`] when the time of these limits is over or they
    /// are cancelled, until new ones are given. A sum can take long although it is a single
    /// operation.
    pub fn watch(&mut self, limits: &Limits) {
        let limits = Limits {
            nodes: None,
            ..limits.clone()
        };
        self.meter = limits.meter();
    }

    /// How many values may be stored.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// A number.
    pub fn number(&mut self, number: Dyadic) -> Result<Value, Exceeded> {
        self.number_up_star(number.into())
    }

    /// An integer.
    pub fn integer(&mut self, integer: i32) -> Result<Value, Exceeded> {
        self.number(integer.into())
    }

    /// The nimber `*heap`.
    pub fn nimber(&mut self, heap: u32) -> Result<Value, Exceeded> {
        self.number_up_star(NumberUpStar {
            nimber: heap,
            ..NumberUpStar::default()
        })
    }

    /// This many ups, or downs if negative.
    pub fn ups(&mut self, up: i32) -> Result<Value, Exceeded> {
        self.number_up_star(NumberUpStar {
            up,
            ..NumberUpStar::default()
        })
    }

    /// A sum of a number, ups and a nimber.
    pub fn number_up_star(&mut self, value: NumberUpStar) -> Result<Value, Exceeded> {
        self.intern_simple(value)
    }

    /// The options of a player, in the order of their identifiers.
    pub fn options(&mut self, value: Value, player: Player) -> Result<&[Value], Exceeded> {
        let range = match player {
            Player::FIRST => self.lefts(value)?,
            _ => self.rights(value)?,
        };
        Ok(&self.options[range])
    }

    #[inline]
    fn node(&self, Value(id): Value) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    fn lefts(&mut self, value: Value) -> Result<Range<usize>, Exceeded> {
        self.expand(value)?;
        Ok(self.node(value).lefts())
    }

    #[inline]
    fn rights(&mut self, value: Value) -> Result<Range<usize>, Exceeded> {
        self.expand(value)?;
        Ok(self.node(value).rights())
    }

    #[inline]
    fn expand(&mut self, value: Value) -> Result<(), Exceeded> {
        match self.node(value).start {
            UNKNOWN => self.write_out(value),
            _ => Ok(()),
        }
    }

    /// Stores the options of a number-up-star.
    #[cold]
    fn write_out(&mut self, value: Value) -> Result<(), Exceeded> {
        let Some(simple) = self.node(value).simple() else {
            return Ok(());
        };
        if simple.height() > u64::from(MAX_HEIGHT) {
            return Err(Exceeded::Height);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        simple.options(&mut left, &mut right)?;
        let mut side = |options: Vec<NumberUpStar>| {
            let mut ids = options
                .into_iter()
                .map(|option| self.intern_simple(option))
                .collect::<Result<Vec<Value>, Exceeded>>()?;
            ids.sort_unstable();
            Ok::<_, Exceeded>(ids)
        };
        let (left, right) = (side(left)?, side(right)?);
        let start = self.store_options(&left, &right)?;
        let node = &mut self.nodes[value.0 as usize];
        (node.left, node.right) = (left.len() as u32, right.len() as u32);
        node.start = start;
        Ok(())
    }

    fn store_options(&mut self, left: &[Value], right: &[Value]) -> Result<u32, Exceeded> {
        let start = self.options.len();
        if start + left.len() + right.len() > self.limit * OPTIONS_PER_VALUE {
            return Err(Exceeded::Values(self.limit));
        }
        let memory = Exceeded::Memory(self.memory);
        let more = left.len() + right.len();
        self.options.try_reserve(more).map_err(|_| memory)?;
        self.options.extend_from_slice(left);
        self.options.extend_from_slice(right);
        Ok(start as u32)
    }

    #[inline]
    fn intern_simple(&mut self, simple: NumberUpStar) -> Result<Value, Exceeded> {
        let hash = hash_simple(simple);
        let nodes = &self.nodes;
        if let Some(&id) = self
            .index
            .find(hash, |&id| nodes[id as usize].simple() == Some(simple))
        {
            return Ok(Value(id));
        }
        if simple.nimber > MAX_NIMBER {
            return Err(Exceeded::Nimber);
        }
        let height = simple.height();
        if height > u64::from(MAX_HEIGHT) && simple.up != 0 {
            return Err(Exceeded::Height);
        }
        // Nothing is built on what is higher than the highest.
        let height = height.min(u64::from(MAX_HEIGHT) + 1);
        self.insert(
            hash,
            Node {
                left_stop: simple.number,
                right_stop: simple.number,
                up: simple.up,
                nimber: simple.nimber,
                start: UNKNOWN,
                left: 0,
                right: 0,
                negative: UNKNOWN,
                height: height as u16,
                is_simple: true,
                is_all_small: simple.number.is_zero(),
            },
        )
    }

    /// The value with these options, which are sorted and canonical, and not those of a
    /// number-up-star.
    fn intern(&mut self, left: &[Value], right: &[Value]) -> Result<Value, Exceeded> {
        let hash = hash_options(left, right);
        let (nodes, options) = (&self.nodes, &self.options);
        if let Some(&id) = self.index.find(hash, |&id| {
            let node = &nodes[id as usize];
            !node.is_simple && options[node.lefts()] == *left && options[node.rights()] == *right
        }) {
            return Ok(Value(id));
        }
        let mut height = 0;
        let mut is_all_small = true;
        for &option in left.iter().chain(right) {
            let node = self.node(option);
            height = height.max(node.height);
            is_all_small &= node.is_all_small;
        }
        if u32::from(height) >= MAX_HEIGHT {
            return Err(Exceeded::Height);
        }
        let left_stop = left.iter().map(|&l| self.node(l).right_stop).max();
        let right_stop = right.iter().map(|&r| self.node(r).left_stop).min();
        let start = self.store_options(left, right)?;
        let inserted = self.insert(
            hash,
            Node {
                left_stop: left_stop.expect("a value that is no number has left options"),
                right_stop: right_stop.expect("a value that is no number has right options"),
                up: 0,
                nimber: 0,
                start,
                left: left.len() as u32,
                right: right.len() as u32,
                negative: UNKNOWN,
                height: height + 1,
                is_simple: false,
                is_all_small,
            },
        );
        if inserted.is_err() {
            self.options.truncate(start as usize);
        }
        inserted
    }

    fn insert(&mut self, hash: u64, node: Node) -> Result<Value, Exceeded> {
        let id = self.nodes.len();
        if id >= self.limit {
            return Err(Exceeded::Values(self.limit));
        }
        self.meter.tick().map_err(|Stopped| Exceeded::Stopped)?;
        if id.is_multiple_of(LOOK) {
            self.make_room()?;
        }
        self.nodes.push(node);
        let (nodes, options) = (&self.nodes, &self.options);
        self.index.insert_unique(hash, id as u32, |&id| {
            hash_node(&nodes[id as usize], options)
        });
        self.sums.grow(self.nodes.len());
        self.orders.grow(self.nodes.len());
        Ok(Value(id as u32))
    }

    fn take_list(&mut self) -> Vec<Value> {
        self.spare.pop().unwrap_or_default()
    }

    fn give_back(&mut self, mut list: Vec<Value>) {
        list.clear();
        self.spare.push(list);
    }
}
