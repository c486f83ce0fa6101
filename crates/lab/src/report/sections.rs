//! The sections of a page that tell results.

use maud::{Markup, PreEscaped, html};
use plotters::style::RGBColor;
use tabia_registry::{grouped, open};

use super::figures;
use super::plots::{self, COLOURS, PlotError};
use crate::LabError;
use crate::export::StoredRun;
use crate::matches::units::score_of_player;
use crate::matches::{
    Comparison, MatchPlan, PlayerSummary, Summary, allowances, limits_line, unfairness,
};
use crate::referee::{Effort, Ending};
use crate::statistics::{Counts, Decision, Interval, Moments, Ratings, Sprt, SprtState};
use crate::tournament::{Meeting, Standing, Tournament, show_points};

/// Half the width of a 95% interval, in standard errors of a normal distribution.
const QUANTILE: f64 = 1.959_964;

pub(super) fn section(title: &str, body: Markup) -> Markup {
    html! { section { h2 { (title) } (body) } }
}

/// A table whose first columns are text; cells are escaped.
pub(super) fn table(header: &[&str], text_columns: usize, rows: &[Vec<String>]) -> Markup {
    let class = |column: usize| (column < text_columns).then_some("text");
    html! {
        div.table {
            table {
                thead {
                    tr {
                        @for (column, cell) in header.iter().enumerate() {
                            th class=[class(column)] { (cell) }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                td class=[class(column)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn plot(drawn: Result<String, PlotError>) -> Result<Markup, LabError> {
    let svg = drawn.map_err(|error| LabError::BadRequest(format!("no plot: {error}")))?;
    Ok(html! { div.plot { (PreEscaped(svg)) } })
}

/// The names of the lines of a plot beside their colours.
pub(super) fn legend<'a>(names: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        p.legend {
            @for (name, RGBColor(red, green, blue)) in names.zip(COLOURS) {
                span {
                    span.key style=(format!("background: rgb({red}, {green}, {blue})")) {}
                    (name)
                }
            }
        }
    }
}

/// A number of things, thousands apart.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    let things = if number == 1 { one } else { many };
    format!("{} {things}", grouped(number))
}

/// A sentence begins with a capital.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn range(interval: Interval) -> String {
    format!(
        "{:.1} to {:.1}%",
        100.0 * interval.low,
        100.0 * interval.high
    )
}

fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn elo(elo: f64) -> String {
    match elo {
        elo if elo.is_finite() => format!("{elo:+.0}"),
        elo if elo > 0.0 => "+∞".to_string(),
        _ => "-∞".to_string(),
    }
}

/// How a match stands.
pub(super) fn result(
    plan: &MatchPlan,
    summary: &Summary,
    stored: &StoredRun,
    unit: u64,
) -> Result<Markup, LabError> {
    let fairness = open(&plan.game).ok().map(|game| {
        let allowances = allowances(&*game, &plan.terms, &plan.players);
        (limits_line(&allowances), unfairness(&allowances))
    });
    let curve = |test: &Sprt, state: &SprtState| {
        let ratios = figures::ratios(&stored.games, unit, plan.paired, test);
        plot(plots::ratios(&ratios, state))
    };
    let table = match &summary.comparisons {
        Some(comparisons) => scores(summary, comparisons),
        None => points(summary),
    };
    Ok(section(
        "Result",
        html! {
            p {
                (grouped(summary.games)) " of at most "
                (counted(plan.games, "game", "games")) "."
            }
            @if let Some((limits, unfair)) = &fairness {
                p.quiet { (capitalised(limits)) "." }
                @if let Some(unfair) = unfair { p { strong { "Note: " } (unfair) "." } }
            }
            (table)
            @if let (Some(difference), [first, second]) = (&summary.elo, &summary.players[..]) {
                p {
                    (first.name) " over " (second.name) ": " (elo(difference.difference)) " Elo ("
                    (elo(difference.interval.low)) " to " (elo(difference.interval.high))
                    "), likelihood of superiority (LOS) "
                    (percent(difference.likelihood_of_superiority)) "."
                }
            }
            @if let Some(Counts::Pairs(counts)) = &summary.counts {
                h3 { "Pentanomial" }
                p.quiet {
                    "Pairs by points of " (summary.players.first().map_or("", |p| p.name.as_str()))
                    ": "
                    @for (i, (points, count)) in PAIR_POINTS.iter().zip(counts).enumerate() {
                        @if i > 0 { ", " } (points) ": " (grouped(*count))
                    }
                    "."
                }
                (plot(plots::bars(&PAIR_POINTS, counts, "points of a pair", "pairs"))?)
            }
            @if let (Some(test), Some(state)) = (&plan.sprt, &summary.sprt) {
                h3 { "Sequential test (SPRT)" }
                p {
                    code { (test) } ": log-likelihood ratio (LLR) "
                    (format!("{:.2}", state.log_likelihood_ratio)) " between "
                    (format!("{:.2}", state.lower)) " and " (format!("{:.2}", state.upper)) ", "
                    @match state.decision {
                        Decision::Continue => "not decided yet.",
                        Decision::AcceptH0 => "elo0 is accepted.",
                        Decision::AcceptH1 => "elo1 is accepted.",
                    }
                }
                (curve(test, state)?)
            }
        },
    ))
}

/// The points of a pair of games.
const PAIR_POINTS: [&str; 5] = ["0", "½", "1", "1½", "2"];

/// The points of each player.
fn points(summary: &Summary) -> Markup {
    let row = |p: &PlayerSummary| {
        vec![
            p.name.clone(),
            number(p.points),
            grouped(p.wins),
            grouped(p.draws),
            grouped(p.losses),
            percent(p.share),
            range(p.interval),
        ]
    };
    let rows: Vec<Vec<String>> = summary.players.iter().map(row).collect();
    let header = [
        "player",
        "points",
        "won",
        "drawn",
        "lost",
        "share",
        "95% interval",
    ];
    table(&header, 1, &rows)
}

/// The scores of the players of a game for one.
fn scores(summary: &Summary, comparisons: &[Comparison]) -> Markup {
    let to = |low: String, high: String| format!("{low} to {high}");
    let plain = |score: f64| match score.is_finite() {
        true => format!("{score:.1}"),
        false => elo(score),
    };
    let signed = |score: f64| match score.is_finite() {
        true => format!("{score:+.1}"),
        false => elo(score),
    };
    let row = |p: &PlayerSummary| {
        let Interval { low, high } = p.payoff.interval;
        let mean = plain(p.payoff.mean);
        vec![
            p.name.clone(),
            grouped(p.games),
            mean,
            to(plain(low), plain(high)),
        ]
    };
    let rows: Vec<Vec<String>> = summary.players.iter().map(row).collect();
    let compared = |c: &Comparison| {
        let Interval { low, high } = c.difference.interval;
        vec![
            c.first.clone(),
            c.second.clone(),
            grouped(c.boards),
            signed(c.difference.mean),
            to(signed(low), signed(high)),
            grouped(c.better),
            grouped(c.equal),
            grouped(c.worse),
        ]
    };
    let compared: Vec<Vec<String>> = comparisons.iter().map(compared).collect();
    let header = [
        "player",
        "over",
        "boards",
        "points a board",
        "95% interval",
        "more on",
        "as many on",
        "fewer on",
    ];
    html! {
        (table(&["player", "boards", "mean score", "95% interval"], 1, &rows))
        @if !compared.is_empty() {
            h3 { "On the same boards" }
            (table(&header, 2, &compared))
        }
    }
}

/// How a tournament stands.
pub(super) fn standings(tournament: &Tournament) -> Markup {
    let ranked = tournament.standings();
    let cross = tournament.crosstable(&ranked);
    let header: Vec<&str> = cross.header.iter().map(String::as_str).collect();
    let names = tournament.rules.tie_breaks.iter().map(|t| t.name());
    let mut columns = vec![
        "place", "name", "points", "games", "won", "drawn", "lost", "byes",
    ];
    columns.extend(names);
    let row = |standing: &Standing| {
        let name = tournament.players.get(standing.player);
        let mut row = vec![
            standing.place_text(),
            name.map_or(String::new(), |player| player.name.clone()),
            show_points(standing.points),
        ];
        let counts = [
            standing.played,
            standing.wins,
            standing.draws,
            standing.losses,
            standing.byes,
        ];
        row.extend(counts.map(|count| count.to_string()));
        let values = standing.tie_breaks.iter();
        row.extend(values.map(|value| value.map_or(String::new(), show_points)));
        row
    };
    let rows: Vec<Vec<String>> = ranked.iter().map(row).collect();
    html! {
        (section("Standings", table(&columns, 2, &rows)))
        (section("Crosstable", table(&header, 2, &cross.rows)))
    }
}

/// Everybody against everybody.
pub(super) fn crosstable(stored: &StoredRun) -> Markup {
    let Some(cross) = figures::crosstable(stored) else {
        return html! {};
    };
    let header: Vec<&str> = cross.header.iter().map(String::as_str).collect();
    section(
        "Crosstable",
        html! {
            p.quiet {
                "Points of the player of the row against the player with the number of the column"
                @if stored.players.len() > 2 {
                    "; sb is the tie-break of Sonneborn and Berger, nbw the number of wins"
                }
                "."
            }
            (table(&header, 2, &cross.rows))
        },
    )
}

/// Ratings by the model of Bradley and Terry.
pub(super) fn ratings(stored: &StoredRun, meetings: &[Meeting]) -> Result<Markup, LabError> {
    if meetings.is_empty() {
        return Ok(html! {});
    }
    let rated = Ratings::new(stored.players.len(), &figures::pairings(meetings));
    let mut order: Vec<usize> = (0..rated.players.len()).collect();
    order.sort_by(|&a, &b| rated.players[b].elo.total_cmp(&rated.players[a].elo));
    let rows: Vec<(&str, _, f64)> = order
        .iter()
        .map(|&player| {
            let rating = rated.players[player];
            (
                stored.name(player),
                rating,
                QUANTILE * rating.standard_error,
            )
        })
        .collect();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, rating, half)| {
            let half = if half.is_finite() {
                format!("±{half:.0}")
            } else {
                "±∞".to_string()
            };
            vec![name.to_string(), elo(rating.elo), half]
        })
        .collect();
    Ok(section(
        "Ratings",
        html! {
            p.quiet {
                "Elo by the model of Bradley and Terry, relative to the mean of all players, with \
                 95% "
                "intervals; games are taken as independent."
                @if rated.virtual_draws {
                    " The games alone do not tell all ratings, so everybody was given one virtual \
                     draw."
                }
            }
            (plot(plots::ratings(&rows))?)
            (table(&["player", "Elo", "95%"], 1, &cells))
        },
    ))
}

/// How the shares developed.
pub(super) fn over_time(stored: &StoredRun, unit: u64) -> Result<Markup, LabError> {
    let mut players: Vec<(usize, Vec<_>)> = (0..stored.players.len())
        .map(|player| {
            let score = |game: &_| score_of_player(game, player);
            (player, figures::running(&stored.games, unit, score))
        })
        .filter(|(_, series)| !series.is_empty())
        .collect();
    // The share of the second of two is what is left by the first.
    let two = players.len() == 2 && stored.games.iter().all(|game| game.seats.len() == 2);
    if two {
        players.truncate(1);
    }
    let all = players.len();
    if all > COLOURS.len() {
        let last =
            |series: &[(u64, crate::statistics::Score)]| series.last().map_or(0.0, |(_, s)| s.mean);
        players.sort_by(|(_, a), (_, b)| last(b).total_cmp(&last(a)));
        players.truncate(COLOURS.len());
    }
    let (names, series): (Vec<usize>, Vec<_>) = players.into_iter().unzip();
    Ok(section(
        "Score over time",
        html! {
            p.quiet {
                "The share of the points after so many games, with the band of its 95% interval; \
                 the line in the middle is 50%."
                @if all > COLOURS.len() { " Only the players with the largest shares are shown." }
            }
            (plot(plots::shares(&series))?)
            (legend(names.iter().map(|&player| stored.name(player))))
        },
    ))
}

/// What each seat scored.
pub(super) fn seats(stored: &StoredRun, unit: u64) -> Markup {
    let rows: Vec<Vec<String>> = (1..)
        .zip(figures::by_seat(&stored.games, unit))
        .map(|(seat, (games, score))| {
            vec![
                format!("seat {seat}"),
                grouped(games),
                percent(score.mean),
                range(score.interval),
            ]
        })
        .collect();
    section(
        "Seats",
        html! {
            p.quiet { "What each seat scored, whoever sat there." }
            (table(&["seat", "games", "share", "95% interval"], 1, &rows))
        },
    )
}

/// How long the games were.
pub(super) fn lengths(stored: &StoredRun) -> Result<Markup, LabError> {
    const BINS: usize = 40;
    let plies: Moments = stored.games.iter().map(|g| g.moves.len() as f64).collect();
    let bins = figures::lengths(&stored.games, BINS);
    let shortest = stored
        .games
        .iter()
        .map(|g| g.moves.len())
        .min()
        .unwrap_or(0);
    let longest = stored
        .games
        .iter()
        .map(|g| g.moves.len())
        .max()
        .unwrap_or(0);
    let too_long = stored
        .games
        .iter()
        .filter(|g| g.ending == Ending::Length)
        .count();
    let repeated = stored
        .games
        .iter()
        .filter(|g| g.ending == Ending::Repetition)
        .count();
    Ok(section(
        "Lengths of games",
        html! {
            p {
                "From " (grouped(shortest as u64)) " to " (grouped(longest as u64))
                " plies, the opening included; "
                (format!("{:.1}", plies.mean())) " on average. "
                (grouped(repeated as u64)) " ended by the repetition rule, "
                (grouped(too_long as u64)) " were too long."
            }
            (plot(plots::lengths(&bins))?)
        },
    ))
}

/// Who lost by a fault, and why.
pub(super) fn faults(stored: &StoredRun) -> Markup {
    const SHOWN: usize = 100;
    let faults: Vec<Vec<String>> = stored
        .games
        .iter()
        .filter_map(|game| {
            let Ending::Fault { seat, reason } = &game.ending else {
                return None;
            };
            let player = game
                .seats
                .get(*seat)
                .map_or("?", |&player| stored.name(player));
            Some(vec![
                game.number.to_string(),
                player.to_string(),
                reason.to_string(),
            ])
        })
        .collect();
    if faults.is_empty() {
        return html! {};
    }
    section(
        "Faults",
        html! {
            p {
                (faults.len()) @if faults.len() == 1 { " game was" } @else { " games were" }
                " lost by a fault."
                @if faults.len() > SHOWN { " The first " (SHOWN) ":" }
            }
            div.table {
                table {
                    thead { tr { th { "game" } th.text { "player" } th.text { "what it did" } } }
                    tbody {
                        @for row in faults.iter().take(SHOWN) {
                            @if let [game, player, reason] = &row[..] {
                                tr { td { (game) } td.text { (player) } td.long { (reason) } }
                            }
                        }
                    }
                }
            }
        },
    )
}

/// What the players spent.
pub(super) fn efforts(stored: &StoredRun) -> Markup {
    let mut totals = vec![Effort::default(); stored.players.len()];
    let mut moves = vec![0u64; stored.players.len()];
    for game in &stored.games {
        for (player, effort) in game.seats.iter().zip(&game.efforts) {
            if let (Some(total), Some(moves)) = (totals.get_mut(*player), moves.get_mut(*player)) {
                *moves += u64::from(effort.moves);
                total.nodes = total.nodes.saturating_add(effort.nodes);
                total.seconds += effort.seconds;
                total.longest = total.longest.max(effort.longest);
            }
        }
    }
    let row = |(player, (total, moves)): (usize, (&Effort, &u64))| {
        let a_move = |sum: f64| sum / (*moves).max(1) as f64;
        let rate = match total.seconds > 0.0 {
            true => grouped((total.nodes as f64 / total.seconds).round() as u64),
            false => String::new(),
        };
        vec![
            stored.name(player).to_string(),
            grouped(*moves),
            grouped(a_move(total.nodes as f64).round() as u64),
            format!("{:.2} ms", 1000.0 * a_move(total.seconds)),
            format!("{:.2} ms", 1000.0 * total.longest),
            rate,
        ]
    };
    let rows: Vec<Vec<String>> = totals.iter().zip(&moves).enumerate().map(row).collect();
    let header = [
        "player",
        "moves",
        "nodes a move",
        "time a move",
        "longest move",
        "nodes a second",
    ];
    section("Effort", table(&header, 1, &rows))
}
