//! Memory that the ranks of a node share: each rank makes a file, all ranks map it, and then its
//! name is removed. The memory does not depend on MPI or on the other ranks: it exists as long as
//! the tensor.
//!
//! ```text
//! only the owner writes; the others read between two barriers
//! ```
#![allow(unsafe_code)]

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::marker::PhantomData;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::atomic::{Ordering, fence};

use bytemuck::Pod;
use memmap2::{Mmap, MmapMut};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;
use tempfile::NamedTempFile;

use crate::agree::Control;
use crate::error::Error;
use crate::kept::MpiHandle;

/// The longest name of a file.
const NAME: usize = 512;

/// The directory for shared memory; if it lacks room, the one for temporary files is used.
const FOLDER: &str = "/dev/shm";

/// This rank's elements in a file whose name the other ranks do not know yet.
pub(crate) struct Placed<T> {
    file: NamedTempFile,
    own: MmapMut,
    length: usize,
    elements: PhantomData<*mut T>,
}

/// Elements in memory that all ranks of a node map. Each rank writes its own elements, through
/// `own_mut`, and reads the others' in `reading`.
pub(crate) struct SharedMemory<T> {
    node: MpiHandle<SimpleCommunicator>,
    number: u64,
    own: MmapMut,
    length: usize,
    /// For each other rank of the node: its rank in the world, its memory, and its number of
    /// elements.
    others: Vec<(usize, Mmap, usize)>,
    rank: usize,
    /// Not `Send`, as the communicator.
    elements: PhantomData<*mut T>,
}

impl<T: Pod> Placed<T> {
    /// Writes `values` to a file. A lack of space is an error of this write, not of a later access
    /// to the map.
    pub(crate) fn new(values: &[T]) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::Memory { error: error.to_string() };
        let shared = Path::new(FOLDER).is_dir().then(|| write_file(Path::new(FOLDER), values));
        let file = match shared {
            Some(Ok(file)) => file,
            _ => write_file(&std::env::temp_dir(), values).map_err(failed)?,
        };
        if file.path().as_os_str().len() > NAME {
            return Err(Error::Memory {
                error: format!("the name {} is too long", file.path().display()),
            });
        }
        // SAFETY: this call has made the file, for this user only, under a random name. Only ranks
        // that receive the name open the file, and they only read it. Its length does not change.
        let own = unsafe { MmapMut::map_mut(file.as_file()) }.map_err(failed)?;
        if !own.as_ptr().cast::<T>().is_aligned() {
            return Err(Error::Memory {
                error: format!("elements are aligned to {} bytes", align_of::<T>()),
            });
        }
        Ok(Placed { file, own, length: values.len(), elements: PhantomData })
    }
}

/// A file with these bytes, and one more, since an empty file cannot be mapped.
fn write_file<T: Pod>(folder: &Path, values: &[T]) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::with_prefix_in("layout-mpi-", folder)?;
    // `cast_slice` refuses elements of zero size.
    let bytes = if size_of::<T>() == 0 { &[] } else { bytemuck::cast_slice(values) };
    file.write_all(bytes)?;
    file.write_all(&[0])?;
    file.flush()?;
    Ok(file)
}

impl<T: Pod> SharedMemory<T> {
    /// Maps the files of all ranks of the node. All ranks have to call it.
    pub(crate) fn new(control: &Control, what: &str, placed: Placed<T>) -> Result<Self, Error> {
        let world = control.communicator();
        let node = MpiHandle::new(world.split_shared(world.rank()));
        let size = node.size() as usize;
        let Placed { file, own, length, .. } = placed;
        let (path, rank) = (file.path().as_os_str().as_bytes(), world.rank() as usize);
        let (mut name, mut names) = ([0u8; NAME], vec![0u8; NAME * size]);
        name[..path.len()].copy_from_slice(path);
        node.all_gather_into(&name[..], &mut names[..]);
        let mut numbers = vec![0u64; 3 * size];
        node.all_gather_into(&[rank as u64, length as u64, path.len() as u64], &mut numbers[..]);
        let each = numbers
            .chunks(3)
            .zip(names.chunks(NAME))
            .filter(|(numbers, _)| numbers[0] != rank as u64);
        let others = each.map(|(numbers, name)| {
            let path = std::ffi::OsString::from_vec(name[..numbers[2] as usize].to_vec());
            let (map, length) = (mapped(&PathBuf::from(path))?, numbers[1] as usize);
            let fits = length.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= map.len());
            let error =
                || Error::Memory { error: "a file of another rank has another length".into() };
            if fits && map.as_ptr().cast::<T>().is_aligned() {
                Ok((numbers[0] as usize, map, length))
            } else {
                Err(error())
            }
        });
        let others =
            control.agree(what, "", &"mapped", others.collect::<Result<Vec<_>, Error>>())?;
        // A number for this memory, the same on all ranks: file names are random.
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        let [number] = control.largest([hasher.finish()]);
        // All ranks have mapped the file: its name is removed.
        drop(file);
        Ok(SharedMemory { node, number, own, length, others, rank, elements: PhantomData })
    }

    /// The number of this memory, the same on all ranks.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// This rank's elements.
    pub(crate) fn own(&self) -> &[T] {
        // SAFETY: `length` elements, written before the file was mapped; `Placed::new` checked the
        // alignment. Only this rank writes them, through `own_mut`, which borrows mutably. Any bits
        // are valid elements (`Pod`).
        unsafe { slice::from_raw_parts(self.own.as_ptr().cast(), self.length) }
    }

    /// This rank's elements, mutable.
    pub(crate) fn own_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `own`. The other ranks read these elements only in `reading`, which returns
        // only after all ranks are done. Meanwhile this rank is in `reading` too, with a shared
        // borrow, so there is no mutable one.
        unsafe { slice::from_raw_parts_mut(self.own.as_mut_ptr().cast(), self.length) }
    }

    /// Is a rank of the world on this node?
    pub(crate) fn is_near(&self, rank: usize) -> bool {
        rank == self.rank || self.others.iter().any(|other| other.0 == rank)
    }

    /// Calls `f` with the elements of each of `ranks`, which are on this node. All ranks of the
    /// node have to call it: a barrier before and one after keep the elements unchanged.
    pub(crate) fn reading(
        &self,
        ranks: impl Iterator<Item = usize>,
        mut f: impl FnMut(usize, &[T]),
    ) {
        /// Ends the process if `f` panics: this rank could otherwise change elements that others
        /// are still reading.
        struct Abort;
        impl Drop for Abort {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    std::process::abort();
                }
            }
        }
        self.barrier();
        let _abort = Abort;
        for rank in ranks {
            if rank == self.rank {
                f(rank, self.own());
            } else if let Some((_, map, length)) = self.others.iter().find(|other| other.0 == rank)
            {
                // SAFETY: `new` checked that the map holds `length` elements and is aligned. The
                // owner is in `reading` of this memory too, between the two barriers (only they use
                // this communicator, so no other barrier can match): it holds a shared borrow of
                // its memory, and does not write.
                f(rank, unsafe { slice::from_raw_parts(map.as_ptr().cast(), *length) });
            }
        }
        self.barrier();
    }

    /// Waits for all ranks of the node. Writes before it are visible after it.
    fn barrier(&self) {
        fence(Ordering::SeqCst);
        self.node.barrier();
        fence(Ordering::SeqCst);
    }
}

/// The file of another rank.
fn mapped(path: &Path) -> Result<Mmap, Error> {
    let failed =
        |error: std::io::Error| Error::Memory { error: format!("{}: {error}", path.display()) };
    let file = File::open(path).map_err(failed)?;
    // SAFETY: another rank's file of shared memory: its length does not change, and its bytes are
    // read only in `reading`.
    unsafe { Mmap::map(&file) }.map_err(failed)
}
