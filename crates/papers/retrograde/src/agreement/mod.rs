//! Not a paper: all ways to a value must agree. Proof-number search in one level and in two,
//! depth-first proof-number search and alpha-beta are compared with retrograde analysis, position
//! by position, on games that are small enough for all of them.
//!
//! The games are Dao (Donkers et al. 2004) and the three smallest boards of Fanorona of Schadd
//! (2011, table 4.4). Their sizes and values are compared with what is printed, and with what plain
//! rules count in the tests.

mod methods;
mod positions;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use tabia_fanorona::fanorona::Fanorona;
use tabia_game::{Indexed, Text};
use tabia_search::alphabeta::AlphaBetaGame;
use tabia_small::dao::Dao;
use tabia_tables::retrograde::KnownValues;

use methods::{ComparedMethod, DRAWN_DEPTH, SETTLED_PLIES, TREE_NODES, Tally};
use positions::{Prepared, Source, classes, reachable, solve};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};

const PAPER: &str = "agreement";
const SCHADD: &str = "sizes and values after Schadd (2011), table 4.4";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "dao",
        title: "All ways to a value, class by class of Dao",
        source: "sizes and values after Donkers et al. (2004), sections 4 and 6",
        takes: ["half a minute", "five minutes"],
        plan: |setting| on_dao(Sample::of(setting, 101)),
    },
    Experiment {
        paper: PAPER,
        name: "3x3",
        title: "All ways to a value, position by position of Fanorona 3x3",
        source: SCHADD,
        takes: ["a second", "a second"],
        plan: |setting| on_board((3, 3), &SQUARE, Sample::of(setting, 1)),
    },
    Experiment {
        paper: PAPER,
        name: "3x5",
        title: "All ways to a value, position by position of Fanorona 3x5",
        source: SCHADD,
        takes: ["half a minute", "a quarter of an hour"],
        plan: |setting| on_board((3, 5), &WIDE, Sample::of(setting, 307)),
    },
    Experiment {
        paper: PAPER,
        name: "5x3",
        title: "All ways to a value, position by position of Fanorona 5x3",
        source: SCHADD,
        takes: ["half a minute", "ten minutes"],
        plan: |setting| on_board((5, 3), &HIGH, Sample::of(setting, 101)),
    },
];

/// What is printed of a game, or was counted by the plain rules in the tests of this module.
struct Printed {
    /// Positions in different places of the tables.
    places: u64,
    /// Positions won, drawn and lost for the player to move, the game going on.
    values: Option<[u64; 3]>,
    /// Plies to the end from the start; zero if it is drawn.
    plies: u64,
}

/// The steps of table 3 add up to the classes that are won and lost; the others of 108,751 that go
/// on are drawn.
const DAO: Printed = Printed {
    places: 113_028,
    values: Some([19_922, 86_957, 1_872]),
    plies: 0,
};

/// How many positions can arise on a board, and the length of White's win.
const fn board(places: u64, plies: u64) -> Printed {
    Printed {
        places,
        values: None,
        plies,
    }
}

const SQUARE: Printed = board(623, 11);
const WIDE: Printed = board(316_193, 11);
const HIGH: Printed = board(133_731, 13);

/// Which of the positions are looked at.
#[derive(Clone, Copy)]
struct Sample {
    first: usize,
    step: usize,
}

impl Sample {
    /// All of them, or one in this many where there is little time.
    fn of(setting: &Setting, quick: usize) -> Sample {
        match setting.scale {
            Scale::Quick => Sample {
                first: (setting.seed % quick as u64) as usize,
                step: quick,
            },
            Scale::Full => Sample { first: 0, step: 1 },
        }
    }

    /// The numbers of the positions in one of several chunks of a list.
    fn chunk(self, length: usize, item: usize, items: usize) -> impl Iterator<Item = usize> {
        let looked_at = length.saturating_sub(self.first).div_ceil(self.step);
        let (from, to) = (looked_at * item / items, looked_at * (item + 1) / items);
        (from..to).map(move |number| self.first + number * self.step)
    }

    fn words(self) -> String {
        match self.step {
            1 => "every position is compared".to_string(),
            step => format!(
                "one position in {step} is compared, from number {} on; --scale full has all",
                self.first
            ),
        }
    }
}

/// Items of a cell. A search that remembers what it has found has few, since it begins anew in
/// each: the first drawn position of Dao takes it longer than all others together.
fn items(method: ComparedMethod, sample: Sample) -> usize {
    match (method, sample.step) {
        (ComparedMethod::Dfpn, 1) => 4,
        (ComparedMethod::Dfpn, _) => 1,
        (_, 1) => 1_000,
        _ => 20,
    }
}

const POSITIONS: &str = "positions";

fn on_dao(sample: Sample) -> Result<ExperimentPlan, LabError> {
    let source = Source {
        game: Dao,
        list: classes,
        solve,
    };
    Ok(plan(source, &DAO, sample))
}

fn on_board(
    (rows, columns): (usize, usize),
    printed: &'static Printed,
    sample: Sample,
) -> Result<ExperimentPlan, LabError> {
    let game = Fanorona::<u64>::new(rows, columns);
    let source = Source {
        game: game.map_err(|error| LabError::BadRequest(error.to_string()))?,
        list: reachable,
        solve,
    };
    Ok(plan(source, printed, sample))
}

fn plan<G, V>(source: Source<G, V>, printed: &'static Printed, sample: Sample) -> ExperimentPlan
where
    G: AlphaBetaGame + Indexed + Text + Clone + 'static,
    V: KnownValues<G> + Send + 'static,
{
    let prepared = Arc::new(Prepared::new(source.clone()));
    let all = Arc::clone(&prepared);
    let census = ExperimentCell::once(POSITIONS, move |cancel| {
        Ok(all.subject(cancel)?.census()?.figures())
    });
    let cell = |method: ComparedMethod| {
        let prepared = Arc::clone(&prepared);
        let items = items(method, sample);
        ExperimentCell::sample(method.name(), items, move |item, cancel| {
            let subject = prepared.subject(cancel)?;
            let numbers = sample.chunk(subject.positions.len(), item, items);
            Ok(subject.compare(method, numbers, cancel)?.figures())
        })
    };
    let mut cells = vec![census];
    cells.extend(ComparedMethod::ALL.map(cell));
    ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(sample),
                rows: known(measured, printed)?,
                ..ExperimentReport::default()
            };
            for method in ComparedMethod::ALL {
                let tally = Tally::read(measured, method.name())?;
                let texts = source.texts(&tally.first).join("; ");
                tell(&mut report, method, &tally, &texts);
            }
            Ok(report)
        }),
    }
}

fn conditions(sample: Sample) -> Vec<String> {
    vec![
        sample.words(),
        "positions are won, drawn and lost for the player to move; those in which the game is over \
         are neither".to_string(),
        "what is compared with is retrograde analysis; a method agrees on a position if all that \
         it says of it is so".to_string(),
        "df-pn, PN and PN2 tell of either side whether it can force a win".to_string(),
        format!("PN and PN2 know no transpositions, and where a game can go round a draw has no \
                 finite tree: in drawn positions they are given the values of all positions \
                 {SETTLED_PLIES} plies on, and in decided ones nothing but {TREE_NODES} nodes"),
        format!("alpha-beta has to find a win or a loss and its length by a search as deep as \
                 that, and neither in a drawn position by a search of {DRAWN_DEPTH} plies"),
        "a draw by repetition in the transposition table of alpha-beta may hide a win on another \
         path; what is not found is searched again without a table, which is exact".to_string(),
    ]
}

/// The figures that do not depend on the sample.
fn known(measured: &Measured, printed: &Printed) -> Result<Vec<Row>, LabError> {
    let count = |column| measured.count(POSITIONS, column);
    let mut rows = vec![Row::exact(
        "all positions, colours exchanged being one",
        printed.places,
        count(0)?,
    )];
    for (number, word) in ["all won", "all drawn", "all lost"].into_iter().enumerate() {
        let ours = count(number + 1)?;
        rows.push(match printed.values {
            Some(values) => Row::exact(word, values[number], ours),
            None => Row::compared(word, None, Figure::Count(ours)),
        });
    }
    rows.push(Row::exact(
        "plies to the end from the start, 0 if drawn",
        printed.plies,
        count(4)?,
    ));
    Ok(rows)
}

/// The rows of a method, and whether it agrees; `texts` are the first positions where it does not.
fn tell(report: &mut ExperimentReport, method: ComparedMethod, tally: &Tally, texts: &str) {
    let name = method.name();
    let figure =
        |what: &str, count| Row::compared(format!("{name}: {what}"), None, Figure::Count(count));
    report.rows.extend([
        figure("decided positions", tally.decided()),
        figure("drawn positions", tally.drawn),
        figure("positions that agree", tally.agree),
        Row::exact(format!("{name}: positions that do not"), 0, tally.disagree),
        figure("positions undecided", tally.undecided),
        figure("nodes", tally.nodes),
    ]);
    if method == ComparedMethod::AlphaBeta {
        report
            .rows
            .push(figure("decided only without a table", tally.hidden));
    }
    let (verdict, evidence) = if tally.disagree > 0 {
        let evidence = format!("{} positions do not, first {texts}", tally.disagree);
        (Verdict::Failed, evidence)
    } else if tally.undecided > 0 {
        let evidence = format!("{} positions took too many nodes", tally.undecided);
        (Verdict::Undecided, evidence)
    } else {
        (
            Verdict::Held,
            format!("{} positions, {} drawn", tally.agree, tally.drawn),
        )
    };
    let claim = format!("{name} agrees with retrograde analysis");
    report.relation(claim, verdict, evidence);
}
