//! Transposes a matrix in place.

use bytemuck::Pod;

use crate::arrange::nest;
use crate::axes::Axis;
use crate::error::RelayoutError;
use crate::machine::InstructionSet;

/// The bytes of a row of a block that is exchanged with another block.
const BLOCK: usize = 256;

/// Transposes a matrix of `rows` rows of `columns` elements, in place. A square matrix exchanges
/// blocks through two small buffers; any other matrix follows the cycles of the permutation, with
/// one bit for each element.
///
/// Law: `after[j * rows + i] == before[i * columns + j]`.
///
/// # Errors
/// If the length of the slice is not `rows * columns`.
///
/// ```
/// use layout_relayout::transpose_in_place;
/// let mut matrix = [1, 2, 3, 4, 5, 6];
/// transpose_in_place(&mut matrix, 2, 3)?;
/// assert_eq!(matrix, [1, 4, 2, 5, 3, 6]);
/// assert!(transpose_in_place(&mut matrix, 2, 4).is_err());
/// # Ok::<(), layout_relayout::RelayoutError>(())
/// ```
pub fn transpose_in_place<T: Pod>(
    matrix: &mut [T],
    rows: usize,
    columns: usize,
) -> Result<(), RelayoutError> {
    if rows.checked_mul(columns) != Some(matrix.len()) {
        let cosize = rows.saturating_mul(columns);
        return Err(RelayoutError::Length { of: "matrix", cosize, length: matrix.len() });
    }
    if rows == columns {
        exchange_blocks(matrix, rows);
    } else if rows > 1 && columns > 1 && size_of::<T>() > 0 {
        follow_cycles(matrix, rows);
    }
    Ok(())
}

fn exchange_blocks<T: Pod>(matrix: &mut [T], n: usize) {
    let Some(side) = BLOCK.checked_div(size_of::<T>()) else { return };
    let side = side.clamp(1, n.max(1));
    let mut buffers = [vec![T::zeroed(); side * side], vec![T::zeroed(); side * side]];
    let set = InstructionSet::detect();
    // The transposed block: `width` rows of `height` elements.
    let read = |matrix: &[T], i: usize, j: usize, height: usize, width: usize, to: &mut [T]| {
        let axes = [
            Axis { extent: height, from: n as isize, to: 1 },
            Axis { extent: width, from: 1, to: height as isize },
        ];
        let axes: Vec<_> = axes.into_iter().filter(|axis| axis.extent > 1).collect();
        let loops = nest(&axes, size_of::<T>(), [i * n + j, 0], set, false);
        loops.copy(bytemuck::cast_slice(matrix), bytemuck::cast_slice_mut(to));
    };
    let write = |matrix: &mut [T], i: usize, j: usize, width: usize, from: &[T]| {
        for (k, row) in from.chunks_exact(width).enumerate() {
            matrix[(i + k) * n + j..][..width].copy_from_slice(row);
        }
    };
    for i in (0..n).step_by(side) {
        for j in (i..n).step_by(side) {
            let (height, width) = (side.min(n - i), side.min(n - j));
            let [above, below] = &mut buffers;
            read(matrix, i, j, height, width, above);
            if i != j {
                read(matrix, j, i, width, height, below);
                write(matrix, i, j, width, &below[..height * width]);
            }
            write(matrix, j, i, height, &above[..height * width]);
        }
    }
}

/// Element `k` moves to `k * rows` modulo (the number of elements - 1); the last element stays.
fn follow_cycles<T: Copy>(matrix: &mut [T], rows: usize) {
    let last = matrix.len() - 1;
    let mut moved = vec![0_u64; matrix.len().div_ceil(64)];
    let to = |k: usize| (k as u128 * rows as u128 % last as u128) as usize;
    for start in 1..last {
        let mut k = start;
        let mut carried = matrix[k];
        while moved[k / 64] >> (k % 64) & 1 == 0 {
            moved[k / 64] |= 1 << (k % 64);
            k = to(k);
            std::mem::swap(&mut carried, &mut matrix[k]);
        }
    }
}
