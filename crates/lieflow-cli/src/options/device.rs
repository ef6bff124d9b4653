//! `--device`: who makes the steps of an ensemble.
use super::Show;
use crate::error::Failure;
use clap::Args;
use lieflow_device::{Device, find_devices};
use lieflow_ensemble::run::EnsembleError;

/// Who makes the steps.
#[derive(Args, Debug)]
pub struct DeviceOption {
    /// Who makes the steps: cpu; cuda, all GPUs by NVIDIA of this machine; or auto, the GPUs if there
    /// are any and they know the problem. The results are the same to the bit
    #[arg(long, value_name = "cpu|cuda|auto", default_value = "cpu")]
    device: String,
}

impl DeviceOption {
    /// The devices that were asked for, none for the CPU. `check` says whether they can do what is
    /// wanted.
    pub fn find(
        &self,
        check: impl FnOnce() -> Result<(), EnsembleError>,
        show: Show,
    ) -> Result<Vec<Box<dyn Device>>, Failure> {
        let option = "--device";
        let refuse =
            |expected: String| Failure::Option { option, found: self.device.clone(), expected };
        match self.device.as_str() {
            "cpu" => Ok(Vec::new()),
            "cuda" => {
                match check() {
                    Err(EnsembleError::Refused(refusal)) => {
                        return Err(Failure::Option {
                            option,
                            found: refusal.found,
                            expected: format!("{}; or --device cpu", refusal.expected),
                        });
                    }
                    checked => checked?,
                }
                find_devices().map_err(|error| refuse(format!("a GPU that can be used: {error}")))
            }
            "auto" => {
                let refused = match check() {
                    Err(EnsembleError::Refused(refusal)) => Some(refusal.to_string()),
                    checked => checked.map(|()| None)?,
                };
                let found = match refused {
                    Some(refused) => Err(refused),
                    None => find_devices().map_err(|error| error.to_string()),
                };
                Ok(found.unwrap_or_else(|reason| {
                    show.say(&format!("on the CPU: {reason}"));
                    Vec::new()
                }))
            }
            _ => Err(refuse("cpu, cuda or auto".into())),
        }
    }
}
