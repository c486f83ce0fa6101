//! The rule of repetition along random games.

use rand::{Rng, RngExt};

use tabia_game::{Compared, GameRng, Information, Key, Made, Path, Player, Seed, Turn};

use super::MAX_PLIES;

const GAMES: u64 = 4;
const PLIES: usize = 60;

/// Whether a path is applied to a game as its rule of repetition says.
///
/// A path is left as it was entered, what a rule forbids it forbids in place and order, and what it
/// pays is a payoff.
pub fn check_history<G: Key>(game: &G) -> Result<(), String> {
    let rule = game.repetition();
    ensure!(
        rule.occurrences >= 2,
        "occurrence {} acts",
        rule.occurrences
    );
    let hidden = <G::Information as Information>::HIDDEN;
    ensure!(
        !rule.is_tracked() || !hidden || rule.compared != Compared::Positions,
        "the rule of repetition compares whole positions, of which something is hidden"
    );
    for seed in 0..GAMES {
        let mut rng = Seed::new(seed).split("history").rng();
        let mut state = game.start();
        let mut path = Path::from_start(game, &state);
        for _ in 0..PLIES {
            let mut all = Vec::new();
            game.moves(&state, &mut all);
            let mut legal = all.clone();
            legal.extend(&all);
            let mut copy = state.clone();
            let ruling = path.retain_legal(game, rule, &mut copy, &mut legal, all.len());
            ensure!(
                copy == state,
                "looking for forbidden moves changes {state:?}"
            );
            ensure!(
                legal[..all.len()] == all[..],
                "moves that were not asked about are taken out in {state:?}"
            );
            legal.drain(..all.len());
            let mut rest = all.iter();
            ensure!(
                legal.iter().all(|mv| rest.any(|other| other == mv)),
                "legal moves are not in the order of all moves in {state:?}"
            );
            check_ruling(game, &path, &state)?;
            if !ruling.is_open() || !path.ruling(game, &state).is_open() || legal.is_empty() {
                break;
            }
            for &mv in &legal {
                check_move(game, &mut path, &mut copy, mv)?;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            let made = Made::of(game, rule, &state, mv);
            game.play(&mut state, mv);
            if game.turn(&state) == Turn::Over {
                break;
            }
            path.enter(game, rule, &state, made);
        }
    }
    Ok(())
}

/// A move is entered on the path and taken back.
fn check_move<G: Key>(
    game: &G,
    path: &mut Path,
    state: &mut G::State,
    mv: G::Move,
) -> Result<(), String> {
    let rule = game.repetition();
    let (len, signature) = (path.len(), path.signature());
    let (key, on_path) = (game.history_key(state), game.key_on_path(state, path));
    let made = Made::of(game, rule, state, mv);
    ensure!(
        made == Made::of(game, rule, state, mv),
        "{mv:?} is noted in two ways in {state:?}"
    );
    let token = game.play(state, mv);
    if game.turn(state) != Turn::Over {
        let entered = path.enter(game, rule, state, made);
        if !rule.forbids() {
            ensure!(
                entered == path.ruling(game, state),
                "the ruling of a position is not that of entering {state:?}"
            );
        }
        path.pop();
    }
    game.undo(state, token);
    ensure!(
        (path.len(), path.signature()) == (len, signature),
        "a path is not left as it was entered with {mv:?} in {state:?}"
    );
    ensure!(
        (game.history_key(state), game.key_on_path(state, path)) == (key, on_path),
        "{mv:?} and undo change the history key of {state:?}"
    );
    Ok(())
}

/// Payoffs of a game that the rule has ended are payoffs.
fn check_ruling<G: Key>(game: &G, path: &Path, state: &G::State) -> Result<(), String> {
    let ruling = path.ruling(game, state);
    if ruling.is_open() {
        return Ok(());
    }
    let players = (0..game.players()).map(|p| Player(p as u8));
    let payoffs: Vec<i32> = players.map(|p| ruling.payoff(game, p)).collect();
    ensure!(
        payoffs.iter().all(|p| p.abs() <= game.max_payoff()),
        "{ruling:?} pays {payoffs:?} in {state:?}, more than {}",
        game.max_payoff()
    );
    Ok(())
}

/// A random game, which the rule of repetition may end.
pub(super) fn random_game<G: Key>(game: &G, mut rng: GameRng) -> Result<(), G::State> {
    let rule = game.repetition();
    let mut state = game.start();
    let mut path = Path::from_start(game, &state);
    let mut moves = Vec::new();
    for _ in 0..MAX_PLIES {
        moves.clear();
        let ruling = path.legal_moves(game, &state, &mut moves);
        if game.turn(&state) == Turn::Over || !ruling.is_open() {
            return Ok(());
        }
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.next_u32() as usize % moves.len()];
        let made = Made::of(game, rule, &state, mv);
        game.play(&mut state, mv);
        if rule.is_tracked() && !path.enter(game, rule, &state, made).is_open() {
            return Ok(());
        }
    }
    match game.turn(&state) {
        Turn::Over => Ok(()),
        _ => Err(state),
    }
}
