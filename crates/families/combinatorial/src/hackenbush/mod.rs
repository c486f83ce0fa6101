//! Hackenbush (Berlekamp, Conway and Guy 1982): a drawing of edges that stands on the ground. Left
//! cuts blue edges, Right red ones, both may cut green ones, and what no longer hangs on the ground
//! falls.
//!
//! Parts are the pieces that hang together without the ground. Those that are trees get the same
//! numbers of nodes whenever they have the same form; a loop counts as an edge to a node of its
//! own, since it lasts as long.

#[cfg(not(test))]
pub mod entry;

use tabia_game::picture::{Body, Colour, Picture, Shade};
use tabia_game::{Combinatorial, Player, TextError};

use super::drawing::{Drawing, Edge};

/// The rules.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::hackenbush::Hackenbush;
///
/// let mut stalk = Hackenbush.parse_position("BRG").unwrap();
/// let mut moves = Vec::new();
/// Hackenbush.moves(&stalk, Player::SECOND, &mut moves);
/// assert_eq!(moves.len(), 2, "the red edge and the green one");
/// Hackenbush.play(&mut stalk, Player::SECOND, moves[0]);
/// assert_eq!(Hackenbush.position_text(&stalk), "B");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hackenbush;

impl Combinatorial for Hackenbush {
    type Position = Drawing;
    type Move = Edge;

    fn moves(&self, position: &Drawing, player: Player, out: &mut Vec<Edge>) {
        let mut last = None;
        for &edge in position
            .edges()
            .iter()
            .filter(|edge| edge.paint.is_of(player))
        {
            // Edges that run side by side are the same move.
            if last.replace(edge) != Some(edge) {
                out.push(edge);
            }
        }
    }

    #[inline]
    fn can_move(&self, position: &Drawing, player: Player) -> bool {
        position.edges().iter().any(|edge| edge.paint.is_of(player))
    }

    fn play(&self, position: &mut Drawing, _: Player, edge: Edge) {
        position.cut(edge);
    }

    fn split(&self, position: &Drawing, out: &mut Vec<Drawing>) {
        out.extend(position.parts());
    }

    fn negative(&self, position: &Drawing) -> Drawing {
        let edges = position.edges().iter();
        let swapped = edges.map(|edge| Edge::new(edge.low, edge.high, edge.paint.negative()));
        Drawing::of(swapped.collect()).renumbered()
    }

    fn position_text(&self, position: &Drawing) -> String {
        position.write()
    }

    fn parse_position(&self, text: &str) -> Result<Drawing, TextError> {
        Drawing::read(text)
    }

    fn position_help(&self) -> &'static str {
        "edges between nodes with their colours b, r or g, node 0 the ground, e.g. \
         '0-1:b,1-2:r,0-2:g', or stalks from the ground up, e.g. 'BRG+RB'"
    }

    fn move_text(&self, _: &Drawing, _: Player, edge: Edge) -> String {
        format!("{}.{}{}", edge.low, edge.high, edge.paint.letter())
    }

    /// A line for every edge: both nodes, and the colour between them.
    fn picture(&self, position: &Drawing, _: Option<Edge>) -> Picture {
        let mut picture = Picture::default();
        picture.cell(0.0, 0.0, Shade::Light);
        for (line, edge) in position.edges().iter().enumerate() {
            let y = line as f32;
            let colour = [Colour::Blue, Colour::Red, Colour::Black][edge.paint as usize];
            picture.label(-1.0, y, edge.low.to_string());
            picture.piece((0.0, y), edge.paint.letter(), colour, Body::Letter);
            picture.label(1.0, y, edge.high.to_string());
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{PAINTS, Paint};
    use super::super::testing::{BOTH, Brute, conforms};
    use super::*;
    use std::collections::BTreeSet;
    use tabia_game::zobrist;

    /// Edges drawn from a seed between nodes 0 to `nodes`; what does not stand has fallen.
    fn random_drawing(nodes: u64, edges: usize, seed: u64) -> Drawing {
        let draw = |i: usize, among: u64| (zobrist::number(seed, i as u64) % among) as u8;
        let edge = |i: usize| {
            let paint = PAINTS[usize::from(draw(3 * i, 3))].1;
            Edge::new(
                draw(3 * i + 1, nodes + 1),
                draw(3 * i + 2, nodes + 1),
                paint,
            )
        };
        let mut drawing = Drawing::of((0..edges).map(edge).collect());
        drawing.fall();
        drawing
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in [
            "BRG+GB+R",
            "0-1:b,1-2:r,0-2:g,2-2:b,2-3:g,0-0:r,0-1:b",
            "0",
            "1-11:b,11-1:r,0-1:g,1-2:b,11-2:b",
        ] {
            conforms(&Hackenbush, start);
        }
    }

    /// Against walks along edges, one by one.
    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(Hackenbush);
        for seed in 0..300 {
            let drawing = random_drawing(6, 9, seed);
            for player in BOTH {
                let mut plain = BTreeSet::new();
                for (cut, edge) in drawing.edges().iter().enumerate() {
                    if edge.paint == [Paint::Red, Paint::Blue][player.index()] {
                        continue;
                    }
                    let mut left = drawing.edges().to_vec();
                    left.remove(cut);
                    let (mut reached, mut todo) = (BTreeSet::from([0]), vec![0]);
                    while let Some(node) = todo.pop() {
                        for edge in left.iter().filter(|e| e.low == node || e.high == node) {
                            let other = edge.low + edge.high - node;
                            if reached.insert(other) {
                                todo.push(other);
                            }
                        }
                    }
                    left.retain(|edge| reached.contains(&edge.high));
                    plain.insert(Drawing::of(left));
                }
                let options = game.options(&drawing, player);
                assert_eq!(
                    options.into_iter().collect::<BTreeSet<_>>(),
                    plain,
                    "{drawing:?}"
                );
            }
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        let mut game = Brute::new(Hackenbush);
        for seed in 0..150 {
            game.check_value(&random_drawing(4, 5, seed));
            game.check_outcome(&random_drawing(8, 9, seed));
            game.check_form(&random_drawing(40, 64, seed));
        }
        for text in [
            "0",
            "0-0:b",
            "0-0:b,0-0:b,0-0:g",
            "0-1:b,0-1:b,1-1:r",
            "BR+G",
        ] {
            game.check_value(&game.read(text));
        }
    }

    /// Berlekamp, Conway and Guy (1982), chapters 1 and 7.
    #[test]
    fn winning_ways_values() {
        let mut game = Brute::new(Hackenbush);
        let mut sum = |texts: &[&str]| {
            let sum: Vec<Drawing> = texts.iter().map(|text| game.read(text)).collect();
            game.outcome(&sum)
        };
        assert_eq!(sum(&["BB", "R", "R"]), 'P', "two");
        assert_eq!(sum(&["BR", "BR", "R"]), 'P', "a half");
        assert_eq!(sum(&["BRR", "BRR", "RB"]), 'P', "a quarter");
        assert_eq!(
            sum(&["BRB", "BRB", "BRB", "BRB", "RRR"]),
            'P',
            "three quarters"
        );
        assert_eq!(sum(&["G", "G"]), 'P', "a star");
        assert_eq!(sum(&["GG", "G"]), 'N');
        assert_eq!(sum(&["GGG", "GG", "G"]), 'P', "stalks are nimbers");
        assert_eq!(sum(&["GB"]), 'N', "a flower, whose stem both can cut");
        assert_eq!(sum(&["GB", "G"]), 'L', "its blossom is more than nothing");
        assert_eq!(
            sum(&["GB", "GB", "GB", "RBB"]),
            'R',
            "and less than any number"
        );
        assert_eq!(sum(&["0-1:b,1-2:r,1-3:b", "R"]), 'P', "the colon principle");
        assert_eq!(
            sum(&["0-1:g,1-2:g,0-2:g", "G"]),
            'P',
            "a cycle of three fuses to a star"
        );
        assert_eq!(
            sum(&["0-1:g,1-2:g,2-3:g,0-3:g"]),
            'P',
            "a cycle of four to nothing"
        );
    }

    #[test]
    fn trees_of_the_same_form_get_the_same_numbers() {
        let game = Brute::new(Hackenbush);
        assert_eq!(
            game.read("ground-a:b,a-b:r,b-ground:g"),
            game.read("0-1:b,1-2:r,0-2:g")
        );
        let same = [
            "0-1:b,1-2:r,1-3:g,3-4:b",
            "0-9:b,9-4:g,4-5:b,9-7:r",
            "ground-1:B,1-2:r,1-2:r",
        ];
        let parts = same.map(|text| game.split(&game.read(text)));
        assert_eq!(parts[0], parts[1]);
        assert_ne!(parts[0], parts[2]);
        assert_eq!(game.split(&game.read("0-5:b,5-3:r")), [game.read("BR")]);
    }
}
