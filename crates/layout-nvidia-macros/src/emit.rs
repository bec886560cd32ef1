//! The expansion of a kernel: the unchanged function, a type of the same name for launches, and the
//! entry points for the device.

use proc_macro::{Delimiter, Group, Literal, TokenStream, TokenTree};

use crate::arguments::Arguments;
use crate::function::Function;
use crate::tokens::filled;

/// The function, for host and device: the host's compiler checks it too. On the device it is
/// inlined into its entry point.
const FUNCTION: &str = r#"
    CONDITIONS
    #[cfg_attr(not(target_arch = "nvptx64"), allow(dead_code, reason = "on the host a launch calls it, if anything"))]
    INLINE
    #[allow(clippy::too_many_arguments)]
    WHOLE
"#;

/// The type that a launch names, with the kernel's properties.
const TYPE: &str = r#"
    CONDITIONS
    #[doc = ABOUT]
    #[allow(non_camel_case_types, dead_code)]
    #[derive(Clone, Copy, Debug)]
    VISIBILITY struct NAME BARE BODY

    CONDITIONS
    const _: () = {
        // SAFETY: the impl repeats the properties of the function.
        unsafe impl DECLARED ::layout_nvidia::device::Entry for NAME NAMES WHERE {
            const THREADS: usize = <THE_THREADS as ::layout_nvidia::layout_algebra::StaticLayout>::SIZE;
            const SHARED: usize = <THE_SHARED as ::layout_nvidia::device::SharedTiles>::BYTES;
            type Parameters = PARAMETERS;
            type Outcome = RETURNED;
            #[inline(always)]
            unsafe fn run_thread(given: Self::Parameters) -> Self::Outcome {
                let (ARGUMENTS) = given;
                // SAFETY: the caller has to ensure the same.
                unsafe { NAME FISH (ARGUMENTS) }
            }
        }
    };
"#;

/// An instance: its name for the host, its entry point for the device.
const INSTANCE: &str = r#"
    CONDITIONS
    const _: () = {
        type __Instance = NAME TYPES;
        ::layout_nvidia::describe_instance!(__Instance, SYMBOL);
        #[cfg(target_arch = "nvptx64")]
        type __Parameters = <__Instance as ::layout_nvidia::device::Entry>::Parameters;
        #[cfg(target_arch = "nvptx64")]
        #[unsafe(export_name = SYMBOL)]
        unsafe extern "ptx-kernel" fn entry(DECLARED_ARGUMENTS) {
            ::layout_nvidia::launch_bounds!(<__Instance as ::layout_nvidia::device::Entry>::THREADS);
            PLACES
            // SAFETY: the launch has to ensure it.
            ::layout_nvidia::device::Outcome::end_thread(unsafe {
                <__Instance as ::layout_nvidia::device::Entry>::run_thread((ARGUMENTS))
            });
        }
    };
"#;

pub(crate) fn kernel(function: &Function, arguments: &Arguments) -> TokenStream {
    let commas = |items: &[TokenStream]| {
        let comma: TokenStream = ",".parse().expect("a comma");
        items.iter().flat_map(|item| [item.clone(), comma.clone()]).collect::<TokenStream>()
    };
    let angles = |inside: TokenStream| match function.generics.is_empty() {
        true => TokenStream::new(),
        false => filled("< INSIDE >", &[("INSIDE", inside)]),
    };
    let parse = |text: &str| text.parse::<TokenStream>().expect("Rust");
    let name: TokenStream = function.name.clone().into();
    let declared: Vec<_> =
        function.generics.iter().map(|generic| generic.declared.clone()).collect();
    let bare: Vec<_> = function.generics.iter().map(|generic| generic.bare.clone()).collect();
    let names: Vec<TokenStream> =
        function.generics.iter().map(|generic| generic.name.clone().into()).collect();
    let types: Vec<TokenStream> = function
        .generics
        .iter()
        .filter(|generic| !generic.constant)
        .map(|generic| generic.name.clone().into())
        .collect();
    let body = match function.generics.is_empty() {
        true => parse("{}"),
        false => filled(
            "{ of: ::core::marker::PhantomData<fn() -> (TYPES)> }",
            &[("TYPES", commas(&types))],
        ),
    };
    let numbers = 0..function.parameters.len();
    let given: Vec<_> = numbers.clone().map(|i| parse(&format!("argument_{i}"))).collect();
    let places: TokenStream = numbers
        .clone()
        .map(|i| {
            parse(&format!(
                "::layout_nvidia::in_place!({i}, <__Parameters as \
                 ::layout_nvidia::device::Parameter<{i}>>::Type);"
            ))
        })
        .collect();
    let kinds = numbers.map(|i| {
        let text = format!(
            "argument_{i}: <__Parameters as ::layout_nvidia::device::Parameter<{i}>>::Type"
        );
        parse(&text)
    });
    let kinds: Vec<_> = kinds.collect();
    let fish = match function.generics.is_empty() {
        true => TokenStream::new(),
        false => filled(":: < NAMES >", &[("NAMES", commas(&names))]),
    };
    let text = |text: &str| TokenStream::from(TokenTree::Literal(Literal::string(text)));
    let inline = match function.inline {
        true => TokenStream::new(),
        false => parse(r#"#[cfg_attr(target_arch = "nvptx64", inline(always))]"#),
    };

    // Errors that are not about a parameter are located at the parameter list.
    let mut tuple =
        TokenTree::Group(Group::new(Delimiter::Parenthesis, commas(&function.parameters)));
    tuple.set_span(function.list);

    let conditions = ("CONDITIONS", function.conditions.clone());
    let mut made = filled(
        FUNCTION,
        &[conditions.clone(), ("INLINE", inline), ("WHOLE", function.whole.clone())],
    );
    made.extend(filled(
        TYPE,
        &[
            conditions.clone(),
            (
                "ABOUT",
                text(&format!("The kernel [`{0}`](fn@{0}), as a launch names it.", function.name)),
            ),
            ("VISIBILITY", function.visibility.clone()),
            ("NAME", name.clone()),
            ("BARE", angles(commas(&bare))),
            ("BODY", body),
            ("DECLARED", angles(commas(&declared))),
            ("NAMES", angles(commas(&names))),
            ("WHERE", function.conditions_on_types.clone()),
            ("THE_THREADS", arguments.threads.clone()),
            ("THE_SHARED", arguments.shared.clone()),
            ("PARAMETERS", tuple.into()),
            ("RETURNED", function.returned.clone()),
            ("FISH", fish),
            ("ARGUMENTS", commas(&given)),
        ],
    ));
    for (types, symbol) in &arguments.instances {
        made.extend(filled(
            INSTANCE,
            &[
                conditions.clone(),
                ("NAME", name.clone()),
                ("TYPES", angles(types.clone())),
                ("SYMBOL", text(symbol)),
                ("DECLARED_ARGUMENTS", commas(&kinds)),
                ("PLACES", places.clone()),
                ("ARGUMENTS", commas(&given)),
            ],
        ));
    }
    made
}
