//! Programs that call the functions, and the commands that compile and run them.
//!
//! A program reads arguments from a file, numbers of 64 bits, call after call. For each call, the
//! program writes the results, and 1 or 0 for whether results exist.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use layout_emit::{Language, Module};

use super::layouts::Case;

/// How a language is run.
pub struct Runner {
    pub name: &'static str,
    pub language: Language,
    /// Layouts of one source file: fewer if the compiler is slow for long files.
    pub batch: usize,
    /// Does the test run without a request for the language?
    pub is_everywhere: bool,
    /// Are the functions a header, which the program includes twice?
    is_header: bool,
    /// A command that succeeds if the language can be run.
    probe: &'static [&'static str],
    program: fn(&[&Case], &str) -> String,
    /// Compiles and runs `program` in the folder; the results are in the file `out`.
    run: fn(&Path),
    file: &'static str,
}

const C: Runner = Runner {
    name: "c",
    language: Language::C,
    batch: 50,
    is_everywhere: true,
    is_header: false,
    probe: &["gcc", "--version"],
    program: c_program,
    run: |folder| {
        call(
            folder,
            &[
                "gcc",
                "-std=c99",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "program.c",
                "-o",
                "program",
            ],
        );
        call(folder, &["./program"]);
    },
    file: "program.c",
};
const CPP: Runner = Runner {
    name: "msl",
    language: Language::Msl,
    batch: 50,
    is_everywhere: false,
    is_header: false,
    probe: &["g++", "--version"],
    program: cpp_program,
    run: |folder| {
        call(
            folder,
            &[
                "g++",
                "-std=c++14",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "program.cpp",
                "-o",
                "program",
            ],
        );
        call(folder, &["./program"]);
    },
    file: "program.cpp",
};
const WGSL: Runner = Runner {
    name: "wgsl",
    language: Language::Wgsl,
    batch: 10,
    is_everywhere: false,
    is_header: false,
    probe: &["sh", "-c", "test -x \"$EMIT_GPU\""],
    program: wgsl_program,
    run: |folder| call(folder, &[&gpu(), "program.wgsl", "rows", "in", "out"]),
    file: "program.wgsl",
};
const GLSL: Runner = Runner {
    name: "glsl",
    language: Language::Glsl,
    probe: &["sh", "-c", "test -x \"$EMIT_GPU\" && glslangValidator --version"],
    program: glsl_program,
    run: |folder| {
        call(folder, &["glslangValidator", "-V", "--quiet", "program.comp", "-o", "program.spv"]);
        call(folder, &[&gpu(), "program.spv", "rows", "in", "out"]);
    },
    file: "program.comp",
    ..WGSL
};

pub const RUNNERS: &[Runner] = &[
    Runner {
        name: "rust",
        language: Language::Rust,
        batch: 50,
        is_everywhere: true,
        is_header: false,
        probe: &["rustc", "--version"],
        program: rust_program,
        run: |folder| {
            call(
                folder,
                &["rustc", "--edition=2021", "-Copt-level=0", "-Coverflow-checks=on", "program.rs"],
            );
            call(folder, &["./program"]);
        },
        file: "program.rs",
    },
    C,
    Runner {
        name: "python",
        language: Language::Python,
        batch: 50,
        is_everywhere: true,
        is_header: false,
        probe: &["python3", "--version"],
        program: python_program,
        run: |folder| call(folder, &["python3", "program.py"]),
        file: "program.py",
    },
    Runner {
        name: "numpy",
        language: Language::Python,
        batch: 50,
        is_everywhere: false,
        is_header: false,
        probe: &["python3", "-c", "import numpy"],
        program: numpy_program,
        run: |folder| call(folder, &["python3", "program.py"]),
        file: "program.py",
    },
    Runner {
        name: "clang",
        is_everywhere: false,
        is_header: false,
        probe: &["clang", "--version"],
        run: |folder| {
            call(
                folder,
                &[
                    "clang",
                    "-std=c99",
                    "-O1",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "program.c",
                    "-o",
                    "program",
                ],
            );
            call(folder, &["./program"]);
        },
        ..C
    },
    CPP,
    Runner { name: "hip", language: Language::Hip, ..CPP },
    Runner { name: "cuda", language: Language::Cuda, is_everywhere: true, ..CPP },
    // A header for g++, included by a second file too, and as a compiler for GPUs reads it.
    Runner {
        name: "header",
        language: Language::Cuda,
        is_everywhere: true,
        is_header: true,
        program: |cases, module| c_like(cases, module, "#include <cstdio>\n#include <cstdlib>"),
        run: |folder| {
            let other = "#include \"tiles.h\"\n";
            fs::write(folder.join("other.cpp"), other).expect("written");
            let flags = ["-std=c++14", "-O1", "-Wall", "-Wextra", "-Werror", "-o", "program"];
            let files = ["program.cpp", "other.cpp"];
            let gpu = ["-D__CUDACC__", "-D__host__=", "-D__device__=", "-D__forceinline__=inline"];
            for more in [&[][..], &gpu] {
                call(folder, &[&["g++"], &flags[..], &files, more].concat());
                call(folder, &["./program"]);
            }
        },
        ..CPP
    },
    WGSL,
    GLSL,
    Runner {
        name: "hlsl",
        language: Language::Hlsl,
        program: hlsl_program,
        run: |folder| {
            let source = "program.hlsl";
            call(
                folder,
                &[
                    "glslangValidator",
                    "-D",
                    "-V",
                    "-S",
                    "comp",
                    "-e",
                    "main",
                    "--quiet",
                    source,
                    "-o",
                    "program.spv",
                ],
            );
            call(folder, &[&gpu(), "program.spv", "rows", "in", "out"]);
        },
        file: "program.hlsl",
        ..GLSL
    },
    Runner {
        name: "opencl",
        language: Language::OpenCl,
        batch: 50,
        is_everywhere: false,
        is_header: false,
        probe: &["sh", "-c", "echo '#include <CL/cl.h>' | gcc -E - >/dev/null"],
        program: opencl_program,
        run: |folder| {
            let host = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/opencl.c");
            call(folder, &["gcc", "-O1", host, "-o", "host", "-lOpenCL"]);
            call(folder, &["./host", "program.cl", "rows", "in", "out"]);
        },
        file: "program.cl",
    },
    // On a GPU of NVIDIA's.
    Runner {
        name: "nvcc",
        language: Language::Cuda,
        batch: 10,
        is_everywhere: false,
        is_header: false,
        probe: &["nvcc", "--version"],
        program: nvcc_program,
        run: |folder| {
            call(folder, &["nvcc", "-arch=native", "program.cu", "-o", "program"]);
            call(folder, &["./program"]);
        },
        file: "program.cu",
    },
    Runner {
        name: "triton",
        language: Language::Python,
        batch: 10,
        is_everywhere: false,
        is_header: false,
        probe: &["python3", "-c", "import triton"],
        program: triton_program,
        run: |folder| call(folder, &["python3", "program.py"]),
        file: "program.py",
    },
];

/// The names in the programs that call functions.
const HARNESS: [&str; 9] = ["a", "r", "n", "x", "get", "put", "count", "calls", "Some"];

/// The program that runs a shader.
fn gpu() -> String {
    std::env::var("EMIT_GPU").expect("the program that runs shaders")
}

fn call(folder: &Path, command: &[&str]) {
    let ran = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .output()
        .expect(command[0]);
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{command:?} in {}:\n{out}\n{err}", folder.display());
}

impl Runner {
    pub fn is_there(&self) -> bool {
        Command::new(self.probe[0])
            .args(&self.probe[1..])
            .output()
            .is_ok_and(|output| output.status.success())
    }

    /// Whether the program that calls the functions uses the word.
    pub fn has_word(&self, word: &str) -> bool {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (self.program)(&[], "")
            .split(|c: char| !is_inside(c))
            .chain(HARNESS.iter().copied())
            .any(|own| own == word)
    }

    /// Does the language have integers for the function?
    pub fn takes(&self, case: &Case) -> bool {
        // The front end of HLSL has none either, although HLSL has them.
        case.signature.bits == 32 || !matches!(self.language, Language::Wgsl | Language::Hlsl)
    }

    /// Compares the results of all calls with the expected results.
    pub fn check(&self, cases: &[&Case], batch: usize) {
        // Several processes may run tests at once.
        let own = format!("{}-{batch}-{}", self.name, std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(own);
        fs::create_dir_all(&folder).expect("a folder");
        let module =
            cases.iter().fold(Module::new(self.language), |all, case| all.with(case.index.clone()));
        let code = if self.is_header { module.header() } else { module.emit() };
        let mut module = code.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        if self.is_header {
            fs::write(folder.join("tiles.h"), module).expect("written");
            module = "#include \"tiles.h\"\n#include \"tiles.h\"\n".into();
        }
        fs::write(folder.join(self.file), (self.program)(cases, &module)).expect("written");
        let (mut input, mut rows, mut results) = (Vec::new(), Vec::new(), 0u32);
        for (k, case) in cases.iter().enumerate() {
            for (arguments, _) in &case.calls {
                rows.extend([k as u32, (input.len() / 8) as u32, results]);
                results += case.signature.results.len() as u32 + 1;
                arguments.iter().for_each(|argument| input.extend(argument.to_le_bytes()));
            }
        }
        let rows: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
        fs::write(folder.join("in"), &input).expect("written");
        fs::write(folder.join("rows"), &rows).expect("written");
        // The file has its final length, for programs that map the file.
        fs::write(folder.join("out"), vec![0u8; results as usize * 8]).expect("written");
        if let Some(pack) = std::env::var_os("EMIT_PACK") {
            let pack = PathBuf::from(pack).join(format!("{}-{batch}", self.name));
            fs::create_dir_all(pack.parent().expect("a folder")).expect("made");
            fs::write(folder.join("expected"), expected(cases)).expect("written");
            fs::rename(&folder, pack).expect("an empty folder in the same file system");
            return;
        }
        (self.run)(&folder);
        let out = fs::read(folder.join("out")).expect("results");
        assert_eq!(out.len(), results as usize * 8, "{} in {}", self.name, folder.display());
        let mut out =
            out.chunks_exact(8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("8 bytes")));
        for case in cases {
            let function = || case.index.emit(self.language).expect("emitted before");
            for (arguments, expected) in &case.calls {
                let results: Vec<i64> =
                    case.signature.results.iter().map(|_| out.next().expect("as many")).collect();
                let is_there = out.next().expect("as many") != 0;
                // Only 32 bits of a result count.
                let cut = |value: &i64| {
                    if case.signature.bits == 32 { *value as i32 as i64 } else { *value }
                };
                let found = is_there.then(|| results.iter().map(cut).collect::<Vec<_>>());
                let expected =
                    expected.as_ref().map(|expected| expected.iter().map(cut).collect::<Vec<_>>());
                assert_eq!(
                    found,
                    expected,
                    "{} at {arguments:?}: {}\n{}",
                    self.name,
                    case.layout,
                    function()
                );
            }
        }
        fs::remove_dir_all(folder).expect("removed");
    }
}

/// The expected results, for a machine without a Rust compiler: for each number, the bits that
/// count (0, 32 or 64) and the number.
fn expected(cases: &[&Case]) -> Vec<u8> {
    let mut numbers: Vec<i64> = Vec::new();
    for case in cases {
        for (_, results) in &case.calls {
            for k in 0..case.signature.results.len() {
                numbers.extend(
                    results
                        .as_ref()
                        .map_or([0, 0], |results| [case.signature.bits as i64, results[k]]),
                );
            }
            numbers.extend([32, results.is_some() as i64]);
        }
    }
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// `f(argument(0), argument(1), ..)`
fn called(case: &Case, argument: impl Fn(usize) -> String) -> String {
    let arguments: Vec<_> = (0..case.signature.arguments.len()).map(argument).collect();
    format!("{}({})", case.signature.name, arguments.join(", "))
}

/// A program of C or C++: `call(17)` is the loop of case 17.
fn c_like(cases: &[&Case], module: &str, head: &str) -> String {
    let mut text = format!("{head}\n{module}\nstatic FILE *in, *out;\n");
    text += "static long long get(void) { long long x = 0; if (fread(&x, 8, 1, in) != 1) exit(3); return x; }\n";
    text += "static void put(long long x) { if (fwrite(&x, 8, 1, out) != 1) exit(4); }\n";
    // A function for each case: compilers are slow for long functions.
    for (k, case) in cases.iter().enumerate() {
        let count = case.signature.arguments.len();
        let _ = writeln!(
            text,
            "static void case{k}(void) {{\n    for (long n = 0; n < {}; n++) {{",
            case.calls.len()
        );
        let _ = writeln!(
            text,
            "        long long a[{count}];\n        for (int k = 0; k < {count}; k++) a[k] = get();"
        );
        let call = called(case, |k| format!("a[{k}]"));
        text += &fields(case, &call, "        ", "put({})", &format!("{}_t", case.signature.name));
        text += "    }\n}\n";
    }
    text += "int main(void) {\n    in = fopen(\"in\", \"rb\"); out = fopen(\"out\", \"wb\");\n";
    (0..cases.len()).for_each(|k| text += &format!("    case{k}();\n"));
    text + "    return fclose(out);\n}\n"
}

/// Writes the results of a function in a language with structures.
fn fields(case: &Case, call: &str, indent: &str, put: &str, kind: &str) -> String {
    let put = |value: &str| format!("{indent}{};\n", put.replace("{}", value));
    if case.signature.results.len() == 1 && !case.signature.bounds {
        return put(call) + &put("1");
    }
    let values =
        case.signature.results.iter().map(|field| put(&format!("r.{field}"))).collect::<String>();
    let inside = if case.signature.bounds { put("r.inside") } else { put("1") };
    format!("{indent}{kind} r = {call};\n{values}{inside}")
}

fn c_program(cases: &[&Case], module: &str) -> String {
    c_like(cases, module, "#include <stdio.h>\n#include <stdlib.h>")
}
fn cpp_program(cases: &[&Case], module: &str) -> String {
    let words =
        "typedef unsigned uint;\ntypedef unsigned long long ulong_;\n#define ulong ulong_\n";
    let cuda = "#define __host__\n#define __device__\n#define __forceinline__ inline\n";
    c_like(cases, module, &format!("#include <cstdio>\n#include <cstdlib>\n{words}{cuda}"))
}

fn rust_program(cases: &[&Case], module: &str) -> String {
    let mut text =
        format!("#![allow(unused)]\n{module}\nuse std::io::{{Read, Write}};\nfn main() {{\n");
    text += "    let mut bytes = Vec::new();\n    std::fs::File::open(\"in\").unwrap().read_to_end(&mut bytes).unwrap();\n";
    text += "    let mut numbers = bytes.chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()));\n";
    text += "    let mut get = move || numbers.next().unwrap();\n    let mut out: Vec<i64> = Vec::new();\n";
    for (k, _) in cases.iter().enumerate() {
        let _ = writeln!(text, "    case{k}(&mut get, &mut out);");
    }
    text += "    let bytes: Vec<u8> = out.iter().flat_map(|x| x.to_le_bytes()).collect();\n";
    text += "    std::fs::write(\"out\", bytes).unwrap();\n}\n";
    for (k, case) in cases.iter().enumerate() {
        let call = called(case, |_| "get() as _".into());
        let count = case.signature.results.len();
        let _ = writeln!(text, "fn case{k}(get: &mut dyn FnMut() -> i64, out: &mut Vec<i64>) {{");
        let _ = writeln!(text, "    for _ in 0..{} {{\n        let r = {call};", case.calls.len());
        let put = if count == 1 {
            "out.push(r as i64);"
        } else {
            "out.extend(r.iter().map(|&x| x as i64));"
        };
        let zeros = format!("None => out.extend([0; {count}])");
        let _ = match case.signature.bounds {
            true => {
                writeln!(
                    text,
                    "        match r {{ Some(r) => {{ {put} }} {zeros} }} out.push(r.is_some() as i64);"
                )
            }
            false => writeln!(text, "        {put} out.push(1);"),
        };
        text += "    }\n}\n";
    }
    text
}

fn python_program(cases: &[&Case], module: &str) -> String {
    let mut text = format!(
        "{module}\nimport array\nnumbers = array.array('q', open('in', 'rb').read())\nat = 0\nout = []\n"
    );
    for case in cases {
        let (count, results) = (case.signature.arguments.len(), case.signature.results.len());
        let _ = writeln!(text, "for n in range({}):", case.calls.len());
        let _ = writeln!(
            text,
            "    r = {}(*numbers[at:at + {count}])\n    at += {count}",
            case.signature.name
        );
        let one = results == 1 && !case.signature.bounds;
        let _ = writeln!(text, "    r = list({})", if one { "(r,)" } else { "r" });
        let end = if case.signature.bounds { "" } else { " + [1]" };
        // Out of bounds, the result may be any number, also one that exceeds 64 bits.
        let _ = writeln!(text, "    r = r{end}\n    out += r if r[-1] else [0] * len(r)");
    }
    text + "open('out', 'wb').write(array.array('q', map(int, out)).tobytes())\n"
}

fn numpy_program(cases: &[&Case], module: &str) -> String {
    let mut text = format!(
        "import numpy as np\n{module}\nnumbers = np.fromfile('in', np.int64)\nat = 0\nout = []\n"
    );
    for case in cases {
        let (count, calls) = (case.signature.arguments.len(), case.calls.len());
        let _ = writeln!(
            text,
            "a = numbers[at:at + {0}].reshape({calls}, {count})\nat += {0}",
            count * calls
        );
        let _ = writeln!(text, "r = {}", called(case, |k| format!("a[:, {k}]")));
        let one = case.signature.results.len() == 1 && !case.signature.bounds;
        let _ = writeln!(text, "r = list({})", if one { "(r,)" } else { "r" });
        let _ = writeln!(text, "r = r{}", if case.signature.bounds { "" } else { " + [1]" });
        let _ = writeln!(
            text,
            "out.append(np.stack(np.broadcast_arrays(*r, a[:, 0])[:-1], 1).astype(np.int64).ravel())"
        );
    }
    text + "np.concatenate(out).tofile('out')\n"
}

/// The cases of a `switch`; each case calls its function and writes the results.
fn switch(
    cases: &[&Case],
    argument: &dyn Fn(&Case, usize) -> String,
    put: &str,
    open: &str,
    close: &str,
) -> String {
    let mut text = String::new();
    for (k, case) in cases.iter().enumerate() {
        let call = called(case, |n| argument(case, n));
        let body = fields(case, &call, "        ", put, &format!("{}_t", case.signature.name));
        let _ =
            writeln!(text, "    {} {{\n{body}    {close}}}", open.replace("{}", &k.to_string()));
    }
    text
}

fn wgsl_program(cases: &[&Case], module: &str) -> String {
    let mut text = format!("{module}\n");
    text += "@group(0) @binding(0) var<storage, read> rows: array<u32>;\n";
    text += "@group(0) @binding(1) var<storage, read> inputs: array<u32>;\n";
    text += "@group(0) @binding(2) var<storage, read_write> outputs: array<u32>;\nvar<private> to: u32;\n";
    text += "fn put(x: u32) { outputs[to * 2u] = x; to += 1u; }\n@compute @workgroup_size(64)\n";
    text += "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n    if (id.x * 3u >= arrayLength(&rows)) { return; }\n";
    text += "    let at = rows[id.x * 3u + 1u];\n    to = rows[id.x * 3u + 2u];\n    let which = rows[id.x * 3u];\n";
    for (k, case) in cases.iter().enumerate() {
        // An argument may be negative only in the inverse of a signed layout.
        let is_back = case.signature.arguments[0].starts_with("offset");
        let code = case.index.emit(Language::Wgsl).expect("emitted before");
        let argument = |n: usize| match is_back && code.contains("(offset: i32") && n == 0 {
            true => format!("bitcast<i32>(inputs[(at + {n}u) * 2u])"),
            false => format!("inputs[(at + {n}u) * 2u]"),
        };
        let call = called(case, argument);
        let _ = writeln!(text, "    if (which == {k}u) {{");
        if case.signature.results.len() == 1 && !case.signature.bounds {
            let _ = writeln!(text, "        put(bitcast<u32>({call})); put(1u);");
        } else {
            let _ = writeln!(text, "        let r = {call};");
            for field in &case.signature.results {
                let _ = writeln!(text, "        put(bitcast<u32>(r.{field}));");
            }
            let inside = if case.signature.bounds { "select(0u, 1u, r.inside)" } else { "1u" };
            let _ = writeln!(text, "        put({inside});");
        }
        text += "    }\n";
    }
    text + "}\n"
}

fn glsl_program(cases: &[&Case], module: &str) -> String {
    let (extension, functions) = match module.strip_prefix("#extension") {
        Some(rest) => rest.split_once('\n').expect("a line"),
        None => ("", module),
    };
    let extension =
        if extension.is_empty() { String::new() } else { format!("#extension{extension}\n") };
    let mut text = format!("#version 450\n{extension}layout(local_size_x = 64) in;\n");
    text += "layout(std430, binding = 0) readonly buffer Rows { uint rows[]; };\n";
    text += "layout(std430, binding = 1) readonly buffer Inputs { uint inputs[]; };\n";
    text += "layout(std430, binding = 2) buffer Outputs { uint outputs[]; };\nuint to;\n";
    text +=
        "void put(uint x) { outputs[to * 2u] = x; to += 1u; }\nvoid put(int x) { put(uint(x)); }\n";
    text += "void put(bool x) { put(x ? 1u : 0u); }\n";
    if !extension.is_empty() {
        text += "void put(uint64_t x) { outputs[to * 2u] = uint(x); outputs[to * 2u + 1u] = uint(x >> 32); to += 1u; }\n";
        text += "void put(int64_t x) { put(uint64_t(x)); }\n";
    }
    text += functions;
    text += "void main() {\n    uint id = gl_GlobalInvocationID.x;\n    if (id * 3u >= rows.length()) return;\n";
    text += "    uint at = rows[id * 3u + 1u];\n    to = rows[id * 3u + 2u];\n    switch (rows[id * 3u]) {\n";
    let argument = |case: &Case, n: usize| {
        let low = format!("inputs[(at + {n}u) * 2u]");
        let code = case.index.emit(Language::Glsl).expect("emitted before");
        let signed = n == 0 && (code.contains("(int offset") || code.contains("(int64_t offset"));
        match (case.signature.bits, signed) {
            (32, false) => low,
            (32, true) => format!("int({low})"),
            (_, signed) => {
                let word =
                    format!("uint64_t({low}) | uint64_t(inputs[(at + {n}u) * 2u + 1u]) << 32");
                format!("{}({word})", if signed { "int64_t" } else { "uint64_t" })
            }
        }
    };
    text += &switch(cases, &argument, "put({})", "case {}:", "break; ");
    text + "    }\n}\n"
}

fn hlsl_program(cases: &[&Case], module: &str) -> String {
    let mut text = String::from(
        "StructuredBuffer<uint> rows : register(t0);\nStructuredBuffer<uint> inputs : register(t1);\n",
    );
    text += "RWStructuredBuffer<uint> outputs : register(u2);\nstatic uint to;\n";
    text +=
        "void put(uint x) { outputs[to * 2u] = x; to += 1u; }\nvoid put(int x) { put(uint(x)); }\n";
    text += "void put(bool x) { put(x ? 1u : 0u); }\n";
    text += module;
    text += "[numthreads(64, 1, 1)]\nvoid main(uint3 gid : SV_DispatchThreadID) {\n    uint id = gid.x;\n";
    text += "    uint count, stride;\n    rows.GetDimensions(count, stride);\n    if (id * 3u >= count) return;\n";
    text += "    uint at = rows[id * 3u + 1u];\n    to = rows[id * 3u + 2u];\n    switch (rows[id * 3u]) {\n";
    let argument = |_: &Case, n: usize| format!("inputs[(at + {n}u) * 2u]");
    text += &switch(cases, &argument, "put({})", "case {}:", "break; ");
    text + "    }\n}\n"
}

fn opencl_program(cases: &[&Case], module: &str) -> String {
    format!(
        "{module}\n__kernel void run{}",
        device_program(cases, "get_global_id(0)", "__global ", "long")
    )
}

fn nvcc_program(cases: &[&Case], module: &str) -> String {
    let run = device_program(cases, "blockIdx.x * 64 + threadIdx.x", "", "long long");
    format!("{module}\n__global__ void run{run}{}", include_str!("device.cuh"))
}

/// A kernel, each thread of which writes the results of one call.
fn device_program(cases: &[&Case], id: &str, memory: &str, long: &str) -> String {
    let mut text = format!(
        "(unsigned int count, {memory}const unsigned int *rows, {memory}const {long} *in, {memory}{long} *out) {{\n"
    );
    text += &format!("    unsigned int id = {id};\n    if (id >= count) return;\n");
    text += &format!("    {memory}const {long} *a = in + rows[id * 3 + 1];\n");
    text += &format!("    {memory}{long} *to = out + rows[id * 3 + 2];\n");
    text += "    switch (rows[id * 3]) {\n";
    text += &switch(cases, &|_, n| format!("a[{n}]"), "*to++ = {}", "case {}:", "break; ");
    text + "    }\n}\n"
}

/// Unchanged functions, each called by a Triton kernel.
fn triton_program(cases: &[&Case], module: &str) -> String {
    let mut text = String::from("import numpy as np, torch, triton, triton.language as tl\n");
    text += &module.replace("def ", "@triton.jit\ndef ");
    text += "numbers = np.fromfile('in', np.int64)\nout = []\nat = 0\n";
    for (k, case) in cases.iter().enumerate() {
        let (count, results, calls) =
            (case.signature.arguments.len(), case.signature.results.len(), case.calls.len());
        let is_narrow = case
            .calls
            .iter()
            .flat_map(|(arguments, _)| arguments)
            .all(|&n| i32::try_from(n).is_ok());
        // A mask of 32 bits is unsigned in Triton, which mixes no signs in a division.
        let wraps =
            case.index.emit(Language::Python).expect("emitted before").contains("& 4294967295");
        let kind =
            if case.signature.bits == 32 && is_narrow && !wraps { "tl.int32" } else { "tl.int64" };
        let arguments: String = (0..count)
            .map(|n| format!("    a{n} = tl.load(a + i * {count} + {n}, m, 0).to({kind})\n"))
            .collect();
        let _ = writeln!(text, "@triton.jit\ndef run{k}(a, to, size):");
        let _ = writeln!(
            text,
            "    i = tl.program_id(0) * 256 + tl.arange(0, 256)\n    m = i < size\n{arguments}"
        );
        let _ = writeln!(text, "    r = {}", called(case, |n| format!("a{n}")));
        let one = results == 1 && !case.signature.bounds;
        for n in 0..results + 1 {
            let value = match n {
                0 if one => "r".to_string(),
                _ if n == results && !case.signature.bounds => "1".to_string(),
                _ => format!("r[{n}]"),
            };
            let _ = writeln!(
                text,
                "    tl.store(to + i * {} + {n}, {value} + tl.zeros([256], tl.int64), m)",
                results + 1
            );
        }
        let _ = writeln!(
            text,
            "a = torch.from_numpy(numbers[at:at + {0}].copy()).cuda()\nat += {0}",
            calls * count
        );
        let _ = writeln!(
            text,
            "to = torch.zeros({}, dtype=torch.int64, device='cuda')",
            calls * (results + 1)
        );
        let _ = writeln!(
            text,
            "run{k}[({},)](a, to, {calls})\nout.append(to.cpu().numpy())",
            calls.div_ceil(256)
        );
    }
    text + "np.concatenate(out).tofile('out')\n"
}
