//! A tree as a flat program for a small stack.

use super::ast::{Binary, Node};
use super::{Input, Inputs};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Number(i64),
    Input(Input),
    Not,
    Negative,
    Binary(Binary),
    /// The value as 0 or 1.
    Truth,
    /// Drops the value; if it is 0, goes on there.
    IfZero(u16),
    /// If the value is 0, keeps it and goes on there; otherwise drops it.
    AndElse(u16),
    /// If the value is not 0, keeps 1 and goes on there; otherwise drops it.
    OrElse(u16),
    Jump(u16),
}

/// Deepest stack. Each level of nesting keeps at most four values (of a comparison, a sum, a product and a
/// function) while the next is worked out, and one more is the result.
const STACK: usize = 4 * (super::parse::DEEPEST as usize + 1) + 1;

/// Jumps lead forward only, so a run has no more steps than the program has operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    ops: Vec<Op>,
}

impl Program {
    pub(super) fn compile(node: &Node) -> Self {
        let mut program = Self { ops: Vec::new() };
        program.emit(node);
        program
    }

    fn emit(&mut self, node: &Node) {
        match node {
            Node::Number(value, _) => self.ops.push(Op::Number(*value)),
            Node::Input(input) => self.ops.push(Op::Input(*input)),
            Node::Not(a) => {
                self.emit(a);
                self.ops.push(Op::Not);
            }
            Node::Negative(a) => {
                self.emit(a);
                self.ops.push(Op::Negative);
            }
            Node::Binary(op @ (Binary::And | Binary::Or), a, b, _) => {
                let jump = if *op == Binary::And { Op::AndElse } else { Op::OrElse };
                self.emit(a);
                let from = self.hole();
                self.emit(b);
                self.ops.push(Op::Truth);
                self.fill(from, jump);
            }
            Node::Binary(op, a, b, _) => {
                self.emit(a);
                self.emit(b);
                self.ops.push(Op::Binary(*op));
            }
            Node::If(parts) => {
                self.emit(&parts[0]);
                let to_other = self.hole();
                self.emit(&parts[1]);
                let to_end = self.hole();
                self.fill(to_other, Op::IfZero);
                self.emit(&parts[2]);
                self.fill(to_end, Op::Jump);
            }
        }
    }

    /// Leaves a place for a jump.
    fn hole(&mut self) -> usize {
        self.ops.push(Op::Jump(0));
        self.ops.len() - 1
    }

    /// Fills it with a jump to here. An expression has fewer operations than characters, so they fit.
    fn fill(&mut self, hole: usize, jump: fn(u16) -> Op) {
        self.ops[hole] = jump(self.ops.len() as u16);
    }

    /// The value; `None` if it divided by 0.
    pub(super) fn run(&self, inputs: &Inputs) -> Option<i64> {
        let mut stack = [0_i64; STACK];
        // The place above the topmost value.
        let mut top = 0;
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match *op {
                Op::Number(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Op::Input(input) => {
                    stack[top] = inputs.get(input);
                    top += 1;
                }
                Op::Not => stack[top - 1] = i64::from(stack[top - 1] == 0),
                Op::Negative => stack[top - 1] = stack[top - 1].saturating_neg(),
                Op::Truth => stack[top - 1] = i64::from(stack[top - 1] != 0),
                Op::Binary(op) => {
                    top -= 1;
                    stack[top - 1] = op.apply(stack[top - 1], stack[top])?;
                }
                Op::IfZero(to) => {
                    top -= 1;
                    if stack[top] == 0 {
                        at = usize::from(to);
                    }
                }
                Op::AndElse(to) if stack[top - 1] == 0 => at = usize::from(to),
                Op::OrElse(to) if stack[top - 1] != 0 => {
                    stack[top - 1] = 1;
                    at = usize::from(to);
                }
                Op::AndElse(_) | Op::OrElse(_) => top -= 1,
                Op::Jump(to) => at = usize::from(to),
            }
        }
        Some(stack[0])
    }
}
