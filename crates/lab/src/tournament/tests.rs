//! Tournament files from their text to their tables.

use num_rational::Ratio;
use proptest::prelude::*;

use super::*;

/// A file with players of these names.
fn file(head: &str, names: &str, rounds: &str) -> String {
    let players: String = names
        .split(' ')
        .map(|name| format!("[[player]]\nname = \"{name}\"\n"))
        .collect();
    format!("name = \"Test\"\n{head}\n{players}{rounds}")
}

fn read(head: &str, names: &str, rounds: &str) -> Tournament {
    file(head, names, rounds).parse().unwrap()
}

fn refusal(head: &str, names: &str, rounds: &str) -> String {
    let read: Result<Tournament, TournamentFileError> = file(head, names, rounds).parse();
    read.map(|t| t.name).unwrap_err().to_string()
}

/// Place, name, points and tie-breaks of everybody.
fn told(tournament: &Tournament) -> Vec<String> {
    let line = |standing: &Standing| {
        let mut words = vec![
            standing.place_text(),
            tournament.players[standing.player].name.clone(),
            show_points(standing.points),
        ];
        let value = |value: &Option<Points>| value.map_or("none".to_string(), show_points);
        words.extend(standing.tie_breaks.iter().map(value));
        words.join(" ")
    };
    tournament.standings().iter().map(line).collect()
}

/// By hand: A beats B, B beats C, C beats A, D draws with A and B and beats C.
const FOUR: &str = "[[round]]
games = [[\"A\", \"B\", \"1-0\"], [\"B\", \"C\", \"1-0\"], [\"C\", \"A\", \"1-0\"],
         [\"D\", \"A\", \"½-½\"], [\"B\", \"D\", \"0.5-0.5\"], [\"D\", \"C\", \"1-0\"]]";

#[test]
fn tie_breaks_by_hand() {
    let with = |tie_breaks: &str| {
        let head = format!("format = \"round-robin\"\ntie_breaks = [{tie_breaks}]");
        told(&read(&head, "A B C D", FOUR))
    };
    assert_eq!(with(""), ["1 D 2", "2= A 1½", "2= B 1½", "4 C 1"]);
    // D: half of A and B, and C: 0.75 + 0.75 + 1. A: B and half of D. B: C and half of D.
    assert_eq!(
        with("\"sb\""),
        ["1 D 2 2½", "2 A 1½ 2½", "3 B 1½ 2", "4 C 1 1½"]
    );
    // Everybody meets everybody else, and there are six points in all.
    assert_eq!(
        with("\"buchholz\""),
        ["1 D 2 4", "2= A 1½ 4½", "2= B 1½ 4½", "4 C 1 5"]
    );
    assert_eq!(
        with("\"sosos\""),
        ["1 D 2 14", "2= A 1½ 13½", "2= B 1½ 13½", "4 C 1 13"]
    );
    assert_eq!(
        with("\"nbw\", \"direct\""),
        ["1 D 2 1 none", "2 A 1½ 1 1", "3 B 1½ 1 0", "4 C 1 1 none"]
    );
}

#[test]
fn a_direct_encounter_needs_all_to_have_met() {
    let head = "format = \"swiss\"\ntie_breaks = [\"direct\"]";
    let rounds = "[[round]]\ngames = [[\"A\", \"B\", \"1-0\"], [\"C\", \"D\", \"1-0\"]]";
    assert_eq!(
        told(&read(head, "A B C D", rounds)),
        ["1= A 1 none", "1= C 1 none", "3= B 0 none", "3= D 0 none"]
    );
}

#[test]
fn three_tied_are_ordered_by_their_games_alone() {
    let head = "format = \"double-round-robin\"\ntie_breaks = [\"direct\"]";
    // All have two points; among A, B and C, who have met once each, A has 2, B 1 and C 0.
    let rounds = "[[round]]\ngames = [[\"C\", \"A\", \"0-1\"], [\"C\", \"B\", \"0-1\"],
        [\"A\", \"B\", \"1-0\"], [\"B\", \"D\", \"1-0\"], [\"C\", \"D\", \"1-0 1-0\"]]";
    assert_eq!(
        told(&read(head, "D C B A", rounds)),
        ["1 A 2 2", "2 B 2 1", "3 C 2 0", "4 D 0 none"]
    );
}

#[test]
fn byes_count_as_the_file_says() {
    let rounds = "[[round]]\ngames = [[\"A\", \"B\", \"1-0\"]]\nbyes = [\"C\"]
[[round]]\ngames = [[\"A\", \"C\", \"1-0\"]]\nbyes = [\"B\"]";
    let with = |more: &str| {
        let head =
            format!("format = \"swiss\"\ntie_breaks = [\"nbw\", \"sos\", \"sosos\"]\n{more}");
        told(&read(&head, "A B C", rounds))
    };
    // The bye's own sum of opponents' scores is 1 + 1, those of A, B and C are 2, 2 and 2.
    assert_eq!(with(""), ["1 A 2 2 2 4", "2= B 1 1 2 4", "2= C 1 1 2 4"]);
    assert_eq!(
        with("bye_opponent = \"nobody\""),
        ["1 A 2 2 2 4", "2= B 1 1 2 2", "2= C 1 1 2 2"]
    );
    assert_eq!(
        with("bye = \"½\""),
        ["1 A 2 2 1 4", "2= B ½ 0 2 2", "2= C ½ 0 2 2"]
    );
    let table = |more: &str| {
        let head = format!("format = \"swiss\"\n{more}");
        let tournament = read(&head, "A B C", rounds);
        tournament.crosstable(&tournament.standings()).rows
    };
    assert_eq!(table("")[1], ["2", "2=", "B", "1-", "0+", "1"]);
    assert_eq!(table("bye = \"0.5\"")[2], ["3", "2=", "C", "0=", "1-", "½"]);
    assert_eq!(table("bye = \"0\"")[2], ["3", "2=", "C", "0-", "1-", "0"]);
}

#[test]
fn a_final_decides_between_the_first_two() {
    let rounds = |result: &str| {
        format!(
            "[[round]]
games = [[\"A\", \"B\", \"1-0\"], [\"A\", \"C\", \"1-0\"], [\"B\", \"C\", \"1-0\"]]
[[round]]\nfinal = true\ngames = [[\"A\", \"B\", \"{result}\"]]"
        )
    };
    let head = "format = \"round-robin-final\"";
    let lost = read(head, "A B C", &rounds("0-1 ½-½"));
    assert_eq!(told(&lost), ["1 B 1", "2 A 2", "3 C 0"]);
    let rows = lost.crosstable(&lost.standings()).rows;
    assert_eq!(rows[0], ["1", "B", "x", "0", "1", "1½", "1"]);
    assert_eq!(rows[2], ["3", "C", "0", "0", "x", "", "0"]);
    let drawn = read(head, "A B C", &rounds("1-0 0-1"));
    assert_eq!(told(&drawn), ["1 A 2", "2 B 1", "3 C 0"]);
    let wrong = rounds("1-0").replace(
        "final = true\ngames = [[\"A\", \"B\"",
        "final = true\ngames = [[\"A\", \"C\"",
    );
    assert!(refusal(head, "A B C", &wrong).contains("the first two, 'A' and 'B'"));
}

#[test]
fn a_knockout_is_ranked_by_rounds() {
    let rounds =
        "[[round]]\ngames = [[\"A\", \"D\", \"1-0\"], [\"B\", \"C\", \"½-½ 0-1\"]]\nbyes = [\"E\"]
[[round]]\ngames = [[\"A\", \"C\", \"0-1\"]]\nbyes = [\"E\"]
[[round]]\ngames = [[\"C\", \"E\", \"0-1\"]]";
    let tournament = read("format = \"knockout\"", "A B C D E", rounds);
    assert_eq!(
        told(&tournament),
        ["1 E 3", "2 C 2½", "3 A 1", "4= B ½", "4= D 0"]
    );
    let table = tournament.crosstable(&tournament.standings());
    assert!(
        table
            .rows
            .contains(&["1", "B", "C", "½-1½"].map(str::to_string).to_vec())
    );
    assert!(
        table
            .rows
            .contains(&["2", "E", "", "bye"].map(str::to_string).to_vec())
    );
    assert_eq!(table.rows.len(), 6);
    let back = format!("{rounds}\n[[round]]\ngames = [[\"D\", \"E\", \"1-0\"]]");
    assert!(refusal("format = \"knockout\"", "A B C D E", &back).contains("'D' has lost a match"));
}

#[test]
fn margins_are_points() {
    let rounds = "[[round]]\ngames = [[\"A\", \"B\", \"12:-12\"], [\"B\", \"C\", \"20:-20 -3:3\"]]";
    let head = "format = \"round-robin\"\ngames = 2\nscoring = \"margin\"";
    assert_eq!(
        told(&read(head, "A B C", rounds)),
        ["1 A 12", "2 B 5", "3 C -17"]
    );
}

#[test]
fn refusals_name_the_line_and_what_would_be_right() {
    let swiss = "format = \"swiss\"";
    let round = |games: &str| format!("[[round]]\ngames = [{games}]");
    let cases = [
        (
            swiss,
            "A B",
            round("[\"A\", \"Bb\", \"1-0\"]"),
            "line 8: there is no player 'Bb'; did you mean 'B'?",
        ),
        (
            swiss,
            "A B",
            round("[\"A\", \"A\", \"1-0\"]"),
            "line 8: 'A' cannot play against itself",
        ),
        (
            swiss,
            "A B",
            round("[\"A\", \"B\", \"2-0\"]"),
            "it is 1-0, ½-½, 0-1",
        ),
        (
            swiss,
            "A B",
            round("[\"A\", \"B\", \"\"]"),
            "line 8: '' is no result",
        ),
        (swiss, "A B", round("[\"A\", \"B\"]"), "line 8"),
        (
            swiss,
            "A B C",
            round("[\"A\", \"B\", \"1-0\"], [\"A\", \"C\", \"1-0\"]"),
            "'A' is paired twice",
        ),
        (
            swiss,
            "A B",
            round("[\"A\", \"B\", \"1-0 1-0\"]"),
            "more games than the 1",
        ),
        (
            "format = \"round-robin\"",
            "A B",
            round("[\"A\", \"B\", \"1-0\"], [\"B\", \"A\", \"1-0\"]"),
            "more games than the 1",
        ),
        (
            "format = \"round-robin\"",
            "A B",
            round("") + "\nbyes = [\"A\"]",
            "those who sit out",
        ),
        (swiss, "A A", round(""), "line 6: there are two players 'A'"),
        (swiss, "A", round(""), "from 2 to 1000 players"),
        (swiss, "A B", String::new(), "results are needed"),
        ("format = \"swis\"", "A B", round(""), "round-robin"),
        ("format = \"swiss\"\nrouns = 3", "A B", round(""), "line 3"),
        (
            "format = \"swiss\"\nrounds = 3",
            "A B",
            round(""),
            "line 3: 'rounds' is for engines",
        ),
        (
            "format = \"swiss\"\ngames = 0",
            "A B",
            round(""),
            "line 3: 'games' is a number from 1 to 1000",
        ),
        (
            "format = \"swiss\"\nscoring = \"0-1-2\"",
            "A B",
            round(""),
            "a win must be worth more",
        ),
        (
            "format = \"swiss\"\ntie_breaks = [\"sbb\"]",
            "A B",
            round(""),
            "there is no tie-break 'sbb'; there are direct, sb",
        ),
        (
            "format = \"swiss\"\nbye = \"many\"",
            "A B",
            round(""),
            "line 3: 'many' is no number of points",
        ),
    ];
    for (head, names, rounds, expected) in cases {
        let message = refusal(head, names, &rounds);
        assert!(message.contains(expected), "{message}\nlacks: {expected}");
    }
}

#[test]
fn engines_or_results_but_not_both() {
    let engines = |head: &str,
                   second: &str,
                   rounds: &str|
     -> Result<Tournament, TournamentFileError> {
        let players = format!(
            "[[player]]\nname = \"A\"\nengine = \"random\"\n[[player]]\nname = \"B\"\n{second}\n"
        );
        format!("name = \"T\"\n{head}\n{players}{rounds}").parse()
    };
    let head = "format = \"swiss\"\ngame = \"loa\"\nrounds = 1\n[limits]\nnodes = 100";
    let read = engines(head, "engine = \"pvs:depth=4\"", "").unwrap();
    let play = read.play.unwrap();
    assert_eq!(
        (play.game.as_str(), play.rounds, play.terms.nodes),
        ("loa", Some(1), Some(100))
    );
    assert_eq!(read.players[1].engine.as_deref(), Some("pvs:depth=4"));
    let refusal = |head, second, rounds| {
        let refused = engines(head, second, rounds).map(|t| t.name);
        refused.unwrap_err().to_string()
    };
    let round = "[[round]]\ngames = [[\"A\", \"B\", \"1-0\"]]";
    assert!(refusal(head, "", "").contains("others have"));
    assert!(refusal(head, "engine = \"random\"", round).contains("not both"));
    assert!(
        refusal(
            "format = \"swiss\"\ngame = \"loa\"",
            "engine = \"random\"",
            ""
        )
        .contains("rounds")
    );
    assert!(refusal("format = \"knockout\"", "engine = \"random\"", "").contains("a game to play"));
}

/// Nothing overflows at the bounds: every sum is what it should be.
#[test]
fn the_largest_numbers_fit() {
    let names: Vec<String> = (0..MAX_PLAYERS).map(|n| n.to_string()).collect();
    let mut games = String::new();
    for other in &names[1..] {
        let results = "1000000:999999.999 ".repeat(100);
        games += &format!("[\"0\", \"{other}\", \"{results}\"],\n");
    }
    let head = "format = \"round-robin\"\ngames = 1000\nscoring = \"margin\"
tie_breaks = [\"sb\", \"sb-unhalved\", \"sosos\", \"direct\"]";
    let rounds = format!("[[round]]\ngames = [{games}]");
    let tournament = read(head, &names.join(" "), &rounds);
    let best = &tournament.standings()[0];
    assert_eq!(best.points, Ratio::from_integer(999 * 100 * 1_000_000));
    // Each of the others has 100 times 999999.999 points.
    let others = Ratio::new(999_999_999, 10);
    assert_eq!(best.tie_breaks[0], Some(others * 999 * 100));
    assert_eq!(best.tie_breaks[1], Some(others * 999 * 100 * 1_000_000));
}

const MAX_PLAYERS: usize = 1000;

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = text.parse::<Tournament>();
    }

    /// Files that are nearly right, and tables of those that are.
    #[test]
    fn any_file_is_ranked_or_refused(
        format in "round-robin|double-round-robin|round-robin-final|swiss|knockout",
        scoring in "1-½-0|2-1-0|3-1-0|shared|margin",
        rounds in proptest::collection::vec(
            (
                proptest::collection::vec(
                    ("[A-E]", "[A-E]", "1-0|½-½|0-1|2-0|1-1|3:-3|1-0 1-0"),
                    0..4,
                ),
                proptest::collection::vec("[A-E]", 0..2),
                proptest::bool::weighted(0.2),
            ),
            1..4,
        ),
        bye in "1|0|½|-2|1.25",
    ) {
        let rounds: String = rounds.into_iter().map(|(games, byes, is_final)| {
            let games: Vec<String> = games
                .iter()
                .map(|(a, b, r)| format!("[\"{a}\", \"{b}\", \"{r}\"]"))
                .collect();
            format!("[[round]]\nfinal = {is_final}\ngames = [{}]\n\
                     byes = {byes:?}\n", games.join(", "))
        }).collect();
        let head = format!("format = \"{format}\"\nscoring = \"{scoring}\"\nbye = \"{bye}\"
tie_breaks = [\"direct\", \"sb\", \"sb-unhalved\", \"sos\", \"sosos\", \"nbw\"]");
        if let Ok(tournament) = file(&head, "A B C D E", &rounds).parse::<Tournament>() {
            let standings = tournament.standings();
            let mut players: Vec<usize> = standings.iter().map(|s| s.player).collect();
            players.sort_unstable();
            prop_assert_eq!(players, [0, 1, 2, 3, 4]);
            for standing in &standings {
                prop_assert_eq!(standing.played, standing.wins + standing.draws + standing.losses);
                let same = standings.iter().filter(|s| s.place == standing.place).count();
                prop_assert_eq!(same > 1, standing.shared);
            }
            let table = tournament.crosstable(&standings);
            prop_assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        }
    }
}

/// Whoever was level with a finalist comes third after the final.
#[test]
fn a_final_leaves_third_place_to_the_others() {
    let rounds = "[[round]]
games = [[\"A\", \"B\", \"1-0\"], [\"B\", \"C\", \"1-0\"], [\"C\", \"A\", \"1-0\"]]
[[round]]
final = true
games = [[\"B\", \"A\", \"1-0\"]]";
    let tournament = read("format = \"round-robin-final\"", "A B C D", rounds);
    assert_eq!(told(&tournament), ["1 B 1", "2 A 1", "3 C 1", "4 D 0"]);
}

/// A drawn match of a knockout is lost by the one who does not go on.
#[test]
fn a_drawn_match_is_decided_by_who_goes_on() {
    let rounds = "[[round]]
games = [[\"A\", \"D\", \"½-½\"], [\"B\", \"C\", \"1-0\"]]
[[round]]
games = [[\"A\", \"B\", \"1-0\"]]";
    let tournament = read("format = \"knockout\"", "A B C D", rounds);
    assert_eq!(told(&tournament), ["1 A 1½", "2 B 1", "3= D ½", "3= C 0"]);
}

/// A bye stands for all games of a meeting.
#[test]
fn a_bye_counts_as_many_wins_as_games() {
    let rounds = "[[round]]
games = [[\"A\", \"B\", \"1-0 1-0\"]]
byes = [\"C\"]";
    let of = |bye: &str| {
        let head = format!("format = \"swiss\"\ngames = 2\ntie_breaks = [\"nbw\"]\n{bye}");
        let tournament = read(&head, "A B C", rounds);
        let table = tournament.crosstable(&tournament.standings());
        let is_win = table.rows.iter().flatten().any(|cell| cell == "0+");
        (told(&tournament), is_win)
    };
    let (standings, is_win) = of("");
    assert_eq!((standings[1].as_str(), is_win), ("1= C 2 2", true));
    let (standings, is_win) = of("bye = \"1\"");
    assert_eq!((standings[1].as_str(), is_win), ("2 C 1 1", false));
}
