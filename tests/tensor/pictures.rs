//! Pictures: committed pictures equal drawn pictures, no labels overlap, and colours and marks have
//! their meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::atom::{UniversalFma, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_draw::{ColorBy, Draw, DrawTiled, Picture};
use proptest::prelude::*;

#[path = "../../examples/pictures/main.rs"]
mod example;

/// All pictures of the repository.
fn drawn() -> Vec<(&'static str, Picture)> {
    let mut drawn = example::pictures().unwrap();
    drawn.extend(example::more_of_the_guide().unwrap());
    drawn
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn the_committed_pictures_are_what_is_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (folder, in_pages) = (root.join("pictures"), root.join("src/guide/pictures"));
    let (mut files, mut definitions) =
        (BTreeSet::new(), BTreeSet::from(["themes.html".to_string()]));
    let is_new = |path: &Path, text: &str| {
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == text,
            "{}: `cargo run --example pictures` writes it anew",
            path.display()
        );
    };
    for (name, picture) in drawn() {
        let svg = picture.svg();
        is_new(&folder.join(name).with_extension("svg"), &svg);
        files.insert(format!("{name}.svg"));
        if example::is_in_the_guide(name) {
            is_new(&in_pages.join(name).with_extension("md"), &example::definition(name, &svg));
            definitions.insert(format!("{name}.md"));
        }
    }
    assert_eq!((names_in(&folder), names_in(&in_pages)), (files, definitions));
}

/// Every page of the guide has pictures. `![..][name]` is a file on GitHub, and in the
/// documentation what `mod.rs` puts in front of the page.
#[test]
fn every_page_of_the_guide_has_its_pictures() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/guide");
    let pages = std::fs::read_to_string(guide.join("mod.rs")).unwrap();
    let mut texts = BTreeSet::new();
    for page in pages.split("page! {").skip(1) {
        let mut words = page.split('}').next().unwrap().split('"').skip(1).step_by(2);
        let text = words.next().unwrap();
        let named: BTreeSet<_> = words.collect();
        let content = std::fs::read_to_string(guide.join(text)).unwrap();
        let images = content
            .split("![")
            .skip(1)
            .filter_map(|rest| rest.split_once("]["))
            .filter(|it| !it.0.contains(']'));
        let images = images.filter_map(|(_, name)| name.split_once(']')).map(|(name, _)| name);
        let shown: BTreeSet<_> = images.collect();
        assert_eq!(named, shown, "{text}");
        assert!(!shown.is_empty(), "{text} has no picture");
        for name in shown {
            let (_, file) = content
                .split_once(&format!("\n[{name}]: "))
                .unwrap_or_else(|| panic!("{name} in {text}"));
            let file = guide.join(text).with_file_name("").join(file.lines().next().unwrap());
            assert!(file.is_file(), "{}", file.display());
        }
        texts.insert(text.to_string());
    }
    // The list of pages and that of their names have none.
    let all = names_in(&guide).into_iter().filter(|name| name.ends_with(".md"));
    let all = all.filter(|name| !["README.md", "links.md"].contains(&name.as_str()));
    let recipes =
        names_in(&guide.join("cookbook")).into_iter().map(|name| format!("cookbook/{name}"));
    assert_eq!(texts, all.chain(recipes).collect());
}

// ---- reading SVG --------------------------------------------------------------------------------

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Label,
    Tick,
    Title,
}

/// A text with the box that it takes, in hundredths of a pixel.
#[derive(Debug)]
struct Text {
    kind: Kind,
    text: String,
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
}

/// What is read of a picture, each element of which stands in a line of its own.
struct Svg {
    size: (i64, i64),
    texts: Vec<Text>,
    /// Rectangles `(x, y, width, height)` with the colour of their class in light.
    fills: Vec<([i64; 4], String)>,
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.split_once(&format!(" {name}=\""))?.1;
    rest.split_once('"').map(|(value, _)| value)
}

fn number(line: &str, name: &str) -> i64 {
    attribute(line, name).unwrap_or_else(|| panic!("{name} in {line}")).parse().unwrap()
}

fn read(svg: &str) -> Svg {
    let mut lines = svg.lines();
    let head = lines.next().unwrap();
    let mut read = Svg {
        size: (number(head, "width"), number(head, "height")),
        texts: Vec::new(),
        fills: Vec::new(),
    };
    let (mut colors, mut open, mut group) = (BTreeMap::new(), 1, None);
    for line in lines {
        assert!(!line.is_empty(), "an empty line would end the picture within a page of Markdown");
        if let Some((class, color)) =
            line.split_once(".c").and_then(|(_, rule)| rule.split_once("{fill:"))
        {
            // The rules for light come first.
            colors.entry(class.to_string()).or_insert_with(|| color.to_string());
        }
        if line.starts_with("<g ") {
            let kind = match attribute(line, "class") {
                Some("m") => Kind::Label,
                Some(_) => Kind::Tick,
                None => Kind::Title,
            };
            group = Some((number(line, "font-size"), kind));
            open += 1;
        } else if line == "</g>" || line == "</svg>" {
            open -= 1;
        } else if line.starts_with("<text") {
            let (size, kind) = group.expect("a text in a group");
            let text = line.split_once('>').unwrap().1.strip_suffix("</text>").unwrap();
            let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            // Letters of one width, 0.6 of their size; capitals and digits are 0.73 of it high.
            let (x, y, width) = (
                100 * number(line, "x"),
                100 * number(line, "y"),
                60 * size * text.chars().count() as i64,
            );
            let left = if attribute(line, "class") == Some("e") {
                x - width
            } else if kind != Kind::Title {
                x - width / 2
            } else {
                x
            };
            read.texts.push(Text {
                kind,
                text,
                left,
                right: left + width,
                top: y - 73 * size,
                bottom: y,
            });
        } else if let Some(class) =
            attribute(line, "class").and_then(|class| class.strip_prefix('c'))
        {
            for rectangle in attribute(line, "d").unwrap().split_terminator('z') {
                let numbers: Vec<i64> = rectangle
                    .split(['M', ' ', 'h', 'v'])
                    .filter(|number| !number.is_empty())
                    .map(|number| number.parse().unwrap())
                    .collect();
                let [x, y, width, height, back] = numbers[..] else { panic!("{rectangle}") };
                assert_eq!(back, -width);
                read.fills.push(([x, y, width, height], colors[class].clone()));
            }
        }
    }
    assert_eq!(open, 0);
    read
}

impl Svg {
    /// The texts of a kind.
    fn of(&self, kind: Kind) -> impl Iterator<Item = &Text> {
        self.texts.iter().filter(move |text| text.kind == kind)
    }
    /// The colour under the middle of a text.
    fn color(&self, text: &Text) -> Option<&str> {
        let (x, y) = ((text.left + text.right) / 200, (text.top + text.bottom) / 200);
        let under = |[left, top, width, height]: [i64; 4]| {
            (left..left + width).contains(&x) && (top..top + height).contains(&y)
        };
        let mut under = self
            .fills
            .iter()
            .filter(|(rectangle, _)| under(*rectangle))
            .map(|(_, color)| &color[..]);
        let color = under.next();
        assert_eq!(under.next(), None, "two colours in one place");
        color
    }
}

/// No text reaches beyond the picture, and none overlaps another one.
fn is_legible(picture: &Picture) -> Svg {
    let svg = read(&picture.svg());
    for text in &svg.texts {
        let within = text.left >= 0
            && text.top >= 0
            && text.right <= 100 * svg.size.0
            && text.bottom <= 100 * svg.size.1;
        assert!(within, "{text:?} beyond {:?}", svg.size);
    }
    // From top to bottom: only texts whose heights meet are compared.
    let mut texts: Vec<_> = svg.texts.iter().collect();
    texts.sort_by_key(|text| text.top);
    for (i, text) in texts.iter().enumerate() {
        for other in texts[i + 1..].iter().take_while(|other| other.top < text.bottom) {
            assert!(other.right <= text.left || text.right <= other.left, "{text:?} and {other:?}");
        }
    }
    svg
}

// ---- what is legible ----------------------------------------------------------------------------

#[test]
fn nothing_is_written_over_something_else() {
    for (_, picture) in drawn() {
        is_legible(&picture);
    }
    let parse = |text: &str| text.parse::<DynLayout>().unwrap();
    for text in [
        "1:0",
        "7",
        "(1,1):(0,0)",
        "(4,0):(1,4)",
        "0:1",
        "300:1",
        "(300,1):(1,0)",
        "(1,300):(0,1)",
        "(8,8):(8,1)",
        "(128,128):(1,128)",
        "(256,3):(3,1)",
        "(512,512):(512,1)",
        "(9,17):(1000000007,1)",
        "(2,2):(1,9223372036854775807)",
        "((2,2,2,2,2,2,2),(3,3,3,3)):((1,2,4,8,16,32,64),(128,384,1152,3456))",
        "((100,2),(2,100)):((1,100),(200,400))",
        "((1,3),(1,(1,5))):((0,1),(0,(0,3)))",
    ] {
        let layout =
            if text.contains(':') { parse(text) } else { DynLayout::left(&text.parse().unwrap()) };
        let all = [ColorBy::Offset, ColorBy::Thread, ColorBy::Bank { element_bits: 16 }];
        for &by in if layout.size() < 2000 { &all[..] } else { &all[..1] } {
            let picture = layout.draw(by).unwrap();
            let svg = is_legible(&picture);
            is_legible(&picture.clone().with_cell_size(3));
            is_legible(&picture.with_cell_size(if layout.size() < 2000 { 200 } else { 24 }));
            // Every cell has its colour.
            let area: i64 =
                svg.fills.iter().map(|(rectangle, _)| rectangle[2] * rectangle[3]).sum();
            assert_eq!(area == 0, layout.size() == 0, "{text}");
        }
        if layout.cosize() < 1 << 12 {
            is_legible(&layout.draw_memory().unwrap());
        }
    }
}

#[test]
fn labels_are_there_at_8_x_8_and_left_out_at_128_x_128() {
    let labels = |n: usize| {
        let svg =
            read(&DynLayout::left(&DynShape::from((n, n))).draw(ColorBy::Offset).unwrap().svg());
        let cells: BTreeSet<_> = (n..n * n).map(|i| i.to_string()).collect();
        (svg.texts.iter().filter(|text| cells.contains(&text.text)).count(), svg.size)
    };
    assert_eq!(labels(8).0, 64 - 8);
    assert_eq!(labels(32).0, 1024 - 32);
    let (count, size) = labels(128);
    assert!(count == 0 && size.0 < 1700 && size.1 < 1700, "{count} {size:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_pictures_are_legible(
        rows in prop::collection::vec(1usize..6, 1..4),
        columns in prop::collection::vec(1usize..6, 1..4),
        strides in prop::collection::vec(0usize..2000, 8),
        thread in 0usize..4,
    ) {
        let tuple = |numbers: &[usize]| DynShape::tuple(numbers.iter().map(|&n| DynShape::from(n))).unwrap();
        let shape = DynShape::tuple([tuple(&rows), tuple(&columns)]).unwrap();
        let stride = DynShape::tuple([tuple(&strides[..rows.len()]), tuple(&strides[4..4 + columns.len()])]).unwrap();
        let layout = DynLayout::new(&shape, &stride).unwrap();
        is_legible(&layout.draw(ColorBy::Offset).unwrap());
        is_legible(&layout.draw_memory().unwrap());
        // As threads and values, in a tile that holds what they reach.
        let threads = rows.iter().product::<usize>();
        let chosen = (thread < threads).then_some(thread);
        let picture = layout.draw_thread_values((8, layout.cosize().div_ceil(8)), chosen).unwrap();
        is_legible(&picture);
    }

    /// A copy of a product has the colour of its place in the grid, however its modes are arranged.
    #[test]
    fn copies_have_the_colours_of_their_places(
        (m, n) in (1usize..5, 1usize..5),
        (p, q) in (1usize..5, 1usize..5),
        (right, form) in (any::<bool>(), 0usize..3),
    ) {
        let of = |shape: (usize, usize)| if right { DynLayout::right(&shape.into()) } else { DynLayout::left(&shape.into()) };
        let (a, grid) = (of((m, n)), of((p, q)));
        let (picture, result) = match form {
            0 => (a.draw_product(&grid), a.zipped_product(&grid)),
            1 => (a.draw_blocked_product(&grid), a.blocked_product(&grid)),
            _ => (a.draw_raked_product(&grid), a.raked_product(&grid)),
        };
        let (picture, result) = (picture.unwrap(), result.unwrap());
        let svg = is_legible(&picture);
        // Labels are offsets, of A, of the grid and of the result, in the order of their numbers.
        let labels: Vec<_> = svg.of(Kind::Label).collect();
        assert_eq!(labels.len(), a.size() + grid.size() + result.size());
        let copies = a.zipped_product(&grid).unwrap();
        let copy_at: BTreeMap<_, _> = (0..copies.size()).map(|c| (copies.at(c).to_string(), c / a.size())).collect();
        let (of_a, others) = labels.split_at(a.size());
        let (of_grid, of_result) = others.split_at(grid.size());
        for label in of_result {
            assert_eq!(svg.color(label), svg.color(of_grid[copy_at[&label.text]]), "{a} {grid} {form}");
        }
        assert!(of_a.iter().all(|label| svg.color(label) == svg.color(of_grid[0])));
        let colors: BTreeSet<_> = of_grid.iter().map(|label| svg.color(label)).collect();
        assert_eq!(colors.len(), grid.size());
    }

    /// An element has one colour in A and in the result; what the result does not reach has none in
    /// A.
    #[test]
    fn linked_colours_are_those_of_the_same_element(
        (m, n) in (1usize..9, 1usize..9),
        (p, q) in (1usize..9, 1usize..9),
        row_major: bool,
    ) {
        let shape = DynShape::from((m, n));
        let a = if row_major { DynLayout::right(&shape) } else { DynLayout::left(&shape) };
        let tiler = DynTiler::tuple([p, q]).unwrap();
        for picture in [a.draw_composition(&tiler), a.draw_division(&tiler)].into_iter().flatten() {
            let svg = is_legible(&picture);
            // Panels begin where their titles do; what `a` takes coordinates to, it takes one alone
            // to.
            let mut starts: Vec<_> = svg.of(Kind::Title).map(|title| title.left).collect();
            starts.dedup();
            prop_assert_eq!(starts.len(), 3);
            let panel = |first: i64, end: i64| -> BTreeMap<&str, Option<&str>> {
                let labels = svg.of(Kind::Label).filter(|label| (first..end).contains(&label.left));
                labels.map(|label| (&label.text[..], svg.color(label))).collect()
            };
            let (left, result) = (panel(starts[0], starts[1]), panel(starts[2], i64::MAX));
            prop_assert_eq!(left.len(), m * n);
            prop_assert!(!result.is_empty());
            for (label, color) in left {
                prop_assert_eq!(color, result.get(label).copied().flatten());
            }
        }
    }
}

// ---- what is right ------------------------------------------------------------------------------

/// The cells of the table of a picture of one panel, row by row.
fn cells(table: &str) -> Vec<Vec<String>> {
    let rows = table.lines().filter(|line| line.contains('|'));
    rows.map(|row| row.split('|').skip(1).map(|cell| cell.trim().to_string()).collect()).collect()
}

#[test]
fn the_operands_of_a_product_are_those_of_its_partitions() -> Result<(), LayoutError> {
    let mma =
        make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 3, 2)), tiler!((2, 2):(2, 1), 6, _));
    let table = mma.draw(None)?.table().to_string();
    let start = |name: &str| table.find(name).unwrap();
    let (b, a, c) = (
        start("B, 2 x 6: rows are k, columns n"),
        start("A, 4 x 2: rows are m, columns k"),
        start("C, 4 x 6: rows are m, columns n"),
    );
    let (b, a, c) = (&table[b..a], &table[a..c], &table[c..]);
    // The values of threads that each element is, by partitions of matrices that hold the numbers
    // of their elements.
    let expect = |rows: usize, columns: usize, deal: &dyn Fn(usize) -> Vec<usize>| {
        let mut owners = vec![Vec::new(); rows * columns];
        for thread in 0..mma.size() {
            for (value, element) in deal(thread).into_iter().enumerate() {
                owners[element].push(format!("T{thread}V{value}"));
            }
        }
        owners.into_iter().map(|owners| owners.join(",")).collect::<Vec<_>>()
    };
    let numbers = |count: usize| (0..count).collect::<Vec<usize>>();
    let (in_a, in_b, in_c) = (
        Tensor::new(numbers(8), layout!((4, 2)))?,
        Tensor::new(numbers(12), layout!((6, 2)))?,
        Tensor::new(numbers(24), layout!((4, 6)))?,
    );
    let thread = |thread| mma.get_slice(thread).unwrap();
    let of_a = expect(4, 2, &|t| thread(t).partition_a(&in_a).unwrap().iter().copied().collect());
    let of_b = expect(6, 2, &|t| thread(t).partition_b(&in_b).unwrap().iter().copied().collect());
    let of_c = expect(4, 6, &|t| thread(t).partition_c(&in_c).unwrap().iter().copied().collect());
    let (cells_a, cells_b, cells_c) = (cells(a), cells(b), cells(c));
    assert_eq!((cells_a.len(), cells_b.len(), cells_c.len()), (4, 2, 4));
    assert!((0..4).all(|m| (0..2).all(|k| cells_a[m][k] == of_a[m + 4 * k])), "{a}");
    // B is drawn with K downwards.
    assert!((0..6).all(|n| (0..2).all(|k| cells_b[k][n] == of_b[n + 6 * k])), "{b}");
    assert!((0..4).all(|m| (0..6).all(|n| cells_c[m][n] == of_c[m + 4 * n])), "{c}");
    Ok(())
}

#[test]
fn chosen_and_shared_elements_are_marked() -> Result<(), LayoutError> {
    // Threads 0 and 2, and 1 and 3, have the same elements.
    let tv = layout!(((2, 2), 2):((1, 0), 2));
    let picture = tv.draw_thread_values((2, 2), Some(2))?;
    assert_eq!(cells(&picture.clone().table().to_string())[0][..2], ["T0V0,T2V0*", "T0V1,T2V1*"]);
    let svg = is_legible(&picture);
    assert!(svg.of(Kind::Label).any(|label| label.text == "T0+1"));
    assert_eq!(svg.of(Kind::Label).count(), 8);
    Ok(())
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let parse = |text: &str| text.parse::<DynLayout>().unwrap();
    let access = |threads: &str, bits| WarpAccess::new(&FlatLayout::of(&parse(threads)), 32, bits);
    for (picture, kind) in [
        (parse("(2,3,4):(1,2,6)").draw(ColorBy::Offset), "rank"),
        (parse("(1024,1024):(1,1024)").draw(ColorBy::Offset), "bounds"),
        (parse("(0,9223372036854775807):(8,2)").draw(ColorBy::Offset), "bounds"),
        (parse("((2,9223372036854775807),0):((32,1),4)").draw(ColorBy::Offset), "bounds"),
        (parse("2:9223372036854775807").draw_memory(), "bounds"),
        (parse("18446744073709551615:1").draw_memory(), "bounds"),
        (parse("(2,2,2):(1,2,4)").draw_thread_values(8, None), "rank"),
        (parse("(2,2):(1,2)").draw_thread_values((2, 2, 1), None), "rank"),
        (parse("(2,2):(1,2)").draw_thread_values(3, None), "bounds"),
        (parse("(2,2):(1,2)").draw_thread_values(4, Some(2)), "bounds"),
        (parse("(2,0):(1,2)").draw_thread_values((usize::MAX, 2), None), "overflow"),
        (parse("(1000,1000):(0,0)").draw_thread_values(1, None), "bounds"),
        (parse("(4,6):(1,5)").draw_composition(5), "divisibility"),
        (parse("(2,2):(2,1)").draw_composition("<3,1>".parse::<DynTiler>().unwrap()), "bounds"),
        (
            parse("((2,2),2):((4,1),2)").draw_composition("<<1,3>,1>".parse::<DynTiler>().unwrap()),
            "bounds",
        ),
        (parse("(4,6):(1,4)").draw_division(parse("5:1")), "divisibility"),
        (parse("(4,6,2):(1,4,24)").draw_division(2), "rank"),
        (parse("(32,32):(32,1)").draw_banks(&access("(8,4):(4,1)", 128)), "divisibility"),
        (parse("(32,32):(32,1)").draw_banks(&access("(8,3):(4,1)", 96)), "divisibility"),
        (parse("(2,2):(1,9223372036854775807)").draw_banks(&access("(4,1):(1,0)", 32)), "bounds"),
        (parse("(2,2):(1,2)").draw_banks(&access("(5,1):(1,0)", 32)), "bounds"),
        (parse("(1024,1024):(1,1024)").draw_banks(&access("(5,1):(1,0)", 32)), "bounds"),
    ] {
        let error = picture.expect_err(kind);
        assert_eq!(error.kind().as_str(), kind, "{error}");
    }
    // No threads and no elements are a picture without cells that are needed.
    for threads in ["(0,1):(1,1)", "(4,0):(1,1)"] {
        assert!(parse("(32,32):(32,1)").draw_banks(&access(threads, 32)).is_ok(), "{threads}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// The cycles in the title are those of the analysis, and words are marked if there are
    /// conflicts.
    #[test]
    fn cycles_are_those_of_the_analysis(bits in 0u32..6, base in 0u32..4, by_column: bool, wide in 0usize..3) {
        let tile: DynComposedLayout = format!("Sw<{bits},{base},5> o 0 o (32,32):(32,1)").parse().unwrap();
        // A thread moves neighbours in a row: threads below one another, or side by side.
        let values = 1 << wide;
        let tv = if by_column { ((32, values), (1, 32)) } else { ((32 / values, values), (32 * values, 32)) };
        let tv = DynLayout::new(tv.0, tv.1).unwrap();
        // Below the swizzled bits elements stay neighbours.
        prop_assume!(bits == 0 || base >= wide as u32);
        let access = WarpAccess::new(&FlatLayout::of(&tv), 32, 32 * values);
        let picture = tile.draw_swizzle(&access).unwrap();
        let svg = is_legible(&picture);
        for (layout, name) in [(FlatLayout::of(&tile.inner()), "before"), (FlatLayout::of(&tile), "after")] {
            let found = access.bank_conflicts(&layout);
            prop_assert_eq!(found.instructions, 1);
            let cycles = format!("{} cycle{}", found.passes, if found.passes == 1 { "" } else { "s" });
            let titles: String = svg.of(Kind::Title).map(|title| format!("{} ", title.text)).collect();
            let title = titles.split(name).nth(1).unwrap();
            prop_assert!(title.contains(&cycles), "{} in {}", cycles, title);
        }
        let marked = picture.table().to_string().contains('!');
        let conflicts = access.bank_conflicts(&FlatLayout::of(&tile)).conflicts
            + access.bank_conflicts(&FlatLayout::of(&tile.inner())).conflicts;
        prop_assert_eq!(marked, conflicts > 0);
    }
}

/// XOR strides are drawn, their banks where they are a swizzle; offsets below 0 are none of memory,
/// and refused.
#[test]
fn strides_of_other_kinds() {
    fn parse<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
        text.parse().unwrap()
    }
    let (linear, swizzled) = ("(32,32):(^1,^33)", "Sw<5,0,5> o 0 o (32,32):(1,32)");
    let (linear, swizzled): (DynLayout, DynComposedLayout) = (parse(linear), parse(swizzled));
    let access =
        |threads: &str| WarpAccess::new(&FlatLayout::of(&parse::<DynLayout>(threads)), 32, 32);
    let column = access("(32,1):(32,0)");
    let without_name = |picture: Picture, name: &str| picture.table().to_string().replace(name, "");
    let (l, s) = (linear.to_string(), swizzled.to_string());
    for by in [ColorBy::Offset, ColorBy::Thread, ColorBy::Bank { element_bits: 32 }] {
        let grids = (linear.draw(by).unwrap(), swizzled.draw(by).unwrap());
        assert_eq!(without_name(grids.0, &l), without_name(grids.1, &s));
    }
    assert_eq!(
        without_name(linear.draw_memory().unwrap(), &l),
        without_name(swizzled.draw_memory().unwrap(), &s)
    );
    let banks = (linear.draw_banks(&column).unwrap(), swizzled.draw_banks(&column).unwrap());
    assert!(banks.0.svg().contains("1 cycle, free of conflicts"));
    assert_eq!(without_name(banks.0, &l), without_name(banks.1, &s));
    // No swizzle of natural strides.
    let shared =
        parse::<DynLayout>("(2,2):(^3,^3)").draw_banks(&access("(2,1):(1,0)")).unwrap_err();
    assert!(
        shared
            .to_string()
            .ends_with("the strides 3 and 3 of two bits of the coordinate share bit 0"),
        "{shared}"
    );

    let flipped: DynLayout = parse("(4,6):(-1,4)");
    // Offsets below 0 are drawn; banks and threads have none.
    let drawn = [
        flipped.draw(ColorBy::Offset),
        layout!((4, 6):(-1, 4)).draw(ColorBy::Offset),
        flipped.draw_memory(),
        flipped.draw_composition(layout!(4)),
        flipped.draw_division(2),
    ];
    for picture in drawn {
        assert!(picture.unwrap().table().to_string().contains("-3"));
    }
    let refusals = [
        flipped.draw_banks(&access("(4,1):(1,0)")).map(drop),
        flipped.draw_thread_values((4, 6), None).map(drop),
    ];
    for refusal in refusals {
        let error = refusal.unwrap_err();
        assert_eq!(error.kind().as_str(), "stride", "{error}");
        assert!(error.to_string().contains("the offset -3 is negative"), "{error}");
    }
    // What does not move is of no kind; an empty layout has no offset, and none that the analysis
    // reads.
    for text in ["1:^12", "(1,4):(-11,1)", "(4,1):(^1,^3)"] {
        assert!(parse::<DynLayout>(text).draw_banks(&access("(1,1):(0,0)")).is_ok(), "{text}");
    }
    let empty = parse::<DynLayout>("(4,0):(-1,4)").draw_banks(&access("(0,1):(1,0)")).unwrap_err();
    assert_eq!(empty.kind().as_str(), "stride", "{empty}");
    let moved: DynComposedLayout = parse("Sw<0,0,0> o 3 o (4,6):(-1,4)");
    assert!(moved.draw(ColorBy::Offset).unwrap().table().to_string().contains("|  3 |  7 |"));
}

#[test]
fn levels_of_nesting_are_named() -> Result<(), LayoutError> {
    let named = |text: &str, name: &str| -> Result<bool, LayoutError> {
        let layout: DynLayout = text.parse()?;
        Ok(layout.draw(ColorBy::Offset)?.svg().contains(&format!(">{name}</text>")))
    };
    let nested = "((2,4),(3,(2,2))):((1,24),(2,(6,12)))";
    for name in ["0.0", "0.1", "1.0", "1.1.0", "1.1.1"] {
        assert!(named(nested, name)?, "{name}");
        assert!(!named("(8,12):(1,8)", name)?, "{name}");
    }
    // A leaf of extent 1 has no numbers, and the others keep their names.
    let thin = "(4,(1,3,2)):(1,(0,4,12))";
    assert!(named(thin, "1.1")? && named(thin, "1.2")? && !named(thin, "1.0")?);
    assert!(!named("(4,(1,3)):(1,(0,4))", "1.1")?);
    is_legible(&nested.parse::<DynLayout>()?.draw(ColorBy::Offset)?);
    Ok(())
}

#[test]
fn swizzled_layouts_are_composed_and_divided_in_pictures() -> Result<(), LayoutError> {
    let layout: DynComposedLayout = "Sw<2,0,2> o 0 o (4,4):(4,1)".parse()?;
    let tiler: DynTiler = "<2,2>".parse()?;
    let picture = layout.draw_composition(&tiler)?;
    let title = format!("A o B = {}", layout.compose(&tiler)?);
    assert!(picture.table().to_string().contains(&title));
    let divided = layout.draw_division(&tiler)?.table().to_string();
    assert!(divided.contains(&format!("logical_divide = {}", layout.logical_divide(&tiler)?)));
    assert!(divided.contains(&format!("A = {layout}")));
    Ok(())
}
