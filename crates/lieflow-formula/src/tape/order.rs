//! In which order steps are taken.
//!
//! The order of the graph is a poor one: derivatives come long after what they derive, and what
//! belongs together stands apart.
use super::fuse::Step;
use crate::graph::{Id, Table};
use lieflow_kernel::tape::{Code, LONGEST_ROW};
use std::collections::BinaryHeap;

/// Which step makes a node.
fn makers(steps: &[Step]) -> Table<usize> {
    let mut maker = Table::default();
    for (k, step) in steps.iter().enumerate() {
        for id in step.to.iter().chain(&step.second) {
            maker.put(*id, k);
        }
    }
    maker
}

/// How long it takes from each step to the end, in units of an addition.
fn heights(steps: &[Step], maker: &Table<usize>) -> Vec<u32> {
    let mut height = vec![0u32; steps.len()];
    for (k, step) in steps.iter().enumerate().rev() {
        height[k] += match step.code {
            Code::SinCos | Code::Exp | Code::Ln | Code::Atan2 => 12,
            Code::Sinh | Code::Cosh | Code::Tanh => 15,
            Code::Div | Code::Sqrt => 5,
            Code::Dot3 | Code::CrossAdd | Code::Dot2Add => 4,
            _ => 3,
        };
        for operand in step.from().iter().filter_map(|x| maker.get(*x)) {
            height[operand] = height[operand].max(height[k]);
        }
    }
    height
}

/// First what most has to wait for: neighbours are then independent, so that a processor works on
/// several at a time. A ten-term torque took 137 ns like this, and 153 in the order of the graph.
pub fn early(steps: &[Step]) -> Vec<Step> {
    let height = heights(steps, &makers(steps));
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(|k| std::cmp::Reverse(height[*k]));
    order.into_iter().map(|k| steps[k]).collect()
}

/// Equal codes side by side, so that [rows](Code::row) of them are decoded at once. A code waits until
/// all of its steps can be taken, where others can go on meanwhile. Functions that take long come early,
/// one after the other, and before them what they need.
pub fn rows(steps: &[Step]) -> Vec<Step> {
    let maker = makers(steps);
    let height = heights(steps, &maker);
    // Needed by a function that takes long: 2; such a function: 1.
    let mut rank = vec![0u8; steps.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    let mut missing = vec![0usize; steps.len()];
    for (k, step) in steps.iter().enumerate().rev() {
        let long = slow(step.code);
        let mut operands: Vec<usize> = step.from().iter().filter_map(|x| maker.get(*x)).collect();
        operands.sort_unstable();
        operands.dedup();
        missing[k] = operands.len();
        for operand in operands {
            users[operand].push(k);
            if long || rank[k] > 0 {
                rank[operand] = 2;
            }
        }
        if long {
            rank[k] = 1;
        }
    }
    // Of each code: how many steps are left, and those that can be taken.
    let mut codes: Vec<(Code, usize, BinaryHeap<Ready>)> = Vec::new();
    let mut of = Vec::with_capacity(steps.len());
    for step in steps {
        let found = codes.iter().position(|(code, ..)| *code == step.code);
        let at = found.unwrap_or_else(|| {
            codes.push((step.code, 0, BinaryHeap::new()));
            codes.len() - 1
        });
        codes[at].1 += 1;
        of.push(at);
    }
    // Of equal ones the first, as heaps give the greatest.
    let ready = |k: usize| (rank[k], height[k], std::cmp::Reverse(k));
    for k in (0..steps.len()).filter(|k| missing[*k] == 0) {
        codes[of[k]].2.push(ready(k));
    }
    let mut order = Vec::with_capacity(steps.len());
    loop {
        let next = codes.iter().enumerate().filter_map(|(at, (_, left, heap))| {
            let (rank, height, first) = *heap.peek()?;
            Some((rank, heap.len() == *left, height, first, at))
        });
        let Some((.., at)) = next.max() else { return order };
        let longest = if codes[at].0.row(2).is_some() { LONGEST_ROW } else { 1 };
        for _ in 0..longest {
            let Some((.., std::cmp::Reverse(k))) = codes[at].2.pop() else { break };
            codes[at].1 -= 1;
            order.push(steps[k]);
            for user in &users[k] {
                missing[*user] -= 1;
                if missing[*user] == 0 {
                    codes[of[*user]].2.push(ready(*user));
                }
            }
        }
    }
}

/// A step that can be taken: its rank, its height and its number.
type Ready = (u8, u32, std::cmp::Reverse<usize>);

/// Whether a step takes much longer than a few sums and products.
fn slow(code: Code) -> bool {
    use Code::*;
    matches!(code, SinCos | Exp | Ln | Atan2 | Sinh | Cosh | Tanh | Div | Sqrt)
}

/// Few numbers wait: each step stands right before the first that needs it, and of several operands
/// the one that needs most registers comes first (Sethi and Ullman 1970, as if the graph were a
/// tree).
pub fn dense(steps: &[Step], outputs: &[Id]) -> Vec<Step> {
    let maker = makers(steps);
    let mut operands: Vec<Vec<usize>> = Vec::with_capacity(steps.len());
    let mut needs: Vec<usize> = Vec::with_capacity(steps.len());
    for step in steps {
        let mut list: Vec<usize> = step.from().iter().filter_map(|x| maker.get(*x)).collect();
        list.sort_unstable_by_key(|k| std::cmp::Reverse(needs[*k]));
        list.dedup();
        // While the later ones are computed, the earlier results wait.
        let most = list.iter().enumerate().map(|(waiting, k)| needs[*k] + waiting).max();
        needs.push(most.unwrap_or(0).max(1));
        operands.push(list);
    }
    let mut done = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    for output in outputs.iter().filter_map(|x| maker.get(*x)) {
        let mut stack = vec![(output, 0)];
        while let Some((k, next)) = stack.pop() {
            if done[k] {
                continue;
            }
            match operands[k].get(next) {
                Some(operand) => {
                    stack.push((k, next + 1));
                    stack.push((*operand, 0));
                }
                None => {
                    done[k] = true;
                    order.push(steps[k]);
                }
            }
        }
    }
    order
}
