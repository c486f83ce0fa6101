//! `tabia match`: players against each other, with sound statistics.

use std::time::{Duration, Instant};

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::open;
use tabia_game::Cancel;
use tabia_lab::matches::{DEFAULT_OPENING, Match, MatchPlan, Opening, PlayedGame, Summary};
use tabia_lab::player::Entrant;
use tabia_lab::referee::{Ending, Terms, parse_clock};
use tabia_lab::statistics::{Counts, Decision, Interval, Sprt};
use tabia_lab::store::RunKind;

use crate::arguments::{Keep, PlayBudget, Threads};
use crate::console::{Console, grouped, sentence, table};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

const GAMES: u64 = 100;
const SEED: u64 = 1;

/// Let players play a match, every seating equally often
///
/// A player is an engine's spec, `program:` and a command line that speaks the protocol of
/// docs/protocol.md, or a program that plays this game only, such as `gnubg:plies=0`; `NAME=`
/// before it gives it a name. The number of games is rounded up to whole sets of seatings: two
/// kinds of players at n seats have 2^n - 2 of them. Without any limit an engine has 10,000 nodes a
/// move. The same seed plays the same match again, on any number of threads, as long as nothing is
/// limited by time.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, games, different, planned, complete, paired, opening, seed, seconds, players (name,
spec, games, wins, draws, losses, points, share, interval, payoff, payoff_without_luck, faults,
moves, nodes, seconds), for two players counts, elo, elo_interval, los, sprt, for more ratings;
faults (game, player, reason).

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

    /// Where games begin: start, random:PLIES, file:FILE or book:FILE
    #[arg(long, value_name = "O", default_value = DEFAULT_OPENING)]
    opening: String,

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

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    keep: Keep,
}

impl Arguments {
    /// Whether nothing is said of the match.
    fn is_empty(&self) -> bool {
        self.players.is_empty()
            && (self.games, self.seed, self.paired, self.luck) == (GAMES, SEED, false, false)
            && self.opening == DEFAULT_OPENING
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
    Ok(MatchPlan {
        game: spec.trim().to_string(),
        players: arguments
            .players
            .iter()
            .map(|p| Entrant::parse(p))
            .collect(),
        games: arguments.games,
        paired: arguments.paired,
        opening: Opening::parse(&arguments.opening, &*game)
            .map_err(|e| bad_request(e.to_string()))?,
        terms: Terms {
            luck: arguments.luck,
            ..arguments.terms.terms()
        },
        sprt: arguments.sprt,
        seed: arguments.seed,
    })
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

/// A line for the progress bar.
fn score_line(summary: &Summary) -> String {
    let shares: Vec<String> = summary
        .players
        .iter()
        .take(3)
        .map(|player| {
            let half = (player.interval.high - player.interval.low) / 2.0;
            format!("{:.1}±{:.1}%", 100.0 * player.share, 100.0 * half)
        })
        .collect();
    let test = summary
        .sprt
        .map(|state| format!(" llr {:.2}", state.log_likelihood_ratio));
    format!("{}{}", shares.join(" : "), test.unwrap_or_default())
}

/// The settings of a match in words.
fn settings(plan: &MatchPlan, summary: &Summary) -> String {
    let games = match (plan.paired, &summary.counts) {
        (true, Some(_)) => format!("{} games in pairs", grouped(summary.games)),
        (true, None) => format!("{} games in rounds of all seatings", grouped(summary.games)),
        (false, _) => format!("{} games", grouped(summary.games)),
    };
    format!("{games}, {}, seed {}", plan.opening.describe(), plan.seed)
}

/// Standard errors to either side that hold 95% of a normal distribution.
const CONFIDENCE_WIDTH: f64 = 1.96;

/// What a game paid, where games are won by more than one point.
fn payoffs(console: &Console, plan: &MatchPlan, summary: &Summary) -> String {
    let largest = open(&plan.game).map_or(1, |game| game.traits().max_payoff);
    if largest <= 1 {
        return String::new();
    }
    let told = summary.players.iter().map(|p| {
        let Interval { low, high } = p.payoff.interval;
        let (name, mean) = (&p.name, p.payoff.mean);
        let mut told = format!("{name}: {mean:+.4} points a game ({low:+.4} to {high:+.4})");
        if let Some(luckless) = &p.payoff_without_luck {
            let Interval { low, high } = luckless.interval;
            let mean = luckless.mean;
            told += &format!(", without luck {mean:+.4} ({low:+.4} to {high:+.4})");
        }
        sentence(console, &told)
    });
    format!("\n{}", told.collect::<String>())
}

/// How a match stands, as text.
pub fn tell(console: &Console, plan: &MatchPlan, summary: &Summary) -> String {
    let mut text = format!("{}\n{}\n\n", plan.title(), settings(plan, summary));
    if summary.games == 0 {
        return text + "no game was finished\n";
    }
    let rows = summary.players.iter().map(|p| {
        let a_move = |total: f64| total / p.moves.max(1) as f64;
        vec![
            p.name.clone(),
            number(p.points),
            p.wins.to_string(),
            p.draws.to_string(),
            p.losses.to_string(),
            format!("{:.1}%", 100.0 * p.share),
            format!(
                "{:.1}–{:.1}%",
                100.0 * p.interval.low,
                100.0 * p.interval.high
            ),
            grouped(a_move(p.nodes as f64).round() as u64),
            format!("{:.4} s", a_move(p.seconds)),
        ]
    });
    let header = [
        "PLAYER", "POINTS", "WON", "DRAWN", "LOST", "SHARE", "95%", "NODES", "A MOVE",
    ];
    text += &table(console, &header, rows.collect(), CellAlignment::Right);
    text += &payoffs(console, plan, summary);
    if let (Some(elo), [first, second]) = (&summary.elo, &summary.players[..]) {
        let bounds = [elo.difference, elo.interval.low, elo.interval.high];
        let [elo_text, low, high] = bounds.map(elo_number);
        let superior = match elo.likelihood_of_superiority {
            small if small < 0.001 => "less than 0.001".to_string(),
            large if large > 0.999 => "more than 0.999".to_string(),
            other => format!("{other:.3}"),
        };
        text.push('\n');
        text += &sentence(
            console,
            &format!(
                "{} over {}: {elo_text} Elo ({low} to {high}), stronger with probability \
                 {superior}",
                first.name, second.name
            ),
        );
    }
    if let Some(ratings) = &summary.ratings {
        let names = summary.players.iter().map(|p| p.name.clone());
        let rows = names.zip(&ratings.players).map(|(name, rating)| {
            vec![
                name,
                elo_number(rating.elo),
                format!("± {:.0}", CONFIDENCE_WIDTH * rating.standard_error),
            ]
        });
        let header = ["RATING", "ELO", "95%"];
        text += "\n";
        text += &table(console, &header, rows.collect(), CellAlignment::Right);
        if ratings.virtual_draws {
            text +=
                "somebody won or lost everything: a virtual draw for each keeps ratings finite\n";
        }
    }
    // Short games repeat now and then; a tenth of them does not by chance.
    if summary.different * 10 < summary.games * 9 {
        text += &sentence(
            console,
            &format!(
                "only {} games are different: intervals take repeated games for independent ones \
                 and are too narrow; use more openings",
                grouped(summary.different)
            ),
        );
    }
    if let Some(counts) = &summary.counts {
        text += &counts_text(counts);
    }
    if let (Some(test), Some(state)) = (&plan.sprt, &summary.sprt) {
        let decision = match state.decision {
            Decision::Continue => "not decided yet",
            Decision::AcceptH0 => "elo0 is accepted",
            Decision::AcceptH1 => "elo1 is accepted",
        };
        text += &sentence(
            console,
            &format!(
                "test {test}: log-likelihood ratio {:.2} between {:.2} and {:.2}, {decision}",
                state.log_likelihood_ratio, state.lower, state.upper
            ),
        );
    }
    text
}

fn counts_text(counts: &Counts) -> String {
    match counts {
        Counts::Games(_) => String::new(),
        Counts::Pairs(counts) => {
            let cells = ["0", "½", "1", "1½", "2"].iter().zip(counts);
            let cells: Vec<String> = cells.map(|(s, n)| format!("{s}: {n}")).collect();
            format!("pairs by points of the first: {}\n", cells.join(", "))
        }
    }
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
    json!({
        "game": plan.game,
        "games": summary.games,
        "different": summary.different,
        "planned": plan.games,
        "complete": complete,
        "paired": plan.paired,
        "opening": plan.opening.describe(),
        "seed": plan.seed,
        "seconds": time.as_secs_f64(),
        "players": summary.players,
        "ratings": summary.ratings,
        "counts": summary.counts,
        "elo": summary.elo.map(|elo| elo.difference),
        "elo_interval": summary.elo.map(|elo| elo.interval),
        "los": summary.elo.map(|elo| elo.likelihood_of_superiority),
        "sprt": summary.sprt,
        "faults": faults_json(&plan.players, games.iter().copied()),
    })
}

/// A number of points without needless places.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_string()
}

fn elo_number(elo: f64) -> String {
    if elo.is_finite() {
        format!("{elo:+.0}")
    } else if elo > 0.0 {
        "+∞".to_string()
    } else {
        "-∞".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [12.0, 12.5, 0.0, 33.333].map(number),
            ["12", "12.5", "0", "33.33"]
        );
        assert_eq!(elo_number(f64::NEG_INFINITY), "-∞");
        assert_eq!(elo_number(12.4), "+12");
    }
}
