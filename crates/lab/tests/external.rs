//! Programs as players, as real child processes: right ones, and all kinds of wrong ones.
//!
//! The players are in Python, which must be there as `python3`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tabia_catalog::{AnyGame, GAMES, Session, open};
use tabia_game::{Limits, Seed, Turn};
use tabia_lab::player::{Fault, OpenError, Participant, ParticipantReply, Remaining, Request};
use tabia_protocols::Program;
use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(300);

fn request(patience: Duration) -> Request {
    Request {
        limits: Limits::nodes(5),
        clock: None,
        patience,
    }
}

fn quoted(path: &Path) -> String {
    let text = path.to_str().unwrap();
    shlex::try_quote(text).unwrap().into_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A player of the given behaviour at a game of tic-tac-toe.
struct Table {
    game: Box<dyn AnyGame>,
    session: Box<dyn Session>,
    command: String,
    directory: TempDir,
}

impl Table {
    fn new(behaviour: &str) -> Table {
        let version = Command::new("python3").arg("--version").output();
        assert!(version.is_ok(), "python3 is needed for this test");
        let directory = TempDir::new().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/players/player.py");
        let pids = directory.path().join("pids");
        let game = open("tictactoe").unwrap();
        Table {
            session: game.session(None).unwrap(),
            game,
            command: format!("python3 {} {behaviour} {}", quoted(&script), quoted(&pids)),
            directory,
        }
    }

    fn open(&self) -> Result<Program, OpenError> {
        Program::new(&self.command, &GAMES, &*self.game, "tictactoe")
    }

    fn player(&self) -> Program {
        let mut player = self.open().unwrap();
        player.new_game(Seed::new(7)).unwrap();
        player
    }

    /// Asks a player of its own for its first move.
    fn ask(&self, patience: Duration) -> Result<ParticipantReply, Fault> {
        self.player().choose(&*self.session, &request(patience))
    }

    /// The processes that the player said it consists of, itself first.
    fn pids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.directory.path().join("pids")).unwrap();
        text.split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect()
    }
}

/// The state letter of a process, as `ps` shows it; Z has ended but was not waited for.
fn state(pid: u32) -> Option<char> {
    let arguments = ["-o", "stat=", "-p", &pid.to_string()];
    let output = Command::new("ps").args(arguments).output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .chars()
        .next()
}

fn reply(mv: &str) -> ParticipantReply {
    ParticipantReply {
        mv: mv.to_string(),
        nodes: None,
        value: None,
    }
}

/// The fault of the first move; nothing may be left of the player afterwards.
fn fault(behaviour: &str, patience: Duration) -> Fault {
    let table = Table::new(behaviour);
    let mut player = table.player();
    let pid = table.pids()[0];
    let fault = player
        .choose(&*table.session, &request(patience))
        .unwrap_err();
    assert_eq!(state(pid), None, "{behaviour} is left behind");
    let again = player.choose(&*table.session, &request(patience));
    assert_eq!(
        again,
        Err(Fault::Crashed("it is not running".to_string())),
        "{behaviour}"
    );
    // The next game finds a new process.
    player.new_game(Seed::new(8)).unwrap();
    assert_ne!(table.pids()[0], pid);
    fault
}

fn crash(behaviour: &str) -> String {
    match fault(behaviour, LONG) {
        Fault::Crashed(text) => text,
        other => panic!("{other:?}"),
    }
}

fn garbage(behaviour: &str) -> String {
    match fault(behaviour, LONG) {
        Fault::Garbage(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_right_player_plays_games_to_the_end() {
    let table = Table::new("right");
    let mut player = table.open().unwrap();
    assert_eq!(player.full_spec(), format!("program:{}", table.command));
    assert_eq!(player.version(), None);
    for luck in 0..3 {
        player.new_game(Seed::new(luck)).unwrap();
        let mut session = table.game.session(None).unwrap();
        while session.turn() != Turn::Over {
            let reply = player.choose(&*session, &request(LONG)).unwrap();
            assert_eq!(reply.mv, session.moves()[0]);
            session.play(&reply.mv).unwrap();
        }
    }
    drop(player);
    assert_eq!(state(table.pids()[0]), None);
}

#[test]
fn the_example_plays_every_game() {
    let script = root().join("examples/engines/greedy.py");
    let command = format!("python3 {}", quoted(&script));
    for entry in tabia_catalog::entries() {
        let game = open(entry.name).unwrap();
        let traits = game.traits();
        if traits.chance {
            continue;
        }
        let mut player = Program::new(&command, &GAMES, &*game, entry.name).unwrap();
        assert_eq!(player.version().as_deref(), Some("greedy 1.0"));
        let mut play = |seed| {
            let mut session = game.session(None).unwrap();
            player.new_game(Seed::new(seed)).unwrap();
            for _ in 0..60 {
                if session.turn() == Turn::Over {
                    break;
                }
                let captures = session.moves().iter().any(|mv| mv.contains('x'));
                let reply = player.choose(&*session, &request(LONG)).unwrap();
                assert_eq!(reply.mv.contains('x'), captures, "{}", entry.name);
                session.play(&reply.mv).unwrap();
            }
            session.history().to_vec()
        };
        let first = play(1);
        assert_ne!(play(2), first, "{}", entry.name);
        assert_eq!(play(1), first, "{}", entry.name);
    }
}

#[test]
fn the_question_tells_everything() {
    let mut table = Table::new("echo");
    table.session.play("b2").unwrap();
    let legal = table.session.moves().join(" ");
    assert_eq!(
        table.ask(LONG),
        Err(Fault::Refused(format!(
            "tabia 1 tictactoe|new 7|position 3/1x1/3 o|history b2|legal {legal}|go seat=2 nodes=5"
        )))
    );

    let mut request = request(LONG);
    request.limits = Limits::depth(4);
    request.limits.time = Some(Duration::from_millis(90));
    request.clock = Some(Remaining {
        time: Duration::from_millis(1500),
        increment: Duration::from_millis(20),
    });
    let Err(Fault::Refused(text)) = table.player().choose(&*table.session, &request) else {
        panic!("a refusal is all that it can say");
    };
    assert!(
        text.ends_with("|go seat=2 depth=4 ms=90 left=1500 increment=20"),
        "{text}"
    );
}

#[test]
fn remarks_are_passed_over() {
    let expected = ParticipantReply {
        nodes: Some(3),
        value: Some(0.5),
        ..reply("a1")
    };
    assert_eq!(Table::new("remarking").ask(LONG), Ok(expected));
}

#[test]
fn much_on_standard_error_blocks_nobody() {
    assert_eq!(Table::new("complaining").ask(LONG), Ok(reply("a1")));
}

#[test]
fn legality_is_left_to_the_referee() {
    assert_eq!(Table::new("illegal").ask(LONG), Ok(reply("z9")));
}

#[test]
fn what_is_no_answer_is_garbage() {
    // The escape character does not get into messages.
    assert_eq!(garbage("garbage"), "'bestmove a1 [2J'");
    assert_eq!(garbage("binary"), "'\u{fffd}\u{fffd}'");
    let flood = garbage("flood");
    assert!(flood.starts_with("a line without an end: 'xxx"), "{flood}");
    assert!(flood.len() < 300);
    let chatter = garbage("chatter");
    assert_eq!(chatter, "more than 10000 lines without a move");
}

#[test]
fn who_cannot_go_on_may_say_so() {
    let expected = Fault::Refused("I am lost".to_string());
    assert_eq!(fault("refusing", LONG), expected);
    assert_eq!(fault("empty", LONG), Fault::NoMove);
}

#[test]
fn silence_is_given_up() {
    let expected = Fault::Hung("nothing within 300 ms".to_string());
    assert_eq!(fault("silent", SHORT), expected);
    assert_eq!(fault("deaf", SHORT), expected);
}

#[test]
fn whoever_does_not_read_is_given_up() {
    let table = Table::new("deaf");
    let mut player = table.player();
    let faults = (0..100_000).find_map(|n| player.new_game(Seed::new(n)).err());
    let expected = Fault::Hung("it does not read its input".to_string());
    assert_eq!(faults, Some(expected));
    assert_eq!(state(table.pids()[0]), None);
}

#[test]
fn an_end_is_told_with_status_and_last_words() {
    assert_eq!(crash("leaving"), "exit status: 3");
    assert_eq!(crash("half"), "exit status: 0");
    let raising = crash("raising");
    assert!(raising.starts_with("exit status: 1; "), "{raising}");
    assert!(raising.ends_with("KeyError: 'plan'"), "{raising}");
    assert_eq!(crash("closing"), "it closed its output but did not end");
    assert_eq!(crash("brief"), "exit status: 0");
}

#[test]
fn a_cancelled_question_is_not_waited_for() {
    let table = Table::new("silent");
    let request = request(Duration::MAX);
    let cancel = request.limits.cancel.clone();
    let mut player = table.player();
    let canceller = thread::spawn(move || {
        thread::sleep(SHORT);
        cancel.cancel();
    });
    let asked = player.choose(&*table.session, &request);
    assert_eq!(asked, Err(Fault::NoMove));
    canceller.join().unwrap();
    assert_eq!(state(table.pids()[0]), None);
}

#[test]
fn an_answer_without_a_question_is_not_taken_for_the_next() {
    let expected = Fault::Garbage("'move a1' without being asked".to_string());
    let early = Table::new("early");
    let mut player = early.player();
    // So that the answer is there before the question.
    thread::sleep(SHORT);
    let asked = player.choose(&*early.session, &request(LONG));
    assert_eq!(asked, Err(expected));

    let mut twice = Table::new("twice");
    let mut player = twice.player();
    let first = player.choose(&*twice.session, &request(LONG));
    assert_eq!(first, Ok(reply("a1")));
    thread::sleep(SHORT);
    // The second answer would even be legal.
    twice.session.play("a1").unwrap();
    let expected = Fault::Garbage("'move a2' without being asked".to_string());
    let second = player.choose(&*twice.session, &request(LONG));
    assert_eq!(second, Err(expected));
}

#[test]
fn nothing_is_left_behind() {
    for behaviour in ["right", "stubborn", "parent"] {
        let table = Table::new(behaviour);
        let first = reply(&table.session.moves()[0]);
        assert_eq!(table.ask(LONG), Ok(first), "{behaviour}");
        let pids = table.pids();
        assert_eq!(state(pids[0]), None, "{behaviour}");
        assert_eq!(pids.len(), if behaviour == "parent" { 2 } else { 1 });
        // A grandchild is waited for by somebody else, sooner or later.
        for &pid in &pids[1..] {
            let since = Instant::now();
            while state(pid).is_some_and(|letter| letter != 'Z') {
                assert!(since.elapsed() < LONG, "a child of {behaviour} is left");
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

#[test]
fn a_program_that_cannot_play_is_refused() {
    let game = open("tictactoe").unwrap();
    let error = |command: &str| {
        let refused = Program::new(command, &GAMES, &*game, "tictactoe");
        refused.err().expect(command).to_string()
    };
    assert!(error("python3 'a").contains("has no counterpart"));
    assert!(error("  ").contains("a right one is 'program:python3 "));
    let missing = error("no-such-program --fast");
    assert!(
        missing.contains("'no-such-program' cannot be started"),
        "{missing}"
    );

    let missing = Table::new("missing").open().err().unwrap().to_string();
    assert!(
        missing.ends_with("crashed: exit status: 1; its last words: no such book"),
        "{missing}"
    );
    let hasty = Table::new("hasty").open().err().unwrap().to_string();
    assert!(hasty.ends_with("'move a1' without being asked"), "{hasty}");
}
