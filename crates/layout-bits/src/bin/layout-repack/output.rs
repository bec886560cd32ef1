//! Writes a file that appears only when it is complete.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

use crate::Failure;
use layout_bits::scales;

use crate::model::{Change, Changed, Order, Piece, Span, read};

/// The temporary file. It is created, renamed and removed under this lock; the signal handler
/// removes it too.
static PART: Mutex<Option<PathBuf>> = Mutex::new(None);
fn part() -> MutexGuard<'static, Option<PathBuf>> {
    PART.lock().unwrap_or_else(PoisonError::into_inner)
}
/// Removes the temporary file on drop.
struct Part;
impl Drop for Part {
    fn drop(&mut self) {
        remove(&mut part());
    }
}
fn remove(part: &mut Option<PathBuf>) {
    if let Some(part) = part.take() {
        let _ = fs::remove_file(part);
    }
}

/// The destination: a file to create or replace, or an existing stream.
enum Target {
    Whole(PathBuf, Option<Permissions>),
    Stream(File),
}
impl Target {
    fn new(to: &Path) -> Result<Self, Failure> {
        if matches!(fs::symlink_metadata(to), Err(error) if error.kind() == ErrorKind::NotFound) {
            return Ok(Target::Whole(to.to_path_buf(), None));
        }
        // A link is followed.
        let to = fs::canonicalize(to).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Failure::new("the file to write is a link to a file that is not there")
            }
            _ => error.into(),
        })?;
        let there = fs::metadata(&to)?;
        if there.is_file() {
            return Ok(Target::Whole(to, Some(there.permissions())));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            if there.file_type().is_fifo() || there.file_type().is_char_device() {
                return Ok(Target::Stream(OpenOptions::new().write(true).open(to)?));
            }
        }
        let what = if there.is_dir() {
            "a folder"
        } else {
            "no file, and no pipe or device of characters"
        };
        Err(Failure(format!("what is to be written is {what}")))
    }
}

/// Writes the pieces to a temporary file beside `to`, and renames it when it is complete.
pub fn write(
    file: &mut File,
    pieces: &[Piece],
    to: &Path,
    permissions: Permissions,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let (to, there) = match Target::new(to)? {
        Target::Whole(to, there) => (to, there),
        Target::Stream(out) => return fill(file, pieces, out, bar).map(drop),
    };
    let mut name =
        to.file_name().ok_or_else(|| Failure::new("the file to write has no name"))?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let beside = to.with_file_name(name);
    remove_on_signals()?;
    let _removed = Part;
    let out = {
        let mut part = part();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Readable by the owner only, until the permissions are set.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let out = options.open(&beside)?;
        *part = Some(beside.clone());
        out
    };
    let out = fill(file, pieces, out, bar)?;
    out.set_permissions(narrower(permissions, there))?;
    out.sync_all()?;
    let mut part = part();
    fs::rename(&beside, to)?;
    *part = None;
    Ok(())
}

/// The input's permissions, restricted to those of the replaced file.
fn narrower(read: Permissions, replaced: Option<Permissions>) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = read.mode() & replaced.map_or(0o777, |replaced| replaced.mode()) & 0o777;
        Permissions::from_mode(mode)
    }
    #[cfg(not(unix))]
    {
        let _ = replaced;
        read
    }
}

/// Installs a handler that removes the temporary file before a signal ends the process.
#[cfg(unix)]
fn remove_on_signals() -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    // Signals that the parent ignores, as `nohup` does, stay ignored.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let ignored = ignored.unwrap_or(0);
    let mut signals = Signals::new(
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|n| ignored >> (n - 1) & 1 == 0),
    )?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // Held until the process ends, so that no file is created or renamed meanwhile.
            let mut part = part();
            remove(&mut part);
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}
#[cfg(not(unix))]
fn remove_on_signals() -> Result<(), Failure> {
    Ok(())
}

/// Applies a change to these bytes.
pub fn change(bytes: &[u8], change: &Change) -> Result<Vec<u8>, Failure> {
    let (matrix, order, there) = match change {
        Change::Repack(plan) => return Ok(plan.run(bytes)?),
        Change::Scales { matrix, order, there } => (*matrix, *order, *there),
    };
    let [rows, columns] = matrix;
    // The bytes of a matrix in row-major order, and in `order`.
    let sizes = match order {
        Order::Blocked => {
            [rows * columns, rows.next_multiple_of(128) * columns.next_multiple_of(4)]
        }
        Order::DeepGemm(per) => [
            rows.div_ceil(per) * columns * 4,
            rows.next_multiple_of(4) * columns.next_multiple_of(4),
        ],
    };
    let mut made = Vec::new();
    for matrix in bytes.chunks_exact(sizes[usize::from(!there)]) {
        let of_one = scale_factors(matrix, [rows, columns], order, there)?;
        // The padding has to be zeros: it is dropped.
        if !there && scale_factors(&of_one, [rows, columns], order, true)? != matrix {
            return Err(Failure(format!(
                "beyond its {rows} rows of {columns} scale factors are others than zeros"
            )));
        }
        made.extend(of_one);
    }
    Ok(made)
}

/// Converts the scale factors of a matrix to an order, or from it.
fn scale_factors(
    bytes: &[u8],
    [rows, columns]: [usize; 2],
    order: Order,
    there: bool,
) -> Result<Vec<u8>, Failure> {
    Ok(match (order, there) {
        (Order::Blocked, true) => scales::to_blocked(bytes, rows, columns)?,
        (Order::Blocked, false) => scales::from_blocked(bytes, rows, columns)?,
        (Order::DeepGemm(per), true) => {
            let floats = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes);
            scales::to_deep_gemm(&floats.collect::<Vec<_>>(), rows, columns, per)?
        }
        (Order::DeepGemm(per), false) => {
            let floats = scales::from_deep_gemm(bytes, rows, columns, per)?;
            floats.into_iter().flat_map(f32::to_le_bytes).collect()
        }
    })
}

/// The bytes of one copy, between updates of the progress bar.
const AT_ONCE: u64 = 8 << 20;

fn fill(file: &mut File, pieces: &[Piece], out: File, bar: &ProgressBar) -> Result<File, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    // The tensor changed last: its next pieces follow.
    let mut last: Option<(&Rc<Changed>, Vec<u8>)> = None;
    for piece in pieces {
        match piece {
            Piece::Raw(bytes) => out.write_all(bytes)?,
            Piece::Zeros(count) => {
                io::copy(&mut io::repeat(0).take(*count), &mut out)?;
            }
            Piece::Copy(Span { first, bytes }) => {
                file.seek(SeekFrom::Start(*first))?;
                let mut left = *bytes;
                while left > 0 {
                    let copied = io::copy(&mut file.take(left.min(AT_ONCE)), &mut out)?;
                    if copied == 0 {
                        return Err(Failure(format!(
                            "{left} bytes are missing at byte {}",
                            first + bytes - left
                        )));
                    }
                    left -= copied;
                    bar.inc(copied);
                }
            }
            Piece::Changed(changed, range) => {
                if last.as_ref().is_none_or(|(other, _)| !Rc::ptr_eq(other, changed)) {
                    drop(last.take());
                    let made = change(&read(file, &changed.from)?, &changed.change)
                        .map_err(|Failure(why)| Failure(format!("{}: {why}", changed.name)))?;
                    last = Some((changed, made));
                }
                if let Some((_, bytes)) = &last {
                    out.write_all(&bytes[range.clone()])?;
                    bar.inc(range.len() as u64);
                }
            }
            Piece::Repack(spans, plan) => {
                let bytes = plan.run(&read(file, spans)?)?;
                out.write_all(&bytes)?;
                bar.inc(bytes.len() as u64);
            }
        }
    }
    Ok(out.into_inner().map_err(|error| error.into_error())?)
}
