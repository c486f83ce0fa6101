//! `tabia match`: players against each other, with sound statistics.

mod words;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabia_catalog::{AnyGame, open};
use tabia_game::Cancel;
use tabia_lab::matches::{
    Match, MatchPlan, Opening, PlayedGame, Summary, allowances, unfairness, usual_seed,
};
use tabia_lab::player::Entrant;
use tabia_lab::referee::{Ending, Terms, parse_clock};
use tabia_lab::statistics::Sprt;
use tabia_lab::store::RunKind;

use crate::arguments::{Keep, PlayBudget, Threads};
use crate::console::Console;
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

use words::score_line;
pub use words::tell;

const GAMES: u64 = 100;

/// Let players play a match, every seating equally often
///
/// A player is an engine's spec, `program:` and a command line that speaks the protocol of
/// docs/protocol.md, or a program that plays this game only, such as `gnubg:plies=0`; `NAME=`
/// before it gives it a name. The number of games is rounded up to whole sets of seatings: two
/// kinds of players at n seats have 2^n - 2 of them. In a game for one player all play the same
/// boards, and their scores are compared. Where a game begins with a deal, every round has its own,
/// unless the game's options name one. Without any limit an engine has 10,000 nodes a move. The
/// same seed plays the same match again, on any number of threads, as long as nothing is
/// limited by time.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, limits (name, counts, limits), unfair, games, different, planned, complete, paired,
opening, seed, seconds, players (name, spec, games, wins, draws, losses, points, share, interval,
payoff, payoff_without_luck, faults, moves, nodes, seconds), for two players counts, elo,
elo_interval, los, sprt, for more ratings, in games for one player comparisons (first, second,
boards, better, equal, worse, difference); faults (game, player, reason).

Examples:
  tabia match connect4 --player pvs:depth=2 --player pvs:depth=4 --games 100 --paired
  tabia match loa --player new=mia:nodes=5000 --player old=pvs:nodes=5000 \\
        --games 20000 --paired --sprt elo0=0,elo1=20 --db loa.db
  tabia match --db loa.db --resume
  tabia match breakthrough --player mia --player \"program:python3 my_engine.py\" --time 0.1")]
pub struct Arguments {
    /// The game; with --resume it may be left out
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// A player: SPEC or NAME=SPEC; give at least two
    #[arg(long = "player", value_name = "P")]
    players: Vec<String>,

    /// Games to play
    #[arg(short, long, value_name = "N", default_value_t = GAMES)]
    games: u64,

    /// Play every opening with the same luck in all seatings
    #[arg(long)]
    paired: bool,

    /// Where games begin: start, random:PLIES, file:FILE or book:FILE; random:4 if nothing is said,
    /// start in games that begin with a deal
    #[arg(long, value_name = "O")]
    opening: Option<String>,

    /// Stop as soon as this test has decided, such as elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,

    /// Tell points without the luck of chance events, too: as true, with a narrower interval
    ///
    /// After a game the static evaluation tells how much better each throw was than the mean of all
    /// throws. That luck has the mean zero, whatever the evaluation is worth.
    #[arg(long)]
    luck: bool,

    #[command(flatten)]
    terms: TermsArguments,

    /// Random seed, 1 if nothing is said; drawn where a program must not guess what is hidden
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    keep: Keep,
}

impl Arguments {
    /// Whether nothing is said of the match.
    fn is_empty(&self) -> bool {
        self.players.is_empty()
            && (self.games, self.seed, self.paired, self.luck) == (GAMES, None, false, false)
            && self.opening.is_none()
            && self.sprt.is_none()
            && self.terms.terms() == Terms::default()
    }
}

/// What the players of a game agree on.
#[derive(clap::Args)]
pub struct TermsArguments {
    #[command(flatten)]
    budget: PlayBudget,

    /// Seconds for a whole game and seconds added for each move, such as 60+0.6
    #[arg(long, value_name = "S+S", value_parser = parse_clock)]
    clock: Option<(u64, u64)>,

    /// Nodes for a whole game and seat
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game_nodes: Option<u64>,

    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = Terms::default().plies,
          value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,

    /// Milliseconds by which a limit on time may be overstepped
    #[arg(long, value_name = "MS", default_value_t = Terms::default().margin_ms,
          value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    margin: u64,

    /// Seconds to wait for an answer where time is not limited
    #[arg(long, value_name = "S", default_value_t = Terms::default().patience_ms / 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
}

impl TermsArguments {
    /// As the referee takes them.
    pub fn terms(&self) -> Terms {
        let limits = self.budget.limits(Cancel::default());
        Terms {
            depth: limits.depth,
            nodes: limits.nodes,
            playouts: limits.playouts,
            ms: limits.time.map(|time| time.as_millis() as u64),
            game_nodes: self.game_nodes,
            game_ms: self.clock.map(|(base, _)| base),
            increment_ms: self.clock.map_or(0, |(_, increment)| increment),
            margin_ms: self.margin,
            patience_ms: self.patience * 1000,
            plies: self.plies,
            luck: false,
        }
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let plan = match &arguments.game {
        Some(game) => plan(arguments, game)?,
        None => stored_plan(arguments)?,
    };
    let mut played = Match::new(plan)?;
    if arguments.keep.db.is_none() || arguments.keep.is_new() {
        played.check()?;
    }
    let mut store = arguments.keep.store()?;
    if let Some(store) = &mut store {
        played = played.stored(store, arguments.keep.resume)?;
    }
    arguments.keep.tell_if_new(played.games().count());
    let cancel = cancel_on_interrupt();
    let started = Instant::now();
    let bar = Progress::new(&played.plan().title(), played.plan().games);
    bar.begin_at(played.games().count() as u64);
    let (mut shown, mut pause) = (Instant::now(), Duration::ZERO);
    let finished = played.play(arguments.threads.number(), &cancel, &mut |standing| {
        bar.step();
        if bar.is_visible() && shown.elapsed() >= pause {
            let started = Instant::now();
            bar.tell(score_line(&standing()));
            shown = Instant::now();
            // Ten times a second is enough, and seldom enough that summing up is not the work.
            pause = (20 * (shown - started)).max(Duration::from_millis(100));
        }
    });
    bar.finish();
    let finished = finished?;
    let summary = played.summary();
    let time = started.elapsed();
    if console.json {
        let games: Vec<&PlayedGame> = played.games().collect();
        console.print_json(&as_json(played.plan(), &summary, &games, finished, time))?;
    } else {
        let mut text = tell(console, played.plan(), &summary);
        text += &tell_faults(&played.plan().players, played.games());
        if !finished {
            text += &arguments.keep.hint("match");
        }
        console.print(&text)?;
    }
    if finished {
        Ok(())
    } else {
        Err(Interrupted.into())
    }
}

fn plan(arguments: &Arguments, spec: &str) -> anyhow::Result<MatchPlan> {
    let game = open(spec)?;
    let players = arguments.players.iter();
    let players: Vec<Entrant> = players.map(|player| Entrant::parse(player)).collect();
    let seed = arguments.seed;
    Ok(MatchPlan {
        seed: seed.unwrap_or_else(|| usual_seed(&*game, &players)),
        game: spec.trim().to_string(),
        players,
        games: arguments.games,
        paired: arguments.paired,
        opening: opening(arguments.opening.as_deref(), &*game)?,
        terms: Terms {
            luck: arguments.luck,
            ..arguments.terms.terms()
        },
        sprt: arguments.sprt,
    })
}

/// Where games begin: as asked for, else as is usual for the game.
pub fn opening(asked: Option<&str>, game: &dyn AnyGame) -> anyhow::Result<Opening> {
    match asked {
        Some(text) => Opening::parse(text, game).map_err(|e| bad_request(e.to_string())),
        None => Ok(Opening::usual(game)),
    }
}

/// The plan of the newest match in the file.
fn stored_plan(arguments: &Arguments) -> anyhow::Result<MatchPlan> {
    if !arguments.is_empty() {
        return Err(bad_request(
            "options without a game: name the game and the players before them, or leave all out \
             to go on with a stored match",
        ));
    }
    let plan = arguments.keep.newest_plan(RunKind::Match)?;
    serde_json::from_value(plan)
        .map_err(|e| bad_request(format!("the stored plan cannot be read: {e}")))
}

/// Who lost by a fault, and why; the first few.
pub fn tell_faults<'a>(players: &[Entrant], games: impl Iterator<Item = &'a PlayedGame>) -> String {
    const SHOWN: usize = 10;
    let faults: Vec<(u64, &str, String)> = games.filter_map(|g| fault(players, g)).collect();
    let mut text = String::new();
    for (game, player, reason) in faults.iter().take(SHOWN) {
        text += &format!("game {game}: {player} {reason}\n");
    }
    if faults.len() > SHOWN {
        text += &format!("and {} more faults\n", faults.len() - SHOWN);
    }
    text
}

/// The same as JSON, all of them.
pub fn faults_json<'a>(players: &[Entrant], games: impl Iterator<Item = &'a PlayedGame>) -> Value {
    games
        .filter_map(|game| fault(players, game))
        .map(|(game, player, reason)| json!({ "game": game, "player": player, "reason": reason }))
        .collect()
}

fn fault<'a>(players: &'a [Entrant], game: &PlayedGame) -> Option<(u64, &'a str, String)> {
    let Ending::Fault { seat, reason } = &game.ending else {
        return None;
    };
    let player = players.get(*game.seats.get(*seat)?)?;
    Some((game.number, &player.name, reason.to_string()))
}

fn as_json(
    plan: &MatchPlan,
    summary: &Summary,
    games: &[&PlayedGame],
    complete: bool,
    time: Duration,
) -> Value {
    let allowed = open(&plan.game).map(|game| allowances(&*game, &plan.terms, &plan.players));
    let allowed = allowed.unwrap_or_default();
    json!({
        "game": plan.game,
        "limits": allowed,
        "unfair": unfairness(&allowed),
        "games": summary.games,
        "different": summary.different,
        "planned": plan.games,
        "complete": complete,
        "paired": plan.paired,
        "opening": plan.opening.describe(),
        "seed": plan.seed,
        "seconds": time.as_secs_f64(),
        "players": summary.players,
        "comparisons": summary.comparisons,
        "ratings": summary.ratings,
        "counts": summary.counts,
        "elo": summary.elo.map(|elo| elo.difference),
        "elo_interval": summary.elo.map(|elo| elo.interval),
        "los": summary.elo.map(|elo| elo.likelihood_of_superiority),
        "sprt": summary.sprt,
        "faults": faults_json(&plan.players, games.iter().copied()),
    })
}
