//! PTX that rustc cannot write: directives of a kernel, such as `.maxntid`, and parameters that are
//! passed to a kernel by address.
//!
//! ```text
//! // maxntid 256             in the body: the threads of a block
//! // head .minnctapersm 2    in the body: another line of the head
//! // in place 4 128          in the body: parameter 4 is 128 bytes, and where its value would be read, it is their address
//! ```

/// Moves directives from comments in a kernel's body to its header; with fewer threads in a block,
/// ptxas can give a thread more registers. A reachable panic ends the kernel.
///
/// ```
/// let rustc_has = "\
/// .visible .entry copy(
/// \t.param .u64 copy_param_0
/// )
/// {
/// \t// maxntid 256
/// \tret;
/// }
/// ";
/// let the_device_gets = "\
/// .visible .entry copy(
/// \t.param .u64 copy_param_0
/// )
/// .maxntid 256, 1, 1
/// {
/// \tret;
/// }
/// ";
/// assert_eq!(layout_nvidia_build::with_heads(rustc_has), the_device_gets);
/// ```
#[must_use]
pub fn with_heads(ptx: &str) -> String {
    let mut written = String::with_capacity(ptx.len() + 256);
    let mut lines = ptx.lines();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with(".extern .func") && line.contains(PANIC) {
            // The declaration ends at the semicolon.
            let mut last = line;
            while !last.trim_end().ends_with(';') {
                let Some(next) = lines.next() else { break };
                last = next;
            }
            written += &format!(".func {PANIC}()\n{{\n\ttrap;\n\tret;\n}}\n");
            continue;
        }
        if !line.starts_with(".visible .entry") {
            written += line;
            written.push('\n');
            continue;
        }
        let kernel = line.trim_start_matches(".visible .entry").trim().trim_end_matches(['(', ')']);
        let (mut before, mut body, mut head, mut places) =
            (vec![line], Vec::new(), Vec::new(), Vec::new());
        for line in lines.by_ref() {
            if let Some((_, threads)) = line.split_once("// maxntid ") {
                head.insert(0, format!(".maxntid {}, 1, 1", threads.trim()));
            } else if let Some((_, words)) = line.split_once("// head ") {
                head.push(words.trim().to_string());
            } else if let Some((number, bytes)) =
                line.split_once("// in place ").and_then(|(_, of)| of.trim().split_once(' '))
            {
                places.push((format!("{kernel}_param_{number}"), bytes));
            } else if body.is_empty() && line != "{" {
                before.push(line);
            } else {
                body.push(line);
            }
            if line == "}" {
                break;
            }
        }
        for line in before.into_iter().chain(head.iter().map(String::as_str)).chain(body) {
            match places.iter().find_map(|(name, bytes)| in_place(line, name, bytes)) {
                Some(line) => written += &line,
                None => written += line,
            }
            written.push('\n');
        }
    }
    written
}

/// The line that declares the parameter of this name, of this number of bytes, or reads it.
fn in_place(line: &str, name: &str, bytes: &str) -> Option<String> {
    let text = line.trim();
    if text.starts_with(".param .u64 ") && text.trim_end_matches(',').ends_with(&format!(" {name}"))
    {
        let comma = if text.ends_with(',') { "," } else { "" };
        return Some(format!("\t.param .align 64 .b8 {name}[{bytes}]{comma}"));
    }
    let to = text
        .strip_prefix("ld.param.")?
        .strip_suffix(&format!(", [{name}];"))?
        .split_whitespace()
        .last()?;
    Some(format!("\tmov.b64 \t{to}, {name};\n\tcvta.param.u64 \t{to}, {to};"))
}

/// The function that the panic handler calls. It does not exist: a program with its name can panic.
pub(crate) const PANIC: &str = "a_panic_can_be_reached";

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = ".version 8.0\n.target sm_90a\n.address_size 64\n";

    fn kernel(name: &str, body: &str) -> String {
        format!(".visible .entry {name}(\n\t.param .u32 {name}_param_0\n)\n{{\n{body}\tret;\n}}\n")
    }

    #[test]
    fn each_kernel_has_its_own_head() {
        let ptx = HEADER.to_string()
            + &kernel("a", "\t// begin inline asm\n\t// maxntid 64\n\t// end inline asm\n")
            + &kernel("plain", "")
            + &kernel(
                "b",
                "\t// head .minnctapersm 2\n\t// maxntid 128\n\t// head .reqnctapercluster 2, 1, \
                 1\n",
            );
        let written = with_heads(&ptx);
        let entries: Vec<_> = written.split(".visible .entry ").collect();
        assert_eq!(entries.len(), 4);
        assert_eq!(entries[0], HEADER);
        assert!(entries[1].contains(")\n.maxntid 64, 1, 1\n{\n"), "{written}");
        assert!(!entries[1].contains("// maxntid"), "{written}");
        assert!(entries[2].contains(")\n{\n\tret;\n}\n"), "{written}");
        assert!(
            entries[3].contains(
                ")\n.maxntid 128, 1, 1\n.minnctapersm 2\n.reqnctapercluster 2, 1, 1\n{\n"
            ),
            "{written}"
        );
    }
    #[test]
    fn what_is_no_kernel_stays() {
        let ptx = HEADER.to_string() + ".func helper()\n{\n\tret;\n}\n";
        assert_eq!(with_heads(&ptx), ptx);
        assert_eq!(with_heads(""), "");
    }
    #[test]
    fn a_parameter_in_place_is_bytes_and_its_value_is_their_address() {
        let written = with_heads(
            ".visible .entry k(\n\t.param .u32 k_param_0,\n\t.param .u64 .ptr .align 1 \
             k_param_1,\n\t.param .u64 .ptr .align 1 k_param_10\n)\n{\n\t// in place 1 \
             128\n\tld.param.b64 \t%rd7, [k_param_1];\n\tld.param.b64 \t%rd8, [k_param_10];\n}\n",
        );
        assert_eq!(
            written,
            ".visible .entry k(\n\t.param .u32 k_param_0,\n\t.param .align 64 .b8 \
             k_param_1[128],\n\t.param .u64 .ptr .align 1 k_param_10\n)\n{\n\tmov.b64 \t%rd7, \
             k_param_1;\n\tcvta.param.u64 \t%rd7, %rd7;\n\tld.param.b64 \t%rd8, [k_param_10];\n}\n"
        );
    }
    #[test]
    fn a_panic_ends_the_kernel() {
        let ptx = format!(".extern .func {PANIC}\n()\n.noreturn;\n")
            + &kernel("a", &format!("\tcall {PANIC};\n"));
        let written = with_heads(&ptx);
        assert!(
            written.starts_with(&format!(".func {PANIC}()\n{{\n\ttrap;\n\tret;\n}}\n.visible")),
            "{written}"
        );
        assert!(!written.contains(".extern"), "{written}");
    }
}
