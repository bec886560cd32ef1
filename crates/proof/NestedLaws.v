(** * The laws of nested layouts

    The laws of the other files, for nested layouts and their coordinates: a number for each leaf, or a number in place
    of a tuple. And for tilers, which go mode by mode: all four forms of a divide reach the offsets of the layout, each
    as often as before. *)

From Layout Require Import Mode Coalesce Composition Completeness Offsets Complement Inverse Divide Product
  ComplementExact InverseExact Tree Nested.

(** ** Coordinates *)

(** A number is a coordinate of every layout. *)
Lemma at_number : forall t i, at_nested t (Num i) = index (flat t) i.
Proof.
  intros [m|l] i; unfold at_nested; [simpl; lia|]. symmetry. exact (index_of_coordinate (flat (Tuple l)) i).
Qed.

Lemma numbers_inside : forall t c, positive (flat t) -> in_shape t c -> inside (flat t) (numbers t c).
Proof.
  intros t c P I. assert (R : Forall2 refines (flat t) (map (fun m => [m]) (flat t))).
  { clear I. induction (flat t) as [|m l IH]; simpl; [constructor|]. apply positive_cons in P as [Pm Pl].
    constructor; [|now apply IH].
    split; [simpl; lia|]. split; [now repeat constructor|discriminate]. }
  destruct (fill_spec t _ [] P R) as (r & _ & _ & C). now apply C.
Qed.

Lemma flat_of_modes_all : forall l, flat (of_modes l) = from_modes l.
Proof. intros [|m l]; [reflexivity|]. now rewrite flat_of_modes by discriminate. Qed.

(** The number that a coordinate has. *)
Definition number_of (t : tree) (c : nested) : N := number (flat t) (numbers t c).

Lemma number_of_below : forall t c, positive (flat t) -> in_shape t c -> number_of t c < size (flat t).
Proof. intros. now apply number_below, numbers_inside. Qed.

Lemma at_number_of : forall t c, positive (flat t) -> in_shape t c -> index (flat t) (number_of t c) = at_nested t c.
Proof. intros. now apply index_of_number, numbers_inside. Qed.

(** ** Theorem: coalesce, for nested layouts *)
Theorem nested_coalesce : forall t c, positive (flat t) -> in_shape t c ->
  at_nested (coalesce_tree t) (Num (number_of t c)) = at_nested t c.
Proof.
  intros t c P I. rewrite at_number. unfold coalesce_tree. rewrite flat_of_modes_all.
  change (from_modes (merged (flat t))) with (coalesce (flat t)).
  destruct (coalesce_same_function (flat t) P) as [_ E]. rewrite E by now apply number_of_below. now apply at_number_of.
Qed.

(** ** Theorem: the complement of a nested layout *)
Theorem nested_complement : forall t m r, positive (flat t) -> 1 <= m -> complement_tree t m = Ok r ->
  (forall c j, in_shape t c -> j < size (flat r) -> at_nested t c + at_nested r (Num j) < m) /\
  (forall x, x < m -> exists c j, in_shape t c /\ j < size (flat r) /\ at_nested t c + at_nested r (Num j) = x) /\
  (forall c j c' j', in_shape t c -> j < size (flat r) -> in_shape t c' -> j' < size (flat r) ->
    at_nested t c + at_nested r (Num j) = at_nested t c' + at_nested r (Num j') -> at_nested t c = at_nested t c'
      /\ j = j').
Proof.
  intros t m r P M H. unfold complement_tree, bind in H.
  destruct (complement (flat t) m) as [l|] eqn:E; [|discriminate].
  inversion H; subst r. clear H.
  assert (Fl : flat (of_modes l) = l).
  { rewrite flat_of_modes_all. unfold complement, bind in E.
    destruct (complement_modes (flat t) m) as [free|]; [|discriminate]. inversion E; subst l.
    now destruct free. }
  destruct (complement_bijection (flat t) m l P M E) as (Below & Sum & Once).
  assert (Mv : forall c, in_shape t c -> exists i,
    i < size (moving (flat t)) /\ index (moving (flat t)) i = at_nested t c).
  { intros c I. destruct (moving_offset (flat t) (numbers t c)) as (d & D & O); [now apply numbers_inside|].
    exists (number (moving (flat t)) d). split; [now apply number_below|]. rewrite index_of_number by assumption.
    exact O. }
  rewrite Fl. split; [|split].
  - intros c j I J. rewrite at_number, Fl. destruct (Mv c I) as (i & Li & <-). now apply Below.
  - intros x X. destruct (Sum x X) as (i & j & I & J & Eq).
    assert (exists c, in_shape t c /\ at_nested t c = index (moving (flat t)) i) as (c & C & O).
    { assert (D : In (index (moving (flat t)) i) (offsets (moving (flat t)))).
      { rewrite offsets_index by now apply moving_positive. apply in_map. now apply in_range. }
      apply offset_in_offsets in D as (d & D & O). rewrite <- O.
      assert (exists e, inside (flat t) e /\ offset (flat t) e = offset (moving (flat t)) d) as (e & In & Oe).
      { clear - D P. revert d D. induction (flat t) as [|k l IH]; intros d D; [inversion D; subst; exists [];
          repeat constructor|].
        apply positive_cons in P as [Pk Pl]. simpl in D |- *. destruct (moves k).
        - inversion D as [|? x ? y X Y]; subst. destruct (IH Pl y Y) as (e & I & O). exists (x :: e).
          split; [now constructor|]. simpl. now rewrite O.
        - destruct (IH Pl d D) as (e & I & O). exists (0 :: e). split; [constructor; [lia|exact I]|]. simpl.
          now rewrite O. }
      exists (Num (number (flat t) e)). split; [|rewrite at_number, index_of_number by assumption; exact Oe].
      pose proof (number_below _ _ In) as Nb. destruct t as [k|l0]; [|exact Nb]. simpl in *. lia. }
    exists c, j. rewrite at_number, Fl, O. auto.
  - intros c j c' j' I J I' J' Eq. rewrite !at_number, Fl in Eq.
    destruct (Mv c I) as (i & Li & Ei), (Mv c' I') as (i' & Li' & Ei'). rewrite <- Ei, <- Ei' in *.
    destruct (Once i j i' j' Li J Li' J' Eq) as [-> ->]. auto.
Qed.

(** ** Theorem: the inverses of a nested layout *)
Theorem nested_right_inverse : forall t i, positive (flat t) -> i < size (flat (right_inverse_tree t)) ->
  at_nested t (Num (at_nested (right_inverse_tree t) (Num i))) = i.
Proof.
  intros t i P I. rewrite !at_number. unfold right_inverse_tree in *. rewrite flat_of_modes_all in *.
  assert (E : from_modes (right_inverse (flat t)) = right_inverse (flat t)).
  { unfold right_inverse. now destruct (right_inverse_loop _ 1 []). }
  rewrite E in *. now apply right_inverse_law.
Qed.

Theorem nested_left_inverse : forall t r, positive (flat t) -> left_inverse_tree t = Ok r ->
  (forall c, in_shape t c -> at_nested t (Num (at_nested r (Num (at_nested t c)))) = at_nested t c) /\
  (Forall (fun m => stride m <> 0) (flat t) -> forall c,
    in_shape t c -> at_nested r (Num (at_nested t c)) = number_of t c).
Proof.
  intros t r P H. unfold left_inverse_tree, bind in H. destruct (left_inverse (flat t)) as [l|] eqn:E; [|discriminate].
  inversion H; subst r. clear H.
  assert (Fl : flat (of_modes l) = l).
  { rewrite flat_of_modes_all. unfold left_inverse, bind in E.
    destruct (left_inverse_modes _) as [digits|]; [|discriminate]. inversion E; subst l.
    now destruct (merged digits). }
  destruct (left_inverse_law (flat t) l P E) as [Law Inv]. split.
  - intros c I. rewrite !at_number, Fl, <- (at_number_of t c) by assumption. apply Law. now apply number_of_below.
  - intros Z c I. rewrite at_number, Fl, <- (at_number_of t c) by assumption. apply Inv; [exact Z|].
    now apply number_of_below.
Qed.

(** ** Theorem: mode 0 of a divide is [A o T], for nested layouts *)

Lemma divide_refines : forall a t tile rests, positive a -> positive t -> logical_divide a t = Ok (tile, rests) ->
  Forall2 refines t tile /\ rests <> [] /\ Forall (fun p => positive p /\ p <> []) rests.
Proof.
  intros a t tile rests A T H. split; [apply (divide_tile a t tile rests A T H)|].
  apply divide_composition in H as (rest & C & E & L).
  pose proof (size_positive a A) as S.
  pose proof (from_modes_positive _ (complement_modes_positive t (size a) rest T S C)) as R.
  assert (P : positive (t ++ from_modes rest)) by now apply positive_app.
  destruct (composition_sound _ _ _ A P E) as [F _].
  assert (Fq : Forall2 refines (from_modes rest) rests).
  { clear - F L. revert tile F L. induction t as [|m t IH]; intros [|p tile] F L; try discriminate; [exact F|].
    inversion F; subst. apply (IH tile); [assumption|]. now injection L. }
  split.
  - intro Z. rewrite Z in Fq. pose proof (from_modes_not_nil rest).
    destruct (from_modes rest); [contradiction|inversion Fq].
  - clear - Fq. induction Fq as [|m p ms ps (Sz & P & N) F IH]; constructor; auto.
Qed.

Theorem nested_divide_tile : forall a t tile rest,
  positive (flat a) -> positive (flat t) -> divide_split a t = Ok (tile, rest) ->
  forall c, in_shape t c -> in_shape tile c /\ at_nested tile c = index (flat a) (at_nested t c).
Proof.
  intros a t tile rest A T H c I. unfold divide_split, bind in H.
  destruct (logical_divide (flat a) (flat t)) as [[parts rests]|] eqn:E; [|discriminate]. inversion H; subst tile rest.
  clear H.
  destruct (divide_tile _ _ _ _ A T E) as [R Law].
  destruct (fill_spec t parts [] T R) as (r & F & Fl & Cs). rewrite app_nil_r in F. rewrite F. simpl.
  destruct (Cs c I) as (Ins & In & Eq). split; [exact In|]. unfold at_nested. rewrite Fl, Eq.
  rewrite (offset_coordinates (flat t)) by assumption. now apply Law.
Qed.

(** ** Theorem: all forms of a divide reach the same offsets, by mode too *)

(** A tiler whose tiles have extents from 1 and repeat nothing. *)
Fixpoint repeats_nothing (t : tiler) : Prop :=
  match t with
  | Keep => True
  | Number n => 1 <= n
  | Layout b => positive (flat b) /\ Forall (fun m => stride m <> 0) (flat b)
  | By l => (fix go l := match l with [] => True | t :: l => repeats_nothing t /\ go l end) l
  end.

Section TilerInduction.
  Variable P : tiler -> Prop.
  Variables (keep : P Keep) (one : forall n, P (Number n)) (layout : forall t, P (Layout t)) (by_mode : forall l,
    Forall P l -> P (By l)).
  Fixpoint tiler_induction (t : tiler) : P t :=
    match t with
    | Keep => keep
    | Number n => one n
    | Layout b => layout b
    | By l => by_mode l ((fix go l : Forall P l := match l with [] => Forall_nil P |
      t :: l => Forall_cons t (tiler_induction t) (go l) end) l)
    end.
End TilerInduction.

(** The same offsets, each as often. *)
Definition same_offsets (p q : list mode) : Prop := Permutation (offsets p) (offsets q).

Lemma same_offsets_app : forall p p' q q', same_offsets p p' -> same_offsets q q' -> same_offsets (p ++ q) (p' ++ q').
Proof.
  unfold same_offsets. intros p p' q q' P Q. rewrite !offsets_app, (all_sums_permutation _ _ _ Q), all_sums_comm.
  rewrite (all_sums_permutation _ _ _ P). apply all_sums_comm.
Qed.

Lemma flat_children : forall t, flat_map flat (children t) = flat t.
Proof. intros [m|l]; [reflexivity|]. now rewrite flat_tuple. Qed.

Lemma divide_split_offsets : forall a t tile rest,
  positive (flat a) -> positive (flat t) -> Forall (fun m => stride m <> 0) (flat t) ->
  divide_split a t = Ok (tile, rest) -> same_offsets (flat tile ++ flat rest) (flat a).
Proof.
  intros a t tile rest A T Z H. unfold divide_split, bind in H.
  destruct (logical_divide (flat a) (flat t)) as [[parts rests]|] eqn:E; [|discriminate]. inversion H; subst tile rest.
  clear H.
  destruct (divide_refines _ _ _ _ A T E) as (R & NN & F).
  destruct (fill_spec t parts [] T R) as (r & Fi & Fl & _). rewrite app_nil_r in Fi. rewrite Fi. simpl. rewrite Fl.
  assert (flat (of_parts rests) = concat rests) as ->.
  { clear - NN F. destruct rests as [|p [|q rests]]; [contradiction| |].
    - inversion F as [|? ? [P N] F']; subst. simpl. rewrite flat_of_modes by assumption. now rewrite app_nil_r.
    - unfold of_parts. rewrite flat_tuple. revert F. generalize (p :: q :: rests). clear. intros l F.
      induction F as [|p l [P N] F IH]; [reflexivity|]. simpl. now rewrite flat_of_modes, IH. }
  rewrite <- concat_app. now apply (divide_offsets_once (flat a) (flat t)).
Qed.

Lemma number_tile : forall n, 1 <= n -> positive (flat (Leaf (Mode n 1)))
  /\ Forall (fun m => stride m <> 0) (flat (Leaf (Mode n 1))).
Proof. intros n N1. split; repeat constructor; simpl; trivial. lia. Qed.

Theorem logical_divide_offsets : forall t a r, positive (flat a) -> repeats_nothing t ->
  logical divide_split a t = Ok r -> same_offsets (flat r) (flat a).
Proof.
  assert (Pair : forall a b r, positive (flat a) -> positive (flat b) -> Forall (fun m => stride m <> 0) (flat b) ->
    (let? (tile, rest) := divide_split a b in Ok (Tuple [tile; rest])) = Ok r -> same_offsets (flat r) (flat a)).
  { intros a b r A B Z H. unfold bind in H. destruct (divide_split a b) as [[tile rest]|] eqn:E; [|discriminate].
    inversion H; subst r. rewrite flat_tuple. simpl. rewrite app_nil_r. now apply (divide_split_offsets a b). }
  induction t as [|n|b|l IH] using tiler_induction; intros a r A T H.
  - inversion H; subst. apply Permutation_refl.
  - destruct (number_tile n T). now apply (Pair a (Leaf (Mode n 1)) r).
  - destruct T. now apply (Pair a b r).
  - simpl in H. destruct (Nat.leb (length l) (rank a)); [|discriminate]. unfold bind in H at 1.
    destruct ((fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree)
      := _) (children a) l) as [ms|] eqn:E; [|discriminate].
    inversion H; subst r. clear H. rewrite flat_tuple. rewrite <- (flat_children a) in *. revert ms E A T.
    generalize (children a).
    induction IH as [|t l Ht Hl IHl]; intros cs ms E A T.
    + destruct cs; inversion E; subst; apply Permutation_refl.
    + destruct cs as [|c cs]; [inversion E; subst; apply Permutation_refl|]. simpl in A.
      apply positive_app in A as [Ac As]. destruct T as [Tt Tl].
      unfold bind in E at 1. destruct (logical divide_split c t) as [x|] eqn:Ex; [|discriminate].
      unfold bind in E at 1. destruct ((fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree)
        := _) cs l) as [xs|] eqn:Es; [|discriminate].
      inversion E; subst ms. simpl. apply same_offsets_app; [now apply Ht|]. now apply IHl.
Qed.

Lemma zipped_into_offsets : forall t a tile rest, positive (flat a) -> repeats_nothing t ->
  zipped_into divide_split a t = Ok (tile, rest) -> same_offsets (flat tile ++ flat rest) (flat a).
Proof.
  induction t as [|n|b|l IH] using tiler_induction; intros a tile rest A T H.
  - inversion H; subst. unfold same_offsets. rewrite offsets_app. change (offsets (flat (Leaf (Mode 1 0)))) with [0].
    rewrite all_sums_zero. apply Permutation_refl.
  - destruct (number_tile n T). now apply (divide_split_offsets a (Leaf (Mode n 1))).
  - destruct T. now apply (divide_split_offsets a b).
  - simpl in H. destruct (Nat.leb (length l) (rank a)); [|discriminate]. unfold bind in H at 1.
    destruct ((fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree * list tree)
      := _) (children a) l) as [[tiles rests]|] eqn:E; [|discriminate].
    inversion H; subst tile rest. clear H. rewrite !flat_tuple. rewrite <- (flat_children a) in *.
    revert tiles rests E A T. generalize (children a).
    induction IH as [|t l Ht Hl IHl]; intros cs tiles rests E A T.
    + destruct cs; inversion E; subst; apply Permutation_refl.
    + destruct cs as [|c cs]; [inversion E; subst; apply Permutation_refl|]. simpl in A.
      apply positive_app in A as [Ac As]. destruct T as [Tt Tl].
      unfold bind in E at 1. destruct (zipped_into divide_split c t) as [[x y]|] eqn:Ex; [|discriminate].
      unfold bind in E at 1. destruct ((fix go (ms : list tree) (l : list tiler) {struct l} : result (list tree * list
        tree) := _) cs l) as [[xs ys]|] eqn:Es; [|discriminate].
      inversion E; subst tiles rests. simpl.
      unfold same_offsets. transitivity (offsets ((flat x ++ flat y) ++ (flat_map flat xs ++ flat_map flat ys))).
      * apply offsets_permutation. rewrite <- !app_assoc. apply Permutation_app_head. rewrite !app_assoc.
        apply Permutation_app_tail, Permutation_app_comm.
      * apply same_offsets_app; [now apply Ht|]. now apply IHl.
Qed.

Theorem zipped_divide_offsets : forall t a r, positive (flat a) -> repeats_nothing t ->
  zipped divide_split a t = Ok r -> same_offsets (flat r) (flat a).
Proof.
  intros t a r A T H. assert (H' : t = Keep /\ r = a \/ exists tile rest, zipped_into divide_split a t = Ok (tile,
    rest) /\ r = Tuple [tile; rest]).
  { destruct t; [left; now inversion H|right..]; unfold zipped, bind in H;
      destruct (zipped_into divide_split a _) as [[tile rest]|]; inversion H; eauto. }
  destruct H' as [[-> ->]|(tile & rest & E & ->)]; [apply Permutation_refl|]. rewrite flat_tuple. simpl.
  rewrite app_nil_r.
  now apply (zipped_into_offsets t).
Qed.

Lemma pair_of_offsets : forall t a tile rest, positive (flat a) -> repeats_nothing t ->
  pair_of divide_split a t = Ok (tile, rest) -> same_offsets (flat tile ++ flat rest) (flat a).
Proof.
  intros t a tile rest A T H.
  assert (H' : t = Keep \/ zipped_into divide_split a t = Ok (tile, rest)) by (destruct t; [now left|right; exact H..]).
  destruct H' as [->|H']; [|now apply (zipped_into_offsets t)].
  simpl in H. rewrite <- (flat_children a). destruct (children a) as [|x [|y [|z l]]]; try discriminate.
  inversion H; subst.
  simpl. rewrite app_nil_r. apply Permutation_refl.
Qed.

Theorem tiled_divide_offsets : forall t a r, positive (flat a) -> repeats_nothing t ->
  tiled divide_split a t = Ok r -> same_offsets (flat r) (flat a).
Proof.
  intros t a r A T H. unfold tiled, bind in H.
  destruct (pair_of divide_split a t) as [[tile rest]|] eqn:E; [|discriminate].
  inversion H; subst r. rewrite flat_tuple. simpl. rewrite flat_children. now apply (pair_of_offsets t).
Qed.

Theorem flat_divide_offsets : forall t a r, positive (flat a) -> repeats_nothing t ->
  flattened divide_split a t = Ok r -> same_offsets (flat r) (flat a).
Proof.
  intros t a r A T H. unfold flattened, bind in H.
  destruct (pair_of divide_split a t) as [[tile rest]|] eqn:E; [|discriminate].
  inversion H; subst r. rewrite flat_tuple, flat_map_app, !flat_children. now apply (pair_of_offsets t).
Qed.

(** ** Theorem: the copies of a nested product are disjoint *)
Lemma product_refines : forall a t parts,
  positive a -> positive t -> logical_product a t = Ok parts -> Forall2 refines t parts.
Proof.
  intros a t parts A T H. unfold logical_product, bind in H. destruct (one_copy t).
  - apply (composition_sound [Mode 1 0] t parts); trivial. repeat constructor. simpl. lia.
  - destruct (star a) as [s|] eqn:S; [|discriminate]. apply (composition_sound s t parts); trivial.
    unfold star, bind, gaps in S. destruct (gaps_of (sort_by stride (moving a)) 1 false []) as [[free run]|] eqn:G;
      [|discriminate].
    inversion S; subst s. apply gaps_of_spec in G as (-> & -> & Ap & _). apply positive_app.
    split; [|repeat constructor; simpl; lia].
    apply merged_positive. apply free_modes_positive; [lia|now apply sorted_moving_spec|assumption].
Qed.

Theorem nested_product_disjoint : forall a t block copies,
  positive (flat a) -> positive (flat t) -> product_split a t = Ok (block, copies) ->
  block = a /\
  forall c c' k k', in_shape a c -> in_shape a c' -> in_shape t k -> in_shape t k' ->
    at_nested a c + at_nested copies k = at_nested a c' + at_nested copies k' ->
    at_nested a c = at_nested a c' /\ at_nested t k = at_nested t k' /\ at_nested copies k = at_nested copies k'.
Proof.
  intros a t block copies A T H. unfold product_split, bind in H.
  destruct (logical_product (flat a) (flat t)) as [parts|] eqn:E; [|discriminate]. inversion H as [[Eb Ec]]. clear H.
  symmetry in Ec. subst block copies. split; [reflexivity|].
  intros c c' k k' C C' K K' Eq. pose proof (product_refines _ _ _ A T E) as R.
  destruct (fill_spec t parts [] T R) as (r & F & Fl & Cs). rewrite app_nil_r in F. rewrite F in *. simpl in *.
  assert (At : forall k, in_shape t k -> at_nested r k = at_parts parts (numbers t k)).
  { intros k0 I. destruct (Cs k0 I) as (I1 & _ & I3). unfold at_nested. rewrite Fl, I3.
    now apply (offset_coordinates (flat t)). }
  rewrite !At in * by assumption. rewrite <- !(at_number_of a) in * by assumption. unfold at_nested in *.
  apply (product_disjoint (flat a) (flat t) parts A T E); trivial; try now apply number_of_below.
  - now apply Cs.
  - now apply Cs.
Qed.

(** ** The common layout need not be the longest

    [max_common_layout] goes along the right inverse of [B]. Where a stride is 0, another way may be common:
    [(2,2):(0,1)] and [(2,2):(1,0)] both have the offsets 0, 1 at the numbers 0, 3 of [2:3]. *)
Example max_common_not_longest :
  max_common_layout [Mode 2 0; Mode 2 1] [Mode 2 1; Mode 2 0] = [Mode 1 0] /\
  map (fun i => (index [Mode 2 0; Mode 2 1] (index [Mode 2 3] i), index [Mode 2 1; Mode 2 0] (index [Mode 2 3] i))) [0;
    1]
    = [(0, 0); (1, 1)].
Proof. split; reflexivity. Qed.
