(** * Divide and product: where they are refused, there is none

    [logical_divide A T] is [A o (T, R)], with [R] the complement of [T] in the size of [A]. The complement is exact:
    ComplementExact.v. And [(T, R)] has every number below the size of [A] as an offset, once: it is [A] in another
    order. For such a right operand composition is exact, whatever the strides of [A] are, and nothing can cancel out.
    The argument: a composition is then a layout which is the same function as [A], but for the order of its modes. So
    it coalesces to the same modes, which means that its own modes never run over the edge of one of [A]'s.

    The left operand of a product is [A*], whose strides grow: composition is exact for those too. *)

From Layout Require Import Mode Coalesce Composition Completeness Carries NormalForm Offsets Complement Inverse Divide
  Product
  ComplementExact InverseExact.

(** ** The modes of the left operand *)

Lemma left_modes_wide : forall a, positive a ->
  let (bound, last) := left_modes a in wide bound /\ 1 <= extent last /\ size bound * extent last = size a.
Proof.
  assert (Open : forall done next, wide (rev done) -> 1 <= extent next ->
    let (done', last') := open_again done next in
    wide (rev done') /\ 1 <= extent last' /\ size (rev done') * extent last' = size (rev done) * extent next).
  { intros [|before rest] next W N; simpl in *; [auto|]. destruct (continues_in before next).
    - apply Forall_app in W as [W B]. inversion B; subst. split; [exact W|]. rewrite size_app. simpl. split; [nia|ring].
    - auto. }
  assert (Fold : forall rest done last, positive rest -> wide (rev done) -> 1 <= extent last ->
    let (done', last') := fold_left take rest (done, last) in
    wide (rev done') /\ 1 <= extent last'
      /\ size (rev done') * extent last' = size (rev done) * extent last * size rest).
  { induction rest as [|next rest IH]; intros done last P W L; [simpl; repeat split; trivial; lia|].
    apply positive_cons in P as [Pn Pr]. simpl fold_left.
    assert (H : let d := if extent last =? 1 then done else last :: done in wide (rev d)
      /\ size (rev d) = size (rev done) * extent last).
    { destruct (N.eqb_spec (extent last) 1) as [E|E]; simpl; [split; [exact W|lia]|]. split.
      - apply Forall_app. split; [exact W|]. repeat constructor. lia.
      - rewrite size_app. simpl. ring. }
    destruct H as [Wd Sd]. specialize (Open (if extent last =? 1 then done else last :: done) next Wd Pn).
    destruct (open_again _ next) as [d l]. destruct Open as (W' & L' & S'). specialize (IH d l Pr W' L').
    destruct (fold_left take rest (d, l)) as [d' l']. destruct IH as (W'' & L'' & S'').
    repeat split; trivial. rewrite S'', S', Sd. simpl. ring. }
  intros [|first rest] P; simpl; [split; [constructor|split; simpl; lia]|].
  apply positive_cons in P as [F R]. specialize (Fold rest [] first R ltac:(constructor) F).
  destruct (fold_left take rest ([], first)) as [done last]. destruct Fold as (W & L & S). repeat split; trivial.
  rewrite S. simpl. ring.
Qed.

Lemma left_index_one : forall ms last, wide ms -> left_index ms last 1 = next_stride ms last.
Proof.
  intros [|m r] last W; simpl; [lia|]. inversion W; subst. rewrite N.mod_small, N.div_small by lia.
  rewrite left_index_zero; [lia|]. now apply wide_positive.
Qed.

(** ** Runs through all numbers in which [A] is linear stay within the modes of [A] *)

Definition scaled (k : N) (m : mode) : mode := Mode (extent m) (stride m * k).

Lemma runs_scaled : forall ts e k, runs ts (e * k) = map (scaled k) (runs ts e).
Proof.
  induction ts as [|t r IH]; intros e k; [reflexivity|]. simpl. unfold scaled at 1. simpl. f_equal.
  rewrite <- IH. f_equal. lia.
Qed.

Lemma offset_scaled : forall k l c, offset (map (scaled k) l) c = offset l c * k.
Proof. induction l as [|m r IH]; intros [|x c]; simpl; try lia. rewrite IH. lia. Qed.

(** [f] of a sum of steps is the sum of what [f] says of each. *)
Definition linear (f : N -> N) (l : list mode) : Prop :=
  forall c, inside l c -> f (offset l c) = offset (image_by f l) c.

Lemma inside_scaled : forall k l c, inside l c -> inside (map (scaled k) l) c.
Proof. induction 1; simpl; constructor; trivial. Qed.

Lemma fits_zero_first : forall ms n es, positive ms -> (fits ms (Mode n 0 :: es) <-> fits ms es).
Proof.
  intros ms n es P. unfold fits. change (Mode n 0 :: es) with ([Mode n 0] ++ es). rewrite reach_app.
  assert (reach ms [Mode n 0] = reach ms []) as ->.
  { clear - P. induction ms as [|m r IH]; [reflexivity|]. apply positive_cons in P as [Pm Pr]. simpl.
    rewrite N.mod_0_l by lia. f_equal; [lia|]. unfold high at 1. simpl. rewrite N.div_0_l by lia. now apply IH. }
  now rewrite nothing_add.
Qed.

Lemma compact_fits : forall ns ms last,
  Forall (N.le 1) ns -> wide ms -> coalesced (ms ++ [last]) -> size ms <= product ns ->
  linear (left_index ms (stride last)) (runs ns 1) -> fits ms (runs ns 1).
Proof.
  induction ns as [|n ns IH]; intros ms last Pn W C S L.
  { destruct ms as [|m r]; [constructor|]. pose proof (wide_size (m :: r) W ltac:(discriminate)). unfold product in S.
    simpl in *. lia. }
  inversion Pn as [|? ? N1 Pns]; subst. destruct ms as [|m r]; [constructor|].
  inversion W as [|? ? Wm Wr]; subst. pose proof (wide_positive r Wr) as Pr.
  set (s := extent m) in *. set (d := stride m) in *.
  change (product (n :: ns)) with (n * product ns) in S. change (size (m :: r)) with (s * size r) in S.
  pose proof (size_positive r Pr) as Sr.
  assert (Next : s * d <> next_stride r (stride last) /\ coalesced (r ++ [last])).
  { destruct r as [|k r]; simpl in *; unfold continues_in in C; destruct C as [C Cr]; apply N.eqb_neq in C; auto. }
  destruct Next as [NE Cr].
  set (F := left_index (m :: r) (stride last)) in *.
  assert (F_eq : forall x, F x = x mod s * d + left_index r (stride last) (x / s)) by reflexivity.
  (* the first run and all others *)
  assert (First : forall x y, x < n -> inside (runs ns 1) y ->
    F (x + n * offset (runs ns 1) y) = x * F 1 + F (n * offset (runs ns 1) y) /\
    F (n * offset (runs ns 1) y) = offset (image_by F (map (scaled n) (runs ns 1))) y).
  { intros x y X Y. assert (E : runs (n :: ns) 1 = Mode n 1 :: map (scaled n) (runs ns 1)).
    { simpl. f_equal. apply (runs_scaled ns 1 n). }
    unfold linear in L. rewrite E in L.
    assert (L0 := L (x :: y)). assert (L1 := L (0 :: y)). simpl in L0, L1. rewrite !offset_scaled in L0, L1.
    assert (I : inside (map (scaled n) (runs ns 1)) y) by now apply inside_scaled.
    specialize (L0 ltac:(now constructor)). specialize (L1 ltac:(constructor; [simpl; lia|assumption])).
    rewrite N.mul_0_l, N.add_0_l in L1. rewrite N.mul_0_l, N.add_0_l in L1. rewrite N.mul_1_r in L0.
    rewrite (N.mul_comm n). split; [rewrite L0, L1; reflexivity|exact L1]. }
  destruct (N.eq_dec (s mod n) 0) as [D|D].
  - (* the run divides the mode *)
    assert (Es : s = n * (s / n)) by (rewrite (N.div_mod s n) at 1 by lia; lia). set (s' := s / n) in *.
    assert (S' : 1 <= s') by nia.
    assert (Mod : forall w, (n * w) mod s = n * (w mod s')) by (intro w; rewrite Es; apply N.mul_mod_distr_l; lia).
    assert (Div : forall w, n * w / s = w / s') by (intro w; rewrite Es; apply N.div_mul_cancel_l; lia).
    assert (Low : map (low s) (runs (n :: ns) 1) = low s (Mode n 1) :: map (scaled n) (map (low s') (runs ns 1))).
    { simpl. f_equal. rewrite (runs_scaled ns 1 n), !map_map. apply map_ext. intro k. unfold low, scaled. simpl.
      f_equal.
      rewrite (N.mul_comm (stride k)), Mod. lia. }
    assert (High : map (high s) (runs (n :: ns) 1) = Mode n 0 :: map (high s') (runs ns 1)).
    { simpl. unfold high at 1. simpl. rewrite N.div_small by lia. f_equal. rewrite (runs_scaled ns 1 n), !map_map.
      apply map_ext. intro k. unfold high, scaled. simpl. f_equal. rewrite (N.mul_comm (stride k)), Div. reflexivity. }
    assert (Scale : forall l, reach_sum (map (scaled n) l) = reach_sum l * n) by (induction l as [|k l IHl]; simpl;
      [lia|rewrite IHl; lia]).
    assert (Lin : linear (fun y => F (n * y)) (runs ns 1)).
    { intros y Y. destruct (First 0 y ltac:(lia) Y) as [_ E]. rewrite E. unfold image_by. rewrite map_map.
      f_equal. apply map_ext. intro k. unfold scaled. simpl. f_equal. f_equal. lia. }
    assert (Goal : reach_sum (map (low s') (runs ns 1)) < s' -> fits r (map (high s') (runs ns 1))
      -> fits (m :: r) (runs (n :: ns) 1)).
    { intros G Fr. unfold fits. change (reach (m :: r) (runs (n :: ns) 1)) with
        (reach_sum (map (low s) (runs (n :: ns) 1)) :: reach r (map (high s) (runs (n :: ns) 1))). constructor.
      - fold s. rewrite Low. simpl. rewrite Scale, N.mod_small by lia. nia.
      - rewrite High. apply (fits_zero_first r); assumption. }
    destruct (N.eq_dec s' 1) as [One|Two].
    + apply Goal.
      * rewrite One. clear. induction (runs ns 1) as [|k l IH]; simpl; [lia|]. rewrite N.mod_1_r. lia.
      * assert (map (high s') (runs ns 1) = runs ns 1) as ->.
        { rewrite One. rewrite <- (map_id (runs ns 1)) at 2. apply map_ext. intros [e k]. unfold high. simpl.
          now rewrite N.div_1_r. }
        apply (IH r last); trivial; [nia|]. intros y Y. specialize (Lin y Y). cbv beta in Lin.
        assert (Fn : forall z, F (n * z) = left_index r (stride last) z).
        { intro z. rewrite F_eq, Mod, Div, One, N.mod_1_r, N.div_1_r. lia. }
        rewrite <- Fn, Lin. f_equal. apply map_ext. intro k. now rewrite Fn.
    + assert (G : fits (Mode s' (n * d) :: r) (runs ns 1)).
      { apply (IH _ last); trivial.
        - constructor; [simpl; lia|exact Wr].
        - clear - C Es. fold s d in C. destruct r as [|k r]; simpl in *; unfold continues_in in *; simpl in *;
            destruct C as [C Cr]; split; trivial;
            apply N.eqb_neq in C; apply N.eqb_neq; fold s d in C; intro E; apply C; rewrite <- E, Es; ring.
        - simpl. nia.
        - intros y Y. specialize (Lin y Y). cbv beta in Lin.
          assert (Fn : forall z, F (n * z) = left_index (Mode s' (n * d) :: r) (stride last) z).
          { intro z. rewrite F_eq, Mod, Div. simpl. lia. }
          rewrite <- Fn, Lin. f_equal. apply map_ext. intro k. now rewrite Fn. }
      unfold fits in G. simpl in G. inversion G as [|? ? ? ? G0 Gr]; subst. simpl in G0. now apply Goal.
  - (* it does not: then the mode would go on *)
    exfalso. assert (Lt : s < n * product ns).
    { destruct (N.eq_dec s (n * product ns)) as [E|]; [|nia]. exfalso. apply D. rewrite E, N.mul_comm. apply N.mod_mul.
      lia. }
    set (x := s mod n) in *. set (q := s / n).
    assert (Es : s = x + n * q) by (unfold x, q; rewrite (N.div_mod s n) at 1 by lia; lia).
    assert (X : x < n) by (apply N.mod_lt; lia).
    assert (Q : q < product ns) by (apply N.div_lt_upper_bound; lia).
    assert (Y : inside (runs ns 1) (coordinate (runs ns 1) q)) by (apply coordinate_inside;
      [now apply runs_positive|now rewrite runs_size]).
    destruct (First x _ X Y) as [E _]. rewrite <- index_of_coordinate in E.
    assert (I : index (runs ns 1) q = q).
    { destruct ns as [|t ns]; [unfold product in Q; simpl in *; lia|]. rewrite runs_index by (trivial; discriminate).
      lia. }
    rewrite I, <- Es in E. rewrite (F_eq s), N.mod_same, N.div_same, left_index_one in E by (trivial; lia).
    rewrite (F_eq 1), N.mod_small, N.div_small, left_index_zero in E by (trivial; lia).
    rewrite (F_eq (n * q)), N.mod_small, N.div_small, left_index_zero in E by (trivial; lia).
    apply NE. rewrite Es at 1. lia.
Qed.

(** ** Linear in other lists of the same modes *)

Lemma permuted_both : forall f l l', Permutation l l' -> forall c, inside l c ->
  exists c', inside l' c' /\ offset l' c' = offset l c /\ offset (image_by f l') c' = offset (image_by f l) c.
Proof.
  unfold image_by. induction 1 as [|m l l' P IH|m n l|l l' l'' P IH Q IH']; intros c I.
  - inversion I; subst. exists []. repeat constructor.
  - inversion I as [|? x ? y X Iy]; subst. destruct (IH y Iy) as (c' & I' & O & V). exists (x :: c').
    split; [now constructor|]. simpl. now rewrite O, V.
  - inversion I as [|? x ? y Ix Iy]; subst. inversion Iy as [|? x' ? y' Ix' Iy']; subst. exists (x' :: x :: y').
    split; [repeat constructor; assumption|]. simpl. split; lia.
  - destruct (IH c I) as (c' & I' & O & V). destruct (IH' c' I') as (c'' & I'' & O' & V'). exists c''.
    repeat split; [assumption|congruence|congruence].
Qed.

Lemma linear_permutation : forall f l l', Permutation l l' -> linear f l -> linear f l'.
Proof.
  intros f l l' P L c I. destruct (permuted_both f l' l (Permutation_sym P) c I) as (c' & I' & O & V).
  rewrite <- O, <- V. now apply L.
Qed.

Lemma linear_moving : forall f l, positive l -> linear f l -> linear f (moving l).
Proof.
  intros f l P L c I. assert (exists c',
    inside l c' /\ offset l c' = offset (moving l) c
      /\ offset (image_by f l) c' = offset (image_by f (moving l)) c) as (c' & I' & O & V).
  { clear L. unfold image_by. revert c I.
    induction l as [|m r IH]; intros c I; [inversion I; subst; exists []; repeat constructor|].
    apply positive_cons in P as [Pm Pr]. simpl in I |- *. destruct (moves m).
    - inversion I as [|? x ? y X Y]; subst. destruct (IH Pr y Y) as (c' & I' & O & V). exists (x :: c').
      split; [now constructor|]. simpl. now rewrite O, V.
    - destruct (IH Pr c I) as (c' & I' & O & V). exists (0 :: c'). split; [constructor; [lia|exact I']|]. simpl.
      now rewrite O, V. }
  rewrite <- O, <- V. now apply L.
Qed.

Lemma linear_single_steps : forall f l r, linear f l -> Forall (fun m => extent m = 1) r -> linear f (l ++ r).
Proof.
  intros f l r L F c I. apply Forall2_app_inv_l in I as (x & y & X & Y & ->).
  assert (Z : forall r y, Forall (fun m => extent m = 1) r -> inside r y -> offset r y = 0).
  { clear. intros r y F I. induction I as [|m x r y H I IH]; [reflexivity|]. inversion F; subst. simpl.
    rewrite IH by assumption. nia. }
  unfold image_by. rewrite map_app, !offset_app by (rewrite ?map_length; now apply inside_length in X).
  rewrite (Z r y), (Z (map _ r) y); trivial.
  - rewrite !N.add_0_r. now apply L.
  - clear - F. induction F; simpl; constructor; trivial.
  - apply inside_map; trivial.
Qed.

Lemma reach_sum_permutation : forall l l', Permutation l l' -> reach_sum l = reach_sum l'.
Proof. induction 1; simpl; lia. Qed.

Lemma reach_permutation : forall ms l l', Permutation l l' -> reach ms l = reach ms l'.
Proof.
  induction ms as [|m r IH]; intros l l' P; [reflexivity|]. simpl. f_equal.
  - now apply reach_sum_permutation, Permutation_map.
  - now apply IH, Permutation_map.
Qed.

Lemma reach_single_steps : forall ms l r, Forall (fun m => extent m = 1) r -> reach ms (l ++ r) = reach ms l.
Proof.
  intros ms l r F. rewrite reach_app. assert (reach ms r = reach ms []) as ->; [|apply add_nothing, reach_length].
  induction F as [|[e k] r E F IH]; [reflexivity|]. simpl in E. subst. now rewrite reach_single_step.
Qed.

Lemma fits_moving : forall ms l, positive ms -> (fits ms (moving l) <-> fits ms l).
Proof.
  intros ms l P. unfold fits. enough (reach ms (moving l) = reach ms l) as -> by reflexivity.
  induction l as [|m r IH]; [reflexivity|]. simpl moving. unfold moves.
  destruct m as [e k]. simpl. destruct (N.eqb_spec e 1) as [->|E]; simpl; [now rewrite reach_single_step|].
  destruct (N.eqb_spec k 0) as [->|K]; simpl.
  - rewrite IH. change (Mode e 0 :: r) with ([Mode e 0] ++ r). rewrite reach_app.
    assert (reach ms [Mode e 0] = reach ms []) as ->; [|now rewrite nothing_add].
    clear - P. induction ms as [|m r IH]; [reflexivity|]. apply positive_cons in P as [Pm Pr]. simpl.
    rewrite N.mod_0_l by lia. f_equal; [lia|]. unfold high at 1. simpl. rewrite N.div_0_l by lia. now apply IH.
  - change (Mode e k :: moving r) with ([Mode e k] ++ moving r). change (Mode e k :: r) with ([Mode e k] ++ r).
    now rewrite !reach_app, IH.
Qed.

(** ** Right operands that are all numbers *)

Lemma moving_offsets_moving : forall l,
  positive l -> Forall (fun m => stride m <> 0) l -> offsets (moving l) = offsets l.
Proof.
  intros l P F. induction F as [|m r Z F IH]; [reflexivity|]. apply positive_cons in P as [Pm Pr]. specialize (IH Pr).
  simpl moving. unfold moves. destruct (N.eqb_spec (stride m) 0) as [|_]; [contradiction|]. rewrite Bool.andb_true_r.
  destruct (N.eqb_spec (extent m) 1) as [One|]; simpl; fold (moving r); rewrite IH; [|reflexivity].
  unfold steps. rewrite One. simpl. rewrite N.mul_0_l. symmetry. apply zero_all_sums.
Qed.

Lemma moving_app : forall p q, moving (p ++ q) = moving p ++ moving q.
Proof. intros. apply filter_app. Qed.

Lemma cut_moving_offsets : forall bs tss,
  positive bs -> cuts bs tss -> offsets (moving (concat (cut bs tss))) = offsets (moving bs).
Proof.
  intros bs tss B C. unfold cut. induction C as [|b ts bs tss (T & NN & P) C IH]; [reflexivity|].
  apply positive_cons in B as [Bb Bs]. simpl combine. simpl map. simpl concat.
  change (b :: bs) with ([b] ++ bs). rewrite !moving_app, !offsets_app, IH by assumption. f_equal.
  pose proof (runs_positive ts (stride b) T) as Pr. destruct (N.eq_dec (stride b) 0) as [Z|Z].
  - assert (moving (runs ts (stride b)) = [] /\ moving [b] = []) as [-> ->]; [|reflexivity]. split.
    + rewrite Z. clear. induction ts as [|t ts IH]; [reflexivity|]. simpl. unfold moves. simpl.
      now rewrite Bool.andb_false_r.
    + simpl. unfold moves. destruct (N.eqb_spec (stride b) 0); [|contradiction]. simpl. now rewrite Bool.andb_false_r.
  - rewrite !moving_offsets_moving; trivial.
    + apply offsets_same_function; trivial.
      * repeat constructor. exact Bb.
      * rewrite runs_size, P. simpl. lia.
      * intros i I. now rewrite runs_index.
    + repeat constructor; assumption.
    + repeat constructor; assumption.
    + clear - Z T. revert Z. generalize (stride b).
      induction T as [|t ts H T IH]; intros e Z; simpl; constructor; [exact Z|apply IH; nia].
Qed.

Lemma permutation_tiles : forall l n, positive l -> Permutation (offsets l) (range n) -> tiles l (fun y => y = 0) 1 n.
Proof.
  intros l n P H. split; [|split].
  - intros c y I ->. exists (offset l c). split; [|lia]. apply in_range. eapply Permutation_in; [exact H|].
    apply offset_in_offsets. now exists c.
  - intros x L. apply in_range in L. eapply Permutation_in in L; [|apply Permutation_sym, H].
    apply offset_in_offsets in L as (c & I & O). exists c, 0. repeat split; trivial. lia.
  - intros c y c' y' I I' -> -> E. split; [|reflexivity]. rewrite !N.add_0_r in E.
    rewrite <- (coordinate_of_number l c), <- (coordinate_of_number l c') by assumption. f_equal.
    rewrite offsets_index in H by assumption.
    apply (no_dup_map_injective (index l) (range (size l))).
    + eapply Permutation_NoDup; [apply Permutation_sym, H|apply range_no_dup].
    + now apply in_range, number_below.
    + now apply in_range, number_below.
    + now rewrite !index_of_number.
Qed.

Lemma product_ones : forall l, positive l -> size l = 1 -> Forall (fun m => extent m = 1) l.
Proof.
  induction l as [|m r IH]; intros P S; [constructor|]. apply positive_cons in P as [Pm Pr]. simpl in S.
  apply N.eq_mul_1 in S as [E S]. constructor; [exact E|now apply IH].
Qed.

(** Modes that have every number below [n] once are the runs of 1, sorted, beside modes that take no step. *)
Lemma all_numbers_runs : forall l n, positive l -> 1 <= n -> Permutation (offsets (moving l)) (range n) ->
  exists ns single, Forall (N.le 1) ns /\ product ns = n /\ Forall (fun m => extent m = 1) single /\
    Permutation (runs ns 1) (moving l ++ single).
Proof.
  intros l n P N1 H. pose proof (moving_positive l P) as Pm. pose proof (permutation_tiles _ n Pm H) as T.
  apply (tiles_permutation _ (sort_by stride (moving l))) in T; [|apply sort_permutation].
  pose proof (sorted_moving_spec l P) as F.
  destruct (tiles_exact _ _ 1 n ltac:(lia) N1 F (sort_sorted mode stride (moving l)) T) as (A & M & D).
  rewrite N.mul_1_l in D. set (sorted := sort_by stride (moving l)) in *.
  destruct (interleaved_runs sorted 1 n ltac:(lia) F M D) as [Pe Pr]. rewrite N.mul_1_r in Pr.
  destruct (free_modes_positive sorted 1) as [Pf Ps]; [lia|assumption|assumption|].
  set (single := free_modes sorted 1 ++ [Mode (n / span sorted 1) (span sorted 1)]) in *.
  assert (Top : 1 <= n / span sorted 1).
  { pose proof (N.div_mod n (span sorted 1)). assert (n / span sorted 1 <> 0) by (intro Z; rewrite Z in *; lia). lia. }
  assert (Psi : positive single) by (apply positive_app; split; [exact Pf|repeat constructor; exact Top]).
  assert (Ns : Forall (N.le 1) (interleaved sorted 1 n)).
  { assert (product (interleaved sorted 1 n) <> 0) as NZ by lia. clear - NZ.
    induction (interleaved sorted 1 n) as [|t r IH]; constructor; unfold product in NZ; simpl in NZ; [lia|]. apply IH.
    unfold product. lia. }
  exists (interleaved sorted 1 n), single. split; [exact Ns|]. split; [exact Pr|]. split.
  - apply product_ones; [exact Psi|].
    assert (Sz : forall l l', Permutation l l' -> size l = size l') by (clear; induction 1; simpl;
      [reflexivity|congruence|ring|congruence]).
    assert (Z : size (moving l) = n).
    { apply Permutation_length in H. rewrite offsets_index, map_length, !range_length in H by assumption. lia. }
    assert (Zs : size sorted = n) by (rewrite <- Z; symmetry; apply Sz, sort_permutation).
    apply Sz in Pe. rewrite runs_size, Pr, size_app, Zs in Pe. nia.
  - rewrite Pe. apply Permutation_app_tail, Permutation_sym, sort_permutation.
Qed.

(** ** Theorem: composition is exact where [B] is all numbers below the size of [A], in some order

    Nothing can cancel out: whatever the strides of [A] are, the rule answers if and only if there is a composition. *)
Theorem composition_exact_reordering : forall a b, positive a -> positive b ->
  Permutation (offsets (moving b)) (range (size a)) ->
  ((exists parts, is_composition a b parts) <-> (exists parts, compose a b = Ok parts)).
Proof.
  intros a b A B H. split; [|intros [parts E]; exists parts; now apply composition_sound].
  intro Ex. apply composition_iff_carries_cancel in Ex as (tss & C & Can); trivial. set (es := concat (cut b tss)) in *.
  assert (Pe : positive es).
  { unfold es. pose proof (cuts_runs b tss C) as R. clear - R.
    induction R as [|m e bs ess (Q & _) R IH]; simpl; [constructor|]. now apply positive_app. }
  assert (L : linear (index a) es) by (intros c I; now apply cancels_linear, Can).
  rewrite <- (cut_moving_offsets b tss B C) in H. fold es in H.
  destruct (all_numbers_runs es (size a) Pe (size_positive a A) H) as (ns & single & Ns & Pr & Si & Pm).
  assert (Lr : linear (index a) (runs ns 1)).
  { apply (linear_permutation _ (moving es ++ single)); [now apply Permutation_sym|].
    apply linear_single_steps; trivial. now apply linear_moving. }
  pose proof (left_modes_wide a A) as W. pose proof (left_modes_coalesced a) as Co.
  pose proof (fun i => left_modes_index a i A) as Li.
  apply (composition_finds_runs a b tss); trivial.
  { clear - C. induction C as [|b ts bs tss (T & N & P) C IH]; constructor; auto. }
  rewrite lefts_new. destruct (left_modes a) as [bound last]. simpl fst. destruct W as (W & W1 & Sz). fold es.
  pose proof (wide_positive bound W) as Pb.
  apply fits_moving; [exact Pb|]. unfold fits. rewrite <- (reach_single_steps bound (moving es) single) by assumption.
  rewrite <- (reach_permutation bound _ _ Pm). apply (compact_fits ns bound last); trivial.
  - rewrite Pr, <- Sz. nia.
  - intros c I. rewrite (proj2 (Li (offset (runs ns 1) c))), (Lr c I). f_equal. unfold image_by. apply map_ext. intro k.
    f_equal. symmetry. apply (Li (stride k)).
Qed.

(** ** Theorem: the divide is exact

    It answers if and only if [T] has a complement [R] in the size of [A], and there is any layout at all that is
    [A o (T, R)]. *)

Lemma merged_strides : forall l, Forall (fun m => 1 <= stride m) l -> Forall (fun m => 1 <= stride m) (merged l).
Proof.
  unfold merged. assert (G : forall l front,
    Forall (fun m => 1 <= stride m) front -> Forall (fun m => 1 <= stride m) l ->
    Forall (fun m => 1 <= stride m) (fold_left push_merged l front)).
  { induction l as [|m r IH]; intros front F H; [exact F|]. inversion H; subst. simpl. apply IH; trivial.
    unfold push_merged. destruct (extent m =? 1); [exact F|].
    assert (map stride (push_last front m) = map stride front \/ map stride (push_last front m) = map stride front ++
      [stride m]) by apply push_last_strides.
    apply (Forall_map stride (fun d => 1 <= d)). apply (Forall_map stride (fun d => 1 <= d)) in F.
    destruct H0 as [-> | ->]; [exact F|]. apply Forall_app. split; [exact F|]. now repeat constructor. }
  intros l H. now apply G.
Qed.

Lemma free_modes_strides : forall sorted run, 1 <= run -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted ->
  Forall (fun m => 1 <= stride m) (free_modes sorted run).
Proof.
  induction sorted as [|m rest IH]; intros run R F; simpl; [constructor|]. inversion F as [|? ? [E S] F']; subst.
  constructor; [exact R|]. apply IH; trivial. nia.
Qed.

Lemma complement_reordering : forall t m rest, positive t -> 1 <= m -> complement_modes t m = Ok rest ->
  Permutation (offsets (moving (t ++ from_modes rest))) (range m).
Proof.
  intros t m rest T M C. pose proof (complement_modes_offsets t m rest T M C) as O.
  destruct (complement_modes_spec t m rest T M C) as (E & _ & _ & S & _ & _).
  pose proof (complement_modes_positive t m rest T M C) as P.
  assert (F : Forall (fun k => 1 <= stride k) rest).
  { rewrite E. apply merged_strides, Forall_app. split; [apply free_modes_strides; [lia|now apply sorted_moving_spec]|].
    repeat constructor. exact S. }
  rewrite moving_app, offsets_app. destruct rest as [|k rest].
  - change (moving (from_modes [])) with (@nil mode). change (offsets []) with [0].
    rewrite all_sums_zero. now rewrite app_nil_r in O.
  - unfold from_modes. rewrite (moving_offsets_moving (k :: rest)); trivial; [now rewrite <- offsets_app|].
    eapply Forall_impl; [|exact F]. simpl. lia.
Qed.

Theorem divide_exact : forall a t, positive a -> positive t ->
  ((exists rest parts, complement t (size a) = Ok rest /\ is_composition a (t ++ rest) parts) <->
   (exists tile rests, logical_divide a t = Ok (tile, rests))).
Proof.
  intros a t A T. pose proof (size_positive a A) as S. split.
  - intros (rest & parts & C & H). unfold complement, bind in C.
    destruct (complement_modes t (size a)) as [modes|] eqn:E; [|discriminate].
    inversion C; subst rest. clear C.
    assert (P : positive (t ++ from_modes modes)).
    { apply positive_app. split; [exact T|]. now apply from_modes_positive, (complement_modes_positive t (size a)). }
    destruct (proj1 (composition_exact_reordering a _ A P (complement_reordering t (size a) modes T S E))) as [parts'
      R]; [now exists parts|].
    unfold compose in R. rewrite leaves_app in R. unfold logical_divide. rewrite E. unfold bind in *.
    destruct (leaves (new a) t) as [[c1 tile]|]; [|discriminate].
    destruct (leaves c1 (from_modes modes)) as [[c2 rests]|]; [|discriminate].
    destruct (finish c2); [|discriminate]. eauto.
  - intros (tile & rests & H). apply divide_composition in H as (modes & E & R & _).
    assert (P : positive (t ++ from_modes modes)).
    { apply positive_app. split; [exact T|]. now apply from_modes_positive, (complement_modes_positive t (size a)). }
    exists (from_modes modes), (tile ++ rests). unfold complement, bind. rewrite E. split; [reflexivity|].
    now apply composition_sound.
Qed.

(** ** Theorem: the product is exact

    The strides of [A*], what [A] leaves free, grow. So the product answers if and only if [A] has an [A*], and there is
    any layout at all that is [A* o T]; a tile that counts one copy again and again needs no [A*]. *)

(** Each mode begins at the end of the one before it, or beyond. *)
Fixpoint ascending (l : list mode) : Prop :=
  match l with m :: r => match r with n :: _ => extent m * stride m <= stride n /\ ascending r | [] => True end |
    [] => True end.

Lemma ascending_front : forall p r, ascending (p ++ r) -> ascending p.
Proof.
  induction p as [|x p IH]; intros r A; [exact I|]. destruct p as [|y p]; [exact I|]. destruct A as [A A'].
  split; [exact A|now apply (IH r)].
Qed.

Lemma ascending_drop : forall p m n r, extent m = 1 -> ascending (p ++ m :: n :: r) -> ascending (p ++ n :: r).
Proof.
  induction p as [|x p IH]; intros m n r E A; [apply A|]. destruct p as [|y p].
  - simpl in *. destruct A as (A & B & C). split; [rewrite E in B; lia|exact C].
  - destruct A as [A A']. split; [exact A|now apply (IH m)].
Qed.

Lemma ascending_join : forall p m n r, extent m * stride m = stride n -> ascending (p ++ m :: n :: r) ->
  ascending (p ++ Mode (extent m * extent n) (stride m) :: r).
Proof.
  induction p as [|x p IH]; intros m n r E A.
  - simpl in *. destruct A as (A & C). destruct r as [|k r]; [exact I|]. simpl in *. split; [|apply C].
    destruct C as [C _]. rewrite <- E in C. nia.
  - destruct p as [|y p].
    + simpl in *. destruct A as (A & C). split; [exact A|]. destruct r as [|k r]; [exact I|]. simpl in *.
      destruct C as (_ & C & D).
      split; [|exact D]. rewrite <- E in C. nia.
    + destruct A as [A A']. split; [exact A|now apply (IH m)].
Qed.

Lemma push_last_at_last : forall p f m,
  push_last (p ++ [f]) m = if continues_in f m then p ++ [Mode (extent f * extent m) (stride f)] else p ++ [f; m].
Proof.
  induction p as [|x p IH]; intros f m; [simpl; now destruct (continues_in f m)|].
  destruct p as [|y p].
  - simpl. now destruct (continues_in f m).
  - change (push_last ((x :: y :: p) ++ [f]) m) with (x :: push_last ((y :: p) ++ [f]) m). rewrite IH.
    now destruct (continues_in f m).
Qed.

Lemma ascending_push : forall front m r, ascending (front ++ m :: r) -> ascending (push_merged front m ++ r).
Proof.
  intros front m r A. unfold push_merged. destruct (N.eqb_spec (extent m) 1) as [E|_].
  - destruct r as [|n r]; [rewrite app_nil_r; now apply (ascending_front _ [m])|now apply (ascending_drop _ m)].
  - destruct (list_eq_dec (fun x y : mode => ltac:(decide equality; apply N.eq_dec)) front []) as [->|NN]; [exact A|].
    destruct (exists_last NN) as (p & f & ->). rewrite <- app_assoc in A. simpl in A.
    rewrite push_last_at_last. destruct (continues_in f m) eqn:C.
    + rewrite <- app_assoc. apply ascending_join; [now apply N.eqb_eq|exact A].
    + rewrite <- app_assoc. exact A.
Qed.

Lemma ascending_merged : forall l r, ascending (l ++ r) -> ascending (merged l ++ r).
Proof.
  intros l r. unfold merged. change (l ++ r) with ([] ++ l ++ r). generalize (@nil mode).
  induction l as [|m l IH]; intros front A; [exact A|].
  simpl. apply IH. now apply ascending_push.
Qed.

Lemma ascending_left_modes : forall a, ascending a -> let (bound, last) := left_modes a in ascending (bound ++ [last]).
Proof.
  assert (Fold : forall rest done last, ascending (rev done ++ last :: rest) ->
    let (done', last') := fold_left take rest (done, last) in ascending (rev done' ++ [last'])).
  { induction rest as [|next rest IH]; intros done last A; [exact A|]. simpl fold_left.
    assert (A' : ascending (rev (if extent last =? 1 then done else last :: done) ++ next :: rest)).
    { destruct (N.eqb_spec (extent last) 1) as [E|_]; [now apply (ascending_drop _ last)|]. simpl.
      now rewrite <- app_assoc. }
    destruct (if extent last =? 1 then done else last :: done) as [|before d]; simpl; [now apply IH|].
    destruct (continues_in before next) eqn:C; apply IH; [|exact A'].
    simpl in A'. rewrite <- app_assoc in A'. apply ascending_join; [now apply N.eqb_eq|exact A']. }
  intros [|first rest] A; simpl; [exact I|]. specialize (Fold rest [] first A).
  destruct (fold_left take rest ([], first)). exact Fold.
Qed.

Lemma ascending_grows : forall ms last, ascending (ms ++ [last]) -> coalesced (ms ++ [last]) -> grows ms (stride last).
Proof.
  induction ms as [|m r IH]; intros last A C; [exact I|].
  destruct r as [|n r]; simpl in *; destruct A as [A A'], C as [C C']; unfold continues_in in C; apply N.eqb_neq in C.
  - split; [lia|exact I].
  - split; [lia|]. now apply (IH last).
Qed.

Lemma star_ascending : forall a s, positive a -> star a = Ok s -> ascending s /\ positive s.
Proof.
  intros a s P H. unfold star, bind, gaps in H.
  destruct (gaps_of (sort_by stride (moving a)) 1 false []) as [[free run]|] eqn:G; [|discriminate].
  inversion H; subst s. clear H. apply gaps_of_spec in G as (-> & -> & A & _). pose proof (sorted_moving_spec a P) as F.
  set (sorted := sort_by stride (moving a)) in *.
  destruct (free_modes_positive sorted 1) as [Pf S]; [lia|assumption|assumption|].
  change (fold_left push_merged (free_modes sorted 1) []) with (merged (free_modes sorted 1)). split.
  - apply ascending_merged.
    assert (G : forall run, 1 <= run -> apart sorted run
      -> ascending (free_modes sorted run ++ [Mode 1 (span sorted run)])); [|now apply G].
    clear - F. induction sorted as [|m rest IH]; intros run R A; [exact I|]. inversion F as [|? ? [E D] F']; subst.
    destruct A as [A A'].
    specialize (IH F' (extent m * stride m) ltac:(nia) A'). simpl free_modes. simpl span.
    assert (Le : stride m / run * run <= stride m) by (rewrite N.mul_comm; apply N.mul_div_le; lia).
    destruct rest as [|n rest]; simpl in *; (split; [nia|exact IH]).
  - apply positive_app. split; [now apply merged_positive|repeat constructor; simpl; lia].
Qed.

Theorem product_exact : forall a t, positive a -> positive t ->
  ((one_copy t = true \/ exists s parts, star a = Ok s /\ is_composition s t parts) <->
   (exists parts, logical_product a t = Ok parts)).
Proof.
  intros a t A T. unfold logical_product. destruct (one_copy t) eqn:One.
  - split; [intros _|now left].
    apply (composition_exact_two_modes [Mode 1 0] t); [repeat constructor; simpl; lia|exact T|simpl; lia|].
    exists (map (fun m => [Mode (extent m) 0]) t). split.
    + clear - T. induction T; simpl; constructor; trivial. simpl.
      repeat split; [lia|repeat constructor; assumption|discriminate].
    + intros c I. replace (index [Mode 1 0] (offset t c)) with 0 by (simpl; lia).
      clear - I. induction I as [|m x r y X I IH]; simpl; [reflexivity|]. rewrite IH. lia.
  - unfold bind. split.
    + intros [|(s & parts & E & C)]; [discriminate|]. rewrite E. destruct (star_ascending a s A E) as [As Ps].
      apply (composition_exact_monotone s t Ps T); [|now exists parts].
      pose proof (ascending_left_modes s As) as B. pose proof (left_modes_coalesced s) as Co.
      destruct (left_modes s) as [bound last].
      left. now apply ascending_grows.
    + intros [parts H]. destruct (star a) as [s|] eqn:E; [|discriminate]. right. exists s, parts. split; [reflexivity|].
      destruct (star_ascending a s A E) as [_ Ps]. now apply composition_sound.
Qed.
