//! Sentestrat, which looks thermographs up, against a search of the whole board (Tegos 2002,
//! section 7.2.3).
//!
//! The ten boards of the thesis are lost; ours are drawn at random: four hot active areas of 10
//! squares or more.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rand::RngExt;
use tabia_cgt::Dyadic;
use tabia_combinatorial::amazons::rooms::active::{Active, Thermographs};
use tabia_combinatorial::amazons::rooms::area::{After, Area};
use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::territory::Territories;
use tabia_game::{Cancel, Player, Seed};

use super::{active, atlas};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const AREAS: usize = 4;
/// The best moves by static evaluation that a search looks at, as Antiope does.
const BEAM: usize = 20;

/// What both players know.
struct Knowledge {
    atlas: Atlas,
    territories: Territories,
    thermographs: Active<Thermographs>,
    largest: usize,
}

impl Knowledge {
    fn new([a, b]: [usize; 2], largest: usize, cancel: &Cancel) -> Result<Knowledge, LabError> {
        let atlas = atlas(a, b, cancel)?;
        let territories = Territories::build(&atlas, 1, cancel, &|_| {}).map_err(super::stopped)?;
        let thermographs = active(&atlas, Thermographs::default(), largest, cancel)?;
        Ok(Knowledge {
            atlas,
            territories,
            thermographs,
            largest,
        })
    }

    fn graph(&self, area: Area) -> Result<&tabia_cgt::Thermograph, LabError> {
        let number = self.thermographs.of_area(&self.atlas, area);
        let missing =
            || LabError::BadRequest("an active area is larger than the table".to_string());
        Ok(self.thermographs.kind().graph(number.ok_or_else(missing)?))
    }

    fn moves(&self, area: Area, player: Player) -> Vec<After> {
        let mut moves = Vec::new();
        area.moves(&self.atlas, &self.territories, player, &mut moves);
        moves
    }

    /// Four random active areas in which it is urgent to move.
    fn board(&self, seed: Seed) -> Result<Board, LabError> {
        let mut luck = seed.rng();
        let mut areas = Vec::new();
        while areas.len() < AREAS {
            let size = luck.random_range(10..=self.largest);
            let rooms = self.atlas.of_size(size);
            let room = luck.random_range(rooms);
            let set = self.atlas.rooms()[room];
            let squares: Vec<u8> = (0..24).filter(|i| set >> i & 1 != 0).collect();
            let (black, white) = (luck.random_range(0..size), luck.random_range(0..size));
            if black == white {
                continue;
            }
            let area = Area {
                room: room as u32,
                black: squares[black],
                white: squares[white],
            };
            if self.graph(area)?.temperature() > Dyadic::ZERO {
                areas.push(area);
            }
        }
        Ok(Board { areas, settled: 0 })
    }
}

/// What is still open, and by how many squares Black is ahead elsewhere.
#[derive(Clone)]
struct Board {
    areas: Vec<Area>,
    settled: i32,
}

/// A move: in which area, and what it leaves.
#[derive(Clone, Copy)]
struct Choice {
    area: usize,
    after: After,
}

impl Board {
    /// The place of the area that was played in, if it is still open.
    fn play(&mut self, choice: Choice) -> Option<usize> {
        match choice.after {
            After::Active(area) => {
                self.areas[choice.area] = area;
                Some(choice.area)
            }
            After::Settled(moves) => {
                self.areas.swap_remove(choice.area);
                self.settled += moves;
                None
            }
        }
    }
}

fn sign(player: Player) -> i32 {
    if player == Player::FIRST { 1 } else { -1 }
}

/// Keeps the ambient temperature of one game.
struct Sentestrat<'k> {
    knowledge: &'k Knowledge,
    ambient: Option<Dyadic>,
}

impl Sentestrat<'_> {
    /// Answers where the other has made it hotter than the ambient; plays in the hottest area else.
    fn choose(
        &mut self,
        board: &Board,
        player: Player,
        last: Option<usize>,
    ) -> Result<Option<Choice>, LabError> {
        let temperature =
            |area: usize| Ok::<_, LabError>(self.knowledge.graph(board.areas[area])?.temperature());
        let can_move = |area: usize| !self.knowledge.moves(board.areas[area], player).is_empty();
        if let (Some(last), Some(ambient)) = (last, self.ambient)
            && temperature(last)? > ambient
            && can_move(last)
        {
            return self.best(board, last, player, ambient);
        }
        let mut hottest: Option<(Dyadic, usize)> = None;
        for area in (0..board.areas.len()).filter(|&area| can_move(area)) {
            let here = temperature(area)?;
            if hottest.is_none_or(|(most, _)| here > most) {
                hottest = Some((here, area));
            }
        }
        let Some((hot, area)) = hottest else {
            return Ok(None);
        };
        let ambient = self.ambient.map_or(hot, |ambient| ambient.min(hot));
        self.ambient = Some(ambient);
        self.best(board, area, player, ambient)
    }

    /// The move in an area that is best at a tax.
    fn best(
        &self,
        board: &Board,
        area: usize,
        player: Player,
        tax: Dyadic,
    ) -> Result<Option<Choice>, LabError> {
        let mut best: Option<(Dyadic, After)> = None;
        for after in self.knowledge.moves(board.areas[area], player) {
            let worth = match after {
                After::Settled(moves) => Dyadic::from(moves),
                After::Active(next) => {
                    let graph = self.knowledge.graph(next)?;
                    let wall = if player == Player::FIRST {
                        graph.right()
                    } else {
                        graph.left()
                    };
                    wall.at(tax)
                        .map_err(|error| LabError::BadRequest(error.to_string()))?
                }
            };
            let worth = if player == Player::FIRST {
                worth
            } else {
                -worth
            };
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, after));
            }
        }
        Ok(best.map(|(_, after)| Choice { area, after }))
    }
}

/// Iterative NegaScout with a beam; squares count for whoever is nearer to them.
struct Scout<'k> {
    knowledge: &'k Knowledge,
    nodes: u64,
    budget: u64,
    depths: Vec<f64>,
}

impl Scout<'_> {
    fn worth(&self, after: After) -> i32 {
        match after {
            After::Active(area) => area.nearer(&self.knowledge.atlas),
            After::Settled(moves) => moves,
        }
    }

    /// The most promising moves for a player, with what Black is ahead after them.
    fn candidates(&self, board: &Board, player: Player) -> Vec<(i32, Choice)> {
        let near: Vec<i32> = board
            .areas
            .iter()
            .map(|&area| self.worth(After::Active(area)))
            .collect();
        let ahead = board.settled + near.iter().sum::<i32>();
        let mut moves = Vec::new();
        for (area, &position) in board.areas.iter().enumerate() {
            for after in self.knowledge.moves(position, player) {
                moves.push((
                    ahead - near[area] + self.worth(after),
                    Choice { area, after },
                ));
            }
        }
        moves.sort_by_key(|&(ahead, choice)| (-sign(player) * ahead, choice.area, choice.after));
        moves.truncate(BEAM);
        moves
    }

    fn choose(&mut self, board: &Board, player: Player) -> Option<Choice> {
        let mut moves = self.candidates(board, player);
        self.nodes = 0;
        let mut depth = 0;
        // The game is over after as many moves as there are squares.
        while depth < 30 {
            let mut alpha = i32::MIN / 2;
            let mut values = Vec::new();
            for (number, &(_, choice)) in moves.iter().enumerate() {
                let mut next = board.clone();
                next.play(choice);
                let Some(value) =
                    self.scouted(&next, player, depth, alpha, i32::MAX / 2, number == 0)
                else {
                    break;
                };
                alpha = alpha.max(value);
                values.push((value, choice));
            }
            // An iteration that was not finished counts as far as it came if its first move did.
            let finished = values.len() == moves.len();
            if let Some(best) =
                (0..values.len()).max_by_key(|&i| (values[i].0, std::cmp::Reverse(i)))
            {
                let chosen = moves.remove(best);
                moves.insert(0, chosen);
            }
            if !finished {
                break;
            }
            depth += 1;
        }
        self.depths.push(f64::from(depth));
        moves.first().map(|&(_, choice)| choice)
    }

    /// The value for `player`, who has just moved: with a window of one first unless it is the
    /// first move.
    fn scouted(
        &mut self,
        next: &Board,
        player: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
        first: bool,
    ) -> Option<i32> {
        let other = player.other();
        if first {
            return Some(-self.search(next, other, depth, -beta, -alpha)?);
        }
        let value = -self.search(next, other, depth, -alpha - 1, -alpha)?;
        if value > alpha && value < beta {
            return Some(-self.search(next, other, depth, -beta, -value)?);
        }
        Some(value)
    }

    /// What `player`, who is to move, is ahead; nothing when the budget is used up.
    fn search(
        &mut self,
        board: &Board,
        player: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        self.nodes += 1;
        if self.nodes > self.budget {
            return None;
        }
        if depth == 0 || board.areas.is_empty() {
            let near = board
                .areas
                .iter()
                .map(|&area| self.worth(After::Active(area)));
            return Some(sign(player) * (board.settled + near.sum::<i32>()));
        }
        let moves = self.candidates(board, player);
        if moves.is_empty() {
            // Who cannot move here moves in a territory.
            return Some(-self.search(board, player.other(), depth - 1, -beta, -alpha)?);
        }
        let (mut best, mut low) = (i32::MIN / 2, alpha);
        for (number, &(_, choice)) in moves.iter().enumerate() {
            let mut next = board.clone();
            next.play(choice);
            let value = self.scouted(&next, player, depth - 1, low, beta, number == 0)?;
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// One game: whether Sentestrat won, by how many squares, seconds of both, and how deep the search
/// looked on average.
fn game(
    knowledge: &Knowledge,
    seed: Seed,
    sente: Player,
    budget: u64,
    cancel: &Cancel,
) -> Result<Vec<f64>, LabError> {
    let mut board = knowledge.board(seed)?;
    let mut strategy = Sentestrat {
        knowledge,
        ambient: None,
    };
    let mut scout = Scout {
        knowledge,
        nodes: 0,
        budget,
        depths: Vec::new(),
    };
    let mut seconds = [0.0; 2];
    let mut player = Player::FIRST;
    let (mut last, mut passed) = (None, false);
    loop {
        if cancel.is_cancelled() {
            return Err(LabError::Stopped);
        }
        let started = Instant::now();
        let choice = if player == sente {
            strategy.choose(&board, player, last)?
        } else {
            scout.choose(&board, player)
        };
        seconds[usize::from(player != sente)] += started.elapsed().as_secs_f64();
        match choice {
            Some(choice) => last = board.play(choice),
            // Nobody can move any more.
            None if passed => break,
            None => last = None,
        }
        passed = choice.is_none();
        player = player.other();
    }
    // Who passed first was to move when all was settled, and runs out of moves first if nobody is
    // ahead.
    let margin = sign(sente) * board.settled;
    let won = margin > 0 || (margin == 0 && player == sente);
    let depth: Moments = scout.depths.iter().copied().collect();
    let depth = Mean::new(&depth, CONFIDENCE).mean;
    Ok(vec![
        f64::from(u8::from(won)),
        f64::from(margin),
        seconds[0],
        seconds[1],
        depth,
    ])
}

const GAMES: &str = "games of Sentestrat";

pub(super) fn plan(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let boards = setting.scale.pick([50, 200]);
    let budget: u64 = setting.scale.pick([4_000, 40_000]);
    let (sides, largest) = setting.scale.pick([([4, 4], 13), ([4, 5], 14)]);
    let seed = Seed::new(setting.seed).split("tegos").split("boards");
    let shared: Arc<OnceLock<Knowledge>> = Arc::new(OnceLock::new());
    let cell = ExperimentCell::sample(GAMES, 2 * boards, move |item, cancel| {
        let knowledge = match shared.get() {
            Some(known) => known,
            None => {
                let fresh = Knowledge::new(sides, largest, cancel)?;
                shared.get_or_init(|| fresh)
            }
        };
        let sente = if item % 2 == 0 {
            Player::FIRST
        } else {
            Player::SECOND
        };
        game(
            knowledge,
            seed.number(item as u64 / 2),
            sente,
            budget,
            cancel,
        )
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    format!(
                        "{boards} random boards of four hot active areas of 10 to {largest} \
                         squares in {}x{}, each played with either colour; the ten of the thesis \
                         are lost",
                        sides[0], sides[1]
                    ),
                    format!(
                        "NegaScout: {budget} nodes a move, the {BEAM} best moves of every node, \
                         squares to whoever is nearer; the thesis: 40 seconds a move"
                    ),
                    "Black begins; a player who has no move in an active area moves in a territory"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            let mean = |column: usize| -> Result<Mean, LabError> {
                let figures: Moments = measured.column(GAMES, column)?.into_iter().collect();
                Ok(Mean::new(&figures, CONFIDENCE))
            };
            let (won, margin) = (mean(0)?, mean(1)?);
            let printed = |figure: f64| Some(Figure::Number(figure));
            let row = |name: &str, printed, mean: &Mean| {
                Row::compared(name, printed, Figure::Number(mean.mean)).within(mean.interval)
            };
            report.rows.push(row(
                "share of games that Sentestrat wins",
                printed(0.75),
                &won,
            ));
            report.rows.push(row(
                "squares that it is ahead a game",
                printed(2.1),
                &margin,
            ));
            report
                .rows
                .push(row("seconds of Sentestrat a game", None, &mean(2)?));
            report
                .rows
                .push(row("seconds of the search a game", None, &mean(3)?));
            report
                .rows
                .push(row("plies that the search completes", None, &mean(4)?));
            let text = |mean: &Mean| {
                format!(
                    "{:.3} ({:.3} to {:.3})",
                    mean.mean, mean.interval.low, mean.interval.high
                )
            };
            let above = |mean: &Mean, limit: f64| match () {
                () if mean.interval.low >= limit => Verdict::Held,
                () if mean.interval.high < limit => Verdict::Failed,
                () => Verdict::Undecided,
            };
            report.relation(
                "Sentestrat wins at least 65% of the games",
                above(&won, 0.65),
                text(&won),
            );
            report.relation("It is ahead on average", above(&margin, 0.0), text(&margin));
            let (sente, search) = (mean(2)?.mean, mean(3)?.mean);
            report.relation(
                "It takes less time",
                Verdict::of(sente < search),
                format!("{sente:.4} s against {search:.3} s a game"),
            );
            Ok(report)
        }),
    })
}
