//! Tables of rooms as a kind of table: bytes that hold a list, built from the rooms of a frame.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tabia_cgt::{Exceeded, Values};
use tabia_game::Cancel;
use tabia_tables::{
    BuildError, Building, Entries, Kept, Kind, NamesError, Symmetry, TableError, TableForm,
    TableSet, VerifyError, VerifyJob, counter, total,
};

use crate::amazons::rooms::Stopped;
use crate::amazons::rooms::active::{self, Active, Canonical, Minimax, Thermographs, Unbuilt};
use crate::amazons::rooms::atlas::Atlas;
use crate::amazons::rooms::encode::{self, Coded};
use crate::amazons::rooms::lines::LineSegments;
use crate::amazons::rooms::spec::{AreaValue, GAME, Holds, Spec};
use crate::amazons::rooms::store::territories;
use crate::amazons::rooms::territory::Territories;
use crate::amazons::rooms::verify::Judge;

/// The tables of rooms. Their names are those of [`Spec`], with all options.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomKind;

impl From<Stopped> for TableError {
    fn from(Stopped: Stopped) -> TableError {
        TableError::Stopped
    }
}

impl From<Stopped> for BuildError {
    fn from(stopped: Stopped) -> BuildError {
        TableError::from(stopped).into()
    }
}

impl From<Unbuilt> for BuildError {
    fn from(error: Unbuilt) -> BuildError {
        match error {
            Unbuilt::Stopped(stopped) => stopped.into(),
            Unbuilt::Exceeded(error) => BuildError::Limit(too_many(error)),
        }
    }
}

/// What is said when there are too many values.
pub(super) fn too_many(error: Exceeded) -> String {
    format!("{error}; more --memory allows more of them")
}

/// The table with a name that [`Kind::named`] gave.
pub(super) fn spec_of(name: &str) -> Result<Spec, TableError> {
    Spec::parse(name).map_err(|_| TableError::Missing(name.to_string()))
}

/// The tables with these names; a name that is none is left out.
fn specs(names: &[String]) -> impl Iterator<Item = Spec> {
    names.iter().filter_map(|name| Spec::parse(name).ok())
}

impl Kind for RoomKind {
    fn usual(&self) -> Kept {
        Kept::Bytes
    }

    /// A single table, since commas stand between its options. There is no list of all.
    fn named(&self, text: &str) -> Result<Vec<String>, NamesError> {
        let spec = Spec::parse(text).map_err(|error| NamesError::new(error.to_string()))?;
        Ok(vec![spec.to_string()])
    }

    fn groups(&self, names: &[String]) -> Vec<Vec<String>> {
        let mut groups: Vec<Vec<String>> = Vec::new();
        for spec in specs(names) {
            for needed in spec.relies_on().into_iter().chain([spec]) {
                let group = vec![needed.to_string()];
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        groups
    }

    fn below(&self, group: &[String]) -> Vec<String> {
        let below = specs(group).filter_map(|spec| spec.relies_on());
        below.map(|spec| spec.to_string()).collect()
    }

    fn entries(&self, _: &str, _: Symmetry) -> Entries {
        Entries::Packed
    }

    fn memory(&self, group: &[String], _: TableForm) -> Option<u64> {
        total(specs(group).map(|spec| Some(spec.memory())))
    }

    fn verification_memory(&self, group: &[String], _: &TableSet) -> Option<u64> {
        total(specs(group).map(|spec| Some(spec.verification_memory())))
    }

    fn build(&self, group: &[String], building: Building<'_>) -> Result<(), BuildError> {
        for name in group {
            let bytes = bytes(&spec_of(name)?, &building)?;
            let byte = |index| bytes[index as usize];
            building.output.write(name, bytes.len() as u64, byte)?;
        }
        Ok(())
    }

    fn verify(&self, group: &[String], checking: VerifyJob<'_>) -> Result<Vec<u64>, VerifyError> {
        let verified = |name: &String| Judge::new(&spec_of(name)?, &checking)?.verify();
        group.iter().map(verified).collect()
    }
}

/// What a table holds.
fn bytes(spec: &Spec, building: &Building<'_>) -> Result<Vec<u8>, BuildError> {
    let Building {
        cancel, progress, ..
    } = *building;
    let atlas = Atlas::new(spec.frame.clone(), cancel)?;
    match spec.holds {
        Holds::Rooms => Ok(encode::rooms(&atlas, &classes(&atlas, cancel, progress)?)),
        Holds::Territory(queens) => {
            let told = counter(atlas.rooms().len() as u64, progress);
            let territories = Territories::build(&atlas, queens, cancel, &told)?;
            Ok(encode::territories(&territories))
        }
        Holds::Active(worth, largest) => {
            let below = spec.holding(Holds::Territory(1)).to_string();
            let territories = territories(&atlas, 1, building.known.table(&below)?)?;
            let work = Work {
                atlas: &atlas,
                territories: &territories,
                largest,
                cancel,
                progress: &counter(active::entries(&atlas, largest), progress),
            };
            match worth {
                AreaValue::Minimax => work.bytes(Minimax),
                AreaValue::Canonical => {
                    let limit = usize::try_from(building.memory / 600).unwrap_or(usize::MAX);
                    let kind = Canonical::new(Values::with_limit(limit));
                    work.bytes(kind.map_err(Unbuilt::from)?)
                }
                AreaValue::Thermograph => work.bytes(Thermographs::default()),
            }
        }
    }
}

struct Work<'a> {
    atlas: &'a Atlas,
    territories: &'a Territories,
    largest: usize,
    cancel: &'a Cancel,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl Work<'_> {
    fn bytes<K: Coded>(&self, kind: K) -> Result<Vec<u8>, BuildError> {
        let mut active = Active::build(
            self.atlas,
            self.territories,
            kind,
            self.largest,
            self.cancel,
            self.progress,
        )?;
        let corners = || TableError::Unsound {
            file: GAME.to_string(),
            reason: "a thermograph has too many corners".to_string(),
        };
        Ok(K::encode(&mut active).ok_or_else(corners)?)
    }
}

/// For every room the first with the same lines.
pub fn classes(
    atlas: &Atlas,
    cancel: &Cancel,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Vec<u32>, Stopped> {
    let all = atlas.rooms().len();
    let mut first = FxHashMap::default();
    let mut classes = Vec::with_capacity(all);
    for start in (0..all).step_by(1 << 12) {
        if cancel.is_cancelled() {
            return Err(Stopped);
        }
        let rooms = start..all.min(start + (1 << 12));
        let forms: Vec<_> = rooms
            .into_par_iter()
            .map(|room| LineSegments::new(&atlas.room(room)).form().form)
            .collect();
        for form in forms {
            let number = classes.len() as u32;
            classes.push(*first.entry(form).or_insert(number));
        }
        progress(classes.len() as u64, all as u64);
    }
    Ok(classes)
}
