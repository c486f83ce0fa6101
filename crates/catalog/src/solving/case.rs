//! Searching one position: which prover, which attacks, and within which limits.

use std::io::Write;
use std::time::{Duration, Instant};

use tabia_game::{Game, Indexed, Knowledge, Limits, Path as Track, Player, Retro, Wdl};
use tabia_search::alphabeta::{AlphaBeta, preset};
use tabia_search::{Engine, Situation};
use tabia_solve::best_first::{Guided, Mopns, Pn, Pn2, Pp, SecondLevel, Unit};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Attack, Oracle, Proof, Prover, Settled, Status};
use tabia_tables::retrograde::solve_all;
use tabia_tables::{Kept, Tables, Value, with_all_they_need};

use super::{GoalFound, Method, Provable, Solution, SolveError, SolveJob, Telling};
use crate::CatalogError;
use crate::listing::refuse_beyond_memory;

/// The value of a position.
type ValueOf<G> = Box<dyn Fn(&G, &<G as Game>::State) -> Option<Value>>;

/// The values of all positions that can arise.
pub(super) struct Everything<G: Game> {
    value: ValueOf<G>,
    positions: u64,
}

/// Games with no more positions than this are solved as a whole if nothing else is said.
pub(super) const FEW_POSITIONS: u64 = 4_000_000;

/// How many positions can arise from a position of this slice, by the count of slices.
pub(super) fn positions<G: Indexed>(game: &G, state: &G::State) -> Option<u64> {
    let (slice, _) = game.locate(state)?;
    let slices = with_all_they_need(game, &[slice]);
    let lengths = slices.iter().map(|&slice| game.slice_len(slice));
    lengths
        .into_iter()
        .try_fold(0u64, |sum, n| sum.checked_add(n?))
}

/// One position, what is asked of it, and what is known beforehand.
pub(super) struct Case<'a, G: Game, S> {
    pub game: &'a G,
    pub state: &'a G::State,
    pub mover: Player,
    pub job: &'a SolveJob<'a>,
    pub settled: &'a S,
}

impl<G: Provable + Retro + 'static> Case<'_, G, Tables<G>> {
    pub(super) fn everything(&self, tell: Telling<'_>) -> Result<Everything<G>, SolveError> {
        let (game, job) = (self.game, self.job);
        refuse_beyond_memory(job.memory).map_err(CatalogError::from)?;
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
pub(super) type Naming<'a, G> = &'a dyn Fn(&<G as Game>::State) -> Option<(String, String)>;

impl<G: Provable, S: Settled<G>> Case<'_, G, S> {
    /// Solves by search.
    pub(super) fn search<K: Knowledge<G> + Clone>(
        &self,
        knowledge: K,
        named: Naming<'_, G>,
        out: Option<&mut dyn Write>,
        tell: Telling<'_>,
    ) -> Result<Solution, SolveError> {
        let job = self.job;
        let bytes = job.memory;
        refuse_beyond_memory(bytes).map_err(CatalogError::from)?;
        let dfpn = || Dfpn::guided(bytes, job.threads, Guided::by(knowledge.clone()));
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
                let initial = Guided::by(knowledge.clone());
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
            Method::AlphaBeta => self.alphabeta(knowledge.clone(), tell)?,
        };
        found.method = method;
        self.certify(found, dfpn(), named, out, tell)
    }

    /// Nothing is known of the value yet.
    pub(super) fn unknown(&self) -> Solution {
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
    pub(super) fn known(&self, method: Method, value: Wdl) -> Solution {
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
    pub(super) fn decide<P: Prover<G>>(
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
    pub(super) fn rest(&self, started: Instant, nodes: u64, budget: Option<u64>) -> Option<Limits> {
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
    pub(super) fn alphabeta<K: Knowledge<G>>(
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
    pub(super) fn look_up(
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
