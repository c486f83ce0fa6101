//! Octal games: sequences of the literature, and every method against the definition.

use proptest::prelude::*;
use tabia_cgt::impartial::{Octal, Refuted, Remains, SparseSpace, find_period};
use tabia_game::Limits;

fn code(text: &str) -> Octal {
    text.parse().unwrap()
}

/// Fleischer and Trippen (2004), section 2: Node-Kayles on a path is .137.
#[test]
fn dawsons_kayles_has_the_period_34_with_the_exceptions_of_fleischer_and_trippen() {
    let period = find_period(&code(".137"), 10_000, &mut Limits::default().meter())
        .unwrap()
        .unwrap();
    assert_eq!(period.period, 34);
    let cycle = [
        8, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 4, 5, 5, 9, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4,
        5, 3, 7, 4,
    ];
    assert_eq!(period.cycle(), cycle);
    let exceptions = [(0, 0), (14, 0), (16, 2), (17, 2), (31, 2), (34, 0), (51, 2)];
    assert_eq!(period.exceptions(), exceptions);
    assert_eq!(period.verify(), Ok(()));
    assert_eq!(period.nimber(34_000_000_000_000_003), Some(2));
}

/// Fleischer and Trippen (2004), section 2: Pin-Kayles on a path is .77.
#[test]
fn kayles_has_the_period_12_with_the_exceptions_of_fleischer_and_trippen() {
    let period = find_period(&code(".77"), 10_000, &mut Limits::default().meter())
        .unwrap()
        .unwrap();
    assert_eq!((period.period, period.preperiod), (12, 71));
    assert_eq!(period.cycle(), [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]);
    let exceptions = [
        (0, 0),
        (3, 3),
        (6, 3),
        (9, 4),
        (11, 6),
        (15, 7),
        (18, 3),
        (21, 4),
        (22, 6),
        (28, 5),
        (34, 6),
        (39, 3),
        (57, 4),
        (70, 6),
    ];
    assert_eq!(period.exceptions(), exceptions);
    assert_eq!(period.verify(), Ok(()));
}

/// Periods and preperiods from Winning Ways, chapter 4, table 7.
#[test]
fn periods_of_winning_ways() {
    for (text, length, preperiod) in [
        (".156", 349, 3479),
        (".356", 142, 7315),
        (".644", 442, 3256),
    ] {
        let period = find_period(&code(text), 40_000, &mut Limits::default().meter())
            .unwrap()
            .unwrap();
        assert_eq!(
            (period.period, period.preperiod),
            (length, preperiod),
            "{text}"
        );
    }
}

#[test]
fn a_certificate_with_a_fault_is_refuted() {
    let good = find_period(&code(".77"), 1000, &mut Limits::default().meter())
        .unwrap()
        .unwrap();
    let mut bad = good.clone();
    bad.nimbers[100] ^= 1;
    assert_eq!(bad.verify(), Err(Refuted::WrongNimber(100)));
    let mut bad = good.clone();
    bad.preperiod -= 1;
    assert_eq!(bad.verify(), Err(Refuted::NotPeriodic(70)));
    let mut bad = good.clone();
    bad.nimbers.pop();
    assert!(matches!(bad.verify(), Err(Refuted::TooShort { .. })));
    let mut bad = good.clone();
    bad.last_place = 1;
    assert_eq!(bad.verify(), Err(Refuted::Malformed));
    let mut bad = good.clone();
    (bad.period, bad.nimbers) = (0, vec![]);
    assert_eq!(bad.verify(), Err(Refuted::Malformed));
    assert_eq!(
        (bad.nimber(100), bad.cycle(), bad.exceptions()),
        (None, vec![], vec![])
    );
    let mut bad = good;
    bad.code = code(".137");
    bad.last_place = 3;
    assert!(bad.verify().is_err());
}

#[test]
fn codes_are_read_or_refused() {
    for text in [".137", "4.007", ".", "4.", ".77"] {
        assert_eq!(code(text).to_string(), text);
    }
    assert_eq!(code("0.7700"), code(".77"));
    for text in ["137", ".8", "3.1", "..1", ".1 7", "", ".\u{7}"] {
        let message = text.parse::<Octal>().unwrap_err().to_string();
        assert!(message.contains(".137"), "{message}");
    }
    assert!(format!(".{}", "7".repeat(65)).parse::<Octal>().is_err());
}

fn loses(game: &Octal, heaps: &[u32]) -> bool {
    moves(game, heaps)
        .iter()
        .all(|&(i, remains)| !loses(game, &after(heaps, i, remains)))
}

fn moves(game: &Octal, heaps: &[u32]) -> Vec<(usize, Remains)> {
    let mut all = Vec::new();
    for (i, &heap) in heaps.iter().enumerate() {
        let mut options = Vec::new();
        game.options(heap, &mut options);
        all.extend(options.into_iter().map(|remains| (i, remains)));
    }
    all
}

fn after(heaps: &[u32], i: usize, remains: Remains) -> Vec<u32> {
    let mut next = heaps.to_vec();
    next[i] = remains[0];
    next.push(remains[1]);
    next.retain(|&heap| heap > 0);
    next
}

/// The sum of the digits written down by hand: taking 1 with digit 3, 2 with digit 7, splitting
/// with digit 4.
#[test]
fn options_by_hand() {
    let list = |text: &str, heap: u32| {
        let mut out = Vec::new();
        code(text).options(heap, &mut out);
        out
    };
    assert_eq!(list(".37", 1), [[0, 0]]);
    assert_eq!(list(".37", 2), [[1, 0], [0, 0]]);
    assert_eq!(list(".37", 5), [[4, 0], [3, 0], [2, 1]]);
    assert_eq!(list("4.", 4), [[3, 1], [2, 2]]);
    assert_eq!(list(".04", 3), Vec::<Remains>::new());
}

fn codes() -> impl Strategy<Value = Octal> {
    ("[4]?", "[0-7]{1,4}").prop_map(|(first, rest)| format!("{first}.{rest}").parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_sparse_space_gives_what_the_definition_gives(game in codes()) {
        let mut space = SparseSpace::new(game.clone());
        space.extend(700, &mut Limits::default().meter()).unwrap();
        prop_assert_eq!(space.nimbers(), game.nimbers(700));
    }

    #[test]
    fn a_period_that_is_found_is_proved_and_holds(game in codes()) {
        let found = find_period(&game, 800, &mut Limits::default().meter()).unwrap();
        if let Some(period) = found {
            prop_assert_eq!(period.verify(), Ok(()));
            let further = game.nimbers(1500);
            for (heap, &nimber) in further.iter().enumerate() {
                prop_assert_eq!(period.nimber(heap as u64), Some(nimber));
            }
        }
    }

    #[test]
    fn winning_moves_leave_lost_positions(
        game in codes(),
        heaps in prop::collection::vec(1u32..5, 1..3),
    ) {
        let nimbers = game.nimbers(8);
        let winning = game.winning_moves(&heaps, &nimbers).unwrap();
        for (i, remains) in moves(&game, &heaps) {
            let lost = loses(&game, &after(&heaps, i, remains));
            prop_assert_eq!(winning.contains(&(i, remains)), lost);
        }
        prop_assert_eq!(game.winning_moves(&[9], &nimbers), None);
    }
}
