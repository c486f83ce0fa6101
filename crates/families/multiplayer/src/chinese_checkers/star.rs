//! The star: 73 cells, each with three coordinates that sum to zero, and the 49 cells that a
//! player needs, which are a rhombus of 7x7 and fit into one machine word.
//!
//! Cells are those whose coordinates (q, r, s) are all at most 3, or all at least -3: two large
//! triangles on top of each other. A row has the same q. The cells are numbered row by row from the
//! tip of the first player's triangle, within a row by r. A sixth of a turn takes (q, r, s) to (-r,
//! -s, -q), and triangle k is the first one after k of them.
//!
//! A *frame* shows hexagon, triangle k and the opposite triangle as a rhombus with rows of 8 bits,
//! the last of which is no cell, so that every direction is a shift. The triangle is its high
//! corner and the opposite one its low corner; for triangles 3 to 5 it is the frame of the opposite
//! triangle, read backwards.

pub(super) const CELLS: usize = 73;
pub(super) const ROWS: usize = 13;
/// Pieces of a player, and cells of a triangle.
pub(super) const PIECES: usize = 6;
pub(super) const TRIANGLES: usize = 6;
pub(super) const FRAMES: usize = 3;

/// No cell.
pub(super) const NONE: u8 = CELLS as u8;

const RADIUS: i8 = 3;
/// Cells along a side of the rhombus.
pub(super) const WIDTH: usize = 7;
/// Bits of a row of a frame.
const ROW: usize = 8;
/// Bits of a frame.
pub(super) const BITS: usize = ROW * WIDTH;

/// How far the neighbours of a frame lie apart, each forwards and backwards.
pub(super) const SHIFTS: [u32; 3] = [1, 7, 8];

#[derive(Clone, Copy)]
struct Cube {
    q: i8,
    r: i8,
    s: i8,
}

impl Cube {
    const fn new(q: i8, r: i8) -> Cube {
        Cube { q, r, s: -q - r }
    }

    const fn is_cell(self) -> bool {
        let Cube { q, r, s } = self;
        (q <= RADIUS && r <= RADIUS && s <= RADIUS)
            || (q >= -RADIUS && r >= -RADIUS && s >= -RADIUS)
    }

    /// A sixth of a turn back.
    const fn turned_back(self, times: usize) -> Cube {
        let mut cube = self;
        let mut i = 0;
        while i < times {
            cube = Cube {
                q: -cube.s,
                r: -cube.q,
                s: -cube.r,
            };
            i += 1;
        }
        cube
    }
}

const CUBES: [Cube; CELLS] = cubes();

const fn cubes() -> [Cube; CELLS] {
    let mut cubes = [Cube::new(0, 0); CELLS];
    let mut number = 0;
    let mut q = -2 * RADIUS;
    while q <= 2 * RADIUS {
        let mut r = -2 * RADIUS;
        while r <= 2 * RADIUS {
            if Cube::new(q, r).is_cell() {
                cubes[number] = Cube::new(q, r);
                number += 1;
            }
            r += 1;
        }
        q += 1;
    }
    cubes
}

const fn number_of(cube: Cube) -> u8 {
    let cubes = CUBES;
    let mut number = 0;
    while number < CELLS {
        if cubes[number].q == cube.q && cubes[number].r == cube.r {
            return number as u8;
        }
        number += 1;
    }
    NONE
}

/// The number of the first cell of each row.
pub(super) static FIRST_OF_ROW: [u8; ROWS + 1] = first_of_row();

const fn first_of_row() -> [u8; ROWS + 1] {
    let cubes = CUBES;
    let mut first = [0; ROWS + 1];
    let mut number = 0;
    while number < CELLS {
        let row = (cubes[number].q + 2 * RADIUS) as usize;
        first[row + 1] = number as u8 + 1;
        number += 1;
    }
    first
}

/// The neighbours of each cell in six directions, opposite ones three apart; [`NONE`] beyond the
/// edge.
pub(super) static NEXT: [[u8; 6]; CELLS] = next();

const fn next() -> [[u8; 6]; CELLS] {
    const STEPS: [(i8, i8); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
    let cubes = CUBES;
    let mut next = [[NONE; 6]; CELLS];
    let mut number = 0;
    while number < CELLS {
        let mut direction = 0;
        while direction < 6 {
            let (q, r) = STEPS[direction];
            let cube = Cube::new(cubes[number].q + q, cubes[number].r + r);
            if cube.is_cell() {
                next[number][direction] = number_of(cube);
            }
            direction += 1;
        }
        number += 1;
    }
    next
}

/// The bit of each cell in each frame; none if it is not there.
pub(super) static BIT: [[u64; CELLS]; FRAMES] = bits();

pub(super) const fn bits() -> [[u64; CELLS]; FRAMES] {
    let cubes = CUBES;
    let mut bits = [[0; CELLS]; FRAMES];
    let mut frame = 0;
    while frame < FRAMES {
        let mut number = 0;
        while number < CELLS {
            let Cube { r, s, .. } = cubes[number].turned_back(frame);
            if -RADIUS <= r && r <= RADIUS && -RADIUS <= s && s <= RADIUS {
                let (row, column) = ((r + RADIUS) as usize, (s + RADIUS) as usize);
                bits[frame][number] = 1 << (ROW * row + column);
            }
            number += 1;
        }
        frame += 1;
    }
    bits
}

/// The cell of each bit of each frame.
pub(super) static CELL: [[u8; BITS]; FRAMES] = cells();

const fn cells() -> [[u8; BITS]; FRAMES] {
    let bits = bits();
    let mut cells = [[NONE; BITS]; FRAMES];
    let mut frame = 0;
    while frame < FRAMES {
        let mut number = 0;
        while number < CELLS {
            if bits[frame][number] != 0 {
                cells[frame][bits[frame][number].trailing_zeros() as usize] = number as u8;
            }
            number += 1;
        }
        frame += 1;
    }
    cells
}

/// The triangle of each cell; [`TRIANGLES`] in the hexagon.
pub(super) static TRIANGLE: [u8; CELLS] = triangles();

pub(super) const fn triangles() -> [u8; CELLS] {
    let cubes = CUBES;
    let mut triangles = [TRIANGLES as u8; CELLS];
    let mut number = 0;
    while number < CELLS {
        let mut k = 0;
        while k < TRIANGLES {
            if cubes[number].turned_back(k).q < -RADIUS {
                triangles[number] = k as u8;
            }
            k += 1;
        }
        number += 1;
    }
    triangles
}

/// What each cell becomes when the star is turned so that a triangle becomes the first.
pub(super) static TURNED_BACK: [[u8; CELLS]; TRIANGLES] = turned_back();

const fn turned_back() -> [[u8; CELLS]; TRIANGLES] {
    let cubes = CUBES;
    let mut turned = [[NONE; CELLS]; TRIANGLES];
    let mut k = 0;
    while k < TRIANGLES {
        let mut number = 0;
        while number < CELLS {
            turned[k][number] = number_of(cubes[number].turned_back(k));
            number += 1;
        }
        k += 1;
    }
    turned
}

/// The mirror image of each cell, across the line from the tip of the first triangle to the
/// opposite tip.
pub(super) static MIRRORED: [u8; CELLS] = mirrored();

const fn mirrored() -> [u8; CELLS] {
    let cubes = CUBES;
    let mut mirrored = [NONE; CELLS];
    let mut number = 0;
    while number < CELLS {
        let Cube { q, s, .. } = cubes[number];
        mirrored[number] = number_of(Cube::new(q, s));
        number += 1;
    }
    mirrored
}

/// The cells of a frame.
pub(super) const RHOMBUS: u64 = 0x007f_7f7f_7f7f_7f7f;

/// The low corner of a frame: where whoever begins in the high one wants to be.
pub(super) const LOW: u64 = 0b0000_0001 << 16 | 0b0000_0011 << 8 | 0b0000_0111;

/// A frame read backwards, so that low and high corners change places.
#[inline]
pub(super) const fn backwards(frame: u64) -> u64 {
    frame.reverse_bits() >> (64 - BITS + 1)
}

/// The high corner of a frame.
pub(super) const HIGH: u64 = backwards(LOW);

/// Whether a corner of a frame is filled: with own pieces alone if that is asked for, otherwise one
/// of them suffices.
#[inline]
pub(super) fn is_filled(corner: u64, own: u64, occupied: u64, strict: bool) -> bool {
    match strict {
        true => own & corner == corner,
        false => own & corner != 0 && occupied & corner == corner,
    }
}

/// The bits of each cell of a frame in the next frame and in the one after that. There are more
/// frames and cells than there are, so that two and six bits are always one.
pub(super) static ELSEWHERE: [[[u64; 2]; 64]; FRAMES + 1] = elsewhere();

const fn elsewhere() -> [[[u64; 2]; 64]; FRAMES + 1] {
    let (bits, cells) = (bits(), cells());
    let mut elsewhere = [[[0; 2]; 64]; FRAMES + 1];
    let mut i = 0;
    while i < FRAMES * BITS {
        let (frame, bit) = (i / BITS, i % BITS);
        let cell = cells[frame][bit];
        if cell != NONE {
            let mut on = 0;
            while on < 2 {
                elsewhere[frame][bit][on] = bits[(frame + 1 + on) % FRAMES][cell as usize];
                on += 1;
            }
        }
        i += 1;
    }
    elsewhere
}

/// How many rows a bit of a frame is away from the tip of the low corner.
#[inline]
pub(super) const fn rows_to_tip(bit: usize) -> i32 {
    (bit / ROW + bit % ROW) as i32
}

/// The row of a cell and its number in it.
pub(super) fn row_of(cell: usize) -> (usize, usize) {
    let row = (CUBES[cell].q + 2 * RADIUS) as usize;
    (row, cell - usize::from(FIRST_OF_ROW[row]))
}

/// How far to the right a cell lies, in cells and halves of cells from the middle.
pub(super) fn across(cell: usize) -> f32 {
    let Cube { r, s, .. } = CUBES[cell];
    f32::from(r - s) / 2.0
}

/// Where a piece on the bit `from` of a frame may go to when `occupied` is: a step, or jumps one
/// after another. Its own cell is empty once it has left it.
#[inline]
pub(super) fn reach(from: u64, occupied: u64) -> u64 {
    let occupied = occupied & !from;
    let empty = RHOMBUS & !occupied;
    let mut steps = 0;
    for shift in SHIFTS {
        steps |= from << shift | from >> shift;
    }
    (steps & empty) | jumps(from, occupied)
}

/// Where jumps lead to, without where they began.
#[inline]
pub(super) fn jumps(from: u64, occupied: u64) -> u64 {
    let empty = RHOMBUS & !occupied & !from;
    let (mut reached, mut new) = (0, from);
    while new != 0 {
        let mut landed = 0;
        for shift in SHIFTS {
            landed |=
                (((new << shift) & occupied) << shift) | (((new >> shift) & occupied) >> shift);
        }
        new = landed & empty & !reached;
        reached |= new;
    }
    reached
}

/// The same on the whole star, cell by cell: steps to `stops`, and jumps that pass all cells and
/// end on `stops`.
#[inline]
pub(super) fn reach_star(from: usize, occupied: u128, stops: u128) -> u128 {
    let occupied = occupied & !(1 << from);
    let is_taken = |cell: u8| occupied & (1 << cell) != 0;
    let mut reached = 0u128;
    for &near in NEXT[from].iter().filter(|&&near| near != NONE) {
        reached |= 1 << near;
    }
    reached &= !occupied;
    let mut seen = 1u128 << from;
    let mut waiting = [0u8; CELLS];
    waiting[0] = from as u8;
    let mut count = 1;
    while count > 0 {
        count -= 1;
        let at = usize::from(waiting[count]);
        for (direction, &over) in NEXT[at].iter().enumerate() {
            if over == NONE || !is_taken(over) {
                continue;
            }
            let land = NEXT[usize::from(over)][direction];
            if land == NONE || is_taken(land) || seen & (1 << land) != 0 {
                continue;
            }
            seen |= 1 << land;
            waiting[count] = land;
            count += 1;
        }
    }
    (reached | seen) & stops & !(1 << from)
}
