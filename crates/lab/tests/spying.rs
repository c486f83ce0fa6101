//! What a program is told in a game with hidden information: what its seat has observed, and no
//! more.
//!
//! The spy in `players/spy.py` keeps every byte. Two deals that differ only in what is hidden from
//! its seat must leave the same bytes behind, whatever the others hold.

use std::path::Path;

use rand::RngExt;
use tabia_cards::tricks::{Hand, Hearts, HeartsRules, TrickSettings, Tricks};
use tabia_catalog::{GAMES, Session, open};
use tabia_game::{Cancel, Game, Hidden, Imperfect, Player as Seat, Seed, Text, Turn};
use tabia_lab::player::{Fault, Participant, ParticipantReply, Request};
use tabia_lab::referee::{Beginning, GameResult, Referee, Terms};
use tabia_protocols::Program;
use tempfile::TempDir;

/// Plays the moves of a game that is known beforehand.
struct Script(Vec<String>);

impl Participant for Script {
    fn new_game(&mut self, _: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn full_spec(&self) -> String {
        "script".to_string()
    }

    fn choose(&mut self, session: &dyn Session, _: &Request) -> Result<ParticipantReply, Fault> {
        Ok(ParticipantReply {
            mv: self.0[session.history().len()].clone(),
            nodes: None,
            value: None,
        })
    }
}

/// A game in which the spy has a seat.
struct Mission<'a> {
    spec: &'a str,
    position: &'a str,
    /// All moves; the game is broken off after them.
    moves: &'a [String],
    seat: usize,
    secrets: &'a [String],
}

impl Mission<'_> {
    /// The moves of the spy.
    fn plan(&self) -> String {
        let game = open(self.spec).unwrap();
        let mut session = game.session(Some(self.position)).unwrap();
        let mut plan: Vec<&str> = Vec::new();
        for mv in self.moves {
            if session.turn() == Turn::Player(Seat(self.seat as u8)) {
                plan.push(mv);
            }
            session.play(mv).unwrap();
        }
        plan.join(",")
    }

    /// How the game went, and all that the spy was told.
    fn run(&self) -> (GameResult, String) {
        self.run_with(Seed::new(3))
    }

    /// The same, with luck of its own.
    fn run_with(&self, luck: Seed) -> (GameResult, String) {
        let game = open(self.spec).unwrap();
        let directory = TempDir::new().unwrap();
        let log = directory.path().join("told");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/players/spy.py");
        let plan = self.plan();
        let mut words = vec![
            "python3",
            script.to_str().unwrap(),
            log.to_str().unwrap(),
            &plan,
        ];
        words.extend(self.secrets.iter().map(String::as_str));
        let command = shlex::try_join(words).unwrap();
        let mut spy = Program::new(&command, &GAMES, &*game, self.spec).unwrap();
        let count = game.traits().players;
        let others = (0..count).map(|_| Script(self.moves.to_vec()));
        let mut others: Vec<Script> = others.collect();
        let mut players: Vec<&mut dyn Participant> =
            others.iter_mut().map(|player| player as _).collect();
        players[self.seat] = &mut spy;
        let terms = Terms {
            plies: self.moves.len() as u32,
            ..Terms::default()
        };
        let referee = Referee {
            game: &*game,
            terms: &terms,
            round: 0,
            cancel: &Cancel::default(),
        };
        let beginning = Beginning {
            position: Some(self.position.to_string()),
            moves: Vec::new(),
        };
        let outcome = referee.play(&mut players, &beginning, luck);
        let outcome = outcome.unwrap().unwrap();
        drop(spy);
        (outcome, std::fs::read_to_string(log).unwrap())
    }
}

/// All that the spy was told in a game that went as planned.
fn told(mission: &Mission<'_>) -> String {
    let (outcome, told) = mission.run();
    assert_eq!(outcome.forfeit(), None, "{}", outcome.text);
    assert!(told.contains("\ngo seat="), "{told}");
    told
}

/// Deals of Hearts with the same cards in the seat of the spy, played alike for some tricks: what
/// is left in the other hands is dealt anew in the second one.
#[test]
fn the_cards_of_others_are_not_told() {
    for seed in 0..6 {
        let seat = seed as usize % 4;
        let game: Hearts<Imperfect> =
            Tricks::new(TrickSettings::new(4, 8, seed), HeartsRules::PLAIN).unwrap();
        let mut rng = Seed::new(seed).rng();
        let start = game.start();
        let (mut state, mut moves, mut texts) = (start, Vec::new(), Vec::new());
        let mut played = [Hand::NONE; 4];
        for _ in 0..18 {
            let Turn::Player(mover) = game.turn(&state) else {
                panic!("the game is over");
            };
            let cards: Vec<_> = game.legal(&state).iter().collect();
            let card = cards[rng.random_range(0..cards.len())];
            played[mover.index()] = played[mover.index()].with(card);
            texts.push(game.move_text(&state, card));
            moves.push(card);
            game.play(&mut state, card);
        }
        let observed = game.observe(&start, &moves, Seat(seat as u8));
        let other = game.sample_state(&observed, &mut rng);
        assert_ne!(other, state);
        // What was held in the beginning if this is left.
        let deal = |state: &<Hearts<Imperfect> as Game>::State| {
            let hands = (0..4).map(|seat| {
                let left = state.hand(Seat(seat as u8)).iter();
                let all = left.fold(played[seat], |hand, card| hand.with(card));
                all.to_string()
            });
            hands.collect::<Vec<_>>()
        };
        let deals = [deal(&state), deal(&other)];
        let [real, sampled] = [0, 1].map(|number| {
            let secrets = deals
                .iter()
                .flatten()
                .filter(|hand| **hand != deals[0][seat]);
            let mut secrets: Vec<String> = secrets.cloned().collect();
            secrets.push("seed".to_string());
            told(&Mission {
                // The seed of another deal, too.
                spec: &format!("hearts:cards=8,moon=off,seed={number}"),
                position: &format!("{} 1", deals[number].join("/")),
                moves: &texts,
                seat,
                secrets: &secrets,
            })
        });
        assert_eq!(real, sampled);
        assert!(real.contains("/?"), "{real}");
    }
}

/// The back rank of Black is set up in another order; nothing of it moves.
#[test]
fn the_ranks_of_unknown_pieces_are_not_told() {
    let game = open("stratego:figure").unwrap();
    let start = game.session(None).unwrap().position();
    let (back, rest) = start.split_once('/').unwrap();
    let reversed: String = back.chars().rev().collect();
    assert_ne!(back, reversed);
    let other = format!("{reversed}/{rest}");
    // An attack among the moves, so that ranks are told.
    let moves = ["e4-e6", "f7-f6", "e6xe7", "f6-f7"].map(String::from);
    let [real, set_up] = [&start, &other].map(|position| {
        told(&Mission {
            spec: "stratego:setup=random,seed=5",
            position,
            moves: &moves[..3],
            seat: 0,
            secrets: &[back.to_string(), reversed.clone(), "seed".to_string()],
        })
    });
    assert_eq!(real, set_up);
    assert!(real.contains("position ??????????/"), "{real}");
    assert!(
        real.starts_with("tabia 1 stratego:setup=random,limit=1000\n"),
        "{real}"
    );
    // Black has seen the ranks of the battle.
    let black = told(&Mission {
        spec: "stratego:figure",
        position: &start,
        moves: &moves,
        seat: 1,
        secrets: &[],
    });
    assert!(black.contains("history e4-e6 f7-f6 e6xe7=OxO\n"), "{black}");
}

/// The second player is not told what the first has bid, but is told afterwards.
#[test]
fn bids_are_told_when_both_have_bid() {
    let [high, low] = ["4", "1"].map(|bid| {
        told(&Mission {
            spec: "goofspiel:4,order=random",
            position: &format!("1,2,4/1,2,3 1,2 up=3 bid={bid}"),
            moves: &["2".to_string()],
            seat: 1,
            secrets: &["bid=1".to_string(), "bid=4".to_string()],
        })
    });
    assert_eq!(high, low);
    assert!(
        high.contains("position 1,2,4/1,2,3 1,2 up=3 bid=?\n"),
        "{high}"
    );
    let later = told(&Mission {
        spec: "goofspiel:4,order=descending",
        position: "1,2,4/1,2,3 1,2,3",
        moves: &["3", "4", "2", "2", "1", "1"].map(String::from),
        seat: 1,
        secrets: &[],
    });
    assert!(later.contains("history 3 ?\n"), "{later}");
    assert!(later.contains("history 3 ? 4:2 2 ?\n"), "{later}");
}

/// The spy would notice: a secret that everybody sees ends the game.
#[test]
fn the_spy_crashes_when_it_is_told_a_secret() {
    let (outcome, _) = Mission {
        spec: "goofspiel:4,order=random",
        position: "1,2,4/1,2,3 1,2 up=3 bid=4",
        moves: &["2".to_string()],
        seat: 1,
        secrets: &["up=3".to_string()],
    }
    .run();
    assert_eq!(outcome.forfeit(), Some(1));
    assert!(
        outcome.text.contains("was told the secret up=3"),
        "{}",
        outcome.text
    );
}

/// Whatever the seed of the match is, from which the deal follows, a program is told the same
/// number for its own luck, so that it cannot find out which it was.
#[test]
fn the_seed_of_a_program_tells_nothing_of_the_deal() {
    let told = |mission: Mission<'_>| [1, 2].map(|seed| mission.run_with(Seed::new(seed)).1);
    let [one, other] = told(Mission {
        spec: "goofspiel:4,order=random",
        position: "1,2,4/1,2,3 1,2 up=3 bid=4",
        moves: &["2".to_string()],
        seat: 1,
        secrets: &[],
    });
    assert!(one.contains("\nnew "), "{one}");
    assert_eq!(one, other);
    // Where nothing is hidden, its luck is that of the round.
    let [one, other] = told(Mission {
        spec: "tictactoe",
        position: "3/3/3 x",
        moves: &["b2".to_string()],
        seat: 0,
        secrets: &[],
    });
    assert_ne!(one, other);
}
