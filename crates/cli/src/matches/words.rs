//! How a match stands, as text.

use comfy_table::CellAlignment;
use tabia_catalog::{AnyGame, open};
use tabia_lab::matches::{
    Comparison, MatchPlan, Opening, PlayerSummary, Summary, allowances, limits_line, unfairness,
};
use tabia_lab::statistics::{Counts, Decision, Elo, Interval, Ratings};

use crate::console::{Console, counted, grouped, sentence, table};

/// A line for the progress bar.
pub(super) fn score_line(summary: &Summary) -> String {
    let of_one = summary.comparisons.is_some();
    let part = |player: &PlayerSummary| {
        let (mean, Interval { low, high }, scale, unit) = match of_one {
            true => (player.payoff.mean, player.payoff.interval, 1.0, ""),
            false => (player.share, player.interval, 100.0, "%"),
        };
        format!(
            "{:.1}±{:.1}{unit}",
            scale * mean,
            scale * (high - low) / 2.0
        )
    };
    let parts: Vec<String> = summary.players.iter().take(3).map(part).collect();
    let test = summary
        .sprt
        .map(|state| format!(" llr {:.2}", state.log_likelihood_ratio));
    format!("{}{}", parts.join(" : "), test.unwrap_or_default())
}

/// The settings of a match in words.
fn settings(console: &Console, plan: &MatchPlan, summary: &Summary) -> String {
    let game = open(&plan.game).ok();
    let seats = game.as_ref().map_or(2, |game| game.traits().players);
    let games = counted(summary.games, "game", "games");
    let games = match (plan.paired, seats) {
        (true, 1) => format!("{games}, every player on the same boards"),
        (true, 2) if summary.counts.is_some() => format!("{games} in pairs"),
        (true, _) => format!("{games} in rounds of all seatings"),
        (false, _) => games,
    };
    let deals = game.as_ref().is_some_and(|game| game.deals().is_some());
    let begins = match &plan.opening {
        Opening::Start if deals => "a deal for each round".to_string(),
        Opening::Random(_) if deals => {
            format!("a deal for each round and {}", plan.opening.describe())
        }
        opening => opening.describe(),
    };
    let settings = format!("{games}, {begins}, seed {}", plan.seed);
    game.map_or(sentence(console, &settings), |game| {
        sentence(console, &settings) + &limits(console, plan, &*game)
    })
}

/// What the players may spend, and what is unfair about it.
fn limits(console: &Console, plan: &MatchPlan, game: &dyn AnyGame) -> String {
    let allowances = allowances(game, &plan.terms, &plan.players);
    let mut text = sentence(console, &limits_line(&allowances));
    if let Some(unfair) = unfairness(&allowances) {
        text += &sentence(console, &format!("note: {unfair}"));
    }
    text
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
    let title = sentence(console, &plan.title());
    let mut text = format!("{title}{}\n", settings(console, plan, summary));
    if summary.games == 0 {
        return text + "no game was finished\n";
    }
    if let Some(comparisons) = &summary.comparisons {
        return text + &scores(console, summary, comparisons) + &repeated(console, summary);
    }
    text += &points(console, summary);
    text += &payoffs(console, plan, summary);
    if let (Some(elo), [first, second]) = (&summary.elo, &summary.players[..]) {
        text.push('\n');
        text += &elo_line(console, elo, first, second);
    }
    if let Some(ratings) = &summary.ratings {
        text += &rating_table(console, summary, ratings);
    }
    text += &repeated(console, summary);
    if let (Some(counts), Some(first)) = (&summary.counts, summary.players.first()) {
        text += &pentanomial(console, counts, &first.name);
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
                "SPRT {test}: log-likelihood ratio (LLR) {:.2} between {:.2} and {:.2}, {decision}",
                state.log_likelihood_ratio, state.lower, state.upper
            ),
        );
    }
    text
}

/// What a move took a player, on the average.
fn effort(player: &PlayerSummary) -> [String; 2] {
    let a_move = |total: f64| total / player.moves.max(1) as f64;
    [
        grouped(a_move(player.nodes as f64).round() as u64),
        format!("{:.4} s", a_move(player.seconds)),
    ]
}

/// The points of each player.
fn points(console: &Console, summary: &Summary) -> String {
    let row = |p: &PlayerSummary| {
        let mut row = vec![
            p.name.clone(),
            number(p.points),
            grouped(p.wins),
            grouped(p.draws),
            grouped(p.losses),
            format!("{:.1}%", 100.0 * p.share),
            format!(
                "{:.1}–{:.1}%",
                100.0 * p.interval.low,
                100.0 * p.interval.high
            ),
        ];
        row.extend(effort(p));
        row
    };
    let header = [
        "PLAYER", "POINTS", "WON", "DRAWN", "LOST", "SHARE", "95%", "NODES", "A MOVE",
    ];
    let rows = summary.players.iter().map(row).collect();
    table(console, &header, rows, CellAlignment::Right)
}

/// The scores of the players of a game for one.
fn scores(console: &Console, summary: &Summary, comparisons: &[Comparison]) -> String {
    let row = |p: &PlayerSummary| {
        let Interval { low, high } = p.payoff.interval;
        let mut row = vec![
            p.name.clone(),
            grouped(p.games),
            format!("{:.1}", p.payoff.mean),
            format!("{} to {}", score(low), score(high)),
        ];
        row.extend(effort(p));
        row
    };
    let header = ["PLAYER", "BOARDS", "MEAN SCORE", "95%", "NODES", "A MOVE"];
    let rows = summary.players.iter().map(row).collect();
    let mut text = table(console, &header, rows, CellAlignment::Right);
    for compared in comparisons {
        let Interval { low, high } = compared.difference.interval;
        text.push('\n');
        text += &sentence(
            console,
            &format!(
                "{} over {}: {:+.1} points a board (95%: {} to {}); more on {} of {}, as many on \
                 {}, fewer on {}",
                compared.first,
                compared.second,
                compared.difference.mean,
                signed(low),
                signed(high),
                grouped(compared.better),
                counted(compared.boards, "board", "boards"),
                grouped(compared.equal),
                grouped(compared.worse),
            ),
        );
    }
    text
}

/// An end of an interval of scores.
fn score(score: f64) -> String {
    match score.is_finite() {
        true => format!("{score:.1}"),
        false => infinite(score),
    }
}

/// The same of differences.
fn signed(difference: f64) -> String {
    match difference.is_finite() {
        true => format!("{difference:+.1}"),
        false => infinite(difference),
    }
}

/// The difference in strength of two players.
fn elo_line(console: &Console, elo: &Elo, first: &PlayerSummary, second: &PlayerSummary) -> String {
    let bounds = [elo.difference, elo.interval.low, elo.interval.high];
    let [elo_text, low, high] = bounds.map(elo_number);
    let superior = match elo.likelihood_of_superiority {
        small if small < 0.001 => "less than 0.1%".to_string(),
        large if large > 0.999 => "more than 99.9%".to_string(),
        other => format!("{:.1}%", 100.0 * other),
    };
    sentence(
        console,
        &format!(
            "{} over {}: {elo_text} Elo ({low} to {high}), likelihood of superiority (LOS) \
             {superior}",
            first.name, second.name
        ),
    )
}

/// Ratings of three players or more.
fn rating_table(console: &Console, summary: &Summary, ratings: &Ratings) -> String {
    let names = summary.players.iter().map(|p| p.name.clone());
    let rows = names.zip(&ratings.players).map(|(name, rating)| {
        vec![
            name,
            elo_number(rating.elo),
            format!("± {:.0}", CONFIDENCE_WIDTH * rating.standard_error),
        ]
    });
    let header = ["RATING", "ELO", "95%"];
    let rows = table(console, &header, rows.collect(), CellAlignment::Right);
    let virtual_draws = match ratings.virtual_draws {
        true => "somebody won or lost everything: a virtual draw for each keeps ratings finite\n",
        false => "",
    };
    format!("\n{rows}{virtual_draws}")
}

/// Says so if many games are the same.
fn repeated(console: &Console, summary: &Summary) -> String {
    // Short games repeat now and then; a tenth of them does not by chance.
    if summary.different * 10 >= summary.games * 9 {
        return String::new();
    }
    let different = match summary.different {
        1 => "1 game is different".to_string(),
        many => format!("{} games are different", grouped(many)),
    };
    sentence(
        console,
        &format!(
            "only {different}: intervals take repeated games for independent ones and are too \
             narrow; use more openings"
        ),
    )
}

/// How often the first player scored what in a pair.
fn pentanomial(console: &Console, counts: &Counts, first: &str) -> String {
    match counts {
        Counts::Games(_) => String::new(),
        Counts::Pairs(counts) => {
            let cells = ["0", "½", "1", "1½", "2"].iter().zip(counts);
            let cells: Vec<String> = cells
                .map(|(points, &count)| format!("{points}: {}", grouped(count)))
                .collect();
            let cells = cells.join(", ");
            sentence(
                console,
                &format!("pentanomial, pairs by points of {first}: {cells}"),
            )
        }
    }
}

/// A number of points without needless places.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_string()
}

fn infinite(number: f64) -> String {
    let text = if number > 0.0 { "+∞" } else { "-∞" };
    text.to_string()
}

fn elo_number(elo: f64) -> String {
    match elo.is_finite() {
        true => format!("{elo:+.0}"),
        false => infinite(elo),
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
