//! Weights: any bytes are networks, patterns or refused for a reason. Networks are also given the
//! checksum that belongs to them, and patterns the length, since no fuzzer guesses either.

use tabia_backgammon::backgammon::Networks;
use tabia_nets::Network;
use tabia_reversi::patterns::{Patterns, WEIGHTS};

/// Parameters of a network that is still sealed: enough for every kind of header.
const MOST: usize = 100_000;

/// The target.
pub fn target(bytes: &[u8]) {
    network(bytes);
    patterns(bytes);
    if let Err(error) = Networks::from_bytes(bytes) {
        assert!(!error.to_string().is_empty());
    }
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (heading, data) = bytes.split_at(end.unwrap_or(bytes.len()));
    let data = data.get(1..).unwrap_or_default();
    if let Ok(heading) = std::str::from_utf8(heading) {
        network(&sealed(heading, data));
        for stages in [1, 3] {
            let mut data = data.to_vec();
            data.resize(stages * WEIGHTS, 0);
            patterns(&[heading.as_bytes(), b"\n", &data].concat());
        }
    }
}

/// The data, filled up to the length that the sizes of the heading ask for, behind a heading with
/// its checksum.
fn sealed(heading: &str, data: &[u8]) -> Vec<u8> {
    let sizes: Vec<usize> = heading
        .split(' ')
        .skip(2)
        .take(4)
        .map_while(|word| word.parse::<u16>().ok().map(usize::from))
        .collect();
    let layers = sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]);
    let parameters = layers.fold(0, usize::saturating_add);
    let mut data = data.to_vec();
    if parameters <= MOST {
        data.resize(2 * parameters, 7);
    }
    let mut sum = 0u32;
    for (place, &byte) in heading.as_bytes().iter().chain(&data).enumerate() {
        sum = sum.wrapping_add(u32::from(byte).wrapping_mul(place as u32 + 1));
    }
    [format!("{heading} {sum:08x}\n").into_bytes(), data].concat()
}

fn network(bytes: &[u8]) {
    match Network::of_any_shape(bytes) {
        Ok((network, rest)) => {
            assert!(rest.len() < bytes.len());
            let written = network.to_bytes();
            let read = Network::of_any_shape(&written);
            assert!(read.is_ok_and(|(again, rest)| {
                rest.is_empty() && again.shape() == network.shape()
            }));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn patterns(bytes: &[u8]) {
    match Patterns::from_bytes(bytes) {
        Ok(patterns) => {
            let again = Patterns::from_bytes(&patterns.to_bytes());
            assert!(again.is_ok_and(|again| again.to_bytes() == patterns.to_bytes()));
            for set in 0..4 {
                let surplus = patterns.surplus(set, 0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
                assert!(surplus.is_finite());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
