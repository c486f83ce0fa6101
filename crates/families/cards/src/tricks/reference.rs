//! The rules once more, from the rule books and slowly: cards are pairs of letters, hands are
//! lists.

/// A card, rank and suit.
type Plain = (char, char);

const ORDER: &str = "23456789TJQKA";

fn height(card: Plain) -> usize {
    ORDER.find(card.0).expect("a rank")
}

/// The game, and how it stands.
#[derive(Clone, Debug)]
pub struct PlainGame {
    pub spades: bool,
    pub moon: bool,
    /// The suit to be broken first must not be led.
    pub broken_rule: bool,
    pub first_rule: bool,
    pub club_rule: bool,
    pub hands: Vec<Vec<Plain>>,
    /// Who played what.
    pub table: Vec<(usize, Plain)>,
    pub turn: usize,
    /// All cards that each player has taken, trick by trick.
    pub won: Vec<Vec<Vec<Plain>>>,
}

impl PlainGame {
    /// The seat that begins.
    pub fn begin(&mut self) {
        self.turn = 0;
        if self.club_rule {
            let clubs = self.hands.iter().flatten().filter(|card| card.1 == 'C');
            if let Some(&lowest) = clubs.min_by_key(|&&card| height(card)) {
                self.turn = self
                    .hands
                    .iter()
                    .position(|hand| hand.contains(&lowest))
                    .unwrap();
            }
        }
    }

    fn is_first_trick(&self) -> bool {
        self.won.iter().all(Vec::is_empty)
    }

    fn fragile(&self) -> char {
        if self.spades { 'S' } else { 'H' }
    }

    fn is_broken(&self) -> bool {
        let taken = self.won.iter().flatten().flatten().copied();
        let lying = self.table.iter().map(|&(_, card)| card);
        taken.chain(lying).any(|card| card.1 == self.fragile())
    }

    fn scores(card: Plain) -> bool {
        card.1 == 'H' || card == ('Q', 'S')
    }

    pub fn legal(&self) -> Vec<Plain> {
        let hand = &self.hands[self.turn];
        let mut may = hand.clone();
        let narrow = |may: &mut Vec<Plain>, keep: &dyn Fn(&Plain) -> bool| {
            let some: Vec<Plain> = may.iter().copied().filter(keep).collect();
            if !some.is_empty() {
                *may = some;
            }
        };
        match self.table.first() {
            Some(&(_, led)) => narrow(&mut may, &|card| card.1 == led.1),
            None => {
                if self.is_first_trick() && self.club_rule {
                    let clubs = hand.iter().filter(|card| card.1 == 'C');
                    if let Some(&lowest) = clubs.min_by_key(|&&card| height(card)) {
                        return vec![lowest];
                    }
                }
                if self.broken_rule && !self.is_broken() {
                    let fragile = self.fragile();
                    narrow(&mut may, &|card| card.1 != fragile);
                }
            }
        }
        if self.is_first_trick() && self.first_rule && !self.spades {
            narrow(&mut may, &|&card| !Self::scores(card));
        }
        may
    }

    pub fn play(&mut self, card: Plain) {
        let seat = self.turn;
        self.hands[seat].retain(|&held| held != card);
        self.table.push((seat, card));
        self.turn = (seat + 1) % self.hands.len();
        if self.table.len() == self.hands.len() {
            let led = self.table[0].1.1;
            let strength = |&(_, card): &(usize, Plain)| {
                if self.spades && card.1 == 'S' {
                    100 + height(card)
                } else if card.1 == led {
                    1 + height(card)
                } else {
                    0
                }
            };
            let taker = self
                .table
                .iter()
                .max_by_key(|laid| strength(laid))
                .unwrap()
                .0;
            let cards = self.table.drain(..).map(|(_, card)| card).collect();
            self.won[taker].push(cards);
            self.turn = taker;
        }
    }

    pub fn is_over(&self) -> bool {
        self.hands.iter().all(Vec::is_empty)
    }

    pub fn points(&self, seat: usize) -> i32 {
        let cards = self.won[seat].iter().flatten();
        cards
            .map(|&card| {
                if card == ('Q', 'S') {
                    13
                } else {
                    i32::from(card.1 == 'H')
                }
            })
            .sum()
    }

    pub fn tricks(&self, seat: usize) -> i32 {
        self.won[seat].len() as i32
    }

    /// What a finished game of Hearts pays.
    pub fn hearts_payoff(&self, seat: usize) -> i32 {
        let all: i32 = (0..self.hands.len()).map(|seat| self.points(seat)).sum();
        let shooter = (0..self.hands.len()).find(|&seat| all > 0 && self.points(seat) == all);
        match shooter {
            Some(shooter) if self.moon => {
                if shooter == seat {
                    0
                } else {
                    -all
                }
            }
            _ => -self.points(seat),
        }
    }
}
