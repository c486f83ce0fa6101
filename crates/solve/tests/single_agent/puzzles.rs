//! Small puzzles to try searches on.

use tabia_game::{
    Deterministic, Game, Key, MoveIndex, OnePlayer, Payoff, Perfect, Player, Turn, zobrist,
};

/// Registers, and statements that add to one register while another one has a certain value.
/// Statements that touch different registers may change places.
#[derive(Clone, Debug)]
pub struct Program {
    pub values: u8,
    /// Whether registers go round; otherwise they stop at the highest value.
    pub cyclic: bool,
    /// Guard, its value, and the register that is increased.
    pub statements: Vec<(usize, u8, usize)>,
    /// If set, only a game that ends here pays anything.
    pub target: Option<[u8; REGISTERS]>,
}

pub const REGISTERS: usize = 4;

type Registers = [u8; REGISTERS];

impl Program {
    pub fn enabled(&self, state: &Registers, statement: usize) -> bool {
        let (guard, value, increased) = self.statements[statement];
        state[guard] == value && (self.cyclic || state[increased] + 1 < self.values)
    }

    /// A few positions end the game although something could be done.
    fn halts(&self, state: &Registers) -> bool {
        self.cyclic && zobrist::hash_of(7, state).is_multiple_of(5)
    }
}

impl Game for Program {
    type State = Registers;
    type Move = usize;
    type Undo = Registers;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }
    fn start(&self) -> Registers {
        [0; REGISTERS]
    }
    fn turn(&self, state: &Registers) -> Turn {
        let mut all = 0..self.statements.len();
        if self.halts(state) || !all.any(|statement| self.enabled(state, statement)) {
            Turn::Over
        } else {
            Turn::Player(Player::FIRST)
        }
    }
    fn moves(&self, state: &Registers, out: &mut Vec<usize>) {
        if !self.halts(state) {
            out.extend((0..self.statements.len()).filter(|&s| self.enabled(state, s)));
        }
    }
    fn play(&self, state: &mut Registers, statement: usize) -> Registers {
        let before = *state;
        let register = &mut state[self.statements[statement].2];
        *register = (*register + 1) % self.values;
        before
    }
    fn undo(&self, state: &mut Registers, before: Registers) {
        *state = before;
    }
    fn payoff(&self, state: &Registers, _: Player) -> Payoff {
        match self.target {
            Some(target) => Payoff::from(*state == target),
            None => (zobrist::hash_of(3, state) % 1000) as Payoff,
        }
    }
    fn max_payoff(&self) -> Payoff {
        1000
    }
    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl Key for Program {
    /// The registers as digits: in a table with 256 slots no two positions that have brought the
    /// same meet.
    fn key(&self, state: &Registers) -> u64 {
        state
            .iter()
            .fold(0, |key, &digit| 4 * key + u64::from(digit))
    }
}

impl OnePlayer for Program {
    fn earned(&self, state: &Registers) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.payoff(state, Player::FIRST),
            _ => 0,
        }
    }
    fn most(&self, state: &Registers) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.payoff(state, Player::FIRST),
            _ => 1000,
        }
    }
}

impl MoveIndex for Program {
    fn move_indices(&self) -> usize {
        self.statements.len()
    }
    fn move_index(&self, mv: usize) -> usize {
        mv
    }
}

/// Gaps in its basic form (Helmstetter and Cazenave 2004, section 3.1): a gap takes the card that
/// follows its left neighbour in suit. The aces lie in a column of their own at the left.
#[derive(Clone, Debug)]
pub struct Gaps {
    pub deal: Vec<Vec<Option<Card>>>,
}

/// Rank and suit.
pub type Card = (u8, u8);

impl Gaps {
    /// Rows separated by `/`, cards such as `3S`, gaps as `--`.
    pub fn read(text: &str) -> Gaps {
        let card = |word: &str| {
            let mut chars = word.chars();
            let rank = chars.next()?.to_digit(10)? as u8;
            Some((rank, "SHDC".find(chars.next()?)? as u8))
        };
        let row = |(suit, row): (u8, &str)| {
            let cards = row.split_whitespace().map(card);
            std::iter::once(Some((1, suit))).chain(cards).collect()
        };
        Gaps {
            deal: (0..).zip(text.split('/')).map(row).collect(),
        }
    }
}

/// A card, from where, to where.
type Shift = (Card, (usize, usize), (usize, usize));

impl Game for Gaps {
    type State = Vec<Vec<Option<Card>>>;
    type Move = Shift;
    type Undo = Shift;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }
    fn start(&self) -> Self::State {
        self.deal.clone()
    }
    fn turn(&self, state: &Self::State) -> Turn {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        if moves.is_empty() {
            Turn::Over
        } else {
            Turn::Player(Player::FIRST)
        }
    }
    fn moves(&self, state: &Self::State, out: &mut Vec<Shift>) {
        for (row, cards) in state.iter().enumerate() {
            for (column, pair) in cards.windows(2).enumerate() {
                let [Some((rank, suit)), None] = *pair else {
                    continue;
                };
                let next = (rank + 1, suit);
                for (from, cards) in state.iter().enumerate() {
                    if let Some(at) = cards.iter().position(|&card| card == Some(next)) {
                        out.push((next, (from, at), (row, column + 1)));
                    }
                }
            }
        }
    }
    fn play(&self, state: &mut Self::State, shift: Shift) -> Shift {
        let (card, from, to) = shift;
        state[from.0][from.1] = None;
        state[to.0][to.1] = Some(card);
        shift
    }
    fn undo(&self, state: &mut Self::State, (card, from, to): Shift) {
        state[to.0][to.1] = None;
        state[from.0][from.1] = Some(card);
    }
    /// Cards in their places.
    fn payoff(&self, state: &Self::State, _: Player) -> Payoff {
        let placed = |(suit, row): (u8, &Vec<Option<Card>>)| {
            let right = (1..)
                .zip(row)
                .filter(|&(rank, &card)| card == Some((rank, suit)));
            right.count() as Payoff
        };
        (0..).zip(state).map(placed).sum()
    }
    fn max_payoff(&self) -> Payoff {
        52
    }
    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl Key for Gaps {
    fn key(&self, state: &Self::State) -> u64 {
        zobrist::hash_of(2, state)
    }
}

impl OnePlayer for Gaps {
    fn earned(&self, state: &Self::State) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.payoff(state, Player::FIRST),
            _ => 0,
        }
    }
    fn most(&self, state: &Self::State) -> Payoff {
        match self.turn(state) {
            Turn::Over => self.payoff(state, Player::FIRST),
            _ => 52,
        }
    }
}

impl MoveIndex for Gaps {
    fn move_indices(&self) -> usize {
        1 << 20
    }
    fn move_index(&self, ((rank, suit), from, to): Shift) -> usize {
        let place = |(row, column): (usize, usize)| 4 * column + row;
        (4 * usize::from(rank) + usize::from(suit)) << 12 | place(from) << 6 | place(to)
    }
}

/// The sliding puzzle of eight tiles; each move costs one.
pub struct Eight(pub [u8; 9]);

impl Eight {
    pub const GOAL: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 0];

    pub fn gap(tiles: &[u8; 9]) -> usize {
        tiles
            .iter()
            .position(|&tile| tile == 0)
            .expect("there is a gap")
    }
}

/// The tiles and the number of moves made.
pub type Tiles = ([u8; 9], i32);

impl Game for Eight {
    type State = Tiles;
    type Move = usize;
    type Undo = Tiles;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }
    fn start(&self) -> Tiles {
        (self.0, 0)
    }
    fn turn(&self, state: &Tiles) -> Turn {
        if state.0 == Eight::GOAL {
            Turn::Over
        } else {
            Turn::Player(Player::FIRST)
        }
    }
    /// The place of the tile that slides into the gap.
    fn moves(&self, state: &Tiles, out: &mut Vec<usize>) {
        if state.0 == Eight::GOAL {
            return;
        }
        let gap = Eight::gap(&state.0);
        let apart = |a: usize, b: usize| (a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3);
        out.extend((0..9).filter(|&place| apart(place, gap) == 1));
    }
    fn play(&self, state: &mut Tiles, place: usize) -> Tiles {
        let before = *state;
        let gap = Eight::gap(&state.0);
        state.0.swap(gap, place);
        state.1 += 1;
        before
    }
    fn undo(&self, state: &mut Tiles, before: Tiles) {
        *state = before;
    }
    fn payoff(&self, state: &Tiles, _: Player) -> Payoff {
        -state.1
    }
    fn max_payoff(&self) -> Payoff {
        1_000_000
    }
    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl Key for Eight {
    fn key(&self, state: &Tiles) -> u64 {
        zobrist::hash_of(4, &state.0)
    }
}

impl OnePlayer for Eight {
    fn earned(&self, state: &Tiles) -> Payoff {
        -state.1
    }
    /// The Manhattan distance.
    fn most(&self, state: &Tiles) -> Payoff {
        let distance = |(place, &tile): (usize, &u8)| {
            let goal = usize::from(tile.wrapping_sub(1));
            match tile {
                0 => 0,
                _ => (place / 3).abs_diff(goal / 3) + (place % 3).abs_diff(goal % 3),
            }
        };
        -state.1 - state.0.iter().enumerate().map(distance).sum::<usize>() as Payoff
    }
}

impl MoveIndex for Eight {
    fn move_indices(&self) -> usize {
        9
    }
    fn move_index(&self, place: usize) -> usize {
        place
    }
}
