//! Records of games are read back as they were written, and refused with the line.
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tabia_catalog::{Record, Seen, open, replay};

const EXAMPLE: &str = "\
# a comment
game: tictactoe

position: .../.x./... o
seat 1: human
seat 2: random:seed=7
result: X has won
moves: a1 b3 a2
  moves:a3 c2 b1
";

#[test]
fn reads_and_replays() {
    let record: Record = EXAMPLE.parse().unwrap();
    assert_eq!(record.seats, ["human", "random:seed=7"]);
    assert_eq!(record.moves, ["a1", "b3", "a2", "a3", "c2", "b1"]);
    let session = replay(&record, &*open(&record.game).unwrap()).unwrap();
    assert_eq!(session.ending().map(|e| e.text), record.result);
    assert_eq!(session.position(), "xx1/oxo/ox1 o");
}

#[test]
fn errors_name_the_line() {
    let error = |text: &str| text.parse::<Record>().unwrap_err().to_string();
    assert_eq!(
        error("game: mnk\nfoo: 1"),
        "line 2 of the record: unknown key 'foo'; keys are game, position, seen by, view, seat 1, \
         seat 2, ..., result, moves"
    );
    assert!(error("game: mnk\ngame: mnk").contains("given twice"));
    assert!(error("game:").contains("no value"));
    assert!(error("seen by: me").contains("no number of a seat"));
    assert!(error("view: ?").contains("after 'seen by'"));
    assert!(error("seen by: 1\nview: a\nview: b").contains("given twice"));
    assert!(error("seat 2: x").contains("where 'seat 1' should be"));
    assert!(error("hello").contains("is not 'key: value'"));
    assert!(error("").contains("no 'game: SPEC'"));
}

fn word() -> impl Strategy<Value = String> {
    "[a-z0-9:=,+é-]{1,12}"
}

fn phrase() -> impl Strategy<Value = String> {
    "[a-z./:#]{1,9}( [a-z0-9#]{1,9}){0,3}"
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        game in word(),
        position in option::of(phrase()),
        seen in option::of((1..9usize, phrase())),
        seats in vec(phrase(), 0..4),
        result in option::of(phrase()),
        moves in vec(word(), 0..80),
    ) {
        let seen = seen.map(|(seat, view)| Seen { seat, view });
        let record = Record { game, position, seen, seats, result, moves };
        let text = record.to_string();
        prop_assert!(text.lines().filter(|l| l.starts_with("moves")).all(|l| l.len() <= 80));
        prop_assert_eq!(text.parse::<Record>(), Ok(record));
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in "(game|seat 1|moves|position|#|x)?[: \n]?.{0,20}\n?(game: mnk)?\n?.{0,9}",
    ) {
        if let Ok(record) = text.parse::<Record>()
            && let Ok(game) = open(&record.game)
        {
            let _ = replay(&record, &*game);
        }
    }
}
