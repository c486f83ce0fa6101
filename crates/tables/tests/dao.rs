//! Every figure of Donkers, van den Herik and Uiterwijk (2004), "Dao: A Benchmark Game", that
//! follows from the explicit graphs of Do-Guti and Dao; misprints are told where they are.

use std::sync::LazyLock;

use tabia_game::{Cancel, Game, Seed, Symmetric, Text, Wdl};
use tabia_small::dao::{self, Dao};
use tabia_small::doguti::{self, DoGuti};
use tabia_tables::TableValue;
use tabia_tables::graph::{Class, GameGraph, Steps, counted};

static DAO: LazyLock<GameGraph> =
    LazyLock::new(|| GameGraph::new(&Dao, dao::State::passed).unwrap());
static REACHABLE: LazyLock<Vec<bool>> = LazyLock::new(|| DAO.reachable());
static SOLVED: LazyLock<Steps> = LazyLock::new(|| DAO.steps());

fn is_reachable(class: &Class) -> bool {
    REACHABLE[*class as usize]
}

fn class_of(text: &str) -> Class {
    DAO.class(&Dao, &Dao.parse_position(text).unwrap()).unwrap()
}

fn sorted(mut classes: Vec<Class>) -> Vec<Class> {
    classes.sort_unstable();
    classes
}

#[test]
fn donkers_section_2_do_guti() {
    let graph = GameGraph::new(&DoGuti, doguti::State::passed).unwrap();
    assert_eq!(graph.places(), 30);
    assert_eq!((graph.classes(), graph.classes_with_exchange()), (16, 9));
    let solved = graph.steps();
    let labelled = |wins: usize, losses: usize| (wins, losses);
    let steps: Vec<_> = solved
        .steps
        .iter()
        .map(|step| labelled(step.wins.len(), step.losses.len()))
        .collect();
    assert_eq!(steps, [(0, 1), (2, 0)], "one is blocked, two win at once");
    let draws = solved.values.iter().filter(|v| v.wdl == Wdl::Draw).count();
    assert_eq!(draws, 13);
    let blocked = solved.steps[0].losses[0];
    // Whoever starts: White, with the corners that a line joins, or Black with the others.
    for start in [graph.start(), graph.exchanged(graph.start())] {
        assert_eq!(solved.values[start as usize], TableValue::DRAW);
        assert_eq!(graph.distances(start)[blocked as usize], Some(6));
        assert_eq!(graph.smallest_cycles()[start as usize], Some(6));
        let reached = graph.distances(start).iter().flatten().count();
        assert_eq!(reached, 15);
    }
}

#[test]
fn donkers_section_4_1_configurations_and_classes() {
    assert_eq!(DAO.places(), 900_900);
    assert_eq!(DAO.classes(), 113_028);
    assert_eq!(DAO.classes_with_exchange(), 56_757);
    let members: u32 = DAO.all().map(|class| DAO.size(class)).sum();
    assert_eq!(members, 900_900);
    assert_eq!((100.0 * 900_900.0 / DAO.classes() as f64).round(), 797.0);
}

/// Wins and losses are those of the player to move, so that the paper's columns are exchanged: it
/// prints 2,154 wins and 2,123 losses, 1,130 and 988 of them reachable.
#[test]
fn donkers_section_4_2_terminal_positions() {
    let with = |wdl| {
        let terminal = DAO.all().filter(|&c| DAO.outcome(c) == Some(wdl));
        let reachable = terminal.clone().filter(is_reachable).count();
        (terminal.count(), reachable)
    };
    assert_eq!(with(Wdl::Win), (2_123, 988));
    assert_eq!(with(Wdl::Loss), (2_154, 1_130));
    assert_eq!(with(Wdl::Draw), (0, 0));
    let open = || DAO.all().filter(|&c| DAO.outcome(c).is_none());
    assert_eq!(open().count(), 108_751);
    assert_eq!(open().filter(is_reachable).count(), 108_749);
    assert_eq!(DAO.all().filter(is_reachable).count(), 110_867);
    let sources = DAO.all().filter(|&c| DAO.predecessors().row(c).is_empty());
    assert_eq!(sources.clone().count(), 2_161);
    assert!(sources.clone().all(|c| !is_reachable(&c)));
    assert_eq!(113_028 - 110_867, 2_161, "nothing else is unreachable");
}

/// 31 classes have a win of both sides, and none of them can arise.
#[test]
fn donkers_section_4_2_wins_of_both_sides() {
    // With either side to move the last mover has won: both outcomes are losses.
    let both = DAO.all().filter(|&c| {
        DAO.outcome(c) == Some(Wdl::Loss) && DAO.outcome(DAO.exchanged(c)) == Some(Wdl::Loss)
    });
    assert_eq!(both.clone().count(), 31);
    assert!(both.clone().all(|c| !is_reachable(&c)));
}

/// Wins of the player to move are by enclosure: the other one has caused them. Every enclosure that
/// can arise is such a win.
#[test]
fn donkers_section_4_2_terminal_wins_are_enclosures() {
    let mut wins = 0;
    for class in DAO.all().filter(is_reachable) {
        let state = DAO.reference(&Dao, class).unwrap();
        let text = Dao.position_text(&state);
        let corner = |symmetry| {
            let image = Dao.position_text(&Dao.map_state(&state, symmetry));
            let rows: Vec<String> = image.split([' ', '/']).map(spelled).collect();
            rows[3].starts_with("wb") && rows[2].starts_with("bb")
        };
        let won = DAO.outcome(class) == Some(Wdl::Win);
        assert_eq!((0..8).any(corner), won, "{text}");
        wins += u32::from(won);
    }
    assert_eq!(wins, 988);
}

/// A row with a letter or a dot for each point.
fn spelled(row: &str) -> String {
    let dots = |c: char| match c.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => c.to_string(),
    };
    row.chars().map(dots).collect()
}

#[test]
fn donkers_table_1_degrees() {
    let degrees = DAO.degrees(&REACHABLE);
    let outgoing = [
        2_118, 0, 18, 97, 302, 780, 1_798, 3_612, 6_803, 11_263, 15_482, 18_305, 17_962, 14_635,
        9_798, 5_141, 2_096, 561, 83, 13,
    ];
    let incoming = [
        0, 41, 112, 380, 1_002, 2_273, 3_931, 6_970, 9_746, 12_243, 13_759, 13_663, 12_704, 10_480,
        8_207, 6_005, 4_104, 2_559, 1_451, 763, 307, 110, 35, 12, 9, 0, 1,
    ];
    assert_eq!(degrees.outgoing, outgoing);
    assert_eq!(degrees.incoming, incoming);
    assert_eq!(degrees.edges, 1_218_373);
    let average = degrees.edges as f64 / 110_867.0;
    assert_eq!((average * 1e4).round(), 109_895.0);
}

/// 8.58 edges lead into a terminal position on average, and 10.83 moves are played in a position,
/// terminal ones included; without them it is 11.247.
#[test]
fn donkers_section_4_3_averages() {
    let terminal = DAO
        .all()
        .filter(|c| is_reachable(c) && DAO.outcome(*c).is_some());
    let into = |class| {
        let before = DAO.predecessors().row(class).iter();
        before.filter(|c| is_reachable(c)).count()
    };
    let edges: usize = terminal.clone().map(into).sum();
    let average = edges as f64 / terminal.count() as f64;
    assert_eq!((average * 100.0).round(), 858.0);
    assert_eq!(DAO.total_moves(), 9_756_344);
    let average = 9_756_344.0 / 900_900.0;
    assert_eq!(f64::round(average * 100.0), 1083.0);
    let open = DAO.all().filter(|&c| DAO.outcome(c).is_none());
    let open: u32 = open.map(|c| DAO.size(c)).sum();
    assert_eq!((9_756_344.0 / f64::from(open) * 1e3).round(), 11_247.0);
}

/// The averages of the text, 7.99 and 8.49, count positions; between them are 6.99 and 7.49 moves.
#[test]
fn donkers_table_2_distances() {
    let distances = DAO.distances(DAO.start());
    let plain = counted(distances.iter().copied());
    assert_eq!(
        plain,
        [
            1, 3, 35, 253, 1_800, 6_429, 23_792, 39_531, 35_636, 3_313, 74
        ]
    );
    let [white, black] = DAO.bipartite_distances(DAO.start());
    let bipartite = counted(white.iter().chain(&black).copied());
    assert_eq!(
        bipartite,
        [
            1, 3, 35, 288, 2_056, 8_230, 30_221, 63_323, 75_167, 38_949, 3_387, 74
        ]
    );
    for side in [white, black] {
        assert_eq!(side.iter().flatten().count(), 110_867);
    }
    // To all but the start itself.
    let average = |counts: &[u64]| {
        let sum: u64 = counts
            .iter()
            .zip(0..)
            .map(|(n, distance)| n * distance)
            .sum();
        (100 * sum) as f64 / counts[1..].iter().sum::<u64>() as f64
    };
    assert_eq!(average(&plain).round(), 699.0);
    assert_eq!(average(&bipartite).round(), 749.0);
}

/// Printed is 2,091 at distance 4, but the start can be reached again by then.
#[test]
fn donkers_table_2_reachable() {
    let distances = DAO.distances(DAO.start());
    let again = DAO.smallest_cycles()[DAO.start() as usize];
    let within = |plies: u32| {
        let distance = |class: Class| match class == DAO.start() {
            true => again,
            false => distances[class as usize],
        };
        DAO.all()
            .filter(|&c| distance(c).is_some_and(|d| d <= plies))
            .count()
    };
    assert_eq!(
        (1..=11).map(within).collect::<Vec<_>>(),
        [
            3, 38, 291, 2_092, 8_521, 32_313, 71_844, 107_480, 110_793, 110_867, 110_867
        ]
    );
}

#[test]
fn donkers_section_4_2_the_start_can_be_reached_again_from_everywhere() {
    let mut seen = vec![false; DAO.classes()];
    let mut open = vec![DAO.start()];
    seen[DAO.start() as usize] = true;
    while let Some(class) = open.pop() {
        for &before in DAO.predecessors().row(class) {
            if !std::mem::replace(&mut seen[before as usize], true) {
                open.push(before);
            }
        }
    }
    assert!(
        DAO.all()
            .all(|c| seen[c as usize] || DAO.outcome(c).is_some())
    );
}

#[test]
fn donkers_section_4_5_cycles() {
    let cycles = DAO.smallest_cycles();
    let of_reachable = DAO.all().filter(is_reachable).map(|c| cycles[c as usize]);
    assert_eq!(counted(of_reachable), [0, 0, 1_888, 3_322, 103_539]);
    // Cycles of length two are twins: none has a class in common with another.
    let twins = DAO
        .all()
        .filter(|&c| is_reachable(&c) && cycles[c as usize] == Some(2));
    let partners = |class: Class| {
        let next = DAO.successors().row(class).iter();
        next.filter(|&&s| DAO.successors().row(s).contains(&class))
            .count()
    };
    assert!(twins.clone().all(|class| partners(class) == 1));
    assert_eq!(twins.count() / 2, 944);
}

/// Wins and losses of step 0 are exchanged in print, and one of the wins of step 3 cannot arise.
#[test]
fn donkers_table_3_steps() {
    let all = |classes: &Vec<Class>| classes.len();
    let reachable = |classes: &Vec<Class>| classes.iter().filter(|c| is_reachable(c)).count();
    let count = |of: &dyn Fn(&Vec<Class>) -> usize| -> Vec<(usize, usize)> {
        let steps = SOLVED.steps.iter();
        steps
            .map(|step| (of(&step.wins), of(&step.losses)))
            .collect()
    };
    let mut expected = [
        (2_123, 2_154),
        (9_950, 0),
        (0, 1_407),
        (8_087, 0),
        (0, 357),
        (1_480, 0),
        (0, 86),
        (324, 0),
        (0, 20),
        (75, 0),
        (0, 2),
        (6, 0),
    ];
    assert_eq!(count(&all), expected);
    expected[0] = (988, 1_130);
    expected[3].0 = 8_086;
    assert_eq!(count(&reachable), expected);
    let with = |wdl| {
        let values = DAO
            .all()
            .filter(is_reachable)
            .map(|c| SOLVED.values[c as usize]);
        values.filter(|value| value.wdl == wdl).count()
    };
    assert_eq!(
        [Wdl::Win, Wdl::Loss, Wdl::Draw].map(with),
        [20_909, 3_002, 86_956]
    );
    assert_eq!(SOLVED.values[DAO.start() as usize], TableValue::DRAW);
}

#[test]
fn donkers_figure_8_the_deepest_positions() {
    let losses = ["4/b3/wbbb/www1 w", "4/b2b/wbb1/www1 w"].map(class_of);
    assert_eq!(
        sorted(SOLVED.steps[10].losses.clone()),
        sorted(losses.to_vec())
    );
    let mut state = Dao.parse_position("1ww1/3b/2wb/1wbb w").unwrap();
    let line = "c4-c3 d3-c4 b4-a4 c4-a2 b1-b4 a2-a3 a4-b3 a3-a1 c2-d3 c1-b1 d3-c4";
    assert_eq!(SOLVED.steps[11].wins.len(), 6);
    assert!(
        SOLVED.steps[11]
            .wins
            .contains(&DAO.class(&Dao, &state).unwrap())
    );
    // Every move of the line is optimal.
    for (mv, left) in line.split(' ').zip((0..11).rev()) {
        let mv = Dao.parse_move(&state, mv).unwrap();
        Dao.play(&mut state, mv);
        let class = DAO.class(&Dao, &state).unwrap();
        assert_eq!(SOLVED.values[class as usize].plies, Some(left));
    }
}

#[test]
fn donkers_section_4_the_shortest_game_takes_five_plies() {
    let distances = DAO.distances(DAO.start());
    let ends = DAO.all().filter(|&c| DAO.outcome(c).is_some());
    assert_eq!(ends.filter_map(|c| distances[c as usize]).min(), Some(5));
}

/// A row of table 4: depth, then classes and visits of each kind, and leaves.
type Row4 = (u32, [(u64, f64); 4], u64);

#[test]
fn donkers_table_4_minimax() {
    #[rustfmt::skip]
    let rows: [Row4; 8] = [
        (1, [(3, 4.0), (0, 0.0), (3, 4.0), (3, 4.0)], 12),
        (2, [(38, 4.0), (35, 4.0), (3, 4.0), (35, 4.0)], 140),
        (3, [(294, 6.3), (35, 4.0), (291, 5.8), (288, 5.9)], 1_688),
        (4, [(2_121, 10.2), (2_092, 9.6), (291, 5.8), (2_092, 9.5)], 19_888),
        (5, [(8_570, 28.9), (2_092, 9.6), (8_521, 26.7), (8_521, 26.5)], 225_664),
        (6, [(32_562, 85.0), (32_313, 78.6), (8_521, 26.7), (32_374, 77.8)], 2_520_140),
        (7, [(72_166, 424.1), (32_313, 78.6), (71_844, 390.6), (72_076, 386.3)], 27_845_896),
        (8, [(108_861, 3_077.0), (107_480, 2_855.5), (71_844, 390.6), (108_789, 2_799.6)], 304_568_204),
    ];
    for (depth, columns, leaves) in rows {
        let visits = DAO.minimax_visits(depth);
        let tallies = [
            visits.all(),
            visits.first(),
            visits.second(),
            visits.evaluated(),
        ];
        for (tally, (classes, average)) in tallies.iter().zip(columns) {
            assert_eq!(tally.classes, classes, "depth {depth}");
            assert!(
                (tally.average() - average).abs() < 0.0501,
                "depth {depth}: {tally:?}"
            );
        }
        assert_eq!(visits.evaluated().visits, leaves, "depth {depth}");
    }
}

/// The share of games at random that last so long, by the chances of all classes: what the mean of
/// any number of games must come near to.
#[test]
fn donkers_section_5_random_games() {
    let mut chances = vec![0.0f64; DAO.classes()];
    chances[DAO.start() as usize] = 1.0;
    let (mut going, mut mean) = (1.0f64, 0.0);
    let mut ended = vec![0.0];
    for _ in 1..=600 {
        mean += going;
        let mut next = vec![0.0; DAO.classes()];
        let mut over = 0.0;
        for class in DAO.all().filter(|&c| chances[c as usize] > 0.0) {
            let moves = DAO.moves().row(class);
            let share = chances[class as usize] / moves.len() as f64;
            for &to in moves {
                match DAO.outcome(to) {
                    Some(_) => over += share,
                    None => next[to as usize] += share,
                }
            }
        }
        going -= over;
        ended.push(over);
        chances = next;
    }
    // From here on a constant share of the games ends with every ply.
    let decay = (ended[600] / ended[500]).ln() / 100.0;
    mean += going / -decay.exp_m1();
    assert!((mean - 74.8).abs() < 1.0, "{mean}");
    let games = DAO.random_games(100_000, 100_000, Seed::new(1), &Cancel::default());
    let games = games.unwrap();
    assert_eq!((games.unfinished, games.shortest()), (0, Some(5)));
    // The standard deviation is about that of an exponential distribution with this mean, so that
    // of the mean about 0.24.
    assert!((games.mean().unwrap() - mean).abs() < 1.0);
    assert!((games.decay(25).unwrap() / decay - 1.0).abs() < 0.05);
    let most = ended.iter().copied().fold(0.0, f64::max);
    assert_eq!(ended.iter().position(|&share| share == most), Some(17));
}
