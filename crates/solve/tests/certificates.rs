//! Every certificate that is made is accepted, and what is not a proof is refused.
//!
//! The oracle that stands in for a search lays out all positions and finds the attractor, so that
//! these tests depend on no search. What a changed certificate amounts to is decided by a second,
//! recursive reading of it.

mod graph;
mod oracle;
mod reading;

use std::collections::BTreeMap;

use graph::{Graph, Vertex, graphs};
use oracle::{Oracle, value};
use proptest::prelude::*;
use reading::{Known, is_proof};
use tabia_alignment::connect4::Connect4;
use tabia_alignment::mnk::Mnk;
use tabia_game::{Limits, Player, Text, Turn, Wdl};
use tabia_small::lgame::LGame;
use tabia_solve::certificate::{
    Certifiable, Certificate, CertificateSummary, CheckError, Claim, Header, Refusal,
    StrategyFault, Task, check,
};
use tabia_solve::{Settled, Strategy, StrategyError, write_certificate};

/// The tables of a test: the values of some vertices.
struct Table(Known);

impl Table {
    /// The true values of some vertices, but for those where the game is over.
    fn of(graph: &Graph, settled: &[bool]) -> Table {
        let inner = (1..graph.len()).filter(|&at| settled[at] && graph.owner(at).is_some());
        Table(inner.map(|at| (at, value(graph, &at, &()))).collect())
    }

    /// What certificates that rely on it name.
    fn names() -> BTreeMap<String, String> {
        BTreeMap::from([("graph/1".to_string(), "abc".to_string())])
    }

    fn checked(&self, graph: &Graph, text: &[u8]) -> Result<CertificateSummary, CheckError> {
        let probe = |at: &usize| Ok(self.0.get(at).copied());
        let (read, limits) = (Certificate::read(text)?, Limits::default());
        check(graph, read, &Table::names(), probe, &limits, |_| ())
    }
}

impl Settled<Graph> for Table {
    fn value(&self, _: &Graph, state: &usize) -> Option<Wdl> {
        self.0.get(state).copied()
    }
}

fn certificate<G: Certifiable, S: Settled<G>>(
    game: &G,
    root: &G::State,
    oracle: &mut Oracle<G>,
    settled: &S,
    tables: &BTreeMap<String, String>,
) -> Result<(Wdl, Vec<u8>), StrategyError> {
    let Turn::Player(mover) = game.turn(root) else {
        panic!("the game is over");
    };
    let value = value(game, root, settled);
    let limits = Limits::default();
    let strategies: Vec<_> = Task::of_value(value, mover)
        .into_iter()
        .map(|task| Strategy::find(game, root, task, oracle, settled, &limits, |_| ()))
        .collect::<Result<_, _>>()?;
    let header = Header {
        game: "game".to_string(),
        position: game.position_text(root),
        claim: Claim::Value(value),
        tables: tables.clone(),
    };
    let mut out = Vec::new();
    write_certificate(
        &mut out,
        game,
        &header,
        &strategies,
        settled,
        &limits.cancel,
    )
    .unwrap();
    Ok((value, out))
}

fn made<G: Certifiable>(game: &G, root: &G::State) -> (Wdl, String) {
    let oracle = &mut Oracle::new(0, 0);
    let (value, text) = certificate(game, root, oracle, &(), &BTreeMap::new()).unwrap();
    (value, String::from_utf8(text).unwrap())
}

fn checked<G: Certifiable>(game: &G, text: &[u8]) -> Result<CertificateSummary, CheckError> {
    let (tables, limits) = (BTreeMap::new(), Limits::default());
    check(
        game,
        Certificate::read(text)?,
        &tables,
        |_| Ok(None),
        &limits,
        |_| (),
    )
}

fn refusal<G: Certifiable>(game: &G, text: &str) -> Refusal {
    refused(checked(game, text.as_bytes())).unwrap_or_else(|| panic!("accepted: {text}"))
}

fn refused(checked: Result<CertificateSummary, CheckError>) -> Option<Refusal> {
    match checked {
        Ok(_) => None,
        Err(CheckError::Refused { refusal, .. }) => Some(refusal),
        Err(other) => panic!("{other}"),
    }
}

/// The lines with another checksum, so that only their content can be at fault.
fn sealed(lines: &[String]) -> String {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let checksum = blake3::hash(text.as_bytes()).to_hex();
    format!("{text}end {checksum}\n")
}

/// All lines but the last.
fn lines(text: &str) -> Vec<String> {
    let all: Vec<String> = text.lines().map(String::from).collect();
    all[..all.len() - 1].to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn certificates_of_graphs_are_accepted(graph in graphs(14), hints in any::<u64>()) {
        let mut oracle = Oracle::new(hints, 0);
        let (_, text) = certificate(&graph, &0, &mut oracle, &(), &BTreeMap::new()).unwrap();
        let lines = lines(&String::from_utf8(text.clone()).unwrap());
        prop_assert!(is_proof(&graph, &lines, &Known::new()));
        checked(&graph, &text).unwrap();
    }

    #[test]
    fn a_changed_move_is_accepted_only_if_the_strategy_holds(
        graph in graphs(8), settled in prop::collection::vec(any::<bool>(), 8),
        which in any::<prop::sample::Index>(), other in 0usize..4,
    ) {
        let table = Table::of(&graph, &settled);
        let oracle = &mut Oracle::new(0, 0);
        let (_, text) = certificate(&graph, &0, oracle, &table, &Table::names()).unwrap();
        let mut lines = lines(&String::from_utf8(text).unwrap());
        prop_assert!(is_proof(&graph, &lines, &table.0));
        let moves: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with('m')).collect();
        prop_assume!(!moves.is_empty());
        lines[*which.get(&moves)] = format!("m{other}");
        let accepted = table.checked(&graph, sealed(&lines).as_bytes()).is_ok();
        prop_assert_eq!(accepted, is_proof(&graph, &lines, &table.0));
    }

    #[test]
    fn no_goal_is_accepted_but_one_that_can_be_forced(
        graph in graphs(5), settled in prop::collection::vec(any::<bool>(), 5),
        seat in 0u8..2, win in any::<bool>(), moves in prop::collection::vec(0u8..3, 0..4),
    ) {
        let table = Table::of(&graph, &settled);
        let (player, at_least) = (Player(seat), if win { Wdl::Win } else { Wdl::Draw });
        let goal = format!("{} {}", graph.player_name(player), at_least.word());
        let header = ["tabia certificate 1", "game game", "position v0"];
        let mut lines = header.map(String::from).to_vec();
        lines.push(format!("goal {goal}"));
        lines.extend(Table::names().iter().map(|(name, sum)| format!("table {name} {sum}")));
        lines.push(format!("strategy {goal}"));
        lines.extend(moves.iter().map(|mv| format!("m{mv}")));
        let accepted = table.checked(&graph, sealed(&lines).as_bytes()).is_ok();
        prop_assert_eq!(accepted, is_proof(&graph, &lines, &table.0));
        let for_mover = value(&graph, &0, &());
        let is_mover = graph.owner(0) == Some(player);
        let true_value = if is_mover { for_mover } else { for_mover.flipped() };
        prop_assert!(!accepted || true_value >= at_least);
    }

    #[test]
    fn no_value_but_the_true_one_is_accepted(
        graph in graphs(5), claimed in 0usize..3,
        moves in prop::collection::vec(prop::collection::vec(0u8..3, 0..4), 2),
    ) {
        let claimed = [Wdl::Loss, Wdl::Draw, Wdl::Win][claimed];
        let mover = graph.owner(0).unwrap();
        let head = ["tabia certificate 1", "game game", "position v0"].map(String::from);
        let mut lines = [&head[..], &[format!("value {}", claimed.word())]].concat();
        for (task, moves) in Task::of_value(claimed, mover).into_iter().zip(moves) {
            let name = graph.player_name(task.player);
            lines.push(format!("strategy {name} {}", task.at_least.word()));
            lines.extend(moves.iter().map(|mv| format!("m{mv}")));
        }
        let accepted = checked(&graph, sealed(&lines).as_bytes()).is_ok();
        prop_assert_eq!(accepted, is_proof(&graph, &lines, &Known::new()));
        prop_assert!(!accepted || claimed == value(&graph, &0, &()));
    }

    #[test]
    fn tables_are_leaves(graph in graphs(14), settled in prop::collection::vec(any::<bool>(), 14)) {
        let table = Table::of(&graph, &settled);
        let oracle = &mut Oracle::new(0, 0);
        let (found, text) = certificate(&graph, &0, oracle, &table, &Table::names()).unwrap();
        prop_assert_eq!(found, value(&graph, &0, &()));
        let check_with = |tables: &[(&str, &str)]| {
            let tables = tables.iter().map(|(n, c)| (n.to_string(), c.to_string())).collect();
            let read = Certificate::read(&text[..]).unwrap();
            let probe = |at: &usize| Ok(table.0.get(at).copied());
            refused(check(&graph, read, &tables, probe, &Limits::default(), |_| ()))
        };
        let name = || "graph/1".to_string();
        prop_assert_eq!(check_with(&[("graph/1", "abc")]), None);
        prop_assert_eq!(check_with(&[]), Some(Refusal::TableMissing(name())));
        prop_assert_eq!(check_with(&[("graph/1", "abd")]), Some(Refusal::TableDiffers(name())));
    }

    #[test]
    fn a_search_that_errs_leads_to_no_wrong_certificate(graph in graphs(14), lies in any::<u64>()) {
        let mut oracle = Oracle::new(lies, lies);
        if let Ok((_, text)) = certificate(&graph, &0, &mut oracle, &(), &BTreeMap::new()) {
            checked(&graph, &text).unwrap();
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        head in 0usize..8, middle in "(strategy|table|goal|end|m)?[ a-z0-9é]{0,9}\n\
                                      ?", tail in 0usize..4,
    ) {
        let (_, text) = made(&Graph::line(3), &0);
        let all: Vec<&str> = text.split_inclusive('\n').collect();
        let (head, tail) = (head.min(all.len()), all.len().saturating_sub(tail));
        let text = all[..head].concat() + &middle + &all[tail..].concat();
        if head < tail || !middle.is_empty() {
            prop_assert!(checked(&Graph::line(3), text.as_bytes()).is_err());
        }
    }
}

/// A win for the mover whose first move must go through a vertex that can also go back.
fn winding() -> Graph {
    use Vertex::{End, Of};
    Graph::new(vec![
        Of(0, vec![1, 2]),
        Of(1, vec![0]),
        Of(1, vec![3, 4]),
        Of(0, vec![1, 5]),
        Of(0, vec![5, 3]),
        End(1),
    ])
}

#[test]
fn every_changed_byte_is_noticed() {
    let (_, text) = made(&winding(), &0);
    for at in 0..text.len() {
        for change in [1u8, 2, 32, 64, 128] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= change;
            assert!(checked(&winding(), &bytes).is_err(), "byte {at} of {text}");
        }
        let cut = refused(checked(&winding(), &text.as_bytes()[..at]));
        let foreign = at < "tabia certificate 1\n".len();
        let expected = if foreign {
            Refusal::Foreign
        } else {
            Refusal::Truncated
        };
        assert_eq!(cut, Some(expected), "cut at {at}");
    }
}

#[test]
fn damage_is_told_from_a_wrong_proof() {
    let (_, text) = made(&winding(), &0);
    let damaged = text.replacen("\nm1", "\nm7", 1);
    assert_eq!(refusal(&winding(), &damaged), Refusal::Checksum);
    assert!(matches!(
        refusal(&winding(), &sealed(&lines(&damaged))),
        Refusal::Illegal { .. }
    ));
}

#[test]
fn what_is_wrong_is_told_by_name() {
    let graph = winding();
    let (value, text) = made(&graph, &0);
    let right = lines(&text);
    // The mover wins by 0-2, and then by 3-5 and 4-5 whatever the opponent does.
    assert_eq!(value, Wdl::Win);
    assert_eq!(right[1..4], ["game game", "position v0", "value win"]);
    assert_eq!(right[4..], ["strategy Player 1 win", "m1", "m1", "m0"]);
    let refusal_with = |at: usize, with: &[&str]| {
        let mut lines = right.clone();
        lines.splice(
            at..(at + 1).min(right.len()),
            with.iter().map(|s| s.to_string()),
        );
        refusal(&graph, &sealed(&lines))
    };
    let unexpected = |expected: &str, found: &str| Refusal::Unexpected {
        expected: expected.to_string(),
        found: found.to_string(),
    };
    let strategy = |head: &str| head.to_string();
    assert_eq!(
        refusal_with(0, &["tabia certificate 2"]),
        Refusal::Version("2".into())
    );
    assert_eq!(refusal_with(0, &["tabia table 1"]), Refusal::Foreign);
    assert_eq!(refusal_with(1, &[]), unexpected("game SPEC", "position v0"));
    assert_eq!(
        refusal_with(1, &["game "]),
        unexpected("game SPEC", "game ")
    );
    assert!(matches!(
        refusal_with(2, &["position x.o/.x./..o x"]),
        Refusal::Position(_)
    ));
    assert_eq!(refusal_with(2, &["position v5"]), Refusal::Over);
    assert_eq!(
        refusal_with(3, &["value lost"]),
        unexpected("value win|draw|loss", "value lost")
    );
    assert_eq!(
        refusal_with(3, &["value loss"]),
        unexpected("strategy Player 2 win", "strategy Player 1 win")
    );
    assert_eq!(
        refusal_with(3, &["value draw"]),
        unexpected("strategy Player 1 draw", "strategy Player 1 win")
    );
    assert_eq!(
        refusal_with(3, &["goal Player 1 loss"]),
        unexpected("goal PLAYER win|draw", "goal Player 1 loss")
    );
    assert_eq!(
        refusal_with(3, &["goal White win"]),
        Refusal::Player("White".into())
    );
    assert_eq!(
        refusal_with(4, &["table b 1", "table a 1", &right[4]]),
        Refusal::TableOrder
    );
    assert_eq!(
        refusal_with(4, &["table a 1", "table a 1", &right[4]]),
        Refusal::TableOrder
    );
    assert_eq!(
        refusal_with(4, &["table a", &right[4]]),
        unexpected("table NAME CHECKSUM", "table a")
    );
    assert_eq!(
        refusal_with(4, &["table a 1", &right[4]]),
        Refusal::TableMissing("a".into())
    );
    assert_eq!(
        refusal(&graph, &sealed(&right[..4])),
        Refusal::MissingStrategy(strategy("strategy Player 1 win"))
    );
    assert_eq!(
        refusal_with(5, &["m0"]),
        Refusal::Fault(StrategyFault::Cycle("v0".into()))
    );
    assert!(matches!(refusal_with(5, &["m2"]), Refusal::Illegal { .. }));
    assert!(matches!(refusal_with(5, &["M1"]), Refusal::Illegal { .. }));
    assert_eq!(refusal_with(7, &[]), Refusal::MissingMove("v4".into()));
    assert_eq!(refusal_with(8, &["m0"]), Refusal::Surplus("m0".into()));
    assert_eq!(
        refusal_with(8, &["strategy Player 2 draw"]),
        unexpected("end CHECKSUM", "strategy Player 2 draw")
    );
    let with_more = text.clone() + "\n";
    assert_eq!(refusal(&graph, &with_more), Refusal::AfterEnd);
    let long = text.replace("v0", &"v".repeat(70_000));
    assert_eq!(refusal(&graph, &long), Refusal::Unreadable);
}

#[test]
fn ends_that_do_not_suffice_are_told() {
    use Vertex::{End, Of};
    let graph = Graph::new(vec![Of(0, vec![1, 2]), End(0), End(1)]);
    let (_, text) = made(&graph, &0);
    let changed = sealed(&lines(&text.replace("m1", "m0")));
    let expected = StrategyFault::Insufficient {
        position: "v1".to_string(),
        value: Wdl::Draw,
        needed: Wdl::Win,
    };
    assert_eq!(refusal(&graph, &changed), Refusal::Fault(expected));
}

#[test]
fn a_goal_needs_one_strategy() {
    // Going round for ever is at least a draw.
    let graph = Graph::new(vec![Vertex::Of(0, vec![1]), Vertex::Of(1, vec![0])]);
    let head = ["tabia certificate 1", "game game", "position v0"];
    let certificate = |goal: &str| {
        let lines = [
            &head[..],
            &[&format!("goal {goal}"), &format!("strategy {goal}"), "m0"],
        ];
        sealed(
            &lines
                .concat()
                .iter()
                .map(|s| s.to_string())
                .collect::<Vec<_>>(),
        )
    };
    let summary = checked(&graph, certificate("Player 2 draw").as_bytes()).unwrap();
    assert_eq!((summary.entries, summary.positions), (1, 2));
    assert_eq!(
        refusal(&graph, &certificate("Player 2 win")),
        Refusal::Fault(StrategyFault::Cycle("v0".into()))
    );
}

#[test]
fn long_lines_take_no_stack() {
    const LENGTH: usize = 300_000;
    let graph = Graph::line(LENGTH);
    let (value, text) = made(&graph, &0);
    assert_eq!(value, Wdl::Win);
    let summary = checked(&graph, text.as_bytes()).unwrap();
    assert_eq!(summary.positions, LENGTH as u64);
}

#[test]
fn limits_end_the_work() {
    let graph = Graph::line(5000);
    let (_, text) = made(&graph, &0);
    let cancelled = Limits::default();
    cancelled.cancel.cancel();
    for limits in [Limits::nodes(4999), cancelled] {
        let read = Certificate::read(text.as_bytes()).unwrap();
        let stopped = check(
            &graph,
            read,
            &BTreeMap::new(),
            |_| Ok(None),
            &limits,
            |_| (),
        );
        assert!(matches!(stopped, Err(CheckError::Stopped(_))));
        let task = Task::of_value(Wdl::Win, Player::FIRST)[0];
        let oracle = &mut Oracle::new(0, 0);
        let found = Strategy::find(&graph, &0, task, oracle, &(), &limits, |_| ());
        assert!(matches!(found.err(), Some(StrategyError::Stopped(_))));
    }
    let mut told = 0;
    let read = Certificate::read(text.as_bytes()).unwrap();
    let limits = Limits::nodes(5000);
    check(
        &graph,
        read,
        &BTreeMap::new(),
        |_| Ok(None),
        &limits,
        |n| told = n,
    )
    .unwrap();
    assert_eq!(told, 4096, "progress is told every 1,024 positions");
}

#[test]
fn a_strategy_for_what_cannot_be_forced_is_refused() {
    let task = Task::of_value(Wdl::Loss, Player::FIRST)[0];
    let oracle = &mut Oracle::new(0, 0);
    let limits = Limits::default();
    let found = Strategy::find(&winding(), &0, task, oracle, &(), &limits, |_| ());
    assert_eq!(found.err(), Some(StrategyError::Refuted));
}

fn game_is<G: Certifiable>(game: &G, expected: Wdl) -> CertificateSummary {
    let (value, text) = made(game, &game.start());
    assert_eq!(value, expected);
    checked(game, text.as_bytes()).unwrap()
}

#[test]
fn small_games_have_certificates_of_their_known_values() {
    game_is(&Mnk::<u64>::new(3, 3, 3).unwrap(), Wdl::Draw);
    // Three in a row on four files is won by the first player.
    game_is(&Mnk::<u64>::new(4, 3, 3).unwrap(), Wdl::Win);
    game_is(&Connect4::<u64>::new(4, 4, 4).unwrap(), Wdl::Draw);
    // The L-Game goes on for ever between good players.
    let summary = game_is(&LGame, Wdl::Draw);
    assert!(summary.entries > 0);
}
