//! Games for one player: which searches for lines they have, and what was found, in words.

mod exact;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabia_game::options::{OptionError, OptionValues, Parameter, split_spec};
use tabia_game::{
    Game, Knowledge, Limits, MoveIndex, OnePlayer, Path, Payoff, Playouts, Seed, TextError, Uniform,
};
use tabia_search::single_agent::{
    BEAM_PARAMETERS, Beam, Follow, NESTED_PARAMETERS, NRPA_PARAMETERS, Nested, Nrpa, Outlook,
    Parallel, SEED, SPMCTS_PARAMETERS, Seek, SpMcts, THREADS,
};
use tabia_search::{Counter, Situation};

pub use exact::Bounded;
use exact::{Auto, Exact, Incremental, TABLE};
use tabia_solve::single_agent::DepthFirst;

use crate::engine::{Built, Maker, full_spec};
use crate::listing::{Listable, Listing};
use crate::names::unknown;
use crate::{CatalogError, EngineInfo};

/// What is asked for.
pub struct SeekJob<'a> {
    /// The search, such as `nrpa:level=3`; the game's first choice if nothing is said.
    pub engine: Option<&'a str>,
    /// Threads, unless the spec of the search tells.
    pub threads: usize,
    /// When to stop.
    pub limits: Limits,
}

/// The best line that was found.
#[derive(Clone, Debug)]
pub struct BestLine {
    /// The search, with all its options.
    pub engine: String,
    /// What the line pays.
    pub payoff: Payoff,
    /// The moves from the position that was asked about.
    pub moves: Vec<String>,
    /// Whether no line pays more.
    pub proved: bool,
    /// What is known without search: no line pays more than this.
    pub most: Payoff,
    /// Nodes visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// What the search counted, by name.
    pub counters: Vec<(&'static str, Counter)>,
}

/// A search, or the reason why its options do not go together.
pub type BuiltSearch<G> = Result<Box<dyn Seek<G>>, OptionError>;
type Build<G> = dyn Fn(&G, &OptionValues) -> BuiltSearch<G> + Send + Sync;

/// How to make a search for lines from its options.
pub(crate) struct Seeker<G: Game> {
    info: EngineInfo,
    build: Arc<Build<G>>,
}

/// Everything that a listing knows of a game for one player.
pub(crate) type SeekFn<G> = Box<
    dyn Fn(
            &G,
            &<G as Game>::State,
            &SeekJob<'_>,
            OnImprovement<'_>,
        ) -> Result<BestLine, CatalogError>
        + Send
        + Sync,
>;

/// Reads the boards of a file.
pub type Boards<G> = fn(&G, &str) -> Result<Vec<<G as Game>::State>, TextError>;

/// Is told of every improvement: the payoff, and the moves.
pub type OnImprovement<'a> = &'a mut (dyn FnMut(Payoff, &[String]) + Send);

/// The moves of a line in words.
fn in_words<G: Listable>(game: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let word = |&mv| {
        let text = game.move_text(&state, mv);
        game.play(&mut state, mv);
        text
    };
    line.iter().map(word).collect()
}

fn seek<G: Listable + OnePlayer>(
    seekers: &[Seeker<G>],
    (game, state): (&G, &G::State),
    job: &SeekJob<'_>,
    told: OnImprovement<'_>,
) -> Result<BestLine, CatalogError> {
    let (name, options) = match job.engine {
        Some(spec) => split_spec(spec.trim()),
        None => (seekers.first().map_or("", |seeker| seeker.info.name), ""),
    };
    let seeker = seekers.iter().find(|seeker| seeker.info.name == name);
    let seeker = seeker.ok_or_else(|| {
        let known: Vec<&str> = seekers.iter().map(|seeker| seeker.info.name).collect();
        unknown("search for lines", name, &known)
    })?;
    let parameters = &seeker.info.parameters;
    let mut values = OptionValues::parse(name, options, parameters)?;
    let threads = parameters.iter().any(|p| p.key == THREADS.key);
    if threads && !values.is_given(THREADS.key) {
        let separator = if options.is_empty() { "" } else { "," };
        let more = format!("{options}{separator}{}={}", THREADS.key, job.threads);
        values = OptionValues::parse(name, &more, parameters)?;
    }
    let mut search = (seeker.build)(game, &values)?;
    let started = Instant::now();
    let path = Path::from_start(game, state);
    let situation = Situation {
        game,
        state,
        path: &path,
    };
    let found = search.seek(situation, &job.limits, &mut |payoff, line, _| {
        told(payoff, &in_words(game, state, line));
    });
    Ok(BestLine {
        engine: full_spec(name, &values, parameters),
        payoff: found.payoff,
        moves: in_words(game, state, &found.line),
        proved: found.proved,
        most: game.most(state),
        nodes: found.nodes,
        time: started.elapsed(),
        counters: found.counters,
    })
}

/// Searches that a game for one player is listed with.
pub struct SingleAgentSearches<G: Game> {
    seekers: Vec<Seeker<G>>,
}

impl<G: Listable + OnePlayer> SingleAgentSearches<G> {
    /// Adds a search.
    pub fn seeker(
        mut self,
        name: &'static str,
        summary: &'static str,
        parameters: &[&[Parameter]],
        build: impl Fn(&G, &OptionValues) -> BuiltSearch<G> + Send + Sync + 'static,
    ) -> Self {
        self.seekers.push(Seeker {
            info: EngineInfo {
                name,
                aliases: &[],
                summary,
                parameters: parameters.concat(),
            },
            build: Arc::new(build),
        });
        self
    }

    /// Monte-Carlo searches and beam search, with this judgement of positions and these playouts;
    /// and exact searches that need nothing but the bound of the game.
    pub fn sampling<K, P>(
        self,
        own: &'static [Parameter],
        knowledge: K,
        policy: fn(&OptionValues) -> P,
    ) -> Self
    where
        G: MoveIndex,
        K: Knowledge<G> + Clone + 'static,
        P: Playouts<G> + 'static,
    {
        let number = |values: &OptionValues, key| values.integer(key).unsigned_abs() as usize;
        let nrpa = move |values: &OptionValues| {
            parallel(values, || Nrpa::new(values.into(), policy(values)))
        };
        self.seeker(
            "auto",
            "a proof if one is near, else nested rollout policy adaptation",
            &[NRPA_PARAMETERS, own, &[TABLE]],
            move |_, values| {
                Ok(Box::new(Auto {
                    table: number(values, TABLE.key),
                    sampling: nrpa(values),
                }))
            },
        )
        .seeker(
            "nrpa",
            "nested rollout policy adaptation",
            &[NRPA_PARAMETERS, own],
            move |_, values| Ok(Box::new(nrpa(values))),
        )
        .seeker(
            "spmcts",
            "single-player Monte-Carlo tree search",
            &[SPMCTS_PARAMETERS, own],
            move |_, values| {
                let make = || SpMcts::new(values.into(), policy(values));
                Ok(Box::new(parallel(values, make)))
            },
        )
        .seeker(
            "nmcs",
            "nested Monte-Carlo search",
            &[NESTED_PARAMETERS, own],
            move |_, values| {
                let make = || Nested::new(values.into(), policy(values));
                Ok(Box::new(parallel(values, make)))
            },
        )
        .seeker(
            "beam",
            "beam search, with wider and wider beams",
            &[BEAM_PARAMETERS, own],
            move |_, values| {
                let (knowledge, policy) = (knowledge.clone(), policy(values));
                Ok(Box::new(Beam::new(values.into(), knowledge, policy)))
            },
        )
        .seeker(
            "bnb",
            "depth-first branch and bound: exact",
            &[&[TABLE]],
            move |game, values| exact(game, "bnb", Exact::Bound(number(values, TABLE.key))),
        )
        .seeker(
            "astar",
            "A*, best first: exact, and needs much memory",
            &[&[TABLE]],
            move |game, values| exact(game, "astar", Exact::AStar(number(values, TABLE.key))),
        )
        .seeker(
            "idastar",
            "iterative-deepening A*: exact, and fast where bounds are sharp",
            &[],
            |game, _| exact(game, "idastar", Exact::IdaStar),
        )
    }

    /// Depth-first search of all positions with incremental transpositions; `cyclic` where
    /// positions can come again.
    pub fn incremental(self, cyclic: bool) -> Self
    where
        G: MoveIndex,
    {
        self.seeker(
            "dfsit",
            "depth first through all positions, with incremental transpositions: exact",
            &[&[TABLE, THREADS]],
            move |game, values| {
                let number = |key| values.integer(key).unsigned_abs() as usize;
                let search = DepthFirst::incremental()
                    .threads(number(THREADS.key))
                    .table(number(TABLE.key));
                let search = if cyclic { search.cyclic() } else { search };
                exact(game, "dfsit", Incremental(search))
            },
        )
    }
}

/// An exact search, which knows no path: not for games under a rule of repetition.
fn exact<G: OnePlayer>(
    game: &G,
    name: &'static str,
    search: impl Seek<G> + 'static,
) -> BuiltSearch<G> {
    match game.repetition().check_allowed(name) {
        Ok(()) => Ok(Box::new(search)),
        Err(reason) => Err(OptionError::new(reason.to_string())),
    }
}

/// As many searches as threads, which differ by their luck.
fn parallel<G: OnePlayer, S: Seek<G>>(
    values: &OptionValues,
    make: impl FnMut() -> S,
) -> Parallel<S> {
    let number = |key| values.integer(key).unsigned_abs();
    let (threads, seed) = (number(THREADS.key) as usize, Seed::new(number(SEED.key)));
    Parallel::new(threads, seed, make)
}

/// The searches of a game about which nothing is known but its rules and what it can pay at most.
pub fn uninformed_lines<G: Listable + OnePlayer + MoveIndex>(
    alone: SingleAgentSearches<G>,
) -> SingleAgentSearches<G> {
    alone.sampling(&[], Outlook, |_| Uniform)
}

impl<G: Listable + OnePlayer> Listing<G> {
    /// Collections of its boards are written in a way of their own.
    pub fn boards(mut self, read: Boards<G>) -> Self {
        self.boards = Some(read);
        self
    }

    /// It is a game for one player, with these searches for lines, the one to choose without
    /// further thought first. They also play.
    pub fn single_agent(
        mut self,
        add: impl FnOnce(SingleAgentSearches<G>) -> SingleAgentSearches<G>,
    ) -> Self {
        let SingleAgentSearches { seekers } = add(SingleAgentSearches {
            seekers: Vec::new(),
        });
        for Seeker { info, build } in &seekers {
            let build = Arc::clone(build);
            // Exact searches have no luck.
            let seeded = info.parameters.iter().any(|p| p.key == SEED.key);
            let make = move |game: &G, values: &OptionValues| -> Built<G> {
                let seed = if seeded { values.integer(SEED.key) } else { 0 };
                let seed = Seed::new(seed.unsigned_abs());
                Ok(Box::new(Follow::new(build(game, values)?, seed)))
            };
            let maker = Maker::new(info.name, info.summary, &info.parameters, make);
            self.makers.push(maker.limited());
        }
        let seeking: SeekFn<G> =
            Box::new(move |game, state, job, told| seek(&seekers, (game, state), job, told));
        self.with_lines(seeking).checks(
            #[cfg(feature = "conformance")]
            tabia_kit::Kit::one_player,
        )
    }
}
