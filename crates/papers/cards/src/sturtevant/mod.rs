//! Sturtevant (2004), "Current Challenges in Multi-player Game Search": trees of three-player
//! Hearts and Spades played with open cards, and players who know what the others want or do not.
//!
//! The hundred hands of the paper are lost, and so is its bidding; here the hands are seeded draws
//! from 52 cards, the first player leads, nobody shoots the moon, and bids follow
//! [`bid`](tabia_cards::tricks::spades::bid). A node is a position that the search enters, whether
//! its table knows it or not.

mod matches;
mod plain;

use tabia_cards::tricks::{
    Card, Habits, HeartsRules, Merged, SpadesRules, State, TrickRules, TrickSettings, Tricks,
};
use tabia_game::{Cancel, Game, Knowledge, Limits, Path, Perfect, Player, Seed, zobrist};
use tabia_search::Situation;
use tabia_search::many::{Aims, Config, MaxN, Payoffs, Prune, Searched, Ties, aims};

use self::plain::Solved;
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};

const PAPER: &str = "sturtevant";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "table-1",
        title: "Trees of Spades and Hearts: whole, with a table, with pruning",
        source: "Sturtevant (2004), table 1",
        takes: ["a minute", "half an hour"],
        plan: tree_sizes,
    },
    Experiment {
        paper: PAPER,
        name: "table-2",
        title: "Hearts: how often another order or deep pruning changes the move",
        source: "Sturtevant (2004), table 2",
        takes: ["a minute", "ten minutes"],
        plan: changed_moves,
    },
    Experiment {
        paper: PAPER,
        name: "table-3",
        title: "The ways to seat two types of players in three seats",
        source: "Sturtevant (2004), table 3",
        takes: ["at once", "at once"],
        plan: |_| Ok(matches::seatings()),
    },
    Experiment {
        paper: PAPER,
        name: "table-4",
        title: "Spades: many tricks against few beyond the bid, and who knows",
        source: "Sturtevant (2004), table 4",
        takes: ["a minute", "several hours"],
        plan: matches::spades,
    },
    Experiment {
        paper: PAPER,
        name: "table-5",
        title: "Hearts: fewest points against the largest lead, and who knows",
        source: "Sturtevant (2004), table 5",
        takes: ["a minute", "several hours"],
        plan: matches::hearts,
    },
    Experiment {
        paper: PAPER,
        name: "exact",
        title: "Exact play of open hands of 7, 8 and 10 cards",
        source: "Sturtevant (2004), section 5.2, and beyond",
        takes: ["a minute", "an hour"],
        plan: exact_play,
    },
];

/// The bytes of a table in which next to nothing is lost.
const TABLE: u64 = 256 << 20;

fn wrong(reason: impl ToString) -> LabError {
    LabError::BadRequest(reason.to_string())
}

/// The open game of a seeded deal, with merged cards.
fn merged<S: TrickRules>(rules: &S, cards: u32, seed: u64) -> Result<Merged<S>, LabError> {
    let table = TrickSettings::new(3, cards, seed);
    let game = Tricks::<S, Perfect>::new(table, rules.clone()).map_err(wrong)?;
    Ok(Merged(game))
}

/// Searches a deal to its end.
fn search_for<S: TrickRules, K: Knowledge<Merged<S>>, A: Aims<Merged<S>>>(
    game: &Merged<S>,
    config: Config,
    knowledge: K,
    aims: A,
    cancel: &Cancel,
) -> Result<Searched<Card>, LabError> {
    let (state, path) = (game.start(), Path::new());
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    let mut engine = MaxN::with_aims(config, knowledge, aims);
    let found = engine.search(&situation, u32::MAX, &limits);
    found.ok_or_else(|| wrong("stopped"))
}

/// The same for payoffs, which is the usual thing.
fn search<S: TrickRules, K: Knowledge<Merged<S>>>(
    game: &Merged<S>,
    config: Config,
    knowledge: K,
    cancel: &Cancel,
) -> Result<Searched<Card>, LabError> {
    search_for(game, config, knowledge, Payoffs, cancel)
}

/// Payoffs that do not say that they are: the table then tells positions apart by what was taken,
/// too.
struct AsTaken;

impl<G: Game> Aims<G> for AsTaken {
    fn worth(&self, game: &G, state: &G::State, player: Player) -> i32 {
        Payoffs.worth(game, state, player)
    }

    fn largest(&self, game: &G) -> i32 {
        Aims::<G>::largest(&Payoffs, game)
    }

    fn range(&self, game: &G, state: &G::State, player: Player) -> (i32, i32) {
        Payoffs.range(game, state, player)
    }

    fn total(&self, game: &G, state: &G::State) -> Option<i32> {
        Payoffs.total(game, state)
    }
}

fn config(prune: Prune) -> Config {
    Config {
        ties: Ties::Total,
        prune,
        table: TABLE,
        static_order: true,
        ..Config::default()
    }
}

/// The seed of a deal.
fn deal(seed: u64, name: &str, item: usize) -> u64 {
    Seed::new(seed).split(name).number(item as u64).value() >> 1
}

/// The best move first, as a search without pruning has found it, then as usual.
struct BestFirst<'a>(&'a Solved);

impl<S: TrickRules> Knowledge<Merged<S>> for BestFirst<'_> {
    fn evaluate(&self, game: &Merged<S>, state: &State, player: Player) -> i32 {
        Habits.evaluate(game, state, player)
    }

    fn priorities(&self, game: &Merged<S>, state: &State, cards: &[Card], out: &mut Vec<i32>) {
        let mut listed = Vec::with_capacity(cards.len());
        game.moves(state, &mut listed);
        let best = self.0.best(game, state).and_then(|place| listed.get(place));
        out.extend(cards.iter().map(|card| match best == Some(card) {
            true => 99,
            false => Habits.priority(game, state, *card).min(98),
        }));
    }
}

/// Any order, always the same in the same position.
struct AnyOrder;

impl<S: TrickRules> Knowledge<Merged<S>> for AnyOrder {
    fn evaluate(&self, game: &Merged<S>, state: &State, player: Player) -> i32 {
        Habits.evaluate(game, state, player)
    }

    fn priority(&self, game: &Merged<S>, state: &State, card: Card) -> i32 {
        let key = tabia_game::Key::key(game, state);
        (zobrist::number(key, card.index() as u64) % 199) as i32 - 99
    }
}

/// Nodes of the whole tree, with a table, with pruning too, and in the best order; how many of
/// those with pruning the table knew.
fn sizes<S: TrickRules>(game: &Merged<S>, cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let solved = Solved::new(game);
    let table = search(game, config(Prune::Nothing), Habits, cancel)?;
    let pruned = search(game, config(Prune::Speculative), Habits, cancel)?;
    let ordered = search(game, config(Prune::Speculative), BestFirst(&solved), cancel)?;
    let apart = search_for(game, config(Prune::Nothing), Habits, AsTaken, cancel)?;
    let apart_pruned = search_for(game, config(Prune::Speculative), Habits, AsTaken, cancel)?;
    let values = solved.values(game);
    let same = [&table, &pruned, &ordered, &apart, &apart_pruned]
        .iter()
        .all(|found| {
            let unit = aims::unit(&Payoffs, game);
            found.complete && (0..3).all(|p| found.values[p] == unit * values[p])
        });
    Ok(vec![
        solved.nodes() as f64,
        table.nodes as f64,
        pruned.nodes as f64,
        ordered.nodes as f64,
        (pruned.nodes - pruned.stats.table_cutoffs) as f64,
        f64::from(u8::from(same)),
        apart.nodes as f64,
        apart_pruned.nodes as f64,
    ])
}

/// A row of table 1: the game, its cards, and what is printed.
const PRINTED: [(&str, u32, [f64; 4]); 2] = [
    ("Spades", 8, [112e6, 711e3, 296e3, 232e3]),
    ("Hearts", 7, [52.7e6, 2.04e6, 1.01e6, 580e3]),
];
const COLUMNS: [&str; 4] = ["full tree", "table", "table and pruning", "best order"];

fn tree_sizes(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (seed, deals) = (setting.seed, setting.scale.pick([4, 100]));
    let spades = move |item, cancel: &Cancel| {
        sizes(
            &merged(&SpadesRules::TRICKS, 8, deal(seed, "spades", item))?,
            cancel,
        )
    };
    let hearts = move |item, cancel: &Cancel| {
        sizes(
            &merged(&HeartsRules::PLAIN, 7, deal(seed, "hearts", item))?,
            cancel,
        )
    };
    Ok(ExperimentPlan {
        cells: vec![
            ExperimentCell::sample("Spades", deals, spades),
            ExperimentCell::sample("Hearts", deals, hearts),
        ],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            report.conditions.push(format!(
                "{deals} seeded deals a game, drawn from 52 cards; ties by a total order; cards \
                 that come to the same merged; the table knows positions by the ranks among the \
                 cards left and without what was taken"
            ));
            for (game, cards, printed) in PRINTED {
                report_sizes(&mut report, measured, game, cards, printed)?;
            }
            let first = |game: &str| -> Result<f64, LabError> {
                Ok(mean(&measured.column(game, 0)?) / mean(&measured.column(game, 1)?))
            };
            let (spades, hearts) = (first("Spades")?, first("Hearts")?);
            report.relation(
                "a table gains more in Spades than in Hearts: at least 100 times, and at least 15 \
                 times",
                Verdict::of(spades >= 100.0 && hearts >= 15.0 && spades > hearts),
                format!("{spades:.0} and {hearts:.0} times"),
            );
            Ok(report)
        }),
    })
}

fn mean(figures: &[f64]) -> f64 {
    figures.iter().sum::<f64>() / figures.len().max(1) as f64
}

fn report_sizes(
    report: &mut ExperimentReport,
    measured: &Measured,
    game: &str,
    cards: u32,
    printed: [f64; 4],
) -> Result<(), LabError> {
    let mut means = Vec::new();
    for (column, (name, printed)) in COLUMNS.iter().zip(printed).enumerate() {
        let figures: Moments = measured.column(game, column)?.into_iter().collect();
        let found = Mean::new(&figures, CONFIDENCE);
        means.push(found.mean);
        let row = Row::compared(
            format!("{game}, {cards} cards: nodes, {name}"),
            Some(Figure::Number(printed)),
            Figure::Number(found.mean.round()),
        );
        report.rows.push(row.within(found.interval));
    }
    let others = [
        (4, "positions expanded, table and pruning"),
        (6, "nodes, table that also knows what was taken"),
        (7, "nodes, that table and pruning"),
    ];
    for (column, name) in others {
        let found = mean(&measured.column(game, column)?).round();
        let name = format!("{game}, {cards} cards: {name}");
        report
            .rows
            .push(Row::compared(name, None, Figure::Number(found)));
    }
    let apart = mean(&measured.column(game, 6)?) / mean(&measured.column(game, 7)?);
    report.relation(
        format!("{game}: the value is the same with and without table, pruning and order"),
        Verdict::of(measured.column(game, 5)?.iter().all(|&same| same == 1.0)),
        "compared with plain recursion over all positions".to_string(),
    );
    let (pruning, order) = (means[1] / means[2], means[2] / means[3]);
    report.relation(
        format!("{game}: pruning gains twice or more"),
        Verdict::of(pruning >= 2.0),
        format!(
            "{pruning:.1} times, and {apart:.1} where the table also knows what was taken \
             (printed: {:.1})",
            printed[1] / printed[2]
        ),
    );
    report.relation(
        format!("{game}: the best move first gains less than twice"),
        Verdict::of(order < 2.0),
        format!("{order:.2} times (printed: {:.2})", printed[2] / printed[3]),
    );
    if game == "Spades" {
        report.relation(
            "Spades: at most half of the printed nodes with pruning",
            Verdict::of(means[2] <= printed[2] / 2.0),
            format!("{:.0} of {:.0}", means[2], printed[2]),
        );
    }
    Ok(())
}

fn changed_moves(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (seed, scale) = (setting.seed, setting.scale);
    let deals = scale.pick([8, 100]);
    let measure = move |item, cancel: &Cancel| {
        let game = merged(&HeartsRules::PLAIN, 7, deal(seed, "orders", item))?;
        // Ties go to the first move, so that the order matters.
        let by = |prune| Config {
            ties: Ties::First,
            ..config(prune)
        };
        let regular = search(&game, by(Prune::Speculative), Habits, cancel)?;
        let random = search(&game, by(Prune::Speculative), AnyOrder, cancel)?;
        let deep = search(&game, by(Prune::Deep), Habits, cancel)?;
        let first = regular.line.first();
        let changed = |found: &Searched<Card>| f64::from(u8::from(found.line.first() != first));
        Ok(vec![
            regular.nodes as f64,
            random.nodes as f64,
            deep.nodes as f64,
            changed(&random),
            changed(&deep),
        ])
    };
    Ok(ExperimentPlan {
        cells: vec![ExperimentCell::sample("Hearts", deals, measure)],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            report.conditions.push(format!(
                "{deals} seeded deals of 7 cards; ties go to the first move; the paper does not \
                 say how many cards its hands had"
            ));
            let column = |place| measured.column("Hearts", place);
            let names = ["regular order", "random order", "approximate deep pruning"];
            let mut nodes = Vec::new();
            for (place, (name, printed)) in names.iter().zip([413e3, 618e3, 120e3]).enumerate() {
                let found = Mean::new(&column(place)?.into_iter().collect::<Moments>(), CONFIDENCE);
                nodes.push(found.mean);
                let row = Row::compared(
                    format!("nodes, {name}"),
                    Some(Figure::Number(printed)),
                    Figure::Number(found.mean.round()),
                );
                report.rows.push(row.within(found.interval));
            }
            let mut changes = Vec::new();
            for (place, (name, printed)) in names[1..].iter().zip([0.58, 0.10]).enumerate() {
                let changed: f64 = column(3 + place)?.iter().sum();
                let share = changed / deals as f64;
                changes.push(share);
                let row = Row::compared(
                    format!("moves changed, {name}"),
                    Some(Figure::Number(printed)),
                    Figure::Number(share),
                );
                let interval = tabia_lab::statistics::wilson(changed, deals as f64, CONFIDENCE);
                report.rows.push(row.within(interval));
            }
            let share = nodes[2] / nodes[0];
            report.relation(
                "deep pruning needs at most a third of the nodes",
                Verdict::of(share <= 1.0 / 3.0),
                format!("{share:.2} (printed: 0.29)"),
            );
            report.relation(
                "deep pruning changes fewer than a third of the moves that a random order changes",
                Verdict::of(changes[1] < changes[0] / 3.0),
                format!(
                    "{:.2} against {:.2} (printed: 0.10 and 0.58)",
                    changes[1], changes[0]
                ),
            );
            Ok(report)
        }),
    })
}

fn exact_play(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (seed, scale) = (setting.seed, setting.scale);
    const SIZES: [u32; 3] = [7, 8, 10];
    let deals = move |cards: u32| match (scale, cards) {
        (Scale::Quick, 10) => 1,
        (Scale::Quick, _) => 6,
        (Scale::Full, 10) => 10,
        (Scale::Full, _) => 100,
    };
    fn measure<S: TrickRules>(
        rules: S,
        seed: u64,
        cards: u32,
    ) -> impl Fn(usize, &Cancel) -> Result<Vec<f64>, LabError> {
        move |item, cancel| {
            let game = merged(&rules, cards, deal(seed, S::NAME, item))?;
            let found = search(&game, config(Prune::Speculative), Habits, cancel)?;
            Ok(vec![
                found.nodes as f64,
                f64::from(u8::from(found.complete)),
            ])
        }
    }
    let mut cells = Vec::new();
    for cards in SIZES {
        let spades = measure(SpadesRules::TRICKS, seed, cards);
        cells.push(ExperimentCell::sample(
            format!("Spades {cards}"),
            deals(cards),
            spades,
        ));
        let hearts = measure(HeartsRules::PLAIN, seed, cards);
        cells.push(ExperimentCell::sample(
            format!("Hearts {cards}"),
            deals(cards),
            hearts,
        ));
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for cards in SIZES {
                for game in ["Spades", "Hearts"] {
                    let name = format!("{game} {cards}");
                    let nodes = measured.values(&name)?;
                    let found = Mean::new(&nodes.iter().copied().collect::<Moments>(), CONFIDENCE);
                    let label = format!(
                        "{game}, {cards} cards: nodes, mean of {} deals",
                        nodes.len()
                    );
                    let row = Row::compared(label, None, Figure::Number(found.mean.round()));
                    report.rows.push(row.within(found.interval));
                    let exact = measured
                        .column(&name, 1)?
                        .iter()
                        .all(|&complete| complete == 1.0);
                    report.relation(
                        format!("{game}, {cards} cards: every deal is searched to its end"),
                        Verdict::of(exact),
                        "no estimate went into any value".to_string(),
                    );
                }
            }
            Ok(report)
        }),
    })
}
