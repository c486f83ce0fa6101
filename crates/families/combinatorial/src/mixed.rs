//! All combinatorial games as one, so that positions of different games can stand side by side in a
//! sum.
//!
//! A [`Position`] says which game it is of, and whether it is played in its impartial form. The
//! rules, [`Mixed`], only need to know a game to read a position; everything else they see from the
//! position.

use tabia_game::combinatorial::MoveOf;
use tabia_game::{Combinatorial, Picture, Player, TextError};

use super::amazons::combinatorial::Amazons;
use super::clobber::Clobber;
use super::colouring::Colouring;
use super::domineering::Domineering;
use super::elephants::Elephants;
use super::fission::Fission;
use super::hackenbush::Hackenbush;
use super::kayles::{self, Kayles};
use super::nim::{self, Heaps, Nim};
use super::nogo::NoGo;
use super::octal::{self, Break, Octal};
use super::theory::Theory;
use super::toads::Toads;
use super::toppling_dominoes::TopplingDominoes;

const BOTH: [Player; 2] = [Player::FIRST, Player::SECOND];

/// What is done with the rules of a game and its position, whichever it is.
macro_rules! with_rules {
    ($board:expr, |$rules:ident, $position:ident| $body:expr) => {
        with_rules!(@ $board, Board, |$rules, $position| $body)
    };
    (@ $board:expr, $kind:ident, |$rules:ident, $position:ident| $body:expr) => {
        match $board {
            $kind::Amazons($position) => { let $rules = &Amazons; $body }
            $kind::Clobber($position) => { let $rules = &Clobber; $body }
            $kind::Col($position) => { let $rules = &Colouring::Col; $body }
            $kind::Domineering($position) => { let $rules = &Domineering; $body }
            $kind::Elephants($position) => { let $rules = &Elephants; $body }
            $kind::Fission($position) => { let $rules = &Fission; $body }
            $kind::Hackenbush($position) => { let $rules = &Hackenbush; $body }
            $kind::Nim($position) => { let $rules = &Nim; $body }
            $kind::NodeKayles($position) => { let $rules = &Kayles::Node; $body }
            $kind::NoGo($position) => { let $rules = &NoGo; $body }
            $kind::Octal($rules, $position) => $body,
            $kind::PinKayles($position) => { let $rules = &Kayles::Pin; $body }
            $kind::Snort($position) => { let $rules = &Colouring::Snort; $body }
            $kind::Toads($position) => { let $rules = &Toads; $body }
            $kind::TopplingDominoes($position) => { let $rules = &TopplingDominoes; $body }
        }
    };
}

/// Games with all that follows from their lists: boards, moves, names.
macro_rules! games {
    ($(
        $(#[$doc:meta])*
        $variant:ident: $rules:ty, $value:expr, $name:literal $(, $theory:expr)?;
    )*) => {
        /// Which game it is.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum GameKind {
            $($(#[$doc])* $variant,)*
            /// Heaps under an octal code.
            Octal(Octal),
        }

        /// A position, with the game that it is of.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Board {
            $($(#[$doc])* $variant(<$rules as Combinatorial>::Position),)*
            /// Heaps under an octal code.
            Octal(Octal, Heaps),
        }

        /// A move, with the game that it is of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Play {
            $($(#[$doc])* $variant(<$rules as Combinatorial>::Move),)*
            /// In a heap under an octal code.
            Octal(Break),
        }

        /// The names of the games; those of octal games are `octal` and their code.
        pub const NAMES: &[&str] = &[$($name,)* "octal"];

        impl GameKind {
            /// The game with this name; an octal game is named by `octal` and its code, such as
            /// `octal.137`.
            pub fn named(name: &str) -> Result<GameKind, TextError> {
                match name {
                    $($name => Ok(GameKind::$variant),)*
                    _ => match name.strip_prefix("octal") {
                        Some("") => Err(TextError::new(
                            "an octal game is named with its code, as in 'octal.137:7'",
                        )),
                        Some(code) => Ok(GameKind::Octal(Octal::new(code)?)),
                        None => Err(TextError::new(format!(
                            "'{}' is no combinatorial game; there are {}, and octal games such as \
                             octal.137",
                            tabia_game::text::shortened(name),
                            NAMES[..NAMES.len() - 1].join(", ")
                        ))),
                    },
                }
            }

            /// Its name.
            pub fn name(&self) -> String {
                match self {
                    $(GameKind::$variant => $name.to_string(),)*
                    GameKind::Octal(rules) => format!("octal{}", rules.code()),
                }
            }

            /// What is known of its nimbers beyond its moves.
            pub fn theory(&self) -> Option<Box<dyn Theory>> {
                match self {
                    $(GameKind::$variant => None$(.or(Some($theory($value))))?,)*
                    GameKind::Octal(rules) => octal::theory::theory(rules).ok(),
                }
            }

            /// Reads a position.
            fn parse(&self, text: &str) -> Result<Board, TextError> {
                Ok(match self {
                    $(GameKind::$variant => Board::$variant($value.parse_position(text)?),)*
                    GameKind::Octal(rules) => {
                        Board::Octal(rules.clone(), rules.parse_position(text)?)
                    }
                })
            }

            fn help(&self) -> &'static str {
                match self {
                    $(GameKind::$variant => $value.position_help(),)*
                    GameKind::Octal(rules) => rules.position_help(),
                }
            }

            fn player_name(&self, player: Player) -> String {
                match self {
                    $(GameKind::$variant => $value.player_name(player),)*
                    GameKind::Octal(rules) => rules.player_name(player),
                }
            }
        }

        impl Board {
            /// The game.
            fn kind(&self) -> GameKind {
                match self {
                    $(Board::$variant(_) => GameKind::$variant,)*
                    Board::Octal(rules, _) => GameKind::Octal(rules.clone()),
                }
            }

            /// The name of the game.
            fn name(&self) -> String {
                match self {
                    $(Board::$variant(_) => $name.to_string(),)*
                    Board::Octal(rules, _) => format!("octal{}", rules.code()),
                }
            }

            /// Appends the moves of a player in the partizan game.
            fn moves(&self, side: Player, out: &mut Vec<MoveOf<Play>>) {
                match self {
                    $(Board::$variant(position) => {
                        let mut own = Vec::new();
                        $value.moves(position, side, &mut own);
                        out.extend(own.into_iter().map(|mv| MoveOf(side, Play::$variant(mv))));
                    })*
                    Board::Octal(rules, position) => {
                        let mut own = Vec::new();
                        rules.moves(position, side, &mut own);
                        out.extend(own.into_iter().map(|mv| MoveOf(side, Play::Octal(mv))));
                    }
                }
            }

            fn play(&mut self, side: Player, play: Play) {
                match (self, play) {
                    $((Board::$variant(position), Play::$variant(mv)) => {
                        $value.play(position, side, mv)
                    })*
                    (Board::Octal(rules, position), Play::Octal(mv)) => {
                        rules.play(position, side, mv)
                    }
                    // A move of another game.
                    _ => {}
                }
            }

            fn split(&self, out: &mut Vec<Board>) {
                match self {
                    $(Board::$variant(position) => {
                        let mut parts = Vec::new();
                        $value.split(position, &mut parts);
                        out.extend(parts.into_iter().map(Board::$variant));
                    })*
                    Board::Octal(rules, position) => {
                        let mut parts = Vec::new();
                        rules.split(position, &mut parts);
                        out.extend(parts.into_iter().map(|part| Board::Octal(rules.clone(), part)));
                    }
                }
            }

            fn negative(&self) -> Board {
                match self {
                    $(Board::$variant(position) => Board::$variant($value.negative(position)),)*
                    Board::Octal(rules, position) => {
                        Board::Octal(rules.clone(), rules.negative(position))
                    }
                }
            }

            fn move_text(&self, side: Player, play: Play) -> String {
                match (self, play) {
                    $((Board::$variant(position), Play::$variant(mv)) => {
                        $value.move_text(position, side, mv)
                    })*
                    (Board::Octal(rules, position), Play::Octal(mv)) => {
                        rules.move_text(position, side, mv)
                    }
                    _ => String::new(),
                }
            }

            fn picture(&self, last: Option<Play>) -> Picture {
                match (self, last) {
                    $((Board::$variant(position), Some(Play::$variant(mv))) => {
                        $value.picture(position, Some(mv))
                    })*
                    (Board::Octal(rules, position), Some(Play::Octal(mv))) => {
                        rules.picture(position, Some(mv))
                    }
                    (board, _) => {
                        with_rules!(board, |rules, position| rules.picture(position, None))
                    }
                }
            }
        }
    };
}

games! {
    /// Queens that shoot.
    Amazons: Amazons, Amazons, "amazons";
    /// Stones that take their neighbours.
    Clobber: Clobber, Clobber, "clobber";
    /// Cells coloured unlike their neighbours.
    Col: Colouring, Colouring::Col, "col";
    /// Dominoes laid upright and across.
    Domineering: Domineering, Domineering, "domineering";
    /// Elephants that walk towards each other.
    Elephants: Elephants, Elephants, "elephants";
    /// Stones that split.
    Fission: Fission, Fission, "fission";
    /// Edges cut off the ground.
    Hackenbush: Hackenbush, Hackenbush, "hackenbush";
    /// Heaps.
    Nim: Nim, Nim, "nim", nim::theory::theory;
    /// Vertices taken with their neighbours.
    NodeKayles: Kayles, Kayles::Node, "nodekayles", kayles::stars::theory;
    /// Stones that keep their liberties.
    NoGo: NoGo, NoGo, "nogo";
    /// Vertices taken one by one or in pairs.
    PinKayles: Kayles, Kayles::Pin, "pinkayles", kayles::stars::theory;
    /// Cells coloured like their neighbours.
    Snort: Colouring, Colouring::Snort, "snort";
    /// Toads and frogs.
    Toads: Toads, Toads, "toads";
    /// Dominoes that fall.
    TopplingDominoes: TopplingDominoes, TopplingDominoes, "toppling_dominoes";
}

/// A position of any game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Whether either player may make any move of both.
    impartial: bool,
    board: Board,
}

impl Position {
    /// What lies on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The game that it is of.
    pub fn kind(&self) -> GameKind {
        self.board.kind()
    }

    /// The game, a colon and the position, as sums are written.
    pub fn spec(&self) -> String {
        let name = self.board.name();
        let text = with_rules!(&self.board, |rules, board| rules.position_text(board));
        match self.impartial {
            true => format!("impartial {name}:{text}"),
            false => format!("{name}:{text}"),
        }
    }
}

/// The rules of all games together.
///
/// ```
/// use tabia_game::Combinatorial;
/// use tabia_combinatorial::mixed::{GameKind, Mixed};
///
/// let toads = Mixed::new(GameKind::named("toads")?, false);
/// let strip = toads.parse_position("TT.F")?;
/// assert_eq!(toads.position_text(&strip), "TT.F");
/// # Ok::<(), tabia_game::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mixed {
    kind: GameKind,
    impartial: bool,
}

impl Mixed {
    /// Rules that read positions of one game, in its partizan or its impartial form.
    pub fn new(kind: GameKind, impartial: bool) -> Mixed {
        Mixed { kind, impartial }
    }

    /// The game whose positions are read.
    pub fn kind(&self) -> &GameKind {
        &self.kind
    }
}

impl Combinatorial for Mixed {
    type Position = Position;
    type Move = MoveOf<Play>;

    fn is_impartial(&self, position: &Position) -> bool {
        position.impartial || with_rules!(&position.board, |rules, board| rules.is_impartial(board))
    }

    fn is_all_small(&self, position: &Position) -> bool {
        position.impartial || with_rules!(&position.board, |rules, board| rules.is_all_small(board))
    }

    fn moves(&self, position: &Position, player: Player, out: &mut Vec<MoveOf<Play>>) {
        if position.impartial {
            BOTH.iter()
                .for_each(|&side| position.board.moves(side, out));
        } else {
            position.board.moves(player, out);
        }
    }

    fn can_move(&self, position: &Position, player: Player) -> bool {
        let able = |side| with_rules!(&position.board, |rules, board| rules.can_move(board, side));
        match position.impartial {
            true => BOTH.into_iter().any(able),
            false => able(player),
        }
    }

    fn mobility(&self, position: &Position, player: Player) -> usize {
        let of = |side| with_rules!(&position.board, |rules, board| rules.mobility(board, side));
        match position.impartial {
            true => BOTH.into_iter().map(of).sum(),
            false => of(player),
        }
    }

    fn bounds(&self, position: &Position) -> Option<[i64; 2]> {
        match position.impartial {
            true => None,
            false => with_rules!(&position.board, |rules, board| rules.bounds(board)),
        }
    }

    fn play(&self, position: &mut Position, _: Player, MoveOf(side, play): MoveOf<Play>) {
        position.board.play(side, play);
    }

    fn split(&self, position: &Position, out: &mut Vec<Position>) {
        let mut parts = Vec::new();
        position.board.split(&mut parts);
        out.extend(parts.into_iter().map(|board| Position {
            impartial: position.impartial,
            // Whose moves are whose does not matter.
            board: match position.impartial {
                true => board.negative().min(board),
                false => board,
            },
        }));
    }

    fn negative(&self, position: &Position) -> Position {
        match position.impartial {
            true => position.clone(),
            false => Position {
                impartial: false,
                board: position.board.negative(),
            },
        }
    }

    fn position_text(&self, position: &Position) -> String {
        with_rules!(&position.board, |rules, board| rules.position_text(board))
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        let board = self.kind.parse(text)?;
        // What is impartial by itself has each move once.
        let by_itself = with_rules!(&board, |rules, board| rules.is_impartial(board));
        Ok(Position {
            impartial: self.impartial && !by_itself,
            board,
        })
    }

    fn position_help(&self) -> &'static str {
        self.kind.help()
    }

    fn move_text(
        &self,
        position: &Position,
        _: Player,
        MoveOf(side, play): MoveOf<Play>,
    ) -> String {
        let text = position.board.move_text(side, play);
        match position.impartial && side == Player::SECOND {
            true => format!("{text}'"),
            false => text,
        }
    }

    fn player_name(&self, player: Player) -> String {
        self.kind.player_name(player)
    }

    fn picture(&self, position: &Position, last: Option<MoveOf<Play>>) -> Picture {
        position.board.picture(last.map(|MoveOf(_, play)| play))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::LastMover;
    use tabia_kit::Kit;

    const STARTS: [(&str, &str); 15] = [
        ("amazons", "X..|..O"),
        ("clobber", "XOX|OXO"),
        ("col", "...|..."),
        ("domineering", "...|..."),
        ("elephants", "X..O"),
        ("fission", "...|.X.|..."),
        ("hackenbush", "BRG+RB"),
        ("nim", "3,5"),
        ("nodekayles", "path:7"),
        ("nogo", "..."),
        ("octal.137", "9"),
        ("pinkayles", "star:3,1,1"),
        ("snort", "...|..."),
        ("toads", "TT..FF"),
        ("toppling_dominoes", "XX#OX"),
    ];

    #[test]
    fn every_game_conforms_in_both_forms() {
        for (name, text) in STARTS {
            let kind = GameKind::named(name).unwrap();
            assert_eq!(kind.name(), name);
            for impartial in [false, true] {
                let rules = Mixed::new(kind.clone(), impartial);
                let start = rules.parse_position(text).unwrap();
                let game = LastMover::new(rules, start);
                let kit = Kit::new().two_player().key().move_index();
                kit.text().text_key().draw().run(&game).unwrap();
            }
        }
    }

    #[test]
    fn names_that_are_none_list_what_there_is() {
        let error = GameKind::named("clober").unwrap_err().to_string();
        assert!(error.contains("clobber, col"), "{error}");
        assert!(GameKind::named("octal.9").is_err());
    }
}
