//! What is left of a listed game when its type is forgotten.

use std::sync::Arc;

use tabia_game::options::split_spec;
use tabia_game::{Information, Luck, Path, Payoff, Player, TextError, Unit};

use super::{Listable, Listing};
use crate::facet::{
    Deals, ExactValues, GraphLayout, Guarantees, LineSearch, LuckAnalysis, Rollouts, Solving, read,
};
use crate::names::unknown;
use crate::progress::Progress;
use crate::tables::AnyTables;
use crate::{AnyEngine, CatalogError, EngineInfo, Session};

#[cfg(feature = "conformance")]
use tabia_kit::Violation;

/// What kind of game it is. Everything here follows from its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The number of players.
    pub players: usize,
    /// Whether chance events occur.
    pub chance: bool,
    /// Whether something is hidden from somebody.
    pub hidden: bool,
    /// The number of board symmetries, the identity included.
    pub symmetries: usize,
    /// The largest payoff.
    pub max_payoff: Payoff,
}

/// A game whose type is forgotten.
pub trait AnyGame: Send + Sync {
    /// What kind of game it is.
    fn traits(&self) -> Traits;

    /// What the literature of the game calls this player.
    fn player_name(&self, player: Player) -> String;

    /// How positions are written.
    fn position_help(&self) -> &'static str;

    /// What payoffs are counted in.
    fn unit(&self) -> Unit;

    /// A game in progress, from the start or from a position.
    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, CatalogError>;

    /// The engines that can play it, the one to choose without further thought first.
    fn engines(&self) -> Vec<&EngineInfo>;

    /// Makes an engine from `name` or `name:options`. It serves the sessions of this value alone.
    fn engine(&self, spec: &str) -> Result<AnyEngine, CatalogError>;

    /// The positions of a file: one a line, or boards as the game's own collections have them.
    fn positions(&self, text: &str) -> Result<Vec<String>, CatalogError>;

    /// Positions can be solved, and certificates checked.
    fn solving(&self) -> Option<&dyn Solving>;

    /// It can be found out what each player can force against all others together.
    fn guarantees(&self) -> Option<&dyn Guarantees>;

    /// Where it begins is drawn, unless its options say otherwise.
    fn deals(&self) -> Option<&dyn Deals>;

    /// It is a game for one player, whose best lines can be sought.
    fn lines(&self) -> Option<&dyn LineSearch>;

    /// Exact values of positions with chance.
    fn exact_values(&self) -> Option<&dyn ExactValues>;

    /// Positions can be rolled out.
    fn rollouts(&self) -> Option<&dyn Rollouts>;

    /// The luck of chance events can be told.
    fn luck(&self) -> Option<&dyn LuckAnalysis>;

    /// The tables of the game.
    fn tables(&self) -> Option<&dyn AnyTables>;

    /// The game can be laid out as a graph.
    fn graph(&self) -> Option<&dyn GraphLayout>;

    /// Puts the game through the conformance kit, with the checks of every capability it was
    /// listed with: this many random games, and this many positions of each at most.
    #[cfg(feature = "conformance")]
    fn conform(self: Box<Self>, plays: u32, longest: usize) -> Result<(), Violation>;
}

impl<G: Listable> AnyGame for Listing<G> {
    fn traits(&self) -> Traits {
        Traits {
            players: self.game.players(),
            chance: <G::Luck>::CHANCE,
            hidden: <G::Information>::HIDDEN,
            symmetries: self.symmetries,
            max_payoff: self.game.max_payoff(),
        }
    }

    fn player_name(&self, player: Player) -> String {
        self.game.player_name(player)
    }

    fn position_help(&self) -> &'static str {
        self.game.position_help()
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, CatalogError> {
        let state = read(&*self.game, position)?;
        let path = position.map_or(Ok(Path::new()), |text| self.game.parse_path(text))?;
        Ok(Box::new(Progress::new(
            Arc::clone(&self.game),
            self.roll,
            self.secrets,
            state,
            path,
        )))
    }

    fn engines(&self) -> Vec<&EngineInfo> {
        self.makers.iter().map(|maker| &maker.info).collect()
    }

    fn engine(&self, spec: &str) -> Result<AnyEngine, CatalogError> {
        let (name, options) = split_spec(spec.trim());
        let maker = self
            .makers
            .iter()
            .find(|maker| maker.info.is_called(name))
            .ok_or_else(|| {
                let known: Vec<&str> = self.makers.iter().map(|m| m.info.name).collect();
                unknown("engine", name, &known)
            })?;
        Ok(maker.make(&self.game, options)?)
    }

    fn positions(&self, text: &str) -> Result<Vec<String>, CatalogError> {
        let game = &self.game;
        let wrong = |reason: TextError| CatalogError::Boards(reason);
        if let Some(read) = self.boards {
            let states = read(game, text).map_err(wrong)?;
            return Ok(states.iter().map(|s| game.position_text(s)).collect());
        }
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let read = |(number, line): (usize, &str)| {
            let state = game.parse_position(line);
            let state = state.map_err(|e| wrong(TextError::new(format!("line {number}: {e}"))))?;
            Ok(game.position_text(&state))
        };
        lines.map(read).collect()
    }

    fn solving(&self) -> Option<&dyn Solving> {
        self.solving.as_ref().map(|of| of as _)
    }

    fn guarantees(&self) -> Option<&dyn Guarantees> {
        self.guarantees.as_ref().map(|of| of as _)
    }

    fn deals(&self) -> Option<&dyn Deals> {
        self.deals.as_ref().map(|of| of as _)
    }

    fn lines(&self) -> Option<&dyn LineSearch> {
        self.lines.as_ref().map(|of| of as _)
    }

    fn exact_values(&self) -> Option<&dyn ExactValues> {
        self.exact_values.as_ref().map(|of| of as _)
    }

    fn rollouts(&self) -> Option<&dyn Rollouts> {
        self.rollouts.as_ref().map(|of| of as _)
    }

    fn luck(&self) -> Option<&dyn LuckAnalysis> {
        self.luck.as_ref().map(|of| of as _)
    }

    fn tables(&self) -> Option<&dyn AnyTables> {
        self.tables.as_deref()
    }

    fn graph(&self) -> Option<&dyn GraphLayout> {
        self.graph.as_ref().map(|of| of as _)
    }

    #[cfg(feature = "conformance")]
    fn conform(self: Box<Self>, plays: u32, longest: usize) -> Result<(), Violation> {
        if let Some(typed) = self.typed_kit {
            typed(plays, longest)?;
        }
        self.kit.effort(plays, longest).run(&self.game)
    }
}
