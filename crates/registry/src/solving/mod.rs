//! Solving listed games: which methods there are, and what they found, in words.

mod case;
mod claims;
mod guarantees;
mod line;
mod tabulated;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tabia_cgt::sums;
use tabia_game::{
    Combinatorial, Game, InexactUnderRule, Knowledge, LastMover, Limits, Player, Text, Turn, Wdl,
};
use tabia_search::alphabeta::AlphaBetaGame;
use tabia_solve::best_first::{Guided, Steep};
use tabia_solve::certificate::{Certifiable, CertificateSummary};
use tabia_solve::dfpn::ClassKey;
use tabia_solve::expectation::ExpectationError;
use tabia_solve::{Attack, Goal, Proof, Settled, Status, StrategyError, WriteError};
use tabia_tables::{BuildError, TableError};

use case::{Case, FEW_POSITIONS};
pub use guarantees::{Guarantee, Means};
pub(crate) use guarantees::{GuaranteesFn, guarantees};
use line::RECALL;
pub(crate) use tabulated::{Tables, Tabulated};

use crate::certificates::{SIGHT, SIGHT_VERSION};
use crate::{CatalogError, table_name};

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolveMethod {
    /// What suits the game and the memory: retrograde analysis of small games, else df-pn and
    /// depth-first search by turns.
    Auto,
    /// Proof-number search.
    Pn,
    /// Two-level proof-number search, the second level bounded by the size of the first.
    Pn2,
    /// Two-level proof-number search, the second level bounded by Breuker's fraction.
    Pn2Fraction,
    /// Proof-number search guided by an evaluation.
    EfPn,
    /// Product propagation.
    Pp,
    /// Multiple-outcome proof-number search.
    Mopns,
    /// Depth-first proof-number search with a transposition table.
    Dfpn,
    /// Depth-first search with a transposition table.
    Memo,
    /// Alpha-beta search.
    AlphaBeta,
    /// Retrograde analysis of all positions that can arise.
    Retrograde,
}

impl SolveMethod {
    /// All methods.
    pub const ALL: [SolveMethod; 11] = [
        SolveMethod::Auto,
        SolveMethod::Pn,
        SolveMethod::Pn2,
        SolveMethod::Pn2Fraction,
        SolveMethod::EfPn,
        SolveMethod::Pp,
        SolveMethod::Mopns,
        SolveMethod::Dfpn,
        SolveMethod::Memo,
        SolveMethod::AlphaBeta,
        SolveMethod::Retrograde,
    ];

    /// What options call it.
    pub fn word(self) -> &'static str {
        match self {
            SolveMethod::Auto => "auto",
            SolveMethod::Pn => "pn",
            SolveMethod::Pn2 => "pn2",
            SolveMethod::Pn2Fraction => "pn2-fraction",
            SolveMethod::EfPn => "efpn",
            SolveMethod::Pp => "pp",
            SolveMethod::Mopns => "mopns",
            SolveMethod::Dfpn => "dfpn",
            SolveMethod::Memo => "memo",
            SolveMethod::AlphaBeta => "alphabeta",
            SolveMethod::Retrograde => "retrograde",
        }
    }
}

/// Whether positions that are images of one another are searched once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// Where that pays.
    #[default]
    Auto,
    /// They are, in games whose boards have symmetries.
    On,
    /// Every position by itself.
    Off,
}

impl Images {
    /// All of them.
    pub const ALL: [Images; 3] = [Images::Auto, Images::On, Images::Off];

    /// What options call it.
    pub fn word(self) -> &'static str {
        match self {
            Images::Auto => "auto",
            Images::On => "on",
            Images::Off => "off",
        }
    }

    /// The keys of classes that the search of a job is to use.
    fn of<'a, G: Game>(
        job: &SolveJob<'_>,
        classes: ClassKey<'a, G>,
    ) -> Result<ClassKey<'a, G>, CatalogError> {
        let heeds = matches!(
            job.method,
            SolveMethod::Auto | SolveMethod::Dfpn | SolveMethod::Memo
        );
        let refused = |reason: &str| Err(CatalogError::NotOffered(reason.to_string()));
        match (job.images, classes) {
            (Images::On, _) if !heeds => {
                refused("only the methods 'dfpn' and 'memo' search images of one another once")
            }
            (Images::On, None) => {
                refused("the board of this game has no symmetries that a search could use")
            }
            (Images::Off, _) => Ok(None),
            (_, classes) => Ok(classes),
        }
    }
}

/// What is asked for.
pub struct SolveJob<'a> {
    /// The spec of the game.
    pub spec: &'a str,
    /// The method.
    pub method: SolveMethod,
    /// Only this, such as `win`, `draw`, `White wins` or `Black draws`; the value if nothing is
    /// said.
    pub goal: Option<&'a str>,
    /// A folder of tables that settle positions.
    pub tables: Option<&'a Path>,
    /// Only tables of slices up to this size.
    pub table_size: Option<u32>,
    /// The bytes of memory that the search and the unpacked tables may use.
    pub memory: u64,
    /// Threads, for methods that can use them.
    pub threads: usize,
    /// Whether `dfpn` searches images of one another once.
    pub images: Images,
    /// When to give up. Only alpha-beta search knows depth; retrograde analysis can only be
    /// cancelled.
    pub limits: Limits,
}

/// What was found about one goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalFound {
    /// The goal in words, such as `White wins`.
    pub goal: String,
    /// What was found.
    pub proof: Proof,
}

/// What was found.
#[derive(Debug)]
pub struct Solution {
    /// What found it: the word of a method, `tables` if they held the position itself, `sight` if
    /// the game knew it without looking ahead, or `sums`.
    pub method: &'static str,
    /// The least value for the player to move.
    pub lower: Wdl,
    /// The greatest value for the player to move.
    pub upper: Wdl,
    /// Plies to the end of the game, if the method tells.
    pub plies: Option<u32>,
    /// Whether the goal holds, if one was asked for.
    pub goal: Option<Status>,
    /// The goals looked into, one after the other.
    pub goals: Vec<GoalFound>,
    /// Nodes of all of them; positions, where all were solved.
    pub nodes: u64,
    /// Tables that settled positions, as certificates call them.
    pub tables: Vec<String>,
    /// How the game goes on with best play, as far as the method knows it.
    pub line: Vec<String>,
    /// How long the search took, without tables and certificate.
    pub time: Duration,
    /// What was certified, or why that failed, if it was asked for.
    pub certified: Option<Result<CertificateSummary, SolveError>>,
}

impl Solution {
    /// The value for the player to move, if it is known.
    pub fn value(&self) -> Option<Wdl> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether what was asked for is known.
    pub fn is_solved(&self) -> bool {
        match self.goal {
            Some(status) => status != Status::Unknown,
            None => self.value().is_some(),
        }
    }
}

/// Why a position could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The request was at fault.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Retrograde analysis failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The position is not among those that retrograde analysis solves.
    #[error("retrograde analysis does not know the position {0}")]
    Unplaced(String),
    /// The method is not exact under the game's rule of repetition.
    #[error(transparent)]
    Rule(#[from] InexactUnderRule),
    /// The exact value of a game with chance was not found.
    #[error(transparent)]
    Expectation(#[from] ExpectationError),
    /// There is no strategy to certify.
    #[error("the certificate cannot be made: {0}")]
    Strategy(#[from] StrategyError),
    /// The certificate cannot be written.
    #[error("the certificate cannot be written: {0}")]
    Write(#[from] WriteError),
}

impl SolveError {
    /// Whether the request was at fault, as opposed to a file or the system.
    pub fn is_bad_request(&self) -> bool {
        match self {
            SolveError::Catalog(error) => error.is_bad_request(),
            SolveError::Unplaced(_) | SolveError::Rule(_) => true,
            SolveError::Expectation(ExpectationError::Rule(_)) => true,
            SolveError::Build(error) => {
                matches!(
                    error,
                    BuildError::Rule(_) | BuildError::Table(TableError::Memory { .. })
                )
            }
            _ => false,
        }
    }
}

/// Is told what is looked into and the nodes so far.
pub type OnProgress<'a> = &'a mut dyn FnMut(&str, u64);

/// How a game is solved.
pub(crate) type SolveFn<G> = Box<
    dyn Fn(
            &G,
            &<G as Game>::State,
            &SolveJob<'_>,
            ClassKey<'_, G>,
            Option<&mut dyn Write>,
            OnProgress<'_>,
        ) -> Result<Solution, SolveError>
        + Send
        + Sync,
>;

/// The key of the class of a position under the symmetries of the board.
pub(crate) type ClassKeyFn<G> = Arc<dyn Fn(&G, &<G as Game>::State) -> u64 + Send + Sync>;

/// Games that can be solved by search.
pub trait Provable: AlphaBetaGame + Certifiable {}
impl<G: AlphaBetaGame + Certifiable> Provable for G {}

/// Solves a game that has no tables.
pub(crate) fn by_search<G: Provable, K>(knowledge: K) -> SolveFn<G>
where
    K: Knowledge<G> + Clone + 'static,
{
    let initial = Guided::by(knowledge.clone());
    Box::new(move |game, state, job, classes, out, tell| {
        refuse_rule(game, job, out.is_some())?;
        let case = without_tables(game, state, (job, classes), &(), "")?;
        case.search(knowledge.clone(), &initial, &|_| None, out, tell)
    })
}

/// Solves a game that has no tables but some positions whose winner is known at sight, and whose
/// evaluation tells much: it counts double with every `unit`.
pub(crate) fn by_search_and_sight<G: Provable, S, K>(
    sight: S,
    knowledge: K,
    unit: i32,
) -> SolveFn<G>
where
    S: Settled<G> + Send + 'static,
    K: Knowledge<G> + Clone + 'static,
{
    let initial = Steep {
        knowledge: knowledge.clone(),
        unit,
    };
    Box::new(move |game, state, job, classes, out, tell| {
        refuse_rule(game, job, out.is_some())?;
        let case = without_tables(game, state, (job, classes), &sight, "sight")?;
        let named = |_: &G::State| Some((table_name(job.spec, SIGHT), SIGHT_VERSION.to_string()));
        case.search(knowledge.clone(), &initial, &named, out, tell)
    })
}

/// What is asked of a game that has no tables.
fn without_tables<'a, G: Provable>(
    game: &'a G,
    state: &'a G::State,
    (job, classes): (&'a SolveJob<'a>, ClassKey<'a, G>),
    settled: &'a dyn Settled<G>,
    settling: &'static str,
) -> Result<Case<'a, G>, SolveError> {
    refuse_depth(job)?;
    if job.tables.is_some() || job.method == SolveMethod::Retrograde {
        return Err(CatalogError::Lacks(crate::Facet::Tables).into());
    }
    Ok(Case {
        game,
        state,
        mover: mover(game, state)?,
        job,
        memory: job.memory,
        classes: Images::of(job, classes)?,
        settled,
        settling,
    })
}

/// Solves a combinatorial game as the sum of its parts; there are no certificates of that.
pub(crate) fn by_sums<R: Combinatorial + Clone + 'static>() -> SolveFn<LastMover<R>> {
    Box::new(|game, state, job, _, out, tell| {
        let refused = [
            (
                job.limits.depth.is_some(),
                "a depth; limit nodes or time instead",
            ),
            (job.method != SolveMethod::Auto, "a method"),
            (job.goal.is_some(), "a goal"),
            (job.images == Images::On, "symmetries"),
            (job.tables.is_some(), "tables"),
            (out.is_some(), "a certificate"),
        ];
        if let Some((_, what)) = refused.into_iter().find(|&(asked, _)| asked) {
            let reason = format!("this game is solved as the sum of its parts, without {what}");
            return Err(CatalogError::NotOffered(reason).into());
        }
        let mover = mover(game, state)?;
        let config = sums::Config {
            memory: job.memory,
            threads: job.threads,
            ..sums::Config::default()
        };
        tell("the sum of the parts", 0);
        let started = Instant::now();
        let sum = sums::Sum {
            positions: std::slice::from_ref(state.position()),
            values: &[],
        };
        let mut solver = sums::Solver::new(game.rules().clone(), config);
        let found = solver.wins(sum, mover, &job.limits);
        let nodes = solver.spent();
        let won = found.as_ref().is_ok_and(|won| won.wins);
        let line = won.then(|| winning_move(&mut solver, game, state, mover, job));
        let (lower, upper) = match found {
            Ok(won) => {
                let value = if won.wins { Wdl::Win } else { Wdl::Loss };
                (value, value)
            }
            Err(sums::Unsolved::Stopped(_)) => (Wdl::Loss, Wdl::Win),
            Err(error) => return Err(CatalogError::NotOffered(error.to_string()).into()),
        };
        Ok(Solution {
            method: "sums",
            lower,
            upper,
            plies: None,
            goal: None,
            goals: Vec::new(),
            nodes,
            tables: Vec::new(),
            line: line.flatten().into_iter().collect(),
            time: started.elapsed(),
            certified: None,
        })
    })
}

/// A move after which the opponent loses, if it is soon seen.
fn winning_move<R: Combinatorial + Clone + 'static>(
    solver: &mut sums::Solver<R>,
    game: &LastMover<R>,
    state: &<LastMover<R> as Game>::State,
    mover: Player,
    job: &SolveJob<'_>,
) -> Option<String> {
    let limits = Limits {
        nodes: Some(RECALL),
        cancel: job.limits.cancel.clone(),
        ..Limits::default()
    };
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let wins = |mv: &_| {
        let mut next = state.clone();
        game.play(&mut next, *mv);
        let sum = sums::Sum {
            positions: std::slice::from_ref(next.position()),
            values: &[],
        };
        matches!(solver.wins(sum, mover.other(), &limits), Ok(won) if !won.wins)
    };
    let mv = moves.into_iter().find(wins)?;
    Some(game.move_text(state, mv))
}

/// Solves a game that has tables, and whose positions can all be solved.
pub(crate) fn by_search_and_tables<G, K>(
    tabulated: Box<dyn Tabulated<G>>,
    knowledge: K,
) -> SolveFn<G>
where
    G: Provable + 'static,
    K: Knowledge<G> + Clone + 'static,
{
    Box::new(move |game, state, job, classes, out, tell| {
        refuse_depth(job)?;
        refuse_rule(game, job, out.is_some())?;
        // Half of the memory is for unpacked tables, if there are any.
        let unpacked = job.tables.map_or(0, |_| job.memory / 2);
        let tables = tabulated.open(job, unpacked)?;
        let case = Case {
            game,
            state,
            mover: mover(game, state)?,
            job,
            memory: job.memory - unpacked,
            classes: Images::of(job, classes)?,
            settled: tables.settled(),
            settling: "tables",
        };
        let few = || {
            tabulated
                .positions(state)
                .is_some_and(|n| n <= FEW_POSITIONS)
        };
        let whole = match job.method {
            SolveMethod::Retrograde => true,
            SolveMethod::Auto => job.tables.is_none() && few(),
            _ => false,
        };
        if whole {
            let started = Instant::now();
            let everything = case.everything(&*tabulated, tell)?;
            case.look_up(everything, started.elapsed(), out, tell)
        } else {
            let initial = Guided::by(knowledge.clone());
            let named = |state: &G::State| tables.named(job.spec, state);
            case.search(knowledge.clone(), &initial, &named, out, tell)
        }
    })
}

fn mover<G: Game>(game: &G, state: &G::State) -> Result<Player, CatalogError> {
    match game.turn(state) {
        Turn::Player(player) => Ok(player),
        Turn::Chance => Err(CatalogError::Chance),
        Turn::Over => Err(CatalogError::Over("there is nothing to solve".to_string())),
    }
}

/// Refuses a method that would be wrong under the game's rule of repetition. Alpha-beta search
/// knows the path, and what it proves holds under every rule.
fn refuse_rule<G: Game>(
    game: &G,
    job: &SolveJob<'_>,
    certified: bool,
) -> Result<(), InexactUnderRule> {
    let rule = game.repetition();
    if certified {
        rule.check_endless_draw("a certificate")?;
    }
    match job.method {
        SolveMethod::AlphaBeta if job.tables.is_none() => Ok(()),
        SolveMethod::AlphaBeta => rule.check_endless_draw("a table"),
        SolveMethod::Retrograde => rule.check_endless_draw("retrograde analysis"),
        SolveMethod::Pp => rule.check_endless_draw("product propagation"),
        _ => rule.check_endless_draw("proof-number search"),
    }
}

/// Refuses a limit that would be ignored.
fn refuse_depth(job: &SolveJob<'_>) -> Result<(), CatalogError> {
    if job.limits.depth.is_some() && job.method != SolveMethod::AlphaBeta {
        let reason = match job.method {
            SolveMethod::Retrograde => "retrograde analysis has no limit but --memory",
            _ => "only --method alphabeta heeds a depth; others are limited by nodes or time",
        };
        return Err(CatalogError::NotOffered(reason.to_string()));
    }
    Ok(())
}

impl Solution {
    /// Takes note of whether an attack succeeds.
    fn learn(&mut self, mover: Player, attack: Attack, status: Status) {
        match (status, attack.attacker == mover) {
            (Status::Proved, true) => self.lower = Wdl::Win,
            (Status::Disproved, true) => self.upper = self.upper.min(Wdl::Draw),
            (Status::Proved, false) => self.upper = Wdl::Loss,
            (Status::Disproved, false) => self.lower = self.lower.max(Wdl::Draw),
            (Status::Unknown, _) => {}
        }
    }

    /// Nobody draws: who cannot win loses.
    fn without_draws(&mut self) {
        if self.lower == Wdl::Draw {
            self.lower = Wdl::Win;
        }
        if self.upper == Wdl::Draw {
            self.upper = Wdl::Loss;
        }
    }

    /// What the bounds say of a goal.
    fn status(&self, mover: Player, goal: Goal) -> Status {
        let (lower, upper) = if goal.player == mover {
            (self.lower, self.upper)
        } else {
            (self.upper.flipped(), self.lower.flipped())
        };
        if lower.payoff() >= goal.at_least {
            Status::Proved
        } else if upper.payoff() < goal.at_least {
            Status::Disproved
        } else {
            Status::Unknown
        }
    }
}
