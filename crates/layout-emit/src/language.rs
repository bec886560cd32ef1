//! The languages, a row each.

use std::fmt;
use std::str::FromStr;

use crate::error::EmitError;

/// A language that code is written in.
///
/// ```
/// use layout_emit::Language;
/// assert_eq!("wgsl".parse::<Language>()?, Language::Wgsl);
/// assert_eq!(Language::OpenCl.to_string(), "opencl");
/// assert!("fortran".parse::<Language>().is_err());
/// assert_eq!(Language::ALL.len(), 10);
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C99.
    C,
    /// CUDA C++, for nvcc and NVRTC.
    Cuda,
    /// HIP C++.
    Hip,
    /// OpenCL C.
    OpenCl,
    /// The language of WebGPU.
    Wgsl,
    /// GLSL 4.50, as Vulkan takes it.
    Glsl,
    /// HLSL of shader model 6.
    Hlsl,
    /// The language of Metal.
    Msl,
    /// Rust.
    Rust,
    /// Python: of numbers, of NumPy's arrays and of Triton's tensors.
    Python,
}

impl Language {
    /// All of them.
    ///
    /// ```
    /// use layout_emit::Language;
    /// assert!(Language::ALL.iter().all(|language| language.to_string().parse() == Ok(*language)));
    /// ```
    pub const ALL: [Language; 10] = [
        Language::C,
        Language::Cuda,
        Language::Hip,
        Language::OpenCl,
        Language::Wgsl,
        Language::Glsl,
        Language::Hlsl,
        Language::Msl,
        Language::Rust,
        Language::Python,
    ];

    pub(crate) fn syntax(self) -> &'static Syntax {
        &TABLE[self as usize]
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.syntax().flag)
    }
}
impl FromStr for Language {
    type Err = EmitError;
    fn from_str(text: &str) -> Result<Self, EmitError> {
        let found = Language::ALL.into_iter().find(|language| language.syntax().flag == text);
        found.map_or_else(
            || {
                let all: Vec<_> = TABLE.iter().map(|syntax| syntax.flag).collect();
                EmitError::input(format!("no language `{text}`: {}", all.join(", ")))
            },
            Ok,
        )
    }
}

/// How several results are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Several {
    /// `typedef struct { .. } name_t;`, filled field by field.
    Typedef,
    /// `struct name_t { .. };`, filled field by field.
    Struct,
    /// `struct name_t { .. }`, made by a call.
    Made,
    /// An array, or an option.
    Array,
    /// A tuple.
    Tuple,
}

/// What the printer has to know of a language. In the patterns `{t}` is a type, `{n}` a name, `{v}` a value, `{p}` the
/// parameters, `{r}` the result.
#[derive(Debug)]
pub struct Syntax {
    pub name: &'static str,
    pub flag: &'static str,
    /// Unsigned of 32 and 64 bits, signed of 32 and 64 bits; empty where there is none.
    pub types: [&'static str; 4],
    pub bool: &'static str,
    /// What follows a number of 32 or 64 bits, and the number of places that one is shifted.
    pub suffix: [&'static str; 3],
    pub comment: &'static str,
    pub head: &'static str,
    pub parameter: &'static str,
    pub local: &'static str,
    pub cast: &'static str,
    pub several: Several,
    /// What an argument that is not read needs.
    pub unused: &'static str,
    /// What stands above the functions of a file.
    pub prologue: &'static str,
    /// The same where numbers have 64 bits.
    pub wide_prologue: &'static str,
    /// Its words, no name of a function or an argument.
    pub words: [&'static str; 2],
}

const C_WORDS: &str = "auto break case char const continue default do double else enum extern float for goto if inline \
     int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile \
     while _Bool _Complex _Imaginary _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local bool \
     true false main uint32_t uint64_t int32_t int64_t alignas alignof constexpr nullptr static_assert thread_local \
     typeof typeof_unqual asm";
const CPP_WORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t \
     char32_t class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield \
     decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if \
     inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
     register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch \
     template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile \
     wchar_t while xor xor_eq main __global__ __device__ __host__ __shared__ __constant__ threadIdx blockIdx blockDim \
     gridDim warpSize";
const MSL_WORDS: &str =
    "device constant thread threadgroup kernel vertex fragment uint ulong half texture sampler metal";
const OPENCL_WORDS: &str = "auto break case char const continue default do double else enum extern float for goto if \
     inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void \
     volatile while bool uchar ushort uint ulong size_t half quad complex imaginary kernel __kernel global __global \
     local __local constant __constant private __private generic __generic read_only write_only read_write \
     __read_only __write_only __read_write uniform pipe vec_step true false main image2d_t sampler_t event_t";
const WGSL_WORDS: &str = "alias break case const const_assert continue continuing default diagnostic discard else enable \
     false fn for if let loop override requires return struct switch true var while NULL Self abstract active alignas \
     alignof as asm asm_fragment async attribute auto await become cast catch class co_await co_return co_yield \
     coherent column_major common compile compile_fragment concept const_cast consteval constexpr constinit crate \
     debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external \
     fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline \
     instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new \
     nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package \
     packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref \
     regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm static \
     static_assert static_cast std subroutine super target template this thread_local throw trait try type typedef \
     typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with \
     writeonly yield u32 i32 f32 f16 bool array atomic ptr vec2 vec3 vec4 sampler";
const GLSL_WORDS: &str = "attribute const uniform varying buffer shared coherent volatile restrict readonly writeonly \
     atomic_uint layout centroid flat smooth noperspective patch sample break continue do for while switch case \
     default if else subroutine in out inout int void bool true false float double discard return vec2 vec3 vec4 ivec2 \
     ivec3 ivec4 bvec2 bvec3 bvec4 uint uvec2 uvec3 uvec4 dvec2 dvec3 dvec4 mat2 mat3 mat4 mat2x2 mat2x3 mat2x4 mat3x2 \
     mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 lowp mediump highp precision invariant precise struct common partition active \
     asm class union enum typedef template this resource goto inline noinline public static extern external interface \
     long short half fixed unsigned superp input output hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 filter sizeof cast \
     namespace using sampler1D sampler2D sampler3D samplerCube image1D image2D image3D texture2D sampler uint64_t \
     int64_t uint32_t int32_t main";
const HLSL_WORDS: &str = "AppendStructuredBuffer asm asm_fragment BlendState bool break Buffer ByteAddressBuffer case \
     cbuffer centroid class column_major compile compile_fragment CompileShader const continue ComputeShader \
     ConsumeStructuredBuffer default DepthStencilState DepthStencilView discard do double DomainShader dword else \
     export extern false float for fxgroup GeometryShader groupshared half Hullshader if in inline inout InputPatch \
     int interface line lineadj linear LineStream matrix min16float min10float min16int min12int min16uint namespace \
     nointerpolation noperspective NULL out OutputPatch packoffset pass pixelfragment PixelShader point PointStream \
     precise RasterizerState RenderTargetView return register row_major RWBuffer RWByteAddressBuffer \
     RWStructuredBuffer RWTexture1D RWTexture2D RWTexture3D sample sampler SamplerState shared snorm stateblock static \
     string struct switch StructuredBuffer tbuffer technique technique10 technique11 texture Texture1D Texture2D \
     Texture3D true typedef triangle triangleadj TriangleStream uint uniform unorm unsigned vector vertexfragment \
     VertexShader void volatile while auto catch char const_cast delete dynamic_cast enum explicit friend goto long \
     mutable new operator private protected public reinterpret_cast short signed sizeof static_cast template this throw \
     try typename union using virtual uint64_t int64_t uint2 uint3 uint4 int2 int3 int4 float2 float3 float4 main";
const RUST_WORDS: &str = "as async await break const continue crate dyn else enum extern false fn for if impl in let \
     loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while \
     abstract become box do final gen macro override priv try typeof unsized virtual yield u32 u64 i32 i64 bool";
const PYTHON_WORDS: &str = "False None True and as assert async await break class continue def del elif else except \
     finally for from global if import in is lambda nonlocal not or pass raise return try while with yield";

const C: Syntax = Syntax {
    name: "C",
    flag: "c",
    types: ["uint32_t", "uint64_t", "int32_t", "int64_t"],
    bool: "bool",
    suffix: ["u", "ull", ""],
    comment: "// ",
    head: "static inline {r} {n}({p}) {",
    parameter: "{t} {n}",
    local: "const {t} {n} = {v};",
    cast: "({t}){v}",
    several: Several::Typedef,
    unused: "(void){n};",
    prologue: "#include <stdbool.h>\n#include <stdint.h>\n",
    wide_prologue: "",
    words: [C_WORDS, ""],
};
const CUDA: Syntax = Syntax {
    name: "CUDA C++",
    flag: "cuda",
    types: ["unsigned int", "unsigned long long", "int", "long long"],
    head: "static __host__ __device__ __forceinline__ {r} {n}({p}) {",
    several: Several::Struct,
    prologue: "",
    words: [CPP_WORDS, ""],
    ..C
};
const GLSL: Syntax = Syntax {
    name: "GLSL",
    flag: "glsl",
    types: ["uint", "uint64_t", "int", "int64_t"],
    suffix: ["u", "ul", ""],
    head: "{r} {n}({p}) {",
    cast: "{t}({v})",
    several: Several::Struct,
    unused: "",
    prologue: "",
    wide_prologue: "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n",
    words: [GLSL_WORDS, ""],
    ..C
};

/// In the order of [`Language`].
static TABLE: [Syntax; 10] = [
    C,
    CUDA,
    Syntax { name: "HIP", flag: "hip", head: CUDA.head, ..CUDA },
    Syntax {
        name: "OpenCL C",
        flag: "opencl",
        types: ["uint", "ulong", "int", "long"],
        suffix: ["u", "ul", ""],
        head: "inline static {r} {n}({p}) {",
        prologue: "",
        words: [OPENCL_WORDS, ""],
        ..C
    },
    Syntax {
        name: "WGSL",
        flag: "wgsl",
        types: ["u32", "", "i32", ""],
        suffix: ["u", "", "u"],
        head: "fn {n}({p}) -> {r} {",
        parameter: "{n}: {t}",
        local: "let {n} = {v};",
        several: Several::Made,
        words: [WGSL_WORDS, ""],
        ..GLSL
    },
    GLSL,
    Syntax { name: "HLSL", flag: "hlsl", suffix: ["u", "ull", ""], wide_prologue: "", words: [HLSL_WORDS, ""], ..GLSL },
    Syntax {
        name: "Metal",
        flag: "msl",
        types: ["uint", "ulong", "int", "long"],
        suffix: ["u", "ul", ""],
        head: "inline {r} {n}({p}) {",
        several: Several::Struct,
        words: [CPP_WORDS, MSL_WORDS],
        prologue: "",
        ..C
    },
    Syntax {
        name: "Rust",
        flag: "rust",
        types: ["u32", "u64", "i32", "i64"],
        suffix: ["", "", ""],
        comment: "/// ",
        head: "#[inline]\npub const fn {n}({p}) -> {r} {",
        parameter: "{n}: {t}",
        local: "let {n} = {v};",
        cast: "({v} as {t})",
        several: Several::Array,
        unused: "let _ = {n};",
        prologue: "",
        wide_prologue: "",
        words: [RUST_WORDS, ""],
        bool: "bool",
    },
    Syntax {
        name: "Python",
        flag: "python",
        types: [""; 4],
        bool: "",
        suffix: [""; 3],
        comment: "# ",
        head: "def {n}({p}):",
        parameter: "{n}",
        local: "{n} = {v}",
        cast: "{v}",
        several: Several::Tuple,
        unused: "",
        prologue: "",
        wide_prologue: "",
        words: [PYTHON_WORDS, ""],
    },
];

impl Syntax {
    /// Refuses what is no name, or a word of the language.
    pub fn check(&self, name: &str) -> Result<(), EmitError> {
        let language = self.name;
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || name == "_" {
            return EmitError::input(format!("`{name}` is no name: letters, digits and `_`, and no digit first"));
        }
        if name.starts_with("__") || self.flag == "glsl" && (name.contains("__") || name.starts_with("gl_")) {
            return EmitError::input(format!("`{name}` belongs to {language} itself, as names of that form do"));
        }
        if self.words.iter().any(|words| words.split(' ').any(|word| word == name)) {
            return EmitError::input(format!("`{name}` is a word of {language}: another name, for instance `{name}_`"));
        }
        Ok(())
    }
}
