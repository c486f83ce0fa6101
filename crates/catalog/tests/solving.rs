//! Solving by name: all methods agree, goals are read, and what fails is told.

use std::io::{self, Write};

use tabia_catalog::sums::{OutcomeClass, SumEvaluator, Summands};
use tabia_catalog::{
    AnyGame, Facet, Images, Solution, SolveError, SolveJob, SolveMethod, Status, entries,
    full_spec, open,
};
use tabia_game::{Limits, Wdl};

const MEMORY: u64 = 1 << 26;

fn solve_by(
    spec: &str,
    moves: &str,
    goal: Option<&str>,
    change: impl FnOnce(&mut SolveJob<'_>),
    out: Option<&mut dyn Write>,
) -> Result<Solution, SolveError> {
    let game = open(spec).unwrap();
    let position = place(&*game, moves);
    let spec = full_spec(spec).unwrap();
    let mut job = SolveJob {
        spec: &spec,
        method: SolveMethod::Auto,
        goal,
        tables: None,
        table_size: None,
        memory: MEMORY,
        threads: 1,
        images: Images::Auto,
        limits: Limits::default(),
    };
    change(&mut job);
    let solving = Facet::Solving.require(game.solving())?;
    solving.solve(&position, &job, out, &mut |_, _| ())
}

/// The position after some moves.
fn place(game: &dyn AnyGame, moves: &str) -> String {
    let mut session = game.session(None).unwrap();
    session.play_line(moves).unwrap();
    session.position()
}

/// The value and, if the method tells, the plies to the end.
fn value(spec: &str, moves: &str, method: SolveMethod) -> (Option<Wdl>, Option<u32>) {
    let solution = solve_by(spec, moves, None, |job| job.method = method, None).unwrap();
    let word = match method {
        SolveMethod::Auto => solution.method,
        method => method.word(),
    };
    assert_eq!(solution.method, word, "{spec}");
    assert!(solution.is_solved() && solution.nodes > 0, "{spec}");
    (solution.value(), solution.plies)
}

/// Combinatorial games are solved as sums of their parts; their canonical values say the same.
#[test]
fn sums_agree_with_values() {
    let specs = [
        "clobber:4x3",
        "col:3x3",
        "domineering:4x4",
        "domineering:5x3",
        "domineering:3x3,impartial=on",
        "elephants:2",
        "fission:4x4",
        "hackenbush",
        "nim",
        "nogo:3x3",
        "snort:3x3",
        "toads:3,gap=2,frogs=2",
        "toppling_dominoes:8",
    ];
    for spec in specs {
        let game = open(spec).unwrap();
        let (name, _) = spec.split_once(':').unwrap_or((spec, ""));
        let form = if spec.contains("impartial") {
            "impartial "
        } else {
            ""
        };
        let position = place(&*game, "");
        let board = position
            .rsplit_once(' ')
            .map_or(&*position, |(board, _)| board);
        let sum = Summands::read(&format!("{form}{name}:{board}")).unwrap();
        let worth = SumEvaluator::new().of(&sum, &Limits::default()).unwrap();
        let first_wins = matches!(worth.outcome, OutcomeClass::L | OutcomeClass::N);
        let solution = solve_by(spec, "", None, |_| (), None).unwrap();
        assert_eq!(solution.method, "sums", "{spec}");
        let wanted = if first_wins { Wdl::Win } else { Wdl::Loss };
        assert_eq!(solution.value(), Some(wanted), "{spec}");
    }
}

#[test]
fn sums_refuse_what_they_do_not_know() {
    let refused = |change: fn(&mut SolveJob<'_>), out: Option<&mut dyn Write>| {
        let error = solve_by("nogo:3x3", "", None, change, out).unwrap_err();
        assert!(error.is_bad_request());
        error.to_string()
    };
    assert!(refused(|job| job.method = SolveMethod::Pn, None).contains("without a method"));
    assert!(refused(|job| job.goal = Some("win"), None).contains("without a goal"));
    assert!(refused(|_| (), Some(&mut io::sink())).contains("without a certificate"));
    let open = solve_by(
        "nogo:5x5",
        "",
        None,
        |job| job.limits = Limits::nodes(100),
        None,
    );
    let open = open.unwrap();
    assert_eq!((open.value(), open.nodes), (None, 100));
}

/// Tic-tac-toe and the small board of Connect Four are drawn.
#[test]
fn all_searches_agree_on_draws() {
    for method in SolveMethod::ALL {
        if method == SolveMethod::Retrograde {
            continue;
        }
        assert_eq!(value("tictactoe", "", method).0, Some(Wdl::Draw));
        // The corner was answered beside it, which loses.
        assert_eq!(value("tictactoe", "a1 a2", method).0, Some(Wdl::Win));
        assert_eq!(value("tictactoe", "a1 a2 b2", method).0, Some(Wdl::Loss));
        assert_eq!(value("connect4:4x3", "", method).0, Some(Wdl::Draw));
    }
}

/// White wins on 3x3 (Schadd 2011, table 4.4), in eleven plies by the plain rules in the tests of
/// `tabia-papers`, `agreement`.
#[test]
fn all_methods_agree_on_a_win() {
    for method in SolveMethod::ALL {
        let (value, plies) = value("fanorona:3x3", "", method);
        assert_eq!(value, Some(Wdl::Win), "{}", method.word());
        let tells = matches!(
            method,
            SolveMethod::AlphaBeta | SolveMethod::Retrograde | SolveMethod::Auto
        );
        assert_eq!(plies, tells.then_some(11), "{}", method.word());
    }
}

/// Whatever a search proves of both sides, the search for many outcomes reads off one tree.
#[test]
fn many_outcomes_are_told_as_attacks() {
    let told = |method| {
        let solution = solve_by("tictactoe", "", None, |job| job.method = method, None).unwrap();
        let goals = solution.goals.into_iter();
        let told = goals.map(|found| (found.goal, found.proof.status));
        (told.collect::<Vec<_>>(), solution.nodes)
    };
    let (pn, apart) = told(SolveMethod::Pn);
    let (mopns, together) = told(SolveMethod::Mopns);
    assert_eq!(mopns, pn);
    let expected = ["X wins", "O wins"].map(|goal| (goal.to_string(), Status::Disproved));
    assert_eq!(pn, expected);
    assert_ne!(apart, together, "one tree for both");
}

#[test]
fn goals_are_read_for_either_player() {
    let status = |moves: &str, goal: &str, method| {
        let change = |job: &mut SolveJob<'_>| job.method = method;
        let solution = solve_by("tictactoe", moves, Some(goal), change, None);
        solution.unwrap().goal
    };
    // Without moves a draw; after these two X wins.
    for (goal, at_first, then) in [
        ("win", Status::Disproved, Status::Proved),
        ("draw", Status::Proved, Status::Proved),
        ("X wins", Status::Disproved, Status::Proved),
        ("x at least draws", Status::Proved, Status::Proved),
        ("O wins", Status::Disproved, Status::Disproved),
        (" O draws ", Status::Proved, Status::Disproved),
    ] {
        for method in [
            SolveMethod::Pn,
            SolveMethod::Mopns,
            SolveMethod::Dfpn,
            SolveMethod::AlphaBeta,
        ] {
            assert_eq!(status("", goal, method), Some(at_first), "{goal}");
            assert_eq!(status("a1 a2", goal, method), Some(then), "{goal}");
        }
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refused = |change: fn(&mut SolveJob<'_>)| {
        let error = solve_by("tictactoe", "", None, change, None).unwrap_err();
        assert!(error.is_bad_request());
        error.to_string()
    };
    let goal = solve_by("tictactoe", "", Some("X loses"), |_| (), None).unwrap_err();
    assert!(goal.is_bad_request() && goal.to_string().contains("'X wins'"));
    assert!(refused(|job| job.method = SolveMethod::Retrograde).contains("tables"));
    assert!(refused(|job| job.limits.depth = Some(3)).contains("alphabeta"));
    assert!(refused(|job| job.memory = u64::MAX).contains("memory"));
    let deep = |job: &mut SolveJob<'_>| {
        job.method = SolveMethod::AlphaBeta;
        job.limits.depth = Some(9);
    };
    assert!(
        solve_by("tictactoe", "", None, deep, None)
            .unwrap()
            .is_solved()
    );
}

#[test]
fn a_search_that_ran_out_says_why() {
    let cut = |method, nodes, memory| {
        let change = |job: &mut SolveJob<'_>| {
            job.method = method;
            (job.limits.nodes, job.memory) = (nodes, memory);
        };
        let solution = solve_by("connect4:7x6", "", None, change, None).unwrap();
        assert!(!solution.is_solved());
        assert_eq!((solution.lower, solution.upper), (Wdl::Loss, Wdl::Win));
        solution.goals.iter().find_map(|found| found.proof.lack)
    };
    assert_eq!(cut(SolveMethod::Dfpn, Some(2_000), MEMORY), None);
    assert_eq!(cut(SolveMethod::Pn, Some(2_000), MEMORY), None);
    let lack = cut(SolveMethod::Pn, None, 10_000).unwrap();
    assert!(lack.to_string().contains("memory"));
    let lack = cut(SolveMethod::Mopns, None, 10_000).unwrap();
    assert!(lack.to_string().contains("memory"));
}

/// Images of one another have one value: every example that is soon solved is solved either way,
/// with fewer nodes where they are searched once.
#[test]
fn images_are_searched_once() {
    let solve = |spec: &str, images| {
        let change = |job: &mut SolveJob<'_>| {
            job.method = SolveMethod::Dfpn;
            job.images = images;
            job.limits.nodes = Some(100_000);
        };
        solve_by(spec, "", None, change, None).unwrap()
    };
    let (mut compared, mut fewer) = (0, 0);
    for entry in entries() {
        for &spec in entry.examples {
            let game = open(spec).unwrap();
            if game.solving().is_none() || game.traits().symmetries == 1 {
                continue;
            }
            let [once, each] = [Images::On, Images::Off].map(|images| solve(spec, images));
            if once.is_solved() && each.is_solved() {
                assert_eq!(once.value(), each.value(), "{spec}");
                compared += 1;
                fewer += u32::from(once.nodes < each.nodes);
            }
        }
    }
    assert!(
        compared >= 3 && fewer >= 2,
        "{compared} compared, {fewer} with fewer nodes"
    );
}

/// A disc that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_value_is_told_even_if_its_certificate_fails() {
    let solution = solve_by("tictactoe", "", None, |_| (), Some(&mut Full)).unwrap();
    assert_eq!(solution.value(), Some(Wdl::Draw));
    assert!(matches!(
        solution.certified,
        Some(Err(SolveError::Write(_)))
    ));
    let mut written = Vec::new();
    let solution = solve_by("tictactoe", "", None, |_| (), Some(&mut written)).unwrap();
    let entries = solution.certified.unwrap().unwrap().entries;
    let moves = String::from_utf8(written).unwrap();
    // A move of tic-tac-toe is a letter and a digit.
    let moves = moves.lines().filter(|line| line.len() == 2).count();
    assert_eq!(entries, moves as u64);
}
