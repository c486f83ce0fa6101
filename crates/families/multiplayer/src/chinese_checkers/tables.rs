//! Chinese Checkers by tables of solitary play: how far a player alone is from the end, kept in table files or built when
//! first needed.
//!
//! A table depends on what a piece may do and not on who plays, so one file serves games of any number of players.

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::chinese_checkers::{ChineseCheckers, Race, Rules, Solitaire};
use tabia_game::options::{Kind, OptionError, Parameter, Values};
use tabia_game::{Abstraction, Cancel, Game, Noisy, Player, Text, Turn};
use tabia_tables::patterns::{self, UNREACHED};
use tabia_tables::{Counts, TableError};

use tabia_registry::noise::{NOISE, NOISE_SEED, noisy};
use tabia_registry::{
    AnyTables, CatalogError, Counted, Kept, Probed, SliceStats, Table, TableContent, TableGroup,
    TableJob, TableProgress, TablesError, VerifiedTable, quoted, refuse_symmetry,
};

/// The spec that tables of these rules are called by: that of the game for two players, all else as usual.
fn spec_of(rules: Rules) -> String {
    let leave = if rules.leave { "on" } else { "off" };
    format!("chinese:2,{leave},{},filled,1000", rules.foreign.name())
}

/// The tables of a game of Chinese Checkers: one, of the player to move alone.
pub(crate) struct SolitaireTables {
    game: Arc<ChineseCheckers>,
    solitaire: Solitaire,
    spec: String,
}

impl SolitaireTables {
    pub(crate) fn new(game: Arc<ChineseCheckers>) -> SolitaireTables {
        let rules = game.rules();
        SolitaireTables {
            game,
            solitaire: Solitaire::new(rules),
            spec: spec_of(rules),
        }
    }

    /// The only slice there is.
    fn slice(&self, slices: &str) -> Result<String, TablesError> {
        let text = Abstraction::<ChineseCheckers>::text(&self.solitaire);
        match slices.trim() {
            "" => Ok(text),
            said if said == text => Ok(text),
            said => {
                let reason =
                    format!("there is no slice '{said}'; with these rules there is '{text}'");
                Err(CatalogError::NotOffered(reason).into())
            }
        }
    }

    /// All distances of the table, which must be there.
    fn distances(&self, job: TableJob<'_>) -> Result<Vec<u8>, TablesError> {
        match patterns::open::<ChineseCheckers, _>(job.folder, &self.spec, self.solitaire.clone()) {
            Ok(database) => Ok(database.distances().to_vec()),
            Err(TableError::Missing(_)) => Err(TablesError::NotBuilt {
                game: self.spec.clone(),
                slice: self.slice("")?,
                folder: quoted(job.folder),
            }),
            Err(error) => Err(error.into()),
        }
    }
}

fn refuse_values(job: TableJob<'_>) -> Result<(), TablesError> {
    match job.form.values {
        Kept::Bytes => Ok(()),
        _ => {
            let reason = "tables of this game keep numbers of moves and nothing else".to_string();
            Err(CatalogError::NotOffered(reason).into())
        }
    }
}

impl AnyTables for SolitaireTables {
    fn usual(&self) -> Kept {
        Kept::Bytes
    }

    fn spec(&self, _: String) -> String {
        self.spec.clone()
    }

    fn plan(
        &self,
        slices: &str,
        job: TableJob<'_>,
    ) -> Result<Vec<TableGroup<String>>, TablesError> {
        refuse_symmetry(job)?;
        refuse_values(job)?;
        let slice = self.slice(slices)?;
        let file = patterns::file::<ChineseCheckers>(job.folder, &self.spec, &self.solitaire);
        let wanted = match Table::open(&file) {
            Ok(_) => None,
            Err(_) if !file.exists() => Some(format!("{} is not there", file.display())),
            Err(error) => Some(error.to_string()),
        };
        let positions = self.solitaire.positions();
        Ok(vec![TableGroup {
            slices: vec![slice.clone()],
            text: slice,
            positions: Some(positions),
            memory: patterns::memory::<ChineseCheckers>(&self.solitaire),
            disk: Some(positions),
            wanted,
        }])
    }

    fn build(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        progress: TableProgress<'_>,
    ) -> Result<Vec<Option<String>>, TablesError> {
        let plan = self.plan(slices, job)?;
        let slice = self.slice(slices)?;
        let all = self.solitaire.positions();
        let told = |done| progress(&slice, done, all);
        let built = patterns::build::<ChineseCheckers>(
            job.folder,
            &self.spec,
            &self.solitaire,
            job.memory,
            cancel,
            &told,
        )?;
        let reason = |group: TableGroup<String>| match built {
            true => group.wanted.or_else(|| Some("it was damaged".to_string())),
            false => None,
        };
        Ok(plan.into_iter().map(reason).collect())
    }

    /// Positions by their distances. There are no symmetries to count by.
    fn stats(
        &self,
        slices: &str,
        job: TableJob<'_>,
        _: Counted,
        cancel: &Cancel,
    ) -> Result<Vec<SliceStats>, TablesError> {
        let slice = self.slice(slices)?;
        let distances = self.distances(job)?;
        if cancel.is_cancelled() {
            return Err(TablesError::Stopped);
        }
        let mut layers = vec![0u64; 1 + usize::from(UNREACHED)];
        for &distance in &distances {
            layers[usize::from(distance)] += 1;
        }
        let unreached = layers[usize::from(UNREACHED)];
        layers.truncate(usize::from(UNREACHED));
        let deepest = layers.iter().rposition(|&n| n > 0).unwrap_or(0);
        layers.truncate(deepest + 1);
        Ok(vec![SliceStats {
            slice,
            counts: Counts {
                win: layers.iter().sum(),
                loss: unreached,
                max_plies: u16::try_from(deepest).ok(),
                ..Counts::default()
            },
            mean: None,
            layers: Some(layers),
        }])
    }

    /// What the player to move has still to do, and after each move.
    fn probe(&self, position: &str, job: TableJob<'_>) -> Result<Probed, TablesError> {
        let game = &*self.game;
        let mut state = game.parse_position(position).map_err(CatalogError::Move)?;
        let Turn::Player(player) = game.turn(&state) else {
            let nothing = "there is nothing to look up".to_string();
            return Err(CatalogError::Over(nothing).into());
        };
        let distances = self.distances(job)?;
        let look_up = |state: &_| -> (u64, TableContent) {
            let number = self.solitaire.number(game, state, player);
            let moves = distances.get(number as usize).copied();
            (number, TableContent::Moves(moves.unwrap_or(UNREACHED)))
        };
        let (index, value) = look_up(&state);
        let mut listed = Vec::new();
        game.moves(&state, &mut listed);
        let mut moves = Vec::new();
        for mv in listed {
            let text = game.move_text(&state, mv);
            let token = game.play(&mut state, mv);
            let (_, after) = look_up(&state);
            game.undo(&mut state, token);
            moves.push((text, Some(after)));
        }
        moves.sort_by_key(|&(_, content)| match content {
            Some(TableContent::Moves(moves)) => moves,
            _ => UNREACHED,
        });
        Ok(Probed {
            slice: self.slice("")?,
            index,
            value,
            moves,
        })
    }

    fn verify(
        &self,
        slices: &str,
        job: TableJob<'_>,
        cancel: &Cancel,
        _: TableProgress<'_>,
    ) -> Result<Vec<VerifiedTable>, TablesError> {
        let slice = self.slice(slices)?;
        let verified = patterns::verify::<ChineseCheckers>(
            job.folder,
            &self.spec,
            &self.solitaire,
            job.memory,
            cancel,
        );
        let positions = match verified {
            Err(tabia_tables::VerifyError::Table(TableError::Missing(_))) => {
                return Err(TablesError::NotBuilt {
                    game: self.spec.clone(),
                    slice,
                    folder: quoted(job.folder),
                });
            }
            other => other?,
        };
        let file = patterns::file::<ChineseCheckers>(job.folder, &self.spec, &self.solitaire);
        let table = Table::open(&file)?;
        Ok(vec![VerifiedTable {
            slice,
            positions,
            form: table.header().form(),
            checksum: table.checksum().to_string(),
        }])
    }
}

/// The options of engines of Chinese Checkers beside those of the search.
pub(crate) const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "evaluation",
        kind: Kind::Choice(&["rows", "table"]),
        default: "rows",
        help: "what a player has still to do: rows of all pieces, or moves by the table of solitary play",
    },
    Parameter {
        key: "tables",
        kind: Kind::File,
        default: "",
        help: "the folder of that table; without one it is built in memory, once",
    },
    NOISE,
    NOISE_SEED,
];

/// Tables that were built in memory: by name, each once.
type Built = Mutex<Vec<(String, Arc<[u8]>)>>;
static BUILT: LazyLock<Built> = LazyLock::new(Built::default);

/// The evaluation that the options of an engine ask for.
pub(crate) fn race(rules: Rules, values: &Values) -> Result<Noisy<Race>, OptionError> {
    let wrong = |reason: &dyn std::fmt::Display| OptionError::new(format!("chinese: {reason}"));
    let folder = values.file("tables");
    if values.word("evaluation") == "rows" {
        return match folder {
            None => Ok(noisy(Race::by_rows(), values)),
            Some(_) => Err(wrong(&"tables are of use with evaluation=table only")),
        };
    }
    let solitaire = Solitaire::new(rules).of(Player::FIRST);
    let distances: Arc<[u8]> = match folder {
        Some(folder) => {
            let spec = spec_of(rules);
            let opened =
                patterns::open::<ChineseCheckers, _>(Path::new(folder), &spec, solitaire.clone());
            opened.map_err(|e| wrong(&e))?.distances().into()
        }
        None => {
            let name = Abstraction::<ChineseCheckers>::text(&solitaire);
            let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
            match built.iter().find(|(kept, _)| *kept == name) {
                Some((_, distances)) => Arc::clone(distances),
                None => {
                    let cancel = Cancel::default();
                    let distances =
                        patterns::distances::<ChineseCheckers>(&solitaire, &cancel, &|_| {});
                    let distances: Arc<[u8]> = distances.map_err(|e| wrong(&e))?.into();
                    built.push((name, Arc::clone(&distances)));
                    distances
                }
            }
        }
    };
    let race = Race::by_table(solitaire, distances);
    let race = race.ok_or_else(|| wrong(&"the table has another number of positions"))?;
    Ok(noisy(race, values))
}
