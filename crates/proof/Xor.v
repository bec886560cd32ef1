(** * XOR strides: linear layouts over F2

    An XOR stride [^d] is multiplied without carries, as polynomials over F2 are, and offsets are put together by XOR.
    In
    a shape of powers of two such a layout is linear over bits: the offset of [i XOR j] is the XOR of both offsets. A
    layout of natural strides is the same function as one of XOR strides with the same numbers exactly where no two of
    its bits have a bit of their strides in common. And a swizzle is a layout of XOR strides.

    In the code: [kinds/bits.rs] ([clmul]), [kinds/convert.rs] ([linear], [natural]), [swizzle]. *)

From Layout Require Import Mode.
Global Arguments N.lxor : simpl never.
Global Arguments N.land : simpl never.
Global Arguments N.pow : simpl never.
Global Arguments N.double : simpl never.
Global Arguments N.succ_double : simpl never.

(** The product without carries. *)
Fixpoint clmul_positive (c : BinNums.positive) (d : N) : N :=
  match c with
  | xH => d
  | xO c => N.double (clmul_positive c d)
  | xI c => N.lxor d (N.double (clmul_positive c d))
  end.
Definition clmul (c d : N) : N := match c with N0 => 0 | Npos c => clmul_positive c d end.

(** The offset of a coordinate, and the layout as a function of numbers. *)
Fixpoint xor_offset (l : list mode) (c : list N) : N :=
  match l, c with
  | m :: r, x :: y => N.lxor (clmul x (stride m)) (xor_offset r y)
  | _, _ => 0
  end.
Fixpoint xor_index (l : list mode) (i : N) : N :=
  match l with
  | [] => 0
  | m :: r => match r with [] => clmul i (stride m) |
    _ => N.lxor (clmul (i mod extent m) (stride m)) (xor_index r (i / extent m)) end
  end.

(** ** Doubles *)

Lemma halves : forall n, exists k, n = N.double k \/ n = N.succ_double k.
Proof. intros [|[p|p|]]; [exists 0|exists (Npos p)|exists (Npos p)|exists 0]; auto. Qed.

Lemma double_zero : N.double 0 = 0. Proof. reflexivity. Qed.

Lemma clmul_zero : forall d, clmul 0 d = 0.
Proof. reflexivity. Qed.

Lemma clmul_double : forall c d, clmul (N.double c) d = N.double (clmul c d).
Proof. now intros [|c] d. Qed.

Lemma clmul_succ_double : forall c d, clmul (N.succ_double c) d = N.lxor d (N.double (clmul c d)).
Proof. intros [|c] d; [|reflexivity]. simpl. now rewrite double_zero, N.lxor_0_r. Qed.

Lemma lxor_double : forall a b, N.lxor (N.double a) (N.double b) = N.double (N.lxor a b).
Proof. now intros [|a] [|b]. Qed.

Lemma lxor_double_succ : forall a b, N.lxor (N.double a) (N.succ_double b) = N.succ_double (N.lxor a b).
Proof. now intros [|a] [|b]. Qed.

Lemma lxor_succ_double : forall a b, N.lxor (N.succ_double a) (N.succ_double b) = N.double (N.lxor a b).
Proof. now intros [|a] [|b]. Qed.

Lemma land_double : forall a b, N.land (N.double a) (N.double b) = N.double (N.land a b).
Proof. now intros [|a] [|b]. Qed.

Lemma land_double_succ : forall a b, N.land (N.double a) (N.succ_double b) = N.double (N.land a b).
Proof. now intros [|a] [|b]. Qed.

Lemma land_succ_double : forall a b, N.land (N.succ_double a) (N.succ_double b) = N.succ_double (N.land a b).
Proof. now intros [|a] [|b]. Qed.

Ltac shuffle_xor := rewrite ?N.lxor_assoc; auto.

(** The product without carries is linear in both. *)
Lemma clmul_lxor : forall c c' d, clmul (N.lxor c c') d = N.lxor (clmul c d) (clmul c' d).
Proof.
  intro c. induction c as [|c IH|c IH] using N.binary_ind; intros c' d.
  - now rewrite !N.lxor_0_l.
  - destruct (halves c') as (k & [-> | ->]).
    + now rewrite lxor_double, !clmul_double, IH, lxor_double.
    + rewrite lxor_double_succ, !clmul_succ_double, clmul_double, IH, <- lxor_double.
      rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
  - destruct (halves c') as (k & [-> | ->]).
    + rewrite N.lxor_comm, lxor_double_succ, !clmul_succ_double, clmul_double, N.lxor_comm, N.lxor_comm, N.lxor_assoc.
      f_equal. rewrite N.lxor_comm, IH. now rewrite lxor_double.
    + rewrite lxor_succ_double, !clmul_succ_double, clmul_double, IH, <- lxor_double.
      rewrite (N.lxor_comm d (N.double (clmul c d))), N.lxor_assoc, <- (N.lxor_assoc d d), N.lxor_nilpotent, N.lxor_0_l.
      reflexivity.
Qed.

Lemma lxor_swap : forall a b c d, N.lxor (N.lxor a b) (N.lxor c d) = N.lxor (N.lxor a c) (N.lxor b d).
Proof. intros. rewrite !N.lxor_assoc. f_equal. rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm. Qed.

Lemma clmul_lxor_right : forall c d e, clmul c (N.lxor d e) = N.lxor (clmul c d) (clmul c e).
Proof.
  intros c d e. induction c as [|c IH|c IH] using N.binary_ind.
  - reflexivity.
  - now rewrite !clmul_double, IH, lxor_double.
  - rewrite !clmul_succ_double, IH, <- lxor_double. apply lxor_swap.
Qed.

Lemma clmul_double_right : forall c d, clmul c (N.double d) = N.double (clmul c d).
Proof.
  intros c d. induction c as [|c IH|c IH] using N.binary_ind.
  - reflexivity.
  - now rewrite !clmul_double, IH.
  - now rewrite !clmul_succ_double, IH, lxor_double.
Qed.

Lemma clmul_one : forall c, clmul c 1 = c.
Proof.
  intro c. induction c as [|c IH|c IH] using N.binary_ind.
  - reflexivity.
  - now rewrite clmul_double, IH.
  - rewrite clmul_succ_double, IH. now destruct c.
Qed.

Lemma clmul_power : forall c k, clmul c (2 ^ k) = N.shiftl c k.
Proof.
  intros c k. induction k as [|k IH] using N.peano_ind.
  - now rewrite N.pow_0_r, clmul_one, N.shiftl_0_r.
  - rewrite N.pow_succ_r', <- N.double_spec, clmul_double_right, IH, N.shiftl_succ_r. now rewrite N.double_spec.
Qed.

(** ** Theorem: a layout of XOR strides is linear over bits *)

(** All extents but the last, which nothing bounds, are powers of two. *)
Fixpoint powers (l : list mode) : Prop :=
  match l with
  | [] => True
  | m :: r => match r with [] => True | _ => (exists k, extent m = 2 ^ k) /\ powers r end
  end.

Lemma lxor_mod : forall i j k, (N.lxor i j) mod 2 ^ k = N.lxor (i mod 2 ^ k) (j mod 2 ^ k).
Proof.
  intros i j k. apply N.bits_inj. intro n. rewrite N.lxor_spec. destruct (N.lt_ge_cases n k).
  - now rewrite !N.mod_pow2_bits_low, N.lxor_spec by assumption.
  - now rewrite !N.mod_pow2_bits_high by assumption.
Qed.

Lemma lxor_div : forall i j k, (N.lxor i j) / 2 ^ k = N.lxor (i / 2 ^ k) (j / 2 ^ k).
Proof. intros. rewrite <- !N.shiftr_div_pow2. apply N.shiftr_lxor. Qed.

Theorem xor_index_linear : forall l i j, powers l -> xor_index l (N.lxor i j) = N.lxor (xor_index l i) (xor_index l j).
Proof.
  induction l as [|m r IH]; intros i j P; [reflexivity|]. destruct r as [|m' r].
  - apply clmul_lxor.
  - destruct P as [[k E] P].
    change (xor_index (m :: m' :: r)) with (fun i => N.lxor (clmul (i mod extent m) (stride m)) (xor_index (m' :: r) (i
      / extent m))).
    cbv beta. rewrite E, lxor_mod, lxor_div, clmul_lxor, IH by assumption. apply lxor_swap.
Qed.

(** ** Theorem: where natural and XOR strides are one function *)

Lemma add_lxor_land : forall a b, a + b = N.lxor a b + 2 * N.land a b.
Proof.
  intro a. induction a as [|a IH|a IH] using N.binary_ind; intro b.
  - rewrite N.lxor_0_l, N.land_0_l. lia.
  - destruct (halves b) as (k & [-> | ->]); specialize (IH k).
    + rewrite lxor_double, land_double, !N.double_spec. lia.
    + rewrite lxor_double_succ, land_double_succ, !N.double_spec, !N.succ_double_spec. lia.
  - destruct (halves b) as (k & [-> | ->]); specialize (IH k).
    + rewrite N.lxor_comm, lxor_double_succ, N.land_comm, land_double_succ, !N.double_spec, !N.succ_double_spec,
        N.lxor_comm, N.land_comm. lia.
    + rewrite lxor_succ_double, land_succ_double, !N.double_spec, !N.succ_double_spec. lia.
Qed.

(** The stride of each bit of a coordinate, for modes [2^k : d]. *)
Fixpoint bit_strides_of (k : nat) (d : N) : list N := match k with O => [] |
  S k => d :: bit_strides_of k (N.double d) end.
Definition power_mode (kd : nat * N) : mode := Mode (2 ^ N.of_nat (fst kd)) (snd kd).
Definition bit_strides (l : list (nat * N)) : list N := flat_map (fun kd => bit_strides_of (fst kd) (snd kd)) l.
Definition disjoint (a b : N) : Prop := N.land a b = 0.

(** Chosen bits, their strides put together in both ways. *)
Fixpoint sum_chosen (vs : list N) (bs : list bool) : N :=
  match vs, bs with v :: vs, b :: bs => (if b then v else 0) + sum_chosen vs bs | _, _ => 0 end.
Fixpoint xor_chosen (vs : list N) (bs : list bool) : N :=
  match vs, bs with v :: vs, b :: bs => N.lxor (if b then v else 0) (xor_chosen vs bs) | _, _ => 0 end.

Lemma disjoint_xor_chosen : forall v vs bs, Forall (disjoint v) vs -> disjoint v (xor_chosen vs bs).
Proof.
  intros v vs bs F. revert bs. induction F as [|w vs D F IH]; intros [|b bs]; unfold disjoint in *; simpl;
    try apply N.land_0_r.
  specialize (IH bs). apply N.bits_inj. intro n. apply (f_equal (fun x => N.testbit x n)) in D, IH.
  rewrite N.land_spec in *. rewrite N.lxor_spec. rewrite N.bits_0 in *.
  destruct b; [|rewrite N.bits_0]; destruct (N.testbit v n), (N.testbit w n), (N.testbit (xor_chosen vs bs) n); trivial.
Qed.

Lemma chosen_false : forall vs,
  sum_chosen vs (map (fun _ => false) vs) = 0 /\ xor_chosen vs (map (fun _ => false) vs) = 0.
Proof. induction vs as [|v vs [IH1 IH2]]; simpl; [auto|]. now rewrite IH1, IH2. Qed.

Lemma chosen_same : forall vs,
  (forall bs, length bs = length vs -> sum_chosen vs bs = xor_chosen vs bs) <-> ForallOrdPairs disjoint vs.
Proof.
  induction vs as [|v vs IH]; split.
  - constructor.
  - intros _ [|b bs] L; [reflexivity|discriminate].
  - intro H. constructor.
    + apply Forall_forall. intros w W. apply in_split in W as (p & q & ->).
      set (only := map (fun _ => false) p ++ true :: map (fun _ => false) q).
      assert (S : sum_chosen (p ++ w :: q) only = w /\ xor_chosen (p ++ w :: q) only = w).
      { unfold only. clear. induction p as [|x p [IH1 IH2]]; simpl.
        - destruct (chosen_false q) as [-> ->]. rewrite N.lxor_0_r. split; lia.
        - rewrite IH1, IH2, N.lxor_0_l. split; lia. }
      specialize (H (true :: only)). simpl in H. destruct S as [S1 S2]. rewrite S1, S2 in H.
      pose proof (add_lxor_land v w) as A. rewrite H in A; [unfold disjoint; lia|].
      unfold only. rewrite !app_length. simpl. rewrite !map_length. reflexivity.
    + apply IH. intros bs L. specialize (H (false :: bs)). simpl in H. rewrite N.lxor_0_l in H.
      rewrite <- H by now rewrite L. lia.
  - intros D bs L. inversion D as [|? ? Dv Ds]; subst. destruct bs as [|b bs]; [discriminate|]. simpl.
    rewrite (proj2 IH Ds) by (simpl in L; lia). destruct b; [|rewrite N.lxor_0_l; lia].
    apply N.add_nocarry_lxor. now apply disjoint_xor_chosen.
Qed.

(** The number of bits. *)
Fixpoint bits_number (bs : list bool) : N :=
  match bs with [] => 0 | b :: r => if b then N.succ_double (bits_number r) else N.double (bits_number r) end.

Lemma chosen_mode : forall k d bs, length bs = k ->
  sum_chosen (bit_strides_of k d) bs = bits_number bs * d
    /\ xor_chosen (bit_strides_of k d) bs = clmul (bits_number bs) d.
Proof.
  induction k as [|k IH]; intros d [|b bs] L; try discriminate; simpl.
  - auto.
  - destruct (IH (N.double d) bs) as [S X]; [now injection L|]. rewrite S, X, clmul_double_right.
    destruct b.
    + rewrite clmul_succ_double, N.succ_double_spec, N.double_spec. split; [lia|reflexivity].
    + rewrite clmul_double, N.lxor_0_l, !N.double_spec. split; [lia|reflexivity].
Qed.

Lemma bits_number_below : forall bs, bits_number bs < 2 ^ N.of_nat (length bs).
Proof.
  induction bs as [|b bs IH]; [reflexivity|]. simpl length. rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r'. simpl.
  destruct b; rewrite ?N.succ_double_spec, ?N.double_spec; lia.
Qed.

Lemma bits_of_number : forall k x, x < 2 ^ N.of_nat k -> exists bs, length bs = k /\ bits_number bs = x.
Proof.
  induction k as [|k IH]; intros x X.
  - exists []. split; [reflexivity|]. change (2 ^ N.of_nat 0) with 1 in X. simpl. lia.
  - rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in X. destruct (halves x) as (h & [-> | ->]).
    + rewrite N.double_spec in X. destruct (IH h) as (bs & L & E); [lia|]. exists (false :: bs). simpl.
      now rewrite L, E.
    + rewrite N.succ_double_spec in X. destruct (IH h) as (bs & L & E); [lia|]. exists (true :: bs). simpl.
      now rewrite L, E.
Qed.

Lemma chosen_app : forall vs ws bs cs, length vs = length bs ->
  sum_chosen (vs ++ ws) (bs ++ cs) = sum_chosen vs bs + sum_chosen ws cs /\
  xor_chosen (vs ++ ws) (bs ++ cs) = N.lxor (xor_chosen vs bs) (xor_chosen ws cs).
Proof.
  induction vs as [|v vs IH]; intros ws [|b bs] cs L; try discriminate; simpl.
  - rewrite N.lxor_0_l. auto.
  - destruct (IH ws bs cs) as [-> ->]; [simpl in L; lia|]. rewrite N.lxor_assoc. split; [lia|reflexivity].
Qed.

Lemma bit_strides_length : forall k d, length (bit_strides_of k d) = k.
Proof. induction k; intro d; simpl; auto. Qed.

Lemma chosen_layout : forall l c, inside (map power_mode l) c -> exists bs, length bs = length (bit_strides l) /\
  sum_chosen (bit_strides l) bs = offset (map power_mode l) c
    /\ xor_chosen (bit_strides l) bs = xor_offset (map power_mode l) c.
Proof.
  induction l as [|[k d] l IH]; intros c I; inversion I as [|? x ? y X Y]; subst.
  - exists []. auto.
  - destruct (IH y Y) as (bs & L & S & Z). destruct (bits_of_number k x X) as (cs & Lc & E).
    exists (cs ++ bs). simpl. rewrite !app_length, bit_strides_length, L, Lc. split; [reflexivity|].
    destruct (chosen_app (bit_strides_of k d) (bit_strides l) cs bs) as [-> ->]; [now rewrite bit_strides_length|].
    destruct (chosen_mode k d cs Lc) as [-> ->]. rewrite S, Z, E. auto.
Qed.

Lemma layout_chosen : forall l bs, length bs = length (bit_strides l) -> exists c, inside (map power_mode l) c /\
  sum_chosen (bit_strides l) bs = offset (map power_mode l) c
    /\ xor_chosen (bit_strides l) bs = xor_offset (map power_mode l) c.
Proof.
  induction l as [|[k d] l IH]; intros bs L.
  - exists []. destruct bs; [|discriminate]. repeat constructor.
  - simpl in L. rewrite app_length, bit_strides_length in L.
    assert (E : bs = firstn k bs ++ skipn k bs) by (symmetry; apply firstn_skipn).
    assert (L1 : length (firstn k bs) = k) by (rewrite firstn_length; lia).
    assert (L2 : length (skipn k bs) = length (bit_strides l)) by (rewrite skipn_length; lia).
    revert E L1 L2. generalize (firstn k bs) (skipn k bs). intros front rest -> L1 L2.
    destruct (IH _ L2) as (c & I & S & X). exists (bits_number front :: c). simpl.
    destruct (chosen_app (bit_strides_of k d) (bit_strides l) front rest) as [-> ->]; [now rewrite bit_strides_length|].
    destruct (chosen_mode k d _ L1) as [-> ->]. rewrite S, X. split; [|auto].
    constructor; [|assumption]. simpl. rewrite <- L1. apply bits_number_below.
Qed.

Theorem natural_is_xor : forall l : list (nat * N),
  (forall c, inside (map power_mode l) c -> offset (map power_mode l) c = xor_offset (map power_mode l) c)
  <-> ForallOrdPairs disjoint (bit_strides l).
Proof.
  intro l. rewrite <- chosen_same. split.
  - intros H bs L. destruct (layout_chosen l bs L) as (c & I & -> & ->). now apply H.
  - intros H c I. destruct (chosen_layout l c I) as (bs & L & <- & <-). now apply H.
Qed.

(** ** Theorem: the same for any extents

    Where extents are no powers of two, two bits of a coordinate may never be set at once: then they may share bits. *)

(** The strides of the bits that are set in a number of steps, and in a coordinate. *)
Fixpoint set_strides_positive (x : BinNums.positive) (d : N) : list N :=
  match x with
  | xH => [d]
  | xO x => set_strides_positive x (N.double d)
  | xI x => d :: set_strides_positive x (N.double d)
  end.
Definition set_strides_of (x d : N) : list N := match x with N0 => [] | Npos x => set_strides_positive x d end.
Fixpoint set_strides (l : list mode) (c : list N) : list N :=
  match l, c with m :: r, x :: y => set_strides_of x (stride m) ++ set_strides r y | _, _ => [] end.

(** Any of the bits that are set are those of a number that is no larger. *)
Lemma fewer_bits : forall x d bs, length bs = length (set_strides_of x d) -> exists y, y <= x /\
  sum_chosen (set_strides_of x d) bs = y * d /\ xor_chosen (set_strides_of x d) bs = clmul y d.
Proof.
  intros [|x] d bs; [intros; exists 0; destruct bs; [auto with arith; repeat split; lia|discriminate]|].
  revert d bs. induction x as [x IH|x IH|]; intros d bs L; simpl in L.
  - destruct bs as [|b bs]; [discriminate|]. injection L as L. destruct (IH (N.double d) bs L) as (y & Y & S & X).
    simpl in S, X.
    exists (if b then N.succ_double y else N.double y). simpl. rewrite S, X, clmul_double_right.
    change (N.pos x~1) with (N.succ_double (N.pos x)). destruct b.
    + rewrite clmul_succ_double. pose proof (N.succ_double_spec y). pose proof (N.succ_double_spec (N.pos x)).
      pose proof (N.double_spec d).
      split; [lia|]. split; [nia|reflexivity].
    + rewrite clmul_double, N.lxor_0_l. pose proof (N.double_spec y). pose proof (N.succ_double_spec (N.pos x)).
      pose proof (N.double_spec d).
      split; [lia|]. split; [nia|reflexivity].
  - destruct (IH (N.double d) bs L) as (y & Y & S & X). simpl in S, X. exists (N.double y). simpl.
    rewrite S, X, clmul_double_right, clmul_double. change (N.pos x~0) with (N.double (N.pos x)).
    pose proof (N.double_spec y). pose proof (N.double_spec (N.pos x)). pose proof (N.double_spec d).
    split; [lia|]. split; [nia|reflexivity].
  - destruct bs as [|b [|b' bs]]; try discriminate. exists (if b then 1 else 0). simpl.
    destruct b; rewrite ?N.lxor_0_r; repeat split; simpl; trivial; lia.
Qed.

Definition all_set (vs : list N) : list bool := map (fun _ => true) vs.

Lemma all_bits : forall x d, sum_chosen (set_strides_of x d) (all_set (set_strides_of x d)) = x * d /\
  xor_chosen (set_strides_of x d) (all_set (set_strides_of x d)) = clmul x d.
Proof.
  intros [|x] d; [simpl; auto|]. revert d. induction x as [x IH|x IH|]; intro d; simpl.
  - destruct (IH (N.double d)) as [S X]. simpl in S, X. rewrite S, X.
    rewrite (clmul_double_right (N.pos x) d : clmul_positive x (N.double d) = N.double (clmul_positive x d)).
    change (N.pos x~1) with (N.succ_double (N.pos x)).
    pose proof (N.succ_double_spec (N.pos x)). pose proof (N.double_spec d). split; [nia|reflexivity].
  - destruct (IH (N.double d)) as [S X]. simpl in S, X. rewrite S, X.
    rewrite (clmul_double_right (N.pos x) d : clmul_positive x (N.double d) = N.double (clmul_positive x d)).
    change (N.pos x~0) with (N.double (N.pos x)). pose proof (N.double_spec (N.pos x)). pose proof (N.double_spec d).
    split; [nia|reflexivity].
  - rewrite N.lxor_0_r. split; [lia|reflexivity].
Qed.

Lemma fewer_bits_of_coordinate : forall l c bs, inside l c -> length bs = length (set_strides l c) ->
  exists c', inside l c' /\ sum_chosen (set_strides l c) bs = offset l c'
    /\ xor_chosen (set_strides l c) bs = xor_offset l c'.
Proof.
  intros l c bs I. revert bs. induction I as [|m x r y H I IH]; intros bs L.
  - exists []. destruct bs; [repeat constructor|discriminate].
  - simpl in L. rewrite app_length in L. set (k := length (set_strides_of x (stride m))) in *.
    assert (E : bs = firstn k bs ++ skipn k bs) by (symmetry; apply firstn_skipn).
    assert (L1 : length (firstn k bs) = k) by (rewrite firstn_length; lia).
    assert (L2 : length (skipn k bs) = length (set_strides r y)) by (rewrite skipn_length; lia).
    revert E L1 L2. generalize (firstn k bs) (skipn k bs). intros front rest -> L1 L2.
    destruct (fewer_bits x (stride m) front L1) as (x' & X & S1 & Z1). destruct (IH rest L2) as (y' & Y & S2 & Z2).
    exists (x' :: y'). simpl. destruct (chosen_app (set_strides_of x (stride m)) (set_strides r y) front rest) as [->
      ->]; [symmetry; exact L1|].
    rewrite S1, S2, Z1, Z2. split; [|auto]. constructor; [lia|assumption].
Qed.

Lemma all_bits_of_coordinate : forall l c,
  sum_chosen (set_strides l c) (all_set (set_strides l c)) = offset l c /\
  xor_chosen (set_strides l c) (all_set (set_strides l c)) = xor_offset l c.
Proof.
  induction l as [|m r IH]; intros [|x y]; simpl; auto. unfold all_set. rewrite map_app.
  destruct (chosen_app (set_strides_of x (stride m)) (set_strides r y) (all_set (set_strides_of x (stride m))) (all_set
    (set_strides r y))) as [S X];
    [unfold all_set; now rewrite map_length|].
  specialize (IH y). pose proof (all_bits x (stride m)) as B. unfold all_set in *. rewrite S, X.
  destruct IH as [-> ->], B as [-> ->]. auto.
Qed.

Theorem natural_is_xor_any_extents : forall l : list mode,
  (forall c, inside l c -> offset l c = xor_offset l c) <-> (forall c,
    inside l c -> ForallOrdPairs disjoint (set_strides l c)).
Proof.
  intro l. split; intros H c I.
  - apply chosen_same. intros bs L. destruct (fewer_bits_of_coordinate l c bs I L) as (c' & I' & -> & ->). now apply H.
  - destruct (all_bits_of_coordinate l c) as [<- <-]. apply chosen_same; [now apply H|]. unfold all_set.
    apply map_length.
Qed.

(** ** Theorem: a swizzle is a layout of XOR strides *)

(** [Swizzle<B, M, S>]: the [B] bits above bit [M + max(S, 0)] go, by XOR, into those that lie [S] bits below, or [-S]
    bits above. *)
Definition swizzle_down (b m s x : N) : N := N.lxor x (N.shiftr (N.land x (N.shiftl (N.ones b) (m + s))) s).
Definition swizzle_up (b m s x : N) : N := N.lxor x (N.shiftl (N.land x (N.shiftl (N.ones b) m)) s).

Lemma split_bits : forall x p b,
  N.lxor (x mod 2 ^ p) (N.lxor (N.shiftl ((x / 2 ^ p) mod 2 ^ b) p) (N.shiftl (x / 2 ^ p / 2 ^ b) (p + b))) = x.
Proof.
  intros x p b. apply N.bits_inj. intro n. rewrite !N.lxor_spec.
  destruct (N.lt_ge_cases n p) as [L|G].
  - rewrite N.mod_pow2_bits_low, !N.shiftl_spec_low by lia. now rewrite !Bool.xorb_false_r.
  - rewrite N.mod_pow2_bits_high, N.shiftl_spec_high' by lia. rewrite Bool.xorb_false_l.
    destruct (N.lt_ge_cases n (p + b)) as [L|G'].
    + rewrite N.mod_pow2_bits_low, N.shiftl_spec_low, N.div_pow2_bits, Bool.xorb_false_r by lia. f_equal. lia.
    + rewrite N.mod_pow2_bits_high, N.shiftl_spec_high' by lia. rewrite !N.div_pow2_bits, Bool.xorb_false_l. f_equal.
      lia.
Qed.

Lemma land_middle : forall x b p, N.land x (N.shiftl (N.ones b) p) = N.shiftl ((x / 2 ^ p) mod 2 ^ b) p.
Proof.
  intros x b p. rewrite <- N.land_ones, <- N.shiftr_div_pow2. apply N.bits_inj. intro n.
  destruct (N.lt_ge_cases n p) as [L|G].
  - now rewrite N.land_spec, !N.shiftl_spec_low, Bool.andb_false_r by lia.
  - rewrite N.land_spec, !N.shiftl_spec_high', N.land_spec, N.shiftr_spec' by lia. f_equal. f_equal. lia.
Qed.

Lemma three_modes : forall x p b e f last,
  xor_index [Mode (2 ^ p) 1; Mode (2 ^ b) (N.lxor (2 ^ e) (2 ^ f)); Mode last (2 ^ (p + b))] x =
  N.lxor (x mod 2 ^ p) (N.lxor (N.lxor (N.shiftl ((x / 2 ^ p) mod 2 ^ b) e) (N.shiftl ((x / 2 ^ p) mod 2 ^ b) f))
    (N.shiftl (x / 2 ^ p / 2 ^ b) (p + b))).
Proof. intros. simpl. now rewrite clmul_one, clmul_lxor_right, !clmul_power. Qed.

Theorem swizzle_down_is_a_layout : forall b m s last x,
  swizzle_down b m s x = xor_index [Mode (2 ^ (m + s)) 1; Mode (2 ^ b) (N.lxor (2 ^ (m + s)) (2 ^ m));
    Mode last (2 ^ (m + s + b))] x.
Proof.
  intros. unfold swizzle_down. rewrite three_modes, land_middle. set (mid := (x / 2 ^ (m + s)) mod 2 ^ b).
  rewrite N.shiftr_shiftl_l by lia. replace (m + s - s) with m by lia.
  rewrite <- (split_bits x (m + s) b) at 1. fold mid. rewrite !N.lxor_assoc. f_equal. f_equal. apply N.lxor_comm.
Qed.

Theorem swizzle_up_is_a_layout : forall b m s last x,
  swizzle_up b m s x = xor_index [Mode (2 ^ m) 1; Mode (2 ^ b) (N.lxor (2 ^ m) (2 ^ (m + s)));
    Mode last (2 ^ (m + b))] x.
Proof.
  intros. unfold swizzle_up. rewrite three_modes, land_middle. set (mid := (x / 2 ^ m) mod 2 ^ b).
  rewrite N.shiftl_shiftl. rewrite <- (split_bits x m b) at 1. fold mid. rewrite !N.lxor_assoc. f_equal. f_equal.
  apply N.lxor_comm.
Qed.
