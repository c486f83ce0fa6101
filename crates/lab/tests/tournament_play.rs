//! Tournaments between engines: who meets whom, independence of threads, storing and resuming.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::{race, timeless};
use num_rational::Ratio;
use tabia_game::Cancel;
use tabia_lab::matches::{Opening, PlayedGame};
use tabia_lab::player::Entrant;
use tabia_lab::referee::{Ending, Terms};
use tabia_lab::store::{RunKind, Store};
use tabia_lab::tournament::{
    Contest, DECIDING_PAIRS, Meeting, Points, Scoring, TieBreak, Tournament, TournamentFormat,
    TournamentPlan, TournamentRules, from_store,
};

const FORMATS: [TournamentFormat; 5] = [
    TournamentFormat::RoundRobin,
    TournamentFormat::DoubleRoundRobin,
    TournamentFormat::RoundRobinFinal,
    TournamentFormat::Swiss,
    TournamentFormat::Knockout,
];

const FIVE: [&str; 5] = [
    "random",
    "random:seed=1",
    "weak=pvs:depth=1",
    "random:seed=2",
    "strong=pvs:depth=3",
];

fn plan(format: TournamentFormat, players: &[&str], games: u32) -> TournamentPlan {
    let mut players: Vec<Entrant> = players.iter().map(|p| Entrant::parse(p)).collect();
    Entrant::tell_apart(&mut players);
    TournamentPlan {
        name: "Test".to_string(),
        game: "connect4:5x4,k=3".to_string(),
        format,
        rules: TournamentRules {
            tie_breaks: vec![TieBreak::Direct, TieBreak::SonnebornBerger],
            ..TournamentRules::new(Scoring::classical()).with_games(games)
        },
        players,
        final_games: None,
        rounds: (format == TournamentFormat::Swiss).then_some(3),
        opening: Opening::Random(2),
        terms: Terms::default(),
        seed: 7,
    }
}

fn finish(mut contest: Contest<'_>, threads: usize) -> (Vec<PlayedGame>, Tournament) {
    let finished = contest.play(threads, &Cancel::default(), &mut |_, _| {});
    assert!(finished.unwrap());
    (timeless(contest.games()), contest.tournament().clone())
}

fn played(plan: &TournamentPlan, threads: usize) -> (Vec<PlayedGame>, Tournament) {
    finish(Contest::new(plan.clone()).unwrap(), threads)
}

/// The tables that are printed, with names.
fn told(tournament: &Tournament) -> Vec<Vec<String>> {
    let standings = tournament.standings();
    let mut rows = tournament.crosstable(&standings).rows;
    rows.extend(standings.iter().map(|standing| {
        let name = &tournament.players[standing.player].name;
        vec![standing.place_text(), name.clone()]
    }));
    rows
}

/// The players of the games in the order of their numbers.
fn seats(games: &[PlayedGame]) -> Vec<[usize; 2]> {
    let both = |game: &PlayedGame| <[usize; 2]>::try_from(game.seats.clone()).unwrap();
    games.iter().map(both).collect()
}

#[test]
fn games_are_as_many_as_the_format_says_and_numbered_without_gaps() {
    // Five players: ten pairs, two pairs and a bye in a Swiss round, four matches of a knockout.
    for (format, expected) in FORMATS.into_iter().zip([20, 40, 22, 12, 8]) {
        let plan = plan(format, &FIVE, 2);
        assert_eq!(plan.planned(), expected);
        let (games, tournament) = played(&plan, 2);
        assert!(
            (0..)
                .zip(&games)
                .all(|(number, game)| game.number == number)
        );
        match format {
            TournamentFormat::Knockout => assert!(games.len() as u64 >= expected),
            _ => assert_eq!(games.len() as u64, expected),
        }
        let met = tournament.meetings.iter();
        let met = met.filter(|m| matches!(m, Meeting::Game { .. }));
        assert_eq!(met.count(), games.len());
    }
}

/// What is ranked is what was played: sums of the payoffs, by hand.
#[test]
fn points_are_those_of_the_games() {
    for format in [
        TournamentFormat::RoundRobin,
        TournamentFormat::DoubleRoundRobin,
    ] {
        let (games, tournament) = played(&plan(format, &FIVE, 3), 2);
        let mut halves: BTreeMap<usize, i128> = BTreeMap::new();
        for game in &games {
            let payoffs = game.payoffs.as_ref().unwrap();
            for (player, payoff) in game.seats.iter().zip(payoffs) {
                *halves.entry(*player).or_default() += i128::from(payoff.signum()) + 1;
            }
        }
        for standing in tournament.standings() {
            assert_eq!(standing.points, Ratio::new(halves[&standing.player], 2));
        }
    }
}

#[test]
fn pairs_of_games_share_the_opening_with_colours_reversed() {
    for (format, games) in [
        (TournamentFormat::RoundRobin, 2),
        (TournamentFormat::RoundRobin, 4),
        (TournamentFormat::DoubleRoundRobin, 1),
        (TournamentFormat::DoubleRoundRobin, 2),
        (TournamentFormat::DoubleRoundRobin, 3),
        (TournamentFormat::Swiss, 4),
        (TournamentFormat::Knockout, 2),
    ] {
        let (games, _) = played(&plan(format, &FIVE, games), 2);
        let mut twice: BTreeMap<(u64, BTreeSet<usize>), Vec<&PlayedGame>> = BTreeMap::new();
        for game in &games {
            let pair = game.seats.iter().copied().collect();
            twice.entry((game.round, pair)).or_default().push(game);
        }
        for (_, games) in twice {
            let [a, b] = games[..] else {
                panic!("{format:?}: {games:?}");
            };
            assert!(a.seats.iter().eq(b.seats.iter().rev()));
            assert_eq!((a.seed, &a.moves[..2]), (b.seed, &b.moves[..2]));
        }
    }
}

/// Each pair meets with both colours, and nobody else meets.
#[test]
fn all_meet_all() {
    let pairs = |format, games| {
        let (games, _) = played(&plan(format, &FIVE, games), 2);
        let mut pairs = seats(&games);
        pairs.sort_unstable();
        pairs
    };
    let all: Vec<[usize; 2]> = (0..5)
        .flat_map(|a| (0..5).map(move |b| [a, b]))
        .filter(|[a, b]| a != b)
        .collect();
    assert_eq!(pairs(TournamentFormat::RoundRobin, 2), all);
    assert_eq!(pairs(TournamentFormat::DoubleRoundRobin, 1), all);
}

#[test]
fn the_first_two_play_a_final() {
    let plan = TournamentPlan {
        final_games: Some(4),
        ..plan(TournamentFormat::RoundRobinFinal, &FIVE, 1)
    };
    let (games, tournament) = played(&plan, 2);
    let (before, last) = games.split_at(10);
    assert_eq!(tournament.final_round(), Some(6));
    let round_robin = TournamentPlan {
        format: TournamentFormat::RoundRobin,
        final_games: None,
        ..plan
    };
    let (same, ranked) = played(&round_robin, 2);
    assert_eq!(before, same);
    let ranked = ranked.standings();
    let [a, b] = [ranked[0].player, ranked[1].player];
    assert_eq!(seats(last), [[a, b], [b, a], [a, b], [b, a]]);
    let winners: BTreeSet<usize> = [0, 1].map(|at| tournament.standings()[at].player).into();
    assert_eq!(winners, BTreeSet::from([a, b]));
}

#[test]
fn five_in_a_swiss_tournament_have_one_bye_each() {
    let plan = TournamentPlan {
        rounds: Some(5),
        ..plan(TournamentFormat::Swiss, &FIVE, 2)
    };
    let (games, tournament) = played(&plan, 2);
    assert_eq!(games.len(), 5 * 2 * 2);
    let standings = tournament.standings();
    assert!(standings.iter().all(|s| s.byes == 1 && s.played == 8));
    // A bye is a match that was won: 20 games and 5 byes of 2 points.
    let total: Points = standings.iter().map(|s| s.points).sum();
    assert_eq!(total, Ratio::from_integer(20 + 5 * 2));
    let mut byes = BTreeSet::new();
    for meeting in &tournament.meetings {
        if let Meeting::Bye { round, player } = meeting {
            assert!(byes.insert(*round), "one bye a round");
            assert!(*player < 5);
        }
    }
    let first_two: BTreeSet<[usize; 2]> = seats(&games[..8]).into_iter().collect();
    assert_eq!(first_two.len(), 8, "nobody meets again so soon");
}

#[test]
fn a_knockout_of_five() {
    let players = ["random", "random", "random", "random", "strong=pvs:depth=4"];
    let plan = TournamentPlan {
        game: "connect4".to_string(),
        ..plan(TournamentFormat::Knockout, &players, 2)
    };
    let (games, tournament) = played(&plan, 2);
    let byes = tournament.meetings.iter().filter_map(|m| match m {
        Meeting::Bye { round, player } => Some((*round, *player)),
        _ => None,
    });
    assert_eq!(byes.collect::<Vec<_>>(), [(1, 0), (1, 1), (1, 2)]);
    assert_eq!(seats(&games)[..2], [[3, 4], [4, 3]]);
    let rounds: Vec<u32> = tournament.meetings.iter().map(Meeting::round).collect();
    assert!(rounds.is_sorted() && rounds.last() == Some(&3));
    let standings = tournament.standings();
    let places: Vec<String> = standings.iter().map(|s| s.place_text()).collect();
    assert_eq!(places, ["1", "2", "3=", "3=", "5"]);
    let [first, second] = [standings[0].player, standings[1].player];
    let mut lead = Points::ZERO;
    for meeting in &tournament.meetings {
        if let Meeting::Game {
            round: 3,
            players,
            points: [a, b],
        } = *meeting
        {
            assert!(players == [first, second] || players == [second, first]);
            lead += if players[0] == first { a - b } else { b - a };
        }
    }
    assert_eq!((first, lead > Points::ZERO), (4, true));
}

/// Tic-tac-toe is a draw, and a search to its end knows it.
#[test]
fn drawn_matches_are_played_on_and_then_decided_by_seed() {
    let plan = TournamentPlan {
        game: "tictactoe".to_string(),
        opening: Opening::Start,
        ..plan(
            TournamentFormat::Knockout,
            &["A=pvs:depth=9", "B=mtdf:depth=9"],
            1,
        )
    };
    let (games, tournament) = played(&plan, 2);
    assert_eq!(games.len(), 1 + 2 * DECIDING_PAIRS as usize);
    assert!(games.iter().all(|g| g.payoffs == Some(vec![0, 0])));
    assert_eq!(
        tournament.meetings.last(),
        Some(&Meeting::Seeded {
            round: 1,
            players: [0, 1]
        })
    );
    assert_eq!(
        told(&tournament),
        [
            vec!["1", "A", "B", "10½-10½ (seed: A)"],
            vec!["1", "A"],
            vec!["2", "B"]
        ]
    );
}

#[test]
fn results_do_not_depend_on_threads() {
    for format in FORMATS {
        let plan = plan(format, &FIVE, 3);
        let (one, tournament) = played(&plan, 1);
        for threads in [2, 4] {
            let (many, same) = played(&plan, threads);
            assert_eq!(one, many, "{format:?}");
            assert_eq!(told(&tournament), told(&same));
        }
        let other_seed = TournamentPlan { seed: 8, ..plan };
        assert_ne!(one, played(&other_seed, 2).0);
    }
}

#[test]
fn a_tournament_goes_on_where_it_was_stopped() {
    for format in FORMATS {
        let plan = plan(format, &FIVE, 2);
        let (whole, tournament) = played(&plan, 2);
        for step in [1, 3, 7] {
            let mut store = Store::in_memory().unwrap();
            let mut parts = 0;
            loop {
                let contest = Contest::new(plan.clone()).unwrap();
                let mut contest = contest.stored(&mut store, true).unwrap();
                let cancel = Cancel::default();
                let mut new = 0;
                let finished = contest.play(2, &cancel, &mut |done, planned| {
                    assert!(done <= planned);
                    new += 1;
                    if new == step {
                        cancel.cancel();
                    }
                });
                parts += 1;
                assert!(parts <= whole.len() + 1, "every part plays something");
                if finished.unwrap() {
                    assert_eq!(told(contest.tournament()), told(&tournament));
                    break;
                }
            }
            let runs = store.runs().unwrap();
            assert_eq!((runs.len(), runs[0].kind), (1, RunKind::Tournament));
            assert!(runs[0].finished.is_some());
            let games = store.games(runs[0].id).unwrap();
            assert_eq!(timeless(games.iter()), whole);
        }
    }
}

/// The store alone tells the tournament, as far as it was played.
#[test]
fn stored_tournaments_are_read_back() {
    for format in FORMATS {
        let plan = plan(format, &FIVE, 2);
        let mut store = Store::in_memory().unwrap();
        let contest = Contest::new(plan.clone()).unwrap();
        let (games, tournament) = finish(contest.stored(&mut store, false).unwrap(), 2);
        let run = store.run(None).unwrap();
        assert_eq!(
            (run.title.as_str(), &run.plan["game"]),
            ("Test", &"connect4:5x4,k=3".into())
        );
        assert_eq!(TournamentPlan::from_json(&run.plan).unwrap(), plan);
        let players = store.players(run.id).unwrap();
        assert_eq!(players[4].entrant.name, "strong");
        assert!(players[4].full_spec.starts_with("pvs:depth=3,"));
        let read = from_store(&run.plan, &store.games(run.id).unwrap()).unwrap();
        assert_eq!(read.meetings, tournament.meetings);
        assert_eq!(told(&read), told(&tournament));
        for kept in 0..games.len() {
            let part = from_store(&run.plan, &games[..kept]).unwrap();
            let is_game = |m: &&Meeting| matches!(m, Meeting::Game { .. });
            assert_eq!(part.meetings.iter().filter(is_game).count(), kept);
            assert_eq!(part.standings().len(), 5);
        }
        let mut wrong = games.clone();
        wrong[1].seats = vec![4, 4];
        let error = from_store(&run.plan, &wrong).unwrap_err().to_string();
        assert!(error.contains("game 1 does not belong"), "{error}");
    }
    let error = from_store(&serde_json::json!({ "game": "loa" }), &[]).unwrap_err();
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

/// A player that cannot be opened is named before the tournament; if it fails later, it loses its
/// games and the others go on.
#[test]
fn a_tournament_outlives_its_players() {
    for format in FORMATS {
        let plan = plan(
            format,
            &["gone=program:/nowhere/engine", "random", "pvs:depth=2"],
            2,
        );
        let contest = Contest::new(plan).unwrap();
        let error = contest.check().unwrap_err().to_string();
        assert!(error.starts_with("player 'gone': "), "{error}");
        let (games, tournament) = finish(contest, 2);
        let standings = tournament.standings();
        let gone = standings.iter().find(|s| s.player == 0).unwrap();
        assert!(gone.played >= 2 && gone.losses == gone.played);
        for game in &games {
            let lost = matches!(game.ending, Ending::Fault { seat, .. } if game.seats[seat] == 0);
            assert_eq!(lost, game.seats.contains(&0));
        }
        assert_ne!(standings[0].player, 0);
    }
    let margin = TournamentPlan {
        rules: TournamentRules::new(Scoring::Margin).with_games(2),
        ..plan(
            TournamentFormat::RoundRobin,
            &["random", "gone=program:/nowhere/engine"],
            2,
        )
    };
    let (_, tournament) = played(&margin, 1);
    let points: Vec<Points> = tournament.standings().iter().map(|s| s.points).collect();
    // The largest payoff of the game is one.
    assert_eq!(points, [2, -2].map(Ratio::from_integer));
}

#[test]
fn the_stronger_engine_comes_first() {
    let players = [
        "random",
        "random:seed=1",
        "random:seed=2",
        "strong=pvs:depth=4",
    ];
    for format in FORMATS {
        let plan = TournamentPlan {
            game: "connect4".to_string(),
            ..plan(format, &players, 2)
        };
        let (_, tournament) = played(&plan, 2);
        assert_eq!(tournament.standings()[0].player, 3, "{format:?}");
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refusal = |plan: TournamentPlan| Contest::new(plan).err().unwrap().to_string();
    let small = || plan(TournamentFormat::Swiss, &["random", "random"], 1);
    let without = TournamentPlan {
        rounds: None,
        ..small()
    };
    assert!(refusal(without).contains("number of rounds"));
    assert!(
        refusal(TournamentPlan {
            rules: TournamentRules::new(Scoring::classical()).with_games(0),
            ..small()
        })
        .contains("from 1 to 1000")
    );
    assert!(refusal(plan(TournamentFormat::RoundRobin, &["random"], 1)).contains("from 2 to"));
    assert!(
        refusal(plan(TournamentFormat::RoundRobin, &["random"; 100], 1000))
            .contains("4950000 games")
    );
    let early = TournamentPlan {
        final_games: Some(2),
        ..small()
    };
    assert!(refusal(early).contains("final"));
    let several = Contest::with_game(small(), race());
    assert!(several.err().unwrap().to_string().contains("tabia match"));
    let long = TournamentPlan {
        game: "tictactoe".to_string(),
        opening: Opening::Random(9),
        ..small()
    };
    let error = Contest::new(long).unwrap().check().unwrap_err();
    assert!(error.to_string().contains("random plies"), "{error}");
}

#[test]
fn files_become_plans_with_openings_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lines.txt"), "1\n2\n").unwrap();
    let text = |opening: &str| {
        format!(
            "name = \"T\"\nformat = \"round-robin-final\"\nfinal_games = 6\ngame = \"connect4\"\n\
             opening = \"{opening}\"\nseed = 9\n[limits]\nms = 50\nclock = \"60+0.6\"\nplies = 80\n\
             margin_ms = 5\n[[player]]\nname = \"A\"\nengine = \"random\"\n[[player]]\n\
             name = \"B\"\nengine = \"pvs\"\n"
        )
    };
    let plan = |opening: &str| {
        let tournament: Tournament = text(opening).parse().unwrap();
        TournamentPlan::new(tournament, folder.path())
    };
    let read = plan("file: lines.txt").unwrap();
    assert!(matches!(&read.opening, Opening::File(lines) if lines.len() == 2));
    assert_eq!((read.final_games, read.seed), (Some(6), 9));
    let expected = Terms {
        ms: Some(50),
        game_ms: Some(60_000),
        increment_ms: 600,
        plies: 80,
        margin_ms: 5,
        ..Terms::default()
    };
    assert_eq!(read.terms, expected);
    let error = plan("book:nowhere.txt").unwrap_err().to_string();
    assert!(error.contains("nowhere.txt' cannot be read"), "{error}");
    assert!(
        plan("chess960")
            .unwrap_err()
            .to_string()
            .contains("is no opening")
    );
}
