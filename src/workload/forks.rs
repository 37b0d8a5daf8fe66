//! Parents that fork a burst of children and wait until all of them have exited, as make and test runners do. A
//! child works a little in its parent's image, execs, does its work and exits. Plans are absolute: a parent whose
//! children take long begins its next burst at once.

use super::kinds::Values;
use super::{Effects, Fork, Size, Step, Stream, Wake, Waker};

/// Work of a parent before each fork, ns.
const FORK: u64 = 50_000;
/// Work of a child before it execs, ns.
const BEFORE_EXEC: u64 = 50_000;
/// How often a parent at load 0 looks whether the load has risen, ns.
const LOOK: u64 = 10_000_000;

#[derive(Clone, Debug)]
struct Parent {
    stream: Stream,
    /// When the present burst should have begun, ns.
    plan: u64,
    /// Children forked of the present burst, and those of them that still live.
    forked: u32,
    alive: u32,
    /// It is on its way to its next fork.
    forking: bool,
}

/// Parents first, then their children, burst by burst.
#[derive(Clone, Debug)]
pub(super) struct Forks {
    parents: Vec<Parent>,
    burst: u32,
    exec: bool,
    work: u64,
    capacity: u64,
    /// Mean time from burst to burst, ns; `None` at load 0.
    gap: Option<u64>,
    /// Work after exec of each child, 0 once it is done.
    left: Vec<u64>,
    streams: Vec<Stream>,
    /// Children a run wants in all, held within what a workload may have.
    count: u64,
}

impl Forks {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let most = super::Workload::MAX_TASKS + 1;
        let wanted = match params.get("parents") {
            0 => u64::from(size.cpus),
            parents => parents,
        };
        let burst = params.get("burst");
        let count = wanted * burst;
        let (parents, children) = (wanted.min(most), count.min(most));
        let parents: Vec<Parent> = (0..parents)
            .map(|t| Parent { stream: Stream::new(seed, t), plan: 0, forked: 0, alive: 0, forking: false })
            .collect();
        let mut model = Self {
            burst: burst as u32,
            exec: params.get("exec") == 1,
            work: params.get("work"),
            capacity: size.capacity,
            gap: None,
            left: vec![0; children as usize],
            streams: (0..children).map(|t| Stream::new(seed, wanted + t)).collect(),
            count: wanted + count,
            parents,
        };
        model.set_load(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.count
    }

    /// Mean time between bursts so that all of them together offer `load` thousandths of the capacity.
    pub(super) fn set_load(&mut self, load: u32) {
        let offered = u128::from(load) * u128::from(self.capacity);
        let child = u128::from(self.work + FORK + BEFORE_EXEC);
        let work = child * u128::from(self.burst) * self.parents.len() as u128 * 1_000 * 1_024;
        self.gap = work.checked_div(offered).map(|gap| gap as u64);
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        match (task as usize).checked_sub(self.parents.len()) {
            None => self.parent(task as usize, now, effects),
            Some(child) => self.child(child, effects),
        }
    }

    fn parent(&mut self, at: usize, now: u64, effects: &mut Effects) -> Step {
        let parents = self.parents.len();
        let parent = &mut self.parents[at];
        if parent.forking {
            let child = at * self.burst as usize + parent.forked as usize;
            let work = self.streams[child].exponential(self.work);
            let first = if self.exec { BEFORE_EXEC } else { BEFORE_EXEC + work };
            self.left[child] = if self.exec { work } else { 0 };
            effects.forks.push(Fork { task: (parents + child) as u32, work: first });
            parent.forked += 1;
            parent.alive += 1;
            if parent.forked < self.burst {
                return Step::Run(FORK);
            }
            parent.forking = false;
            return Step::Block;
        }
        if parent.alive > 0 {
            return Step::Block;
        }
        let Some(gap) = self.gap else {
            parent.plan = now;
            return Step::SleepUntil(now + LOOK);
        };
        if parent.forked == self.burst || parent.plan == 0 {
            let first = parent.plan == 0;
            parent.forked = 0;
            parent.plan += if first {
                parent.stream.uniform(1, gap.max(1))
            } else {
                parent.stream.uniform(gap / 2, gap / 2 + gap)
            };
            if parent.plan > now {
                return Step::SleepUntil(parent.plan);
            }
        }
        parent.forked = 0;
        parent.forking = true;
        Step::Run(FORK)
    }

    fn child(&mut self, child: usize, effects: &mut Effects) -> Step {
        let Some(parent) = self.parents.get_mut(child / self.burst as usize) else { return Step::Exit };
        if parent.alive == 0 {
            // At the start: nobody has forked it.
            return Step::Exit;
        }
        let left = std::mem::take(&mut self.left[child]);
        if left > 0 {
            return Step::Exec(left);
        }
        effects.done += 1;
        parent.alive -= 1;
        if parent.alive == 0 && !parent.forking {
            let task = (child / self.burst as usize) as u32;
            effects.wake.push(Wake { task, waker: Waker::Task { sync: false } });
        }
        Step::Exit
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.gap.unwrap_or(u64::MAX));
        for parent in &self.parents {
            sink(parent.stream.draws());
            sink(parent.plan);
            sink(u64::from(parent.forked) << 32 | u64::from(parent.alive));
            sink(u64::from(parent.forking));
        }
        self.left.iter().for_each(|&left| sink(left));
        self.streams.iter().for_each(|stream| sink(stream.draws()));
    }
}
