//! Lists of experiments, by the names of their papers.

use super::Experiment;
use crate::LabError;

/// The experiments of several papers, each slice those of one paper or of a part of it.
#[derive(Clone, Copy)]
pub struct Experiments(pub &'static [&'static [Experiment]]);

impl Experiments {
    /// All experiments, paper by paper.
    pub fn all(self) -> impl Iterator<Item = &'static Experiment> {
        self.0.iter().copied().flatten()
    }

    /// The experiment of a paper with this name.
    pub fn get(self, paper: &str, name: &str) -> Option<&'static Experiment> {
        self.all().find(|e| e.paper == paper && e.name == name)
    }

    /// The experiments of a paper, or the one with this name.
    pub fn find(
        self,
        paper: &str,
        name: Option<&str>,
    ) -> Result<Vec<&'static Experiment>, LabError> {
        let of_paper: Vec<_> = self.all().filter(|e| e.paper == paper).collect();
        if of_paper.is_empty() {
            let mut papers: Vec<&str> = self.all().map(|e| e.paper).collect();
            papers.dedup();
            return Err(LabError::BadRequest(format!(
                "there is no paper '{paper}'; there are {}",
                papers.join(", ")
            )));
        }
        let Some(name) = name else {
            return Ok(of_paper);
        };
        let names: Vec<&str> = of_paper.iter().map(|e| e.name).collect();
        match of_paper.iter().find(|e| e.name == name) {
            Some(experiment) => Ok(vec![experiment]),
            None => Err(LabError::BadRequest(format!(
                "{paper} has no experiment '{name}'; it has {}",
                names.join(", ")
            ))),
        }
    }
}
