//! Each way to a value, asked about positions whose values retrograde analysis has told.
//!
//! Proof-number searches are asked whether either side can force a win. Alpha-beta has to find a
//! win or a loss and its length. A position where a method is wrong is counted, and the search goes
//! on.

use std::collections::HashSet;

use tabia_game::{Cancel, Indexed, Key, Limits, Path, Player, Seed, Text, Turn, Uninformed, Wdl};
use tabia_search::alphabeta::{AlphaBeta, AlphaBetaGame, Config, preset};
use tabia_search::{Engine, Situation};
use tabia_solve::best_first::{Pn, Pn2};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Attack, Prover, Settled, Status};
use tabia_tables::TableValue;
use tabia_tables::retrograde::KnownValues;

use tabia_lab::LabError;
use tabia_lab::experiment::Measured;

/// A way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedMethod {
    Dfpn,
    Pn,
    Pn2,
    AlphaBeta,
}

impl ComparedMethod {
    pub const ALL: [ComparedMethod; 4] = [
        ComparedMethod::Dfpn,
        ComparedMethod::Pn,
        ComparedMethod::Pn2,
        ComparedMethod::AlphaBeta,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ComparedMethod::Dfpn => "df-pn",
            ComparedMethod::Pn => "PN",
            ComparedMethod::Pn2 => "PN2",
            ComparedMethod::AlphaBeta => "alpha-beta",
        }
    }
}

/// Bytes for df-pn: its look at everything as one graph must hold all of Dao.
const DFPN_MEMORY: u64 = 4 << 30;
/// Bytes of the table of alpha-beta.
const ALPHABETA_TABLE: u64 = 16 << 20;
/// Nodes that a search without transpositions may create.
pub const TREE_NODES: u64 = 20_000_000;
/// Plies from which on the table answers for the positions after a drawn one.
pub const SETTLED_PLIES: u32 = 2;
/// Plies that alpha-beta looks ahead in a drawn position.
pub const DRAWN_DEPTH: u32 = 3;

/// Positions, and the values to compare with.
pub struct Subject<G: Indexed, V> {
    pub game: G,
    pub values: V,
    pub positions: Vec<G::State>,
}

/// A position to ask about, and what there is to be found.
struct Question<'a, S> {
    state: &'a S,
    mover: Player,
    value: TableValue,
}

/// What a method has said of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Right,
    Wrong,
    /// The search ended without one.
    None,
}

/// What became of a number of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub agree: u64,
    pub disagree: u64,
    pub undecided: u64,
    /// Drawn positions among all of them.
    pub drawn: u64,
    /// Positions that alpha-beta has decided only without its table.
    pub hidden: u64,
    pub nodes: u64,
    /// The numbers of the first positions that do not agree.
    pub first: Vec<usize>,
}

impl Tally {
    /// How many positions that do not agree are told by number.
    const SHOWN: usize = 3;

    /// Decided positions among all of them.
    pub fn decided(&self) -> u64 {
        (self.agree + self.disagree + self.undecided).saturating_sub(self.drawn)
    }

    fn add(&mut self, number: usize, answer: Answer) {
        match answer {
            Answer::Right => self.agree += 1,
            Answer::None => self.undecided += 1,
            Answer::Wrong => {
                self.disagree += 1;
                self.note(number);
            }
        }
    }

    fn note(&mut self, number: usize) {
        if self.first.len() < Self::SHOWN {
            self.first.push(number);
        }
    }

    /// Figures of a cell, always as many: a number of a position that there is not is zero, all
    /// others are one more than they are.
    pub fn figures(&self) -> Vec<f64> {
        let counts = [
            self.agree,
            self.disagree,
            self.undecided,
            self.drawn,
            self.hidden,
            self.nodes,
        ];
        let first = (0..Self::SHOWN).map(|i| self.first.get(i).map_or(0, |number| number + 1));
        let counts = counts.into_iter().map(|count| count as f64);
        counts.chain(first.map(|number| number as f64)).collect()
    }

    /// What the figures of all items of a cell say together.
    pub fn read(measured: &Measured, cell: &str) -> Result<Tally, LabError> {
        let mut tally = Tally {
            agree: measured.count(cell, 0)?,
            disagree: measured.count(cell, 1)?,
            undecided: measured.count(cell, 2)?,
            drawn: measured.count(cell, 3)?,
            hidden: measured.count(cell, 4)?,
            nodes: measured.count(cell, 5)?,
            first: Vec::new(),
        };
        let columns = (6..6 + Self::SHOWN).map(|column| measured.column(cell, column));
        let numbers: Vec<Vec<f64>> = columns.collect::<Result<_, LabError>>()?;
        let mut numbers: Vec<usize> = numbers.concat().iter().map(|&n| n as usize).collect();
        numbers.sort_unstable();
        for number in numbers.into_iter().filter_map(|n| n.checked_sub(1)) {
            tally.note(number);
        }
        Ok(tally)
    }
}

impl<G: AlphaBetaGame + Indexed + Text, V: KnownValues<G>> Subject<G, V> {
    /// Asks a method about some positions, by number. What it remembers of one it may use for the
    /// next, as far as it has a memory of that kind.
    pub fn compare(
        &self,
        method: ComparedMethod,
        numbers: impl Iterator<Item = usize>,
        cancel: &Cancel,
    ) -> Result<Tally, LabError> {
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let trees = Limits {
            nodes: Some(TREE_NODES),
            ..limits.clone()
        };
        match method {
            ComparedMethod::Dfpn => {
                let mut dfpn = Dfpn::new(DFPN_MEMORY, 1);
                self.each(numbers, cancel, |question| {
                    self.prove(&mut dfpn, question, &(), &limits)
                })
            }
            ComparedMethod::Pn => self.each(numbers, cancel, |question| {
                self.grow(&mut Pn::default(), question, &trees)
            }),
            ComparedMethod::Pn2 => self.each(numbers, cancel, |question| {
                self.grow(&mut Pn2::default(), question, &trees)
            }),
            ComparedMethod::AlphaBeta => {
                let mut engine = AlphaBeta::new(switches(ALPHABETA_TABLE)?, Uninformed);
                let mut plain = AlphaBeta::new(switches(0)?, Uninformed);
                let mut hidden = 0;
                let tally = self.each(numbers, cancel, |question| {
                    let (answer, nodes) = self.search(&mut engine, question, cancel);
                    if answer != Answer::None {
                        return (answer, nodes);
                    }
                    hidden += 1;
                    match self.search(&mut plain, question, cancel) {
                        (Answer::None, more) => (Answer::Wrong, nodes + more),
                        (answer, more) => (answer, nodes + more),
                    }
                })?;
                Ok(Tally { hidden, ..tally })
            }
        }
    }

    /// The value for the player to move.
    pub fn value(&self, state: &G::State) -> Result<TableValue, LabError> {
        let known = self.values.known(&self.game, state);
        let known = known.map_err(|error| LabError::BadRequest(error.to_string()))?;
        let text = || self.game.position_text(state);
        known.ok_or_else(|| LabError::BadRequest(format!("{} has no value", text())))
    }

    /// Asks about each of the positions in which the game goes on.
    fn each(
        &self,
        numbers: impl Iterator<Item = usize>,
        cancel: &Cancel,
        mut ask: impl FnMut(&Question<'_, G::State>) -> (Answer, u64),
    ) -> Result<Tally, LabError> {
        let mut tally = Tally::default();
        for number in numbers {
            let Some(state) = self.positions.get(number) else {
                break;
            };
            let Turn::Player(mover) = self.game.turn(state) else {
                continue;
            };
            let value = self.value(state)?;
            let (answer, nodes) = ask(&Question {
                state,
                mover,
                value,
            });
            if cancel.is_cancelled() {
                return Err(LabError::Stopped);
            }
            tally.add(number, answer);
            tally.drawn += u64::from(value.wdl == Wdl::Draw);
            tally.nodes += nodes;
        }
        Ok(tally)
    }

    /// Attacks of both sides must succeed or fail as the value says.
    fn prove<P: Prover<G>, S: Settled<G>>(
        &self,
        prover: &mut P,
        question: &Question<'_, G::State>,
        settled: &S,
        limits: &Limits,
    ) -> (Answer, u64) {
        let winner = match question.value.wdl {
            Wdl::Win => Some(question.mover),
            Wdl::Loss => Some(question.mover.other()),
            Wdl::Draw => None,
        };
        let mut nodes = 0;
        let answers = [question.mover, question.mover.other()].map(|attacker| {
            let attack = Attack {
                attacker,
                at_least: 1,
            };
            let proof = prover.prove(&self.game, question.state, attack, settled, limits);
            nodes += proof.nodes;
            match proof.status {
                Status::Unknown => Answer::None,
                status if status == Status::of(winner == Some(attacker)) => Answer::Right,
                _ => Answer::Wrong,
            }
        });
        let worst = [Answer::Wrong, Answer::None]
            .into_iter()
            .find(|answer| answers.contains(answer));
        (worst.unwrap_or(Answer::Right), nodes)
    }

    /// Decided positions are proved to the end. A drawn one has no finite tree without
    /// transpositions in a game that can go round for ever: there the values answer for the
    /// positions two plies on.
    fn grow<P: Prover<G>>(
        &self,
        prover: &mut P,
        question: &Question<'_, G::State>,
        limits: &Limits,
    ) -> (Answer, u64) {
        if question.value.wdl == Wdl::Draw {
            let beyond = Beyond::new(&self.game, &self.values, question.state);
            self.prove(prover, question, &beyond, limits)
        } else {
            self.prove(prover, question, &(), limits)
        }
    }

    /// Alpha-beta to the depth at which a win or a loss ends finds it and its length. A drawn
    /// position stays undecided at any depth.
    ///
    /// There is no answer if a win or loss is not found. A transposition table may be the reason: a
    /// draw by repetition that was entered on one path hides a win on another.
    fn search(
        &self,
        engine: &mut AlphaBeta<Uninformed>,
        question: &Question<'_, G::State>,
        cancel: &Cancel,
    ) -> (Answer, u64) {
        let Question { state, value, .. } = *question;
        let plies = value.plies.map(u32::from);
        let limits = Limits {
            depth: Some(plies.unwrap_or(DRAWN_DEPTH)),
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let mut path = Path::new();
        path.push(self.game.key(state));
        Engine::<G>::new_game(engine, Seed::new(0));
        let situation = Situation {
            game: &self.game,
            state,
            path: &path,
        };
        let choice = engine.choose(situation, &limits);
        let wins = choice.value.is_some_and(|value| value > 0.0);
        let answer = match value.wdl {
            Wdl::Draw if choice.plies.is_none() => Answer::Right,
            Wdl::Draw => Answer::Wrong,
            _ if choice.plies.is_none() => Answer::None,
            wdl if choice.plies == plies && wins == (wdl == Wdl::Win) => Answer::Right,
            _ => Answer::Wrong,
        };
        (answer, choice.nodes)
    }
}

/// Alpha-beta that never uses a deeper search in the place of a shallower one, which would make the
/// length of a win another.
fn switches(table: u64) -> Result<Config, LabError> {
    let missing = || LabError::BadRequest("there is no engine 'pvs'".to_string());
    let config = preset("pvs").ok_or_else(missing)?.configure("graft=off");
    let mut config = config.map_err(|error| LabError::BadRequest(error.to_string()))?;
    config.table = table;
    Ok(config)
}

/// The values of all positions that are not among the first plies.
struct Beyond<'a, V> {
    values: &'a V,
    near: HashSet<u64>,
}

impl<'a, V> Beyond<'a, V> {
    fn new<G: Key>(game: &G, values: &'a V, root: &G::State) -> Beyond<'a, V> {
        let mut near = HashSet::new();
        let mut moves = Vec::new();
        let mut layer = vec![root.clone()];
        for _ in 0..SETTLED_PLIES {
            let mut next = Vec::new();
            for state in &layer {
                near.insert(game.key(state));
                moves.clear();
                game.moves(state, &mut moves);
                next.extend(moves.iter().map(|&mv| {
                    let mut child = state.clone();
                    game.play(&mut child, mv);
                    child
                }));
            }
            layer = next;
        }
        Beyond { values, near }
    }
}

impl<G: Key, V: KnownValues<G>> Settled<G> for Beyond<'_, V> {
    fn value(&self, game: &G, state: &G::State) -> Option<Wdl> {
        if self.near.contains(&game.key(state)) {
            return None;
        }
        let known = self.values.known(game, state).ok().flatten();
        known.map(|value| value.wdl)
    }
}
