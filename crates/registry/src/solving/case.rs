//! Searching one position: which prover, which attacks, and within which limits.

use std::io::Write;
use std::time::{Duration, Instant};

use tabia_game::{Game, Knowledge, Limits, Path as Track, Player, Wdl};
use tabia_search::alphabeta::{AlphaBeta, preset};
use tabia_search::{Engine, Situation};
use tabia_solve::best_first::{
    BestFirstSearch, Guided, Initial, Mopns, Pn, Pn2, Pp, SecondLevel, Stakes, Unit,
};
use tabia_solve::dfpn::{ClassKey, Dfpn, Pace};
use tabia_solve::{Attack, Goal, Oracle, Proof, Prover, Settled, Status};

use super::tabulated::{Tabulated, ValueOf};
use super::{GoalFound, OnProgress, Provable, Solution, SolveError, SolveJob, SolveMethod};
use crate::CatalogError;
use crate::listing::refuse_beyond_memory;

/// The values of all positions that can arise.
pub(super) struct Everything<G: Game> {
    value: ValueOf<G>,
    positions: u64,
}

/// Games with no more positions than this are solved as a whole if nothing else is said.
pub(super) const FEW_POSITIONS: u64 = 4_000_000;

/// One position, what is asked of it, and what is known beforehand.
pub(super) struct Case<'a, G: Game> {
    pub game: &'a G,
    pub state: &'a G::State,
    pub mover: Player,
    pub job: &'a SolveJob<'a>,
    /// The bytes of memory that the search may use.
    pub memory: u64,
    /// By which keys `dfpn` knows positions.
    pub classes: ClassKey<'a, G>,
    pub settled: &'a dyn Settled<G>,
    /// What they are settled by, in a word.
    pub settling: &'static str,
}

impl<G: Provable + 'static> Case<'_, G> {
    pub(super) fn everything(
        &self,
        tabulated: &dyn Tabulated<G>,
        tell: OnProgress<'_>,
    ) -> Result<Everything<G>, SolveError> {
        refuse_beyond_memory(self.memory).map_err(CatalogError::from)?;
        tell("all positions", 0);
        let cancel = &self.job.limits.cancel;
        let value = tabulated.everything(self.state, self.memory, cancel)?;
        Ok(Everything {
            value: value.ok_or_else(|| self.unplaced())?,
            positions: tabulated.positions(self.state).unwrap_or(u64::MAX),
        })
    }
}

/// Names the table of a settled position, and its checksum.
pub(super) type Naming<'a, G> = &'a dyn Fn(&<G as Game>::State) -> Option<(String, String)>;

impl<G: Provable> Case<'_, G> {
    /// Solves by search.
    pub(super) fn search<K: Knowledge<G> + Clone>(
        &self,
        knowledge: K,
        initial: &(dyn Initial<G> + Sync),
        named: Naming<'_, G>,
        out: Option<&mut dyn Write>,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let (bytes, threads) = (self.memory, self.job.threads);
        refuse_beyond_memory(bytes).map_err(CatalogError::from)?;
        let dfpn = || Dfpn::guided(bytes, threads, initial).by_keys(self.classes);
        if let Some(value) = self.settled.value(self.game, self.state) {
            let solution = self.known(self.settling, value);
            return self.certify(solution, &mut dfpn(), named, out, tell);
        }
        let unit: &dyn Initial<G> = &Unit;
        let two_levels = |second_level| Pn2 {
            initial: unit,
            second_level,
            bytes,
        };
        let word = self.job.method.word();
        let found = match self.job.method {
            // What it remembers serves the certificate.
            SolveMethod::Auto | SolveMethod::Dfpn | SolveMethod::Memo | SolveMethod::Retrograde => {
                let (pace, word) = match self.job.method {
                    SolveMethod::Dfpn => (Pace::Numbers, word),
                    SolveMethod::Memo => (Pace::Depth, word),
                    _ => (Pace::Both, SolveMethod::Dfpn.word()),
                };
                let mut prover = dfpn().pace(pace);
                let mut solution = self.decide(word, &mut prover, Some(FIRST_BUDGET), tell)?;
                solution.line = self.line(&solution, &mut prover)?;
                return self.certify(solution, &mut prover, named, out, tell);
            }
            SolveMethod::Pn => {
                let initial = unit;
                self.decide(word, &mut Pn { initial, bytes }, None, tell)?
            }
            SolveMethod::EfPn => {
                let initial: &dyn Initial<G> = &Guided::by(knowledge.clone());
                self.decide(word, &mut Pn { initial, bytes }, None, tell)?
            }
            SolveMethod::Pn2 => {
                let mut prover = two_levels(SecondLevel::FirstLevel);
                self.decide(word, &mut prover, None, tell)?
            }
            SolveMethod::Pn2Fraction => self.decide(word, &mut two_levels(BREUKER), None, tell)?,
            SolveMethod::Pp => self.decide(word, &mut Pp { bytes }, None, tell)?,
            SolveMethod::Mopns => match self.asked()? {
                Some(Goal { player, at_least }) => {
                    let thresholds = [at_least];
                    self.outcomes(word, Stakes { player, thresholds }, tell)
                }
                None => {
                    let (player, thresholds) = (self.mover, [0, 1]);
                    self.outcomes(word, Stakes { player, thresholds }, tell)
                }
            },
            SolveMethod::AlphaBeta => self.alphabeta(word, knowledge.clone(), tell)?,
        };
        self.certify(found, &mut dfpn(), named, out, tell)
    }

    /// Nothing is known of the value yet.
    fn unknown(&self, method: &'static str) -> Solution {
        Solution {
            method,
            lower: Wdl::Loss,
            upper: Wdl::Win,
            plies: None,
            goal: None,
            goals: Vec::new(),
            nodes: 0,
            tables: Vec::new(),
            line: Vec::new(),
            time: Duration::ZERO,
            certified: None,
        }
    }

    /// The value is known without search.
    fn known(&self, method: &'static str, value: Wdl) -> Solution {
        Solution {
            lower: value,
            upper: value,
            ..self.unknown(method)
        }
    }

    /// Retrograde analysis has no place for the position.
    fn unplaced(&self) -> SolveError {
        SolveError::Unplaced(self.game.position_text(self.state))
    }

    /// Takes down what was found of an attack.
    fn note(&self, solution: &mut Solution, attack: Attack, proof: Proof) {
        solution.learn(self.mover, attack, proof.status);
        if !self.game.has_draws() {
            solution.without_draws();
        }
        solution.goals.push(GoalFound {
            goal: self.words(attack),
            proof,
        });
    }

    /// Looks into the attacks of both sides until the value, or the goal, is known. A prover that
    /// remembers looks into both by turns with growing budgets: a win of either side is also the
    /// end of the other's hopes.
    fn decide(
        &self,
        method: &'static str,
        prover: &mut dyn Prover<G>,
        budget: Option<u64>,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let started = Instant::now();
        let mut solution = self.unknown(method);
        let wins = |attacker| Attack {
            attacker,
            at_least: 1,
        };
        let attacks: Vec<Attack> = match self.asked()? {
            Some(goal) => vec![goal.attack().0],
            None if self.game.has_draws() => [self.mover, self.mover.other()].map(wins).to_vec(),
            None => vec![wins(self.mover)],
        };
        let mut proofs: Vec<Option<Proof>> = vec![None; attacks.len()];
        let mut budget = budget;
        loop {
            for (attack, known) in attacks.iter().zip(&mut proofs) {
                if !is_open(known) {
                    continue;
                }
                tell(&self.words(*attack), solution.nodes);
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
            let mut found = proofs.iter().flatten();
            let proved = found.any(|proof| proof.status == Status::Proved);
            let out = self.rest(started, solution.nodes, budget).is_none();
            if proved || !proofs.iter().any(is_open) || budget.is_none() || out {
                break;
            }
            budget = budget.map(|nodes| nodes.saturating_mul(2));
        }
        solution.time = started.elapsed();
        for (attack, proof) in attacks.into_iter().zip(proofs) {
            if let Some(proof) = proof {
                self.note(&mut solution, attack, proof);
            }
        }
        Ok(solution)
    }

    /// Looks into all outcomes in one tree.
    fn outcomes<const T: usize>(
        &self,
        method: &'static str,
        stakes: Stakes<T>,
        tell: OnProgress<'_>,
    ) -> Solution {
        let started = Instant::now();
        tell("all outcomes", 0);
        let search = Mopns { bytes: self.memory };
        let (game, state, limits) = (self.game, self.state, &self.job.limits);
        let outcome = search.search(game, state, stakes, self.settled, limits, None);
        let mut solution = self.unknown(method);
        solution.nodes = outcome.nodes;
        solution.time = started.elapsed();
        let player = stakes.player;
        // That the player wins is told before that the opponent does, as by the other methods.
        for (at_least, numbers) in stakes.thresholds.into_iter().zip(outcome.root).rev() {
            let (attack, same) = Goal { player, at_least }.attack();
            let numbers = if same { numbers } else { numbers.flipped() };
            self.note(&mut solution, attack, outcome.proof(numbers));
        }
        solution
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
        method: &'static str,
        knowledge: K,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let started = Instant::now();
        tell("alpha-beta", 0);
        let mut config = match preset("pvs") {
            Some(pvs) => pvs.configure("").map_err(CatalogError::from)?,
            None => Default::default(),
        };
        config.table = self.memory;
        config.threads = self.job.threads;
        let path = Track::from_start(self.game, self.state);
        let situation = Situation {
            game: self.game,
            state: self.state,
            path: &path,
        };
        let choice = AlphaBeta::new(config, knowledge).choose(situation, &self.job.limits);
        let mut solution = self.unknown(method);
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
            solution.line = self.in_words(&choice.line);
        }
        Ok(solution)
    }

    /// Solves from the values of all positions.
    pub(super) fn look_up(
        &self,
        everything: Everything<G>,
        time: Duration,
        out: Option<&mut dyn Write>,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let value = (everything.value)(self.game, self.state);
        let value = value.ok_or_else(|| self.unplaced())?;
        let mut solution = self.known(SolveMethod::Retrograde.word(), value.wdl);
        solution.plies = value.plies.map(u32::from);
        solution.nodes = everything.positions;
        solution.time = time;
        let game = self.game;
        let mut oracle = Oracle(|state: &G::State| (everything.value)(game, state));
        let nothing = Case {
            settled: &(),
            game,
            state: self.state,
            mover: self.mover,
            job: self.job,
            memory: self.memory,
            classes: None,
            settling: self.settling,
        };
        solution.line = nothing.line(&solution, &mut oracle)?;
        nothing.certify(solution, &mut oracle, &|_| None, out, tell)
    }
}

/// Whether more can be found out about an attack.
fn is_open(proof: &Option<Proof>) -> bool {
    proof.is_none_or(|proof| proof.status == Status::Unknown && proof.lack.is_none())
}

/// Nodes that the attack of the player to move is given at first, when both sides' attacks are
/// looked into by turns.
const FIRST_BUDGET: u64 = 4_000_000;
/// The other side's attack, which succeeds less often, is given one of this many nodes.
const OTHER_SHARE: u64 = 4;

/// The parameters of the fraction function that Breuker et al. (2001) found best.
const BREUKER: SecondLevel = SecondLevel::Fraction {
    a: 1_800_000.0,
    b: 240_000.0,
};
