use proptest::prelude::*;
use rand::RngExt;
use tabia_game::{Game, Knowledge, Player, Seed, Text, Turn, perft};
use tabia_kit::Kit;

use super::{Focus, Move, PASS, RESERVE, SIDE, Stack, Stacks, VictoryCondition};

fn focus(players: usize) -> Focus {
    Focus::new(players, VictoryCondition::Short, 300).unwrap()
}

#[test]
fn conforms() {
    for (players, goal, longest) in [
        (2, VictoryCondition::Short, 300),
        (3, VictoryCondition::Short, 300),
        (4, VictoryCondition::Short, 300),
        (3, VictoryCondition::Long, 120),
    ] {
        let game = Focus::new(players, goal, longest).unwrap();
        Kit::new()
            .key()
            .move_index()
            .text()
            .text_key()
            .symmetric()
            .any_turn(Focus::hand_turn)
            .draw()
            .effort(2, 60)
            .run(&game)
            .unwrap();
    }
}

/// Two players, rows RRGGRR and GGRRGG in turn; [`Plain`] counts the same.
#[test]
fn perft_of_focus() {
    let game = focus(2);
    let counts: Vec<u64> = (1..=3).map(|d| perft(&game, &game.start(), d)).collect();
    assert_eq!(counts, [68, 4_460, 299_912]);
    let plain: Vec<u64> = (1..=3).map(|d| Plain::start(2).sequences(0, d)).collect();
    assert_eq!(plain, counts);
}

#[test]
fn set_ups() {
    let rows = |players| {
        let game = focus(players);
        let text = game.position_text(&game.start());
        text.split(' ').next().unwrap().to_string()
    };
    assert_eq!(
        rows(2),
        "8/1rrggrr1/1ggrrgg1/1rrggrr1/1ggrrgg1/1rrggrr1/1ggrrgg1/8"
    );
    assert_eq!(
        rows(3),
        "8/1rrggbb1/1ggbbrr1/1bbrrgg1/1rrggbb1/1ggbbrr1/1bbrrgg1/8"
    );
    // Everybody has as many men, and a quarter turn takes those of one player to the next one's.
    let game = focus(4);
    let start = game.start();
    for player in 0..4 {
        let own: Vec<usize> = start.controlled(Player(player)).collect();
        assert_eq!(own.len(), 13);
        let turned = |&square: &usize| (square % SIDE) * SIDE + SIDE - 1 - square / SIDE;
        let mut turned: Vec<usize> = own.iter().map(turned).collect();
        turned.sort_unstable();
        let next: Vec<usize> = start.controlled(Player((player + 1) % 4)).collect();
        assert_eq!(turned, next);
    }
}

/// Three players put their thirteenth men on empty squares before they move anything.
#[test]
fn the_thirteenth_men_come_first() {
    let game = focus(3);
    let mut state = game.start();
    for ply in 0..3 {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert_eq!(moves.len(), 52 - 36 - ply);
        assert!(moves.iter().all(|mv| mv.from == RESERVE));
        game.play(&mut state, moves[0]);
    }
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    assert!(moves.iter().all(|mv| mv.from != RESERVE));
}

/// As in Schadd (2011, figure 6.6): three men of one stack go three squares onto another of three
/// men; of the six the lowest is captured, and what is left of the first stack belongs to the man
/// now on top.
#[test]
fn schadd_figure_6_6() {
    let game = focus(4);
    let position = "8/8/8/(rgrbb)2(rgy)4/8/8/8/8 b";
    let mut state = game.parse_position(position).unwrap();
    let mv = game.parse_move(&state, "a5-d5").unwrap();
    game.play(&mut state, mv);
    assert_eq!(
        game.position_text(&state),
        "8/8/8/(rg)2(gyrbb)4/8/8/8/8 y 0,0,0,0 0,0,0,0;0,0,0,0;1,0,0,0;0,0,0,0 1"
    );
}

/// Own men that are taken away go to the reserve and come back.
#[test]
fn own_men_go_to_the_reserve() {
    let game = focus(2);
    let position = "8/8/8/3(rrrrr)r3/8/8/1g6/8 r";
    let mut state = game.parse_position(position).unwrap();
    let mv = game.parse_move(&state, "e5-d5").unwrap();
    game.play(&mut state, mv);
    assert_eq!(
        game.position_text(&state),
        "8/8/8/3(rrrrr)4/8/8/1g6/8 g 1,0 0,0;0,0 1"
    );
    let mv = game.parse_move(&state, "b2-b3").unwrap();
    game.play(&mut state, mv);
    let mv = game.parse_move(&state, "*b3").unwrap();
    game.play(&mut state, mv);
    assert_eq!(
        game.position_text(&state),
        "8/8/8/3(rrrrr)4/8/1(gr)6/8/8 g 0,0 0,0;0,0 3"
    );
    // Green has nothing to move with.
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    assert_eq!(moves, [PASS]);
    assert_eq!(game.move_text(&state, PASS), "pass");
}

#[test]
fn captured_men_win() {
    // Red captures one more man with c5-d5.
    let wins = |players: usize, captured: &str| {
        let game = focus(players);
        let zeros = vec!["0"; players].join(",");
        let board = "8/8/8/2r(ggggg)4/8/8/8/8 r";
        let mut state = game
            .parse_position(&format!("{board} {zeros} {captured} 10"))
            .unwrap();
        assert_eq!(game.turn(&state), Turn::Player(Player(0)));
        let mv = game.parse_move(&state, "c5-d5").unwrap();
        game.play(&mut state, mv);
        (game.turn(&state) == Turn::Over).then(|| game.payoff(&state, Player(0)))
    };
    assert_eq!(wins(2, "0,4;0,0"), None);
    assert_eq!(wins(2, "0,5;0,0"), Some(1));
    assert_eq!(wins(3, "0,2,2;0,0,0;0,0,0"), None);
    assert_eq!(wins(3, "0,2,3;0,0,0;0,0,0"), Some(2));
    assert_eq!(wins(3, "0,8,1;0,0,0;0,0,0"), Some(2));
    assert_eq!(wins(4, "0,1,2,1;0,0,0,0;0,0,0,0;0,0,0,0"), None);
    assert_eq!(wins(4, "0,1,2,2;0,0,0,0;0,0,0,0;0,0,0,0"), Some(3));
    assert_eq!(wins(4, "0,0,9,0;0,0,0,0;0,0,0,0;0,0,0,0"), Some(3));
}

#[test]
fn after_three_hundred_moves_it_is_a_draw() {
    let game = focus(4);
    let mut state = game
        .parse_position("8/8/8/2r2g2/8/8/8/8 r 0,0,0,0 0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0 299")
        .unwrap();
    let mv = game.parse_move(&state, "c5-d5").unwrap();
    game.play(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over);
    assert!((0..4).all(|player| game.payoff(&state, Player(player)) == 0));
}

#[test]
fn the_long_game_is_won_by_the_last_who_can_move() {
    let game = Focus::new(3, VictoryCondition::Long, 300).unwrap();
    let mut state = game
        .parse_position("8/8/8/2rg4/8/8/8/8 r 0,0,0 0,9,9;0,0,0;0,0,0 9")
        .unwrap();
    let mv = game.parse_move(&state, "c5-d5").unwrap();
    game.play(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(
        [0, 1, 2].map(|p| game.payoff(&state, Player(p))),
        [2, -1, -1]
    );
}

/// Stacks as lists of men and squares by name, written from the rule book.
#[derive(Clone)]
struct Plain {
    players: usize,
    stacks: Vec<Vec<u8>>,
    reserve: Vec<u8>,
    captured: Vec<Vec<u8>>,
}

impl Plain {
    fn is_square(file: i32, rank: i32) -> bool {
        let cut = [(0, 0), (0, 1), (1, 0)];
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside && !cut.contains(&(file.min(7 - file), rank.min(7 - rank)))
    }

    fn start(players: usize) -> Plain {
        let game = focus(players);
        let stacks = game
            .start()
            .stacks
            .iter()
            .map(|stack| stack.men().collect())
            .collect();
        Plain {
            players,
            stacks,
            reserve: vec![u8::from(players == 3); players],
            captured: vec![vec![0; players]; players],
        }
    }

    fn moves(&self, mover: u8, ply: usize) -> Vec<(Option<usize>, usize)> {
        let squares = (0..64).filter(|&s| Plain::is_square(s % 8, s / 8));
        let squares: Vec<usize> = squares.map(|s| s as usize).collect();
        let reserve = self.reserve[usize::from(mover)] > 0;
        let mut moves = Vec::new();
        if self.players == 3 && ply < 3 && reserve {
            let empty = squares.iter().filter(|&&s| self.stacks[s].is_empty());
            return empty.map(|&s| (None, s)).collect();
        }
        for &from in &squares {
            if self.stacks[from].last() != Some(&mover) {
                continue;
            }
            for far in 1..=self.stacks[from].len() as i32 {
                for (across, up) in [(far, 0), (-far, 0), (0, far), (0, -far)] {
                    let (file, rank) = (from as i32 % 8 + across, from as i32 / 8 + up);
                    if Plain::is_square(file, rank) {
                        moves.push((Some(from), (rank * 8 + file) as usize));
                    }
                }
            }
        }
        if reserve {
            moves.extend(squares.iter().map(|&s| (None, s)));
        }
        moves
    }

    fn play(&mut self, mover: u8, (from, to): (Option<usize>, usize)) {
        let moved = match from {
            None => {
                self.reserve[usize::from(mover)] -= 1;
                vec![mover]
            }
            Some(from) => {
                let far = (from % 8).abs_diff(to % 8) + (from / 8).abs_diff(to / 8);
                let left = self.stacks[from].len() - far;
                self.stacks[from].split_off(left)
            }
        };
        self.stacks[to].extend(moved);
        while self.stacks[to].len() > 5 {
            let man = self.stacks[to].remove(0);
            if man == mover {
                self.reserve[usize::from(mover)] += 1;
            } else {
                self.captured[usize::from(mover)][usize::from(man)] += 1;
            }
        }
    }

    /// Sequences of this many moves of players in turn, none of whom has won before.
    fn sequences(&self, ply: usize, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mover = (ply % self.players) as u8;
        let moves = self.moves(mover, ply).into_iter();
        let after = moves.map(|mv| {
            let mut next = self.clone();
            next.play(mover, mv);
            next.sequences(ply + 1, depth - 1)
        });
        after.sum()
    }

    fn wins(&self, player: usize) -> bool {
        let captured = &self.captured[player];
        let all: u8 = captured.iter().sum();
        let of_each = |least| (0..self.players).all(|o| o == player || captured[o] >= least);
        match self.players {
            2 => all >= 6,
            3 => all >= 10 || of_each(3),
            _ => all >= 10 || of_each(2),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn equals_plain_lists_of_men(players in 2usize..=4, seed: u64) {
        let game = focus(players);
        let mut state = game.start();
        let mut plain = Plain::start(players);
        let mut rng = Seed::new(seed).rng();
        for ply in 0.. {
            let Turn::Player(mover) = game.turn(&state) else {
                let last = (ply + players - 1) % players;
                prop_assert!(plain.wins(last) || ply == 300);
                break;
            };
            prop_assert_eq!(mover.index(), ply % players);
            prop_assert!((0..players).all(|player| !plain.wins(player)));
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let pair = |mv: &Move| {
                ((mv.from != RESERVE).then_some(usize::from(mv.from)), usize::from(mv.to))
            };
            let mut listed: Vec<_> = moves.iter().filter(|&&mv| mv != PASS).map(pair).collect();
            let mut expected = plain.moves(mover.0, ply);
            listed.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(&listed, &expected);
            prop_assert_eq!(moves == [PASS], expected.is_empty());
            let mv = moves[rng.random_range(0..moves.len())];
            if mv != PASS {
                plain.play(mover.0, pair(&mv));
            }
            game.play(&mut state, mv);
            for (stack, men) in state.stacks.iter().zip(&plain.stacks) {
                prop_assert_eq!(&stack.men().collect::<Vec<u8>>(), men);
            }
            prop_assert_eq!(&state.reserve[..players], &plain.reserve[..]);
            for player in 0..players {
                prop_assert_eq!(&state.captured[player][..players], &plain.captured[player][..]);
            }
        }
    }
}

#[test]
fn stacks_split_and_join() {
    let stack = [0, 1, 2, 3]
        .iter()
        .fold(Stack::EMPTY, |stack, &man| stack.with(man).unwrap());
    let (rest, moved) = stack.split(3);
    assert_eq!(rest.men().collect::<Vec<_>>(), [0]);
    assert_eq!(moved.men().collect::<Vec<_>>(), [1, 2, 3]);
    let (joined, lost) = stack.under(moved);
    assert_eq!(joined.men().collect::<Vec<_>>(), [2, 3, 1, 2, 3]);
    assert_eq!(lost.men().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(joined.top(), Some(3));
    assert_eq!(joined.with(0), None);
}

/// The evaluation by hand: a stack of green, red, red and a red man: 4 + 9 + 1, and four men to go.
#[test]
fn evaluation_by_hand() {
    let game = focus(3);
    let position = "8/8/8/2(grr)1r3/8/8/8/8 r 0,0,0 0,2,0;0,0,0;0,0,0 9";
    let state = game.parse_position(position).unwrap();
    assert_eq!(Stacks.evaluate(&game, &state, Player(0)), 4 + 9 + 1 - 4_000);
    assert_eq!(Stacks.evaluate(&game, &state, Player(1)), 1 - 6_000);
    let two = focus(2);
    let state = two
        .parse_position("8/8/8/2(grr)1r3/8/8/8/8 r 0,0 0,2;0,0 9")
        .unwrap();
    let value = Stacks.evaluate(&two, &state, Player(0));
    assert_eq!(value, (14 - 4_000) - (1 - 6_000));
    assert_eq!(Stacks.evaluate(&two, &state, Player(1)), -value);
}

#[test]
fn impossible_games_and_positions_are_refused() {
    for players in [0, 1, 5] {
        let error = Focus::new(players, VictoryCondition::Short, 300)
            .err()
            .unwrap();
        assert!(error.to_string().contains("two, three or four"));
    }
    let game = focus(2);
    let error = |text: &str| game.parse_position(text).err().unwrap().to_string();
    assert!(error("r7/8/8/8/8/8/8/8 r").contains("a8"));
    assert!(error("8/8/8/(rrrrrr)7/8/8/8/8 r").contains("five"));
    assert!(error("8/8/8/b7/8/8/8/8 r").contains("'r', 'g'"));
    assert!(error("8/8/8/8/8/8/8/8 r 19,0").contains("18"));
    assert!(error("8/8/8/8/8/8/8/8 r 0,0 0,6;6,0").contains("several"));
    assert!(error("8/8/8/8/8/8/8/8 r 0,0 1,0;0,0").contains("own colour"));
    assert!(error("8/8/8/8/8/8/8/8 r 0,0 0,0;0,0 301").contains("300"));
    assert!(error("8/8/8/9/8/8/8/8 r").contains("row 5"));
}
