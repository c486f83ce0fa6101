//! The games of a run, each with its boards to step through.
//!
//! Every board has a button, of which one in a game is checked, and only its board is shown: so a
//! game is stepped through by the arrow keys or by the words beside the board, without a script.

use maud::{Markup, html};
use tabia_game::Turn;
use tabia_game::picture::terminal::{Style, render};
use tabia_registry::{AnyGame, Session, grouped, open};

use super::sections::{counted, section};
use super::words::quoted;
use crate::LabError;
use crate::export::StoredRun;
use crate::matches::PlayedGame;
use crate::referee::Ending;

/// Games that are listed at most.
const LISTED: usize = 200;
/// Characters of boards at most, so that a page stays small enough to open.
const BOARDS: usize = 2_000_000;

/// The games, the first ones with their boards.
pub(super) fn games(stored: &StoredRun, file: &str) -> Result<Markup, LabError> {
    if stored.games.is_empty() {
        return Ok(html! {});
    }
    let game = open(stored.game()?)?;
    let mut room = BOARDS;
    let listed = stored.games.iter().take(LISTED);
    let entries: Vec<Markup> = listed
        .map(|played| entry(stored, &*game, played, &mut room))
        .collect::<Result<_, LabError>>()?;
    let run = stored.run.id.to_string();
    let words = [
        "tabia", "results", "show", file, "--run", &run, "--game", "K",
    ];
    Ok(section(
        "Games",
        html! {
            p.quiet {
                "Open a game to step through it, by the arrow keys or the words beside the board."
                @if stored.games.len() > LISTED {
                    " The first " (LISTED) " of "
                    (counted(stored.games.len() as u64, "game", "games")) " are listed."
                }
                " Any game is shown by " code { (quoted(&words)) } "."
            }
            @for entry in entries { (entry) }
        },
    ))
}

fn entry(
    stored: &StoredRun,
    game: &dyn AnyGame,
    played: &PlayedGame,
    room: &mut usize,
) -> Result<Markup, LabError> {
    let seats: Vec<&str> = stored.names(played).collect();
    let plies = counted(played.moves.len() as u64, "ply", "plies");
    let head = format!(
        "{}: {}: {}, {plies}",
        grouped(played.number),
        seats.join(" – "),
        played.text
    );
    let boards = boards(game, played)?;
    let size: usize = boards.iter().map(|(_, board)| board.len()).sum();
    if size > *room {
        return Ok(html! { p.game { (head) } });
    }
    *room -= size;
    let last = boards.len().saturating_sub(1);
    let name = format!("g{}", played.number);
    let id = |ply: usize| format!("{name}-{ply}");
    let start = played.opening.min(last);
    Ok(html! {
        details.game {
            summary { (head) }
            @if let Ending::Fault { reason, .. } = &played.ending {
                p.quiet { "The loser " (reason) "." }
            }
            div.steps {
                @for (ply, (mv, board)) in boards.iter().enumerate() {
                    input type="radio" name=(name) id=(id(ply)) checked[ply == start]
                        aria-label=(format!("ply {ply}"));
                    div.step {
                        p {
                            @if ply > 0 {
                                label for=(id(0)) { "« first" } " "
                                label for=(id(ply - 1)) { "‹ back" } " "
                            }
                            strong { (ply) " of " (last) } " " (mv) " "
                            @if ply < last {
                                label for=(id(ply + 1)) { "next ›" } " "
                                label for=(id(last)) { "last »" }
                            }
                        }
                        pre { (board) }
                    }
                }
            }
        }
    })
}

/// What was played, and the board after it; first nothing, and the board at the beginning.
fn boards(game: &dyn AnyGame, played: &PlayedGame) -> Result<Vec<(String, String)>, LabError> {
    let board = |session: &dyn Session| render(&session.picture(), Style::Plain);
    let mut session = game.session(played.position.as_deref())?;
    let mut boards = vec![(String::new(), board(&*session))];
    for mv in &played.moves {
        let mover = match session.turn() {
            Turn::Player(player) => game.player_name(player),
            Turn::Chance | Turn::Over => "chance".to_string(),
        };
        session.play(mv)?;
        boards.push((format!("{mover}: {mv}"), board(&*session)));
    }
    Ok(boards)
}
