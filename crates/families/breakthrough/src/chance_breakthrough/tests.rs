use super::*;
use tabia_kit::Kit;

#[test]
fn conforms() {
    for (width, height, filled) in [(2, 4, 1), (3, 5, 1), (2, 5, 2), (8, 8, 2)] {
        let game = ChanceBreakthrough::<u64>::new(width, height, filled).unwrap();
        let kit = Kit::new().two_player().chance().key().move_index();
        kit.text().text_key().draw().run(&game).unwrap();
    }
}

/// Schadd (2011, section 5.4.1): 22 moves and the roll, which has 33 outcomes at the start, 32 of
/// probability 1/64 and nothing with 32/64.
#[test]
fn schadd_5_4_the_start_and_its_roll() {
    let game = ChanceBreakthrough::<u64>::new(8, 8, 2).unwrap();
    let mut state = game.start();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    assert_eq!(moves.len(), 23);
    game.play(&mut state, Move::Roll);
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    assert_eq!(outcomes.len(), 33);
    let hits = outcomes
        .iter()
        .filter(|&&(mv, weight)| mv != Move::Miss && weight == 1);
    assert_eq!(hits.count(), 32);
    assert!(outcomes.contains(&(Move::Miss, 32)));
}

#[test]
fn a_roll_may_lose_the_last_piece() {
    let game = ChanceBreakthrough::<u64>::new(3, 4, 1).unwrap();
    let mut state = game.parse_position("b2/3/3/w2 w roll").unwrap();
    let old = game.play(&mut state, Move::Hit(0));
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.payoff(&state, Player::FIRST), -1);
    game.undo(&mut state, old);
    game.play(&mut state, Move::Hit(9));
    assert_eq!(game.payoff(&state, Player::FIRST), 1);
    let mut again = game.parse_position("b2/3/3/w2 w roll").unwrap();
    game.play(&mut again, Move::Miss);
    assert_eq!(game.position_text(&again), "b2/3/3/w2 b");
}

#[test]
fn the_evaluation_counts_pieces_and_ranks() {
    let game = ChanceBreakthrough::<u64>::new(4, 6, 1).unwrap();
    let state = game.parse_position("1bbb/4/w3/4/4/1www w").unwrap();
    // Four pieces against three, and three ranks: 350 of 1500.
    let value = PiecesAndRank.evaluate(&game, &state, Player::FIRST);
    assert_eq!(value, 350 * (CERTAIN / 1500));
    assert_eq!(
        PiecesAndRank.evaluate(&game, &state, Player::SECOND),
        -value
    );
}

/// Ways to place at most `most` pieces of each side on a board whose first and last row, of `width`
/// squares each, belong to one side alone, with `shared` squares between them.
fn placements(width: u128, shared: u128, most: u128) -> u128 {
    let choose = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let mut sum = 0;
    for (own, other) in (0..=width).flat_map(|i| (0..=width).map(move |j| (i, j))) {
        for white in 0..=shared.min(most.saturating_sub(own)) {
            for black in 0..=(shared - white).min(most.saturating_sub(other)) {
                if own <= most && other <= most {
                    let behind = choose(width, own) * choose(width, other);
                    sum += behind * choose(shared, white) * choose(shared - white, black);
                }
            }
        }
    }
    sum
}

/// Schadd (2011, section 5.4.3): the number of positions, about 10^25. On 2x4 the formula is what
/// counting one by one gives.
#[test]
fn schadd_5_4_number_of_positions() {
    let owners = |code: u32, square: u32| code / 3u32.pow(square) % 3;
    let mut counted = 0;
    for code in 0..3u32.pow(8) {
        let pieces = |side| {
            (0..8)
                .filter(|&square| owners(code, square) == side)
                .count()
        };
        let private = (0..2).all(|s| owners(code, s) != 2) && (6..8).all(|s| owners(code, s) != 1);
        counted += u128::from(private && pieces(1) <= 2 && pieces(2) <= 2);
    }
    assert_eq!(placements(2, 4, 2), counted);
    assert_eq!(placements(8, 48, 16), 39_755_670_348_077_029_794_725_914);
}
