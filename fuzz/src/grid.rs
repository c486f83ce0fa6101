//! Boards: a line with a size such as `7x6`, then rows and the side to move. A board that is read
//! is written and read again as the same board, and so is the side to move.

use crate::split_line;
use tabia_game::Player;
use tabia_game::grid::{Grid, Rows, parse_side};

fn size(text: &str) -> Option<Grid> {
    let (width, height) = text.split_once('x')?;
    let (width, height) = (width.parse().ok()?, height.parse().ok()?);
    ((1..=26).contains(&width) && (1..=192).contains(&height)).then_some(Grid { width, height })
}

fn squares(grid: Grid, rows: &Rows<'_>) -> Vec<Option<Player>> {
    let ranks = 0..grid.height;
    ranks
        .flat_map(|rank| (0..grid.width).map(move |file| (file, rank)))
        .map(|(file, rank)| rows.at(file, rank))
        .collect()
}

fn check(grid: Grid, text: &str, letters: [char; 2]) {
    let Ok(rows) = grid.parse(text, letters) else {
        return;
    };
    let letter = |player: Player| letters[player.index()];
    let mut written = grid.write(|file, rank| rows.at(file, rank).map(letter));
    let side = parse_side(&rows.rest, letters);
    if let Ok(Some(player)) = side {
        written += &format!(" {}", letter(player));
    }
    match grid.parse(&written, letters) {
        Ok(again) => {
            assert_eq!(squares(grid, &again), squares(grid, &rows), "'{written}'");
            if side.is_ok() {
                assert_eq!(parse_side(&again.rest, letters), side, "'{written}'");
            }
        }
        Err(error) => panic!("what was written is refused: {error}"),
    }
}

/// The target.
pub fn target(text: &str) {
    let (first, text) = split_line(text);
    let Some(grid) = size(first) else {
        return;
    };
    check(grid, text, ['b', 'w']);
    check(grid, text, ['x', 'o']);
}
