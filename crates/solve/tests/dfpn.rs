//! Depth-first proof-number search against the plain fixpoint, on graphs full of cycles.
#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use support::graph::{Graph, Vertex, attacks, graphs};
use tabia_game::{Game, Limits, Player};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Attack, Prover, Status};

const ATTACK: Attack = Attack {
    attacker: Player::FIRST,
    at_least: 1,
};

fn status(graph: &Graph, state: u8, attack: Attack, dfpn: &mut Dfpn) -> Status {
    // Far more than graphs of this size can take; a search that never ends is a failure.
    let limits = Limits::nodes(5_000_000);
    dfpn.prove(graph, &state, attack, &(), &limits).status
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// From every vertex, with a table that remembers earlier questions and their paths.
    #[test]
    fn answers_are_those_of_the_fixpoint(graph in graphs(12, 1), attack in attacks(1)) {
        let won = graph.won(attack);
        let mut dfpn = Dfpn::new(1 << 16, 1);
        for state in 0..won.len() as u8 {
            let expected = Status::of(won[usize::from(state)]);
            prop_assert_eq!(status(&graph, state, attack, &mut dfpn), expected, "from {}", state);
        }
    }

    /// Larger graphs, and a table of one bucket that forgets nearly everything.
    #[test]
    fn a_small_table_is_never_wrong(graph in graphs(24, 1), attack in attacks(1)) {
        let expected = Status::of(graph.won(attack)[0]);
        for bytes in [64, 256, 1 << 20] {
            let found = status(&graph, 0, attack, &mut Dfpn::new(bytes, 1));
            if bytes < 1 << 20 && found == Status::Unknown {
                continue;
            }
            prop_assert_eq!(found, expected, "{} bytes", bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn two_threads_agree_with_one(graph in graphs(24, 1), attack in attacks(1)) {
        let expected = Status::of(graph.won(attack)[0]);
        prop_assert_eq!(status(&graph, 0, attack, &mut Dfpn::new(1 << 16, 2)), expected);
    }
}

const FIRST: Player = Player::FIRST;
const SECOND: Player = Player::SECOND;

fn turn(player: Player, next: &[u8]) -> Vertex {
    Vertex::Turn(player, next.to_vec())
}

/// Two ways lead to vertex 3. By way of 1 its only good continuation recurs, which fails; by way of 2
/// it does not, and wins. A table that took the first failure for the second would be wrong
/// (Palay 1983, and figure 1 of Kishimoto and Müller 2004).
#[test]
fn a_failure_by_repetition_is_not_one_elsewhere() {
    let graph = Graph(vec![
        turn(FIRST, &[1, 2]),
        turn(SECOND, &[3]),
        turn(SECOND, &[3]),
        turn(FIRST, &[1, 4]),
        turn(SECOND, &[5, 1]),
        Vertex::Over(1),
    ]);
    for state in 0..5 {
        let expected = Status::of(graph.won(ATTACK)[usize::from(state)]);
        assert_eq!(
            status(&graph, state, ATTACK, &mut Dfpn::new(1 << 12, 1)),
            expected
        );
    }
}

/// All orders of moves of a graph in which the attacker wins from everywhere but only by not going
/// round: every one of them tempts the search into the cycle first.
#[test]
fn a_win_hidden_behind_a_cycle_is_found_in_every_order() {
    let orders: [[u8; 3]; 6] = [
        [1, 2, 3],
        [1, 3, 2],
        [2, 1, 3],
        [2, 3, 1],
        [3, 1, 2],
        [3, 2, 1],
    ];
    for [a, b, c] in orders {
        for [x, y] in [[0, 4], [4, 0]] {
            let graph = Graph(vec![
                turn(FIRST, &[a, b, c]),
                turn(SECOND, &[x, y]),
                turn(SECOND, &[0]),
                turn(SECOND, &[2, 4].map(|v| if v == 2 { 5 } else { v })),
                turn(FIRST, &[2, 1, 6]),
                turn(FIRST, &[0, 4]),
                Vertex::Over(1),
            ]);
            let won = graph.won(ATTACK);
            let mut dfpn = Dfpn::new(1 << 12, 1);
            for state in (0..6).rev() {
                let expected = Status::of(won[usize::from(state)]);
                assert_eq!(
                    status(&graph, state, ATTACK, &mut dfpn),
                    expected,
                    "from {state}"
                );
            }
        }
    }
}

/// Nothing ever ends here, and numbers below a vertex rise by way of the vertex itself.
#[test]
fn a_graph_of_cycles_alone_is_disproved() {
    let graph = Graph(vec![
        turn(SECOND, &[1, 3, 4]),
        turn(FIRST, &[2]),
        turn(FIRST, &[3, 4]),
        turn(FIRST, &[2, 4]),
        turn(FIRST, &[2, 3]),
    ]);
    let mut dfpn = Dfpn::new(1 << 16, 1);
    for state in 0..5 {
        let found = status(&graph, state, ATTACK, &mut dfpn);
        assert_eq!(found, Status::Disproved, "from {state}");
    }
}

#[test]
fn limits_end_a_search_with_its_bounds() {
    use tabia_games::connect4::Connect4;
    let game = Connect4::<u64>::new(5, 5, 4).unwrap();
    let limits = Limits::nodes(1_000);
    let proof = Dfpn::new(1 << 20, 1).prove(&game, &game.start(), ATTACK, &(), &limits);
    assert_eq!(proof.status, Status::Unknown);
    assert!(proof.pn > 0 && proof.dn > 0 && proof.nodes <= 1_001);
}

/// Table of the literature: the small boards are drawn.
#[test]
fn connect_four_4x4_is_drawn() {
    use tabia_games::connect4::Connect4;
    let game = Connect4::<u64>::new(4, 4, 4).unwrap();
    for threads in [1, 2] {
        let mut dfpn = Dfpn::new(1 << 24, threads);
        for attacker in [FIRST, SECOND] {
            let attack = Attack {
                attacker,
                at_least: 1,
            };
            let proof = dfpn.prove(&game, &game.start(), attack, &(), &Limits::default());
            assert_eq!(proof.status, Status::Disproved);
        }
    }
}
