//! Kayles on graphs (Schaefer 1978; Fleischer and Trippen 2004): a move takes vertices away.
//!
//! In Node-Kayles a vertex goes with all its neighbours, in Pin-Kayles a vertex or two neighbours.
//! On paths these are the octal games .137 and .77. Parts are the connected components; those that
//! are trees, paths and stars among them, get the same numbers of vertices whenever they have the
//! same form. On [`stars`] nimbers take polynomial time.

#[cfg(not(test))]
pub mod entry;
pub mod stars;

use tabia_game::bits::Bits;
use tabia_game::picture::{Body, Colour, Picture, Shade};
use tabia_game::{Combinatorial, Player, TextError};

use super::graph::Graph;

/// The rules: what a move takes.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::kayles::Kayles;
///
/// let graph = Kayles::Node.parse_position("1-2-3-4,3-5,5-6-7").unwrap();
/// let mut parts = Vec::new();
/// Kayles::Node.split(&graph, &mut parts);
/// assert_eq!(Kayles::Node.position_text(&parts[0]), "star:3,2,1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kayles {
    /// A vertex and all its neighbours.
    Node,
    /// A vertex, or two neighbours.
    Pin,
}

/// One vertex, or two neighbours; one is told twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pick(u8, u8);

impl Combinatorial for Kayles {
    type Position = Graph;
    type Move = Pick;

    fn is_impartial(&self, _: &Graph) -> bool {
        true
    }

    fn moves(&self, position: &Graph, _: Player, out: &mut Vec<Pick>) {
        for vertex in position.vertices().iter() {
            out.push(Pick(vertex as u8, vertex as u8));
            if *self == Kayles::Pin {
                let later = position
                    .neighbours(vertex)
                    .iter()
                    .filter(|&other| other > vertex);
                out.extend(later.map(|other| Pick(vertex as u8, other as u8)));
            }
        }
    }

    #[inline]
    fn can_move(&self, position: &Graph, _: Player) -> bool {
        position.vertices() != 0
    }

    fn play(&self, position: &mut Graph, _: Player, Pick(one, other): Pick) {
        let taken = 1 << one | 1 << other;
        position.remove(match self {
            Kayles::Node => taken | position.neighbours(usize::from(one)),
            Kayles::Pin => taken,
        });
    }

    fn split(&self, position: &Graph, out: &mut Vec<Graph>) {
        out.extend(position.parts());
    }

    fn negative(&self, position: &Graph) -> Graph {
        position.clone()
    }

    fn position_text(&self, position: &Graph) -> String {
        position.write()
    }

    fn parse_position(&self, text: &str) -> Result<Graph, TextError> {
        Graph::read(text)
    }

    fn position_help(&self) -> &'static str {
        "edges and single vertices by number, e.g. '1-2,2-3,2-4,5', or 'path:7', 'cycle:5', \
         'star:3,1,1'"
    }

    fn move_text(&self, _: &Graph, _: Player, Pick(one, other): Pick) -> String {
        match one == other {
            true => (one + 1).to_string(),
            false => format!("{}+{}", one + 1, other + 1),
        }
    }

    /// A line for every vertex, with its neighbours after it.
    fn picture(&self, position: &Graph, _: Option<Pick>) -> Picture {
        let mut picture = Picture::default();
        picture.cell(0.0, 0.0, Shade::Light);
        for (line, vertex) in position.vertices().iter().enumerate() {
            let y = line as f32;
            picture.label(-1.0, y, (vertex + 1).to_string());
            picture.piece((0.0, y), 'o', Colour::Black, Body::Disc);
            for (column, other) in position.neighbours(vertex).iter().enumerate() {
                picture.label(column as f32 + 2.0, y, (other + 1).to_string());
            }
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::random_graph;
    use super::super::testing::{Brute, conforms};
    use super::*;
    use std::collections::{BTreeSet, HashMap};

    /// The nimber of a graph by its definition, component by component.
    fn nimber(rules: Kayles, graph: &Graph, seen: &mut HashMap<Graph, usize>) -> usize {
        let game = Brute::new(rules);
        let parts = game.split(graph);
        let mut value = 0;
        for part in parts {
            if !seen.contains_key(&part) {
                let options = game.options(&part, Player::FIRST);
                let reached: BTreeSet<usize> = options
                    .iter()
                    .map(|option| nimber(rules, option, seen))
                    .collect();
                let mex = (0..).find(|value| !reached.contains(value)).unwrap();
                seen.insert(part.clone(), mex);
            }
            value ^= seen[&part];
        }
        value
    }

    fn of(rules: Kayles, text: &str) -> usize {
        nimber(rules, &Graph::read(text).unwrap(), &mut HashMap::new())
    }

    #[test]
    fn conforms_to_the_contract() {
        for rules in [Kayles::Node, Kayles::Pin] {
            for start in ["path:9", "star:3,1,2", "1-2-3-1,4-5,9", "0"] {
                conforms(&rules, start);
            }
        }
    }

    /// Paths of 0 to 33 vertices are .137 and .77 (Guy and Smith 1956).
    #[test]
    fn paths_are_octal_games() {
        let dawson = [
            0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0,
            4, 5, 2, 7, 4,
        ];
        let kayles = [
            0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5,
            4, 7, 2, 1, 8,
        ];
        for (rules, values) in [(Kayles::Node, dawson), (Kayles::Pin, kayles)] {
            for (vertices, &value) in values.iter().enumerate() {
                assert_eq!(
                    of(rules, &format!("path:{vertices}")),
                    value,
                    "{rules:?} {vertices}"
                );
            }
        }
    }

    /// Section 3 of Fleischer and Trippen (2004), and the star of two rays that is a path.
    #[test]
    fn fleischer_and_trippen_small_stars() {
        assert_eq!(of(Kayles::Node, "star:1,1,1"), 1);
        assert_eq!(of(Kayles::Node, "star:2,1,1"), 3);
        assert_eq!(of(Kayles::Node, "star:4,5"), of(Kayles::Node, "path:10"));
    }

    /// In Node-Kayles on a cycle the first move leaves a path that is three vertices shorter.
    #[test]
    fn cycles_become_paths() {
        for vertices in 3..15 {
            let path = of(Kayles::Node, &format!("path:{}", vertices - 3));
            let expected = usize::from(path == 0);
            assert_eq!(of(Kayles::Node, &format!("cycle:{vertices}")), expected);
        }
    }

    /// Against lists of edges.
    #[test]
    fn moves_are_those_of_the_plain_rules() {
        for seed in 0..200 {
            let graph = random_graph(7, seed, 3);
            let edges: Vec<(usize, usize)> = (0..7)
                .flat_map(|i| (0..i).map(move |j| (j, i)))
                .filter(|&(j, i)| graph.neighbours(i).has(j))
                .collect();
            let left_after = |taken: &BTreeSet<usize>| {
                let mut left = Graph::default();
                (0..7)
                    .filter(|v| !taken.contains(v))
                    .for_each(|v| left.insert(v));
                let kept = |&&(j, i): &&(usize, usize)| !taken.contains(&j) && !taken.contains(&i);
                edges
                    .iter()
                    .filter(kept)
                    .for_each(|&(j, i)| left.join(j, i));
                left
            };
            let single = (0..7).map(|v| BTreeSet::from([v]));
            let pairs = edges.iter().map(|&(j, i)| BTreeSet::from([j, i]));
            let pin: BTreeSet<Graph> = single.chain(pairs).map(|set| left_after(&set)).collect();
            let closed = (0..7).map(|v| {
                let beside = |&&(j, i): &&(usize, usize)| j == v || i == v;
                let around = edges.iter().filter(beside).flat_map(|&(j, i)| [j, i]);
                left_after(&around.chain([v]).collect())
            });
            let node: BTreeSet<Graph> = closed.collect();
            for (rules, plain) in [(Kayles::Node, node), (Kayles::Pin, pin)] {
                let options = Brute::new(rules).options(&graph, Player::FIRST);
                assert_eq!(
                    options.into_iter().collect::<BTreeSet<_>>(),
                    plain,
                    "{graph:?}"
                );
            }
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        for rules in [Kayles::Node, Kayles::Pin] {
            let mut game = Brute::new(rules);
            for seed in 0..60 {
                game.check_value(&random_graph(5, seed, 3));
                game.check_outcome(&random_graph(8, seed, 4));
                game.check_form(&random_graph(64, seed, 60));
            }
        }
    }
}
