//! The worked trees of Schadd (2011, chapter 6) and Sturtevant (2004). Players are counted from one
//! in the papers and from zero here.

use tabia_game::{Game, Limits, Path, Uninformed};
use tabia_kit::many_tree::{Branch, PrintedMany};
use tabia_search::alphabeta;
use tabia_search::many::reduction::{Everybody, OneOfAll};
use tabia_search::many::{Config, MaxN, Prune, Reduced, ReductionObjective, Searched, Ties};
use tabia_search::{Choice, Engine, Situation};

fn maxn(game: &PrintedMany, config: Config) -> Searched<u8> {
    let (state, path) = (game.start(), Path::new());
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    let mut engine = MaxN::new(config, Uninformed);
    engine.search(&situation, 100, &Limits::default()).unwrap()
}

/// Values in the units of the tree.
fn values(game: &PrintedMany, searched: &Searched<u8>) -> Vec<i32> {
    let unit = tabia_game::CERTAIN / game.max_payoff();
    searched.values[..3].iter().map(|v| v / unit).collect()
}

fn ask(game: &PrintedMany, engine: &mut dyn Engine<PrintedMany>) -> Choice<u8> {
    let (state, path) = (game.start(), Path::new());
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    engine.choose(situation, &Limits::depth(10))
}

fn figure_6_1() -> PrintedMany {
    let b = Branch::of(1, vec![Branch::leaf([6, 2, 6]), Branch::leaf([4, 1, 6])]);
    let c = Branch::of(1, vec![Branch::leaf([7, 2, 9]), Branch::leaf([5, 2, 1])]);
    PrintedMany::new(&Branch::of(0, vec![b, c]), 3, 10, None)
}

#[test]
fn schadd_figure_6_1() {
    let game = figure_6_1();
    for (ties, expected, best) in [(Ties::First, [7, 2, 9], 1), (Ties::Worst, [6, 2, 6], 0)] {
        let config = Config {
            ties,
            ..Config::default()
        };
        let found = maxn(&game, config);
        assert_eq!(values(&game, &found), expected);
        assert_eq!(found.line[0], best);
        assert!(found.complete);
    }
}

/// The same tree with the own result less those of the others: -2, -3 and -4, and the last leaf, 2,
/// is pruned.
#[test]
fn schadd_figure_6_2() {
    let game = figure_6_1();
    let mut paranoid = Reduced::new(
        Everybody,
        alphabeta::Config::default(),
        ReductionObjective::Margin,
        Uninformed,
    );
    let choice = ask(&game, &mut paranoid);
    // In shares of the largest margin, 3 times 10.
    assert_eq!(choice.value, Some(-3.0 / 30.0));
    assert_eq!(choice.best, Some(0));
    assert_eq!(game.seen(), [0, 1, 2]);
    // The second form of section 6.2.2: opponents only keep the own result down.
    let mut own = Reduced::new(
        Everybody,
        alphabeta::Config::default(),
        ReductionObjective::Own,
        Uninformed,
    );
    let choice = ask(&game, &mut own);
    assert_eq!((choice.value, choice.best), (Some(0.5), Some(1)));
}

/// The values of the figure are lost. Here (b) is worth 2 by a move of player 3, as there, and (c)
/// is cut after the first move of player 2.
#[test]
fn schadd_figure_6_3() {
    let leaf = |own| Branch::of(0, vec![Branch::leaf([own, 0, 0])]);
    let replies = |of_second: [i32; 2], of_third: [i32; 2]| {
        let second = of_second.map(|own| (1, leaf(own)));
        let third = of_third.map(|own| (2, leaf(own)));
        Branch::Turn(1, second.into_iter().chain(third).collect())
    };
    let (b, c) = (replies([4, 6], [2, 5]), replies([1, 7], [3, 8]));
    let game = PrintedMany::new(&Branch::of(0, vec![b, c]), 3, 10, None);
    let mut brs = Reduced::new(
        OneOfAll(PrintedMany::hand_turn),
        alphabeta::Config::default(),
        ReductionObjective::Own,
        Uninformed,
    );
    let choice = ask(&game, &mut brs);
    assert_eq!((choice.best, choice.value), (Some(0), Some(0.2)));
    assert_eq!(game.seen(), [0, 1, 2, 3, 4]);
    // The reply of player 3 is not their turn, so the line that can be played ends before it.
    assert_eq!(choice.line, [0]);
}

/// (a) is worth (1, 3, 5); player 2 goes right at (b), where player 1 gets 3, and left at (c),
/// where it makes no difference to them and player 1 gets 6. The components that the paper does not
/// tell are ours.
#[test]
fn sturtevant_figure_1() {
    let a = Branch::of(1, vec![Branch::leaf([1, 3, 5]), Branch::leaf([6, 1, 4])]);
    let b = Branch::of(1, vec![Branch::leaf([2, 4, 3]), Branch::leaf([3, 5, 2])]);
    let c = Branch::of(1, vec![Branch::leaf([6, 4, 0]), Branch::leaf([1, 4, 5])]);
    let first = |tree: &Branch| {
        let game = PrintedMany::new(tree, 3, 10, None);
        let found = maxn(&game, Config::default());
        (values(&game, &found), found.line)
    };
    assert_eq!(first(&a).0, [1, 3, 5]);
    let (values, line) = first(&Branch::of(0, vec![a, b, c]));
    assert_eq!((values, line), (vec![6, 4, 0], vec![2, 0]));
}

/// Ten points, nobody below zero. Player 1 has 5, player 2 has 3 at (a), player 3 has 2 at (b): the
/// right child of (b) is pruned, although player 2 is not at their last move.
#[test]
fn sturtevant_figure_2() {
    let tree = |last: [i32; 3]| {
        let b = Branch::of(2, vec![Branch::leaf([5, 3, 2]), Branch::leaf([8, 1, 1])]);
        let a = Branch::of(1, vec![Branch::leaf([3, 3, 4]), b, Branch::leaf(last)]);
        let left = Branch::leaf([5, 4, 1]);
        PrintedMany::new(&Branch::of(0, vec![left, a]), 3, 10, Some(10))
    };
    let config = |prune| Config {
        prune,
        ..Config::default()
    };
    let game = tree([2, 1, 7]);
    for (prune, seen) in [
        (Prune::Shallow, vec![0, 1, 2, 3, 4]),
        (Prune::LastBranch, vec![0, 1, 2, 3, 4]),
        (Prune::Speculative, vec![0, 1, 2, 4]),
    ] {
        let found = maxn(&game, config(prune));
        assert_eq!(values(&game, &found), [5, 4, 1], "{prune:?}");
        assert_eq!(game.seen(), seen, "{prune:?}");
        assert_eq!(found.stats.searched_again, 0);
    }
    // Player 2 finds something better that player 1 likes, too: what was pruned is searched again.
    let game = tree([6, 4, 0]);
    let found = maxn(&game, config(Prune::Speculative));
    assert_eq!(values(&game, &found), [6, 4, 0]);
    assert_eq!(found.stats.searched_again, 1);
    assert_eq!(game.seen(), [0, 1, 2, 3, 4]);
    // Something better that player 1 does not like changes nothing.
    let game = tree([4, 5, 1]);
    let found = maxn(&game, config(Prune::Speculative));
    assert_eq!(values(&game, &found), [5, 4, 1]);
    assert_eq!(
        (found.stats.searched_again, game.seen()),
        (0, vec![0, 1, 2, 4])
    );
    // At their last move last-branch pruning does the same.
    let b = Branch::of(2, vec![Branch::leaf([5, 3, 2]), Branch::leaf([8, 1, 1])]);
    let a = Branch::of(1, vec![Branch::leaf([3, 3, 4]), b]);
    let left = Branch::leaf([5, 4, 1]);
    let game = PrintedMany::new(&Branch::of(0, vec![left, a]), 3, 10, Some(10));
    let found = maxn(&game, config(Prune::LastBranch));
    assert_eq!(values(&game, &found), [5, 4, 1]);
    assert_eq!(game.seen(), [0, 1, 2]);
}

/// Ten points. Player 3 has a tie at (b); with the left move player 2 gets 2 at (c), and 5 + 2 do
/// not prune (d); with the right one they get 5, and they do.
#[test]
fn sturtevant_figure_3() {
    let tree = |tied: [[i32; 3]; 2]| {
        let b = Branch::of(2, tied.map(Branch::leaf).to_vec());
        let d = Branch::of(2, vec![Branch::leaf([9, 1, 0]), Branch::leaf([8, 1, 1])]);
        let c = Branch::of(1, vec![b, d]);
        let left = Branch::leaf([5, 2, 3]);
        PrintedMany::new(&Branch::of(0, vec![left, c]), 3, 10, Some(10))
    };
    let shallow = Config {
        prune: Prune::Shallow,
        ..Config::default()
    };
    let (low, high) = ([5, 2, 3], [2, 5, 3]);
    let game = tree([low, high]);
    assert_eq!(values(&game, &maxn(&game, shallow.clone())), [5, 2, 3]);
    assert_eq!(game.seen(), [0, 1, 2, 3, 4]);
    let game = tree([high, low]);
    assert_eq!(values(&game, &maxn(&game, shallow)), [5, 2, 3]);
    assert_eq!(game.seen(), [0, 1, 2]);
}
