//! The `tabia` command: one module for each subcommand.
//!
//! Exit status: 0 for success, 2 for a bad request, 130 after Ctrl-C, 1 for anything else.

mod arguments;
mod asked;
mod best;
mod book;
mod cgt;
mod console;
mod failure;
mod files;
mod games;
mod graph;
mod interrupt;
mod live;
mod matches;
mod moves;
mod perft;
mod play;
mod progress;
mod report;
mod reproduce;
mod results;
mod rollout;
mod show;
mod solve;
mod table;
mod tournament;
mod train;
mod tune;
mod verify;
mod worth;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use console::Console;

/// A workbench for searching, solving and playing games.
#[derive(Parser)]
#[command(name = "tabia", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print JSON on standard output instead of text
    #[arg(long, global = true)]
    json: bool,
}

const EXAMPLES: &str = "\
GAME and ENGINE are specs: a name, or a name with options, such as mnk:5,4,k=4.

Examples:
  tabia games                        what there is
  tabia games mnk                    one game and its options in full
  tabia show tictactoe --moves \"b2 a1\"
  tabia perft tictactoe --depth 6
  tabia best mnk:4,4,4 --time 2
  tabia play tictactoe
  tabia solve connect4:4x4
  tabia reproduce                    the experiments of the papers";

#[derive(Subcommand)]
enum Command {
    Games(games::Arguments),
    Show(show::Arguments),
    Moves(moves::Arguments),
    Perft(perft::Arguments),
    Graph(graph::Arguments),
    Best(best::Arguments),
    Book(book::Arguments),
    Solve(solve::Arguments),
    Play(play::Arguments),
    Match(matches::Arguments),
    Tournament(tournament::Arguments),
    Results(results::Arguments),
    Report(report::Arguments),
    Reproduce(reproduce::Arguments),
    Rollout(rollout::Arguments),
    Table(table::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
    Verify(verify::Arguments),
    Cgt(cgt::Arguments),
}

fn main() -> ExitCode {
    let Cli { command, json } = Cli::parse();
    let console = Console::new(json);
    let done = match command {
        Command::Games(arguments) => games::run(&console, &arguments),
        Command::Show(arguments) => show::run(&console, &arguments),
        Command::Moves(arguments) => moves::run(&console, &arguments),
        Command::Perft(arguments) => perft::run(&console, &arguments),
        Command::Graph(arguments) => graph::run(&console, &arguments),
        Command::Best(arguments) => best::run(&console, &arguments),
        Command::Book(arguments) => book::run(&console, &arguments),
        Command::Solve(arguments) => solve::run(&console, &arguments),
        Command::Play(arguments) => play::run(&console, &arguments),
        Command::Match(arguments) => matches::run(&console, &arguments),
        Command::Tournament(arguments) => tournament::run(&console, &arguments),
        Command::Results(arguments) => results::run(&console, &arguments),
        Command::Report(arguments) => report::run(&console, &arguments),
        Command::Reproduce(arguments) => reproduce::run(&console, &arguments),
        Command::Rollout(arguments) => rollout::run(&console, &arguments),
        Command::Table(arguments) => table::run(&console, &arguments),
        Command::Train(arguments) => train::run(&console, &arguments),
        Command::Tune(arguments) => tune::run(&console, &arguments),
        Command::Verify(arguments) => verify::run(&console, &arguments),
        Command::Cgt(arguments) => cgt::run(&console, &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
