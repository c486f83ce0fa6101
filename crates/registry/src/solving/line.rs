//! How a game goes on that was solved, as far as the search remembers it.

use tabia_game::{Limits, Turn, Wdl};
use tabia_solve::{Attack, Prover, Status};

use super::case::Case;
use super::{Provable, Solution, SolveError};

/// A line ends after this many moves at the latest.
const MAX_LINE: usize = 256;
/// Nodes that it may take to see again that a move keeps what was found.
pub(super) const RECALL: u64 = 20_000;

impl<G: Provable> Case<'_, G> {
    /// The moves that bring about what was found: of the side that wins, or of both where it is a
    /// draw, only such as are seen to do so. It ends where the search does not remember how to go
    /// on, or where the winner is seen.
    pub(super) fn line(
        &self,
        solution: &Solution,
        prover: &mut dyn Prover<G>,
    ) -> Result<Vec<String>, SolveError> {
        let asked = self.asked()?.map(|goal| goal.attack().0);
        let (game, mut state) = (self.game, self.state.clone());
        let mut line = Vec::new();
        let mut met = vec![game.key(&state)];
        while let Turn::Player(mover) = game.turn(&state) {
            let wins = |attacker| Attack {
                attacker,
                at_least: 1,
            };
            let attack = match (asked, solution.value()) {
                (_, Some(Wdl::Draw)) => wins(mover.other()),
                (_, Some(Wdl::Win)) => wins(self.mover),
                (_, Some(Wdl::Loss)) => wins(self.mover.other()),
                (Some(attack), None) => attack,
                (None, None) => break,
            };
            let kept = match prover.prove(game, &state, attack, self.settled, &self.recall()) {
                found if found.status == Status::Unknown => break,
                found => found.status,
            };
            // Whoever gets their way has to keep it; the other side may move as it likes.
            let keeps = (kept == Status::Proved) == (mover == attack.attacker);
            let Some(mv) = self.next(&state, attack, keeps.then_some(kept), prover) else {
                break;
            };
            line.push(mv);
            game.play(&mut state, mv);
            let key = game.key(&state);
            if line.len() == MAX_LINE || met.contains(&key) {
                break;
            }
            met.push(key);
        }
        Ok(self.in_words(&line))
    }

    /// The move that the search remembers, or the first that keeps what must be kept.
    fn next(
        &self,
        state: &G::State,
        attack: Attack,
        kept: Option<Status>,
        prover: &mut dyn Prover<G>,
    ) -> Option<G::Move> {
        let game = self.game;
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let hint = prover.hint(game, state, attack);
        let Some(kept) = kept else {
            return hint.or(moves.first().copied());
        };
        hint.into_iter().chain(moves).find(|&mv| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            let found = prover.prove(game, &next, attack, self.settled, &self.recall());
            found.status == kept
        })
    }

    fn recall(&self) -> Limits {
        Limits {
            nodes: Some(RECALL),
            cancel: self.job.limits.cancel.clone(),
            ..Limits::default()
        }
    }

    /// The moves of a line in words.
    pub(super) fn in_words(&self, line: &[G::Move]) -> Vec<String> {
        let mut state = self.state.clone();
        let word = |&mv: &G::Move| {
            let text = self.game.move_text(&state, mv);
            self.game.play(&mut state, mv);
            text
        };
        line.iter().map(word).collect()
    }
}
