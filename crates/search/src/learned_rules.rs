//! Rules mined from game records (Wieczorek et al. 2013, section 3.3).
//!
//! From the games that a side has won, every position before one of its moves is a pattern of the
//! whole board, and the move most often made there is its rule. To choose a move, patterns are
//! compared with the board square by square, squares that are empty in the pattern left aside; of
//! the rules whose move is legal those that fit best have a vote each. The paper does not say what
//! becomes of a tie, or where no rule is legal: here luck decides.

use std::collections::HashMap;
use std::sync::Arc;

use rand::RngExt;
use tabia_game::{Game, Key, Limits, Made, Path, Player, Seed, Turn};

use crate::{Choice, Counter, Engine, Reading, Situation};

/// Moves of one game after the other, from the start.
pub type Moves<G> = Vec<<G as Game>::Move>;

/// What lies on the squares of a board.
pub trait Squares<G: Game>: Send + Sync {
    /// Appends what lies on each square, in a fixed order; 0 for nothing.
    fn squares(&self, game: &G, state: &G::State, out: &mut Vec<u8>);
}

/// A pattern and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule<M> {
    squares: Vec<u8>,
    mv: M,
}

/// Rules for either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleBook<M> {
    rules: [Vec<Rule<M>>; 2],
}

impl<M: Copy + Eq> RuleBook<M> {
    /// Learns from games that begin at the start; those that are not finished or drawn teach
    /// nothing.
    pub fn mine<G, S>(game: &G, squares: &S, games: &[Moves<G>]) -> RuleBook<M>
    where
        G: Game<Move = M>,
        S: Squares<G>,
    {
        // Patterns in the order in which they come up, each with its moves and how often they were
        // made.
        type Votes<M> = Vec<(Vec<u8>, Vec<(M, u32)>)>;
        let mut votes: [Votes<M>; 2] = [Vec::new(), Vec::new()];
        let mut places: [HashMap<Vec<u8>, usize>; 2] = [HashMap::new(), HashMap::new()];
        for moves in games {
            let mut state = game.start();
            let mut seen = Vec::new();
            for &mv in moves {
                if let Turn::Player(player) = game.turn(&state) {
                    let mut pattern = Vec::new();
                    squares.squares(game, &state, &mut pattern);
                    seen.push((player, pattern, mv));
                }
                game.play(&mut state, mv);
            }
            let over = game.turn(&state) == Turn::Over;
            for (player, pattern, mv) in seen {
                if !over || game.payoff(&state, player) <= 0 {
                    continue;
                }
                let side = player.index() & 1;
                let place = *places[side].entry(pattern.clone()).or_insert_with(|| {
                    votes[side].push((pattern, Vec::new()));
                    votes[side].len() - 1
                });
                let made = &mut votes[side][place].1;
                match made.iter_mut().find(|(other, _)| *other == mv) {
                    Some((_, times)) => *times += 1,
                    None => made.push((mv, 1)),
                }
            }
        }
        let rules = votes.map(|votes| {
            let rule = |(squares, made): (Vec<u8>, Vec<(M, u32)>)| {
                Some(Rule {
                    squares,
                    mv: most(&made)?,
                })
            };
            votes.into_iter().filter_map(rule).collect()
        });
        RuleBook { rules }
    }

    /// How many rules there are for a side.
    pub fn len(&self, player: Player) -> usize {
        self.rules[player.index() & 1].len()
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.rules.iter().all(Vec::is_empty)
    }

    /// The moves that the best-fitting rules vote for, each with its votes; only legal moves count.
    pub fn votes(&self, player: Player, board: &[u8], legal: &[M]) -> Vec<(M, u32)> {
        let mut best = 0;
        let mut votes: Vec<(M, u32)> = Vec::new();
        for rule in &self.rules[player.index() & 1] {
            let pairs = rule.squares.iter().zip(board);
            let fit = pairs
                .filter(|&(own, other)| own == other && *own != 0)
                .count();
            if fit < best || !legal.contains(&rule.mv) {
                continue;
            }
            if fit > best {
                best = fit;
                votes.clear();
            }
            match votes.iter_mut().find(|(mv, _)| *mv == rule.mv) {
                Some((_, count)) => *count += 1,
                None => votes.push((rule.mv, 1)),
            }
        }
        votes
    }
}

/// The first of the most frequent.
fn most<M: Copy>(counted: &[(M, u32)]) -> Option<M> {
    let best = counted.iter().map(|&(_, times)| times).max()?;
    let first = counted.iter().find(|&&(_, times)| times == best);
    first.map(|&(mv, _)| mv)
}

/// The engine.
pub struct RuleEngine<S, M> {
    book: Arc<RuleBook<M>>,
    squares: S,
    own: Seed,
    luck: Seed,
}

impl<S, M> RuleEngine<S, M> {
    /// A player by these rules.
    pub fn new(book: Arc<RuleBook<M>>, squares: S, seed: Seed) -> RuleEngine<S, M> {
        RuleEngine {
            book,
            squares,
            own: seed,
            luck: seed,
        }
    }
}

impl<G, S> Engine<G> for RuleEngine<S, G::Move>
where
    G: Key,
    S: Squares<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, _: &Limits) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let mut legal = Vec::new();
        let mut votes = Vec::new();
        if let Turn::Player(player) = game.turn(state) {
            path.legal_moves(game, state, &mut legal);
            let mut board = Vec::new();
            self.squares.squares(game, state, &mut board);
            votes = self.book.votes(player, &board, &legal);
        }
        let most = votes.iter().map(|&(_, count)| count).max();
        let mut candidates: Vec<G::Move> = votes
            .iter()
            .filter(|&&(_, count)| Some(count) == most)
            .map(|&(mv, _)| mv)
            .collect();
        if candidates.is_empty() {
            candidates = legal;
        }
        let mut rng = self.luck.number(path.len() as u64).rng();
        let best =
            (!candidates.is_empty()).then(|| candidates[rng.random_range(0..candidates.len())]);
        Choice {
            best,
            value: None,
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: best.into_iter().collect(),
            depth: 0,
            nodes: 1,
            counters: vec![("votes", Counter::One(most.unwrap_or(0).into()))],
        }
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = self.own.number(luck.value());
    }
}

/// Games of two engines against each other from the start, who take turns at being the first; each
/// is cut off after this many plies.
pub fn self_play<G: Key>(
    game: &G,
    mut engines: [&mut dyn Engine<G>; 2],
    limits: &Limits,
    seed: Seed,
    games: usize,
    longest: usize,
) -> Vec<Moves<G>> {
    let mut played = Vec::with_capacity(games);
    for number in 0..games {
        for (seat, engine) in engines.iter_mut().enumerate() {
            engine.new_game(seed.number(number as u64).number(seat as u64));
        }
        let mut state = game.start();
        let mut path = Path::from_start(game, &state);
        let rule = game.repetition();
        let mut moves = Vec::new();
        while let Turn::Player(player) = game.turn(&state) {
            let seat = (player.index() + number) % 2;
            let situation = Situation {
                game,
                state: &state,
                path: &path,
            };
            let Some(mv) = engines[seat].choose(situation, limits).best else {
                break;
            };
            if moves.len() >= longest {
                break;
            }
            let made = Made::of(game, rule, &state, mv);
            game.play(&mut state, mv);
            moves.push(mv);
            if !path.enter(game, rule, &state, made).is_open() {
                break;
            }
        }
        played.push(moves);
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use tabia_combinatorial::toads::Toads;
    use tabia_game::{Combinatorial, LastMover, Text};

    /// Toads are 1 and frogs 2.
    struct Letters;

    impl Squares<LastMover<Toads>> for Letters {
        fn squares(
            &self,
            _: &LastMover<Toads>,
            state: &<LastMover<Toads> as Game>::State,
            out: &mut Vec<u8>,
        ) {
            let text = Toads.position_text(state.position());
            out.extend(text.bytes().map(|letter| match letter {
                b'T' => 1,
                b'F' => 2,
                _ => 0,
            }));
        }
    }

    fn pond(text: &str) -> LastMover<Toads> {
        LastMover::new(Toads, Toads.parse_position(text).unwrap())
    }

    fn moves(game: &LastMover<Toads>, texts: &[&str]) -> Moves<LastMover<Toads>> {
        let mut state = game.start();
        let mut out = Vec::new();
        for text in texts {
            let mv = game.parse_move(&state, text).unwrap();
            game.play(&mut state, mv);
            out.push(mv);
        }
        out
    }

    /// Toads win by b1-c1 twice and by a1-b1 once: the rule for the start is b1-c1. Where the frog
    /// stands does not matter to its legality.
    #[test]
    fn the_most_frequent_move_of_the_winner_becomes_the_rule() {
        // T.T.F: toads to move. After c1-d1 the frog cannot jump, for there is a toad on c1's
        // place.
        let game = pond("T.T..");
        let won = moves(&game, &["c1-d1"]);
        let also = moves(&game, &["a1-b1"]);
        let games = [also, won.clone(), won.clone()];
        let book = RuleBook::mine(&game, &Letters, &games);
        assert_eq!((book.len(Player::FIRST), book.len(Player::SECOND)), (1, 0));
        let mut board = Vec::new();
        Letters.squares(&game, &game.start(), &mut board);
        assert_eq!(board, [1, 0, 1, 0, 0]);
        let mut legal = Vec::new();
        game.moves(&game.start(), &mut legal);
        assert_eq!(book.votes(Player::FIRST, &board, &legal), [(won[0], 1)]);
        // A move that is not legal has no vote, however well its pattern fits.
        assert!(book.votes(Player::FIRST, &board, &legal[..1]).is_empty());
        assert!(book.votes(Player::SECOND, &board, &legal).is_empty());
    }

    /// Rules of all games of random players, against a count made the slow way.
    #[test]
    fn votes_are_those_of_the_best_fitting_patterns() {
        let game = pond("T.T.F.F");
        let mut random = [Random::new(Seed::new(1)), Random::new(Seed::new(2))];
        let [one, other] = &mut random;
        let games = self_play(
            &game,
            [one, other],
            &Limits::default(),
            Seed::new(5),
            60,
            100,
        );
        assert_eq!(games.len(), 60);
        let book = RuleBook::mine(&game, &Letters, &games);
        assert!(!book.is_empty());
        for text in [
            "T.T.F.F x",
            ".TT.F.F x",
            "T.TF..F x",
            "..TTFF. o",
            "T.T.F.F o",
        ] {
            let state = game.parse_position(text).unwrap();
            let Turn::Player(player) = game.turn(&state) else {
                continue;
            };
            let (mut legal, mut board) = (Vec::new(), Vec::new());
            game.moves(&state, &mut legal);
            Letters.squares(&game, &state, &mut board);
            let fit = |rule: &Rule<_>| {
                (0..board.len())
                    .filter(|&cell| rule.squares[cell] == board[cell] && board[cell] != 0)
                    .count()
            };
            let rules = &book.rules[player.index()];
            let usable: Vec<_> = rules
                .iter()
                .filter(|rule| legal.contains(&rule.mv))
                .collect();
            let best = usable.iter().map(|rule| fit(rule)).max();
            let voters = usable.iter().filter(|rule| Some(fit(rule)) == best).count();
            let votes = book.votes(player, &board, &legal);
            assert_eq!(
                votes.iter().map(|&(_, n)| n as usize).sum::<usize>(),
                voters
            );
            let path = Path::new();
            let situation = Situation {
                game: &game,
                state: &state,
                path: &path,
            };
            let mut engine = RuleEngine::new(Arc::new(book.clone()), Letters, Seed::new(0));
            let choice = engine.choose(situation, &Limits::default()).best;
            assert!(choice.is_some_and(|mv| legal.contains(&mv)), "{text}");
        }
    }
}
