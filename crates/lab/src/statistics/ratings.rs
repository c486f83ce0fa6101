//! Ratings of many players by the model of Bradley and Terry (1952): maximum likelihood in Elo.
//!
//! The odds of two players are the quotient of their strengths; a draw counts as half a win for
//! each. The likelihood is concave in the logarithms of the strengths and Newton's method climbs
//! it, with steps halved until they lead upwards. Ratings have mean zero, and their covariance is
//! the inverse of the information under this constraint.
//!
//! A maximum exists only if no players can be parted into two groups of which one took no point
//! from the other (Ford 1957). Where they can, as after a clean sweep, every player is given one
//! virtual draw with a player of rating zero, and the result says so.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

/// What one player scored against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The number of a player.
    pub player: usize,
    /// The number of another.
    pub opponent: usize,
    /// What the player took, a draw counting one half.
    pub points: f64,
    /// The number of games.
    pub games: f64,
}

/// The strength of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// In Elo, relative to the mean of all players.
    pub elo: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// The strength of all players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// By the number of the player.
    pub players: Vec<Rating>,
    /// Whether each player was given a virtual draw, since the games alone do not tell all
    /// ratings.
    pub virtual_draws: bool,
}

const ELO: f64 = 400.0 / std::f64::consts::LN_10;

impl Ratings {
    /// Rates players numbered from zero.
    ///
    /// Pairings may repeat and come either way round. One that names a player who is not there,
    /// that pairs a player with themselves, or whose points are not between zero and its games, is
    /// left out.
    pub fn new(players: usize, pairings: &[Pairing]) -> Ratings {
        let pairings: Vec<Pairing> = pairings
            .iter()
            .copied()
            .filter(|p| p.player < players && p.opponent < players && p.player != p.opponent)
            .filter(|p| p.games.is_finite() && p.games > 0.0 && (0.0..=p.games).contains(&p.points))
            .collect();
        let virtual_draws = !has_maximum(players, &pairings);
        let model = Model {
            players,
            pairings,
            virtual_draws,
        };
        Ratings {
            players: model.fit(),
            virtual_draws,
        }
    }
}

struct Model {
    players: usize,
    pairings: Vec<Pairing>,
    virtual_draws: bool,
}

impl Model {
    fn fit(&self) -> Vec<Rating> {
        if self.players == 0 {
            return Vec::new();
        }
        let mut strengths = DVector::zeros(self.players);
        let mut likelihood = self.log_likelihood(&strengths);
        for _ in 0..200 {
            let (gradient, information) = self.derivatives(&strengths);
            let Some(cholesky) = information.cholesky() else {
                break;
            };
            let step = cholesky.solve(&gradient);
            let mut length = 1.0;
            let better = loop {
                let next = &strengths + &step * length;
                let value = self.log_likelihood(&next);
                if value > likelihood {
                    break Some((next, value));
                }
                length /= 2.0;
                if length < 1e-6 {
                    break None;
                }
            };
            // At the top, rounding is all that is left.
            let Some((next, value)) = better else { break };
            (strengths, likelihood) = (next, value);
        }
        let mean = strengths.mean();
        let variances = self.variances(&strengths);
        strengths
            .iter()
            .zip(variances)
            .map(|(strength, variance)| Rating {
                elo: (strength - mean) * ELO,
                standard_error: variance.sqrt() * ELO,
            })
            .collect()
    }

    fn log_likelihood(&self, strengths: &DVector<f64>) -> f64 {
        let games = self.pairings.iter().map(|p| {
            let difference = strengths[p.player] - strengths[p.opponent];
            p.points * log_probability_won(difference)
                + (p.games - p.points) * log_probability_won(-difference)
        });
        let draws = strengths
            .iter()
            .filter(|_| self.virtual_draws)
            .map(|&strength| {
                0.5 * (log_probability_won(strength) + log_probability_won(-strength))
            });
        games.chain(draws).sum()
    }

    /// The gradient of the likelihood, and the information with the mean held at zero. Without
    /// virtual draws the mean is free, and a constant in all entries pins it without touching the
    /// rest.
    fn derivatives(&self, strengths: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut gradient = DVector::zeros(self.players);
        let pin = if self.virtual_draws {
            0.0
        } else {
            1.0 / self.players as f64
        };
        let mut information = DMatrix::from_element(self.players, self.players, pin);
        for p in &self.pairings {
            let won = probability_won(strengths[p.player] - strengths[p.opponent]);
            let surplus = p.points - p.games * won;
            gradient[p.player] += surplus;
            gradient[p.opponent] -= surplus;
            let weight = p.games * won * (1.0 - won);
            information[(p.player, p.player)] += weight;
            information[(p.opponent, p.opponent)] += weight;
            information[(p.player, p.opponent)] -= weight;
            information[(p.opponent, p.player)] -= weight;
        }
        if self.virtual_draws {
            for (player, &strength) in strengths.iter().enumerate() {
                let won = probability_won(strength);
                gradient[player] += 0.5 - won;
                information[(player, player)] += won * (1.0 - won);
            }
        }
        (gradient, information)
    }

    /// The variance of each strength relative to the mean of all; infinite if it cannot be told.
    fn variances(&self, strengths: &DVector<f64>) -> Vec<f64> {
        let Some(cholesky) = self.derivatives(strengths).1.cholesky() else {
            return vec![f64::INFINITY; self.players];
        };
        let share = 1.0 / self.players as f64;
        let centre = DMatrix::from_fn(self.players, self.players, |row, column| {
            f64::from(u8::from(row == column)) - share
        });
        let covariance = &centre * cholesky.inverse() * &centre;
        covariance.diagonal().iter().map(|v| v.max(0.0)).collect()
    }
}

fn probability_won(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of the probability of a win, also where that would underflow.
fn log_probability_won(difference: f64) -> f64 {
    difference.min(0.0) - (-difference.abs()).exp().ln_1p()
}

/// Whether everybody took points from everybody else, if only through others: then the likelihood
/// has a maximum.
fn has_maximum(players: usize, pairings: &[Pairing]) -> bool {
    // Above whom, or below whom, a player may be: whoever is reached from player 0 both ways.
    let reaches_all = |winners_first: bool| {
        let mut reached = vec![false; players];
        let mut open = vec![0];
        while let Some(player) = open.pop() {
            if reached.get(player) != Some(&false) {
                continue;
            }
            reached[player] = true;
            for p in pairings {
                let took = p.points > 0.0;
                let gave = p.games > p.points;
                let (onwards, back) = if winners_first {
                    (took, gave)
                } else {
                    (gave, took)
                };
                if p.player == player && onwards {
                    open.push(p.opponent);
                } else if p.opponent == player && back {
                    open.push(p.player);
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    reaches_all(true) && reaches_all(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(players: usize, pairings: &[(usize, usize, f64, f64)]) -> Ratings {
        let pairings: Vec<Pairing> = pairings
            .iter()
            .map(|&(player, opponent, points, games)| Pairing {
                player,
                opponent,
                points,
                games,
            })
            .collect();
        Ratings::new(players, &pairings)
    }

    #[track_caller]
    fn assert_near(ratings: &Ratings, expected: &[(f64, f64)]) {
        assert_eq!(ratings.players.len(), expected.len());
        for (ours, (elo, standard_error)) in ratings.players.iter().zip(expected) {
            assert!((ours.elo - elo).abs() < 1e-4, "{ratings:?}");
            assert!(
                (ours.standard_error - standard_error).abs() < 1e-4,
                "{ratings:?}"
            );
        }
    }

    /// Values of statsmodels 0.15: `GLM(points, design, Binomial())`, the design coded to sum to
    /// zero, parameters and their covariance times 400 / ln 10.
    #[test]
    fn ratings_equal_statsmodels() {
        let three = rate(
            3,
            &[(0, 1, 7.0, 10.0), (1, 2, 6.5, 10.0), (0, 2, 8.0, 10.0)],
        );
        assert!(!three.virtual_draws);
        assert_near(
            &three,
            &[
                (129.810_760_664_5, 60.491_326_889_4),
                (-13.110_024_953_9, 55.160_564_865_4),
                (-116.700_735_710_7, 59.280_133_818_4),
            ],
        );
        // The last pairing is given the other way round, and the first in two parts.
        let four = rate(
            4,
            &[
                (0, 1, 20.0, 25.0),
                (1, 2, 12.0, 30.0),
                (2, 3, 25.0, 40.0),
                (3, 0, 1.5, 20.0),
                (0, 1, 10.5, 15.0),
            ],
        );
        assert_near(
            &four,
            &[
                (186.729_695_088_8, 46.767_119_036_5),
                (-49.880_009_347_1, 37.395_405_684_7),
                (-11.356_974_856_2, 35.927_177_870_4),
                (-125.492_710_885_5, 43.130_043_377_0),
            ],
        );
    }

    /// Two players: the difference is the Elo of the share, 75% being 190.85.
    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let two = rate(2, &[(0, 1, 75.0, 100.0)]);
        let half = 190.848_501_887_865 / 2.0;
        assert_near(&two, &[(half, 20.059_202_882_8), (-half, 20.059_202_882_8)]);
    }

    /// Values of SciPy 1.17: `minimize` of the negative likelihood with the virtual draws, and the
    /// inverse of its second derivatives, centred.
    #[test]
    fn a_clean_sweep_takes_virtual_draws() {
        let swept = rate(
            3,
            &[(0, 1, 10.0, 10.0), (1, 2, 6.0, 10.0), (0, 2, 10.0, 10.0)],
        );
        assert!(swept.virtual_draws);
        assert_near(
            &swept,
            &[
                (440.124_506_440_2, 167.153_649_412_1),
                (-187.636_622_429_9, 97.692_412_067_1),
                (-252.487_884_010_3, 100.933_082_585_8),
            ],
        );
        let stranger = rate(3, &[(0, 1, 5.0, 10.0)]);
        assert!(stranger.virtual_draws);
        let (known, unknown) = (151.633_320_931_3, 283.679_967_671_8);
        assert_near(&stranger, &[(0.0, known), (0.0, known), (0.0, unknown)]);
    }

    #[test]
    fn a_circle_of_wins_has_a_maximum() {
        let circle = rate(3, &[(0, 1, 3.0, 3.0), (1, 2, 3.0, 3.0), (2, 0, 3.0, 3.0)]);
        assert!(!circle.virtual_draws);
        assert!(circle.players.iter().all(|player| player.elo.abs() < 1e-9));
    }

    #[test]
    fn lopsided_results_are_still_rated() {
        let ratings = rate(2, &[(0, 1, 999_999.5, 1_000_000.0)]);
        let difference = ratings.players[0].elo - ratings.players[1].elo;
        // 400 log10(999999.5 / 0.5)
        assert!((difference - 2_520.411_911).abs() < 1e-3, "{difference}");
    }

    #[test]
    fn senseless_pairings_are_left_out() {
        assert_eq!(rate(0, &[]).players, []);
        let alone = rate(1, &[(0, 0, 1.0, 1.0), (0, 7, 1.0, 1.0)]);
        assert_eq!(alone.players.len(), 1);
        assert_eq!(alone.players[0].elo, 0.0);
        let nonsense = rate(
            2,
            &[(0, 1, 5.0, 3.0), (0, 1, f64::NAN, 3.0), (0, 1, 0.0, 0.0)],
        );
        assert_eq!(nonsense, rate(2, &[]));
    }
}
