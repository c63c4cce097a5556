//! The command line of `ad-fuzz`.

use crate::random::Settings;

/// A kind of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Arrays, combinators and structured control flow.
    Arrays,
    /// The tensor language.
    Language,
    /// Control-flow graphs.
    Blocks,
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Number of programs.
    pub count: u64,
    /// The first case; case `n` is the same program everywhere.
    pub seed: u64,
    /// Worker processes at a time.
    pub jobs: usize,
    /// Shrink failures.
    pub shrink: bool,
    /// Trials per shrinking.
    pub budget: usize,
    /// Failures after which to stop.
    pub most_failures: usize,
    /// What kind of programs.
    pub kind: Kind,
    /// What programs contain.
    pub settings: Settings,
    /// Run this range of cases as a worker.
    pub worker: Option<(u64, u64)>,
    /// Seconds that one case may take.
    pub patience: u64,
    /// Of so many cases one is compiled; all are interpreted, as they are and simplified.
    pub compiled_one_in: u64,
    /// Judge the case on standard input.
    pub judge: bool,
    /// Run and print this case only.
    pub show: Option<u64>,
}

const USAGE: &str = "usage: ad-fuzz [--atl | --cfg] [--count=N] [--seed=S] [--jobs=J] [--case=N] [--no-shrink] \
[--max-failures=N] [--patience=SECONDS] [--compiled-one-in=N] [--statements=N] [--depth=N] [--without=accumulators,requests,calls,f32]";

impl Options {
    /// Reads arguments, without the program's name; `--name value` and `--name=value` both do.
    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            count: 1000,
            seed: 1,
            jobs: 2,
            shrink: true,
            budget: 400,
            most_failures: 10,
            kind: Kind::Arrays,
            settings: Settings::default(),
            worker: None,
            patience: 60,
            compiled_one_in: 1,
            judge: false,
            show: None,
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, value.to_string()),
                None if ["--no-shrink", "--judge", "--atl", "--cfg"]
                    .contains(&argument.as_str()) =>
                {
                    (argument.as_str(), String::new())
                }
                None => (argument.as_str(), rest.next().cloned().unwrap_or_default()),
            };
            options.set(name, &value)?;
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number =
            || value.parse::<u64>().map_err(|_| format!("'{value}' is no number\n{USAGE}"));
        match name {
            "--count" => self.count = number()?,
            "--seed" => self.seed = number()?,
            "--jobs" => self.jobs = number()?.max(1) as usize,
            "--case" => self.show = Some(number()?),
            "--max-failures" => self.most_failures = number()?.max(1) as usize,
            "--budget" => self.budget = number()? as usize,
            "--patience" => self.patience = number()?.max(1),
            "--compiled-one-in" => self.compiled_one_in = number()?.max(1),
            "--judge" => self.judge = true,
            "--atl" => self.kind = Kind::Language,
            "--cfg" => self.kind = Kind::Blocks,
            "--no-shrink" => self.shrink = false,
            "--statements" => self.settings.statements = number()?.max(1) as usize,
            "--depth" => self.settings.depth = number()?.max(1) as usize,
            "--without" => return self.without(value),
            "--worker" => {
                let bounds = value.split_once("..");
                let bounds = bounds.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                self.worker = Some(bounds.ok_or(USAGE)?);
            }
            _ => return Err(format!("unknown option '{name}'\n{USAGE}")),
        }
        Ok(())
    }

    fn without(&mut self, list: &str) -> Result<(), String> {
        for word in list.split(',') {
            match word {
                "accumulators" => self.settings.accumulators = false,
                "requests" => self.settings.requests = false,
                "calls" => self.settings.calls = false,
                "f32" => self.settings.narrow_one_in = usize::MAX,
                _ => return Err(format!("unknown feature '{word}'\n{USAGE}")),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_both_spellings() {
        let parse =
            |text: &str| Options::parse(&text.split(' ').map(String::from).collect::<Vec<_>>());
        let options = parse("--count 5 --seed=9 --no-shrink --jobs 3 --without=requests").unwrap();
        assert_eq!((options.count, options.seed, options.jobs), (5, 9, 3));
        assert!(!options.shrink && !options.settings.requests && options.settings.calls);
        assert_eq!(parse("--worker=3..7").unwrap().worker, Some((3, 7)));
        assert!(parse("--nothing").is_err() && parse("--count=x").is_err());
    }
}
