//! Engines behind a name: their specs, their limits, their answers as text.
//!
//! An erased engine keeps the game it was made for. A session gets the typed engine back by a
//! downcast, and refuses one that was made for another game, or for another board of the same game.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{Game, Limits, Player, Seed, Turn};
use tabia_search::alphabeta::MAX_DEPTH;
use tabia_search::{Choice, Counter, Engine, Reading};

use crate::book::{Booked, Pages};
use crate::listing::Listable;

/// An engine as the catalog shows it.
#[derive(Clone, Debug)]
pub struct EngineInfo {
    /// Its name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its options.
    pub parameters: Vec<Parameter>,
}

impl EngineInfo {
    /// Whether this is its name, or another name for it.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// The options whose defaults are not those of `other`; `None` if the two engines do not take
    /// the same options at all.
    pub fn differences(&self, other: &EngineInfo) -> Option<Vec<Parameter>> {
        let keys = |info: &EngineInfo| info.parameters.iter().map(|p| p.key).collect::<Vec<_>>();
        (keys(self) == keys(other)).then(|| {
            let pairs = self.parameters.iter().zip(&other.parameters);
            pairs
                .filter(|(own, others)| own.default != others.default)
                .map(|(own, _)| *own)
                .collect()
        })
    }
}

/// Limits that belong to an engine rather than to a request, so that two seats of one game can
/// have different ones.
const LIMITS: [Parameter; 4] = [
    Parameter {
        key: "depth",
        kind: ParameterKind::Integer(0, MAX_DEPTH as i64),
        default: "0",
        help: "maximum search depth in plies; 0: no limit",
    },
    Parameter {
        key: "nodes",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "maximum nodes per move; 0: no limit",
    },
    Parameter {
        key: "ms",
        kind: ParameterKind::Integer(0, 1_000_000_000),
        default: "0",
        help: "maximum milliseconds per move, as time=SECONDS; 0: no limit",
    },
    Parameter {
        key: "time",
        kind: ParameterKind::Decimal(0, 1_000_000_000),
        default: "0",
        help: "maximum seconds per move, such as 0.5; 0: no limit",
    },
];

/// A book that an engine plays from as long as it knows the position.
const BOOK: Parameter = Parameter {
    key: "book",
    kind: ParameterKind::File,
    default: "",
    help: "an opening book, from tabia book",
};

/// A typed engine, or the reason why its options do not go together.
pub type Built<G> = Result<Box<dyn Engine<G>>, OptionError>;

type Build<G> = dyn Fn(&G, &OptionValues) -> Built<G> + Send + Sync;

/// How to make an engine from its options.
pub struct Maker<G: Game> {
    /// Its name and options.
    pub info: EngineInfo,
    build: Box<Build<G>>,
}

impl<G: Game + 'static> Maker<G> {
    /// An engine whose work is not limited by depth, nodes or time.
    pub fn new(
        name: &'static str,
        summary: &'static str,
        parameters: &[Parameter],
        build: impl Fn(&G, &OptionValues) -> Built<G> + Send + Sync + 'static,
    ) -> Maker<G> {
        Maker {
            info: EngineInfo {
                name,
                aliases: &[],
                summary,
                parameters: parameters.to_vec(),
            },
            build: Box::new(build),
        }
    }

    /// Other names for the engine.
    pub fn aliases(mut self, aliases: &'static [&'static str]) -> Maker<G> {
        self.info.aliases = aliases;
        self
    }

    /// The engine respects limits, so its spec may contain them, and may have a book.
    pub fn limited(mut self) -> Maker<G> {
        self.info.parameters.splice(0..0, LIMITS);
        self.info.parameters.push(BOOK);
        self
    }
}

impl<G: Listable> Maker<G> {
    pub(crate) fn make(&self, game: &Arc<G>, options: &str) -> Result<AnyEngine, OptionError> {
        let EngineInfo {
            name, parameters, ..
        } = &self.info;
        let values = OptionValues::parse(name, options, parameters)?;
        let number = |key: &str| {
            let known = parameters.iter().any(|p| p.key == key);
            let value = if known { values.integer(key) } else { 0 };
            u64::try_from(value).ok().filter(|&n| n > 0)
        };
        let seconds = |key: &str| {
            let known = parameters.iter().any(|p| p.key == key);
            let value = if known { values.decimal(key) } else { 0.0 };
            Some((value * 1000.0).round() as u64).filter(|&n| n > 0)
        };
        Ok(AnyEngine {
            spec: full_spec(name, &values, parameters),
            limits: Limits {
                depth: number("depth").and_then(|n| u32::try_from(n).ok()),
                nodes: number("nodes"),
                time: [seconds("time"), number("ms")]
                    .into_iter()
                    .flatten()
                    .min()
                    .map(Duration::from_millis),
                ..Limits::default()
            },
            typed: Box::new(TypedEngine {
                game: Arc::clone(game),
                engine: match self.book(game, &values)? {
                    Some(pages) => Box::new(Booked {
                        pages,
                        engine: (self.build)(game, &values)?,
                    }),
                    None => (self.build)(game, &values)?,
                },
            }),
        })
    }
}

impl<G: Listable> Maker<G> {
    /// The book that the options name.
    fn book(&self, game: &G, values: &OptionValues) -> Result<Option<Pages<G>>, OptionError> {
        let known = self.info.parameters.iter().any(|p| p.key == BOOK.key);
        let file = if known { values.file(BOOK.key) } else { None };
        file.map(|file| Pages::open(game, file)).transpose()
    }
}

/// The spec with every option spelled out, so that a result can be repeated when defaults change.
/// Limits only appear where they were given.
pub(crate) fn full_spec(name: &str, values: &OptionValues, parameters: &[Parameter]) -> String {
    let options: Vec<String> = parameters
        .iter()
        .filter(|p| {
            values.is_given(p.key) || LIMITS.iter().chain([&BOOK]).all(|own| own.key != p.key)
        })
        .map(|p| format!("{}={}", p.key, values.text(p.key)))
        .collect();
    if options.is_empty() {
        name.to_string()
    } else {
        format!("{name}:{}", options.join(","))
    }
}

/// A typed engine with the game it was made for.
pub(crate) struct TypedEngine<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) engine: Box<dyn Engine<G>>,
}

trait Erased: Any + Send {
    fn prepare(&mut self);
    fn new_game(&mut self, luck: Seed);
    fn reports(&self) -> bool;
    fn counts_playouts(&self) -> bool;
}

impl<G: Game + 'static> Erased for TypedEngine<G> {
    fn prepare(&mut self) {
        self.engine.prepare(&self.game);
    }

    fn new_game(&mut self, luck: Seed) {
        self.engine.new_game(luck);
    }

    fn reports(&self) -> bool {
        self.engine.reports()
    }

    fn counts_playouts(&self) -> bool {
        self.engine.counts_playouts()
    }
}

/// An engine whose game is no longer part of its type. See
/// [`AnyGame::engine`](crate::AnyGame::engine).
pub struct AnyEngine {
    spec: String,
    limits: Limits,
    typed: Box<dyn Erased>,
}

impl AnyEngine {
    /// The name and all options, those with their default value included.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Does what takes long and is needed but once, before anybody waits for an answer.
    pub fn prepare(&mut self) {
        self.typed.prepare();
    }

    /// Forgets everything about earlier games; what is random in the next one follows from `luck`
    /// and the engine's own options.
    pub fn new_game(&mut self, luck: Seed) {
        self.typed.new_game(luck);
    }

    /// Whether it reports while it thinks; see
    /// [`Session::ask_reporting`](crate::Session::ask_reporting).
    pub fn reports(&self) -> bool {
        self.typed.reports()
    }

    /// Whether a limit on playouts means something to it. Asked with such a limit, other engines
    /// are refused.
    pub fn counts_playouts(&self) -> bool {
        self.typed.counts_playouts()
    }

    /// The typed engine, if it is one for games of this type.
    pub(crate) fn typed<G: Game + 'static>(&mut self) -> Option<&mut TypedEngine<G>> {
        let any: &mut dyn Any = &mut *self.typed;
        any.downcast_mut()
    }

    /// The same, to be looked at.
    pub(crate) fn typed_ref<G: Game + 'static>(&self) -> Option<&TypedEngine<G>> {
        let any: &dyn Any = &*self.typed;
        any.downcast_ref()
    }

    /// The limits of a request and those of the spec, whichever are tighter.
    pub fn limits(&self, asked: &Limits) -> Limits {
        fn tighter<T: Ord>(asked: Option<T>, own: Option<T>) -> Option<T> {
            asked.into_iter().chain(own).min()
        }
        Limits {
            depth: tighter(asked.depth, self.limits.depth),
            nodes: tighter(asked.nodes, self.limits.nodes),
            playouts: tighter(asked.playouts, self.limits.playouts),
            time: tighter(asked.time, self.limits.time),
            cancel: asked.cancel.clone(),
        }
    }
}

/// A [`Choice`] in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move; none if the engine was stopped before it found one.
    pub best: Option<String>,
    /// What the player to move may expect, as a share of the game's largest payoff: 1 is a win.
    /// `None` if the engine has no opinion, or was stopped before it had formed one.
    pub value: Option<f64>,
    /// What each player may expect, by seat, as shares of the largest payoff; empty where the engine
    /// does not know it.
    pub values: Vec<f64>,
    /// Whether the value is no payoff, but how far the player to move is ahead of the others.
    pub is_margin: bool,
    /// Whether the value is exact.
    pub solved: bool,
    /// Plies to the end of the game, where a forced win or loss was found.
    pub plies: Option<u32>,
    /// The expected line of play, the best move first.
    pub line: Vec<String>,
    /// Plies looked ahead in the last iteration that was finished.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// What the search counted, by name.
    pub counters: Vec<(&'static str, Counter)>,
}

impl Answer {
    pub(crate) fn new<G: Game>(
        game: &G,
        mover: Turn,
        choice: Choice<G::Move>,
        best: Option<String>,
        line: Vec<String>,
    ) -> Answer {
        let is_margin = choice.reading == Reading::Margin;
        let values = match (choice.reading, choice.value, mover) {
            (Reading::Each(values), ..) => values,
            (Reading::Own, Some(value), Turn::Player(mover)) => shares(game, mover, value),
            _ => Vec::new(),
        };
        Answer {
            best,
            line,
            values,
            is_margin,
            value: choice.value,
            solved: choice.solved,
            plies: choice.plies,
            depth: choice.depth,
            nodes: choice.nodes,
            counters: choice.counters,
        }
    }
}

/// What each player may expect, as far as it follows from what one may.
fn shares<G: Game>(game: &G, mover: Player, value: f64) -> Vec<f64> {
    match (game.players(), game.payoff_sum()) {
        (1, _) => vec![value],
        (2, Some(sum)) => {
            let mut values = vec![f64::from(sum) / f64::from(game.max_payoff().max(1)) - value; 2];
            values[mover.index()] = value;
            values
        }
        _ => Vec::new(),
    }
}
