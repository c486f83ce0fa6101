//! Lines of Action against a plain implementation on an array of squares.

#[path = "support/plain_loa.rs"]
mod plain_loa;

use std::collections::BTreeSet;

use plain_loa::{COLOURS, EMPTY, Plain, Standing};
use rand::Rng;
use tabia_connection::loa::{Both, Loa, Move, State};
use tabia_game::{Game, GameRng, Player, Seed, Text, Turn, perft};

fn both(wins: bool) -> Both {
    if wins { Both::Mover } else { Both::Draw }
}

fn below(rng: &mut GameRng, bound: usize) -> usize {
    rng.next_u32() as usize % bound
}

/// The standing as the library sees it.
fn standing(game: &Loa, state: &State) -> Standing {
    match (game.turn(state), game.payoff(state, Player::FIRST)) {
        (Turn::Over, 1) => Standing::Won(0),
        (Turn::Over, -1) => Standing::Won(1),
        (Turn::Over, _) => Standing::Drawn,
        _ => Standing::Open,
    }
}

/// Compares standing and moves, and returns the moves as the library lists them.
fn compare(game: &Loa, state: &State, plain: &Plain) -> Vec<Move> {
    let text = plain.text();
    assert_eq!(standing(game, state), plain.standing(), "{text}");
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut expected: BTreeSet<(usize, usize)> = BTreeSet::new();
    if plain.standing() == Standing::Open {
        expected.extend(
            plain
                .steps()
                .iter()
                .map(|&((file, rank), (x, y))| (8 * rank + file, 8 * y + x)),
        );
        if expected.is_empty() {
            assert_eq!(moves, [Move::PASS], "{text}");
            return moves;
        }
    }
    let listed: BTreeSet<_> = moves.iter().map(|mv| (mv.from(), mv.to())).collect();
    assert_eq!(listed, expected, "{text}");
    assert_eq!(moves.len(), listed.len(), "{text}");
    moves
}

fn play(plain: &mut Plain, mv: Move) {
    let place = |square: usize| (square % 8, square / 8);
    plain.play((mv != Move::PASS).then(|| (place(mv.from()), place(mv.to()))));
}

#[test]
fn random_games_agree() {
    for number in 0..200 {
        let mut rng = Seed::new(1).number(number).rng();
        let game = Loa::new(both(number % 2 == 1));
        let mut plain = Plain::start(number % 2 == 1);
        let mut state = game.start();
        for _ in 0..150 {
            let moves = compare(&game, &state, &plain);
            if moves.is_empty() {
                break;
            }
            let mv = moves[below(&mut rng, moves.len())];
            game.play(&mut state, mv);
            play(&mut plain, mv);
        }
    }
}

/// Any number of pieces, spread over the board or crowded into a corner of it, so that full
/// lines, connected sides and players without a move all occur; then every reply to them.
#[test]
fn random_set_ups_agree() {
    let (mut passes, mut connecting_both) = (0, 0);
    for number in 0..12_000 {
        let mut rng = Seed::new(2).number(number).rng();
        let both_wins = number % 2 == 1;
        let game = Loa::new(both(both_wins));
        let mut plain = Plain {
            squares: [[EMPTY; 8]; 8],
            mover: below(&mut rng, 2),
            both_wins,
        };
        let (width, height) = (4 + below(&mut rng, 5), 4 + below(&mut rng, 5));
        for colour in COLOURS {
            for _ in 0..1 + below(&mut rng, 12) {
                let square = &mut plain.squares[below(&mut rng, height)][below(&mut rng, width)];
                if *square == EMPTY {
                    *square = colour;
                }
            }
        }
        let Ok(mut state) = game.parse_position(&plain.text()) else {
            continue;
        };
        let moves = compare(&game, &state, &plain);
        passes += usize::from(moves == [Move::PASS]);
        for mv in moves {
            let mut child = plain.clone();
            play(&mut child, mv);
            let token = game.play(&mut state, mv);
            compare(&game, &state, &child);
            connecting_both += usize::from(COLOURS.iter().all(|&c| child.is_connected(c)));
            game.undo(&mut state, token);
        }
    }
    assert!(connecting_both > 20, "only {connecting_both} times");
    assert!(passes > 0, "nobody had to pass");
}

#[test]
fn perft_agrees() {
    let game = Loa::new(Both::Draw);
    let expected = [36, 1_244, 44_952, 1_563_208];
    for (depth, leaves) in (1..).zip(expected) {
        assert_eq!(perft(&game, &game.start(), depth), leaves);
        assert_eq!(Plain::start(false).perft(depth), leaves);
    }
    assert_eq!(perft(&game, &game.start(), 5), 55_963_132);
}
