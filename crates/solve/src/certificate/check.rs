//! Checking a certificate, with the rules and the tables it names and nothing else.

use std::collections::BTreeMap;
use std::io::BufRead;

use tabia_game::text::shortened;
use tabia_game::{Limits, Player, Turn, Wdl};

use super::read::Lines;
use super::walk::{StrategyFault, Walked, walk};
use super::{Certifiable, Certificate, CheckError, Claim, Header, Refusal, Task, strategy_line};

/// What a valid certificate consists of, all its strategies together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateSummary {
    /// Moves that it lists.
    pub entries: u64,
    /// Positions that were entered.
    pub positions: u64,
}

/// Checks a certificate of this game. `tables` are those at hand, each with its checksum.
///
/// `probe` tells what the tables that the certificate names say of a position, for the player to
/// move, or refuses them. It must not ask others: where they know a value the certificate
/// goes on with moves. The limit on nodes is one on positions.
pub fn check<G: Certifiable, R: BufRead>(
    game: &G,
    certificate: Certificate<R>,
    tables: &BTreeMap<String, String>,
    probe: impl Fn(&G::State) -> Result<Option<Wdl>, Refusal>,
    limits: &Limits,
    progress: impl FnMut(u64),
) -> Result<CertificateSummary, CheckError> {
    let Certificate { header, mut lines } = certificate;
    let checked = strategies(game, &header, &mut lines, tables, probe, limits, progress);
    if matches!(checked, Err(CheckError::Refused { .. })) && !lines.is_ended() {
        // A damaged text may show its damage as an illegal move. What is wrong then is the text.
        lines.skip_to_end()?;
    }
    checked
}

fn strategies<G: Certifiable, R: BufRead>(
    game: &G,
    header: &Header,
    lines: &mut Lines<R>,
    tables: &BTreeMap<String, String>,
    probe: impl Fn(&G::State) -> Result<Option<Wdl>, Refusal>,
    limits: &Limits,
    mut progress: impl FnMut(u64),
) -> Result<CertificateSummary, CheckError> {
    game.repetition()
        .check_endless_draw("a certificate")
        .map_err(|reason| lines.refuse(header, Refusal::Rule(reason)))?;
    let read = game.parse_position(&header.position);
    let root = read.map_err(|reason| lines.refuse(header, Refusal::Position(reason)))?;
    let tasks =
        tasks(game, &root, &header.claim).map_err(|refusal| lines.refuse(header, refusal))?;
    same_tables(&header.tables, tables).map_err(|refusal| lines.refuse(header, refusal))?;
    let mut summary = CertificateSummary::default();
    let mut meter = limits.meter();
    for task in tasks {
        begin(
            lines,
            &strategy_line(&game.player_name(task.player), task.at_least),
        )?;
        let told = summary.positions;
        let walked = walk(
            game,
            &root,
            task,
            |state| probe(state).map_err(Flaw::Refused),
            &mut meter,
            |positions| progress(told + positions),
            |state, moves| next_move(game, lines, state, moves),
        );
        let Walked { entries, positions } = walked.map_err(|flaw| match flaw {
            Flaw::Read(error) => error,
            Flaw::Refused(refusal) => lines.refuse(header, refusal),
            Flaw::Fault(StrategyFault::Stopped(stopped)) => stopped.into(),
            Flaw::Fault(fault) => lines.refuse(header, Refusal::Fault(fault)),
        })?;
        summary.entries += entries;
        summary.positions += positions;
    }
    if !lines.at_end()? {
        return Err(left_over(lines, "end CHECKSUM"));
    }
    lines.end()?;
    Ok(summary)
}

/// What ends a walk: the line that should tell a move, the tables, or the strategy.
enum Flaw {
    Read(CheckError),
    Refused(Refusal),
    Fault(StrategyFault),
}

impl From<StrategyFault> for Flaw {
    fn from(fault: StrategyFault) -> Flaw {
        Flaw::Fault(fault)
    }
}

/// Refuses a certificate one of whose tables is missing or another.
fn same_tables(
    needed: &BTreeMap<String, String>,
    given: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    for (name, checksum) in needed {
        match given.get(name) {
            None => return Err(Refusal::TableMissing(name.clone())),
            Some(other) if other != checksum => return Err(Refusal::TableDiffers(name.clone())),
            Some(_) => (),
        }
    }
    Ok(())
}

/// The strategies that the claim needs.
fn tasks<G: Certifiable>(game: &G, root: &G::State, claim: &Claim) -> Result<Vec<Task>, Refusal> {
    let Turn::Player(mover) = game.turn(root) else {
        return Err(Refusal::Over);
    };
    match claim {
        Claim::Value(value) => Ok(Task::of_value(*value, mover)),
        Claim::Goal { player, at_least } => {
            let mut players = [Player::FIRST, Player::SECOND].into_iter();
            let named = players.find(|&seat| game.player_name(seat) == *player);
            let player = named.ok_or_else(|| Refusal::Player(shortened(player)))?;
            Ok(vec![Task {
                player,
                at_least: *at_least,
            }])
        }
    }
}

/// Takes the line with which a strategy begins.
fn begin<R: BufRead>(lines: &mut Lines<R>, expected: &str) -> Result<(), CheckError> {
    if lines.at_end()? {
        return Err(lines.refuse_next(Refusal::MissingStrategy(expected.to_string())));
    }
    if lines.peek()? != expected {
        return Err(left_over(lines, expected));
    }
    lines.advance();
    Ok(())
}

/// Refuses a line that should not be there: one more move, or something else.
fn left_over<R: BufRead>(lines: &mut Lines<R>, expected: &str) -> CheckError {
    match lines.peek() {
        Ok(line) if super::is_word(line) => {
            let surplus = Refusal::Surplus(shortened(line));
            lines.refuse_next(surplus)
        }
        _ => lines.unexpected(expected),
    }
}

/// The move on the line ahead, in exactly the notation of the game.
fn next_move<G: Certifiable, R: BufRead>(
    game: &G,
    lines: &mut Lines<R>,
    state: &G::State,
    moves: &[G::Move],
) -> Result<G::Move, Flaw> {
    let line = lines.peek().map_err(Flaw::Read)?;
    let legal = moves.iter().find(|&&mv| game.move_text(state, mv) == line);
    if let Some(&mv) = legal {
        lines.advance();
        return Ok(mv);
    }
    let position = game.position_text(state);
    let refusal = if super::is_word(line) {
        let text = shortened(line);
        Refusal::Illegal { text, position }
    } else {
        Refusal::MissingMove(position)
    };
    Err(Flaw::Read(lines.refuse_next(refusal)))
}
