(** * Nested layouts, tilers, and the operations on them

    A layout is a tree whose leaves are modes. Its coordinates nest as it does, or have a number in place of a tuple,
    which is read in the mixed radix of all leaves below. The operations work on the list of leaves; what is written
    here is where the results stand in the tree, as [composition.rs], [by_mode.rs], [divide.rs] and [product.rs] put
    them there. The last theorem says composition's law for nested coordinates. *)

From Layout Require Import Mode Coalesce Composition Completeness Offsets Complement Inverse Divide Product.

Inductive tree := Leaf (m : mode) | Tuple (l : list tree).

Fixpoint flat (t : tree) : list mode :=
  match t with
  | Leaf m => [m]
  | Tuple l => (fix go l := match l with [] => [] | x :: r => flat x ++ go r end) l
  end.
Definition children (t : tree) : list tree := match t with Leaf _ => [t] | Tuple l => l end.
Definition rank (t : tree) : nat := length (children t).

(** A list of modes as a layout: none is [1:0], one is itself, more are a tuple. *)
Definition of_modes (l : list mode) : tree :=
  match l with [] => Leaf (Mode 1 0) | [m] => Leaf m | _ => Tuple (map Leaf l) end.
Definition of_parts (l : list (list mode)) : tree :=
  match l with [] => Leaf (Mode 1 0) | [p] => of_modes p | _ => Tuple (map of_modes l) end.

(** Puts the parts, one for each leaf, in place of the leaves. *)
Fixpoint fill (t : tree) (parts : list (list mode)) : tree * list (list mode) :=
  match t with
  | Leaf m => match parts with [] => (Leaf m, []) | p :: r => (of_modes p, r) end
  | Tuple l =>
      let (l, parts) :=
        (fix go (l : list tree) (parts : list (list mode)) {struct l} := match l with
          | [] => ([], parts)
          | x :: r => let (x, parts) := fill x parts in let (r, parts) := go r parts in (x :: r, parts)
          end) l parts in
      (Tuple l, parts)
  end.

Definition compose_tree (a b : tree) : result tree :=
  let? parts := compose (flat a) (flat b) in Ok (fst (fill b parts)).

(** ** Tilers *)

(** What stands to the right of an operation: a mode left alone, a number [n], which means [n:1], a layout, or one
    tiler for each mode. *)
Inductive tiler := Keep | Number (n : N) | Layout (t : tree) | By (l : list tiler).

Fixpoint compose_by (a : tree) (t : tiler) : result tree :=
  match t with
  | Keep => Ok a
  | Number n => compose_tree a (Leaf (Mode n 1))
  | Layout b => compose_tree a b
  | By l =>
      if Nat.eqb (length l) (rank a) then
        let? ms := (fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree) :=
          match l, ms with
          | t :: l, m :: ms => let? x := compose_by m t in let? r := go ms l in Ok (x :: r)
          | _, _ => Ok []
          end) (children a) l in
        Ok (Tuple ms)
      else Err Rank
  end.

(** [split] cuts a mode by a layout into a tile and a rest. *)
Section ByMode.
  Variable split : tree -> tree -> result (tree * tree).

  Fixpoint logical (a : tree) (t : tiler) : result tree :=
    match t with
    | Keep => Ok a
    | Number n => let? (tile, rest) := split a (Leaf (Mode n 1)) in Ok (Tuple [tile; rest])
    | Layout b => let? (tile, rest) := split a b in Ok (Tuple [tile; rest])
    | By l =>
        if Nat.leb (length l) (rank a) then
          let? ms := (fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree) :=
            match l, ms with
            | t :: l, m :: ms => let? x := logical m t in let? r := go ms l in Ok (x :: r)
            | _, ms => Ok ms
            end) (children a) l in
          Ok (Tuple ms)
        else Err Rank
    end.

  Fixpoint zipped_into (a : tree) (t : tiler) : result (tree * tree) :=
    match t with
    | Keep => Ok (a, Leaf (Mode 1 0))
    | Number n => split a (Leaf (Mode n 1))
    | Layout b => split a b
    | By l =>
        if Nat.leb (length l) (rank a) then
          let? (tiles, rests) := (fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree * list tree)
            :=
            match l, ms with
            | t :: l, m :: ms =>
                let? (tile, rest) := zipped_into m t in
                let? (tiles, rests) := go ms l in
                Ok (tile :: tiles, rest :: rests)
            | _, ms => Ok ([], ms)
            end) (children a) l in
          Ok (Tuple tiles, Tuple rests)
        else Err Rank
    end.

  Definition zipped (a : tree) (t : tiler) : result tree :=
    match t with
    | Keep => Ok a
    | _ => let? (tile, rest) := zipped_into a t in Ok (Tuple [tile; rest])
    end.
  (** A layout that is left alone is the pair already, if it is one. *)
  Definition pair_of (a : tree) (t : tiler) : result (tree * tree) :=
    match t with
    | Keep => match children a with [x; y] => Ok (x, y) | _ => Err Rank end
    | _ => zipped_into a t
    end.
  Definition tiled (a : tree) (t : tiler) : result tree :=
    let? (tile, rest) := pair_of a t in Ok (Tuple (tile :: children rest)).
  Definition flattened (a : tree) (t : tiler) : result tree :=
    let? (tile, rest) := pair_of a t in Ok (Tuple (children tile ++ children rest)).
End ByMode.

Definition divide_split (a t : tree) : result (tree * tree) :=
  let? (tile, rests) := logical_divide (flat a) (flat t) in Ok (fst (fill t tile), of_parts rests).
Definition product_split (a t : tree) : result (tree * tree) :=
  let? parts := logical_product (flat a) (flat t) in Ok (a, fst (fill t parts)).

(** ** Products that weave *)

(** The modes of both side by side, the shorter one filled up with [1:0]. *)
Fixpoint pairs (a b : list tree) : list (tree * tree) :=
  match a, b with
  | x :: a, y :: b => (x, y) :: pairs a b
  | x :: a, [] => (x, Leaf (Mode 1 0)) :: pairs a []
  | [], b => map (fun y => (Leaf (Mode 1 0), y)) b
  end.
Definition woven (weave : tree -> tree -> list tree) (a t : tree) : result tree :=
  let both := pairs (children a) (children t) in
  let t := Tuple (map snd both) in
  let? parts := logical_product (flat a) (flat t) in
  let counts := children (fst (fill t parts)) in
  Ok (Tuple (map (fun p => Tuple (weave (fst p) (snd p))) (combine (map fst both) counts))).
Definition blocked_product : tree -> tree -> result tree := woven (fun block copies => [block; copies]).
Definition raked_product : tree -> tree -> result tree := woven (fun block copies => [copies; block]).

(** Compact strides, the first mode first; a mode of extent 1 never moves. *)
Fixpoint compact (counts : list N) (run : N) : list mode :=
  match counts with [] => [] | n :: r => Mode n (if n =? 1 then 0 else run) :: compact r (run * n) end.
Fixpoint repetitions (both : list (tree * tree)) : result (list N) :=
  match both with
  | [] => Ok []
  | (block, want) :: r =>
      let (have, want) := (size (flat block), size (flat want)) in
      if want mod have =? 0 then let? rest := repetitions r in Ok (want / have :: rest) else Err Divisibility
  end.
(** [shape] is a tree whose strides are not read. *)
Definition tile_to_shape (block shape : tree) : result tree :=
  let? counts := repetitions (pairs (children block) (children shape)) in
  blocked_product block (Tuple (map Leaf (compact counts 1))).

(** Compact strides in an order: the mode of the least number is the fastest. Each mode keeps its position. *)
Definition ordered (counts order : list N) : list mode :=
  let sorted := sort_by fst (combine order (combine (range (N.of_nat (length counts))) counts)) in
  let modes := compact (map (fun k => snd (snd k)) sorted) 1 in
  map snd (sort_by fst (combine (map (fun k => fst (snd k)) sorted) modes)).

(** A number for each mode, all different. One mode may have its number bare. *)
Fixpoint different (l : list N) : bool :=
  match l with [] => true | x :: r => (negb (existsb (N.eqb x) r) && different r)%bool end.
Definition is_leaf (t : tree) : bool := match t with Leaf _ => true | Tuple _ => false end.
Definition permutes (order : tree) (n : nat) : bool :=
  (Nat.eqb (rank order) n && forallb is_leaf (children order) && different (map extent (flat order)))%bool.

(** [order] is a tree too: its extents are the numbers. *)
Definition tile_to_shape_ordered (block shape order : tree) : result tree :=
  let? counts := repetitions (pairs (children block) (children shape)) in
  if permutes order (length counts) then blocked_product block (Tuple (map Leaf (ordered counts (map extent (flat
    order)))))
  else Err Profile.

(** ** Operations whose results are flat *)

Definition coalesce_tree (t : tree) : tree := of_modes (merged (flat t)).
Definition coalesce_z_tree (t : tree) : tree := of_modes (coalesce_z (flat t)).
Definition coalesce_by_mode (t : tree) : tree := match t with Leaf m => of_modes (merged [m]) |
  Tuple l => Tuple (map coalesce_tree l) end.
Definition filter_tree (t : tree) : tree := of_modes (merged (filter (fun m => negb (stride m =? 0)) (flat t))).
Definition flatten (t : tree) : tree := match t with Leaf m => t | _ => of_modes (flat t) end.
Definition complement_tree (t : tree) (m : N) : result tree := let? r := complement (flat t) m in Ok (of_modes r).
Definition complement_ceil_tree (t : tree) (m : N) : result tree := let? r
  := complement_ceil (flat t) m in Ok (of_modes r).
Definition right_inverse_tree (t : tree) : tree := of_modes (right_inverse (flat t)).
Definition left_inverse_tree (t : tree) : result tree := let? r := left_inverse (flat t) in Ok (of_modes r).
Definition nullspace_tree (t : tree) : tree := of_modes (nullspace (flat t)).

(** The first [count] coordinates of a list of modes, rounded down to whole steps of a mode. *)
Fixpoint take_first (l : list mode) (count : N) : list mode :=
  match l with
  | [] => []
  | m :: r => if count <? 2 then [] else Mode (N.min (extent m) count) (stride m) :: take_first r (count / extent m)
  end.

(** Where the first mode of [A o inverse(B)] has stride 1, [A] and [B] agree, as far as both have coordinates. *)
Definition max_common_layout (a b : list mode) : list mode :=
  let inverse := right_inverse b in
  match compose a inverse with
  | Ok parts =>
      match merged (concat parts) with
      | m :: _ =>
          if stride m =? 1
          then from_modes (merged (take_first inverse (N.min (N.min (extent m) (size a)) (size b))))
          else [Mode 1 0]
      | [] => [Mode 1 0]
      end
  | Err _ => [Mode 1 0]
  end.
Definition max_common_layout_tree (a b : tree) : tree := of_modes (max_common_layout (flat a) (flat b)).
