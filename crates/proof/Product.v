(** * Logical product: copies side by side

    [logical_product A T] is [(A, A* o T)]: [A*] is what [A] leaves free in a range without an end, its gaps and, above
    all that it spans, copies of the whole. An offset of [A] and one of [A*] add up to a number that says which they
    were: so copies at different offsets have no offset in common.

    In the code: [product.rs], [copies] and [counted]. *)

From Layout Require Import Mode Coalesce Composition Offsets Complement.

(** The modes of [A*]: the last one goes on without an end. *)
Definition star (a : list mode) : result (list mode) :=
  let? (free, span) := gaps a false in Ok (free ++ [Mode 1 span]).

(** The parts of mode 1, one for each mode of [T]; mode 0 is [A]. *)
Definition one_copy (t : list mode) : bool := forallb (fun m => orb (extent m =? 1) (stride m =? 0)) t.
(** One copy counted again and again stands still, wherever others would begin. *)
Definition logical_product (a t : list mode) : result (list (list mode)) :=
  if one_copy t then compose [Mode 1 0] t else let? s := star a in compose s t.

(** The sum of an offset of the sorted modes, one of the gaps, and one above. *)
Fixpoint total (sorted : list mode) (run : N) (xs zs : list N) (top : N) : N :=
  match sorted, xs, zs with
  | m :: rest, x :: xs, z :: zs => z * run + x * stride m + total rest (extent m * stride m) xs zs top
  | _, _, _ => top * run
  end.

Lemma total_offsets : forall sorted run xs zs top, inside sorted xs -> inside (free_modes sorted run) zs ->
  total sorted run xs zs top = offset sorted xs + offset (free_modes sorted run) zs + top * span sorted run.
Proof.
  induction sorted as [|m rest IH]; intros run xs zs top X Z; simpl in *; inversion X; subst; inversion Z; subst; simpl;
    [lia|].
  rewrite IH by assumption. lia.
Qed.

(** The sum says what was added. *)
Lemma total_unique : forall sorted run,
  1 <= run -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted -> apart sorted run ->
  forall low low' xs xs' zs zs' top top', low < run -> low' < run ->
  inside sorted xs -> inside sorted xs' -> inside (free_modes sorted run) zs -> inside (free_modes sorted run) zs' ->
  low + total sorted run xs zs top = low' + total sorted run xs' zs' top' ->
  low = low' /\ xs = xs' /\ zs = zs' /\ top = top'.
Proof.
  induction sorted as [|m rest IH]; intros run R F A low low' xs xs' zs zs' top top' L L' X X' Z Z' E; simpl in *.
  - inversion X; inversion X'; inversion Z; inversion Z'; subst. rewrite !(N.mul_comm _ run) in E.
    destruct (mixed_radix_unique run low top low' top' L L' E). auto.
  - inversion F as [|? ? [E2 S1] F']; subst. destruct A as [A A'].
    inversion X as [|? x ? ys Xx Xr]; subst. inversion X' as [|? x' ? ys' Xx' Xr']; subst.
    inversion Z as [|? z ? ws Zz Zr]; subst. inversion Z' as [|? z' ? ws' Zz' Zr']; subst. simpl in Zz, Zz', E.
    assert (D : run * (stride m / run) <= stride m) by (apply N.mul_div_le; lia).
    set (g := stride m / run) in *.
    assert (B : low + run * z < stride m) by nia.
    assert (B' : low' + run * z' < stride m) by nia.
    assert (C : (low + run * z) + stride m * x < extent m * stride m) by nia.
    assert (C' : (low' + run * z') + stride m * x' < extent m * stride m) by nia.
    destruct (IH (extent m * stride m) ltac:(nia) F' A' ((low + run * z) + stride m * x) ((low' + run * z') + stride m *
      x')
      ys ys' ws ws' top top' C C' Xr Xr' Zr Zr') as (E1 & -> & -> & ->); [lia|].
    destruct (mixed_radix_unique (stride m) _ _ _ _ B B' E1) as [E3 ->].
    destruct (mixed_radix_unique run _ _ _ _ L L' E3) as [-> ->]. auto.
Qed.

(** An offset of a layout is one of its moving modes, in any order. *)
Lemma moving_offset : forall l c, inside l c -> exists c', inside (moving l) c' /\ offset (moving l) c' = offset l c.
Proof.
  induction 1 as [|m x r y H I (c' & I' & O)]; [exists []; repeat constructor|].
  simpl. unfold moves at 1 2. destruct (N.eqb_spec (extent m) 1) as [One|]; simpl.
  - exists c'. split; [assumption|]. rewrite O. replace x with 0 by lia. lia.
  - destruct (N.eqb_spec (stride m) 0) as [Z|]; simpl.
    + exists c'. split; [assumption|]. rewrite O, Z. lia.
    + exists (x :: c'). split; [now constructor|]. simpl. now rewrite O.
Qed.

Lemma permuted_offset : forall l l', Permutation l l' -> forall c, inside l c -> exists c',
  inside l' c' /\ offset l' c' = offset l c.
Proof.
  induction 1 as [|m l l' P IH|m n l|l l' l'' P IH Q IH']; intros c I.
  - inversion I; subst. exists []. repeat constructor.
  - inversion I; subst. destruct (IH l'0 ltac:(assumption)) as (c' & I' & O). exists (y :: c').
    split; [now constructor|]. simpl. now rewrite O.
  - inversion I as [|? x ? y Ix Iy]; subst. inversion Iy as [|? x' ? y' Ix' Iy']; subst. exists (x' :: x :: y').
    split; [repeat constructor; assumption|]. simpl. lia.
  - destruct (IH c I) as (c' & I' & O). destruct (IH' c' I') as (c'' & I'' & O'). exists c''.
    split; [assumption|congruence].
Qed.

Lemma index_last : forall p m i, positive p -> index (p ++ [m]) i = index p (i mod size p) + i / size p * stride m.
Proof. intros. now rewrite index_app by (assumption || discriminate). Qed.

(** ** Theorem: an offset of [A] and one of [A*] are told by their sum *)
Theorem star_disjoint : forall a s, positive a -> star a = Ok s ->
  forall i i' k k', i < size a -> i' < size a -> index a i + index s k = index a i' + index s k'
    -> index a i = index a i' /\ k = k'.
Proof.
  intros a s P H i i' k k' I I' E. unfold star, bind, gaps in H. set (sorted := sort_by stride (moving a)) in *.
  destruct (gaps_of sorted 1 false []) as [[free run]|] eqn:G; [|discriminate]. inversion H; subst s. clear H.
  apply gaps_of_spec in G as (-> & -> & A & _).
  change (fold_left push_merged (free_modes sorted 1) []) with (merged (free_modes sorted 1)) in E.
  pose proof (sorted_moving_spec a P) as F. fold sorted in F.
  destruct (free_modes_positive sorted 1) as [Pf S]; [lia|assumption|assumption|].
  pose proof (merged_positive _ Pf) as Pm. pose proof (size_positive _ Pf) as Sf.
  rewrite !index_last, !merged_size, !merged_index in E by (trivial; apply N.mod_lt; lia). simpl stride in E.
  set (n := size (free_modes sorted 1)) in *.
  assert (Off : forall i, i < size a -> exists xs, inside sorted xs /\ offset sorted xs = index a i).
  { intros j J. destruct (moving_offset a (coordinate a j) (coordinate_inside a j P J)) as (c & C & O).
    destruct (permuted_offset _ _ (sort_permutation mode stride (moving a)) c C) as (xs & X & O').
    exists xs. split; [exact X|]. now rewrite index_of_coordinate, <- O, <- O'. }
  destruct (Off i I) as (xs & X & Ox). destruct (Off i' I') as (xs' & X' & Ox').
  assert (In : forall k, inside (free_modes sorted 1) (coordinate (free_modes sorted 1) (k mod n))).
  { intro j. apply coordinate_inside; [assumption|]. apply N.mod_lt. lia. }
  rewrite <- Ox, <- Ox', !(index_of_coordinate (free_modes sorted 1)) in E.
  destruct (total_unique sorted 1 ltac:(lia) F A 0 0 xs xs' _ _ (k / n) (k' / n) ltac:(lia) ltac:(lia) X X' (In k) (In
    k')) as (_ & -> & Z & T).
  { rewrite !total_offsets by auto. lia. }
  split; [congruence|].
  assert (M : k mod n = k' mod n).
  { destruct (free_modes sorted 1) as [|f r] eqn:Fr.
    - unfold n. simpl. now rewrite !N.mod_1_r.
    - rewrite <- (number_of_coordinate (f :: r) (k mod n)), <- (number_of_coordinate (f :: r) (k' mod n)) by (trivial;
        discriminate).
      now rewrite Z. }
  rewrite (N.div_mod k n), (N.div_mod k' n) by lia. now rewrite M, T.
Qed.

(** ** Theorem: copies are disjoint

    Mode 1 of a product says where copies begin: at [A*(T(c))]. If two of them have an offset in common, then they are
    one copy: [T] has sent both coordinates to the same number. *)
Theorem product_disjoint : forall a t parts, positive a -> positive t -> logical_product a t = Ok parts ->
  forall i i' c c', i < size a -> i' < size a -> inside t c -> inside t c' ->
  index a i + at_parts parts c = index a i' + at_parts parts c' ->
  index a i = index a i' /\ offset t c = offset t c' /\ at_parts parts c = at_parts parts c'.
Proof.
  intros a t parts A T H i i' c c' I I' C C' E. unfold logical_product, bind in H. destruct (one_copy t) eqn:One.
  { unfold one_copy in One. rewrite forallb_forall in One.
    assert (Zero : forall x, inside t x -> offset t x = 0).
    { clear - One. intros x X. induction X as [|m x r y L X IH]; simpl; [reflexivity|].
      rewrite IH by (intros n N; apply One; now right).
      destruct (proj1 (Bool.orb_true_iff _ _) (One m (or_introl eq_refl))) as [M|M]; apply N.eqb_eq in M; rewrite M in *;
        [replace x with 0 by lia|]; lia. }
    destruct (composition_sound [Mode 1 0] t parts ltac:(repeat constructor; simpl; lia) T H) as [_ Law].
    rewrite !Law, !Zero in * by assumption. simpl in *. repeat split; lia. }
  destruct (star a) as [s|] eqn:S; [|discriminate].
  assert (Ps : positive s).
  { unfold star, bind, gaps in S. destruct (gaps_of (sort_by stride (moving a)) 1 false []) as [[free run]|] eqn:G;
      [|discriminate].
    inversion S; subst s. apply gaps_of_spec in G as (-> & -> & Ap & _). apply positive_app.
    split; [|repeat constructor; simpl; lia].
    apply merged_positive. apply free_modes_positive; [lia|now apply sorted_moving_spec|assumption]. }
  destruct (composition_sound s t parts Ps T H) as [_ Law].
  rewrite !Law in E by assumption. destruct (star_disjoint a s A S i i' _ _ I I' E) as [E1 E2].
  rewrite !Law by assumption. now rewrite E1, E2.
Qed.
