//! A whole tree: what is asked of it when it has grown.

use tabia_game::{Key, Player, Turn};

use super::config::{Amaf, Config, FinalMove};
use super::entries::Crew;
use super::moves::Move;
use super::parallel::{self, Origin, Spent};
use super::reuse::Kept;
use super::select::{Selector, Small};
use super::sums::View;
use super::tree::{Children, Node};
use super::walk::Facts;
use crate::Situation;
use crate::many::MAX_PLAYERS;
use crate::report::Pace;

/// A tree with one value a node, that of one player against all others, or one for each player.
pub(super) enum Root {
    One(Node<1>),
    Each(Node<MAX_PLAYERS>),
}

/// What is done with the root, however many values it has.
macro_rules! with {
    ($root:expr, $node:ident => $what:expr) => {
        match $root {
            Root::One($node) => $what,
            Root::Each($node) => $what,
        }
    };
}

/// The child that is played, by its place, and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub place: usize,
    pub value: f64,
}

/// A line of play that begins at the root.
pub(super) struct Variation<'t> {
    pub rank: usize,
    pub value: f64,
    pub solved: bool,
    pub visits: u32,
    pub moves: Vec<Move<'t>>,
}

/// Is told of lines of play while a tree grows, and of the nodes spent on it.
pub(super) type Tell<'a> = &'a mut dyn FnMut(&[Variation<'_>], u64);

impl Root {
    /// A tree of nothing but its root, with this many values a node.
    pub fn new(values: usize, max_payoff: i32) -> Root {
        match values {
            1 => Root::One(Node::new(0, 0.0, max_payoff)),
            _ => Root::Each(Node::new(0, 0.0, max_payoff)),
        }
    }

    /// What is left of the tree after the moves that have been played since.
    pub fn advance<G: Key>(self, kept: &Kept<G>, situation: &Situation<'_, G>) -> Option<Root> {
        Some(match self {
            Root::One(root) => Root::One(kept.advance(root, situation)?),
            Root::Each(root) => Root::Each(kept.advance(root, situation)?),
        })
    }

    pub fn visits(&self) -> u32 {
        with!(self, root => root.visits())
    }

    /// Grows the tree of a position in which a player or chance is to move. Where the pace says so,
    /// this many lines are told.
    pub fn grow(
        &mut self,
        origin: &Origin<'_>,
        turn: Turn,
        pace: &mut Pace,
        lines: usize,
        tell: Tell<'_>,
    ) -> Spent {
        let (config, facts) = (origin.config, origin.field.facts());
        with!(self, root => {
            let mut tell = |root: &Node<_>, nodes| {
                tell(&variations(config, &facts, root, turn, lines), nodes);
            };
            parallel::search(origin, root, pace, &mut tell)
        })
    }

    /// Forgets what was proved but for what the children prove.
    pub fn prove_anew(&mut self, facts: &Facts, turn: Turn) {
        let hero = facts.hero;
        with!(self, root => {
            let view = match turn {
                Turn::Player(player) => Some(view_of(root, player, hero)),
                _ => None,
            };
            root.prove_anew(facts.max_payoff, view);
        });
    }

    /// What is played.
    pub fn decide(&self, config: &Config, facts: &Facts, turn: Turn) -> Option<Decision> {
        with!(self, root => decide(config, facts, root, turn))
    }

    /// The mean of the values to a player.
    pub fn mean(&self, player: Player, hero: Player) -> f64 {
        with!(self, root => root.mean(view_of(root, player, hero)))
    }

    /// The means of the values to each of these players behind a child of the root.
    pub fn means_at(&self, place: usize, players: usize, hero: Player) -> Vec<f64> {
        with!(self, root => {
            let child = root.children.get().and_then(|children| children.nth(place));
            let seats = (0..players).map(|player| Player(player as u8));
            child.map_or_else(Vec::new, |child| {
                seats.map(|player| child.node().mean(view_of(root, player, hero))).collect()
            })
        })
    }

    /// Whether the value is exact.
    pub fn is_solved(&self, config: &Config, facts: &Facts) -> bool {
        with!(self, root => is_solved(config, facts, root))
    }

    /// The moves that were visited most, a child of the root first.
    pub fn line_from(&self, place: usize) -> Vec<Move<'_>> {
        with!(self, root => match root.children.get() {
            Some(children) => line_from(children, place),
            None => Vec::new(),
        })
    }

    /// The best lines of play, this many at most.
    pub fn variations(
        &self,
        config: &Config,
        facts: &Facts,
        turn: Turn,
        lines: usize,
    ) -> Vec<Variation<'_>> {
        with!(self, root => variations(config, facts, root, turn, lines))
    }

    /// The moves of the root with their visits, and the sums of their values to a player.
    pub fn moves(&self, player: Player, hero: Player) -> Vec<(Move<'_>, u32, f64)> {
        with!(self, root => {
            let view = view_of(root, player, hero);
            let children = root.children.get().into_iter();
            children
                .flat_map(|children| children.each())
                .map(|child| (child.mv(), child.node().visits(), child.node().sum(view)))
                .collect()
        })
    }

    /// Drops a tree of this many bytes.
    pub fn discard(self, bytes: u64, config: &Config) {
        with!(self, root => parallel::discard(root, bytes, config));
    }
}

/// How a player reads the values of a tree.
fn view_of<const V: usize>(_: &Node<V>, player: Player, hero: Player) -> View {
    View::new(player, hero, V)
}

fn decide<const V: usize>(
    config: &Config,
    facts: &Facts,
    root: &Node<V>,
    turn: Turn,
) -> Option<Decision> {
    let Turn::Player(player) = turn else {
        return None;
    };
    let view = view_of(root, player, facts.hero);
    let children = root.children.get()?;
    let proving = config.solver && V == 1;
    let largest = f64::from(facts.max_payoff.max(1));
    let selector = Selector {
        config,
        node: root,
        children,
        player,
        view,
        reference: match config.amaf {
            Amaf::Grave => children.later.get().map(|later| &**later),
            _ => None,
        },
        small: Small::numbers(),
        crew: Crew::ALONE,
        open: false,
    };
    let nodes: Vec<&Node<V>> = children.all().collect();
    let merit = |place: usize| match config.final_move {
        FinalMove::Visits => f64::from(nodes[place].visits()),
        FinalMove::Bound => selector.bound(place, nodes[place]),
        FinalMove::Value if nodes[place].visits() == 0 => f64::NEG_INFINITY,
        FinalMove::Value => nodes[place].mean(view),
    };
    let sure = |place: usize| f64::from(nodes[place].bounds_for(view).0) / largest;
    let decided = |place| Decision {
        place,
        value: sure(place),
    };
    let proved = (0..nodes.len()).filter(|&place| proving && nodes[place].proved().is_some());
    let safe = highest(proved, sure).map(decided);
    if root.proved().is_some() && proving {
        return highest(0..nodes.len(), sure).map(decided);
    }
    // What cannot be better than what is safe is not played in its place.
    let open = |place: &usize| {
        let upper = f64::from(nodes[*place].upper_for(view)) / largest;
        let better = safe.is_none_or(|safe| upper > safe.value);
        !proving || (nodes[*place].proved().is_none() && better)
    };
    let best = highest((0..nodes.len()).filter(open), merit);
    let best = best.map(|place| Decision {
        place,
        value: nodes[place].mean(view),
    });
    match (best, safe) {
        (Some(best), Some(safe)) if safe.value >= best.value => Some(safe),
        (None, _) => safe,
        _ => best,
    }
}

/// The place with the highest merit, the first of several.
pub(crate) fn highest(
    places: impl Iterator<Item = usize>,
    merit: impl Fn(usize) -> f64,
) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for place in places {
        let merit = merit(place);
        if best.is_none_or(|(_, most)| merit > most) {
            best = Some((place, merit));
        }
    }
    best.map(|(place, _)| place)
}

/// A child, and the moves that were visited most from there on.
fn line_from<const V: usize>(children: &Children<V>, place: usize) -> Vec<Move<'_>> {
    let mut line = Vec::new();
    let mut next = children.nth(place);
    while let Some(child) = next {
        line.push(child.mv());
        // What chance does has no place in it; its blocks begin with an empty one.
        let below = child.node().children.get();
        next = below
            .filter(|below| !below.nodes.is_empty())
            .and_then(|below| {
                let nodes: Vec<&Node<V>> = below.all().collect();
                let place = highest(0..nodes.len(), |place| f64::from(nodes[place].visits()))?;
                below.nth(place).filter(|child| child.node().visits() > 0)
            });
    }
    line
}

fn is_solved<const V: usize>(config: &Config, facts: &Facts, root: &Node<V>) -> bool {
    config.solver && V == 1 && facts.players == 2 && root.proved().is_some()
}

/// The line of the move to be played, then those of the moves that were visited most.
fn variations<'t, const V: usize>(
    config: &Config,
    facts: &Facts,
    root: &'t Node<V>,
    turn: Turn,
    lines: usize,
) -> Vec<Variation<'t>> {
    let decision = decide(config, facts, root, turn);
    let (Some(best), Some(children), Turn::Player(player)) = (decision, root.children.get(), turn)
    else {
        return Vec::new();
    };
    let view = view_of(root, player, facts.hero);
    let largest = f64::from(facts.max_payoff.max(1));
    let nodes: Vec<&Node<V>> = children.all().collect();
    let mut places: Vec<usize> = (0..nodes.len())
        .filter(|&place| place != best.place && nodes[place].visits() > 0)
        .collect();
    places.sort_by_key(|&place| std::cmp::Reverse(nodes[place].visits()));
    let proving = config.solver && V == 1;
    let ranked = (1..=lines).zip(std::iter::once(best.place).chain(places));
    let variation = |(rank, place): (usize, usize)| {
        let child = nodes[place];
        let proved = proving && child.proved().is_some();
        Variation {
            rank,
            value: match rank {
                1 => best.value,
                _ if proved => f64::from(child.bounds_for(view).0) / largest,
                _ => child.mean(view),
            },
            solved: match rank {
                1 => is_solved(config, facts, root),
                _ => proved && facts.players == 2,
            },
            visits: child.visits(),
            moves: line_from(children, place),
        }
    };
    ranked.map(variation).collect()
}
