//! Tables of probabilities: built, resumed, verified, and the same as bear-off in
//! memory and plain recursion find.

use std::path::Path;

use rand::Rng;
use tabia_backgammon::backgammon::{Backgammon, Bearoff};
use tabia_game::{
    Cancel, Chance, Game, Indexed, NoClasses, Payoff, Perfect, Player, Probability, Stochastic,
    Text, TextError, Turn, TwoPlayer,
};
use tabia_tables::chances::Descending;
use tabia_tables::file::{Heading, write};
use tabia_tables::{
    BackwardInduction, BuildError, ChanceTables, Kept, Kind, Symmetry, Table, TableError,
    TableForm, TableGroup, TableJob, Tables, ValueTables, VerifyError, build, parse_slices, plan,
    table_file, verify, with_all_they_need,
};

const CHANCE: TableForm = TableForm {
    values: Kept::Chance,
    symmetry: Symmetry::None,
};

fn job<'a>(folder: &'a Path, spec: &'a str) -> TableJob<'a> {
    TableJob {
        spec,
        folder,
        form: CHANCE,
        memory: 1 << 28,
    }
}

fn build_by(
    kind: &dyn Kind,
    names: &str,
    job: TableJob<'_>,
    cancel: &Cancel,
) -> Result<Vec<String>, BuildError> {
    let plan = plan(kind, &kind.named(names).unwrap(), job)?;
    let reasons = build(kind, &plan, job, cancel, &|_, _, _| {})?;
    Ok(reasons.into_iter().flatten().collect())
}

/// The tables of a game with chance.
fn chances<G: Indexed>(game: &G) -> ChanceTables<&G> {
    ChanceTables::new(game, BackwardInduction)
}

fn build_chances<G: Descending + TwoPlayer + Text>(
    game: &G,
    slices: &str,
    job: TableJob<'_>,
) -> Result<Vec<String>, BuildError> {
    build_by(&chances(game), slices, job, &Cancel::default())
}

fn open<G: Indexed>(game: &G, slices: &str, job: TableJob<'_>) -> Tables<G> {
    let slices = with_all_they_need(game, &parse_slices(game, slices).unwrap());
    Tables::open(game, job.spec, job.folder, &slices, 1 << 28).unwrap()
}

fn verify_all<G: Descending + TwoPlayer + Text>(
    game: &G,
    slices: &str,
    job: TableJob<'_>,
) -> Result<(), VerifyError> {
    let kind = chances(game);
    let names = kind.named(slices).unwrap();
    verify(&kind, &names, job, &Cancel::default(), &|_, _, _| {}).map(|_| ())
}

const SPEC: &str = "backgammon";

/// The other program has its own plays and its own order, and no slices.
#[test]
fn bear_off_tables_hold_what_is_computed_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (game, bearoff) = (Backgammon::default(), Bearoff::new());
    let job = job(folder.path(), SPEC);
    let built = build_chances(&game, "2..7", job).unwrap();
    // Slices such as 4-3 and 3-4 are built together.
    assert_eq!(built.len(), 12);
    verify_all(&game, "2..7", job).unwrap();
    let tables = open(&game, "2..7", job);
    let mut compared = 0;
    for (slice, table) in tables.iter() {
        let (counts, mean) = tables
            .chance_stats(&game, slice, &Cancel::default())
            .unwrap();
        assert_eq!(counts.positions(), table.header().positions);
        assert_eq!(counts.win, table.header().win);
        let mut sum = 0.0;
        for index in 0..table.header().positions {
            let found: Probability = table.content(index).unwrap();
            sum += found.to_f64();
            let state = game.position_at(slice, index);
            if let Some(expected) = bearoff.probability(state.board()) {
                assert_eq!(found, expected, "{}", game.position_text(&state));
                compared += 1;
            }
        }
        assert!((sum / table.header().positions as f64 - mean).abs() < 1e-9);
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn what_was_stopped_goes_on_and_comes_out_the_same() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let game = Backgammon::default();
    let [straight, stopped] = [0, 1].map(|i| job(folders[i].path(), SPEC));
    build_chances(&game, "2..5", straight).unwrap();
    let slices = parse_slices(&game, "2..5").unwrap();
    let kind = chances(&game);
    let planned = plan(&kind, &kind.named("2..5").unwrap(), stopped).unwrap();
    let cancel = Cancel::default();
    let stop = |group: &TableGroup, _, _| {
        if group.text == "1-3,3-1" {
            cancel.cancel();
        }
    };
    let halfway = build(&kind, &planned, stopped, &cancel, &stop);
    assert!(matches!(
        halfway,
        Err(BuildError::Table(TableError::Stopped))
    ));
    let before = open(&game, "2..5", stopped).iter().count();
    assert!(before > 0 && before < slices.len(), "{before} tables");
    let rest = build_chances(&game, "2..5", stopped).unwrap();
    assert!(!rest.is_empty() && rest.len() < planned.len());
    assert!(build_chances(&game, "2..5", stopped).unwrap().is_empty());
    for slice in slices {
        let [one, other] = [straight, stopped].map(|job| {
            let file = table_file(job.folder, SPEC, &game.slice_text(slice));
            std::fs::read(file).unwrap()
        });
        assert!(one == other, "{slice:?}");
    }
}

#[test]
fn a_false_entry_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let game = Backgammon::default();
    let job = job(folder.path(), SPEC);
    build_chances(&game, "2..4", job).unwrap();
    let file = table_file(folder.path(), SPEC, "2-2");
    let sound = Table::open(&file).unwrap();
    let header = sound.header().clone();
    for (false_one, change) in [(0, 1u32), (7, u32::MAX), (440, 1 << 20)] {
        let heading = Heading {
            game: header.game.clone(),
            slice: header.slice.clone(),
            positions: header.positions,
            form: header.form(),
            relies_on: header.relies_on.clone(),
        };
        let value = |index: u64| {
            let right: Probability = sound.content(index).unwrap();
            match index == false_one {
                true => Probability::from_bits(right.bits().wrapping_add(change)),
                false => right,
            }
        };
        write(&file, heading, value, &Cancel::default()).unwrap();
        let verified = verify_all(&game, "2-2", job);
        assert!(
            matches!(verified, Err(VerifyError::Wrong { index, .. }) if index == false_one),
            "{verified:?}"
        );
    }
}

#[test]
fn values_of_another_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let game = Backgammon::default();
    let job = job(folder.path(), SPEC);
    for values in [Kept::Wdl, Kept::Distance] {
        let form = TableForm { values, ..CHANCE };
        let refused = build_chances(&game, "1-1", TableJob { form, ..job });
        assert!(matches!(refused, Err(BuildError::Values(v)) if v == values));
    }
    let toy = crate::toy::captures();
    let toy = ValueTables::new(&toy, crate::toy::ByDefinition);
    let refused = build_by(&toy, "1-1", job, &Cancel::default());
    assert!(matches!(refused, Err(BuildError::Values(Kept::Chance))));
    let dao = tabia_small::dao::Dao;
    let dao = ValueTables::new(&dao, tabia_tables::Retrograde::default());
    let refused = build_by(&dao, "", job, &Cancel::default());
    assert!(matches!(refused, Err(BuildError::Values(Kept::Chance))));
    let symmetry = Symmetry::Orbits;
    let form = TableForm { symmetry, ..CHANCE };
    let refused = build_chances(&game, "1-1", TableJob { form, ..job });
    assert!(matches!(refused, Err(BuildError::Symmetry)));

    // A table of another kind in its place is told apart, and built anew.
    let heading = Heading {
        game: SPEC.to_string(),
        slice: "1-1".to_string(),
        positions: 36,
        form: TableForm {
            values: Kept::Distance,
            ..CHANCE
        },
        relies_on: Vec::new(),
    };
    let file = table_file(folder.path(), SPEC, "1-1");
    let win = |_| tabia_tables::TableValue::win(1);
    write(&file, heading, win, &Cancel::default()).unwrap();
    let tables = open(&game, "1-1", job);
    let state = game.position_at((1, 1), 0);
    let wrong = tables.content::<Probability>(&game, &state).unwrap_err();
    assert!(
        wrong
            .to_string()
            .contains("keeps values of another kind, 'distance'")
    );
    let reasons = build_chances(&game, "1-1", job).unwrap();
    assert_eq!(reasons, ["1-1 keeps values of another kind"]);
    let table = Table::open(&file).unwrap();
    assert!(table.value(0).is_err());
    assert!(table.content::<Probability>(0).is_ok());
}

/// Stones in a row. A coin says whether one or two may be taken at most, and whoever takes the last
/// one has won: or has drawn or goes on, in games that break their contract.
struct Coins {
    end: Payoff,
    /// What is put back at the last stone but one.
    back: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    left: u64,
    mover: Player,
    coin: Option<u64>,
}

const STONES: u64 = 30;

impl Game for Coins {
    type State = Row;
    type Move = u64;
    type Undo = Row;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Row {
        self.position_at((), STONES - 1)
    }

    fn turn(&self, row: &Row) -> Turn {
        match row {
            Row { left: 0, .. } => Turn::Over,
            Row { coin: None, .. } => Turn::Chance,
            Row { mover, .. } => Turn::Player(*mover),
        }
    }

    fn moves(&self, row: &Row, out: &mut Vec<u64>) {
        out.extend(1..=row.coin.unwrap_or(2).min(row.left));
    }

    fn play(&self, row: &mut Row, number: u64) -> Row {
        let old = row.clone();
        match old.coin {
            None => row.coin = Some(number),
            Some(_) => {
                row.left -= number;
                row.left += if row.left == 1 { self.back } else { 0 };
                row.mover = old.mover.other();
                row.coin = None;
            }
        }
        old
    }

    fn undo(&self, row: &mut Row, old: Row) {
        *row = old;
    }

    fn payoff(&self, row: &Row, player: Player) -> Payoff {
        if player == row.mover {
            -self.end
        } else {
            self.end
        }
    }
}

impl TwoPlayer for Coins {}

impl Chance for Coins {
    fn outcomes(&self, _: &Row, out: &mut Vec<(u64, u64)>) {
        out.extend([(1, 2), (2, 1)]);
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &Row, _: &mut R) -> u64 {
        1
    }
}

impl Indexed for Coins {
    type Slice = ();
    type Classes = NoClasses;

    fn slices(&self) -> Vec<()> {
        vec![()]
    }

    fn slice_len(&self, (): ()) -> Option<u64> {
        Some(STONES)
    }

    fn next_slices(&self, (): ()) -> Vec<()> {
        vec![()]
    }

    fn locate(&self, row: &Row) -> Option<((), u64)> {
        (row.left > 0 && row.coin.is_none()).then(|| ((), row.left - 1))
    }

    fn position_at(&self, (): (), index: u64) -> Row {
        Row {
            left: index + 1,
            mover: Player::FIRST,
            coin: None,
        }
    }

    fn slice_text(&self, (): ()) -> String {
        "all".to_string()
    }

    fn slice_size(&self, (): ()) -> u32 {
        0
    }
}

impl Descending for Coins {
    fn height(&self, row: &Row) -> u32 {
        row.left as u32
    }
}

impl Text for Coins {
    fn position_text(&self, row: &Row) -> String {
        format!("{row:?}")
    }

    fn parse_position(&self, _: &str) -> Result<Row, TextError> {
        Err(TextError::new("positions are not read"))
    }

    fn move_text(&self, _: &Row, number: u64) -> String {
        number.to_string()
    }

    fn position_help(&self) -> &'static str {
        "nothing to be written"
    }
}

/// With n stones: the coin allows one with 2/3, one or two with 1/3.
#[test]
fn a_game_of_one_slice_has_the_values_of_its_recurrence() {
    let folder = tempfile::tempdir().unwrap();
    let game = Coins { end: 1, back: 0 };
    let job = job(folder.path(), "coins");
    build_chances(&game, "", job).unwrap();
    verify_all(&game, "", job).unwrap();
    let table = Table::open(&table_file(folder.path(), "coins", "all")).unwrap();
    let mut wins = vec![0.0];
    for left in 1..=STONES as usize {
        let one: f64 = 1.0 - wins[left - 1];
        let two = if left > 1 { 1.0 - wins[left - 2] } else { one };
        wins.push(one * 2.0 / 3.0 + one.max(two) / 3.0);
        let found: Probability = table.content(left as u64 - 1).unwrap();
        assert!((found.to_f64() - wins[left]).abs() < 1e-8, "{left}");
    }
    // One stone is a certain win, two are not.
    assert_eq!(table.header().win, 1);
    assert_eq!(table.header().loss, 0);
    assert_eq!(table.header().draw, STONES - 1);
}

#[test]
fn games_that_break_the_contract_have_no_tables() {
    let folder = tempfile::tempdir().unwrap();
    for (game, reason) in [
        (
            Coins { end: 0, back: 0 },
            "position 0 of all: a game is drawn",
        ),
        (
            Coins { end: 1, back: 1 },
            "position 1 of all: a turn leads to a position that is no lower",
        ),
    ] {
        let refused = build_chances(&game, "", job(folder.path(), "coins"));
        assert_eq!(refused.unwrap_err().to_string(), reason);
    }
}
