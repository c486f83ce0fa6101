use super::*;
use tabia_game::conformance::Kit;

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
