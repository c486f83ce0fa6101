use super::*;
use crate::TableValue;
use petgraph::algo::{dijkstra, has_path_connecting};
use petgraph::graph::{DiGraph, NodeIndex};
use tabia_game::NoClasses;
use tabia_small::doguti::{self, DoGuti};
use tabia_small::lgame::{self, LGame};

/// One heap, take one or two, whoever takes the last wins; a slice for each size of the heap.
struct Heap(u8);

type HeapState = (u8, Player);

impl Game for Heap {
    type State = HeapState;
    type Move = u8;
    type Undo = HeapState;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> HeapState {
        (self.0, Player::FIRST)
    }
    fn turn(&self, state: &HeapState) -> Turn {
        match state.0 {
            0 => Turn::Over,
            _ => Turn::Player(state.1),
        }
    }
    fn moves(&self, state: &HeapState, out: &mut Vec<u8>) {
        out.extend(1..=state.0.min(2));
    }
    fn play(&self, state: &mut HeapState, take: u8) -> HeapState {
        std::mem::replace(state, (state.0 - take, state.1.other()))
    }
    fn undo(&self, state: &mut HeapState, old: HeapState) {
        *state = old;
    }
    fn payoff(&self, state: &HeapState, player: Player) -> i32 {
        if player == state.1 { -1 } else { 1 }
    }
}

impl TwoPlayer for Heap {}

impl Symmetric for Heap {
    fn symmetries(&self) -> usize {
        1
    }
    fn map_state(&self, state: &HeapState, _: usize) -> HeapState {
        *state
    }
    fn map_move(&self, mv: u8, _: usize) -> u8 {
        mv
    }
}

impl Indexed for Heap {
    type Classes = NoClasses;
    type Slice = u8;

    fn slices(&self) -> Vec<u8> {
        (0..=self.0).collect()
    }
    fn slice_len(&self, slice: u8) -> Option<u64> {
        (slice < 100).then_some(if slice < 50 { 1 } else { 1 << 23 })
    }
    fn next_slices(&self, slice: u8) -> Vec<u8> {
        (slice.saturating_sub(2)..slice).collect()
    }
    fn locate(&self, state: &HeapState) -> Option<(u8, u64)> {
        (state.0 != 13).then_some((state.0, 0))
    }
    fn position_at(&self, slice: u8, _: u64) -> HeapState {
        (slice, Player::FIRST)
    }
    fn slice_text(&self, slice: u8) -> String {
        slice.to_string()
    }
    fn slice_size(&self, slice: u8) -> u32 {
        u32::from(slice)
    }
}

fn heap(size: u8) -> Result<GameGraph, GraphError> {
    GameGraph::new(&Heap(size), |&(left, mover)| (left, mover.other()))
}

/// A heap is lost if it is a multiple of three.
#[test]
fn several_slices_are_laid_out_together() {
    let graph = heap(12).unwrap();
    let solved = graph.steps();
    for left in 0..=12u8 {
        let class = graph.class(&Heap(12), &(left, Player::SECOND)).unwrap();
        let reference = graph.reference(&Heap(12), class);
        assert_eq!(reference, Some((left, Player::FIRST)));
        // The winner takes it to the multiple below, and two more plies go with every other three.
        let lost = left / 3 * 2;
        let value = match left % 3 {
            0 => TableValue::loss(lost.into()),
            _ => TableValue::win(u16::from(lost) + 1),
        };
        assert_eq!(solved.values[class as usize], value, "{left}");
    }
    assert!(graph.smallest_cycles().iter().all(Option::is_none));
    // By hand: as many moves as there are ways to take one or two.
    assert_eq!(graph.total_moves(), 11 * 2 + 1);
    assert_eq!(graph.minimax_visits(1).evaluated().visits, 2);
}

#[test]
fn what_is_too_large_or_has_gaps_is_refused() {
    assert_eq!(heap(52).unwrap_err(), GraphError::TooLarge);
    assert_eq!(heap(200).unwrap_err(), GraphError::TooLarge);
    assert!(matches!(heap(14), Err(GraphError::NoPlace(_))));
}

fn small_graphs() -> [GameGraph; 2] {
    [
        GameGraph::new(&DoGuti, doguti::State::passed).unwrap(),
        GameGraph::new(&LGame, lgame::State::passed).unwrap(),
    ]
}

fn petgraph_of(graph: &GameGraph) -> DiGraph<(), ()> {
    let successors = |c: Class| graph.successors().row(c).iter().map(move |&s| (c, s));
    DiGraph::from_edges(graph.all().flat_map(successors))
}

#[test]
fn rows_are_turned_round() {
    for graph in small_graphs() {
        assert_eq!(graph.predecessors().transposed(), *graph.successors());
        for class in graph.all() {
            for &next in graph.successors().row(class) {
                assert!(graph.predecessors().row(next).contains(&class));
            }
            assert_eq!(graph.exchanged(graph.exchanged(class)), class);
            assert_eq!(
                graph.outcome(class).is_some(),
                graph.moves().row(class).is_empty()
            );
        }
    }
}

#[test]
fn distances_equal_those_of_petgraph() {
    for graph in small_graphs() {
        let other = petgraph_of(&graph);
        let found = dijkstra(&other, NodeIndex::from(graph.start()), None, |_| 1u32);
        let distances = graph.distances(graph.start());
        let bipartite = graph.bipartite_distances(graph.start());
        for class in graph.all() {
            let distance = distances[class as usize];
            assert_eq!(distance, found.get(&NodeIndex::from(class)).copied());
            let sides = bipartite.each_ref().map(|side| side[class as usize]);
            assert_eq!(sides.into_iter().flatten().min(), distance);
            assert!(sides[0].is_none_or(|d| d % 2 == 0) && sides[1].is_none_or(|d| d % 2 == 1));
        }
    }
}

/// A cycle is an edge and the shortest path back from its end.
#[test]
fn cycles_equal_those_of_petgraph() {
    let [small, large] = small_graphs();
    for (graph, every) in [(small, 1), (large, 200)] {
        let other = petgraph_of(&graph);
        let cycles = graph.smallest_cycles();
        for class in graph.all().step_by(every) {
            let back = |&next: &Class| {
                let home = NodeIndex::from(class);
                let paths = dijkstra(&other, NodeIndex::from(next), Some(home), |_| 1u32);
                paths.get(&home).map(|length| length + 1)
            };
            let shortest = graph.successors().row(class).iter().filter_map(back).min();
            assert_eq!(cycles[class as usize], shortest, "{class}");
        }
    }
}

/// Values again, by sweeps over all classes until nothing changes.
#[test]
fn steps_equal_plain_sweeps() {
    for graph in small_graphs() {
        let mut values: Vec<Option<(Wdl, u16)>> = vec![None; graph.classes()];
        for ply in 0.. {
            let before = values.clone();
            for class in graph.all().filter(|&c| before[c as usize].is_none()) {
                let below: Vec<_> = graph.successors().row(class).iter().collect();
                let is = |c: &&Class, wdl| before[**c as usize].is_some_and(|v| v.0 == wdl);
                values[class as usize] = match graph.outcome(class) {
                    Some(Wdl::Draw) => None,
                    Some(wdl) => Some((wdl, ply)),
                    None if below.iter().any(|c| is(c, Wdl::Loss)) => Some((Wdl::Win, ply)),
                    None if below.iter().all(|c| is(c, Wdl::Win)) => Some((Wdl::Loss, ply)),
                    None => None,
                };
            }
            if values == before {
                break;
            }
        }
        let solved = graph.steps();
        for (value, plain) in solved.values.iter().zip(&values) {
            let found = value.plies.map(|plies| (value.wdl, plies));
            assert_eq!(found, *plain);
        }
        let labelled: usize = solved
            .steps
            .iter()
            .map(|s| s.wins.len() + s.losses.len())
            .sum();
        assert_eq!(labelled, values.iter().flatten().count());
    }
}

/// The L-Game: 2,296 classes of eight, fifteen of them blocked, and fourteen more lost; all can
/// arise in play.
#[test]
fn the_l_game_as_is_common_knowledge() {
    let [_, graph] = small_graphs();
    assert_eq!((graph.places(), graph.classes()), (18_368, 2_296));
    assert!(graph.all().all(|class| graph.size(class) == 8));
    assert!(graph.reachable().iter().all(|&reachable| reachable));
    let solved = graph.steps();
    let losses: Vec<usize> = solved.steps.iter().map(|step| step.losses.len()).collect();
    assert_eq!(losses[0], 15);
    assert_eq!(losses[1..].iter().sum::<usize>(), 14);
    assert_eq!(solved.values[graph.start() as usize], TableValue::DRAW);
    let other = petgraph_of(&graph);
    let lost = solved.steps[0].losses[0];
    assert!(has_path_connecting(
        &other,
        graph.start().into(),
        lost.into(),
        None
    ));
}

/// Minimax itself, without memory, on a small graph.
#[test]
fn minimax_visits_equal_those_of_a_search() {
    fn search(graph: &GameGraph, class: Class, ply: u32, depth: u32, visits: &mut Visits) {
        let moves = graph.moves().row(class);
        if ply > 0 {
            visits.visit(graph, class, ply, 1);
        }
        if ply == depth || moves.is_empty() {
            visits.evaluate(graph, class, ply, 1);
            return;
        }
        for &next in moves {
            search(graph, next, ply + 1, depth, visits);
        }
    }
    let [small, large] = small_graphs();
    for (graph, depth) in [(small, 15), (large, 3)] {
        let mut searched = Visits::new(&graph);
        search(&graph, graph.start(), 0, depth, &mut searched);
        let counted = graph.minimax_visits(depth);
        let tallies = |v: &Visits| [v.all(), v.first(), v.second(), v.evaluated()];
        assert_eq!(tallies(&counted), tallies(&searched));
    }
}

#[test]
fn games_at_random_are_added_up() {
    let [graph, _] = small_graphs();
    let cancel = tabia_game::Cancel::default();
    let played = |longest| graph.random_games(2_000, longest, tabia_game::Seed::new(3), &cancel);
    let games_of = |longest| played(longest).unwrap();
    let games = games_of(10_000);
    assert_eq!(games.finished() + games.unfinished, 2_000);
    // The shortest decisive game takes six plies, whoever is blocked in the end.
    assert_eq!(games.shortest(), Some(6));
    let short = games_of(6);
    assert_eq!(short.finished(), games.lengths[6]);
    assert_eq!((short.mean(), short.mode()), (Some(6.0), Some(6)));
    let again = games_of(10_000);
    assert_eq!(again, games);
    cancel.cancel();
    assert_eq!(played(10_000), None);
}

/// A length that is one plus a number of failures, each of probability 3/4.
#[test]
fn a_geometric_tail_has_its_exponent() {
    let lengths = (0..60).map(|n| (4e15 * 0.75f64.powi(n)) as u64).collect();
    let games = RandomGames {
        lengths,
        unfinished: 0,
    };
    let decay = games.decay(5).unwrap();
    assert!((decay - 0.75f64.ln()).abs() < 1e-4, "{decay}");
    assert_eq!(RandomGames::default().decay(0), None);
}
