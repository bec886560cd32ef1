//! The costs of each kernel of a program, from its PTX, and from ptxas if it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::ptx::PANIC;

/// The module of `layout-nvidia` whose function ends a kernel with an error. Calls of it do not
/// return.
const END: &str = "layout_nvidia11trap_record";

/// The costs of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Bytes of local memory that the PTX declares, `__local_depot`: arrays that rustc has not put
    /// into registers.
    pub(crate) depot: usize,
    /// The functions that are called, also indirectly.
    pub(crate) calls: BTreeSet<String>,
    /// Whether a panic is reachable, and its `file:line`, if the PTX has line tables.
    pub(crate) panics: Option<BTreeSet<String>>,
    /// Whether the kernel never returns.
    pub(crate) only_ends: bool,
    /// The minimum of resident blocks per multiprocessor, if the kernel has one.
    pub(crate) min_blocks: Option<usize>,
    /// The output of ptxas for it.
    pub(crate) registers: Option<usize>,
    pub(crate) stack: Option<usize>,
    pub(crate) spill_stores: Option<usize>,
    pub(crate) spill_loads: Option<usize>,
}
impl Cost {
    /// A warning, or `None`.
    pub(crate) fn warning(&self, kernel: &str) -> Option<String> {
        let mut parts = Vec::new();
        if self.only_ends {
            parts.push(
                "never returns: a check in it fails whatever it is given, and what stands behind \
                 that is gone"
                    .to_string(),
            );
        }
        if let Some(places) = &self.panics {
            let at: Vec<_> = places.iter().map(String::as_str).collect();
            let at = if at.is_empty() { String::new() } else { format!(" at {}", at.join(", ")) };
            parts.push(format!(
                "can panic{at}: an index with a check, `unwrap` or a division; there the kernel \
                 ends"
            ));
        }
        if self.depot > 0 {
            parts.push(format!(
                "has {} bytes of arrays in local memory, `__local_depot` in its PTX: an array \
                 whose index only run time knows, as in a loop that is not unrolled",
                self.depot
            ));
        }
        let [stack, stores, loads] =
            [self.stack, self.spill_stores, self.spill_loads].map(Option::unwrap_or_default);
        if stores.max(loads) > 0 {
            let registers =
                self.registers.map_or(String::new(), |count| format!(", {count} of them"));
            let blocks = self.min_blocks.map_or(String::new(), |blocks| {
                format!(
                    ", which is what `min_blocks_per_multiprocessor::<{blocks}>()` leaves: a \
                     smaller number leaves more"
                )
            });
            parts.push(format!(
                "spills registers, {stores} bytes spill stores, {loads} bytes spill loads: a \
                 thread holds more values at a time than it has registers{registers}{blocks}"
            ));
        } else if stack > 0 && self.depot == 0 {
            parts.push(format!(
                "has {stack} bytes stack frame, which ptxas has made for no array and no spill"
            ));
        }
        if !self.calls.is_empty() {
            let calls: BTreeSet<_> = self.calls.iter().map(|name| path_of(name)).collect();
            parts.push(format!("calls {}", Vec::from_iter(calls).join(", ")));
        }
        (!parts.is_empty()).then(|| format!("the kernel `{kernel}` {}", parts.join("; it ")))
    }
    /// The kernel's row in the table of all kernels.
    fn cells(&self, kernel: &str) -> [String; COLUMNS.len()] {
        let count = |count: Option<usize>| count.map_or("?".into(), |count| count.to_string());
        [
            kernel.to_string(),
            count(self.registers),
            self.depot.to_string(),
            count(self.stack),
            count(self.spill_stores),
            count(self.spill_loads),
            self.calls.len().to_string(),
            if self.panics.is_some() { "yes" } else { "no" }.to_string(),
        ]
    }
}

/// The header of the table of all kernels. Memory is in bytes.
const COLUMNS: [&str; 8] = [
    "kernel",
    "registers",
    "local arrays",
    "stack frame",
    "spill stores",
    "spill loads",
    "calls",
    "can panic",
];
/// The costs of all kernels, a line for each; without ptxas its cells are `?`.
pub(crate) fn table(costs: &BTreeMap<String, Cost>) -> String {
    let rows: Vec<_> = costs.iter().map(|(kernel, cost)| cost.cells(kernel)).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(COLUMNS[column].len())
    };
    let line = |cells: [&str; COLUMNS.len()]| {
        let rest = (1..cells.len()).map(|i| format!("  {:>1$}", cells[i], width(i)));
        format!("{:<1$}{2}\n", cells[0], width(0), rest.collect::<String>())
    };
    line(COLUMNS)
        + &rows.iter().map(|row| line(row.each_ref().map(String::as_str))).collect::<String>()
}

/// One function of a program.
#[derive(Default)]
struct Body {
    entry: bool,
    returns: bool,
    min_blocks: Option<usize>,
    depot: usize,
    calls: BTreeSet<String>,
    /// The source locations of its calls.
    at: BTreeMap<String, BTreeSet<String>>,
}

/// The costs of the kernels of a program by name, from its PTX. If it has line tables, they give
/// the location of a panic.
pub(crate) fn costs(ptx: &str) -> BTreeMap<String, Cost> {
    let bodies = bodies(ptx);
    let kernels = bodies.iter().filter(|(_, body)| body.entry);
    let cost =
        |(name, body): (&String, &Body)| {
            let mut cost =
                Cost { only_ends: !body.returns, min_blocks: body.min_blocks, ..Cost::default() };
            let (mut reached, mut todo) = (BTreeSet::new(), vec![name.clone()]);
            while let Some(next) = todo.pop() {
                let Some(body) = bodies.get(&next).filter(|_| reached.insert(next.clone())) else {
                    continue;
                };
                cost.depot += body.depot;
                for call in &body.calls {
                    if call == PANIC
                        || call.contains("panicking")
                        || call.ends_with("rust_begin_unwind")
                    {
                        let places =
                            body.at.get(call).into_iter().flatten().filter(|place| {
                                !place.is_empty() && !place.contains("/library/core/")
                            });
                        cost.panics.get_or_insert_default().extend(places.cloned());
                    } else if !call.contains(END) {
                        cost.calls.insert(call.clone());
                    }
                    todo.push(call.clone());
                }
            }
            cost
        };
    kernels.map(|kernel| (kernel.0.clone(), cost(kernel))).collect()
}

fn bodies(ptx: &str) -> BTreeMap<String, Body> {
    let mut files = BTreeMap::new();
    let (mut found, mut name, mut inside, mut body): (BTreeMap<String, Body>, _, _, _) =
        (BTreeMap::new(), None::<String>, false, Body::default());
    let (mut place, mut calling) = (String::new(), false);
    for line in ptx.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix(".file") {
            if let Some((number, path)) = rest.trim().split_once(char::is_whitespace) {
                files.insert(number.to_string(), path.trim_matches('"').to_string());
            }
        }
        let entry = line.contains(".entry ");
        if !inside && (entry || line.contains(".func ")) && !line.starts_with(".extern") {
            let behind =
                line.split(if entry { ".entry " } else { ".func " }).nth(1).unwrap_or_default();
            // A result precedes the name, in parentheses.
            let behind = behind
                .trim_start()
                .strip_prefix('(')
                .and_then(|r| r.split_once(')'))
                .map_or(behind, |(_, r)| r);
            let end = behind
                .trim_start()
                .find(|c: char| !is_name(c))
                .unwrap_or(behind.trim_start().len());
            name = Some(behind.trim_start()[..end].to_string());
            body = Body { entry, ..Body::default() };
        }
        if name.is_some() && !inside {
            // A declaration without a body ends in a semicolon.
            match line {
                "{" => inside = true,
                _ if line.ends_with(';') => name = None,
                _ => {}
            }
            continue;
        }
        if !inside {
            continue;
        }
        if line == "}" {
            inside = false;
            found.extend(name.take().map(|name| (name, std::mem::take(&mut body))));
        } else if line.ends_with("ret;") {
            body.returns = true;
        } else if let Some(blocks) = line.strip_prefix("// head .minnctapersm ") {
            body.min_blocks = blocks.parse().ok().filter(|blocks| *blocks > 1);
        } else if line.starts_with(".local ") {
            let bytes = line
                .split('[')
                .nth(1)
                .and_then(|rest| rest.split(']').next()?.parse::<usize>().ok());
            body.depot += bytes.unwrap_or(0);
        } else if let Some(rest) = line.strip_prefix(".loc") {
            // The location of the call is that of the outermost inlined function:
            // `inlined_at FILE LINE COLUMN`.
            let said = rest.rsplit("inlined_at").next().unwrap_or(rest);
            let mut numbers = said.split_whitespace();
            if let (Some(file), Some(line)) =
                (numbers.next().and_then(|file| files.get(file)), numbers.next())
            {
                place = format!("{file}:{line}");
            }
        } else if line.starts_with("call") || calling {
            let target = line.split(|c: char| !is_name(c) && c != '.').find(|word| {
                !word.is_empty()
                    && !word.starts_with("call")
                    && !word.starts_with("retval")
                    && !word.starts_with('.')
            });
            calling = target.is_none() && !line.ends_with(';');
            if let Some(target) = target {
                body.calls.insert(target.to_string());
                body.at.entry(target.to_string()).or_default().insert(place.clone());
            }
        }
    }
    found
}
/// The path of a function, without its generic arguments.
fn path_of(mangled: &str) -> String {
    let (mut path, mut depth) = (String::new(), 0);
    for c in format!("{:#}", rustc_demangle::demangle(mangled)).chars() {
        depth += i32::from(c == '<');
        if depth == 0 {
            path.push(c);
        }
        depth -= i32::from(c == '>');
    }
    path.trim_end_matches(':').replace("::::", "::")
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Adds the output of ptxas, if it is installed and accepts the program; for an unchanged program,
/// its previous output.
pub(crate) fn ask_ptxas(
    costs: &mut BTreeMap<String, Cost>,
    ptxas: &Path,
    architecture: &str,
    ptx: &Path,
    is_new: bool,
) -> Result<(), String> {
    let before = ptx.with_extension("ptxas");
    if let (false, Ok(said)) = (is_new, std::fs::read_to_string(&before)) {
        read_ptxas(costs, &said);
        return Ok(());
    }
    let arch = format!("-arch={architecture}");
    let output = Command::new(ptxas)
        .args(["-v", &arch, "-o"])
        .arg(ptx.with_extension("cubin"))
        .arg(ptx)
        .output();
    let Ok(output) = output else { return Ok(()) };
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(said);
    }
    read_ptxas(costs, &said);
    // If this cannot be written, ptxas runs again next time.
    let _ = std::fs::write(before, said);
    Ok(())
}
fn read_ptxas(costs: &mut BTreeMap<String, Cost>, said: &str) {
    let mut kernel = None;
    let before = |line: &str, words: &str| {
        line.split(words).next()?.split_whitespace().last()?.parse::<usize>().ok()
    };
    for line in said.lines() {
        if let Some((_, name)) = line.split_once("Function properties for ") {
            kernel = Some(name.trim().to_string());
        } else if let Some((_, name)) = line.split_once("Compiling entry function '") {
            kernel = name.split('\'').next().map(String::from);
        }
        let Some(cost) = kernel.as_ref().and_then(|name| costs.get_mut(name)) else { continue };
        if line.contains("bytes stack frame") {
            cost.stack = before(line, " bytes stack frame");
            cost.spill_stores = before(line, " bytes spill stores");
            cost.spill_loads = before(line, " bytes spill loads");
        } else if line.contains(" registers") {
            cost.registers = before(line, " registers");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.version 7.2
.target sm_80
.file\t1 \"/home/me/own/src/lib.rs\"
.file\t2 \"/rustc/abc/library/core/src/panicking.rs\"
.extern .func a_panic_can_be_reached
()
.noreturn;
.func  (.param .b32 func_retval0) helper(
\t.param .b32 helper_param_0
)
{
\t.loc\t1 7 3
\tcall.uni a_panic_can_be_reached, ();
\tret;
}
.visible .entry clean(
\t.param .u64 clean_param_0
)
{
\t// head .minnctapersm 4
\tret;
}
.visible .entry dear(
\t.param .u64 dear_param_0
)
.maxntid 32, 1, 1
{
\t.local .align 16 .b8 \t__local_depot1[48];
\t{ // callseq 0, 0
\tcall.uni (retval0), 
\thelper, 
\t(
\tparam0
\t);
\t} // callseq 0
\tret;
}
.visible .entry ends()
{
\t{ // callseq 0, 0
\tcall.uni _RNvNtNtCs2s_13layout_nvidia11trap_record6device14write_and_trap, (param0);
\t} // callseq 0
\ttrap; exit;
}
.visible .entry direct()
{
\t.loc\t2 90 1, function_name $L__info_string0, inlined_at 1 23 9
\tcall.uni 
\ta_panic_can_be_reached, 
\t(
\t);
\tret;
}
";

    #[test]
    fn each_kernel_has_its_costs() {
        let costs = costs(PTX);
        assert_eq!(
            costs.keys().map(String::as_str).collect::<Vec<_>>(),
            ["clean", "dear", "direct", "ends"]
        );
        assert_eq!(
            costs["ends"].warning("ends").as_deref(),
            Some(
                "the kernel `ends` never returns: a check in it fails whatever it is given, and \
                 what stands behind that is gone"
            )
        );
        assert_eq!((costs["clean"].warning("clean"), costs["clean"].depot), (None, 0));
        assert_eq!(
            costs["dear"].warning("dear").as_deref(),
            Some(
                "the kernel `dear` can panic at /home/me/own/src/lib.rs:7: an index with a check, \
                 `unwrap` or a division; there the kernel ends; it has 48 bytes of arrays in \
                 local memory, `__local_depot` in its PTX: an array whose index only run time \
                 knows, as in a loop that is not unrolled; it calls helper"
            )
        );
        assert!(
            costs["direct"]
                .warning("direct")
                .unwrap()
                .contains("can panic at /home/me/own/src/lib.rs:23:")
        );
    }
    #[test]
    fn what_ptxas_says_is_read() {
        let mut costs = costs(PTX);
        read_ptxas(
            &mut costs,
            "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'clean' for \
             'sm_80'\nptxas info    : Function properties for clean\n    16 bytes stack frame, 8 \
             bytes spill stores, 4 bytes spill loads\nptxas info    : Used 32 registers, used 0 \
             barriers, 360 bytes cmem[0]\n",
        );
        let clean = &costs["clean"];
        assert_eq!((clean.registers, clean.stack), (Some(32), Some(16)));
        // No array: these are spills alone.
        assert_eq!(
            clean.warning("clean").as_deref(),
            Some(
                "the kernel `clean` spills registers, 8 bytes spill stores, 4 bytes spill loads: \
                 a thread holds more values at a time than it has registers, 32 of them, which is \
                 what `min_blocks_per_multiprocessor::<4>()` leaves: a smaller number leaves more"
            )
        );
        // Arrays alone, and a stack frame that has neither.
        let dear = Cost { stack: Some(48), spill_stores: Some(0), ..costs["dear"].clone() };
        assert!(!dear.warning("dear").unwrap().contains("spill"));
        let frame = Cost { stack: Some(8), spill_stores: Some(0), ..Cost::default() };
        assert_eq!(
            frame.warning("frame").as_deref(),
            Some(
                "the kernel `frame` has 8 bytes stack frame, which ptxas has made for no array \
                 and no spill"
            )
        );
        let whole = Cost { registers: Some(255), stack: Some(0), ..Cost::default() };
        assert_eq!(whole.warning("whole"), None);
    }
    #[test]
    fn the_table_has_a_line_for_each_kernel() {
        let mut costs = costs(PTX);
        costs.retain(|kernel, _| kernel != "ends" && kernel != "direct");
        let clean = costs.get_mut("clean").expect("a kernel");
        (clean.registers, clean.stack) = (Some(32), Some(16));
        (clean.spill_stores, clean.spill_loads) = (Some(8), Some(4));
        assert_eq!(
            table(&costs),
            "\
kernel  registers  local arrays  stack frame  spill stores  spill loads  calls  can panic
clean          32             0           16             8            4      0         no
dear            ?            48            ?             ?            ?      1        yes
"
        );
    }

    #[test]
    fn functions_are_named_by_their_paths() {
        // copy::copy_if::<f32, layout::Tile<u8>>
        let mangled = "_RINvNtCs1_3own4copy7copy_iffINtNtB4_6layout4TilehEE";
        assert_eq!(path_of(mangled), "own::copy::copy_if");
        assert_eq!(path_of("helper"), "helper");
    }
}
