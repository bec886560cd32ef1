//! `layout repack IN OUT --to PACKING`: the 4-bit weights of a file as another one packs them, bit
//! by bit the same numbers.
//!
//! | from | to |
//! |---|---|
//! | GGUF, tensors of Q4_0 | safetensors: `NAME.weight_packed` and `NAME.weight_scale` as rows of nibbles or Marlin's tiles |
//! | such safetensors | the other packing, or the GGUF file again, byte by byte |
//! | safetensors of GPTQ, AWQ, Marlin or compressed-tensors | another of these, or the file again, byte by byte |
//! | safetensors with scale factors of NVFP4 or MXFP8 | these in blocks of 128 rows, or row after row |
//!
//! All other tensors are copied. The header of the GGUF file stands in the metadata of the
//! safetensors file, with the length of the GGUF file. What lies between its tensors is zeros, or
//! the tensor `gguf.gaps`.
//!
//! A file that is made of a checkpoint keeps the checkpoint's header and metadata in its own.
//!
//! In reading order: `model`, `output`, `checkpoint`, what is here.

mod checkpoint;
mod model;
mod output;

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use checkpoint::Checkpoint;
use model::{Model, Packing};

/// Repacks the 4-bit weights of a GGUF or safetensors file without decoding them.
#[derive(Parser)]
#[command(name = "layout repack", version)]
struct Arguments {
    /// The file to read: GGUF, safetensors that this command made of it, or safetensors with weights
    /// of GPTQ, AWQ, Marlin or compressed-tensors.
    from: PathBuf,
    /// The file to write, with the permissions of the file that is read. It is there when all of it
    /// has been written, and not before. A pipe or a device of characters is written to as it is.
    to: PathBuf,
    /// How weights are packed in it.
    #[arg(long = "to", value_enum)]
    packing: Packing,
    /// Copies the weights that the packing does not fit as they are in the file that is read, and
    /// says which.
    #[arg(long)]
    skip_unfit: bool,
    /// No progress bar.
    #[arg(long)]
    quiet: bool,
}

/// Why nothing was written, in a sentence.
#[derive(Debug)]
struct Failure(String);
impl Failure {
    fn new(why: impl Into<String>) -> Self {
        Failure(why.into())
    }
}
macro_rules! failures {
    ($($error:ty)*) => { $(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure(error.to_string())
            }
        }
    )* };
}
failures! { std::io::Error serde_json::Error layout_bits::FormatError layout_bits::FileError }

fn repack(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { from, to, packing, skip_unfit, quiet } = arguments;
    let named = |failure: Failure| Failure(format!("{}: {}", from.display(), failure.0));
    let open = || {
        // A pipe is not opened, which would wait for its other end.
        if !fs::metadata(from)?.is_file() {
            return Err(Failure::new(
                "it is no file with a length of its own, as the one that is read has to be",
            ));
        }
        let mut file = File::open(from)?;
        let permissions = file.metadata()?.permissions();
        let pieces = match Checkpoint::read(&mut file)? {
            Some(checkpoint) => checkpoint.pieces(*packing, *skip_unfit)?,
            None => Model::read(&mut file, *packing)?.pieces(*packing, *skip_unfit)?,
        };
        Ok((file, pieces, permissions))
    };
    let (mut file, (pieces, remarks), permissions) = open().map_err(named)?;
    let bar = if *quiet { ProgressBar::hidden() } else { ProgressBar::new(file.metadata()?.len()) };
    let style =
        ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}");
    bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
    let written = output::write(&mut file, &pieces, to, permissions, &bar);
    bar.finish_and_clear();
    written.map_err(|failure| {
        Failure(format!("{} to {}: {}", from.display(), to.display(), failure.0))
    })?;
    remarks.iter().for_each(|remark| say(&format!("{}: {remark}", from.display())));
    Ok(())
}

/// A line on the terminal. Names of tensors are another's: what would be a command to the terminal
/// is written out.
fn say(sentence: &str) {
    let escaped =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    eprintln!("{}", sentence.chars().map(escaped).collect::<String>());
}

fn main() -> ExitCode {
    match repack(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(why)) => {
            say(&why);
            ExitCode::FAILURE
        }
    }
}
