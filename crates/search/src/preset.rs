//! Engines that are one search under several names: each name sets some of its switches.

use std::marker::PhantomData;

use tabia_game::options::{OptionError, OptionValues, Parameter};

/// A named setting of the switches of a search. Whatever it sets can be overridden.
#[derive(Debug)]
pub struct Preset<C> {
    /// The engine's name.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    switches: &'static [Parameter],
    settings: &'static [(&'static str, &'static str)],
    config: PhantomData<fn() -> C>,
}

impl<C> Preset<C> {
    /// A name for these settings of the switches.
    pub const fn new(
        name: &'static str,
        help: &'static str,
        switches: &'static [Parameter],
        settings: &'static [(&'static str, &'static str)],
    ) -> Preset<C> {
        Preset {
            name,
            help,
            switches,
            settings,
            config: PhantomData,
        }
    }

    /// The options of this engine with its own defaults.
    pub fn parameters(&self) -> Vec<Parameter> {
        let default = |p: &Parameter| {
            let own = self.settings.iter().find(|(key, _)| *key == p.key);
            own.map_or(p.default, |(_, value)| value)
        };
        let parameters = self.switches.iter().map(|p| Parameter {
            default: default(p),
            ..*p
        });
        parameters.collect()
    }

    /// The switches after reading options such as `table=1G,etc=3`.
    pub fn configure(&self, options: &str) -> Result<C, OptionError>
    where
        C: for<'a> From<&'a OptionValues>,
    {
        OptionValues::parse(self.name, options, &self.parameters()).map(|values| C::from(&values))
    }

    /// The settings that are no switches; a preset should have none.
    #[cfg(test)]
    pub(crate) fn stray_settings(&self) -> Vec<&'static str> {
        let keys = self.settings.iter().map(|(key, _)| *key);
        keys.filter(|key| self.switches.iter().all(|p| p.key != *key))
            .collect()
    }
}
