//! Pages are well-formed, escaped, and tell the figures of the summary.

use serde_json::json;
use tabia_game::Cancel;

use super::*;
use crate::experiment::{self, Bench, ExperimentCell, ExperimentPlan, Measured};
use crate::matches::units::score_of_player;
use crate::matches::{Match, MatchPlan, Opening};
use crate::player::Entrant;
use crate::referee::Terms;
use crate::{Curve, Experiment, ExperimentReport, Row, Scale, Series, Verdict};

/// No experiments.
const NONE: Experiments = Experiments(&[]);

const NAME: &str = "<b onload=\"x\">&'A";

fn plan(games: u64, players: &[(&str, &str)]) -> MatchPlan {
    let entrant = |(name, spec): &(&str, &str)| Entrant {
        name: name.to_string(),
        spec: spec.to_string(),
    };
    MatchPlan {
        game: "connect4:5x4,k=3".to_string(),
        players: players.iter().map(entrant).collect(),
        games,
        paired: true,
        opening: Opening::Random(2),
        terms: Terms::default(),
        sprt: None,
        seed: 5,
    }
}

fn two(games: u64) -> MatchPlan {
    plan(games, &[(NAME, "random"), ("strong", "pvs:depth=2")])
}

/// A store with a match of which this many games were played, and marked as finished if all were.
fn store_of(plan: MatchPlan, played: usize) -> Store {
    let mut whole = Store::in_memory().unwrap();
    let mut all = Match::new(plan.clone())
        .unwrap()
        .stored(&mut whole, false)
        .unwrap();
    all.play(1, &Cancel::default(), &mut |_| {}).unwrap();
    let complete = all.plan().games as usize <= played;
    let plan = all.plan().to_json().unwrap();
    let games: Vec<_> = all.games().cloned().collect();
    drop(all);
    let players = whole.players(1).unwrap();
    let mut store = Store::in_memory().unwrap();
    let run = store
        .begin(RunKind::Match, "a match of <two>", &plan, &players)
        .unwrap();
    store.sit(run, 1).unwrap();
    for game in games.iter().take(played) {
        store.add(run, game).unwrap();
    }
    if complete {
        store.finish(run).unwrap();
    }
    store
}

/// Every tag is closed in its order, and nothing bare is left of names.
fn assert_well_formed(page: &str) {
    const VOID: [&str; 2] = ["meta", "input"];
    let mut open: Vec<String> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(
            !text.contains('>') || open.last().is_some_and(|tag| tag == "style"),
            "{text}"
        );
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap();
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        let quotes = tag.matches('"').count();
        assert!(quotes % 2 == 0 && !tag.contains('<'), "{tag}");
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()));
        } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http", "<script", "src=", "href=", "@import", "url(", NAME] {
        assert!(!elsewhere.contains(word), "{word}");
    }
}

/// The cells of the first row that begins with this one.
fn row<'a>(page: &'a str, first: &str) -> Vec<&'a str> {
    let rows = page.split("<tr>").map(|row| {
        let row = row.split("</tr>").next().unwrap_or_default();
        let cells = row
            .split("<td")
            .skip(1)
            .filter_map(|cell| cell.split_once('>'));
        cells
            .map(|(_, cell)| cell.split("</td>").next().unwrap_or_default())
            .collect::<Vec<_>>()
    });
    let mut rows = rows.filter(|cells| cells.first() == Some(&first));
    rows.next()
        .unwrap_or_else(|| panic!("no row begins with {first}"))
}

#[test]
fn a_page_tells_the_figures_of_the_summary() {
    let store = store_of(two(12), 12);
    let page = html(&store, None, NONE).unwrap();
    assert_well_formed(&page);
    let stored = StoredRun::read(&store, None).unwrap();
    let summary = stored.summary(&stored.plan().unwrap().unwrap()).unwrap();
    let strong = &summary.players[1];
    let cells = row(&page, "strong");
    assert_eq!(cells[1].parse::<f64>().unwrap(), strong.points);
    let counts = [strong.wins, strong.draws, strong.losses].map(|n| n.to_string());
    assert_eq!(cells[2..5], counts);
    assert!(page.contains("12 of at most 12 games"));
    assert!(page.contains("&lt;b onload=&quot;x&quot;&gt;&amp;'A"));
    // Wins are counted once more from the payoffs alone.
    let won = stored.games.iter().filter(|game| {
        let seat = game.seats.iter().position(|&player| player == 1).unwrap();
        game.payoffs.as_ref().unwrap()[seat] == 1
    });
    assert_eq!(won.count() as u64, strong.wins);
}

/// The last point of the development is what the summary says, games of an unfinished pair aside.
#[test]
fn scores_over_time_end_with_the_summary() {
    let last_of = |played: usize| {
        let store = store_of(two(12), played);
        let stored = StoredRun::read(&store, None).unwrap();
        let plan = stored.plan().unwrap().unwrap();
        let unit = plan.games_in_a_unit(2);
        assert_eq!(unit, 2);
        let last = [0, 1].map(|player| {
            let score = |game: &_| score_of_player(game, player);
            figures::running(&stored.games, unit, score).pop().unwrap()
        });
        (last, stored.summary(&plan).unwrap())
    };
    for played in [12, 6, 2, 1] {
        let (last, summary) = last_of(played);
        for ((games, score), told) in last.into_iter().zip(summary.players) {
            assert_eq!(games, played as u64);
            assert!(
                (score.interval.low - told.interval.low).abs() < 1e-9,
                "{played}"
            );
            assert!(
                (score.interval.high - told.interval.high).abs() < 1e-9,
                "{played}"
            );
        }
    }
    assert_eq!(last_of(7).0, last_of(6).0);
}

#[test]
fn runs_of_any_size_have_a_page() {
    for played in [0, 1, 5] {
        let page = html(&store_of(two(12), played), None, NONE).unwrap();
        assert_well_formed(&page);
        assert!(page.contains("not finished") && page.contains("--resume"));
        assert_eq!(page.contains("No game has been finished yet"), played == 0);
    }
    let players = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| (name, "random"));
    let page = html(&store_of(plan(56, &players), 56), None, NONE).unwrap();
    assert_well_formed(&page);
    assert_eq!(page.matches("class=\"key\"").count(), plots::COLOURS.len());
}

#[test]
fn points_of_the_crosstable_add_up() {
    let players = [("a", "random"), ("b", "random"), ("c", "pvs:depth=2")];
    let store = store_of(plan(12, &players), 12);
    let stored = StoredRun::read(&store, None).unwrap();
    let cross = crosstable(&stored).unwrap().unwrap();
    let points = |text: &String| {
        let whole = text.strip_suffix('½');
        whole.map_or_else(
            || text.parse().unwrap(),
            |whole| whole.parse().unwrap_or(0.0) + 0.5,
        )
    };
    let mut all = 0.0;
    for cells in &cross.rows {
        let against: f64 = cells[2..5].iter().filter(|c| *c != "×").map(points).sum();
        assert_eq!(against, points(&cells[5]));
        all += against;
    }
    assert_eq!(all, 12.0);
}

#[test]
fn experiments_have_a_page() {
    let mut store = Store::in_memory().unwrap();
    let plan = json!({ "paper": "p", "experiment": "<2>", "scale": "quick", "seed": 1 });
    let run = store
        .begin(RunKind::Experiment, "nodes & ratios", &plan, &[])
        .unwrap();
    let sample = vec![vec![1.0], vec![2.0]];
    store.add_cell(run, "cell <1>", &sample).unwrap();
    let page = html(&store, None, NONE).unwrap();
    assert_well_formed(&page);
    assert_eq!(row(&page, "cell &lt;1&gt;")[1..3], ["2", "1.5000"]);
    assert!(page.contains("tabia reproduce p '&lt;2&gt;' --scale quick --seed 1"));
}

/// An experiment that rolls some dice.
const DICE: Experiment = Experiment {
    paper: "p",
    name: "1",
    title: "eyes of dice",
    source: "nowhere",
    takes: ["no time", "no time"],
    plan: dice,
};

fn dice(setting: &crate::Setting) -> Result<ExperimentPlan, LabError> {
    let faces = setting.scale.pick([6, 20]);
    let cell = ExperimentCell::sample("eyes", faces, |face, _| Ok(vec![face as f64 + 1.0]));
    let report = |measured: &Measured| {
        let eyes = measured.values("eyes")?;
        let sum: f64 = eyes.iter().sum();
        let mut report = ExperimentReport::default();
        report.rows.push(Row::exact("all eyes", 21, sum as u64));
        report.relation("no face is empty", Verdict::of(eyes[0] > 0.0), "1 eye");
        let points = (1..).map(f64::from).zip(eyes);
        report.curves.push(Curve {
            name: "eyes".to_string(),
            x: "face".to_string(),
            y: "eyes".to_string(),
            logarithmic: false,
            series: vec![Series::new("one die", points)],
        });
        Ok(report)
    };
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(report),
    })
}

/// What a finished experiment found is told from its cells: figures, claims and curves. A page made
/// without the list that it stands in has its cells alone.
#[test]
fn finished_experiments_tell_what_they_found() {
    let setting = crate::Setting {
        scale: Scale::Quick,
        seed: 1,
    };
    let mut store = Store::in_memory().unwrap();
    let bench = Bench {
        threads: 1,
        cancel: &Cancel::default(),
        progress: &|_, _| {},
        store: Some((&mut store, false)),
    };
    let report = experiment::run(&DICE, &setting, bench).unwrap();
    assert!(report.holds());
    let page = html(&store, None, Experiments(&[&[DICE]])).unwrap();
    assert_well_formed(&page);
    assert!(page.contains("held") && page.contains("equal") && page.contains("<polyline"));
    for series in report.curves.iter().flat_map(|curve| &curve.series) {
        assert!(page.contains(&series.name));
    }
    let page = html(&store, None, NONE).unwrap();
    assert_well_formed(&page);
    assert!(!page.contains("<polyline") && !page.contains("one die"));
    assert_eq!(row(&page, "eyes")[1..3], ["6", "3.5000"]);
}

/// Nothing, a single point and a logarithm of zero can be drawn.
#[test]
fn every_curve_can_be_drawn() {
    let points = [vec![], vec![(3.0, 3.0)], vec![(0.0, 0.0), (1.0, 1e12)]];
    for points in points {
        for logarithmic in [false, true] {
            let series = Series::new("line", points.clone());
            let curve = Curve {
                name: "curve".to_string(),
                x: "x".to_string(),
                y: "y".to_string(),
                logarithmic,
                series: vec![series],
            };
            assert!(plots::curve(&curve).unwrap().ends_with("</svg>\n"));
        }
    }
}

#[test]
fn bins_hold_every_length() {
    let store = store_of(two(12), 12);
    let games = StoredRun::read(&store, None).unwrap().games;
    for most in [1, 3, 40] {
        let bins = figures::lengths(&games, most);
        assert!(bins.len() <= most);
        for (from, to, count) in bins {
            let within = games.iter().filter(|g| (from..to).contains(&g.moves.len()));
            assert_eq!(within.count(), count);
        }
    }
}

#[test]
fn commands_are_quoted() {
    let mut plan = two(12);
    plan.players[0].name = "my engine".to_string();
    plan.terms.game_ms = Some(60_500);
    plan.terms.increment_ms = 600;
    plan.terms.nodes = Some(9);
    let words = shlex::split(&command(&plan)).unwrap();
    let expected = "tabia|match|connect4:5x4,k=3|--player|my engine=random\
                    |--player|strong=pvs:depth=2|--games|12|--opening|random:2|--nodes|9\
                    |--clock|60.5+0.6|--seed|5|--paired";
    assert_eq!(words.join("|"), expected);
}

#[test]
fn tournaments_have_a_page_with_their_own_points() {
    let plan = tournament::TournamentPlan {
        name: "the <cup>".to_string(),
        game: "tictactoe".to_string(),
        format: tournament::TournamentFormat::RoundRobin,
        rules: tournament::TournamentRules::new("2-1-0".parse().unwrap()).with_games(2),
        players: plan(2, &[("a", "random"), ("b", "random"), ("c", "pvs:depth=2")]).players,
        final_games: None,
        rounds: None,
        opening: Opening::Start,
        terms: Terms::default(),
        seed: 3,
    };
    let mut store = Store::in_memory().unwrap();
    let contest = tournament::Contest::new(plan).unwrap();
    let mut contest = contest.stored(&mut store, false).unwrap();
    contest.play(1, &Cancel::default(), &mut |_, _| {}).unwrap();
    drop(contest);
    let page = html(&store, None, NONE).unwrap();
    assert_well_formed(&page);
    assert!(
        page.contains("2-1-0") && page.contains("round robin"),
        "settings in words"
    );
    let stored = StoredRun::read(&store, None).unwrap();
    let cross = crosstable(&stored).unwrap().unwrap();
    let points = cross
        .header
        .iter()
        .position(|cell| cell == "points")
        .unwrap();
    let all: u32 = cross
        .rows
        .iter()
        .map(|row| row[points].parse::<u32>().unwrap())
        .sum();
    // Three pairs of two games, of which each is worth two points.
    assert_eq!(all, 12);
    let again = stored
        .replay(&stored.games[1], &Cancel::default())
        .unwrap()
        .unwrap();
    assert_eq!(again.moves, stored.games[1].moves);
}

/// The curve of a sequential test ends where the summary says, and starts from nothing.
#[test]
fn the_curve_of_a_test_ends_with_the_summary() {
    let plan = MatchPlan {
        sprt: Some("elo0=0,elo1=400".parse().unwrap()),
        ..two(40)
    };
    let store = store_of(plan, 40);
    let stored = StoredRun::read(&store, None).unwrap();
    let plan = stored.plan().unwrap().unwrap();
    let summary = stored.summary(&plan).unwrap();
    let curve = figures::ratios(&stored.games, 2, true, &plan.sprt.unwrap());
    assert_eq!(curve[0], (0, 0.0));
    let (games, ratio) = *curve.last().unwrap();
    assert_eq!(games, summary.games);
    let told = summary.sprt.unwrap().log_likelihood_ratio;
    assert!((ratio - told).abs() < 1e-12, "{ratio} {told}");
    let page = html(&store, None, NONE).unwrap();
    assert_well_formed(&page);
    for part in ["Pentanomial", "elo1 accepted", "LLR", "50%"] {
        assert!(page.contains(part), "{part}");
    }
    // Two players have met nobody else: there is no tie to break.
    assert!(!page.contains("Sonneborn"));
}

/// Every game has a board for each of its positions, of which one is shown at first.
#[test]
fn games_can_be_stepped_through() {
    let store = store_of(two(4), 4);
    let stored = StoredRun::read(&store, None).unwrap();
    let page = html(&store, None, NONE).unwrap();
    let boards: usize = stored.games.iter().map(|game| game.moves.len() + 1).sum();
    assert_eq!(page.matches("class=\"step\"").count(), boards);
    assert_eq!(page.matches(" checked").count(), 4);
    let game = &stored.games[3];
    let last = format!("id=\"g3-{}\"", game.moves.len());
    assert!(page.contains(&last), "{last}");
    assert!(page.contains("Machine") && page.contains("1 thread,"));
}

/// In a game for one player nothing is said of wins and seats.
#[test]
fn scores_of_lone_players_have_a_page() {
    let plan = MatchPlan {
        game: "samegame:5x5,colours=3".to_string(),
        opening: Opening::Start,
        ..plan(8, &[("a", "random"), ("b", "random:seed=1")])
    };
    let store = store_of(plan, 8);
    let page = html(&store, None, NONE).unwrap();
    assert_well_formed(&page);
    assert!(page.contains("On the same boards") && page.contains("mean score"));
    for word in ["Elo", "share", "Seats", "Crosstable"] {
        assert!(!page.contains(word), "{word}");
    }
}
