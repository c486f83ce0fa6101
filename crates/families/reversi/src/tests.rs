use proptest::prelude::*;
use tabia_game::bits::{Bits, Wide};
use tabia_game::{Game, GameRng, Player, Seed, Text, Turn, perft};
use tabia_kit::Kit;

use rand::RngExt;

use super::{Corners, Othello, Place, Rolit, Score};

fn rolit(players: usize, side: usize) -> Rolit<u64> {
    Rolit::new(players, side, Score::Win).unwrap()
}

fn othello(side: usize) -> Othello<u64> {
    Othello::new(side, Score::Win).unwrap()
}

#[test]
fn rolit_conforms() {
    let kit = || {
        Kit::new()
            .key()
            .move_index()
            .text()
            .text_key()
            .symmetric()
            .any_turn(Rolit::hand_turn)
            .draw()
            .effort(8, 70)
    };
    for (players, side, score) in [
        (2, 6, Score::Win),
        (3, 8, Score::Win),
        (4, 4, Score::Pieces),
        (3, 6, Score::Pieces),
    ] {
        let game = Rolit::<u64>::new(players, side, score).unwrap();
        kit().run(&game).unwrap();
    }
    let wide = Rolit::<Wide>::new(4, 10, Score::Win).unwrap();
    Kit::new()
        .key()
        .text_key()
        .effort(1, 20)
        .run(&wide)
        .unwrap();
}

#[test]
fn othello_conforms() {
    let kit = || {
        Kit::new()
            .two_player()
            .key()
            .move_index()
            .text()
            .text_key()
            .symmetric()
            .draw()
            .effort(8, 70)
    };
    kit().run(&othello(8)).unwrap();
    kit().run(&othello(6)).unwrap();
    kit()
        .run(&Othello::<u64>::new(4, Score::Pieces).unwrap())
        .unwrap();
    let wide = Othello::<Wide>::new(18, Score::Win).unwrap();
    Kit::new()
        .key()
        .text_key()
        .effort(1, 20)
        .run(&wide)
        .unwrap();
}

fn counts<G: Game>(game: &G, depth: u32) -> Vec<u64> {
    (1..=depth).map(|d| perft(game, &game.start(), d)).collect()
}

/// The well-known counts of move sequences of Othello.
#[test]
fn perft_of_othello() {
    let known = [4, 12, 56, 244, 1_396, 8_200, 55_092];
    assert_eq!(counts(&othello(8), 7), known);
    let wide = Othello::<Wide>::new(8, Score::Win).unwrap();
    assert_eq!(counts(&wide, 5), known[..5]);
}

#[test]
#[ignore = "a minute: tabia reproduce proofs othello"]
fn perft_of_othello_beyond() {
    let game = othello(8);
    assert_eq!(perft(&game, &game.start(), 8), 390_216);
    // Passes are moves of this count.
    assert_eq!(perft(&game, &game.start(), 9), 3_005_288);
    // Bik (2009) counts 24,571,284: in 228 games nobody can move after nine moves, which is the end
    // here and goes on with a pass there.
    assert_eq!(over_after(&game, &mut game.start(), 9), 228);
    assert_eq!(perft(&game, &game.start(), 10), 24_571_284 - 228);
}

/// How many sequences of this many moves end the game.
fn over_after<G: Game>(game: &G, state: &mut G::State, depth: u32) -> u64 {
    let mut moves = Vec::new();
    match (game.turn(state), depth) {
        (turn, 0) => return u64::from(turn == Turn::Over),
        (Turn::Over, _) => return 0,
        _ => game.moves(state, &mut moves),
    }
    let mut over = 0;
    for mv in moves {
        let token = game.play(state, mv);
        over += over_after(game, state, depth - 1);
        game.undo(state, token);
    }
    over
}

/// Rolit from red and yellow over blue and green (Schadd 2011, section 6.4.3); [`Plain`] counts the
/// same.
#[test]
fn perft_of_rolit() {
    for (players, known) in [
        (4, [3, 24, 146, 1_415, 7_794, 49_561]),
        (3, [3, 24, 146, 685, 4_330, 30_795]),
    ] {
        let game = rolit(players, 8);
        assert_eq!(counts(&game, 6), known);
        let plain = Plain::read(8, &game.position_text(&game.start()), &ROLIT_LETTERS);
        let sequences = (1..=6).map(|depth| plain.sequences_of_rolit(players, 0, depth));
        assert_eq!(sequences.collect::<Vec<u64>>(), known);
    }
}

/// The least that a player gets when all others want nothing but that, by looking at every game.
fn paranoid(
    game: &Rolit<u64>,
    state: &<Rolit<u64> as Game>::State,
    root: Player,
    bounds: (i32, i32),
) -> i32 {
    let (mut alpha, mut beta) = bounds;
    let Turn::Player(mover) = game.turn(state) else {
        return game.payoff(state, root);
    };
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut best = if mover == root { i32::MIN } else { i32::MAX };
    for mv in moves {
        let mut next = *state;
        game.play(&mut next, mv);
        let value = paranoid(game, &next, root, (alpha, beta));
        if mover == root {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Rolit on 4x4: what each player gets against a coalition of all others; [`Plain`] finds the same.
#[test]
fn paranoid_values_of_rolit_4x4() {
    for (players, expected) in [(2, vec![7, 9]), (3, vec![3, 3, 3]), (4, vec![2, 2, 2, 1])] {
        let game = Rolit::<u64>::new(players, 4, Score::Pieces).unwrap();
        let values: Vec<i32> = (0..players)
            .map(|p| paranoid(&game, &game.start(), Player(p as u8), (i32::MIN, i32::MAX)))
            .collect();
        assert_eq!(values, expected, "{players} players");
        let plain = Plain::read(4, &game.position_text(&game.start()), &ROLIT_LETTERS);
        let bounds = (i32::MIN, i32::MAX);
        let plainly = (0..players).map(|root| plain.paranoid_rolit(players, root, 0, bounds));
        assert_eq!(plainly.collect::<Vec<i32>>(), expected, "{players} players");
    }
}

/// The letters of the players of Rolit in positions.
const ROLIT_LETTERS: [char; 4] = ['r', 'g', 'y', 'b'];

/// Rules on an array of squares, written from the rule book and not from the bitboards. Colours are
/// counted from 0, and `None` is an empty square.
#[derive(Clone)]
struct Plain {
    side: i32,
    squares: Vec<Option<u8>>,
}

impl Plain {
    fn at(&self, file: i32, rank: i32) -> Option<Option<u8>> {
        let inside = (0..self.side).contains(&file) && (0..self.side).contains(&rank);
        inside.then(|| self.squares[(rank * self.side + file) as usize])
    }

    fn directions() -> impl Iterator<Item = (i32, i32)> {
        (0..9)
            .map(|i| (i % 3 - 1, i / 3 - 1))
            .filter(|&d| d != (0, 0))
    }

    fn flipped(&self, square: usize, colour: u8) -> Vec<usize> {
        let (file, rank) = (square as i32 % self.side, square as i32 / self.side);
        let mut all = Vec::new();
        for (across, up) in Plain::directions() {
            let (mut f, mut r) = (file + across, rank + up);
            let mut line = Vec::new();
            while let Some(Some(other)) = self.at(f, r) {
                if other == colour {
                    all.append(&mut line);
                    break;
                }
                line.push((r * self.side + f) as usize);
                (f, r) = (f + across, r + up);
            }
        }
        all
    }

    fn empty(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.squares.len()).filter(|&s| self.squares[s].is_none())
    }

    fn flipping(&self, colour: u8) -> Vec<usize> {
        self.empty()
            .filter(|&s| !self.flipped(s, colour).is_empty())
            .collect()
    }

    fn beside(&self) -> Vec<usize> {
        let touches = |&s: &usize| {
            let (file, rank) = (s as i32 % self.side, s as i32 / self.side);
            Plain::directions().any(|(a, u)| matches!(self.at(file + a, rank + u), Some(Some(_))))
        };
        self.empty().filter(touches).collect()
    }

    fn place(&mut self, square: usize, colour: u8) {
        for flipped in self.flipped(square, colour) {
            self.squares[flipped] = Some(colour);
        }
        self.squares[square] = Some(colour);
    }

    /// Where a player of Rolit may place a piece.
    fn places_of_rolit(&self, colour: u8) -> Vec<usize> {
        let flipping = self.flipping(colour);
        match flipping.is_empty() {
            true => self.beside(),
            false => flipping,
        }
    }

    /// Sequences of this many moves of Rolit.
    fn sequences_of_rolit(&self, players: usize, ply: usize, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let colour = (ply % players) as u8;
        let after = self.places_of_rolit(colour).into_iter().map(|square| {
            let mut next = self.clone();
            next.place(square, colour);
            next.sequences_of_rolit(players, ply + 1, depth - 1)
        });
        after.sum()
    }

    /// The pieces that a player of Rolit ends with if all others want them to be few.
    fn paranoid_rolit(
        &self,
        players: usize,
        root: usize,
        ply: usize,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        let mover = ply % players;
        let places = self.places_of_rolit(mover as u8);
        if places.is_empty() {
            let own = self.squares.iter().filter(|&&s| s == Some(root as u8));
            return own.count() as i32;
        }
        let mut best = if mover == root { i32::MIN } else { i32::MAX };
        for square in places {
            let mut next = self.clone();
            next.place(square, mover as u8);
            let value = next.paranoid_rolit(players, root, ply + 1, (alpha, beta));
            if mover == root {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The board from the rows of a position text.
    fn read(side: usize, text: &str, letters: &[char]) -> Plain {
        let mut squares = vec![None; side * side];
        let rows = text.split_whitespace().next().unwrap();
        for (down, row) in rows.split('/').enumerate() {
            let mut file = 0;
            let mut number = 0;
            for c in row.chars() {
                if let Some(digit) = c.to_digit(10) {
                    number = 10 * number + digit as usize;
                    continue;
                }
                file += number;
                number = 0;
                let colour = letters.iter().position(|&l| l == c).unwrap();
                squares[(side - 1 - down) * side + file] = Some(colour as u8);
                file += 1;
            }
        }
        Plain {
            side: side as i32,
            squares,
        }
    }
}

fn chosen(moves: &[Place], rng: &mut GameRng) -> Place {
    moves[rng.random_range(0..moves.len())]
}

fn rolit_agrees<B: Bits>(players: usize, side: usize, seed: u64) {
    let game = Rolit::<B>::new(players, side, Score::Pieces).unwrap();
    let mut rng = Seed::new(seed).rng();
    let mut state = game.start();
    let mut plain = Plain::read(side, &game.position_text(&state), &ROLIT_LETTERS);
    let mut plies = 0;
    while let Turn::Player(mover) = game.turn(&state) {
        assert_eq!(mover.index(), plies % players);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut expected = plain.flipping(mover.0);
        if expected.is_empty() {
            expected = plain.beside();
        }
        let listed: Vec<usize> = moves.iter().map(|mv| mv.square()).collect();
        assert_eq!(listed, expected);
        let mv = chosen(&moves, &mut rng);
        game.play(&mut state, mv);
        plain.place(mv.square(), mover.0);
        assert_eq!(
            Plain::read(side, &game.position_text(&state), &ROLIT_LETTERS).squares,
            plain.squares
        );
        plies += 1;
    }
    assert_eq!(plies, side * side - 4, "nobody passes");
    for player in 0..players {
        let balls = plain.squares.iter().filter(|&&c| c == Some(player as u8));
        assert_eq!(
            game.payoff(&state, Player(player as u8)),
            balls.count() as i32
        );
    }
}

fn othello_agrees<B: Bits>(side: usize, seed: u64) {
    let game = Othello::<B>::new(side, Score::Pieces).unwrap();
    let mut rng = Seed::new(seed).rng();
    let mut state = game.start();
    let mut plain = Plain::read(side, &game.position_text(&state), &['b', 'w']);
    let mut mover = 0;
    while game.turn(&state) != Turn::Over {
        assert_eq!(game.turn(&state), Turn::Player(Player(mover)));
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let expected = plain.flipping(mover);
        if expected.is_empty() {
            assert_eq!(moves, [Place::at(side * side)], "a pass");
            assert!(!plain.flipping(1 - mover).is_empty());
        } else {
            let listed: Vec<usize> = moves.iter().map(|mv| mv.square()).collect();
            assert_eq!(listed, expected);
        }
        let mv = chosen(&moves, &mut rng);
        game.play(&mut state, mv);
        if !expected.is_empty() {
            plain.place(mv.square(), mover);
        }
        mover = 1 - mover;
        assert_eq!(
            Plain::read(side, &game.position_text(&state), &['b', 'w']).squares,
            plain.squares
        );
    }
    assert!(plain.flipping(0).is_empty() && plain.flipping(1).is_empty());
    let count = |colour| plain.squares.iter().filter(|&&c| c == Some(colour)).count() as i32;
    assert_eq!(game.payoff(&state, Player::FIRST), count(0) - count(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rolit_equals_a_plain_board(players in 2usize..=4, half in 2usize..=4, seed: u64) {
        rolit_agrees::<u64>(players, 2 * half, seed);
        rolit_agrees::<Wide>(players, 2 * half, seed);
    }

    #[test]
    fn othello_equals_a_plain_board(half in 2usize..=4, seed: u64) {
        othello_agrees::<u64>(2 * half, seed);
        othello_agrees::<Wide>(2 * half + 2, seed);
    }
}

/// Black has lost on 4x4 by 3 discs to 11 (a well-known value).
#[test]
fn othello_4x4_is_lost_by_eight_discs() {
    fn value(
        game: &Othello<u64>,
        state: &<Othello<u64> as Game>::State,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Turn::Player(mover) = game.turn(state) else {
            return game.payoff(state, state.mover);
        };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let (mut best, mut alpha) = (i32::MIN, alpha);
        for mv in moves {
            let mut next = *state;
            game.play(&mut next, mv);
            assert_eq!(next.mover, mover.other());
            best = best.max(-value(game, &next, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
    let game = Othello::<u64>::new(4, Score::Pieces).unwrap();
    assert_eq!(value(&game, &game.start(), -100, 100), -8);
}

/// Whoever has the most balls wins; equals share, and all payoffs sum to zero.
#[test]
fn ties_share_the_win() {
    let game = rolit(3, 4);
    let payoffs = |rows: &str| {
        let state = game.parse_position(&format!("{rows} r")).unwrap();
        assert_eq!(game.turn(&state), Turn::Over);
        [0, 1, 2].map(|p| game.payoff(&state, Player(p)))
    };
    assert_eq!(payoffs("rrrr/rrgg/ggyy/yybb"), [4, -2, -2]);
    assert_eq!(payoffs("rrrr/gggg/rgyy/yybb"), [1, 1, -2]);
    assert_eq!(payoffs("rrrr/gggg/yyyy/bbbb"), [0, 0, 0]);
    assert_eq!(payoffs("rrgg/bbbb/bbbb/bbyy"), [0, 0, 0]);
}

#[test]
fn impossible_boards_are_refused() {
    let message = |error: Option<tabia_game::SizeError>| error.unwrap().to_string();
    let refused = |players, side| message(Rolit::<u64>::new(players, side, Score::Win).err());
    assert!(refused(5, 8).contains("two, three or four"));
    assert!(refused(1, 8).contains("two, three or four"));
    assert!(refused(3, 7).contains("even"));
    assert!(refused(3, 2).contains("at least 4"));
    assert!(refused(3, 10).contains("at most 64 squares"));
    let refused = message(Othello::<Wide>::new(20, Score::Win).err());
    assert!(refused.contains("at most 324"));
    let error = |text| rolit(2, 4).parse_position(text).err().unwrap().to_string();
    assert!(error("4/1ry1/1bg1/4 y").contains("'r', 'g'"));
    assert!(error("4/4/4/4 r").contains("empty"));
}

/// Estimates stay within what a loss and a win are worth.
#[test]
fn corners_know_their_bounds() {
    use tabia_game::{CERTAIN, Knowledge};
    let game = rolit(4, 8);
    let state =
        game.parse_position("r6r/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/rrrrrrrr/r6r g");
    let state = state.unwrap();
    assert_eq!(Corners.evaluate(&game, &state, Player(0)), CERTAIN / 4);
    assert!(Corners.evaluate(&game, &state, Player(1)) > -CERTAIN / 3);
}

mod patterns {
    use super::*;
    use crate::patterns::{INSTANCES, Sided, WEIGHTS, features};
    use crate::{Judge, Patterns};
    use std::sync::Arc;
    use tabia_game::{CERTAIN, Knowledge, Symmetric};

    /// The number of patterns in Schadd (2011, section 6.4.3): 511,272 for twelve stages.
    #[test]
    fn schadd_6_4_3_number_of_patterns() {
        let all = 4 * 3usize.pow(8) + (4..=8).map(|n| 3usize.pow(n)).sum::<usize>() + 3usize.pow(8);
        assert_eq!(all, WEIGHTS);
        assert_eq!(12 * WEIGHTS, 511_272);
        // Sixteen lines, eighteen diagonals, eight corners; empty, own and others' boards are the
        // first, the middle and the last of each.
        assert_eq!(INSTANCES, 16 + 18 + 8);
        let (none, own, others) = (features(0, 0), features(!0, 0), features(0, !0));
        for i in 0..INSTANCES {
            assert_eq!(others[i] - none[i], 2 * (own[i] - none[i]));
            assert!((others[i] as usize) < WEIGHTS);
        }
        let ends: std::collections::BTreeSet<u32> = others.iter().map(|&n| n + 1).collect();
        let starts: std::collections::BTreeSet<u32> = none.into_iter().collect();
        assert_eq!(starts.len(), 10);
        // Each kind begins where the one before ends.
        assert!(starts.iter().skip(1).all(|start| ends.contains(start)));
        assert_eq!(ends.last().copied(), Some(WEIGHTS as u32));
    }

    /// A position and its mirror images have the same patterns, some of them read backwards, and
    /// with weights that do not care for the direction the same value.
    #[test]
    fn every_square_counts_in_all_images() {
        let game = othello(8);
        let mut state = game.start();
        let mut moves = Vec::new();
        game.play_at_random(&mut state, 30, &mut moves, &mut Seed::new(3).rng());
        // How many own squares the patterns hold together.
        let digits = |mut number: u32| {
            let mut own = 0;
            while number > 0 {
                own += u32::from(number % 3 == 1);
                number /= 3;
            }
            own
        };
        let none = features(0, 0);
        let sum = |state: &_| -> u32 {
            let (own, others) = game.sides(state, Player::FIRST);
            let numbers = features(own, others);
            numbers
                .iter()
                .zip(none)
                .map(|(n, first)| digits(n - first))
                .sum()
        };
        let expected = sum(&state);
        for symmetry in 0..8 {
            assert_eq!(sum(&game.map_state(&state, symmetry)), expected);
        }
    }

    #[test]
    fn files_round_trip_and_foreign_ones_are_refused() {
        let patterns = Patterns::nothing("rolit", 3, 4);
        let weights: Vec<f32> = (0..patterns.weights().len())
            .map(|i| (i % 9) as f32 / 16.0)
            .collect();
        let patterns = patterns.with(&weights).unwrap();
        assert_eq!(patterns.weights(), weights);
        let bytes = patterns.to_bytes();
        assert_eq!(Patterns::from_bytes(&bytes).unwrap().weights(), weights);
        let error = |bytes: &[u8]| Patterns::from_bytes(bytes).err().unwrap().to_string();
        assert!(error(&bytes[..bytes.len() - 1]).contains("weights where"));
        assert!(error(b"").contains("no heading"));
        assert!(error(b"something\n").contains("tabia patterns 1"));
        assert!(error(b"tabia patterns 1 rolit 0 4\n").contains("heading"));
        assert!(error(b"tabia patterns 1 rolit 99999999999999999999 4\n").contains("heading"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            heading: bool,
        ) {
            let mut all = if heading { b"tabia patterns 1 rolit ".to_vec() } else { Vec::new() };
            all.extend(bytes);
            prop_assert!(Patterns::from_bytes(&all).is_err());
        }
    }

    /// What comes with the game is sound, and knows that corners are worth having.
    #[test]
    fn shipped_weights() {
        let learnt = Judge::Learnt(Arc::new(Patterns::othello().unwrap()));
        let game = othello(8);
        let value = |text: &str| {
            let state = game.parse_position(text).unwrap();
            let value = learnt.evaluate(&game, &state, Player::FIRST);
            assert_eq!(value, -learnt.evaluate(&game, &state, Player::SECOND));
            assert!(value.abs() < CERTAIN);
            value
        };
        let with = value("b7/1b6/2bww3/2bwbb2/2wwb3/2bw4/8/8 b");
        let without = value("8/1b6/2bww3/2bwbb2/2wwb3/2bw3b/8/8 b");
        assert!(with > without, "{with} {without}");
        let learnt = Judge::Learnt(Arc::new(Patterns::rolit().unwrap()));
        let game = rolit(4, 8);
        let state = game
            .parse_position("r7/1r6/2rgy3/2rgbb2/2ygb3/2yb4/8/8 r")
            .unwrap();
        let values = [0, 1, 2, 3].map(|p| learnt.evaluate(&game, &state, Player(p)));
        assert!(
            values[1..].iter().all(|&other| other < values[0]),
            "{values:?}"
        );
    }
}
