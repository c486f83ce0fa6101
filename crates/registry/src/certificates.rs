//! Certificates of listed games: a text names its game, and the game checks it.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use crate::solving::Tabulated;
use tabia_game::{Game, Indexed, Limits, Wdl};
use tabia_solve::Settled;
use tabia_solve::certificate::{self, Certifiable};
use tabia_tables::{Table, TableError, Tables, table_file};

pub use tabia_solve::certificate::{
    Certificate, CertificateSummary, CheckError, Claim, Header as CertificateHeader,
    MAGIC as CERTIFICATE_MAGIC, Refusal,
};

/// A certificate that is read from somewhere.
pub type AnyCertificate = Certificate<Box<dyn BufRead>>;

/// What there is to check a certificate with.
pub struct CheckJob<'a> {
    /// The folder of tables.
    pub tables: &'a Path,
    /// What it may take; the limit on nodes is one on positions.
    pub limits: &'a Limits,
    /// Is told the number of positions now and then.
    pub progress: &'a mut dyn FnMut(u64),
}

/// How a game checks certificates.
pub(crate) type Checker<G> = Box<
    dyn Fn(&G, &str, AnyCertificate, CheckJob<'_>) -> Result<CertificateSummary, CheckError>
        + Send
        + Sync,
>;

/// Bytes that the unpacked values of all tables may take.
const MEMORY: u64 = 1 << 30;

/// Checks a certificate of a game that has no tables.
pub(crate) fn check<G: Certifiable>(
    game: &G,
    _: &str,
    certificate: AnyCertificate,
    checking: CheckJob<'_>,
) -> Result<CertificateSummary, CheckError> {
    let nothing = |_: &G::State| Ok(None);
    let CheckJob {
        limits, progress, ..
    } = checking;
    certificate::check(
        game,
        certificate,
        &BTreeMap::new(),
        nothing,
        limits,
        progress,
    )
}

/// What certificates name in the place of a table that rely on what the game knows at sight, and
/// which form of it. There is no file: whoever checks them works it out.
pub(crate) const SIGHT: &str = "sight";
pub(crate) const SIGHT_VERSION: &str = "1";

/// Checks a certificate, which may rely on what the game knows at sight.
pub(crate) fn check_with_sight<G: Certifiable + 'static>(
    sight: impl Settled<G> + Send + 'static,
) -> Checker<G> {
    Box::new(move |game, spec, certificate, checking| {
        let header = &certificate.header;
        let name = table_name(spec, SIGHT);
        let relied_on = header.tables.contains_key(&name);
        let known = BTreeMap::from([(name, SIGHT_VERSION.to_string())]);
        let probe = |state: &G::State| Ok(relied_on.then(|| sight.value(game, state)).flatten());
        let CheckJob {
            limits, progress, ..
        } = checking;
        certificate::check(game, certificate, &known, probe, limits, progress)
    })
}

/// Tables that a certificate relies on: their checksums by name, and what they say of a position.
pub(crate) struct Relied<'a, G: Game> {
    pub(crate) checksums: BTreeMap<String, String>,
    pub(crate) probe: Probe<'a, G>,
}

/// Looks a position up in tables.
pub(crate) type Probe<'a, G> =
    Box<dyn Fn(&<G as Game>::State) -> Result<Option<Wdl>, Refusal> + 'a>;

/// Checks a certificate, which may rely on tables.
pub(crate) fn check_with_tables<G: Certifiable + 'static>(
    tabulated: Box<dyn Tabulated<G>>,
) -> Checker<G> {
    Box::new(move |game, spec, certificate, checking| {
        let header = &certificate.header;
        // Tables are called by the spec that spells out all options.
        let relied = tabulated.named(spec, &header.tables, checking.tables);
        let relied = relied.map_err(|refusal| certificate.refuse(refusal))?;
        let CheckJob {
            limits, progress, ..
        } = checking;
        certificate::check(
            game,
            certificate,
            &relied.checksums,
            relied.probe,
            limits,
            progress,
        )
    })
}

/// The tables that a certificate names, as far as they are in the folder. Others must not be asked.
pub(crate) fn named_tables<G: Indexed>(
    game: &G,
    spec: &str,
    named: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<Tables<G>, Refusal> {
    let mut tables = Tables::default();
    if named.is_empty() {
        return Ok(tables);
    }
    for slice in game.slices() {
        let text = game.slice_text(slice);
        let name = table_name(spec, &text);
        let file = table_file(folder, spec, &text);
        if named.contains_key(&name) && file.exists() {
            Table::open(&file)
                .and_then(|table| tables.insert(game, spec, slice, table))
                .map_err(|error| unsound(name, error))?;
        }
    }
    Ok(tables.keeping(MEMORY))
}

pub(crate) fn unsound(name: String, error: TableError) -> Refusal {
    let reason = error.to_string();
    Refusal::TableUnsound { name, reason }
}

/// What certificates call a table: the spec of the game in full and the slice, such as
/// `fanorona:3x7/2-1`.
pub fn table_name(spec: &str, slice: &str) -> String {
    format!("{spec}/{slice}")
}
