//! Runs the cells of an experiment: in parallel, kept in a store, resumed where they were stopped.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use tabia_game::{Cancel, Seed};

use super::{Experiment, ExperimentCell, ExperimentPlan, ExperimentReport, Experiments, Setting};
use crate::LabError;
use crate::statistics::{Interval, paired_ratio};
use crate::store::{Run, RunKind, Sample, Store};

/// Where and how an experiment is run.
pub struct Bench<'a> {
    /// Threads to measure with.
    pub threads: usize,
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// Called with the number of items done and the number there are.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
    /// Where cells are kept, and whether to go on with those that are there.
    pub store: Option<(&'a mut Store, bool)>,
}

/// Runs an experiment.
pub fn run(
    experiment: &Experiment,
    setting: &Setting,
    bench: Bench<'_>,
) -> Result<ExperimentReport, LabError> {
    let plan = (experiment.plan)(setting)?;
    let mut measured = Measured {
        samples: BTreeMap::new(),
        seed: Seed::new(setting.seed),
    };
    let mut shelf = match bench.store {
        Some((store, resume)) => Some(Shelf::open(store, resume, experiment, setting)?),
        None => None,
    };
    if let Some(shelf) = &mut shelf {
        measured.samples.extend(shelf.store.cells(shelf.run)?);
        let is_missing = |cell: &ExperimentCell| !measured.samples.contains_key(&cell.name);
        if plan.cells.iter().any(is_missing) {
            shelf.store.sit(shelf.run, bench.threads)?;
        }
    }
    let fresh = measure(
        &plan,
        &measured,
        bench.threads,
        bench.cancel,
        bench.progress,
        shelf.as_mut(),
    )?;
    measured.samples.extend(fresh);
    let report = (plan.report)(&measured)?;
    if let Some(shelf) = shelf {
        shelf.store.finish(shelf.run)?;
    }
    Ok(report)
}

/// The report of a run that is stored, from its cells alone. Returns nothing if the run is not
/// finished, if it is of none of these experiments, or if it is of another version, whose cells say
/// something else.
pub fn review(
    store: &Store,
    run: &Run,
    experiments: Experiments,
) -> Result<Option<ExperimentReport>, LabError> {
    let word = |name: &str| run.plan.get(name).and_then(Value::as_str);
    let setting = Setting::deserialize(&run.plan);
    let (Some(paper), Some(name), Ok(setting), Some(_)) =
        (word("paper"), word("experiment"), setting, &run.finished)
    else {
        return Ok(None);
    };
    let Some(experiment) = experiments.get(paper, name) else {
        return Ok(None);
    };
    let measured = Measured {
        samples: store.cells(run.id)?.into_iter().collect(),
        seed: Seed::new(setting.seed),
    };
    let plan = (experiment.plan)(&setting)?;
    Ok((plan.report)(&measured).ok())
}

/// A run of an experiment in a store.
struct Shelf<'a> {
    store: &'a mut Store,
    run: i64,
}

impl<'a> Shelf<'a> {
    fn open(
        store: &'a mut Store,
        resume: bool,
        experiment: &Experiment,
        setting: &Setting,
    ) -> Result<Shelf<'a>, LabError> {
        let plan = json!({
            "paper": experiment.paper,
            "experiment": experiment.name,
            "scale": setting.scale,
            "seed": setting.seed,
        });
        let players = || Ok(Vec::new());
        let run = store.enter(
            RunKind::Experiment,
            experiment.title,
            &plan,
            resume,
            players,
        )?;
        Ok(Shelf { store, run })
    }
}

/// Measures the cells that are missing.
fn measure(
    plan: &ExperimentPlan,
    known: &Measured,
    threads: usize,
    cancel: &Cancel,
    progress: &(dyn Fn(u64, u64) + Sync),
    shelf: Option<&mut Shelf<'_>>,
) -> Result<Vec<(String, Sample)>, LabError> {
    let cells = plan
        .cells
        .iter()
        .map(|cell| (cell, Mutex::new(vec![Vec::new(); cell.items])));
    let missing: Vec<_> = cells
        .filter(|(cell, _)| !known.samples.contains_key(&cell.name))
        .map(|(cell, sample)| (cell, sample, AtomicUsize::new(cell.items)))
        .collect();
    let work: Vec<(usize, usize)> = missing
        .iter()
        .enumerate()
        .flat_map(|(c, (cell, ..))| (0..cell.items).map(move |item| (c, item)))
        .collect();
    let (done, all) = (AtomicU64::new(0), work.len() as u64);
    let shelf = Mutex::new(shelf);
    let one = |&(c, item): &(usize, usize)| -> Result<(), LabError> {
        let (cell, sample, left) = &missing[c];
        let row = (cell.measure)(item, cancel)?;
        // What was measured while it was being stopped is not a measurement.
        if cancel.is_cancelled() {
            return Err(LabError::Stopped);
        }
        unpoisoned(sample)[item] = row;
        progress(done.fetch_add(1, Relaxed) + 1, all);
        if left.fetch_sub(1, Relaxed) == 1
            && let Some(shelf) = unpoisoned(&shelf).as_deref_mut()
        {
            shelf
                .store
                .add_cell(shelf.run, &cell.name, &unpoisoned(sample))?;
        }
        Ok(())
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build();
    let pool = pool.map_err(|error| LabError::Threads(error.to_string()))?;
    // Cells are begun in their order, so that the first are stored early.
    pool.install(|| work.par_iter().with_max_len(1).try_for_each(one))?;
    let samples = missing.into_iter().map(|(cell, sample, _)| {
        let sample = sample.into_inner().unwrap_or_else(|e| e.into_inner());
        (cell.name.clone(), sample)
    });
    Ok(samples.collect())
}

/// A lock whose value is whole even if another thread has panicked: rows are written at once.
fn unpoisoned<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// All that was measured, by cell.
#[derive(Clone, Debug)]
pub struct Measured {
    samples: BTreeMap<String, Sample>,
    seed: Seed,
}

impl Measured {
    /// One figure of every item of a cell.
    pub fn column(&self, cell: &str, column: usize) -> Result<Vec<f64>, LabError> {
        let figures = self.samples.get(cell).and_then(|sample| {
            sample
                .iter()
                .map(|row| row.get(column).copied())
                .collect::<Option<Vec<f64>>>()
        });
        figures.ok_or_else(|| LabError::BadRequest(format!(
            "there is no figure {column} of '{cell}': the stored cells are of another version; run \
             the experiment without --resume"
        )))
    }

    /// The first figure of every item.
    pub fn values(&self, cell: &str) -> Result<Vec<f64>, LabError> {
        self.column(cell, 0)
    }

    /// One figure of a single measurement, as a count.
    pub fn count(&self, cell: &str, column: usize) -> Result<u64, LabError> {
        Ok(self.column(cell, column)?.iter().sum::<f64>() as u64)
    }

    /// The ratio of two cells' totals over the same items, with its 95% interval.
    pub fn ratio(&self, new: &str, old: &str) -> Result<(f64, Interval), LabError> {
        Ok(paired_ratio(
            &self.values(new)?,
            &self.values(old)?,
            self.seed,
        ))
    }
}
