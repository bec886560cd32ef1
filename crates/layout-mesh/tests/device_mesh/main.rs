//! Meshes beside PyTorch's `DeviceMesh`: `answers.txt` is what PyTorch answers to each rank
//! (`answers.py` asks it).

use layout_algebra::prelude::*;
use layout_mesh::{Error, Mesh, MeshMode, MeshModes};

fn numbers(text: &str) -> Vec<usize> {
    text.split(',').map(|number| number.parse().expect("a number")).collect()
}

fn named(mesh: Mesh, names: &str) -> Mesh {
    let names: Vec<&str> = names.split(',').collect();
    match names[..] {
        [a] => mesh.named([a]),
        [a, b] => mesh.named([a, b]),
        [a, b, c] => mesh.named([a, b, c]),
        [a, b, c, d] => mesh.named([a, b, c, d]),
        _ => panic!("{names:?}"),
    }
    .expect("different names")
}

/// One step of a line: `submesh a,b`, `flatten a,b ab` or `unflatten a 2,2 x,y`.
fn step(mesh: &Mesh, step: &str) -> Result<Mesh, Error> {
    let words: Vec<&str> = step.split(' ').collect();
    let modes = || MeshModes(words[1].split(',').map(MeshMode::from).collect());
    match words[..] {
        ["submesh", _] => mesh.submesh(modes()),
        ["flatten", _, name] => mesh.flatten(modes(), name),
        ["unflatten", mode, sizes, names] => {
            let (sizes, names): (Vec<usize>, Vec<&str>) =
                (numbers(sizes), names.split(',').collect());
            match (&sizes[..], &names[..]) {
                (&[a, b], &[x, y]) => mesh.split(mode, [a, b], [x, y]),
                (&[a, b, c], &[x, y, z]) => mesh.split(mode, [a, b, c], [x, y, z]),
                _ => panic!("{step}"),
            }
        }
        _ => panic!("{step}"),
    }
}

#[test]
fn meshes_answer_as_device_meshes() {
    let (mut compared, mut refused) = (0, 0);
    for line in include_str!("answers.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [ranks, rank] =
            fields[0].split(' ').map(|n| n.parse().expect("a number")).collect::<Vec<usize>>()[..]
        else {
            panic!("{line}")
        };
        let (layout, names) = fields[1].split_once(' ').expect("a layout and names");
        let layout: DynLayout = layout.parse().expect("a layout");
        let mut mesh = named(Mesh::on_paper(ranks, rank, layout).expect("as many ranks"), names);
        for one in fields[2].split(", ").filter(|one| *one != "-") {
            mesh = step(&mesh, one).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        // PyTorch refuses modes in another order, which its documentation has an example of: see
        // below.
        if fields[3].starts_with("refused: ") {
            assert!(
                fields[3].ends_with("Mesh dim indices should be in ascending order."),
                "{line}"
            );
            refused += 1;
            continue;
        }
        let [shape, all, at, groups] = fields[3..] else { panic!("{line}") };
        let modes = numbers(shape).len();
        assert_eq!(
            (0..modes).map(|k| mesh.extent(k).unwrap()).collect::<Vec<_>>(),
            numbers(shape),
            "{line}"
        );
        assert!(mesh.extent(modes).is_err());
        assert_eq!(mesh.ranks().collect::<Vec<_>>(), numbers(all), "{line}");
        assert_eq!(mesh.coordinates(), (at != "none").then(|| numbers(at)), "{line}");
        if at != "none" {
            for (mode, group) in groups.split("; ").enumerate() {
                let mut own: Vec<usize> = mesh.submesh(mode).unwrap().ranks().collect();
                own.sort_unstable();
                assert_eq!(own, numbers(group), "{line}");
                // The same group among those of all ranks.
                let (all, extent) = (mesh.groups(mode).unwrap(), mesh.extent(mode).unwrap());
                let mut all: Vec<usize> =
                    (0..mesh.size()).map(|i| mesh.first() + all.index(i)).collect();
                all.chunks_mut(extent).for_each(<[usize]>::sort_unstable);
                assert!(all.chunks(extent).any(|one| one == own), "{line}");
            }
        }
        compared += 1;
    }
    assert_eq!((compared, refused), (282, 24));
}

/// "Calling mesh_3d["cp", "dp"] on rank 0, 1, 4, 5 returns a 2D submesh of DeviceMesh:([[0, 4], [1,
/// 5]])", and "on rank 2, 3, 6, 7 [..] ([[2, 6], [3, 7]])": what the documentation says, and
/// PyTorch 2.10 refuses.
#[test]
fn modes_in_another_order_are_as_documented() {
    for rank in 0..8 {
        let mesh = named(Mesh::on_paper(8, rank, layout!((2, 2, 2): right)).unwrap(), "dp,pp,cp");
        let ranks: Vec<usize> = mesh.submesh(["cp", "dp"]).unwrap().ranks().collect();
        assert_eq!(ranks, if rank & 2 == 0 { [0, 4, 1, 5] } else { [2, 6, 3, 7] });
    }
}

/// What `DeviceMesh` raises: test_raises_duplicate_mesh_dim_names,
/// .._mesh_shape_mesh_dim_names_mismatch, .._no_mesh_dim_found, .._invalid_mesh_dim_name,
/// test_flatten_mesh_3d (a name that is there), and `_unflatten` into sizes that do not make up the
/// extent.
#[test]
fn what_device_meshes_raise_is_refused() {
    let mesh = || Mesh::on_paper(8, 0, layout!((2, 4): right)).unwrap();
    assert!(matches!(mesh().named(["dp", "dp"]), Err(Error::Names { .. })));
    assert!(matches!(mesh().named(["dp", "tp", "x"]), Err(Error::Names { .. })));
    assert!(matches!(mesh().submesh("dp"), Err(Error::NoMode { .. })));
    let named = mesh().named(["dp", "tp"]).unwrap();
    assert!(matches!(named.submesh("pp"), Err(Error::NoMode { .. })));
    assert!(matches!(named.submesh(["dp", "dp"]), Err(Error::ModeTwice { .. })));
    assert!(matches!(named.flatten(["dp"], "tp"), Err(Error::Names { .. })));
    assert!(matches!(named.split("tp", [3, 2], ["a", "b"]), Err(Error::Split { .. })));
    assert!(matches!(named.split("tp", [2, 2], ["a", "dp"]), Err(Error::Names { .. })));
}
