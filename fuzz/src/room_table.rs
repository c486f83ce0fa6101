//! Tables of rooms: any bytes are read or refused, as each of the kinds there are.

use std::sync::LazyLock;

use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::frame::Frame;
use tabia_combinatorial::amazons::rooms::spec::Spec;
use tabia_combinatorial::amazons::rooms::store::read_bytes;
use tabia_game::Cancel;

const KINDS: [&str; 5] = [
    "rooms:2x3",
    "territory:2x3,queens=4",
    "active:2x3,values=minimax",
    "active:2x3,values=canonical",
    "active:2x3,values=thermograph",
];

static ATLAS: LazyLock<Atlas> = LazyLock::new(|| {
    let frame = Frame::new(2, 3).expect("six squares");
    Atlas::new(frame, &Cancel::default()).expect("nobody stops it")
});

// The first byte says which kind.
/// The target.
pub fn target(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else {
        return;
    };
    let name = KINDS[usize::from(kind) % KINDS.len()];
    let spec = Spec::parse(name).expect("a table");
    read_bytes(&spec, &ATLAS, bytes);
}
