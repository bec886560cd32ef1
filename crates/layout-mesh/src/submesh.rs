//! Slices and submeshes of a mesh, flattened and split modes, and groups of ranks.
//!
//! ```text
//! groups along a mode   =  mesh o (that mode, its complement)      from (member, group)
//! ```

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::prelude::*;

use crate::error::{Error, tuple};
use crate::mesh::Mesh;
use crate::mesh_modes::{MeshMode, MeshModes};

impl Mesh {
    /// The mesh with one coordinate of a mode fixed.
    ///
    /// # Errors
    /// If there is no such mode or coordinate, or it is the only mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.slice(0, 1)?.ranks().collect::<Vec<_>>(), [4, 5, 6, 7]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn slice(&self, mode: impl Into<MeshMode>, coordinate: usize) -> Result<Mesh, Error> {
        let mode = self.number(&mode.into())?;
        if coordinate >= self.extents()[mode] {
            return Err(Error::Outside {
                coordinate: tuple(&[coordinate]),
                shape: tuple(&[self.extents()[mode]]),
            });
        }
        let first = self.first + self.layout.mode(mode)?.index(coordinate);
        let kept: Vec<usize> = (0..self.layout.rank()).filter(|&other| other != mode).collect();
        self.of_modes(first, &kept)
    }

    /// The modes of these numbers, in this order, with the first rank `first`.
    fn of_modes(&self, first: usize, kept: &[usize]) -> Result<Mesh, Error> {
        if kept.is_empty() {
            return Err(Error::NoModes);
        }
        let names = kept.iter().map(|&mode| self.names[mode].clone()).collect();
        self.with(first, self.layout.select(kept)?, names)
    }

    /// The submesh of the given modes, in this order, that contains this rank: the coordinates in
    /// the other modes are this rank's, or 0 on a rank outside of the mesh.
    /// `DeviceMesh["model", "data"]`.
    ///
    /// # Errors
    /// If there is no such mode, or it is given twice.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 3, layout!((2, 2, 2): right))?.named(["dp", "pp", "cp"])?;
    /// assert_eq!(mesh.submesh(["dp", "cp"])?.ranks().collect::<Vec<_>>(), [2, 3, 6, 7]);
    /// assert_eq!(mesh.submesh(["cp", "dp"])?.ranks().collect::<Vec<_>>(), [2, 6, 3, 7]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn submesh(&self, modes: impl Into<MeshModes>) -> Result<Mesh, Error> {
        let kept = self.numbers(&modes.into())?;
        let mut coordinate = self.coordinates().unwrap_or_else(|| vec![0; self.layout.rank()]);
        kept.iter().for_each(|&mode| coordinate[mode] = 0);
        let first = self.rank_at(&coordinate)?;
        self.of_modes(first, &kept)
    }

    /// The mesh with the given modes flattened into one, at the position of the first of them; the
    /// last of them is the fastest. `DeviceMesh._flatten`.
    ///
    /// # Errors
    /// If there is no such mode, it is given twice, or the name is taken.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 2, 2): right))?.named(["dp", "cp", "tp"])?;
    /// let flat = mesh.flatten(["dp", "cp"], "dp_cp")?;
    /// assert_eq!(flat.layout().to_string(), "(4,2):(2,1)");
    /// assert_eq!(flat.submesh("dp_cp")?.ranks().collect::<Vec<_>>(), [0, 2, 4, 6]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn flatten(&self, modes: impl Into<MeshModes>, name: &str) -> Result<Mesh, Error> {
        let numbers = self.numbers(&modes.into())?;
        if numbers.is_empty() {
            return Err(Error::NoModes);
        }
        let reversed: Vec<usize> = numbers.iter().rev().copied().collect();
        let flat = self.layout.select(&reversed)?.coalesce();
        let place = numbers.iter().copied().min().unwrap_or_default();
        let (mut layouts, mut names) = (Vec::new(), Vec::new());
        for (k, mode) in self.layout.modes().enumerate() {
            if k == place {
                layouts.push(flat.clone());
                names.push(name.to_string());
            } else if !numbers.contains(&k) {
                layouts.push(mode);
                names.push(self.names[k].clone());
            }
        }
        let mesh = self.with(self.first, DynLayout::tuple(&layouts)?, names)?;
        mesh.check_names()?;
        Ok(mesh)
    }

    /// The mesh with a mode split into several, of which the last is the fastest.
    /// `DeviceMesh._unflatten`.
    ///
    /// # Errors
    /// If there is no such mode, its extent is not the product of the new extents, or a name is
    /// taken.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!(8))?.split(0, [2, 4], ["host", "device"])?;
    /// assert_eq!(mesh.layout().to_string(), "(2,4):(4,1)");
    /// assert_eq!(mesh.split(1, [3, 2], ["a", "b"]).unwrap_err().to_string(), "a mode of 4 does not split into (3,2)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn split<const N: usize>(
        &self,
        mode: impl Into<MeshMode>,
        extents: [usize; N],
        names: [&str; N],
    ) -> Result<Mesh, Error> {
        let number = self.number(&mode.into())?;
        let whole = self.layout.mode(number)?;
        let product =
            extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
        if product != Some(whole.size()) {
            return Err(Error::Split { extent: whole.size(), into: tuple(&extents) });
        }
        let (mut layouts, mut all_names): (Vec<DynLayout>, _) =
            (self.layout.modes().collect(), self.names.clone());
        // The stride of the k-th mode is the product of the extents after it.
        let parts = (0..N).map(|k| {
            let step = extents[k + 1..].iter().product::<usize>();
            whole.compose(&DynLayout::new(extents[k], step)?)
        });
        layouts.splice(number..=number, parts.collect::<Result<Vec<_>, LayoutError>>()?);
        all_names.splice(number..=number, names.iter().map(|&name| name.to_string()));
        let mesh = self.with(self.first, DynLayout::tuple(&layouts)?, all_names)?;
        mesh.check_names()?;
        Ok(mesh)
    }

    /// The groups of ranks along a mode: a layout from (member, group) to ranks. The mode is a
    /// layout in the mesh's coordinates, its complement enumerates the groups, and the mesh maps
    /// both to ranks.
    ///
    /// # Errors
    /// If there is no such mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.groups(0)?.to_string(), "(2,4):(4,1)"); // 0 4, 1 5, 2 6, 3 7
    /// assert_eq!(mesh.groups(1)?.to_string(), "(4,2):(1,4)"); // 0 1 2 3, 4 5 6 7
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn groups(&self, mode: impl Into<MeshMode>) -> Result<DynLayout, Error> {
        let (number, extents) = (self.number(&mode.into())?, self.extents());
        let along = DynLayout::new(extents[number], extents[..number].iter().product::<usize>())?;
        let which = along.complement(self.size())?;
        Ok(self.layout.compose(&DynLayout::tuple(&[along, which])?)?)
    }
}
