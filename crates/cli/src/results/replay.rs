//! `tabia results replay`: a stored game once more.

use serde_json::json;
use tabia_lab::matches::PlayedGame;

use super::Which;
use crate::console::Console;
use crate::failure::Interrupted;
use crate::interrupt::cancel_on_interrupt;

/// Play a stored game again and compare the moves
///
/// A game goes the same way again unless a limit on time had a part in it. The exit status is 1 if
/// it differs and no time was limited.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: run, number, same, timeless, differs_at (the ply), stored and replayed (moves, result).")]
pub struct Arguments {
    #[command(flatten)]
    which: Which,

    /// The game
    #[arg(long, value_name = "K")]
    game: u64,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let (_, stored) = arguments.which.read()?;
    let game = stored.find(arguments.game)?;
    let timeless = stored.is_timeless()?;
    let again = stored.replay(game, &cancel_on_interrupt())?;
    let again = again.ok_or(Interrupted)?;
    let differs_at = difference(&game.moves, &again.moves);
    let same = differs_at.is_none() && game.payoffs == again.payoffs && game.text == again.text;
    if console.json {
        let tell = |game: &PlayedGame| json!({ "moves": game.moves, "result": game.text });
        console.print_json(&json!({
            "run": stored.run.id,
            "number": game.number,
            "same": same,
            "timeless": timeless,
            "differs_at": differs_at.map(|ply| ply + 1),
            "stored": tell(game),
            "replayed": tell(&again),
        }))?;
    } else {
        console.print(&comparison(game, &again, differs_at, same))?;
    }
    match (same, timeless) {
        (true, _) => Ok(()),
        (false, true) => Err(anyhow::anyhow!("game {} went another way", game.number)),
        (false, false) if console.json => Ok(()),
        (false, false) => console.print("time was limited, so this is to be expected\n"),
    }
}

/// The first ply at which two games differ.
fn difference(stored: &[String], again: &[String]) -> Option<usize> {
    let both = stored.len().min(again.len());
    let differing = stored.iter().zip(again).position(|(a, b)| a != b);
    differing.or((stored.len() != again.len()).then_some(both))
}

fn comparison(
    game: &PlayedGame,
    again: &PlayedGame,
    differs_at: Option<usize>,
    same: bool,
) -> String {
    let plies = game.moves.len();
    let nothing = "the end of the game".to_string();
    match differs_at {
        _ if same => format!("the same again: {plies} plies, {}\n", game.text),
        None => format!(
            "the same {plies} plies, but '{}' is now '{}'\n",
            game.text, again.text
        ),
        Some(ply) => format!(
            "another way from ply {} on: {} instead of {}\nstored: {}\nnow: {}\n",
            ply + 1,
            again.moves.get(ply).unwrap_or(&nothing),
            game.moves.get(ply).unwrap_or(&nothing),
            game.text,
            again.text
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_string)
                .collect::<Vec<_>>()
        };
        let differ = |a: &str, b: &str| difference(&words(a), &words(b));
        assert_eq!(differ("a b c", "a b c"), None);
        assert_eq!(differ("a b c", "a x c"), Some(1));
        assert_eq!(differ("a b", "a b c"), Some(2));
        assert_eq!(differ("", "a"), Some(0));
    }
}
