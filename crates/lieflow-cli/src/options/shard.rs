//! Which part of an ensemble a process computes: as typed, or as its launcher says.
use crate::error::Failure;

/// Launchers of several processes: the variables for the rank, counted from zero, and for the number
/// of processes.
const RANKS: [(&str, &[&str]); 3] = [
    ("OMPI_COMM_WORLD_RANK", &["OMPI_COMM_WORLD_SIZE"]),
    ("PMI_RANK", &["PMI_SIZE"]),
    ("SLURM_PROCID", &["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"]),
];

/// A part of an ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, counted from one.
    pub number: u64,
    /// Of how many.
    pub of: u64,
    /// The variables that said so, if it was not typed.
    pub told_by: Vec<String>,
}

impl Shard {
    /// `3/8`, `auto`, or `auto/8` for a job array that does not know its size. `variable` looks up the
    /// environment.
    pub fn read(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let environment = Environment(variable);
        let found = match text.split_once('/') {
            None if text == "auto" => return environment.shard(None),
            Some(("auto", n)) => match n.parse() {
                Ok(n) if n > 0 => return environment.shard(Some(n)),
                _ => None,
            },
            Some((k, n)) => k.parse().ok().zip(n.parse().ok()),
            None => None,
        };
        match found {
            Some((number, of)) if (1..=of).contains(&number) => {
                Ok(Self { number, of, told_by: Vec::new() })
            }
            _ => Err(wrong(
                format!("{text:?}"),
                "K/N with K from 1 to N, such as 3/8, or auto under a launcher or in a job array",
            )),
        }
    }

    /// The folder below `dir` for this part, so that all processes can be given the same one.
    pub fn folder(&self) -> String {
        format!("shard-{}-of-{}", self.number, self.of)
    }
}

fn wrong(found: String, expected: &str) -> Failure {
    Failure::Option { option: "--shard", found, expected: expected.into() }
}

/// What launchers say.
struct Environment<'a>(&'a dyn Fn(&str) -> Option<String>);

impl Environment<'_> {
    fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        let Some(text) = (self.0)(name) else { return Ok(None) };
        let expected = "a whole number there";
        text.trim().parse().map(Some).map_err(|_| wrong(format!("{name}={text:?}"), expected))
    }

    /// The first of these that is there.
    fn first(&self, names: &[&str]) -> Result<Option<u64>, Failure> {
        for name in names {
            if let Some(n) = self.number(name)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The part of this process: its place in the job array, times its rank in the job.
    fn shard(&self, size: Option<u64>) -> Result<Shard, Failure> {
        let mut told_by = Vec::new();
        let (mut place, mut of) = (0, 1);
        for (k, n, name) in self.array(size)?.into_iter().chain(self.rank()?) {
            if k >= n {
                let found = format!("{name} = {k}, counted from zero, of {n}");
                return Err(wrong(found, "a place below the number of parts"));
            }
            (place, of) = (place * n + k, of * n);
            told_by.push(name.to_string());
        }
        if told_by.is_empty() {
            return Err(wrong(
                "auto without a launcher".into(),
                "one of SLURM_PROCID, SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK, PMI_RANK, \
                 PBS_ARRAY_INDEX in the environment; or K/N",
            ));
        }
        match size {
            Some(size) if size != of => Err(wrong(
                format!("auto/{size} and {of} processes ({})", told_by.join(", ")),
                "the same number twice",
            )),
            _ => Ok(Shard { number: place + 1, of, told_by }),
        }
    }

    /// The place in a job array, counted from zero, and its size.
    fn array(&self, size: Option<u64>) -> Result<Option<(u64, u64, &'static str)>, Failure> {
        if let Some(id) = self.number("SLURM_ARRAY_TASK_ID")? {
            let first = self.number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
            let stride = self.number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let count = self.number("SLURM_ARRAY_TASK_COUNT")?.or(size);
            let count = count.ok_or_else(|| {
                wrong("SLURM_ARRAY_TASK_ID without SLURM_ARRAY_TASK_COUNT".into(), "auto/N")
            })?;
            return Ok(Some((id.saturating_sub(first) / stride, count, "SLURM_ARRAY_TASK_ID")));
        }
        let Some(id) = self.number("PBS_ARRAY_INDEX")? else { return Ok(None) };
        let expected = "auto/N with the size N of the array, whose indices count from one";
        match (id, size) {
            (1.., Some(size)) => Ok(Some((id - 1, size, "PBS_ARRAY_INDEX"))),
            _ => Err(wrong(format!("PBS_ARRAY_INDEX={id}"), expected)),
        }
    }

    /// The rank under a launcher, and the number of processes.
    fn rank(&self) -> Result<Option<(u64, u64, &'static str)>, Failure> {
        for (rank, sizes) in RANKS {
            let Some(k) = self.number(rank)? else { continue };
            return match self.first(sizes)? {
                Some(n) => Ok(Some((k, n, rank))),
                None => Err(wrong(format!("{rank}={k} without {}", sizes.join(" or ")), "both")),
            };
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, variables: &[(&str, &str)]) -> Result<(u64, u64), String> {
        let find = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_string())
        };
        Shard::read(text, &find).map(|s| (s.number, s.of)).map_err(|e| e.to_string())
    }

    #[test]
    fn typed() {
        assert_eq!(read("3/8", &[]), Ok((3, 8)));
        for bad in ["0/8", "9/8", "3", "a/b", "auto/0", "/"] {
            assert!(read(bad, &[]).is_err_and(|e| e.contains("K/N")), "{bad}");
        }
    }

    #[test]
    fn launchers() {
        let slurm = [("SLURM_PROCID", "2"), ("SLURM_NTASKS", "4")];
        assert_eq!(read("auto", &slurm), Ok((3, 4)));
        assert_eq!(read("auto", &[("PMI_RANK", "0"), ("PMI_SIZE", "2")]), Ok((1, 2)));
        // Open MPI below SLURM: both have variables, and the ranks are those of MPI.
        let both = [
            ("OMPI_COMM_WORLD_RANK", "5"),
            ("OMPI_COMM_WORLD_SIZE", "6"),
            ("SLURM_PROCID", "0"),
            ("SLURM_NTASKS", "6"),
        ];
        assert_eq!(read("auto", &both), Ok((6, 6)));
        // A step smaller than the job.
        let step = [("SLURM_PROCID", "1"), ("SLURM_NTASKS", "8"), ("SLURM_STEP_NUM_TASKS", "2")];
        assert_eq!(read("auto", &step), Ok((2, 2)));
    }

    #[test]
    fn arrays() {
        let array = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "5"),
        ];
        assert_eq!(read("auto", &array), Ok((3, 5)));
        // Each task of an array runs several processes.
        let mut grid = array.to_vec();
        grid.extend([("SLURM_PROCID", "1"), ("SLURM_NTASKS", "2")]);
        assert_eq!(read("auto", &grid), Ok((6, 10)));
        assert_eq!(read("auto/8", &[("PBS_ARRAY_INDEX", "8")]), Ok((8, 8)));
    }

    #[test]
    fn what_is_missing_is_named() {
        let said = |text: &str, variables: &[(&str, &str)], word: &str| {
            let error = read(text, variables).err().unwrap_or_default();
            assert!(error.contains(word), "{error}");
        };
        said("auto", &[], "SLURM_PROCID");
        said("auto", &[("SLURM_PROCID", "x")], "SLURM_PROCID=\"x\"");
        said("auto", &[("PMI_RANK", "1")], "PMI_SIZE");
        said("auto", &[("PBS_ARRAY_INDEX", "1")], "auto/N");
        said("auto/8", &[("PBS_ARRAY_INDEX", "0")], "count from one");
        said("auto", &[("PMI_RANK", "2"), ("PMI_SIZE", "2")], "below the number of parts");
        said("auto/3", &[("PMI_RANK", "1"), ("PMI_SIZE", "2")], "the same number twice");
    }
}
