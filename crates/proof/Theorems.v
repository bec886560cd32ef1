(** * The theorems, and what they rest on

    Each line prints the axioms that a theorem rests on; [make] demands that there is none, "Closed under the global
    context". README.md states each theorem in words. *)

From Layout Require Import Mode Coalesce Composition Completeness Carries NormalForm Offsets Complement Inverse Divide
  Product ComplementExact InverseExact DivideExact Tree Nested DivideAny NestedLaws NestedExact Weave Xor.

(* coalesce *)
Print Assumptions coalesce_same_function.
Print Assumptions coalesce_z_same_function.
Print Assumptions coalesce_normal_form.
Print Assumptions coalesce_fewest.
Print Assumptions coalesce_z_fewest.
(* composition *)
Print Assumptions composition_sound.
Print Assumptions nested_composition_sound.
Print Assumptions composition_of_numbers.
Print Assumptions composition_finds_runs.
Print Assumptions composition_complete.
Print Assumptions composition_exact.
Print Assumptions composition_exact_monotone.
Print Assumptions composition_exact_two_modes.
Print Assumptions composition_exact_reordering.
Print Assumptions composition_iff_no_carry.
Print Assumptions composition_iff_carries_cancel.
Print Assumptions refused_only_by_cancellation.
Print Assumptions composition_by_extents.
Print Assumptions refused_with_open_strides.
Print Assumptions composition_offsets.
Print Assumptions cancellation_divisibility.
Print Assumptions cancellation_carry.
(* complement *)
Print Assumptions complement_bijection.
Print Assumptions complement_increases.
Print Assumptions complement_exact.
Print Assumptions complement_only.
Print Assumptions complement_ceil_law.
Print Assumptions complement_ceil_exact.
(* inverses *)
Print Assumptions right_inverse_law.
Print Assumptions right_inverse_longest.
Print Assumptions right_inverse_overlap.
Print Assumptions left_inverse_law.
Print Assumptions left_inverse_exact.
Print Assumptions left_inverse_overlap.
Print Assumptions left_inverse_divisibility.
Print Assumptions nullspace_law.
Print Assumptions nullspace_all.
Print Assumptions max_common_law.
Print Assumptions max_common_no_larger.
Print Assumptions max_common_not_longest.
(* divide, product *)
Print Assumptions divide_tile.
Print Assumptions divide_offsets.
Print Assumptions divide_offsets_once.
Print Assumptions divide_repeats.
Print Assumptions divide_exact.
Print Assumptions divide_exact_any_rest.
Print Assumptions star_disjoint.
Print Assumptions product_disjoint.
Print Assumptions product_exact.
(* nested layouts *)
Print Assumptions nested_composition_is.
Print Assumptions nested_composition_iff.
Print Assumptions nested_composition_exact.
Print Assumptions nested_divide_exact.
Print Assumptions nested_coalesce.
Print Assumptions nested_complement.
Print Assumptions nested_right_inverse.
Print Assumptions nested_left_inverse.
Print Assumptions nested_divide_tile.
Print Assumptions logical_divide_offsets.
Print Assumptions zipped_divide_offsets.
Print Assumptions tiled_divide_offsets.
Print Assumptions flat_divide_offsets.
Print Assumptions nested_product_disjoint.
Print Assumptions blocked_product_modes.
Print Assumptions raked_product_modes.
(* XOR strides *)
Print Assumptions xor_index_linear.
Print Assumptions natural_is_xor.
Print Assumptions natural_is_xor_any_extents.
Print Assumptions swizzle_down_is_a_layout.
Print Assumptions swizzle_up_is_a_layout.
