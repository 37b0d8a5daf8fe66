//! The one runner of experiments: many independent runs on some threads, with a progress bar.

use balancescope::engine::World;
use balancescope::host::Report;
use balancescope::scenario::Scenario;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Most threads.
const MOST_JOBS: usize = 1_024;

/// Reads `--jobs`: a number of threads, by default one for every CPU of this machine. The error is one sentence.
pub fn jobs(text: Option<&str>) -> Result<usize, String> {
    let Some(text) = text else {
        return Ok(std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST_JOBS)));
    };
    let read = text.parse().ok().filter(|jobs| (1..=MOST_JOBS).contains(jobs));
    read.ok_or_else(|| format!("--jobs {text:?} is no number of threads from 1 to {MOST_JOBS}."))
}

/// Runs a scenario from its start for that long, ns. Its report has no wall time, so it is the same on every
/// machine. The error is one sentence.
pub fn simulate(scenario: &Scenario, for_ns: u64) -> Result<Report, String> {
    let mut world = World::new(scenario)?;
    world.run_until(for_ns);
    Ok(Report::of(scenario.fragment(), &world, None))
}

/// Does items 0 to `count` on `jobs` threads, each once, and hands each result to `done` on this thread as soon
/// as it is there, so in no fixed order. An error of `done` ends the work and comes back.
pub fn run_all<T: Send>(
    count: usize,
    jobs: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T) -> Result<(), String>,
) -> Result<(), String> {
    let bar = bar(count);
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::sync_channel(jobs);
    let result = std::thread::scope(|scope| {
        for _ in 0..jobs.min(count) {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    // A receiver that is gone wants no more.
                    if i >= count || send.send((i, work(i))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (i, result) in receive {
            done(i, result)?;
            bar.inc(1);
        }
        Ok(())
    });
    bar.finish_and_clear();
    result
}

/// It stays hidden where standard error is no terminal.
fn bar(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs {eta}");
    ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once() {
        for jobs in [1, 3, 8] {
            let mut seen = vec![0; 100];
            run_all(
                seen.len(),
                jobs,
                |i| i * i,
                |i, square| {
                    assert_eq!(square, i * i);
                    seen[i] += 1;
                    Ok(())
                },
            )
            .unwrap();
            assert!(seen.iter().all(|&n| n == 1), "{seen:?}");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut left = 3;
        let end = run_all(
            1_000,
            2,
            |i| i,
            |_, _| {
                left -= 1;
                if left == 0 { Err("full".to_owned()) } else { Ok(()) }
            },
        );
        assert_eq!((end, left), (Err("full".to_owned()), 0));
    }

    #[test]
    fn threads_are_counted_within_bounds() {
        assert_eq!(jobs(Some("2")), Ok(2));
        for text in ["0", "-1", "x", "", "1025", "99999999999999999999"] {
            assert!(jobs(Some(text)).is_err(), "{text}");
        }
    }
}
