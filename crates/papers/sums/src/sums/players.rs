//! What strategies lose against a perfect opponent.

use std::time::Instant;

use tabia_cgt::Exceeded;
use tabia_cgt::scoring::{
    Control, LeafEvaluation, Options, Position, Search, StrategyKind, SumStrategy, loss,
};
use tabia_game::{Cancel, Limits, Player, Seed};

use super::{Instances, exceeded};
use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments, paired_ratio};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const THREE: Control = Control::Depth(3);
const HOT: Control = Control::Tenths(8);

/// A method and the points it is printed to lose in 100 games as first and as second player: of 2
/// to 13 two-level and of 2 to 9 three-level subgames.
struct MethodRow {
    name: &'static str,
    method: StrategyKind,
    two: Option<[[u16; 12]; 2]>,
    three: Option<[[u16; 8]; 2]>,
}

const LINES: [MethodRow; 8] = [
    MethodRow {
        name: "Hotstrat",
        method: StrategyKind::Hotstrat,
        two: Some([
            [66, 68, 100, 94, 151, 207, 194, 205, 211, 186, 195, 194],
            [79, 111, 123, 185, 137, 148, 166, 176, 190, 251, 169, 208],
        ]),
        three: Some([
            [56, 135, 183, 251, 195, 315, 330, 366],
            [71, 187, 262, 260, 268, 274, 258, 291],
        ]),
    },
    MethodRow {
        name: "Hotstrat+",
        method: StrategyKind::HotstratPlus,
        two: Some([
            [68, 65, 93, 84, 136, 180, 158, 171, 199, 176, 178, 184],
            [68, 82, 88, 147, 115, 118, 126, 138, 158, 215, 147, 188],
        ]),
        three: Some([
            [55, 111, 152, 232, 182, 281, 295, 331],
            [67, 162, 218, 229, 232, 212, 215, 248],
        ]),
    },
    MethodRow {
        name: "Thermostrat",
        method: StrategyKind::Thermostrat,
        two: Some([
            [44, 104, 121, 106, 165, 181, 190, 224, 217, 193, 183, 192],
            [79, 110, 120, 183, 135, 146, 157, 174, 188, 248, 161, 192],
        ]),
        three: Some([
            [70, 285, 282, 334, 231, 386, 334, 349],
            [93, 159, 246, 248, 241, 247, 252, 280],
        ]),
    },
    MethodRow {
        name: "Sentestrat",
        method: StrategyKind::Sentestrat,
        two: None,
        three: None,
    },
    MethodRow {
        name: "3-ply SE",
        method: StrategyKind::Bounded(THREE, LeafEvaluation::Means),
        two: Some([
            [26, 62, 68, 62, 122, 142, 148, 167, 189, 201, 183, 212],
            [0, 69, 42, 103, 102, 110, 130, 134, 143, 178, 202, 189],
        ]),
        three: Some([
            [54, 111, 120, 212, 202, 265, 278, 294],
            [4, 89, 135, 168, 181, 221, 234, 262],
        ]),
    },
    MethodRow {
        name: "3-ply HR",
        method: StrategyKind::Bounded(THREE, LeafEvaluation::Rollout),
        two: Some([
            [0, 0, 8, 21, 22, 36, 47, 55, 70, 89, 120, 99],
            [0, 0, 1, 13, 18, 20, 51, 33, 67, 86, 79, 92],
        ]),
        three: Some([
            [0, 7, 31, 88, 93, 142, 160, 148],
            [0, 23, 30, 63, 88, 174, 202, 195],
        ]),
    },
    MethodRow {
        name: "TEMP-ab SE",
        method: StrategyKind::Bounded(HOT, LeafEvaluation::Means),
        two: Some([
            [46, 87, 103, 150, 325, 348, 322, 378, 501, 552, 538, 601],
            [33, 33, 93, 164, 202, 212, 288, 368, 432, 512, 542, 621],
        ]),
        three: Some([
            [57, 192, 262, 387, 531, 662, 780, 902],
            [26, 121, 202, 248, 431, 601, 735, 886],
        ]),
    },
    MethodRow {
        name: "TEMP-ab HR",
        method: StrategyKind::Bounded(HOT, LeafEvaluation::Rollout),
        two: Some([
            [0, 0, 5, 17, 19, 25, 45, 43, 53, 61, 78, 81],
            [0, 2, 17, 11, 10, 19, 39, 36, 54, 62, 59, 71],
        ]),
        three: Some([
            [0, 8, 30, 85, 72, 132, 189, 148],
            [0, 22, 15, 72, 56, 118, 168, 158],
        ]),
    },
];

const SEATS: [(&str, Player); 2] = [("1st", Player::FIRST), ("2nd", Player::SECOND)];

impl MethodRow {
    fn printed(&self, levels: u32, components: usize, seat: usize) -> Option<f64> {
        let row: &[u16] = match levels {
            2 => &self.two.as_ref()?[seat],
            _ => &self.three.as_ref()?[seat],
        };
        row.get(components.checked_sub(2)?).copied().map(f64::from)
    }
}

/// A strategy that is timed.
struct Timed<'s> {
    strategy: Box<dyn SumStrategy + 's>,
    seconds: f64,
}

impl SumStrategy for Timed<'_> {
    fn choose(
        &mut self,
        position: &Position,
        mover: Player,
        last: Option<usize>,
    ) -> Result<Option<usize>, Exceeded> {
        let started = Instant::now();
        let chosen = self.strategy.choose(position, mover, last);
        self.seconds += started.elapsed().as_secs_f64();
        chosen
    }
}

/// The points that methods lose in both seats, and the seconds they take.
fn play(
    instances: Instances,
    methods: &[StrategyKind],
    item: usize,
    cancel: &Cancel,
) -> Result<Vec<f64>, LabError> {
    let sum = instances.sum(item)?;
    let mut search = Search::new(&sum, Options::BEST).map_err(exceeded)?;
    search.watch(&Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    });
    let mut figures = Vec::new();
    for method in methods {
        for (_, player) in SEATS {
            if cancel.is_cancelled() {
                return Err(LabError::Stopped);
            }
            let mut timed = Timed {
                strategy: method.player(&sum).map_err(exceeded)?,
                seconds: 0.0,
            };
            let points = loss(&sum, &mut timed, player, &mut search).map_err(exceeded)?;
            figures.extend([points as f64, timed.seconds]);
        }
    }
    Ok(figures)
}

/// The column of a method's losses in a seat.
fn column(method: usize, seat: usize) -> usize {
    2 * (2 * method + seat)
}

fn sizes(setting: &Setting) -> Vec<Instances> {
    let two = setting.scale.pick([
        &[2, 3, 4, 5, 6, 8, 10, 13][..],
        &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    ]);
    let three = setting
        .scale
        .pick([&[2, 3, 5, 7, 9][..], &[2, 3, 4, 5, 6, 7, 8, 9]]);
    let two = two.iter().map(|&s| Instances::new(setting, 2, s));
    let three = three.iter().map(|&s| Instances::new(setting, 3, s));
    two.chain(three).collect()
}

pub(super) fn losses(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let games = setting.scale.pick([200, 2000]);
    let sizes = sizes(&setting);
    let cells = sizes.iter().map(|&instances| {
        ExperimentCell::sample(instances.name(), games, move |item, cancel| {
            play(instances, &LINES.map(|line| line.method), item, cancel)
        })
    });
    Ok(ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| {
            let mut report =
                ExperimentReport {
                    conditions: vec![
                    format!("points lost in 100 games, from {games} games a cell where the paper \
                             has 100"),
                    "bounded searches use TEMP and INC; the paper does not say whether they \
                     did".to_string(),
                    "of equal taxes Thermostrat takes the largest; the authors' program is not \
                     described".to_string(),
                ],
                    ..ExperimentReport::default()
                };
            for instances in &sizes {
                report_size(instances, measured, &mut report)?;
            }
            relations(&setting, &sizes, measured, &mut report)?;
            Ok(report)
        }),
    })
}

/// Rows for one size, and the zeros that follow from the rules.
fn report_size(
    instances: &Instances,
    measured: &Measured,
    report: &mut ExperimentReport,
) -> Result<(), LabError> {
    let cell = instances.name();
    for (number, line) in LINES.iter().enumerate() {
        for (seat, (seat_name, _)) in SEATS.iter().enumerate() {
            let points = measured.column(&cell, column(number, seat))?;
            let hundred: Moments = points.iter().map(|points| 100.0 * points).collect();
            let mean = Mean::new(&hundred, CONFIDENCE);
            let name = format!("{cell}: {} ({seat_name})", line.name);
            let is_forced = match line.method {
                StrategyKind::Bounded(THREE, leaf) => seat == 1 || leaf == LeafEvaluation::Rollout,
                _ => false,
            };
            if (instances.levels, instances.components) == (2, 2) && is_forced {
                report
                    .rows
                    .push(Row::exact(name, 0, points.iter().sum::<f64>() as u64));
                continue;
            }
            let printed = line.printed(instances.levels, instances.components, seat);
            let row = Row::compared(name, printed.map(Figure::Number), Figure::Number(mean.mean));
            report.rows.push(row.within(mean.interval));
        }
    }
    Ok(())
}

/// All losses of a method, both seats, in sums of these sizes.
fn all_losses(measured: &Measured, sizes: &[Instances], name: &str) -> Result<Vec<f64>, LabError> {
    let mut all = Vec::new();
    let number = LINES.iter().position(|line| line.name == name);
    for (instances, number) in sizes.iter().flat_map(|size| number.map(|n| (size, n))) {
        for seat in 0..SEATS.len() {
            all.extend(measured.column(&instances.name(), column(number, seat))?);
        }
    }
    Ok(all)
}

fn relations(
    setting: &Setting,
    sizes: &[Instances],
    measured: &Measured,
    report: &mut ExperimentReport,
) -> Result<(), LabError> {
    let from = |levels: u32, least: usize, most: usize| -> Vec<Instances> {
        let fits = |size: &&Instances| {
            (size.levels == levels || levels == 0) && (least..=most).contains(&size.components)
        };
        sizes.iter().filter(fits).copied().collect()
    };
    for (claim, one, other, sizes) in [
        (
            "from three subgames on",
            "Hotstrat+",
            "Hotstrat",
            from(0, 3, 13),
        ),
        (
            "from three subgames on",
            "Hotstrat+",
            "Thermostrat",
            from(0, 3, 13),
        ),
        ("in all sums", "3-ply HR", "3-ply SE", from(0, 2, 13)),
        ("in all sums", "TEMP-ab HR", "TEMP-ab SE", from(0, 2, 13)),
        ("in all sums", "3-ply HR", "Hotstrat+", from(0, 2, 13)),
        ("in all sums", "TEMP-ab HR", "3-ply HR", from(0, 2, 13)),
        (
            "up to eight two-level subgames",
            "3-ply SE",
            "Hotstrat+",
            from(2, 2, 8),
        ),
        (
            "with 13 two-level subgames",
            "Hotstrat+",
            "3-ply SE",
            from(2, 13, 13),
        ),
        (
            "from six subgames on",
            "Hotstrat",
            "TEMP-ab SE",
            from(0, 6, 13),
        ),
        (
            "from six subgames on",
            "Thermostrat",
            "TEMP-ab SE",
            from(0, 6, 13),
        ),
        (
            "from six subgames on",
            "3-ply SE",
            "TEMP-ab SE",
            from(0, 6, 13),
        ),
    ] {
        let losses = [one, other].map(|name| all_losses(measured, &sizes, name));
        let [less, more] = losses;
        let (ratio, interval) = paired_ratio(&less?, &more?, Seed::new(setting.seed));
        report.relation(
            format!("{claim}, {one} loses less than {other}"),
            Verdict::below(interval, 1.0),
            format!("{ratio:.3} ({:.3} to {:.3})", interval.low, interval.high),
        );
    }
    Ok(())
}

/// The lines of the figure: a name, and the methods from little to much time.
fn figure_lines() -> Vec<(&'static str, Vec<StrategyKind>)> {
    let depths = |leaf| {
        let methods = (0..=24).map(|d| StrategyKind::Bounded(Control::Depth(d), leaf));
        methods.collect()
    };
    let tenths = |leaf| {
        let methods = (0..=10).rev();
        let methods = methods.map(|c| StrategyKind::Bounded(Control::Tenths(c), leaf));
        methods.collect()
    };
    vec![
        ("depth, SE", depths(LeafEvaluation::Means)),
        ("depth, HR", depths(LeafEvaluation::Rollout)),
        ("temperature, SE", tenths(LeafEvaluation::Means)),
        ("temperature, HR", tenths(LeafEvaluation::Rollout)),
        ("Hotstrat", vec![StrategyKind::Hotstrat]),
        ("Hotstrat+", vec![StrategyKind::HotstratPlus]),
        ("Thermostrat", vec![StrategyKind::Thermostrat]),
    ]
}

fn setting_name(method: StrategyKind) -> String {
    match method {
        StrategyKind::Bounded(Control::Depth(plies), _) => format!(" {plies}"),
        StrategyKind::Bounded(Control::Tenths(tenths), _) => {
            format!(" {:.1}", f64::from(tenths) / 10.0)
        }
        _ => String::new(),
    }
}

pub(super) fn trade_off(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let games = setting.scale.pick([50, 1000]);
    let instances = Instances::new(setting, 2, 12);
    let cells = figure_lines().into_iter().map(|(name, methods)| {
        ExperimentCell::sample(name, games, move |item, cancel| {
            play(instances, &methods, item, cancel)
        })
    });
    Ok(ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| figure(measured, games)),
    })
}

fn figure(measured: &Measured, games: usize) -> Result<ExperimentReport, LabError> {
    let mut report =
        ExperimentReport {
            conditions: vec![
            format!("12 two-level subgames, {games} sums from both seats; points lost and \
                     milliseconds used in 100 games"),
            "depth 0 and c = 1 choose the first move in order, which is that of Hotstrat+; the \
             data of the figure are not printed".to_string(),
            "times are those of this machine".to_string(),
        ],
            ..ExperimentReport::default()
        };
    let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut series = Vec::new();
    for (name, methods) in figure_lines() {
        let mut points = Vec::new();
        for (number, &method) in methods.iter().enumerate() {
            let (mut lost, mut seconds) = (Vec::new(), 0.0);
            for seat in 0..SEATS.len() {
                lost.extend(measured.column(name, column(number, seat))?);
                let times = measured.column(name, column(number, seat) + 1)?;
                seconds += times.iter().sum::<f64>();
            }
            let full = format!("{name}{}", setting_name(method));
            let hundred: Moments = lost.iter().map(|points| 100.0 * points).collect();
            let mean = Mean::new(&hundred, CONFIDENCE);
            let is_whole = matches!(
                method,
                StrategyKind::Bounded(Control::Depth(24) | Control::Tenths(0), _)
            );
            report.rows.push(if is_whole {
                Row::exact(full, 0, lost.iter().sum::<f64>() as u64)
            } else {
                Row::compared(full, None, Figure::Number(mean.mean)).within(mean.interval)
            });
            points.push((1e5 * seconds / lost.len().max(1) as f64, mean.mean));
        }
        series.push(Series::new(name, points.clone()));
        lines.push(points);
    }
    report.curves.push(Curve {
        name: "Points lost against time".to_string(),
        x: "milliseconds".to_string(),
        y: "points lost".to_string(),
        logarithmic: false,
        series,
    });
    for (number, name) in [
        (1, "depth with HR"),
        (2, "temperature with SE"),
        (3, "temperature with HR"),
    ] {
        // What loses nothing or takes no search is left out: there both are alike.
        let rivals: Vec<_> = lines[number].iter().filter(|point| point.1 > 0.0).collect();
        let beaten = rivals.iter().filter(|rival| {
            let mut best = lines[0].iter();
            best.any(|point| point.0 <= rival.0 && point.1 <= rival.1)
        });
        let beaten = beaten.count();
        report.relation(
            format!(
                "for most settings of {name} there is a depth with SE that loses no more in no \
                 more time"
            ),
            Verdict::of(2 * beaten > rivals.len()),
            format!("{beaten} of {}", rivals.len()),
        );
    }
    Ok(report)
}
