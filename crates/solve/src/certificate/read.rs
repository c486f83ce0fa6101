//! Reading a certificate as a stream, a line at a time, since it may have many millions of them.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use tabia_game::text::shortened;
use tabia_game::{InexactUnderRule, Stopped, TextError, Wdl};

use super::{Claim, Header, MAGIC, StrategyFault, VERSION, wdl};

/// The longest line that is read. Positions of the largest boards take about a thousand bytes.
const MAX_LINE_BYTES: u64 = 1 << 16;
const END: &str = "end ";

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It would have to say more: of positions alone nothing follows in this game.
    #[error(transparent)]
    Rule(#[from] InexactUnderRule),
    /// It is something else.
    #[error("this is no certificate, which would begin with '{MAGIC}{VERSION}'")]
    Foreign,
    /// It is of a version that is not known.
    #[error("version '{0}' of certificates is not known; this program reads version {VERSION}")]
    Version(String),
    /// Its lines end as no line of a certificate does.
    #[error("the lines end with CR LF; those of a certificate end with a line feed alone")]
    CarriageReturn,
    /// A line that is too long or not UTF-8.
    #[error("not a line of text of at most {MAX_LINE_BYTES} bytes")]
    Unreadable,
    /// The end is missing.
    #[error("the certificate breaks off here; its last line would be 'end CHECKSUM'")]
    Truncated,
    /// It was changed or damaged.
    #[error("the checksum does not fit: the certificate was changed or damaged")]
    Checksum,
    /// Something follows the end.
    #[error("there is more after the end")]
    AfterEnd,
    /// A line of another kind was due.
    #[error("'{found}' where '{expected}' should be")]
    Unexpected {
        /// What was due.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The tables are not in order.
    #[error("tables are named in ascending order, each once")]
    TableOrder,
    /// A table that it relies on is not there.
    #[error("the certificate relies on the table {0}, which is not at hand")]
    TableMissing(String),
    /// A table that it relies on is not the same any more.
    #[error("the table {0} is not the one that the certificate relies on: its checksum differs")]
    TableDiffers(String),
    /// A table that it relies on is damaged.
    #[error("the certificate relies on the table {name}, which cannot be used: {reason}")]
    TableUnsound {
        /// The table.
        name: String,
        /// Why not.
        reason: String,
    },
    /// The game is not known, or its values cannot be certified.
    #[error("{0}")]
    Game(String),
    /// The position cannot be read.
    #[error("the position is refused: {0}")]
    Position(TextError),
    /// The position is not one to move in.
    #[error("the game is over in this position, and nothing is left to prove")]
    Over,
    /// The game has no such player.
    #[error("the game has no player called '{0}'")]
    Player(String),
    /// A strategy that the claim needs is not there.
    #[error("the certificate lacks '{0}'")]
    MissingStrategy(String),
    /// A strategy ends before every position has its move.
    #[error("the strategy has no move for {0}")]
    MissingMove(String),
    /// Moves are left when a strategy is complete.
    #[error("'{0}' is left over: the strategy is complete without it")]
    Surplus(String),
    /// The move of a strategy cannot be played.
    #[error("'{text}' is no legal move of {position}")]
    Illegal {
        /// What was found.
        text: String,
        /// The position.
        position: String,
    },
    /// The strategy does not do what it should.
    #[error(transparent)]
    Fault(StrategyFault),
}

/// Why the check of a certificate did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It is not accepted.
    #[error("line {line}: {refusal}")]
    Refused {
        /// The line, counted from one.
        line: u64,
        /// Why.
        refusal: Refusal,
    },
    /// It could not be read. The message tells why, so that it is not told again as the source.
    #[error("the certificate cannot be read: {0}")]
    Read(io::Error),
    /// A limit ended the check.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<io::Error> for CheckError {
    fn from(error: io::Error) -> CheckError {
        CheckError::Read(error)
    }
}

/// A certificate whose header was read, and whose strategies follow.
pub struct Certificate<R> {
    /// What it is about.
    pub header: Header,
    pub(super) lines: Lines<R>,
}

impl<R: BufRead> Certificate<R> {
    /// Reads the header.
    pub fn read(reader: R) -> Result<Certificate<R>, CheckError> {
        let mut lines = Lines::new(reader);
        let first = match lines.peek() {
            Ok(first) => first.to_string(),
            Err(CheckError::Refused { line, .. }) => {
                let refusal = Refusal::Foreign;
                return Err(CheckError::Refused { line, refusal });
            }
            Err(error) => return Err(error),
        };
        match first.strip_prefix(MAGIC) {
            Some(VERSION) => lines.advance(),
            Some(version) if version.ends_with('\r') => {
                return Err(lines.refuse_next(Refusal::CarriageReturn));
            }
            Some(version) => return Err(lines.refuse_next(Refusal::Version(shortened(version)))),
            None => return Err(lines.refuse_next(Refusal::Foreign)),
        }
        let header = Header {
            game: lines.field("game", "SPEC", |text| Some(text.to_string()))?,
            position: lines.field("position", "POSITION", |text| Some(text.to_string()))?,
            claim: lines.claim()?,
            tables: lines.tables()?,
        };
        Ok(Certificate { header, lines })
    }

    /// Refuses it for what its header says.
    pub fn refuse(&self, refusal: Refusal) -> CheckError {
        self.lines.refuse(&self.header, refusal)
    }
}

impl Header {
    /// The line of the certificate that is at fault, counted from one, if it is one of these.
    fn line_of(&self, refusal: &Refusal) -> Option<u64> {
        match refusal {
            Refusal::Game(_) => Some(2),
            Refusal::Position(_) | Refusal::Over => Some(3),
            Refusal::Player(_) => Some(4),
            Refusal::TableMissing(name)
            | Refusal::TableDiffers(name)
            | Refusal::TableUnsound { name, .. } => {
                let place = self.tables.keys().position(|table| table == name)?;
                Some(5 + place as u64)
            }
            _ => None,
        }
    }
}

/// Lines with one of them ahead, and the checksum of those that were taken.
pub(super) struct Lines<R> {
    reader: R,
    hasher: blake3::Hasher,
    /// The line ahead with its end; empty if it was not read yet.
    ahead: Vec<u8>,
    taken: u64,
    /// Whether the end was looked at.
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    fn new(reader: R) -> Lines<R> {
        Lines {
            reader,
            hasher: blake3::Hasher::new(),
            ahead: Vec::new(),
            taken: 0,
            ended: false,
        }
    }

    /// The line ahead.
    pub(super) fn peek(&mut self) -> Result<&str, CheckError> {
        if self.ahead.is_empty() {
            self.fill()?;
        }
        let line = self.taken + 1;
        let refused = |refusal| CheckError::Refused { line, refusal };
        match self.ahead.split_last() {
            Some((b'\n', text)) => {
                std::str::from_utf8(text).map_err(|_| refused(Refusal::Unreadable))
            }
            _ if self.ahead.len() as u64 == MAX_LINE_BYTES => Err(refused(Refusal::Unreadable)),
            _ => Err(refused(Refusal::Truncated)),
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ahead.clear();
        let mut bounded = self.reader.by_ref().take(MAX_LINE_BYTES);
        bounded.read_until(b'\n', &mut self.ahead)?;
        Ok(())
    }

    /// Takes the line ahead.
    pub(super) fn advance(&mut self) {
        self.hasher.update(&self.ahead);
        self.ahead.clear();
        self.taken += 1;
    }

    /// Refuses the line ahead.
    pub(super) fn refuse_next(&self, refusal: Refusal) -> CheckError {
        let line = self.taken + 1;
        CheckError::Refused { line, refusal }
    }

    /// Refuses what a line of the header says, or else what the lines so far have led to.
    pub(super) fn refuse(&self, header: &Header, refusal: Refusal) -> CheckError {
        let line = header.line_of(&refusal).unwrap_or(self.taken);
        CheckError::Refused { line, refusal }
    }

    pub(super) fn unexpected(&mut self, expected: &str) -> CheckError {
        match self.peek() {
            Err(error) => error,
            Ok(found) => {
                let (expected, found) = (expected.to_string(), shortened(found));
                self.refuse_next(Refusal::Unexpected { expected, found })
            }
        }
    }

    /// The value of the line ahead, which must begin with this key.
    fn field<T>(
        &mut self,
        key: &str,
        value: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, CheckError> {
        let line = self.peek()?.strip_prefix(key);
        let text = line.and_then(|rest| rest.strip_prefix(' '));
        match text.filter(|text| !text.is_empty()).and_then(parse) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.unexpected(&format!("{key} {value}"))),
        }
    }

    fn claim(&mut self) -> Result<Claim, CheckError> {
        if self.peek()?.starts_with("goal ") {
            return self.field("goal", "PLAYER win|draw", |text| {
                let (player, word) = text.rsplit_once(' ')?;
                let at_least = wdl(word).filter(|&value| value != Wdl::Loss)?;
                let player = player.to_string();
                Some(Claim::Goal { player, at_least })
            });
        }
        self.field("value", "win|draw|loss", |text| wdl(text).map(Claim::Value))
    }

    fn tables(&mut self) -> Result<BTreeMap<String, String>, CheckError> {
        let mut tables = BTreeMap::new();
        while self.peek()?.starts_with("table ") {
            let (name, checksum) = self.field("table", "NAME CHECKSUM", |text| {
                let (name, checksum) = text.split_once(' ')?;
                let words = super::is_word(name) && super::is_word(checksum);
                words.then(|| (name.to_string(), checksum.to_string()))
            })?;
            if tables
                .last_key_value()
                .is_some_and(|(last, _)| *last >= name)
            {
                let (line, refusal) = (self.taken, Refusal::TableOrder);
                return Err(CheckError::Refused { line, refusal });
            }
            tables.insert(name, checksum);
        }
        Ok(tables)
    }

    /// Whether the strategies end here.
    pub(super) fn at_end(&mut self) -> Result<bool, CheckError> {
        Ok(self.peek()?.starts_with(END))
    }

    /// The end must be ahead: its checksum is that of all before it, and nothing follows.
    pub(super) fn end(&mut self) -> Result<(), CheckError> {
        self.ended = true;
        let checksum = self.hasher.finalize().to_hex();
        match self.peek()?.strip_prefix(END) {
            Some(written) if written == checksum.as_str() => self.advance(),
            Some(_) => return Err(self.refuse_next(Refusal::Checksum)),
            None => return Err(self.unexpected("end CHECKSUM")),
        }
        self.fill()?;
        match self.ahead.is_empty() {
            true => Ok(()),
            false => Err(self.refuse_next(Refusal::AfterEnd)),
        }
    }

    /// Whether the end was looked at, so that nothing is left to be read.
    pub(super) fn is_ended(&self) -> bool {
        self.ended
    }

    /// Reads on to the end without a look at what is written: whether the text is whole.
    pub(super) fn skip_to_end(&mut self) -> Result<(), CheckError> {
        while !self.ahead.starts_with(END.as_bytes()) {
            if !self.ahead.is_empty() {
                self.advance();
            }
            self.fill()?;
            if self.ahead.is_empty() {
                return Err(self.refuse_next(Refusal::Truncated));
            }
        }
        self.end()
    }
}
