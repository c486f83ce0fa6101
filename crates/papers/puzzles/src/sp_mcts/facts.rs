//! What can be said of SameGame without a search.

use rand::RngExt;
use tabia_game::{Game, OnePlayer, Player, Seed};

use super::Boards;
use super::printed::COLUMNS;
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const RANDOM_PLAY: &str = "random play";
const SET: &str = "standardised set";
const GAMES: [usize; 2] = [20_000, 1_000_000];
/// The over-estimator on the standardised set, where it is known from the counts of colours.
const BOUNDS: [(usize, u64); 11] = [
    (1, 10_417),
    (11, 10_245),
    (12, 10_245),
    (13, 10_245),
    (14, 10_245),
    (15, 10_245),
    (16, 10_745),
    (17, 10_745),
    (18, 10_745),
    (19, 10_745),
    (20, 10_745),
];

pub fn plan(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let set = Boards::new("standard-20.txt", 20, setting)?;
    let (game, seed) = (set.game.clone(), Seed::new(setting.seed).split("games"));
    let games = setting.scale.pick(GAMES);
    let play = {
        let game = game.clone();
        move |item: usize, _: &_| {
            let mut rng = seed.number(item as u64).rng();
            let mut state = game.random_board(&mut rng);
            let (mut moves, mut length, mut branches) = (Vec::new(), 0.0f64, 0.0);
            loop {
                moves.clear();
                game.moves(&state, &mut moves);
                if moves.is_empty() {
                    break;
                }
                length += 1.0;
                branches += moves.len() as f64;
                let mv = moves[rng.random_range(0..moves.len())];
                game.play(&mut state, mv);
            }
            let payoff = f64::from(game.payoff(&state, Player::FIRST));
            Ok(vec![length, branches / length.max(1.0), payoff])
        }
    };
    let boards = set.clone();
    let bound = move |item: usize, _: &_| {
        let most = boards.game.most(&boards.boards[item]);
        Ok(vec![f64::from(most)])
    };
    let cells = vec![
        ExperimentCell::sample(RANDOM_PLAY, games, play),
        ExperimentCell::sample(SET, set.len(), bound),
    ];
    let is_standard = set.source.contains("standard");
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            report.conditions.push(format!(
                "{games} random games on random boards; the thesis played a million"
            ));
            let mean = |column| -> Result<Mean, LabError> {
                let mut moments = Moments::default();
                for figure in measured.column(RANDOM_PLAY, column)? {
                    moments.add(figure);
                }
                Ok(Mean::new(&moments, CONFIDENCE))
            };
            for (name, printed, column) in [("length", 64.4, 0), ("branching", 20.7, 1)] {
                let mean = mean(column)?;
                let row = Row::compared(
                    format!("mean {name} of a random game"),
                    Some(Figure::Number(printed)),
                    Figure::Number(mean.mean),
                );
                report.rows.push(row.within(mean.interval));
                report.relation(
                    format!("the mean {name} is {printed}, to a tenth"),
                    Verdict::of((mean.mean - printed).abs() <= 0.1),
                    format!("{:.3}", mean.mean),
                );
            }
            report.rows.push(Row::compared(
                "decimal logarithm of the state space",
                Some(Figure::Number(159.0)),
                Figure::Number(game.state_space()),
            ));
            let even = measured.column(RANDOM_PLAY, 2)?;
            let even = even.iter().filter(|payoff| *payoff % 2.0 == 0.0).count();
            report.relation(
                "every score on 225 cells is odd: each move and each settlement keeps the parity \
                 of the blocks",
                Verdict::of(even == 0),
                format!("{even} even scores in {games} games"),
            );
            for column in &COLUMNS {
                let sum: u32 = column.scores.iter().sum();
                report.rows.push(Row::exact(
                    format!("sum of the column {}", column.name),
                    column.total.into(),
                    sum.into(),
                ));
            }
            let even = |name: &str| {
                let column = COLUMNS.iter().find(|column| column.name == name);
                column.map_or(0, |c| c.scores.iter().filter(|s| *s % 2 == 0).count())
            };
            report.rows.push(
                Row::compared(
                    "scores of HGSTS that are even, and so impossible under these rules",
                    Some(Figure::Count(10)),
                    Figure::Count(even("HGSTS") as u64),
                )
                .derived(),
            );
            if is_standard {
                let bounds = measured.column(SET, 0)?;
                for (board, printed) in BOUNDS {
                    let found = bounds.get(board - 1).copied().unwrap_or(0.0);
                    let name = format!("over-estimator of position {board}");
                    report.rows.push(Row::exact(name, printed, found as u64));
                }
            } else {
                report
                    .conditions
                    .push("the standardised set is not there".to_string());
            }
            Ok(report)
        }),
    })
}
