//! Brute force for the tests of all games: plain minimax on sums, and boards of letters.

use std::collections::{BTreeSet, HashMap};
use std::slice::from_ref;

use tabia_game::{Combinatorial, LastMover, Player, zobrist};
use tabia_kit::Kit;

pub(crate) const BOTH: [Player; 2] = [Player::FIRST, Player::SECOND];

/// Minimax on sums of positions, given as a list, that knows nothing of parts and values.
pub(crate) struct Brute<R: Combinatorial> {
    pub rules: R,
    seen: HashMap<(Vec<R::Position>, Player), bool>,
}

impl<R: Combinatorial> Brute<R> {
    pub fn new(rules: R) -> Brute<R> {
        Brute {
            rules,
            seen: HashMap::new(),
        }
    }

    pub fn read(&self, text: &str) -> R::Position {
        match self.rules.parse_position(text) {
            Ok(position) => position,
            Err(error) => panic!("'{text}': {error}"),
        }
    }

    pub fn moves(&self, position: &R::Position, player: Player) -> Vec<R::Move> {
        let mut moves = Vec::new();
        self.rules.moves(position, player, &mut moves);
        moves
    }

    /// The positions that a player can move to.
    pub fn options(&self, position: &R::Position, player: Player) -> Vec<R::Position> {
        let play = |mv| {
            let mut next = position.clone();
            self.rules.play(&mut next, player, mv);
            next
        };
        self.moves(position, player).into_iter().map(play).collect()
    }

    pub fn split(&self, position: &R::Position) -> Vec<R::Position> {
        let mut parts = Vec::new();
        self.rules.split(position, &mut parts);
        parts
    }

    /// Whether the player to move makes the last move.
    pub fn wins(&mut self, mut sum: Vec<R::Position>, mover: Player) -> bool {
        sum.sort();
        let key = (sum, mover);
        if let Some(&known) = self.seen.get(&key) {
            return known;
        }
        let mut won = false;
        'search: for i in 0..key.0.len() {
            for option in self.options(&key.0[i], mover) {
                let mut next = key.0.clone();
                next[i] = option;
                if !self.wins(next, mover.other()) {
                    won = true;
                    break 'search;
                }
            }
        }
        self.seen.insert(key, won);
        won
    }

    /// The class of a sum: P and N for the previous and the next player, L and R for Left and
    /// Right.
    pub fn outcome(&mut self, sum: &[R::Position]) -> char {
        match BOTH.map(|player| self.wins(sum.to_vec(), player)) {
            [false, false] => 'P',
            [true, true] => 'N',
            [true, false] => 'L',
            [false, true] => 'R',
        }
    }

    /// The class of a sum written as texts joined by `+`.
    pub fn outcome_of(&mut self, texts: &str) -> char {
        let sum: Vec<_> = texts.split('+').map(|text| self.read(text)).collect();
        self.outcome(&sum)
    }

    /// What must hold of every position by sight: texts, moves, and the form of its parts.
    pub fn check_form(&self, position: &R::Position) {
        let rules = &self.rules;
        let text = rules.position_text(position);
        assert_eq!(rules.parse_position(&text).as_ref(), Ok(position), "{text}");
        for player in BOTH {
            let moves = self.moves(position, player);
            assert_eq!(
                rules.can_move(position, player),
                !moves.is_empty(),
                "{text} {player:?}"
            );
            let names: BTreeSet<String> = moves
                .iter()
                .map(|&mv| rules.move_text(position, player, mv))
                .collect();
            assert_eq!(names.len(), moves.len(), "{text}: {names:?}");
        }
        for part in self.split(position) {
            let name = format!("{text}: part {}", rules.position_text(&part));
            assert!(
                BOTH.iter().any(|&p| rules.can_move(&part, p)),
                "{name} is dead"
            );
            assert_eq!(self.split(&part), from_ref(&part), "{name} splits further");
            let negative = rules.negative(&part);
            assert_eq!(
                self.split(&negative),
                from_ref(&negative),
                "{name}: {negative:?}"
            );
            assert_eq!(rules.negative(&negative), part, "{name}: {negative:?}");
        }
    }

    /// A position equals the sum of its parts, and its negative undoes it: both differences are won
    /// by whoever does not begin.
    pub fn check_value(&mut self, position: &R::Position) {
        self.check_form(position);
        let text = self.rules.position_text(position);
        let negative = self.rules.negative(position);
        assert_eq!(
            self.outcome(&[position.clone(), negative.clone()]),
            'P',
            "{text}: {negative:?}"
        );
        let mut difference = vec![negative];
        difference.extend(self.split(position));
        assert_eq!(
            self.outcome(&difference),
            'P',
            "{text} differs from {difference:?}"
        );
    }

    /// A position is won by the same players as the sum of its parts.
    pub fn check_outcome(&mut self, position: &R::Position) {
        self.check_form(position);
        let parts = self.split(position);
        let [whole, sum] = [from_ref(position), &parts].map(|sum| self.outcome(sum));
        let text = self.rules.position_text(position);
        assert_eq!(whole, sum, "{text} against {parts:?}");
    }

    /// The moves against those of a second implementation, by the positions that they lead to.
    pub fn check_moves(&self, text: &str, plain: impl Fn(&Letters, Player) -> Vec<Letters>) {
        let position = self.read(text);
        for player in BOTH {
            let options = self.options(&position, player);
            let texts = options
                .iter()
                .map(|option| self.rules.position_text(option));
            let expected = plain(&Letters::read(text), player);
            let count = expected.len();
            let expected: BTreeSet<String> = expected.iter().map(Letters::text).collect();
            assert_eq!(
                texts.collect::<BTreeSet<_>>(),
                expected,
                "{text} {player:?}"
            );
            assert_eq!(options.len(), count, "{text} {player:?}");
        }
    }
}

/// The conformance kit on the ordinary game from a position.
pub(crate) fn conforms<R: Combinatorial + Clone + 'static>(rules: &R, start: &str) {
    let position = rules.parse_position(start).unwrap();
    let game = LastMover::new(rules.clone(), position);
    let kit = Kit::new().two_player().key().move_index().text();
    kit.text_key().draw().effort(8, 60).run(&game).unwrap();
}

/// A board of letters by coordinates, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Letters(pub Vec<Vec<char>>);

impl Letters {
    pub fn read(text: &str) -> Letters {
        Letters(text.split('|').map(|row| row.chars().collect()).collect())
    }

    pub fn text(&self) -> String {
        let rows: Vec<String> = self.0.iter().map(|row| row.iter().collect()).collect();
        rows.join("|")
    }

    pub fn at(&self, (x, y): (i32, i32)) -> Option<char> {
        let row = self.0.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    }

    /// The same with other letters at some places.
    pub fn with(&self, changes: &[((i32, i32), char)]) -> Letters {
        let mut changed = self.clone();
        for &((x, y), letter) in changes {
            changed.0[y as usize][x as usize] = letter;
        }
        changed
    }

    /// All places.
    pub fn places(&self) -> Vec<(i32, i32)> {
        let row = |(y, row): (usize, &Vec<char>)| {
            (0..row.len() as i32)
                .map(move |x| (x, y as i32))
                .collect::<Vec<_>>()
        };
        self.0.iter().enumerate().flat_map(row).collect()
    }
}

/// Right, down, left and up.
pub(crate) const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Every board of a size in these letters.
pub(crate) fn boards(width: usize, height: usize, letters: &str) -> Vec<String> {
    let letters: Vec<char> = letters.chars().collect();
    let count = letters.len().pow((width * height) as u32);
    let board = |number: usize| {
        let mut rest = number;
        let mut draw = |_: usize| {
            let letter = letters[rest % letters.len()];
            rest /= letters.len();
            letter
        };
        let rows: Vec<String> = (0..height)
            .map(|_| (0..width).map(&mut draw).collect())
            .collect();
        rows.join("|")
    };
    (0..count).map(board).collect()
}

/// Boards of a size drawn at random.
pub(crate) fn random_boards(width: usize, height: usize, letters: &str, count: u64) -> Vec<String> {
    let letters: Vec<char> = letters.chars().collect();
    let board = |seed: u64| {
        let cell = |x: usize, y: usize| {
            let number = zobrist::number(seed, (y * width + x) as u64 + 7);
            letters[(number % letters.len() as u64) as usize]
        };
        let row = |y: usize| (0..width).map(|x| cell(x, y)).collect::<String>();
        (0..height).map(row).collect::<Vec<_>>().join("|")
    };
    (0..count).map(board).collect()
}
