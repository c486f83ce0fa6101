//! GNU Backgammon as a player of backgammon.
//!
//! The program is started without a window, told how deep to look, and asked over a socket: a
//! position goes out as a `board:` line of FIBS, a move or a decision about the cube comes back.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use tabia_backgammon::backgammon::{self, Backgammon, Phase, Rules, State};
use tabia_catalog::Session;
use tabia_game::options::{Kind, Parameter, Values, split_spec};
use tabia_game::text::shortened;
use tabia_game::{Cancel, Seed, Text};

use super::process::Process;
use crate::player::{Fault, OpenError, Player, Reply, Request};

/// The name of the player in specs.
pub const NAME: &str = "gnubg";

/// Its options.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "plies",
        kind: Kind::Integer(0, 4),
        default: "0",
        help: "how deep it looks",
    },
    Parameter {
        key: "noise",
        kind: Kind::Decimal(0, 1000),
        default: "0",
        help: "noise on its evaluations",
    },
];

/// Where Debian puts it, which is not on everybody's search path.
const PLACES: [&str; 2] = ["gnubg", "/usr/games/gnubg"];
/// How long it may take to begin.
const PATIENCE: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(20);

/// The program, and the rules it plays by.
pub struct Gnubg {
    game: Backgammon,
    plies: i64,
    noise: String,
    version: Option<String>,
    /// None after a fault, until the next game begins.
    running: Option<Running>,
}

struct Running {
    socket: BufReader<TcpStream>,
    /// Ends with the player.
    _process: Process,
}

impl Gnubg {
    /// Starts the program for a game of backgammon; `options` are those of [`PARAMETERS`].
    pub fn new(options: &str, game_spec: &str) -> Result<Gnubg, OpenError> {
        let refusal =
            |reason: String| OpenError::Program(format!("cannot play with gnubg: {reason}"));
        let (name, own) = split_spec(game_spec.trim());
        if name != "backgammon" {
            return Err(refusal(format!("it plays backgammon, not {name}")));
        }
        let rules = Values::parse(name, own, backgammon::PARAMETERS)
            .map_err(|error| refusal(error.to_string()))?;
        let rules = Rules::from(&rules);
        let game = Backgammon::new(rules).map_err(|error| refusal(error.to_string()))?;
        let values =
            Values::parse(NAME, options, PARAMETERS).map_err(|error| refusal(error.to_string()))?;
        let mut player = Gnubg {
            game,
            plies: values.integer("plies"),
            noise: values.text("noise"),
            version: None,
            running: None,
        };
        let running = player
            .start()
            .map_err(|fault| refusal(format!("it {fault}")))?;
        player.running = Some(running);
        Ok(player)
    }

    fn start(&mut self) -> Result<Running, Fault> {
        let port = free_port().map_err(|error| Fault::Crashed(error.to_string()))?;
        let mut failure = None;
        for program in PLACES {
            match self.start_at(program, port) {
                Ok(running) => return Ok(running),
                Err(Missing::Program(error)) => failure = failure.or(Some(error)),
                Err(Missing::Answer(fault)) => return Err(fault),
            }
        }
        Err(Fault::Crashed(format!(
            "cannot be started ({}); on Debian it is the package gnubg",
            failure.unwrap_or_default()
        )))
    }

    fn start_at(&mut self, program: &str, port: u16) -> Result<Running, Missing> {
        let flags = ["-t", "-q", "-r"].map(String::from);
        let process =
            Process::start(program, &flags).map_err(|error| Missing::Program(error.to_string()))?;
        let rules = self.game.rules();
        let (plies, noise) = (self.plies, &self.noise);
        let on = |yes: bool| if yes { "on" } else { "off" };
        let mut commands = vec![
            "set automatic game off".to_string(),
            format!("set jacoby {}", on(rules.jacoby)),
            format!("set cube use {}", on(rules.cube)),
            "set beavers 0".to_string(),
        ];
        for kind in ["chequerplay", "cubedecision"] {
            commands.push(format!("set evaluation {kind} type evaluation"));
            commands.push(format!("set evaluation {kind} evaluation plies {plies}"));
            commands.push(format!("set evaluation {kind} evaluation noise {noise}"));
            let cubeful = on(rules.cube);
            commands.push(format!(
                "set evaluation {kind} evaluation cubeful {cubeful}"
            ));
        }
        commands.push(format!("external localhost:{port}"));
        for command in &commands {
            process.send(command).map_err(Missing::Answer)?;
        }
        let started = Instant::now();
        loop {
            match TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
                Ok(stream) => {
                    let ready = stream
                        .set_nodelay(true)
                        .and_then(|()| stream.set_read_timeout(Some(LOOK)));
                    ready.map_err(|error| Missing::Answer(Fault::Crashed(error.to_string())))?;
                    self.version = version(program);
                    return Ok(Running {
                        socket: BufReader::new(stream),
                        _process: process,
                    });
                }
                Err(_) if started.elapsed() < PATIENCE => std::thread::sleep(GLANCE),
                Err(error) => {
                    let said = format!("does not listen at port {port}: {error}");
                    return Err(Missing::Answer(Fault::Hung(said)));
                }
            }
        }
    }
}

/// How often a flag is looked at while there is no answer.
const LOOK: Duration = Duration::from_millis(50);

enum Missing {
    Program(String),
    Answer(Fault),
}

/// What it says of itself.
fn version(program: &str) -> Option<String> {
    let told = Command::new(program).arg("--version").output().ok()?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    told.lines().next().map(|line| shortened(line.trim()))
}

/// A port that nobody listens at.
fn free_port() -> std::io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

impl Running {
    fn ask(&mut self, line: &str, patience: Duration, cancel: &Cancel) -> Result<String, Fault> {
        let broken = |error: std::io::Error| Fault::Crashed(error.to_string());
        let message = format!("{line}\n");
        self.socket
            .get_mut()
            .write_all(message.as_bytes())
            .map_err(broken)?;
        let started = Instant::now();
        let mut answer = String::new();
        loop {
            match self.socket.read_line(&mut answer) {
                Ok(0) => return Err(Fault::Crashed("it closed the connection".to_string())),
                Ok(_) if answer.ends_with('\n') => return Ok(answer.trim().to_string()),
                Ok(_) => {}
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) => return Err(broken(error)),
            }
            if cancel.is_cancelled() {
                return Err(Fault::NoMove);
            }
            if started.elapsed() > patience {
                let waited = patience.as_millis();
                return Err(Fault::Hung(format!("nothing within {waited} ms")));
            }
        }
    }
}

/// What our notation calls an answer.
fn translated(game: &Backgammon, state: &State, answer: &str) -> Result<String, Fault> {
    let word = answer.to_lowercase();
    let text = match (state.phase(), word.as_str()) {
        (Phase::Cube, "roll" | "double") | (Phase::Doubled, "take" | "drop") => word,
        (Phase::Doubled, "accept") => "take".to_string(),
        (Phase::Doubled, "reject" | "pass") => "drop".to_string(),
        _ => answer.to_string(),
    };
    let mv = game
        .parse_move(state, &text)
        .map_err(|_| Fault::Illegal(shortened(answer)))?;
    Ok(game.move_text(state, mv))
}

impl Player for Gnubg {
    fn full_spec(&self) -> String {
        format!("{NAME}:plies={},noise={}", self.plies, self.noise)
    }

    fn version(&self) -> Option<String> {
        self.version.clone()
    }

    fn new_game(&mut self, _: Seed) -> Result<(), Fault> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        Ok(())
    }

    fn choose(&mut self, session: &dyn Session, request: &Request) -> Result<Reply, Fault> {
        let position = session.position();
        let state = self
            .game
            .parse_position(&position)
            .map_err(|error| Fault::Refused(error.to_string()))?;
        // What is forced is not asked for: the answer to it is empty.
        let legal = session.moves();
        let mv = match &legal[..] {
            [only] => only.clone(),
            _ => {
                let line = self
                    .game
                    .fibs_board(&state)
                    .ok_or_else(|| Fault::Refused(format!("'{position}' has no line of FIBS")))?;
                // Whatever fails, the process does not survive it.
                let Some(mut running) = self.running.take() else {
                    return Err(Fault::Crashed("it is not running".to_string()));
                };
                let answer = running.ask(&line, request.patience, &request.limits.cancel)?;
                self.running = Some(running);
                translated(&self.game, &state, &answer)?
            }
        };
        Ok(Reply {
            mv,
            nodes: None,
            value: None,
        })
    }
}
