//! Best-first searches against plain iteration over graphs, against themselves without anything
//! that makes them fast, and on games whose value is known.

use crate::support::graph::{Graph, Known, Vertex, Whim, attacks, graphs};
use crate::support::plain;
use proptest::prelude::*;
use tabia_alignment::connect4::Connect4;
use tabia_alignment::mnk::Mnk;
use tabia_game::{Game, Limits, Player};
use tabia_solve::best_first::{
    BestFirstSearch, Bounds, Guided, Mobility, Mopns, Pn, Pn2, Pp, ProofPair, SecondLevel,
    Solvable, Stakes, Trace, Unit,
};
use tabia_solve::{Attack, INFINITY, Lack, Proof, Prover, Status};

const BYTES: u64 = 1 << 28;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn prove<G: Game>(mut prover: impl Prover<G>, game: &G, attack: Attack, nodes: u64) -> Proof {
    prover.prove(game, &game.start(), attack, &(), &Limits::nodes(nodes))
}

/// What the search for many outcomes says of one.
fn prove_one(graph: &Graph, attack: Attack, nodes: u64, bytes: u64) -> Proof {
    let stakes = Stakes {
        player: attack.attacker,
        thresholds: [attack.at_least],
    };
    let limits = Limits::nodes(nodes);
    let outcome = Mopns { bytes }.search(graph, &0, stakes, &(), &limits, None);
    outcome.proof(outcome.root[0])
}

fn second_level() -> impl Strategy<Value = SecondLevel> {
    let fraction = (1.0..50.0, 1.0..20.0).prop_map(|(a, b)| SecondLevel::Fraction { a, b });
    prop_oneof![Just(SecondLevel::FirstLevel), fraction]
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn proofs_agree_with_iteration(
        graph in graphs(8, 2), attack in attacks(2), second_level in second_level(),
    ) {
        let holds = graph.won(attack)[0];
        let (initial, bytes) = (Guided::by(Whim), BYTES);
        let proofs = [
            prove(Pn::default(), &graph, attack, u64::MAX),
            prove(Pn { initial: Mobility, bytes }, &graph, attack, u64::MAX),
            prove(Pn { initial, bytes }, &graph, attack, u64::MAX),
            prove(Pn2 { initial: Unit, second_level, bytes }, &graph, attack, u64::MAX),
            prove(Pn2 { initial: Guided::by(Whim), second_level, bytes }, &graph, attack, u64::MAX),
            prove(Pp::default(), &graph, attack, u64::MAX),
            prove_one(&graph, attack, u64::MAX, BYTES),
        ];
        for (i, proof) in proofs.into_iter().enumerate() {
            let expected = if holds { (0, INFINITY) } else { (INFINITY, 0) };
            prop_assert_eq!((proof.pn, proof.dn), expected, "search {}", i);
            prop_assert_eq!(proof.status, Status::of(holds));
            prop_assert!(proof.held <= proof.nodes);
        }
    }

    #[test]
    fn values_agree_with_iteration(graph in graphs(8, 2), player in 0u8..2) {
        let value = graph.values()[0];
        let value = if player == 0 { value } else { -value };
        let stakes = Stakes { player: Player(player), thresholds: [-1, 0, 1, 2] };
        let limits = Limits::default();
        let outcome = Mopns::default().search(&graph, &0, stakes, &(), &limits, None);
        let exact = Bounds { lower: value, upper: value };
        prop_assert_eq!(stakes.bounds(&graph, &outcome.root), exact);
        let outcome = Pn::default().dichotomic(&graph, &0, stakes, &(), &limits);
        prop_assert_eq!(stakes.bounds(&graph, &outcome.root), exact);
    }

    #[test]
    fn every_step_is_that_of_the_plain_search(graph in graphs(6, 1), attack in attacks(1)) {
        prop_assert_eq!(steps_of_pn(&graph, attack), plain::pn(&graph, &0, attack));
        prop_assert_eq!(steps_of_pn2(&graph, attack), plain::pn2(&graph, &0, attack));
        prop_assert_eq!(steps_of_mopns(&graph, attack), plain::pn(&graph, &0, attack));
    }

    #[test]
    fn what_is_settled_is_not_searched(graph in graphs(8, 1), attack in attacks(1)) {
        let known = Known::some(&graph, u64::MAX);
        let proof = Pn::default().prove(&graph, &0, attack, &known, &Limits::default());
        prop_assert_eq!((proof.status, proof.nodes), (Status::of(graph.won(attack)[0]), 1));
    }

    /// A table tells that something is won, and not how much.
    #[test]
    fn what_is_settled_changes_no_answer(
        graph in graphs(8, 2), attack in attacks(2), bits in any::<u64>(),
    ) {
        let known = Known::some(&graph, bits);
        let limits = Limits::default();
        let expected = Status::of(graph.won(attack)[0]);
        for proof in [
            Pn::default().prove(&graph, &0, attack, &known, &limits),
            Pn2::default().prove(&graph, &0, attack, &known, &limits),
            Pp::default().prove(&graph, &0, attack, &known, &limits),
        ] {
            prop_assert_eq!(proof.status, expected);
        }
        let value = graph.values()[0];
        let stakes = Stakes { player: Player::FIRST, thresholds: [-1, 0, 1, 2] };
        let outcome = Mopns::default().search(&graph, &0, stakes, &known, &limits, None);
        let exact = Bounds { lower: value, upper: value };
        prop_assert_eq!(stakes.bounds(&graph, &outcome.root), exact);
    }

    #[test]
    fn what_is_cut_short_is_never_wrong(
        graph in graphs(8, 2), attack in attacks(2), nodes in 0u64..40, held in 1u64..40,
    ) {
        let holds = Status::of(graph.won(attack)[0]);
        // Numbers, children and a move of one byte.
        let bytes = held * 17;
        let second_level = SecondLevel::FirstLevel;
        for proof in [
            prove(Pn { initial: Unit, bytes }, &graph, attack, nodes),
            prove(Pn2 { initial: Unit, second_level, bytes }, &graph, attack, nodes),
            prove(Pp { bytes }, &graph, attack, nodes),
            prove_one(&graph, attack, nodes, bytes),
        ] {
            prop_assert!(proof.status == holds || proof.status == Status::Unknown);
            prop_assert!(proof.nodes <= nodes && proof.held <= held);
            let open = proof.pn.min(proof.dn) > 0 && proof.pn.max(proof.dn) < INFINITY;
            prop_assert_eq!(open, proof.status == Status::Unknown);
            let spent = proof.nodes == nodes;
            prop_assert!(open || proof.lack.is_none());
            prop_assert!(!open || spent || proof.lack == Some(Lack::Memory));
        }
    }
}

fn plainly(nodes: u64, ProofPair { pn, dn }: ProofPair) -> (u64, u64, u64) {
    let number = |n| {
        if n == INFINITY {
            u64::MAX
        } else {
            u64::from(n)
        }
    };
    (nodes, number(pn), number(dn))
}

/// All steps of a search.
fn steps<I>(run: impl FnOnce(Trace<'_, I>), view: impl Fn(I) -> ProofPair) -> Vec<(u64, u64, u64)> {
    let mut steps = vec![];
    run(Trace {
        every: 1,
        call: &mut |nodes, root| steps.push(plainly(nodes, view(root))),
    });
    steps
}

fn steps_of_pn<G: Solvable>(game: &G, attack: Attack) -> Vec<(u64, u64, u64)> {
    let (start, limits) = (game.start(), Limits::default());
    steps(
        |trace| {
            Pn::default().search(game, &start, attack, &(), &limits, Some(trace));
        },
        |numbers| numbers,
    )
}

fn steps_of_pn2<G: Solvable>(game: &G, attack: Attack) -> Vec<(u64, u64, u64)> {
    let (start, limits) = (game.start(), Limits::default());
    steps(
        |trace| {
            Pn2::default().search(game, &start, attack, &(), &limits, Some(trace));
        },
        |numbers| numbers,
    )
}

fn steps_of_mopns<G: Solvable>(game: &G, attack: Attack) -> Vec<(u64, u64, u64)> {
    let (start, limits) = (game.start(), Limits::default());
    let stakes = Stakes {
        player: attack.attacker,
        thresholds: [attack.at_least],
    };
    steps(
        |trace| {
            Mopns::default().search(game, &start, stakes, &(), &limits, Some(trace));
        },
        |[numbers]| numbers,
    )
}

const ATTACKS: [Attack; 2] = [
    Attack {
        attacker: Player::FIRST,
        at_least: 1,
    },
    Attack {
        attacker: Player::SECOND,
        at_least: 1,
    },
];

/// All searches find that neither player can force a win.
fn check_draw<G: Solvable>(game: &G) {
    for attack in ATTACKS {
        let second_level = SecondLevel::Fraction {
            a: 2000.0,
            b: 500.0,
        };
        let (initial, bytes) = (Mobility, BYTES);
        let proofs = [
            prove(Pn::default(), game, attack, u64::MAX),
            prove(Pn { initial, bytes }, game, attack, u64::MAX),
            prove(Pn2::default(), game, attack, u64::MAX),
            prove(
                Pn2 {
                    initial: Unit,
                    second_level,
                    bytes,
                },
                game,
                attack,
                u64::MAX,
            ),
            prove(Pp::default(), game, attack, u64::MAX),
        ];
        assert_eq!(proofs.map(|proof| proof.status), [Status::Disproved; 5]);
        assert!(proofs[2].held < proofs[0].held, "PN2 needs less memory");
    }
    let stakes = Stakes {
        player: Player::FIRST,
        thresholds: [0, 1],
    };
    let limits = Limits::default();
    let outcome = Mopns::default().search(game, &game.start(), stakes, &(), &limits, None);
    let draw = Bounds { lower: 0, upper: 0 };
    assert_eq!(stakes.bounds(game, &outcome.root), draw);
}

#[test]
fn tic_tac_toe_is_a_draw() {
    check_draw(&Mnk::<u64>::new(3, 3, 3).unwrap());
}

#[test]
fn connect_four_on_four_columns_and_rows_is_a_draw() {
    check_draw(&Connect4::<u64>::new(4, 4, 4).unwrap());
}

#[test]
fn tic_tac_toe_is_searched_as_the_plain_search_does() {
    let game = Mnk::<u64>::new(3, 3, 3).unwrap();
    let attack = ATTACKS[0];
    let plain = plain::pn(&game, &game.start(), attack);
    assert!(plain.len() > 100);
    assert_eq!(steps_of_pn(&game, attack), plain);
    assert_eq!(steps_of_mopns(&game, attack), plain);
    let plain = plain::pn2(&game, &game.start(), attack);
    assert_eq!(steps_of_pn2(&game, attack), plain);
}

/// The second player has 126 times 120 ways to go on, and loses after three more moves by all of
/// them: a half to the power of that many is too small for any float.
#[test]
fn a_product_of_many_factors_is_no_disproof() {
    let (first, second) = (Player::FIRST, Player::SECOND);
    let mut vertices = vec![
        Vertex::Turn(second, (130..=255).collect()),
        Vertex::Over(1),
        Vertex::Turn(first, vec![1, 4]),
        Vertex::Turn(second, vec![2]),
        Vertex::Over(-1),
    ];
    vertices.resize(130, Vertex::Turn(first, vec![3, 4]));
    vertices.resize(256, Vertex::Turn(second, (10..130).collect()));
    let graph = Graph(vertices);
    for attack in ATTACKS {
        let proof = prove(Pp::default(), &graph, attack, u64::MAX);
        assert_eq!(proof.status, Status::of(attack.attacker == first));
    }
}

#[test]
fn a_search_that_is_cancelled_says_so() {
    let game = Connect4::<u64>::new(7, 6, 4).unwrap();
    let limits = Limits::default();
    limits.cancel.cancel();
    let proof = Pn2::default().prove(&game, &game.start(), ATTACKS[0], &(), &limits);
    assert_eq!((proof.status, proof.nodes), (Status::Unknown, 0));
    let stakes = Stakes {
        player: Player::FIRST,
        thresholds: [0, 1],
    };
    let outcome = Pn::default().dichotomic(&game, &game.start(), stakes, &(), &limits);
    assert_eq!(
        stakes.bounds(&game, &outcome.root),
        Bounds {
            lower: -1,
            upper: 1
        }
    );
}
