//! Lines that keep to the game's rule of repetition.

use tabia_game::{Key, Made, OnePlayer, Path, Payoff, Player, Repetition, Ruling, Turn};

use crate::Situation;

/// Lists and plays moves, and applies the rule of repetition to the path that they make.
///
/// Where positions recur freely there is no path, and this is the game itself.
pub(super) struct Ruled<'a, G> {
    pub game: &'a G,
    rule: Repetition,
    path: Option<Path>,
}

impl<G> Clone for Ruled<'_, G> {
    fn clone(&self) -> Self {
        Ruled {
            path: self.path.clone(),
            ..*self
        }
    }
}

impl<'a, G: OnePlayer> Ruled<'a, G> {
    /// The game after the path that led to its present position.
    pub fn new(situation: Situation<'a, G>) -> Ruled<'a, G> {
        let Situation { game, path, .. } = situation;
        let rule = game.repetition();
        Ruled {
            game,
            rule,
            path: rule.is_tracked().then(|| path.clone()),
        }
    }

    /// Whether there is a rule to be applied.
    #[inline]
    pub fn is_tracked(&self) -> bool {
        self.path.is_some()
    }

    fn ended(&self, ruling: Ruling) -> Option<Payoff> {
        let payoff = || ruling.payoff(self.game, Player::FIRST);
        (!ruling.is_open()).then(payoff)
    }

    /// Appends the legal moves; what the game pays if the rule forbids them all.
    #[inline]
    pub fn moves(&self, state: &mut G::State, moves: &mut Vec<G::Move>) -> Option<Payoff> {
        let first = moves.len();
        self.game.moves(state, moves);
        self.retain_legal(state, moves, first)
    }

    /// Takes the moves from `first` on out of the list that the rule forbids, as
    /// [`Path::retain_legal`] does.
    #[inline]
    pub fn retain_legal(
        &self,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
        first: usize,
    ) -> Option<Payoff> {
        let path = self.path.as_ref()?;
        self.ended(path.retain_legal(self.game, self.rule, state, moves, first))
    }

    /// Plays a legal move; what the game pays if the rule ends it.
    #[inline]
    pub fn play(&mut self, state: &mut G::State, mv: G::Move) -> (G::Undo, Option<Payoff>) {
        let (game, rule) = (self.game, self.rule);
        let Some(path) = &mut self.path else {
            return (game.play(state, mv), None);
        };
        let made = Made::of(game, rule, state, mv);
        let token = game.play(state, mv);
        let ruling = enter(game, rule, state, path, made);
        (token, self.ended(ruling))
    }

    /// Enters the position to which a move has led that somebody else played, seen as `made`
    /// before; what the game pays if the rule ends it.
    pub fn arrive(&mut self, state: &G::State, made: Made) -> Option<Payoff> {
        let path = self.path.as_mut()?;
        let ruling = enter(self.game, self.rule, state, path, made);
        self.ended(ruling)
    }

    /// A move about to be played, as the rule sees it.
    pub fn made(&self, state: &G::State, mv: G::Move) -> Made {
        Made::of(self.game, self.rule, state, mv)
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self, state: &mut G::State, token: G::Undo) {
        if let Some(path) = &mut self.path
            && self.game.turn(state) != Turn::Over
        {
            path.pop();
        }
        self.game.undo(state, token);
    }

    /// The length of the path, to come back to.
    #[inline]
    pub fn len(&self) -> usize {
        self.path.as_ref().map_or(0, Path::len)
    }

    /// Takes back what was played beyond this length of the path.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        if let Some(path) = &mut self.path {
            path.truncate(len);
        }
    }

    /// A key of the present position, and of what the rule may still look at.
    #[inline]
    pub fn key(&self, state: &G::State) -> u64 {
        match &self.path {
            Some(path) => self.game.key_on_path(state, path),
            None => self.game.key(state),
        }
    }

    /// What a line pays that begins here, where it is legal to its end and ends the game or is
    /// broken off.
    pub fn payoff(&self, state: &G::State, line: &[G::Move]) -> Option<Payoff> {
        let (mut ruled, mut state) = (self.clone(), state.clone());
        let (mut moves, mut ended) = (Vec::new(), None);
        for &mv in line {
            moves.clear();
            let stuck = ruled.moves(&mut state, &mut moves);
            if ended.is_some() || stuck.is_some() || !moves.contains(&mv) {
                return None;
            }
            ended = ruled.play(&mut state, mv).1;
        }
        Some(match ended {
            Some(payoff) => payoff,
            None => {
                let stuck = ruled.moves(&mut state, &mut Vec::new());
                stuck.unwrap_or_else(|| ruled.game.earned(&state))
            }
        })
    }
}

/// Enters a position on the path, unless the game is over in it.
#[inline]
fn enter<G: Key>(
    game: &G,
    rule: Repetition,
    state: &G::State,
    path: &mut Path,
    made: Made,
) -> Ruling {
    match game.turn(state) {
        Turn::Over => Ruling::Open,
        _ => path.enter(game, rule, state, made),
    }
}
