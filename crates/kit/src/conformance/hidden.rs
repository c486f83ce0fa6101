//! Checks of games with hidden information.

use std::collections::HashSet;

use super::{list, players};
use tabia_game::{Game, Hidden, Player, Seed, Turn};

/// Histories that are followed beside the one that was played.
const MAX_ALTERNATIVES: usize = 8;

/// States that are drawn for one observation.
const SAMPLES: u64 = 4;

fn is_turn_of<G: Game>(game: &G, state: &G::State, player: Player) -> bool {
    game.turn(state) == Turn::Player(player)
}

/// A sampled state looks the same to the player, who has the same turn and the same moves in it.
pub(super) fn check_samples<G: Hidden>(game: &G, state: &G::State) -> Result<(), String> {
    for player in players(game) {
        let observation = game.observe(state, &[], player);
        for seed in 0..SAMPLES {
            let sampled = game.sample_state(&observation, &mut Seed::new(seed).rng());
            agree(game, state, &sampled, player)?;
        }
    }
    Ok(())
}

/// Two states that a player cannot tell apart.
fn agree<G: Hidden>(
    game: &G,
    state: &G::State,
    other: &G::State,
    player: Player,
) -> Result<(), String> {
    let (view, same) = (game.view(state, player), game.view(other, player));
    ensure!(
        view == same,
        "{player:?} sees {view:?} here, but {same:?} in {other:?}"
    );
    let turn = is_turn_of(game, state, player);
    ensure!(
        turn == is_turn_of(game, other, player),
        "{player:?} cannot tell whether it is to move: here {turn}, but not so in {other:?}"
    );
    ensure!(
        !turn || list(game, state) == list(game, other),
        "{player:?} has other moves in {other:?}"
    );
    Ok(())
}

/// A player tells its own moves apart, and nobody else tells secret ones apart. Texts say as much
/// as what they stand for.
pub(super) fn check_signals<G: Hidden>(game: &G, state: &G::State) -> Result<(), String> {
    let moves = list(game, state);
    for player in players(game) {
        let view = game.view_text(&game.view(state, player));
        ensure!(
            !view.contains('\n') && !view.trim().is_empty(),
            "'{view}' is not one line"
        );
        let signals = moves.iter().map(|&mv| game.signal(state, mv, player));
        let signals: HashSet<_> = signals.collect();
        if is_turn_of(game, state, player) {
            ensure!(
                signals.len() == moves.len(),
                "{player:?} cannot tell its own moves apart: {signals:?}"
            );
        } else if game.is_secret(state) {
            ensure!(
                signals.len() <= 1,
                "{player:?} tells secret moves apart: {signals:?}"
            );
        }
        let texts: HashSet<_> = signals.iter().map(|s| game.signal_text(s)).collect();
        ensure!(
            texts.len() == signals.len(),
            "{} signals have {} texts",
            signals.len(),
            texts.len()
        );
        for text in texts {
            ensure!(
                !text.is_empty() && !text.contains(char::is_whitespace),
                "'{text}' is not a word"
            );
        }
    }
    Ok(())
}

/// Histories that a player has observed in the same way are one information set: while the game
/// goes on the player sees the same, has the same turn and the same moves.
///
/// Other histories begin wherever the player cannot tell the difference, now and at every move, and
/// go on with moves that have the same signals.
pub(super) fn check_information_sets<G: Hidden>(game: &G, moves: &[G::Move]) -> Result<(), String> {
    for player in players(game) {
        let mut state = game.start();
        let mut observation = game.observe(&state, &[], player);
        let mut alternatives: Vec<G::State> = Vec::new();
        for (ply, &mv) in moves.iter().enumerate() {
            let mut rng = Seed::new(ply as u64).rng();
            for _ in 0..2 {
                alternatives.push(game.sample_state(&observation, &mut rng));
            }
            let signal = game.signal(&state, mv, player);
            let mut next = Vec::new();
            for other in &alternatives {
                for same in list(game, other) {
                    if game.signal(other, same, player) == signal {
                        let mut child = other.clone();
                        game.play(&mut child, same);
                        next.push(child);
                    }
                }
            }
            game.play(&mut state, mv);
            let view = game.view(&state, player);
            // What everybody is shown at the end may tell histories apart.
            let goes_on = |state: &G::State| game.turn(state) != Turn::Over;
            if goes_on(&state) {
                for other in next.iter().filter(|other| goes_on(other)) {
                    agree(game, &state, other, player)?;
                }
            }
            next.retain(|other| game.view(other, player) == view);
            // Those that began earliest and those that began last.
            if next.len() > MAX_ALTERNATIVES {
                next.drain(MAX_ALTERNATIVES / 2..next.len() - MAX_ALTERNATIVES / 2);
            }
            alternatives = next;
            observation.push(signal, view);
        }
        let whole = game.observe(&game.start(), moves, player);
        ensure!(
            whole == observation,
            "{player:?} has observed {whole:?}, move by move {observation:?}"
        );
    }
    Ok(())
}
