//! Each sentence stands once, in `src/refusal/reasons.rs` or `src/error/fault.rs`. The compiler wants a message whole,
//! for each verb and reason: this test puts them together, and `src/refusal/messages.rs` has to be what comes out.
//! `WORDING=overwrite` writes the file anew.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The folder of this package, which holds the programs with one mistake each.
fn programs() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A fault of run time that has a sentence for the compiler too, or a second one, of the tile of a division.
struct Fault {
    name: &'static str,
    numbers: &'static [&'static str],
    sentence: &'static str,
    of_a_tile: bool,
}
/// What cannot be done, in words.
struct Verb {
    name: &'static str,
    words: &'static str,
}
struct Reason {
    name: &'static str,
    numbers: &'static [&'static str],
    sentences: &'static [Sentence],
    label: &'static str,
    note: Note,
}
struct Sentence {
    text: Text,
    verbs: &'static [Use],
}
/// A sentence itself, or the fault that has it: its name, its numbers if they have other names here, and whether it is
/// that of a tile.
enum Text {
    Own(&'static str),
    Of(&'static str, &'static [&'static str], bool),
}
/// A verb that can meet the reason: how many modes down it names, and other words for it.
struct Use {
    verb: &'static str,
    depth: usize,
    words: Option<&'static str>,
}
enum Note {
    Own(&'static str),
    Of(&'static str),
}
struct AbsentMode {
    asked: &'static str,
    refusal: &'static str,
    modes: &'static [&'static str],
    words: &'static str,
    fault: &'static str,
}

// The tables, read as data.
macro_rules! faults {
    (
        of a tile { $($of_tile:ident { $($of_field:ident),* } => $tile_sentence:literal;)* }
        $(
            $(#[$about:meta])*
            $fault:ident $({ $($(#[$field_about:meta])* $field:ident: $number:ty,)* })? => $kind:ident
                $sentence:literal $(, $argument:expr)?;
        )*
    ) => {
        pub const FAULTS: &[super::Fault] = &[
            $(super::Fault {
                name: stringify!($of_tile),
                numbers: &[$(stringify!($of_field)),*],
                sentence: $tile_sentence,
                of_a_tile: true,
            },)*
            $(super::Fault {
                name: stringify!($fault),
                numbers: &[$($(stringify!($field)),*)?],
                sentence: $sentence,
                of_a_tile: false,
            },)*
        ];
    };
}
macro_rules! verbs {
    ($($verb:ident $words:literal;)*) => {
        pub const VERBS: &[super::Verb] = &[$(super::Verb { name: stringify!($verb), words: $words }),*];
    };
}
macro_rules! reasons {
    ($(
        $(#[$about:meta])*
        $reason:ident $numbers:tt { $($sentences:tt)* }
        label $label:literal;
        note $($note:literal)? $(of $other:ident)?;
    )*) => {
        pub const REASONS: &[super::Reason] = &[$(super::Reason {
            name: stringify!($reason),
            numbers: reasons!(@names $numbers),
            sentences: reasons!(@sentences $($sentences)*),
            label: $label,
            note: $(super::Note::Own($note))? $(super::Note::Of(stringify!($other)))?,
        }),*];
    };
    (@names ($($number:ident),*)) => { &[$(stringify!($number)),*] };
    (@sentences $(
        $(Fault::$fault:ident $(($($here:ident),*))? $(of a $tile:ident)?)? $($text:literal)?:
            $($verb:ident $(in $depth:ident)? $(as $words:literal)?),*;
    )*) => { &[$(super::Sentence {
        text: $(super::Text::Own($text))?
            $(super::Text::Of(stringify!($fault), &[$($(stringify!($here)),*)?], reasons!(@is $($tile)?)))?,
        verbs: &[$(super::Use {
            verb: stringify!($verb),
            depth: reasons!(@depth $($depth)?),
            words: reasons!(@option $($words)?),
        }),*],
    }),*] };
    (@is) => { false };
    (@is tile) => { true };
    (@depth) => { 0 };
    (@depth mode) => { 1 };
    (@depth modes) => { 2 };
    (@option) => { None };
    (@option $some:literal) => { Some($some) };
}
macro_rules! absent_modes {
    (
        label $label:literal;
        note $note:literal;
        $($asked:ident $refusal:ident [$($mode:ident),*] $words:literal: Fault::$fault:ident;)*
    ) => {
        pub const ABSENT_LABEL: &str = $label;
        pub const ABSENT_NOTE: &str = $note;
        pub const ABSENT_MODES: &[super::AbsentMode] = &[$(super::AbsentMode {
            asked: stringify!($asked),
            refusal: stringify!($refusal),
            modes: &[$(stringify!($mode)),*],
            words: $words,
            fault: stringify!($fault),
        }),*];
    };
}
#[path = "../../src/error/fault.rs"]
mod fault;
#[path = "../../src/refusal/reasons.rs"]
mod reasons;

use fault::FAULTS;
use reasons::{ABSENT_LABEL, ABSENT_MODES, ABSENT_NOTE, REASONS, VERBS};

/// The sentence of a fault, its numbers by the names `numbers` if there are any.
fn sentence_of(name: &str, numbers: &[&str], of_a_tile: bool) -> String {
    let fault = FAULTS.iter().find(|fault| fault.name == name && fault.of_a_tile == of_a_tile);
    let fault = fault.unwrap_or_else(|| panic!("no fault {name}"));
    let mut sentence = fault.sentence.to_owned();
    for (own, here) in fault.numbers.iter().zip(numbers) {
        sentence = sentence.replace(&format!("{{{own}}}"), &format!("{{{here}}}"));
    }
    sentence
}

/// A note, or that of the reason which it names.
fn note(of: &Note) -> &'static str {
    match of {
        Note::Own(text) => text,
        Note::Of(name) => {
            let other = REASONS.iter().find(|reason| reason.name == *name);
            note(&other.unwrap_or_else(|| panic!("no reason {name}")).note)
        }
    }
}

/// A message, the trait that has it, and the verb, with the place that the trait names.
struct Message {
    refusal: String,
    verb: String,
    text: String,
}

/// The messages of a reason: for each verb, and for each depth at which it can meet the reason.
fn messages(reason: &Reason) -> Vec<Message> {
    let mut all = Vec::new();
    for sentence in reason.sentences {
        let text = match sentence.text {
            Text::Own(text) => text.to_owned(),
            Text::Of(fault, numbers, of_a_tile) => sentence_of(fault, numbers, of_a_tile),
        };
        for Use { verb, depth, words } in sentence.verbs {
            let known = VERBS.iter().find(|known| known.name == *verb).unwrap_or_else(|| panic!("no verb {verb}"));
            let words = words.unwrap_or(known.words);
            let refusal = format!("{verb}{}", reason.name);
            let mut message = |refusal: String, verb: String, place: &str| {
                all.push(Message { refusal, verb, text: format!("cannot {words}{place}: {text}") });
            };
            message(refusal.clone(), (*verb).to_owned(), "");
            if *depth > 0 {
                let here = if *depth == 1 { "in" } else { "at" };
                message(format!("{refusal}InMode"), format!("{verb} {here} mode"), " mode {mode}");
            }
            if *depth > 1 {
                message(format!("{refusal}InModes"), format!("{verb} in modes"), " mode {mode}.{inner}");
            }
        }
    }
    all
}

/// A line that begins with `head` and goes on with a literal, on lines of at most 120 columns.
fn line(head: &str, text: &str, tail: &str) -> String {
    let begin = if head.len() > 80 { format!("    {}\n        \"", head.trim_end()) } else { format!("    {head}\"") };
    let (mut column, mut line) = (begin.len() - begin.find('\n').map_or(0, |end| end + 1), begin);
    for (at, word) in format!("{text:?}").trim_matches('"').split(' ').enumerate() {
        if at > 0 && column + word.len() > 115 {
            line.push_str(" \\\n        ");
            column = 8;
        } else if at > 0 {
            line.push(' ');
            column += 1;
        }
        line.push_str(word);
        column += word.len();
    }
    format!("{line}\"{tail}\n")
}

/// The message of a mode that is not there.
fn absent_message(absent: &AbsentMode) -> String {
    format!("cannot {}: {}", absent.words, sentence_of(absent.fault, &[], false))
}

/// The file with the messages.
fn written() -> String {
    let mut file = String::from(
        "//! The messages of the compiler, put together of the verbs and the sentences of the table `reasons`. This file is\n\
         //! written by the test `wording` of the package `ui-tests`: change the table, and have it written anew.\n\n\
         use super::*;\n",
    );
    for reason in REASONS {
        let _ = writeln!(file, "\nmessages! {{\n    {}({})", reason.name, reason.numbers.join(", "));
        file += &line("", reason.label, "");
        file += &line("", note(&reason.note), "");
        for Message { refusal, verb, text } in messages(reason) {
            file += &line(&format!("{refusal} {verb}: "), &text, ";");
        }
        file += "}\n";
    }
    for absent in ABSENT_MODES {
        let AbsentMode { asked, refusal, modes, .. } = absent;
        let _ = writeln!(file, "\nmessage! {{\n    {asked} {refusal}[{}](rank)", modes.join(", "));
        for text in [ABSENT_LABEL, ABSENT_NOTE, &absent_message(absent)] {
            file += &line("", text, "");
        }
        file += "}\n";
    }
    file
}

#[test]
fn the_messages_are_written_from_the_table() {
    let path = programs().join("../src/refusal/messages.rs");
    let written = written();
    if std::env::var_os("WORDING").is_some_and(|word| word == "overwrite") {
        fs::write(&path, &written).expect("the file is written");
    }
    let found = fs::read_to_string(&path).expect("the file with the messages");
    assert!(found == written, "src/refusal/messages.rs is not what the table says: WORDING=overwrite writes it anew");
}

/// Every message is met by some program, so that it is known to be said.
#[test]
fn every_message_has_a_program() {
    let entries = fs::read_dir(programs()).expect("the folder of programs");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let firsts: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .filter_map(|path| fs::read_to_string(path).expect("a message").lines().next().map(str::to_owned))
        .collect();
    let of_reasons = REASONS.iter().flat_map(|reason| messages(reason).into_iter().map(|message| message.text));
    let mut faults = Vec::new();
    for message in of_reasons.chain(ABSENT_MODES.iter().map(absent_message)) {
        // The text between the numbers.
        let parts: Vec<_> = format!("error[E0277]: {message}")
            .split('{')
            .map(|part| part.split_once('}').map_or(part, |(_, text)| text).to_owned())
            .collect();
        if !firsts.iter().any(|first| is_filled(first, &parts)) {
            faults.push(message);
        }
    }
    assert!(faults.is_empty(), "no program has these messages:\n{}", faults.join("\n"));
}

/// Is the text these parts with a number between each and the next?
fn is_filled(text: &str, parts: &[String]) -> bool {
    let Some((first, more)) = parts.split_first() else { return text.is_empty() };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for part in more {
        rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || "N<>,. ".contains(letter));
        let part = part.trim_start_matches(|letter: char| "<>,. ".contains(letter));
        let Some(behind) = rest.strip_prefix(part) else { return false };
        rest = behind;
    }
    rest.is_empty()
}
