//! MP-Mix: which search is right depends on how the game stands (Zuckerman, Felner and Kraus 2009).
//!
//! By static evaluation somebody leads. If it is the one who searches, and by enough, they expect
//! all others against them and search paranoid. If it is somebody else, and by enough, they do
//! what is worst for the leader; with `join` they take it that the other players behind do the
//! same, as a coalition against the strongest (Lorenz and Tscheuschner 2006 consider such
//! coalitions at every node). Otherwise everybody is taken to play for themselves. What is done
//! while in the lead may be any [reduction](super::reduction), Best-Reply Search for instance.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{CERTAIN, Game, Knowledge, Limits, Player, Seed, Turn};

use super::aims::{MAX_PLAYERS, Want};
use super::config::Config;
use super::reduced::Reduced;
use super::reduction::{ReductionObjective, Replies};
use super::{ManyPlayerGame, MaxN};
use crate::alphabeta;
use crate::{Choice, Counter, Engine, Listener, Past, Reading, Report, Situation};

/// When which search is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// The lead from which on the leader defends, as a share of the largest payoff.
    pub defend: f64,
    /// The lead of another from which on they are attacked.
    pub attack: f64,
    /// Whether everybody behind is taken to attack.
    pub join: bool,
}

/// The options of [`Mix`].
pub const MIX_PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "defend",
        kind: ParameterKind::Decimal(0, 2000),
        default: "0.1",
        help: "own lead from which all others are treated as enemies, as a share of a win",
    },
    Parameter {
        key: "attack",
        kind: ParameterKind::Decimal(0, 2000),
        default: "0.1",
        help: "lead of another player from which that player is attacked",
    },
    Parameter {
        key: "join",
        kind: ParameterKind::Switch,
        default: "off",
        help: "all players behind are expected to attack as well",
    },
];

impl From<&OptionValues> for Mix {
    fn from(values: &OptionValues) -> Mix {
        Mix {
            defend: values.decimal("defend"),
            attack: values.decimal("attack"),
            join: values.switch("join"),
        }
    }
}

/// What is searched in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropagationStrategy {
    /// Everybody for themselves.
    MaxN,
    /// All against the one who searches.
    Defend,
    /// Against the leader.
    Attack(Player),
}

impl Mix {
    /// The search for `root` where the players stand like this, in [`CERTAIN`]-ths of a win.
    pub fn strategy(&self, standings: &[i32], root: Player) -> PropagationStrategy {
        let mut order: Vec<usize> = (0..standings.len()).collect();
        // Of several who stand equal, the one who searches is not the leader.
        order.sort_by_key(|&p| (std::cmp::Reverse(standings[p]), p == root.index()));
        let [leader, second, ..] = order[..] else {
            return PropagationStrategy::MaxN;
        };
        let lead = f64::from(standings[leader] - standings[second]) / f64::from(CERTAIN);
        if leader == root.index() && lead > self.defend {
            PropagationStrategy::Defend
        } else if leader != root.index() && lead > self.attack {
            PropagationStrategy::Attack(Player(leader as u8))
        } else {
            PropagationStrategy::MaxN
        }
    }
}

/// The engine; while in the lead the others reply by `R`.
pub struct MpMix<R, K> {
    mix: Mix,
    knowledge: K,
    vectors: MaxN<K>,
    defence: Reduced<R, K>,
}

impl<R, K: Clone> MpMix<R, K> {
    /// An engine with these switches of max^n and of alpha-beta.
    pub fn new(
        replies: R,
        mix: Mix,
        config: Config,
        defence: alphabeta::Config,
        knowledge: K,
    ) -> MpMix<R, K> {
        MpMix {
            mix,
            vectors: MaxN::new(config, knowledge.clone()),
            defence: Reduced::new(
                replies,
                defence,
                ReductionObjective::Margin,
                knowledge.clone(),
            ),
            knowledge,
        }
    }
}

impl<R, K> MpMix<R, K> {
    fn strategy<G: Game>(&self, game: &G, state: &G::State, root: Player) -> PropagationStrategy
    where
        K: Knowledge<G>,
    {
        let players = (0..game.players()).map(|p| Player(p as u8));
        let standings: Vec<i32> = players
            .map(|p| self.knowledge.evaluate(game, state, p))
            .collect();
        self.mix.strategy(&standings, root)
    }
}

impl<G, R, K> Engine<G> for MpMix<R, K>
where
    G: ManyPlayerGame,
    R: Replies<G, K>,
    K: Knowledge<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn choose_reporting(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Turn::Player(root) = situation.game.turn(situation.state) else {
            return Choice::nothing();
        };
        let strategy = self.strategy(situation.game, situation.state, root);
        let mut choice = match strategy {
            PropagationStrategy::Defend => self
                .defence
                .choose_reporting(past, situation, limits, listener),
            PropagationStrategy::MaxN => {
                self.vectors.set_wants(None);
                self.vectors
                    .choose_reporting(past, situation, limits, listener)
            }
            PropagationStrategy::Attack(leader) => {
                let mut wants = [Want::Own; MAX_PLAYERS];
                for (player, want) in wants.iter_mut().enumerate() {
                    if player == root.index() || self.mix.join && player != leader.index() {
                        *want = Want::Against(leader);
                    }
                }
                self.vectors.set_wants(Some(wants));
                // What the leader loses is not what the others win.
                let (lines, interval) = (listener.lines(), listener.interval());
                let mut tell = |report: &Report<'_, G::Move>| {
                    listener.tell(&Report {
                        value: None,
                        solved: false,
                        ..report.clone()
                    });
                };
                let mut inner = Listener::new(lines, &mut tell).every(interval);
                let mut choice = self
                    .vectors
                    .choose_reporting(past, situation, limits, &mut inner);
                choice.value = None;
                choice.reading = Reading::Own;
                choice.solved = false;
                choice
            }
        };
        let number = match strategy {
            PropagationStrategy::MaxN => 0,
            PropagationStrategy::Defend => 1,
            PropagationStrategy::Attack(_) => 2,
        };
        choice.counters.push(("strategy", Counter::One(number)));
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        Engine::<G>::new_game(&mut self.vectors, luck);
        Engine::<G>::new_game(&mut self.defence, luck);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strategy_follows_the_lead() {
        let mix = Mix {
            defend: 0.1,
            attack: 0.2,
            join: false,
        };
        let strategy = |standings: [i32; 3], root| mix.strategy(&standings, Player(root));
        assert_eq!(
            strategy([500_000, 300_000, 0], 0),
            PropagationStrategy::Defend
        );
        assert_eq!(
            strategy([350_000, 300_000, 0], 0),
            PropagationStrategy::MaxN
        );
        assert_eq!(
            strategy([450_000, 300_000, 0], 1),
            PropagationStrategy::MaxN
        );
        assert_eq!(
            strategy([0, 300_000, 550_000], 1),
            PropagationStrategy::Attack(Player(2))
        );
        assert_eq!(
            strategy([300_000, 300_000, 0], 0),
            PropagationStrategy::MaxN
        );
    }
}
