//! The sections of a page that tell what an experiment found.

use maud::{Markup, html};

use super::plots;
use super::sections::{legend, plot, section, table};
use crate::LabError;
use crate::experiment::{Curve, ExperimentReport, Figure, Row, Verdict};

/// Figures beside the printed ones, what became of the claims, and curves.
pub(super) fn report(report: &ExperimentReport) -> Result<Markup, LabError> {
    let rows: Vec<Vec<String>> = report.rows.iter().map(cells).collect();
    Ok(html! {
        @if !report.conditions.is_empty() {
            (section("Conditions", html! {
                @for condition in &report.conditions { p { (condition) } }
            }))
        }
        @if !rows.is_empty() {
            (section("Figures", table(&["", "printed", "ours", "95% interval", ""], 1, &rows)))
        }
        @if !report.relations.is_empty() { (claims(report)) }
        @if !report.curves.is_empty() { (section("Curves", curves(&report.curves)?)) }
    })
}

fn cells(row: &Row) -> Vec<String> {
    let figure = |figure: Figure| match figure {
        Figure::Count(count) => count.to_string(),
        Figure::Number(number) => format!("{number:.4}"),
    };
    let interval = row
        .interval
        .map(|i| format!("{:.3} to {:.3}", i.low, i.high));
    vec![
        row.name.clone(),
        row.printed.map_or(String::new(), figure),
        figure(row.measured),
        interval.unwrap_or_default(),
        row.remark(figure).to_lowercase(),
    ]
}

fn claims(report: &ExperimentReport) -> Markup {
    let word = |verdict| match verdict {
        Verdict::Held => "held",
        Verdict::Failed => "failed",
        Verdict::Undecided => "undecided",
    };
    section(
        "Claims",
        html! {
            @for relation in &report.relations {
                p {
                    strong { (word(relation.verdict)) }
                    ": " (relation.claim) " (" (relation.evidence) ")"
                }
            }
        },
    )
}

fn curves(curves: &[Curve]) -> Result<Markup, LabError> {
    Ok(html! {
        @for curve in curves {
            h3 { (curve.name) }
            (plot(plots::curve(curve))?)
            (legend(curve.series.iter().map(|series| series.name.as_str())))
        }
    })
}
