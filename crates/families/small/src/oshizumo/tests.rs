use std::collections::HashSet;

use super::*;
use tabia_game::Seed;
use tabia_kit::Kit;

#[test]
fn conforms() {
    for (coins, fields, minimum) in [(1, 1, 1), (6, 1, 1), (9, 3, 2), (20, 2, 3), (100, 20, 1)] {
        let kit = Kit::new().effort(6, 40).two_player().key().move_index();
        let kit = kit.text().text_key().draw().hidden();
        let game = OshiZumo::new(coins, fields, minimum);
        kit.simultaneous().settled().run(&game).unwrap();
    }
}

fn after(game: &OshiZumo, bids: &[u8]) -> State {
    let mut state = game.start();
    for &bid in bids {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert!(moves.contains(&bid), "{bid} in {state:?}");
        game.play(&mut state, bid);
    }
    state
}

/// Both bids are paid, equal ones move nothing, and the wrestler decides.
#[test]
fn bids_push_the_wrestler() {
    let game = OshiZumo::new(6, 1, 2);
    let state = after(&game, &[2, 2, 3]);
    assert_eq!(game.position_text(&state), "4/4 0 bid=3");
    let state = after(&game, &[2, 2, 3, 2]);
    assert_eq!(game.position_text(&state), "1/2 +1");
    // The first player has less than the minimum and bids nothing.
    let state = after(&game, &[2, 2, 3, 2, 0, 2]);
    assert_eq!(game.position_text(&state), "1/0 0");
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.payoff(&state, Player::FIRST), 0);
    // Pushed off the board although coins are left.
    let state = after(&game, &[2, 3, 2, 3]);
    assert_eq!(game.position_text(&state), "2/0 -2");
    assert_eq!(game.turn(&state), Turn::Over);
    let payoffs = [Player::FIRST, Player::SECOND].map(|player| game.payoff(&state, player));
    assert_eq!(payoffs, [-1, 1]);
}

/// The second player does not see what the first has bid, and any bid may be it.
#[test]
fn bids_are_secret() {
    let game = OshiZumo::new(5, 3, 2);
    let state = after(&game, &[4]);
    let seen = game.observe(&game.start(), &[4], Player::SECOND);
    assert_eq!(game.view_text(seen.view()), "5/5 0 bid=?");
    let drawn = (0..80).map(|seed| game.sample_state(&seen, &mut Seed::new(seed).rng()).bid);
    assert_eq!(drawn.collect::<HashSet<_>>(), HashSet::from([3, 4, 5, 6]));
    let own = game.observe(&game.start(), &[4], Player::FIRST);
    assert_eq!(game.sample_state(&own, &mut Seed::new(1).rng()), state);
    let both = game.observe(&game.start(), &[4, 3], Player::SECOND);
    let words: Vec<String> = both.signals().iter().map(|s| game.signal_text(s)).collect();
    assert_eq!(words, ["?", "4:3"]);
}

#[test]
fn impossible_positions_are_refused() {
    let game = OshiZumo::new(5, 2, 2);
    let why = |text: &str| game.parse_position(text).unwrap_err().to_string();
    assert!(why("").contains("the coins of both players"));
    assert!(why("5 0").contains("joined by '/'"));
    assert!(why("6/5 0").contains("0 to 5"));
    assert!(why("5/5 4").contains("-3 to +3"));
    for text in ["5/5 0 bid=1", "1/5 0 bid=1", "5/5 3 bid=2", "5/5 0 2"] {
        assert!(why(text).contains("cannot have bid"), "{text}");
    }
}
