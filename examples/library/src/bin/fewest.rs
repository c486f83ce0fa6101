//! An engine of one's own, in a match with statistics.

use std::error::Error;

use tabia_game::{
    Cancel, Deterministic, Game, Key, Limits, Payoff, Perfect, Seed, Turn, TwoPlayer,
};
use tabia_lab::matches::{Match, MatchPlan, Opening, Summary};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_registry::{AnyGame, Listing, Maker};
use tabia_search::{Choice, Counter, Engine, Situation};
use tabia_small::lgame::LGame;

/// Leaves the opponent as few answers as possible: a search of one ply that needs to know nothing
/// of the game but its rules.
///
/// Positions that end the game by repetition count like any other.
struct Fewest;

impl<G> Engine<G> for Fewest
where
    G: TwoPlayer + Key + Game<Luck = Deterministic, Information = Perfect>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let Turn::Player(mover) = game.turn(state) else {
            return Choice::nothing();
        };
        let (mut moves, mut answers) = (Vec::new(), Vec::new());
        path.legal_moves(game, state, &mut moves);
        let mut child = state.clone();
        let mut meter = limits.meter();
        let mut best: Option<((Payoff, i64), G::Move)> = None;
        for &mv in &moves {
            if meter.tick().is_err() {
                break;
            }
            let token = game.play(&mut child, mv);
            answers.clear();
            game.moves(&child, &mut answers);
            let count = answers.len() as i64;
            let worth = match game.turn(&child) {
                Turn::Over => (game.payoff(&child, mover), 0),
                // A player may move several times in a row.
                Turn::Player(next) if next == mover => (0, count),
                _ => (0, -count),
            };
            game.undo(&mut child, token);
            if best.is_none_or(|(highest, _)| worth > highest) {
                best = Some((worth, mv));
            }
        }
        // A search that was stopped at once still answers with a legal move.
        let chosen = best.map(|(_, mv)| mv).or(moves.first().copied());
        Choice {
            best: chosen,
            line: chosen.into_iter().collect(),
            depth: u32::from(best.is_some()),
            nodes: meter.nodes(),
            counters: vec![("moves", Counter::One(moves.len() as u64))],
            ..Choice::nothing()
        }
    }

    fn new_game(&mut self, _: Seed) {}
}

/// The L-Game with this engine and the one that every game has, `random`.
fn game() -> Box<dyn AnyGame> {
    let fewest = Maker::<LGame>::new("fewest", "fewest answers", &[], |_, _| Ok(Box::new(Fewest)));
    Listing::new(LGame).engine(fewest.limited()).boxed()
}

/// Plays a match in pairs: each opening twice, with seats exchanged.
fn play(players: [&str; 2]) -> Result<Summary, Box<dyn Error>> {
    let plan = MatchPlan {
        game: "lgame".to_string(),
        players: players.map(Entrant::parse).to_vec(),
        games: 100,
        paired: true,
        opening: Opening::Random(2),
        terms: Terms {
            plies: 100,
            ..Terms::default()
        },
        sprt: None,
        seed: 1,
    };
    let mut played = Match::with_game(plan, game())?;
    played.play(2, &Cancel::default(), &mut |_| {})?;
    Ok(played.summary())
}

fn main() -> Result<(), Box<dyn Error>> {
    let summary = play(["fewest", "random"])?;
    let [fewest, random] = &summary.players[..] else {
        return Err("there are two players".into());
    };
    println!(
        "fewest {} - random {}: {:.1}%, 95% interval {:.1}-{:.1}%",
        fewest.points,
        random.points,
        100.0 * fewest.share,
        100.0 * fewest.interval.low,
        100.0 * fewest.interval.high
    );
    assert_eq!((fewest.games, fewest.faults), (100, 0));
    // It is the stronger one, and not by luck.
    assert!(fewest.interval.low > 0.5);

    // Against itself every pair is the same game twice.
    let [one, other] = &play(["fewest", "fewest"])?.players[..] else {
        return Err("there are two players".into());
    };
    assert_eq!((one.points, other.points), (50.0, 50.0));
    Ok(())
}
