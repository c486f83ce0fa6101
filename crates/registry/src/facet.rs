//! What a game may or may not have beside playing: facets of [`AnyGame`], and how their lack is
//! worded.

use std::io::Write;
use std::sync::Arc;

use tabia_game::text::shortened;
use tabia_game::{Game, Limits, Player, Seed, Text, Turn};
use tabia_solve::expectation::{Expectation, ExpectationError};

use crate::certificates::{
    AnyCertificate, CertificateSummary, CheckError, CheckJob, Checker, Refusal,
};
use crate::graph::{LaidOut, LayoutFn};
use crate::rollouts::{LuckFn, Rolled, RolloutFn, RolloutJob};
use crate::single_agent::{BestLine, OnImprovement, SeekFn, SeekJob};
use crate::solving::{
    ClassKeyFn, Guarantee, GuaranteesFn, Means, OnProgress, Solution, SolveError, SolveFn, SolveJob,
};
use crate::{AnyGame, CatalogError};

/// A part of [`AnyGame`] that not every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// [`AnyGame::solving`].
    Solving,
    /// [`AnyGame::guarantees`].
    Guarantees,
    /// [`AnyGame::lines`].
    Lines,
    /// [`AnyGame::exact_values`].
    ExactValues,
    /// [`AnyGame::rollouts`].
    Rollouts,
    /// [`AnyGame::luck`].
    Luck,
    /// [`AnyGame::tables`].
    Tables,
    /// [`AnyGame::graph`].
    Graph,
}

impl Facet {
    /// What is said of a game that lacks it.
    pub fn lacking(self) -> &'static str {
        match self {
            Facet::Solving => {
                "this game cannot be solved: it is not for two players with perfect information \
                 and no chance, or its board is too large"
            }
            Facet::Guarantees => {
                "what everybody can force against all others is found in games for many players \
                 without chance or anything hidden"
            }
            Facet::Lines => "lines are sought in games for one player",
            Facet::ExactValues => {
                "this game has no exact values: it has no chance, or its positions are too many"
            }
            Facet::Rollouts => {
                "this game cannot be rolled out: it has no chance, or too little is known of it"
            }
            Facet::Luck => {
                "the luck of this game cannot be told: it has no chance, or too little is known of \
                 it"
            }
            Facet::Tables => "this game has no tables",
            Facet::Graph => "this game is not laid out as a graph",
        }
    }

    /// Returns the facet, or the error for a game that lacks it.
    pub fn require<T>(self, facet: Option<T>) -> Result<T, CatalogError> {
        facet.ok_or(CatalogError::Lacks(self))
    }

    /// Why nothing of a game is solved. Games for one player are, and so are those for more whose
    /// guarantees or averages are found.
    pub fn unsolved(game: &dyn AnyGame) -> CatalogError {
        let traits = game.traits();
        let reason = if traits.hidden {
            "this game is not solved: something is hidden from its players"
        } else if traits.chance {
            "this game is not solved with these options: more positions can arise than values are \
             found for; `tabia rollout` estimates them"
        } else if traits.players == 2 {
            "this game is not solved with these options: its board has more than 64 squares, or no \
             method serves it"
        } else {
            return CatalogError::Lacks(Facet::Solving);
        };
        CatalogError::NotOffered(reason.to_string())
    }

    /// Whether a game has it.
    pub fn of(self, game: &dyn AnyGame) -> bool {
        match self {
            Facet::Solving => game.solving().is_some(),
            Facet::Guarantees => game.guarantees().is_some(),
            Facet::Lines => game.lines().is_some(),
            Facet::ExactValues => game.exact_values().is_some(),
            Facet::Rollouts => game.rollouts().is_some(),
            Facet::Luck => game.luck().is_some(),
            Facet::Tables => game.tables().is_some(),
            Facet::Graph => game.graph().is_some(),
        }
    }
}

/// Positions can be solved, and certificates checked.
pub trait Solving: Send + Sync {
    /// Solves a position. A certificate is written to `out`, if what was asked for is solved.
    fn solve(
        &self,
        position: &str,
        job: &SolveJob<'_>,
        out: Option<&mut dyn Write>,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError>;

    /// Checks a certificate, which names this game; `spec` spells out all its options.
    fn check_certificate(
        &self,
        spec: &str,
        certificate: AnyCertificate,
        checking: CheckJob<'_>,
    ) -> Result<CertificateSummary, CheckError>;
}

/// It can be found out what each player can force against all others together.
pub trait Guarantees: Send + Sync {
    /// What each player can force in a position against all others together.
    fn guarantees(
        &self,
        position: &str,
        means: &Means<'_>,
        tell: OnProgress<'_>,
    ) -> Result<Vec<Guarantee>, SolveError>;
}

/// A game for one player, whose best lines can be sought.
pub trait LineSearch: Send + Sync {
    /// Seeks the best line from a position, in which the game is taken to begin: a rule of
    /// repetition does not look at what was played before.
    fn seek(
        &self,
        position: &str,
        job: &SeekJob<'_>,
        told: OnImprovement<'_>,
    ) -> Result<BestLine, CatalogError>;
}

/// Exact values of positions with chance.
pub trait ExactValues: Send + Sync {
    /// The exact value of a position, if at most `most` positions can arise from it, and the player
    /// whose value it is: the one to move, or the first before a chance event.
    fn expectation(
        &self,
        position: &str,
        max_positions: u64,
        limits: &Limits,
    ) -> Result<(Player, Expectation), SolveError>;
}

/// Positions can be rolled out.
pub trait Rollouts: Send + Sync {
    /// Rolls a position out, or its most promising moves, the best first.
    fn rollout(&self, position: &str, job: &RolloutJob<'_>) -> Result<Vec<Rolled>, CatalogError>;
}

/// The luck of chance events can be told.
pub trait LuckAnalysis: Send + Sync {
    /// The luck that the first player had in a game, in the units of its payoffs: how much better
    /// each outcome of chance after the first `opening` moves was for it than the mean of all
    /// outcomes, by static evaluation. Whatever the evaluation is worth, its expectation is zero.
    fn luck(
        &self,
        position: Option<&str>,
        moves: &[String],
        opening: usize,
    ) -> Result<f64, CatalogError>;
}

/// Where a game begins is drawn: hands, set-ups, boards.
///
/// What is drawn may be hidden from players, so a seed from which it follows is nothing to tell
/// them.
pub trait Deals: Send + Sync {
    /// Draws a position to begin with.
    fn deal(&self, seed: Seed) -> String;
}

/// The game can be laid out as a graph.
pub trait GraphLayout: Send + Sync {
    /// Lays the game out.
    fn lay_out(&self) -> Result<LaidOut, CatalogError>;
}

/// Something that works on positions of a typed game, as a facet of the game in words.
pub(crate) struct Of<G, T> {
    game: Arc<G>,
    work: T,
}

impl<G, T> Of<G, T> {
    /// What works on them.
    pub(crate) fn work_mut(&mut self) -> &mut T {
        &mut self.work
    }

    pub(crate) fn new(game: &Arc<G>, work: T) -> Of<G, T> {
        Of {
            game: Arc::clone(game),
            work,
        }
    }
}

/// Reads a position; the start if there is no text.
pub(crate) fn read<G: Text>(game: &G, position: Option<&str>) -> Result<G::State, CatalogError> {
    let Some(text) = position else {
        return Ok(game.start());
    };
    let read = game.parse_position(text);
    read.map_err(|reason| CatalogError::Position {
        text: shortened(text),
        reason,
        help: game.position_help(),
    })
}

/// How positions are solved, and how certificates are checked if there are any.
pub(crate) struct SolverAndChecker<G: Game> {
    pub(crate) solver: SolveFn<G>,
    pub(crate) checker: Option<Checker<G>>,
    /// The keys of classes of positions, if the board has symmetries.
    pub(crate) class_key: Option<ClassKeyFn<G>>,
}

impl<G: Text> Solving for Of<G, SolverAndChecker<G>> {
    fn solve(
        &self,
        position: &str,
        job: &SolveJob<'_>,
        out: Option<&mut dyn Write>,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let state = read(&*self.game, Some(position))?;
        let classes = self.work.class_key.as_deref();
        (self.work.solver)(&self.game, &state, job, classes, out, tell)
    }

    fn check_certificate(
        &self,
        spec: &str,
        certificate: AnyCertificate,
        checking: CheckJob<'_>,
    ) -> Result<CertificateSummary, CheckError> {
        match &self.work.checker {
            Some(check) => check(&self.game, spec, certificate, checking),
            None => Err(uncertified(certificate)),
        }
    }
}

/// The refusal of a certificate of a game that has none.
pub(crate) fn uncertified(certificate: AnyCertificate) -> CheckError {
    let reason = "values of this game cannot be certified".to_string();
    certificate.refuse(Refusal::Game(reason))
}

impl<G: Text> Guarantees for Of<G, GuaranteesFn<G>> {
    fn guarantees(
        &self,
        position: &str,
        means: &Means<'_>,
        tell: OnProgress<'_>,
    ) -> Result<Vec<Guarantee>, SolveError> {
        let state = read(&*self.game, Some(position))?;
        (self.work)(&self.game, &state, means, tell)
    }
}

impl<G: Text> LineSearch for Of<G, SeekFn<G>> {
    fn seek(
        &self,
        position: &str,
        job: &SeekJob<'_>,
        told: OnImprovement<'_>,
    ) -> Result<BestLine, CatalogError> {
        let state = read(&*self.game, Some(position))?;
        (self.work)(&self.game, &state, job, told)
    }
}

/// How the exact value of a position is found, if at most this many positions can arise.
pub(crate) type ExpectationFn<G> =
    fn(&G, &<G as Game>::State, u64, &Limits) -> Result<Expectation, ExpectationError>;

impl<G: Text> ExactValues for Of<G, ExpectationFn<G>> {
    fn expectation(
        &self,
        position: &str,
        max_positions: u64,
        limits: &Limits,
    ) -> Result<(Player, Expectation), SolveError> {
        let state = read(&*self.game, Some(position))?;
        let found = (self.work)(&self.game, &state, max_positions, limits)?;
        match self.game.turn(&state) {
            Turn::Player(Player::SECOND) => Ok((Player::SECOND, found.flipped())),
            _ => Ok((Player::FIRST, found)),
        }
    }
}

impl<G: Text> Rollouts for Of<G, RolloutFn<G>> {
    fn rollout(&self, position: &str, job: &RolloutJob<'_>) -> Result<Vec<Rolled>, CatalogError> {
        let state = read(&*self.game, Some(position))?;
        let allowed = self.game.repetition().check_allowed("a rollout");
        allowed.map_err(|reason| CatalogError::NotOffered(reason.to_string()))?;
        Ok((self.work)(&self.game, &state, job))
    }
}

impl<G: Text> LuckAnalysis for Of<G, LuckFn<G>> {
    fn luck(
        &self,
        position: Option<&str>,
        moves: &[String],
        opening: usize,
    ) -> Result<f64, CatalogError> {
        let game = &*self.game;
        let mut state = read(game, position)?;
        let mut sum = 0.0;
        for (number, text) in moves.iter().enumerate() {
            let mv = game
                .parse_move(&state, text)
                .map_err(|reason| CatalogError::Line {
                    number: number + 1,
                    reason: Box::new(reason.into()),
                })?;
            if number >= opening && game.turn(&state) == Turn::Chance {
                sum += (self.work)(game, &state, mv);
            }
            game.play(&mut state, mv);
        }
        Ok(sum * f64::from(game.max_payoff()))
    }
}

/// How a position to begin with is drawn.
pub type DealFn<G> = fn(&G, Seed) -> <G as Game>::State;

impl<G: Text> Deals for Of<G, DealFn<G>> {
    fn deal(&self, seed: Seed) -> String {
        let state = (self.work)(&self.game, seed);
        self.game.position_text(&state)
    }
}

impl<G: Game> GraphLayout for Of<G, LayoutFn<G>> {
    fn lay_out(&self) -> Result<LaidOut, CatalogError> {
        let laid_out = (self.work)(&self.game);
        laid_out.map_err(|error| CatalogError::NotOffered(error.to_string()))
    }
}
