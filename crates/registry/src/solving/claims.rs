//! Goals in words, and certificates of what was found.

use std::collections::BTreeMap;
use std::io::Write;

use tabia_game::{Limits, Player, Wdl};
use tabia_solve::certificate::{CertificateSummary, Claim, Header, Task};
use tabia_solve::{Attack, Goal, Prover, Status, Strategy, StrategyError, write_certificate};

use super::case::{Case, Naming};
use super::{OnProgress, Provable, Solution, SolveError};
use crate::CatalogError;

impl<G: Provable> Case<'_, G> {
    /// Says whether the goal holds, if there is one, and writes the certificate of what was found,
    /// if one is asked for. What was found is told even if that fails.
    pub(super) fn certify(
        &self,
        mut solution: Solution,
        prover: &mut dyn Prover<G>,
        named: Naming<'_, G>,
        out: Option<&mut dyn Write>,
        tell: OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        if let Some(goal) = self.asked()? {
            solution.goal = Some(solution.status(self.mover, goal));
        }
        if let Some(out) = out.filter(|_| solution.is_solved()) {
            solution.certified = Some(self.write(&mut solution, prover, named, out, tell));
        }
        Ok(solution)
    }

    fn write(
        &self,
        solution: &mut Solution,
        prover: &mut dyn Prover<G>,
        named: Naming<'_, G>,
        out: &mut dyn Write,
        tell: OnProgress<'_>,
    ) -> Result<CertificateSummary, SolveError> {
        let (game, state, settled) = (self.game, self.state, self.settled);
        let (claim, tasks) = self.claim(solution)?;
        let limits = Limits {
            cancel: self.job.limits.cancel.clone(),
            ..Limits::default()
        };
        let mut strategies = Vec::new();
        for task in tasks {
            let told = |positions: u64| tell("certificate", positions);
            let found = Strategy::find(game, state, task, prover, settled, &limits, told);
            strategies.push(found?);
        }
        let mut tables = BTreeMap::new();
        for strategy in &strategies {
            strategy.relies_on(game, settled, &limits.cancel, |state| {
                tables.extend(named(state));
            })?;
        }
        let header = Header {
            game: self.job.spec.to_string(),
            position: game.position_text(state),
            claim,
            tables,
        };
        solution.tables = header.tables.keys().cloned().collect();
        let written = write_certificate(out, game, &header, &strategies, settled, &limits.cancel)?;
        Ok(written)
    }

    /// What a certificate claims, and the strategies that show it.
    fn claim(&self, solution: &Solution) -> Result<(Claim, Vec<Task>), SolveError> {
        match (self.asked()?, solution.value()) {
            (None, Some(value)) => Ok((Claim::Value(value), Task::of_value(value, self.mover))),
            (Some(goal), _) => {
                // A goal that does not hold is refuted by the other side's strategy.
                let holds = solution.goal == Some(Status::Proved);
                let wdl = |payoff| if payoff > 0 { Wdl::Win } else { Wdl::Draw };
                let (player, at_least) = if holds {
                    (goal.player, wdl(goal.at_least))
                } else {
                    (goal.player.other(), wdl(1 - goal.at_least))
                };
                let claim = Claim::Goal {
                    player: self.game.player_name(player),
                    at_least,
                };
                Ok((claim, vec![Task { player, at_least }]))
            }
            (None, None) => Err(StrategyError::Refuted.into()),
        }
    }

    /// An attack in words.
    pub(super) fn words(&self, attack: Attack) -> String {
        format!("{} wins", self.game.player_name(attack.attacker))
    }

    /// Reads the goal that is asked for.
    pub(super) fn asked(&self) -> Result<Option<Goal>, CatalogError> {
        let Some(text) = self.job.goal else {
            return Ok(None);
        };
        let players = [Player::FIRST, Player::SECOND];
        let names = players.map(|player| self.game.player_name(player));
        let words = text.trim().to_lowercase();
        let named = players.into_iter().find(|player| {
            let name = names[player.index()].to_lowercase();
            words
                .strip_prefix(&name)
                .is_some_and(|rest| rest.starts_with(' '))
        });
        let rest = match named {
            Some(player) => words[names[player.index()].to_lowercase().len()..].trim(),
            None => &words,
        };
        let at_least = match rest {
            "win" | "wins" => 1,
            "draw" | "draws" | "at least draws" | "at least a draw" => 0,
            _ => {
                let [first, second] = names;
                return Err(CatalogError::NotOffered(format!(
                    "'{text}' is no goal; goals are 'win' and 'draw' for the player to move, \
                     '{first} wins', '{first} draws', '{second} wins' and '{second} draws', where \
                     to draw is to draw at least"
                )));
            }
        };
        Ok(Some(Goal {
            player: named.unwrap_or(self.mover),
            at_least,
        }))
    }
}
