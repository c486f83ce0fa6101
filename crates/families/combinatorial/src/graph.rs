//! Graphs of up to 64 vertices, their components, and their texts.
//!
//! A graph is written as its edges and single vertices, `1-2,2-3,4`; chains such as `1-2-3` and the
//! names `path:7`, `cycle:5` and `star:3,1,1` are read, too. A star is a vertex from which paths of
//! these lengths go out (Fleischer and Trippen 2004).

use tabia_game::TextError;
use tabia_game::bits::Bits;
use tabia_game::text::{place, shortened};

use super::trees::form;

/// The most vertices of a graph.
const MAX_VERTICES: usize = 64;
const NOTHING: &str = "0";

/// A graph; vertices that have been taken leave a gap in the numbers of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Graph {
    vertices: u64,
    /// The neighbours of each vertex, up to the last one.
    neighbours: Vec<u64>,
}

impl Graph {
    /// All vertices, counted from 0.
    #[inline]
    pub(super) fn vertices(&self) -> u64 {
        self.vertices
    }

    /// The neighbours of a vertex.
    #[inline]
    pub(super) fn neighbours(&self, vertex: usize) -> u64 {
        self.neighbours[vertex]
    }

    /// Adds a vertex, if it is not there.
    pub(super) fn insert(&mut self, vertex: usize) {
        self.vertices |= 1 << vertex;
        let length = self.neighbours.len().max(vertex + 1);
        self.neighbours.resize(length, 0);
    }

    /// Adds an edge and its ends.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        self.insert(one);
        self.insert(other);
        self.neighbours[one] |= 1 << other;
        self.neighbours[other] |= 1 << one;
    }

    /// Takes vertices away with all their edges.
    pub(super) fn remove(&mut self, vertices: u64) {
        self.vertices &= !vertices;
        self.neighbours
            .truncate(64 - self.vertices.leading_zeros() as usize);
        for (vertex, neighbours) in self.neighbours.iter_mut().enumerate() {
            *neighbours &= if self.vertices.has(vertex) {
                !vertices
            } else {
                0
            };
        }
    }

    /// A path of this many vertices.
    pub fn path(vertices: usize) -> Result<Graph, TextError> {
        match vertices {
            0 => Ok(Graph::default()),
            _ => Graph::star(&[vertices - 1]),
        }
    }

    /// A vertex from which paths of this many vertices go out.
    pub fn star(rays: &[usize]) -> Result<Graph, TextError> {
        let vertices = rays
            .iter()
            .fold(1, |sum: usize, &ray| sum.saturating_add(ray));
        room_for(vertices)?;
        let mut graph = Graph::default();
        graph.insert(0);
        let mut next = 1;
        for &ray in rays {
            for step in 0..ray {
                graph.join(if step == 0 { 0 } else { next - 1 }, next);
                next += 1;
            }
        }
        Ok(graph)
    }

    /// A cycle of this many vertices, at least three.
    pub fn cycle(vertices: usize) -> Result<Graph, TextError> {
        if vertices < 3 {
            return Err(TextError::new(format!(
                "a cycle of {vertices} vertices is not possible: it has at least 3"
            )));
        }
        let mut graph = Graph::path(vertices)?;
        graph.join(0, vertices - 1);
        Ok(graph)
    }

    /// The rays of a star that is numbered as [`Graph::star`] does, from three of them on.
    fn rays(&self) -> Option<Vec<usize>> {
        let hub = *self.neighbours.first()?;
        let ends = hub.iter().skip(1).chain([self.neighbours.len()]);
        let rays: Vec<usize> = hub
            .iter()
            .zip(ends)
            .map(|(start, end)| end - start)
            .collect();
        let is_star = rays.len() > 2 && Graph::star(&rays).as_ref() == Ok(self);
        is_star.then_some(rays)
    }

    /// The vertices that are connected to some of these.
    fn component(&self, seed: u64) -> u64 {
        let (mut all, mut new) = (seed, seed);
        while new != 0 {
            let reached = new
                .iter()
                .fold(0, |set, vertex| set | self.neighbours[vertex]);
            new = reached & !all;
            all |= new;
        }
        all
    }

    /// The connected components, each with its vertices numbered anew.
    pub(super) fn parts(&self) -> impl Iterator<Item = Graph> {
        let mut rest = self.vertices;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let component = self.component(1 << rest.first());
            rest &= !component;
            Some(self.part(component))
        })
    }

    /// A component with its vertices numbered anew.
    fn part(&self, component: u64) -> Graph {
        let order = match self.tree_order(component) {
            Some(order) => order,
            None => self.breadth_first(component),
        };
        let mut number = [0; MAX_VERTICES];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new;
        }
        let mut part = Graph::default();
        for (new, &old) in order.iter().enumerate() {
            part.insert(new);
            for neighbour in self.neighbours[old].iter() {
                part.join(new, number[neighbour]);
            }
        }
        part
    }

    /// The vertices of a tree in an order that depends on its form alone: a path from one end, a
    /// star from its centre, others from the middle of their longest path.
    fn tree_order(&self, component: u64) -> Option<Vec<usize>> {
        let degree = |vertex: usize| self.neighbours[vertex].count();
        let edges: usize = component.iter().map(degree).sum::<usize>() / 2;
        if edges + 1 != component.count() {
            return None;
        }
        let neighbours: Vec<Vec<(usize, u8)>> = self
            .neighbours
            .iter()
            .map(|neighbours| neighbours.iter().map(|vertex| (vertex, 0)).collect())
            .collect();
        let hubs: Vec<usize> = component
            .iter()
            .filter(|&vertex| degree(vertex) > 2)
            .collect();
        let roots: Vec<usize> = match hubs[..] {
            [] => component
                .iter()
                .filter(|&vertex| degree(vertex) < 2)
                .take(1)
                .collect(),
            [hub] => vec![hub],
            _ => self.middle(component).iter().collect(),
        };
        let forms = roots.iter().map(|&root| form(&neighbours, root));
        forms
            .max_by(|one, other| one.code.cmp(&other.code))
            .map(|form| form.order)
    }

    /// The one or two vertices of a tree that are left when leaves are taken off again and again.
    fn middle(&self, component: u64) -> u64 {
        let mut rest = component;
        while rest.count() > 2 {
            let leaves = rest
                .iter()
                .filter(|&vertex| (self.neighbours[vertex] & rest).count() < 2);
            rest &= !leaves.fold(0, |set, leaf| set | 1 << leaf);
        }
        rest
    }

    /// Vertices by their distance from the first one; once in this order they stay in it.
    fn breadth_first(&self, component: u64) -> Vec<usize> {
        let mut order = vec![component.first()];
        let mut seen = 1 << component.first();
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            let new = self.neighbours[vertex] & !seen;
            order.extend(new.iter());
            seen |= new;
            next += 1;
        }
        order
    }

    /// `path:7`, `star:3,1,1` or all edges and single vertices.
    pub(super) fn write(&self) -> String {
        let count = self.vertices.count();
        if count == 0 {
            return NOTHING.to_string();
        }
        if Graph::path(count).as_ref() == Ok(self) {
            return format!("path:{count}");
        }
        if let Some(rays) = self.rays() {
            let rays: Vec<String> = rays.iter().map(usize::to_string).collect();
            return format!("star:{}", rays.join(","));
        }
        let mut words = Vec::new();
        for vertex in self.vertices.iter() {
            let neighbours = self.neighbours[vertex];
            if neighbours == 0 {
                words.push((vertex + 1).to_string());
            }
            let later = neighbours.iter().filter(|&other| other > vertex);
            words.extend(later.map(|other| format!("{}-{}", vertex + 1, other + 1)));
        }
        words.join(",")
    }

    pub(super) fn read(text: &str) -> Result<Graph, TextError> {
        if text == NOTHING {
            return Ok(Graph::default());
        }
        if let Some((name, sizes)) = text.split_once(':') {
            let sizes = sizes.split(',').map(|word| number(text, word));
            let sizes: Vec<usize> = sizes.collect::<Result<_, _>>()?;
            return match (name.trim().to_ascii_lowercase().as_str(), &sizes[..]) {
                ("path", &[vertices]) => Graph::path(vertices),
                ("cycle", &[vertices]) => Graph::cycle(vertices),
                ("star", rays) => Graph::star(rays),
                _ => Err(TextError::new(format!(
                    "'{}' is no graph that has a name: these are 'path:7', 'cycle:5' and \
                     'star:3,1,1'",
                    shortened(text)
                ))),
            };
        }
        let mut graph = Graph::default();
        for word in text.split(',') {
            let mut last = None;
            for name in word.split('-') {
                let vertex = number(text, name)?;
                room_for(vertex)?;
                let vertex = vertex.checked_sub(1).ok_or_else(|| {
                    TextError::new(format!(
                        "{}: vertices are counted from 1; '0' alone is no vertex at all",
                        place(text, name, |c| c != '0')
                    ))
                })?;
                match last.replace(vertex) {
                    None => graph.insert(vertex),
                    Some(last) if last != vertex => graph.join(last, vertex),
                    Some(_) => {
                        return Err(TextError::new(format!(
                            "{}: '{}' joins a vertex to itself",
                            place(text, word, |_| true),
                            shortened(word)
                        )));
                    }
                }
            }
        }
        Ok(graph)
    }
}

fn room_for(vertices: usize) -> Result<(), TextError> {
    match vertices > MAX_VERTICES {
        true => Err(TextError::new(format!(
            "{vertices} vertices are too many: a graph has at most {MAX_VERTICES}"
        ))),
        false => Ok(()),
    }
}

fn number(text: &str, word: &str) -> Result<usize, TextError> {
    word.trim().parse().map_err(|_| {
        TextError::new(format!(
            "{}: '{}' is no number: a graph is written as edges and single vertices, as in \
             '1-2,2-3,4'",
            place(text, word, |c| c.is_ascii_digit() || c == ' '),
            shortened(word)
        ))
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia_game::zobrist;

    /// Edges drawn from a seed.
    pub(in super::super) fn random_graph(vertices: usize, seed: u64, one_in: u64) -> Graph {
        let mut graph = Graph::default();
        (0..vertices).for_each(|vertex| graph.insert(vertex));
        for i in 0..vertices {
            for j in 0..i {
                if zobrist::number(seed, (i * vertices + j) as u64).is_multiple_of(one_in) {
                    graph.join(i, j);
                }
            }
        }
        graph
    }

    #[test]
    fn trees_of_the_same_form_get_the_same_numbers() {
        for seed in 0..300u64 {
            let vertices = 1 + (seed % 14) as usize;
            let draw = |place: usize, among: usize| {
                (zobrist::number(seed, place as u64) % among as u64) as usize
            };
            let mut names: Vec<usize> = (0..64).collect();
            for i in (1..64).rev() {
                names.swap(i, draw(100 + i, i + 1));
            }
            let [mut tree, mut renamed] = [Graph::default(), Graph::default()];
            tree.insert(0);
            renamed.insert(names[0]);
            for vertex in 1..vertices {
                let parent = draw(vertex, vertex);
                tree.join(vertex, parent);
                renamed.join(names[vertex], names[parent]);
            }
            assert_eq!(tree.parts().next(), renamed.parts().next(), "{tree:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in "[0-9,-]{0,15}|(path|star|cycle):[0-9,]{0,5}|.{0,12}",
        ) {
            if let Ok(graph) = Graph::read(&text) {
                prop_assert_eq!(Graph::read(&graph.write()), Ok(graph));
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| Graph::read(text).unwrap_err().to_string();
        assert!(error("1-65").contains("65 vertices"));
        assert!(error("1-1").contains("joins a vertex to itself"));
        assert!(error("1-q").contains("at character 3 ('q'): 'q' is no number"));
        assert!(error("wheel:5").contains("'wheel:5'"));
        assert!(error("cycle:2").contains("at least 3"));
        assert!(error("star:60,60").contains("121"));
        assert!(error("0-1").contains("counted from 1"));
    }
}
