//! A game of chance through the erased layer: a coin falls, the first player says what it shows.

use rand::{Rng, RngExt};
use tabia_catalog::{AnyGame, CatalogError, Listing};
use tabia_game::picture::Shade;
use tabia_game::{
    Chance, Draw, Game, Key, Limits, Perfect, Picture, Player, Seed, Stochastic, Text, TextError,
    Turn,
};

struct Coin;

/// What has been said so far: first by the coin, then by the player.
type Sides = Vec<char>;

impl Game for Coin {
    type State = Sides;
    type Move = char;
    type Undo = ();
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Sides {
        Vec::new()
    }

    fn turn(&self, state: &Sides) -> Turn {
        [Turn::Chance, Turn::Player(Player::FIRST), Turn::Over][state.len()]
    }

    fn moves(&self, state: &Sides, out: &mut Vec<char>) {
        if state.len() < 2 {
            out.extend(['h', 't']);
        }
    }

    fn play(&self, state: &mut Sides, side: char) {
        state.push(side);
    }

    fn undo(&self, state: &mut Sides, (): ()) {
        state.pop();
    }

    fn payoff(&self, state: &Sides, player: Player) -> i32 {
        if (state[0] == state[1]) == (player == Player::FIRST) {
            1
        } else {
            -1
        }
    }
}

impl Chance for Coin {
    fn outcomes(&self, _: &Sides, out: &mut Vec<(char, u64)>) {
        out.extend([('h', 1), ('t', 1)]);
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &Sides, rng: &mut R) -> char {
        ['h', 't'][rng.random_range(0..2)]
    }
}

impl Key for Coin {
    fn key(&self, state: &Sides) -> u64 {
        state
            .iter()
            .fold(1, |key, &side| key * 3 + u64::from(side == 'h'))
    }
}

impl Text for Coin {
    fn position_text(&self, state: &Sides) -> String {
        state.iter().chain(&['.']).collect()
    }

    fn parse_position(&self, text: &str) -> Result<Sides, TextError> {
        text.strip_suffix('.')
            .map(|sides| sides.chars().collect::<Sides>())
            .filter(|sides| sides.len() <= 2 && sides.iter().all(|s| "ht".contains(*s)))
            .ok_or_else(|| TextError::new("at most two of h and t, and a full stop"))
    }

    fn move_text(&self, _: &Sides, side: char) -> String {
        side.to_string()
    }

    fn position_help(&self) -> &'static str {
        "what coin and player have said, e.g. 'h.'"
    }
}

impl Draw for Coin {
    fn picture(&self, _: &Sides, _: Option<char>) -> Picture {
        let mut picture = Picture::default();
        picture.cell(0.0, 0.0, Shade::Light);
        picture
    }
}

fn coin() -> Box<dyn AnyGame> {
    Listing::new(Coin).chance().boxed()
}

#[test]
fn it_conforms_and_its_traits_follow_from_its_types() {
    let traits = coin().traits();
    assert!(traits.chance && !traits.hidden);
    assert_eq!((traits.players, traits.symmetries), (2, 1));
    let engines: Vec<&str> = coin().engines().iter().map(|e| e.name).collect();
    assert_eq!(
        engines,
        ["random"],
        "alpha-beta cannot be listed for a game of chance"
    );
    coin().conform(8, 4).unwrap();
}

#[test]
fn chance_rolls_and_players_do_not() {
    let game = coin();
    let mut session = game.session(None).unwrap();
    let mut engine = game.engine("random").unwrap();
    assert_eq!(session.turn(), Turn::Chance);
    assert_eq!(
        session.ask(&mut engine, &Limits::default()),
        Err(CatalogError::Chance)
    );
    let mut rng = Seed::new(3).rng();
    let side = session.roll(&mut rng).unwrap();
    assert_eq!(session.roll(&mut rng), Err(CatalogError::NothingToRoll));
    session.play(&side).unwrap();
    assert_eq!(session.ending().unwrap().text, "Player 1 has won");
    assert!(session.undo() && session.undo() && !session.undo());
}
