//! Knowledge of a typed game as knowledge of the game behind an object.

use std::marker::PhantomData;
use std::sync::Arc;

use tabia_game::{Knowledge, Luck, Player};

use super::game::State;
use super::{Boxable, Dynamic, DynamicMove, Held, Position};

/// Object-safe form of [`Knowledge`].
trait Judgement: Send + Sync {
    fn evaluate(&self, position: &dyn Position, player: Player) -> i32;
    fn evaluations(
        &self,
        position: &dyn Position,
        moves: &[DynamicMove],
        player: Player,
        out: &mut Vec<i32>,
    );
    fn exact(&self, position: &dyn Position, player: Player) -> Option<f64>;
    fn priorities(&self, position: &dyn Position, moves: &[DynamicMove], out: &mut Vec<i32>);
    fn is_tactical(&self, position: &dyn Position, pick: DynamicMove) -> bool;
    fn pass(&self, position: &mut dyn Position) -> bool;
    fn is_endgame(&self, position: &dyn Position) -> bool;
}

struct Typed<G, K> {
    knowledge: K,
    game: PhantomData<fn() -> G>,
}

impl<G: Boxable, K: Knowledge<G>> Judgement for Typed<G, K> {
    fn evaluate(&self, position: &dyn Position, player: Player) -> i32 {
        let evaluate = |held: &Held<G>| self.knowledge.evaluate(held.game(), held.state(), player);
        Held::of(position).map_or(0, evaluate)
    }

    fn evaluations(
        &self,
        position: &dyn Position,
        moves: &[DynamicMove],
        player: Player,
        out: &mut Vec<i32>,
    ) {
        if let Some(held) = Held::<G>::of(position) {
            let typed: Vec<G::Move> = moves.iter().filter_map(|&pick| held.typed(pick)).collect();
            let (game, state) = (held.game(), held.state());
            self.knowledge.evaluations(game, state, &typed, player, out);
        }
    }

    fn exact(&self, position: &dyn Position, player: Player) -> Option<f64> {
        let held = Held::<G>::of(position)?;
        self.knowledge.exact(held.game(), held.state(), player)
    }

    fn priorities(&self, position: &dyn Position, moves: &[DynamicMove], out: &mut Vec<i32>) {
        if let Some(held) = Held::<G>::of(position) {
            let typed: Vec<G::Move> = moves.iter().filter_map(|&pick| held.typed(pick)).collect();
            let (game, state) = (held.game(), held.state());
            self.knowledge.priorities(game, state, &typed, out);
        }
    }

    fn is_tactical(&self, position: &dyn Position, pick: DynamicMove) -> bool {
        let tactical = |held: &Held<G>| {
            let mv = held.typed(pick)?;
            Some(self.knowledge.is_tactical(held.game(), held.state(), mv))
        };
        Held::of(position).and_then(tactical).unwrap_or(false)
    }

    fn pass(&self, position: &mut dyn Position) -> bool {
        let held = position.as_any_mut().downcast_mut::<Held<G>>();
        held.is_some_and(|held| held.pass(|game, state| self.knowledge.pass(game, state)))
    }

    fn is_endgame(&self, position: &dyn Position) -> bool {
        let endgame = |held: &Held<G>| self.knowledge.is_endgame(held.game(), held.state());
        Held::of(position).is_some_and(endgame)
    }
}

/// What is known of a game behind an object.
#[derive(Clone)]
pub struct DynamicKnowledge(Arc<dyn Judgement>);

impl DynamicKnowledge {
    /// This knowledge of a typed game.
    pub fn new<G: Boxable, K: Knowledge<G> + 'static>(knowledge: K) -> DynamicKnowledge {
        DynamicKnowledge(Arc::new(Typed::<G, K> {
            knowledge,
            game: PhantomData,
        }))
    }
}

impl<L: Luck + 'static, P: 'static> Knowledge<Dynamic<L, P>> for DynamicKnowledge {
    fn evaluate(&self, _: &Dynamic<L, P>, state: &State, player: Player) -> i32 {
        self.0.evaluate(state.position(), player)
    }

    fn evaluations(
        &self,
        _: &Dynamic<L, P>,
        state: &State,
        moves: &[DynamicMove],
        player: Player,
        out: &mut Vec<i32>,
    ) {
        self.0.evaluations(state.position(), moves, player, out);
    }

    fn exact(&self, _: &Dynamic<L, P>, state: &State, player: Player) -> Option<f64> {
        self.0.exact(state.position(), player)
    }

    fn priority(&self, _: &Dynamic<L, P>, state: &State, pick: DynamicMove) -> i32 {
        let mut priority = Vec::new();
        self.0.priorities(state.position(), &[pick], &mut priority);
        priority.first().copied().unwrap_or(0)
    }

    fn priorities(
        &self,
        _: &Dynamic<L, P>,
        state: &State,
        moves: &[DynamicMove],
        out: &mut Vec<i32>,
    ) {
        self.0.priorities(state.position(), moves, out);
    }

    fn is_tactical(&self, _: &Dynamic<L, P>, state: &State, pick: DynamicMove) -> bool {
        self.0.is_tactical(state.position(), pick)
    }

    fn pass(&self, _: &Dynamic<L, P>, state: &mut State) -> Option<()> {
        self.0.pass(state.position_mut()).then_some(())
    }

    fn is_endgame(&self, _: &Dynamic<L, P>, state: &State) -> bool {
        self.0.is_endgame(state.position())
    }
}
