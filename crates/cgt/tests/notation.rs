//! Values by name: what books, papers and CGSuite's own regression tests say of them.

use tabia_cgt::{Dyadic, NumberUpStar, OutcomeClass, Tree, Value, Values};
use tabia_game::Player;

fn read(values: &mut Values, text: &str) -> Value {
    values.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Both texts are the same value.
fn same(a: &str, b: &str) {
    let values = &mut Values::new();
    let (x, y) = (read(values, a), read(values, b));
    assert_eq!(
        x,
        y,
        "{a} = {}, {b} = {}",
        values.write(x).unwrap(),
        values.write(y).unwrap()
    );
}

/// The first text is written as the second.
fn becomes(text: &str, written: &str) {
    let values = &mut Values::new();
    let value = read(values, text);
    assert_eq!(values.write(value).unwrap(), written, "{text}");
    assert_eq!(read(values, written), value, "{written}");
}

fn dyadic(text: &str) -> Dyadic {
    text.parse().unwrap()
}

#[test]
fn cgsuite_regression_tests_of_game_specifiers() {
    for (text, written) in [
        ("{0|^*5}", "^^*4"),
        ("{3|||2||1|0,*||||-1/2}", "{3|||2||1|0,*||||-1/2}"),
        ("+-1", "+-1"),
        ("+-(1/2)", "+-1/2"),
        ("+-{1,1+*}", "+-{1,1*}"),
        ("3+-1", "{4|2}"),
        ("+-1+-2+-3+-4", "+-{10|8||6|4|||4|2||0|-2}"),
        ("{0||0|-1}", "+_1"),
        ("{0||0|-1/4}", "+_1/4"),
        ("{0|||0||-1|-2}", "+_{2|1}"),
        ("{1|0||0}", "-_1"),
        ("3 - 2 +- 6 - 7 +- 8 + 4", "{12|0||-4|-16}"),
        ("^^^^^^+vvv*+^19*3+v14", "^8*2"),
        ("*3+*5", "*6"),
        ("2 + 3/4", "11/4"),
        ("2 - (1+*)", "1*"),
    ] {
        becomes(text, written);
    }
}

/// Their multiples of values that are not number-up-stars.
#[test]
fn cgsuite_regression_tests_of_integer_multiples() {
    let values = &mut Values::new();
    for (text, times, written) in [
        ("{3||2|1}", 5, "{12|||11||10,{11|10}|9+_{2|1}}"),
        (
            "1 + {0|v*} + *4",
            10,
            "{10||10,10v*|{10vv,10v*||||10v3*,10vv|||10v4,10v3*||10v5*,10v4\
             |{10v6,10v5*||||10v7*,10v6|||10v8,10v7*||10v9*,10v8|10v10}}}",
        ),
        (
            "1 + {0|v*} + *4",
            9,
            "{9,9*,9*2,9*3,9*4|{9*4,9v*5||||9vv*4,9v*5|||9v3*5,9vv*4||9v4*4,9v3*5\
             |{9v5*5,9v4*4||||9v6*4,9v5*5|||9v7*5,9v6*4||9v8*4,9v7*5|9v9*5}}}",
        ),
    ] {
        let g = read(values, text);
        let multiple = values.multiple(g, times).unwrap();
        assert_eq!(multiple, read(values, written), "{times} times {text}");
    }
}

#[test]
fn cgsuite_regression_tests_of_heating() {
    let values = &mut Values::new();
    let two = values.integer(2).unwrap();
    for (text, heated) in [
        ("*", "+-2"),
        ("*2", "+-{2,{4|0}}"),
        ("^", "{2||0|-4}"),
        ("^*", "{2,{4|0}|-2}"),
        ("^^", "{2||0,+-2|-4}"),
    ] {
        let g = read(values, text);
        assert_eq!(values.heat(g, two).unwrap(), read(values, heated), "{text}");
    }
    let star = values.nimber(1).unwrap();
    let double_up = values.ups(2).unwrap();
    assert_eq!(values.heat(double_up, star), Ok(Value::ZERO));
}

/// Winning Ways, chapters 2, 3 and 8.
#[test]
fn small_games_of_winning_ways() {
    for (a, b) in [
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{0|1}", "1/2"),
        ("{0|0}", "*"),
        ("{0,*|0,*}", "*2"),
        ("{0|*}", "^"),
        ("{*|0}", "v"),
        ("{0,*|0}", "^*"),
        ("{^|v}", "*"),
        ("{0|^}", "^^*"),
        ("{0|^*}", "^^"),
        ("{1|1}", "1*"),
        ("{*|*}", "0"),
        ("{^|^}", "^^*"),
        ("^ + ^", "^^"),
        ("{2|-2} + {1|-1}", "{3|1||-1|-3}"),
        ("{1|-1} + {1|-1}", "0"),
        ("{0||0|-2} + {2|0||0}", "0"),
        ("{1|} - 2", "0"),
        ("-1^", "-1 + ^"),
        ("-(1^)", "-1v"),
        ("+-1 + 1", "{2|0}"),
        ("10|0||-1", "{{10|0}|-1}"),
        ("{1*|0}", "{1+*|0}"),
        ("⇑∗2", "^^*2"),
        ("±1 − ⧾2", "+-1 + -_2"),
    ] {
        same(a, b);
    }
}

/// Values in the text of Tegos (2002), and of its figures 7.5 and 7.7. The latter is printed as
/// ^|1/16 with the temperature 1/32; that is a number, and a minus is missing.
#[test]
fn tegos_small_values() {
    for (a, b) in [
        ("{^|1/16}", "1/32"),
        ("{-1|1}", "0"),
        ("{-1/2,0,0,0|*,-2,2}", "{0|-2}"),
        ("{3|7}", "4"),
        ("{5/4|2}", "3/2"),
        ("{5/2|}", "3"),
    ] {
        same(a, b);
    }
    let values = &mut Values::new();
    for (text, mean, temperature) in [
        ("{2|-1}", "1/2", "3/2"),
        ("{0,{1|0}|-1/2}", "0", "1/2"),
        ("{^|-1/16}", "-1/32", "1/32"),
        ("{^|1/16}", "1/32", "-1/32"),
        ("{11|-11}", "0", "11"),
    ] {
        let g = read(values, text);
        assert_eq!(values.temperature(g), Ok(dyadic(temperature)), "{text}");
        assert_eq!(values.mean(g), Ok(dyadic(mean)), "{text}");
    }
}

#[test]
fn temperatures_of_numbers_are_negative() {
    let values = &mut Values::new();
    for (text, temperature) in [
        ("0", "-1"),
        ("-7", "-1"),
        ("1/2", "-1/2"),
        ("-5/16", "-1/16"),
    ] {
        let g = read(values, text);
        assert_eq!(values.temperature(g), Ok(dyadic(temperature)), "{text}");
        let graph = values.thermograph(g).unwrap();
        assert_eq!(graph.temperature(), dyadic(temperature), "{text}");
        assert_eq!(Some(graph.mean()), values.as_number(g), "{text}");
    }
}

#[test]
fn mueller_and_li_section_3_example() {
    let graph = Tree::read("10|0||-1").unwrap().thermograph().unwrap();
    assert_eq!(
        (graph.mean(), graph.temperature()),
        (dyadic("0"), dyadic("1"))
    );
    assert_eq!(graph.pseudo_temperature(Player::FIRST), Some(dyadic("5")));
    assert_eq!(graph.pseudo_temperature(Player::SECOND), Some(dyadic("1")));
}

#[test]
fn mueller_and_li_two_and_three_level_examples() {
    for (text, mean, temperature) in [
        ("114|66||49|0", "229/4", "131/4"),
        ("237|191||145|124|||97|57||32|0", "883/8", "511/8"),
    ] {
        let tree = Tree::read(text).unwrap();
        let graph = tree.thermograph().unwrap();
        let both = [Player::FIRST, Player::SECOND].map(|p| graph.pseudo_temperature(p));
        assert_eq!(graph.mean(), dyadic(mean), "{text}");
        assert_eq!(graph.temperature(), dyadic(temperature), "{text}");
        assert_eq!(both, [Some(dyadic(temperature)); 2], "{text}");
        let values = &mut Values::new();
        let value = tree.value(values).unwrap();
        assert_eq!(*values.thermograph(value).unwrap(), graph, "{text}");
    }
}

#[test]
fn outcomes_and_classes() {
    let values = &mut Values::new();
    for (text, outcome) in [
        ("0", OutcomeClass::P),
        ("*", OutcomeClass::N),
        ("^", OutcomeClass::L),
        ("v*2", OutcomeClass::R),
        ("^*", OutcomeClass::N),
        ("+_2", OutcomeClass::L),
        ("{2|-1}", OutcomeClass::N),
        ("-1/1024", OutcomeClass::R),
    ] {
        let g = read(values, text);
        assert_eq!(values.outcome(g), Ok(outcome), "{text}");
    }
    let tiny = read(values, "+_1");
    assert!(values.is_infinitesimal(tiny) && !values.is_all_small(tiny));
    assert_eq!(values.atomic_weight(tiny), Ok(None));
    let up_second = read(values, "{0|v*}");
    assert!(values.is_all_small(up_second));
    let simple = NumberUpStar {
        number: dyadic("3/2"),
        up: -2,
        nimber: 5,
    };
    let g = read(values, "3/2vv*5");
    assert_eq!(values.as_number_up_star(g), Some(simple));
}

/// Winning Ways, chapter 8.
#[test]
fn atomic_weights_of_winning_ways() {
    let values = &mut Values::new();
    for (text, weight) in [
        ("0", "0"),
        ("*3", "0"),
        ("^4*2", "4"),
        ("{0|v*}", "0"),
        ("{0,*|v}", "0"),
        ("{^^|vv}", "*"),
        ("{^3|v3}", "+-1"),
        ("{^3|*}", "{1|2}"),
    ] {
        let (g, weight) = (read(values, text), read(values, weight));
        let found = values.atomic_weight(g).unwrap().unwrap();
        assert_eq!(
            values.write(found).unwrap(),
            values.write(weight).unwrap(),
            "{text}"
        );
    }
}
