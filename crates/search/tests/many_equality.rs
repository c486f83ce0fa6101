//! Every safe pruning of max^n finds what plain max^n finds, for every tie rule; with two players
//! all searches are minimax.

use crate::support::safe::cases;
use proptest::prelude::*;
use tabia_game::{CERTAIN, Game, Knowledge, Limits, MoveIndex, Path, Player, Turn};
use tabia_kit::many_tree::{HashedMany, ManyTree, Node};
use tabia_search::alphabeta::{self, AlphaBeta, Method};
use tabia_search::many::minds::{MindSearch, Minds};
use tabia_search::many::reduction::{Against, Everybody, Nobody, OneOfAll, OneOfAllLegal, Through};
use tabia_search::many::{
    Config, MAX_PLAYERS, MaxN, Model, Payoffs, Prune, Reduced, ReductionObjective, Searched, Ties,
    Vector,
};
use tabia_search::{Choice, Engine, Situation};

/// Estimates that share out what there is, as those of a game of fixed sum should.
#[derive(Clone, Copy, Debug)]
struct Shares;

impl Knowledge<ManyTree> for Shares {
    fn evaluate(&self, tree: &ManyTree, node: &Node, player: Player) -> i32 {
        tree.payoff(node, player) * (CERTAIN / tree.max_payoff())
    }

    fn priority(&self, tree: &ManyTree, node: &Node, mv: u8) -> i32 {
        HashedMany.priority(tree, node, mv)
    }
}

fn tree(players: impl Strategy<Value = u8>) -> impl Strategy<Value = ManyTree> {
    let shape = (players, any::<u64>(), 1..7u32, 1..5u64, any::<[bool; 2]>());
    let rest = (
        prop::sample::select(vec![0u64, 3, 12, 60]),
        prop::sample::select(vec![1, 2, 5, 20, 1000]),
    );
    (shape, rest).prop_map(
        |((players, seed, depth, branching, [irregular, erratic]), (width, total))| ManyTree {
            seed,
            players,
            depth,
            branching,
            irregular,
            erratic,
            width,
            total,
        },
    )
}

fn ties() -> impl Strategy<Value = Ties> {
    prop::sample::select(vec![Ties::First, Ties::Worst, Ties::Total])
}

fn safe_prune() -> impl Strategy<Value = Prune> {
    prop::sample::select(vec![
        Prune::Immediate,
        Prune::Shallow,
        Prune::LastBranch,
        Prune::Speculative,
    ])
}

/// Plain max^n, written down a second time.
fn plain(tree: &ManyTree, node: &Node, depth: u32, ties: Ties, root: usize) -> Vector {
    let mut values = [0; MAX_PLAYERS];
    let unit = CERTAIN / tree.max_payoff();
    let turn = tree.turn(node);
    let Turn::Player(player) = turn else {
        for (p, value) in values[..tree.players()].iter_mut().enumerate() {
            *value = tree.payoff(node, Player(p as u8)) * unit;
        }
        return values;
    };
    if depth == 0 {
        for (p, value) in values[..tree.players()].iter_mut().enumerate() {
            let estimate = Shares.evaluate(tree, node, Player(p as u8));
            *value = estimate.min(unit * tree.max_payoff() - 1);
        }
        return values;
    }
    let mut moves = Vec::new();
    tree.moves(node, &mut moves);
    let children = moves.iter().map(|&mv| {
        let mut child = *node;
        tree.play(&mut child, mv);
        plain(tree, &child, depth - 1, ties, root)
    });
    let own = player.index();
    children
        .reduce(|best, other| {
            let better = other[own] > best[own]
                || other[own] == best[own]
                    && match ties {
                        Ties::First => false,
                        Ties::Worst => other[root] < best[root],
                        Ties::Total => other > best,
                    };
            if better { other } else { best }
        })
        .unwrap()
}

fn search<K: Knowledge<ManyTree>>(
    tree: &ManyTree,
    knowledge: K,
    config: Config,
    depth: u32,
) -> Searched<u8> {
    let (state, path) = (tree.start(), Path::new());
    let situation = Situation {
        game: tree,
        state: &state,
        path: &path,
    };
    let mut engine = MaxN::new(config, knowledge);
    engine
        .search(&situation, depth, &Limits::default())
        .unwrap()
}

/// The values that matter under a tie rule: with the total order all of them; where ties are broken
/// by place in the order of moves, orders differ.
fn checked(config: &Config, tree: &ManyTree, depth: u32) -> Result<(), TestCaseError> {
    let expected = plain(tree, &tree.start(), depth, config.ties, 0);
    let found = search(tree, Shares, config.clone(), depth);
    match config.ties {
        Ties::Worst => prop_assert_eq!(found.values[0], expected[0]),
        _ => prop_assert_eq!(found.values, expected),
    }
    if depth > tree.depth {
        prop_assert!(found.complete);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(10_000))]

    /// Sturtevant (2004), section 5.2: with a total order max^n has one value, which immediate,
    /// shallow, last-branch and speculative pruning find in whatever order they search, with a
    /// table and without, to the end or to a horizon.
    #[test]
    fn sturtevant_5_2_prunings_find_the_value_of_plain_maxn(
        tree in tree(3..=5u8), prune in safe_prune(), depth in 1..8u32, order in any::<[bool; 4]>(),
    ) {
        let config = Config {
            ties: Ties::Total,
            prune,
            static_order: order[0],
            history: order[1],
            killers: usize::from(order[2]) * 2,
            table: u64::from(order[3]) << 14,
            ..Config::default()
        };
        checked(&config, &tree, depth)?;
    }
}

proptest! {
    #![proptest_config(cases(4_000))]

    /// The same for the other tie rules, whose values depend on the order of moves.
    #[test]
    fn prunings_heed_every_tie_rule(
        tree in tree(3..=4u8),
        ties in ties(),
        prune in safe_prune(),
        depth in 1..8u32,
    ) {
        let config = Config { ties, prune, ..Config::default() };
        checked(&config, &tree, depth)?;
        checked(&Config { prune: Prune::Nothing, ..config }, &tree, depth)?;
    }

    /// What everybody is ahead by cancels out, so that games and estimates without any fixed sum
    /// can be pruned.
    #[test]
    fn leads_are_pruned_as_well(tree in tree(3..=4u8), prune in safe_prune(), depth in 1..6u32) {
        let config = Config { ties: Ties::Total, ahead: true, ..Config::default() };
        let expected = search(&tree, Shares, config.clone(), depth);
        let found = search(&tree, Shares, Config { prune, ..config }, depth);
        prop_assert_eq!(found.values, expected.values);
        prop_assert_eq!(found.values.iter().sum::<i32>(), 0);
    }

    /// One mind by which everybody decides is max^n.
    #[test]
    fn a_common_mind_is_maxn(tree in tree(3..=4u8)) {
        let minds = Minds::common(Payoffs);
        let mut search = MindSearch::new(&tree, &minds, Ties::Total, 1000, &Limits::default());
        let Some(answer) = search.choose(&tree.start(), 0) else { return Ok(()) };
        let unit = CERTAIN / tree.max_payoff();
        let expected = plain(&tree, &tree.start(), 100, Ties::Total, 0);
        prop_assert_eq!(answer.expected[0].map(|value| value * unit), expected);
    }

    /// With two players and a fixed sum max^n, paranoid search, BRS and BRS+ are minimax, whatever
    /// is pruned.
    #[test]
    fn with_two_players_everything_is_minimax(tree in tree(2..=2u8), prune in safe_prune()) {
        let depth = tree.depth;
        let config = Config { prune, ties: Ties::Total, ..Config::default() };
        let own = search(&tree, Shares, config, depth).values[0];
        let minimax = alphabeta::Config { method: Method::Minimax, ..alphabeta::Config::default() };
        let margin = |values: [i32; 2]| (values[0] - values[1]) / 3;
        let expected = plain(&tree, &tree.start(), depth, Ties::First, 0);
        prop_assert_eq!(own, expected[0]);
        for choice in reduced_choices(&tree, &minimax, depth) {
            let value = margin([expected[0], expected[1]]);
            let difference = choice.value.unwrap() * f64::from(CERTAIN) - f64::from(value);
            // Estimates and payoffs are rounded at different places.
            prop_assert!(difference.abs() <= 2.0, "{:?} {}", choice.value, value);
        }
    }
}

fn reduced_choices(tree: &ManyTree, config: &alphabeta::Config, depth: u32) -> Vec<Choice<u8>> {
    let leaf = ReductionObjective::Margin;
    let mut engines: Vec<Box<dyn Engine<ManyTree>>> = vec![
        Box::new(Reduced::new(Everybody, config.clone(), leaf, Shares)),
        Box::new(Reduced::new(
            OneOfAll(ManyTree::hand_turn),
            config.clone(),
            leaf,
            Shares,
        )),
        Box::new(Reduced::new(OneOfAllLegal, config.clone(), leaf, Shares)),
    ];
    engines
        .iter_mut()
        .map(|engine| ask(&mut **engine, tree, depth))
        .collect()
}

fn ask(engine: &mut dyn Engine<ManyTree>, tree: &ManyTree, depth: u32) -> Choice<u8> {
    let (state, path) = (tree.start(), Path::new());
    let situation = Situation {
        game: tree,
        state: &state,
        path: &path,
    };
    engine.choose(situation, &Limits::depth(depth))
}

proptest! {
    #![proptest_config(cases(1_000))]

    /// Schadd (2011), table 6.2: with two players BRS is alpha-beta, in value, line and nodes, at
    /// every depth.
    #[test]
    fn schadd_table_6_2_brs_of_two_players_is_alphabeta(
        tree in tree(2..=2u8),
        deepening: bool,
        table: bool,
    ) {
        let tree = ManyTree { erratic: false, ..tree };
        let config = alphabeta::Config {
            method: Method::FailSoft,
            deepening,
            table: u64::from(table) << 16,
            static_order: true,
            killers: 2,
            ..alphabeta::Config::default()
        };
        for depth in 1..=tree.depth {
            let found = reduced_choices(&tree, &config, depth);
            // The game of two as paranoid search sees it, searched by nothing but alpha-beta.
            let margin = ReductionObjective::Margin;
            let view = Against::new(&tree, &Shares, &Everybody, Player(0), margin);
            let (state, path) = (tree.start(), Path::new());
            let situation = Situation { game: &view, state: &state, path: &path };
            let mut search = AlphaBeta::new(config.clone(), Through);
            let plain = search.choose(situation, &Limits::depth(depth));
            let line: Vec<u8> = plain.line.iter().filter_map(|reply| reply.mv).collect();
            for choice in found {
                prop_assert_eq!(choice.value, plain.value);
                prop_assert_eq!(&choice.line, &line);
                prop_assert_eq!(choice.nodes, plain.nodes);
            }
        }
    }

    /// Alpha-beta with its enhancements against minimax, on the games of two that paranoid search
    /// and BRS make.
    #[test]
    fn reductions_are_searched_right(tree in tree(3..=4u8), depth in 1..5u32) {
        let minimax = alphabeta::Config { method: Method::Minimax, ..alphabeta::Config::default() };
        let enhanced = alphabeta::Config {
            method: Method::Pvs,
            deepening: true,
            table: 1 << 16,
            graft: false,
            killers: 2,
            history: alphabeta::History::History,
            static_order: true,
            ..alphabeta::Config::default()
        };
        let expected = reduced_choices(&tree, &minimax, depth);
        let found = reduced_choices(&tree, &enhanced, depth);
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert_eq!(found.value, expected.value);
        }
    }

    /// BRS, BRS+ and solo search to the end of the game, against the same written down a second
    /// time.
    #[test]
    fn replies_are_those_of_the_papers(tree in tree(3..=4u8)) {
        let tree = ManyTree { erratic: false, depth: tree.depth.min(5), ..tree };
        let config = alphabeta::Config::default();
        let own_margin = ReductionObjective::Margin;
        let (one, nobody) = (OneOfAll(ManyTree::hand_turn), Nobody(ManyTree::hand_turn));
        let found = [
            ask(&mut Reduced::new(one, config.clone(), own_margin, Shares), &tree, 20),
            ask(&mut Reduced::new(OneOfAllLegal, config.clone(), own_margin, Shares), &tree, 20),
            ask(&mut Reduced::new(nobody, config, own_margin, Shares), &tree, 20),
        ];
        let expected = [Kind::Brs, Kind::BrsPlus, Kind::Solo];
        let expected = expected.map(|kind| margin(&tree, &tree.start(), kind));
        // The others have what is left of the sum.
        let largest = 3.0 * f64::from(tree.max_payoff());
        for (found, expected) in found.iter().zip(expected) {
            let value = found.value.unwrap();
            let error = (value - f64::from(expected) / largest).abs();
            prop_assert!(error < 2e-6, "{} {}", value, expected);
        }
    }

    /// Every engine respects limits to the node, answers with a legal move, and says the same
    /// twice.
    #[test]
    fn limits_hold_and_answers_repeat(
        tree in tree(3..=4u8),
        nodes in 1..300u64,
        model in 0..4usize,
    ) {
        let config = Config {
            deepening: true,
            table: 1 << 14,
            model: [Model::Exact, Model::Prob(0.3), Model::Soft, Model::Exact][model],
            prune: [Prune::Nothing, Prune::Nothing, Prune::Nothing, Prune::Speculative][model],
            ..Config::default()
        };
        let choose = || {
            let (state, path) = (tree.start(), Path::new());
            let situation = Situation { game: &tree, state: &state, path: &path };
            MaxN::new(config.clone(), HashedMany).choose(situation, &Limits::nodes(nodes))
        };
        let choice = choose();
        prop_assert!(choice.nodes <= nodes);
        let mut moves = Vec::new();
        tree.moves(&tree.start(), &mut moves);
        prop_assert!(moves.contains(&choice.best.unwrap()));
        prop_assert_eq!(choose(), choice);
        prop_assert!(tree.move_indices() > 0);
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Brs,
    BrsPlus,
    Solo,
}

/// What the first player gets more than all others, in a tree in which players move in turn.
fn margin(tree: &ManyTree, node: &Node, kind: Kind) -> i32 {
    let Turn::Player(mover) = tree.turn(node) else {
        let others = (1..tree.players).map(|p| tree.payoff(node, Player(p)));
        return tree.payoff(node, Player(0)) - others.sum::<i32>();
    };
    let moves = |node: &Node| {
        let mut moves = Vec::new();
        tree.moves(node, &mut moves);
        moves
    };
    let after = |node: &Node, mv| {
        let mut next = *node;
        tree.play(&mut next, mv);
        next
    };
    let handed = |node: &Node, player| {
        let mut next = *node;
        if tree.turn(node) != Turn::Over {
            tree.hand_turn(&mut next, player);
        }
        next
    };
    if mover == Player(0) {
        let children = moves(node).into_iter().map(|mv| match kind {
            Kind::Solo => margin(tree, &handed(&after(node, mv), Player(0)), kind),
            _ => margin(tree, &after(node, mv), kind),
        });
        return children.max().unwrap();
    }
    let first = |node: &Node| {
        let all = moves(node);
        let best = all.iter().map(|&mv| Shares.priority(tree, node, mv)).max();
        let is_best = |mv: &&u8| Some(Shares.priority(tree, node, **mv)) == best;
        after(node, *all.iter().find(is_best).unwrap())
    };
    let mut least = i32::MAX;
    for chosen in 1..tree.players {
        let mut here = *node;
        if matches!(kind, Kind::BrsPlus) {
            while tree.turn(&here) != Turn::Over && tree.turn(&here) != Turn::Player(Player(chosen))
            {
                here = first(&here);
            }
        } else {
            here = handed(&here, Player(chosen));
        }
        for mv in moves(&here) {
            let mut next = after(&here, mv);
            if matches!(kind, Kind::BrsPlus) {
                while !matches!(tree.turn(&next), Turn::Over | Turn::Player(Player(0))) {
                    next = first(&next);
                }
            }
            least = least.min(margin(tree, &handed(&next, Player(0)), kind));
        }
    }
    least
}

/// Exact minimal trees: with all leaves equal every order of moves is perfect. (b(n-1))^⌊k/2⌋ +
/// b^⌈k/2⌉ - 1 leaves for BRS of k plies, and b^(d-⌈d/n⌉) + b^⌈d/n⌉ - 1 for paranoid search of d
/// plies (Schadd 2011, section 6.3.3, and Sturtevant 2003, made exact).
#[test]
fn schadd_6_3_3_minimal_leaves() {
    let leaves = |players, branching, depth, brs| {
        let tree = ManyTree::uniform(players, branching, 100);
        let config = alphabeta::Config::default();
        let engine: &mut dyn Engine<ManyTree> = if brs {
            let replies = OneOfAll(ManyTree::hand_turn);
            &mut Reduced::new(replies, config, ReductionObjective::Margin, Level)
        } else {
            &mut Reduced::new(Everybody, config, ReductionObjective::Margin, Level)
        };
        let choice = ask(engine, &tree, depth);
        let counted = choice.counters.iter().find(|(name, _)| *name == "leaves");
        match counted {
            Some((_, tabia_search::Counter::One(leaves))) => *leaves,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(leaves(4, 5, 4, true), 249);
    assert_eq!(leaves(3, 3, 5, true), 62);
    assert_eq!(leaves(3, 5, 6, false), 649);
    assert_eq!(leaves(4, 4, 8, false), 4111);
}

/// Every position is even.
struct Level;

impl Knowledge<ManyTree> for Level {
    fn evaluate(&self, _: &ManyTree, _: &Node, _: Player) -> i32 {
        0
    }
}
