//! The dynamic side: games and engines by name.
//!
//! A game enters the catalog as one [`GameEntry`] whose constructor builds a [`Listing`]. The
//! methods of that builder carry the trait bounds of the algorithms, so what a game can do follows
//! from its types and is written down nowhere else. Behind [`AnyGame`], [`Session`] and
//! [`AnyEngine`] the types are gone: front ends only see names, specs and text.

pub mod book;
mod certificates;
mod dynamic;
mod engine;
mod entry;
mod error;
mod facet;
mod files;
mod games;
mod listing;
mod names;
pub mod noise;
pub mod player;
mod progress;
mod record;
mod rollouts;
mod sample;
mod session;
mod single_agent;
mod solving;

pub mod graph;
mod tables;
pub mod training;

pub use certificates::{
    AnyCertificate, CERTIFICATE_MAGIC, Certificate, CertificateHeader, CertificateSummary,
    CheckError, CheckJob, Claim, Refusal, table_name,
};
pub use dynamic::{Dynamic, HandTurn, SharedListing};
pub use engine::{Answer, AnyEngine, Built, EngineInfo, Maker};
pub use entry::{GameEntry, OpenResult, RecordFormat, Registry};
pub use error::CatalogError;
pub use facet::{
    DealFn, Deals, ExactValues, Facet, GraphLayout, Guarantees, LineSearch, LuckAnalysis, Rollouts,
    Solving,
};
pub use files::{MAX_FILE_BYTES, read_file, read_text, read_text_from};
pub use games::{
    FAMILIES, GAMES, check_certificate, entries, entry, full_spec, open, printed_spec, public_spec,
    record_format,
};
pub use listing::{
    AnyGame, Listable, Listing, SumPlayer, Traits, UCT, integer, learnt, refuse_beyond_memory,
    size_error,
};
pub use record::replay;
pub use rollouts::{Rolled, RolloutJob};
pub use sample::sample;
pub use session::{GameEnd, Observed, Session};
pub use single_agent::{
    BestLine, Bounded, BuiltSearch, OnImprovement, SeekJob, SingleAgentSearches, uninformed_lines,
};
pub use solving::{
    GoalFound, Guarantee, Images, Means, OnProgress, Provable, Solution, SolveError, SolveJob,
    SolveMethod,
};
pub use tabia_formats::record::{Record, Seen};
pub use tabia_formats::sgf::Sgf;
pub use tabia_search::Counter;
pub use tabia_search::alphabeta::MAX_DEPTH;
pub use tabia_search::{Report, RolledOut, Rollout};
pub use tabia_solve::expectation::{Expectation, ExpectationError};
pub use tabia_solve::{Proof, Settled, Status, StrategyError};
pub use tables::{
    AnyTables, ChanceTabled, Counted, ErasedPatterns, Kept, Probed, Stats, Symmetry, TABLE_MAGIC,
    Table, TableError, TableForm, TableGroup, TableHeader, TableJob, TableProgress, TableValue,
    Tabled, TablesError, VerifiedTable, Words, folder_of, grouped, quoted, size_text, table_file,
    table_files,
};
