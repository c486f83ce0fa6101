//! Combinatorial games: the rules, the texts and the independent parts of positions.
//!
//! Each game is a small value that implements [`Combinatorial`](tabia_game::Combinatorial). Games
//! on squares share [`Cells`]; a strip is a board of one row.

pub(crate) mod cells;
mod drawing;
#[cfg(not(test))]
mod entry;
mod graph;
mod letters;
mod mobility;
#[cfg(test)]
mod testing;
mod trees;

pub mod amazons;
pub mod clobber;
pub mod colouring;
pub mod domineering;
pub mod elephants;
pub mod fission;
pub mod hackenbush;
pub mod kayles;
pub mod mixed;
pub mod nim;
pub mod nogo;
pub mod octal;
pub mod sums;
pub mod theory;
pub mod toads;
pub mod toppling_dominoes;

pub use cells::{Cells, MAX_CELLS, Set, Shape};
pub use drawing::{Drawing, Edge};
pub use graph::Graph;
pub use mobility::Mobility;
pub use nim::Heaps;
pub use toads::Strip;

/// The games of the family.
#[cfg(not(test))]
pub const FAMILY: &[tabia_registry::GameEntry] = &[
    amazons::entry::ENTRY,
    clobber::entry::ENTRY,
    colouring::entry::COL,
    colouring::entry::SNORT,
    domineering::entry::ENTRY,
    elephants::entry::ENTRY,
    fission::entry::ENTRY,
    hackenbush::entry::ENTRY,
    kayles::entry::NODE_KAYLES,
    kayles::entry::PIN_KAYLES,
    nim::entry::ENTRY,
    nogo::entry::ENTRY,
    octal::entry::ENTRY,
    toads::entry::ENTRY,
    toppling_dominoes::entry::ENTRY,
];

#[cfg(test)]
mod tests {
    use tabia_game::{Combinatorial, Impartial};

    use super::testing::{Brute, boards};

    /// Parts are independent whoever makes the moves in them.
    #[test]
    fn impartial_forms_equal_the_sums_of_their_parts() {
        fn check<R: Combinatorial>(rules: R, texts: Vec<String>) {
            let mut game = Brute::new(Impartial(rules));
            for text in texts {
                if let Ok(position) = game.rules.parse_position(&text) {
                    game.check_value(&position);
                }
            }
        }
        check(super::amazons::combinatorial::Amazons, boards(3, 2, "XO.#"));
        check(super::clobber::Clobber, boards(3, 2, "XO."));
        check(super::colouring::Colouring::Col, boards(3, 2, "XO."));
        check(super::colouring::Colouring::Snort, boards(3, 2, "XO."));
        check(super::domineering::Domineering, boards(3, 3, ".#"));
        check(super::elephants::Elephants, boards(6, 1, "XO."));
        check(super::fission::Fission, boards(3, 3, "X.#"));
        check(super::nogo::NoGo, boards(3, 2, "XO."));
        check(super::toads::Toads, boards(6, 1, "XO."));
        check(
            super::toppling_dominoes::TopplingDominoes,
            boards(4, 1, "XO#"),
        );
    }
}
