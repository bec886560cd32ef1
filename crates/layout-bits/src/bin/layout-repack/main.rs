//! `layout repack IN OUT --to PACKING`: the 4-bit weights of a file in another packing, the numbers
//! bit for bit the same.
//!
//! | from | to |
//! |---|---|
//! | GGUF, tensors of Q4_0 | safetensors: `NAME.weight_packed` and `NAME.weight_scale` as rows of nibbles or Marlin's tiles |
//! | such safetensors | the other packing, or the original GGUF file, byte for byte |
//! | safetensors of GPTQ, AWQ, Marlin or compressed-tensors | another of these, or the original file, byte for byte |
//! | safetensors with scale factors of NVFP4 or MXFP8 | scale factors in blocks of 128 rows, or in row-major order |
//!
//! All other tensors are copied. The metadata of the safetensors file keeps the GGUF file's header
//! and length. The bytes between the GGUF file's tensors are zeros, or the tensor `gguf.gaps`.
//!
//! A file made from a checkpoint keeps the checkpoint's header in its metadata.
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
    /// The file to write, with the permissions of the input. It appears only when it is complete. A
    /// pipe or a character device is written to directly.
    to: PathBuf,
    /// The packing of the weights in the output.
    #[arg(long = "to", value_enum)]
    packing: Packing,
    /// Copies weights that do not fit the packing unchanged, and names them.
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
        // Opening a pipe would wait for its other end.
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

/// Prints a line on the terminal. Names of tensors are untrusted: control characters are escaped.
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
