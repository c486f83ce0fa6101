//! Growing a book: moves are ranked by an engine, those of one position by several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabia_game::{Cancel, Limits, Player, Seed, Turn};

use super::methods::Plan;
use super::{
    Book, BookError, BookValue, Correction, GrowthMethod, Header, NextMove, NodeId, Searched,
    Waiting,
};
use crate::{AnyEngine, AnyGame, CatalogError, Session};

/// What growing is told.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Where it grows.
    pub method: GrowthMethod,
    /// How many nodes there are to be.
    pub nodes: usize,
    /// At and below which node.
    pub from: NodeId,
}

/// A game, and the engines that value its positions.
pub struct Builder {
    game: Box<dyn AnyGame>,
    engines: Vec<AnyEngine>,
    header: Header,
    cancel: Cancel,
}

/// The node whose next best move is added with that of a leaf.
fn beside(book: &Book, growth: &Growth, leaf: NodeId) -> Option<NodeId> {
    let deviates = growth.method.adds_deviations() && leaf != growth.from;
    book.nodes()[leaf].parent.filter(|_| deviates)
}

/// The node that was to get a move with the last expansion, for which there was no room: the last
/// node is then the only child of the leaf that was expanded.
fn owed(book: &Book, growth: &Growth) -> Option<NodeId> {
    let last = book.nodes().len() - 1;
    let leaf = book.nodes()[last].parent?;
    let is_only = book.tree()[leaf].children.len() == 1;
    beside(book, growth, leaf).filter(|_| is_only)
}

/// The value for the first player of what a player expects.
fn worth(value: f64, mover: Player) -> BookValue {
    let value = (value.clamp(-1.0, 1.0) * 1e6).round() as BookValue;
    if mover == Player::FIRST {
        value
    } else {
        -value
    }
}

fn mover(session: &dyn Session) -> Option<u8> {
    match session.turn() {
        Turn::Player(player) => Some(player.0),
        _ => None,
    }
}

impl Builder {
    /// Makes what a book asks for, with this many threads; `game` is what its header names.
    pub fn new(
        game: Box<dyn AnyGame>,
        header: &Header,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Builder, BookError> {
        let traits = game.traits();
        if traits.players != 2 || traits.chance || traits.hidden {
            return Err(BookError::Request(format!(
                "{} has no books: they are for two players, without chance and with nothing hidden",
                header.game
            )));
        }
        if header.depth == 0 || header.breadth == 0 {
            return Err(BookError::Request(
                "depth and breadth of a book are at least 1".to_string(),
            ));
        }
        let engine = |_| game.engine(&header.engine);
        let engines = (0..threads.max(1)).map(engine).collect::<Result<_, _>>()?;
        Ok(Builder {
            engines,
            game,
            header: header.clone(),
            cancel: cancel.clone(),
        })
    }

    /// A book of the root alone, which is valued.
    pub fn begin(&mut self) -> Result<Book, BookError> {
        let session = self.game.session(self.header.position.as_deref())?;
        let value = match mover(&*session) {
            Some(_) => {
                let job = Job::of(&*self.game, &self.header, &self.cancel);
                job.value(&mut self.engines[0], &[], 0)?.value
            }
            None => payoff(&*session, self.game.traits().max_payoff),
        };
        Ok(Book::new(self.header.clone(), mover(&*session), value))
    }

    /// Grows a book until it has this many nodes, everything is in it, or it is cancelled; `tell`
    /// is called with the number of nodes after every step and says whether to go on.
    pub fn grow(
        &mut self,
        book: &mut Book,
        growth: &Growth,
        mut tell: impl FnMut(&Book) -> bool,
    ) -> Result<(), BookError> {
        let wanted = |book: &Book| book.nodes().len() < growth.nodes;
        if wanted(book)
            && let Some(parent) = owed(book, growth)
        {
            self.add_next(book, parent)?;
        }
        let mut plan = Plan::new(growth.method, book, growth.from);
        while wanted(book) && !self.cancel.is_cancelled() {
            let Some(target) = plan.target(book) else {
                break;
            };
            match target {
                NextMove::Deviate(id) => {
                    self.add_next(book, id)?;
                    plan.update(book, id);
                }
                NextMove::Expand(leaf) => {
                    self.add_next(book, leaf)?;
                    plan.update(book, leaf);
                    if wanted(book)
                        && let Some(parent) = beside(book, growth, leaf)
                    {
                        self.add_next(book, parent)?;
                        plan.update(book, parent);
                    }
                }
            }
            if !tell(book) {
                break;
            }
        }
        Ok(())
    }

    /// Adds the best move of a node that is not in the book; nothing if there is none.
    pub fn add_next(&mut self, book: &mut Book, id: NodeId) -> Result<Option<NodeId>, BookError> {
        let node = &book.nodes[id];
        if node.mover.is_none() {
            return Ok(None);
        }
        let empty = node.waiting.as_ref().is_none_or(Vec::is_empty);
        if node.waiting.is_none() || empty && node.unseen > 0 {
            self.rank(book, id)?;
        }
        let next = match &mut book.nodes[id].waiting {
            Some(waiting) if !waiting.is_empty() => waiting.remove(0),
            _ => {
                book.refresh(id);
                return Ok(None);
            }
        };
        Ok(Some(book.add(id, next)))
    }

    /// Adds a certain move of a node.
    pub fn add_move(&mut self, book: &mut Book, id: NodeId, mv: &str) -> Result<NodeId, BookError> {
        let mut session = self.session(book, id)?;
        session.play(mv)?;
        let mv = session.history().last().cloned().unwrap_or_default();
        book.nodes[id].struck.retain(|struck| *struck != mv);
        let children = &book.tree[id].children;
        if let Some(&known) = children.iter().find(|&&child| book.nodes[child].mv == mv) {
            return Ok(known);
        }
        let waiting = book.nodes[id].waiting.as_mut();
        let known = waiting.and_then(|waiting| {
            let at = waiting.iter().position(|waiting| waiting.mv == mv)?;
            Some(waiting.remove(at))
        });
        let found = match known {
            Some(found) => found,
            None => {
                // Ranked moves count as seen, others are one less to see.
                let node = &mut book.nodes[id];
                node.unseen = node.unseen.saturating_sub(1);
                let line: Vec<String> = book.line(id).iter().map(|mv| mv.to_string()).collect();
                let job = Job::of(&*self.game, &self.header, &self.cancel);
                let line: Vec<&str> = line
                    .iter()
                    .map(String::as_str)
                    .chain([mv.as_str()])
                    .collect();
                job.value(&mut self.engines[0], &line, line.len())?
            }
        };
        Ok(book.add(id, found))
    }

    fn session(&self, book: &Book, id: NodeId) -> Result<Box<dyn Session>, BookError> {
        let mut session = self.game.session(self.header.position.as_deref())?;
        for mv in book.line(id) {
            session.play(mv)?;
        }
        Ok(session)
    }

    /// Searches the most promising moves of a node that have not been searched.
    fn rank(&mut self, book: &mut Book, id: NodeId) -> Result<(), BookError> {
        let session = self.session(book, id)?;
        let node = &book.nodes[id];
        let children = book.tree[id]
            .children
            .iter()
            .map(|&child| book.nodes[child].mv.as_str());
        let known: Vec<&str> = children
            .chain(node.struck.iter().map(String::as_str))
            .collect();
        let mut moves = session.estimates(&self.engines[0])?;
        moves.retain(|(mv, _)| !known.contains(&mv.as_str()));
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        let unseen = moves.len().saturating_sub(self.header.breadth);
        moves.truncate(self.header.breadth);
        let mut found = self.search(&book.line(id), &moves)?;
        found.sort_by_key(|waiting| -book.seen(id, waiting.value));
        book.nodes[id].waiting = Some(found);
        book.nodes[id].unseen = unseen;
        Ok(())
    }

    /// Values the positions after some moves, each by itself, in their order.
    fn search(
        &mut self,
        line: &[&str],
        moves: &[(String, f64)],
    ) -> Result<Vec<Waiting>, BookError> {
        let job = Job::of(&*self.game, &self.header, &self.cancel);
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, Result<Waiting, BookError>)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for engine in &mut self.engines {
                let (job, next, found) = (&job, &next, &found);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some((mv, _)) = moves.get(number) else {
                            return;
                        };
                        let line: Vec<&str> = line.iter().copied().chain([mv.as_str()]).collect();
                        let answer = job.value(engine, &line, line.len());
                        if let Ok(mut found) = found.lock() {
                            found.push((number, answer));
                        }
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap_or_default();
        found.sort_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, answer)| answer).collect()
    }
}

fn payoff(session: &dyn Session, most: i32) -> BookValue {
    let ending = session.ending();
    let first = ending.and_then(|ending| ending.payoffs.first().copied());
    worth(
        f64::from(first.unwrap_or(0)) / f64::from(most.max(1)),
        Player::FIRST,
    )
}

/// How positions are valued.
struct Job<'a> {
    game: &'a dyn AnyGame,
    header: &'a Header,
    cancel: &'a Cancel,
}

impl<'a> Job<'a> {
    fn of(game: &'a dyn AnyGame, header: &'a Header, cancel: &'a Cancel) -> Job<'a> {
        Job {
            game,
            header,
            cancel,
        }
    }

    /// The value of the position after a line, which is this many plies from the root.
    fn value(
        &self,
        engine: &mut AnyEngine,
        line: &[&str],
        level: usize,
    ) -> Result<Waiting, BookError> {
        let mut session = self.game.session(self.header.position.as_deref())?;
        for mv in line {
            session.play(mv)?;
        }
        let mv = line.last().map_or(String::new(), |mv| (*mv).to_string());
        let Turn::Player(player) = session.turn() else {
            return Ok(Waiting {
                mv,
                mover: None,
                search: None,
                value: payoff(&*session, self.game.traits().max_payoff),
            });
        };
        let (mut value, mut nodes, answer) =
            self.ask(engine, &*session, player, self.header.depth)?;
        let ends = level + answer.line.len();
        let open = !answer.solved && ends % 2 == 1;
        match self.header.correction {
            Correction::Amount(amount) if open && ends <= 9 => {
                let less = i64::from(amount) * (10 - ends as i64) / 10;
                value = (i64::from(value) - less).clamp(-999_999, 999_999) as BookValue;
            }
            Correction::Search if open => {
                for mv in &answer.line {
                    session.play(mv)?;
                }
                if let Turn::Player(player) = session.turn() {
                    let (further, more, _) = self.ask(engine, &*session, player, 1)?;
                    (value, nodes) = (further, nodes + more);
                }
            }
            _ => {}
        }
        Ok(Waiting {
            mv,
            mover: Some(player.0),
            search: Some(Searched {
                depth: self.header.depth,
                nodes,
                value,
            }),
            value,
        })
    }

    fn ask(
        &self,
        engine: &mut AnyEngine,
        session: &dyn Session,
        player: Player,
        depth: u32,
    ) -> Result<(BookValue, u64, crate::Answer), BookError> {
        // Nothing is remembered from one search to the next, so that values do not depend on
        // threads.
        engine.new_game(Seed::new(0));
        let limits = Limits {
            depth: Some(depth),
            cancel: self.cancel.clone(),
            ..Limits::default()
        };
        let answer = session.ask(engine, &limits)?;
        if self.cancel.is_cancelled() {
            return Err(BookError::Stopped);
        }
        let value = answer.value.ok_or_else(|| {
            BookError::Catalog(CatalogError::NotOffered(format!(
                "{} gives positions no value, which books need",
                engine.spec()
            )))
        })?;
        Ok((worth(value, player), answer.nodes, answer))
    }
}
