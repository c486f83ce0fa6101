//! The lines that ChanceProbCut uses (Schadd 2011, section 5.3), game by game.
//!
//! They were fitted on seeded positions by `tabia reproduce chanceprobcut fit --scale full`,
//! which prints them beside those of a new fit. Each is for one depth of chance nodes, one evaluation and one board.

use tabia_search::chance::Regression;

/// Dice on the 5x5 board with four in a row, throws counted as plies.
pub const DICE: &[Regression] = &[
    Regression {
        depth: 6,
        reduction: 4,
        slope: 0.9778,
        intercept: 46_962.0,
        deviation: 135_311.0,
    },
    Regression {
        depth: 8,
        reduction: 4,
        slope: 1.0766,
        intercept: 14_368.0,
        deviation: 126_723.0,
    },
];

/// The same with a very shallow search before the other, for Multi-ChanceProbCut.
pub const DICE_SEVERAL: &[Regression] = &[
    DICE[0],
    Regression {
        depth: 8,
        reduction: 6,
        slope: 1.0831,
        intercept: -48_740.0,
        deviation: 171_873.0,
    },
    DICE[1],
];

/// ChanceBreakthrough on the 8x8 board, throws not counted as plies.
pub const CHANCE_BREAKTHROUGH: &[Regression] = &[
    Regression {
        depth: 3,
        reduction: 2,
        slope: 0.9347,
        intercept: -4_996.0,
        deviation: 89_290.0,
    },
    Regression {
        depth: 4,
        reduction: 2,
        slope: 0.9918,
        intercept: 11_914.0,
        deviation: 96_204.0,
    },
];

/// What a player sees of Stratego, chance events not counted as plies.
pub const STRATEGO: &[Regression] = &[
    Regression {
        depth: 4,
        reduction: 2,
        slope: 1.0954,
        intercept: -6_839.0,
        deviation: 69_343.0,
    },
    Regression {
        depth: 5,
        reduction: 2,
        slope: 1.1135,
        intercept: 4_051.0,
        deviation: 86_075.0,
    },
];
