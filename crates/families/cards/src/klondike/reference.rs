//! What the game leaves out of the moves of the plain implementation, told in its terms.

use std::collections::{HashMap, HashSet};

use tabia_game::Text;

use super::plain::{Table, rank};
use super::{Klondike, Rules, State};

/// The moves by the text of the position, with what follows them, as far as the game does not leave
/// them out.
pub fn expected(game: &Klondike, state: &State) -> HashMap<String, (usize, usize)> {
    let Rules {
        draw, ranks, back, ..
    } = game.rules;
    let ranks = usize::from(ranks);
    let here = Table::read(&game.position_text(state));
    let mut expected = HashMap::new();
    let measure = |next: &Table| (next.home(), next.waste.len() + next.stock.len());
    // Where the cards of each move come from, told by the place that has fewer.
    let mut table = Some(here.clone());
    let mut seen = HashSet::new();
    while let Some(now) = table.filter(|now| seen.insert(now.clone())) {
        for (text, next) in now.plays(ranks, back) {
            let from_waste = next.waste.len() < now.waste.len();
            let card = &text[..2];
            if !from_waste {
                if now != here {
                    continue;
                }
                let from = here.piles.iter().find_map(|pile| {
                    let place = pile.iter().position(|(c, up)| c == card && *up)?;
                    Some((pile.clone(), place))
                });
                if let Some((pile, place)) = from
                    && !text.ends_with("foundation")
                {
                    let uncovers = place.checked_sub(1).map(|i| pile[i].clone());
                    let allowed = match &uncovers {
                        None => !text.ends_with("empty"),
                        Some((_, false)) => true,
                        Some((below, true)) => here.is_next(below),
                    };
                    if !allowed {
                        continue;
                    }
                }
                let comes_back = next.home() < here.home();
                if comes_back && !carries(&next, card, game) {
                    continue;
                }
            }
            expected.insert(text, measure(&next));
        }
        table = now.turned(usize::from(draw));
    }
    expected
}

/// Whether something goes on this card, which lies at the end of a pile, that lasts: from the
/// waste, all cards of a pile that are face up, a card that uncovers one for the foundation; or a
/// card of the foundation that carries one.
fn carries(table: &Table, carrier: &str, game: &Klondike) -> bool {
    let ranks = usize::from(game.rules.ranks);
    let mut now = Some(table.clone());
    let mut seen = HashSet::new();
    while let Some(here) = now.filter(|now| seen.insert(now.clone())) {
        for (text, next) in here.plays(ranks, true) {
            if !text.ends_with(carrier) || rank(&text[..2]) < 2 {
                continue;
            }
            let carried = &text[..2];
            let lasts = if next.home() < here.home() {
                carries(&next, carried, game)
            } else if next.waste.len() < here.waste.len() {
                true
            } else {
                here.piles.iter().any(|pile| {
                    let place = pile.iter().position(|(c, up)| c == carried && *up);
                    place.is_some_and(|place| match place.checked_sub(1).map(|i| &pile[i]) {
                        Some((below, true)) => here.is_next(below),
                        _ => true,
                    })
                })
            };
            if lasts {
                return true;
            }
        }
        now = here.turned(usize::from(game.rules.draw));
    }
    false
}
