(** * Extraction: the functions of the proof as a program

    Numbers stay what they are here, binary and without a bound; nothing is put in place of what is proven but OCaml's
    own pairs, lists and booleans. *)

From Layout Require Import Mode Coalesce Composition Offsets Complement Inverse Divide Product Tree Nested Xor Others.
Require Import ExtrOcamlBasic.

Extraction Language OCaml.
Extraction "extracted/algebra.ml"
  index coalesce_tree coalesce_z_tree coalesce_by_mode filter_tree flatten compose_tree compose_by
  complement_tree complement_ceil_tree right_inverse_tree left_inverse_tree nullspace_tree max_common_layout_tree
  divide_split product_split logical zipped tiled flattened blocked_product raked_product tile_to_shape
  tile_to_shape_ordered size_of cosize_of rank_of depth_of at_nested coordinate_of compact_left compact_right congruent
  weakly_congruent compatible upcast downcast layout_add greatest_common_domain swizzle_down swizzle_up.
