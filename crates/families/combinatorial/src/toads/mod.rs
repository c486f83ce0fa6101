//! Toads-and-Frogs (Guy) and its generalisations: on a strip, Left's toads go right and Right's
//! frogs go left.
//!
//! A stone whose next cell is empty slides over at least `min_slide` and at most `max_slide` empty
//! cells. A stone that is blocked jumps over as many stones as stand before it, onto the empty cell
//! behind them, if they are at most `max_jump` and all the opponent's (or anybody's, if
//! `friendly`). Plain Toads-and-Frogs slides by one cell and jumps over one opponent.
//!
//! Some stones will never move again, as the four of TTFF (Wieczorek et al. 2013 call this a hard
//! lock), and the strip is cut at them. Nobody jumps over a row of such stones: a stone with a free
//! cell before it is not stuck, so the row begins with a toad and ends with a frog, or at an edge.
//! Who may not jump over friends is stopped by one of them; who may is stopped by its length, or
//! else the toad at its beginning could jump over the rest.

#[cfg(not(test))]
pub mod entry;
mod locks;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::text::{place, shortened};
use tabia_game::{Combinatorial, Player, TextError};

use super::cells::{Cells, Set, below};
use super::letters::{Alphabet, Square};
pub use locks::{Freedom, Locks};

const PLAIN: &Alphabet = &[
    ('.', Square::EMPTY),
    ('T', Square::LEFT),
    ('F', Square::RIGHT),
    ('X', Square::LEFT),
    ('O', Square::RIGHT),
];
const GENERAL: &Alphabet = &[
    ('.', Square::EMPTY),
    ('X', Square::LEFT),
    ('O', Square::RIGHT),
    ('T', Square::LEFT),
    ('F', Square::RIGHT),
];

/// No stone of the longest strip can slide or jump farther.
const FARTHEST: u8 = 126;

/// The rules; how stones move is part of a position.
///
/// ```
/// use tabia_game::Combinatorial;
/// use tabia_combinatorial::toads::Toads;
///
/// let mut parts = Vec::new();
/// Toads.split(&Toads.parse_position("T.FTTFFT.").unwrap(), &mut parts);
/// let texts: Vec<String> = parts.iter().map(|part| Toads.position_text(part)).collect();
/// assert_eq!(texts, ["T.F", "T."]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Toads;

/// How stones move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gait {
    min_slide: u8,
    max_slide: u8,
    max_jump: u8,
    friendly: bool,
}

impl Gait {
    /// Plain Toads-and-Frogs.
    pub const PLAIN: Gait = Gait {
        min_slide: 1,
        max_slide: 1,
        max_jump: 1,
        friendly: false,
    };

    /// Slides of `min_slide` to `max_slide` cells, jumps over at most `max_jump` stones.
    pub fn new(
        min_slide: u8,
        max_slide: u8,
        max_jump: u8,
        friendly: bool,
    ) -> Result<Gait, TextError> {
        if min_slide == 0 || min_slide > max_slide || max_slide.max(max_jump) > FARTHEST {
            return Err(TextError::new(format!(
                "slides of {min_slide} to {max_slide} cells and jumps over {max_jump} stones are \
                 not possible: a slide goes over 1 to {FARTHEST} cells, the least first, and a \
                 jump over at most {FARTHEST} stones"
            )));
        }
        Ok(Gait {
            min_slide,
            max_slide,
            max_jump,
            friendly,
        })
    }
}

/// A strip, and how stones move on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strip {
    gait: Gait,
    cells: Cells,
}

/// From where to where a stone goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hop(u8, u8);

impl Hop {
    /// This many steps as a player goes; the cell must be on the strip.
    #[inline]
    fn of(player: Player, from: usize, steps: u8) -> Hop {
        let from = from as u8;
        match player {
            Player::FIRST => Hop(from, from + steps),
            _ => Hop(from, from.wrapping_sub(steps)),
        }
    }
}

/// Refuses boards of several rows.
pub(super) fn strip(cells: Cells) -> Result<Cells, TextError> {
    match cells.shape().height() {
        1 => Ok(cells),
        rows => Err(TextError::new(format!(
            "there are {rows} rows where a strip has one"
        ))),
    }
}

/// The cells that lie this many steps behind those of a set, as a player goes.
#[inline]
pub(super) fn behind(player: Player, set: Set, steps: usize) -> Set {
    match player {
        Player::FIRST => set >> steps,
        _ => set << steps,
    }
}

impl Strip {
    /// The stones over which a player may jump.
    #[inline]
    fn hurdles(&self, player: Player) -> Set {
        match self.gait.friendly {
            true => self.cells.occupied(),
            false => self.cells.stones(player.other()),
        }
    }

    /// The cell this many steps before another, as a player goes.
    #[inline]
    fn ahead(&self, player: Player, cell: usize, steps: usize) -> Option<usize> {
        match player {
            Player::FIRST => Some(cell + steps).filter(|&to| to < self.cells.shape().len()),
            _ => cell.checked_sub(steps),
        }
    }

    /// The stones of a player that have `slide` free cells before them, or hurdles and then a free
    /// cell.
    #[inline]
    fn movers(&self, player: Player, free: Set, hurdles: Set, slide: u8) -> Set {
        let mut sliding = self.cells.stones(player);
        let mut jumping = sliding;
        for steps in 1..=usize::from(slide) {
            sliding &= behind(player, free, steps);
        }
        let mut movers = sliding;
        for over in 1..=usize::from(self.gait.max_jump) {
            jumping &= behind(player, hurdles, over);
            if jumping.is_empty() {
                break;
            }
            movers |= jumping & behind(player, free, over + 1);
        }
        movers
    }

    /// The stones that slide and those that jump, in plain Toads-and-Frogs.
    #[inline]
    fn plain_movers(&self, player: Player) -> [Set; 2] {
        let (stones, empty) = (self.cells.stones(player), self.cells.empty());
        let hurdles = self.cells.stones(player.other());
        let slides = stones & behind(player, empty, 1);
        let jumps = stones & behind(player, hurdles, 1) & behind(player, empty, 2);
        [slides, jumps]
    }

    /// The move of a stone, in plain Toads-and-Frogs.
    #[inline]
    fn plain_hop(&self, player: Player, stone: usize) -> Option<Hop> {
        let [slides, jumps] = self.plain_movers(player);
        let steps = match (slides.has(stone), jumps.has(stone)) {
            (true, _) => 1,
            (_, true) => 2,
            _ => return None,
        };
        Some(Hop::of(player, stone, steps))
    }

    #[inline]
    fn plain_moves(&self, player: Player, out: &mut Vec<Hop>) {
        let [slides, jumps] = self.plain_movers(player);
        let hop = |stone| Hop::of(player, stone, 2 - u8::from(slides.has(stone)));
        out.extend((slides | jumps).iter().map(hop));
    }

    /// The stones that will never move, whatever the others do: those that could not even if all
    /// stones but the stuck ones were to vanish or to stand wherever they are wanted.
    fn stuck(&self) -> Set {
        let mut stuck = self.cells.occupied();
        loop {
            let free = self.cells.shape().full() & !stuck;
            let may_move = [Player::FIRST, Player::SECOND]
                .map(|player| self.movers(player, free, self.hurdles(player) | free, 1));
            let left = stuck & !may_move[0] & !may_move[1];
            if left == stuck {
                return stuck;
            }
            stuck = left;
        }
    }

    /// A piece between walls; cells behind all stones are of no use where only one player is left.
    fn piece(&self, start: usize, end: usize, out: &mut Vec<Strip>) {
        let within = below(end) & !below(start);
        let [left, right] =
            [Player::FIRST, Player::SECOND].map(|player| self.cells.stones(player) & within);
        let columns = match (left.is_empty(), right.is_empty()) {
            (true, true) => return,
            (false, true) => left.first()..end,
            (true, false) => start..Set::WIDTH - right.leading_zeros() as usize,
            (false, false) => start..end,
        };
        let piece = Strip {
            cells: self.cells.cut(columns),
            ..*self
        };
        if Toads.can_move(&piece, Player::FIRST) || Toads.can_move(&piece, Player::SECOND) {
            out.push(piece);
        }
    }

    fn alphabet(&self) -> &'static Alphabet {
        match self.gait == Gait::PLAIN {
            true => PLAIN,
            false => GENERAL,
        }
    }
}

impl Combinatorial for Toads {
    type Position = Strip;
    type Move = Hop;

    fn moves(&self, position: &Strip, player: Player, out: &mut Vec<Hop>) {
        let gait = position.gait;
        if gait == Gait::PLAIN {
            return position.plain_moves(player, out);
        }
        let (empty, hurdles) = (position.cells.empty(), position.hurdles(player));
        for from in position.cells.stones(player).iter() {
            let ahead = |steps: usize| position.ahead(player, from, steps);
            let run = |set: Set, limit: u8| {
                let inside = |&steps: &usize| ahead(steps).is_some_and(|cell| set.has(cell));
                (1..=usize::from(limit)).take_while(inside).count()
            };
            let mut go =
                |steps: usize| out.extend(ahead(steps).map(|to| Hop(from as u8, to as u8)));
            match run(empty, gait.max_slide) {
                0 => {
                    let over = run(hurdles, gait.max_jump);
                    if over > 0 && ahead(over + 1).is_some_and(|cell| empty.has(cell)) {
                        go(over + 1);
                    }
                }
                farthest => (usize::from(gait.min_slide)..=farthest).for_each(&mut go),
            }
        }
    }

    #[inline]
    fn can_move(&self, position: &Strip, player: Player) -> bool {
        if position.gait == Gait::PLAIN {
            let [slides, jumps] = position.plain_movers(player);
            return !(slides | jumps).is_empty();
        }
        let (free, hurdles) = (position.cells.empty(), position.hurdles(player));
        let slide = position.gait.min_slide;
        !position.movers(player, free, hurdles, slide).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Strip, player: Player, Hop(from, to): Hop) {
        position.cells.lift(Set::bit(usize::from(from)));
        position.cells.put(player, Set::bit(usize::from(to)));
    }

    fn split(&self, position: &Strip, out: &mut Vec<Strip>) {
        let mut start = 0;
        for wall in position.stuck().iter() {
            position.piece(start, wall, out);
            start = wall + 1;
        }
        position.piece(start, position.cells.shape().len(), out);
    }

    fn negative(&self, position: &Strip) -> Strip {
        Strip {
            cells: position.cells.swapped().turned_round(),
            ..*position
        }
    }

    fn position_text(&self, position: &Strip) -> String {
        let cells = position.cells.write(position.alphabet());
        let gait = position.gait;
        match gait == Gait::PLAIN {
            true => cells,
            false => format!(
                "{},{},{},{}:{cells}",
                gait.min_slide,
                gait.max_slide,
                gait.max_jump,
                u8::from(gait.friendly)
            ),
        }
    }

    fn parse_position(&self, text: &str) -> Result<Strip, TextError> {
        let (gait, cells) = match text.split_once(':') {
            None => (Gait::PLAIN, text),
            Some((gait, cells)) => (parse_gait(gait)?, cells.trim()),
        };
        let cells = strip(Cells::read(cells, PLAIN)?)?;
        Ok(Strip { gait, cells })
    }

    fn position_help(&self) -> &'static str {
        "a strip in which 'T' (or 'X') goes right, 'F' (or 'O') left and '.' is empty, e.g. \
         'TT..FF', after the least and greatest slide, the greatest jump and 1 for jumps over \
         friends if it is not '1,1,1,0:'"
    }

    fn move_text(&self, position: &Strip, _: Player, Hop(from, to): Hop) -> String {
        let [from, to] = [from, to].map(|cell| position.cells.shape().name(usize::from(cell)));
        format!("{from}-{to}")
    }

    fn player_name(&self, player: Player) -> String {
        ["Toads", "Frogs"][player.index() & 1].to_string()
    }

    fn picture(&self, position: &Strip, last: Option<Hop>) -> Picture {
        let marks = last.map(|Hop(from, to)| [from, to].map(usize::from));
        let marks = marks.as_ref().map_or(&[][..], |cells| &cells[..]);
        position.cells.picture(position.alphabet(), marks)
    }
}

fn parse_gait(text: &str) -> Result<Gait, TextError> {
    let wrong = || {
        TextError::new(format!(
            "{}: '{}' does not say how stones move: before the ':' belong the least and greatest \
             slide, the greatest jump, and 0 or 1 for jumps over friends, as in '1,1,1,0'",
            place(text, text, |c| c.is_ascii_digit() || matches!(c, ',' | ' ')),
            shortened(text)
        ))
    };
    let numbers: Result<Vec<u8>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[least, greatest, jump, friendly @ (0 | 1)]) => {
            Gait::new(least, greatest, jump, friendly == 1)
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BOTH, Brute, Letters, boards, conforms, random_boards};
    use super::*;

    const GAITS: [&str; 9] = [
        "1,1,1,0", "1,1,1,1", "1,2,1,0", "1,1,2,0", "2,3,2,1", "1,3,0,0", "2,2,1,0", "1,1,3,1",
        "1,1,2,1",
    ];
    const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";

    /// The rules as they are told, cell by cell.
    fn plain(board: &Letters, player: Player, gait: [i32; 4]) -> Vec<Letters> {
        let (own, enemy, step) = [('X', 'O', 1), ('O', 'X', -1)][player.index()];
        let mut out = Vec::new();
        for (x, _) in board.places() {
            if board.at((x, 0)) != Some(own) {
                continue;
            }
            let ahead = |n: i32| board.at((x + step * n, 0));
            let hop = |n: i32| board.with(&[((x, 0), '.'), ((x + step * n, 0), own)]);
            for n in gait[0]..=gait[1] {
                if (1..=n).all(|i| ahead(i) == Some('.')) {
                    out.push(hop(n));
                }
            }
            for over in 1..=gait[2] {
                let jumpable = |c| c == Some(enemy) || (gait[3] == 1 && c == Some(own));
                if (1..=over).all(|i| jumpable(ahead(i))) && ahead(over + 1) == Some('.') {
                    out.push(hop(over + 1));
                }
            }
        }
        out
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in ["TT.T..FF.F", "1,2,2,1:X.XO..OX.O", START, "T"] {
            conforms(&Toads, start);
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(Toads);
        for gait in GAITS {
            let numbers: Vec<i32> = gait.split(',').map(|n| n.parse().unwrap()).collect();
            let numbers = [numbers[0], numbers[1], numbers[2], numbers[3]];
            for text in boards(7, 1, "XO.")
                .into_iter()
                .chain(random_boards(128, 1, "XO.", 20))
            {
                let position = game.read(&format!("{gait}:{text}"));
                for player in BOTH {
                    let mut options: Vec<String> = game
                        .options(&position, player)
                        .iter()
                        .map(|option| option.cells.write(GENERAL))
                        .collect();
                    let board = Letters::read(&text);
                    let expected = plain(&board, player, numbers);
                    let mut expected: Vec<String> = expected.iter().map(Letters::text).collect();
                    options.sort();
                    expected.sort();
                    assert_eq!(options, expected, "{gait}:{text} {player:?}");
                }
            }
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        for gait in GAITS {
            let mut game = Brute::new(Toads);
            for text in (1..7).flat_map(|length| boards(length, 1, "XO.")) {
                game.check_value(&game.read(&format!("{gait}:{text}")));
            }
            let long = random_boards(13, 1, "XO.", 300).into_iter();
            for text in boards(9, 1, "XO.").into_iter().chain(long) {
                game.check_outcome(&game.read(&format!("{gait}:{text}")));
            }
            for text in random_boards(128, 1, "XO.", 20) {
                game.check_form(&game.read(&format!("{gait}:{text}")));
            }
        }
    }

    /// TTFF is an edge for both sides of it.
    #[test]
    fn wieczorek_hard_lock() {
        let mut game = Brute::new(Toads);
        for (x, y) in random_boards(5, 1, "TF.", 40)
            .iter()
            .zip(random_boards(4, 1, "F.T", 40))
        {
            let parts = game.split(&game.read(&format!("{x}TTFF{y}")));
            let mut apart = game.split(&game.read(x));
            apart.extend(game.split(&game.read(&y)));
            assert_eq!(parts, apart, "{x} and {y}");
            let [x, y, whole] = [x, &y, &format!("{x}TTFF{y}")].map(|text| game.read(text));
            assert_eq!(
                game.outcome(&[x, y]),
                game.outcome(&[whole]),
                "{x:?} and {y:?}"
            );
        }
    }

    /// The tournament's start is its own negative, with seven moves for each side.
    #[test]
    fn wieczorek_start() {
        let game = Brute::new(Toads);
        let start = game.read(START);
        assert_eq!(Toads.negative(&start), start);
        for player in BOTH {
            assert_eq!(game.moves(&start, player).len(), 7);
        }
    }

    /// Values of Berlekamp, Conway and Guy (1982) and Erickson (1996), by comparison with strips of
    /// known worth: T. is one move, T.F a star.
    #[test]
    fn small_values() {
        let mut game = Brute::new(Toads);
        assert_eq!(game.outcome_of("T.F+T.F"), 'P');
        assert_eq!(game.outcome_of("TT.FF+T.F"), 'P');
        assert_eq!(game.outcome_of("TTT..F+..F"), 'P', "worth two");
        assert_eq!(
            game.outcome_of("TT...F+..F+T.F"),
            'P',
            "worth two and a star"
        );
        assert_eq!(game.outcome_of("TTT...FFF"), 'P');
        assert_eq!(game.outcome_of("TT.F+T.FF"), 'P');
        assert_eq!(
            game.outcome_of("T.TF.FF+TT.F"),
            'P',
            "opposite switches of a half and zero"
        );
        for n in 1..6 {
            let text = format!("{}..{}", "T".repeat(n), "F".repeat(n));
            assert_eq!(
                game.outcome_of(&text),
                if n == 1 { 'P' } else { 'N' },
                "{text}"
            );
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| Toads.parse_position(text).unwrap_err().to_string();
        assert!(error("0,1,1,0:X.").contains("slides of 0 to 1"));
        assert!(error("3,2,1,0:X.").contains("slides of 3 to 2"));
        assert!(error("1,1,1,2:X.").contains("'1,1,1,2' does not say"));
        assert!(error("1,1,200,0:X.").contains("126"));
        assert!(error("T.q").contains("'q' as its character 3"));
        assert!(error("T.|.F").contains("2 rows"));
    }
}
