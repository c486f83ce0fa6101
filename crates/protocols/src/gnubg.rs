//! GNU Backgammon, started without a window and asked over a socket.
//!
//! A position goes out as a line of text, a move or a decision comes back as another. What these
//! lines say is the business of the game that is played.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use tabia_game::Cancel;
use tabia_game::text::shortened;
use tabia_registry::player::{Fault, Request};

use crate::process::Process;

/// Where Debian puts it, which is not on everybody's search path.
const PLACES: [&str; 2] = ["gnubg", "/usr/games/gnubg"];
/// How long it may take to begin.
const PATIENCE: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(20);

/// The program, set up by some commands.
pub struct Gnubg {
    commands: Vec<String>,
    version: Option<String>,
    /// None after a fault, until it is started again.
    running: Option<Running>,
}

struct Running {
    socket: BufReader<TcpStream>,
    /// Ends with the player.
    _process: Process,
}

impl Gnubg {
    /// Starts the program and gives it these commands.
    pub fn start(commands: Vec<String>) -> Result<Gnubg, Fault> {
        let mut program = Gnubg {
            commands,
            version: None,
            running: None,
        };
        program.revive()?;
        Ok(program)
    }

    /// Starts it again if it does not run any more.
    pub fn revive(&mut self) -> Result<(), Fault> {
        if self.running.is_none() {
            self.running = Some(self.started()?);
        }
        Ok(())
    }

    /// What it says of its name and version.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Sends a line and returns the answer to it. After a fault the program does not run any more.
    pub fn ask(&mut self, line: &str, request: &Request) -> Result<String, Fault> {
        let Some(mut running) = self.running.take() else {
            return Err(Fault::Crashed("it is not running".to_string()));
        };
        let answer = running.ask(line, request.patience, &request.limits.cancel)?;
        self.running = Some(running);
        Ok(answer)
    }

    fn started(&mut self) -> Result<Running, Fault> {
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
        let listen = format!("external localhost:{port}");
        for command in self.commands.iter().chain([&listen]) {
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
