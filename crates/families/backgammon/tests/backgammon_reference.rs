//! Backgammon against a plain second generator, which tries every order of the dice step by step on
//! an array of points, keeps the longest plays and looks for the larger die, and knows plays by the
//! boards they lead to.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use tabia_backgammon::backgammon::{Backgammon, Board, Phase, Play, Roll, Side};
use tabia_game::{Game, Player, Seed, Text, Turn};

/// Signed checkers as the player on roll sees them: point 1 to 24, own ones positive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Plain {
    points: [i32; 25],
    bars: (i32, i32),
}

impl Plain {
    fn of(board: &Board) -> Plain {
        let [own, other] = board.sides();
        let mut points = [0; 25];
        for point in 1..=24 {
            points[point] = i32::from(own[point - 1]) - i32::from(other[24 - point]);
        }
        Plain {
            points,
            bars: (i32::from(own[24]), i32::from(other[24])),
        }
    }

    fn at(&self, point: i32) -> i32 {
        self.points[point as usize]
    }

    fn add(&mut self, point: i32, n: i32) {
        self.points[point as usize] += n;
    }

    fn land(&mut self, point: i32) {
        if self.at(point) == -1 {
            self.add(point, 1);
            self.bars.1 += 1;
        }
        self.add(point, 1);
    }

    fn steps(&self, die: i32) -> Vec<Plain> {
        let mut boards = Vec::new();
        if self.bars.0 > 0 {
            if self.at(25 - die) >= -1 {
                let mut next = self.clone();
                next.bars.0 -= 1;
                next.land(25 - die);
                boards.push(next);
            }
            return boards;
        }
        let own: Vec<i32> = (1..=24).filter(|&point| self.at(point) > 0).collect();
        let last = own.last().copied().unwrap_or(0);
        for &point in &own {
            let mut next = self.clone();
            next.add(point, -1);
            if point > die && self.at(point - die) >= -1 {
                next.land(point - die);
                boards.push(next);
            } else if last <= 6 && (point == die || (point < die && point == last)) {
                boards.push(next);
            }
        }
        boards
    }

    /// All sequences of steps with these dice in this order, as far as each of them goes: how many
    /// steps, and the board.
    fn sequences(&self, dice: &[i32], made: usize, out: &mut BTreeSet<(usize, Plain)>) {
        let next = dice.first().map_or(vec![], |&die| self.steps(die));
        if next.is_empty() {
            out.insert((made, self.clone()));
        }
        for board in next {
            board.sequences(&dice[1..], made + 1, out);
        }
    }

    fn results(&self, high: i32, low: i32) -> BTreeSet<Plain> {
        if high == low {
            let mut all = BTreeSet::new();
            self.sequences(&[high; 4], 0, &mut all);
            return longest(all).1;
        }
        let (mut high_first, mut low_first) = (BTreeSet::new(), BTreeSet::new());
        self.sequences(&[high, low], 0, &mut high_first);
        self.sequences(&[low, high], 0, &mut low_first);
        let (one, mut boards) = longest(high_first);
        let (other, more) = longest(low_first);
        match (one, other) {
            (2, 2) => {
                boards.extend(more);
                boards
            }
            // The larger die if it can be played at all.
            (2, _) | (1, 0 | 1) => boards,
            _ => more,
        }
    }
}

fn longest(all: BTreeSet<(usize, Plain)>) -> (usize, BTreeSet<Plain>) {
    let most = all.iter().map(|(made, _)| *made).max().unwrap_or(0);
    let boards = all.into_iter().filter(|(made, _)| *made == most);
    (most, boards.map(|(_, board)| board).collect())
}

/// The same boards, none twice; and every play is written in a way that is read as the same play.
fn compare(board: &Board) {
    let plain = Plain::of(board);
    let game = Backgammon::default();
    for (roll, _) in Roll::all() {
        let [high, low] = roll.dice().map(i32::from);
        let mut plays: Vec<Play> = Vec::new();
        board.plays(roll, &mut plays);
        let boards: BTreeSet<Plain> = plays
            .iter()
            .map(|&play| Plain::of(&board.after(play)))
            .collect();
        assert_eq!(
            boards.len(),
            plays.len(),
            "a result twice: {board:?} {high}{low}"
        );
        assert_eq!(boards, plain.results(high, low), "{board:?} {high}{low}");
        let counts = [0, 1].map(|side| board.left(side));
        assert!(plays.iter().all(|&play| {
            let after = board.after(play);
            after.left(1) == counts[1] && after.left(0) <= counts[0]
        }));
    }
    let mut state = game.position(*board, Player::FIRST).expect("a position");
    for text in ["21", "66"] {
        let mut state = state;
        let roll = game.parse_move(&state, text).expect("a roll");
        game.play(&mut state, roll);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        for mv in moves {
            let text = game.move_text(&state, mv);
            assert_eq!(game.parse_move(&state, &text), Ok(mv), "{text}");
            let spaced = text.replace(',', " ").to_uppercase();
            assert_eq!(game.parse_move(&state, &spaced), Ok(mv), "{spaced}");
        }
    }
    let text = game.position_text(&state);
    let roll = game.parse_move(&state, "65").expect("a roll");
    game.play(&mut state, roll);
    assert!(matches!(state.phase(), Phase::Play(_)), "{text}");
}

#[test]
fn plays_along_random_games_are_those_of_the_plain_generator() {
    let game = Backgammon::default();
    for number in 0..12 {
        let mut rng = Seed::new(7).number(number).rng();
        let mut state = game.start();
        let mut moves = Vec::new();
        while game.turn(&state) != Turn::Over {
            if state.phase() == Phase::Roll {
                compare(state.board());
            }
            moves.clear();
            game.moves(&state, &mut moves);
            let choice = rand::RngExt::random_range(&mut rng, 0..moves.len());
            game.play(&mut state, moves[choice]);
        }
    }
}

/// Checkers anywhere: the places of each player, of which those that the other holds are left out.
fn boards() -> impl Strategy<Value = Board> {
    // Few places make blocks and bear-offs likely, many make open boards.
    let places = |most: usize| (vec(0..most, 1..=15), vec(0..25usize, 1..=15));
    let any = (1..=25usize).prop_flat_map(places);
    any.prop_filter_map("a checker each", |(own, other)| {
        let mut sides: [Side; 2] = [[0; 25]; 2];
        for place in own {
            sides[0][place] += 1;
        }
        for place in other {
            let free = place == 24 || sides[0][23 - place] == 0;
            sides[1][place] += u8::from(free);
        }
        let full = sides.iter().all(|side| side.iter().any(|&n| n > 0));
        Board::new(sides).ok().filter(|_| full)
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn plays_on_any_board_are_those_of_the_plain_generator(board in boards()) {
        compare(&board);
        compare(&board.swapped());
    }
}
