//! Provers and exact searches under every rule of repetition: exact against a walk that keeps whole
//! paths, or refused by name.

use proptest::prelude::*;
use tabia_game::{Game, InexactUnderRule, Limits, Player, Repetition, Stochastic, Turn};
use tabia_kit::cyclic::{Cyclic, Walk, rules};
use tabia_solve::best_first::{BestFirstSearch, Mopns, Pn, Pn2, Pp, SecondLevel, Stakes, Unit};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::expectation::{ExpectationError, expectation};
use tabia_solve::single_agent::{self, BranchAndBound, DepthFirst};
use tabia_solve::{Attack, Lack, Proof, Prover, Status};

const BYTES: u64 = 1 << 22;

fn proofs(game: &Cyclic<2>, attack: Attack) -> Vec<(&'static str, Proof)> {
    let limits = Limits::nodes(2_000_000);
    let start = game.start();
    let initial = Unit;
    let second_level = SecondLevel::FirstLevel;
    let mut pn2 = Pn2 {
        initial,
        second_level,
        bytes: BYTES,
    };
    let mut pn = Pn {
        initial,
        bytes: BYTES,
    };
    let mut pp = Pp { bytes: BYTES };
    vec![
        (
            "df-pn",
            Dfpn::new(BYTES, 1).prove(game, &start, attack, &(), &limits),
        ),
        (
            "df-pn as one graph",
            Dfpn::new(BYTES, 1)
                .first_look(8)
                .prove(game, &start, attack, &(), &limits),
        ),
        ("pn", pn.prove(game, &start, attack, &(), &limits)),
        ("pn2", pn2.prove(game, &start, attack, &(), &limits)),
        ("pp", pp.prove(game, &start, attack, &(), &limits)),
    ]
}

/// The value for the first player, of which a walk is sure however far it would go on.
fn value(game: &Cyclic<2>) -> Option<f64> {
    // Play without end is drawn, and so is a repetition.
    let rule = match game.rule.is_tracked() {
        true => game.rule,
        false => Repetition::draw(2),
    };
    let mut game = game.clone();
    game.rule = rule;
    let mut walk = Walk::new(&game);
    // No line without a repetition is longer than the positions there are.
    let value = walk.value(2 * u32::from(game.places) * (rule.occurrences - 1) + 1);
    value.complete.then(|| value.shares[0])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn provers_agree_with_the_walk_or_refuse(
        seed: u64, places in 1u8..5, rule in prop::sample::select(rules()), first: bool,
        at_least in 1..=2,
    ) {
        let mut game = Cyclic::<2>::new(seed, places, rule);
        game.branching = 2;
        let attacker = if first { Player::FIRST } else { Player::SECOND };
        let attack = Attack { attacker, at_least };
        if game.turn(&game.start()) == Turn::Over {
            return Ok(());
        }
        if !rule.is_endless_draw() {
            for (name, proof) in proofs(&game, attack) {
                prop_assert_eq!(proof.status, Status::Unknown, "{}", name);
                prop_assert_eq!(proof.lack, Some(Lack::Rule), "{}", name);
            }
            return Ok(());
        }
        let Some(value) = value(&game) else { return Ok(()) };
        let own = if first { value } else { -value };
        let expected = Status::of(own * 2.0 >= f64::from(at_least));
        for (name, proof) in proofs(&game, attack) {
            prop_assert_eq!(proof.status, expected, "{} under {}", name, rule);
        }
    }

    #[test]
    fn all_outcomes_agree_with_the_walk_or_are_refused(
        seed: u64, places in 1u8..5, rule in prop::sample::select(rules()),
    ) {
        let mut game = Cyclic::<2>::new(seed, places, rule);
        game.branching = 2;
        let stakes = Stakes { player: Player::FIRST, thresholds: [0, 1, 2] };
        let limits = Limits::nodes(2_000_000);
        let search = Mopns { bytes: BYTES };
        let found = search.search(&game, &game.start(), stakes, &(), &limits, None);
        let statuses = found.root.map(|numbers| numbers.status());
        if !rule.is_endless_draw() {
            prop_assert_eq!(found.lack, Some(Lack::Rule));
            prop_assert!(statuses.iter().all(|&status| status == Status::Unknown));
        } else if let Some(value) = value(&game) {
            let expected = [0.0, 1.0, 2.0].map(|least| Status::of(value * 2.0 >= least));
            prop_assert_eq!(statuses, expected, "under {}", rule);
        }
    }
}

/// What is not exact says so and names the rule.
#[test]
fn exact_methods_refuse_rules_by_name() {
    for rule in rules() {
        let game = Cyclic::<2, Stochastic>::new(3, 4, rule);
        let found = expectation(&game, &game.start(), 1000, &Limits::default());
        let refusal = InexactUnderRule {
            algorithm: "the exact expectation",
            rule,
        };
        match found {
            Err(error) => {
                assert!(rule.is_tracked(), "{error}");
                assert_eq!(error, ExpectationError::Rule(refusal));
                assert!(error.to_string().contains(&rule.to_string()), "{error}");
            }
            Ok(_) => assert!(!rule.is_tracked(), "{rule}"),
        }
        let game = Cyclic::<1>::new(3, 4, rule);
        let (start, limits) = (game.start(), Limits::nodes(1000));
        let found = [
            single_agent::a_star(&game, &start, 1000, &limits),
            single_agent::ida_star(&game, &start, &limits),
            BranchAndBound::new(1000).search(&game, &start, &limits, &mut |_| {}),
            DepthFirst::incremental()
                .cyclic()
                .table(1000)
                .search(&game, &start, &limits),
        ];
        for found in found {
            let refused = !found.proved && found.payoff.is_none() && found.nodes == 0;
            assert_eq!(refused, rule.is_tracked(), "{rule}");
        }
    }
}
