use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rand::RngExt;
use tabia_game::bits::Bits;
use tabia_game::{Game, GameRng, Knowledge, Player, Seed, Text, Turn};
use tabia_kit::Kit;
use tabia_tables::patterns::Abstraction;

use super::playout::{Goals, hand};
use super::star::{CELL, CELLS, NEXT, NONE, PIECES, TRIANGLE, row_of};
use super::{ChineseCheckers, Foreign, Move, PASS, Race, Rules, Solitaire, Target};

fn game(players: usize, rules: Rules) -> ChineseCheckers {
    ChineseCheckers::new(players, rules).unwrap()
}

fn thesis(players: usize) -> ChineseCheckers {
    game(players, Rules::default())
}

#[test]
fn conforms() {
    let through = Rules {
        foreign: Foreign::Through,
        leave: true,
        ..Rules::default()
    };
    let open = Rules {
        foreign: Foreign::Open,
        target: Target::Own,
        longest: 300,
        ..Rules::default()
    };
    for game in [
        thesis(2),
        thesis(3),
        thesis(4),
        thesis(6),
        game(3, through),
        game(2, open),
    ] {
        Kit::new()
            .key()
            .move_index()
            .text()
            .text_key()
            .symmetric()
            .any_turn(ChineseCheckers::hand_turn)
            .draw()
            .effort(4, 60)
            .run(&game)
            .unwrap();
    }
}

/// 37 cells of the hexagon and six triangles of six.
#[test]
fn the_star_has_73_cells() {
    let of = |triangle: u8| TRIANGLE.iter().filter(|&&t| t == triangle).count();
    assert_eq!((0..=6).map(of).collect::<Vec<_>>(), [6, 6, 6, 6, 6, 6, 37]);
    let mut rows = [0; 13];
    (0..CELLS).for_each(|cell| rows[row_of(cell).0] += 1);
    assert_eq!(rows, [1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1]);
    // Neighbours are mutual, and the opposite direction leads back.
    for (cell, near) in NEXT.iter().enumerate() {
        for (direction, &next) in near.iter().enumerate().filter(|&(_, &next)| next != NONE) {
            assert_eq!(
                usize::from(NEXT[usize::from(next)][(direction + 3) % 6]),
                cell
            );
        }
    }
}

/// The first move of a player has ten choices.
#[test]
fn ten_first_moves() {
    for players in [2, 3, 4, 6] {
        let game = thesis(players);
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut moves);
        assert_eq!(moves.len(), 10);
    }
}

#[test]
fn only_two_three_four_or_six_play() {
    for players in [0, 1, 5, 7] {
        let error = ChineseCheckers::new(players, Rules::default())
            .err()
            .unwrap();
        assert!(error.to_string().contains("two, three, four or six"));
    }
}

/// The rules by coordinates on a plain map, written from the rule book.
struct Plain {
    /// Coordinates of each cell: a row and a place in it, in half cells.
    at: Vec<(i32, i32)>,
    owner: Vec<Option<usize>>,
}

impl Plain {
    fn new(owner: Vec<Option<usize>>) -> Plain {
        // Rows of the star as everybody can draw it, and where each begins.
        let rows = [
            (1, 12),
            (2, 11),
            (3, 10),
            (10, 3),
            (9, 4),
            (8, 5),
            (7, 6),
            (8, 5),
            (9, 4),
            (10, 3),
            (3, 10),
            (2, 11),
            (1, 12),
        ];
        let mut at = Vec::new();
        for (row, (length, first)) in (0..).zip(rows) {
            at.extend((0..length).map(|i| (row, first + 2 * i)));
        }
        Plain { at, owner }
    }

    fn cell(&self, (row, half): (i32, i32)) -> Option<usize> {
        self.at.iter().position(|&at| at == (row, half))
    }

    fn steps() -> [(i32, i32); 6] {
        [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    }

    fn moved(&self, from: usize, (row, half): (i32, i32)) -> Option<usize> {
        let at = self.at[from];
        self.cell((at.0 + row, at.1 + half))
    }

    fn jump(&self, from: usize, may_pass: &dyn Fn(usize) -> bool, seen: &mut BTreeSet<usize>) {
        for step in Plain::steps() {
            let Some(over) = self
                .moved(from, step)
                .filter(|&over| self.owner[over].is_some())
            else {
                continue;
            };
            let Some(land) = self.moved(over, step) else {
                continue;
            };
            if self.owner[land].is_none() && may_pass(land) && seen.insert(land) {
                self.jump(land, may_pass, seen);
            }
        }
    }

    /// Moves of a piece; `region` tells hexagon (none) and triangles apart.
    fn moves(
        &mut self,
        from: usize,
        home: usize,
        rules: Rules,
        region: &[Option<usize>],
    ) -> BTreeSet<usize> {
        let owner = self.owner[from].take();
        let target = (home + 3) % 6;
        let own = |cell: usize| region[cell].is_none_or(|t| t == home || t == target);
        let may_pass = |cell: usize| rules.foreign != Foreign::Closed || own(cell);
        let may_stop = |cell: usize| rules.foreign == Foreign::Open || own(cell);
        let mut reached = BTreeSet::new();
        self.jump(from, &may_pass, &mut reached);
        let near = Plain::steps()
            .into_iter()
            .filter_map(|step| self.moved(from, step));
        reached.extend(near.filter(|&near| self.owner[near].is_none()));
        self.owner[from] = owner;
        reached.remove(&from);
        reached.retain(|&to| may_stop(to));
        if !rules.leave && region[from] == Some(target) {
            reached.retain(|&to| region[to] == Some(target));
        }
        reached
    }
}

/// The triangles by rows and halves: the first below, then as the seats go round, by the left.
fn regions(plain: &Plain) -> Vec<Option<usize>> {
    let region = |&(row, half): &(i32, i32)| match row {
        0..=2 => Some(0),
        3..=5 if half < 12 - row => Some(1),
        3..=5 if half > 12 + row => Some(5),
        7..=9 if half < row => Some(2),
        7..=9 if half > 24 - row => Some(4),
        10..=12 => Some(3),
        _ => None,
    };
    plain.at.iter().map(region).collect()
}

fn agree(players: usize, rules: Rules, seed: u64) {
    let game = game(players, rules);
    let mut rng: GameRng = Seed::new(seed).rng();
    let mut state = game.start();
    let owner = |state: &<ChineseCheckers as Game>::State| -> Vec<Option<usize>> {
        (0..CELLS)
            .map(|cell| state.pieces.iter().position(|own| own.has(cell)))
            .collect()
    };
    let mut plain = Plain::new(owner(&state));
    let region = regions(&plain);
    for ply in 0..100 {
        let Turn::Player(mover) = game.turn(&state) else {
            break;
        };
        assert_eq!(mover.index(), ply % players);
        let home = usize::from(game.home(mover));
        let mut listed = Vec::new();
        game.moves(&state, &mut listed);
        let mut expected = BTreeSet::new();
        for from in (0..CELLS)
            .filter(|&cell| plain.owner[cell] == Some(mover.index()))
            .collect::<Vec<_>>()
        {
            for to in plain.moves(from, home, rules, &region) {
                expected.insert(Move {
                    from: from as u8,
                    to: to as u8,
                });
            }
        }
        let moves: BTreeSet<Move> = listed.iter().copied().filter(|&mv| mv != PASS).collect();
        assert_eq!(moves, expected, "{}", game.position_text(&state));
        let mv = listed[rng.random_range(0..listed.len())];
        if mv != PASS {
            plain.owner[usize::from(mv.to)] = plain.owner[usize::from(mv.from)].take();
        }
        game.play(&mut state, mv);
        assert_eq!(owner(&state), plain.owner);
        let winner = (0..players).find(|&player| {
            let target = (usize::from(game.homes[player]) + 3) % 6;
            let fillers: Vec<_> = (0..CELLS)
                .filter(|&c| region[c] == Some(target))
                .map(|c| plain.owner[c])
                .collect();
            match rules.target {
                Target::Filled => {
                    fillers.iter().all(Option::is_some) && fillers.contains(&Some(player))
                }
                Target::Own => fillers.iter().all(|&filler| filler == Some(player)),
            }
        });
        match winner {
            Some(winner) => assert_eq!(
                game.payoff(&state, Player(winner as u8)),
                players as i32 - 1
            ),
            None => assert_ne!(game.turn(&state), Turn::Over),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn equals_a_plain_star(
        players in prop::sample::select(vec![2usize, 3, 4, 6]),
        foreign in prop::sample::select(vec![Foreign::Closed, Foreign::Through, Foreign::Open]),
        leave: bool,
        own: bool,
        seed: u64,
    ) {
        let target = if own { Target::Own } else { Target::Filled };
        agree(players, Rules { leave, foreign, target, longest: 1000 }, seed);
    }
}

/// Every number below the number of moves stands for one of them, and no two for the same: what
/// random games draw is as uniform as the number is.
#[test]
fn numbers_of_random_moves_are_the_moves() {
    for (players, leave) in [(2, false), (3, false), (4, true), (6, false), (6, true)] {
        let game = game(
            players,
            Rules {
                leave,
                ..Rules::default()
            },
        );
        let mut rng = Seed::new(5).rng();
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let seat = game.seat(state.mover);
            let hand = hand(state.framed[state.mover.index()]);
            let goals = Goals::new(&hand, state.occupied[seat.frame], seat);
            let cells = &CELL[seat.frame];
            let mv = |(piece, to): (usize, usize)| Move {
                from: cells[hand[piece].trailing_zeros() as usize],
                to: cells[to],
            };
            let mut drawn: Vec<Move> = (0..goals.total()).map(|n| mv(goals.nth(n))).collect();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            moves.retain(|&mv| mv != PASS);
            moves.sort();
            drawn.sort();
            assert_eq!(drawn, moves, "{}", game.position_text(&state));
            game.play_at_random(&mut state, 1, &mut moves, &mut rng);
        }
    }
}

/// Random games draw every legal move, and each as often as any other: the counts of positions with
/// steps, jumps and pieces in the target are those of equal chances, by a chi-squared test far
/// beyond doubt.
#[test]
fn random_moves_are_uniform() {
    let game = thesis(3);
    let mut rng = Seed::new(5).rng();
    let mut state = game.start();
    for _ in 0..100 {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let after = |&mv: &Move| {
            let mut next = state;
            game.play(&mut next, mv);
            (next, 0u32)
        };
        let mut counts: BTreeMap<_, u32> = moves.iter().map(after).collect();
        assert_eq!(counts.len(), moves.len());
        for _ in 0..60 * moves.len() {
            let mut next = state;
            game.play_at_random(&mut next, 1, &mut Vec::new(), &mut rng);
            *counts.get_mut(&next).expect("a legal move") += 1;
        }
        let squares = counts
            .values()
            .map(|&n| (f64::from(n) - 60.0).powi(2) / 60.0);
        let (statistic, freedom) = (squares.sum::<f64>(), moves.len() as f64 - 1.0);
        assert!(
            statistic < freedom + 6.0 * (2.0 * freedom).sqrt() + 10.0,
            "{statistic} of {freedom}"
        );
        game.play_at_random(&mut state, 1, &mut moves, &mut rng);
    }
}

/// Random games end where play move by move would, and leave the position that play would.
#[test]
fn random_games_leave_sound_positions() {
    for players in [2, 3, 4, 6] {
        let game = thesis(players);
        let mut rng = Seed::new(9).rng();
        for plies in [1, 2, 7, 50, 400, 2000] {
            let mut state = game.start();
            let played = game.play_at_random(&mut state, plies, &mut Vec::new(), &mut rng);
            assert_eq!(u32::from(state.plies), played);
            let read = game.parse_position(&game.position_text(&state));
            assert_eq!(read, Ok(state));
            assert_eq!(game.turn(&state) == Turn::Over, played < plies);
        }
    }
}

/// Somebody who stays at home does not block the other's win.
#[test]
fn fillers_may_be_others() {
    let game = thesis(2);
    let position = "b/bb/1bb/10/9/8/7/8/9/4r5/rrr/rr/b r";
    // There is no Blue with two players.
    assert!(game.parse_position(position).is_err());
    let position = "g/gg/1gg/4r5/9/8/7/8/9/3rr5/rrr/1g/1 r";
    let mut state = game.parse_position(position).unwrap();
    let entering = game.parse_move(&state, "j5-k1");
    let mv = entering.unwrap_or_else(|error| panic!("{error}"));
    game.play(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!([0, 1].map(|p| game.payoff(&state, Player(p))), [1, -1]);
    // With own pieces alone it is not won.
    let strict = ChineseCheckers::new(
        2,
        Rules {
            target: Target::Own,
            ..Rules::default()
        },
    )
    .unwrap();
    let mut state = strict.parse_position(position).unwrap();
    strict.play(&mut state, mv);
    assert_eq!(strict.turn(&state), Turn::Player(Player(1)));
}

#[test]
fn numbers_of_positions() {
    let small = Solitaire::new(Rules::default());
    assert_eq!(small.positions(), 13_983_816);
    let large = Solitaire::new(Rules {
        foreign: Foreign::Open,
        ..Rules::default()
    });
    assert_eq!(large.positions(), 170_230_452);
    // Numbers lead back to themselves, and the plain moves are those of the rhombus and of the
    // star.
    for solitaire in [small, large] {
        for number in [0, 1, 77, 1_234_567, solitaire.positions() - 1] {
            let mut out = Vec::new();
            solitaire.expand(number, 1, &mut out);
            assert!(out.iter().all(|&(to, _)| to < solitaire.positions()));
        }
    }
}

/// How many positions of the pieces of one player alone are 0, 1, 2 and so on moves from the
/// target, by the plain rules: those from which a move leads to one that is a move nearer.
fn plain_layers(rules: Rules, count: usize) -> Vec<usize> {
    let mut plain = Plain::new(vec![None; CELLS]);
    let region = regions(&plain);
    let (home, target) = (0, 3);
    let backwards = Rules {
        leave: true,
        ..rules
    };
    let filled = (0..CELLS).filter(|&cell| region[cell] == Some(target));
    let mut seen = BTreeSet::from([filled.collect::<BTreeSet<usize>>()]);
    let mut layer: Vec<_> = seen.iter().cloned().collect();
    let mut sizes = vec![1];
    while sizes.len() < count {
        let mut next = Vec::new();
        for position in &layer {
            for &to in position {
                plain.owner = vec![None; CELLS];
                position
                    .iter()
                    .for_each(|&cell| plain.owner[cell] = Some(home));
                for from in plain.moves(to, home, backwards, &region) {
                    // What can be taken back need not be a move of the rules.
                    plain.owner.swap(from, to);
                    let forwards = plain.moves(from, home, rules, &region);
                    plain.owner.swap(from, to);
                    let mut before = position.clone();
                    before.remove(&to);
                    before.insert(from);
                    if forwards.contains(&to) && seen.insert(before.clone()) {
                        next.push(before);
                    }
                }
            }
        }
        sizes.push(next.len());
        layer = next;
    }
    sizes
}

/// The layers of `tabia-tables`, `tests/solitaire.rs`, by the plain rules of this file.
#[test]
fn first_layers_of_solitary_play() {
    let sizes = |leave| {
        let rules = Rules {
            leave,
            ..Rules::default()
        };
        plain_layers(rules, 6)
    };
    let (stay, leave) = (sizes(false), sizes(true));
    assert_eq!(stay[..5], leave[..5]);
    assert_eq!((stay[1], stay[5], leave[5]), (10, 9_351, 9_353));
}

/// With pieces that may leave the target every move can be taken back, so both ways to list them
/// agree.
#[test]
fn moves_alone_equal_plain_ones() {
    for foreign in [Foreign::Closed, Foreign::Through, Foreign::Open] {
        let solitaire = Solitaire::new(Rules {
            foreign,
            leave: true,
            ..Rules::default()
        });
        let mut number = 1u64;
        for _ in 0..300 {
            number = tabia_game::zobrist::mix(number);
            let pattern = number % solitaire.positions();
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            solitaire.expand(pattern, 1, &mut fast);
            solitaire.neighbours(pattern, 0, &mut plain);
            let fast: BTreeSet<u64> = fast.iter().map(|&(to, _)| to).collect();
            let plain: BTreeSet<u64> = plain.iter().map(|&(to, ..)| to).collect();
            assert_eq!(fast, plain, "{foreign:?} {pattern}");
        }
    }
}

/// All players look the same to themselves at the start.
#[test]
fn everybody_begins_equally_far() {
    for foreign in [Foreign::Closed, Foreign::Open] {
        let rules = Rules {
            foreign,
            ..Rules::default()
        };
        let game = game(6, rules);
        let solitaire = Solitaire::new(rules);
        let start = game.start();
        let numbers: BTreeSet<u64> = (0..6)
            .map(|p| solitaire.number(&game, &start, Player(p)))
            .collect();
        assert_eq!(numbers.len(), 1);
        let values: BTreeSet<i32> = (0..6)
            .map(|p| Race::by_rows().evaluate(&game, &start, Player(p)))
            .collect();
        assert_eq!(values, BTreeSet::from([-300 * 56]));
    }
    assert_eq!(PIECES, 6);
}

#[test]
fn impossible_positions_are_refused() {
    let game = thesis(3);
    let error = |text: &str| game.parse_position(text).err().unwrap().to_string();
    let start = game.position_text(&game.start());
    assert!(error("1/2").contains("13"));
    assert!(error(&start.replacen("rrr", "2r", 1)).contains("Red has 4 pieces"));
    assert!(error(&start.replace(" r 0", " w 0")).contains("'r', 'g', 'y'"));
    assert!(error(&start.replace(" r 0", " r 1001")).contains("1000"));
    // A side triangle is closed to Red.
    let strayed = start
        .replacen("/r r 0", "/1 r 0", 1)
        .replacen("10/", "9r/", 1);
    assert!(error(&strayed).contains("may not stop"), "{strayed}");
}
