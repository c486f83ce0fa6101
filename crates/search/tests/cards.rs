//! Max^n in open games of tricks: the derived deal of Sturtevant (2004), merged cards and shared
//! values against plain search, and hidden hands.

use proptest::prelude::*;
use tabia_cards::tricks::{
    Habits, Hearts, HeartsRules, Merged, Spades, SpadesRules, TrickRules, TrickSettings, Tricks,
};
use tabia_game::{
    Game, Hidden, Imperfect, Knowledge, Limits, Path, Perfect, Player, Seed, Text, Turn, Uninformed,
};
use tabia_search::many::{Config, ManyPlayerGame, MaxN, Payoffs, Pimc, Prune, Ties, Vector, aims};
use tabia_search::mcts::{HiddenMcts, WithoutChance};
use tabia_search::{Choice, Engine, Situation};

const DEAL: &str = "A5.9.3.7/Q.K2.6.4/87.J.8.9 1";
const PRUNINGS: [Prune; 5] = [
    Prune::Nothing,
    Prune::Immediate,
    Prune::Shallow,
    Prune::LastBranch,
    Prune::Speculative,
];

/// What everybody gets, and the nodes it took.
fn searched<G: ManyPlayerGame>(
    game: &G,
    state: &G::State,
    prune: Prune,
    table: u64,
) -> (Vector, u64)
where
    Habits: Knowledge<G>,
{
    let config = Config {
        ties: Ties::Total,
        prune,
        table,
        static_order: true,
        ..Config::default()
    };
    let path = Path::new();
    let situation = Situation {
        game,
        state,
        path: &path,
    };
    let mut engine = MaxN::new(config, Habits);
    let found = engine.search(&situation, 200, &Limits::default()).unwrap();
    assert!(found.complete);
    let unit = aims::unit(&Payoffs, game);
    (found.values.map(|value| value / unit), found.nodes)
}

/// The same by plain recursion.
fn plain<G: Game>(game: &G, state: &G::State) -> Vector {
    let Turn::Player(player) = game.turn(state) else {
        return std::array::from_fn(|seat| match seat < game.players() {
            true => game.payoff(state, Player(seat as u8)),
            false => 0,
        });
    };
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        plain(game, &next)
    });
    values
        .max_by_key(|value| (value[player.index()], *value))
        .unwrap()
}

fn hearts(players: usize, cards: u32, seed: u64) -> Hearts<Perfect> {
    Tricks::new(TrickSettings::new(players, cards, seed), HeartsRules::PLAIN).unwrap()
}

fn spades(players: usize, cards: u32, seed: u64) -> Spades<Perfect> {
    Tricks::new(
        TrickSettings::new(players, cards, seed),
        SpadesRules::TRICKS,
    )
    .unwrap()
}

/// Sturtevant (2004), the derived deal: 8,694 nodes and (0, -14, -3) in Hearts, 4,451 nodes with
/// merged cards; 8,750 nodes and (2, 1, 2) in Spades.
#[test]
fn derived_deal() {
    let game = hearts(3, 5, 0);
    let state = game.parse_position(DEAL).unwrap();
    let value = [0, -14, -3, 0, 0, 0];
    assert_eq!(searched(&game, &state, Prune::Nothing, 0), (value, 8_694));
    let merged = Merged(game.clone());
    assert_eq!(searched(&merged, &state, Prune::Nothing, 0), (value, 4_451));
    for prune in PRUNINGS {
        for table in [0, 1 << 20] {
            assert_eq!(
                searched(&game, &state, prune, table).0,
                value,
                "{prune:?} {table}"
            );
            assert_eq!(
                searched(&merged, &state, prune, table).0,
                value,
                "{prune:?} {table}"
            );
        }
    }
    let game = spades(3, 5, 0);
    let value = [2, 1, 2, 0, 0, 0];
    assert_eq!(searched(&game, &state, Prune::Nothing, 0), (value, 8_750));
    let merged = Merged(game.clone());
    for prune in PRUNINGS {
        for table in [0, 1 << 20] {
            assert_eq!(
                searched(&game, &state, prune, table).0,
                value,
                "{prune:?} {table}"
            );
            assert_eq!(
                searched(&merged, &state, prune, table).0,
                value,
                "{prune:?} {table}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Merging, pruning and the table leave the value as plain recursion has it, for three and four
    /// players.
    #[test]
    fn reductions_keep_the_value(
        seed in any::<u64>(),
        small in any::<bool>(),
        four in any::<bool>(),
    ) {
        let (players, cards) = if four { (4, 3) } else { (3, 4) };
        // A table of a few entries forgets most of what it is told.
        let table = if small { 4_096 } else { 1 << 20 };
        fn check<S: TrickRules>(game: Tricks<S, Perfect>, table: u64) {
            let value = plain(&game, &game.start());
            let merged = Merged(game);
            for prune in PRUNINGS {
                let found = searched(&merged, &merged.start(), prune, table).0;
                assert_eq!(found, value, "{prune:?}");
            }
        }
        check(hearts(players, cards, seed), table);
        check(spades(players, cards, seed), table);
    }
}

/// Seven cards: the best safe pruning finds what the search without pruning finds, with fewer
/// nodes.
#[test]
fn seven_cards() {
    for seed in 0..2 {
        let game = Merged(spades(3, 7, seed));
        let (all, most) = searched(&game, &game.start(), Prune::Nothing, 64 << 20);
        let (pruned, nodes) = searched(&game, &game.start(), Prune::Speculative, 64 << 20);
        assert_eq!(all, pruned);
        assert!(nodes < most, "{nodes} of {most}");
    }
}

fn ask<G: Game, E: Engine<G>>(
    engine: &mut E,
    game: &G,
    state: &G::State,
    nodes: u64,
) -> Choice<G::Move> {
    let path = Path::new();
    engine.choose(
        Situation {
            game,
            state,
            path: &path,
        },
        &Limits::nodes(nodes),
    )
}

/// What the others hold makes no difference to the answer, whoever searches.
#[test]
fn answers_depend_on_observations_alone() {
    for players in [3, 4] {
        let game: Hearts<Imperfect> =
            Tricks::new(TrickSettings::new(players, 7, 3), HeartsRules::PLAIN).unwrap();
        let mut rng = Seed::new(5).rng();
        let mut state = game.start();
        for ply in 0.. {
            let Turn::Player(player) = game.turn(&state) else {
                break;
            };
            let config = Config {
                prune: Prune::Speculative,
                ties: Ties::Total,
                ..Config::default()
            };
            let mut pimc = Pimc::new(config, 4, 1, Habits);
            let choice = ask(&mut pimc, &game, &state, 4_000);
            if ply % 3 == 0 {
                let other = game.sample_state(&game.observe(&state, &[], player), &mut rng);
                assert_eq!(ask(&mut pimc, &game, &other, 4_000), choice);
                assert!(choice.nodes <= 4_000);
                let mut sets = HiddenMcts::<_, _, WithoutChance>::new(
                    tabia_search::mcts::Config::PLAIN,
                    0,
                    Uninformed,
                );
                let best = ask(&mut sets, &game, &state, 2_000);
                assert_eq!(ask(&mut sets, &game, &other, 2_000), best);
                assert!(best.best.is_some());
            }
            game.play(&mut state, choice.best.unwrap());
        }
    }
}
