//! The referee against players that break every rule there is.

use std::time::Duration;

use crate::support::race;
use tabia_catalog::{AnyGame, Session, open};
use tabia_game::{Cancel, Seed, Turn};
use tabia_lab::player::{Fault, Participant, ParticipantReply, Request};
use tabia_lab::referee::{Beginning, Ending, GameResult, Referee, Terms};

/// A player made of a function.
struct Made<F>(F);

impl<F: FnMut(&dyn Session, &Request) -> Result<ParticipantReply, Fault> + Send> Participant
    for Made<F>
{
    fn full_spec(&self) -> String {
        "made".to_string()
    }

    fn new_game(&mut self, _: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(
        &mut self,
        session: &dyn Session,
        request: &Request,
    ) -> Result<ParticipantReply, Fault> {
        (self.0)(session, request)
    }
}

fn reply(mv: impl Into<String>) -> Result<ParticipantReply, Fault> {
    Ok(ParticipantReply {
        mv: mv.into(),
        nodes: Some(1),
        value: None,
    })
}

fn first(session: &dyn Session, _: &Request) -> Result<ParticipantReply, Fault> {
    reply(session.moves().swap_remove(0))
}

fn play(
    game: &dyn AnyGame,
    terms: &Terms,
    players: &mut [&mut dyn Participant],
    luck: u64,
) -> Option<GameResult> {
    let referee = Referee {
        game,
        terms,
        round: 0,
        cancel: &Cancel::default(),
    };
    let beginning = Beginning::default();
    referee.play(players, &beginning, Seed::new(luck)).unwrap()
}

/// The fault by which the second player loses, whatever the first does.
fn fault_of(
    terms: &Terms,
    wrong: impl FnMut(&dyn Session, &Request) -> Result<ParticipantReply, Fault> + Send,
) -> Fault {
    let game = open("tictactoe").unwrap();
    let outcome = play(&*game, terms, &mut [&mut Made(first), &mut Made(wrong)], 1).unwrap();
    assert_eq!(outcome.payoffs, None);
    assert_eq!(outcome.moves.len(), 1, "the wrong move is not played");
    match outcome.ending {
        Ending::Fault { seat: 1, reason } => {
            assert!(outcome.text.starts_with("O "), "{}", outcome.text);
            assert!(outcome.text.contains(&reason.to_string()));
            reason
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_fault_loses_and_is_named() {
    let terms = Terms::default();
    assert_eq!(
        fault_of(&terms, |_, _| reply("z9")),
        Fault::Illegal("z9".to_string())
    );
    // The square that the first player has just taken.
    let taken = |session: &dyn Session, _: &Request| reply(session.history()[0].clone());
    assert!(matches!(fault_of(&terms, taken), Fault::Illegal(_)));
    assert_eq!(
        fault_of(&terms, |_, _| panic!("out of luck")),
        Fault::Crashed("out of luck".to_string())
    );
    assert_eq!(fault_of(&terms, |_, _| Err(Fault::NoMove)), Fault::NoMove);
    let greedy = |session: &dyn Session, request: &Request| {
        let mut reply = first(session, request)?;
        reply.nodes = Some(request.limits.nodes.unwrap() + 1);
        Ok(reply)
    };
    assert_eq!(
        fault_of(&terms, greedy),
        Fault::Nodes("10001 instead of 10000".to_string())
    );
}

/// So slow that no other load of the machine makes the quick ones as slow.
fn slow(session: &dyn Session, request: &Request) -> Result<ParticipantReply, Fault> {
    std::thread::sleep(Duration::from_millis(300));
    first(session, request)
}

#[test]
fn overstepping_the_time_of_a_move_or_of_a_game_loses() {
    let a_move = Terms {
        ms: Some(100),
        margin_ms: 100,
        ..Terms::default()
    };
    let a_game = Terms {
        game_ms: Some(100),
        margin_ms: 100,
        ..Terms::default()
    };
    for terms in [&a_move, &a_game] {
        assert!(matches!(fault_of(terms, slow), Fault::Time(_)));
    }
    // The same player is quick enough for a longer limit, a wider margin, or no limit.
    let game = open("tictactoe").unwrap();
    for terms in [
        Terms {
            ms: Some(60_000),
            ..a_move.clone()
        },
        Terms {
            margin_ms: 60_000,
            ..a_game.clone()
        },
        Terms::default(),
    ] {
        let outcome = play(&*game, &terms, &mut [&mut Made(first), &mut Made(slow)], 1).unwrap();
        assert_eq!(outcome.ending, Ending::Rules);
        assert!(outcome.efforts[1].longest >= 0.3);
    }
}

#[test]
fn clocks_run_down_and_are_filled_up() {
    let game = open("tictactoe").unwrap();
    let terms = Terms {
        game_ms: Some(100_000),
        increment_ms: 7_000,
        ..Terms::default()
    };
    let mut seen = Vec::new();
    let watching = |session: &dyn Session, request: &Request| {
        seen.push(request.clock.unwrap());
        slow(session, request)
    };
    play(
        &*game,
        &terms,
        &mut [&mut Made(watching), &mut Made(first)],
        1,
    )
    .unwrap();
    assert_eq!(seen[0].time, Duration::from_secs(100));
    assert_eq!(seen[0].increment, Duration::from_secs(7));
    for pair in seen.windows(2) {
        let gained = pair[1].time.checked_sub(pair[0].time).unwrap();
        assert!(
            gained <= Duration::from_millis(7_000 - 300) && gained > Duration::from_millis(4_000)
        );
    }
}

#[test]
fn a_budget_of_nodes_lasts_for_the_whole_game() {
    let game = open("connect4").unwrap();
    let terms = Terms {
        game_nodes: Some(3_000),
        ..Terms::default()
    };
    let mut engines = ["pvs", "mtdf"].map(|spec| game.engine(spec).unwrap());
    let [a, b] = &mut engines;
    let outcome = play(&*game, &terms, &mut [a, b], 1).unwrap();
    assert_eq!(outcome.ending, Ending::Rules);
    for effort in &outcome.efforts {
        assert!(effort.nodes <= 3_000 + u64::from(effort.moves) && effort.nodes > 1_000);
    }
}

#[test]
fn limits_of_a_spec_and_of_the_terms_both_count() {
    let game = open("connect4").unwrap();
    for (spec, terms, most) in [
        ("pvs:nodes=50", Terms::default(), 50),
        (
            "pvs:nodes=50",
            Terms {
                nodes: Some(20),
                ..Terms::default()
            },
            20,
        ),
        ("pvs", Terms::default(), Terms::DEFAULT_NODES),
    ] {
        let mut engine = game.engine(spec).unwrap();
        let outcome = play(&*game, &terms, &mut [&mut engine, &mut Made(first)], 1).unwrap();
        let effort = outcome.efforts[0];
        assert_eq!(outcome.forfeit(), None, "{}", outcome.text);
        assert!(effort.nodes <= u64::from(effort.moves) * most);
        assert!(effort.nodes > most);
    }
}

#[test]
fn long_games_are_called_a_draw_and_repetitions_end_by_their_rule() {
    let game = open("connect4").unwrap();
    let terms = Terms {
        plies: 3,
        ..Terms::default()
    };
    let outcome = play(&*game, &terms, &mut [&mut Made(first), &mut Made(first)], 1).unwrap();
    assert_eq!(outcome.ending, Ending::Length);
    assert_eq!(outcome.payoffs, Some(vec![0, 0]));
    assert_eq!(outcome.moves.len(), 3);

    // Both sides of the L-Game or of Lines of Action go to and fro.
    let game = open("loa").unwrap();
    let back_and_forth = |session: &dyn Session, _: &Request| {
        let played = session.history();
        let back = played.len().checked_sub(2).map(|i| {
            let (from, to) = played[i].split_once(['-', 'x']).unwrap();
            format!("{to}-{from}")
        });
        let moves = session.moves();
        let back = back.filter(|mv| moves.contains(mv));
        let quiet = moves.iter().find(|mv| mv.contains('-'));
        reply(back.unwrap_or_else(|| quiet.unwrap().clone()))
    };
    let mut players = [Made(back_and_forth), Made(back_and_forth)];
    let [a, b] = &mut players;
    let outcome = play(&*game, &Terms::default(), &mut [a, b], 1).unwrap();
    assert_eq!(outcome.ending, Ending::Repetition, "{}", outcome.text);
    assert_eq!(outcome.payoffs, Some(vec![0, 0]));
}

#[test]
fn games_with_the_same_seed_share_their_luck() {
    let game = race();
    let dice = |luck, mv: &'static str| {
        let mut player = Made(move |_: &dyn Session, _: &Request| reply(mv));
        let mut others = [Made(first), Made(first)];
        let [a, b] = &mut others;
        let outcome = play(&*game, &Terms::default(), &mut [&mut player, a, b], luck).unwrap();
        assert_eq!(outcome.ending, Ending::Rules);
        outcome.moves.into_iter().step_by(2).collect::<Vec<_>>()
    };
    assert_eq!(dice(7, "4"), dice(7, "5"), "whatever is played");
    assert_ne!(dice(7, "4"), dice(8, "4"));
}

#[test]
fn a_cancelled_game_is_no_game() {
    let game = open("connect4").unwrap();
    let cancel = Cancel::default();
    let flag = cancel.clone();
    let stopping = |session: &dyn Session, request: &Request| {
        if session.history().len() == 4 {
            flag.cancel();
        }
        first(session, request)
    };
    let referee = Referee {
        game: &*game,
        terms: &Terms::default(),
        round: 0,
        cancel: &cancel,
    };
    let players: &mut [&mut dyn Participant] = &mut [&mut Made(stopping), &mut Made(first)];
    let outcome = referee.play(players, &Beginning::default(), Seed::new(1));
    assert_eq!(outcome.unwrap(), None);
}

#[test]
fn the_record_replays_to_the_same_result() {
    let game = open("tictactoe").unwrap();
    let players: &mut [&mut dyn Participant] = &mut [&mut Made(first), &mut Made(first)];
    let outcome = play(&*game, &Terms::default(), players, 1).unwrap();
    let mut session = game.session(None).unwrap();
    session.play_line(&outcome.moves.join(" ")).unwrap();
    assert_eq!(session.turn(), Turn::Over);
    assert_eq!(session.ending().unwrap().payoffs, outcome.payoffs.unwrap());
}

/// The margin of a clock is granted once a game: one who always takes a little more than is left
/// loses in the end.
#[test]
fn a_clock_runs_out() {
    let terms = Terms {
        game_ms: Some(400),
        margin_ms: 600,
        ..Terms::default()
    };
    let game = open("connect4").unwrap();
    let players: &mut [&mut dyn Participant] = &mut [&mut Made(slow), &mut Made(first)];
    let outcome = play(&*game, &terms, players, 1).unwrap();
    // 300 ms a move: the fourth one is beyond 400 + 600 ms at the latest.
    assert!(matches!(
        outcome.ending,
        Ending::Fault {
            seat: 0,
            reason: Fault::Time(_)
        }
    ));
    assert!(outcome.efforts[0].moves <= 4);
}

/// A puzzle that is never solved has no result: no score is made up for it.
#[test]
fn a_lone_player_who_never_ends_has_no_score() {
    let game = open("sliding:3x3,seed=1").unwrap();
    let terms = Terms {
        plies: 6,
        ..Terms::default()
    };
    let outcome = play(&*game, &terms, &mut [&mut Made(first)], 1).unwrap();
    assert_eq!((outcome.ending, outcome.payoffs), (Ending::Length, None));
    assert_eq!(outcome.text, "stopped after 6 plies, without a result");
}
