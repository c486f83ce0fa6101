//! The path of a game: the one place where the rule of repetition is applied.

use crate::repetition::{Compared, Consequence, Repetition, Ruling};
use crate::{Key, Player, Turn};

/// The key of a position that counts for nothing.
const UNCOUNTED: u64 = u64::MAX;

/// No earlier position.
const NONE: u32 = u32::MAX;

/// A move as a path remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Made {
    /// Who made it; nobody for an outcome of chance, and for the position a path begins with.
    pub player: Option<Player>,
    /// What the game [noted](Key::note) of it.
    pub note: u64,
}

impl Made {
    /// What is known of the way to the first position.
    pub const NOTHING: Made = Made {
        player: None,
        note: 0,
    };

    /// A move that is about to be played, as far as the rule needs to know it.
    #[inline]
    pub fn of<G: Key>(game: &G, rule: Repetition, state: &G::State, mv: G::Move) -> Made {
        if !rule.reads_moves() {
            return Made::NOTHING;
        }
        Made {
            player: game.maker(state, mv),
            note: game.note(state, mv),
        }
    }
}

/// A position on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    /// The position before it whose key falls into the same class.
    previous: u32,
}

/// The positions from the start of a game, or of a search, to the present one.
///
/// A referee or a search calls [`Path::enter`] for every position that it comes to and
/// [`Path::pop`] when it takes the move back, and asks [`Path::retain_legal`] which moves are
/// legal. Games whose rule is [`Repetition::ALLOWED`] need no path.
///
/// ```
/// use tabia_game::Path;
/// let mut path = Path::new();
/// assert_eq!([7, 8, 7].map(|key| path.push(key)), [1, 1, 2]);
/// path.pop();
/// assert_eq!(path.occurrences(7), 1);
/// ```
#[derive(Debug)]
pub struct Path {
    entries: Vec<Entry>,
    /// The last position of each class, so that an occurrence is found without a scan.
    heads: Box<[u32; Self::CLASSES]>,
    /// How each position was reached; fewer than positions where the rule does not ask.
    made: Vec<Made>,
    /// The signature before each of them.
    signatures: Vec<u64>,
    signature: u64,
}

impl Clone for Path {
    fn clone(&self) -> Path {
        Path {
            entries: self.entries.clone(),
            heads: self.heads.clone(),
            made: self.made.clone(),
            signatures: self.signatures.clone(),
            signature: self.signature,
        }
    }

    fn clone_from(&mut self, other: &Path) {
        self.entries.clone_from(&other.entries);
        self.heads.clone_from(&other.heads);
        self.made.clone_from(&other.made);
        self.signatures.clone_from(&other.signatures);
        self.signature = other.signature;
    }
}

impl Default for Path {
    fn default() -> Self {
        Path::new()
    }
}

impl Path {
    const CLASSES: usize = 1024;

    /// An empty path.
    pub fn new() -> Path {
        Path {
            entries: Vec::new(),
            heads: Box::new([NONE; Self::CLASSES]),
            made: Vec::new(),
            signatures: Vec::new(),
            signature: 0,
        }
    }

    /// A path that begins with this position.
    pub fn from_start<G: Key>(game: &G, state: &G::State) -> Path {
        let mut path = Path::new();
        path.enter(game, game.repetition(), state, Made::NOTHING);
        path
    }

    #[inline]
    fn class(key: u64) -> usize {
        key as usize % Self::CLASSES
    }

    /// Enters the position that a move has led to, and says what the rule makes of it.
    ///
    /// `made` is the move as [`Made::of`] saw it before it was played. Positions in which the game
    /// is over by its other rules need not be entered.
    #[inline]
    pub fn enter<G: Key>(
        &mut self,
        game: &G,
        rule: Repetition,
        state: &G::State,
        made: Made,
    ) -> Ruling {
        if rule.reads_moves() {
            return self.enter_move(game, rule, state, made);
        }
        let key = compared(game, rule, state).unwrap_or(UNCOUNTED);
        match rule.is_draw(self.push(key)) {
            true => Ruling::Draw,
            false => Ruling::Open,
        }
    }

    /// [`Path::enter`] for rules that look at moves.
    fn enter_move<G: Key>(
        &mut self,
        game: &G,
        rule: Repetition,
        state: &G::State,
        made: Made,
    ) -> Ruling {
        let key = compared(game, rule, state);
        let previous = key.and_then(|key| self.last(key));
        let before = self.signature;
        let occurrences = self.push(key.unwrap_or(UNCOUNTED));
        // Positions entered without a move have nothing to be remembered.
        self.made.resize(self.entries.len() - 1, Made::NOTHING);
        self.signatures.resize(self.entries.len() - 1, before);
        self.made.push(made);
        self.signatures.push(before);
        self.signature = match rule.consequence {
            Consequence::Judged => ordered(before, key, made),
            _ if rule.compared == Compared::Moves => ordered(before, key, made),
            _ => key.map_or(before, |key| before ^ Self::mark(key, occurrences)),
        };
        if key.is_none() || occurrences < rule.occurrences {
            return Ruling::Open;
        }
        match (rule.consequence, made.player, previous) {
            (Consequence::Loss, Some(player), _) => Ruling::Loss(player),
            (Consequence::Judged, _, Some(previous)) => {
                game.judge(state, &self.made[previous + 1..])
            }
            _ => Ruling::Open,
        }
    }

    /// Takes the moves from `first` on out of the list that the rule forbids, and says how the game
    /// ends if that leaves the player to move without any.
    ///
    /// The list must hold what [`Game::moves`](crate::Game::moves) found in this position, which is
    /// the present one of the path.
    #[inline]
    pub fn retain_legal<G: Key>(
        &self,
        game: &G,
        rule: Repetition,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
        first: usize,
    ) -> Ruling {
        if !rule.forbids() || moves.len() <= first {
            return Ruling::Open;
        }
        if !matches!(game.turn(state), Turn::Player(_)) {
            return Ruling::Open;
        }
        game.retain_allowed(state, self, moves, first);
        match moves.len() > first {
            true => Ruling::Open,
            false => game.stuck(state, self),
        }
    }

    /// Appends the legal moves of a position, which is the present one of the path, and says how
    /// the game ends if the rule forbids them all.
    pub fn legal_moves<G: Key>(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
    ) -> Ruling {
        let first = moves.len();
        game.moves(state, moves);
        let rule = game.repetition();
        match rule.forbids() {
            true => self.retain_legal(game, rule, &mut state.clone(), moves, first),
            false => Ruling::Open,
        }
    }

    /// What the rule makes of the present position, which is the last on the path: whether it ended
    /// the game when it was entered, or leaves the player to move without a move.
    pub fn ruling<G: Key>(&self, game: &G, state: &G::State) -> Ruling {
        let rule = game.repetition();
        if !rule.is_tracked() || game.turn(state) == Turn::Over {
            return Ruling::Open;
        }
        if rule.forbids() {
            return self.legal_moves(game, state, &mut Vec::new());
        }
        let Some(key) = compared(game, rule, state).filter(|_| !self.is_empty()) else {
            return Ruling::Open;
        };
        let occurrences = self.occurrences(key);
        let made = self.made.last().copied().unwrap_or(Made::NOTHING);
        match (rule.consequence, made.player) {
            _ if occurrences < rule.occurrences => Ruling::Open,
            (Consequence::Draw, _) => Ruling::Draw,
            (Consequence::Loss, Some(player)) => Ruling::Loss(player),
            (Consequence::Judged, _) => {
                let previous = self.previous(self.entries.len() - 1);
                let cycle = previous.and_then(|previous| self.made.get(previous + 1..));
                cycle.map_or(Ruling::Open, |cycle| game.judge(state, cycle))
            }
            _ => Ruling::Open,
        }
    }

    /// The moves that led to the positions, the last move last. Empty where the rule does not ask
    /// for moves. The first entry stands for the position in which the path begins.
    #[inline]
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// Takes the moves from `first` on out of the list that lead to a position which would occur
    /// once too often: what [`Key::retain_allowed`] does unless the game says otherwise.
    pub fn retain_unrepeated<G: Key + ?Sized>(
        &self,
        game: &G,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
        first: usize,
    ) {
        let rule = game.repetition();
        let mut kept = first;
        for at in first..moves.len() {
            let mv = moves[at];
            let token = game.play(state, mv);
            let key = match game.turn(state) {
                // What ends the game is no recurrence.
                Turn::Over => None,
                _ => compared(game, rule, state),
            };
            game.undo(state, token);
            if key.is_none_or(|key| self.occurrences(key) + 1 < rule.occurrences) {
                moves[kept] = mv;
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// The path as far as everybody may know it, for games with hidden information: moves as the
    /// game noted them, and positions only if the rule compares [history keys](Key::history_key),
    /// which are public in such games. Keys of whole positions would tell what is hidden.
    pub fn public(&self, rule: Repetition) -> Path {
        if rule.compared == Compared::HistoryKeys {
            return self.clone();
        }
        let mut path = Path::new();
        for _ in &self.entries {
            path.push(UNCOUNTED);
        }
        path.made.clone_from(&self.made);
        path.signatures.resize(self.made.len(), 0);
        path
    }

    /// Enters a position of which only the way there is known.
    pub fn push_made(&mut self, made: Made) {
        self.made.resize(self.entries.len(), Made::NOTHING);
        self.signatures.resize(self.entries.len(), self.signature);
        self.push(UNCOUNTED);
        self.made.push(made);
        self.signatures.push(self.signature);
    }

    /// Enters a position by its key and says how many times it now occurs.
    #[inline]
    pub fn push(&mut self, key: u64) -> u32 {
        let occurrences = self.occurrences(key) + 1;
        let head = &mut self.heads[Self::class(key)];
        let previous = std::mem::replace(head, self.entries.len() as u32);
        self.entries.push(Entry { key, previous });
        if occurrences > 1 {
            self.signature ^= Self::mark(key, occurrences);
        }
        occurrences
    }

    /// Leaves the present position.
    #[inline]
    pub fn pop(&mut self) {
        let Some(Entry { key, previous }) = self.entries.pop() else {
            return;
        };
        self.heads[Self::class(key)] = previous;
        if self.made.len() > self.entries.len() {
            self.made.pop();
            self.signature = self.signatures.pop().unwrap_or(0);
            return;
        }
        let before = self.occurrences(key);
        if before > 0 {
            self.signature ^= Self::mark(key, before + 1);
        }
    }

    /// Leaves all positions but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            self.pop();
        }
    }

    /// How many times a position occurs on the path.
    #[inline]
    pub fn occurrences(&self, key: u64) -> u32 {
        let mut at = self.heads[Self::class(key)];
        let mut count = 0;
        if key == UNCOUNTED {
            return 0;
        }
        while let Some(entry) = self.entries.get(at as usize) {
            count += u32::from(entry.key == key);
            at = entry.previous;
        }
        count
    }

    /// The place of the last occurrence of a position.
    fn last(&self, key: u64) -> Option<usize> {
        self.found(key, self.heads[Self::class(key)])
    }

    /// The place of the occurrence before the one at this place.
    fn previous(&self, place: usize) -> Option<usize> {
        let Entry { key, previous } = self.entries[place];
        self.found(key, previous)
    }

    /// The last occurrence of a position of this class up to a place.
    fn found(&self, key: u64, mut at: u32) -> Option<usize> {
        while let Some(entry) = self.entries.get(at as usize) {
            if entry.key == key {
                return Some(at as usize);
            }
            at = entry.previous;
        }
        None
    }

    /// Whether this path begins with all positions and moves of another one.
    pub fn continues(&self, other: &Path) -> bool {
        self.entries.starts_with(&other.entries) && self.made.starts_with(&other.made)
    }

    /// A number that depends on the path. A table whose keys are combined with it never confuses
    /// two paths that differ in what the rule looks at.
    ///
    /// Where the third occurrence draws, it depends on which positions have occurred more than
    /// once, and is zero when none has. Where a recurrence loses or is forbidden, it depends on how
    /// often each position has occurred; where it is judged, or moves are forbidden because of
    /// moves, on the whole path in its order.
    #[inline]
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// The number of positions on the path.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the path is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[inline]
    fn mark(key: u64, occurrences: u32) -> u64 {
        crate::zobrist::mix(key ^ u64::from(occurrences).rotate_right(8))
    }
}

/// What the rule compares of a position; `None` if it does not count.
#[inline]
fn compared<G: Key + ?Sized>(game: &G, rule: Repetition, state: &G::State) -> Option<u64> {
    match rule.compared {
        Compared::Positions => Some(game.key(state)),
        Compared::HistoryKeys => game.history_key(state),
        Compared::Moves => None,
    }
}

/// The signature of a path in its order, after one more move.
fn ordered(before: u64, key: Option<u64>, made: Made) -> u64 {
    let player = made.player.map_or(0, |player| u64::from(player.0) + 1);
    let mixed = crate::zobrist::mix(before.rotate_left(1) ^ key.unwrap_or(UNCOUNTED));
    crate::zobrist::mix(mixed ^ made.note.rotate_left(8) ^ player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn occurrences_equal_a_plain_count(keys in prop::collection::vec(0u64..8, 0..40)) {
            let mut path = Path::new();
            for (i, &key) in keys.iter().enumerate() {
                let expected = keys[..=i].iter().filter(|&&k| k == key).count() as u32;
                prop_assert_eq!(path.push(key), expected);
            }
        }

        #[test]
        fn pop_restores_the_signature(keys in prop::collection::vec(0u64..4, 0..30)) {
            let mut path = Path::new();
            let mut signatures = vec![];
            for &key in &keys {
                signatures.push(path.signature());
                path.push(key);
            }
            while let Some(signature) = signatures.pop() {
                path.pop();
                prop_assert_eq!(path.signature(), signature);
            }
        }

        #[test]
        fn the_signature_tells_repeated_positions_apart(
            mut keys in prop::collection::vec(0u64..6, 0..20),
        ) {
            let signature = |keys: &[u64]| {
                let mut path = Path::new();
                keys.iter().for_each(|&k| { path.push(k); });
                path.signature()
            };
            let repeated = |keys: &[u64]| {
                let mut counts = [0; 6];
                keys.iter().for_each(|&k| counts[k as usize] += 1);
                counts.map(|c: u32| if c > 1 { c } else { 0 })
            };
            let before = (repeated(&keys), signature(&keys));
            keys.reverse();
            keys.push(0);
            let after = (repeated(&keys), signature(&keys));
            prop_assert_eq!(before.0 == after.0, before.1 == after.1);
        }
    }
}
