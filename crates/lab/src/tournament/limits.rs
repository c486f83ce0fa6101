//! The table `[limits]` of a tournament file.

use std::ops::RangeInclusive;

use serde::Deserialize;
use tabia_registry::MAX_DEPTH;
use toml::Spanned;

use super::file::{Reader, TournamentFileError};
use crate::referee::{Terms, parse_clock};

/// The longest time for a move or for patience: far beyond need, and safe to add to.
const MAX_MS: u64 = 10_000_000_000;
/// The largest margin: an hour.
const MAX_MARGIN_MS: u64 = 3_600_000;

/// What a file can say of the terms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileLimits {
    depth: Option<Spanned<u64>>,
    nodes: Option<Spanned<u64>>,
    playouts: Option<Spanned<u64>>,
    ms: Option<Spanned<u64>>,
    clock: Option<Spanned<String>>,
    game_nodes: Option<Spanned<u64>>,
    plies: Option<Spanned<u64>>,
    margin_ms: Option<Spanned<u64>>,
    patience_ms: Option<Spanned<u64>>,
}

impl Reader<'_> {
    /// The terms that the players agree on.
    pub(super) fn terms(&self, limits: &FileLimits) -> Result<Terms, TournamentFileError> {
        let within = |field: &str, value: &Option<Spanned<u64>>, range: RangeInclusive<u64>| {
            let Some(value) = value else {
                return Ok(None);
            };
            if range.contains(value.get_ref()) {
                return Ok(Some(*value.get_ref()));
            }
            let (low, high) = range.into_inner();
            let reason = match high {
                u64::MAX => format!("'{field}' is a number from {low} on"),
                _ => format!("'{field}' is a number from {low} to {high}"),
            };
            Err(self.wrong(value, reason))
        };
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let Terms {
            plies,
            margin_ms,
            patience_ms,
            ..
        } = Terms::default();
        let clock = limits
            .clock
            .as_ref()
            .map(|text| parse_clock(text.get_ref()).map_err(|reason| self.wrong(text, reason)));
        let clock = clock.transpose()?;
        let depth = within("depth", &limits.depth, 1..=u64::from(MAX_DEPTH))?;
        let most_plies = within("plies", &limits.plies, 1..=u64::from(u32::MAX))?;
        Ok(Terms {
            depth: depth.map(narrow),
            nodes: within("nodes", &limits.nodes, 1..=u64::MAX)?,
            playouts: within("playouts", &limits.playouts, 1..=u64::MAX)?,
            ms: within("ms", &limits.ms, 1..=MAX_MS)?,
            game_nodes: within("game_nodes", &limits.game_nodes, 1..=u64::MAX)?,
            game_ms: clock.map(|(base, _)| base),
            increment_ms: clock.map_or(0, |(_, increment)| increment),
            margin_ms: within("margin_ms", &limits.margin_ms, 0..=MAX_MARGIN_MS)?
                .unwrap_or(margin_ms),
            patience_ms: within("patience_ms", &limits.patience_ms, 1..=MAX_MS)?
                .unwrap_or(patience_ms),
            plies: most_plies.map_or(plies, narrow),
            luck: false,
        })
    }
}
