//! A policy of the user's own: a short expression over what the new-idle gate reads, such as
//! `overload and avg_idle >= migration_cost * nr_busy / llc_cpus`.
//!
//! It is read once into a flat program of integers ([`program`]) and evaluated without allocation, in bounded
//! time: programs only jump forward. Arithmetic is on 64-bit integers and stops at their ends; true is 1 and
//! false is 0, and any other number than 0 counts as true. `and`, `or` and `if(c, a, b)` look only at what they
//! need. A division by a constant 0 is refused when the expression is read; a division by 0 while running makes
//! the whole expression fail, and a policy that fails refuses the pass and is counted.

mod ast;
mod parse;
mod program;
mod token;

use super::why::{Condition, Op, Why, note};
use program::Program;
use std::sync::Arc;

/// Longest expression, in characters.
pub const LONGEST: usize = 400;

/// Why an expression cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    /// The character it is about, from 1.
    pub column: usize,
    /// What is wrong there, without the column.
    pub what: String,
}

impl std::fmt::Display for PolicyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at column {} {}", self.column, self.what)
    }
}

/// What an expression may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(u8)]
pub enum Input {
    AvgIdle,
    Overload,
    MigrationCost,
    MaxCost,
    CurrCost,
    NrRunning,
    Util,
    SuccessRatio,
    Level,
    Cpus,
    NrBusy,
    LlcCpus,
}

impl Input {
    /// All, each with its name and what it is.
    pub const ALL: [(Self, &'static str, &'static str); 12] = [
        (Self::AvgIdle, "avg_idle", "ns the CPU expects to be idle"),
        (Self::Overload, "overload", "1 if the root domain is overloaded, else 0"),
        (
            Self::MigrationCost,
            "migration_cost",
            "sysctl_sched_migration_cost, ns; -1 (always hot) is 4294967295",
        ),
        (Self::MaxCost, "max_newidle_lb_cost", "of this domain; at the gate of the lowest one, ns"),
        (Self::CurrCost, "curr_cost", "what lower domains of this pass have cost, ns; 0 at the gate"),
        (Self::NrRunning, "nr_running", "tasks of this CPU's queue; 0 at the gate"),
        (Self::Util, "util", "util_avg of this CPU's queue as of its last update, of 1024"),
        (
            Self::SuccessRatio,
            "success_ratio",
            "calls of this domain that pulled a task, of 1024; 512 at first",
        ),
        (Self::Level, "level", "this domain's level, 0 for the lowest"),
        (Self::Cpus, "cpus", "CPUs of this domain"),
        (Self::NrBusy, "nr_busy", "nr_busy_cpus of this CPU's last-level cache"),
        (Self::LlcCpus, "llc_cpus", "CPUs of that cache"),
    ];

    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, own, _)| *own == name).map(|(input, _, _)| *input)
    }

    fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// The value of every input at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs([i64; Input::ALL.len()]);

impl Inputs {
    /// All 0.
    pub const NONE: Self = Self([0; Input::ALL.len()]);

    /// With this value of one input; what an `i64` cannot hold is held at its end.
    pub fn with(mut self, input: Input, value: u64) -> Self {
        self.0[input as usize] = i64::try_from(value).unwrap_or(i64::MAX);
        self
    }

    /// The value of an input.
    pub fn get(&self, input: Input) -> i64 {
        self.0[input as usize]
    }
}

/// A checked expression. Cloning it is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy(Arc<Compiled>);

#[derive(Debug, PartialEq, Eq)]
struct Compiled {
    /// In the canonical spelling.
    text: String,
    program: Program,
    /// Inputs that it reads, in their order.
    reads: Vec<Input>,
}

impl Policy {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let node = ast::folded(parse::parse(text)?)?;
        let mut reads = Vec::new();
        node.inputs(&mut reads);
        reads.sort_unstable_by_key(|input: &Input| *input as u8);
        reads.dedup();
        let program = Program::compile(&node);
        Ok(Self(Arc::new(Compiled { text: node.to_string(), program, reads })))
    }

    /// The expression in its one spelling: reading it gives an equal policy.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Whether it reads an input.
    pub fn reads(&self, input: Input) -> bool {
        self.0.reads.contains(&input)
    }

    /// Its value; `None` if it divided by 0.
    pub fn value(&self, inputs: &Inputs) -> Option<i64> {
        self.0.program.run(inputs)
    }

    /// Its answer, noted with the expression and the number of each input that it reads.
    pub(super) fn ask(&self, function: &'static str, inputs: &Inputs, why: &mut impl Why) -> Answer {
        let value = self.value(inputs);
        let answer = match value {
            None => Answer::DividedByZero,
            Some(0) => Answer::No,
            Some(_) => Answer::Yes,
        };
        note(why, || Condition {
            function,
            text: self.with_numbers(inputs, value).into(),
            left: value.unwrap_or(0),
            op: Op::Ne,
            right: 0,
            holds: answer == Answer::Yes,
        });
        answer
    }

    fn with_numbers(&self, inputs: &Inputs, value: Option<i64>) -> String {
        let mut text = self.text().to_owned();
        for (i, input) in self.0.reads.iter().enumerate() {
            let before = if i == 0 { " with " } else { ", " };
            text.push_str(&format!("{before}{} = {}", input.name(), inputs.get(*input)));
        }
        if value.is_none() {
            text.push_str(", which divides by 0");
        }
        text
    }
}

/// What a policy says to a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    DividedByZero,
}

#[cfg(test)]
mod tests;
