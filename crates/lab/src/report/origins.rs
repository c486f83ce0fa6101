//! The sections of a page that tell where results come from, and how to get them again.

use maud::{Markup, html};

use super::sections::{counted, section, table};
use super::words::{SettingText, command, quoted};
use crate::export::StoredRun;
use crate::matches::{MatchPlan, Opening};
use crate::statistics::Moments;
use crate::store::RunKind;

/// Who takes part, spelled out.
pub(super) fn players(stored: &StoredRun) -> Markup {
    section(
        "Players",
        html! {
            @for player in &stored.players {
                h3 { (player.entrant.name) }
                p {
                    code { (player.entrant.spec) }
                    @if let Some(version) = &player.version { ", version " (version) }
                }
                @if player.full_spec != player.entrant.spec {
                    p.quiet { "With all options: " code { (player.full_spec) } }
                }
            }
        },
    )
}

/// What the run was told.
pub(super) fn settings(settings: &[SettingText]) -> Markup {
    section(
        "Settings",
        html! {
            div.table {
                table {
                    tbody {
                        @for (name, value) in settings {
                            tr { th.text { (name) } td.long { (value) } }
                        }
                    }
                }
            }
        },
    )
}

/// When and where it was played.
pub(super) fn sittings(stored: &StoredRun) -> Markup {
    if stored.sittings.is_empty() {
        return html! {};
    }
    section(
        "Machine",
        html! {
            @for sitting in &stored.sittings {
                p {
                    (sitting.machine) "; "
                    (counted(sitting.threads, "thread", "threads")) ", from " (sitting.started)
                }
            }
        },
    )
}

/// The measured cells of an experiment.
pub(super) fn cells(cells: &[(String, Vec<Vec<f64>>)]) -> Markup {
    let row = |(name, sample): &(String, Vec<Vec<f64>>)| {
        let first: Moments = sample
            .iter()
            .filter_map(|row| row.first().copied())
            .collect();
        let error = first
            .standard_error()
            .map_or(String::new(), |error| format!("{error:.4}"));
        vec![
            name.clone(),
            sample.len().to_string(),
            format!("{:.4}", first.mean()),
            error,
        ]
    };
    let rows: Vec<Vec<String>> = cells.iter().map(row).collect();
    section(
        "Cells",
        html! {
            @if rows.is_empty() {
                p { "No cell has been measured yet." }
            } @else {
                p.quiet { "The first figure of each sample." }
                (table(&["cell", "items", "mean", "standard error"], 1, &rows))
            }
        },
    )
}

/// The commands that repeat the run.
pub(super) fn again(stored: &StoredRun, plan: Option<&MatchPlan>, file: &str) -> Markup {
    let run = stored.run.id.to_string();
    let replay = quoted(&["tabia", "results", "replay", file, "--run", &run, "--game"]);
    let field = |name: &str| {
        let value = stored.run.plan.get(name);
        value.map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_string)
        })
    };
    section(
        "Again",
        html! {
            @if let Some(plan) = plan {
                p { "The same match once more:" }
                pre { (command(plan)) }
                @if matches!(plan.opening, Opening::File(_) | Opening::Book(_)) {
                    p.quiet { "FILE stands for the file of openings, which is not stored; its \
                               openings are." }
                }
                @if !stored.is_timeless().unwrap_or(false) {
                    p.quiet { "It was limited by time, so it need not go the same way." }
                }
                @if stored.run.finished.is_none() {
                    p { "It is not finished; to go on:" }
                    pre { (command(plan)) " " (quoted(&["--db", file, "--resume"])) }
                }
            }
            @if stored.run.kind == RunKind::Tournament {
                @if stored.run.finished.is_none() {
                    p { "It is not finished; to go on, if it is the newest tournament in the \
                         file:" }
                    pre { (quoted(&["tabia", "tournament", "--db", file, "--resume"])) }
                }
            }
            @if stored.run.kind == RunKind::Experiment {
                @if let (Some(paper), Some(name), Some(scale), Some(seed)) =
                    (field("paper"), field("experiment"), field("scale"), field("seed"))
                {
                    p { "The same experiment once more:" }
                    pre {
                        (quoted(&[
                            "tabia", "reproduce", &paper, &name, "--scale", &scale, "--seed", &seed,
                        ]))
                    }
                }
            } @else if let Some(game) = stored.games.first() {
                p { "One game once more, here the first:" }
                pre { (replay) " " (game.number) }
            }
        },
    )
}
