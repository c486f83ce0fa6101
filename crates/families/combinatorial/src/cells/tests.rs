//! Boards against a plain list of cells.

use super::*;
use proptest::prelude::*;
use tabia_game::grid::Grid;

pub(in super::super) fn board() -> impl Strategy<Value = Cells> {
    (1usize..13, 1usize..11, any::<[u128; 3]>()).prop_map(|(width, height, sets)| {
        let shape = Shape::new(width, height).unwrap();
        let open = sets[0] & shape.full();
        Cells::of(shape, open, [sets[1] & open, sets[2] & !sets[1] & open])
    })
}

/// The image of a board by the coordinates of its cells.
fn plain_image(cells: &Cells, symmetry: usize) -> Cells {
    let Shape { height, width } = cells.shape();
    let grid = Grid {
        width: usize::from(width),
        height: usize::from(height),
    };
    let shape = match symmetry & 4 {
        0 => cells.shape(),
        _ => Shape {
            height: width,
            width: height,
        },
    };
    cells.image(shape, |set| {
        set.iter().fold(0, |image, cell| {
            let (column, row) = cells.shape().place(cell);
            let (x, y) = grid.map(symmetry, column, row);
            image | Set::bit(y * shape.width() + x)
        })
    })
}

proptest! {
    /// Against coordinates.
    #[test]
    fn neighbours_are_one_step_away(cells in board()) {
        let (shape, set) = (cells.shape(), cells.open());
        let near = |cell: usize, far: fn(usize, usize) -> bool| {
            let (x, y) = shape.place(cell);
            set.iter().any(|other| {
                let (a, b) = shape.place(other);
                far(x.abs_diff(a), y.abs_diff(b))
            })
        };
        for cell in 0..shape.len() {
            let sides = near(cell, |x, y| x + y == 1);
            prop_assert_eq!(shape.beside(set).has(cell), sides);
            let (x, y) = shape.place(cell);
            let right = x + 1 < shape.width() && set.has(cell + 1);
            prop_assert_eq!(shape.left_of(set).has(cell), right);
            prop_assert_eq!(shape.right_of(set).has(cell), x > 0 && set.has(cell - 1));
            let width = shape.width();
            let below = y + 1 < shape.height() && set.has(cell + width);
            prop_assert_eq!(shape.above(set).has(cell), below);
            prop_assert_eq!(shape.under(set).has(cell), y > 0 && set.has(cell - width));
            let eight = near(cell, |x, y| x.max(y) == 1);
            prop_assert_eq!(shape.around(set).has(cell), eight);
        }
        prop_assert_eq!(shape.beside(set) & !shape.full(), 0);
        prop_assert_eq!(shape.around(set) & !shape.full(), 0);
    }

    #[test]
    fn least_images_are_the_least_of_all(cells in board()) {
        let least = |symmetries: Range<usize>| symmetries.map(|i| plain_image(&cells, i)).min();
        prop_assert_eq!(Some(cells.least_mirror()), least(0..4));
        prop_assert_eq!(Some(cells.least_image()), least(0..8));
        prop_assert_eq!(cells.turned_round(), plain_image(&cells, 3));
        prop_assert_eq!(cells.transposed(), plain_image(&cells, 4));
    }

    /// A part holds the same squares as the board at the same distances.
    #[test]
    fn parts_are_cropped_and_walled(cells in board(), region: u128) {
        let region = region & cells.shape().full();
        prop_assume!(region != 0);
        let part = cells.part(region);
        let places = |set: Set, shape: Shape| -> Vec<(usize, usize)> {
            set.iter().map(|cell| shape.place(cell)).collect()
        };
        let all = places(region, cells.shape());
        let left = all.iter().map(|place| place.0).min().unwrap();
        let top = all.iter().map(|place| place.1).min().unwrap();
        let right = all.iter().map(|place| place.0).max().unwrap();
        let bottom = all.iter().map(|place| place.1).max().unwrap();
        prop_assert_eq!(part.shape().width(), right + 1 - left);
        prop_assert_eq!(part.shape().height(), bottom + 1 - top);
        let pairs = [
            (cells.open, part.open),
            (cells.stones[0], part.stones[0]),
            (cells.stones[1], part.stones[1]),
        ];
        for (whole, cut) in pairs {
            let expected = places(whole & region, cells.shape());
            let expected: Vec<_> = expected.iter().map(|&(x, y)| (x - left, y - top)).collect();
            prop_assert_eq!(places(cut, part.shape()), expected);
        }
    }
}

#[test]
fn columns_beyond_z_have_two_letters() {
    let shape = Shape::new(128, 1).unwrap();
    let names: std::collections::BTreeSet<String> = (0..128).map(|i| shape.name(i)).collect();
    assert_eq!(names.len(), 128);
    assert_eq!(
        [shape.name(25), shape.name(26), shape.name(127)],
        ["z1", "aa1", "dx1"]
    );
}
