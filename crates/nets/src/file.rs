//! Weights as bytes: a line that says what they are, then each weight in two bytes.
//!
//! ```text
//! tabia-net 1 INPUTS HIDDEN HIDDEN OUTPUTS SCALE CHECKSUM\n
//! ```
//!
//! and then, little-endian and signed, each weight divided by SCALE. Sixteen bits keep an
//! evaluation to four digits and halve the file. The checksum is the sum of all other bytes, each
//! multiplied by its place, modulo 2^32.

use crate::{Network, NetworkShape};

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The first line is not that of a network.
    #[error("this is no file of weights: it does not begin with a line 'tabia-net 1 ...'")]
    Header,
    /// The sizes are not those that are wanted.
    #[error("the network has layers of {found}, but {wanted} are wanted")]
    Shape {
        /// What the file says.
        found: String,
        /// What it should say.
        wanted: String,
    },
    /// There are too few or too many weights.
    #[error("there are {found} bytes of weights where {wanted} belong")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// The weights are damaged.
    #[error(
        "the weights are damaged: their checksum is {found:08x}, the first line says {wanted:08x}"
    )]
    Damaged {
        /// Of the bytes there are.
        found: u32,
        /// That the first line tells.
        wanted: u32,
    },
}

fn checksum(line: &str, data: &[u8]) -> u32 {
    let places = line.bytes().chain(data.iter().copied()).zip(1u32..);
    places.fold(0, |sum, (byte, place)| {
        sum.wrapping_add(u32::from(byte).wrapping_mul(place))
    })
}

fn sizes(shape: NetworkShape) -> [usize; 4] {
    let [first, second] = shape.hidden;
    [shape.inputs, first, second, shape.outputs]
}

impl Network {
    /// The network as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let largest = self.weights.iter().fold(0f32, |most, w| most.max(w.abs()));
        let scale = (largest / f32::from(i16::MAX)).max(f32::MIN_POSITIVE);
        let rounded = self.weights.iter().map(|w| (w / scale).round() as i16);
        let data: Vec<u8> = rounded.flat_map(i16::to_le_bytes).collect();
        let [inputs, first, second, outputs] = sizes(self.shape());
        let line = format!("tabia-net 1 {inputs} {first} {second} {outputs} {scale}");
        let line = format!("{line} {:08x}\n", checksum(&line, &data));
        [line.into_bytes(), data].concat()
    }

    /// Reads a network of this shape from bytes, and what follows it.
    pub fn from_bytes(shape: NetworkShape, bytes: &[u8]) -> Result<(Network, &[u8]), WeightsError> {
        Network::read(bytes, Some(shape))
    }

    /// Reads a network of any shape from bytes, and what follows it.
    pub fn of_any_shape(bytes: &[u8]) -> Result<(Network, &[u8]), WeightsError> {
        Network::read(bytes, None)
    }

    fn read(bytes: &[u8], wanted: Option<NetworkShape>) -> Result<(Network, &[u8]), WeightsError> {
        let end = bytes.iter().take(200).position(|&b| b == b'\n');
        let end = end.ok_or(WeightsError::Header)?;
        let (line, data) = (&bytes[..end], &bytes[end + 1..]);
        let line = std::str::from_utf8(line).map_err(|_| WeightsError::Header)?;
        let words: Vec<&str> = line.split(' ').collect();
        let ["tabia-net", "1", inputs, first, second, outputs, scale, sum] = words[..] else {
            return Err(WeightsError::Header);
        };
        let size = |text: &str| text.parse::<u16>().map(usize::from);
        let size = |text: &str| size(text).map_err(|_| WeightsError::Header);
        let shape = NetworkShape {
            inputs: size(inputs)?,
            hidden: [size(first)?, size(second)?],
            outputs: size(outputs)?,
        };
        let scale: f32 = scale.parse().map_err(|_| WeightsError::Header)?;
        let wanted_sum = u32::from_str_radix(sum, 16).map_err(|_| WeightsError::Header)?;
        // No weight may become infinite.
        if !(scale * f32::from(i16::MIN)).is_finite() {
            return Err(WeightsError::Header);
        }
        if let Some(wanted) = wanted.filter(|&wanted| wanted != shape) {
            let list = |shape| sizes(shape).map(|n| n.to_string()).join(", ");
            return Err(WeightsError::Shape {
                found: list(shape),
                wanted: list(wanted),
            });
        }
        let length = 2 * shape.parameters();
        let (data, rest) = data.split_at_checked(length).ok_or(WeightsError::Length {
            found: data.len(),
            wanted: length,
        })?;
        let said = line.strip_suffix(&format!(" {sum}")).unwrap_or(line);
        let sum = checksum(said, data);
        if sum != wanted_sum {
            return Err(WeightsError::Damaged {
                found: sum,
                wanted: wanted_sum,
            });
        }
        let numbers = data
            .chunks_exact(2)
            .map(|b| i16::from_le_bytes([b[0], b[1]]));
        let weights = numbers.map(|n| f32::from(n) * scale).collect();
        let network = Network::new(shape, weights).ok_or(WeightsError::Header)?;
        Ok((network, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const SHAPE: NetworkShape = NetworkShape {
        inputs: 5,
        hidden: [4, 3],
        outputs: 2,
    };

    #[test]
    fn networks_round_trip_to_four_digits() {
        let network = Network::random(SHAPE, &mut ChaCha8Rng::seed_from_u64(5));
        let bytes = network.to_bytes();
        let (read, rest) = Network::from_bytes(SHAPE, &bytes).unwrap();
        assert!(rest.is_empty());
        for (a, b) in network.weights().iter().zip(read.weights()) {
            assert!((a - b).abs() < 1e-4);
        }
        assert_eq!(read.to_bytes().len(), bytes.len());
    }

    #[test]
    fn damaged_weights_are_refused() {
        let network = Network::random(SHAPE, &mut ChaCha8Rng::seed_from_u64(6));
        let bytes = network.to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Network::from_bytes(SHAPE, &damaged).is_err(), "byte {at}");
        }
        for length in 0..bytes.len() {
            assert!(Network::from_bytes(SHAPE, &bytes[..length]).is_err());
        }
        assert_eq!(
            Network::of_any_shape(&bytes).unwrap().0.to_bytes(),
            Network::from_bytes(SHAPE, &bytes).unwrap().0.to_bytes()
        );
        assert!(Network::of_any_shape(b"tabia-net 1 65535 65535 65535 9 1 0\n").is_err());
        let other = NetworkShape { inputs: 6, ..SHAPE };
        assert!(matches!(
            Network::from_bytes(other, &bytes),
            Err(WeightsError::Shape { .. })
        ));
    }
}
