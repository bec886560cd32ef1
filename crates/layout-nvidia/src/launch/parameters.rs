//! The sizes of a kernel's parameters in a program, from the driver or from the text of the
//! program.

use cudarc::driver::sys::{CUfunction, CUresult, culib};

/// More than any kernel has: the bytes of its parameters are 32764 at most.
const MOST: usize = 1 << 15;

/// From the driver, since CUDA 12.4; `None` for an older driver.
///
/// # Safety
/// The function is the driver's, from a loaded module.
pub(super) unsafe fn bytes_in_driver(function: CUfunction) -> Option<Vec<usize>> {
    type Ask = unsafe extern "C" fn(CUfunction, usize, *mut usize, *mut usize) -> CUresult;
    // SAFETY: the driver's library; a function of this name has this type.
    let ask = unsafe { culib().get::<Ask>(b"cuFuncGetParamInfo\0").ok()? };
    let of = |index| {
        let (mut offset, mut bytes) = (0, 0);
        // SAFETY: the caller's promise; both numbers are written.
        let result = unsafe { ask(function, index, &raw mut offset, &raw mut bytes) };
        (result == CUresult::CUDA_SUCCESS).then_some(bytes)
    };
    Some((0..MOST).map_while(of).collect())
}

/// From the text of the program, in the head of the kernel.
pub(super) fn bytes_in_text(ptx: &str, kernel: &str) -> Option<Vec<usize>> {
    let head = ptx.split(".entry").skip(1).find_map(|entry| {
        let (name, rest) = entry
            .trim_start()
            .split_once(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')?;
        (name == kernel).then_some(&entry[entry.len() - rest.len() - 1..])
    })?;
    // A kernel without parameters may have no parentheses.
    let head = head.split('{').next()?;
    let Some((list, _)) = head.split_once('(').and_then(|(_, list)| list.split_once(')')) else {
        return Some(vec![]);
    };
    let one = |parameter: &str| {
        let width = parameter.split_whitespace().find_map(|word| {
            match word.trim_start_matches('.').split_at_checked(1)? {
                ("u" | "s" | "b" | "f", bits) if word.starts_with('.') => {
                    bits.parse::<usize>().ok()
                }
                _ => None,
            }
        })? / 8;
        let elements = match parameter.trim_end().strip_suffix(']') {
            Some(array) => array.rsplit_once('[')?.1.trim().parse().ok()?,
            None => 1,
        };
        Some(width * elements)
    };
    list.split(',').filter(|parameter| !parameter.trim().is_empty()).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_the_bytes_of_its_parameters() {
        let ptx = ".version 8.0\n.visible .entry fill_2(\n\t.param .u32 \
                   fill_2_param_0\n)\n.maxntid 32, 1, 1\n{\n}\n.visible .entry fill(\n\t.param \
                   .u64 .ptr .align 1 fill_param_0,\n\t.param .align 64 .b8 \
                   fill_param_1[128],\n\t.param .f32 fill_param_2,\n\t.param .b8 \
                   fill_param_3\n)\n{\n}\n.entry none()\n{\n}\n.visible .entry \
                   bare\n{\n\tret;\n}\n";
        assert_eq!(bytes_in_text(ptx, "fill"), Some(vec![8, 128, 4, 1]));
        assert_eq!(bytes_in_text(ptx, "fill_2"), Some(vec![4]));
        assert_eq!(
            (bytes_in_text(ptx, "none"), bytes_in_text(ptx, "bare")),
            (Some(vec![]), Some(vec![]))
        );
        assert_eq!((bytes_in_text(ptx, "fil"), bytes_in_text("", "fill")), (None, None));
    }
}
