(** * Inverses

    [right_inverse] follows the strides 1, s0, s0*s1, .. as far as they go: [L(R(i)) = i] for [i < size R].
    [left_inverse] reads an offset in the mixed radix of the sorted strides, and each digit goes back to its step in the
    domain: [L(R(L(i))) = L(i)], and [R(L(i)) = i] where no mode repeats offsets. [nullspace] has the steps along which
    the layout stands still: [L(R(i)) = 0].

    In the code: [sorted.rs], [inverse.rs]. *)

From Layout Require Import Mode Coalesce Composition Completeness Offsets Complement.

(** A mode, and how far one step of it goes in the domain. *)
Record domain_mode := DomainMode { d_extent : N; d_stride : N; d_step : N }.

(** The modes of extent other than 1, from left to right. *)
Fixpoint domain_modes_from (l : list mode) (step : N) : list domain_mode :=
  match l with
  | [] => []
  | m :: r =>
      let rest := domain_modes_from r (step * extent m) in
      if extent m =? 1 then rest else DomainMode (extent m) (stride m) step :: rest
  end.
Definition domain_modes (l : list mode) : list domain_mode := domain_modes_from l 1.

(** Follows the strides 1, s0, s0*s1, ..; [run] is the one that comes next. *)
Fixpoint right_inverse_loop (sorted : list domain_mode) (run : N) (inverse : list mode) : list mode :=
  match sorted with
  | [] => inverse
  | m :: rest =>
      if d_stride m =? run then right_inverse_loop rest (run * d_extent m) (push_merged inverse (Mode (d_extent m)
        (d_step m)))
      else right_inverse_loop rest run inverse
  end.
Definition right_inverse (l : list mode) : list mode :=
  from_modes (right_inverse_loop (sort_by d_stride (domain_modes l)) 1 []).

(** The digits of an offset: one for each mode, as long as the next stride says. *)
Fixpoint left_inverse_digits (sorted : list domain_mode) : result (list mode) :=
  match sorted with
  | [] => Ok []
  | m :: rest =>
      match rest with
      | [] => Ok [Mode (d_extent m) (d_step m)]
      | up :: _ =>
          if d_stride up <? d_extent m * d_stride m then Err Overlap
          else if negb (d_stride up mod d_stride m =? 0) then Err Divisibility
          else let? digits := left_inverse_digits rest in Ok (Mode (d_stride up / d_stride m) (d_step m) :: digits)
      end
  end.
Definition left_inverse_modes (sorted : list domain_mode) : result (list mode) :=
  match sorted with
  | [] => Ok []
  | least :: _ => let? digits := left_inverse_digits sorted in Ok (Mode (d_stride least) 0 :: digits)
  end.
Definition not_still (m : domain_mode) : bool := negb (d_stride m =? 0).
Definition left_inverse (l : list mode) : result (list mode) :=
  let? digits := left_inverse_modes (filter not_still (sort_by d_stride (domain_modes l))) in
  Ok (from_modes (merged digits)).

Definition still (m : domain_mode) : bool := d_stride m =? 0.
Definition in_domain (m : domain_mode) : mode := Mode (d_extent m) (d_step m).
Definition in_offsets (m : domain_mode) : mode := Mode (d_extent m) (d_stride m).
Definition nullspace (l : list mode) : list mode :=
  from_modes (merged (map in_domain (filter still (domain_modes l)))).

(** ** Coordinates in the modes of the domain *)

(** A mode of the domain with a number below its extent. *)
Definition below (p : domain_mode * N) : Prop := snd p < d_extent (fst p).
Fixpoint sum_of (f : domain_mode -> N) (ps : list (domain_mode * N)) : N :=
  match ps with [] => 0 | (m, x) :: r => x * f m + sum_of f r end.

Lemma sum_of_permutation : forall f ps qs, Permutation ps qs -> sum_of f ps = sum_of f qs.
Proof.
  induction 1 as [|[m x] ps qs P IH|[m x] [n y] ps|]; simpl; [reflexivity|lia|lia|congruence].
Qed.

Lemma sum_of_app : forall f ps qs, sum_of f (ps ++ qs) = sum_of f ps + sum_of f qs.
Proof. induction ps as [|[m x] ps IH]; intro qs; simpl; [lia|]. rewrite IH. lia. Qed.

Lemma sum_of_zeros : forall f ms, sum_of f (map (fun m => (m, 0)) ms) = 0.
Proof. induction ms; simpl; lia. Qed.

Lemma domain_coordinate : forall l step ps, positive l -> map fst ps = domain_modes_from l step -> Forall below ps ->
  exists c, inside l c /\ sum_of d_step ps = step * number l c /\ sum_of d_stride ps = offset l c.
Proof.
  induction l as [|m r IH]; intros step ps P E B.
  - destruct ps; [|discriminate]. exists []. simpl. repeat split; [constructor|lia].
  - apply positive_cons in P as [Pm Pr]. simpl in E. destruct (N.eqb_spec (extent m) 1) as [One|NE].
    + destruct (IH _ _ Pr E B) as (c & I & N & O). exists (0 :: c). simpl. repeat split.
      * constructor; [lia|assumption].
      * rewrite N, One. lia.
      * lia.
    + destruct ps as [|[dm x] ps]; [discriminate|]. injection E as -> E. inversion B as [|? ? Bx B']; subst.
      destruct (IH _ _ Pr E B') as (c & I & N & O). exists (x :: c). simpl. repeat split.
      * constructor; [exact Bx|assumption].
      * rewrite N. lia.
      * lia.
Qed.

(** Steps in the domain are taken to steps of offsets. *)
Lemma domain_linear : forall l ps, positive l -> Permutation (map fst ps) (domain_modes l) -> Forall below ps ->
  index l (sum_of d_step ps) = sum_of d_stride ps.
Proof.
  intros l ps P E B. apply Permutation_sym, Permutation_map_inv in E as (qs & E & Q).
  assert (Bq : Forall below qs) by (eapply Permutation_Forall; eassumption).
  destruct (domain_coordinate l 1 qs P (eq_sym E) Bq) as (c & I & S & O).
  rewrite (sum_of_permutation d_step _ _ Q), (sum_of_permutation d_stride _ _ Q), S, O, N.mul_1_l.
  now apply index_of_number.
Qed.

Lemma domain_modes_extent : forall l step, positive l -> Forall (fun m => 2 <= d_extent m) (domain_modes_from l step).
Proof.
  induction l as [|m r IH]; intros step P; simpl; [constructor|]. apply positive_cons in P as [Pm Pr].
  destruct (N.eqb_spec (extent m) 1); [now apply IH|]. constructor; [simpl; lia|now apply IH].
Qed.

Lemma zeros_below : forall ms, Forall (fun m => 2 <= d_extent m) ms -> Forall below (map (fun m => (m, 0)) ms).
Proof. induction 1; simpl; constructor; trivial. unfold below. simpl. lia. Qed.

Lemma map_fst_zeros : forall ms : list domain_mode, map fst (map (fun m => (m, 0)) ms) = ms.
Proof. induction ms; simpl; congruence. Qed.

(** Modes of the domain with the coordinate of a number. *)
Lemma combine_sum : forall f ms c, length c = length ms ->
  sum_of f (combine ms c) = offset (map (fun m => Mode (d_extent m) (f m)) ms) c /\ map fst (combine ms c) = ms.
Proof.
  induction ms as [|m ms IH]; intros [|x c] L; simpl in *; try discriminate; [auto|].
  destruct (IH c) as [S M]; [lia|]. now rewrite S, M.
Qed.

Lemma combine_below : forall ms c, inside (map in_domain ms) c -> Forall below (combine ms c).
Proof.
  induction ms as [|m ms IH]; intros c I; inversion I; subst; simpl; constructor; auto.
Qed.

Lemma in_domain_positive : forall ms,
  Forall (fun m => 2 <= d_extent m) ms -> positive (map in_domain ms) /\ positive (map in_offsets ms).
Proof. induction 1 as [|m ms H F [IH1 IH2]]; simpl; split; constructor; trivial; simpl; lia. Qed.

Lemma index_chosen : forall l chosen others i, positive l -> Permutation (chosen ++ others) (domain_modes l) ->
  i < size (map in_domain chosen) ->
  index l (index (map in_domain chosen) i) = index (map in_offsets chosen) i.
Proof.
  intros l chosen others i P E I.
  assert (F : Forall (fun m => 2 <= d_extent m) (chosen ++ others)).
  { eapply Permutation_Forall; [apply Permutation_sym, E|now apply domain_modes_extent]. }
  apply Forall_app in F as [Fc Fo]. destruct (in_domain_positive chosen Fc) as [Pc Po].
  set (c := coordinate (map in_domain chosen) i).
  assert (In : inside (map in_domain chosen) c) by now apply coordinate_inside.
  assert (Len : length c = length chosen) by (rewrite <- (inside_length _ _ In); apply map_length).
  assert (C' : coordinate (map in_offsets chosen) i = c).
  { apply coordinate_extents. now rewrite !map_map. }
  rewrite (index_of_coordinate (map in_domain chosen)), (index_of_coordinate (map in_offsets chosen)), C'. fold c.
  pose proof (domain_linear l (combine chosen c ++ map (fun m => (m, 0)) others) P) as D.
  rewrite !sum_of_app, !sum_of_zeros, !N.add_0_r in D.
  destruct (combine_sum d_step chosen c Len) as [S1 M]. destruct (combine_sum d_stride chosen c Len) as [S2 _].
  rewrite S1, S2 in D. apply D.
  - rewrite map_app, M, map_fst_zeros. exact E.
  - apply Forall_app. split; [now apply combine_below|now apply zeros_below].
Qed.

(** ** The right inverse *)

Fixpoint chosen (sorted : list domain_mode) (run : N) : list domain_mode :=
  match sorted with
  | [] => []
  | m :: rest => if d_stride m =? run then m :: chosen rest (run * d_extent m) else chosen rest run
  end.
Fixpoint skipped (sorted : list domain_mode) (run : N) : list domain_mode :=
  match sorted with
  | [] => []
  | m :: rest => if d_stride m =? run then skipped rest (run * d_extent m) else m :: skipped rest run
  end.

Lemma chosen_permutation : forall sorted run, Permutation (chosen sorted run ++ skipped sorted run) sorted.
Proof.
  induction sorted as [|m r IH]; intro run; simpl; [constructor|]. destruct (d_stride m =? run); simpl.
  - constructor. apply IH.
  - rewrite <- Permutation_middle. constructor. apply IH.
Qed.

Lemma right_inverse_loop_chosen : forall sorted run front,
  right_inverse_loop sorted run front = fold_left push_merged (map in_domain (chosen sorted run)) front.
Proof. induction sorted as [|m r IH]; intros run front; simpl; [reflexivity|].
destruct (d_stride m =? run); simpl; apply IH. Qed.

Lemma chosen_runs : forall sorted run, map in_offsets (chosen sorted run) = runs (map d_extent (chosen sorted run)) run.
Proof.
  induction sorted as [|m r IH]; intro run; simpl; [reflexivity|].
  destruct (N.eqb_spec (d_stride m) run) as [E|]; [|apply IH]. simpl. rewrite <- IH. unfold in_offsets at 1.
  now rewrite E.
Qed.

Lemma from_modes_index : forall l i, i < size l -> index (from_modes l) i = index l i.
Proof. intros [|m l] i I; simpl in *; [lia|reflexivity]. Qed.

Lemma from_modes_size : forall l, size (from_modes l) = size l.
Proof. now intros [|m l]. Qed.

Lemma chosen_extents : forall l run,
  positive l -> Forall (fun m => 2 <= d_extent m) (chosen (sort_by d_stride (domain_modes l)) run).
Proof.
  intros l run P. assert (F : Forall (fun m => 2 <= d_extent m) (sort_by d_stride (domain_modes l))).
  { eapply Permutation_Forall; [apply sort_permutation|now apply domain_modes_extent]. }
  eapply Permutation_Forall in F; [|apply Permutation_sym, (chosen_permutation _ run)]. now apply Forall_app in F.
Qed.

(** ** Theorem: the law of the right inverse *)
Theorem right_inverse_law : forall l i,
  positive l -> i < size (right_inverse l) -> index l (index (right_inverse l) i) = i.
Proof.
  intros l i P I. unfold right_inverse in *. rewrite from_modes_size in I. rewrite from_modes_index by assumption.
  rewrite right_inverse_loop_chosen in *. set (sorted := sort_by d_stride (domain_modes l)) in *.
  pose proof (chosen_extents l 1 P) as F. fold sorted in F. destruct (in_domain_positive _ F) as [Pc Po].
  change (fold_left push_merged (map in_domain (chosen sorted 1)) []) with (merged (map in_domain (chosen sorted 1))) in
    *.
  rewrite merged_size in I by assumption. rewrite merged_index by assumption.
  rewrite (index_chosen l _ (skipped sorted 1)); trivial.
  - rewrite chosen_runs. destruct (chosen sorted 1) as [|m r] eqn:E; [simpl in *; lia|].
    rewrite runs_index; [lia|discriminate|]. clear - F. induction F; simpl; constructor; trivial. lia.
  - rewrite chosen_permutation. apply Permutation_sym, sort_permutation.
Qed.

(** ** Theorem: the law of the nullspace *)
Theorem nullspace_law : forall l i, positive l -> i < size (nullspace l) -> index l (index (nullspace l) i) = 0.
Proof.
  intros l i P I. unfold nullspace in *. rewrite from_modes_size in I. rewrite from_modes_index by assumption.
  pose proof (domain_modes_extent l 1 P) as F. fold (domain_modes l) in F.
  assert (Fs : Forall (fun m => 2 <= d_extent m) (filter still (domain_modes l))).
  { apply Forall_forall. intros m M. apply filter_In in M as [M _]. rewrite Forall_forall in F. now apply F. }
  destruct (in_domain_positive _ Fs) as [Pc Po].
  rewrite merged_size in I by assumption. rewrite merged_index by assumption.
  rewrite (index_chosen l _ (filter (fun m => negb (still m)) (domain_modes l))); trivial.
  - clear. assert (Z : Forall (fun m => stride m = 0) (map in_offsets (filter still (domain_modes l)))).
    { apply Forall_forall. intros m M. apply in_map_iff in M as (d & <- & D). apply filter_In in D as [_ D].
      now apply N.eqb_eq in D. }
    revert i. induction Z as [|m r H Z IH]; intro i; [reflexivity|].
    destruct r as [|m' r]; [simpl; rewrite H; lia|]. rewrite index_cons by discriminate. rewrite IH, H. lia.
  - clear. induction (domain_modes l) as [|m r IH]; simpl; [constructor|].
    destruct (still m); simpl; [now constructor|].
    rewrite <- Permutation_middle. now constructor.
Qed.

(** ** The left inverse *)

(** Whatever the coordinate: the digits of its offset go back to its steps. *)
Lemma left_inverse_digits_spec : forall sorted digits ps, left_inverse_digits sorted = Ok digits ->
  Forall (fun m => 2 <= d_extent m /\ 1 <= d_stride m) sorted -> map fst ps = sorted -> Forall below ps
    -> sorted <> [] ->
  positive digits /\ digits <> [] /\
  exists y, sum_of d_stride ps = match sorted with m :: _ => d_stride m | [] => 1 end * y /\
    y < size digits /\ index digits y = sum_of d_step ps.
Proof.
  induction sorted as [|m rest IH]; intros digits ps H F E B NN; [contradiction|].
  destruct ps as [|[m' x] ps]; [discriminate|]. injection E as -> E.
  inversion F as [|? ? [F1 F2] F']; subst. inversion B as [|? ? Bx B']; subst. unfold below in Bx. simpl in Bx.
  destruct ps as [|[up u] ps].
  - simpl in H. inversion H; subst. repeat split; [repeat constructor; simpl; lia|discriminate|].
    exists x. simpl. repeat split; lia.
  - simpl map in H, IH, F'. set (rest := up :: map fst ps) in *.
    change (left_inverse_digits (m :: rest)) with (
      if d_stride up <? d_extent m * d_stride m then Err Overlap
      else if negb (d_stride up mod d_stride m =? 0) then Err Divisibility
      else let? digits := left_inverse_digits rest in Ok (Mode (d_stride up / d_stride m) (d_step m) :: digits)) in H.
    destruct (N.ltb_spec (d_stride up) (d_extent m * d_stride m)) as [|A]; [discriminate|].
    destruct (N.eqb_spec (d_stride up mod d_stride m) 0) as [D|]; [|discriminate]. simpl negb in H. cbv iota in H.
    unfold bind in H. destruct (left_inverse_digits rest) as [ds|] eqn:R; [|discriminate]. inversion H; subst digits.
    clear H.
    destruct (IH ds ((up, u) :: ps) eq_refl F' eq_refl B') as (P & N & y & S & Y & I); [discriminate|].
    set (k := d_stride up / d_stride m) in *.
    assert (Up : d_stride up = d_stride m * k) by (rewrite (N.div_mod (d_stride up) (d_stride m)) by lia; fold k; lia).
    assert (K : d_extent m <= k) by (apply N.div_le_lower_bound; lia).
    repeat split; [constructor; [simpl; lia|assumption]|discriminate|].
    exists (x + k * y). repeat split.
    + change (sum_of d_stride ((m, x) :: (up, u) :: ps)) with (x * d_stride m + sum_of d_stride ((up, u) :: ps)).
      rewrite S. unfold rest. rewrite Up. lia.
    + simpl. nia.
    + rewrite index_cons by assumption. simpl extent. simpl stride.
      rewrite (N.mul_comm k), N.mod_add, N.div_add, N.mod_small, N.div_small by lia. rewrite N.add_0_l, I. reflexivity.
Qed.

(** A number of the domain as numbers in its modes. *)
Lemma domain_digits : forall l step i, positive l -> i < size l ->
  exists ps, map fst ps = domain_modes_from l step /\ Forall below ps /\ sum_of d_step ps = step * i
    /\ sum_of d_stride ps = index l i.
Proof.
  induction l as [|m r IH]; intros step i P I.
  - exists []. simpl in *. repeat split; [constructor|nia].
  - apply positive_cons in P as [Pm Pr]. simpl size in I.
    assert (Q : i / extent m < size r) by (apply N.div_lt_upper_bound; lia).
    destruct (IH (step * extent m) (i / extent m) Pr Q) as (ps & E & B & S & O).
    assert (M : i mod extent m < extent m) by (apply N.mod_lt; lia).
    assert (Ix : index (m :: r) i = i mod extent m * stride m + index r (i / extent m)).
    { destruct r as [|m' r]; [|now rewrite index_cons by discriminate]. simpl in *. rewrite N.mod_small by lia. lia. }
    assert (Di : step * i = i mod extent m * step + step * extent m * (i / extent m)).
    { rewrite (N.div_mod i (extent m)) at 1 by lia. lia. }
    rewrite Ix, Di. simpl domain_modes_from. destruct (N.eqb_spec (extent m) 1) as [One|NE].
    + exists ps. rewrite One in *. rewrite N.mod_1_r in *. repeat split; trivial; lia.
    + exists ((DomainMode (extent m) (stride m) step, i mod extent m) :: ps). simpl. rewrite E, S, O.
      repeat split; trivial. constructor; [exact M|assumption].
Qed.

Lemma filter_split : forall (A : Type) (f : A -> bool) l, Permutation (filter f l ++ filter (fun x => negb (f x)) l) l.
Proof.
  intros A f l. induction l as [|x r IH]; simpl; [constructor|]. destruct (f x); simpl; [now constructor|].
  rewrite <- Permutation_middle. now constructor.
Qed.

Lemma filter_map : forall (A B : Type) (g : A -> B) (f : B -> bool) l,
  filter f (map g l) = map g (filter (fun x => f (g x)) l).
Proof. intros. induction l as [|x r IH]; simpl; [reflexivity|]. destruct (f (g x)); simpl; now rewrite IH. Qed.

(** ** Theorem: the law of the left inverse *)
Theorem left_inverse_law : forall l r, positive l -> left_inverse l = Ok r ->
  (forall i, i < size l -> index l (index r (index l i)) = index l i) /\
  (Forall (fun m => stride m <> 0) l -> forall i, i < size l -> index r (index l i) = i).
Proof.
  intros l r P H. unfold left_inverse, bind in H.
  set (sorted := sort_by d_stride (domain_modes l)) in *. set (kept := filter not_still sorted) in *.
  destruct (left_inverse_modes kept) as [digits|] eqn:E; [|discriminate]. inversion H; subst r. clear H.
  assert (Fs : Forall (fun m => 2 <= d_extent m) sorted).
  { eapply Permutation_Forall; [apply sort_permutation|now apply domain_modes_extent]. }
  assert (Fk : Forall (fun m => 2 <= d_extent m /\ 1 <= d_stride m) kept).
  { apply Forall_forall. intros m M. apply filter_In in M as [M N]. rewrite Forall_forall in Fs.
    apply Bool.negb_true_iff, N.eqb_neq in N. split; [now apply Fs|lia]. }
  (* what the left inverse gives, in the modes that move *)
  assert (Key : forall i, i < size l -> exists ps,
    Permutation (map fst ps) (domain_modes l) /\ Forall below ps /\ sum_of d_step ps = i
      /\ sum_of d_stride ps = index l i /\
    index (from_modes (merged digits)) (index l i) = sum_of d_step (filter (fun p => not_still (fst p)) ps)).
  { intros i I. destruct (domain_digits l 1 i P I) as (ps0 & Eps & B0 & S0 & O0). rewrite N.mul_1_l in S0.
    assert (Pe : Permutation (map fst ps0) sorted) by (rewrite Eps; apply sort_permutation).
    apply Permutation_sym, Permutation_map_inv in Pe as (ps & Es & Q).
    exists ps. assert (Bp : Forall below ps) by (eapply Permutation_Forall; eassumption).
    split; [rewrite <- Es; apply Permutation_sym, sort_permutation|]. split; [assumption|].
    split; [now rewrite <- (sum_of_permutation d_step _ _ Q)|].
    split; [now rewrite <- (sum_of_permutation d_stride _ _ Q)|].
    set (qs := filter (fun p => not_still (fst p)) ps).
    assert (Ek : map fst qs = kept) by (unfold qs, kept; rewrite Es, filter_map; reflexivity).
    assert (Bq : Forall below qs).
    { apply Forall_forall. intros p M. apply filter_In in M as [M _]. rewrite Forall_forall in Bp. now apply Bp. }
    assert (Off : index l i = sum_of d_stride qs).
    { rewrite <- O0, (sum_of_permutation d_stride _ _ Q). unfold qs. clear.
      induction ps as [|[m x] ps IH]; simpl; [reflexivity|]. unfold not_still at 1.
      destruct (N.eqb_spec (d_stride m) 0) as [Z|]; simpl; [rewrite Z; lia|lia]. }
    destruct kept as [|least rest].
    - simpl in E. inversion E; subst digits. destruct qs; [|discriminate]. simpl in Off. rewrite Off. reflexivity.
    - destruct (Forall_inv Fk) as [F1 F2]. unfold left_inverse_modes, bind in E.
      destruct (left_inverse_digits (least :: rest)) as [ds|] eqn:D; [|discriminate]. inversion E; subst digits.
      clear E.
      destruct (left_inverse_digits_spec _ ds qs D Fk Ek Bq) as (Pd & Nd & y & S & Y & Ix); [discriminate|].
      cbv iota in S.
      assert (Pos : positive (Mode (d_stride least) 0 :: ds)) by (constructor; [simpl; lia|assumption]).
      assert (L : index l i < size (Mode (d_stride least) 0 :: ds)) by (rewrite Off, S; simpl; nia).
      rewrite from_modes_index by now rewrite merged_size.
      rewrite merged_index by assumption. rewrite index_cons by assumption. simpl extent. simpl stride.
      rewrite Off, S, (N.mul_comm (d_stride least) y), N.mod_mul, N.div_mul by lia.
      rewrite N.add_0_l, Ix. reflexivity. }
  split.
  - intros i I. destruct (Key i I) as (ps & E1 & B & S & O & K). rewrite K.
    set (qs := filter (fun p => not_still (fst p)) ps).
    set (zs := filter (fun p => negb (not_still (fst p))) ps).
    pose proof (domain_linear l (qs ++ map (fun m => (m, 0)) (map fst zs)) P) as D.
    rewrite !sum_of_app, !sum_of_zeros, !N.add_0_r in D. rewrite D.
    + rewrite <- O. unfold qs. clear. induction ps as [|[m x] ps IH]; simpl; [reflexivity|]. unfold not_still at 1.
      destruct (N.eqb_spec (d_stride m) 0) as [Z|]; simpl; [rewrite Z; lia|lia].
    + rewrite map_app, map_fst_zeros, <- map_app. rewrite <- E1. apply Permutation_map, filter_split.
    + apply Forall_app. split.
      * apply Forall_forall. intros p M. apply filter_In in M as [M _]. rewrite Forall_forall in B. now apply B.
      * apply zeros_below, Forall_forall. intros m M. apply in_map_iff in M as (p & <- & M).
        apply filter_In in M as [M _].
        assert (In (fst p) (domain_modes l)) as In by (eapply Permutation_in; [exact E1|now apply in_map]).
        pose proof (domain_modes_extent l 1 P) as F. rewrite Forall_forall in F. now apply F.
  - intros Z i I. destruct (Key i I) as (ps & E1 & B & S & O & K). rewrite K, <- S. f_equal.
    assert (Nz : Forall (fun m => d_stride m <> 0) (domain_modes l)).
    { clear - Z. unfold domain_modes. generalize 1 as step.
      induction Z as [|m r H Z IH]; intro step; simpl; [constructor|].
      destruct (extent m =? 1); [apply IH|]. constructor; [exact H|apply IH]. }
    apply Permutation_sym in E1. eapply Permutation_Forall in Nz; [|exact E1]. clear - Nz.
    induction ps as [|p ps IH]; simpl in *; [reflexivity|]. inversion Nz; subst.
    unfold not_still at 1. destruct (N.eqb_spec (d_stride (fst p)) 0); [contradiction|]. simpl. f_equal. now apply IH.
Qed.
