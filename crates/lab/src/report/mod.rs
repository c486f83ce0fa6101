//! Reports: a stored run as one page of HTML that needs nothing else.
//!
//! The page holds everything a reader needs to judge a run and to repeat it: the plan, the players
//! with all their options, results with their intervals, games with their boards, and the commands.
//! There are no scripts and nothing is loaded from elsewhere; plots are SVG in the page, and boards
//! are stepped through by buttons of which one is checked.

mod figures;
mod findings;
mod gallery;
mod origins;
mod plots;
mod sections;
#[cfg(test)]
mod tests;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::LabError;
use crate::experiment::{Experiments, review};
use crate::export::StoredRun;
use crate::store::{RunKind, Store};
use crate::tournament::{self, Crosstable, Tournament};

pub use words::{SettingText, command, quoted, settings};

const STYLE: &str = include_str!("style.css");

/// A run of a store as a page, the newest one if no number is given. What an experiment found is
/// told if it is one of `experiments`.
pub fn html(store: &Store, run: Option<i64>, experiments: Experiments) -> Result<String, LabError> {
    let stored = StoredRun::read(store, run)?;
    let file = store.path().display().to_string();
    let body = match stored.run.kind {
        RunKind::Match | RunKind::Tournament => games(&stored, &file)?,
        RunKind::Experiment => experiment(&stored, store, &file, experiments)?,
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (stored.run.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (heading(&stored, &file))
                (body)
            }
        }
    };
    Ok(page.into_string())
}

/// The crosstable of a tournament as its rules want it; for a match of a game for two, everybody
/// against everybody. Nothing before the first game, in games of more, and for experiments.
pub fn crosstable(stored: &StoredRun) -> Result<Option<Crosstable>, LabError> {
    Ok(match tournament(stored)? {
        Some(tournament) => Some(tournament.crosstable(&tournament.standings())),
        None => figures::crosstable(stored),
    })
}

/// A stored tournament as far as it was played.
fn tournament(stored: &StoredRun) -> Result<Option<Tournament>, LabError> {
    match stored.run.kind {
        RunKind::Tournament => tournament::from_store(&stored.run.plan, &stored.games).map(Some),
        RunKind::Match | RunKind::Experiment => Ok(None),
    }
}

fn heading(stored: &StoredRun, file: &str) -> Markup {
    let run = &stored.run;
    html! {
        header {
            h1 { (run.title) }
            p {
                "Run " (run.id) " of " code { (file) } ", a"
                @if run.kind == RunKind::Experiment { "n" } " "
                (run.kind.word()) ". Begun " (run.started) ", "
                @match &run.finished {
                    Some(finished) => { "finished " (finished) }
                    None => { strong { "not finished" } }
                }
                ". Tabia " (run.version) "."
            }
        }
    }
}

fn games(stored: &StoredRun, file: &str) -> Result<Markup, LabError> {
    let plan = stored.plan()?;
    let summary = match &plan {
        Some(plan) => Some(stored.summary(plan)?),
        None => None,
    };
    let seats = stored.games.first().map_or(2, |game| game.seats.len());
    let unit = plan.as_ref().map_or(1, |plan| plan.games_in_a_unit(seats));
    let meetings = figures::meetings(stored);
    Ok(html! {
        @match (&plan, &summary) {
            (Some(plan), Some(summary)) => (sections::result(plan, summary, stored, unit)?),
            _ => {}
        }
        @if stored.games.is_empty() {
            p { "No game has been finished yet." }
        } @else {
            @match tournament(stored)? {
                Some(tournament) => (sections::standings(&tournament)),
                None => (sections::crosstable(stored)),
            }
            (sections::ratings(stored, &meetings)?)
            @if seats > 1 {
                (sections::over_time(stored, unit)?)
                (sections::seats(stored, unit))
            }
            (sections::lengths(stored)?)
            (sections::faults(stored))
            (sections::efforts(stored))
        }
        (gallery::games(stored, file)?)
        (origins::players(stored))
        (origins::settings(&settings(stored, plan.as_ref())))
        (origins::sittings(stored))
        (origins::again(stored, plan.as_ref(), file))
    })
}

fn experiment(
    stored: &StoredRun,
    store: &Store,
    file: &str,
    experiments: Experiments,
) -> Result<Markup, LabError> {
    let cells = store.cells(stored.run.id)?;
    let report = review(store, &stored.run, experiments)?;
    Ok(html! {
        @if let Some(report) = &report { (findings::report(report)?) }
        (origins::settings(&settings(stored, None)))
        (origins::sittings(stored))
        (origins::cells(&cells))
        (origins::again(stored, None, file))
    })
}
