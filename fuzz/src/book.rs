//! Opening books without their last line, which is added, since no fuzzer guesses a checksum. What
//! is read is written and read again without loss; every method chooses a node that is there, or
//! none.

use tabia_catalog::book::{Book, GrowthMethod, NextMove, ROOT, drop_outs, drop_outs_svg};

/// The target.
pub fn target(text: &str) {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    let book = match Book::read(&format!("{text}{{\"blake3\":\"{hash}\"}}\n")) {
        Ok(book) => book,
        Err(error) => return assert!(!error.to_string().trim().is_empty(), "{error:?} is silent"),
    };
    assert_eq!(Book::read(&book.write()).as_ref(), Ok(&book));
    let methods = [
        GrowthMethod::BestFirst,
        GrowthMethod::DropOut(3.0),
        GrowthMethod::DepthPenalty(50_000),
        GrowthMethod::Breadth(60_000, 0.7),
    ];
    for method in methods {
        if let Some(NextMove::Expand(id) | NextMove::Deviate(id)) = method.choose(&book, ROOT) {
            assert!(id < book.nodes().len(), "no such node");
        }
    }
    for owner in [0, 1] {
        let exits = drop_outs(&book, owner);
        assert!(drop_outs_svg(&exits, 1_000_000).ends_with("</svg>\n"));
    }
}
