//! Standings: points, tie-breaks and places.
//!
//! The tie-breaks are those of the reports in ICGA Journal 36(4), 2013, and the customary ones
//! around them. A bye is treated as a player of its own who wins nothing: it adds nothing to the
//! sum of opponents' scores, and its own sum of opponents' scores is that of all who received it.
//! This is how Table 1 of Wieczorek, Skinderowicz, Kozak, Juszczuk and Nowakowski was computed.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::str::FromStr;

use num_rational::Ratio;
use serde::{Deserialize, Serialize};

use super::scoring::{MAX_POINTS, Points, Scoring, compare};

/// One game of a tournament, or a round without an opponent. Players are numbered from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// A game of two.
    Game {
        /// In which round, counted from one.
        round: u32,
        /// Who moved first, and the opponent.
        players: [usize; 2],
        /// What they scored.
        points: [Points; 2],
    },
    /// A player had no opponent.
    Bye {
        /// In which round, counted from one.
        round: u32,
        /// Who.
        player: usize,
    },
    /// A match of a knockout stayed drawn, and the better seed goes on.
    Seeded {
        /// In which round, counted from one.
        round: u32,
        /// Who goes on, and who is out.
        players: [usize; 2],
    },
}

impl Meeting {
    /// The round, counted from one.
    pub fn round(&self) -> u32 {
        match self {
            Meeting::Game { round, .. }
            | Meeting::Bye { round, .. }
            | Meeting::Seeded { round, .. } => *round,
        }
    }
}

/// What orders players with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum TieBreak {
    /// Points among the tied only, if all of them have met equally often.
    Direct,
    /// Sonneborn-Berger: the points of those who were beaten, and half of those drawn with.
    SonnebornBerger,
    /// The same with the points scored instead of one and one half, on the tournament's own scale.
    SonnebornBergerUnhalved,
    /// Buchholz, or the sum of opponents' scores (SOS).
    Buchholz,
    /// The sum of opponents' SOS.
    Sosos,
    /// The number of wins, byes that count as wins included.
    Wins,
}

impl TieBreak {
    const NAMES: [(&'static str, TieBreak); 7] = [
        ("direct", TieBreak::Direct),
        ("sb", TieBreak::SonnebornBerger),
        ("sb-unhalved", TieBreak::SonnebornBergerUnhalved),
        ("sos", TieBreak::Buchholz),
        ("buchholz", TieBreak::Buchholz),
        ("sosos", TieBreak::Sosos),
        ("nbw", TieBreak::Wins),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, t)| *t == self);
        named.map_or("", |(name, _)| name)
    }
}

impl From<TieBreak> for &'static str {
    fn from(tie_break: TieBreak) -> &'static str {
        tie_break.name()
    }
}

impl FromStr for TieBreak {
    type Err = String;

    fn from_str(text: &str) -> Result<TieBreak, String> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, tie_break)| *tie_break).ok_or_else(|| {
            let names = Self::NAMES.map(|(name, _)| name).join(", ");
            format!("there is no tie-break '{text}'; there are {names}")
        })
    }
}

impl TryFrom<String> for TieBreak {
    type Error = String;

    fn try_from(text: String) -> Result<TieBreak, String> {
        text.parse()
    }
}

/// Who shares a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Places {
    /// Players whom no tie-break separates.
    #[default]
    TieBreaks,
    /// Players with equal points; tie-breaks only order the list.
    Points,
}

/// What the bye is as an opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeOpponent {
    /// A player without points, who has met all who received it.
    #[default]
    Player,
    /// Nobody: the round does not count in the tie-breaks.
    Nobody,
}

/// How a tournament is ranked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentRules {
    /// How games become points.
    pub scoring: Scoring,
    /// What a bye is worth.
    #[serde(with = "super::scoring::as_text")]
    pub bye: Points,
    /// The games of a pair each time it meets, for which a bye stands.
    pub games: u32,
    /// How a bye counts in SOSOS.
    pub bye_opponent: ByeOpponent,
    /// What orders players with equal points, the most important first.
    pub tie_breaks: Vec<TieBreak>,
    /// Who shares a place.
    pub places: Places,
}

impl TournamentRules {
    /// Ranks by points alone, and a bye is a win.
    pub fn new(scoring: Scoring) -> TournamentRules {
        TournamentRules {
            scoring,
            bye: scoring.win(),
            games: 1,
            bye_opponent: ByeOpponent::default(),
            tie_breaks: Vec::new(),
            places: Places::default(),
        }
    }

    /// A bye is a win in all of this many games, as far as a file can say that.
    pub fn with_games(mut self, games: u32) -> TournamentRules {
        let all = self.scoring.win() * i128::from(games);
        self.bye = all.min(Ratio::from_integer(MAX_POINTS));
        self.games = games;
        self
    }

    /// How many wins a bye is worth, at most as many as there would have been games.
    fn wins_of_bye(&self) -> usize {
        let win = self.scoring.win();
        if win <= Ratio::ZERO {
            return 0;
        }
        let wins = (self.bye / win).floor().to_integer();
        usize::try_from(wins).map_or(0, |wins| wins.min(self.games as usize))
    }
}

/// How a player stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The player's number.
    pub player: usize,
    /// The place, counted from one; those who share it have the same.
    pub place: usize,
    /// Whether others have the same place.
    pub shared: bool,
    /// Points of all games and byes.
    pub points: Points,
    /// Games played.
    pub played: usize,
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// Rounds without an opponent.
    pub byes: usize,
    /// The values of the tie-breaks; none where one does not apply, such as a direct encounter of
    /// players who have not met.
    pub tie_breaks: Vec<Option<Points>>,
}

impl Standing {
    /// The place as it is written: `2`, or `2=` if it is shared.
    pub fn place_text(&self) -> String {
        format!("{}{}", self.place, if self.shared { "=" } else { "" })
    }
}

/// One side of a game.
struct Seat {
    opponent: usize,
    points: Points,
    result: Ordering,
}

/// All games from each player's side; the last one is the bye.
struct Games {
    players: usize,
    seats: Vec<Vec<Seat>>,
    points: Vec<Points>,
}

impl Games {
    fn new(players: usize, meetings: &[Meeting], rules: &TournamentRules) -> Games {
        let mut seats: Vec<Vec<Seat>> = (0..=players).map(|_| Vec::new()).collect();
        let mut points = vec![Ratio::ZERO; players + 1];
        for meeting in meetings {
            match *meeting {
                Meeting::Game {
                    players: [first, second],
                    points: scored,
                    ..
                } => {
                    points[first] += scored[0];
                    points[second] += scored[1];
                    let result = compare(scored);
                    seats[first].push(Seat {
                        opponent: second,
                        points: scored[0],
                        result,
                    });
                    seats[second].push(Seat {
                        opponent: first,
                        points: scored[1],
                        result: result.reverse(),
                    });
                }
                Meeting::Bye { player, .. } => {
                    points[player] += rules.bye;
                    seats[player].push(Seat {
                        opponent: players,
                        points: rules.bye,
                        result: Ordering::Greater,
                    });
                    seats[players].push(Seat {
                        opponent: player,
                        points: Ratio::ZERO,
                        result: Ordering::Less,
                    });
                }
                Meeting::Seeded { .. } => {}
            }
        }
        Games {
            players,
            seats,
            points,
        }
    }

    /// A sum over all seats of a player.
    fn sum(&self, player: usize, term: impl Fn(&Seat) -> Points) -> Points {
        self.seats[player].iter().map(term).sum()
    }

    /// Games of a player with this result.
    fn count(&self, player: usize, result: Ordering) -> usize {
        let games = self.seats[player].iter();
        games
            .filter(|s| s.opponent != self.players && s.result == result)
            .count()
    }

    fn byes(&self, player: usize) -> usize {
        let rounds = self.seats[player].iter();
        rounds.filter(|s| s.opponent == self.players).count()
    }

    /// The values of a tie-break for all players; nothing for direct encounters, which depend on
    /// who is tied.
    fn tie_break(&self, tie_break: TieBreak, rules: &TournamentRules) -> Vec<Option<Points>> {
        let sos = |player| self.sum(player, |s| self.points[s.opponent]);
        let value: Box<dyn Fn(usize) -> Points> = match tie_break {
            TieBreak::Direct => return vec![None; self.players],
            TieBreak::SonnebornBerger => Box::new(|player| {
                self.sum(player, |s| match s.result {
                    Ordering::Greater => self.points[s.opponent],
                    Ordering::Equal => self.points[s.opponent] / 2,
                    Ordering::Less => Ratio::ZERO,
                })
            }),
            TieBreak::SonnebornBergerUnhalved => {
                Box::new(|player| self.sum(player, |s| s.points * self.points[s.opponent]))
            }
            TieBreak::Buchholz => Box::new(sos),
            TieBreak::Sosos => {
                let mut all: Vec<Points> = (0..=self.players).map(sos).collect();
                if rules.bye_opponent == ByeOpponent::Nobody {
                    all[self.players] = Ratio::ZERO;
                }
                Box::new(move |player| self.sum(player, |s| all[s.opponent]))
            }
            TieBreak::Wins => Box::new(|player| {
                let byes = rules.wins_of_bye() * self.byes(player);
                Ratio::from_integer((self.count(player, Ordering::Greater) + byes) as i128)
            }),
        };
        (0..self.players)
            .map(|player| Some(value(player)))
            .collect()
    }

    /// Points among some players only; nothing unless all of them have met equally often.
    fn direct(&self, tied: &[usize]) -> Option<Vec<Points>> {
        let place: HashMap<usize, usize> = tied.iter().zip(0..).map(|(&p, i)| (p, i)).collect();
        let mut points = vec![Ratio::ZERO; tied.len()];
        let mut met = vec![0_usize; tied.len() * tied.len()];
        for (i, &player) in tied.iter().enumerate() {
            for seat in &self.seats[player] {
                if let Some(j) = place.get(&seat.opponent) {
                    points[i] += seat.points;
                    met[i * tied.len() + j] += 1;
                }
            }
        }
        let mut others = (0..met.len())
            .filter(|at| at / tied.len() != at % tied.len())
            .map(|at| met[at]);
        let often = others.next().filter(|&often| often > 0)?;
        others.all(|met| met == often).then_some(points)
    }
}

/// Ranks the players, numbered from zero in the order that stands when nothing separates them.
///
/// # Panics
///
/// If a meeting names a player who is not there.
pub fn standings(players: usize, meetings: &[Meeting], rules: &TournamentRules) -> Vec<Standing> {
    let games = Games::new(players, meetings, rules);
    let mut values: Vec<Vec<Option<Points>>> = rules
        .tie_breaks
        .iter()
        .map(|&tie_break| games.tie_break(tie_break, rules))
        .collect();
    let by_points = split((0..players).collect(), |p| games.points[p]);
    let mut tied = by_points.clone();
    for (tie_break, values) in rules.tie_breaks.iter().zip(&mut values) {
        if *tie_break == TieBreak::Direct {
            for group in &tied {
                let direct = games.direct(group).into_iter().flatten();
                for (&player, points) in group.iter().zip(direct) {
                    values[player] = Some(points);
                }
            }
        }
        tied = tied
            .into_iter()
            .flat_map(|group| split(group, |p| values[p]))
            .collect();
    }
    let order: Vec<usize> = tied.iter().flatten().copied().collect();
    let sizes: Vec<usize> = match rules.places {
        Places::TieBreaks => tied.iter().map(Vec::len).collect(),
        Places::Points => by_points.iter().map(Vec::len).collect(),
    };
    placed(&games, &order, &sizes, |player| {
        values.iter().map(|values| values[player]).collect()
    })
}

/// Ranks the players of a knockout by the round in which they lost their match; those who have lost
/// none come first. Equal rounds share a place and are listed by points. Nobody is out because of a
/// round that is still open.
///
/// # Panics
///
/// If a meeting names a player who is not there.
pub fn knockout_standings(
    players: usize,
    meetings: &[Meeting],
    open_round: Option<u32>,
    rules: &TournamentRules,
) -> Vec<Standing> {
    let games = Games::new(players, meetings, rules);
    let mut matches: HashMap<(u32, [usize; 2]), Points> = HashMap::new();
    let mut lost = vec![u32::MAX; players];
    let mut last = vec![0; players];
    for meeting in meetings {
        match *meeting {
            Meeting::Game {
                round,
                players: [first, second],
                points,
            } => {
                *matches.entry((round, [first, second])).or_default() += points[0] - points[1];
                *matches.entry((round, [second, first])).or_default() += points[1] - points[0];
                last[first] = last[first].max(round);
                last[second] = last[second].max(round);
            }
            Meeting::Seeded {
                round,
                players: [_, out],
            } => lost[out] = round,
            Meeting::Bye { round, player } => last[player] = last[player].max(round),
        }
    }
    for ((round, [player, opponent]), lead) in matches {
        // A drawn match is lost by the one who does not go on.
        let goes_on = |player: usize| last[player] > round;
        let drawn_and_out = lead == Ratio::ZERO && goes_on(opponent) && !goes_on(player);
        let is_lost = lead < Ratio::ZERO && open_round != Some(round);
        if is_lost || drawn_and_out {
            lost[player] = lost[player].min(round);
        }
    }
    let groups = split((0..players).collect(), |p| lost[p]);
    let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    let order: Vec<usize> = groups
        .into_iter()
        .flat_map(|group| split(group, |p| games.points[p]))
        .flatten()
        .collect();
    placed(&games, &order, &sizes, |_| Vec::new())
}

/// Groups of players with equal values, the highest first; within a group the order stays.
fn split<T: Ord>(mut players: Vec<usize>, value: impl Fn(usize) -> T) -> Vec<Vec<usize>> {
    players.sort_by_cached_key(|&player| Reverse(value(player)));
    let equal = |a: &usize, b: &usize| value(*a) == value(*b);
    players.chunk_by(equal).map(<[usize]>::to_vec).collect()
}

/// The standings in this order, where this many at a time share a place.
fn placed(
    games: &Games,
    order: &[usize],
    sizes: &[usize],
    tie_breaks: impl Fn(usize) -> Vec<Option<Points>>,
) -> Vec<Standing> {
    let mut standings = Vec::with_capacity(order.len());
    for &size in sizes {
        let place = standings.len() + 1;
        for &player in order.iter().skip(place - 1).take(size) {
            let [wins, draws, losses] = [Ordering::Greater, Ordering::Equal, Ordering::Less]
                .map(|result| games.count(player, result));
            standings.push(Standing {
                player,
                place,
                shared: size > 1,
                points: games.points[player],
                played: wins + draws + losses,
                wins,
                draws,
                losses,
                byes: games.byes(player),
                tie_breaks: tie_breaks(player),
            });
        }
    }
    standings
}
