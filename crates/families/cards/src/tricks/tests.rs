use std::collections::HashSet;

use proptest::prelude::*;
use rand::RngExt;
use tabia_game::{Game, Hidden, Imperfect, Information, Key, Perfect, Player, Seed, Text, Turn};
use tabia_kit::Kit;

use super::reference::PlainGame;
use super::*;

fn table(players: usize, cards: u32, seed: u64) -> TrickSettings {
    TrickSettings::new(players, cards, seed)
}

/// Every table there is, in small.
fn tables() -> Vec<TrickSettings> {
    let mut all = Vec::new();
    for (players, cards) in [(3, 1), (3, 5), (3, 17), (4, 4), (4, 13)] {
        for lead in [Lead::First, Lead::LowestClub] {
            all.push(TrickSettings {
                lead,
                broken: all.len() % 3 > 0,
                ..table(players, cards, all.len() as u64)
            });
        }
    }
    all
}

fn kit<S: TrickRules, I: Information + 'static>() -> Kit<Tricks<S, I>> {
    Kit::new()
        .effort(2, 24)
        .key()
        .move_index()
        .text()
        .text_key()
        .draw()
}

#[test]
fn conforms() {
    for table in tables() {
        for (moon, first) in [(true, false), (false, true)] {
            let rules = HeartsRules { moon, first };
            kit()
                .run(&Hearts::<Perfect>::new(table, rules).unwrap())
                .unwrap();
            let hidden = Hearts::<Imperfect>::new(table, rules).unwrap();
            kit().hidden().run(&hidden).unwrap();
        }
        for (count, bags) in [(Count::Tricks, 0), (Count::Score, 10), (Count::Score, 1)] {
            let rules = SpadesRules { count, bags };
            kit()
                .run(&Spades::<Perfect>::new(table, rules).unwrap())
                .unwrap();
            let hidden = Spades::<Imperfect>::new(table, rules).unwrap();
            kit().hidden().run(&hidden).unwrap();
        }
    }
}

/// The merged game is a game of its own.
#[test]
fn merged_games_conform() {
    fn conforms<S: TrickRules>(game: Tricks<S, Perfect>) {
        let kit = Kit::new().effort(6, 40).key().move_index();
        kit.run(&Merged(game)).unwrap();
    }
    conforms(Hearts::new(table(3, 6, 1), HeartsRules::PLAIN).unwrap());
    conforms(Spades::new(table(4, 5, 1), SpadesRules::TRICKS).unwrap());
}

#[test]
fn impossible_tables_are_refused() {
    let wrong = |players, cards| {
        let made = Spades::<Perfect>::new(table(players, cards, 0), SpadesRules::TRICKS);
        made.map(|_| ()).unwrap_err().to_string()
    };
    assert!(wrong(2, 5).contains("three or four"));
    assert!(wrong(5, 5).contains("three or four"));
    assert!(wrong(3, 18).contains("1 to 17"));
    assert!(wrong(4, 14).contains("1 to 13"));
    assert!(wrong(4, 0).contains("1 to 13"));
}

#[test]
fn impossible_deals_are_refused() {
    let game = Hearts::<Imperfect>::new(table(3, 5, 0), HeartsRules::PLAIN).unwrap();
    let why = |text: &str| game.parse_position(text).unwrap_err().to_string();
    assert!(why("").contains("no hands"));
    assert!(why("A.../K...").contains("2 hand(s) for 3 players"));
    assert!(why("A.../K.../A...").contains("AS is in hand 3"));
    assert!(why("A5.../K.../Q...").contains("player 2 holds 1 card(s) where 2 belong"));
    assert!(why("A.../K.../Q... 4").contains("1 to 3"));
    assert!(why("A.../K.../Q... 1 trick=AS").contains("AS is in the trick"));
    assert!(why("A.../K.../Q... 1 trick=XX").contains("no card such as QS"));
    assert!(why("A.../K.../Q... 1 trick=2S,3S,4S").contains("more than 2 cards"));
    assert!(why("5.../2H.../Q... 1").contains("'H'"));
    assert!(why("5.../.2.4./Q... 1 trick=AD").contains("player 3 holds 1 card(s) where 2 belong"));
    assert!(why("A.../K.../Q... 1 taken=1/0").contains("2 number(s)"));
    assert!(why("A.../K.../Q... 1 taken=27/0/0").contains("0 to 26"));
    assert!(why("A.../K.../Q... 1 taken=1/0/0").contains("makes 0"));
    assert!(why("A.../K.../Q... 1 voids=S/-/-").contains("holds cards of S"));
    assert!(why("A.../K.../Q... 1 gone=5...").contains("no whole tricks"));
    assert!(why("A.../K.../Q... 1 bids=1/1/1").contains("means nothing"));
    assert!(why("A.../K.../Q... 1 first first").contains("means nothing"));
    assert!(why("A.../K.../Q... 1 gone=... gone=...").contains("twice"));
    let open = Hearts::<Perfect>::new(table(3, 5, 0), HeartsRules::PLAIN).unwrap();
    let error = open.parse_position("A.../K.../Q... 1 taken=20/0/0");
    assert!(error.unwrap_err().to_string().contains("no more than 13"));
    let error = open.parse_position("A..5./.3.4./Q42... 1 trick=AD,AH");
    assert!(error.unwrap_err().to_string().contains("had to be played"));
}

/// The deal that Sturtevant's experiments are checked with.
const DEAL: &str = "A5.9.3.7/Q.K2.6.4/87.J.8.9 1";

/// Nodes of the whole tree, and the different positions among them.
fn count<S: TrickRules>(
    game: &Tricks<S, Perfect>,
    state: &State,
    merged: bool,
    seen: &mut HashSet<State>,
) -> u64 {
    seen.insert(*state);
    let cards = match merged {
        true => game.distinct(state),
        false => game.legal(state),
    };
    let below = cards.iter().map(|card| {
        let mut child = *state;
        game.play(&mut child, card);
        count(game, &child, merged, seen)
    });
    1 + below.sum::<u64>()
}

/// The value by max^n, where everybody prefers more for themselves and then the lexicographically
/// larger vector.
fn value<S: TrickRules>(
    game: &Tricks<S, Perfect>,
    state: &State,
    merged: bool,
) -> [i32; MAX_PLAYERS] {
    let Turn::Player(player) = game.turn(state) else {
        return std::array::from_fn(|seat| match seat < game.players() {
            true => game.payoff(state, Player(seat as u8)),
            false => 0,
        });
    };
    let cards = match merged {
        true => game.distinct(state),
        false => game.legal(state),
    };
    let values = cards.iter().map(|card| {
        let mut child = *state;
        game.play(&mut child, card);
        value(game, &child, merged)
    });
    values
        .max_by_key(|value| (value[player.index()], *value))
        .unwrap()
}

#[test]
fn derived_deal_hearts() {
    let game = Hearts::<Perfect>::new(table(3, 5, 0), HeartsRules::PLAIN).unwrap();
    let state = game.parse_position(DEAL).unwrap();
    let mut seen = HashSet::new();
    assert_eq!(count(&game, &state, false, &mut seen), 8_694);
    assert_eq!(seen.len(), 2_127);
    seen.clear();
    assert_eq!(count(&game, &state, true, &mut seen), 4_451);
    assert_eq!(seen.len(), 1_392);
    assert_eq!(value(&game, &state, false), [0, -14, -3, 0]);
    assert_eq!(value(&game, &state, true), [0, -14, -3, 0]);
}

#[test]
fn derived_deal_spades() {
    let game = Spades::<Perfect>::new(table(3, 5, 0), SpadesRules::TRICKS).unwrap();
    let state = game.parse_position(DEAL).unwrap();
    let mut seen = HashSet::new();
    assert_eq!(count(&game, &state, false, &mut seen), 8_750);
    assert_eq!(seen.len(), 2_311);
    assert_eq!(value(&game, &state, false), [2, 1, 2, 0]);
    assert_eq!(value(&game, &state, true), [2, 1, 2, 0]);
}

/// Walks a game beside the plain implementation.
fn walk<S: TrickRules, I: Information>(game: &Tricks<S, I>, plain: &PlainGame, seed: u64) {
    let letters = |card: Card| {
        let text: Vec<char> = card.to_string().chars().collect();
        (text[0], text[1])
    };
    let mut plain = plain.clone();
    let mut state = game.start();
    let players = game.players();
    plain.hands = (0..players)
        .map(|seat| state.hands[seat].iter().map(letters).collect())
        .collect();
    plain.won = vec![Vec::new(); players];
    plain.begin();
    let mut rng = Seed::new(seed).rng();
    while let Turn::Player(player) = game.turn(&state) {
        assert!(!plain.is_over());
        assert_eq!(player.index(), plain.turn);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let ours: HashSet<_> = moves.iter().map(|&card| letters(card)).collect();
        let theirs: HashSet<_> = plain.legal().into_iter().collect();
        assert_eq!(ours, theirs, "in {}", game.position_text(&state));
        let card = moves[rng.random_range(0..moves.len())];
        game.play(&mut state, card);
        plain.play(letters(card));
        for seat in 0..players {
            let expected = if plain.spades {
                plain.tricks(seat)
            } else {
                plain.points(seat)
            };
            assert_eq!(i32::from(state.taken[seat]), expected);
            let (least, most) = game.payoff_range(&state, Player(seat as u8));
            assert!(least <= most);
        }
    }
    assert!(plain.is_over());
    for seat in 0..players {
        let player = Player(seat as u8);
        let payoff = game.payoff(&state, player);
        assert_eq!(game.payoff_range(&state, player), (payoff, payoff));
        if !plain.spades {
            assert_eq!(payoff, plain.hearts_payoff(seat));
        }
    }
    let payoffs = (0..players).map(|seat| game.payoff(&state, Player(seat as u8)));
    if let Some(sum) = game.payoff_total(&state) {
        assert_eq!(payoffs.sum::<i32>(), sum);
    }
}

#[test]
fn plays_like_the_plain_implementation() {
    for (number, table) in tables().into_iter().enumerate() {
        for seed in 0..8 {
            let table = TrickSettings {
                seed: 100 * number as u64 + seed,
                ..table
            };
            let plain = |spades, moon, first_rule| PlainGame {
                spades,
                moon,
                broken_rule: table.broken,
                first_rule,
                club_rule: table.lead == Lead::LowestClub,
                hands: Vec::new(),
                table: Vec::new(),
                turn: 0,
                won: Vec::new(),
            };
            for (moon, first) in [(false, false), (true, true)] {
                let rules = HeartsRules { moon, first };
                let open = Hearts::<Perfect>::new(table, rules).unwrap();
                walk(&open, &plain(false, moon, first), seed);
                let hidden = Hearts::<Imperfect>::new(table, rules).unwrap();
                walk(&hidden, &plain(false, moon, first), seed);
            }
            let open = Spades::<Perfect>::new(table, SpadesRules::TRICKS).unwrap();
            walk(&open, &plain(true, false, false), seed);
        }
    }
}

proptest! {
    /// What is known of the future at a glance holds at the end of the game: ranges contain
    /// payoffs, sums are kept.
    #[test]
    fn ranges_and_sums_hold(seed in any::<u64>(), moon in any::<bool>(), score in any::<bool>()) {
        let count = if score { Count::Score } else { Count::Tricks };
        let spades = SpadesRules { count, bags: 2 };
        let hearts = HeartsRules { moon, first: false };
        let table = table(3, 5, seed);
        check_ranges(&Spades::<Perfect>::new(table, spades).unwrap(), seed, true);
        check_ranges(&Hearts::<Perfect>::new(table, hearts).unwrap(), seed, !moon);
    }

    /// Merging cards leaves the value as it is, and positions with the same future have the same
    /// gains.
    #[test]
    fn merging_and_keys_keep_values(seed in any::<u64>()) {
        check_future(&Hearts::<Perfect>::new(table(3, 4, seed), HeartsRules::PLAIN).unwrap());
        check_future(&Spades::<Perfect>::new(table(3, 4, seed), SpadesRules::TRICKS).unwrap());
        check_future(&Hearts::<Perfect>::new(table(4, 3, seed), HeartsRules::PLAIN).unwrap());
    }
}

fn check_ranges<S: TrickRules>(game: &Tricks<S, Perfect>, seed: u64, exact: bool) {
    let mut rng = Seed::new(seed).rng();
    let mut state = game.start();
    let mut before = vec![state];
    while game.turn(&state) != Turn::Over {
        let cards: Vec<Card> = game.legal(&state).iter().collect();
        game.play(&mut state, cards[rng.random_range(0..cards.len())]);
        before.push(state);
    }
    let payoffs: Vec<i32> = (0..3)
        .map(|seat| game.payoff(&state, Player(seat)))
        .collect();
    for earlier in before {
        for (seat, &payoff) in payoffs.iter().enumerate() {
            let (least, most) = game.payoff_range(&earlier, Player(seat as u8));
            assert!((least..=most).contains(&payoff));
        }
        if let Some(total) = game.payoff_total(&earlier) {
            let sum = payoffs.iter().sum::<i32>();
            assert!(if exact { sum == total } else { sum <= total });
        }
    }
}

/// Values without merging are those with it, and equal keys mean equal gains.
fn check_future<S: TrickRules>(game: &Tricks<S, Perfect>) {
    let mut known = std::collections::HashMap::new();
    let mut trees = std::collections::HashMap::new();
    let mut all = HashSet::new();
    count(game, &game.start(), false, &mut all);
    assert_eq!(
        value(game, &game.start(), false),
        value(game, &game.start(), true)
    );
    for state in all.into_iter().filter(|state| state.held().len() <= 7) {
        let mut gains = value(game, &state, false);
        for (gain, &taken) in gains.iter_mut().zip(&state.taken) {
            *gain -= if S::WANTED {
                i32::from(taken)
            } else {
                -i32::from(taken)
            };
        }
        let nodes = count(game, &state, true, &mut HashSet::new());
        let old = trees.insert(game.tree_key(&state), (gains, nodes));
        assert!(old.is_none_or(|old| old == (gains, nodes)));
        let key = game.future_key(&state).expect("payoffs add up");
        let old = known.insert(key, gains);
        assert!(
            old.is_none_or(|old| old == gains),
            "{}",
            game.position_text(&state)
        );
    }
}

#[test]
fn hidden_hands_stay_hidden() {
    let game = Hearts::<Imperfect>::new(table(4, 13, 3), HeartsRules::PLAIN).unwrap();
    let state = game.start();
    let seen = game.observe(&state, &[], Player(2));
    let mut others = HashSet::new();
    for seed in 0..50 {
        let sampled = game.sample_state(&seen, &mut Seed::new(seed).rng());
        assert_eq!(sampled.hands[2], state.hands[2]);
        others.insert(sampled.hands[0]);
    }
    assert!(others.len() > 40);
    let text = tabia_game::picture::terminal::render(
        &game.picture_for(seen.view(), None),
        tabia_game::picture::terminal::Style::Plain,
    );
    assert_eq!(text.matches('?').count(), 39);
    let own = state.hands[2].to_string();
    let text = game.view_text(seen.view());
    assert_eq!(text, format!("?13/?13/{own}/?13 1"));
}

/// Whoever has shown to have none of a suit is dealt none of it.
#[test]
fn shown_voids_are_respected() {
    let mut shown = 0;
    for seed in 0..8 {
        let game = Hearts::<Imperfect>::new(table(3, 8, seed), HeartsRules::PLAIN).unwrap();
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        while let Turn::Player(player) = game.turn(&state) {
            let seen = game.observe(&state, &[], player);
            let sampled = game.sample_state(&seen, &mut rng);
            for seat in 0..3 {
                for suit in (0..4).filter(|suit| state.voids[seat] >> suit & 1 == 1) {
                    assert_eq!(sampled.hands[seat].ranks(suit), 0);
                    shown += 1;
                }
                assert_eq!(sampled.hands[seat].len(), state.hands[seat].len());
            }
            assert!(sampled.held().in_both(state.gone).is_empty());
            let cards: Vec<Card> = game.legal(&state).iter().collect();
            game.play(&mut state, cards[rng.random_range(0..cards.len())]);
        }
    }
    assert!(shown > 20, "{shown}");
}

/// The rule bids about as many tricks as there are, a little fewer.
#[test]
fn bids_are_sensible() {
    let hand = |text: &str| Hand::parse(text).unwrap();
    let table = table(4, 13, 0);
    // Four top spades are four tricks and a side Ace nearly always one.
    assert_eq!(spades::bid(&table, hand("AKQJ.A432.432.32")), 5);
    assert_eq!(spades::bid(&table, hand(".5432.65432.5432")), 1);
    for (players, cards) in [(3, 8), (4, 13), (3, 17)] {
        let mut sum = 0;
        for seed in 0..200 {
            let game = Spades::<Perfect>::new(
                TrickSettings::new(players, cards, seed),
                SpadesRules::TRICKS,
            );
            let start = game.unwrap().start();
            sum += start.bids.iter().map(|&bid| u32::from(bid)).sum::<u32>();
        }
        let share = f64::from(sum) / (200.0 * f64::from(cards));
        assert!(
            (0.6..1.0).contains(&share),
            "{share} of all tricks with {cards} cards"
        );
    }
}

#[test]
fn scores_follow_the_bid() {
    let rules = SpadesRules {
        count: Count::Score,
        bags: 10,
    };
    assert_eq!(rules.score(3, 3), 30);
    assert_eq!(rules.score(3, 5), 32);
    assert_eq!(rules.score(3, 2), -30);
    assert_eq!(rules.score(3, 13), 40 - 100);
}

#[test]
fn keys_tell_positions_apart() {
    let game = Hearts::<Perfect>::new(table(3, 5, 1), HeartsRules::PLAIN).unwrap();
    let mut seen = HashSet::new();
    count(&game, &game.start(), false, &mut seen);
    let keys: HashSet<u64> = seen.iter().map(|state| game.key(state)).collect();
    assert_eq!(keys.len(), seen.len());
}
