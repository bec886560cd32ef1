(** * Composition: where the rule refuses, there is nothing

    The rule refuses where digits of [B]'s offsets add up across a mode of [A]. This file proves that it refuses nothing
    else. First: if [B]'s modes can be cut into runs whose digits do not carry, in whatever way,
      then the rule finds such
    runs. So its longest steps are no loss. Second: if there is any layout at all that is [A o B], then its modes are
    such runs, unless strides of [A] cancel out: a carry from a mode to the next one changes the offset by
    [d_(j+1) - s_j * d_j], and such changes of several carries may add up to nothing. Where they cannot, the rule
    answers if and only if there is a composition. They cannot if all of them are positive (a left layout whose strides
    grow, with or without gaps), if all are negative (one whose strides fall), and if there is but one (a left layout
    of at most two modes). The last example shows that beyond this there is something to lose. *)

From Layout Require Import Mode Coalesce Composition.

(** ** The longest runs are no loss *)

Lemma reach_two_runs : forall ms t u e es, positive ms -> 1 <= t -> 1 <= u -> fits ms [Mode (t + 1) e] ->
  reach ms (Mode t e :: Mode u (e * t) :: es) = reach ms (Mode (t * u) e :: es).
Proof.
  induction ms as [|m r IH]; intros t u e es P T U F; [reflexivity|].
  apply positive_cons in P as [Pm Pr]. apply fits_cons in F as [F0 Fr].
  replace (t + 1 - 1) with t in F0 by lia.
  assert (D : e * t = e mod extent m * t + (e / extent m) * t * extent m).
  { rewrite (N.div_mod e (extent m)) at 1 by lia. lia. }
  assert (Low : (e * t) mod extent m = e mod extent m * t).
  { rewrite D, N.mod_add by lia. apply N.mod_small. lia. }
  assert (High : (e * t) / extent m = e / extent m * t).
  { rewrite D, N.div_add by lia. rewrite N.div_small by lia. lia. }
  simpl. unfold high, low. simpl. rewrite Low, High. f_equal.
  - clear - T U. set (x := e mod extent m). assert (1 <= t * u) by nia.
    replace (t * u - 1) with ((t - 1) + (u - 1) * t) by nia. lia.
  - now apply IH.
Qed.

Lemma fits_app : forall ms es es', fits ms (es ++ es') -> fits ms es /\ fits ms es'.
Proof.
  induction ms as [|m r IH]; intros es es' F; [split; constructor|].
  unfold fits in *. simpl in F. inversion F as [|? ? ? ? F0 Fr]; subst.
  rewrite map_app, reach_sum_app in F0. rewrite map_app in Fr.
  destruct (IH _ _ Fr). split; simpl; constructor; trivial; lia.
Qed.

Lemma fits_first : forall ms e es, fits ms (e :: es) -> fits ms [e].
Proof. intros ms e es F. now apply (fits_app ms [e] es). Qed.

Lemma reach_no_steps : forall ms ts e, Forall (N.le 1) ts -> product ts = 1 -> reach ms (runs ts e) = reach ms [].
Proof.
  intros ms ts. induction ts as [|t r IH]; intros e P H; [reflexivity|].
  inversion P; subst. simpl in H. apply N.eq_mul_1 in H as [-> H]. simpl. rewrite reach_single_step. now apply IH.
Qed.

(** However a mode is cut into runs that fit, the rule finds runs too, and they reach the same. *)
Lemma split_complete : forall k passes c right ts, positive (lefts c) ->
  (length ts <= k)%nat -> Forall (N.le 1) ts -> product ts = extent right -> 2 <= extent right ->
  extent right < 2 ^ N.of_nat passes -> fits (lefts c) (runs ts (stride right)) ->
  let (c1, first) := run c right in
  exists c' rest, split passes c1 right first = Ok (c', rest) /\ exists es,
    after c c' es /\ reach (lefts c) es = reach (lefts c) (runs ts (stride right)).
Proof.
  induction k as [|k IH]; intros passes c right ts P L T Pr Two Enough F.
  { destruct ts; [simpl in Pr; lia|simpl in L; lia]. }
  destruct ts as [|t r]; [simpl in Pr; lia|]. inversion T as [|? ? T1 Tr]; subst.
  destruct r as [|u r].
  - (* one run: the mode itself *)
    simpl in Pr. pose proof (run_spec c right P) as R. destruct (run c right) as [c1 first].
    destruct R as (A & V & B & Fit & Most); [lia|].
    assert (E : extent first = extent right).
    { apply N.le_antisymm; [apply B|]. apply Most; [lia|]. replace (extent right) with t by lia. exact F. }
    exists c1, []. split; [destruct passes; simpl; rewrite E, N.eqb_refl; reflexivity|].
    exists [Mode (extent first) (stride right)]. split; [exact A|]. simpl. rewrite E.
    now replace (extent right) with t by lia.
  - pose proof (run_spec c right P) as R. destruct (run c right) as [c1 first] eqn:Run.
    destruct R as (A & V & B & Fit & Most); [lia|].
    assert (Le : t <= extent first).
    { apply Most; [|eapply fits_first; exact F]. rewrite <- Pr. simpl. inversion Tr; subst.
      assert (1 <= product r). { clear - H2. induction H2; simpl; [lia|]. nia. }
      assert (1 <= u * product r) by nia. nia. }
    destruct (N.eq_dec t (extent first)) as [Eq|NE].
    + (* the first run is the rule's *)
      destruct (N.eq_dec (extent first) (extent right)) as [E|NE].
      * exists c1, []. split; [destruct passes; simpl; rewrite E, N.eqb_refl; reflexivity|].
        exists [Mode (extent first) (stride right)]. split; [exact A|]. rewrite <- Eq in *.
        change (runs (t :: u :: r) (stride right)) with ([Mode t (stride right)] ++ runs (u :: r) (stride right * t)).
        rewrite reach_app, reach_no_steps; trivial; [|change (t * product (u :: r) = extent right) in Pr; nia].
        now rewrite add_nothing by apply reach_length.
      * change (t * product (u :: r) = extent right) in Pr.
        assert (First : 2 <= extent first) by (apply Most; [assumption|now apply fits_two_steps]).
        destruct passes as [|passes]; [simpl in Enough; lia|]. simpl split.
        destruct (N.eqb_spec (extent first) (extent right)) as [|_]; [contradiction|].
        assert (Q : extent right / extent first = product (u :: r)).
        { rewrite <- Pr, Eq, N.mul_comm. apply N.div_mul. lia. }
        assert (M : extent right mod extent first = 0).
        { rewrite <- Pr, Eq, N.mul_comm. apply N.mod_mul. lia. }
        rewrite M, Q. simpl N.eqb. set (right' := Mode (product (u :: r)) (stride right * extent first)).
        assert (Low : lefts c1 = lefts c) by apply A.
        specialize (IH passes c1 right' (u :: r)).
        assert (S : product (u :: r) <> 1) by (intro S; rewrite S in Pr; lia).
        assert (Z : product (u :: r) <> 0) by (intro S0; rewrite S0 in Pr; lia).
        rewrite Low in IH. simpl in L.
        assert (Pow : 2 ^ N.of_nat (Datatypes.S passes) = 2 * 2 ^ N.of_nat passes) by (rewrite Nnat.Nat2N.inj_succ,
          N.pow_succ_r'; reflexivity).
        destruct (run c1 right') as [c2 first'] eqn:Run'.
        destruct IH as (c' & rest & Sp & es & Af & Re); trivial; try (simpl; lia).
        { change (2 <= product (u :: r)). lia. }
        { change (product (u :: r) < 2 ^ N.of_nat passes). nia. }
        { simpl stride. rewrite <- Eq. now apply (fits_app _ [Mode t (stride right)]). }
        exists c', (first' :: rest). split; [unfold bind; now rewrite Sp|].
        exists ([Mode (extent first) (stride right)] ++ es). split; [now apply (after_app _ c1)|].
        rewrite reach_app, Re. rewrite <- Eq. simpl stride. rewrite <- Eq. now rewrite <- reach_app.
    + (* two runs that the rule takes as one *)
      assert (F1 : fits (lefts c) [Mode (t + 1) (stride right)]) by (apply (fits_fewer _ _ (extent first));
        [lia|exact Fit]).
      inversion Tr as [|? ? U Tr']; subst.
      assert (Joined : reach (lefts c) (runs (t :: u :: r) (stride right)) = reach (lefts c) (runs (t * u :: r) (stride
        right))).
      { simpl. rewrite reach_two_runs by assumption. now rewrite N.mul_assoc. }
      specialize (IH passes c right (t * u :: r) P). rewrite Run in IH. simpl in L.
      destruct IH as (c' & rest & Sp & es & Af & Re); trivial.
      * simpl. lia.
      * constructor; [nia|assumption].
      * rewrite <- Pr. simpl. lia.
      * unfold fits in *. now rewrite <- Joined.
      * exists c', rest. split; [exact Sp|]. exists es. split; [exact Af|]. now rewrite Joined.
Qed.

(** ** The rule finds runs wherever there are some *)

(** The modes [bs] of the right operand, each cut into runs of so many steps. *)
Definition cut (bs : list mode) (tss : list (list N)) : list (list mode) :=
  map (fun bt => runs (snd bt) (stride (fst bt))) (combine bs tss).

(** [tss] cuts each extent into factors. *)
Definition factors (bs : list mode) (tss : list (list N)) : Prop :=
  Forall2 (fun b ts => Forall (N.le 1) ts /\ product ts = extent b) bs tss.

Lemma leaf_complete : forall c b ts, positive (lefts c) -> 1 <= extent b ->
  Forall (N.le 1) ts -> product ts = extent b -> fits (lefts c) (runs ts (stride b)) ->
  exists c' p, leaf c b = Ok (c', p) /\ exists es,
    after c c' es /\ reach (lefts c) es = reach (lefts c) (runs ts (stride b)).
Proof.
  intros c b ts P B T Pr F. unfold leaf. destruct (N.eqb_spec (extent b) 1) as [E|NE].
  - exists c, [Mode 1 0]. split; [reflexivity|]. exists []. split; [apply after_nothing|].
    symmetry. apply reach_no_steps; [assumption|congruence].
  - pose proof (split_complete (length ts) (N.to_nat (N.size (extent b))) c b ts P) as S.
    destruct (run c b) as [c1 first]. destruct S as (c' & rest & S & es & A & R); trivial; [lia| |].
    + rewrite Nnat.N2Nat.id. apply N.size_gt.
    + exists c', (first :: rest). split; [unfold bind; now rewrite S|]. eauto.
Qed.

Lemma leaves_complete : forall bs tss c, positive (lefts c) -> positive bs -> factors bs tss ->
  fits (lefts c) (concat (cut bs tss)) ->
  exists c' parts, leaves c bs = Ok (c', parts) /\ exists es,
    after c c' es /\ reach (lefts c) es = reach (lefts c) (concat (cut bs tss)).
Proof.
  induction bs as [|b bs IH]; intros tss c P B T F; inversion T as [|? ts ? tss' [T1 Pr] T']; subst.
  - exists c, []. split; [reflexivity|]. exists []. split; [apply after_nothing|reflexivity].
  - apply positive_cons in B as [Bb Bs]. simpl in F. apply fits_app in F as [F1 F2].
    destruct (leaf_complete c b ts P Bb T1 Pr F1) as (c1 & p & L & es & A & R).
    assert (Lo : lefts c1 = lefts c) by apply A.
    destruct (IH tss' c1) as (c' & parts & Ls & es' & A' & R'); rewrite ?Lo; trivial.
    exists c', (p :: parts). split; [simpl; unfold bind; now rewrite L, Ls|].
    exists (es ++ es'). split; [now apply (after_app _ c1)|].
    simpl. rewrite !reach_app, R. rewrite Lo in R'. f_equal. exact R'.
Qed.

(** ** Theorem: the rule finds runs without a carry wherever there are some *)
Theorem composition_finds_runs : forall a b tss, positive a -> positive b -> factors b tss ->
  fits (lefts (new a)) (concat (cut b tss)) -> exists parts, compose a b = Ok parts.
Proof.
  intros a b tss A B T F. destruct (new_spec a 0 A) as (P & _ & Con & Zero).
  destruct (leaves_complete b tss (new a) P B T F) as (c' & parts & L & es & (Lo & _ & Re & Con') & Eq).
  exists parts. unfold compose, bind. rewrite L. unfold finish.
  enough (carry c' = false) as -> by reflexivity.
  apply (Con' Con). rewrite Zero, nothing_add, Eq in Re. unfold fits in F. rewrite <- Re, <- Lo in F.
  unfold lefts in F. clear - F. induction (modes c') as [|m ms IH]; constructor; inversion F; subst; auto.
Qed.

(** ** From any composition to runs *)

(** A list of digits, one for each bounded mode and one for the last; they need not lie below the extents. The number
    that they stand for, and their offset. *)
Fixpoint weight (ms : list mode) (v : list N) : N :=
  match ms, v with
  | m :: r, x :: y => x + extent m * weight r y
  | [], x :: _ => x
  | _, [] => 0
  end.
Fixpoint digits_offset (ms : list mode) (last : N) (v : list N) : N :=
  match ms, v with
  | m :: r, x :: y => x * stride m + digits_offset r last y
  | [], x :: _ => x * last
  | _, [] => 0
  end.

(** Each digit of a bounded mode lies below its extent. *)
Fixpoint proper (ms : list mode) (v : list N) : Prop :=
  match ms, v with
  | m :: r, x :: y => x < extent m /\ proper r y
  | _, _ => True
  end.

(** No accidental cancellation at [x]: only the digits of [x] have the offset of [x], no others that stand for [x]. *)
Definition no_cancellation (a : list mode) (x : N) : Prop :=
  let (bound, last) := left_modes a in
  forall v, length v = S (length bound) -> weight bound v = x ->
    digits_offset bound (stride last) v = index a x -> proper bound v.

(** The last coordinate of a layout. *)
Definition last_coordinate (b : list mode) : list N := map (fun m => extent m - 1) b.

(** What the modes [es] reach together, in all digits. *)
Fixpoint sums (ms es : list mode) : list N :=
  match ms with
  | [] => [reach_sum es]
  | m :: r => reach_sum (map (low (extent m)) es) :: sums r (map (high (extent m)) es)
  end.

Lemma sums_length : forall ms es, length (sums ms es) = S (length ms).
Proof. induction ms; intros; simpl; auto. Qed.

Lemma reach_sum_low_high : forall s es, 1 <= s ->
  reach_sum es = reach_sum (map (low s) es) + s * reach_sum (map (high s) es).
Proof.
  intros s es S. induction es as [|e r IH]; simpl; [lia|].
  rewrite IH. rewrite (N.div_mod (stride e) s) at 1 by lia. lia.
Qed.

Lemma sums_weight : forall ms es, positive ms -> weight ms (sums ms es) = reach_sum es.
Proof.
  induction ms as [|m r IH]; intros es P; simpl; [reflexivity|]. apply positive_cons in P as [Pm Pr].
  rewrite IH by assumption. symmetry. now apply reach_sum_low_high.
Qed.

Lemma sums_offset : forall ms last es,
  digits_offset ms last (sums ms es) = reach_sum (map (fun e => Mode (extent e) (left_index ms last (stride e))) es).
Proof.
  induction ms as [|m r IH]; intros last es; simpl.
  - induction es as [|e es IH]; simpl; [lia|]. rewrite <- IH. lia.
  - rewrite IH, map_map. simpl. clear. induction es as [|e es IH]; simpl; [lia|]. rewrite <- IH. lia.
Qed.

Lemma sums_proper : forall ms es, proper ms (sums ms es) -> fits ms es.
Proof. induction ms as [|m r IH]; intros es H; [constructor|]. destruct H. constructor; [assumption|]. now apply IH.
Qed.

Lemma index_zero : forall l, positive l -> index l 0 = 0.
Proof.
  induction l as [|m r IH]; intro P; [reflexivity|]. apply positive_cons in P as [Pm Pr].
  destruct r as [|m' r]; [simpl; lia|]. rewrite index_cons by discriminate.
  rewrite N.mod_0_l, N.div_0_l, IH by (assumption || lia). lia.
Qed.

(** The strides of a part are what its first steps are. *)
Lemma part_strides : forall f p e, positive p -> (forall x, x < size p -> index p x = f (x * e)) ->
  reach_sum p = reach_sum (map (fun m => Mode (extent m) (f (stride m))) (runs (map extent p) e)).
Proof.
  intros f p. induction p as [|m r IH]; intros e P H; [reflexivity|].
  apply positive_cons in P as [Pm Pr]. pose proof (size_positive r Pr) as S. simpl in H. simpl. f_equal.
  - destruct (N.eq_dec (extent m) 1) as [->|NE]; [lia|]. f_equal.
    specialize (H 1). rewrite (N.mul_1_l e) in H. rewrite <- H by nia.
    destruct r as [|m' r]; [lia|]. rewrite N.mod_small, N.div_small, index_zero by (assumption || lia). lia.
  - apply IH; [assumption|]. intros x X. destruct r as [|m' r].
    { simpl in X. replace x with 0 by lia. replace (0 * (e * extent m)) with (0 * e) by lia. rewrite <- H by nia.
      reflexivity. }
    replace (x * (e * extent m)) with (x * extent m * e) by lia. rewrite <- H by nia.
    rewrite N.mod_mul, N.div_mul by lia. lia.
Qed.

Lemma parts_alone : forall f bs parts,
  f 0 = 0 -> Forall2 (fun m p => size p = extent m /\ positive p /\ p <> []) bs parts ->
  positive bs -> (forall c, inside bs c -> at_parts parts c = f (offset bs c)) ->
  Forall2 (fun b p => forall x, x < extent b -> index p x = f (x * stride b)) bs parts.
Proof.
  intros f bs parts Z R. induction R as [|b p bs parts (S & P & NN) R IH]; intros B H; constructor.
  - apply positive_cons in B as [Bb Bs]. intros x X.
    assert (Zeros : inside bs (map (fun _ => 0) bs) /\ offset bs (map (fun _ => 0) bs) = 0
      /\ at_parts parts (map (fun _ => 0) bs) = 0).
    { clear - R Bs. induction R as [|b p bs parts (S & P & NN) R IH]; simpl; [repeat constructor|].
      apply positive_cons in Bs as [Bb Bs]. destruct (IH Bs) as (I & O & A). repeat split.
      - constructor; [lia|assumption].
      - now rewrite O.
      - now rewrite A, index_zero. }
    destruct Zeros as (I & O & A). specialize (H (x :: map (fun _ => 0) bs)). simpl in H.
    rewrite A, O in H. rewrite !N.add_0_r in H. apply H. now constructor.
  - apply positive_cons in B as [Bb Bs]. apply IH; [assumption|]. intros c C.
    specialize (H (0 :: c)). simpl in H. rewrite index_zero in H by assumption.
    rewrite N.mul_0_l, !N.add_0_l in H. apply H. constructor; [lia|assumption].
Qed.

Lemma runs_reach_sum : forall ts e, Forall (N.le 1) ts -> reach_sum (runs ts e) = (product ts - 1) * e.
Proof.
  induction ts as [|t r IH]; intros e T; [reflexivity|]. simpl. inversion T; subst. rewrite IH by assumption.
  assert (1 <= product r). { clear - H2. induction H2; simpl; [lia|]. nia. }
  assert (t * product r - 1 = (t - 1) + t * (product r - 1)) as -> by nia. lia.
Qed.

Lemma part_last : forall p, positive p -> p <> [] -> index p (size p - 1) = reach_sum p.
Proof.
  induction p as [|m r IH]; intros P H; [contradiction|]. apply positive_cons in P as [Pm Pr].
  destruct r as [|m' r]; [simpl; rewrite N.mul_1_r; lia|].
  pose proof (size_positive _ Pr) as S. rewrite index_cons by discriminate.
  change (size (m :: m' :: r)) with (extent m * size (m' :: r)).
  change (reach_sum (m :: m' :: r)) with ((extent m - 1) * stride m + reach_sum (m' :: r)).
  assert (extent m * size (m' :: r) - 1 = extent m - 1 + (size (m' :: r) - 1) * extent m) as -> by nia.
  rewrite N.mod_add, N.div_add, N.mod_small, N.div_small by lia. rewrite N.add_0_l, IH by (assumption || discriminate).
  reflexivity.
Qed.

(** ** Theorem: where there is a composition, the rule answers, if nothing cancels out *)
Theorem composition_complete : forall a b parts, positive a -> positive b ->
  no_cancellation a (offset b (last_coordinate b)) ->
  is_composition a b parts -> exists parts', compose a b = Ok parts'.
Proof.
  intros a b parts A B NC [R H].
  apply (composition_finds_runs a b (map (map extent) parts)); trivial.
  { clear - R. induction R as [|m p bs parts (S & P & NN) R IH]; simpl; constructor; trivial.
    split; [|rewrite <- S; clear; induction p; simpl; congruence].
    clear - P. induction P; simpl; constructor; trivial. }
  pose proof (parts_alone (index a) b parts (index_zero a A) R B H) as Alone.
  set (es := concat (cut b (map (map extent) parts))).
  assert (Sum : reach_sum es = offset b (last_coordinate b)).
  { subst es. unfold cut. clear - R. induction R as [|m p bs parts (S & P & NN) R IH]; [reflexivity|].
    simpl. rewrite reach_sum_app, runs_reach_sum, IH.
    - f_equal. f_equal. rewrite <- S. f_equal. clear. induction p; simpl; congruence.
    - clear - P. induction P; simpl; constructor; trivial. }
  assert (Sum' : reach_sum (map (fun m => Mode (extent m) (index a (stride m))) es) = at_parts parts (last_coordinate
    b)).
  { subst es. unfold cut. clear - R Alone. induction R as [|m p bs parts (S & P & NN) R IH]; [reflexivity|].
    inversion Alone; subst. simpl. rewrite map_app, reach_sum_app, IH by assumption. f_equal.
    rewrite <- part_strides; [|assumption|now rewrite S]. rewrite <- S. symmetry. now apply part_last. }
  rewrite H in Sum'.
  2:{ clear - B. induction B; simpl; constructor; trivial. lia. }
  unfold no_cancellation in NC. pose proof (fun i => left_modes_index a i A) as L.
  assert (Eq : lefts (new a) = fst (left_modes a)).
  { unfold new, lefts. destruct (left_modes a). simpl. rewrite map_map. apply map_id. }
  rewrite Eq. destruct (left_modes a) as [bound last]. simpl fst. apply sums_proper, NC.
  - apply sums_length.
  - rewrite sums_weight; [assumption|apply (L 0)].
  - rewrite sums_offset, <- Sum'. f_equal. apply map_ext. intro m. f_equal. apply (L (stride m)).
Qed.

(** ** Theorem: the rule is exact *)
Theorem composition_exact : forall a b, positive a -> positive b -> no_cancellation a (offset b (last_coordinate b)) ->
  ((exists parts, is_composition a b parts) <-> (exists parts, compose a b = Ok parts)).
Proof.
  intros a b A B NC. split.
  - intros [parts H]. now apply (composition_complete a b parts).
  - intros [parts H]. exists parts. now apply composition_sound.
Qed.

(** ** Left layouts in which nothing cancels out *)

Definition next_stride (ms : list mode) (last : N) : N := match ms with [] => last | m :: _ => stride m end.

(** Each mode begins beyond the end of the one before it. *)
Fixpoint grows (ms : list mode) (last : N) : Prop :=
  match ms with [] => True | m :: r => extent m * stride m < next_stride r last /\ grows r last end.

(** Each mode begins before the end of the one before it. *)
Fixpoint falls (ms : list mode) (last : N) : Prop :=
  match ms with [] => True | m :: r => next_stride r last < extent m * stride m /\ falls r last end.

Lemma digits_offset_first : forall r last y z q,
  digits_offset r last ((y + q) :: z) = digits_offset r last (y :: z) + q * next_stride r last.
Proof. intros [|m r] last y z q; simpl; lia. Qed.

Lemma weight_first : forall r y z q, weight r ((y + q) :: z) = weight r (y :: z) + q.
Proof. intros [|m r] y z q; simpl; lia. Qed.

Lemma grows_no_cancellation : forall ms last v, positive ms -> grows ms last -> length v = S (length ms) ->
  digits_offset ms last v <= left_index ms last (weight ms v) /\
  (digits_offset ms last v = left_index ms last (weight ms v) -> proper ms v).
Proof.
  induction ms as [|m r IH]; intros last [|x v] P G L; try discriminate.
  - simpl. split; [lia|trivial].
  - apply positive_cons in P as [Pm Pr]. destruct G as [G Gr]. destruct v as [|y z]; [discriminate|].
    simpl in L. set (q := x / extent m). specialize (IH last ((y + q) :: z) Pr Gr ltac:(simpl; lia)).
    rewrite digits_offset_first, weight_first in IH. simpl left_index.
    change (weight (m :: r) (x :: y :: z)) with (x + extent m * weight r (y :: z)).
    change (digits_offset (m :: r) last (x :: y :: z)) with (x * stride m + digits_offset r last (y :: z)).
    change (proper (m :: r) (x :: y :: z)) with (x < extent m /\ proper r (y :: z)).
    rewrite (N.mul_comm (extent m)), N.mod_add, N.div_add by lia. fold q.
    rewrite (N.add_comm q). destruct IH as [Le Eq].
    assert (X : x = extent m * q + x mod extent m) by (apply N.div_mod; lia).
    assert (X' : x * stride m = q * (extent m * stride m) + x mod extent m * stride m) by (rewrite X at 1; lia).
    assert (Q : q * (extent m * stride m) <= q * next_stride r last) by (apply N.mul_le_mono_l; lia).
    split; [lia|]. intro E. destruct (N.eq_dec q 0) as [Z|NZ].
    + split; [rewrite X, Z, N.mul_0_r, N.add_0_l; apply N.mod_lt; lia|].
      replace (y + q) with y in Eq by lia. apply Eq. lia.
    + exfalso. assert (q * (extent m * stride m) < q * next_stride r last) by (apply N.mul_lt_mono_pos_l; lia). lia.
Qed.

Lemma falls_no_cancellation : forall ms last v, positive ms -> falls ms last -> length v = S (length ms) ->
  left_index ms last (weight ms v) <= digits_offset ms last v /\
  (digits_offset ms last v = left_index ms last (weight ms v) -> proper ms v).
Proof.
  induction ms as [|m r IH]; intros last [|x v] P G L; try discriminate.
  - simpl. split; [lia|trivial].
  - apply positive_cons in P as [Pm Pr]. destruct G as [G Gr]. destruct v as [|y z]; [discriminate|].
    simpl in L. set (q := x / extent m). specialize (IH last ((y + q) :: z) Pr Gr ltac:(simpl; lia)).
    rewrite digits_offset_first, weight_first in IH. simpl left_index.
    change (weight (m :: r) (x :: y :: z)) with (x + extent m * weight r (y :: z)).
    change (digits_offset (m :: r) last (x :: y :: z)) with (x * stride m + digits_offset r last (y :: z)).
    change (proper (m :: r) (x :: y :: z)) with (x < extent m /\ proper r (y :: z)).
    rewrite (N.mul_comm (extent m)), N.mod_add, N.div_add by lia. fold q.
    rewrite (N.add_comm q). destruct IH as [Le Eq].
    assert (X : x = extent m * q + x mod extent m) by (apply N.div_mod; lia).
    assert (X' : x * stride m = q * (extent m * stride m) + x mod extent m * stride m) by (rewrite X at 1; lia).
    assert (Q : q * next_stride r last <= q * (extent m * stride m)) by (apply N.mul_le_mono_l; lia).
    split; [lia|]. intro E. destruct (N.eq_dec q 0) as [Z|NZ].
    + split; [rewrite X, Z, N.mul_0_r, N.add_0_l; apply N.mod_lt; lia|].
      replace (y + q) with y in Eq by lia. apply Eq. lia.
    + exfalso. assert (q * next_stride r last < q * (extent m * stride m)) by (apply N.mul_lt_mono_pos_l; lia). lia.
Qed.

Lemma monotone_no_cancellation : forall a x, positive a ->
  (let (bound, last) := left_modes a in grows bound (stride last) \/ falls bound (stride last)) -> no_cancellation a x.
Proof.
  intros a x A M. unfold no_cancellation. pose proof (left_modes_index a x A) as L.
  destruct (left_modes a) as [bound last]. destruct L as [P V]. intros v Len W E. rewrite <- V, <- W in E.
  destruct M as [M|M]; [now apply (grows_no_cancellation bound (stride last))|now apply (falls_no_cancellation bound
    (stride last))].
Qed.

(** ** Theorem: the rule is exact for left layouts whose strides grow, or fall *)
Theorem composition_exact_monotone : forall a b, positive a -> positive b ->
  (let (bound, last) := left_modes a in grows bound (stride last) \/ falls bound (stride last)) ->
  ((exists parts, is_composition a b parts) <-> (exists parts, compose a b = Ok parts)).
Proof. intros a b A B M. apply composition_exact; trivial. now apply monotone_no_cancellation. Qed.

(** No two neighbours of the left operand continue one another. *)
Fixpoint coalesced (ms : list mode) : Prop :=
  match ms with
  | m :: r => match r with [] => True | n :: _ => continues_in m n = false /\ coalesced r end
  | [] => True
  end.

Lemma coalesced_app : forall p m n, coalesced (p ++ [m; n]) <-> coalesced (p ++ [m]) /\ continues_in m n = false.
Proof.
  induction p as [|x p IH]; intros m n; simpl; [tauto|].
  destruct p as [|y p]; simpl in *; [tauto|]. specialize (IH m n). tauto.
Qed.

Lemma coalesced_stride : forall p m n, stride m = stride n -> coalesced (p ++ [m]) -> coalesced (p ++ [n]).
Proof.
  induction p as [|x p IH]; intros m n E C; [constructor|].
  destruct p as [|y p]; simpl in *; [unfold continues_in in *; rewrite <- E; tauto|].
  split; [tauto|]. now apply (IH m).
Qed.

Lemma coalesced_front : forall p m, coalesced (p ++ [m]) -> coalesced p.
Proof.
  induction p as [|x p IH]; intros m C; [constructor|].
  destruct p as [|y p]; [constructor|]. simpl in *. split; [tauto|]. apply (IH m). tauto.
Qed.

Lemma left_modes_coalesced : forall a, let (bound, last) := left_modes a in coalesced (bound ++ [last]).
Proof.
  assert (Open : forall done next, coalesced (rev done) -> let (done',
    last') := open_again done next in coalesced (rev done' ++ [last'])).
  { intros [|before rest] next C; simpl in *; [trivial|].
    destruct (continues_in before next) eqn:E; simpl.
    - now apply (coalesced_stride _ before).
    - rewrite <- app_assoc. simpl. now apply coalesced_app. }
  assert (Fold : forall rest done last, coalesced (rev done ++ [last]) ->
    let (done', last') := fold_left take rest (done, last) in coalesced (rev done' ++ [last'])).
  { induction rest as [|next rest IH]; intros done last C; [exact C|]. simpl.
    assert (C' : let (d, l) := open_again (if extent last =? 1 then done else last :: done) next in coalesced (rev d ++
      [l])).
    { apply Open. destruct (extent last =? 1); [now apply coalesced_front in C|exact C]. }
    destruct (open_again _ next) as [d l]. now apply IH. }
  intros [|first rest]; simpl; [trivial|].
  specialize (Fold rest [] first I). destruct (fold_left take rest ([], first)). exact Fold.
Qed.

(** ** Theorem: the rule is exact for left layouts of at most two modes, once coalesced *)
Theorem composition_exact_two_modes : forall a b, positive a -> positive b -> (length (fst (left_modes a)) <= 1)%nat ->
  ((exists parts, is_composition a b parts) <-> (exists parts, compose a b = Ok parts)).
Proof.
  intros a b A B L. apply composition_exact_monotone; trivial. pose proof (left_modes_coalesced a) as C.
  destruct (left_modes a) as [[|m [|n r]] last]; simpl in L; try lia.
  - left. constructor.
  - simpl in C. destruct C as [C _]. apply N.eqb_neq in C.
    destruct (N.lt_total (extent m * stride m) (stride last)) as [H|[H|H]]; [left|contradiction|right]; split; simpl;
      trivial.
Qed.

(** ** Theorem: the extents alone decide *)

Lemma leaf_factors : forall c b c' p, positive (lefts c) -> 1 <= extent b -> leaf c b = Ok (c', p) ->
  exists ts, Forall (N.le 1) ts /\ product ts = extent b /\
    exists es, after c c' es /\ reach (lefts c) es = reach (lefts c) (runs ts (stride b)).
Proof.
  intros c b c' p P B H. unfold leaf in H. destruct (N.eqb_spec (extent b) 1) as [E|NE].
  - inversion H; subst. exists [1]. split; [repeat constructor; lia|]. split; [now rewrite E|].
    exists []. split; [apply after_nothing|]. symmetry. apply reach_no_steps; [repeat constructor; lia|reflexivity].
  - pose proof (run_spec c b P B) as R. destruct (run c b) as [c1 first]. destruct R as (A & V & Bo & _).
    unfold bind in H. destruct (split _ c1 b first) as [[c2 rest]|] eqn:E; [|discriminate]. inversion H; subst.
    assert (P1 : positive (lefts c1)) by (destruct A as [L _]; now rewrite L).
    destruct (split_spec _ c1 b first c' rest P1 B (proj1 Bo) E) as (ts & T & Pr & _ & A').
    exists (extent first :: ts). split; [constructor; [apply Bo|assumption]|]. split; [assumption|].
    exists (runs (extent first :: ts) (stride b)). split; [|reflexivity]. simpl. now apply (after_app _ c1 _ [_]).
Qed.

Lemma leaves_factors : forall bs c c' parts, positive (lefts c) -> positive bs -> leaves c bs = Ok (c', parts) ->
  exists tss, factors bs tss /\ exists es, after c c' es /\ reach (lefts c) es = reach (lefts c) (concat (cut bs tss)).
Proof.
  induction bs as [|b bs IH]; intros c c' parts P B H; simpl in H.
  - inversion H; subst. exists []. split; [constructor|]. exists []. split; [apply after_nothing|reflexivity].
  - apply positive_cons in B as [Bb Bs]. unfold bind in H.
    destruct (leaf c b) as [[c1 p]|] eqn:E; [|discriminate].
    destruct (leaves c1 bs) as [[c2 others]|] eqn:E'; [|discriminate]. inversion H; subst.
    destruct (leaf_factors _ _ _ _ P Bb E) as (ts & T & Pr & es & A & R).
    assert (Lo : lefts c1 = lefts c) by apply A.
    destruct (IH c1 c' others) as (tss & F & es' & A' & R'); rewrite ?Lo in *; trivial.
    exists (ts :: tss). split; [now constructor|]. exists (es ++ es'). split; [now apply (after_app _ c1)|].
    simpl. rewrite !reach_app, R. f_equal. exact R'.
Qed.

Lemma composition_fits : forall a b parts, positive a -> positive b -> compose a b = Ok parts ->
  exists tss, factors b tss /\ fits (lefts (new a)) (concat (cut b tss)).
Proof.
  intros a b parts A B H. unfold compose, bind in H.
  destruct (leaves (new a) b) as [[c' parts']|] eqn:E; [|discriminate].
  unfold finish in H. destruct (carry c') eqn:NoCarry; [discriminate|].
  destruct (new_spec a 0 A) as (P & _ & Con & Zero).
  destruct (leaves_factors _ _ _ _ P B E) as (tss & F & es & (L & S & Reached & Con') & R).
  exists tss. split; [assumption|]. rewrite Zero, nothing_add, R in Reached. unfold fits. rewrite <- Reached, <- L.
  apply (proj1 (Con' Con)) in NoCarry. unfold lefts. clear - NoCarry. induction NoCarry; simpl; constructor; trivial.
Qed.

Lemma fits_extents : forall ms ms' es, map extent ms = map extent ms' -> fits ms es -> fits ms' es.
Proof.
  induction ms as [|m r IH]; intros [|m' r'] es E F; try discriminate; [constructor|]. simpl in E. injection E as E Er.
  unfold fits in *. simpl in *. inversion F; subst. rewrite <- E. constructor; [simpl; now rewrite <- E|]. now apply IH.
Qed.

Lemma lefts_new : forall a, lefts (new a) = fst (left_modes a).
Proof. intro a. unfold new, lefts. destruct (left_modes a). simpl. rewrite map_map. apply map_id. Qed.

Theorem composition_by_extents : forall a a' b, positive a -> positive a' -> positive b ->
  map extent (fst (left_modes a)) = map extent (fst (left_modes a')) ->
  (exists parts, compose a b = Ok parts) -> exists parts, compose a' b = Ok parts.
Proof.
  intros a a' b A A' B E [parts H]. destruct (composition_fits a b parts A B H) as (tss & F & Fit).
  apply (composition_finds_runs a' b tss); trivial. rewrite lefts_new in *.
  now apply (fits_extents (fst (left_modes a))).
Qed.

(** What the rule refuses has no composition for any strides of [A] that grow, or fall: so none that is written down
    with the strides of [A] left open. *)
Theorem refused_with_open_strides : forall a a' b f parts, positive a -> positive a' -> positive b ->
  map extent (fst (left_modes a)) = map extent (fst (left_modes a')) ->
  (let (bound, last) := left_modes a' in grows bound (stride last) \/ falls bound (stride last)) ->
  compose a b = Err f -> ~ is_composition a' b parts.
Proof.
  intros a a' b f parts A A' B E M R C.
  destruct (proj1 (composition_exact_monotone a' b A' B M)) as [parts' H]; [now exists parts|].
  destruct (composition_by_extents a' a b A' A B (eq_sym E)) as [parts'' H']; [now exists parts'|].
  rewrite R in H'. discriminate.
Qed.

(** ** Beyond that: three modes whose carries cancel out

    [(2,2,2):(1,1,3)] at the offsets 0, 3, 6 of [3:3] is 0, 2, 4, which is [3:2]. The rule sees the digits [11 + 11],
    which carry twice: once the offset loses 1, once it gains 1. *)
Example cancellation_divisibility :
  let a := [Mode 2 1; Mode 2 1; Mode 2 3] in let b := [Mode 3 3] in
  is_composition a b [[Mode 3 2]] /\ compose a b = Err Divisibility.
Proof.
  split; [|reflexivity]. split.
  - repeat constructor; discriminate.
  - intros c C. inversion C as [|? x ? y X Y]; subst. inversion Y; subst. simpl extent in X.
    assert (x = 0 \/ x = 1 \/ x = 2) as [->|[->| ->]] by lia; reflexivity.
Qed.

(** [(3,2,2):(1,0,3)] at the offsets 0, 2, 4, 6 of [4:2] is 0, 2, 1, 3,
  which is [(2,2):(2,1)]: here the rule says carry. *)
Example cancellation_carry :
  let a := [Mode 3 1; Mode 2 0; Mode 2 3] in let b := [Mode 4 2] in
  is_composition a b [[Mode 2 2; Mode 2 1]] /\ compose a b = Err Carry.
Proof.
  split; [|reflexivity]. split.
  - repeat constructor; discriminate.
  - intros c C. inversion C as [|? x ? y X Y]; subst. inversion Y; subst. simpl extent in X.
    assert (x = 0 \/ x = 1 \/ x = 2 \/ x = 3) as [->|[->|[->| ->]]] by lia; reflexivity.
Qed.
