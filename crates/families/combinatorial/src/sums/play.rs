//! A sum played move by move, and strategies that play it.
//!
//! Positions and values are the components. Hotstrat, Sentestrat and Thermostrat choose a component
//! by the thermographs of its components (Berlekamp, Conway and Guy 1982, chapter 6; Yedwab 1985),
//! and in it the option that is best at the tax that they go by. They were made for points: when
//! the last move counts they may lose a won sum, which the exact search never does.

use std::str::FromStr;
use std::sync::Arc;

use crate::mixed::{Mixed, Position};
use rand::RngExt;
use tabia_cgt::{Dyadic, Evaluator, Thermograph, Value};
use tabia_game::text::shortened;
use tabia_game::{Combinatorial, GameRng, Limits, Player, Seed, TextError};

use super::{Config, SumError, SumSolver, Summands, rules};

/// Positions that are looked at for the values of components, unless the limits say otherwise.
const EFFORT: u64 = 2_000_000;

/// How a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayMethod {
    /// By search to the end: never loses a won sum.
    Exact,
    /// In the hottest component.
    Hotstrat,
    /// In the component that has just become hotter than the ambient temperature, else in the
    /// hottest.
    Sentestrat,
    /// In the component that is widest at the tax at which the compound thermograph is best.
    Thermostrat,
    /// By lot.
    Random,
}

/// Methods by name.
pub const METHODS: [(&str, PlayMethod); 5] = [
    ("exact", PlayMethod::Exact),
    ("hotstrat", PlayMethod::Hotstrat),
    ("sentestrat", PlayMethod::Sentestrat),
    ("thermostrat", PlayMethod::Thermostrat),
    ("random", PlayMethod::Random),
];

impl FromStr for PlayMethod {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PlayMethod, TextError> {
        let known = METHODS.iter().find(|(name, _)| *name == text);
        known.map(|&(_, method)| method).ok_or_else(|| {
            let names = METHODS.map(|(name, _)| name).join(", ");
            TextError::new(format!(
                "'{}' is no player of sums; there are human, {names}",
                shortened(text)
            ))
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Component {
    Position(Position),
    Value(String),
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumMove {
    /// The component, counted from one.
    pub component: usize,
    /// The move as the game writes it; in a value it is what it becomes.
    pub text: String,
    after: Component,
}

/// A component as it is told.
#[derive(Clone, Debug)]
pub struct ValuedComponent {
    /// The game and the position, or the value.
    pub text: String,
    /// Its value.
    pub value: String,
    /// The mean of its value.
    pub mean: Dyadic,
    /// The temperature of its value.
    pub temperature: Dyadic,
}

/// A sum in play.
pub struct Bout {
    evaluator: Evaluator<Mixed>,
    winner: SumSolver,
    components: Vec<Component>,
    mover: Player,
    last: Option<usize>,
    /// What Sentestrat takes for the ambient temperature, for each player.
    ambient: [Option<Dyadic>; 2],
    rng: GameRng,
}

impl Bout {
    /// A sum at the beginning.
    pub fn new(sum: &Summands, first: Player, config: Config, seed: Seed) -> Bout {
        let positions = sum.positions.iter().cloned().map(Component::Position);
        let values = sum.values.iter().cloned().map(Component::Value);
        // Half of the memory is for values of components, which hints and strategies ask for.
        let memory = config.memory / 2;
        Bout {
            evaluator: Evaluator::with_memory(rules(), memory),
            winner: SumSolver::new(Config { memory, ..config }),
            components: positions.chain(values).collect(),
            mover: first,
            last: None,
            ambient: [None, None],
            rng: seed.rng(),
        }
    }

    /// Whose move it is.
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// The components as people write them.
    pub fn components(&self) -> Vec<String> {
        let text = |component: &Component| match component {
            Component::Value(text) => text.clone(),
            Component::Position(position) => position.spec(),
        };
        self.components.iter().map(text).collect()
    }

    /// All moves, component by component; whoever has none has lost.
    pub fn moves(&mut self) -> Result<Vec<SumMove>, SumError> {
        let mut choices = Vec::new();
        for (place, component) in self.components.iter().enumerate() {
            let mut push = |text, after| {
                choices.push(SumMove {
                    component: place + 1,
                    text,
                    after,
                });
            };
            match component {
                Component::Position(position) => {
                    let mut moves = Vec::new();
                    rules().moves(position, self.mover, &mut moves);
                    for mv in moves {
                        let mut after = position.clone();
                        rules().play(&mut after, self.mover, mv);
                        let text = rules().move_text(position, self.mover, mv);
                        push(text, Component::Position(after));
                    }
                }
                Component::Value(text) => {
                    let values = self.evaluator.values_mut();
                    let value = values.read(text)?;
                    for option in values.options(value, self.mover)?.to_vec() {
                        let text = values.write(option)?;
                        push(text.clone(), Component::Value(text));
                    }
                }
            }
        }
        Ok(choices)
    }

    /// Makes one of the [`Bout::moves`].
    pub fn play(&mut self, choice: SumMove) {
        if let Some(component) = self.components.get_mut(choice.component - 1) {
            *component = choice.after;
        }
        self.last = Some(choice.component - 1);
        self.mover = self.mover.other();
    }

    /// The values of all components.
    pub fn told(&mut self, limits: &Limits) -> Result<Vec<ValuedComponent>, SumError> {
        let texts = self.components();
        let components = self.components.clone();
        let told = components.iter().zip(texts).map(|(component, text)| {
            let value = self.value(component, limits)?;
            let values = self.evaluator.values_mut();
            Ok(ValuedComponent {
                text,
                value: values.write(value)?,
                mean: values.mean(value)?,
                temperature: values.temperature(value)?,
            })
        });
        told.collect()
    }

    /// The moves that win.
    pub fn winning(&mut self, limits: &Limits) -> Result<Vec<SumMove>, SumError> {
        let mut winning = Vec::new();
        for choice in self.moves()? {
            if self.wins_by(&choice, limits)? {
                winning.push(choice);
            }
        }
        Ok(winning)
    }

    fn wins_by(&mut self, choice: &SumMove, limits: &Limits) -> Result<bool, SumError> {
        let mut sum = Summands::default();
        for (place, component) in self.components.iter().enumerate() {
            let component = match place + 1 == choice.component {
                true => &choice.after,
                false => component,
            };
            match component {
                Component::Position(position) => sum.positions.push(position.clone()),
                Component::Value(text) => sum.values.push(text.clone()),
            }
        }
        Ok(!self.winner.wins(&sum, self.mover.other(), limits)?.wins)
    }

    /// What a player would play; none if there is no move. A lost sum is played on as Hotstrat
    /// would.
    pub fn choose(
        &mut self,
        method: PlayMethod,
        limits: &Limits,
    ) -> Result<Option<SumMove>, SumError> {
        let choices = self.moves()?;
        if choices.is_empty() {
            return Ok(None);
        }
        let (component, tax) = match method {
            PlayMethod::Random => {
                let lot = self.rng.random_range(0..choices.len());
                return Ok(choices.into_iter().nth(lot));
            }
            PlayMethod::Exact => {
                for choice in &choices {
                    if self.wins_by(choice, limits)? {
                        return Ok(Some(choice.clone()));
                    }
                }
                match self.hottest(&choices, limits) {
                    // Values may be too large where the search is not.
                    Err(SumError::Unevaluated(_) | SumError::Exceeded(_)) => {
                        return Ok(choices.into_iter().next());
                    }
                    hottest => hottest?,
                }
            }
            PlayMethod::Hotstrat => self.hottest(&choices, limits)?,
            PlayMethod::Sentestrat => self.sente(&choices, limits)?,
            PlayMethod::Thermostrat => self.widest(&choices, limits)?,
        };
        self.best_option(&choices, component, tax, limits).map(Some)
    }

    fn value(&mut self, component: &Component, limits: &Limits) -> Result<Value, SumError> {
        match component {
            Component::Value(text) => Ok(self.evaluator.values_mut().read(text)?),
            Component::Position(position) => {
                let limits = Limits {
                    nodes: limits.nodes.or(Some(EFFORT)),
                    ..limits.clone()
                };
                Ok(self.evaluator.value(position, &mut limits.meter())?)
            }
        }
    }

    fn graph(
        &mut self,
        component: &Component,
        limits: &Limits,
    ) -> Result<Arc<Thermograph>, SumError> {
        let value = self.value(component, limits)?;
        Ok(self.evaluator.values_mut().thermograph(value)?)
    }

    /// The components in which there are moves, with their thermographs.
    fn graphs(
        &mut self,
        choices: &[SumMove],
        limits: &Limits,
    ) -> Result<Vec<(usize, Arc<Thermograph>)>, SumError> {
        let mut graphs: Vec<(usize, Arc<Thermograph>)> = Vec::new();
        for choice in choices {
            if graphs
                .last()
                .is_none_or(|&(last, _)| last != choice.component)
            {
                let component = self.components[choice.component - 1].clone();
                graphs.push((choice.component, self.graph(&component, limits)?));
            }
        }
        Ok(graphs)
    }

    /// The first of the hottest components, and its temperature.
    fn hottest(
        &mut self,
        choices: &[SumMove],
        limits: &Limits,
    ) -> Result<(usize, Dyadic), SumError> {
        let mut hottest: Option<(usize, Dyadic)> = None;
        for (component, graph) in self.graphs(choices, limits)? {
            let heat = graph.temperature();
            if hottest.is_none_or(|(_, most)| heat > most) {
                hottest = Some((component, heat));
            }
        }
        Ok(hottest.unwrap_or((1, Dyadic::ZERO)))
    }

    fn sente(&mut self, choices: &[SumMove], limits: &Limits) -> Result<(usize, Dyadic), SumError> {
        let (component, most) = self.hottest(choices, limits)?;
        let side = self.mover.index() % 2;
        let ambient = self.ambient[side].unwrap_or(most);
        for (threat, graph) in self.graphs(choices, limits)? {
            if Some(threat - 1) == self.last && graph.temperature() > ambient {
                return Ok((threat, graph.temperature()));
            }
        }
        self.ambient[side] = Some(ambient.min(most));
        Ok((component, most))
    }

    /// The component that is widest at the best tax, and that tax. Between corners the compound
    /// wall is convex.
    fn widest(
        &mut self,
        choices: &[SumMove],
        limits: &Limits,
    ) -> Result<(usize, Dyadic), SumError> {
        let graphs = self.graphs(choices, limits)?;
        let mut taxes: Vec<Dyadic> = graphs
            .iter()
            .flat_map(|(_, graph)| graph.left().points().iter().chain(graph.right().points()))
            .map(|&(tax, _)| tax)
            .filter(|&tax| tax > Dyadic::ZERO)
            .collect();
        taxes.push(Dyadic::ZERO);
        taxes.sort_unstable();
        taxes.dedup();
        let mut chosen: Option<(Dyadic, usize, Dyadic)> = None;
        for tax in taxes {
            let mut total = Dyadic::ZERO;
            let mut widest: Option<(Dyadic, Dyadic, usize)> = None;
            for (component, graph) in &graphs {
                let walls = (graph.left().at(tax), graph.right().at(tax));
                let (left, right) = match walls {
                    (Ok(left), Ok(right)) => (left, right),
                    _ => return Err(tabia_cgt::Exceeded::Number.into()),
                };
                let second = if self.mover == Player::FIRST {
                    right
                } else {
                    -left
                };
                let sums = (total.plus(second), left.minus(right));
                let (Ok(sum), Ok(width)) = sums else {
                    return Err(tabia_cgt::Exceeded::Number.into());
                };
                total = sum;
                let width = (width, graph.temperature());
                if widest.is_none_or(|(wide, hot, _)| width > (wide, hot)) {
                    widest = Some((width.0, width.1, *component));
                }
            }
            if let Some((width, _, component)) = widest
                && let Ok(wall) = total.plus(width)
                && chosen.is_none_or(|(best, ..)| wall >= best)
            {
                chosen = Some((wall, component, tax));
            }
        }
        Ok(chosen.map_or((1, Dyadic::ZERO), |(_, component, tax)| (component, tax)))
    }

    /// The option of a component that is best for the mover if every further move costs this tax;
    /// of equals the one with the best mean.
    fn best_option(
        &mut self,
        choices: &[SumMove],
        component: usize,
        tax: Dyadic,
        limits: &Limits,
    ) -> Result<SumMove, SumError> {
        let mut best: Option<((Dyadic, Dyadic), &SumMove)> = None;
        for choice in choices
            .iter()
            .filter(|choice| choice.component == component)
        {
            let graph = self.graph(&choice.after, limits)?;
            let wall = match self.mover {
                Player::FIRST => graph.right().at(tax),
                _ => graph.left().at(tax).map(|value| -value),
            };
            let wall = wall.map_err(|_| tabia_cgt::Exceeded::Number)?;
            let mean = if self.mover == Player::FIRST {
                graph.mean()
            } else {
                -graph.mean()
            };
            if best.is_none_or(|(most, _)| (wall, mean) > most) {
                best = Some(((wall, mean), choice));
            }
        }
        let first = &choices[0];
        Ok(best.map_or(first, |(_, choice)| choice).clone())
    }
}
