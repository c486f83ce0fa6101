//! Exact values of games of two players with simultaneous moves, with chance or without: stacked
//! matrix games.
//!
//! A position in which both players choose is a matrix of the values of what follows, and its value
//! that of the matrix game. [`backward`] solves the matrix of every position. [`smab`] is
//! simultaneous-move alpha-beta (Saffidine, Finnsson and Buro 2012): moves that others dominate, by
//! bounds of what is not searched yet, are left out. [`oracle`] is the double oracle method
//! (McMahan, Gordon and Blum 2003), as Bošanský et al. (2013) use it at every position: the matrix
//! begins with one move of each player and grows by best responses. All of them work with
//! fractions, and find the same.

pub mod backward;
pub mod matrix;
pub mod oracle;
pub mod program;
pub mod smab;
mod walk;

use std::hash::Hash;

use num_rational::BigRational;
use num_traits::Zero;
use tabia_game::{
    Chance, Deterministic, Game, Limits, Luck, Meter, Player, Simultaneous, Stochastic, Turn,
    TwoPlayer,
};

use self::walk::Walk;
use tabia_solve::expectation::{Expectation, ExpectationError};

/// How the outcomes of a chance event of the game `G` are listed; nothing is where there is no
/// chance.
///
/// Implemented by the kinds of luck, so that one solver serves games with chance and without.
pub trait Events<G: Game>: Luck {
    /// Appends every outcome of a chance turn with its weight.
    fn outcomes(game: &G, state: &G::State, out: &mut Vec<(G::Move, u64)>);
}

impl<G: Game<Luck = Deterministic>> Events<G> for Deterministic {
    fn outcomes(_: &G, _: &G::State, _: &mut Vec<(G::Move, u64)>) {}
}

impl<G: Chance> Events<G> for Stochastic {
    fn outcomes(game: &G, state: &G::State, out: &mut Vec<(G::Move, u64)>) {
        game.outcomes(state, out);
    }
}

/// The games that can be solved: two players whose payoffs cancel out, with chance or without.
pub trait Stacked:
    Sized + Simultaneous + TwoPlayer + Game<State: Hash, Luck: Events<Self>>
{
}

impl<G: Simultaneous + TwoPlayer + Game<State: Hash, Luck: Events<G>>> Stacked for G {}

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquilibriumMethod {
    /// Backward induction.
    Backward,
    /// Simultaneous-move alpha-beta.
    Smab,
    /// Double oracle.
    Oracle,
}

/// The value of a position to the first player, in the game's smallest unit, and what it took to
/// find it.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The value.
    pub value: BigRational,
    /// What it took.
    pub work: Work,
}

/// What it took to find a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Different positions that were looked at.
    pub positions: u64,
    /// Times that the matrix of a position, or a part of it, was solved without a saddle: by a
    /// linear program.
    pub matrices: u64,
    /// Linear programs in all, those for bounds included.
    pub programs: u64,
}

/// Solves a position, if no more than `max_positions` positions are to be kept.
pub fn solve<G: Stacked>(
    game: &G,
    state: &G::State,
    method: EquilibriumMethod,
    max_positions: u64,
    limits: &Limits,
) -> Result<Solved, ExpectationError> {
    game.repetition().check_allowed("solving joint moves")?;
    let ledger = Ledger {
        work: Work::default(),
        meter: limits.meter(),
        max_positions,
    };
    match method {
        EquilibriumMethod::Backward => Walk::new(game, ledger, backward::value).solve(state),
        EquilibriumMethod::Smab => smab::Smab::new(game, ledger).solve(state),
        EquilibriumMethod::Oracle => Walk::new(game, ledger, oracle::value).solve(state),
    }
}

/// The value of a position as [`expectation`](tabia_solve::expectation) tells it, for the first
/// player as a share of the largest payoff. Where one player has chosen already and the other not
/// yet, it is that of the best answer.
pub fn expectation<G: Stacked>(
    game: &G,
    state: &G::State,
    max_positions: u64,
    limits: &Limits,
) -> Result<Expectation, ExpectationError> {
    let found = solve(
        game,
        state,
        EquilibriumMethod::Backward,
        max_positions,
        limits,
    )?;
    let largest = BigRational::from_integer(game.max_payoff().max(1).into());
    let exact = found.value / largest;
    Ok(Expectation {
        value: num_traits::ToPrimitive::to_f64(&exact).unwrap_or(0.0),
        exact: Some(exact),
        positions: found.work.positions,
        cyclic: 0,
    })
}

/// What is spent, and how much may be.
pub(crate) struct Ledger {
    work: Work,
    meter: Meter,
    max_positions: u64,
}

impl Ledger {
    /// One more position.
    fn enter(&mut self) -> Result<(), ExpectationError> {
        self.meter.tick()?;
        self.work.positions += 1;
        match self.work.positions > self.max_positions {
            true => Err(ExpectationError::Memory(self.max_positions)),
            false => Ok(()),
        }
    }

    /// The solution of a matrix, which counts.
    fn matrix(&mut self, entries: &[Vec<BigRational>]) -> Option<matrix::Equilibrium> {
        let found = matrix::solve(entries);
        if found.as_ref().is_some_and(|found| !found.pure) {
            self.work.matrices += 1;
            self.work.programs += 1;
        }
        found
    }
}

fn fraction(number: i32) -> BigRational {
    BigRational::from_integer(number.into())
}

/// What a position is.
enum Stage<M> {
    /// The end, worth so much to the first player.
    Over(BigRational),
    /// An event with weights.
    Event(Vec<(M, u64)>),
    /// A choice: the moves of each player. One who has no say has the single entry `None`.
    Choice(Vec<Option<M>>, Vec<Option<M>>),
}

fn stage<G: Stacked>(game: &G, state: &G::State) -> Result<Stage<G::Move>, ExpectationError> {
    let list = |state: &G::State| {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.into_iter().map(Some).collect::<Vec<_>>()
    };
    Ok(match game.turn(state) {
        Turn::Over => Stage::Over(fraction(game.payoff(state, Player::FIRST))),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            <G::Luck as Events<G>>::outcomes(game, state, &mut outcomes);
            if outcomes.is_empty() {
                return Err(ExpectationError::Unlisted);
            }
            Stage::Event(outcomes)
        }
        Turn::Player(mover) => {
            let own = list(state);
            let others = match own.first() {
                Some(&Some(first)) if game.choosers(state) > 0 => {
                    list(&after(game, state, [Some(first), None]))
                }
                _ => vec![None],
            };
            match mover {
                Player::FIRST => Stage::Choice(own, others),
                _ => Stage::Choice(others, own),
            }
        }
    })
}

/// The position after a move of each player, or of one of them. Whoever is to move chooses first.
fn after<G: Game>(game: &G, state: &G::State, moves: [Option<G::Move>; 2]) -> G::State {
    let mut next = state.clone();
    let [row, column] = moves;
    let in_order = match game.turn(state) {
        Turn::Player(Player::SECOND) => [column, row],
        _ => [row, column],
    };
    for mv in in_order.into_iter().flatten() {
        game.play(&mut next, mv);
    }
    next
}

/// The weighted mean.
fn mean(values: impl Iterator<Item = (BigRational, u64)>) -> BigRational {
    let (mut sum, mut whole) = (BigRational::zero(), 0u64);
    for (value, weight) in values {
        sum += value * BigRational::from_integer(weight.into());
        whole += weight;
    }
    sum / BigRational::from_integer(whole.max(1).into())
}
