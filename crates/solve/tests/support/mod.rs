//! What several tests share; none of them uses all of it.
#![allow(dead_code)]

pub mod graph;
pub mod plain;
pub mod plain_chance_breakthrough;
pub mod plain_dice;
