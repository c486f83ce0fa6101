//! All plays of many positions by our rules and by the move generator of GNU Backgammon.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{fs, io};

use rand::RngExt;
use tabia_backgammon::backgammon::{Backgammon, Board, Phase, Roll, Side};
use tabia_game::{Game, GameRng, Seed, Turn};

/// The name of the file with the script.
const SCRIPT_FILE: &str = "plays.py";
/// What runs inside the program.
const SCRIPT: &str = include_str!("../../../../../bench/gnubg/plays.py");

/// The program, in the search path or where Debian puts games.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join("gnubg"))
        .find(|file| file.is_file())
}

/// Checkers anywhere, at most as many as there are places given.
fn scattered(rng: &mut GameRng, own_places: usize) -> Option<Board> {
    let mut sides: [Side; 2] = [[0; 25]; 2];
    for _ in 0..rng.random_range(1..=15) {
        sides[0][rng.random_range(0..own_places)] += 1;
    }
    for _ in 0..rng.random_range(1..=15) {
        let place: usize = rng.random_range(0..24);
        if sides[0][23 - place] == 0 {
            sides[1][place] += 1;
        }
    }
    let board = Board::new(sides).ok()?;
    (board.left(1) > 0).then_some(board)
}

/// Positions of random games, every fourth with its checkers scattered anywhere.
fn positions(count: usize) -> Vec<Board> {
    let game = Backgammon::default();
    let mut rng = Seed::new(2004).split("positions").rng();
    let mut seen = BTreeSet::new();
    let mut state = game.start();
    let mut moves = Vec::new();
    while seen.len() < count {
        if game.turn(&state) == Turn::Over {
            state = game.start();
        }
        if state.phase() == Phase::Roll {
            seen.insert(*state.board());
            if seen.len() % 4 == 3 {
                let places = [6, 12, 24, 25][rng.random_range(0..4)];
                seen.extend(scattered(&mut rng, places));
            }
        }
        moves.clear();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[rng.random_range(0..moves.len())]);
    }
    seen.into_iter().collect()
}

fn ours(board: &Board, roll: Roll) -> BTreeSet<String> {
    let mut plays = Vec::new();
    board.plays(roll, &mut plays);
    let ids: BTreeSet<String> = plays
        .iter()
        .map(|&play| board.after(play).position_id())
        .collect();
    assert_eq!(ids.len(), plays.len());
    ids
}

/// A process of the program at work on some positions.
struct Peer {
    child: Child,
    answer: PathBuf,
}

impl Peer {
    fn start(program: &Path, folder: &Path, number: usize, ids: &[String]) -> io::Result<Peer> {
        let asked = folder.join(format!("{number}.positions"));
        let answer = folder.join(format!("{number}.plays"));
        fs::write(&asked, ids.join("\n"))?;
        // Where it keeps its settings. Processes that begin to share one stumble over each other.
        let home = folder.join(number.to_string());
        fs::create_dir(&home)?;
        let child = Command::new(program)
            .args(["-t", "-q", "-r", "-p"])
            .arg(folder.join(SCRIPT_FILE))
            .env("TABIA_POSITIONS", &asked)
            .env("TABIA_PLAYS", &answer)
            .env("HOME", &home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        Ok(Peer { child, answer })
    }

    fn answer(mut self) -> io::Result<String> {
        let status = self.child.wait()?;
        match status.success() {
            true => fs::read_to_string(&self.answer),
            false => Err(io::Error::other(format!("gnubg failed: {status}"))),
        }
    }
}

/// What the program says of the positions. It mostly waits for its own threads, so that several
/// processes are faster than one, on any number of processors.
fn ask(program: &Path, folder: &Path, ids: &[String]) -> io::Result<String> {
    const PEERS: usize = 8;
    fs::create_dir_all(folder)?;
    fs::write(folder.join(SCRIPT_FILE), SCRIPT)?;
    let chunks = ids.chunks(ids.len().div_ceil(PEERS)).enumerate();
    let peers = chunks.map(|(number, ids)| Peer::start(program, folder, number, ids));
    let peers = peers.collect::<io::Result<Vec<Peer>>>()?;
    // All of them have ended before their folder goes away.
    let answers: Vec<io::Result<String>> = peers.into_iter().map(Peer::answer).collect();
    fs::remove_dir_all(folder)?;
    answers.into_iter().collect()
}

/// What a comparison found.
pub struct Compared {
    /// Rolls of all positions.
    pub rolls: usize,
    /// Plays that we found for them.
    pub plays: usize,
    /// Rolls with other plays there than here, in words.
    pub differences: Vec<String>,
}

/// Compares all plays of this many positions.
pub fn compare(count: usize) -> io::Result<Compared> {
    let absent = || io::Error::new(io::ErrorKind::NotFound, "there is no gnubg");
    let program = program().ok_or_else(absent)?;
    let boards = positions(count);
    let ids: Vec<String> = boards.iter().map(Board::position_id).collect();
    let folder = std::env::temp_dir().join(format!("tabia-{count}-{}", std::process::id()));
    let text = ask(&program, &folder, &ids)?;
    let mut lines = text.lines();
    let mut compared = Compared {
        rolls: 21 * boards.len(),
        plays: 0,
        differences: Vec::new(),
    };
    for (board, id) in boards.iter().zip(&ids) {
        for (roll, _) in Roll::all() {
            let mut words = lines.next().unwrap_or_default().split(' ');
            let [high, low] = roll.dice();
            let named = [words.next(), words.next()];
            let dice = format!("{high}{low}");
            let theirs: BTreeSet<String> = words.map(str::to_string).collect();
            let ours = ours(board, roll);
            compared.plays += ours.len();
            if ours != theirs || named != [Some(id.as_str()), Some(dice.as_str())] {
                let only: Vec<_> = ours.symmetric_difference(&theirs).collect();
                compared.differences.push(format!("{id} {dice}: {only:?}"));
            }
        }
    }
    Ok(compared)
}
