//! The typed game behind a [`Session`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabia_game::threads;
use tabia_game::{
    Game, GameRng, Hidden, Limits, Made, NotCounted, Path, Payoff, Picture, Player, Ruling,
    Stopped, TextError, Turn, distinct, perft_limited,
};
use tabia_search::{Choice, Listener, Past, Report, Situation};

use crate::listing::Listable;
use crate::{Answer, AnyEngine, CatalogError, GameEnd, Observed, Session};

/// Draws an outcome of chance.
pub(crate) type DrawOutcome<G> = fn(&G, &<G as Game>::State, &mut GameRng) -> <G as Game>::Move;

/// What one player may know of a game with hidden information.
pub(crate) struct Secrets<G: Game> {
    is_secret: fn(&G, &G::State) -> bool,
    observed: fn(&G, Past<'_, G>, Player) -> Observed,
    picture: PictureFor<G>,
}

/// Draws a position, after the last move in the position before it, as a player may see it.
type PictureFor<G> = fn(
    &G,
    &<G as Game>::State,
    Option<(&<G as Game>::State, <G as Game>::Move)>,
    Player,
) -> Picture;

impl<G: Game> Clone for Secrets<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Secrets<G> {}

impl<G: Hidden> Secrets<G> {
    pub fn of() -> Secrets<G> {
        Secrets {
            is_secret: |game, state| game.is_secret(state),
            observed: |game, past, player| {
                let observation = past.observed_by(game, player);
                let signals = observation.signals().iter();
                Observed {
                    position: game.view_text(observation.view()),
                    history: signals.map(|signal| game.signal_text(signal)).collect(),
                }
            },
            picture: |game, state, last, player| {
                let last = last.map(|(before, mv)| game.signal(before, mv, player));
                game.picture_for(&game.view(state, player), last.as_ref())
            },
        }
    }
}

pub(crate) struct Progress<G: Game> {
    game: Arc<G>,
    roll: Option<DrawOutcome<G>>,
    secrets: Option<Secrets<G>>,
    state: G::State,
    path: Path,
    /// Each move with the position before it: undo tokens need not be fit to be sent to other
    /// threads, positions are.
    played: Vec<(G::Move, G::State)>,
    history: Vec<String>,
}

impl<G: Listable> Progress<G> {
    /// A game that begins with this position, after the path that is known of it.
    pub(crate) fn new(
        game: Arc<G>,
        roll: Option<DrawOutcome<G>>,
        secrets: Option<Secrets<G>>,
        state: G::State,
        path: Path,
    ) -> Progress<G> {
        let path = match path.is_empty() {
            true => Path::from_start(&*game, &state),
            false => path,
        };
        Progress {
            game,
            roll,
            secrets,
            state,
            path,
            played: Vec::new(),
            history: Vec::new(),
        }
    }

    /// How the rule of repetition ends the game, if it does.
    fn ruling(&self) -> Ruling {
        self.path.ruling(&*self.game, &self.state)
    }

    /// The legal moves, or the outcomes of chance.
    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.turn() != Turn::Over {
            self.path.legal_moves(&*self.game, &self.state, &mut moves);
        }
        moves
    }

    /// Refuses a move that only the rule of repetition forbids.
    fn refuse_if_forbidden(&self, mv: G::Move, text: &str) -> Result<(), CatalogError> {
        if !self.game.repetition().forbids() {
            return Ok(());
        }
        let legal = self.legal();
        if legal.contains(&mv) {
            return Ok(());
        }
        let legal: Vec<String> = legal
            .iter()
            .map(|&mv| self.game.move_text(&self.state, mv))
            .collect();
        let reason = format!(
            "'{text}' is forbidden by the rule of repetition; legal are: {}",
            legal.join(" ")
        );
        Err(TextError::new(reason).into())
    }

    fn moves_so_far(&self) -> Vec<G::Move> {
        self.played.iter().map(|&(mv, _)| mv).collect()
    }

    fn past<'a>(&'a self, moves: &'a [G::Move]) -> Past<'a, G> {
        let start = self.played.first().map_or(&self.state, |(_, start)| start);
        Past { start, moves }
    }

    fn players(&self) -> impl Iterator<Item = Player> + use<G> {
        (0..self.game.players())
            .filter_map(|p| u8::try_from(p).ok())
            .map(Player)
    }

    fn push(&mut self, mv: G::Move) {
        self.history.push(self.game.move_text(&self.state, mv));
        self.played.push((mv, self.state.clone()));
        let rule = self.game.repetition();
        let made = Made::of(&*self.game, rule, &self.state, mv);
        self.game.play(&mut self.state, mv);
        self.path.enter(&*self.game, rule, &self.state, made);
    }

    fn refuse_if_over(&self) -> Result<(), CatalogError> {
        self.ending()
            .map_or(Ok(()), |ending| Err(CatalogError::Over(ending.text)))
    }

    fn result_text(&self, payoffs: &[Payoff]) -> String {
        let name = |player| self.game.player_name(player);
        if let [points] = payoffs {
            let unit = if *points == 1 { "point" } else { "points" };
            return format!("{points} {unit}");
        }
        let mut winners = self.players().filter(|p| payoffs[p.index()] > 0);
        match (winners.next(), winners.next()) {
            _ if payoffs.iter().all(|&p| p == 0) => "the game is drawn".to_string(),
            (Some(winner), None) if self.game.max_payoff() == 1 => {
                format!("{} has won", name(winner))
            }
            _ => {
                let shares: Vec<String> = self
                    .players()
                    .map(|p| format!("{} {:+}", name(p), payoffs[p.index()]))
                    .collect();
                shares.join(", ")
            }
        }
    }

    /// The line of a choice as text, as far as it is legal, and the best move.
    fn in_words(&self, choice: Choice<G::Move>, engine: &str) -> Result<Answer, CatalogError> {
        let moves = self.legal();
        let best = match choice.best {
            Some(mv) if !moves.contains(&mv) => {
                return Err(CatalogError::IllegalAnswer {
                    engine: engine.to_string(),
                    answer: format!("{mv:?}"),
                });
            }
            best => best.map(|mv| self.game.move_text(&self.state, mv)),
        };
        let line = self.line_in_words(&choice.line, engine);
        Ok(Answer::new(&*self.game, self.turn(), choice, best, line))
    }

    /// A line as text, as far as it is legal.
    fn line_in_words(&self, moves: &[G::Move], engine: &str) -> Vec<String> {
        let rule = self.game.repetition();
        let (mut legal, mut line) = (Vec::new(), Vec::new());
        let (mut state, mut path) = (self.state.clone(), self.path.clone());
        for &mv in moves {
            legal.clear();
            path.legal_moves(&*self.game, &state, &mut legal);
            if !legal.contains(&mv) {
                debug_assert!(false, "{engine}: {mv:?} in the line is not legal");
                break;
            }
            line.push(self.game.move_text(&state, mv));
            let made = Made::of(&*self.game, rule, &state, mv);
            self.game.play(&mut state, mv);
            path.enter(&*self.game, rule, &state, made);
        }
        line
    }

    /// Asks an engine for a move and tells what it reports of this many lines.
    fn asked(
        &self,
        engine: &mut AnyEngine,
        limits: &Limits,
        lines: usize,
        tell: &mut (dyn FnMut(&Report<'_, String>) + Send),
    ) -> Result<Answer, CatalogError> {
        self.refuse_if_over()?;
        if self.turn() == Turn::Chance {
            return Err(CatalogError::Chance);
        }
        let mut limits = engine.limits(limits);
        limits.time = limits.time.map(time_to_think);
        let moment = limits
            .time
            .and_then(|time| Instant::now().checked_add(time));
        if let Some(moment) = moment {
            // What an engine does before it looks at the clock counts as well.
            limits.cancel = limits.cancel.until(moment);
        }
        let spec = engine.spec().to_string();
        if limits.playouts.is_some() && !engine.counts_playouts() {
            let reason = format!("{spec} does not count playouts; limit its depth, nodes or time");
            return Err(CatalogError::NotOffered(reason));
        }
        let bound = engine
            .typed::<G>()
            .filter(|bound| Arc::ptr_eq(&bound.game, &self.game))
            .ok_or_else(|| CatalogError::ForeignEngine(spec.clone()))?;
        let situation = Situation {
            game: &*self.game,
            state: &self.state,
            path: &self.path,
        };
        let moves = self.moves_so_far();
        let past = self.past(&moves);
        let mut in_words = |report: &Report<'_, G::Move>| {
            let line = self.line_in_words(report.line, &spec);
            tell(&report.with_line(&line));
        };
        let mut listener = Listener::new(lines, &mut in_words);
        let engine = &mut bound.engine;
        let choice = engine.choose_reporting(past, situation, &limits, &mut listener);
        self.in_words(choice, &spec)
    }
}

/// What is left to think in of the time in which an answer has to be there: a search that notices
/// its deadline has yet to come back with its answer.
fn time_to_think(time: Duration) -> Duration {
    const MOST: Duration = Duration::from_millis(50);
    time.saturating_sub((time / 20).min(MOST))
}

impl<G: Listable> Session for Progress<G> {
    fn turn(&self) -> Turn {
        if !self.ruling().is_open() {
            Turn::Over
        } else {
            self.game.turn(&self.state)
        }
    }

    fn ending(&self) -> Option<GameEnd> {
        let ruling = self.ruling();
        if !ruling.is_open() {
            let payoffs: Vec<Payoff> = self
                .players()
                .map(|player| ruling.payoff(&*self.game, player))
                .collect();
            return Some(GameEnd {
                text: format!("{} by repetition", self.result_text(&payoffs)),
                payoffs,
                repetition: true,
            });
        }
        if self.game.turn(&self.state) != Turn::Over {
            return None;
        }
        let payoffs: Vec<Payoff> = self
            .players()
            .map(|p| self.game.payoff(&self.state, p))
            .collect();
        Some(GameEnd {
            text: self.result_text(&payoffs),
            payoffs,
            repetition: false,
        })
    }

    fn moves(&self) -> Vec<String> {
        self.legal()
            .into_iter()
            .map(|mv| self.game.move_text(&self.state, mv))
            .collect()
    }

    fn is_secret(&self) -> bool {
        let secrets = self.secrets.as_ref();
        secrets.is_some_and(|secrets| (secrets.is_secret)(&self.game, &self.state))
    }

    fn observed(&self, viewer: Player) -> Observed {
        let Some(secrets) = &self.secrets else {
            return Observed {
                position: self.position(),
                history: self.history.clone(),
            };
        };
        let moves = self.moves_so_far();
        let past = self.past(&moves);
        (secrets.observed)(&self.game, past, viewer)
    }

    fn play(&mut self, text: &str) -> Result<(), CatalogError> {
        self.refuse_if_over()?;
        let mv = self.game.parse_move(&self.state, text)?;
        self.refuse_if_forbidden(mv, text)?;
        self.push(mv);
        Ok(())
    }

    fn roll(&mut self, rng: &mut GameRng) -> Result<String, CatalogError> {
        self.refuse_if_over()?;
        let roll = self
            .roll
            .filter(|_| self.turn() == Turn::Chance)
            .ok_or(CatalogError::NothingToRoll)?;
        self.push(roll(&self.game, &self.state, rng));
        Ok(self.history.last().cloned().unwrap_or_default())
    }

    fn undo(&mut self) -> bool {
        let Some((_, before)) = self.played.pop() else {
            return false;
        };
        self.state = before;
        self.history.pop();
        self.path.pop();
        true
    }

    fn history(&self) -> &[String] {
        &self.history
    }

    fn position(&self) -> String {
        self.game.situation_text(&self.state, &self.path)
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn picture(&self) -> Picture {
        let last = self.played.last().map(|&(mv, _)| mv);
        self.game.picture(&self.state, last)
    }

    fn picture_for(&self, viewer: Player) -> Picture {
        let Some(secrets) = &self.secrets else {
            return self.picture();
        };
        let last = self.played.last().map(|(mv, before)| (before, *mv));
        (secrets.picture)(&self.game, &self.state, last, viewer)
    }

    fn perft(&self, depth: u32, threads: usize, limits: &Limits) -> Result<u64, Stopped> {
        let one_thread = || perft_limited(&*self.game, &self.state, depth, limits);
        if threads < 2 || depth < 3 || limits.nodes.is_some() {
            return one_thread();
        }
        let Some(pool) = threads::pool(threads) else {
            return one_thread();
        };
        let started = Instant::now();
        let children = successors(&*self.game, [self.state.clone()]);
        let grandchildren = successors(&*self.game, children);
        let counts = threads::within(&pool, || {
            threads::map(grandchildren.len() as u64, &|number| {
                let left = limits.time.map(|t| t.saturating_sub(started.elapsed()));
                let limits = Limits {
                    time: left,
                    ..limits.clone()
                };
                perft_limited(
                    &*self.game,
                    &grandchildren[number as usize],
                    depth - 2,
                    &limits,
                )
            })
        });
        counts
            .into_iter()
            .try_fold(0u64, |sum, count| Ok(sum.saturating_add(count?)))
    }

    fn distinct(
        &self,
        depth: u32,
        limits: &Limits,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), NotCounted> {
        distinct(&*self.game, &self.state, depth, limits, tell)
    }

    fn ask(&self, engine: &mut AnyEngine, limits: &Limits) -> Result<Answer, CatalogError> {
        self.asked(engine, limits, 0, &mut |_| {})
    }

    fn ask_reporting(
        &self,
        engine: &mut AnyEngine,
        limits: &Limits,
        lines: usize,
        tell: &mut (dyn FnMut(&Report<'_, String>) + Send),
    ) -> Result<Answer, CatalogError> {
        self.asked(engine, limits, lines, tell)
    }

    fn estimates(&self, engine: &AnyEngine) -> Result<Vec<(String, f64)>, CatalogError> {
        let bound = engine
            .typed_ref::<G>()
            .filter(|bound| Arc::ptr_eq(&bound.game, &self.game))
            .ok_or_else(|| CatalogError::ForeignEngine(engine.spec().to_string()))?;
        let Turn::Player(player) = self.turn() else {
            return Ok(Vec::new());
        };
        let most = f64::from(self.game.max_payoff().max(1));
        let moves = self.legal();
        let estimate = |mv: G::Move| {
            let mut state = self.state.clone();
            self.game.play(&mut state, mv);
            let value = match self.game.turn(&state) {
                Turn::Over => Some(f64::from(self.game.payoff(&state, player)) / most),
                _ => bound.engine.estimate(&self.game, &state, player),
            };
            (self.game.move_text(&self.state, mv), value.unwrap_or(0.0))
        };
        Ok(moves.into_iter().map(estimate).collect())
    }
}

fn successors<G: Game>(game: &G, states: impl IntoIterator<Item = G::State>) -> Vec<G::State> {
    let mut moves = Vec::new();
    let mut children = Vec::new();
    for state in states {
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let mut child = state.clone();
            game.play(&mut child, mv);
            children.push(child);
        }
    }
    children
}
