//! A* (Hart, Nilsson and Raphael 1968) and iterative-deepening A* (Korf 1985), turned round: the
//! bound never falls short of what can be had, and the position that promises most is looked at
//! first. The first finished game that promises no less than anything else is the best one.
//!
//! Both rely on a bound that no move raises, as [`OnePlayer::most`] must be.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use tabia_game::{Limits, OnePlayer, Payoff, Player, Stopped, Turn};

use super::{Budget, Count, Found, with_large_stack};

/// A position that A* has reached.
struct Node<S, M> {
    state: S,
    /// The position it was reached from, and by which move.
    from: Option<(usize, M)>,
    earned: Payoff,
}

/// A*. It keeps every position that it has reached, at most `positions` of them, and gives up when
/// there are more. Exact where positions recur freely; under other rules it finds nothing.
pub fn a_star<G: OnePlayer>(
    game: &G,
    state: &G::State,
    positions: usize,
    limits: &Limits,
) -> Found<G::Move> {
    if game.repetition().is_tracked() {
        return Found::nothing();
    }
    let budget = Budget::new(limits);
    let mut count = Count::new(&budget, limits);
    let mut nodes: Vec<Node<G::State, G::Move>> = vec![Node {
        state: state.clone(),
        from: None,
        earned: game.earned(state),
    }];
    let mut reached: HashMap<u64, Payoff> = HashMap::from([(game.key(state), nodes[0].earned)]);
    // Of positions that promise the same, the latest.
    let mut open = BinaryHeap::from([(game.most(state), 0)]);
    let mut moves = Vec::new();
    let mut found = Found::nothing();
    let mut complete = true;
    while let Some((_, at)) = open.pop() {
        if count.tick().is_err() {
            complete = false;
            break;
        }
        let mut state = nodes[at].state.clone();
        if game.turn(&state) == Turn::Over {
            found.payoff = Some(game.payoff(&state, Player::FIRST));
            let mut now = at;
            while let Some((from, mv)) = nodes[now].from {
                found.line.push(mv);
                now = from;
            }
            found.line.reverse();
            break;
        }
        if reached
            .get(&game.key(&state))
            .is_some_and(|&best| best > nodes[at].earned)
        {
            // A better way here was found in the meantime.
            continue;
        }
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let token = game.play(&mut state, mv);
            let (key, earned) = (game.key(&state), game.earned(&state));
            let better = reached.get(&key).is_none_or(|&best| earned > best);
            if better && nodes.len() < positions {
                reached.insert(key, earned);
                open.push((game.most(&state), nodes.len()));
                nodes.push(Node {
                    state: state.clone(),
                    from: Some((at, mv)),
                    earned,
                });
            } else if better {
                complete = false;
            }
            game.undo(&mut state, token);
        }
        if !complete {
            break;
        }
    }
    found.proved = complete;
    found.nodes = count.nodes();
    found
}

/// Iterative-deepening A*: again and again depth-first, each time content with a little less, until
/// a game is found that pays as much as it promised. It needs no memory, and looks at
/// transpositions more than once; positions that recur on their path are left out. Exact where
/// positions recur freely; under other rules it finds nothing.
pub fn ida_star<G: OnePlayer>(game: &G, state: &G::State, limits: &Limits) -> Found<G::Move> {
    ida_star_by(game, state, &|game: &G, state| game.most(state), limits)
}

/// The same with a bound of one's own, such as that of pattern databases. It must never fall short
/// of what can be had, but a move may raise it.
pub fn ida_star_by<G: OnePlayer>(
    game: &G,
    state: &G::State,
    most: &(impl Fn(&G, &G::State) -> Payoff + Sync),
    limits: &Limits,
) -> Found<G::Move> {
    if game.repetition().is_tracked() {
        return Found::nothing();
    }
    let budget = Budget::new(limits);
    with_large_stack(|| {
        let mut search = Deepening {
            game,
            most,
            count: Count::new(&budget, limits),
            wanted: most(game, state),
            next: None,
            children: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
            line: Vec::new(),
        };
        let mut found = Found::nothing();
        let mut state = state.clone();
        loop {
            search.next = None;
            match search.visit(&mut state) {
                Ok(Some(payoff)) => {
                    found.payoff = Some(payoff);
                    found.line = std::mem::take(&mut search.line);
                    found.proved = true;
                    break;
                }
                Ok(None) => match search.next {
                    Some(next) => search.wanted = next,
                    None => {
                        // Every game has been looked at, and none of them ends.
                        found.proved = true;
                        break;
                    }
                },
                Err(Stopped) => break,
            }
        }
        found.nodes = search.count.nodes();
        found
    })
}

struct Deepening<'a, G: OnePlayer, B> {
    game: &'a G,
    most: &'a B,
    count: Count<'a>,
    wanted: Payoff,
    /// The most that was promised beneath what is wanted.
    next: Option<Payoff>,
    children: Vec<(Reverse<Payoff>, G::Move)>,
    moves: Vec<G::Move>,
    /// Keys and what was earned.
    path: Vec<(u64, Payoff)>,
    line: Vec<G::Move>,
}

impl<G: OnePlayer, B: Fn(&G, &G::State) -> Payoff> Deepening<'_, G, B> {
    /// What a game pays that is as good as wanted. Its moves are left in the line.
    fn visit(&mut self, state: &mut G::State) -> Result<Option<Payoff>, Stopped> {
        let most = (self.most)(self.game, state);
        if most < self.wanted {
            self.next = self.next.max(Some(most));
            return Ok(None);
        }
        self.count.tick()?;
        if self.game.turn(state) == Turn::Over {
            return Ok(Some(self.game.payoff(state, Player::FIRST)));
        }
        let here = (self.game.key(state), self.game.earned(state));
        if self
            .path
            .iter()
            .any(|before| before.0 == here.0 && before.1 >= here.1)
        {
            return Ok(None);
        }
        self.path.push(here);
        let from = self.children.len();
        self.moves.clear();
        self.game.moves(state, &mut self.moves);
        for at in 0..self.moves.len() {
            let mv = self.moves[at];
            let token = self.game.play(state, mv);
            self.children
                .push((Reverse((self.most)(self.game, state)), mv));
            self.game.undo(state, token);
        }
        self.children[from..].sort_by_key(|child| child.0);
        for at in from..self.children.len() {
            let mv = self.children[at].1;
            let token = self.game.play(state, mv);
            self.line.push(mv);
            let found = self.visit(state)?;
            self.game.undo(state, token);
            if found.is_some() {
                return Ok(found);
            }
            self.line.pop();
        }
        self.children.truncate(from);
        self.path.pop();
        Ok(None)
    }
}
