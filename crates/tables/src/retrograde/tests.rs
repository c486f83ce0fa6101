use proptest::prelude::*;

use super::*;
use tabia_game::Wdl;

/// An explicit component: what each position's moves lead to.
#[derive(Clone, Debug)]
struct Explicit(Vec<Position>);

#[derive(Clone, Debug)]
struct Position {
    over: Option<TableValue>,
    inside: Vec<usize>,
    outside: Vec<TableValue>,
}

impl Component for Explicit {
    fn positions(&self) -> u64 {
        self.0.len() as u64
    }

    fn visitor(&self) -> Box<dyn Visitor + '_> {
        Box::new(self)
    }
}

impl Visitor for &Explicit {
    fn moves(&mut self, index: u64, inside: &mut Vec<u64>) -> Result<Outside, TableValue> {
        let position = &self.0[index as usize];
        if let Some(value) = position.over {
            return Err(value);
        }
        inside.extend(position.inside.iter().map(|&i| i as u64));
        let mut outside = Outside::default();
        position.outside.iter().for_each(|&v| outside.meet(v));
        Ok(outside)
    }

    fn predecessors(&mut self, index: u64, before: &mut Vec<u64>) {
        for (number, position) in self.0.iter().enumerate() {
            let ways = position.inside.iter().filter(|&&i| i as u64 == index);
            let ways = ways.count() * usize::from(position.over.is_none());
            before.extend(std::iter::repeat_n(number as u64, ways));
        }
    }
}

/// The definition, read literally: values of games that end within n plies, for growing n.
fn plain(component: &Explicit) -> Vec<Option<TableValue>> {
    let positions = &component.0;
    let mut within: Vec<Option<TableValue>> = vec![None; positions.len()];
    for plies in 0..=100u16 {
        let before = within.clone();
        for (value, position) in within.iter_mut().zip(positions) {
            let child = |v: TableValue| v.plies.is_some_and(|n| n < plies);
            let children: Vec<Option<TableValue>> = position
                .inside
                .iter()
                .map(|&i| before[i])
                .chain(position.outside.iter().copied().map(Some))
                .map(|v| v.filter(|&v| child(v)))
                .collect();
            let plies_of = |wdl| {
                let those = children.iter().flatten().filter(move |v| v.wdl == wdl);
                those.filter_map(|v| v.plies)
            };
            *value = if position.over.is_some() {
                position.over
            } else if let Some(n) = plies_of(Wdl::Loss).min() {
                Some(TableValue::win(n + 1))
            } else if children
                .iter()
                .all(|v| v.is_some_and(|v| v.wdl == Wdl::Win))
            {
                plies_of(Wdl::Win).max().map(|n| TableValue::loss(n + 1))
            } else {
                None
            };
        }
    }
    within
}

fn value() -> impl Strategy<Value = TableValue> {
    prop_oneof![
        (0u16..12).prop_map(TableValue::win),
        (0u16..12).prop_map(TableValue::loss),
        Just(TableValue::DRAW),
    ]
}

fn component() -> impl Strategy<Value = Explicit> {
    (1usize..24).prop_flat_map(|size| {
        let moves = (
            prop::collection::vec(0..size, 0..4),
            prop::collection::vec(value(), 0..2),
            prop::option::weighted(
                0.15,
                prop_oneof![
                    Just(TableValue::win(0)),
                    Just(TableValue::loss(0)),
                    Just(TableValue::DRAW),
                ],
            ),
        );
        let position = moves.prop_map(|(inside, outside, over)| Position {
            over: over.or((inside.is_empty() && outside.is_empty()).then_some(TableValue::loss(0))),
            inside,
            outside,
        });
        prop::collection::vec(position, size).prop_map(Explicit)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn all_schemes_give_the_distances_of_the_definition(component in component()) {
        let expected = plain(&component);
        for scheme in Scheme::ALL {
            let (found, _) = label(&component, scheme, Kept::Distance, &Cancel::default());
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let draw = |v: &Option<TableValue>| v.unwrap_or(TableValue::DRAW);
                prop_assert_eq!(draw(found), draw(expected), "{:?} at {}", scheme, index);
            }
        }
    }

    #[test]
    fn outcomes_are_those_of_distances(component in component()) {
        let expected = plain(&component);
        for scheme in Scheme::ALL {
            let (found, _) = label(&component, scheme, Kept::Wdl, &Cancel::default());
            let wdl = |v: &Option<TableValue>| v.map_or(Wdl::Draw, |v| v.wdl);
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert_eq!(wdl(found), wdl(expected), "{:?}", scheme);
            }
        }
    }
}
