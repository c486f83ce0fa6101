//! A position and what all moves do to it, whether the ranks on both sides are known or not.

use tabia_game::bits::Bits;
use tabia_game::{Player, Ruling, zobrist};

use super::board::{Board, Step, next};
use super::pieces::{Battle, Piece, Rank, Sight, battle};
use super::repetition::{History, MoveKind, Note};
use tabia_game::Outcome;

/// A position. What the rules of repetition need of its history is on the path of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) board: Board,
    pub(super) mover: Player,
    /// Plies since the last attack.
    pub(super) quiet: u32,
    pub(super) outcome: Outcome,
}

/// What is needed to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    step: Step,
    from: Option<Piece>,
    to: Option<Piece>,
    quiet: u32,
    outcome: Outcome,
}

impl State {
    /// A position whose outcome is still to be [settled](State::settle).
    pub(super) fn new(board: Board, mover: Player, quiet: u32) -> State {
        State {
            board,
            mover,
            quiet,
            outcome: Outcome::Open,
        }
    }

    /// Visits the moves of a player as if it were their turn, rules of repetition left aside, by
    /// square and then left, right, back and forth as White sees it, as long as `visit` returns
    /// true. `wake` says whether pieces may move of which nothing is known.
    #[inline]
    fn each(&self, player: Player, wake: bool, mut visit: impl FnMut(Step) -> bool) {
        let own = self.board.owned(player);
        for (from, piece) in self.board.pieces(player) {
            let far = match piece.rank {
                Some(rank) if !rank.is_mobile() => continue,
                None if piece.sight == Sight::Hidden && !wake => continue,
                rank => rank == Some(Rank::Scout),
            };
            for way in 0..4 {
                let mut at = from;
                while let Some(to) = next(at, way).filter(|&to| !own.has(usize::from(to))) {
                    let step = Step { from, to };
                    if !visit(step) {
                        return;
                    }
                    if !far || self.board.at(to).is_some() {
                        break;
                    }
                    at = to;
                }
            }
        }
    }

    /// The moves of the player to move, rules of repetition left aside.
    #[inline]
    pub(super) fn each_step(&self, wake: bool, mut visit: impl FnMut(Step)) {
        if self.outcome == Outcome::Open {
            self.each(self.mover, wake, |step| {
                visit(step);
                true
            });
        }
    }

    fn can_move(&self, player: Player, wake: bool) -> bool {
        let mut can = false;
        self.each(player, wake, |_| {
            can = true;
            false
        });
        can
    }

    fn token(&self, step: Step) -> Undo {
        Undo {
            step,
            from: self.board.at(step.from),
            to: self.board.at(step.to),
            quiet: self.quiet,
            outcome: self.outcome,
        }
    }

    fn pass(&mut self) {
        self.mover = self.mover.other();
    }

    /// Moves a piece to an empty square. A Scout that goes far is known from then on.
    pub(super) fn shift(&mut self, step: Step) -> Undo {
        let token = self.token(step);
        let sight = match step.is_long() {
            true => Sight::Known,
            false => Sight::Moved,
        };
        let moved = token.from.map(|piece| Piece {
            sight: piece.sight.max(sight),
            ..piece
        });
        self.board.set(step.from, None);
        self.board.set(step.to, moved);
        self.quiet = self.quiet.saturating_add(1);
        self.pass();
        token
    }

    /// Fights a battle; both ranks are known from then on.
    pub(super) fn fight(&mut self, step: Step, attacker: Rank, defender: Rank) -> Undo {
        let token = self.token(step);
        clash(&mut self.board, self.mover, step, attacker, defender);
        self.quiet = 0;
        if defender == Rank::Flag {
            self.outcome = Outcome::Won(self.mover);
        }
        self.pass();
        token
    }

    /// What the rules of repetition have to know of a move that is about to be played. `ranks` are
    /// those of the attacker and the defender, if it attacks.
    pub(super) fn note(&self, step: Step, ranks: Option<(Rank, Rank)>) -> u64 {
        let note = match ranks {
            None => Note::quiet(&self.board, self.mover, step),
            Some((attacker, defender)) => {
                let battle = battle(attacker, defender);
                let kind = MoveKind::Attack {
                    attacker: battle == Battle::Won,
                    defender: battle == Battle::Lost,
                };
                Note {
                    mover: self.mover,
                    step,
                    kind,
                }
            }
        };
        note.packed()
    }

    /// Whether the rules of repetition leave a player a move, as if it were their turn.
    pub(super) fn is_free(&self, history: &History<'_>, player: Player, wake: bool) -> bool {
        let mut free = false;
        self.each(player, wake, |step| {
            free = !history.forbids(&self.board, player, step);
            !free
        });
        free
    }

    /// How the game ends if the rules of repetition forbid all moves of the player to move: they
    /// have lost, unless the other cannot move either.
    pub(super) fn stuck(&self, history: &History<'_>, wake: [bool; 2]) -> Ruling {
        let other = self.mover.other();
        match self.is_free(history, other, wake[other.index() & 1]) {
            true => Ruling::Loss(self.mover),
            false => Ruling::Draw,
        }
    }

    /// Takes the last move back.
    pub(super) fn take_back(&mut self, token: Undo) {
        self.pass();
        self.board.set(token.step.from, token.from);
        self.board.set(token.step.to, token.to);
        self.quiet = token.quiet;
        self.outcome = token.outcome;
    }

    /// Ends the game if the player to move cannot, rules of repetition left aside, or if there was
    /// no attack for `limit` plies. `wake` says for each player whether pieces may move of which
    /// nothing is known.
    pub(super) fn settle(&mut self, limit: u32, wake: [bool; 2]) {
        if self.outcome != Outcome::Open {
            return;
        }
        let can = |player: Player| self.can_move(player, wake[player.index() & 1]);
        let other = self.mover.other();
        self.outcome = if !can(self.mover) {
            match can(other) {
                true => Outcome::Won(other),
                false => Outcome::Drawn,
            }
        } else if limit > 0 && self.quiet >= limit {
            Outcome::Drawn
        } else {
            Outcome::Open
        };
    }

    /// A number for the position.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let side = match self.mover {
            Player::FIRST => 0,
            _ => zobrist::SECOND_TO_MOVE,
        };
        let quiet = zobrist::number(0x57_7d, u64::from(self.quiet));
        self.board.key() ^ quiet ^ side
    }
}

/// Lets two pieces fight on a board and tells whether the attacker and the defender survive.
pub(super) fn clash(
    board: &mut Board,
    mover: Player,
    step: Step,
    attacker: Rank,
    defender: Rank,
) -> (bool, bool) {
    let known = |owner, rank| {
        Some(Piece {
            owner,
            rank: Some(rank),
            sight: Sight::Known,
        })
    };
    board.set(step.from, None);
    match battle(attacker, defender) {
        Battle::Won => {
            board.set(step.to, known(mover, attacker));
            (true, false)
        }
        Battle::Lost => {
            board.set(step.to, known(mover.other(), defender));
            (false, true)
        }
        Battle::Both => {
            board.set(step.to, None);
            (false, false)
        }
    }
}
