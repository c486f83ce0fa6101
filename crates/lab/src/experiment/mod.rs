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

/// One line of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What it is about.
    pub name: String,
    /// The paper's figure, or the one derived from it.
    pub printed: Option<Figure>,
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
            measured,
            interval: None,
            matches: None,
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
