//! What is hidden from players is not told by the spec that they may know.

use tabia_catalog::{GameEntry, entries, open, public_spec};
use tabia_game::Player;

/// The position at the start, and whether some player does not see all of it.
fn start(spec: &str) -> (String, bool) {
    let game = open(spec).unwrap();
    let session = game.session(None).unwrap();
    let position = session.position();
    let unseen = (0..game.traits().players).any(|player| {
        let observed = session.observed(Player(player as u8));
        observed.position != position
    });
    (position, unseen)
}

/// The examples of a game in which something is hidden.
fn with_secrets(entry: &GameEntry) -> impl Iterator<Item = &'static str> {
    let hides = |spec: &&&str| open(spec).unwrap().traits().hidden;
    entry.examples.iter().filter(hides).copied()
}

/// The public spec with a value of a secret option.
fn with(spec: &str, key: &str, value: u64) -> String {
    let public = public_spec(spec).unwrap();
    let separator = if public.contains(':') { ',' } else { ':' };
    format!("{public}{separator}{key}={value}")
}

#[test]
fn no_public_option_is_a_seed() {
    let mut games = 0;
    for entry in entries() {
        if with_secrets(entry).next().is_none() {
            continue;
        }
        games += 1;
        for parameter in entry.parameters {
            let like_a_seed = parameter.key.contains("seed") || parameter.help.contains("seed");
            assert!(
                !like_a_seed || entry.secret_options.contains(&parameter.key),
                "{}: '{}' is no secret",
                entry.name,
                parameter.key
            );
        }
        for spec in with_secrets(entry) {
            let public = public_spec(spec).unwrap();
            for key in entry.secret_options {
                assert!(!public.contains(&format!("{key}=")), "{public}");
            }
        }
    }
    assert!(games > 3, "only {games} games hide anything");
}

/// If a player does not see the whole start, one public spec has several starts.
#[test]
fn the_public_spec_does_not_tell_what_is_dealt() {
    let mut games = 0;
    for entry in entries() {
        let unseen: Vec<&str> = with_secrets(entry).filter(|spec| start(spec).1).collect();
        if unseen.is_empty() {
            continue;
        }
        games += 1;
        let open_ended = |spec: &&str| {
            let others = entry.secret_options.iter().flat_map(|key| {
                let spec = spec.to_string();
                (1..4).map(move |value| with(&spec, key, value))
            });
            let public = public_spec(spec).unwrap();
            others
                .filter(|other| public_spec(other).unwrap() == public)
                .any(|other| start(&other).0 != start(spec).0)
        };
        assert!(
            unseen.iter().any(open_ended),
            "{}: who knows the public spec knows the start",
            entry.name
        );
    }
    assert!(games > 1, "only {games} games begin with a secret");
}
