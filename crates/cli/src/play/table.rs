//! The game at the table: whose turn it is, what they say, what comes of it.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use tabia_catalog::{Record, Seen, public_spec};
use tabia_game::options::split_spec;
use tabia_game::{GameRng, Limits, Player, Turn};

use super::Seat;
use super::lines::{InputLine, StandardInput};
use crate::arguments::{OpenedGame, or_time};
use crate::best::default_engine;
use crate::console::{Console, columns, sentence};
use crate::files;
use crate::worth::Worth;

/// Why play stopped.
pub enum Stop {
    /// The game is over, or somebody resigned.
    Ended,
    /// The person left.
    Left,
    /// Ctrl-C.
    Interrupted,
}

/// A game and those who play it.
pub struct PlaySession<'a> {
    pub console: &'a Console,
    pub limits: Limits,
    pub rng: GameRng,
    pub seats: Vec<Seat>,
    pub opened: OpenedGame,
    pub resigned: Option<Player>,
}

const DEFAULT_TIME: Duration = Duration::from_secs(2);

const HELP: &str = "\
Type a move, or one of:
  moves      the legal moves
  hint       what the default engine would play
  undo       take back to your last move; not where something is hidden
  board      show the board again
  save FILE  write the record of the game
  resign     give the game up
  help       this text
  quit       leave the game
";

impl PlaySession<'_> {
    /// Plays until the game or the company breaks up.
    pub fn play(&mut self) -> anyhow::Result<Stop> {
        let lines = StandardInput::new(self.limits.cancel.clone(), self.console.json);
        let mut shown = None;
        let mut person = None;
        self.say(&self.introduction())?;
        loop {
            if self.limits.cancel.is_cancelled() {
                return Ok(Stop::Interrupted);
            }
            let player = match self.opened.session.turn() {
                Turn::Over => {
                    self.show_board()?;
                    self.say(&format!("{}\n", self.opened.status()))?;
                    return Ok(Stop::Ended);
                }
                Turn::Chance => {
                    self.opened.session.roll(&mut self.rng)?;
                    let outcome = self.last_seen();
                    self.say(&format!("chance: {outcome}\n"))?;
                    continue;
                }
                Turn::Player(player) => player,
            };
            if self.is_human(player) {
                if person.replace(player).is_some_and(|last| last != player)
                    && self.opened.game.traits().hidden
                    && !self.hand_over(&lines, player)?
                {
                    return Ok(Stop::Interrupted);
                }
                let position = self.opened.session.position();
                if shown.as_ref() != Some(&position) {
                    self.show_board()?;
                    shown = Some(position);
                }
                if let Some(stop) = self.listen(&lines, player)? {
                    return Ok(stop);
                }
            } else {
                self.think(player)?;
            }
        }
    }

    /// Who is who, and how to get help; nothing if nobody is at the terminal.
    fn introduction(&self) -> String {
        let people: Vec<String> = self.people().map(|player| self.name(player)).collect();
        let others = (0..self.seats.len()).map(|seat| Player(seat as u8));
        let others = others.filter(|&player| !self.is_human(player));
        let others: Vec<String> = others
            .map(|player| {
                format!(
                    "{} is {}",
                    self.name(player),
                    self.seats[player.index()].name()
                )
            })
            .collect();
        let who = match (&people[..], others.is_empty()) {
            ([], _) => return String::new(),
            ([_], true) => "You play alone".to_string(),
            ([one], false) => format!("You are {one}, {}", others.join(", ")),
            (_, true) => "Everybody is at this terminal".to_string(),
            (people, false) => format!(
                "{} are at this terminal, {}",
                people.join(" and "),
                others.join(", ")
            ),
        };
        sentence(self.console, &format!("{who}. Type a move, or 'help'."))
    }

    /// The seats at the terminal.
    fn people(&self) -> impl Iterator<Item = Player> {
        let seats = (0..self.seats.len()).map(|seat| Player(seat as u8));
        seats.filter(|&player| self.is_human(player))
    }

    /// Whose view is all that may be told: somebody sits at the terminal, and something is hidden
    /// from them until the game is over.
    fn confined(&self) -> Option<Player> {
        let hides = self.opened.game.traits().hidden && self.resigned.is_none();
        self.viewer().filter(|_| hides)
    }

    /// The last move or event of chance, as whoever looks may know it.
    fn last_seen(&self) -> String {
        let session = &self.opened.session;
        let last = match self.confined() {
            Some(viewer) => session.observed(viewer).history.pop(),
            None => session.history().last().cloned(),
        };
        last.unwrap_or_default()
    }

    /// The game so far, as whoever looks may know it.
    pub fn record(&self) -> Record {
        let session = &self.opened.session;
        let seats = self.seats.iter().map(|seat| seat.spec().to_string());
        if let Some(viewer) = self.confined() {
            let observed = session.observed(viewer);
            let spec = &self.opened.spec;
            return Record {
                // Neither the deal nor a seed that it follows from.
                game: public_spec(spec).unwrap_or_else(|_| spec.clone()),
                position: None,
                seen: Some(Seen {
                    seat: viewer.index() + 1,
                    view: observed.position,
                }),
                seats: seats.map(|spec| split_spec(&spec).0.to_string()).collect(),
                result: None,
                moves: observed.history,
            };
        }
        let ended = session.ending().map(|ending| ending.text);
        Record {
            game: self.opened.spec.clone(),
            position: self.opened.position.clone(),
            seen: None,
            seats: seats.collect(),
            result: ended.or_else(|| self.resigned.map(|player| self.resignation(player))),
            moves: session.history().to_vec(),
        }
    }

    fn name(&self, player: Player) -> String {
        self.opened.game.player_name(player)
    }

    fn resignation(&self, player: Player) -> String {
        let resigns = format!("{} resigns", self.name(player));
        if self.seats.len() == 2 {
            format!("{resigns}, {} has won", self.name(player.other()))
        } else {
            resigns
        }
    }

    fn is_human(&self, player: Player) -> bool {
        matches!(self.seats.get(player.index()), Some(Seat::Human) | None)
    }

    /// Text for people; JSON goes without.
    fn say(&self, text: &str) -> anyhow::Result<()> {
        if self.console.json {
            return Ok(());
        }
        self.console.print(text)
    }

    fn show_board(&self) -> anyhow::Result<()> {
        let session = &self.opened.session;
        let picture = match self.viewer() {
            Some(viewer) => session.picture_for(viewer),
            None => session.picture(),
        };
        let board = self.console.board(&picture);
        self.say(&format!("\n{board}\n"))
    }

    /// Who looks at the board while something is hidden: the person whose turn it is, else the
    /// first person. Nobody in particular if only engines play, or when the game is over.
    fn viewer(&self) -> Option<Player> {
        match self.opened.session.turn() {
            Turn::Over => None,
            Turn::Player(player) if self.is_human(player) => Some(player),
            _ => self.people().next(),
        }
    }

    /// Clears the screen before another person looks at it, so that nobody sees what is hidden from
    /// them; false if Ctrl-C was pressed. Where there is no terminal there is nobody to hand it to.
    fn hand_over(&self, lines: &StandardInput, player: Player) -> anyhow::Result<bool> {
        if self.console.json || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            return Ok(true);
        }
        const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";
        self.say(&format!("{CLEAR}{}, press Enter> ", self.name(player)))?;
        Ok(!matches!(lines.next(), InputLine::Interrupted))
    }

    /// An engine's turn.
    fn think(&mut self, player: Player) -> anyhow::Result<()> {
        let name = self.name(player);
        let Some(Seat::Asked {
            name: spec, asked, ..
        }) = self.seats.get_mut(player.index())
        else {
            return Ok(());
        };
        let spec = spec.clone();
        let limits = or_time(asked.limits(&self.limits), DEFAULT_TIME);
        let spinner = self.console.spinner(format!("{spec} thinks"));
        let answer = asked.ask(&*self.opened.session, &limits, 0, &mut |_| {});
        spinner.finish_and_clear();
        let cancelled = limits.cancel.is_cancelled();
        let answer = match answer {
            // A program that was told to stop answers anything.
            Err(_) if cancelled => return Ok(()),
            answer => answer?,
        };
        if cancelled {
            return Ok(());
        }
        let Some(best) = &answer.best else {
            anyhow::bail!("{spec} found no move within its limits; give it more");
        };
        let is_secret = self.opened.session.is_secret();
        let played = self.opened.session.play(best);
        played.map_err(|error| anyhow::anyhow!("{spec} answered '{best}': {error}"))?;
        let seen = self.last_seen();
        // What an engine expects tells what it holds.
        let tells = answer.value.is_some() && !self.opened.game.traits().hidden;
        self.say(&match (is_secret, tells) {
            (true, _) => format!("{name} ({spec}) has chosen\n"),
            (false, true) => {
                let value = Worth::of(&*self.opened.game).text((&answer).into(), &name);
                format!("{name} ({spec}): {seen}  {value}\n")
            }
            (false, false) => format!("{name} ({spec}): {seen}\n"),
        })
    }

    /// A person's turn: one line, which may be a move or a command.
    fn listen(&mut self, lines: &StandardInput, player: Player) -> anyhow::Result<Option<Stop>> {
        self.say(&format!("{} to move> ", self.name(player)))?;
        let text = match lines.next() {
            InputLine::Text(text) => text,
            InputLine::End => {
                self.say("\n")?;
                return Ok(Some(Stop::Left));
            }
            InputLine::Interrupted => {
                self.say("\n")?;
                return Ok(Some(Stop::Interrupted));
            }
        };
        let (command, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match (command.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => {}
            ("moves", "") => {
                self.say(&columns(&self.opened.session.moves(), self.console.width))?;
            }
            ("hint", "") => self.hint(player)?,
            ("undo", "") => self.take_back()?,
            ("board", "") => self.show_board()?,
            ("help" | "?", "") => self.say(HELP)?,
            ("quit" | "exit", "") => return Ok(Some(Stop::Left)),
            ("resign", "") => {
                self.resigned = Some(player);
                self.say(&format!("{}\n", self.resignation(player)))?;
                return Ok(Some(Stop::Ended));
            }
            ("save", "") => self.complain("save where? write 'save FILE'")?,
            ("save", file) => match files::write_whole(file.as_ref(), &self.record().to_string()) {
                Ok(()) => self.say(&self.saved(file))?,
                Err(error) => self.complain(&format!("{error:#}"))?,
            },
            _ => {
                if let Err(error) = self.opened.session.play(&text) {
                    self.complain(&format!("{error}; 'help' lists commands"))?;
                }
            }
        }
        Ok(None)
    }

    fn saved(&self, file: &str) -> String {
        match self.confined() {
            Some(viewer) => format!(
                "saved to {file}: what {} has seen, to be read and not to be played on\n",
                self.name(viewer)
            ),
            None => format!("saved to {file}\n"),
        }
    }

    /// Something the person got wrong, and may now get right.
    fn complain(&self, message: &str) -> anyhow::Result<()> {
        if self.console.json {
            return Ok(writeln!(io::stderr(), "{message}")?);
        }
        self.console.print(&format!("{message}\n"))
    }

    fn hint(&mut self, player: Player) -> anyhow::Result<()> {
        let mut engine = self
            .opened
            .game
            .engine(default_engine(&*self.opened.game))?;
        let limits = or_time(engine.limits(&self.limits), DEFAULT_TIME);
        let spinner = self.console.spinner("thinking".to_string());
        let answer = self.opened.session.ask(&mut engine, &limits);
        spinner.finish_and_clear();
        let answer = answer?;
        let value = Worth::of(&*self.opened.game).text((&answer).into(), &self.name(player));
        match &answer.best {
            Some(best) if answer.value.is_some() => self.say(&format!("hint: {best}  {value}\n")),
            Some(best) => self.say(&format!("hint: {best}\n")),
            None => self.say("no hint\n"),
        }
    }

    /// Takes back to the last move of a person; nothing happens if there is none.
    fn take_back(&mut self) -> anyhow::Result<()> {
        if self.opened.game.traits().hidden {
            return self.complain("what was seen cannot be unseen: nothing is taken back here");
        }
        let played = self.opened.session.history().to_vec();
        while self.opened.session.undo() {
            if let Turn::Player(player) = self.opened.session.turn()
                && self.is_human(player)
            {
                return Ok(());
            }
        }
        self.opened.session.play_line(&played.join(" "))?;
        self.complain("there is no move of yours to take back")
    }
}
