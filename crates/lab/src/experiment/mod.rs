//! The frame of an experiment: what it declares, and what is reported of it.
//!
//! An experiment declares where its figures are printed, and plans [`ExperimentCell`]s: samples to
//! be measured, item by item, each independent of all others. The frame measures them in parallel,
//! keeps them in a store and goes on where it was stopped. From what was measured the plan then
//! makes its [`ExperimentReport`]: printed figures beside ours, each claim held, failed or
//! undecided, and curves.

mod curve;
mod list;
mod run;

use serde::{Deserialize, Serialize};
use tabia_game::Cancel;

use crate::LabError;
use crate::statistics::Interval;

pub use curve::{Curve, Series};
pub use list::Experiments;
pub use run::{Bench, Measured, review, run};

/// How much work to put into an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// About a minute.
    Quick,
    /// The paper's size, or as near as one machine allows.
    Full,
}

impl Scale {
    /// The first for little work, the second for much.
    pub fn pick<T>(self, [quick, full]: [T; 2]) -> T {
        match self {
            Scale::Quick => quick,
            Scale::Full => full,
        }
    }
}

/// What an experiment is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// How much work.
    pub scale: Scale,
    /// Everything random follows from it.
    pub seed: u64,
}

/// One table or figure of a paper.
pub struct Experiment {
    /// The word for the paper.
    pub paper: &'static str,
    /// The word for the table or figure.
    pub name: &'static str,
    /// What is measured.
    pub title: &'static str,
    /// Where it is printed.
    pub source: &'static str,
    /// How long it takes on two cores, quick and full.
    pub takes: [&'static str; 2],
    /// What is to be measured, and what follows from it.
    pub plan: fn(&Setting) -> Result<ExperimentPlan, LabError>,
}

/// The cells of an experiment, and what follows from them.
pub struct ExperimentPlan {
    /// What is measured.
    pub cells: Vec<ExperimentCell>,
    /// What follows.
    pub report: Box<Conclude>,
}

/// Draws the conclusions from what was measured.
pub type Conclude = dyn Fn(&Measured) -> Result<ExperimentReport, LabError>;

/// Measures one item of a cell.
pub type MeasureFn = dyn Fn(usize, &Cancel) -> Result<Vec<f64>, LabError> + Send + Sync;

/// A sample: this many items, and how to measure each.
pub struct ExperimentCell {
    name: String,
    items: usize,
    measure: Box<MeasureFn>,
}

impl ExperimentCell {
    /// A sample whose items are measured one by one, in any order; each measurement is a row of
    /// figures.
    pub fn sample(
        name: impl Into<String>,
        items: usize,
        measure: impl Fn(usize, &Cancel) -> Result<Vec<f64>, LabError> + Send + Sync + 'static,
    ) -> ExperimentCell {
        ExperimentCell {
            name: name.into(),
            items,
            measure: Box::new(measure),
        }
    }

    /// A single measurement.
    pub fn once(
        name: impl Into<String>,
        measure: impl Fn(&Cancel) -> Result<Vec<f64>, LabError> + Send + Sync + 'static,
    ) -> ExperimentCell {
        ExperimentCell::sample(name, 1, move |_, cancel| measure(cancel))
    }
}

/// A number, printed or measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figure {
    /// A count.
    Count(u64),
    /// Anything else.
    Number(f64),
}

/// Where a figure comes from that ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It is printed.
    Printed,
    /// Another one is printed, which cannot be right or counts something else.
    Corrected,
    /// None is printed: it follows from what the source says, or from a second program.
    Derived,
}

/// One line of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What it is about.
    pub name: String,
    /// The paper's figure, as it is printed.
    pub printed: Option<Figure>,
    /// The figure that ours is compared with.
    pub expected: Option<Figure>,
    /// Where that comes from.
    pub origin: Option<Origin>,
    /// Ours.
    pub measured: Figure,
    /// Where the true figure lies with 95% confidence.
    pub interval: Option<Interval>,
    /// Whether an exact figure matches.
    pub matches: Option<bool>,
}

impl Row {
    /// A figure that must be matched exactly.
    pub fn exact(name: impl Into<String>, printed: u64, measured: u64) -> Row {
        Row {
            name: name.into(),
            printed: Some(Figure::Count(printed)),
            expected: Some(Figure::Count(printed)),
            origin: Some(Origin::Printed),
            measured: Figure::Count(measured),
            interval: None,
            matches: Some(printed == measured),
        }
    }

    /// A figure that was measured on other positions or machines and can only be compared.
    pub fn compared(name: impl Into<String>, printed: Option<Figure>, measured: Figure) -> Row {
        Row {
            name: name.into(),
            printed,
            expected: printed,
            origin: printed.map(|_| Origin::Printed),
            measured,
            interval: None,
            matches: None,
        }
    }

    /// The figure that ours is compared with is not the printed one, which is this.
    pub fn corrected_from(mut self, printed: Figure) -> Row {
        self.printed = Some(printed);
        self.origin = Some(Origin::Corrected);
        self
    }

    /// The figure that ours is compared with is not printed anywhere.
    pub fn derived(mut self) -> Row {
        self.printed = None;
        self.origin = self.expected.map(|_| Origin::Derived);
        self
    }

    /// What is said beside the figures: whether an exact one matches, and what ours is compared
    /// with if that is neither printed nor the same. `figure` writes a figure.
    pub fn remark(&self, figure: impl Fn(Figure) -> String) -> String {
        let origin = match self.origin {
            Some(Origin::Corrected) => "corrected",
            Some(Origin::Derived) => "derived",
            Some(Origin::Printed) | None => "",
        };
        let expected = self.expected.map_or_else(String::new, figure);
        match (self.matches, origin) {
            (Some(true), "") => "equal".to_string(),
            (Some(true), origin) => format!("equal, {origin}"),
            (Some(false), "") => "DIFFERENT".to_string(),
            (Some(false), origin) => format!("DIFFERENT, {origin}: {expected}"),
            (None, "") => String::new(),
            (None, origin) => format!("{origin}: {expected}"),
        }
    }

    /// With a confidence interval.
    pub fn within(mut self, interval: Interval) -> Row {
        self.interval = Some(interval);
        self
    }
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is so here, too.
    Held,
    /// It is not so here.
    Failed,
    /// The sample is too small to tell.
    Undecided,
}

impl Verdict {
    /// A claim that is either true or not.
    pub fn of(true_here: bool) -> Verdict {
        if true_here {
            Verdict::Held
        } else {
            Verdict::Failed
        }
    }

    /// The claim that a figure lies below a limit.
    pub fn below(interval: Interval, limit: f64) -> Verdict {
        if interval.high < limit {
            Verdict::Held
        } else if interval.low > limit {
            Verdict::Failed
        } else {
            Verdict::Undecided
        }
    }
}

/// A claim of the paper and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Relation {
    /// The claim.
    pub claim: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Why.
    pub evidence: String,
}

/// What an experiment found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExperimentReport {
    /// Under which conditions, ours and the paper's.
    pub conditions: Vec<String>,
    /// The figures.
    pub rows: Vec<Row>,
    /// The claims.
    pub relations: Vec<Relation>,
    /// What a figure plots.
    pub curves: Vec<Curve>,
}

impl ExperimentReport {
    /// Adds a claim.
    pub fn relation(
        &mut self,
        claim: impl Into<String>,
        verdict: Verdict,
        evidence: impl Into<String>,
    ) {
        self.relations.push(Relation {
            claim: claim.into(),
            verdict,
            evidence: evidence.into(),
        });
    }

    /// Whether nothing failed: every exact figure matches and no relation is broken.
    pub fn holds(&self) -> bool {
        self.rows.iter().all(|row| row.matches != Some(false))
            && self
                .relations
                .iter()
                .all(|relation| relation.verdict != Verdict::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_corrected_and_derived_figures_are_told_apart() {
        let figure = |figure| match figure {
            Figure::Count(count) => count.to_string(),
            Figure::Number(number) => number.to_string(),
        };
        let printed = Row::exact("a", 7, 7);
        assert_eq!(
            (printed.printed, printed.origin),
            (Some(Figure::Count(7)), Some(Origin::Printed))
        );
        assert_eq!(printed.remark(figure), "equal");
        let derived = Row::exact("a", 7, 8).derived();
        assert_eq!(
            (derived.printed, derived.expected),
            (None, Some(Figure::Count(7)))
        );
        assert_eq!(derived.remark(figure), "DIFFERENT, derived: 7");
        let corrected = Row::exact("a", 7, 7).corrected_from(Figure::Count(9));
        assert_eq!(corrected.printed, Some(Figure::Count(9)));
        assert_eq!(corrected.remark(figure), "equal, corrected");
        let known = Row::compared("a", Some(Figure::Number(0.5)), Figure::Number(0.4)).derived();
        assert_eq!(known.remark(figure), "derived: 0.5");
        let unknown = Row::compared("a", None, Figure::Count(1)).derived();
        assert_eq!(
            (unknown.origin, unknown.remark(figure)),
            (None, String::new())
        );
    }
}
