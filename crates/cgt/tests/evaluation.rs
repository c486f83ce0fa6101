//! Values of positions: published ones, and plain trees of all moves as the judge.

use crate::common::rules::{Board, Domineering, Kayles, Stalk, Toads, board};
use crate::common::{Plain, outcome};
use proptest::prelude::*;
use tabia_cgt::impartial::NimberSearch;
use tabia_cgt::{Dyadic, Evaluator, Exceeded, MAX_PLIES, OutcomeClass, Unevaluated, Value, Values};
use tabia_game::{Combinatorial, Limits, Player};

/// The whole tree of a position, without splitting or remembering anything.
fn plain<R: Combinatorial>(rules: &R, position: &R::Position) -> Plain {
    let side = |player: Player| {
        let mut moves = Vec::new();
        rules.moves(position, player, &mut moves);
        let options = moves.into_iter().map(|mv| {
            let mut option = position.clone();
            rules.play(&mut option, player, mv);
            plain(rules, &option)
        });
        options.collect()
    };
    Plain::new(side(Player::FIRST), side(Player::SECOND))
}

fn value<R: Combinatorial>(evaluator: &mut Evaluator<R>, position: &R::Position) -> Value {
    evaluator
        .value(position, &mut Limits::default().meter())
        .unwrap()
}

fn strip(text: &str) -> Vec<u8> {
    text.bytes().collect()
}

/// Values that follow from Winning Ways and Erickson (1996), recomputed for strips like those of
/// Wieczorek et al. (2013).
#[test]
fn wieczorek_values_of_toads_and_frogs() {
    let mut evaluator = Evaluator::new(Toads);
    for (text, expected) in [
        ("T.F", "*"),
        ("TT.FF", "*"),
        ("TTT.FF", "*"),
        ("TTTT.FFF", "*"),
        ("TT.F", "{1/2|0}"),
        ("TTT.F", "{1*|0}"),
        ("TTTT.F", "{{2|1}|0}"),
        ("TT..F", "1"),
        ("TTTTT..F", "4"),
        ("TT..FF", "*"),
        ("TTT..FF", "{1/2|0}"),
        ("TTT..FFF", "{1/8|-1/8}"),
        ("TTTT..FF", "{3/2|0}"),
        ("T...F", "*"),
        ("TT...F", "2*"),
        ("TTT...F", "4*"),
        ("TTT...FF", "1*"),
        ("TTT...FFF", "0"),
        ("T.TF.FF", "{0|-1/2}"),
    ] {
        let found = value(&mut evaluator, &strip(text));
        let expected = evaluator.values_mut().read(expected).unwrap();
        let name = evaluator.values_mut().write(found).unwrap();
        assert_eq!(found, expected, "{text} is {name}");
    }
}

#[test]
fn wieczorek_outcomes_of_toads_two_holes_and_frogs() {
    let mut evaluator = Evaluator::new(Toads);
    for animals in 1..=7 {
        let text = format!("{}..{}", "T".repeat(animals), "F".repeat(animals));
        let found = value(&mut evaluator, &strip(&text));
        let expected = if animals == 1 {
            OutcomeClass::P
        } else {
            OutcomeClass::N
        };
        assert_eq!(
            evaluator.values_mut().outcome(found),
            Ok(expected),
            "{text}"
        );
    }
}

/// Four animals TTFF never move again and shut off what is on either side.
#[test]
fn wieczorek_hard_lock() {
    let mut evaluator = Evaluator::new(Toads);
    for (x, y) in [
        ("TT.", ".F"),
        ("T.F.", "T..F"),
        ("", "TT.F"),
        ("T.T.F", "TF.F"),
    ] {
        let whole = value(&mut evaluator, &strip(&format!("{x}TTFF{y}")));
        let (left, right) = (
            value(&mut evaluator, &strip(x)),
            value(&mut evaluator, &strip(y)),
        );
        assert_eq!(
            evaluator.values_mut().sum(left, right),
            Ok(whole),
            "{x} {y}"
        );
    }
}

/// Conway (1976), chapter 10, and Winning Ways, chapter 5.
#[test]
fn conway_values_of_domineering() {
    let mut evaluator = Evaluator::new(Domineering);
    for (width, height, expected) in [
        (1, 1, "0"),
        (1, 2, "1"),
        (1, 5, "2"),
        (3, 1, "-1"),
        (2, 2, "+-1"),
        (3, 2, "{2|-1/2}"),
        (2, 3, "{1/2|-2}"),
        (3, 3, "+-1"),
        (4, 2, "-_2"),
        (2, 4, "+_2"),
    ] {
        let found = value(&mut evaluator, &board(width, height, 0));
        let name = evaluator.values_mut().write(found).unwrap();
        assert_eq!(name, expected, "{width}x{height}");
    }
}

#[test]
fn every_small_board_has_the_value_of_its_tree() {
    let mut evaluator = Evaluator::new(Domineering);
    for taken in 0..1 << 9 {
        let position = board(3, 3, taken);
        let found = value(&mut evaluator, &position);
        let tree = plain(&Domineering, &position);
        assert_eq!(found, tree.value(evaluator.values_mut()), "{taken:b}");
        assert_eq!(
            evaluator.values_mut().outcome(found).unwrap(),
            outcome(&[&tree])
        );
    }
}

/// The value of a stalk by its sign expansion: whole steps up to the first change of colour, then
/// halves of halves (Winning Ways, chapter 3).
fn sign_expansion(stalk: &[Player]) -> Dyadic {
    let run = stalk.iter().take_while(|&&edge| edge == stalk[0]).count();
    let mut total = Dyadic::ZERO;
    for (i, &edge) in stalk.iter().enumerate() {
        let step = Dyadic::new(1, (i + 1).saturating_sub(run) as u32).unwrap();
        total = match edge {
            Player::FIRST => total.plus(step),
            _ => total.minus(step),
        }
        .unwrap();
    }
    total
}

#[test]
fn stalks_have_their_sign_expansions() {
    let mut evaluator = Evaluator::new(Stalk);
    for edges in 1..10usize {
        for colours in 0..1u32 << edges {
            let colour = |edge: usize| match colours >> edge & 1 {
                0 => Player::FIRST,
                _ => Player::SECOND,
            };
            let stalk: Vec<Player> = (0..edges).map(colour).collect();
            let found = value(&mut evaluator, &stalk);
            assert_eq!(
                evaluator.values().as_number(found),
                Some(sign_expansion(&stalk))
            );
        }
    }
}

#[test]
fn a_stalk_with_too_small_a_value_is_refused() {
    let stalk: Vec<Player> = [vec![Player::FIRST], vec![Player::SECOND; 62]].concat();
    let mut evaluator = Evaluator::new(Stalk);
    let found = value(&mut evaluator, &stalk);
    let smallest = Dyadic::new(1, 62).unwrap();
    assert_eq!(evaluator.values().as_number(found), Some(smallest));
    let longer = [stalk, vec![Player::SECOND]].concat();
    let refused = evaluator.value(&longer, &mut Limits::default().meter());
    assert_eq!(refused, Err(Unevaluated::Exceeded(Exceeded::Number)));
}

#[test]
fn nimbers_and_values_of_kayles_agree() {
    let mut evaluator = Evaluator::new(Kayles);
    let mut search = NimberSearch::new(Kayles, 1 << 20);
    // Winning Ways, chapter 4: the first twelve.
    let first = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6];
    let meter = &mut Limits::default().meter();
    for pins in 0..40u32 {
        let row: Vec<u32> = (pins > 0).then_some(pins).into_iter().collect();
        let nimber = search.nimber(std::slice::from_ref(&row), meter).unwrap();
        if let Some(&expected) = first.get(pins as usize) {
            assert_eq!(nimber, expected, "{pins}");
        }
        let found = value(&mut evaluator, &row);
        assert_eq!(evaluator.values().as_nimber(found), Some(nimber), "{pins}");
    }
    let rows = vec![5, 7, 11];
    assert_eq!(search.nimber(&[rows], meter), Ok(4 ^ 2 ^ 6));
}

#[test]
fn limits_are_kept() {
    let position = board(4, 4, 0);
    let mut evaluator = Evaluator::new(Domineering);
    let stopped = evaluator.value(&position, &mut Limits::nodes(10).meter());
    assert!(matches!(stopped, Err(Unevaluated::Stopped(_))));
    assert_eq!(evaluator.looked_at(), 10);
    // What has been found so far is good, and the rest can be found later.
    let found = value(&mut evaluator, &position);
    let fresh = &mut Evaluator::new(Domineering);
    let expected = value(fresh, &position);
    assert_eq!(
        evaluator.values_mut().write(found),
        fresh.values_mut().write(expected)
    );

    let mut small = Evaluator::with_room(Domineering, Values::new(), 20);
    let refused = small.value(&position, &mut Limits::default().meter());
    assert_eq!(refused, Err(Unevaluated::Positions(20)));
    let mut small = Evaluator::with_room(Domineering, Values::with_limit(30), 1000);
    let refused = small.value(&position, &mut Limits::default().meter());
    assert_eq!(refused, Err(Unevaluated::Exceeded(Exceeded::Values(30))));
    assert_eq!(small.values().len(), 30);
}

/// A board that takes 500,000 positions and more than 16 MB.
#[test]
fn memory_is_kept() {
    let position = board(6, 5, 0);
    for bytes in [1 << 20, 1 << 23] {
        let mut evaluator = Evaluator::with_memory(Domineering, bytes);
        let refused = evaluator.value(&position, &mut Limits::default().meter());
        assert!(
            matches!(
                refused,
                Err(Unevaluated::Positions(_) | Unevaluated::Exceeded(Exceeded::Memory(_)))
            ),
            "{refused:?}"
        );
    }
}

/// Lines of play as long as are allowed fit on the stack of a thread, longer ones are refused.
#[test]
fn long_lines_of_play_do_not_overflow_the_stack() {
    for (edges, fits) in [(MAX_PLIES, true), (MAX_PLIES + 1, false), (100_000, false)] {
        let mut evaluator = Evaluator::new(Tower);
        let found = evaluator.value(&edges, &mut Limits::default().meter());
        match fits {
            true => assert_eq!(
                evaluator.values().as_number(found.unwrap()),
                Some((edges as i32).into())
            ),
            false => assert_eq!(found, Err(Unevaluated::Plies)),
        }
    }
}

/// A heap of blue counters of which Left takes one at a time.
struct Tower;

impl Combinatorial for Tower {
    type Position = usize;
    type Move = ();

    fn moves(&self, &height: &usize, player: Player, out: &mut Vec<()>) {
        if self.can_move(&height, player) {
            out.push(());
        }
    }

    fn can_move(&self, &height: &usize, player: Player) -> bool {
        height > 0 && player == Player::FIRST
    }

    fn play(&self, height: &mut usize, _: Player, (): ()) {
        *height -= 1;
    }

    fn split(&self, &height: &usize, out: &mut Vec<usize>) {
        if height > 0 {
            out.push(height);
        }
    }

    fn negative(&self, &height: &usize) -> usize {
        height
    }

    fn position_text(&self, height: &usize) -> String {
        height.to_string()
    }

    fn parse_position(&self, text: &str) -> Result<usize, tabia_game::TextError> {
        Err(tabia_game::TextError::new(text))
    }

    fn position_help(&self) -> &'static str {
        ""
    }

    fn move_text(&self, _: &usize, _: Player, (): ()) -> String {
        String::new()
    }

    fn picture(&self, _: &usize, _: Option<()>) -> tabia_game::Picture {
        unimplemented!("no test draws a picture")
    }
}

fn boards() -> impl Strategy<Value = Board> {
    (1usize..5, 1usize..4, any::<u32>())
        .prop_map(|(width, height, taken)| board(width, height, taken))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn boards_have_the_values_of_their_trees(position in boards()) {
        let mut evaluator = Evaluator::new(Domineering);
        let found = value(&mut evaluator, &position);
        let tree = plain(&Domineering, &position);
        prop_assert_eq!(found, tree.value(evaluator.values_mut()));
    }

    #[test]
    fn strips_have_the_values_of_their_trees(text in "[TF.]{1,8}") {
        let mut evaluator = Evaluator::new(Toads);
        let found = value(&mut evaluator, &strip(&text));
        let tree = plain(&Toads, &strip(&text));
        prop_assert_eq!(found, tree.value(evaluator.values_mut()));
    }
}
