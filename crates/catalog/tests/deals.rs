//! Games that begin with a deal: positions that are read back, another one for every seed, and none
//! where the options have fixed it.

use std::collections::HashSet;

use tabia_catalog::{AnyGame, entries, open};
use tabia_game::{Player, Seed};

/// The examples of all games that are dealt.
fn dealt() -> Vec<(&'static str, Box<dyn AnyGame>)> {
    let examples = entries().iter().flat_map(|entry| entry.examples);
    let opened = examples.map(|&spec| (spec, open(spec).unwrap()));
    opened.filter(|(_, game)| game.deals().is_some()).collect()
}

fn deal(game: &dyn AnyGame, seed: u64) -> String {
    game.deals().unwrap().deal(Seed::new(seed))
}

#[test]
fn a_deal_is_a_position_and_follows_from_its_seed() {
    let games = dealt();
    assert!(games.len() > 6, "only {} examples are dealt", games.len());
    for (spec, game) in games {
        for seed in 0..5 {
            let position = deal(&*game, seed);
            let session = game.session(Some(&position)).unwrap();
            assert_eq!(session.position(), position, "{spec}");
            assert_eq!(deal(&*game, seed), position, "{spec}");
        }
        let deals: HashSet<String> = (0..20).map(|seed| deal(&*game, seed)).collect();
        assert!(
            deals.len() > 5,
            "{spec}: {} deals of 20 differ",
            deals.len()
        );
    }
}

/// What a player sees of a deal does not tell the rest of it.
#[test]
fn players_see_their_own_part_of_a_deal() {
    let hidden = dealt().into_iter().filter(|(_, game)| game.traits().hidden);
    let hidden: Vec<_> = hidden.collect();
    assert!(hidden.len() > 2, "only {} hide anything", hidden.len());
    for (spec, game) in hidden {
        let position = deal(&*game, 1);
        let session = game.session(Some(&position)).unwrap();
        for player in 0..game.traits().players {
            let view = session.observed(Player(player as u8)).position;
            assert_ne!(view, position, "{spec}");
        }
    }
}

/// Whoever names the seed wants that deal and no other.
#[test]
fn a_seed_among_the_options_fixes_the_deal() {
    let mut games = 0;
    for entry in entries() {
        if entry
            .parameters
            .iter()
            .any(|parameter| parameter.key == "seed")
        {
            games += 1;
            assert!(
                open(entry.name).unwrap().deals().is_some(),
                "{}",
                entry.name
            );
            let fixed = open(&format!("{}:seed=0", entry.name)).unwrap();
            assert!(fixed.deals().is_none(), "{}", entry.name);
        }
    }
    assert!(games > 5, "only {games} games take a seed");
}
