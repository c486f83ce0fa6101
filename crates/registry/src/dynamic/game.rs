//! The one type of game that stands for all games behind an object.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use rand::Rng;
use tabia_game::{
    Chance, Deterministic, Draw, Game, Key, Luck, Made, MoveIndex, Path, Payoff, Perfect, Picture,
    Player, Repetition, Ruling, Stochastic, Text, TextError, Turn, TwoPlayer, Unit,
};

use super::{Boxable, DynamicMove, Held, Position, Rules};

/// Exactly two players, whose payoffs cancel out.
pub enum Two {}
/// Any number of players.
pub enum Any {}

type ParsePath = Box<dyn Fn(&str) -> Result<Path, TextError> + Send + Sync>;
type Parse = Box<dyn Fn(&str) -> Result<Box<dyn Position>, TextError> + Send + Sync>;

/// A game behind an object; its luck and whether it is for two players stay types, since algorithms
/// ask for them.
pub struct Dynamic<L, P> {
    start: Box<dyn Position>,
    parse: Parse,
    parse_path: ParsePath,
    players: usize,
    names: Vec<String>,
    help: &'static str,
    unit: Unit,
    max_payoff: Payoff,
    has_draws: bool,
    payoff_sum: Option<Payoff>,
    repetition: Repetition,
    move_indices: usize,
    class: PhantomData<fn() -> (L, P)>,
}

impl<L, P> Dynamic<L, P> {
    pub(crate) fn new<G: Boxable>(rules: Rules<G>) -> Dynamic<L, P> {
        let game = &rules.game;
        let players = game.players();
        let named = (0..players).map(|player| game.player_name(Player(player as u8)));
        let (parsing, path_parsing) = (rules.clone(), rules.clone());
        Dynamic {
            players,
            names: named.collect(),
            help: game.position_help(),
            unit: game.unit(),
            max_payoff: game.max_payoff(),
            has_draws: game.has_draws(),
            payoff_sum: game.payoff_sum(),
            repetition: game.repetition(),
            move_indices: game.move_indices(),
            start: Box::new(Held::new(rules.clone(), game.start())),
            parse: Box::new(move |text| {
                let state = parsing.game.parse_position(text)?;
                Ok(Box::new(Held::new(parsing.clone(), state)))
            }),
            parse_path: Box::new(move |text| path_parsing.game.parse_path(text)),
            class: PhantomData,
        }
    }
}

/// A position of a [`Dynamic`] game.
pub struct State(Box<dyn Position>);

impl State {
    /// The position with its rules.
    pub fn position(&self) -> &dyn Position {
        &*self.0
    }

    pub(super) fn position_mut(&mut self) -> &mut dyn Position {
        &mut *self.0
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State(self.0.copy())
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl Eq for State {}

/// Equal positions have equal keys.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.key());
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

impl<L: Luck + 'static, P: 'static> Game for Dynamic<L, P> {
    type State = State;
    type Move = DynamicMove;
    type Undo = ();
    type Luck = L;
    type Information = Perfect;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> State {
        State(self.start.copy())
    }

    fn turn(&self, state: &State) -> Turn {
        state.0.turn()
    }

    fn moves(&self, state: &State, out: &mut Vec<DynamicMove>) {
        state.0.moves(out);
    }

    fn play(&self, state: &mut State, pick: DynamicMove) {
        state.0.play(pick);
    }

    fn undo(&self, state: &mut State, (): ()) {
        state.0.undo();
    }

    fn payoff(&self, state: &State, player: Player) -> Payoff {
        state.0.payoff(player)
    }

    fn max_payoff(&self) -> Payoff {
        self.max_payoff
    }

    fn has_draws(&self) -> bool {
        self.has_draws
    }

    fn payoff_sum(&self) -> Option<Payoff> {
        self.payoff_sum
    }

    fn payoff_range(&self, state: &State, player: Player) -> (Payoff, Payoff) {
        state.0.payoff_range(player)
    }

    fn payoff_total(&self, state: &State) -> Option<Payoff> {
        state.0.payoff_total()
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn ruled(&self, ruling: Ruling, player: Player) -> Payoff {
        // The same in every position.
        self.start.ruled(ruling, player)
    }

    fn play_at_random<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        plies: u32,
        _: &mut Vec<DynamicMove>,
        mut rng: &mut R,
    ) -> u32 {
        state.0.play_at_random(plies, &mut rng)
    }
}

impl<L: Luck + 'static> TwoPlayer for Dynamic<L, Two> {}

impl<L: Luck + 'static, P: 'static> Key for Dynamic<L, P> {
    fn key(&self, state: &State) -> u64 {
        state.0.key()
    }

    fn future_key(&self, state: &State) -> Option<u64> {
        state.0.future_key()
    }

    fn history_key(&self, state: &State) -> Option<u64> {
        state.0.history_key()
    }

    fn maker(&self, state: &State, pick: DynamicMove) -> Option<Player> {
        state.0.maker(pick)
    }

    fn note(&self, state: &State, pick: DynamicMove) -> u64 {
        state.0.note(pick)
    }

    fn judge(&self, state: &State, cycle: &[Made]) -> Ruling {
        state.0.judge(cycle)
    }

    fn retain_allowed(
        &self,
        state: &mut State,
        path: &Path,
        picks: &mut Vec<DynamicMove>,
        first: usize,
    ) {
        state.0.retain_allowed(path, picks, first);
    }

    fn stuck(&self, state: &State, path: &Path) -> Ruling {
        state.0.stuck(path)
    }

    fn key_on_path(&self, state: &State, path: &Path) -> u64 {
        state.0.key_on_path(path)
    }
}

impl<L: Luck + 'static, P: 'static> MoveIndex for Dynamic<L, P> {
    fn move_indices(&self) -> usize {
        self.move_indices
    }

    fn move_index(&self, pick: DynamicMove) -> usize {
        pick.number as usize
    }
}

impl<P: 'static> Chance for Dynamic<Stochastic, P> {
    fn outcomes(&self, state: &State, out: &mut Vec<(DynamicMove, u64)>) {
        state.0.outcomes(out);
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, state: &State, mut rng: &mut R) -> DynamicMove {
        let drawn = state.0.sample_outcome(&mut rng);
        drawn.unwrap_or(DynamicMove {
            place: 0,
            number: 0,
        })
    }
}

impl Dynamic<Deterministic, Any> {
    /// Makes it the turn of `player`, if the game was listed with a way to do that.
    pub(super) fn hand_turn(&self, state: &mut State, player: Player) {
        state.0.hand_turn(player);
    }
}

impl<L: Luck + 'static, P: 'static> Text for Dynamic<L, P> {
    fn position_text(&self, state: &State) -> String {
        state.0.text()
    }

    fn parse_position(&self, text: &str) -> Result<State, TextError> {
        (self.parse)(text).map(State)
    }

    fn situation_text(&self, state: &State, path: &Path) -> String {
        state.0.situation_text(path)
    }

    fn parse_path(&self, text: &str) -> Result<Path, TextError> {
        (self.parse_path)(text)
    }

    fn move_text(&self, state: &State, pick: DynamicMove) -> String {
        state.0.move_text(pick)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<DynamicMove, TextError> {
        state.0.parse_move(text)
    }

    fn player_name(&self, player: Player) -> String {
        let name = self.names.get(player.index());
        name.cloned().unwrap_or_default()
    }

    fn unit(&self) -> Unit {
        self.unit
    }

    fn position_help(&self) -> &'static str {
        self.help
    }
}

impl<L: Luck + 'static, P: 'static> Draw for Dynamic<L, P> {
    fn picture(&self, state: &State, last: Option<DynamicMove>) -> Picture {
        state.0.picture(last.is_some())
    }
}
