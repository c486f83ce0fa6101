//! The entries of games, and the list of them by which they are opened.

use std::path::Path;

use tabia_game::options::{OptionError, OptionValues, Parameter, split_spec};

use crate::facet::uncertified;
use crate::names::{no_games, unknown};
use crate::player::{OpenError, Participant, Peer};
use crate::training::BeginTraining;
use crate::{
    AnyCertificate, AnyGame, CatalogError, CertificateSummary, CheckError, CheckJob, Facet, Record,
    Refusal, Sgf,
};

/// A game with the options that were asked for, or what is wrong with them.
pub type OpenResult = Result<Box<dyn AnyGame>, OptionError>;

/// A game in the catalog: its name, its options and how it is opened.
///
/// ```
/// # use tabia_registry::{GameEntry, OpenResult};
/// # use tabia_game::options::OptionValues;
/// # fn open(_: &OptionValues) -> OpenResult { unimplemented!() }
/// const ENTRY: GameEntry =
///     GameEntry::new("stones", "Stones", "whoever takes the last stone wins", open)
///         .examples(&["stones", "stones:21"]);
/// assert_eq!(ENTRY.name, "stones");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The word for it in specs.
    pub name: &'static str,
    /// Other words for it, such as former names.
    pub aliases: &'static [&'static str],
    /// Its name in the literature.
    pub title: &'static str,
    /// What it is about, in one line.
    pub summary: &'static str,
    /// Its rules in a few sentences, as they are implemented.
    pub rules: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
    /// The options that tell what is hidden from players, such as the seed of a deal.
    pub secret_options: &'static [&'static str],
    /// Options that the game did not always have; see [`GameEntry::later_options`].
    pub later_options: &'static [&'static str],
    /// Specs that cover its variants, the plain name first. The tests put each through the
    /// conformance kit.
    pub examples: &'static [&'static str],
    /// Its `Variant` in PGN; only where two players alternate and moves go from square to square.
    pub pgn: Option<&'static str>,
    /// How it is written in SGF, where that knows it.
    pub sgf: Option<Sgf>,
    /// The formats of its own for records.
    pub records: &'static [RecordFormat],
    /// Programs that play this game only.
    pub peers: &'static [Peer],
    /// Begins to learn an evaluation by self-play, where there is one to learn.
    pub training: Option<BeginTraining>,
    open: fn(&OptionValues) -> OpenResult,
}

/// A format for records that one game has for itself.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    /// The file name extension.
    pub extension: &'static str,
    /// Its name, such as `Pentasol record`.
    pub title: &'static str,
    /// Reads a record. The spec tells the variant where the format does not.
    pub read: fn(Option<&str>, &str) -> Result<Record, CatalogError>,
    /// Writes a record.
    pub write: fn(&Record) -> Result<String, CatalogError>,
}

impl GameEntry {
    /// A game without options, whose only example is its plain name.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        summary: &'static str,
        open: fn(&OptionValues) -> OpenResult,
    ) -> GameEntry {
        GameEntry {
            name,
            aliases: &[],
            title,
            summary,
            rules: "",
            parameters: &[],
            secret_options: &[],
            later_options: &[],
            examples: &[],
            pgn: None,
            sgf: None,
            records: &[],
            peers: &[],
            training: None,
            open,
        }
    }

    /// Its rules in a few sentences: moves, ends, repetition and what a game pays.
    pub const fn rules(mut self, rules: &'static str) -> GameEntry {
        self.rules = rules;
        self
    }

    /// Its options.
    pub const fn parameters(mut self, parameters: &'static [Parameter]) -> GameEntry {
        self.parameters = parameters;
        self
    }

    /// The options that tell what is hidden from players.
    pub const fn secret_options(mut self, keys: &'static [&'static str]) -> GameEntry {
        self.secret_options = keys;
        self
    }

    /// Options, the last ones declared, that the game did not have when its first tables and
    /// certificates were written. A full spec leaves them out at their default, so that these keep
    /// their names.
    pub const fn later_options(mut self, keys: &'static [&'static str]) -> GameEntry {
        self.later_options = keys;
        self
    }

    /// Specs that cover its variants, the plain name first.
    pub const fn examples(mut self, examples: &'static [&'static str]) -> GameEntry {
        self.examples = examples;
        self
    }

    /// Other words for it.
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> GameEntry {
        self.aliases = aliases;
        self
    }

    /// Its `Variant` in PGN.
    pub const fn pgn(mut self, variant: &'static str) -> GameEntry {
        self.pgn = Some(variant);
        self
    }

    /// How it is written in SGF.
    pub const fn sgf(mut self, sgf: Sgf) -> GameEntry {
        self.sgf = Some(sgf);
        self
    }

    /// Its own formats for records.
    pub const fn records(mut self, records: &'static [RecordFormat]) -> GameEntry {
        self.records = records;
        self
    }

    /// Programs that play this game only.
    pub const fn peers(mut self, peers: &'static [Peer]) -> GameEntry {
        self.peers = peers;
        self
    }

    /// How an evaluation of it is learnt.
    pub const fn training(mut self, begin: BeginTraining) -> GameEntry {
        self.training = Some(begin);
        self
    }

    /// Opens the game with options such as `8x8,k=4`.
    pub fn open(&self, options: &str) -> OpenResult {
        (self.open)(&OptionValues::parse(self.name, options, self.parameters)?)
    }
}

/// The games of several families.
///
/// [`GAMES`](crate::GAMES) is the one with all games, if `tabia-catalog` is part of the program; a
/// program that needs few of them makes its own.
pub struct Registry {
    entries: Vec<&'static GameEntry>,
}

impl Registry {
    /// The games of these families, by name.
    pub fn new(families: &[&'static [GameEntry]]) -> Registry {
        Registry::of(&[families])
    }

    /// The games of several lists of families.
    pub(crate) fn of(lists: &[&[&'static [GameEntry]]]) -> Registry {
        let families = lists.iter().copied().flatten();
        let mut entries: Vec<&GameEntry> = families.copied().flatten().collect();
        entries.sort_by_key(|entry| entry.name);
        Registry { entries }
    }

    /// All games, by name.
    pub fn entries(&self) -> &[&'static GameEntry] {
        &self.entries
    }

    /// The game with this name.
    pub fn entry(&self, name: &str) -> Result<&'static GameEntry, CatalogError> {
        if self.entries.is_empty() {
            return Err(no_games(name));
        }
        let is_named = |e: &&&GameEntry| e.name == name || e.aliases.contains(&name);
        self.entries.iter().find(is_named).copied().ok_or_else(|| {
            let known: Vec<&str> = self.entries.iter().map(|e| e.name).collect();
            unknown("game", name, &known)
        })
    }

    /// The format of a game's own that files with this name are written in.
    pub fn record_format(&self, file: &Path) -> Option<&'static RecordFormat> {
        let extension = file.extension()?;
        let mut formats = self.entries.iter().flat_map(|entry| entry.records);
        formats.find(|format| extension.eq_ignore_ascii_case(format.extension))
    }

    /// Starts the program with this name for a game, if there is such a program.
    pub fn peer(
        &self,
        name: &str,
        options: &str,
        game_spec: &str,
    ) -> Option<Result<Box<dyn Participant>, OpenError>> {
        let peer_of = |entry: &&'static GameEntry| {
            let peer = entry.peers.iter().find(|peer| peer.name == name)?;
            Some((*entry, peer))
        };
        let (entry, peer) = self.entries.iter().find_map(peer_of)?;
        let start = || {
            let (game, own) = split_spec(game_spec.trim());
            if self.entry(game).map_err(|error| error.to_string())?.name != entry.name {
                return Err(format!("it plays {}, not {game}", entry.name));
            }
            let worded = |error: OptionError| error.to_string();
            let of_game = OptionValues::parse(game, own, entry.parameters).map_err(worded)?;
            let of_peer = OptionValues::parse(name, options, peer.parameters).map_err(worded)?;
            (peer.open)(&of_peer, &of_game)
        };
        Some(
            start()
                .map_err(|reason| OpenError::Program(format!("cannot play with {name}: {reason}"))),
        )
    }

    /// Opens a game from `name` or `name:options`.
    pub fn open(&self, spec: &str) -> Result<Box<dyn AnyGame>, CatalogError> {
        let (name, options) = split_spec(spec.trim());
        Ok(self.entry(name)?.open(options)?)
    }

    /// The spec of a game with all its options spelled out, in the order of their declaration: what
    /// its tables are called by. Two specs of the same game have the same one.
    pub fn full_spec(&self, spec: &str) -> Result<String, CatalogError> {
        let (name, options) = split_spec(spec.trim());
        let entry = self.entry(name)?;
        let values = OptionValues::parse(entry.name, options, entry.parameters)?;
        let is_told = |p: &&Parameter| {
            !entry.later_options.contains(&p.key) || values.text(p.key) != p.default
        };
        // What is told by its place has nothing left out before it.
        let last = entry.parameters.iter().rposition(|p| is_told(&p));
        let told = entry
            .parameters
            .iter()
            .take(last.map_or(0, |last| last + 1));
        let texts: Vec<String> = told.map(|p| values.text(p.key)).collect();
        Ok(match texts.is_empty() {
            true => entry.name.to_string(),
            false => format!("{}:{}", entry.name, texts.join(",")),
        })
    }

    /// The spec of a game with all its options spelled out for people to read: the first value by
    /// its place, the others with their keys. Two specs of the same game have the same one.
    pub fn printed_spec(&self, spec: &str) -> Result<String, CatalogError> {
        let (name, options) = split_spec(spec.trim());
        let entry = self.entry(name)?;
        let values = OptionValues::parse(entry.name, options, entry.parameters)?;
        let text = |(place, parameter): (usize, &Parameter)| match place {
            0 => values.text(parameter.key),
            _ => format!("{}={}", parameter.key, values.text(parameter.key)),
        };
        let texts: Vec<String> = entry.parameters.iter().enumerate().map(text).collect();
        Ok(match texts.is_empty() {
            true => entry.name.to_string(),
            false => format!("{}:{}", entry.name, texts.join(",")),
        })
    }

    /// The spec of a game as its players may know it: all options by name, without those that tell
    /// what is hidden from them.
    pub fn public_spec(&self, spec: &str) -> Result<String, CatalogError> {
        let (name, options) = split_spec(spec.trim());
        let entry = self.entry(name)?;
        let values = OptionValues::parse(entry.name, options, entry.parameters)?;
        let public = entry.parameters.iter().map(|parameter| parameter.key);
        let public = public.filter(|key| !entry.secret_options.contains(key));
        let texts: Vec<String> = public
            .map(|key| format!("{key}={}", values.text(key)))
            .collect();
        Ok(match texts.is_empty() {
            true => entry.name.to_string(),
            false => format!("{}:{}", entry.name, texts.join(",")),
        })
    }

    /// The names of the games that have a facet, as their plain name opens them.
    pub fn having(&self, facet: Facet) -> Vec<&'static str> {
        let has = |entry: &&&GameEntry| entry.open("").is_ok_and(|game| facet.of(&*game));
        self.entries.iter().filter(has).map(|e| e.name).collect()
    }

    /// Checks a certificate with the rules of the game that it names.
    pub fn check_certificate(
        &self,
        certificate: AnyCertificate,
        checking: CheckJob<'_>,
    ) -> Result<CertificateSummary, CheckError> {
        let named = &certificate.header.game;
        let opened = self
            .open(named)
            .and_then(|game| Ok((game, self.full_spec(named)?)));
        match opened {
            Ok((game, spec)) => match game.solving() {
                Some(solving) => solving.check_certificate(&spec, certificate, checking),
                None => Err(uncertified(certificate)),
            },
            Err(unknown) => Err(certificate.refuse(Refusal::Game(unknown.to_string()))),
        }
    }
}
