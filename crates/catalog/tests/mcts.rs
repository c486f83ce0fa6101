//! Monte-Carlo tree search on every game that it serves, and its proofs against what is solved
//! otherwise.

use rand::RngExt;
use tabia_catalog::{Images, Session, SolveJob, SolveMethod, entries, full_spec, open};
use tabia_game::{Limits, Seed, Turn, Wdl};

/// Switches that every game can have.
const SWITCHES: [&str; 6] = [
    "selection=tuned,amaf=grave,reference=5",
    "selection=puct,implicit=0.2,threads=2",
    "amaf=rave,policy=ngrams,threads=2,parallel=root",
    "bias=1,heuristic=priority,policy=replies,reuse=on",
    "widening=2,policy=greedy,plies=4,outcomes=widening",
    "expand=3,playouts=2,memory=64K,threads=2,parallel=leaf",
];

/// Plays a few plies; moves that are no moves are refused by the session.
fn play(session: &mut Box<dyn Session>, spec: &str, engine: &mut tabia_catalog::AnyEngine) {
    for ply in 0..4 {
        match session.turn() {
            Turn::Over => break,
            Turn::Chance => {
                session.roll(&mut Seed::new(ply).rng()).unwrap();
            }
            Turn::Player(_) => {
                let answer = session.ask(engine, &Limits::nodes(600)).unwrap();
                assert!(answer.nodes <= 600, "{spec}: {answer:?}");
                let best = answer.best.unwrap_or_else(|| panic!("{spec}: no move"));
                session.play(&best).unwrap();
            }
        }
    }
}

#[test]
fn all_switches_play_all_games() {
    let specs = entries().iter().flat_map(|entry| entry.examples.iter());
    let mut games = 0;
    for (number, spec) in specs.enumerate() {
        let game = open(spec).unwrap();
        let has = |name: &str| game.engines().iter().any(|info| info.name == name);
        let sampled = has("mcts");
        if game.traits().players != 2 {
            continue;
        }
        assert_eq!(sampled, !game.traits().hidden, "{spec}");
        let name = if sampled { "mcts" } else { "ismcts" };
        for place in [number, number + 3] {
            let spec = format!("{name}:{}", SWITCHES[place % SWITCHES.len()]);
            let mut engine = game.engine(&spec).unwrap();
            play(&mut game.session(None).unwrap(), &spec, &mut engine);
        }
        // Games of any number of players have no engine that plays for one of two only.
        if has("flat") {
            let mut engine = game.engine("flat:first=2,batch=1").unwrap();
            play(&mut game.session(None).unwrap(), "flat", &mut engine);
        }
        games += 1;
    }
    assert!(games > 30);
}

/// What the search proves of positions after some random moves is what retrograde analysis or
/// alpha-beta says.
fn proofs(spec: &str, method: SolveMethod, positions: u64, plies: std::ops::Range<usize>) -> u32 {
    let game = open(spec).unwrap();
    let whole = full_spec(spec).unwrap();
    let job = SolveJob {
        spec: &whole,
        method,
        goal: None,
        tables: None,
        table_size: None,
        memory: 1 << 26,
        threads: 1,
        images: Images::Auto,
        limits: Limits::default(),
    };
    let mut proved = 0;
    for number in 0..positions {
        let mut rng = Seed::new(5).number(number).rng();
        let mut session = game.session(None).unwrap();
        for _ in 0..rng.random_range(plies.clone()) {
            let moves = session.moves();
            if !matches!(session.turn(), Turn::Player(_)) || session.ending().is_some() {
                break;
            }
            session
                .play(&moves[rng.random_range(0..moves.len())])
                .unwrap();
        }
        if session.ending().is_some() {
            continue;
        }
        let mut engine = game.engine("mcts").unwrap();
        let answer = session.ask(&mut engine, &Limits::nodes(100_000)).unwrap();
        if !answer.solved {
            continue;
        }
        proved += 1;
        let solution = game
            .solving()
            .unwrap()
            .solve(&session.position(), &job, None, &mut |_, _| ())
            .unwrap();
        let value = match solution.value().unwrap() {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.0,
            Wdl::Loss => -1.0,
        };
        assert_eq!(answer.value, Some(value), "{spec} {}", session.position());
    }
    proved
}

#[test]
fn proofs_of_dao_are_right() {
    assert!(proofs("dao", SolveMethod::Auto, 400, 4..60) >= 5);
}

#[test]
fn proofs_of_connect_four_are_right() {
    assert!(proofs("connect4:5x5", SolveMethod::AlphaBeta, 40, 8..20) >= 10);
}
