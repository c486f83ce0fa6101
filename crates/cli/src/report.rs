//! `tabia report`: a stored run as one page of HTML.

use std::path::{Path, PathBuf};

use serde_json::json;
use tabia_lab::report;
use tabia_lab::store::Store;
use tabia_papers::EXPERIMENTS;

use crate::console::Console;
use crate::failure::bad_request;
use crate::files;

/// Write a stored run as one page of HTML
///
/// The page needs nothing else: no scripts, and nothing is loaded from elsewhere. It tells the
/// plan, the players, results with their intervals, and how to do it all again.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: run, output.

Examples:
  tabia report loa.db
  tabia report loa.db --run 2 --output second.html")]
pub struct Arguments {
    /// The file of results
    file: PathBuf,

    /// The run; the newest one if none is named
    #[arg(long, value_name = "N")]
    run: Option<i64>,

    /// Where to write it: FILE with the ending html if nothing is said; `-` prints it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None => arguments.file.with_extension("html"),
    };
    let printed = output == Path::new("-");
    if printed && console.json {
        return Err(bad_request(
            "--output - and --json both want standard output; give --output a file",
        ));
    }
    files::refuse_same(&arguments.file, &output)?;
    let store = Store::open(&arguments.file)?;
    let id = store.run(arguments.run)?.id;
    let page = report::html(&store, Some(id), EXPERIMENTS)?;
    if printed {
        return console.print(&page);
    }
    files::write_whole(&output, &page)?;
    if console.json {
        let output = output.display().to_string();
        return console.print_json(&json!({ "run": id, "output": output }));
    }
    console.print(&format!("run {id} written to {}\n", output.display()))
}
