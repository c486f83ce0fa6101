//! Solving listed games: which methods there are, and what they found, in words.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use tabia_game::{Game, Indexed, Knowledge, Limits, Path as Track, Player, Retro, Turn, Wdl};
use tabia_search::alphabeta::{AlphaBeta, Searchable, preset};
use tabia_search::{Engine, Situation};
use tabia_solve::best_first::{Guided, Mopns, Pn, Pn2, Pp, SecondLevel, Unit};
use tabia_solve::certificate::{Certifiable, Claim, Header, Summary, Task};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{
    Attack, Goal, Oracle, Proof, Prover, Settled, Status, Strategy, StrategyError, WriteError,
    write_certificate,
};
use tabia_tables::retrograde::solve_all;
use tabia_tables::{BuildError, Kept, TableError, Tables, Value, with_all_they_need};

use crate::{CatalogError, table_name};

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// What suits the game and the memory: retrograde analysis of small games, else df-pn.
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
    /// Alpha-beta search.
    AlphaBeta,
    /// Retrograde analysis of all positions that can arise.
    Retrograde,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 10] = [
        Method::Auto,
        Method::Pn,
        Method::Pn2,
        Method::Pn2Fraction,
        Method::EfPn,
        Method::Pp,
        Method::Mopns,
        Method::Dfpn,
        Method::AlphaBeta,
        Method::Retrograde,
    ];

    /// What options call it.
    pub fn word(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Pn => "pn",
            Method::Pn2 => "pn2",
            Method::Pn2Fraction => "pn2-fraction",
            Method::EfPn => "efpn",
            Method::Pp => "pp",
            Method::Mopns => "mopns",
            Method::Dfpn => "dfpn",
            Method::AlphaBeta => "alphabeta",
            Method::Retrograde => "retrograde",
        }
    }
}

/// What is asked for.
pub struct SolveJob<'a> {
    /// The spec of the game.
    pub spec: &'a str,
    /// The method.
    pub method: Method,
    /// Only this, such as `win`, `draw`, `White wins` or `Black draws`; the value if nothing is said.
    pub goal: Option<&'a str>,
    /// A folder of tables that settle positions.
    pub tables: Option<&'a Path>,
    /// Only tables of slices up to this size.
    pub table_size: Option<u32>,
    /// The bytes of memory that the search may use.
    pub memory: u64,
    /// Threads, for methods that can use them.
    pub threads: usize,
    /// When to give up.
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
#[derive(Clone, Debug)]
pub struct Solution {
    /// The method that was used.
    pub method: Method,
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
    /// How long the search took, without tables and certificate.
    pub time: Duration,
    /// What was certified, if that was asked for.
    pub certified: Option<Summary>,
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
            SolveError::Build(error) => matches!(error, BuildError::Memory { .. }),
            _ => false,
        }
    }
}

/// Is told what is looked into and the nodes so far.
pub type Telling<'a> = &'a mut dyn FnMut(&str, u64);

/// How a game is solved.
pub(crate) type Solver<G> = Box<
    dyn Fn(
            &G,
            &<G as Game>::State,
            &SolveJob<'_>,
            Option<&mut dyn Write>,
            Telling<'_>,
        ) -> Result<Solution, SolveError>
        + Send
        + Sync,
>;

/// Games that can be solved by search.
pub trait Provable: Searchable + Certifiable {}
impl<G: Searchable + Certifiable> Provable for G {}

/// Solves a game that has no tables.
pub(crate) fn by_search<G: Provable, K>(knowledge: K) -> Solver<G>
where
    K: Knowledge<G> + Clone + 'static,
{
    Box::new(move |game, state, job, out, tell| {
        if job.tables.is_some() {
            return Err(crate::tables::no_tables().into());
        }
        let case = Case {
            game,
            state,
            mover: mover(game, state)?,
            job,
            settled: &(),
        };
        if job.method == Method::Retrograde {
            return Err(crate::tables::no_tables().into());
        }
        case.search(knowledge.clone(), &|_| None, out, tell)
    })
}

/// Solves a game that has tables, and whose positions can all be solved.
pub(crate) fn by_search_and_tables<G: Provable + Retro + 'static, K>(knowledge: K) -> Solver<G>
where
    K: Knowledge<G> + Clone + 'static,
{
    Box::new(move |game, state, job, out, tell| {
        let tables = open_tables(game, job)?;
        let case = Case {
            game,
            state,
            mover: mover(game, state)?,
            job,
            settled: &tables,
        };
        let named = |state: &G::State| {
            let (slice, _) = game.locate(state)?;
            let table = tables.get(slice)?;
            let name = table_name(job.spec, &game.slice_text(slice));
            Some((name, table.checksum().to_string()))
        };
        let few = || positions(game, state).is_some_and(|n| n <= FEW_POSITIONS);
        let whole = match job.method {
            Method::Retrograde => true,
            Method::Auto => job.tables.is_none() && few(),
            _ => false,
        };
        if whole {
            let started = Instant::now();
            let everything = case.everything(tell)?;
            case.look_up(everything, started.elapsed(), out, tell)
        } else {
            case.search(knowledge.clone(), &named, out, tell)
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

/// Bytes that the unpacked values of all tables may take.
const TABLE_MEMORY: u64 = 8 << 30;

fn open_tables<G: Retro>(game: &G, job: &SolveJob<'_>) -> Result<Tables<G>, SolveError> {
    let Some(folder) = job.tables else {
        return Ok(Tables::default());
    };
    let most = job.table_size.unwrap_or(u32::MAX);
    let mut slices = game.slices();
    slices.retain(|&slice| game.slice_size(slice) <= most);
    Ok(Tables::open(game, job.spec, folder, &slices, TABLE_MEMORY)?)
}

/// The values of all positions that can arise.
struct Everything<G: Game> {
    value: Box<dyn Fn(&G, &G::State) -> Option<Value>>,
    positions: u64,
}

/// Games with no more positions than this are solved as a whole if nothing else is said.
const FEW_POSITIONS: u64 = 4_000_000;

/// How many positions can arise from a position of this slice, by the count of slices.
fn positions<G: Indexed>(game: &G, state: &G::State) -> Option<u64> {
    let (slice, _) = game.locate(state)?;
    let slices = with_all_they_need(game, &[slice]);
    let lengths = slices.iter().map(|&slice| game.slice_len(slice));
    lengths
        .into_iter()
        .try_fold(0u64, |sum, n| sum.checked_add(n?))
}

/// One position, what is asked of it, and what is known beforehand.
struct Case<'a, G: Game, S> {
    game: &'a G,
    state: &'a G::State,
    mover: Player,
    job: &'a SolveJob<'a>,
    settled: &'a S,
}

impl<G: Provable + Retro + 'static> Case<'_, G, Tables<G>> {
    fn everything(&self, tell: Telling<'_>) -> Result<Everything<G>, SolveError> {
        let (game, job) = (self.game, self.job);
        let slice = game.locate(self.state).map(|(slice, _)| slice);
        let slices: Vec<G::Slice> = slice.into_iter().collect();
        tell("all positions", 0);
        let cancel = &job.limits.cancel;
        let solved = solve_all(game, &slices, Kept::Distance, job.memory, cancel, &|_| {})?;
        Ok(Everything {
            value: Box::new(move |game: &G, state: &G::State| solved.value(game, state)),
            positions: positions(game, self.state).unwrap_or(u64::MAX),
        })
    }
}

/// Names the table of a settled position, and its checksum.
type Naming<'a, G> = &'a dyn Fn(&<G as Game>::State) -> Option<(String, String)>;

impl<G: Provable, S: Settled<G>> Case<'_, G, S> {
    /// Solves by search.
    fn search<K: Knowledge<G> + Clone>(
        &self,
        knowledge: K,
        named: Naming<'_, G>,
        out: Option<&mut dyn Write>,
        tell: Telling<'_>,
    ) -> Result<Solution, SolveError> {
        let job = self.job;
        let bytes = job.memory;
        let dfpn = || Dfpn::new(bytes, job.threads);
        if let Some(value) = self.settled.value(self.game, self.state) {
            let solution = self.known(job.method, value);
            return self.certify(solution, dfpn(), named, out, tell);
        }
        let initial = Unit;
        let method = match job.method {
            Method::Auto | Method::Retrograde => Method::Dfpn,
            method => method,
        };
        let mut found = match method {
            Method::Auto | Method::Retrograde | Method::Dfpn => {
                let mut prover = dfpn();
                let solution = self.decide(&mut prover, Some(FIRST_BUDGET), tell)?;
                return self.certify(solution, prover, named, out, tell);
            }
            Method::Pn => self.decide(&mut Pn { initial, bytes }, None, tell)?,
            Method::EfPn => {
                let initial = Guided::by(knowledge);
                self.decide(&mut Pn { initial, bytes }, None, tell)?
            }
            Method::Pn2 | Method::Pn2Fraction => {
                let second_level = if method == Method::Pn2 {
                    SecondLevel::FirstLevel
                } else {
                    BREUKER
                };
                let mut prover = Pn2 {
                    initial,
                    second_level,
                    bytes,
                };
                self.decide(&mut prover, None, tell)?
            }
            Method::Pp => self.decide(&mut Pp { bytes }, None, tell)?,
            Method::Mopns => self.decide(&mut Mopns { bytes }, None, tell)?,
            Method::AlphaBeta => self.alphabeta(knowledge, tell)?,
        };
        found.method = method;
        self.certify(found, dfpn(), named, out, tell)
    }

    /// Nothing is known of the value yet.
    fn unknown(&self) -> Solution {
        Solution {
            method: Method::Dfpn,
            lower: Wdl::Loss,
            upper: Wdl::Win,
            plies: None,
            goal: None,
            goals: Vec::new(),
            nodes: 0,
            tables: Vec::new(),
            time: Duration::ZERO,
            certified: None,
        }
    }

    /// The value is known without search.
    fn known(&self, method: Method, value: Wdl) -> Solution {
        Solution {
            method,
            lower: value,
            upper: value,
            ..self.unknown()
        }
    }

    /// Looks into the attacks of both sides until the value, or the goal, is known. A prover that
    /// remembers looks into both by turns with growing budgets: a win of either side is also the end
    /// of the other's hopes.
    fn decide<P: Prover<G>>(
        &self,
        prover: &mut P,
        budget: Option<u64>,
        tell: Telling<'_>,
    ) -> Result<Solution, SolveError> {
        let started = Instant::now();
        let mut solution = self.unknown();
        let asked = self.asked()?;
        let attacks: Vec<Attack> = match asked {
            Some(goal) => vec![goal.attack().0],
            None => [self.mover, self.mover.other()]
                .map(|attacker| Attack {
                    attacker,
                    at_least: 1,
                })
                .to_vec(),
        };
        let mut proofs: Vec<Option<Proof>> = vec![None; attacks.len()];
        let mut budget = budget;
        loop {
            for (attack, known) in attacks.iter().zip(&mut proofs) {
                if known.is_some_and(|proof| proof.status != Status::Unknown) {
                    continue;
                }
                let words = self.words(*attack);
                tell(&words, solution.nodes);
                let share = match attack.attacker == self.mover {
                    true => budget,
                    false => budget.map(|nodes| nodes / OTHER_SHARE),
                };
                let Some(limits) = self.rest(started, solution.nodes, share) else {
                    continue;
                };
                let mut proof = prover.prove(self.game, self.state, *attack, self.settled, &limits);
                solution.nodes += proof.nodes;
                proof.nodes += known.map_or(0, |before| before.nodes);
                *known = Some(proof);
                if proof.status == Status::Proved {
                    break;
                }
            }
            let open =
                |proof: &Option<Proof>| proof.is_none_or(|proof| proof.status == Status::Unknown);
            let proved = proofs
                .iter()
                .flatten()
                .any(|proof| proof.status == Status::Proved);
            let out = self.rest(started, solution.nodes, budget).is_none();
            if proved || !proofs.iter().any(open) || budget.is_none() || out {
                break;
            }
            budget = budget.map(|nodes| nodes.saturating_mul(2));
        }
        solution.time = started.elapsed();
        for (attack, proof) in attacks.iter().zip(&proofs) {
            let Some(proof) = *proof else { continue };
            solution.learn(self.mover, *attack, proof.status);
            solution.goals.push(GoalFound {
                goal: self.words(*attack),
                proof,
            });
        }
        if let Some(goal) = asked {
            let (_, same) = goal.attack();
            let status = proofs[0].map_or(Status::Unknown, |proof| proof.status);
            solution.goal = Some(if same { status } else { status.opposite() });
        }
        Ok(solution)
    }

    /// What is left of the limits; `None` if nothing is.
    fn rest(&self, started: Instant, nodes: u64, budget: Option<u64>) -> Option<Limits> {
        let given = &self.job.limits;
        let left = given.nodes.map(|limit| limit.saturating_sub(nodes));
        let time = given
            .time
            .map(|time| time.saturating_sub(started.elapsed()));
        if left == Some(0) || time == Some(Duration::ZERO) || given.cancel.is_cancelled() {
            return None;
        }
        Some(Limits {
            nodes: [left, budget].into_iter().flatten().min(),
            time,
            ..given.clone()
        })
    }

    /// Alpha-beta search, deeper and deeper.
    fn alphabeta<K: Knowledge<G>>(
        &self,
        knowledge: K,
        tell: Telling<'_>,
    ) -> Result<Solution, SolveError> {
        let started = Instant::now();
        tell("alpha-beta", 0);
        let mut config = match preset("pvs") {
            Some(pvs) => pvs.configure("").map_err(CatalogError::from)?,
            None => Default::default(),
        };
        config.table = self.job.memory;
        config.threads = self.job.threads;
        let mut path = Track::new();
        path.push(self.game.key(self.state));
        let situation = Situation {
            game: self.game,
            state: self.state,
            path: &path,
        };
        let choice = AlphaBeta::new(config, knowledge).choose(situation, &self.job.limits);
        let mut solution = self.unknown();
        solution.method = Method::AlphaBeta;
        solution.nodes = choice.nodes;
        solution.time = started.elapsed();
        if let (true, Some(value)) = (choice.solved, choice.value) {
            let value = match value {
                v if v > 0.0 => Wdl::Win,
                v if v < 0.0 => Wdl::Loss,
                _ => Wdl::Draw,
            };
            (solution.lower, solution.upper) = (value, value);
            solution.plies = choice.plies;
        }
        if let Some(goal) = self.asked()? {
            solution.goal = Some(solution.status(self.mover, goal));
        }
        Ok(solution)
    }

    /// Solves from the values of all positions.
    fn look_up(
        &self,
        everything: Everything<G>,
        time: Duration,
        out: Option<&mut dyn Write>,
        tell: Telling<'_>,
    ) -> Result<Solution, SolveError> {
        let value = (everything.value)(self.game, self.state).unwrap_or(Value::DRAW);
        let mut solution = self.known(Method::Retrograde, value.wdl);
        solution.plies = value.plies.map(u32::from);
        solution.nodes = everything.positions;
        solution.time = time;
        if let Some(goal) = self.asked()? {
            solution.goal = Some(solution.status(self.mover, goal));
        }
        let game = self.game;
        let oracle = Oracle(|state: &G::State| (everything.value)(game, state));
        let nothing = Case {
            settled: &(),
            game,
            state: self.state,
            mover: self.mover,
            job: self.job,
        };
        nothing.certify(solution, oracle, &|_| None, out, tell)
    }

    /// Writes the certificate of what was found, if one is asked for.
    fn certify<P: Prover<G>>(
        &self,
        mut solution: Solution,
        mut prover: P,
        named: Naming<'_, G>,
        out: Option<&mut dyn Write>,
        tell: Telling<'_>,
    ) -> Result<Solution, SolveError> {
        if solution.goal.is_none()
            && let Some(goal) = self.asked()?
        {
            solution.goal = Some(solution.status(self.mover, goal));
        }
        let Some(out) = out.filter(|_| solution.is_solved()) else {
            return Ok(solution);
        };
        let (claim, tasks) = self.claim(&solution)?;
        let limits = Limits {
            cancel: self.job.limits.cancel.clone(),
            ..Limits::default()
        };
        let mut strategies = Vec::new();
        for task in tasks {
            let told = |positions: u64| tell("certificate", positions);
            strategies.push(Strategy::find(
                self.game,
                self.state,
                task,
                &mut prover,
                self.settled,
                &limits,
                told,
            )?);
        }
        let mut tables = BTreeMap::new();
        for strategy in &strategies {
            strategy.relies_on(self.game, self.settled, &limits.cancel, |state| {
                tables.extend(named(state));
            })?;
        }
        let header = Header {
            game: self.job.spec.to_string(),
            position: self.game.position_text(self.state),
            claim,
            tables,
        };
        solution.tables = header.tables.keys().cloned().collect();
        let (game, settled) = (self.game, self.settled);
        let written = write_certificate(out, game, &header, &strategies, settled, &limits.cancel)?;
        solution.certified = Some(written);
        Ok(solution)
    }

    /// What a certificate claims, and the strategies that show it.
    fn claim(&self, solution: &Solution) -> Result<(Claim, Vec<Task>), SolveError> {
        match (self.asked()?, solution.value()) {
            (None, Some(value)) => Ok((Claim::Value(value), Task::of_value(value, self.mover))),
            (Some(goal), _) => {
                // A goal that does not hold is refuted by the other side's strategy.
                let holds = solution.goal == Some(Status::Proved);
                let wdl = |payoff| if payoff > 0 { Wdl::Win } else { Wdl::Draw };
                let (player, at_least) = if holds {
                    (goal.player, wdl(goal.at_least))
                } else {
                    (goal.player.other(), wdl(1 - goal.at_least))
                };
                let claim = Claim::Goal {
                    player: self.game.player_name(player),
                    at_least,
                };
                Ok((claim, vec![Task { player, at_least }]))
            }
            (None, None) => Err(StrategyError::Refuted.into()),
        }
    }

    /// An attack in words.
    fn words(&self, attack: Attack) -> String {
        format!("{} wins", self.game.player_name(attack.attacker))
    }

    /// Reads the goal that is asked for.
    fn asked(&self) -> Result<Option<Goal>, CatalogError> {
        let Some(text) = self.job.goal else {
            return Ok(None);
        };
        let players = [Player::FIRST, Player::SECOND];
        let names = players.map(|player| self.game.player_name(player));
        let words = text.trim().to_lowercase();
        let named = players.into_iter().find(|player| {
            let name = names[player.index()].to_lowercase();
            words
                .strip_prefix(&name)
                .is_some_and(|rest| rest.starts_with(' '))
        });
        let rest = match named {
            Some(player) => words[names[player.index()].to_lowercase().len()..].trim(),
            None => &words,
        };
        let at_least = match rest {
            "win" | "wins" => 1,
            "draw" | "draws" | "at least draws" | "at least a draw" => 0,
            _ => {
                let [first, second] = names;
                return Err(CatalogError::NotOffered(format!(
                    "'{text}' is no goal; goals are 'win' and 'draw' for the player to move, '{first} wins', '{first} draws', '{second} wins' and '{second} draws', where to draw is to draw at least"
                )));
            }
        };
        Ok(Some(Goal {
            player: named.unwrap_or(self.mover),
            at_least,
        }))
    }
}

/// Nodes that the attack of the player to move is given at first, when both sides' attacks are looked
/// into by turns.
const FIRST_BUDGET: u64 = 4_000_000;
/// The other side's attack, which succeeds less often, is given one of so many nodes.
const OTHER_SHARE: u64 = 4;

/// The parameters of the fraction function that Breuker et al. (2001) found best.
const BREUKER: SecondLevel = SecondLevel::Fraction {
    a: 1_800_000.0,
    b: 240_000.0,
};

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
