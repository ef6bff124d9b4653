//! Options that stand for keys of the problem file, and have the last word over it.
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use lieflow_models::problem_file::{Setting, SpecError};

/// An option that stands for a key.
struct Key {
    option: &'static str,
    key: &'static str,
    value_name: &'static str,
    help: &'static str,
    /// Whether the value is a text as it stands, rather than one in the TOML format.
    text: bool,
    /// Whether it has no value: being there means `true`.
    flag: bool,
}

/// All of them, in the order of the help.
const KEYS: &[Key] = &[
    text("method", "solve.method", "ID", "Method, by its id (see `lieflow list methods`)"),
    value("step", "solve.step", "H", "Fixed step size"),
    value("tol", "solve.tol", "TOL", "Tolerance of adaptive steps"),
    value("until", "solve.until", "T", "Final time"),
    value("every", "output.every", "K", "Keep each K-th step"),
    value("interval", "output.interval", "T", "Keep states at this distance in time"),
    text(
        "format",
        "output.format",
        "FORMAT",
        "Trajectory, or tables of an ensemble, as csv or as npy: arrays of NumPy",
    ),
    text("isotropy", "solve.isotropy", "CHOICE", "Isotropy choice, for methods that have one"),
    text("conserve", "solve.conserve", "QUANTITY", "Quantity that the isotropy choice conserves"),
    text(
        "exponential",
        "solve.exponential",
        "MAP",
        "Map from the algebra to the group, exp or cayley, for methods that have the choice",
    ),
    flag(
        "compensated",
        "solve.compensated",
        "Carry what states round away from step to step, for very long runs",
    ),
];

const fn value(
    option: &'static str,
    key: &'static str,
    value_name: &'static str,
    help: &'static str,
) -> Key {
    Key { option, key, value_name, help, text: false, flag: false }
}

const fn flag(option: &'static str, key: &'static str, help: &'static str) -> Key {
    Key { flag: true, ..value(option, key, "", help) }
}

const fn text(
    option: &'static str,
    key: &'static str,
    value_name: &'static str,
    help: &'static str,
) -> Key {
    Key { text: true, ..value(option, key, value_name, help) }
}

/// The changes to a problem that were typed.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The values of `KEYS`.
    values: Vec<Option<String>>,
    /// `KEY=VALUE`, any key.
    set: Vec<String>,
}

impl Changes {
    /// The settings to lay over a problem; those of `--set` first.
    pub fn settings(&self) -> Result<Vec<Setting>, SpecError> {
        let mut settings = settings(&self.set)?;
        for (key, value) in KEYS.iter().zip(&self.values) {
            let Some(value) = value else { continue };
            let read = if key.text { Setting::text } else { Setting::value };
            settings.push(read(&format!("--{}", key.option), key.key, value)?);
        }
        Ok(settings)
    }

    /// The value of `--method`.
    pub fn method(&self) -> Option<&str> {
        let place = KEYS.iter().position(|key| key.key == "solve.method")?;
        self.values.get(place)?.as_deref()
    }
}

/// The settings of `--set`.
pub fn settings(set: &[String]) -> Result<Vec<Setting>, SpecError> {
    set.iter().map(|set| Setting::parse("--set", set)).collect()
}

impl FromArgMatches for Changes {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let typed = |key: &Key| match key.flag {
            true => matches.get_flag(key.option).then(|| "true".into()),
            false => matches.get_one::<String>(key.option).cloned(),
        };
        let set = matches.get_many::<String>("set").into_iter().flatten();
        Ok(Self { values: KEYS.iter().map(typed).collect(), set: set.cloned().collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Changes {
    fn augment_args(command: Command) -> Command {
        let option = |key: &Key| {
            let arg = Arg::new(key.option).long(key.option).help(key.help);
            match key.flag {
                true => arg.action(ArgAction::SetTrue),
                false => arg.value_name(key.value_name).allow_hyphen_values(!key.text),
            }
        };
        let set = Arg::new("set")
            .long("set")
            .value_name("KEY=VALUE")
            .help("Any key of the problem file, such as initial.omega=[0,0,40]; may be repeated")
            .allow_hyphen_values(true)
            .action(ArgAction::Append);
        command.args(KEYS.iter().map(option)).arg(set)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
