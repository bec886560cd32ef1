//! Memory that the ranks of a node share: a file of each rank, which all of them map, and whose
//! name is gone as soon as they have. It is not MPI's: it is there as long as the tensor, whatever
//! becomes of MPI and of the other ranks.
//!
//! ```text
//! written by its own rank alone, read by the others between two barriers
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
use crate::kept::Kept;

/// The longest name of a file.
const NAME: usize = 512;

/// Where memory is a file: the first folder that is there and has room.
const FOLDER: &str = "/dev/shm";

/// This rank's elements in a file that the others do not know yet.
pub(crate) struct Placed<T> {
    file: NamedTempFile,
    own: MmapMut,
    length: usize,
    elements: PhantomData<*mut T>,
}

/// Elements in memory that all ranks of a node see. Each writes its own, through `own_mut`, and
/// reads those of the others in `reading`.
pub(crate) struct SharedMemory<T> {
    node: Kept<SimpleCommunicator>,
    number: u64,
    own: MmapMut,
    length: usize,
    /// Which rank of all, its memory, and how many elements, for each other rank of the node.
    others: Vec<(usize, Mmap, usize)>,
    rank: usize,
    /// What has a place in it stays on its thread, as the communicator does.
    elements: PhantomData<*mut T>,
}

impl<T: Pod> Placed<T> {
    /// `values` in a file. Whatever has no room says so here: they are written by the system, which
    /// says it.
    pub(crate) fn new(values: &[T]) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::Memory { error: error.to_string() };
        let shared = Path::new(FOLDER).is_dir().then(|| written(Path::new(FOLDER), values));
        let file = match shared {
            Some(Ok(file)) => file,
            _ => written(&std::env::temp_dir(), values).map_err(failed)?,
        };
        if file.path().as_os_str().len() > NAME {
            return Err(Error::Memory {
                error: format!("the name {} is too long", file.path().display()),
            });
        }
        // SAFETY: the file was made by this call, for this user alone, under a name that nobody
        // knows: nobody but the ranks that are told it opens it, and these only read. It keeps its
        // length.
        let own = unsafe { MmapMut::map_mut(file.as_file()) }.map_err(failed)?;
        if !own.as_ptr().cast::<T>().is_aligned() {
            return Err(Error::Memory {
                error: format!("elements are aligned to {} bytes", align_of::<T>()),
            });
        }
        Ok(Placed { file, own, length: values.len(), elements: PhantomData })
    }
}

/// A file of these bytes, and one more so that it can be mapped.
fn written<T: Pod>(folder: &Path, values: &[T]) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::with_prefix_in("layout-mpi-", folder)?;
    // A slice of elements without bytes is none of bytes.
    let bytes = if size_of::<T>() == 0 { &[] } else { bytemuck::cast_slice(values) };
    file.write_all(bytes)?;
    file.write_all(&[0])?;
    file.flush()?;
    Ok(file)
}

impl<T: Pod> SharedMemory<T> {
    /// Shows each rank of the node what the others have placed. All ranks have to call it.
    pub(crate) fn new(control: &Control, what: &str, placed: Placed<T>) -> Result<Self, Error> {
        let world = control.communicator();
        let node = Kept::new(world.split_shared(world.rank()));
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
        // One number for all ranks, and another one for each memory: names of files are random.
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        let [number] = control.largest([hasher.finish()]);
        // All have mapped it: the name goes.
        drop(file);
        Ok(SharedMemory { node, number, own, length, others, rank, elements: PhantomData })
    }

    /// Which memory it is, the same on all ranks.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// This rank's elements.
    pub(crate) fn own(&self) -> &[T] {
        // SAFETY: `length` elements, which were written before they were mapped, aligned as
        // `Placed::new` has seen. Only this rank writes them, through `own_mut`, which borrows
        // mutably. Any bits are elements (`Pod`).
        unsafe { slice::from_raw_parts(self.own.as_ptr().cast(), self.length) }
    }

    /// This rank's elements, to be changed.
    pub(crate) fn own_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `own`. The others read these elements in `reading` alone, which ends only
        // when all ranks are done, and this rank is in it with a shared borrow: there is no mutable
        // one meanwhile.
        unsafe { slice::from_raw_parts_mut(self.own.as_mut_ptr().cast(), self.length) }
    }

    /// Whether a rank of all is on this node.
    pub(crate) fn is_near(&self, rank: usize) -> bool {
        rank == self.rank || self.others.iter().any(|other| other.0 == rank)
    }

    /// Calls `f` with the elements of a rank of this node for each of `ranks`. All ranks of the
    /// node have to call it: it begins when all are there, and ends when all are done.
    pub(crate) fn reading(
        &self,
        ranks: impl Iterator<Item = usize>,
        mut f: impl FnMut(usize, &[T]),
    ) {
        /// Ends the process if `f` panics: the others would be left reading what this rank is free
        /// to change.
        struct Abort;
        impl Drop for Abort {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    std::process::abort();
                }
            }
        }
        self.meet();
        let _abort = Abort;
        for rank in ranks {
            if rank == self.rank {
                f(rank, self.own());
            } else if let Some((_, map, length)) = self.others.iter().find(|other| other.0 == rank)
            {
                // SAFETY: `length` elements, no more than the map has bytes for, and aligned, as
                // `new` has seen. Their rank is in `reading` of this memory too, from the barrier
                // before to the one behind (nothing else uses this communicator, so that no other
                // barrier is taken for these): it holds a shared borrow of its memory, and does not
                // write.
                f(rank, unsafe { slice::from_raw_parts(map.as_ptr().cast(), *length) });
            }
        }
        self.meet();
    }

    /// Waits for all ranks of the node; what they wrote before is seen behind.
    fn meet(&self) {
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
    // SAFETY: a file of another rank, made for this: nobody changes its length, and its bytes are
    // read in `reading`.
    unsafe { Mmap::map(&file) }.map_err(failed)
}
