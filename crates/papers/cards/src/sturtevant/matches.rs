//! Tables 3 to 5: matches of two types of players in three seats, by what they know of each other.
//!
//! A player *without a model* takes everybody to want what they want themselves. *With a model*
//! they know what everybody wants, and take it that all know: these are the players of the paper,
//! which notes that the model is wrong where the others have none. A player who *knows all* also
//! knows who has which model. All search the rest of the hand to its end.

use std::marker::PhantomData;

use tabia_cards::tricks::{
    HeartsRules, Merged, SpadesRules, State, TrickRules, TrickSettings, Tricks,
};
use tabia_game::{Cancel, Game, Limits, Perfect, Player, Seed, Turn};
use tabia_search::many::minds::{Mind, MindSearch, Minds};
use tabia_search::many::{Aims, MAX_PLAYERS, Ties};

use super::{deal, wrong};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const SEATS: usize = 3;

/// What a player knows of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Insight {
    /// The player takes them to be like themselves.
    None,
    /// What they want, and takes it that they know, too.
    Model,
    /// What they want and what they know.
    All,
}

impl Insight {
    const ALL: [Insight; 3] = [Insight::None, Insight::Model, Insight::All];

    fn text(self) -> &'static str {
        match self {
            Insight::None => "none",
            Insight::Model => "model",
            Insight::All => "all",
        }
    }

    /// The number of the [mind](minds) of somebody of this type.
    fn mind(self, kind: usize) -> usize {
        match self {
            Insight::All => 0,
            Insight::None => 1 + kind,
            Insight::Model => 3,
        }
    }
}

/// The seatings of two types, the second type as bits.
const SEATINGS: [usize; 6] = [0b001, 0b010, 0b011, 0b100, 0b101, 0b110];

pub(super) fn seatings() -> ExperimentPlan {
    ExperimentPlan {
        cells: vec![ExperimentCell::once("seatings", |_| {
            let mixed = (0..1 << SEATS).filter(|seating| (1..(1 << SEATS) - 1).contains(seating));
            Ok(vec![mixed.count() as f64])
        })],
        report: Box::new(|measured| {
            let found = measured.count("seatings", 0)?;
            let name = "ways to seat two types in three seats";
            let mut report = ExperimentReport::default();
            report
                .rows
                .push(Row::exact(name, SEATINGS.len() as u64, found));
            Ok(report)
        }),
    }
}

/// What the players of a game want, in this game's numbers. Types are 0 and 1.
trait Wishes: Copy + Send + Sync + 'static {
    type Rules: TrickRules;

    /// The rules that hands are played by.
    const RULES: Self::Rules;
    /// The names of both types.
    const TYPES: [&'static str; 2];

    /// What a finished hand is worth to a seat of a type; `totals` are the points of the match so
    /// far.
    fn worth(kind: usize, end: &State, seat: usize, totals: &[i32; SEATS]) -> i32;

    /// The points for a finished hand, with the tricks beyond bids so far, which are kept up.
    fn score(end: &State, seat: usize, bags: &mut i32) -> i32;

    /// Whether the match is over.
    fn is_over(totals: &[i32; SEATS], goal: i32) -> bool;

    /// Whether more points are better.
    const HIGH: bool;
}

#[derive(Clone, Copy)]
struct SpadesWishes;
#[derive(Clone, Copy)]
struct HeartsWishes;

fn taken(end: &State, seat: usize) -> i32 {
    i32::from(end.taken(Player(seat as u8)))
}

impl Wishes for SpadesWishes {
    type Rules = SpadesRules;
    const RULES: SpadesRules = SpadesRules::TRICKS;
    const TYPES: [&'static str; 2] = ["MT", "mOT"];
    const HIGH: bool = true;

    fn worth(kind: usize, end: &State, seat: usize, _: &[i32; SEATS]) -> i32 {
        let (tricks, bid) = (taken(end, seat), i32::from(end.bid(Player(seat as u8))));
        match kind {
            0 => tricks,
            _ if tricks < bid => tricks - bid,
            // The bid made, and the fewer beyond it the better.
            _ => 100 - (tricks - bid),
        }
    }

    fn score(end: &State, seat: usize, bags: &mut i32) -> i32 {
        let (tricks, bid) = (taken(end, seat), i32::from(end.bid(Player(seat as u8))));
        if tricks < bid {
            return -10 * bid;
        }
        *bags += tricks - bid;
        let mut score = 10 * bid + tricks - bid;
        if *bags >= 10 {
            *bags -= 10;
            score -= 100;
        }
        score
    }

    fn is_over(totals: &[i32; SEATS], goal: i32) -> bool {
        totals.iter().any(|&total| total >= goal)
    }
}

impl Wishes for HeartsWishes {
    type Rules = HeartsRules;
    const RULES: HeartsRules = HeartsRules::PLAIN;
    const TYPES: [&'static str; 2] = ["mS", "ML"];
    const HIGH: bool = false;

    fn worth(kind: usize, end: &State, seat: usize, totals: &[i32; SEATS]) -> i32 {
        let total = |seat: usize| totals[seat] + taken(end, seat);
        let rivals = (0..SEATS).filter(|&other| other != seat).map(total);
        match kind {
            0 => -taken(end, seat),
            _ => rivals.min().unwrap_or(0) - total(seat),
        }
    }

    fn score(end: &State, seat: usize, _: &mut i32) -> i32 {
        taken(end, seat)
    }

    fn is_over(totals: &[i32; SEATS], goal: i32) -> bool {
        totals.iter().any(|&total| total > goal)
    }
}

/// What somebody takes the players to want.
#[derive(Clone, Copy)]
struct Believed<W> {
    kinds: [usize; SEATS],
    totals: [i32; SEATS],
    wishes: PhantomData<W>,
}

impl<W: Wishes> Aims<Merged<W::Rules>> for Believed<W> {
    fn worth(&self, _: &Merged<W::Rules>, end: &State, player: Player) -> i32 {
        let seat = player.index() % SEATS;
        W::worth(self.kinds[seat], end, seat, &self.totals)
    }

    fn largest(&self, _: &Merged<W::Rules>) -> i32 {
        1000
    }
}

/// The size of a match.
#[derive(Clone, Copy)]
struct Size {
    cards: u32,
    goal: i32,
}

/// Positions that a search keeps at most.
const KEPT: usize = 4_000_000;

/// The minds of a hand: one that knows all, one for each type without a model, one with the model.
/// Seats of both types have these insights.
fn minds<W: Wishes>(
    kinds: [usize; SEATS],
    totals: [i32; SEATS],
    insights: [Insight; 2],
) -> Vec<Mind<Believed<W>>> {
    let mind = |kinds, deciders: [usize; SEATS]| {
        let mut all = [0; MAX_PLAYERS];
        all[..SEATS].copy_from_slice(&deciders);
        Mind {
            aims: Believed {
                kinds,
                totals,
                wishes: PhantomData,
            },
            deciders: all,
        }
    };
    vec![
        mind(kinds, kinds.map(|kind| insights[kind].mind(kind))),
        mind([0; SEATS], [1; SEATS]),
        mind([1; SEATS], [2; SEATS]),
        mind(kinds, [3; SEATS]),
    ]
}

/// Plays a match: the points of all persons.
fn play<W: Wishes>(
    kinds: [usize; SEATS],
    insights: [Insight; 2],
    size: Size,
    seed: u64,
    cancel: &Cancel,
) -> Result<[i32; SEATS], LabError> {
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    let (mut totals, mut bags) = ([0; SEATS], [0; SEATS]);
    for hand in 0.. {
        // The lead goes round: in every hand the next person has the first seat.
        let person = |seat: usize| (seat + hand) % SEATS;
        let seated =
            |all: [usize; SEATS]| -> [usize; SEATS] { std::array::from_fn(|s| all[person(s)]) };
        let scores: [i32; SEATS] = std::array::from_fn(|seat| totals[person(seat)]);
        let table = TrickSettings::new(SEATS, size.cards, deal(seed, "hands", hand));
        let game = Tricks::<W::Rules, Perfect>::new(table, W::RULES).map_err(wrong)?;
        let game = Merged(game);
        let own = seated(kinds);
        let minds =
            Minds::new(minds::<W>(own, scores, insights)).ok_or_else(|| wrong("no minds"))?;
        let mut state = game.start();
        while let Turn::Player(player) = game.turn(&state) {
            let kind = own[player.index() % SEATS];
            let number = insights[kind].mind(kind);
            let mut search = MindSearch::new(&game, &minds, Ties::Total, KEPT, &limits);
            let answer = search
                .choose(&state, number)
                .ok_or_else(|| wrong("stopped"))?;
            game.play(&mut state, answer.best);
        }
        for seat in 0..SEATS {
            totals[person(seat)] += W::score(&state, seat, &mut bags[person(seat)]);
        }
        if W::is_over(&totals, size.goal) || hand > 1000 {
            break;
        }
    }
    Ok(totals)
}

/// What is printed of a comparison: average scores and percentages of wins of both types.
type Printed = ([Insight; 2], [f64; 4]);

fn plan<W: Wishes>(
    setting: &Setting,
    size: Size,
    games: usize,
    printed: &'static [Printed; 4],
    claims: fn(&mut ExperimentReport, &Measured) -> Result<(), LabError>,
) -> ExperimentPlan {
    let seed = setting.seed;
    let mut cells = Vec::new();
    for one in Insight::ALL {
        for other in Insight::ALL {
            let measure = move |item: usize, cancel: &Cancel| {
                let seating = SEATINGS[item % SEATINGS.len()];
                let kinds: [usize; SEATS] = std::array::from_fn(|seat| seating >> seat & 1);
                let round = Seed::new(seed)
                    .split("match")
                    .number((item / SEATINGS.len()) as u64);
                let totals = play::<W>(kinds, [one, other], size, round.value() >> 1, cancel)?;
                let best = match W::HIGH {
                    true => totals.iter().max(),
                    false => totals.iter().min(),
                };
                let winners = totals.iter().filter(|total| Some(*total) == best).count() as f64;
                let mut row = vec![0.0; 4];
                for (kind, total) in kinds.iter().zip(&totals) {
                    row[2 * kind] += f64::from(*total);
                    row[2 * kind + 1] += f64::from(u8::from(Some(total) == best)) / winners;
                }
                let others = kinds.iter().sum::<usize>() as f64;
                row[0] /= SEATS as f64 - others;
                row[2] /= others;
                Ok(row)
            };
            let items = games * SEATINGS.len();
            cells.push(ExperimentCell::sample(
                cell::<W>([one, other]),
                items,
                measure,
            ));
        }
    }
    ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            report.conditions.push(format!(
                "{} games a comparison, {games} in each of the six seatings on the same deals; {} \
                 cards a hand, to {} points; 'none' takes all to be like itself, 'model' knows \
                 what they want, 'all' knows what they know, too",
                games * SEATINGS.len(),
                size.cards,
                size.goal
            ));
            for one in Insight::ALL {
                for other in Insight::ALL {
                    report_cell::<W>(&mut report, measured, [one, other], printed)?;
                }
            }
            claims(&mut report, measured)?;
            Ok(report)
        }),
    }
}

fn cell<W: Wishes>(insights: [Insight; 2]) -> String {
    let [one, other] = W::TYPES;
    format!(
        "{one} ({}) v {other} ({})",
        insights[0].text(),
        insights[1].text()
    )
}

fn wins<W: Wishes>(
    measured: &Measured,
    insights: [Insight; 2],
    kind: usize,
) -> Result<Mean, LabError> {
    let figures = measured.column(&cell::<W>(insights), 2 * kind + 1)?;
    Ok(Mean::new(
        &figures.into_iter().collect::<Moments>(),
        CONFIDENCE,
    ))
}

fn report_cell<W: Wishes>(
    report: &mut ExperimentReport,
    measured: &Measured,
    insights: [Insight; 2],
    printed: &[Printed],
) -> Result<(), LabError> {
    let name = cell::<W>(insights);
    let known = printed.iter().find(|known| known.0 == insights);
    for (place, what) in [
        (0, "average score"),
        (1, "wins"),
        (2, "average score"),
        (3, "wins"),
    ] {
        let figures: Moments = measured.column(&name, place)?.into_iter().collect();
        let found = Mean::new(&figures, CONFIDENCE);
        let row = Row::compared(
            format!("{name}: {what} of {}", W::TYPES[place / 2]),
            known.map(|known| Figure::Number(known.1[place])),
            Figure::Number(found.mean),
        );
        report.rows.push(row.within(found.interval));
    }
    Ok(())
}

const SPADES: [Printed; 4] = [
    (
        [Insight::Model, Insight::Model],
        [139.0, 0.470, 149.2, 0.530],
    ),
    ([Insight::Model, Insight::None], [145.0, 0.650, 78.0, 0.350]),
    (
        [Insight::None, Insight::Model],
        [144.9, 0.493, 144.1, 0.507],
    ),
    ([Insight::None, Insight::None], [147.9, 0.632, 95.8, 0.368]),
];

const HEARTS: [Printed; 4] = [
    ([Insight::Model, Insight::Model], [86.6, 0.455, 92.0, 0.545]),
    ([Insight::None, Insight::Model], [86.5, 0.419, 89.3, 0.581]),
    // As printed; the shares add up to 101 %, and the text has 45 % and 95.1 points.
    ([Insight::Model, Insight::None], [72.7, 0.545, 94.4, 0.465]),
    ([Insight::None, Insight::None], [74.4, 0.491, 93.2, 0.509]),
];

pub(super) fn spades(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let [cards, goal, games] = setting.scale.pick([[5, 100, 40], [8, 200, 20]]);
    let size = Size {
        cards: cards as u32,
        goal,
    };
    let claims = |report: &mut ExperimentReport, measured: &Measured| {
        for other in [Insight::None, Insight::Model] {
            let found = wins::<SpadesWishes>(measured, [other, Insight::None], 1)?;
            report.relation(
                format!(
                    "mOT without a model wins at most 40 % against MT ({})",
                    other.text()
                ),
                Verdict::below(found.interval, 0.4),
                format!("{:.3}", found.mean),
            );
            let found = wins::<SpadesWishes>(measured, [other, Insight::Model], 1)?;
            report.relation(
                format!(
                    "mOT with a model wins at least half against MT ({})",
                    other.text()
                ),
                Verdict::below(found.interval.complement(), 0.5),
                format!("{:.3}", found.mean),
            );
        }
        Ok(())
    };
    Ok(plan::<SpadesWishes>(
        setting,
        size,
        games as usize,
        &SPADES,
        claims,
    ))
}

pub(super) fn hearts(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let [cards, goal, games] = setting.scale.pick([[5, 40, 40], [7, 100, 20]]);
    let size = Size {
        cards: cards as u32,
        goal,
    };
    let claims = |report: &mut ExperimentReport, measured: &Measured| {
        for other in [Insight::None, Insight::Model] {
            let insights = [other, Insight::Model];
            let found = wins::<HeartsWishes>(measured, insights, 1)?;
            let name = cell::<HeartsWishes>(insights);
            let score = |kind: usize| -> Result<f64, LabError> {
                Ok(super::mean(&measured.column(&name, 2 * kind)?))
            };
            report.relation(
                format!("{name}: ML wins more than half"),
                Verdict::below(found.interval.complement(), 0.5),
                format!("{:.3}", found.mean),
            );
            let (one, lead) = (score(0)?, score(1)?);
            report.relation(
                format!("{name}: ML takes more points than mS"),
                Verdict::of(lead > one),
                format!("{lead:.1} and {one:.1}"),
            );
        }
        Ok(())
    };
    Ok(plan::<HeartsWishes>(
        setting,
        size,
        games as usize,
        &HEARTS,
        claims,
    ))
}
