//! Sums as people write them: specs, files, values and winners.
use proptest::prelude::*;
use tabia_catalog::sums::file::{Question, read};
use tabia_catalog::sums::{Config, SumEvaluator, SumSolver, Summands};
use tabia_game::{Limits, Player};

fn value(spec: &str) -> String {
    let sum = Summands::read(spec).unwrap();
    SumEvaluator::new()
        .of(&sum, &Limits::default())
        .unwrap()
        .value
}

fn refusal(spec: &str) -> String {
    Summands::read(spec).unwrap_err().to_string()
}

/// Wieczorek et al. (2013): values of small strips, from a canonical-form engine of others.
#[test]
fn toads_and_frogs_values() {
    for (strip, wanted) in [
        ("T.F", "*"),
        ("TT.FF", "*"),
        ("TTT.FF", "*"),
        ("TT.F", "{1/2|0}"),
        ("TTT.F", "{1*|0}"),
        ("TTTT.F", "{{2|1}|0}"),
        ("TTT..F", "2"),
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
        assert_eq!(value(&format!("toads:{strip}")), value(wanted), "{strip}");
    }
}

#[test]
fn summands_of_all_kinds_add_up() {
    assert_eq!(value("domineering:..|.. + +-1"), "0");
    assert_eq!(value("nim:3 + *3"), "0");
    assert_eq!(value("hackenbush:BR"), "1/2");
    assert_eq!(value("octal.77:9"), "*4");
    // Either domino leaves room for one more.
    assert_eq!(value("impartial domineering:..|.."), "0");
    assert_eq!(value("impartial domineering:.."), "*");
}

#[test]
fn what_is_no_sum_is_refused_with_a_reason() {
    assert!(
        refusal("clober:XO").contains("clobber"),
        "{}",
        refusal("clober:XO")
    );
    assert!(
        refusal("clobber:XQ").contains("'Q'"),
        "{}",
        refusal("clobber:XQ")
    );
    assert!(
        refusal("clobber").contains("toads:TT.F"),
        "{}",
        refusal("clobber")
    );
    assert!(!refusal("{1|").is_empty() && !refusal("").is_empty());
    assert!(refusal("octal.9:3").contains("octal"));
}

#[test]
fn files_have_sections_games_and_commands() {
    let cases = read("[clobber] XO|OX XO {B win, W loss}\n/* c */ [nimber] 3 (5) {N 6}{}").unwrap();
    assert_eq!(cases.len(), 3);
    assert_eq!(cases[0].question, Question::Wins(Player::FIRST, Some(true)));
    assert_eq!(
        cases[1].question,
        Question::Wins(Player::SECOND, Some(false))
    );
    assert_eq!(cases[2].line, 2);
    let nimber = SumEvaluator::new().nimber(&cases[2].sum, &Limits::default());
    assert_eq!(nimber.unwrap().0, 6);
    for (text, part) in [
        ("XO {B}", "line 1: 'XO' stands before any section"),
        ("[clobber]\nXZ {B}", "line 2"),
        ("[clobber] XO", "not followed by a command"),
        ("[clobber] XO {Q}", "'Q' is no command"),
        ("[clobber] (XO {B}", "')'"),
        ("/* XO", "'*/'"),
        ("[clobber] XO {B maybe}", "'maybe'"),
        ("[switch_game] (1) {B}", "switch"),
        ("[up_star] (* *) {B}", "ups"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// In the impartial form of a value both players may move to all of its options, counted here by
/// hand: 1/2 leads to 0 and 1, up to 0 and a star, 1/4 to 0 and 1/2; whole numbers are left one by
/// one.
#[test]
fn values_have_impartial_forms() {
    for (text, nimber) in [
        ("[impartial integer_game] 4", 0),
        ("[impartial integer_game] -9", 1),
        ("[impartial dyadic_rational] 1/2", 2),
        ("[impartial dyadic_rational] 1/4", 1),
        ("[impartial dyadic_rational] (-17 / 2)", 2),
        ("[impartial dyadic_rational] 24/1", 0),
        ("[impartial switch_game] (1, -1)", 0),
        ("[impartial switch_game] (2 -1)", 2),
        ("[impartial switch_game] 17/4,-5/16", 0),
        ("[impartial up_star] 1", 2),
        ("[impartial up_star] *", 1),
        ("[impartial nimber] 5", 5),
        ("[impartial kayles] 3 [nimber] 1", 2),
    ] {
        let cases = read(&format!("{text} {{N}}")).unwrap();
        let found = SumEvaluator::new().nimber(&cases[0].sum, &Limits::default());
        assert_eq!(found.unwrap().0, nimber, "{text}");
    }
}

/// Lists are separated by blanks or commas, and fractions need not be in lowest terms.
#[test]
fn values_are_written_in_several_ways() {
    let value = |text: &str| {
        let cases = read(&format!("{text} {{B}}")).unwrap();
        let worth = SumEvaluator::new().of(&cases[0].sum, &Limits::default());
        worth.unwrap().value
    };
    for text in ["(21, 7/8)", "(21 7/8)", "21,7/8", "( 21 , 14 / 16 )"] {
        assert_eq!(value(&format!("[switch_game] {text}")), "{21|7/8}");
    }
    for text in ["(2 *)", "(*, 2)", "2 *"] {
        assert_eq!(value(&format!("[up_star] {text}")), "^^*");
    }
    assert_eq!(value("[dyadic_rational] (-6 / 8)"), "-3/4");
    assert_eq!(value("[integer_game] 5 -4 0"), "1");
    let empty = read("{B loss}").unwrap();
    assert_eq!(
        empty[0].question,
        Question::Wins(Player::FIRST, Some(false))
    );
    assert!(empty[0].sum.is_empty());
    for text in [
        "[dyadic_rational] 1/3 {B}",
        "[up_star] () {B}",
        "[nimber] -1 {N}",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

/// Answers of the search are those of the values.
#[test]
fn winners_follow_from_values() {
    let mut winner = SumSolver::new(Config {
        memory: 2 << 20,
        ..Config::default()
    });
    let limits = Limits::default();
    for spec in [
        "toads:TT..FF + domineering:...|...",
        "clobber:XOX|OXO + *2 + ^",
        "amazons:X..|..O + -1",
        "elephants:X..XO..O + hackenbush:BRG",
        "snort:...|... + col:...|...",
        "fission:...|.X.|... + nogo:... + toppling_dominoes:XO#",
        "nodekayles:star:3,1,1 + pinkayles:path:4 + octal.137:9",
    ] {
        let sum = Summands::read(spec).unwrap();
        let outcome = SumEvaluator::new()
            .of(&sum, &limits)
            .unwrap()
            .outcome
            .to_string();
        let wins =
            |winner: &mut SumSolver, player| winner.wins(&sum, player, &limits).unwrap().wins;
        let found = match (
            wins(&mut winner, Player::FIRST),
            wins(&mut winner, Player::SECOND),
        ) {
            (true, true) => "N",
            (true, false) => "L",
            (false, true) => "R",
            (false, false) => "P",
        };
        assert_eq!(found, outcome, "{spec}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(
        spec in "(toads:|nim:|clobber:|impartial |octal)?[TFXO.#|{}*^v0-9,+/ -]{0,20}|.{0,20}",
        file in "(\\[clobber\\]|\\[nimber\\]|\\[x\\])?[XO|.0-9 (){}/*BWN,\n]{0,30}|.{0,30}",
    ) {
        let _ = Summands::read(&spec);
        let _ = read(&file);
    }
}
