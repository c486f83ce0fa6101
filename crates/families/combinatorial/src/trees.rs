//! One order for the vertices of a rooted tree that is the same for all trees of the same form
//! (Aho, Hopcroft and Ullman 1974, section 3.2).

/// The neighbours of a vertex, each with the colour of the edge that leads there.
pub(super) type Neighbours = [Vec<(usize, u8)>];

/// The form of a tree and its vertices in the order in which the form tells of them, the root
/// first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    /// For every subtree one more than the colour of the edge to it, what it consists of, and 0.
    pub code: Vec<u8>,
    pub order: Vec<usize>,
}

/// The form of a tree as seen from a root; larger subtrees come first.
pub(super) fn form(neighbours: &Neighbours, root: usize) -> Form {
    subtree(neighbours, root, None)
}

fn subtree(neighbours: &Neighbours, vertex: usize, parent: Option<usize>) -> Form {
    let mut below: Vec<(u8, Form)> = neighbours[vertex]
        .iter()
        .filter(|&&(next, _)| Some(next) != parent)
        .map(|&(next, colour)| (colour, subtree(neighbours, next, Some(vertex))))
        .collect();
    below.sort_by(|(a, x), (b, y)| (b, &y.code).cmp(&(a, &x.code)));
    let mut whole = Form {
        code: Vec::new(),
        order: vec![vertex],
    };
    for (colour, form) in below {
        whole.code.push(colour + 1);
        whole.code.extend(form.code);
        whole.code.push(0);
        whole.order.extend(form.order);
    }
    whole
}
