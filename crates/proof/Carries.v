(** * Composition: the exact condition, without a hypothesis

    Cut each mode of [B] into runs in some way. At a coordinate, the digits of all runs add up, and where a sum reaches
    the extent of a mode of [A] it carries into the next mode. Each carry from mode [j] gains [d_(j+1)] and loses
    [s_j * d_j]. Then, for all layouts:

    - there is a composition if and only if, for some cut, gains and losses are equal at every coordinate;
    - the rule answers if and only if, for some cut, nothing carries at any coordinate.

    So what the rule misses is exactly what carries and cancels out. That takes a mode of [A] whose carry gains and one
    whose carry loses: at least three modes of the coalesced [A]. *)

From Layout Require Import Mode Coalesce Composition Completeness.

(** The sum of the digits of all runs at the coordinate [xs], in each mode of [A]; what is behind the last bounded mode
    is one digit. *)
Fixpoint digit_sums (ms es : list mode) (xs : list N) : list N :=
  match ms with
  | [] => [offset es xs]
  | m :: r => offset (map (low (extent m)) es) xs :: digit_sums r (map (high (extent m)) es) xs
  end.

(** What each bounded mode carries into the next one. *)
Fixpoint carried (ms : list mode) (v : list N) : list N :=
  match ms, v with
  | m :: r, x :: y :: z => x / extent m :: carried r (y + x / extent m :: z)
  | _, _ => []
  end.

(** How far carries move an offset forward, and how far back. *)
Fixpoint gained (ms : list mode) (last : N) (q : list N) : N :=
  match ms, q with m :: r, k :: q => k * next_stride r last + gained r last q | _, _ => 0 end.
Fixpoint lost (ms : list mode) (q : list N) : N :=
  match ms, q with m :: r, k :: q => k * (extent m * stride m) + lost r q | _, _ => 0 end.

Lemma carried_balance : forall ms last v, positive ms -> length v = S (length ms) ->
  digits_offset ms last v + gained ms last (carried ms v) = left_index ms last (weight ms v) + lost ms (carried ms v).
Proof.
  induction ms as [|m r IH]; intros last [|x v] P L; try discriminate.
  - simpl. lia.
  - apply positive_cons in P as [Pm Pr]. destruct v as [|y z]; [discriminate|].
    simpl in L. set (q := x / extent m). specialize (IH last ((y + q) :: z) Pr ltac:(simpl; lia)).
    rewrite digits_offset_first, weight_first in IH. simpl left_index.
    change (weight (m :: r) (x :: y :: z)) with (x + extent m * weight r (y :: z)).
    change (digits_offset (m :: r) last (x :: y :: z)) with (x * stride m + digits_offset r last (y :: z)).
    change (carried (m :: r) (x :: y :: z)) with (q :: carried r (y + q :: z)).
    simpl gained. simpl lost.
    rewrite (N.mul_comm (extent m)), N.mod_add, N.div_add by lia. fold q. rewrite (N.add_comm q).
    assert (X : x = extent m * q + x mod extent m) by (apply N.div_mod; lia).
    assert (X' : x * stride m = q * (extent m * stride m) + x mod extent m * stride m) by (rewrite X at 1; lia).
    lia.
Qed.

Lemma digit_sums_length : forall ms es xs, length (digit_sums ms es xs) = S (length ms).
Proof. induction ms; intros; simpl; auto. Qed.

Lemma digit_sums_weight : forall ms es xs, positive ms -> weight ms (digit_sums ms es xs) = offset es xs.
Proof.
  induction ms as [|m r IH]; intros es xs P; simpl; [reflexivity|]. apply positive_cons in P as [Pm Pr].
  rewrite IH by assumption. symmetry. now apply offset_low_high.
Qed.

Definition image_by (f : N -> N) (es : list mode) : list mode := map (fun e => Mode (extent e) (f (stride e))) es.

Lemma digit_sums_offset : forall ms last es xs,
  digits_offset ms last (digit_sums ms es xs) = offset (image_by (left_index ms last) es) xs.
Proof.
  unfold image_by. induction ms as [|m r IH]; intros last es xs; simpl.
  - revert xs. induction es as [|e es IH]; intros [|x xs]; simpl; try lia. rewrite <- IH. lia.
  - rewrite IH, map_map. simpl. clear. revert xs. induction es as [|e es IH]; intros [|x xs]; simpl; try lia.
    rewrite <- IH. lia.
Qed.

(** At the coordinate [xs] of the runs [es], what carries cancels out. *)
Definition cancels (a es : list mode) (xs : list N) : Prop :=
  let (bound, last) := left_modes a in
  let q := carried bound (digit_sums bound es xs) in
  gained bound (stride last) q = lost bound q.

(** Nothing carries. *)
Definition no_carry (a es : list mode) (xs : list N) : Prop :=
  let (bound, last) := left_modes a in Forall (fun q => q = 0) (carried bound (digit_sums bound es xs)).

Lemma cancels_linear : forall a es xs, positive a ->
  (cancels a es xs <-> index a (offset es xs) = offset (image_by (index a) es) xs).
Proof.
  intros a es xs A. unfold cancels. pose proof (fun i => left_modes_index a i A) as L.
  destruct (left_modes a) as [bound last]. pose proof (proj1 (L 0)) as P.
  pose proof (carried_balance bound (stride last) (digit_sums bound es xs) P (digit_sums_length _ _ _)) as B.
  rewrite digit_sums_weight, digit_sums_offset in B by assumption.
  assert (E : image_by (left_index bound (stride last)) es = image_by (index a) es).
  { apply map_ext. intro e. f_equal. apply (L (stride e)). }
  rewrite E, (proj2 (L (offset es xs))) in B. lia.
Qed.

(** ** Cuts *)

(** Each extent is cut into factors, at least one. *)
Definition cuts (bs : list mode) (tss : list (list N)) : Prop :=
  Forall2 (fun b ts => Forall (N.le 1) ts /\ ts <> [] /\ product ts = extent b) bs tss.

Lemma cuts_runs : forall bs tss, cuts bs tss -> Forall2 runs_of bs (cut bs tss).
Proof.
  unfold cut. induction 1 as [|b ts bs tss (T & N & P) C IH]; simpl; constructor; trivial.
  repeat split.
  - now apply runs_positive.
  - now apply runs_not_nil.
  - now rewrite runs_size.
  - intros x _. now apply runs_index.
Qed.

(** Coordinates of a part are coordinates of its runs. *)
Lemma part_offsets : forall f p e xs, positive p -> f 0 = 0 -> (forall x,
  x < size p -> index p x = f (x * e)) -> inside p xs ->
  offset p xs = offset (image_by f (runs (map extent p) e)) xs /\
  offset (runs (map extent p) e) xs = number p xs * e.
Proof.
  unfold image_by. intros f p e xs P Z H I. revert e P H.
  induction I as [|m x r y X I IH]; intros e P H; [simpl; split; lia|].
  apply positive_cons in P as [Pm Pr]. pose proof (size_positive r Pr) as S. simpl in H.
  destruct (IH (e * extent m) Pr) as [IH1 IH2].
  { intros k K. destruct r as [|m' r].
    - simpl in K. replace k with 0 by lia. rewrite N.mul_0_l, Z. reflexivity.
    - replace (k * (e * extent m)) with (k * extent m * e) by lia. rewrite <- H by nia.
      rewrite N.mod_mul, N.div_mul by lia. lia. }
  split.
  - simpl. rewrite IH1. f_equal. destruct (N.eq_dec (extent m) 1) as [E|NE]; [replace x with 0 by lia; lia|]. f_equal.
    specialize (H 1). rewrite (N.mul_1_l e) in H. rewrite <- H by nia.
    destruct r as [|m' r]; [lia|]. rewrite N.mod_small, N.div_small, index_zero by (assumption || lia). lia.
  - change (x * e + offset (runs (map extent r) (e * extent m)) y = (x + extent m * number r y) * e). rewrite IH2. lia.
Qed.

(** ** Theorem: there is a composition if and only if all carries cancel out, for some cut *)
Theorem composition_iff_carries_cancel : forall a b, positive a -> positive b ->
  ((exists parts, is_composition a b parts) <->
   (exists tss, cuts b tss /\ forall xs, inside (concat (cut b tss)) xs -> cancels a (concat (cut b tss)) xs)).
Proof.
  intros a b A B. pose proof (index_zero a A) as Z. split.
  - intros (parts & R & H). exists (map (map extent) parts).
    pose proof (parts_alone (index a) b parts Z R B H) as Alone. split.
    + clear - R. unfold cuts. induction R as [|m p bs parts (S & P & NN) R IH]; simpl; constructor; trivial.
      split; [|split].
      * clear - P. induction P; simpl; constructor; trivial.
      * now destruct p.
      * rewrite <- S. clear. induction p; simpl; [reflexivity|]. unfold product in *. simpl. congruence.
    + intros xs X. apply cancels_linear; [exact A|].
      assert (Split : exists c, inside b c /\ offset (concat (cut b (map (map extent) parts))) xs = offset b c /\
        offset (image_by (index a) (concat (cut b (map (map extent) parts)))) xs = at_parts parts c).
      { clear H. unfold image_by, cut in *. revert xs X. induction R as [|m p bs parts (S & P & NN) R IH]; intros xs X.
        - simpl in X. inversion X; subst. exists []. repeat constructor.
        - apply positive_cons in B as [Bm Bs]. inversion Alone as [|? ? ? ? Am As]; subst. simpl in X.
          apply Forall2_app_inv_l in X as (x & y & X & Y & ->). destruct (IH Bs As y Y) as (c & C & O & V).
          assert (I : inside p x).
          { clear - X. revert X. generalize (stride m). revert x.
            induction p as [|n p IH]; intros x e X; simpl in X; inversion X; subst; constructor; trivial.
            now apply (IH l' (e * extent n)). }
          destruct (part_offsets (index a) p (stride m) x P Z) as [O1 O2]; trivial; [now rewrite S|].
          pose proof (number_below p x I) as L. rewrite S in L.
          exists (number p x :: c). split; [now constructor|]. simpl.
          rewrite map_app, !offset_app by (rewrite ?map_length; now apply inside_length in X).
          rewrite O, V, O2. split; [reflexivity|]. unfold image_by in O1. rewrite <- O1, index_of_number by assumption.
          reflexivity. }
      destruct Split as (c & C & -> & ->). symmetry. now apply H.
  - intros (tss & C & H). pose proof (cuts_runs b tss C) as R. exists (map (image_by (index a)) (cut b tss)). split.
    + clear - R. unfold image_by. induction R as [|b es bs ess (P & NN & S & I) R IH]; simpl; constructor; trivial.
      destruct (map_extent_size (fun e => Mode (extent e) (index a (stride e))) es) as [T U]; [reflexivity|].
      rewrite T. repeat split; auto. destruct es; [contradiction|discriminate].
    + intros c I. destruct (coordinates_spec (index a) b (cut b tss) c R I) as (In & O & V).
      specialize (H _ In). apply cancels_linear in H; [|exact A]. rewrite O in H. rewrite H. symmetry. exact V.
Qed.

(** ** Theorem: the rule answers if and only if nothing carries, for some cut *)

Lemma digit_sums_below : forall ms es xs, positive ms -> fits ms es -> inside es xs ->
  Forall (fun q => q = 0) (carried ms (digit_sums ms es xs)).
Proof.
  induction ms as [|m r IH]; intros es xs P F I; [constructor|]. apply positive_cons in P as [Pm Pr].
  unfold fits in F. simpl in F. inversion F as [|? ? ? ? F0 Fr]; subst.
  specialize (IH (map (high (extent m)) es) xs Pr Fr (inside_map (high (extent m)) es xs (fun _ => eq_refl) I)).
  assert (L : offset (map (low (extent m)) es) xs < extent m).
  { eapply N.le_lt_trans; [apply offset_reach|exact F0]. now apply inside_map. }
  simpl digit_sums. destruct (digit_sums r (map (high (extent m)) es) xs) as [|y z] eqn:D.
  { pose proof (digit_sums_length r (map (high (extent m)) es) xs) as Len. rewrite D in Len. discriminate. }
  change (Forall (fun q => q = 0) (offset (map (low (extent m)) es) xs / extent m ::
    carried r (y + offset (map (low (extent m)) es) xs / extent m :: z))).
  rewrite N.div_small by assumption. rewrite N.add_0_r. now constructor.
Qed.

Lemma carried_proper : forall ms v, positive ms -> length v = S (length ms) ->
  Forall (fun q => q = 0) (carried ms v) -> proper ms v.
Proof.
  induction ms as [|m r IH]; intros [|x v] P L F; try discriminate; [exact I|]. apply positive_cons in P as [Pm Pr].
  destruct v as [|y z]; [discriminate|]. simpl in F. inversion F as [|? ? F0 Fr]; subst.
  rewrite F0, N.add_0_r in Fr. split; [|apply IH; trivial; simpl in *; lia].
  apply N.div_small_iff in F0; [exact F0|lia].
Qed.

Lemma digit_sums_last : forall ms es, digit_sums ms es (last_coordinate es) = sums ms es.
Proof.
  assert (L : forall es, offset es (last_coordinate es) = reach_sum es) by (induction es; simpl; congruence).
  assert (M : forall f es, (forall m, extent (f m) = extent m) -> last_coordinate (map f es) = last_coordinate es).
  { intros f es E. unfold last_coordinate. rewrite map_map. apply map_ext. intro m. now rewrite E. }
  induction ms as [|m r IH]; intro es; simpl; [now rewrite L|].
  rewrite <- IH, <- L. now rewrite !M by reflexivity.
Qed.

Lemma last_coordinate_inside : forall l, positive l -> inside l (last_coordinate l).
Proof. induction 1; simpl; constructor; trivial. lia. Qed.

Lemma factors_cuts : forall ms bs tss, factors bs tss -> exists tss', cuts bs tss' /\ factors bs tss' /\
  reach ms (concat (cut bs tss')) = reach ms (concat (cut bs tss)).
Proof.
  intros ms bs tss F. unfold cut. induction F as [|b ts bs tss [T P] F (tss' & C & F' & R)].
  - exists []. repeat constructor.
  - destruct ts as [|t ts].
    + exists ([1] :: tss'). split; [constructor; [|assumption]|split; [constructor; [|assumption]|]].
      * repeat split; [repeat constructor; lia|discriminate|exact P].
      * split; [repeat constructor; lia|exact P].
      * simpl. rewrite reach_single_step. exact R.
    + exists ((t :: ts) :: tss'). split; [constructor; [repeat split; trivial; discriminate|assumption]|].
      split; [constructor; [split; trivial|assumption]|].
      simpl concat. change (Mode t (stride b) :: runs ts (stride b * t) ++ ?x) with ((Mode t (stride b) :: runs ts
        (stride b * t)) ++ x).
      simpl. rewrite !(app_comm_cons (runs ts (stride b * t))), !reach_app, R. reflexivity.
Qed.

Theorem composition_iff_no_carry : forall a b, positive a -> positive b ->
  ((exists parts, compose a b = Ok parts) <->
   (exists tss, cuts b tss /\ forall xs, inside (concat (cut b tss)) xs -> no_carry a (concat (cut b tss)) xs)).
Proof.
  intros a b A B. unfold no_carry. destruct (new_spec a 0 A) as (P & _). rewrite lefts_new in P. split.
  - intros [parts H]. destruct (composition_fits a b parts A B H) as (tss & F & Fit). rewrite lefts_new in Fit.
    destruct (factors_cuts (fst (left_modes a)) b tss F) as (tss' & C & _ & R). exists tss'. split; [exact C|].
    unfold fits in Fit. rewrite <- R in Fit. destruct (left_modes a) as [bound last]. intros xs X.
    now apply digit_sums_below.
  - intros (tss & C & H).
    apply (composition_finds_runs a b tss); trivial.
    { clear - C. induction C as [|b ts bs tss (T & N & P) C IH]; constructor; auto. }
    rewrite lefts_new. destruct (left_modes a) as [bound last]. simpl in *.
    assert (Pos : positive (concat (cut b tss))).
    { pose proof (cuts_runs b tss C) as R. clear - R. induction R as [|m es bs ess (Q & _) R IH]; simpl; [constructor|].
      now apply positive_app. }
    apply sums_proper. rewrite <- digit_sums_last. apply carried_proper; [exact P|apply digit_sums_length|].
    apply H. now apply last_coordinate_inside.
Qed.

(** ** Theorem: what is refused although there is a composition needs a carry that gains and one that loses *)

Fixpoint some_gain (ms : list mode) (last : N) : Prop :=
  match ms with [] => False | m :: r => extent m * stride m < next_stride r last \/ some_gain r last end.
Fixpoint some_loss (ms : list mode) (last : N) : Prop :=
  match ms with [] => False | m :: r => next_stride r last < extent m * stride m \/ some_loss r last end.

Lemma grows_or_loses : forall ms last, coalesced (ms ++ [last]) ->
  (grows ms (stride last) \/ some_loss ms (stride last)) /\ (falls ms (stride last) \/ some_gain ms (stride last)).
Proof.
  induction ms as [|m r IH]; intros last C; [simpl; auto|].
  assert (H : extent m * stride m <> next_stride r (stride last) /\ coalesced (r ++ [last])).
  { destruct r as [|n r]; simpl in *; unfold continues_in in C; destruct C as [C Cr]; apply N.eqb_neq in C; auto. }
  destruct H as [NE C']. destruct (IH last C') as [G F]. simpl.
  destruct (N.lt_total (extent m * stride m) (next_stride r (stride last))) as [L|[L|L]]; [|contradiction|]; tauto.
Qed.

Theorem refused_only_by_cancellation : forall a b parts f, positive a -> positive b ->
  is_composition a b parts -> compose a b = Err f ->
  let (bound, last) := left_modes a in
  (2 <= length bound)%nat /\ some_gain bound (stride last) /\ some_loss bound (stride last).
Proof.
  intros a b parts f A B C R. pose proof (left_modes_coalesced a) as Co.
  pose proof (composition_exact_two_modes a b A B) as Two. pose proof (composition_exact_monotone a b A B) as Mono.
  destruct (left_modes a) as [bound last]. destruct (grows_or_loses bound last Co) as [G F].
  assert (No : ~ exists parts', compose a b = Ok parts') by (intros [parts' H]; congruence).
  repeat split.
  - destruct (Compare_dec.le_lt_dec 2 (length bound)) as [|L]; [assumption|]. exfalso.
    apply No, Two; [simpl; lia|now exists parts].
  - destruct F as [F|]; [|assumption]. exfalso. apply No, Mono; [now right|now exists parts].
  - destruct G as [G|]; [|assumption]. exfalso. apply No, Mono; [now left|now exists parts].
Qed.
