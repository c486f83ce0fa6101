//! The conformance kit: what every game is put through.
//!
//! A [`Kit`] collects checks; each method adds those of one capability, and its bounds say what
//! the game must implement for it. [`Kit::run`] plays random games and applies every check to
//! every position on the way. A failing game is shrunk to a short one before it is reported.
//!
//! ```
//! # use tabia_game::*;
//! # use tabia_kit::Kit;
//! # struct Heap;
//! # impl Game for Heap {
//! #     type State = (u32, Player); type Move = u32; type Undo = Self::State;
//! #     type Luck = Deterministic; type Information = Perfect;
//! #     fn players(&self) -> usize { 2 }
//! #     fn start(&self) -> Self::State { (9, Player::FIRST) }
//! #     fn turn(&self, s: &Self::State) -> Turn {
//! #         if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) }
//! #     }
//! #     fn moves(&self, s: &Self::State, out: &mut Vec<u32>) { out.extend(1..=s.0.min(2)) }
//! #     fn play(&self, s: &mut Self::State, n: u32) -> Self::Undo {
//! #         std::mem::replace(s, (s.0 - n, s.1.other()))
//! #     }
//! #     fn undo(&self, s: &mut Self::State, old: Self::Undo) { *s = old }
//! #     fn payoff(&self, s: &Self::State, p: Player) -> i32 { if p == s.1 { -1 } else { 1 } }
//! # }
//! # impl TwoPlayer for Heap {}
//! Kit::new().two_player().run(&Heap).unwrap();
//! ```

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use rand::{Rng, SeedableRng};

use tabia_game::picture::{svg, terminal};
use tabia_game::{
    Chance, Draw, Game, GameRng, Hidden, Indexed, Key, MoveIndex, Player, Retro, Seed,
    Simultaneous, Symmetric, Text, Turn, TwoPlayer,
};

/// How a game broke the contract.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{check}: {reason}\nafter the moves {moves:?}\nin {state}")]
pub struct Violation {
    /// The check that failed.
    pub check: &'static str,
    /// What was seen.
    pub reason: String,
    /// The shortest game found that leads there.
    pub moves: Vec<String>,
    /// The position, in its debugging form.
    pub state: String,
}

type Check<G> = Box<dyn Fn(&G, &<G as Game>::State) -> Result<(), String> + Send + Sync>;

type WholeCheck<G> = fn(&G) -> Result<(), String>;

type RandomGame<G> = fn(&G, GameRng) -> Result<(), <G as Game>::State>;

/// A random game of this many plies is given up.
const MAX_PLIES: usize = 100_000;

type HistoryCheck<G> = fn(&G, &[<G as Game>::Move]) -> Result<(), String>;

/// A collection of checks for games of type `G`.
pub struct Kit<G: Game> {
    checks: Vec<(&'static str, Check<G>)>,
    /// Checks of the game as a whole.
    once: Vec<(&'static str, WholeCheck<G>)>,
    /// Checks of a game from the start, as its moves.
    histories: Vec<(&'static str, HistoryCheck<G>)>,
    /// Plays a random game; the position in which it was given up if it does not end.
    random_game: RandomGame<G>,
    plays: u32,
    longest: usize,
}

impl<G: Game + 'static> Default for Kit<G> {
    fn default() -> Self {
        Kit::new()
    }
}

macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}

mod basics;
mod hidden;
mod history;
mod index;
mod joint;
mod single_agent;

use basics::{
    check_moves, check_payoff_bounds, check_symmetry, check_text, check_turn, check_undo,
};
pub use history::check_history;

impl<G: Game + 'static> Kit<G> {
    /// The checks that need nothing but [`Game`].
    pub fn new() -> Self {
        Kit {
            checks: Vec::new(),
            once: Vec::new(),
            histories: Vec::new(),
            random_game,
            plays: 24,
            longest: 200,
        }
        .check("turn", check_turn)
        .check("moves", check_moves)
        .check("undo", check_undo)
        .check("payoff bounds", check_payoff_bounds)
    }

    /// How many random games are played, and how many positions of each are checked at most.
    pub fn effort(mut self, plays: u32, longest: usize) -> Self {
        (self.plays, self.longest) = (plays, longest);
        self
    }

    fn check<C>(mut self, name: &'static str, check: C) -> Self
    where
        C: Fn(&G, &G::State) -> Result<(), String> + Send + Sync + 'static,
    {
        self.checks.push((name, Box::new(check)));
        self
    }

    /// Two players whose payoffs cancel out.
    pub fn two_player(self) -> Self
    where
        G: TwoPlayer,
    {
        self.check("two players", |game, state| {
            ensure!(game.players() == 2, "{} players", game.players());
            ensure!(game.payoff_sum() == Some(0), "payoffs do not cancel out");
            if let Turn::Player(p) = game.turn(state) {
                ensure!(p.index() < 2, "{p:?} to move");
            }
            Ok(())
        })
    }

    /// `hand_turn` makes it the turn of any player, and undo takes that back.
    pub fn any_turn<H>(self, hand_turn: H) -> Self
    where
        H: Fn(&G, &mut G::State, Player) -> G::Undo + Send + Sync + 'static,
    {
        self.check("handed turns", move |game, state| {
            let Turn::Player(mover) = game.turn(state) else {
                return Ok(());
            };
            for player in (0..game.players()).map(|p| Player(p as u8)) {
                let mut copy = state.clone();
                let token = hand_turn(game, &mut copy, player);
                ensure!(
                    game.turn(&copy) == Turn::Player(player),
                    "handed to {player:?} it is the turn of {:?}",
                    game.turn(&copy)
                );
                ensure!(
                    (copy == *state) == (player == mover),
                    "handed to {player:?} by {mover:?} the position is {copy:?}"
                );
                game.undo(&mut copy, token);
                ensure!(copy == *state, "a turn handed over is not taken back");
            }
            Ok(())
        })
    }

    /// Keys are restored by undo, and the rule of repetition is applied along random games, which
    /// it may end.
    pub fn key(mut self) -> Self
    where
        G: Key,
    {
        self.once.push(("history", history::check_history));
        self.random_game = history::random_game;
        self.check("key", |game, state| {
            let mut copy = state.clone();
            for mv in list(game, state) {
                let token = game.play(&mut copy, mv);
                let child = game.key(&copy);
                game.undo(&mut copy, token);
                ensure!(
                    game.key(&copy) == game.key(state),
                    "{mv:?} and undo change the key"
                );
                ensure!(child != game.key(state), "{mv:?} leaves the key unchanged");
            }
            Ok(())
        })
    }

    /// Move indices are in range and tell the legal moves of a position apart.
    pub fn move_index(self) -> Self
    where
        G: MoveIndex,
    {
        self.check("move index", |game, state| {
            ensure!(
                game.move_indices() <= 1 << 24,
                "{} indices",
                game.move_indices()
            );
            let mut seen = HashSet::new();
            let moves = list(game, state);
            for &mv in &moves {
                let index = game.move_index(mv);
                ensure!(index < game.move_indices(), "{mv:?} has index {index}");
                seen.insert(index);
            }
            ensure!(
                10 * seen.len() >= 9 * moves.len(),
                "{} moves share {} indices",
                moves.len(),
                seen.len()
            );
            Ok(())
        })
    }

    /// A position's place in its slice leads back to it, and moves lead to the slices announced.
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        self.check("index", index::check_index)
    }

    /// Classes of symmetric positions are numbered without gaps, all images of a position alike.
    pub fn classes(mut self) -> Self
    where
        G: Indexed + Symmetric,
    {
        self.once.push(("classes", index::check_classes));
        self
    }

    /// Predecessors are the positions that moves within a group of slices come from.
    pub fn retro(self) -> Self
    where
        G: Retro,
    {
        self.check("predecessors", index::check_predecessors)
    }

    /// Positions and moves round trip through text, and no garbled text brings the parser down.
    pub fn text(self) -> Self
    where
        G: Text,
    {
        self.check("text", check_text)
    }

    /// A key kept up move by move equals the key of the position read from text.
    pub fn text_key(self) -> Self
    where
        G: Text + Key,
    {
        self.check("incremental key", |game, state| {
            let fresh = game
                .parse_position(&game.position_text(state))
                .map_err(|e| e.to_string())?;
            ensure!(
                game.key(&fresh) == game.key(state),
                "the key is not the key of the position set up afresh"
            );
            Ok(())
        })
    }

    /// Symmetries commute with turns, moves, payoffs and play.
    pub fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        self.check("symmetry", check_symmetry)
    }

    /// Every position can be drawn by every renderer.
    pub fn draw(self) -> Self
    where
        G: Draw,
    {
        self.check("picture", |game, state| {
            let mut pictures = vec![game.picture(state, None)];
            let mut copy = state.clone();
            for mv in list(game, state) {
                let token = game.play(&mut copy, mv);
                pictures.push(game.picture(&copy, Some(mv)));
                game.undo(&mut copy, token);
            }
            for picture in pictures {
                ensure!(!picture.cells.is_empty(), "an empty picture");
                ensure!(
                    !terminal::render(&picture, terminal::Style::Plain).is_empty(),
                    "no text"
                );
                ensure!(
                    svg::render(&picture, "").ends_with("</svg>\n"),
                    "an unfinished SVG"
                );
            }
            Ok(())
        })
    }

    /// Chance outcomes are the moves of chance turns, with positive weights.
    pub fn chance(self) -> Self
    where
        G: Chance,
    {
        self.check("chance", |game, state| {
            if game.turn(state) != Turn::Chance {
                return Ok(());
            }
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            ensure!(
                outcomes.iter().all(|&(_, weight)| weight > 0),
                "a weight is zero"
            );
            let listed: HashSet<_> = outcomes.iter().map(|&(mv, _)| mv).collect();
            ensure!(listed.len() == outcomes.len(), "an outcome is listed twice");
            let moves: HashSet<_> = list(game, state).into_iter().collect();
            ensure!(
                moves == listed,
                "outcomes are not the moves of the chance turn"
            );
            let sampled = game.sample_outcome(state, &mut Seed::new(1).rng());
            ensure!(
                listed.is_empty() || listed.contains(&sampled),
                "{sampled:?} is sampled"
            );
            Ok(())
        })
    }

    /// Observations name information sets: what a player has observed determines its turn, its
    /// moves and all that it sees later; sampled states agree with it; secrets stay secret.
    pub fn hidden(mut self) -> Self
    where
        G: Hidden,
    {
        self.histories
            .push(("information sets", hidden::check_information_sets));
        self.check("sampled states", hidden::check_samples)
            .check("signals", hidden::check_signals)
    }

    /// Nobody sees what others choose in a joint choice before all have chosen.
    pub fn simultaneous(self) -> Self
    where
        G: Simultaneous,
    {
        self.check("simultaneous moves", joint::check_joint)
    }

    /// What is settled between two players is worth what it is said to be.
    pub fn settled(self) -> Self
    where
        G: Simultaneous + TwoPlayer,
    {
        self.check("settled payoffs", joint::check_settled)
    }

    /// Puts a game through all checks.
    pub fn run(&self, game: &G) -> Result<(), Violation> {
        for (name, check) in &self.once {
            check(game).map_err(|reason| self.violation(name, reason, Vec::new(), game.start()))?;
        }
        self.random_play(game)?;
        self.random_games_end(game)
    }

    /// Random games, shrunk on failure. A game is a list of numbers, each taken modulo the number
    /// of moves, so that every shorter or smaller list is a game too.
    fn random_play(&self, game: &G) -> Result<(), Violation> {
        let config = Config {
            cases: self.plays,
            max_shrink_iters: 20_000,
            failure_persistence: None,
            ..Config::default()
        };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let result = runner.run(&vec(any::<u32>(), 0..=self.longest), |choices| {
            self.replay(game, &choices).map_err(|violation| {
                proptest::test_runner::TestCaseError::fail(violation.to_string())
            })
        });
        match result {
            Ok(()) => Ok(()),
            Err(TestError::Fail(_, choices)) => Err(match self.replay(game, &choices) {
                Err(violation) => violation,
                Ok(()) => self.violation("play", "fails now and then".into(), vec![], game.start()),
            }),
            Err(TestError::Abort(reason)) => {
                Err(self.violation("play", reason.to_string(), vec![], game.start()))
            }
        }
    }

    fn replay(&self, game: &G, choices: &[u32]) -> Result<(), Violation> {
        let mut state = game.start();
        let (mut played, mut line) = (Vec::new(), Vec::new());
        for choice in choices.iter().map(Some).chain([None]) {
            for (name, check) in &self.checks {
                if let Err(reason) = check(game, &state) {
                    return Err(self.violation(name, reason, played, state));
                }
            }
            let moves = list(game, &state);
            let (Some(&choice), false) = (choice, moves.is_empty()) else {
                break;
            };
            let mv = moves[choice as usize % moves.len()];
            played.push(format!("{mv:?}"));
            line.push(mv);
            game.play(&mut state, mv);
        }
        for (name, check) in &self.histories {
            if let Err(reason) = check(game, &line) {
                return Err(self.violation(name, reason, played, state));
            }
        }
        Ok(())
    }

    fn random_games_end(&self, game: &G) -> Result<(), Violation> {
        for seed in 0..5 {
            let played = (self.random_game)(game, GameRng::seed_from_u64(seed));
            played.map_err(|state| {
                let reason = format!("a random game has not ended after {MAX_PLIES} moves");
                self.violation("end", reason, vec![], state)
            })?;
        }
        Ok(())
    }

    fn violation(
        &self,
        check: &'static str,
        reason: String,
        moves: Vec<String>,
        state: G::State,
    ) -> Violation {
        Violation {
            check,
            reason,
            moves,
            state: format!("{state:?}"),
        }
    }
}

fn players<G: Game>(game: &G) -> impl Iterator<Item = Player> + use<G> {
    (0..game.players()).map(|player| Player(player as u8))
}

/// A random game without a rule of repetition.
fn random_game<G: Game>(game: &G, mut rng: GameRng) -> Result<(), G::State> {
    let mut state = game.start();
    for _ in 0..MAX_PLIES {
        let moves = list(game, &state);
        if moves.is_empty() {
            break;
        }
        game.play(&mut state, moves[rng.next_u32() as usize % moves.len()]);
    }
    match game.turn(&state) {
        Turn::Over => Ok(()),
        _ => Err(state),
    }
}

fn list<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}
