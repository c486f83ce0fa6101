//! What people can type or ask for never panics, overflows the stack or eats all memory.

use proptest::prelude::*;
use tabia_cgt::text::{MAX_NESTING, MAX_TEXT};
use tabia_cgt::{
    Dyadic, Exceeded, MAX_HEIGHT, MAX_NIMBER, NumberUpStar, OutcomeClass, Thermograph, Tree, Value,
    Values,
};
use tabia_game::{Limits, Player};

fn refusal(text: &str) -> String {
    match Values::with_limit(2000).read(text) {
        Err(why) => why.to_string(),
        Ok(_) => panic!("{text} was read"),
    }
}

#[test]
fn errors_say_where_and_what() {
    for (text, parts) in [
        ("{1|2", &["end of the text", "'}'"][..]),
        ("1|2|3", &["character 4", "second '|'", "character 2"]),
        ("{1,2}", &["character 5", "'}'", "bar"]),
        ("{1,|2}", &["character 4", "'|'", "a value"]),
        ("1/3", &["character 1", "power of two"]),
        ("3 4", &["character 3", "'4'", "+"]),
        ("^^3", &["character 1", "^3"]),
        ("x", &["character 1", "'x'", "a value"]),
        ("1 + ", &["end of the text", "a value"]),
        ("", &["end of the text", "value"]),
        ("()", &["character 2", "value"]),
        ("*1048576", &["character 2", "nimber", "1048575"]),
        ("*4294967295", &["character 2", "nimber", "1048575"]),
        ("^*2000", &["1023"]),
        ("{*2000|0}", &["1023"]),
        ("^1024", &["character 2", "arrows", "1023"]),
        ("^600 + ^600", &["1023"]),
        ("9223372036854775807", &["character 1", "2^62"]),
        ("4611686018427387904 + 1", &["2^62"]),
        ("1/0", &["character 1", "power of two"]),
        ("{1\u{7}|0}", &["character 3"]),
        ("{1|0)", &["character 5", "')'", "'}'"]),
        ("+-", &["end of the text"]),
        ("+_", &["end of the text"]),
    ] {
        let message = refusal(text);
        for part in parts {
            assert!(message.contains(part), "{text}: {message}");
        }
    }
    for text in ["1/2", "{1|1/2}", "*", "1 + 1", "4000000000"] {
        assert!(Tree::read(text).is_err(), "{text} is no literal tree");
    }
}

/// Nimbers beyond the depth of values are added, compared and told, and have the thermograph of
/// `*2`; nothing is built on them.
#[test]
fn large_nimbers_stand_alone() {
    let v = &mut Values::new();
    let mut read = |text: &str| v.read(text).unwrap();
    let (large, other, sum) = (read("*10000"), read("*1048575"), read("3*10001"));
    let (small, like) = (read("3*"), read("3*2"));
    assert_eq!(v.write(large).unwrap(), "*10000");
    let rest = v.nimber(10_000 ^ 1_048_575).unwrap();
    assert_eq!(v.sum(large, other), Ok(rest));
    assert_eq!(v.sum(sum, large), v.sum(small, Value::ZERO));
    assert_eq!(v.compare(large, other), Ok(None));
    assert_eq!(v.outcome(sum), Ok(OutcomeClass::L));
    assert_eq!(v.birthday(large), Ok(10_000));
    assert_eq!(v.temperature(sum), Ok(Dyadic::ZERO));
    assert_eq!(v.thermograph(sum), v.thermograph(like));
    assert_eq!(v.options(large, Player::FIRST), Err(Exceeded::Height));
    assert_eq!(
        v.from_options(&[large], &[Value::ZERO]),
        Err(Exceeded::Height)
    );
}

/// All nimbers above 1 beside the same number have the same thermograph, by the construction from
/// literal options.
#[test]
fn thermographs_of_nimbers_are_alike() {
    for number in ["0", "3", "-1/2", "5/8"] {
        let v = &mut Values::new();
        let of = |v: &mut Values, nimber: u32| v.read(&format!("{number}*{nimber}")).unwrap();
        for nimber in 2..9 {
            let value = of(v, nimber);
            let mut sides = [Vec::new(), Vec::new()];
            for (side, player) in sides.iter_mut().zip([Player::FIRST, Player::SECOND]) {
                for option in v.options(value, player).unwrap().to_vec() {
                    side.push(v.thermograph(option).unwrap());
                }
            }
            let sides = sides.map(|side| side.iter().map(|g| (**g).clone()).collect::<Vec<_>>());
            let plain = Thermograph::of_options(&sides[0], &sides[1]).unwrap();
            assert_eq!(*v.thermograph(value).unwrap(), plain, "{number}*{nimber}");
        }
    }
}

#[test]
fn long_and_deep_texts_are_refused_with_the_limit() {
    let nested = |depth: usize| format!("{}0{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Values::new().read(&nested(MAX_NESTING - 1)).is_ok());
    for text in [
        nested(MAX_NESTING),
        "{".repeat(MAX_TEXT),
        "+-".repeat(1000),
        "+_".repeat(1000),
        format!("{}1", "+-{".repeat(1000)),
    ] {
        assert!(refusal(&text).contains(&MAX_NESTING.to_string()), "{text}");
    }
    let most = "1".to_string() + &" ".repeat(MAX_TEXT - 1);
    assert!(Values::new().read(&most).is_ok());
    assert!(refusal(&(most + " ")).contains(&MAX_TEXT.to_string()));
    // Many minus signs and many bars are no nesting.
    let values = &mut Values::new();
    let signs = "-".repeat(MAX_TEXT - 1) + "1";
    assert_eq!(
        values.read(&signs),
        values.read("-1"),
        "an odd number of signs"
    );
    let weaker: String = (1..130)
        .map(|strokes| format!("0{}", "|".repeat(strokes)))
        .collect();
    assert!(Values::new().read(&weaker).is_ok());
}

#[test]
fn a_full_store_refuses_and_stays_good() {
    let mut values = Values::with_limit(200);
    let (g, h) = (
        values.read("{50|31||17|0}").unwrap(),
        values.read("{9|4||+-1}").unwrap(),
    );
    let sum = values.sum(g, h).unwrap();
    let (half, one) = (values.read("1/2").unwrap(), values.integer(1).unwrap());
    let text = values.write(sum).unwrap();
    let too_much = "{50|31||17|0} + {49|24||20|0} + {41|39||11|0} + {48|20||19|0}";
    // Often enough to fill any room that is not given back.
    for _ in 0..5000 {
        let refused = values.read(too_much).unwrap_err().to_string();
        assert!(refused.contains("200 values"), "{refused}");
    }
    assert_eq!(values.len(), 200);
    assert_eq!(values.sum(g, h), Ok(sum));
    assert_eq!(values.write(sum), Ok(text.clone()));
    assert_eq!(values.difference(sum, sum), Ok(Value::ZERO));
    assert_eq!(values.outcome(g), Ok(OutcomeClass::L));
    let rights = values.options(half, Player::SECOND);
    assert_eq!(rights, Ok(&[one][..]), "there is still room for options");
    let fresh = &mut Values::new();
    let again = fresh.read("{50|31||17|0} + {9|4||+-1}").unwrap();
    assert_eq!(fresh.write(again), Ok(text));
}

#[test]
fn a_watched_store_stops_when_told_to() {
    let mut values = Values::new();
    let limits = Limits::default();
    values.watch(&limits);
    let games = "{50|31||17|0} + {49|24||20|0} + {41|39||11|0} + {48|20||19|0}";
    let hot = values.read(games).unwrap();
    limits.cancel.cancel();
    let sum = values.sum(hot, hot);
    assert_eq!(sum, Err(Exceeded::Stopped));
    values.watch(&Limits::default());
    let sum = values.sum(hot, hot).unwrap();
    let back = values.difference(sum, hot);
    assert_eq!(back, Ok(hot));
}

/// The deepest values there can be, added and compared on the stack of an ordinary thread.
#[test]
fn the_deepest_values_do_not_overflow_the_stack() {
    let values = &mut Values::new();
    let most = MAX_HEIGHT as i32;
    let mut deep = values.read("{1|*}").unwrap();
    let mut refused = None;
    for level in 2..2 * most {
        let level = values.integer(level).unwrap();
        match values.from_options(&[level], &[deep]) {
            Ok(next) => deep = next,
            Err(why) => {
                refused = Some(why);
                break;
            }
        }
    }
    assert_eq!(refused, Some(Exceeded::Height));
    assert!(values.birthday(deep).unwrap() >= u64::from(MAX_HEIGHT) - 1);
    let minus = values.negative(deep).unwrap();
    assert_eq!(values.sum(deep, minus), Ok(Value::ZERO));
    let graph = values.thermograph(deep);
    assert_eq!(
        graph,
        Err(Exceeded::Number),
        "each level needs another binary place"
    );
    let ups = values.ups(most).unwrap();
    for other in [minus, ups] {
        let _ = values.compare(deep, other).unwrap();
        let answer = values.sum(deep, other);
        assert!(
            matches!(answer, Ok(_) | Err(Exceeded::Height | Exceeded::Values(_))),
            "{answer:?}"
        );
    }
    assert_eq!(values.ups(most + 1), Err(Exceeded::Height));
    assert_eq!(values.nimber(MAX_NIMBER + 1), Err(Exceeded::Nimber));
    assert_eq!(values.ups(i32::MIN), Err(Exceeded::Height));
    let far = NumberUpStar {
        number: Dyadic::ZERO,
        up: i32::MAX,
        nimber: u32::MAX,
    };
    assert_eq!(values.number_up_star(far), Err(Exceeded::Nimber));
    let far = NumberUpStar { nimber: 1, ..far };
    assert_eq!(values.number_up_star(far), Err(Exceeded::Height));
}

#[test]
fn numbers_at_the_bounds_are_refused_not_wrapped() {
    let values = &mut Values::new();
    let most = Dyadic::new(1 << 62, 0).unwrap();
    let least = Dyadic::new(1, 62).unwrap();
    let (most, least) = (values.number(most).unwrap(), values.number(least).unwrap());
    assert_eq!(values.sum(most, least), Err(Exceeded::Number));
    assert_eq!(values.sum(most, most), Err(Exceeded::Number));
    assert_eq!(values.from_options(&[most], &[]), Err(Exceeded::Number));
    assert_eq!(
        values.from_options(&[Value::ZERO], &[least]),
        Err(Exceeded::Number)
    );
    assert_eq!(values.difference(most, most), Ok(Value::ZERO));
    let switch = values.from_options(&[most], &[least]).unwrap();
    assert_eq!(values.mean(switch), Err(Exceeded::Number));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9{}()|,^v*+_/ \\-]{0,24}") {
        let _ = Values::with_limit(3000).read(&text);
        let _ = Tree::read(&text);
    }

    #[test]
    fn any_characters_are_read_or_refused(text in "\\PC{0,12}") {
        let _ = Values::with_limit(3000).read(&text);
        let _ = text.parse::<Dyadic>();
    }

    #[test]
    fn what_is_read_is_written_back(text in "[0-3{}|,^v*+_-]{1,14}") {
        let values = &mut Values::with_limit(3000);
        if let Ok(value) = values.read(&text) {
            let written = values.write(value).unwrap();
            prop_assert_eq!(values.read(&written).unwrap(), value, "{} as {}", text, written);
        }
    }
}
