//! Some trajectories of an ensemble, read from its files.
use std::io::{self, BufRead};

/// Trajectories that are drawn one by one.
const SCATTERED: u64 = 2500;
/// Trajectories whose path is drawn.
const FANNED: u64 = 60;
/// Failures that are drawn.
const FAILED: usize = 2000;

/// Numbers of some trajectories, evenly chosen by their index.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Names of the varied numbers.
    pub(super) inputs: Vec<String>,
    /// Names of the observables.
    pub(super) observables: Vec<String>,
    /// The varied numbers of each, then the observables at the end.
    pub(super) last: Vec<Vec<f64>>,
    /// For fewer trajectories, the times and observables on the way.
    pub(super) paths: Vec<(u64, Vec<(f64, Vec<f64>)>)>,
    /// The varied numbers of trajectories that failed, and when.
    pub(super) failed: Vec<Vec<f64>>,
}

impl Rows {
    /// Of so many trajectories, those whose index is a multiple of the first are drawn one by one, and of the second
    /// with their paths.
    pub fn strides(count: u64) -> [u64; 2] {
        [SCATTERED, FANNED].map(|most| count.div_ceil(most).max(1))
    }

    /// Reads `final.csv`, `observed.csv` and `failures.csv` of `count` trajectories, with so many varied
    /// numbers each; lines that are no rows are passed over.
    pub fn read(
        count: u64,
        inputs: usize,
        last: impl BufRead,
        observed: impl BufRead,
        failures: impl BufRead,
    ) -> io::Result<Self> {
        let mut rows = Self::default();
        let mut lines = last.lines();
        let head = lines.next().transpose()?.unwrap_or_default();
        let heads: Vec<String> = head.split(',').map(String::from).collect();
        if heads.len() < inputs + 2 {
            return Ok(rows);
        }
        // index, the varied numbers, t, the observables
        rows.inputs = heads[1..=inputs].to_vec();
        rows.observables = heads[inputs + 2..].to_vec();
        let [every, fan] = Self::strides(count);
        let mut ends = Vec::new();
        let mut words = Words(vec![Vec::new(); inputs]);
        for line in lines {
            let line = line?;
            let Some((index, rest)) = split(&line) else { continue };
            if !index.is_multiple_of(every) && !index.is_multiple_of(fan) {
                continue;
            }
            let numbers = words.numbers(rest);
            if numbers.len() != heads.len() - 1 {
                continue;
            }
            let (t, values) = (numbers[inputs], numbers[inputs + 1..].to_vec());
            if index.is_multiple_of(every) {
                rows.last.push([&numbers[..inputs], &values].concat());
            }
            if index.is_multiple_of(fan) {
                ends.push((index, t, values));
            }
        }
        for line in observed.lines().skip(1) {
            let line = line?;
            let Some((index, rest)) = split(&line).filter(|(index, _)| index.is_multiple_of(fan))
            else {
                continue;
            };
            let numbers = numbers(rest);
            let Some((t, values)) = numbers.split_first() else { continue };
            match rows.paths.last_mut().filter(|(last, _)| *last == index) {
                Some((_, path)) => path.push((*t, values.to_vec())),
                None => rows.paths.push((index, vec![(*t, values.to_vec())])),
            }
        }
        for (index, t, values) in ends {
            if let Some((_, path)) = rows.paths.iter_mut().find(|(known, _)| *known == index) {
                path.push((t, values));
            }
        }
        for line in failures.lines().skip(1).take(FAILED) {
            let line = line?;
            let Some((_, rest)) = split(&line) else { continue };
            // Behind the numbers stands the reason, in which there may be commas.
            let mut numbers = words.numbers(rest);
            numbers.truncate(inputs + 1);
            if numbers.len() == inputs + 1 && numbers.iter().all(|x| !x.is_nan()) {
                rows.failed.push(numbers);
            }
        }
        for (name, words) in rows.inputs.iter_mut().zip(&words.0).filter(|(_, w)| !w.is_empty()) {
            let legend = words.iter().enumerate().map(|(place, word)| format!("{place} = {word}"));
            *name += &format!(" ({})", legend.collect::<Vec<_>>().join(", "));
        }
        rows.add_tilt();
        Ok(rows)
    }

    /// How far the third axis is from the vertical, which quaternions hide.
    fn add_tilt(&mut self) {
        let place = |name: &str| self.observables.iter().position(|known| known == name);
        let (Some(x), Some(y)) = (place("qx"), place("qy")) else { return };
        let tilt = |values: &[f64]| {
            (1.0 - 2.0 * (values[x].powi(2) + values[y].powi(2)))
                .clamp(-1.0, 1.0)
                .acos()
                .to_degrees()
        };
        let inputs = self.inputs.len();
        for row in &mut self.last {
            row.push(tilt(&row[inputs..]));
        }
        for (_, values) in self.paths.iter_mut().flat_map(|(_, path)| path) {
            values.push(tilt(values));
        }
        self.observables.push("tilt in degrees".into());
    }

    /// A column: a varied number or, after those, an observable at the end.
    pub(super) fn column(&self, k: usize) -> Vec<f64> {
        self.last.iter().map(|row| row[k]).collect()
    }
}

fn split(line: &str) -> Option<(u64, &str)> {
    let (index, rest) = line.split_once(',')?;
    Some((index.parse().ok()?, rest))
}

/// The words of each varied key, such as methods, in the order in which they come: for drawing, each
/// stands for its place.
struct Words(Vec<Vec<String>>);

impl Words {
    /// The numbers of a row that begins with what varies.
    fn numbers(&mut self, line: &str) -> Vec<f64> {
        let mut row = numbers(line);
        for ((x, cell), words) in row.iter_mut().zip(line.split(',')).zip(&mut self.0) {
            if x.is_nan() && cell != "NaN" {
                let known = words.iter().position(|word| word == cell);
                *x = known.unwrap_or(words.len()) as f64;
                if known.is_none() {
                    words.push(cell.into());
                }
            }
        }
        row
    }
}

fn numbers(line: &str) -> Vec<f64> {
    line.split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_give_rows_paths_and_failures() {
        let last = "index,a,t,x\n0,1.5,2.0,7.0\n2,2.5,2.0,9.0\n";
        let observed = "index,t,x\n0,1.0,3.0\n2,1.0,4.0\n";
        let failures = "index,a,t,reason\n1,0.5,0.25,\"no, it fails\"\n";
        let rows = Rows::read(3, 1, last.as_bytes(), observed.as_bytes(), failures.as_bytes());
        let rows = rows.unwrap();
        assert_eq!(rows.column(0), [1.5, 2.5]);
        assert_eq!(rows.column(1), [7.0, 9.0]);
        assert_eq!(rows.paths[1], (2, vec![(1.0, vec![4.0]), (2.0, vec![9.0])]));
        assert_eq!(rows.failed, [[0.5, 0.25]]);
    }
}
