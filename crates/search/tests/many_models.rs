//! Opponents who want something else, or of whom not everything is known.

use crate::support::safe::cases;
use proptest::prelude::*;
use tabia_game::{CERTAIN, Game, Knowledge, Limits, Path, Player, Uninformed};
use tabia_kit::many_tree::{Branch, HashedMany, ManyTree, Place, PrintedMany};
use tabia_search::alphabeta;
use tabia_search::many::minds::{Mind, MindSearch, Minds};
use tabia_search::many::reduction::Everybody;
use tabia_search::many::{
    Aims, Config, MAX_PLAYERS, MaxN, Mix, Model, MpMix, Prune, Reduced, ReductionObjective, Ties,
};
use tabia_search::{Choice, Engine, Situation};

fn ask<G: Game>(game: &G, engine: &mut dyn Engine<G>, depth: u32) -> Choice<G::Move> {
    let (state, path) = (game.start(), Path::new());
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    engine.choose(situation, &Limits::depth(depth))
}

fn tree() -> impl Strategy<Value = ManyTree> {
    let shape = (3..=4u8, any::<u64>(), 1..6u32, 1..4u64, any::<[bool; 2]>());
    let total = prop::sample::select(vec![1, 3, 20]);
    (shape, total).prop_map(
        |((players, seed, depth, branching, [irregular, erratic]), total)| ManyTree {
            seed,
            players,
            depth,
            branching,
            irregular,
            erratic,
            width: 0,
            total,
        },
    )
}

fn modelled(tree: &ManyTree, model: Model, ties: Ties, depth: u32) -> Choice<u8> {
    let config = Config {
        ties,
        model,
        ..Config::default()
    };
    ask(tree, &mut MaxN::new(config, HashedMany), depth)
}

fn paranoid(tree: &ManyTree, depth: u32) -> Choice<u8> {
    let config = alphabeta::Config::default();
    let mut engine = Reduced::new(Everybody, config, ReductionObjective::Own, HashedMany);
    ask(tree, &mut engine, depth)
}

proptest! {
    #![proptest_config(cases(1_000))]

    /// Opponents who are never hostile play max^n; those who always are, paranoid.
    #[test]
    fn prob_maxn_lies_between_maxn_and_paranoid_search(tree in tree(), depth in 1..7u32) {
        let never = modelled(&tree, Model::Prob(0.0), Ties::Worst, depth);
        let maxn = modelled(&tree, Model::Exact, Ties::Worst, depth);
        prop_assert_eq!(never.value, maxn.value);
        prop_assert_eq!(never.solved, maxn.solved);
        let always = modelled(&tree, Model::Prob(1.0), Ties::Worst, depth);
        let difference = always.value.unwrap() - paranoid(&tree, depth).value.unwrap();
        // Shares are rounded to whole units of the payoff, or not.
        prop_assert!(difference.abs() < 3e-5, "{}", difference);
    }

    /// Whatever a player does where they do not care is among what soft-max^n expects; where only
    /// opponents move after the root, they do no worse than enemies.
    #[test]
    fn soft_maxn_lies_between_every_tie_rule_and_paranoid_search(tree in tree(), depth in 1..6u32) {
        let soft = modelled(&tree, Model::Soft, Ties::First, depth).value.unwrap();
        for ties in [Ties::First, Ties::Worst, Ties::Total] {
            let maxn = modelled(&tree, Model::Exact, ties, depth).value.unwrap();
            prop_assert!(soft <= maxn + 1e-9, "{} {}", soft, maxn);
        }
        if !tree.erratic && tree.depth.min(depth) <= u32::from(tree.players) {
            prop_assert!(soft >= paranoid(&tree, depth).value.unwrap() - 3e-5);
        }
    }

    /// Approximate deep pruning looks at no more than plain max^n does, and calls nothing solved
    /// that it has pruned.
    #[test]
    fn deep_pruning_is_modest(tree in tree()) {
        let config = Config { prune: Prune::Deep, ..Config::default() };
        let deep = ask(&tree, &mut MaxN::new(config, HashedMany), 10);
        let plain = modelled(&tree, Model::Exact, Ties::First, 10);
        prop_assert!(deep.nodes <= plain.nodes);
        if deep.solved {
            prop_assert_eq!(deep.value, plain.value);
        }
    }
}

/// In figure 6.1 of Schadd (2011) nobody knows what player 2 does at (c), so player 1 takes the 6
/// that they are sure of.
#[test]
fn soft_maxn_trusts_no_tie() {
    let b = Branch::of(1, vec![Branch::leaf([6, 2, 6]), Branch::leaf([4, 1, 6])]);
    let c = Branch::of(1, vec![Branch::leaf([7, 2, 9]), Branch::leaf([5, 2, 1])]);
    let game = PrintedMany::new(&Branch::of(0, vec![b, c]), 3, 10, None);
    let config = Config {
        model: Model::Soft,
        ..Config::default()
    };
    let choice = ask(&game, &mut MaxN::new(config, Uninformed), 9);
    assert_eq!((choice.best, choice.value), (Some(0), Some(0.6)));
}

/// Half the time player 2 goes where player 1 gets least.
#[test]
fn prob_maxn_takes_means() {
    let a = Branch::of(1, vec![Branch::leaf([8, 5, 0]), Branch::leaf([2, 1, 9])]);
    let game = PrintedMany::new(
        &Branch::of(0, vec![a, Branch::leaf([4, 0, 0])]),
        3,
        10,
        None,
    );
    let config = |hostile| Config {
        model: Model::Prob(hostile),
        ..Config::default()
    };
    let choice = ask(&game, &mut MaxN::new(config(0.5), Uninformed), 9);
    assert_eq!((choice.best, choice.value), (Some(0), Some(0.5)));
    let choice = ask(&game, &mut MaxN::new(config(0.75), Uninformed), 9);
    assert_eq!((choice.best, choice.value), (Some(1), Some(0.4)));
}

/// Everybody wants what this player gets.
#[derive(Clone, Copy)]
struct Friends([u8; 3]);

impl Aims<PrintedMany> for Friends {
    fn worth(&self, game: &PrintedMany, place: &Place, player: Player) -> i32 {
        game.payoff(place, Player(self.0[player.index()]))
    }

    fn largest(&self, game: &PrintedMany) -> i32 {
        game.max_payoff()
    }
}

const SELFISH: Friends = Friends([0, 1, 2]);
/// Player 2 plays for player 3.
const DEVOTED: Friends = Friends([0, 2, 2]);

/// A sure 3, or player 2 decides between 5 for the first and 4 for the third.
fn trust() -> PrintedMany {
    let right = Branch::of(1, vec![Branch::leaf([5, 2, 0]), Branch::leaf([1, 1, 4])]);
    PrintedMany::new(
        &Branch::of(0, vec![Branch::leaf([3, 0, 0]), right]),
        3,
        10,
        None,
    )
}

#[test]
fn aims_decide_what_opponents_do() {
    let game = trust();
    for (aims, best, value) in [(SELFISH, 1, 0.5), (DEVOTED, 0, 0.3)] {
        let mut engine = MaxN::with_aims(Config::default(), Uninformed, aims);
        let choice = ask(&game, &mut engine, 9);
        assert_eq!((choice.best, choice.value), (Some(best), Some(value)));
    }
}

/// Player 1 may be wrong about player 2, right, or right about what player 2 is wrong about.
#[test]
fn minds_may_differ() {
    let game = trust();
    let mind = |aims, of_second| {
        let mut deciders = [0; MAX_PLAYERS];
        deciders[1] = of_second;
        Mind { aims, deciders }
    };
    let alike = |aims, number| Mind {
        aims,
        deciders: [number; MAX_PLAYERS],
    };
    let ask = |minds: Vec<Mind<Friends>>, number| {
        let minds = Minds::new(minds).unwrap();
        let mut search = MindSearch::new(&game, &minds, Ties::First, 100, &Limits::default());
        let answer = search.choose(&game.start(), number).unwrap();
        (answer.best, answer.expected[number][0])
    };
    assert_eq!(ask(vec![alike(SELFISH, 0)], 0), (1, 5));
    assert_eq!(ask(vec![alike(DEVOTED, 0)], 0), (0, 3));
    // Player 1 wants their own payoff, and knows that player 2 decides by another mind.
    assert_eq!(ask(vec![mind(SELFISH, 1), alike(DEVOTED, 1)], 0), (0, 3));
    assert_eq!(ask(vec![mind(DEVOTED, 1), alike(SELFISH, 1)], 0), (1, 5));
    assert!(
        Minds::new(vec![mind(SELFISH, 1)]).is_none(),
        "there is no second mind"
    );
}

/// Players stand like this, wherever the game is.
#[derive(Clone, Copy)]
struct Standing([i32; 3]);

impl Knowledge<PrintedMany> for Standing {
    fn evaluate(&self, _: &PrintedMany, _: &Place, player: Player) -> i32 {
        self.0[player.index()] * (CERTAIN / 10)
    }
}

/// With the third player far ahead MP-Mix takes from them, behind a small lead it takes what it can
/// get, and with a lead of its own it expects the worst.
#[test]
fn mpmix_plays_by_the_standings() {
    let gamble = Branch::of(1, vec![Branch::leaf([1, 0, 5]), Branch::leaf([9, 3, 5])]);
    let game = PrintedMany::new(
        &Branch::of(
            0,
            vec![Branch::leaf([4, 0, 9]), Branch::leaf([2, 2, 0]), gamble],
        ),
        3,
        10,
        None,
    );
    let mix = Mix {
        defend: 0.15,
        attack: 0.15,
        join: false,
    };
    let best = |standing: [i32; 3]| {
        let paranoid = alphabeta::Config::default();
        let mut engine = MpMix::new(
            Everybody,
            mix,
            Config::default(),
            paranoid,
            Standing(standing),
        );
        ask(&game, &mut engine, 9).best
    };
    assert_eq!(best([0, 0, 5]), Some(1), "the leader gets least");
    assert_eq!(best([0, 0, 1]), Some(2), "the most for themselves");
    // Own less others': -5, 0, and at worst -4.
    assert_eq!(best([5, 0, 0]), Some(1));
}
