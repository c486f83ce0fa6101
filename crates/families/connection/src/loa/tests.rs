use super::*;
use rand::RngExt;
use tabia_game::Seed;
use tabia_game::{Draw, Path, Text, TextError, perft};
use tabia_kit::Kit;

fn draw() -> Loa {
    Loa::new(Both::Draw)
}

pub(super) fn position(text: &str) -> State {
    draw().parse_position(text).unwrap()
}

pub(super) fn list(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    draw().moves(state, &mut moves);
    moves
}

fn square(name: &str) -> usize {
    let bytes = name.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(bytes[1] - b'1')
}

pub(super) fn board(squares: &str) -> Board {
    squares
        .split(' ')
        .fold(0, |board, name| board | 1 << square(name))
}

#[test]
fn conforms() {
    for both in [Both::Draw, Both::Mover] {
        Kit::new()
            .two_player()
            .key()
            .move_index()
            .text()
            .text_key()
            .symmetric()
            .draw()
            .effort(12, 80)
            .run(&Loa::new(both))
            .unwrap();
    }
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 32);
}

/// The plain rules of `tests/loa_reference.rs` count the same.
#[test]
fn perft_from_the_start() {
    let leaves = [1, 2, 3, 4].map(|depth| perft(&draw(), &draw().start(), depth));
    assert_eq!(leaves, [36, 1_244, 44_952, 1_563_208]);
}

/// Winands et al. (2004, section 2): 1456 of the 4096 pairs of squares are moves. Each is one on
/// a board where own pieces fill the squares in between.
#[test]
fn section_2_1456_move_indices_are_used() {
    let mut indices = std::collections::BTreeSet::new();
    for from in 0..64i32 {
        for (dx, dy) in [
            (1, 0),
            (0, 1),
            (1, 1),
            (1, -1),
            (-1, 0),
            (0, -1),
            (-1, -1),
            (-1, 1),
        ] {
            let mut own = 0;
            for distance in 0..8 {
                let (file, rank) = (from % 8 + distance * dx, from / 8 + distance * dy);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let to = (8 * rank + file) as usize;
                if distance > 0 {
                    let mut moves = Vec::new();
                    moves::list(own, 0, &mut moves);
                    let mv = Move::new(from as usize, to);
                    assert!(moves.contains(&mv), "{from} to {to}");
                    assert_eq!((mv.from(), mv.to()), (from as usize, to));
                    assert!(indices.insert(draw().move_index(mv)));
                }
                own |= 1 << to;
            }
        }
    }
    assert_eq!(indices.len(), 1456);
    assert!(!indices.contains(&draw().move_index(Move::PASS)));
}

/// Winands et al. (2004, figure 1a), corrected: a1-h8 is legal if and only if seven pieces stand
/// on the long diagonal and none of b2 to g7 is an enemy. Besides seven own pieces with h8 empty
/// these are the six cases of an enemy on h8 and one gap.
#[test]
fn figure_1a_the_long_diagonal() {
    let mut legal = 0;
    for pattern in 0..3u32.pow(7) {
        let digits: Vec<u32> = (0..7).map(|i| pattern / 3u32.pow(i) % 3).collect();
        let mut pieces = [board("a1 a8 h1"), board("a4 a6")];
        for (i, &digit) in digits.iter().enumerate() {
            if digit > 0 {
                pieces[digit as usize - 1] |= 1 << (9 * (i + 1));
            }
        }
        let state = draw().set_up(pieces, Player::FIRST);
        let expected = digits.iter().filter(|&&digit| digit > 0).count() == 6
            && digits[..6].iter().all(|&digit| digit != 2)
            && digits[6] != 1;
        let found = list(&state).contains(&Move::new(0, 63));
        assert_eq!(found, expected, "{digits:?}");
        legal += u32::from(found);
    }
    assert_eq!(legal, 7);
}

#[test]
fn a_player_without_a_move_passes() {
    let mut state = position("6wb/6ww/8/8/8/8/ww6/bw6 b");
    assert_eq!(list(&state), [Move::PASS]);
    assert_eq!(draw().move_text(&state, Move::PASS), "pass");
    assert_eq!(draw().parse_move(&state, "Pass"), Ok(Move::PASS));
    assert!(draw().picture(&state, Some(Move::PASS)).marks.is_empty());
    let before = state;
    draw().play(&mut state, Move::PASS);
    assert_eq!(state, position("6wb/6ww/8/8/8/8/ww6/bw6 w"));
    draw().undo(&mut state, before);
    assert_eq!(state, before);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let game = draw();
    let mut state = game.start();
    let mut path = Path::new();
    let mut occurrences = vec![path.push(game.key(&state))];
    for text in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"].repeat(2) {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
        occurrences.push(path.push(game.key(&state)));
    }
    assert_eq!(state, game.start());
    assert_eq!(occurrences, [1, 1, 1, 1, 2, 2, 2, 2, 3]);
    assert!(!game.repetition().is_draw(2) && game.repetition().is_draw(3));
}

fn outcome_after(both: Both, text: &str, mv: &str) -> Outcome {
    let game = Loa::new(both);
    let mut state = game.parse_position(text).unwrap();
    let mv = game.parse_move(&state, mv).unwrap();
    game.play(&mut state, mv);
    state.outcome
}

#[test]
fn the_three_ways_a_game_ends() {
    let (black, white) = (Outcome::Won(Player::FIRST), Outcome::Won(Player::SECOND));
    for both in [Both::Draw, Both::Mover] {
        let quiet = "8/8/8/b7/7w/w7/b7/7w w";
        assert_eq!(outcome_after(both, quiet, "a3-b3"), Outcome::Open);
        let own = "8/8/8/8/3b3w/w7/b7/b7 b";
        assert_eq!(outcome_after(both, own, "d4-b2"), black);
        let gift = "7b/8/8/8/8/w7/8/b6w b";
        assert_eq!(outcome_after(both, gift, "a1xa3"), white);
    }
    let double = "8/8/8/8/8/w7/b7/2b4w b";
    assert_eq!(outcome_after(Both::Draw, double, "c1xa3"), Outcome::Drawn);
    assert_eq!(outcome_after(Both::Mover, double, "c1xa3"), black);
}

#[test]
fn set_up_positions_are_judged_by_what_is_connected() {
    let outcome = |both, text| Loa::new(both).parse_position(text).unwrap().outcome;
    let (black, white) = (Outcome::Won(Player::FIRST), Outcome::Won(Player::SECOND));
    assert_eq!(outcome(Both::Draw, "b7/8/8/8/8/8/8/w6w w"), black);
    assert_eq!(outcome(Both::Draw, "b7/8/8/8/8/8/8/w6w b"), black);
    assert_eq!(outcome(Both::Draw, "b6b/8/8/8/8/8/8/ww6 b"), white);
    assert_eq!(outcome(Both::Draw, "b7/8/8/8/8/8/8/7w b"), Outcome::Drawn);
    assert_eq!(outcome(Both::Mover, "b7/8/8/8/8/8/8/7w b"), white);
    assert_eq!(outcome(Both::Mover, "b7/8/8/8/8/8/8/7w w"), black);
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    let error = |text: &str| -> String {
        let refused: Result<State, TextError> = draw().parse_position(text);
        refused.unwrap_err().to_string()
    };
    assert!(error("8/8/8/8/8/8/8/w6w b").contains("Black has 0"));
    assert!(error("bbbbbbbb/bbbbb3/8/8/8/8/8/w6w b").contains("Black has 13"));
    assert!(error("b6b/8/8/8/8/8/8/8 b").contains("White has 0"));
    assert!(error("b6b/8/8/8/8/8/8/w6w x y").contains("'y' is too much"));
    assert!(error("").contains("0 rows"));
}

#[test]
fn black_moves_unless_the_position_says_otherwise() {
    let board = "b6b/8/8/8/8/8/8/w6w";
    assert_eq!(position(board), position(&format!("{board} b")));
}

#[test]
fn captures_are_written_with_an_x() {
    let state = position("8/8/8/4b3/7w/w7/b7/2b4w b");
    let mv = draw().parse_move(&state, "c1-a3").unwrap();
    assert_eq!(draw().move_text(&state, mv), "c1xa3");
    let error = draw().parse_move(&state, "c1-c3").unwrap_err().to_string();
    assert!(error.contains("legal are"), "{error}");
}

/// A drawn move is the one that a list of all moves has at the same random place.
#[test]
fn moves_are_drawn_as_from_a_list() {
    let game = draw();
    let (mut drawn, mut listed) = (Seed::new(1).rng(), Seed::new(1).rng());
    let mut moves = Vec::new();
    let stuck = position("6wb/6ww/8/8/8/8/ww6/bw6 b");
    assert_eq!(list(&stuck), [Move::PASS]);
    for number in 0..200 {
        let start = if number == 0 { stuck } else { game.start() };
        let (mut state, mut plies) = (start, 0);
        while game.turn(&state) != Turn::Over && plies < 200 {
            moves.clear();
            game.moves(&state, &mut moves);
            let mut expected = state;
            game.play(&mut expected, moves[listed.random_range(0..moves.len())]);
            let played = game.play_at_random(&mut state, 1, &mut Vec::new(), &mut drawn);
            assert_eq!((played, state), (1, expected));
            plies += 1;
        }
    }
}
