//! Checks of the rules alone: turns, moves, undo, payoffs, texts and symmetries.

use std::collections::HashSet;

use super::list;
use tabia_game::{Game, Luck, Player, Symmetric, Text, Turn};

pub(super) fn check_turn<G: Game>(game: &G, state: &G::State) -> Result<(), String> {
    match game.turn(state) {
        Turn::Over => {
            let payoffs: Vec<i32> = (0..game.players())
                .map(|p| game.payoff(state, Player(p as u8)))
                .collect();
            ensure!(
                list(game, state).is_empty(),
                "the game is over and has moves"
            );
            ensure!(
                payoffs.iter().all(|p| p.abs() <= game.max_payoff()),
                "payoffs {payoffs:?} exceed {}",
                game.max_payoff()
            );
            ensure!(
                game.has_draws() || payoffs.iter().all(|&p| p != 0),
                "payoffs {payoffs:?} of a game that is said to have no draws"
            );
            if let Some(sum) = game.payoff_sum() {
                ensure!(
                    payoffs.iter().sum::<i32>() == sum,
                    "payoffs {payoffs:?} do not sum to {sum}"
                );
            }
        }
        Turn::Chance => ensure!(
            <G::Luck as Luck>::CHANCE,
            "a deterministic game at a chance turn"
        ),
        Turn::Player(player) => {
            ensure!(player.index() < game.players(), "{player:?} is to move");
            ensure!(
                !list(game, state).is_empty(),
                "{player:?} is to move and has no move"
            );
        }
    }
    Ok(())
}

/// What a game pays lies within its bounds, and bounds only narrow.
pub(super) fn check_payoff_bounds<G: Game>(game: &G, state: &G::State) -> Result<(), String> {
    let players = || (0..game.players()).map(|p| Player(p as u8));
    let total = game.payoff_total(state);
    if game.turn(state) == Turn::Over {
        let mut sum = 0;
        for player in players() {
            let (least, most) = game.payoff_range(state, player);
            let payoff = game.payoff(state, player);
            ensure!(
                (least..=most).contains(&payoff),
                "{player:?} gets {payoff}, not from {least} to {most}"
            );
            sum += payoff;
        }
        ensure!(
            total.is_none_or(|total| sum <= total),
            "{sum} is paid altogether, more than {total:?}"
        );
    }
    for mv in list(game, state) {
        let mut next = state.clone();
        game.play(&mut next, mv);
        for player in players() {
            let (least, most) = game.payoff_range(state, player);
            let (below, above) = game.payoff_range(&next, player);
            ensure!(
                least <= below && above <= most,
                "after {mv:?} {player:?} gets from {below} to {above}, before from {least} to \
                 {most}"
            );
        }
        let after = game.payoff_total(&next);
        ensure!(
            total.is_none_or(|total| after.is_some_and(|after| after <= total)),
            "after {mv:?} {after:?} is paid altogether, before {total:?}"
        );
    }
    Ok(())
}

pub(super) fn check_moves<G: Game>(game: &G, state: &G::State) -> Result<(), String> {
    let moves = list(game, state);
    let distinct: HashSet<_> = moves.iter().collect();
    ensure!(
        distinct.len() == moves.len(),
        "a move is listed twice: {moves:?}"
    );
    let mut buffer = moves.clone();
    game.moves(state, &mut buffer);
    ensure!(
        buffer[..moves.len()] == moves[..] && buffer[moves.len()..] == moves[..],
        "moves do not append the same list again"
    );
    for most in [0, 1, moves.len() / 2, moves.len(), moves.len() + 1] {
        let mut first = moves.clone();
        let complete = game.first_moves(state, most, &mut first);
        let first = &first[moves.len()..];
        ensure!(
            moves.starts_with(first)
                && first.len() >= most.min(moves.len())
                && complete == (first.len() == moves.len()),
            "the first {most} moves are {first:?}, all of them: {complete}"
        );
    }
    Ok(())
}

pub(super) fn check_undo<G: Game>(game: &G, state: &G::State) -> Result<(), String> {
    let mut copy = state.clone();
    for mv in list(game, state) {
        let token = game.play(&mut copy, mv);
        let inner = list(game, &copy)
            .first()
            .map(|&next| (next, game.play(&mut copy, next)));
        if let Some((_, token)) = inner {
            game.undo(&mut copy, token);
        }
        game.undo(&mut copy, token);
        ensure!(copy == *state, "{mv:?} and undo lead to {copy:?}");
    }
    Ok(())
}

pub(super) fn check_text<G: Text>(game: &G, state: &G::State) -> Result<(), String> {
    let text = game.position_text(state);
    let again = game
        .parse_position(&text)
        .map_err(|e| format!("'{text}' is refused: {e}"))?;
    ensure!(again == *state, "'{text}' is read as {again:?}");
    ensure!(!text.contains('\n'), "'{text}' has several lines");
    let mut seen = HashSet::new();
    for mv in list(game, state) {
        let name = game.move_text(state, mv);
        ensure!(
            seen.insert(name.to_lowercase()),
            "two moves are called '{name}'"
        );
        let parsed = game.parse_move(state, &name);
        ensure!(
            parsed == Ok(mv),
            "'{name}' is read as {parsed:?}, not {mv:?}"
        );
    }
    let _ = game.parse_move(state, "");
    // Every text with one character dropped, doubled or replaced is read or refused, and what is
    // read round trips.
    let characters: Vec<char> = text.chars().collect();
    for i in 0..characters.len() {
        for replacement in ["", "9", "x", "/ ", "\u{e9}"] {
            let garbled: String = characters[..i]
                .iter()
                .map(char::to_string)
                .chain([replacement.to_string()])
                .chain(characters[i + 1..].iter().map(char::to_string))
                .collect();
            if let Ok(odd) = game.parse_position(&garbled) {
                let printed = game.position_text(&odd);
                let reread = game.parse_position(&printed);
                ensure!(
                    reread == Ok(odd),
                    "'{garbled}' is read but '{printed}' does not round trip"
                );
            }
        }
    }
    Ok(())
}

pub(super) fn check_symmetry<G: Symmetric>(game: &G, state: &G::State) -> Result<(), String> {
    ensure!(
        game.map_state(state, 0) == *state,
        "symmetry 0 is not the identity"
    );
    let canonical = game.canonical(state);
    for symmetry in 0..game.symmetries() {
        let image = game.map_state(state, symmetry);
        ensure!(
            game.canonical(&image) == canonical,
            "the image under symmetry {symmetry} has another canonical form"
        );
        ensure!(
            game.turn(&image) == game.turn(state),
            "symmetry {symmetry} changes the turn"
        );
        if game.turn(state) == Turn::Over {
            for player in (0..game.players()).map(|p| Player(p as u8)) {
                ensure!(
                    game.payoff(&image, player) == game.payoff(state, player),
                    "symmetry {symmetry} changes payoffs"
                );
            }
        }
        let moves: HashSet<_> = list(game, state)
            .into_iter()
            .map(|mv| game.map_move(mv, symmetry))
            .collect();
        let expected: HashSet<_> = list(game, &image).into_iter().collect();
        ensure!(
            moves == expected,
            "symmetry {symmetry} maps moves to {moves:?}, not {expected:?}"
        );
        for mv in list(game, state) {
            let (mut child, mut mapped) = (state.clone(), image.clone());
            game.play(&mut child, mv);
            game.play(&mut mapped, game.map_move(mv, symmetry));
            ensure!(
                game.map_state(&child, symmetry) == mapped,
                "symmetry {symmetry} does not commute with {mv:?}"
            );
        }
    }
    Ok(())
}
