//! Tests that look inside a search.

use tabia_game::{
    Deterministic, Game, Key, Knowledge, Limits, MoveIndex, Path, Payoff, Perfect, Player,
    Repetition, Turn, TwoPlayer,
};

use super::config::{Config, History};
use super::node::Worker;
use super::ordering::{Memory, ONE};
use super::quiescence::QUIESCENCE_PLIES;
use super::stats::{NodeType, Stats};
use super::window::{Node, Window};

/// Five moves a turn for ten plies; odd moves are tactical and estimates favour them.
struct Ladder;

impl Game for Ladder {
    type State = (u32, u32);
    type Move = u32;
    type Undo = (u32, u32);
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> (u32, u32) {
        (0, 0)
    }
    fn turn(&self, s: &(u32, u32)) -> Turn {
        if s.0 == 10 {
            Turn::Over
        } else {
            Turn::Player(Player((s.0 % 2) as u8))
        }
    }
    fn moves(&self, _: &(u32, u32), out: &mut Vec<u32>) {
        out.extend(0..5);
    }
    fn play(&self, s: &mut (u32, u32), mv: u32) -> (u32, u32) {
        std::mem::replace(s, (s.0 + 1, s.1.wrapping_mul(7).wrapping_add(mv)))
    }
    fn undo(&self, s: &mut (u32, u32), old: (u32, u32)) {
        *s = old;
    }
    fn payoff(&self, _: &(u32, u32), _: Player) -> Payoff {
        0
    }
}

impl TwoPlayer for Ladder {}

impl Key for Ladder {
    fn key(&self, s: &(u32, u32)) -> u64 {
        tabia_game::zobrist::number(u64::from(s.0), u64::from(s.1))
    }
}

impl MoveIndex for Ladder {
    fn move_indices(&self) -> usize {
        5
    }
    fn move_index(&self, mv: u32) -> usize {
        mv as usize
    }
}

struct Odd;

impl Knowledge<Ladder> for Odd {
    fn evaluate(&self, _: &Ladder, s: &(u32, u32), player: Player) -> i32 {
        let estimate = (s.1 % 101) as i32 * 1000;
        if player == Player::FIRST {
            estimate
        } else {
            -estimate
        }
    }
    fn is_tactical(&self, _: &Ladder, _: &(u32, u32), mv: u32) -> bool {
        mv % 2 == 1
    }
}

fn worker<'a>(config: &'a Config, memory: &'a mut Memory) -> Worker<'a, Ladder, Odd> {
    Worker {
        game: &Ladder,
        knowledge: &Odd,
        config,
        table: None,
        busy: None,
        memory,
        state: Ladder.start(),
        path: Path::new(),
        meter: Limits::default().meter(),
        stats: Stats::default(),
        moves: Vec::new(),
        scores: Vec::new(),
        priorities: Vec::new(),
        beam: Vec::new(),
        lines: vec![Vec::new(); 64],
        played: Vec::new(),
        repetition: Repetition::ALLOWED,
        max_payoff: 1,
        distances: false,
        excluded: Vec::new(),
    }
}

/// Winands et al. (2004), section 3: only the regular search updates the tables.
#[test]
fn winands_3_quiescence_leaves_the_tables_unchanged() {
    for history in [
        History::History,
        History::Butterfly,
        History::Relative,
        History::Gravity,
    ] {
        let config = Config {
            history,
            quiescence: true,
            killers: 2,
            countermove: true,
            continuation: true,
            ..Config::default()
        };
        let mut memory = Memory::new(5, &config);
        let mut search = worker(&config, &mut memory);
        search.root(Player::FIRST, Window::FULL, 3).unwrap();
        let before = search.memory.clone();
        let node = Node {
            mover: Player::FIRST,
            window: Window::FULL,
            depth: 0,
            ply: 0,
            kind: NodeType::Pv,
        };
        let visited = search.stats.quiescence;
        search.quiescence(node, QUIESCENCE_PLIES).unwrap();
        assert!(
            search.stats.quiescence > visited,
            "there was something to follow"
        );
        assert_eq!(*search.memory, before, "{history:?}");
    }
}

/// Winands et al. (2004), equation 1: with both increments 1 the score lies between 0 and 1.
#[test]
fn winands_eq_1_increments_of_one_give_scores_up_to_one() {
    let config = Config {
        history: History::Relative,
        best_increment: super::Increment::One,
        tried_increment: super::Increment::One,
        deepening: true,
        ..Config::default()
    };
    let mut memory = Memory::new(5, &config);
    for _ in 0..3 {
        memory.new_search(&config);
        let mut search = worker(&config, &mut memory);
        search.root(Player::FIRST, Window::FULL, 6).unwrap();
        let scores: Vec<u64> = (0..10)
            .map(|i| {
                search
                    .memory
                    .score(&config, Player(i / 5), u32::from(i % 5), None)
            })
            .collect();
        assert!(scores.iter().all(|&score| score <= ONE));
        assert!(scores.iter().any(|&score| score > 0));
    }
}
