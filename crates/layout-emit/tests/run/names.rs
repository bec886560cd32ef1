//! Functions and arguments whose names are words of another language: each word of each language
//! that a second language accepts.

use layout_emit::{Index, Language, NamedLayout};

use super::languages::Runner;
use super::layouts::{Case, Random, Signature};

/// The words of all languages, one list in each line.
const WORDS: &str = include_str!("../../src/words.txt");

/// Functions and arguments of this many names that the language does not refuse.
pub fn draw_names(random: &mut Random, runner: &Runner, count: usize) -> Vec<Case> {
    let mut words: Vec<&str> = WORDS.lines().flat_map(|line| line.split(' ').skip(1)).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|word| !word.ends_with('*') && !runner.has_word(word));
    // A function and the result type of another function must not share a name.
    let all = words.clone();
    words.retain(|word| {
        word.strip_suffix("_t").is_none_or(|word| all.binary_search(&word).is_err())
    });
    let mut cases: Vec<Case> = Vec::new();
    for _ in 0..count.min(words.len()) {
        let word = words.swap_remove(random.below(words.len()));
        let number = cases.len();
        let layout = "(4,6):(6,1)".parse::<NamedLayout>().expect("a layout");
        let calls = vec![(vec![3, 5], Some(vec![23])), (vec![4, 5], None)];
        cases.extend(case(runner, &layout, word, &["i", "j"], calls));
        let layout = format!("(4,{word}):({word},1)").parse::<NamedLayout>().expect("a layout");
        let calls = vec![(vec![3, 5, 7], Some(vec![26])), (vec![3, 7, 7], None)];
        cases.extend(case(runner, &layout, &format!("named_{number}"), &["i", "j", word], calls));
    }
    cases
}

/// The function with its bounds, unless a name of it is refused.
fn case(
    runner: &Runner,
    layout: &NamedLayout,
    name: &str,
    arguments: &[&str],
    calls: Vec<(Vec<i64>, Option<Vec<i64>>)>,
) -> Option<Case> {
    let index = Index::of(layout).name(name).bounds();
    index.emit(runner.language).ok()?;
    // Metal's functions are compiled as C++, after headers of C.
    if runner.language == Language::Msl {
        index.emit(Language::Cuda).ok()?;
    }
    let signature = Signature {
        name: name.into(),
        arguments: arguments.iter().map(|name| name.to_string()).collect(),
        results: vec!["offset".into()],
        bits: 32,
        bounds: true,
    };
    Some(Case { layout: layout.to_string(), index, signature, calls })
}
