//! Work on several threads, compiled once.
//!
//! Algorithms are compiled for every game, and with them whatever they call with a closure of their
//! own: the machinery of threads was a quarter of the whole program. Here closures are called
//! through `dyn`, once for a large piece of work, which costs nothing and leaves one copy of that
//! machinery.

use std::sync::Mutex;

use rayon::ThreadPool;
use rayon::prelude::*;

/// What a thread does.
pub type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does `here` on this thread and every job on one of its own, until all are done. A panic of any
/// of them is passed on.
pub fn beside(here: &mut dyn FnMut(), jobs: Vec<Job<'_>>) {
    std::thread::scope(|scope| {
        let threads: Vec<_> = jobs.into_iter().map(|job| scope.spawn(job)).collect();
        here();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Does the jobs on a thread each with a stack of this many bytes, until all are done; how many
/// threads were to be had, in order from the first job on. A panic of any of them is passed on.
pub fn with_stack(bytes: usize, jobs: Vec<Job<'_>>) -> usize {
    std::thread::scope(|scope| {
        let begin = |job| {
            let builder = std::thread::Builder::new().stack_size(bytes);
            builder.spawn_scoped(scope, job).ok()
        };
        let threads: Vec<_> = jobs.into_iter().map_while(begin).collect();
        let begun = threads.len();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        begun
    })
}

/// Runs `work` on a stack of this many bytes, for recursions that may go very deep. Memory of a stack
/// that is not used is not taken.
pub fn on_a_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut result) = (Some(work), None);
    let run: Job<'_> = Box::new(|| result = work.take().map(|work| work()));
    with_stack(bytes, vec![run]);
    match (result, work) {
        (Some(result), _) => result,
        // No thread was to be had; the stack at hand must do.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was begun has a result"),
    }
}

/// Drops something that takes about this many bytes. What is large is dropped on a thread of its
/// own: to give the memory of a large tree back takes a tenth of the time that it took to grow it,
/// and an engine has to answer first.
pub fn drop_aside<T: Send + 'static>(value: T, bytes: u64) {
    const LARGE: u64 = 4 << 20;
    if bytes >= LARGE {
        // Where there is no thread to be had, the value is dropped here.
        let _ = std::thread::Builder::new().spawn(move || drop(value));
    }
}

/// A pool of this many threads, if they are to be had.
pub fn pool(threads: usize) -> Option<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
    pool.build().ok()
}

/// Does something with the threads of a pool.
pub fn within<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut result) = (Some(work), None);
    let run: &mut (dyn FnMut() + Send) = &mut || result = work.take().map(|work| work());
    pool.install(run);
    result.expect("the work was done or has panicked")
}

/// Calls `work` with all numbers below `count`, on the threads of the current pool.
pub fn each(count: u64, work: &(dyn Fn(u64) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// The same until one fails; which failure is told of depends on the threads.
pub fn try_each<E: Send>(
    count: u64,
    work: &(dyn Fn(u64) -> Result<(), E> + Sync),
) -> Result<(), E> {
    (0..count).into_par_iter().try_for_each(work)
}

/// Calls `work` with all items, and with their places, on the threads of the current pool.
pub fn each_mut<T: Send>(items: &mut [T], work: &(dyn Fn(usize, &mut T) + Sync)) {
    let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
    each(items.len() as u64, &|place| {
        // Nobody else asks for this place, so it is neither held nor poisoned.
        if let Ok(mut item) = items[place as usize].lock() {
            work(place as usize, &mut item);
        }
    });
}

/// What `work` makes of all numbers below `count`, in their order, on the threads of the current
/// pool.
pub fn map<T: Send>(count: u64, work: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    each_mut(&mut results, &|place, result| {
        *result = Some(work(place as u64));
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn everything_is_done_once_and_in_order() {
        assert_eq!(
            map(1000, &|n| n * n),
            (0..1000).map(|n| n * n).collect::<Vec<_>>()
        );
        let mut items = vec![1u64; 100];
        within(&pool(3).unwrap(), || {
            each_mut(&mut items, &|place, item| *item += place as u64);
        });
        assert!(items.iter().zip(1..).all(|(&item, place)| item == place));
        let sum = AtomicU64::new(0);
        each(10, &|n| {
            sum.fetch_add(n, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 45);
        assert_eq!(
            try_each(10, &|n| if n == 7 { Err(n) } else { Ok(()) }),
            Err(7)
        );
    }

    #[test]
    fn jobs_run_beside_each_other() {
        let mut results = [0; 3];
        let mut own = 0;
        beside(&mut || own = 9, numbered_jobs(&mut results));
        assert_eq!((own, results), (9, [1, 2, 3]));
        let mut results = [0; 3];
        assert_eq!(with_stack(1 << 20, numbered_jobs(&mut results)), 3);
        assert_eq!(results, [1, 2, 3]);
    }

    fn numbered_jobs(results: &mut [i32]) -> Vec<Job<'_>> {
        let numbered = results.iter_mut().zip(1..);
        numbered
            .map(|(result, n)| Box::new(move || *result = n) as Job<'_>)
            .collect()
    }

    #[test]
    #[should_panic(expected = "of a helper")]
    fn panics_are_passed_on() {
        beside(&mut || {}, vec![Box::new(|| panic!("of a helper"))]);
    }
}
