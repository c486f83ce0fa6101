//! GNU Backgammon as a player: a position goes out as a `board:` line of FIBS, a move or a decision
//! about the cube comes back.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::text::shortened;
use tabia_game::{Seed, Text};
use tabia_protocols::gnubg::Gnubg;
use tabia_registry::Session;
use tabia_registry::player::{Fault, Participant, ParticipantReply, Peer, Request};

use super::{Backgammon, Phase, Rules, State};

/// GNU Backgammon.
pub const GNUBG: Peer = Peer {
    name: NAME,
    title: "GNU Backgammon",
    parameters: &[
        Parameter {
            key: "plies",
            kind: ParameterKind::Integer(0, 4),
            default: "0",
            help: "search depth in plies",
        },
        Parameter {
            key: "noise",
            kind: ParameterKind::Decimal(0, 1000),
            default: "0",
            help: "noise on its evaluations",
        },
    ],
    open,
};

const NAME: &str = "gnubg";

/// The program, and the rules it plays by.
struct GnuBackgammon {
    game: Backgammon,
    plies: i64,
    noise: String,
    program: Gnubg,
}

fn open(own: &OptionValues, of_game: &OptionValues) -> Result<Box<dyn Participant>, String> {
    let game = Backgammon::new(Rules::from(of_game)).map_err(|error| error.to_string())?;
    let (plies, noise) = (own.integer("plies"), own.text("noise"));
    let program = Gnubg::start(commands(game.rules(), plies, &noise));
    Ok(Box::new(GnuBackgammon {
        game,
        plies,
        noise,
        program: program.map_err(|fault| format!("it {fault}"))?,
    }))
}

/// What it is told before it plays.
fn commands(rules: Rules, plies: i64, noise: &str) -> Vec<String> {
    let on = |yes: bool| if yes { "on" } else { "off" };
    let cube = on(rules.cube);
    let mut commands = vec![
        "set automatic game off".to_string(),
        format!("set jacoby {}", on(rules.jacoby)),
        format!("set cube use {cube}"),
        "set beavers 0".to_string(),
    ];
    for kind in ["chequerplay", "cubedecision"] {
        let set = format!("set evaluation {kind}");
        commands.push(format!("{set} type evaluation"));
        commands.push(format!("{set} evaluation plies {plies}"));
        commands.push(format!("{set} evaluation noise {noise}"));
        commands.push(format!("{set} evaluation cubeful {cube}"));
    }
    commands
}

/// What our notation calls an answer.
fn translated(game: &Backgammon, state: &State, answer: &str) -> Result<String, Fault> {
    let word = answer.to_lowercase();
    let text = match (state.phase(), word.as_str()) {
        (Phase::Cube, "roll" | "double") | (Phase::Doubled, "take" | "drop") => word,
        (Phase::Doubled, "accept") => "take".to_string(),
        (Phase::Doubled, "reject" | "pass") => "drop".to_string(),
        _ => answer.to_string(),
    };
    let mv = game
        .parse_move(state, &text)
        .map_err(|_| Fault::Illegal(shortened(answer)))?;
    Ok(game.move_text(state, mv))
}

impl Participant for GnuBackgammon {
    fn full_spec(&self) -> String {
        format!("{NAME}:plies={},noise={}", self.plies, self.noise)
    }

    fn version(&self) -> Option<String> {
        self.program.version().map(str::to_string)
    }

    fn new_game(&mut self, _: Seed) -> Result<(), Fault> {
        self.program.revive()
    }

    fn choose(
        &mut self,
        session: &dyn Session,
        request: &Request,
    ) -> Result<ParticipantReply, Fault> {
        let position = session.position();
        let state = self.game.parse_position(&position);
        let state = state.map_err(|error| Fault::Refused(error.to_string()))?;
        // What is forced is not asked for: the answer to it is empty.
        let mv = match &session.moves()[..] {
            [only] => only.clone(),
            _ => {
                let line = self.game.fibs_board(&state);
                let line = line
                    .ok_or_else(|| Fault::Refused(format!("'{position}' has no line of FIBS")))?;
                translated(&self.game, &state, &self.program.ask(&line, request)?)?
            }
        };
        Ok(ParticipantReply {
            mv,
            nodes: None,
            value: None,
        })
    }
}
