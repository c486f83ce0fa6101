//! What Tegos (2002) printed, in tests named after its tables.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;

use rayon::prelude::*;
use tabia_cgt::{Dyadic, Value, Values};
use tabia_combinatorial::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs};
use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::frame::Frame;
use tabia_combinatorial::amazons::rooms::lines::LineSegments;
use tabia_combinatorial::amazons::rooms::room::{Room, RoomGenerator, on_the_board};
use tabia_combinatorial::amazons::rooms::territory::Territories;
use tabia_game::Cancel;

fn atlas(a: usize, b: usize) -> Atlas {
    Atlas::new(Frame::new(a, b).unwrap(), &Cancel::default()).unwrap()
}

fn four_by_five() -> &'static Atlas {
    static ATLAS: OnceLock<Atlas> = OnceLock::new();
    ATLAS.get_or_init(|| atlas(4, 5))
}

fn territories(atlas: &Atlas, queens: usize) -> Territories {
    Territories::build(atlas, queens, &Cancel::default(), &|_| {}).unwrap()
}

const TABLE_3_1: [usize; 20] = [
    1, 2, 5, 22, 93, 439, 1725, 5205, 11473, 18904, 23364, 22070, 15873, 8841, 3740, 1233, 293, 56,
    6, 1,
];

/// By both ways to enumerate rooms, and by the bitmaps themselves.
#[test]
fn table_3_1_rooms() {
    let atlas = four_by_five();
    let sizes: Vec<usize> = (1..=20).map(|size| atlas.of_size(size).len()).collect();
    assert_eq!(sizes, TABLE_3_1);
    assert_eq!(atlas.rooms().len(), 113_346);
    let fits = |width: usize, height: usize| width.max(height) <= 5 && width.min(height) <= 4;
    for (size, rooms) in RoomGenerator::new(fits).enumerate() {
        let here = atlas
            .of_size(size + 1)
            .map(|room| atlas.room(room).least_image());
        assert_eq!(
            rooms,
            here.collect::<BTreeSet<Room>>()
                .into_iter()
                .collect::<Vec<_>>()
        );
    }
}

/// Sets of this many squares that hang together, one of each eight attitudes, by plain lists of
/// squares.
fn polyplets(size: usize) -> BTreeSet<Vec<(i8, i8)>> {
    let mut found = BTreeSet::from([vec![(0, 0)]]);
    for _ in 1..size {
        let mut larger = BTreeSet::new();
        for squares in &found {
            for &(x, y) in squares {
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    let square = (x + dx, y + dy);
                    if !squares.contains(&square) {
                        let mut more = squares.clone();
                        more.push(square);
                        larger.insert(least_attitude(&more));
                    }
                }
            }
        }
        found = larger;
    }
    found
}

fn least_attitude(squares: &[(i8, i8)]) -> Vec<(i8, i8)> {
    let attitude = |number: u32| {
        let turn = |&(x, y): &(i8, i8)| {
            let (x, y) = if number & 1 == 0 { (x, y) } else { (y, x) };
            let mirrored = |bit: u32, z: i8| if number & bit == 0 { z } else { -z };
            (mirrored(2, x), mirrored(4, y))
        };
        let turned: Vec<(i8, i8)> = squares.iter().map(turn).collect();
        let left = turned.iter().map(|s| s.0).min().unwrap();
        let top = turned.iter().map(|s| s.1).min().unwrap();
        let mut shifted: Vec<(i8, i8)> = turned.iter().map(|s| (s.0 - left, s.1 - top)).collect();
        shifted.sort_unstable();
        shifted
    };
    (0..8).map(attitude).min().unwrap()
}

/// Free polyplets (OEIS A030222), which no rectangle holds back; the one of eight squares that
/// table 5.2 leaves out is the long diagonal.
#[test]
fn table_5_2_rooms_of_any_shape() {
    let free = [1, 2, 5, 22, 94, 524, 3031, 18770];
    for (rooms, (size, free)) in RoomGenerator::new(on_the_board).zip((1..).zip(free)) {
        let mut all = polyplets(size);
        assert_eq!(all.len(), free, "size {size}");
        for room in rooms {
            let squares = room.squares().map(|(x, y)| (x as i8, y as i8));
            let squares = squares.collect::<Vec<_>>();
            assert!(all.remove(&least_attitude(&squares)));
        }
        match size {
            8 => assert_eq!(all, BTreeSet::from([(0..8).map(|i| (i, i)).collect()])),
            _ => assert!(all.is_empty(), "size {size}"),
        }
    }
}

/// Rooms and squares for two queens, whose colours are exchanged at will; symmetric ones count
/// each.
#[test]
fn table_4_1_positions() {
    let positions: Vec<usize> = (2..=20)
        .map(|n| four_by_five().of_size(n).len() * n * (n - 1) / 2)
        .collect();
    assert_eq!(
        positions,
        [
            2, 15, 132, 930, 6585, 36225, 145740, 413028, 850680, 1285020, 1456620, 1238094,
            804531, 392700, 147960, 39848, 8568, 1026, 190
        ]
    );
    assert_eq!(
        tabia_combinatorial::amazons::rooms::active::entries(four_by_five(), 20),
        6_827_894
    );
}

fn alike(rooms: impl ParallelIterator<Item = Room>) -> usize {
    let forms: HashSet<_> = rooms
        .map(|room| LineSegments::new(&room).form().form)
        .collect();
    forms.len()
}

#[test]
fn table_5_1_line_segment_graphs() {
    let atlas = four_by_five();
    let classes: Vec<usize> = (1..=20)
        .map(|size| {
            alike(
                atlas
                    .of_size(size)
                    .into_par_iter()
                    .map(|room| atlas.room(room)),
            )
        })
        .collect();
    assert_eq!(
        classes,
        [
            1, 1, 3, 11, 42, 191, 812, 3027, 8348, 16037, 21507, 21242, 15634, 8800, 3737, 1233,
            293, 56, 6, 1
        ]
    );
}

/// Table 5.2: rooms on 10x10 by size, and line segment graphs.
const TABLE_5_2: [(usize, usize); 10] = [
    (1, 1),
    (2, 1),
    (5, 3),
    (22, 11),
    (94, 42),
    (524, 199),
    (3031, 960),
    (18769, 4945),
    (118069, 25786),
    (755047, 137988),
];

#[test]
fn table_5_2_line_segment_graphs() {
    let sizes = RoomGenerator::new(on_the_board).take(9);
    let counts: Vec<(usize, usize)> = sizes
        .map(|rooms| (rooms.len(), alike(rooms.into_par_iter())))
        .collect();
    assert_eq!(counts, TABLE_5_2[..9]);
}

#[test]
#[ignore = "eight seconds: tabia reproduce tegos table-5.2 --scale full"]
fn table_5_2_line_segment_graphs_of_size_10() {
    let rooms = RoomGenerator::new(on_the_board).nth(9).unwrap();
    assert_eq!((rooms.len(), alike(rooms.into_par_iter())), TABLE_5_2[9]);
}

/// Tables A.1 to A.4, last column: a room and squares for its queens, symmetric ones each.
#[test]
fn tables_a_1_to_a_4_totals() {
    type Printed = (usize, usize, &'static [usize]);
    let printed: [Printed; 4] = [
        (
            1,
            3,
            &[
                15, 88, 465, 2634, 12075, 41640, 103257, 189040, 257004, 264840, 206349, 123774,
            ],
        ),
        (
            2,
            4,
            &[
                132, 930, 6585, 36225, 145740, 413028, 850680, 1285020, 1456620, 1238094,
            ],
        ),
        (
            3,
            5,
            &[
                930, 8780, 60375, 291480, 963732, 2268480, 3855060, 4855400, 4539678,
            ],
        ),
        (
            4,
            6,
            &[
                6585, 60375, 364350, 1445598, 3969840, 7710120, 10924650, 11349195,
            ],
        ),
    ];
    for (queens, first, totals) in printed {
        for (size, &total) in (first..).zip(totals) {
            let placements = (0..queens).fold(1, |n, i| n * (size - i) / (i + 1));
            let territories = four_by_five().of_size(size).len() * placements;
            assert_eq!(territories, total, "{queens} queens, size {size}");
        }
    }
}

/// Tables A.1 to A.8: defective territories by queens, size and number of defects, and rooms that
/// have some.
#[test]
fn tables_a_territories() {
    let atlas = four_by_five();
    let known = territories(atlas, 4);
    let mut counts: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut rooms: BTreeMap<(usize, usize), HashSet<u32>> = BTreeMap::new();
    for found in known.listed() {
        let size = atlas.rooms()[found.room as usize].count_ones() as usize;
        let place = (found.queens.count_ones() as usize, size);
        let row = counts.entry(place).or_insert_with(|| vec![0; 5]);
        row[usize::from(found.defects)] += 1;
        rooms.entry(place).or_default().insert(found.room);
    }
    // From the first size on which there are some: defective rooms, then territories by defects.
    type Printed = (usize, usize, &'static [(usize, [usize; 4])]);
    let printed: [Printed; 4] = [
        (
            1,
            3,
            &[
                (2, [2, 0, 0, 0]),
                (1, [2, 1, 0, 0]),
                (21, [37, 0, 0, 0]),
                (76, [155, 23, 0, 0]),
                (381, [783, 43, 5, 0]),
                (864, [1705, 151, 0, 0]),
                (1408, [2618, 170, 3, 0]),
                (1374, [2256, 161, 6, 0]),
                (847, [1238, 88, 19, 0]),
                (290, [364, 24, 5, 0]),
                (53, [58, 1, 0, 1]),
                (3, [3, 0, 0, 0]),
            ],
        ),
        (
            2,
            4,
            &[
                (2, [3, 0, 0, 0]),
                (39, [45, 0, 0, 0]),
                (43, [142, 23, 0, 0]),
                (278, [727, 31, 4, 0]),
                (529, [1467, 132, 0, 0]),
                (639, [2021, 60, 3, 0]),
                (468, [1285, 33, 0, 0]),
                (177, [415, 12, 0, 0]),
                (27, [53, 1, 0, 0]),
                (2, [2, 0, 0, 0]),
            ],
        ),
        (
            3,
            5,
            &[
                (12, [12, 0, 0, 0]),
                (65, [202, 0, 0, 0]),
                (476, [1076, 24, 0, 0]),
                (520, [2191, 151, 0, 0]),
                (761, [3016, 47, 3, 0]),
                (490, [1889, 19, 0, 0]),
                (191, [671, 3, 0, 0]),
                (35, [77, 0, 0, 0]),
                (1, [2, 0, 0, 0]),
            ],
        ),
        (
            4,
            6,
            &[
                (57, [59, 0, 0, 0]),
                (325, [862, 0, 0, 0]),
                (712, [3814, 35, 0, 0]),
                (1394, [5968, 77, 0, 0]),
                (673, [3575, 42, 0, 0]),
                (275, [1207, 0, 0, 0]),
                (59, [140, 0, 0, 0]),
                (6, [13, 0, 0, 0]),
            ],
        ),
    ];
    let mut sizes = 0;
    for (queens, first, rows) in printed {
        for (i, &(with_defects, by_defects)) in rows.iter().enumerate() {
            let place = (queens, first + i);
            assert_eq!(counts[&place][1..], by_defects, "{place:?}");
            assert_eq!(rooms[&place].len(), with_defects, "{place:?}");
            sizes += 1;
        }
    }
    assert_eq!(
        counts.len(),
        sizes,
        "defects at a size without printed ones"
    );
}

/// Table 4.2 to size 7. Which queen of a pair is Black decides how many thermographs there are, and
/// the thesis does not say; so the counts agree within 5%.
#[test]
fn table_4_2_thermographs() {
    let atlas = four_by_five();
    let known = territories(atlas, 1);
    let table = Active::build(
        atlas,
        &known,
        Thermographs::default(),
        7,
        &Cancel::default(),
        &|_| {},
    )
    .unwrap();
    for (size, printed) in (2..).zip([1usize, 3, 12, 45, 181, 656]) {
        let graphs = table
            .of_size(atlas, size)
            .iter()
            .map(|&n| table.kind().graph(n));
        let unique = graphs
            .map(|graph| (graph.left(), graph.right()))
            .collect::<HashSet<_>>()
            .len();
        assert!(
            20 * printed.abs_diff(unique) <= printed,
            "{unique} of size {size}"
        );
    }
}

fn canonical(atlas: &Atlas) -> Active<Canonical> {
    let values = Canonical::new(Values::new()).unwrap();
    Active::build(
        atlas,
        &territories(atlas, 1),
        values,
        16,
        &Cancel::default(),
        &|_| {},
    )
    .unwrap()
}

/// Table 7.1 but for the rows of sizes 11 and 14, which are wrong (see `nimbers_without_values`),
/// and the extreme temperatures of section 7.1.3.
#[test]
fn table_7_1_nimbers_and_temperatures() {
    let atlas = atlas(4, 4);
    let mut table = canonical(&atlas);
    let nimbers: Vec<[usize; 3]> = (7..=16)
        .map(|size| {
            let values = table.kind().values();
            let heaps = table
                .of_size(&atlas, size)
                .iter()
                .filter_map(|&value| values.as_nimber(value));
            heaps.fold([0; 3], |mut counts, heap| {
                if heap >= 2 {
                    counts[heap as usize - 2] += 1;
                }
                counts
            })
        })
        .collect();
    let corrected = [
        [13, 0, 0],
        [23, 7, 0],
        [38, 0, 0],
        [21, 2, 0],
        [22, 0, 0],
        [13, 3, 0],
        [7, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
        [0, 0, 0],
    ];
    assert_eq!(nimbers, corrected);

    let values: BTreeSet<_> = table.entries().iter().copied().collect();
    let store = table.kind_mut().values_mut();
    let mut hot = BTreeMap::new();
    for &value in &values {
        hot.entry(store.temperature(value).unwrap())
            .or_insert(value);
    }
    let number = |text: &str| text.parse::<Dyadic>().unwrap();
    assert_eq!(hot.keys().next_back(), Some(&number("11")));
    assert_eq!(store.write(hot[&number("11")]).unwrap(), "+-11");
    assert_eq!(
        hot.range(..Dyadic::ZERO).next_back().unwrap().0,
        &number("-1/16")
    );
    let positive = hot.keys().find(|&&t| t > Dyadic::ZERO).unwrap();
    assert_eq!(positive, &number("1/32"));
    // Values of figures 7.5 to 7.7, of which the table has either colouring. The last is printed as
    // ^|1/16, without the sign: that would be the number 1/32, of temperature -1/32, which is above
    // the largest negative one.
    for (text, found) in [
        ("{11|-11}", true),
        ("1/16", true),
        ("{^|-1/16}", true),
        ("{^|1/16}", false),
        ("{1/16|^}", false),
    ] {
        let value = store.read(text).unwrap();
        let opposite = store.negative(value).unwrap();
        let either = values.contains(&value) || values.contains(&opposite);
        assert_eq!(either, found, "{text}");
    }
    let fractions = || hot.keys().filter(|t| !t.is_integer());
    let numerator = fractions().max_by_key(|t| t.numerator()).unwrap();
    assert_eq!(numerator, &number("911/128"));
    assert_eq!(fractions().map(|t| t.exponent()).max(), Some(8));
    assert!(hot.contains_key(&number("345/256")));
}

/// Figure 7.1 shows a position worth *2 with five empty squares in 3x4: no smaller room in 4x4 has
/// one, and no smaller rectangle.
#[test]
fn figure_7_1_the_smallest_star_two() {
    let worth_two = |width: usize, height: usize| -> Vec<usize> {
        let atlas = atlas(width, height);
        let table = canonical(&atlas);
        let values = table.kind().values();
        let is_two = |value: &Value| values.as_nimber(*value) == Some(2);
        let sizes = (2..=width * height).filter(|&size| {
            let mut positions = table.of_size(&atlas, size).iter();
            positions.any(is_two)
        });
        sizes.collect()
    };
    for (width, height) in [(3, 3), (2, 4), (2, 5), (1, 11)] {
        assert!(worth_two(width, height).is_empty(), "{width}x{height}");
    }
    assert_eq!(worth_two(3, 4).first(), Some(&7));
    assert_eq!(worth_two(4, 4).first(), Some(&7));
}

/// Zugzwangs up to a size, and all positions: scores that are worse by three for whoever begins.
fn zugzwangs(largest: usize) -> Vec<(usize, usize)> {
    let atlas = atlas(4, 6);
    let table = Active::build(
        &atlas,
        &territories(&atlas, 1),
        Minimax,
        largest,
        &Cancel::default(),
        &|_| {},
    )
    .unwrap();
    let sizes = (6..=largest).map(|size| {
        let scores = table.of_size(&atlas, size);
        let found = scores.iter().filter(|[black, white]| white - black >= 3);
        (found.count(), scores.len())
    });
    sizes.collect()
}

/// Table 7.2 from size 6 on; the experiment `tegos table-7.2` goes on to 20.
const TABLE_7_2: [(usize, usize); 5] = [
    (6, 7560),
    (16, 51240),
    (216, 281820),
    (2233, 1152612),
    (8216, 3601665),
];

#[test]
fn table_7_2_zugzwangs() {
    assert_eq!(zugzwangs(9), TABLE_7_2[..4]);
}

#[test]
#[ignore = "ten seconds: tabia reproduce tegos table-7.2"]
fn table_7_2_zugzwangs_to_size_10() {
    assert_eq!(zugzwangs(10), TABLE_7_2);
}
