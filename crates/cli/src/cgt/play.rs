//! `tabia cgt play`: a sum against a person, or between strategies.

use std::io::{self, Write};

use serde_json::{Value, json};
use tabia_catalog::sums::Config;
use tabia_catalog::sums::play::{Bout, PlayMethod, SumMove};
use tabia_game::{Limits, Player, Seed};

use super::solve::{Side, capitalised};
use super::{Memory, Timeout, failed, read_sum};
use crate::console::{Console, columns};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::play::lines::{InputLine, StandardInput};

/// Play a sum in the terminal
///
/// Each seat is `human`, or `exact` (never loses a won sum), `hotstrat`, `sentestrat`,
/// `thermostrat` or `random`. Without --seat the person is Left and `exact` is Right; once Right is
/// a person, `exact` is Left. A move is the number of the component and the move, such as
/// `2 a1-b1`; the number may be left out where it is clear. In a value the move is what it becomes.
/// `moves`, `hint`, `sum`, `resign`, `help` and `quit` are typed at the prompt as well.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: sum (at the beginning), seats, first, moves (a list: player, component, move), final
(components), over, winner (left, right or null). Nothing is prompted for then, but moves are still
read.

Examples:
  tabia cgt play \"domineering:....|....\" toads:TT.FF
  tabia cgt play \"{3|-3}\" \"{10|0||-1}\" --seat left=human --seat right=thermostrat --first right
  tabia cgt play clobber:XOXOXO --seat left=random --seat right=exact --seed 3")]
pub struct Arguments {
    /// What is played; several are added up
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,

    /// Player of a side: `left=human`, `right=hotstrat`
    #[arg(short, long = "seat", value_name = "SIDE=WHO")]
    seats: Vec<String>,

    /// Who moves first
    #[arg(long, value_name = "WHO", default_value = "left")]
    first: Side,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    timeout: Timeout,
}

/// Who plays a side, and what they were called.
type Seat = (String, Option<PlayMethod>);

const HELP: &str = "\
Type a move, with the number of its component before it, or one of:
  moves   the legal moves by component
  hint    values and temperatures of the components, and the moves that win
  sum     show the sum again
  resign  give the game up
  help    this text
  quit    leave the game
";

/// Why play stopped.
enum Stop {
    Over,
    Resigned(Player),
    Left,
    Interrupted,
}

struct Table<'a> {
    console: &'a Console,
    seats: [Seat; 2],
    limits: Limits,
    bout: Bout,
    played: Vec<Value>,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let sum = read_sum(&arguments.specs)?;
    let seats = seats(&arguments.seats)?;
    let cancel = cancel_on_interrupt();
    let config = Config {
        memory: arguments.memory.memory,
        ..Config::default()
    };
    let first = arguments.first.player();
    let mut table = Table {
        console,
        seats,
        limits: arguments.timeout.limits(&cancel),
        bout: Bout::new(&sum, first, config, Seed::new(arguments.seed)),
        played: Vec::new(),
    };
    let begun = table.bout.components();
    let stop = table.play()?;
    let winner = match stop {
        Stop::Over => Some(table.bout.mover().other()),
        Stop::Resigned(player) => Some(player.other()),
        Stop::Left | Stop::Interrupted => None,
    };
    if let Some(winner) = winner {
        table.say(&format!("{} wins\n", name(winner)))?;
    }
    if console.json {
        console.print_json(&json!({
            "sum": begun,
            "seats": table.seats.each_ref().map(|(name, _)| name),
            "first": Side::name(first),
            "moves": table.played,
            "final": table.bout.components(),
            "over": winner.is_some(),
            "winner": winner.map(Side::name),
        }))?;
    }
    match stop {
        Stop::Interrupted => Err(Interrupted.into()),
        _ => Ok(()),
    }
}

fn name(player: Player) -> String {
    capitalised(Side::name(player))
}

/// Who sits where.
fn seats(asked: &[String]) -> anyhow::Result<[Seat; 2]> {
    let mut named: [Option<Seat>; 2] = [None, None];
    for text in asked {
        let side = |side: &str| ["left", "right"].iter().position(|name| *name == side);
        let parsed = text.split_once('=');
        let parsed = parsed.and_then(|(at, who)| Some((side(at.trim())?, who.trim())));
        let (place, who) = parsed.ok_or_else(|| {
            bad_request(format!(
                "'{text}' is no seat: write left=WHO or right=WHO, such as right=exact"
            ))
        })?;
        let method = match who {
            "human" => None,
            who => Some(
                who.parse()
                    .map_err(|error| bad_request(format!("{error}")))?,
            ),
        };
        if named[place].replace((who.to_string(), method)).is_some() {
            return Err(bad_request(format!(
                "the seat of {} is given twice",
                ["left", "right"][place]
            )));
        }
    }
    let human = || ("human".to_string(), None);
    let exact = || ("exact".to_string(), Some(PlayMethod::Exact));
    let [left, right] = named;
    let right_is_human = matches!(right, Some((_, None)));
    let left = left.unwrap_or_else(|| if right_is_human { exact() } else { human() });
    Ok([left, right.unwrap_or_else(exact)])
}

impl Table<'_> {
    fn play(&mut self) -> anyhow::Result<Stop> {
        let lines = StandardInput::new(self.limits.cancel.clone(), self.console.json);
        let mut shown = false;
        loop {
            if self.limits.cancel.is_cancelled() {
                return Ok(Stop::Interrupted);
            }
            let mover = self.bout.mover();
            let choices = self.bout.moves().map_err(|error| self.error(error))?;
            if choices.is_empty() {
                self.show()?;
                self.say(&format!("{} has no move\n", name(mover)))?;
                return Ok(Stop::Over);
            }
            let (who, method) = self.seats[mover.index() % 2].clone();
            match method {
                Some(method) => {
                    let spinner = self.console.spinner(format!("{who} thinks"));
                    let chosen = self.bout.choose(method, &self.limits);
                    spinner.finish_and_clear();
                    if let Some(choice) = chosen.map_err(|error| self.error(error))? {
                        let told = format!("{} {}", choice.component, choice.text);
                        self.say(&format!("{} ({who}): {told}\n", name(mover)))?;
                        self.make(choice);
                        shown = false;
                    }
                }
                None => {
                    if !shown {
                        self.show()?;
                        shown = true;
                    }
                    self.say(&format!("{} to move> ", name(mover)))?;
                    let text = match lines.next() {
                        InputLine::Text(text) => text,
                        InputLine::End => {
                            self.say("\n")?;
                            return Ok(Stop::Left);
                        }
                        InputLine::Interrupted => {
                            self.say("\n")?;
                            return Ok(Stop::Interrupted);
                        }
                    };
                    match text.to_ascii_lowercase().as_str() {
                        "" => {}
                        "moves" => self.list(&choices)?,
                        "hint" => self.hint()?,
                        "sum" | "board" => self.show()?,
                        "help" | "?" => self.say(HELP)?,
                        "resign" => return Ok(Stop::Resigned(mover)),
                        "quit" | "exit" => return Ok(Stop::Left),
                        _ => match meant(&choices, &text) {
                            Ok(choice) => {
                                self.make(choice);
                                shown = false;
                            }
                            Err(why) => self.complain(&format!("{why}; 'help' lists commands"))?,
                        },
                    }
                }
            }
        }
    }

    fn make(&mut self, choice: SumMove) {
        self.played.push(json!({
            "player": Side::name(self.bout.mover()),
            "component": choice.component,
            "move": choice.text,
        }));
        self.bout.play(choice);
    }

    fn error(&self, error: tabia_catalog::sums::SumError) -> anyhow::Error {
        let stopped = error.is_stopped() && !self.limits.cancel.is_cancelled();
        let error = failed(error, &self.limits.cancel);
        match stopped {
            true => error.context(
                "no move was found within the limits; give more with --timeout, or play against \
                 another opponent",
            ),
            false => error,
        }
    }

    fn say(&self, text: &str) -> anyhow::Result<()> {
        match self.console.json {
            true => Ok(()),
            false => self.console.print(text),
        }
    }

    fn complain(&self, message: &str) -> anyhow::Result<()> {
        match self.console.json {
            true => Ok(writeln!(io::stderr(), "{message}")?),
            false => self.console.print(&format!("{message}\n")),
        }
    }

    fn show(&self) -> anyhow::Result<()> {
        let mut text = String::from("\n");
        for (place, component) in self.bout.components().iter().enumerate() {
            text += &format!("{:3}  {component}\n", place + 1);
        }
        self.say(&text)
    }

    fn list(&self, choices: &[SumMove]) -> anyhow::Result<()> {
        for component in components(choices) {
            let own = choices
                .iter()
                .filter(|choice| choice.component == component);
            let texts: Vec<String> = own.map(|choice| choice.text.clone()).collect();
            self.say(&format!(
                "in {component}:\n{}",
                columns(&texts, self.console.width)
            ))?;
        }
        Ok(())
    }

    /// What can be said within the limits; the rest is left unsaid with the reason.
    fn hint(&mut self) -> anyhow::Result<()> {
        let spinner = self.console.spinner("thinking".to_string());
        let (told, winning) = (
            self.bout.told(&self.limits),
            self.bout.winning(&self.limits),
        );
        spinner.finish_and_clear();
        match told {
            Ok(told) => {
                for (place, told) in told.iter().enumerate() {
                    self.say(&format!(
                        "{:3}  {} = {}, mean {}, temperature {}\n",
                        place + 1,
                        told.text,
                        told.value,
                        told.mean,
                        told.temperature
                    ))?;
                }
            }
            Err(error) => self.complain(&format!("no values: {error}"))?,
        }
        match winning {
            Ok(moves) if moves.is_empty() => self.say("every move loses\n"),
            Ok(moves) => {
                let moves = moves.iter().map(|m| format!("{} {}", m.component, m.text));
                let moves: Vec<String> = moves.collect();
                self.say(&format!("wins: {}\n", moves.join(", ")))
            }
            Err(error) => self.complain(&format!("who wins was not found: {error}")),
        }
    }
}

/// The components of some moves.
fn components(choices: &[SumMove]) -> Vec<usize> {
    let mut components: Vec<usize> = choices.iter().map(|choice| choice.component).collect();
    components.dedup();
    components
}

/// The move that a line means: the number of a component and a move, or a move that there is in one
/// component only.
fn meant(choices: &[SumMove], text: &str) -> Result<SumMove, String> {
    let named = text.split_once(char::is_whitespace);
    let named = named.and_then(|(number, mv)| Some((number.parse::<usize>().ok()?, mv.trim())));
    if let Some((component, mv)) = named {
        let mut own = choices
            .iter()
            .filter(|choice| choice.component == component)
            .peekable();
        if own.peek().is_none() {
            let open = components(choices);
            let open: Vec<String> = open.iter().map(usize::to_string).collect();
            return Err(format!(
                "there is no move in {component}; there are moves in {}",
                open.join(", ")
            ));
        }
        let texts: Vec<&str> = own.clone().map(|choice| choice.text.as_str()).collect();
        return own
            .find(|choice| choice.text == mv)
            .cloned()
            .ok_or_else(|| {
                format!(
                    "'{mv}' is no move in {component}; there are {}",
                    some(&texts)
                )
            });
    }
    let alike: Vec<&SumMove> = choices
        .iter()
        .filter(|choice| choice.text == text)
        .collect();
    match alike[..] {
        [only] => Ok(only.clone()),
        [] => {
            let texts: Vec<String> = choices
                .iter()
                .map(|choice| format!("{} {}", choice.component, choice.text))
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            Err(format!("'{text}' is no move; there are {}", some(&texts)))
        }
        [one, other, ..] => Err(format!(
            "'{text}' is a move in several components; write '{} {text}' or '{} {text}'",
            one.component, other.component
        )),
    }
}

/// A few of some words.
fn some(words: &[&str]) -> String {
    const FEW: usize = 12;
    match words.len() {
        0..=FEW => words.join(", "),
        _ => format!("{} and {} more", words[..FEW].join(", "), words.len() - FEW),
    }
}
