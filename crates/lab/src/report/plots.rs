//! Plots as SVG that stands in the page itself.
//!
//! Colours are chosen to be seen on light and dark ground alike; text takes the colour of the page
//! through its style sheet. Names stand beside the plots where they can be long, so that nothing
//! overlaps.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::experiment::Curve;
use crate::statistics::{Rating, Score, SprtState};
use tabia_registry::grouped;

/// The colours of the series, after Okabe and Ito (2008), who chose them for all kinds of sight.
pub(super) const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
const GREY: RGBColor = RGBColor(128, 128, 128);
const WIDTH: u32 = 560;
const FONT: u32 = 15;
/// The room for names at the left of a plot.
const NAMES: i32 = 180;
/// The most points of a line; more cannot be seen.
const POINTS: usize = 300;

/// Why a plot could not be drawn.
pub(super) type PlotError = Box<dyn std::error::Error>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn svg(
    height: u32,
    draw: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(&area)?;
        area.present()?;
    }
    Ok(text)
}

/// At most [`POINTS`] of the values, the first and the last among them.
fn thinned<T>(values: &[T]) -> impl Iterator<Item = &T> {
    let last = values.len().saturating_sub(1);
    let count = values.len().min(POINTS);
    (0..count).filter_map(move |i| values.get(i * last / count.saturating_sub(1).max(1)))
}

/// Shares of the points as the games go by, each with the band of its interval.
pub(super) fn shares(series: &[Vec<(u64, Score)>]) -> Result<String, PlotError> {
    let last = series.iter().flatten().map(|(games, _)| *games).max();
    svg(280, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(56)
            .build_cartesian_2d(0..last.unwrap_or(1).max(1), 0.0..100.0)?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.4))
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", FONT))
            .axis_desc_style(("sans-serif", FONT))
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|games| grouped(*games))
            .y_label_formatter(&|share| format!("{share:.0}%"))
            .x_desc("games")
            .draw()?;
        let even = [(0, 50.0), (last.unwrap_or(1).max(1), 50.0)];
        chart.draw_series(DashedLineSeries::new(even, 6, 4, GREY.stroke_width(2)))?;
        for (points, colour) in series.iter().zip(COLOURS) {
            let upper = thinned(points).map(|(games, s)| (*games, 100.0 * s.interval.high));
            let mut band: Vec<(u64, f64)> = upper.collect();
            let mut lower: Vec<(u64, f64)> = thinned(points)
                .map(|(games, s)| (*games, 100.0 * s.interval.low))
                .collect();
            lower.reverse();
            band.extend(lower);
            chart.draw_series([Polygon::new(
                band,
                colour.mix(0.3 / (1.0 + series.len() as f64)),
            )])?;
        }
        for (points, colour) in series.iter().zip(COLOURS) {
            let line = thinned(points).map(|(games, score)| (*games, 100.0 * score.mean));
            chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
        }
        Ok(())
    })
}

/// How often each of a few things happened.
pub(super) fn bars(
    names: &[&str],
    counts: &[u64],
    across: &str,
    upwards: &str,
) -> Result<String, PlotError> {
    let most = counts.iter().copied().max().unwrap_or(0);
    svg(220, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(72)
            .build_cartesian_2d(
                (0..names.len().saturating_sub(1).max(1)).into_segmented(),
                0..most + most.div_ceil(20) + 1,
            )?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.4))
            .light_line_style(TRANSPARENT)
            .disable_x_mesh()
            .label_style(("sans-serif", FONT))
            .axis_desc_style(("sans-serif", FONT))
            .x_label_formatter(&|place| match place {
                SegmentValue::CenterOf(place) => names
                    .get(*place)
                    .map_or(String::new(), |name| name.to_string()),
                _ => String::new(),
            })
            .y_labels(5)
            .y_label_formatter(&|count| grouped(*count))
            .x_desc(across)
            .y_desc(upwards)
            .draw()?;
        let bars = counts.iter().enumerate().map(|(place, &count)| {
            let corners = [
                (SegmentValue::Exact(place), 0),
                (SegmentValue::Exact(place + 1), count),
            ];
            let mut bar = Rectangle::new(corners, COLOURS[0].filled());
            bar.set_margin(0, 0, 12, 12);
            bar
        });
        chart.draw_series(bars)?;
        Ok(())
    })
}

/// The log-likelihood ratio of a sequential test as the games go by, between the bounds at which
/// it decides.
pub(super) fn ratios(points: &[(u64, f64)], state: &SprtState) -> Result<String, PlotError> {
    let last = points.last().map_or(1, |(games, _)| (*games).max(1));
    let heights = points.iter().map(|(_, ratio)| *ratio);
    let heights = range(heights.chain([state.lower, state.upper]));
    let room = (heights.end - heights.start) * 0.08;
    svg(280, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(56)
            .build_cartesian_2d(0..last, heights.start - room..heights.end + room)?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.4))
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", FONT))
            .axis_desc_style(("sans-serif", FONT))
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|games| grouped(*games))
            .y_label_formatter(&|ratio| format!("{ratio:.1}"))
            .x_desc("games")
            .y_desc("LLR")
            .draw()?;
        for (bound, colour) in [(state.lower, COLOURS[1]), (state.upper, COLOURS[2])] {
            let line = [(0, bound), (last, bound)];
            chart.draw_series(DashedLineSeries::new(line, 6, 4, colour.stroke_width(2)))?;
        }
        let line = thinned(points).copied();
        chart.draw_series(LineSeries::new(line, COLOURS[0].stroke_width(2)))?;
        let names = [
            ("elo0 accepted", state.lower),
            ("elo1 accepted", state.upper),
        ];
        let style = TextStyle::from(("sans-serif", FONT)).pos(Pos::new(HPos::Left, VPos::Bottom));
        for (name, bound) in names {
            let (x, y) = chart.backend_coord(&(0, bound));
            area.draw(&Text::new(name, (x + 6, y - 3), style.clone()))?;
        }
        Ok(())
    })
}

/// Ratings with their intervals, one row each, in the order given.
pub(super) fn ratings(rows: &[(&str, Rating, f64)]) -> Result<String, PlotError> {
    let finite = |x: &f64| x.is_finite();
    let ends = rows
        .iter()
        .flat_map(|(_, r, half)| [r.elo - half, r.elo + half]);
    let ends: Vec<f64> = ends.filter(finite).collect();
    let low = ends.iter().copied().fold(-10.0, f64::min);
    let high = ends.iter().copied().fold(10.0, f64::max);
    let room = (high - low) * 0.05;
    let count = rows.len() as f64;
    let height = 68 + 26 * u32::try_from(rows.len()).unwrap_or(1000).min(1000);
    svg(height, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(low - room..high + room, 0.0..count)?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.4))
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", FONT))
            .axis_desc_style(("sans-serif", FONT))
            .disable_y_mesh()
            .disable_y_axis()
            .x_labels(6)
            .x_label_formatter(&|elo| {
                if *elo == 0.0 {
                    "0".to_string()
                } else {
                    format!("{elo:+.0}")
                }
            })
            .x_desc("Elo")
            .draw()?;
        let style = TextStyle::from(("sans-serif", FONT)).pos(Pos::new(HPos::Right, VPos::Center));
        for (number, (name, rating, half)) in rows.iter().enumerate() {
            let y = count - 0.5 - number as f64;
            let (_, row) = chart.backend_coord(&(low, y));
            area.draw(&Text::new(shortened(name), (NAMES, row), style.clone()))?;
            if !rating.elo.is_finite() {
                continue;
            }
            if half.is_finite() {
                let (left, right) = (rating.elo - half, rating.elo + half);
                let bar = COLOURS[0].stroke_width(2);
                chart.draw_series([
                    PathElement::new(vec![(left, y), (right, y)], bar),
                    PathElement::new(vec![(left, y - 0.15), (left, y + 0.15)], bar),
                    PathElement::new(vec![(right, y - 0.15), (right, y + 0.15)], bar),
                ])?;
            }
            let dot = Circle::new((rating.elo, y), 4, COLOURS[0].filled());
            chart.draw_series([dot])?;
        }
        Ok(())
    })
}

/// A name that fits beside a plot.
fn shortened(name: &str) -> String {
    const MAX_NAME_CHARS: usize = 20;
    if name.chars().count() <= MAX_NAME_CHARS {
        name.to_string()
    } else {
        let start: String = name.chars().take(MAX_NAME_CHARS - 1).collect();
        format!("{start}…")
    }
}

/// How many games had which lengths: each bin has its first length, the one after its last, and
/// its count.
pub(super) fn lengths(bins: &[(usize, usize, usize)]) -> Result<String, PlotError> {
    let first = bins.first().map_or(0, |bin| bin.0);
    let after = bins.last().map_or(1, |bin| bin.1);
    let most = bins.iter().map(|bin| bin.2).max().unwrap_or(0);
    svg(220, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(56)
            .build_cartesian_2d(first..after.max(first + 1), 0..most + most.div_ceil(20) + 1)?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.4))
            .light_line_style(TRANSPARENT)
            .disable_x_mesh()
            .label_style(("sans-serif", FONT))
            .axis_desc_style(("sans-serif", FONT))
            .x_labels(8)
            .y_labels(5)
            .x_desc("plies")
            .draw()?;
        let bars = bins.iter().map(|&(from, to, count)| {
            let mut bar = Rectangle::new([(from, 0), (to, count)], COLOURS[0].filled());
            bar.set_margin(0, 0, 1, 1);
            bar
        });
        chart.draw_series(bars)?;
        Ok(())
    })
}

/// The lines of a curve, as many as there are colours. On a logarithmic scale points that are not
/// above zero are left out.
pub(super) fn curve(curve: &Curve) -> Result<String, PlotError> {
    let height = |y: f64| if curve.logarithmic { y.log10() } else { y };
    let scaled = |points: &Vec<(f64, f64)>| {
        let points = points.iter().map(|&(x, y)| (x, height(y)));
        points.filter(|(_, y)| y.is_finite()).collect::<Vec<_>>()
    };
    let lines: Vec<Vec<(f64, f64)>> = curve.series.iter().map(|s| scaled(&s.points)).collect();
    let points = || lines.iter().flatten();
    let across = range(points().map(|point| point.0));
    let floor = (!curve.logarithmic).then_some(0.0);
    let upwards = range(points().map(|point| point.1).chain(floor));
    svg(280, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(across, upwards)?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.4))
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", FONT))
            .axis_desc_style(("sans-serif", FONT))
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| {
                short(if curve.logarithmic {
                    10f64.powf(*y)
                } else {
                    *y
                })
            })
            .x_desc(&curve.x)
            .y_desc(&curve.y)
            .draw()?;
        for (line, colour) in lines.iter().zip(COLOURS) {
            let line = thinned(line).copied();
            chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
        }
        Ok(())
    })
}

/// From the least to the greatest; never empty.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    match low < high {
        true => low..high,
        false if low.is_finite() => low..low + 1.0,
        false => 0.0..1.0,
    }
}

/// A number beside an axis.
fn short(number: f64) -> String {
    let (number, unit) = match number.abs() {
        size if size >= 1e9 => (number / 1e9, "G"),
        size if size >= 1e6 => (number / 1e6, "M"),
        _ => (number, ""),
    };
    let text = format!("{number:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}
