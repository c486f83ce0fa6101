use super::tests::{board, list, position};
use super::*;
use proptest::prelude::*;
use rand::Rng;
use tabia_game::{CERTAIN, GameRng, Knowledge, Path, Seed, Text};

const GAME: Loa = Loa { both: Both::Draw };

/// Up to twelve pieces a side anywhere, whatever that means for the game.
fn any_position() -> impl Strategy<Value = State> {
    let squares = prop::collection::vec(0usize..64, 2..=24);
    (squares, any::<bool>()).prop_map(|(squares, white)| {
        let mut pieces = [0u64; 2];
        for (i, square) in squares.into_iter().enumerate() {
            pieces[i % 2] |= 1 << square;
            pieces[(i + 1) % 2] &= !(1 << square);
        }
        for (side, corner) in [(0, 0), (1, 63)] {
            if pieces[side] == 0 {
                pieces[side] = 1 << corner;
                pieces[side ^ 1] &= !(1 << corner);
            }
        }
        let pieces = if pieces.contains(&0) { START } else { pieces };
        GAME.set_up(pieces, Player(u8::from(white)))
    })
}

fn places(board: Board) -> Vec<(i32, i32)> {
    board
        .iter()
        .map(|square| (square as i32 % 8, square as i32 / 8))
        .collect()
}

/// The number of connected sets of places, where two are neighbours if `touch` says so.
fn groups(mut places: Vec<(i32, i32)>, touch: fn((i32, i32), (i32, i32)) -> bool) -> i32 {
    let mut count = 0;
    while let Some(place) = places.pop() {
        count += 1;
        let mut stack = vec![place];
        while let Some(place) = stack.pop() {
            places.retain(|&other| {
                let near = touch(place, other);
                if near {
                    stack.push(other);
                }
                !near
            });
        }
    }
    count
}

fn king_step((a, b): (i32, i32), (c, d): (i32, i32)) -> bool {
    (a - c).abs().max((b - d).abs()) == 1
}

fn rook_step((a, b): (i32, i32), (c, d): (i32, i32)) -> bool {
    (a - c).abs() + (b - d).abs() == 1
}

/// Groups minus holes; a hole is an empty region from which no orthogonal path leads outside.
fn plain_euler(own: Board) -> i32 {
    let pieces = places(own);
    let empty = (-1..9)
        .flat_map(|x| (-1..9).map(move |y| (x, y)))
        .filter(|place| !pieces.contains(place))
        .collect();
    groups(pieces, king_step) - (groups(empty, rook_step) - 1)
}

fn plain_walls(own: Board, enemy: Board) -> i32 {
    let own = places(own);
    let mut walls = 0;
    for (x, y) in places(enemy) {
        for (edge, inward) in [
            (x == 0, (1, 0)),
            (x == 7, (-1, 0)),
            (y == 0, (0, 1)),
            (y == 7, (0, -1)),
        ] {
            let (dx, dy) = inward;
            let ahead = [(dx, dy), (dx + dy, dy + dx), (dx - dy, dy - dx)];
            let blocked = ahead.iter().filter(|(a, b)| own.contains(&(x + a, y + b)));
            walls += if edge {
                (blocked.count() as i32 - 1).max(0)
            } else {
                0
            };
        }
    }
    walls
}

fn plain_mobility(state: &State, player: Player) -> i32 {
    let (own, enemy) = (state.pieces(player), state.pieces(player.other()));
    let mut moves = Vec::new();
    moves::list(own, enemy, &mut moves);
    let value = |mv: &Move| {
        let (x, y) = (mv.to() % 8, mv.to() / 8);
        let on_edge = x == 0 || x == 7 || y == 0 || y == 7;
        let captures = enemy & 1 << mv.to() != 0;
        (if captures { 4 } else { 2 }) / (if on_edge { 2 } else { 1 })
    };
    moves.iter().map(value).sum()
}

proptest! {
    #[test]
    fn evaluations_of_both_players_cancel_out(state in any_position()) {
        let mia = Mia::default();
        let value = mia.evaluate(&GAME, &state, Player::FIRST);
        prop_assert_eq!(mia.evaluate(&GAME, &state, Player::SECOND), -value);
        prop_assert!(value.abs() < CERTAIN);
        let colours_exchanged = GAME.set_up(
            [state.pieces[1], state.pieces[0]],
            state.mover.other(),
        );
        prop_assert_eq!(mia.evaluate(&GAME, &colours_exchanged, Player::SECOND), value);
    }

    #[test]
    fn evaluation_is_invariant_under_symmetry(state in any_position()) {
        for symmetry in 1..8 {
            let image = GAME.map_state(&state, symmetry);
            prop_assert_eq!(Features::of(&image), Features::of(&state));
        }
    }

    #[test]
    fn features_equal_plain_counts(state in any_position()) {
        for (side, features) in Features::of(&state).into_iter().enumerate() {
            let player = Player(side as u8);
            let (own, enemy) = (state.pieces(player), state.pieces(player.other()));
            let pieces = places(own);
            prop_assert_eq!(features.euler, plain_euler(own));
            prop_assert_eq!(features.walls, plain_walls(own, enemy));
            prop_assert_eq!(features.mobility, plain_mobility(&state, player));
            let touching: usize = pieces
                .iter()
                .map(|&a| pieces.iter().filter(|&&b| king_step(a, b)).count())
                .sum();
            prop_assert_eq!(features.connectedness, (256 * touching / pieces.len()) as i32);
            let span = |values: Vec<i32>| {
                values.iter().max().unwrap() - values.iter().min().unwrap() + 1
            };
            let width = span(pieces.iter().map(|p| p.0).collect());
            let height = span(pieces.iter().map(|p| p.1).collect());
            prop_assert_eq!(features.area, width * height);
        }
    }

    #[test]
    fn no_weights_make_an_estimate_certain(state in any_position(), weight: i32) {
        let weights = Weights { mobility: weight, dispersion: i32::MAX, ..Weights::default() };
        prop_assert!(Mia::with(weights).evaluate(&GAME, &state, Player::FIRST).abs() < CERTAIN);
    }
}

/// By hand: the centre of mass of b2 b3 c2 c3 lies between them, half a square from each; that
/// is less than the least possible around a square, 3/4 on average, by a quarter.
#[test]
fn features_of_a_square_block() {
    let pieces = [board("b2 b3 c2 c3"), board("g7 h8")];
    let [features, _] = Features::of(&GAME.set_up(pieces, Player::FIRST));
    assert_eq!(features.dispersion, -256 / 4);
    assert_eq!(features.eccentricity, 2 * 256);
    assert_eq!((features.quads_of_three, features.quads_of_four), (0, 1));
    assert_eq!((features.euler, features.area), (1, 4));
    assert_eq!(features.connectedness, 3 * 256);
}

/// A quad counts only near the centre of mass, which is d4 in one case, and four files away from
/// the quad in the other.
#[test]
fn quads_far_from_the_centre_of_mass_do_not_count() {
    let near = board("d4 d5 e4 b2 g7");
    let far = board("a3 a4 b3 h1 h3 h5 h7 h8 f2 f4 f6 f8");
    for (own, quads) in [(near, 1), (far, 0)] {
        let state = GAME.set_up([own, board("c8 f8")], Player::FIRST);
        assert_eq!(Features::of(&state)[0].quads_of_three, quads);
    }
}

fn find(state: &State, text: &str) -> Move {
    GAME.parse_move(state, text).unwrap()
}

/// Winands et al. (2004, section 4.2): captures into the central 4x4, then into the 6x6 rim.
#[test]
fn section_4_2_classes_of_captures() {
    let state = position("8/b1w5/8/8/b2w3w/8/8/5w1b b");
    for (text, class) in [("a4xd4", 2), ("a7xc7", 1), ("h1xf1", 0), ("a7-a5", 0)] {
        let mv = find(&state, text);
        assert_eq!(Mia::default().priority(&GAME, &state, mv), class, "{text}");
        assert_eq!(GAME.move_text(&state, mv), text);
        assert_eq!(Mia::default().is_tactical(&GAME, &state, mv), class == 2);
    }
}

/// Outside the centre, a7xc7 is looked at if it tears White's pieces apart or joins Black's.
#[test]
fn section_4_2_captures_that_form_or_destroy_connections() {
    for (text, tactical) in [
        ("8/b1w5/8/8/b6w/8/8/5w1b b", false),
        ("1w6/b1w5/3w4/8/b6w/8/8/5w1b b", true),
        ("2ww4/b1w5/8/8/b6w/8/8/5w1b b", false),
        ("8/b1w5/3b4/8/b6w/8/8/5w1b b", true),
        ("1b6/b1w5/8/8/b6w/8/8/5w1b b", false),
        ("1b6/b1w5/3b4/8/b6w/8/8/5w1b b", true),
    ] {
        let state = position(text);
        let mv = find(&state, "a7xc7");
        assert_eq!(
            Mia::default().is_tactical(&GAME, &state, mv),
            tactical,
            "{text}"
        );
    }
}

#[test]
fn giving_the_turn_away() {
    let mia = Mia::default();
    let mut state = GAME.start();
    let old = mia.pass(&GAME, &mut state).unwrap();
    assert_eq!(old, GAME.start());
    assert_eq!(state, GAME.set_up(START, Player::SECOND));
    let blocked = position("6wb/6ww/8/8/8/8/ww6/bw6 b");
    let over = position("b7/8/8/8/8/8/8/w6w w");
    for stuck in [blocked, over] {
        let mut copy = stuck;
        assert!(mia.pass(&GAME, &mut copy).is_none());
        assert_eq!(copy, stuck);
    }
}

#[test]
fn fewer_than_five_pieces_are_an_endgame() {
    let mia = Mia::default();
    assert!(!mia.is_endgame(&GAME, &GAME.start()));
    let four_against_five = "b1b1b1b1/8/8/w1w1w1w1/8/8/8/7w";
    assert!(mia.is_endgame(&GAME, &position(&format!("{four_against_five} b"))));
    assert!(!mia.is_endgame(&GAME, &position(&format!("{four_against_five} w"))));
}

/// Counts nothing but moves.
struct MovesOnly;

impl Knowledge<Loa> for MovesOnly {
    fn evaluate(&self, _: &Loa, state: &State, player: Player) -> i32 {
        let [first, second] = Features::of(state).map(|features| features.mobility);
        if player == Player::FIRST {
            first - second
        } else {
            second - first
        }
    }
}

fn negamax(
    knowledge: &dyn Knowledge<Loa>,
    state: &State,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    if GAME.turn(state) == Turn::Over {
        return CERTAIN * GAME.payoff(state, state.mover);
    }
    if depth == 0 {
        return knowledge.evaluate(&GAME, state, state.mover);
    }
    for mv in list(state) {
        let mut child = *state;
        GAME.play(&mut child, mv);
        alpha = alpha.max(-negamax(knowledge, &child, depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The best move by a search of this depth; with depth zero, a random move.
fn choose(knowledge: &dyn Knowledge<Loa>, state: &State, depth: u32, rng: &mut GameRng) -> Move {
    let mut moves = list(state);
    let random = rng.next_u32() as usize % moves.len();
    moves.rotate_left(random);
    if depth == 0 {
        return moves[0];
    }
    let mut best = (-2 * CERTAIN, moves[0]);
    for mv in moves {
        let mut child = *state;
        GAME.play(&mut child, mv);
        let value = -negamax(knowledge, &child, depth - 1, -2 * CERTAIN, -best.0);
        if value > best.0 {
            best = (value, mv);
        }
    }
    best.1
}

/// Points of the first player out of `games`, two for a win and one for a draw. Both play both
/// colours from openings of four random moves.
fn points(players: [(&dyn Knowledge<Loa>, u32); 2], games: u64) -> i32 {
    let mut points = 0;
    for number in 0..games {
        let mut rng = Seed::new(4).number(number / 2).rng();
        let swapped = (number % 2) as usize;
        let mut state = GAME.start();
        let mut path = Path::new();
        for ply in 0..300 {
            if GAME.turn(&state) == Turn::Over
                || GAME.repetition().is_draw(path.push(GAME.key(&state)))
            {
                break;
            }
            let (knowledge, depth) = players[state.mover.index() ^ swapped];
            let depth = if ply < 4 { 0 } else { depth };
            let mv = choose(knowledge, &state, depth, &mut rng);
            GAME.play(&mut state, mv);
        }
        points += 1 + GAME.payoff(&state, Player(swapped as u8));
    }
    points
}

#[test]
fn it_beats_a_player_who_counts_moves() {
    let mia = Mia::default();
    let points = points([(&mia, 2), (&MovesOnly, 2)], 40);
    assert!(points > 60, "{points} of 80");
}

#[test]
fn it_beats_a_random_player() {
    let mia = Mia::default();
    let points = points([(&mia, 2), (&mia, 0)], 24);
    assert!(points >= 46, "{points} of 48");
}
