(** * Operations that are compared, and of which nothing is proven here

    The remaining operations on layouts of natural strides, after the same loops: sizes, coordinates, compact strides,
    relations of shapes, recasts, sums, common domains. They are extracted like all others, and the golden lines compare
    them with the code.

    In the code: [layout.rs], [coordinate.rs], [compact.rs], [relations.rs], [recast.rs], [sum.rs], [common_domain.rs].
    *)

From Layout Require Import Mode Coalesce Composition Offsets Complement Tree Nested Xor.

Definition size_of (t : tree) : N := size (flat t).
Definition cosize_of (t : tree) : N := reach_sum (flat t) + 1.
Definition rank_of (t : tree) : N := N.of_nat (rank t).
Fixpoint depth_of (t : tree) : N :=
  match t with
  | Leaf _ => 0
  | Tuple l => 1 + (fix go l := match l with [] => 0 | t :: l => N.max (depth_of t) (go l) end) l
  end.

(** Puts one mode in place of each leaf. *)
Definition with_modes (t : tree) (ms : list mode) : tree := fst (fill t (map (fun m => [m]) ms)).

(** The coordinate of a number, as a tree whose extents are its numbers. *)
Definition coordinate_of (shape : tree) (i : N) : tree
  := with_modes shape (map (fun x => Mode x 0) (coordinate (flat shape) i)).

Definition compact_left (shape : tree) : tree := with_modes shape (compact (map extent (flat shape)) 1).
Definition compact_right (shape : tree) : tree := with_modes shape (rev (compact (rev (map extent (flat shape))) 1)).

(** [covers coarse fine]: every leaf of the one stands over a tree of the other, of which [accept] is true. *)
Fixpoint covers (accept : mode -> tree -> bool) (coarse fine : tree) : bool :=
  match coarse, fine with
  | Leaf m, _ => accept m fine
  | Tuple l, Tuple k =>
      (fix go l k := match l, k with x :: l, y :: k => (covers accept x y && go l k)%bool | [], [] => true | _,
        _ => false end) l k
  | Tuple _, Leaf _ => false
  end.
Definition congruent : tree -> tree -> bool := covers (fun _ t => is_leaf t).
Definition weakly_congruent : tree -> tree -> bool := covers (fun _ _ => true).
Definition compatible : tree -> tree -> bool := covers (fun m t => extent m =? size (flat t)).

Fixpoint map_modes (f : mode -> result mode) (ms : list mode) : result (list mode) :=
  match ms with [] => Ok [] | m :: r => let? m := f m in let? r := map_modes f r in Ok (m :: r) end.

(** How far the offsets of a mode reach within one unit. *)
Definition reach_in_unit (unit : N) (m : mode) : N :=
  if ((1 <=? stride m) && negb (extent m =? 1) && (stride m <? unit) && (unit mod stride m =? 0))%bool then unit -
    stride m else 0.
Definition upcast_mode (unit : N) (m : mode) : result mode :=
  if ((stride m =? 0) || (extent m =? 1))%bool then Ok (Mode (extent m) 0)
  else if stride m mod unit =? 0 then Ok (Mode (extent m) (stride m / unit))
  else if ((unit mod stride m =? 0) && (extent m mod (unit / stride m) =? 0))%bool then
    let units := extent m / (unit / stride m) in Ok (Mode units (if units =? 1 then 0 else 1))
  else Err Divisibility.
Definition upcast (t : tree) (unit : N) : result tree :=
  if unit =? 0 then Err Divisibility
  else if unit <=? fold_right N.add 0 (map (reach_in_unit unit) (flat t)) then Err Carry
  else let? ms := map_modes (upcast_mode unit) (flat t) in Ok (with_modes t ms).

Definition downcast_mode (parts : N) (m : mode) : mode :=
  if extent m =? 1 then Mode 1 0
  else if stride m =? 1 then Mode (extent m * parts) 1 else Mode (extent m) (stride m * parts).
Definition downcast (t : tree) (parts : N) : result tree :=
  if parts =? 0 then Err Divisibility
  else if Nat.eqb (length (filter (fun m => ((stride m =? 1) && negb (extent m =? 1))%bool) (flat t))) 1 then
    Ok (with_modes t (map (downcast_mode parts) (flat t)))
  else Err UnitStride.

(** The rest of a mode behind [n] of its steps, before other modes. *)
Definition behind (m : mode) (n : N) (others : list mode) : list mode :=
  if extent m =? n then others else Mode (extent m / n) (stride m * n) :: others.
(** [passes] only says that the loop ends: each pass ends a mode. *)
Fixpoint add_modes (passes : nat) (a b sum : list mode) : result (list mode) :=
  match passes, a, b with
  | S passes, x :: a, y :: b =>
      let (short, long) := if extent x <=? extent y then (x, y) else (y, x) in
      if extent long mod extent short =? 0 then
        let n := extent short in
        add_modes passes (behind x n a) (behind y n b) (push_merged sum (Mode n (stride x + stride y)))
      else Err Divisibility
  | _, _, _ => Ok sum
  end.
Definition layout_add (a b : tree) : result tree :=
  if size (flat a) =? size (flat b) then
    let (a, b) := (merged (flat a), merged (flat b)) in
    let? sum := add_modes (length a + length b) a b [] in Ok (of_modes sum)
  else Err Profile.

(** What is left of a shape: the rest of its first extent above 1, where it begins, and the extents behind it. *)
Record rest_of_shape := Rest { first : N; place : N; others : list N }.
Fixpoint go_on (place rest : N) (extents : list N) : option rest_of_shape :=
  if rest <=? 1 then match extents with [] => None | next :: extents => go_on place next extents end
  else Some (Rest rest place extents).
(** Each pass ends an extent, or halves one at least. *)
Fixpoint common (passes : nat) (x y : option rest_of_shape) : list mode :=
  match passes, x, y with
  | S passes, Some x, Some y =>
      let shared := N.gcd (place x) (place y) in
      let (i, j) := (place y / shared, place x / shared) in
      let factor := if ((first x mod i =? 0) && (first y mod j =? 0))%bool then N.gcd (first x / i) (first y / j) else 1
        in
      let (end_x, end_y) := (place x * first x, place y * first y) in
      if 1 <? factor then
        let at_place := place x * i in
        Mode factor at_place ::
          common passes (go_on (at_place * factor) (first x / i / factor) (others x)) (go_on (at_place * factor) (first
            y / j / factor) (others y))
      else if end_x <=? end_y then common passes (go_on end_x 1 (others x)) (Some y)
      else common passes (Some x) (go_on end_y 1 (others y))
  | _, _, _ => []
  end.
Definition greatest_common_domain (x y : tree) : tree :=
  let (x, y) := (map extent (flat x), map extent (flat y)) in
  let passes l := fold_right (fun n k => (N.to_nat (N.size n) + k)%nat) O l in
  of_modes (common (passes x + passes y) (go_on 1 1 x) (go_on 1 1 y)).
