//! Opening books: the structure that Karapetyan and Lorentz (2004) describe, on games small enough
//! to check.

use proptest::prelude::*;
use tabia_catalog::book::{
    Book, Builder, Correction, Flag, Growth, GrowthMethod, Header, NextMove, Node, NodeId, ROOT,
    drop_outs, drop_outs_svg,
};
use tabia_catalog::open;
use tabia_game::Cancel;

fn header(game: &str) -> Header {
    Header {
        game: game.to_string(),
        position: None,
        engine: "pvs:table=1M".to_string(),
        depth: 1,
        breadth: 6,
        correction: Correction::None,
    }
}

/// A book of this many nodes.
fn grown_by(header: &Header, method: GrowthMethod, nodes: usize, threads: usize) -> Book {
    let mut builder = Builder::new(
        open(&header.game).unwrap(),
        header,
        threads,
        &Cancel::default(),
    )
    .unwrap();
    let mut book = builder.begin().unwrap();
    let growth = Growth {
        method,
        nodes,
        from: ROOT,
    };
    builder.grow(&mut book, &growth, |_| true).unwrap();
    book
}

fn grown(game: &str, method: GrowthMethod, nodes: usize) -> Book {
    grown_by(&header(game), method, nodes, 1)
}

const GAMES: [&str; 3] = ["amazons:4x4", "connect4:5x4", "breakthrough:5x5"];

/// Every inner node hands up the best of its children for whoever moves, every leaf its own value.
fn check_values(book: &Book) {
    for (id, place) in book.tree().iter().enumerate() {
        let node = &book.nodes()[id];
        let values = place
            .children
            .iter()
            .map(|&child| book.tree()[child].propagated);
        let best = match node.mover {
            Some(0) => values.max(),
            _ => values.min(),
        };
        assert_eq!(place.propagated, best.unwrap_or(node.value));
    }
}

/// Section 3.1: two nodes an expansion, the first one of which has only the root; 1000 nodes are
/// 500 expansions.
#[test]
fn karapetyan_lorentz_best_first_has_two_nodes_an_expansion() {
    let mut full = 0;
    for game in GAMES.into_iter().chain(["amazons:6x6"]) {
        let mut builder =
            Builder::new(open(game).unwrap(), &header(game), 1, &Cancel::default()).unwrap();
        let mut book = builder.begin().unwrap();
        let growth = Growth {
            method: GrowthMethod::BestFirst,
            nodes: 60,
            from: ROOT,
        };
        let mut expansions = 0;
        let mut closed = false;
        builder
            .grow(&mut book, &growth, |book| {
                expansions += 1;
                // Late in the game a parent may run out of moves.
                let moves = |node: &Node| node.waiting.as_ref().is_none_or(|w| !w.is_empty());
                closed |= book
                    .nodes()
                    .iter()
                    .any(|node| node.unseen == 0 && !moves(node));
                closed |= book.nodes().iter().any(|node| node.mover.is_none());
                assert!(closed || book.nodes().len() == 2 * expansions, "{game}");
                full += usize::from(!closed);
                true
            })
            .unwrap();
        assert!(expansions >= 20, "{game}: {expansions}");
        check_values(&book);
    }
    // Small boards run out of moves soon.
    assert!(full >= 20, "{full}");
}

/// Figure 3 is of a book of 1000 nodes, the root being one: 500 expansions where no position has
/// its moves used up.
#[test]
fn karapetyan_lorentz_fig_3_a_thousand_nodes_are_500_expansions() {
    for game in ["amazons:8x8", "breakthrough:8x8"] {
        let mut builder =
            Builder::new(open(game).unwrap(), &header(game), 1, &Cancel::default()).unwrap();
        let mut book = builder.begin().unwrap();
        let growth = Growth {
            method: GrowthMethod::BestFirst,
            nodes: 1000,
            from: ROOT,
        };
        let mut expansions = 0;
        builder
            .grow(&mut book, &growth, |book| {
                expansions += 1;
                assert_eq!(book.nodes().len(), 2 * expansions, "{game}");
                true
            })
            .unwrap();
        assert_eq!((expansions, book.nodes().len()), (500, 1000), "{game}");
        check_values(&book);
        for place in book.tree() {
            let leaf = |&child: &NodeId| book.tree()[child].children.is_empty();
            assert!(place.children.is_empty() || place.children.iter().any(leaf));
        }
    }
}

/// Section 3.1: every inner node has a leaf among its children as long as it has moves that are not
/// in the book. Where there is room for one node alone at the end, the second one of the expansion
/// comes when the book goes on.
#[test]
fn karapetyan_lorentz_inner_nodes_have_leaves() {
    for game in GAMES {
        let book = grown(game, GrowthMethod::BestFirst, 80);
        let parent = |id: NodeId| book.nodes()[id].parent;
        let last = parent(book.nodes().len() - 1);
        let alone = last.filter(|&leaf| book.tree()[leaf].children.len() == 1);
        let to_come = alone.and_then(parent);
        for (id, place) in book.tree().iter().enumerate() {
            if Some(id) == to_come {
                continue;
            }
            let node = &book.nodes()[id];
            let waiting = node.waiting.as_ref().is_some_and(|moves| !moves.is_empty());
            if place.children.is_empty() || !waiting && node.unseen == 0 {
                continue;
            }
            let leaf = |&child: &NodeId| book.tree()[child].children.is_empty();
            assert!(
                place.children.iter().any(leaf),
                "{game}: {:?}",
                book.line(id)
            );
        }
    }
}

/// Section 3.3: without a penalty the book is the best-first book, node for node.
#[test]
fn karapetyan_lorentz_no_penalty_is_best_first() {
    for game in GAMES {
        let best_first = grown(game, GrowthMethod::BestFirst, 70);
        let unpenalised = grown(game, GrowthMethod::DepthPenalty(0), 70);
        assert_eq!(best_first.write(), unpenalised.write(), "{game}");
    }
}

/// Section 3.3: a penalty beyond twice the range of values makes the leaf nearest to the root come
/// next, at every step.
#[test]
fn karapetyan_lorentz_huge_penalties_expand_the_nearest_leaf() {
    let penalty = GrowthMethod::DepthPenalty(2_100_000);
    for game in GAMES {
        let mut builder =
            Builder::new(open(game).unwrap(), &header(game), 1, &Cancel::default()).unwrap();
        let mut book = builder.begin().unwrap();
        let growth = Growth {
            method: penalty,
            nodes: 150,
            from: ROOT,
        };
        builder
            .grow(&mut book, &growth, |book| {
                let Some(NextMove::Expand(leaf)) = penalty.choose(book, ROOT) else {
                    panic!("{game}: nothing to expand");
                };
                let open = |id: &NodeId| {
                    let place = &book.tree()[*id];
                    place.children.is_empty() && !place.closed
                };
                let nearest = (0..book.nodes().len())
                    .filter(open)
                    .map(|id| book.tree()[id].level)
                    .min();
                assert_eq!(Some(book.tree()[leaf].level), nearest, "{game}");
                true
            })
            .unwrap();
    }
}

/// A penalty spreads the book: more first moves, and no deeper.
#[test]
fn karapetyan_lorentz_fig_5_penalties_spread_the_book() {
    let spread = |penalty| {
        let book = grown("amazons:5x5", GrowthMethod::DepthPenalty(penalty), 60);
        let deepest = book.tree().iter().map(|place| place.level).max().unwrap();
        (book.tree()[ROOT].children.len(), deepest)
    };
    let ((few, deep), (many, shallow)) = (spread(0), spread(500_000));
    assert!(
        few < many && deep > shallow,
        "{few} {many} {deep} {shallow}"
    );
}

/// The optimal lines of a side: nodes that can come about while it plays best moves alone.
fn reachable(book: &Book, owner: u8) -> Vec<NodeId> {
    let mut ways = vec![false; book.nodes().len()];
    ways[ROOT] = true;
    for id in 1..book.nodes().len() {
        let parent = book.nodes()[id].parent.unwrap();
        let own = book.nodes()[parent].mover == Some(owner);
        let best = book.tree()[id].propagated == book.tree()[parent].propagated;
        ways[id] = ways[parent] && (!own || best);
    }
    (0..ways.len()).filter(|&id| ways[id]).collect()
}

/// Lincke (2000): as the weight of losses grows beyond all bounds, the best-first leaf is chosen
/// where the line of best play is the only one.
#[test]
fn lincke_heavy_losses_give_the_best_first_leaf() {
    let mut compared = 0;
    for game in GAMES {
        for nodes in 2..40 {
            let book = grown(game, GrowthMethod::BestFirst, nodes);
            let line = book.principal_line(ROOT);
            let mut path = vec![ROOT];
            path.extend(&line);
            // Waiting moves may be as good as those in the book, too.
            let unique = path.iter().all(|&id| {
                let own = book.tree()[id].propagated;
                let node = &book.nodes()[id];
                let children = &book.tree()[id].children;
                let equal = children
                    .iter()
                    .filter(|&&c| book.tree()[c].propagated == own)
                    .count();
                let waiting = node.waiting.iter().flatten();
                let better = |value| book.seen(id, value) >= book.seen(id, own);
                equal <= 1 && !waiting.clone().any(|waiting| better(waiting.value))
            });
            let Some(&leaf) = line
                .last()
                .filter(|&&leaf| unique && !book.tree()[leaf].closed)
            else {
                continue;
            };
            compared += 1;
            let chosen = GrowthMethod::DropOut(1e12).choose(&book, ROOT);
            assert_eq!(chosen, Some(NextMove::Expand(leaf)), "{game} {nodes}");
            assert_eq!(GrowthMethod::BestFirst.choose(&book, ROOT), chosen);
        }
    }
    assert!(compared > 10, "{compared}");
}

/// Lincke (2000): if losses weigh nothing, the soonest exit is chosen that a side can force the
/// book's owner into.
#[test]
fn lincke_weightless_losses_give_the_soonest_exit() {
    for game in GAMES {
        let book = grown(game, GrowthMethod::BestFirst, 40);
        let soonest = [0u8, 1].map(|owner| {
            let exits = reachable(&book, owner).into_iter().filter_map(|id| {
                let (node, place) = (&book.nodes()[id], &book.tree()[id]);
                let beside = node.mover != Some(owner)
                    && node.waiting.as_ref().is_some_and(|moves| !moves.is_empty());
                if place.children.is_empty() && !place.closed {
                    Some(place.level)
                } else {
                    beside.then_some(place.level + 1)
                }
            });
            exits.min()
        });
        let chosen = match GrowthMethod::DropOut(0.0).choose(&book, ROOT).unwrap() {
            NextMove::Expand(leaf) => book.tree()[leaf].level,
            NextMove::Deviate(id) => book.tree()[id].level + 1,
        };
        assert_eq!(Some(chosen), soonest.into_iter().flatten().min(), "{game}");
    }
}

/// Breadth-first books fill level after level; every move is within the limit of the best of its
/// position.
#[test]
fn karapetyan_lorentz_fig_6_breadth_first_levels() {
    let width = 60_000;
    let book = grown("amazons:4x4", GrowthMethod::Breadth(width, 0.5), 120);
    for (id, place) in book.tree().iter().enumerate() {
        let values: Vec<i64> = place
            .children
            .iter()
            .map(|&child| book.seen(id, book.nodes()[child].value))
            .collect();
        let limit = f64::from(width) * 0.5f64.powi(place.level as i32);
        for value in &values {
            assert!((values.iter().max().unwrap() - value) as f64 <= limit);
        }
    }
    let levels: Vec<usize> = book.tree().iter().map(|place| place.level).collect();
    assert!(
        levels.is_sorted(),
        "a level is finished before the next is begun"
    );
}

const METHODS: [GrowthMethod; 4] = [
    GrowthMethod::BestFirst,
    GrowthMethod::DepthPenalty(50_000),
    GrowthMethod::DropOut(100.0),
    GrowthMethod::Breadth(60_000, 0.8),
];

/// Where a method grows next does not depend on what it has kept from step to step, nor values on
/// how they have changed: a book that is read and written after every node is the same. It has as
/// many nodes as were asked for, if there are so many.
#[test]
fn books_grown_node_by_node_are_those_grown_at_once() {
    for game in GAMES {
        for method in METHODS {
            let mut builder =
                Builder::new(open(game).unwrap(), &header(game), 1, &Cancel::default()).unwrap();
            let mut steps = builder.begin().unwrap();
            for nodes in 2..50 {
                let growth = Growth {
                    method,
                    nodes,
                    from: ROOT,
                };
                builder.grow(&mut steps, &growth, |_| true).unwrap();
                assert_eq!(steps.nodes().len(), nodes, "{game} {method:?}");
                let read = Book::read(&steps.write()).unwrap();
                assert_eq!(read, steps, "{game} {method:?} {nodes}");
                let whole = grown(game, method, nodes);
                assert_eq!(whole, steps, "{game} {method:?} {nodes}");
                steps = read;
            }
        }
    }
}

/// A move that is marked as best is the one at which the book grows, whatever its value, and one
/// that is marked as worst is not.
#[test]
fn books_grow_where_moves_are_marked() {
    for game in GAMES {
        for method in METHODS {
            let start = grown(game, GrowthMethod::Breadth(2_000_000, 1.0), 6);
            let children = start.ranked_children(ROOT);
            let below = |book: &Book, id: NodeId| {
                let is_below = |&node: &NodeId| {
                    let line = book.line(node);
                    line.first() == Some(&book.nodes()[id].mv.as_str())
                };
                (0..book.nodes().len()).filter(is_below).count()
            };
            let further = |marked: NodeId, flag: Flag| {
                let mut book = start.clone();
                book.mark(marked, Some(flag)).unwrap();
                let mut builder =
                    Builder::new(open(game).unwrap(), &header(game), 1, &Cancel::default())
                        .unwrap();
                let growth = Growth {
                    method,
                    nodes: 20,
                    from: ROOT,
                };
                builder.grow(&mut book, &growth, |_| true).unwrap();
                below(&book, marked)
            };
            let (first, last) = (children[0], children[children.len() - 1]);
            // The owner of a book plays the marked moves, and the opponent any: in a drop-out book
            // of either player there are nodes below both.
            let most = if matches!(method, GrowthMethod::DropOut(_)) {
                3
            } else {
                8
            };
            let best = further(last, Flag::Best);
            assert!(best >= most, "{game} {method:?}: {best}");
            if matches!(method, GrowthMethod::BestFirst) {
                assert_eq!(further(first, Flag::Worst), 1, "{game} {method:?}");
            }
        }
    }
}

#[test]
fn books_do_not_depend_on_threads_nor_on_interruptions() {
    let header = Header {
        depth: 2,
        correction: Correction::Search,
        ..header("amazons:5x4")
    };
    let whole = grown_by(&header, GrowthMethod::BestFirst, 30, 1);
    assert_eq!(whole, grown_by(&header, GrowthMethod::BestFirst, 30, 3));
    let part = grown_by(&header, GrowthMethod::BestFirst, 12, 1);
    let mut resumed = Book::read(&part.write()).unwrap();
    let mut builder =
        Builder::new(open(&header.game).unwrap(), &header, 1, &Cancel::default()).unwrap();
    let growth = Growth {
        method: GrowthMethod::BestFirst,
        nodes: 30,
        from: ROOT,
    };
    builder.grow(&mut resumed, &growth, |_| true).unwrap();
    assert_eq!(resumed, whole);
}

/// Section 2.3: corrections change only values of searches that end after a move of the first
/// player.
#[test]
fn karapetyan_lorentz_odd_even_corrections() {
    let book = |correction| {
        let header = Header {
            correction,
            depth: 2,
            breadth: 3,
            ..header("amazons:6x6")
        };
        grown_by(&header, GrowthMethod::BestFirst, 2, 1)
    };
    let (plain, searched) = (book(Correction::None), book(Correction::Search));
    let reduced = book(Correction::Amount(20_000));
    // The root's search ends at level 2, that of its child at level 3.
    for other in [&searched, &reduced] {
        assert_eq!(plain.nodes()[ROOT].value, other.nodes()[ROOT].value);
    }
    let (child, less) = (&plain.nodes()[1], &reduced.nodes()[1]);
    assert_eq!(child.mv, less.mv, "all moves lose the same");
    assert_eq!(child.value - less.value, 20_000 * 7 / 10);
    assert_ne!(searched.nodes()[1].value, child.value);
}

#[test]
fn people_overrule_the_book() {
    let mut book = grown("connect4:5x4", GrowthMethod::BestFirst, 30);
    let children = book.ranked_children(ROOT);
    let (best, other) = (children[0], children[1]);
    book.mark(other, Some(Flag::Best)).unwrap();
    assert_eq!(book.best_child(ROOT), Some(other));
    assert_eq!(book.tree()[ROOT].propagated, book.tree()[other].propagated);
    book.mark(other, None).unwrap();
    book.mark(best, Some(Flag::Worst)).unwrap();
    assert_ne!(book.best_child(ROOT), Some(best));
    book.mark(best, None).unwrap();
    book.give_value(other, Some(900_000));
    assert_eq!(
        (book.best_child(ROOT), book.tree()[ROOT].propagated),
        (Some(other), 900_000)
    );
    book.give_value(other, None);
    check_values(&book);
    let (before, mv) = (book.nodes().len(), book.nodes()[best].mv.clone());
    let gone = book.strike(best).unwrap();
    assert_eq!(book.nodes().len(), before - gone);
    assert!(book.find(&[&mv]).is_err());
    check_values(&book);
    assert!(book.strike(ROOT).is_err() && book.mark(ROOT, Some(Flag::Best)).is_err());
    // It does not come back by itself, but by hand.
    let mut builder = Builder::new(
        open(&book.header().game).unwrap(),
        book.header(),
        1,
        &Cancel::default(),
    )
    .unwrap();
    let growth = Growth {
        method: GrowthMethod::Breadth(2_000_000, 1.0),
        nodes: book.nodes().len() + 20,
        from: ROOT,
    };
    builder.grow(&mut book, &growth, |_| true).unwrap();
    assert!(book.find(&[&mv]).is_err());
    let back = builder.add_move(&mut book, ROOT, &mv).unwrap();
    assert_eq!(book.find(&[&mv]), Ok(back));
    check_values(&book);
}

/// Growing below a node leaves the rest as it is.
#[test]
fn a_part_of_the_book_can_be_grown() {
    let mut book = grown("amazons:4x4", GrowthMethod::BestFirst, 20);
    let before = book.nodes().len();
    let from = *book.ranked_children(ROOT).last().unwrap();
    let mut builder = Builder::new(
        open(&book.header().game).unwrap(),
        book.header(),
        1,
        &Cancel::default(),
    )
    .unwrap();
    let growth = Growth {
        method: GrowthMethod::BestFirst,
        nodes: 30,
        from,
    };
    builder.grow(&mut book, &growth, |_| true).unwrap();
    for mut id in before..book.nodes().len() {
        while id > from {
            id = book.nodes()[id].parent.unwrap();
        }
        assert_eq!(id, from);
    }
}

/// Whatever is finished is closed: tic-tac-toe on two by two squares ends after three plies at
/// most.
#[test]
fn small_games_are_known_completely() {
    let book = grown("mnk:2,2,2", GrowthMethod::BestFirst, 1000);
    assert!(book.tree()[ROOT].closed);
    assert_eq!(book.tree()[ROOT].propagated, 1_000_000);
    // One root, 4 first moves, 3 answers each, 2 winning moves each.
    assert_eq!(book.nodes().len(), 1 + 4 + 12 + 24);
}

#[test]
fn exits_are_the_leaves_that_an_opponent_can_choose() {
    let book = grown("amazons:4x4", GrowthMethod::BestFirst, 60);
    for owner in [0, 1] {
        let exits = drop_outs(&book, owner);
        assert_eq!(exits.iter().filter(|exit| exit.optimal).count(), 1);
        let optimal = exits.iter().find(|exit| exit.optimal).unwrap();
        let sign = if owner == 0 { 1 } else { -1 };
        assert_eq!(optimal.value, sign * book.tree()[ROOT].propagated);
        // No exit is worse for the owner than best play: the opponent has nothing better.
        assert!(exits.iter().all(|exit| exit.value >= optimal.value));
        let svg = drop_outs_svg(&exits, 1_000_000);
        assert_eq!(svg.matches("<circle").count(), exits.len());
    }
}

#[test]
fn games_without_books_are_refused() {
    for game in ["backgammon", "stratego"] {
        assert!(Builder::new(open(game).unwrap(), &header(game), 1, &Cancel::default()).is_err());
    }
    let random = Header {
        engine: "random".to_string(),
        ..header("connect4")
    };
    let mut builder =
        Builder::new(open(&random.game).unwrap(), &random, 1, &Cancel::default()).unwrap();
    assert!(
        builder
            .begin()
            .unwrap_err()
            .to_string()
            .contains("no value")
    );
}

#[test]
fn damaged_files_are_refused() {
    let text = grown("connect4:5x4", GrowthMethod::BestFirst, 6).write();
    assert!(Book::read(&text).is_ok());
    let lines: Vec<&str> = text.lines().collect();
    let without_last = text.trim_end().rsplit_once('\n').unwrap().0;
    for (damaged, reason) in [
        (String::new(), "empty"),
        ("{}\n".to_string(), "no header"),
        (
            text.replace("\"tabia_book\":1", "\"tabia_book\":9"),
            "format 9",
        ),
        (text.replace("\"nodes\":6,", "\"nodes\":7,"), "line 8"),
        (format!("{text}{{}}\n"), "behind the checksum"),
        (without_last.to_string(), "ends before"),
        (text.trim_end().to_string(), "checksum"),
        (format!("{} ", text.trim_end()), "checksum"),
        (text.replace("\"mover\":1", "\"mover\":0"), "checksum"),
        (
            text.replace("\"parent\":0", "\"parent\":5"),
            "does not stand before",
        ),
        (
            text.replacen("\"value\":", "\"value\":9999999,\"x\":", 1),
            "between",
        ),
        (lines[..3].join("\n"), "ends before"),
    ] {
        let error = Book::read(&damaged).unwrap_err().to_string();
        assert!(error.contains(reason), "{reason}: {error}");
    }
}

proptest! {
    /// Any damage is noticed, and nothing panics.
    #[test]
    fn no_byte_can_be_changed_unnoticed(place: prop::sample::Index, byte in 32u8..127) {
        let book = Book::new(header("connect4"), Some(0), 17);
        let mut bytes = book.write().into_bytes();
        let at = place.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        let text = String::from_utf8(bytes).unwrap();
        prop_assert_ne!(Book::read(&text).ok(), Some(book));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[{}\":,a-z0-9\\[\\]\n]{0,200}") {
        let _ = Book::read(&text);
    }
}
