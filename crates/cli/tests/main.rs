//! The tests of the crate, in one program.

#![allow(clippy::unwrap_used)]

mod boards;
mod book;
mod cgt;
mod chance;
mod chance_tables;
mod commands;
mod graph;
mod kinds;
mod many;
mod matches;
mod play;
mod readme;
mod refusals;
mod report;
mod reproduce;
mod results;
mod rooms;
mod second_checker;
mod secrets;
mod single_agent;
mod solve;
mod support;
mod tables;
mod tournament;
mod verify;
mod worth;
