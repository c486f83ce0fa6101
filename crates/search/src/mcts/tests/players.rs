//! More than two players.

use super::*;

/// Three players choose left or right in turn; what each gets is in a table.
struct Three;

impl Game for Three {
    type State = Vec<u8>;
    type Move = u8;
    type Undo = ();
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        3
    }
    fn start(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, state: &Vec<u8>) -> Turn {
        match state.len() {
            3 => Turn::Over,
            ply => Turn::Player(Player(ply as u8)),
        }
    }
    fn moves(&self, state: &Vec<u8>, out: &mut Vec<u8>) {
        if state.len() < 3 {
            out.extend([0, 1]);
        }
    }
    fn play(&self, state: &mut Vec<u8>, mv: u8) {
        state.push(mv);
    }
    fn undo(&self, state: &mut Vec<u8>, (): ()) {
        state.pop();
    }
    fn payoff(&self, state: &Vec<u8>, player: Player) -> i32 {
        const TABLE: [[i32; 3]; 8] = [
            [9, 9, 9],
            [0, 0, 0],
            [1, 1, 1],
            [0, 0, 0],
            [4, 4, 4],
            [5, 5, 5],
            [6, 3, 3],
            [7, 3, 3],
        ];
        let place = state
            .iter()
            .fold(0, |place, &mv| 2 * place + usize::from(mv));
        TABLE[place][player.index()]
    }
    fn max_payoff(&self) -> i32 {
        9
    }
    fn payoff_sum(&self) -> Option<i32> {
        None
    }
}

impl Key for Three {
    fn key(&self, state: &Vec<u8>) -> u64 {
        state.iter().fold(1, |key, &mv| 2 * key + u64::from(mv))
    }
}

impl MoveIndex for Three {
    fn move_indices(&self) -> usize {
        2
    }
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Left is worth 9 if everybody looks after themselves, but nothing against a conspiracy, against
/// which right is worth 4.
#[test]
fn many_players_look_after_themselves_or_conspire() {
    let limits = Limits::nodes(50_000);
    let (state, path) = (Three.start(), Path::new());
    let mut selfish = Mcts::<_, _, WithoutChance>::for_each_player(PLAIN, Uninformed, 3);
    let found = selfish.choose(at(&Three, &state, &path), &limits);
    assert_eq!(found.best, Some(0));
    assert!(found.value.unwrap() > 0.9);
    for solver in [false, true] {
        let config = Config { solver, ..PLAIN };
        let mut paranoid = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
        let found = paranoid.choose(at(&Three, &state, &path), &limits);
        assert_eq!((found.best, found.solved), (Some(1), false));
        assert!((found.value.unwrap() - 4.0 / 9.0).abs() < 0.05, "{found:?}");
    }
}

/// One move at a time, a very long way.
struct Corridor;

impl Game for Corridor {
    type State = u32;
    type Move = u8;
    type Undo = ();
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> u32 {
        20_000
    }
    fn turn(&self, left: &u32) -> Turn {
        match left {
            0 => Turn::Over,
            _ => Turn::Player(Player((left % 2) as u8)),
        }
    }
    fn moves(&self, left: &u32, out: &mut Vec<u8>) {
        out.extend((*left > 0).then_some(0));
    }
    fn play(&self, left: &mut u32, _: u8) {
        *left -= 1;
    }
    fn undo(&self, left: &mut u32, (): ()) {
        *left += 1;
    }
    fn payoff(&self, _: &u32, player: Player) -> i32 {
        1 - 2 * i32::from(player.0)
    }
}

impl Key for Corridor {
    fn key(&self, left: &u32) -> u64 {
        u64::from(*left)
    }
}

impl MoveIndex for Corridor {
    fn move_indices(&self) -> usize {
        1
    }
    fn move_index(&self, _: u8) -> usize {
        0
    }
}

/// A tree as deep as it may be is dropped without exhausting the stack of a thread.
#[test]
fn deep_trees_are_dropped() {
    let config = Config { plies: 1, ..PLAIN };
    let (state, path) = (Corridor.start(), Path::new());
    let mut engine = Mcts::<_, _, WithoutChance>::new(config, Uninformed);
    let found = engine.choose(at(&Corridor, &state, &path), &Limits::default());
    assert_eq!(found.best, Some(0));
    assert!(found.line.len() > 1000);
}
