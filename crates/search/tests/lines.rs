//! Searches for lines of one player under every rule of repetition, against a walk that keeps whole
//! paths.

use proptest::prelude::*;
use tabia_game::{
    Compared, Consequence, Deterministic, Game, Limits, Payoff, Player, Repetition, Seed, Turn,
    Uniform,
};
use tabia_kit::cyclic::{Cyclic, Walk, rules};
use tabia_search::Situation;
use tabia_search::single_agent::{
    Beam, BeamConfig, Follow, Found, Nested, NestedConfig, Nrpa, NrpaConfig, Outlook, Parallel,
    Seek, SpMcts, SpMctsConfig, TopScore,
};

use crate::repetition::{ask, choices, playable, rule, same, walked};
use crate::support::safe::cases;

type Lines = Box<dyn Seek<Cyclic<1>>>;

/// All searches for lines.
fn line_searches(seed: u64) -> Vec<(&'static str, Lines)> {
    let spmcts = SpMctsConfig {
        exploration: 5.0,
        deviation: 10.0,
        threshold: 3,
        top: 0.1,
        top_score: TopScore::Share,
        restarts: 1,
        per_move: 0,
        tree: 100_000,
        seed,
    };
    let per_move = SpMctsConfig {
        per_move: 4,
        restarts: 2,
        ..spmcts
    };
    let nrpa = NrpaConfig {
        level: 2,
        iterations: 10,
        playouts: 1,
        step: 1.0,
        bias: true,
        repeats: 0,
        seed,
    };
    let beam = BeamConfig {
        width: 4,
        factor: 2.0,
        playouts: 1,
        mean: false,
        noise: 0.0,
        threads: 1,
        seed,
    };
    let known = BeamConfig {
        playouts: 0,
        ..beam
    };
    let restart = || Nested::new(NestedConfig { level: 1, seed }, Uniform);
    let restarts = Parallel::new::<Cyclic<1>>(2, Seed::new(seed), restart);
    vec![
        ("spmcts", Box::new(SpMcts::new(spmcts, Uniform)) as Lines),
        ("per move", Box::new(SpMcts::new(per_move, Uniform))),
        (
            "nmcs",
            Box::new(Nested::new(NestedConfig { level: 2, seed }, Uniform)),
        ),
        ("restarts", Box::new(restarts)),
        ("nrpa", Box::new(Nrpa::new(nrpa, Uniform))),
        ("beam", Box::new(Beam::new(beam, Outlook, Uniform))),
        (
            "beam by knowledge",
            Box::new(Beam::new(known, Outlook, Uniform)),
        ),
    ]
}

/// Rules that need a path.
fn tracked() -> impl Strategy<Value = Repetition> {
    rule().prop_filter("positions recur freely", |rule| rule.is_tracked())
}

/// Rules under which no line is longer than there are places.
fn ending_rule() -> impl Strategy<Value = Repetition> {
    let ends = |rule: &Repetition| {
        let consequences = [Consequence::Draw, Consequence::Loss, Consequence::Forbidden];
        let whole = rule.compared == Compared::Positions;
        whole && rule.occurrences == 2 && consequences.contains(&rule.consequence)
    };
    prop::sample::select(rules().into_iter().filter(ends).collect::<Vec<_>>())
}

/// What the game pays in the present position: as the rule says, or what a finished game pays, or
/// nothing for one that is broken off.
fn paid(game: &Cyclic<1>, walk: &Walk<'_, 1, Deterministic>) -> Payoff {
    match (game.turn(&walk.spot()), walk.ruling()) {
        (Turn::Over, _) => game.payoff(&walk.spot(), Player::FIRST),
        (_, ruling) if ruling.is_open() => 0,
        (_, ruling) => ruling.payoff(game, Player::FIRST),
    }
}

fn sought(
    game: &Cyclic<1>,
    walk: &Walk<'_, 1, Deterministic>,
    search: &mut Lines,
    nodes: u64,
) -> Found<u8> {
    let (state, path) = (walk.spot(), walk.path());
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    search.seek(situation, &Limits::nodes(nodes), &mut |_, _, _| {})
}

/// Positions of a line that are checked at most: lines are broken off after thousands of moves
/// where nothing ends them.
const CHECKED: usize = 200;

proptest! {
    #![proptest_config(cases(200))]

    /// Lines are legal to their ends, end where the game does, and pay what they say.
    #[test]
    fn lines_for_one_player_keep_the_rule(
        seed: u64, places in 1u8..9, rule in tracked(), choices in choices(),
    ) {
        let game = Cyclic::<1>::new(seed, places, rule);
        let Some((mut walk, _)) = walked(&game, &choices) else { return Ok(()) };
        // Lines without end are long.
        let nodes = 3;
        for (name, mut search) in line_searches(seed) {
            let found = sought(&game, &walk, &mut search, nodes);
            let checked = found.line.len().min(CHECKED);
            playable(&mut walk, &found.line[..checked])?;
            if checked < found.line.len() {
                continue;
            }
            found.line.iter().for_each(|&mv| walk.play(mv));
            let (over, paid) = (walk.is_over(), paid(&game, &walk));
            found.line.iter().for_each(|_| walk.undo());
            prop_assert_eq!(paid, found.payoff, "{}: {:?}", name, found);
            prop_assert!(over || found.line.is_empty(), "{}: {:?}", name, found);
        }
    }

    /// With playouts enough for all lines of a small game, tree search finds the best one, and so
    /// does a beam that is wide enough; nobody finds a better one, nor calls another one the best.
    #[test]
    fn lines_for_one_player_are_as_good_as_those_of_the_walk(
        seed: u64, places in 1u8..5, rule in ending_rule(), choices in choices(),
    ) {
        let game = Cyclic::<1>::new(seed, places, rule);
        let Some((mut walk, _)) = walked(&game, &choices) else { return Ok(()) };
        let value = walk.value(9);
        prop_assert!(value.complete, "{:?}", value);
        let best = (value.shares[0] * f64::from(game.largest)).round() as Payoff;
        for (name, mut search) in line_searches(seed) {
            let found = sought(&game, &walk, &mut search, 600);
            prop_assert!(found.payoff <= best, "{}: {} for {:?}", name, best, found);
            prop_assert!(!found.proved || found.payoff == best, "{}: {:?}", name, found);
            if name == "spmcts" {
                prop_assert_eq!(found.payoff, best, "{}: {:?}", name, found);
            }
        }
        let wide = BeamConfig {
            width: 1 << 12, factor: 1.0, playouts: 0, mean: false, noise: 0.0, threads: 1, seed,
        };
        let mut beam: Lines = Box::new(Beam::new(wide, Outlook, Uniform));
        // More than a game has positions on all its paths, so that the first beam is whole.
        let found = sought(&game, &walk, &mut beam, 400);
        prop_assert!(found.payoff <= best, "{} for {:?}", best, found);
        // Where a repetition draws, the keys of doubles do not tell all paths apart.
        if rule.has_exact_keys() {
            prop_assert_eq!(found.payoff, best, "{:?}", found);
        }
    }

    /// A player who follows its lines makes legal moves, and gets what its last line promised.
    #[test]
    fn players_of_lines_keep_the_rule(seed: u64, places in 1u8..7, rule in ending_rule()) {
        let game = Cyclic::<1>::new(seed, places, rule);
        for (name, search) in line_searches(seed) {
            let mut walk = Walk::new(&game);
            let mut player = Follow::new(search, Seed::new(seed));
            let mut promised = None;
            while !walk.is_over() {
                let choice = ask(&game, &walk, &mut player, &Limits::nodes(20));
                playable(&mut walk, &choice.line)?;
                prop_assert!(choice.value >= promised, "{}: {:?}", name, choice);
                promised = choice.value;
                let best = choice.best.unwrap();
                prop_assert!(walk.moves().contains(&best), "{}: {}", name, best);
                walk.play(best);
            }
            let paid = f64::from(paid(&game, &walk)) / f64::from(game.largest);
            prop_assert!(promised.is_none_or(|promised| same(promised, paid)), "{}", name);
        }
    }
}
