//! `tabia reproduce`: the experiments of the papers, printed figures beside ours.

use std::time::{Duration, Instant};

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_lab::experiment::Bench;
use tabia_lab::store::RunKind;
use tabia_lab::{
    Curve, Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict,
};
use tabia_papers::EXPERIMENTS;

use crate::arguments::{Keep, Threads};
use crate::console::{Console, grouped, seconds, table, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Run a paper's experiments: our figures beside the printed ones
///
/// Without a paper, lists what there is. Exact figures match or are reported as different;
/// relations hold, fail, or are not decided by a sample of this size. The exit status is 1 if
/// anything failed.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: without a paper a list of paper, experiment, title, source, takes;
otherwise a list of reports: paper, experiment, title, source, scale, seed,
seconds, holds, conditions, rows (name, printed, expected, origin, measured, interval,
matches),
relations (claim, verdict, evidence), curves (name, x, y, logarithmic,
series of a name and points).

Examples:
  tabia reproduce
  tabia reproduce search-methods
  tabia reproduce relative-history 1 --scale full --db history.db
  tabia reproduce --db history.db --resume")]
pub struct Arguments {
    /// The paper
    paper: Option<String>,

    /// One of its tables or figures; all of them if none is named
    #[arg(requires = "paper")]
    experiment: Option<String>,

    /// How much work: about a minute an experiment, which is usual, or as near the paper's as one
    /// machine allows
    #[arg(long, value_enum)]
    scale: Option<ScaleArgument>,

    /// Random seed, 1 if nothing is said
    #[arg(long)]
    seed: Option<u64>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    keep: Keep,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ScaleArgument {
    Quick,
    Full,
}

/// What is run.
struct Wanted {
    paper: String,
    experiment: Option<String>,
    setting: Setting,
}

impl Arguments {
    /// What was asked for, or what the file of results has begun last; nothing if neither.
    fn wanted(&self) -> anyhow::Result<Option<Wanted>> {
        if let Some(paper) = &self.paper {
            let scale = match self.scale {
                None | Some(ScaleArgument::Quick) => Scale::Quick,
                Some(ScaleArgument::Full) => Scale::Full,
            };
            return Ok(Some(Wanted {
                paper: paper.clone(),
                experiment: self.experiment.clone(),
                setting: Setting {
                    scale,
                    seed: self.seed.unwrap_or(1),
                },
            }));
        }
        if self.scale.is_some() || self.seed.is_some() {
            return Err(bad_request(
                "options without a paper: name it, or leave all out to go on with a stored \
                 experiment",
            ));
        }
        if self.keep.resume {
            return self.stored().map(Some);
        }
        match self.keep.db {
            Some(_) => Err(bad_request(
                "--db keeps what an experiment has measured: name a paper, or go on with --resume",
            )),
            None => Ok(None),
        }
    }

    /// The newest experiment of the file of results.
    fn stored(&self) -> anyhow::Result<Wanted> {
        let plan = self.keep.newest_plan(RunKind::Experiment)?;
        let text = |key: &str| plan[key].as_str().map(str::to_string);
        let unreadable = || bad_request("the stored plan cannot be read");
        Ok(Wanted {
            paper: text("paper").ok_or_else(unreadable)?,
            experiment: Some(text("experiment").ok_or_else(unreadable)?),
            setting: Setting {
                scale: match plan["scale"].as_str() {
                    Some("quick") => Scale::Quick,
                    Some("full") => Scale::Full,
                    _ => return Err(unreadable()),
                },
                seed: plan["seed"].as_u64().ok_or_else(unreadable)?,
            },
        })
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let Some(wanted) = arguments.wanted()? else {
        return list(console);
    };
    let setting = wanted.setting;
    let chosen = EXPERIMENTS
        .find(&wanted.paper, wanted.experiment.as_deref())
        .map_err(|error| bad_request(error.to_string()))?;
    let mut store = arguments.keep.store()?;
    let cancel = cancel_on_interrupt();
    let mut reports = Vec::new();
    let mut failed = 0;
    let mut interrupted = false;
    for experiment in chosen {
        let bar = Progress::new(&format!("{} {}", experiment.paper, experiment.name), 1);
        let progress = |done, total| bar.set(done, total);
        let bench = Bench {
            threads: arguments.threads.number(),
            cancel: &cancel,
            progress: &progress,
            store: store.as_mut().map(|store| (store, arguments.keep.resume)),
        };
        let started = Instant::now();
        let report = tabia_lab::experiment::run(experiment, &setting, bench);
        bar.finish();
        let report = match report {
            Err(LabError::Stopped) => {
                interrupted = true;
                break;
            }
            other => other?,
        };
        let time = started.elapsed();
        failed += usize::from(!report.holds());
        if console.json {
            reports.push(as_json(experiment, &report, &setting, time));
        } else {
            console.print(&as_text(console, experiment, &report, time))?;
        }
    }
    if console.json {
        console.print_json(&Value::Array(reports))?;
    }
    if interrupted && !console.json {
        let paper = &wanted.paper;
        console.print(&arguments.keep.hint(&format!("reproduce {paper}")))?;
    }
    match failed {
        _ if interrupted => Err(Interrupted.into()),
        0 => Ok(()),
        1 => Err(anyhow::anyhow!(
            "something failed in one experiment, see above"
        )),
        n => Err(anyhow::anyhow!(
            "something failed in {n} experiments, see above"
        )),
    }
}

fn list(console: &Console) -> anyhow::Result<()> {
    if console.json {
        let all = EXPERIMENTS.all().map(|e| {
            json!({
                "paper": e.paper,
                "experiment": e.name,
                "title": e.title,
                "source": e.source,
                "takes": { "quick": e.takes[0], "full": e.takes[1] },
            })
        });
        return console.print_json(&all.collect());
    }
    let mut text = String::new();
    let mut paper = "";
    for e in EXPERIMENTS.all() {
        if e.paper != paper {
            paper = e.paper;
            text += &format!("{paper}\n");
        }
        text += &format!("  {:<13} {}\n", e.name, e.title);
        text += &format!("  {:<13} quick: {}, full: {}\n", "", e.takes[0], e.takes[1]);
    }
    text += "\n'tabia reproduce PAPER [EXPERIMENT] [--scale full]' runs them.\n";
    console.print(&text)
}

fn as_json(
    experiment: &Experiment,
    report: &ExperimentReport,
    setting: &Setting,
    time: Duration,
) -> Value {
    json!({
        "paper": experiment.paper,
        "experiment": experiment.name,
        "title": experiment.title,
        "source": experiment.source,
        "scale": setting.scale,
        "seed": setting.seed,
        "seconds": time.as_secs_f64(),
        "holds": report.holds(),
        "conditions": report.conditions,
        "rows": report.rows,
        "relations": report.relations,
        "curves": report.curves,
    })
}

fn as_text(
    console: &Console,
    experiment: &Experiment,
    report: &ExperimentReport,
    time: Duration,
) -> String {
    let mut text = format!(
        "{} {}: {}\n{}\n",
        experiment.paper, experiment.name, experiment.title, experiment.source
    );
    for condition in &report.conditions {
        let words: Vec<&str> = condition.split(' ').collect();
        text += &format!("  {}\n", wrap(&words, console.width, 2));
    }
    text += &figures(console, report);
    for relation in &report.relations {
        let verdict = match relation.verdict {
            Verdict::Held => "held",
            Verdict::Failed => "FAILED",
            Verdict::Undecided => "undecided",
        };
        let sentence = format!("{} ({})", relation.claim, relation.evidence);
        let words: Vec<&str> = sentence.split(' ').collect();
        text += &format!("{verdict:>9}  {}\n", wrap(&words, console.width, 11));
    }
    for curve in &report.curves {
        let words = outline(curve);
        let words: Vec<&str> = words.split(' ').collect();
        text += &format!("{:>9}  {}\n", "curve", wrap(&words, console.width, 11));
    }
    text + &format!("{}\n\n", seconds(time))
}

/// How many points a curve has, and where its lines are highest.
fn outline(curve: &Curve) -> String {
    let points: usize = curve.series.iter().map(|s| s.points.len()).sum();
    let peaks: Vec<String> = curve
        .series
        .iter()
        .filter_map(|series| {
            let (x, y) = series.peak()?;
            Some(format!(
                "{} up to {} at {}",
                series.name,
                plain(y),
                plain(x)
            ))
        })
        .collect();
    format!("{}, {points} points: {}", curve.name, peaks.join(", "))
}

/// A number with at most two places.
fn plain(number: f64) -> String {
    if number.fract() == 0.0 && (0.0..1e18).contains(&number) {
        grouped(number as u64)
    } else {
        format!("{number:.2}")
    }
}

fn figures(console: &Console, report: &ExperimentReport) -> String {
    let row = |row: &Row| {
        let interval = row
            .interval
            .map(|i| format!("{:.3} to {:.3}", i.low, i.high));
        vec![
            row.name.clone(),
            row.printed.map_or(String::new(), figure),
            figure(row.measured),
            interval.unwrap_or_default(),
            row.remark(figure),
        ]
    };
    let header = ["", "PRINTED", "OURS", "95% INTERVAL", ""];
    let rows = report.rows.iter().map(row).collect();
    table(console, &header, rows, CellAlignment::Right)
}

fn figure(figure: Figure) -> String {
    match figure {
        Figure::Count(count) => grouped(count),
        Figure::Number(number) => format!("{number:.4}"),
    }
}
