//! Matches: balance, shared luck, independence of threads, storing and resuming.

use std::collections::HashMap;

use crate::support::{plan, race, timeless};
use tabia_game::Cancel;
use tabia_lab::export::StoredRun;
use tabia_lab::matches::{Match, MatchPlan, Opening, PlayedGame, Summary};
use tabia_lab::referee::{Ending, Terms};
use tabia_lab::statistics::{Counts, Decision, Mean};
use tabia_lab::store::{RunKind, Store};

fn finish(mut played: Match<'_>, threads: usize) -> (Vec<PlayedGame>, Summary) {
    assert!(
        played
            .play(threads, &Cancel::default(), &mut |_| {})
            .unwrap()
    );
    (timeless(played.games()), played.summary())
}

fn played(plan: &MatchPlan, threads: usize) -> (Vec<PlayedGame>, Summary) {
    finish(Match::new(plan.clone()).unwrap(), threads)
}

/// The two games of a pair of identical deterministic engines are the same game.
#[test]
fn identical_deterministic_engines_in_pairs_score_exactly_one_half() {
    let plan = MatchPlan {
        paired: true,
        ..plan("connect4", &["pvs:nodes=200", "pvs:nodes=200"], 60)
    };
    let (games, summary) = played(&plan, 2);
    assert_eq!(summary.counts, Some(Counts::Pairs([0, 0, 30, 0, 0])));
    assert_eq!(
        (summary.players[0].points, summary.players[0].share),
        (30.0, 0.5)
    );
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves, pair[1].moves);
        assert_eq!(pair[0].seats, [0, 1]);
        assert_eq!(pair[1].seats, [1, 0]);
    }
    let openings: std::collections::HashSet<_> = games.iter().map(|g| &g.moves[..2]).collect();
    assert!(openings.len() > 10, "and yet openings differ");
}

/// Sheppard (2004), section 5: with duplicate deals and synchronised random numbers every pair of
/// identical engines comes out exactly even, also if they play at random.
#[test]
fn identical_random_engines_in_pairs_score_exactly_one_half() {
    for game in ["breakthrough:5x5", "tictactoe"] {
        let plan = MatchPlan {
            paired: true,
            ..plan(game, &["random", "random"], 100)
        };
        let (games, summary) = played(&plan, 2);
        assert_eq!(
            summary.counts,
            Some(Counts::Pairs([0, 0, 50, 0, 0])),
            "{game}"
        );
        assert!(games.chunks(2).all(|pair| pair[0].moves == pair[1].moves));
    }
    // Without pairs they do not.
    let (_, summary) = played(&plan("breakthrough:5x5", &["random", "random"], 101), 2);
    assert_ne!(summary.players[0].wins, summary.players[0].losses);
}

/// The same with chance, three seats and all six seatings of two players.
#[test]
fn rounds_of_all_seatings_share_their_luck() {
    let plan = MatchPlan {
        paired: true,
        ..plan("race", &["random", "random"], 100)
    };
    let (games, summary) = finish(Match::with_game(plan, race()).unwrap(), 2);
    assert_eq!(games.len(), 102, "rounded up to whole rounds of six");
    for round in games.chunks(6) {
        assert!(round.iter().all(|game| game.moves == round[0].moves));
    }
    let [a, b] = &summary.players[..] else {
        panic!()
    };
    assert!((a.points - 51.0).abs() < 1e-9 && (b.points - 51.0).abs() < 1e-9);
    assert_eq!((a.games, summary.counts, summary.sprt), (102, None, None));
}

/// Schadd (2011), section 6.5: each assignment of player types is played equally often.
#[test]
fn seats_are_balanced() {
    for (players, expected) in [(2, 6), (3, 6), (4, 24), (5, 60)] {
        let plan = plan("race", &vec!["random"; players], 1);
        let (games, _) = finish(Match::with_game(plan, race()).unwrap(), 2);
        assert_eq!(games.len(), expected);
        let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
        for game in &games {
            for (seat, &player) in game.seats.iter().enumerate() {
                *seen.entry((seat, player)).or_default() += 1;
            }
        }
        assert!(seen.values().all(|&n| n == expected / players), "{seen:?}");
    }
}

/// The points of a game for several are shared by those who have most.
#[test]
fn shared_wins_add_up() {
    let plan = plan("race", &["random", "random:seed=1", "random:seed=2"], 300);
    let (games, summary) = finish(Match::with_game(plan, race()).unwrap(), 2);
    let total: f64 = summary.players.iter().map(|p| p.points).sum();
    assert!((total - 300.0).abs() < 1e-9);
    let won_alone = |player: usize| {
        games
            .iter()
            .filter(|g| {
                let payoffs = g.payoffs.as_ref().unwrap();
                payoffs.iter().sum::<i32>() == 1
                    && payoffs
                        .iter()
                        .zip(&g.seats)
                        .any(|(&p, &s)| p == 1 && s == player)
            })
            .count() as u64
    };
    for (number, player) in summary.players.iter().enumerate() {
        assert_eq!(player.wins, won_alone(number));
        assert_eq!(player.wins + player.draws + player.losses, 300);
        assert!(
            player.draws > 0 && player.interval.low < 1.0 / 3.0 && 1.0 / 3.0 < player.interval.high
        );
    }
    assert_eq!(
        summary.elo, None,
        "there is no single difference between three"
    );
}

#[test]
fn results_do_not_depend_on_threads() {
    for paired in [false, true] {
        let plan = MatchPlan {
            paired,
            ..plan("connect4", &["pvs:nodes=300", "mtdf:depth=3", "random"], 40)
        };
        let (one, summary) = played(&plan, 1);
        assert_eq!(one.len(), 42);
        for threads in [2, 5] {
            let (many, same) = played(&plan, threads);
            assert_eq!(one, many);
            assert_eq!(summary.players[0].points, same.players[0].points);
        }
        let other_seed = MatchPlan { seed: 6, ..plan };
        assert_ne!(one, played(&other_seed, 2).0);
    }
}

#[test]
fn one_seed_replays_any_single_game() {
    let plan = MatchPlan {
        paired: true,
        ..plan("breakthrough:5x5", &["pvs:nodes=200", "random"], 10)
    };
    let mut store = Store::in_memory().unwrap();
    let stored = Match::new(plan).unwrap().stored(&mut store, false).unwrap();
    finish(stored, 2);
    let stored = StoredRun::read(&store, None).unwrap();
    assert_eq!(stored.games.len(), 10);
    for game in &stored.games {
        let again = stored.replay(game, &Cancel::default()).unwrap().unwrap();
        assert_eq!(timeless([&again].into_iter()), timeless([game].into_iter()));
    }
}

/// 200 matches of an engine against itself: the interval of a level of 95% covers one half about
/// 190 times. The standard deviation is 3.1; the bounds are four of them below, and what is hardly
/// possible (one in 30,000) above.
#[test]
fn intervals_of_an_engine_against_itself_cover_one_half_at_the_nominal_rate() {
    for (game, engine) in [("connect4", "random"), ("tictactoe", "random")] {
        let covered = (0..200)
            .filter(|&seed| {
                let plan = MatchPlan {
                    seed,
                    ..plan(game, &[engine, engine], 100)
                };
                let (_, summary) = played(&plan, 2);
                let interval = summary.players[0].interval;
                interval.low <= 0.5 && 0.5 <= interval.high
            })
            .count();
        println!("{game}: {covered} of 200");
        assert!((178..200).contains(&covered), "{game}: {covered} of 200");
    }
}

fn with_test(elo1: f64) -> MatchPlan {
    MatchPlan {
        paired: true,
        sprt: Some(format!("elo0=0,elo1={elo1}").parse().unwrap()),
        ..plan("connect4", &["pvs:depth=3", "random"], 1000)
    }
}

#[test]
fn a_test_ends_the_match_at_the_same_game_on_any_number_of_threads() {
    let plan = with_test(50.0);
    let (one, summary) = played(&plan, 1);
    assert_eq!(summary.sprt.unwrap().decision, Decision::AcceptH1);
    assert!(
        one.len() < 200 && one.len().is_multiple_of(2),
        "{}",
        one.len()
    );
    let mut store = Store::in_memory().unwrap();
    let stored = Match::new(plan.clone())
        .unwrap()
        .stored(&mut store, false)
        .unwrap();
    let (many, _) = finish(stored, 4);
    assert_eq!(one, many);
    let run = store.run(None).unwrap();
    assert_eq!(timeless(store.games(run.id).unwrap().iter()), one);
    // Once decided, nothing more is played.
    let again = Match::new(plan).unwrap().stored(&mut store, true).unwrap();
    assert!(again.is_finished());
}

#[test]
fn what_is_stored_is_what_was_played_and_a_run_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.db");
    let plan = plan("connect4", &["quick=pvs:nodes=100", "random"], 60);
    let (whole, _) = played(&plan, 2);
    // Stopped after the first ten games, again and again.
    for round in 0.. {
        let mut store = Store::writer(&file).unwrap();
        let mut played = Match::new(plan.clone())
            .unwrap()
            .stored(&mut store, true)
            .unwrap();
        let before = played.games().count();
        assert!(round < 10 && before >= (10 * round).min(60));
        let cancel = Cancel::default();
        let mut new = 0;
        let finished = played.play(2, &cancel, &mut |_| {
            new += 1;
            if new == 10 {
                cancel.cancel();
            }
        });
        if finished.unwrap() {
            break;
        }
        assert!(!played.is_finished());
    }
    let store = Store::open(&file).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1, "every part belongs to one run");
    assert_eq!((runs[0].kind, runs[0].games), (RunKind::Match, 60));
    assert!(runs[0].finished.is_some());
    assert_eq!(timeless(store.games(runs[0].id).unwrap().iter()), whole);
    let players = store.players(runs[0].id).unwrap();
    assert_eq!(players[0].entrant.name, "quick");
    assert!(players[0].full_spec.starts_with("pvs:nodes=100,"));
    assert_eq!(
        serde_json::from_value::<MatchPlan>(runs[0].plan.clone()).unwrap(),
        plan
    );
}

#[test]
fn another_plan_is_another_run_and_one_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.db");
    let mut store = Store::writer(&file).unwrap();
    for (seed, resume, runs) in [(1, false, 1), (2, true, 2), (1, true, 2), (1, false, 3)] {
        let plan = MatchPlan {
            seed,
            ..plan("tictactoe", &["random", "random"], 4)
        };
        finish(
            Match::new(plan)
                .unwrap()
                .stored(&mut store, resume)
                .unwrap(),
            1,
        );
        assert_eq!(store.runs().unwrap().len(), runs);
    }
    let error = Store::writer(&file).err().unwrap().to_string();
    assert!(error.contains("another run is writing"), "{error}");
    assert_eq!(
        Store::open(&file).unwrap().runs().unwrap().len(),
        3,
        "readers may look"
    );
    drop(store);
    Store::writer(&file).unwrap();
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refusal = |plan: MatchPlan| Match::new(plan).err().unwrap().to_string();
    assert!(refusal(plan("tictactoe", &["random"], 10)).contains("at least two players"));
    assert!(refusal(plan("tictactoe", &["random", "random"], 0)).contains("from 1 to"));
    let three = MatchPlan {
        sprt: with_test(10.0).sprt,
        ..plan("tictactoe", &["random", "random", "pvs"], 6)
    };
    assert!(refusal(three).contains("two players"));
    let unknown = Match::new(plan("tictactoe", &["random", "deep-thought"], 2)).unwrap();
    assert!(unknown.check().is_err());
    let long = MatchPlan {
        opening: Opening::Random(9),
        ..plan("tictactoe", &["random", "random"], 2)
    };
    let mut long = Match::new(long).unwrap();
    let error = long.play(1, &Cancel::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("random plies"), "{error}");
}

/// A player that cannot be opened in mid-match loses its games, and the match goes on.
#[test]
fn a_match_outlives_its_players() {
    let plan = MatchPlan {
        terms: Terms {
            patience_ms: 2_000,
            ..Terms::default()
        },
        ..plan("tictactoe", &["random", "program:/nowhere/engine"], 6)
    };
    let (games, summary) = played(&plan, 2);
    assert_eq!(games.len(), 6);
    assert!(
        games
            .iter()
            .all(|g| matches!(g.ending, Ending::Fault { .. }))
    );
    assert_eq!((summary.players[0].wins, summary.players[1].faults), (6, 6));
}

/// Every line of a file is played in all seatings, also without pairs: identical engines come out
/// even, whatever the number of lines.
#[test]
fn openings_of_a_file_favour_nobody() {
    let game = tabia_catalog::open("connect4").unwrap();
    let lines = tabia_lab::matches::opening::read("4\n1\n", "f", &*game).unwrap();
    let plan = MatchPlan {
        opening: Opening::File(lines),
        ..plan("connect4", &["pvs:depth=2", "pvs:depth=2"], 12)
    };
    let (games, summary) = played(&plan, 2);
    assert_eq!(summary.players[0].points, 6.0);
    // Two lines in two seatings, again and again.
    assert_eq!(summary.different, 4);
    let openings: Vec<&str> = games.iter().map(|g| g.moves[0].as_str()).collect();
    assert_eq!(openings[..6], ["4", "4", "1", "1", "4", "4"]);
}

#[test]
fn a_run_goes_on_with_the_same_players_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.db");
    // More games than are played before anybody has looked: those on their way are kept, too.
    let plan = plan("tictactoe", &["random", "pvs:depth=2"], 10_000);
    let stop_at_once = |resume| {
        let mut store = Store::writer(&file).unwrap();
        let mut played = Match::new(plan.clone())?.stored(&mut store, resume)?;
        let cancel = Cancel::default();
        let mut stop = |_: &dyn Fn() -> Summary| cancel.cancel();
        played.play(1, &cancel, &mut stop)
    };
    assert!(!stop_at_once(false).unwrap());
    assert!(!stop_at_once(true).unwrap(), "nothing has changed");
    let database = rusqlite::Connection::open(&file).unwrap();
    for (change, back, told) in [
        (
            "UPDATE player SET full_spec = 'pvs:depth=2,old=on' WHERE number = 1",
            "UPDATE player SET full_spec = full_spec",
            "player 'pvs:depth=2' was",
        ),
        (
            "UPDATE run SET version = '0.0.1'",
            "UPDATE run SET version = version",
            "begun by version 0.0.1",
        ),
    ] {
        database.execute(change, []).unwrap();
        let error = stop_at_once(true).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
        database.execute(back, []).unwrap();
    }
}

#[test]
fn a_game_longer_than_its_opening_is_asked_for() {
    let plan = MatchPlan {
        opening: Opening::Random(4),
        terms: Terms {
            plies: 4,
            ..Terms::default()
        },
        ..plan("connect4", &["random", "random"], 2)
    };
    let error = Match::new(plan).unwrap().check().unwrap_err().to_string();
    assert!(error.contains("over with the opening"), "{error}");
}

/// Points without luck agree with plain points within their errors, and are known far better; they
/// are stored with the games.
#[test]
fn luck_is_taken_away() {
    let plan = MatchPlan {
        paired: true,
        opening: Opening::Start,
        terms: Terms {
            luck: true,
            ..Terms::default()
        },
        ..plan(
            "backgammon",
            &["star2:depth=1", "star2:depth=1,noise=0.05"],
            80,
        )
    };
    let (games, summary) = played(&plan, 2);
    let width = |mean: &Mean| mean.interval.high - mean.interval.low;
    for player in &summary.players {
        let luckless = player.payoff_without_luck.as_ref().unwrap();
        let (plain, reduced) = (width(&player.payoff), width(luckless));
        assert!(reduced < 0.6 * plain, "{plain} {reduced}");
        let apart = (player.payoff.mean - luckless.mean).abs();
        assert!(apart < plain + reduced, "{apart} {plain} {reduced}");
    }
    for game in &games {
        let [own, other] = game.efforts[..] else {
            panic!("two seats");
        };
        assert_eq!(own.luck.unwrap(), -other.luck.unwrap());
    }
    let mut store = Store::in_memory().unwrap();
    let stored = Match::new(plan.clone()).unwrap();
    finish(stored.stored(&mut store, false).unwrap(), 2);
    let again = Match::new(plan).unwrap().stored(&mut store, true).unwrap();
    assert!(again.is_finished());
    assert_eq!(timeless(again.games()), games);
    let told = again.summary();
    for (now, then) in told.players.iter().zip(&summary.players) {
        assert_eq!(now.payoff_without_luck, then.payoff_without_luck);
    }
}

/// Three players of a puzzle, two of whom play alike: figures from the payoffs alone.
#[test]
fn scores_of_lone_players_are_compared_board_by_board() {
    let players = ["a=random", "b=random", "c=nrpa:nodes=100"];
    let plan = MatchPlan {
        opening: Opening::Start,
        ..plan("samegame:5x5,colours=3", &players, 29)
    };
    let (games, summary) = played(&plan, 2);
    assert_eq!(games.len(), 30, "rounded up to whole boards");
    let boards: Vec<&[PlayedGame]> = games.chunks(3).collect();
    for board in &boards {
        assert!(board[0].position.is_some());
        assert!(board.iter().all(|game| game.position == board[0].position));
    }
    assert_ne!(boards[0][0].position, boards[1][0].position);
    assert_eq!(
        (summary.elo, summary.counts, &summary.ratings),
        (None, None, &None)
    );
    let score = |board: &[PlayedGame], player: usize| {
        let game = board.iter().find(|game| game.seats == [player]).unwrap();
        game.payoffs.as_ref().unwrap()[0]
    };
    let comparisons = summary.comparisons.unwrap();
    let of = |first: &str, second: &str| {
        let mut found = comparisons.iter();
        found
            .find(|c| c.first == first && c.second == second)
            .unwrap()
    };
    assert_eq!(comparisons.len(), 3);
    // The same luck on the same board.
    let alike = of("a", "b");
    assert_eq!((alike.boards, alike.equal), (10, 10));
    assert_eq!(
        (alike.difference.mean, alike.difference.interval.high),
        (0.0, 0.0)
    );
    let apart = of("a", "c");
    let differences: Vec<i32> = boards.iter().map(|b| score(b, 0) - score(b, 2)).collect();
    let count = |is: fn(i32) -> bool| differences.iter().filter(|&&d| is(d)).count() as u64;
    assert_eq!(
        [apart.better, apart.equal, apart.worse],
        [count(|d| d > 0), count(|d| d == 0), count(|d| d < 0)]
    );
    let mean = f64::from(differences.iter().sum::<i32>()) / 10.0;
    assert!((apart.difference.mean - mean).abs() < 1e-9);
    // Student's distribution with nine degrees of freedom: 2.262 standard errors (any table of it).
    let squares = differences.iter().map(|&d| (f64::from(d) - mean).powi(2));
    let error = (squares.sum::<f64>() / 9.0 / 10.0).sqrt();
    let half = apart.difference.interval.high - mean;
    assert!(
        (half - 2.262 * error).abs() < 1e-3 * error.max(1.0),
        "{half} {error}"
    );
    for (number, player) in summary.players.iter().enumerate() {
        assert_eq!(player.wins + player.draws + player.losses, 10);
        let scores = boards.iter().map(|board| f64::from(score(board, number)));
        assert!((player.payoff.mean - scores.sum::<f64>() / 10.0).abs() < 1e-9);
        let best = boards.iter().filter(|board| {
            (0..3).all(|other| other == number || score(board, other) < score(board, number))
        });
        assert_eq!(player.wins, best.count() as u64);
    }
}
