(** * Blocked and raked products, and tiles to a shape

    Both products have the modes of a logical product in other places: the block and its copies, woven mode by mode. So
    what holds of the logical product's offsets holds of theirs. *)

From Layout Require Import Mode Coalesce Composition Offsets Complement Inverse Divide Product
  ComplementExact InverseExact Tree Nested NestedLaws.

(** The modes of both layouts side by side, each filled up with [1:0]. *)
Definition block_modes (a t : tree) : tree := Tuple (map fst (pairs (children a) (children t))).
Definition copy_modes (a t : tree) : tree := Tuple (map snd (pairs (children a) (children t))).

Lemma fill_tuple : forall l ps, exists k, fst (fill (Tuple l) ps) = Tuple k /\ length k = length l.
Proof.
  intros l ps. simpl fill.
  assert (Go : forall ps, let (k, _) := (fix go (l : list tree) (parts : list (list mode)) {struct l} := match l with
      | [] => ([], parts)
      | x :: r => let (x, parts) := fill x parts in let (r, parts) := go r parts in (x :: r, parts)
      end) l ps in length k = length l).
  { clear ps. induction l as [|t l IH]; intro ps; [reflexivity|]. destruct (fill t ps) as [x q]. specialize (IH q).
    destruct ((fix go (l : list tree) (parts : list (list mode)) {struct l} := _) l q) as [k r]. simpl. congruence. }
  specialize (Go ps). destruct ((fix go (l : list tree) (parts : list (list mode)) {struct l} := _) l ps) as [k r].
  exists k. split; [reflexivity|exact Go].
Qed.

Lemma woven_flat : forall (weave : tree -> tree -> list tree) xs ys,
  (forall x y, Permutation (flat_map flat (weave x y)) (flat x ++ flat y)) -> length xs = length ys ->
  Permutation (flat_map flat (map (fun p => Tuple (weave (fst p) (snd p))) (combine xs ys))) (flat_map flat xs ++
    flat_map flat ys).
Proof.
  intros weave xs ys W. revert ys. induction xs as [|x xs IH]; intros [|y ys] L; try discriminate; [constructor|].
  change (Permutation (flat (Tuple (weave x y)) ++ flat_map flat (map (fun p => Tuple (weave (fst p) (snd p))) (combine
    xs ys)))
    ((flat x ++ flat_map flat xs) ++ (flat y ++ flat_map flat ys))).
  rewrite flat_tuple, W, IH by (now injection L). rewrite <- !app_assoc. apply Permutation_app_head.
  rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma woven_modes : forall weave a t r, (forall x y, Permutation (flat_map flat (weave x y)) (flat x ++ flat y)) ->
  positive (flat (block_modes a t)) -> positive (flat a) -> positive (flat (copy_modes a t)) -> woven weave a t = Ok r
    ->
  exists parts, logical_product (flat a) (flat (copy_modes a t)) = Ok parts /\
    Permutation (flat r) (flat (block_modes a t) ++ concat parts).
Proof.
  intros weave a t r W B A T H. unfold woven in H. fold (copy_modes a t) in H. unfold bind in H.
  destruct (logical_product (flat a) (flat (copy_modes a t))) as [parts|] eqn:E; [|discriminate]. exists parts.
  split; [reflexivity|].
  set (counts := children (fst (fill (copy_modes a t) parts))) in H.
  assert (C : flat_map flat counts = concat parts
    /\ length counts = length (map fst (pairs (children a) (children t)))).
  { unfold counts. destruct (fill_spec (copy_modes a t) parts [] T (product_refines _ _ _ A T E)) as (k & F & Fl & _).
    rewrite app_nil_r in F. destruct (fill_tuple (map snd (pairs (children a) (children t))) parts) as (l & Fk & Len).
    fold (copy_modes a t) in Fk. rewrite F in *. cbn [fst] in *. subst k. rewrite flat_tuple in Fl. cbn [children].
    split; [exact Fl|]. rewrite Len, !map_length. reflexivity. }
  destruct C as [C L]. clearbody counts. injection H as <-. rewrite flat_tuple.
  rewrite woven_flat; [|exact W|now symmetry]. unfold block_modes. rewrite flat_tuple, C. reflexivity.
Qed.

(** ** Theorem: a blocked and a raked product have the modes of the logical product *)
Theorem blocked_product_modes : forall a t r,
  positive (flat (block_modes a t)) -> positive (flat a) -> positive (flat (copy_modes a t)) ->
  blocked_product a t = Ok r ->
  exists parts, logical_product (flat a) (flat (copy_modes a t)) = Ok parts
    /\ Permutation (flat r) (flat (block_modes a t) ++ concat parts).
Proof. intros a t r B A T H. apply (woven_modes _ a t r) in H; trivial. intros x y. simpl. now rewrite app_nil_r. Qed.

Theorem raked_product_modes : forall a t r,
  positive (flat (block_modes a t)) -> positive (flat a) -> positive (flat (copy_modes a t)) ->
  raked_product a t = Ok r ->
  exists parts, logical_product (flat a) (flat (copy_modes a t)) = Ok parts
    /\ Permutation (flat r) (flat (block_modes a t) ++ concat parts).
Proof. intros a t r B A T H. apply (woven_modes _ a t r) in H; trivial. intros x y. simpl. rewrite app_nil_r.
apply Permutation_app_comm. Qed.
