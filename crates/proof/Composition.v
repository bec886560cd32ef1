(** * Composition: the rule, and what it returns is right

    [R = A o B] means [R(c) = A(B(c))] for every coordinate [c] of [B], in a shape that refines [B]'s: each mode of [B]
    becomes one or more modes, whose extents multiply to its own.

    The rule. Write the stride [e] of a mode [n:e] of [B] in the mixed radix of [A]'s extents. Steps of [e] stay linear
    as long as no digit overflows, for [t] steps: emit [t : A(e)], and go on with [n/t : t*e], if [t] divides [n]
    (else: divisibility). At the end,
      the largest digits that all modes of [B] reach together must stay below each extent
    of [A] but the last (else: carry).

    The functions follow the loops of [src/dynamic/composition.rs] under the same names. *)

From Layout Require Import Mode Coalesce.

(** A mode of the left operand that offsets may not leave, and the largest digit reached so far over all modes of the
    right operand. *)
Record bounded := Bounded { left : mode; reached : N }.

(** The left operand, all modes but the last, which has no end, and what the right one has used of it so far. *)
Record composer := Composer { modes : list bounded; last_stride : N; carry : bool }.

(** One pass of [Composer::new]: the mode that was last until now is bounded by what comes after it, unless its extent
    is 1; a neighbour that goes on is part of the mode before it, which is open again. [done] has the last bounded mode
    first, as a stack. *)
Definition open_again (done : list mode) (next : mode) : list mode * mode :=
  match done with
  | before :: rest =>
      if continues_in before next then (rest, Mode (extent before * extent next) (stride before)) else (done, next)
  | [] => ([], next)
  end.
Definition take (state : list mode * mode) (next : mode) : list mode * mode :=
  let (done, last) := state in open_again (if extent last =? 1 then done else last :: done) next.

(** The bounded modes of the left operand, and the stride of the last one. *)
Definition left_modes (l : list mode) : list mode * mode :=
  match l with
  | [] => ([], Mode 1 0)
  | first :: rest => let (done, last) := fold_left take rest ([], first) in (rev done, last)
  end.
Definition new (l : list mode) : composer :=
  let (bound, last) := left_modes l in Composer (map (fun m => Bounded m 0) bound) (stride last) false.

(** [ceil(a / b)] *)
Definition div_ceil (a b : N) : N := (a + b - 1) / b.

(** The first loop of [run]: digit after digit of [rest], and for how many steps all of them stay inside. It ends where
    nothing is left of the stride. *)
Fixpoint run_digits (ms : list bounded) (rest steps acc : N) : list N * N * N * N :=
  if rest =? 0 then ([], rest, steps, acc)
  else match ms with
  | [] => ([], rest, steps, acc)
  | b :: ms =>
      let s := extent (left b) in
      let digit := rest mod s in
      let inside := digit * (steps - 1) <? s in
      let steps := if digit =? 0 then steps else if inside then steps else div_ceil s digit in
      let '(ds, rest, steps, acc) := run_digits ms (rest / s) steps (acc + digit * stride (left b)) in
      (digit :: ds, rest, steps, acc)
  end.

(** The second loop of [run]: what the digits add up to over all steps. *)
Fixpoint run_reached (ms : list bounded) (ds : list N) (steps : N) : list bounded * bool :=
  match ms, ds with
  | b :: ms, d :: ds =>
      let sum := reached b + (steps - 1) * d in
      let (ms, carries) := run_reached ms ds steps in
      (Bounded (left b) sum :: ms, (extent (left b) <=? sum) || carries)%bool
  | ms, _ => (ms, false)
  end.

(** The longest run of [right] that stays linear in the left layout. *)
Definition run (c : composer) (right : mode) : composer * mode :=
  let '(ds, rest, steps, acc) := run_digits (modes c) (stride right) (extent right) 0 in
  let (ms, carries) := run_reached (modes c) ds steps in
  (Composer ms (last_stride c) (carry c || carries), Mode steps (acc + rest * last_stride c)).

(** The runs of the rest of [right] after its first run. [passes] only says that the loop ends: each pass halves the
    extent at least. *)
Fixpoint split (passes : nat) (c : composer) (right first : mode) : result (composer * list mode) :=
  if extent first =? extent right then Ok (c, [])
  else match passes with
  | O => Err Divisibility
  | S passes =>
      if extent right mod extent first =? 0 then
        let right := Mode (extent right / extent first) (stride right * extent first) in
        let (c, first) := run c right in
        let? (c, rest) := split passes c right first in
        Ok (c, first :: rest)
      else Err Divisibility
  end.

(** Composes with one mode: one that takes a single step becomes [1:0]. *)
Definition leaf (c : composer) (right : mode) : result (composer * list mode) :=
  if extent right =? 1 then Ok (c, [Mode 1 0])
  else
    let (c, first) := run c right in
    let? (c, rest) := split (N.to_nat (N.size (extent right))) c right first in
    Ok (c, first :: rest).

(** Composes with all modes of the right operand, each for itself. *)
Fixpoint leaves (c : composer) (right : list mode) : result (composer * list (list mode)) :=
  match right with
  | [] => Ok (c, [])
  | m :: rest =>
      let? (c, first) := leaf c m in
      let? (c, others) := leaves c rest in
      Ok (c, first :: others)
  end.

(** The rule *carry*, over all that was composed. *)
Definition finish (c : composer) : result unit := if carry c then Err Carry else Ok tt.

(** [A o B]: for each mode of [B], the modes that it becomes. *)
Definition compose (a b : list mode) : result (list (list mode)) :=
  let? (c, parts) := leaves (new a) b in
  let? _ := finish c in
  Ok parts.

(** The result as a function of [B]'s coordinates: each mode of [B] has a number in its part. *)
Fixpoint at_parts (parts : list (list mode)) (c : list N) : N :=
  match parts, c with
  | p :: r, x :: y => index p x + at_parts r y
  | _, _ => 0
  end.

(** [R] is [A o B]: its shape refines [B]'s, and it is the same function at each coordinate. *)
Definition is_composition (a b : list mode) (parts : list (list mode)) : Prop :=
  Forall2 (fun m p => size p = extent m /\ positive p /\ p <> []) b parts /\
  forall c, inside b c -> at_parts parts c = index a (offset b c).

(** ** The left operand *)

(** The function of a left operand: modes that are bounded, and a stride without an end behind them. *)
Fixpoint left_index (ms : list mode) (last : N) (x : N) : N :=
  match ms with
  | [] => x * last
  | m :: r => x mod extent m * stride m + left_index r last (x / extent m)
  end.

Lemma left_index_index : forall ms m x, left_index ms (stride m) x = index (ms ++ [m]) x.
Proof.
  induction ms as [|f r IH]; intros m x; [reflexivity|].
  simpl app. rewrite index_cons by now apply app_not_nil. simpl. now rewrite IH.
Qed.

Lemma index_drop : forall p m n i, positive p -> extent m = 1 -> index (p ++ [m; n]) i = index (p ++ [n]) i.
Proof.
  intros p m n i P E. rewrite !index_app by (assumption || discriminate). simpl.
  rewrite E, N.mod_1_r, N.div_1_r. lia.
Qed.

Lemma index_join : forall p m n i, positive p -> 1 <= extent m -> continues_in m n = true ->
  index (p ++ [m; n]) i = index (p ++ [Mode (extent m * extent n) (stride m)]) i.
Proof.
  intros p m n i P M C. apply N.eqb_eq in C. rewrite !index_app by (assumption || discriminate). simpl. f_equal.
  set (k := i / size p). rewrite <- C. rewrite (N.div_mod k (extent m)) at 3 by lia. lia.
Qed.

(** Taking one more mode: the stack has the modes so far as one function of every number. *)
Lemma take_index : forall done last next i, positive (rev done) -> 1 <= extent last -> 1 <= extent next ->
  let (done', last') := take (done, last) next in
  positive (rev done') /\ 1 <= extent last' /\
  size (rev done' ++ [last']) = size (rev done ++ [last; next]) /\
  index (rev done' ++ [last']) i = index (rev done ++ [last; next]) i.
Proof.
  intros done last next i D L X. unfold take.
  assert (Open : forall done, positive (rev done) ->
    let (done', last') := open_again done next in
    positive (rev done') /\ 1 <= extent last' /\
    size (rev done' ++ [last']) = size (rev done ++ [next]) /\
    index (rev done' ++ [last']) i = index (rev done ++ [next]) i).
  { intros [|before rest] P; simpl; [auto|]. simpl in P. apply positive_app in P as [P B].
    apply positive_cons in B as [B _].
    destruct (continues_in before next) eqn:C; simpl.
    - repeat split; trivial; [nia|rewrite <- app_assoc, !size_app; simpl; lia|].
      rewrite <- app_assoc. symmetry. now apply index_join.
    - repeat split; trivial. apply positive_app. split; [assumption|]. now repeat constructor. }
  destruct (N.eqb_spec (extent last) 1) as [E|E].
  - specialize (Open done D). destruct (open_again done next) as [done' last']. destruct Open as (P & Q & S & I).
    repeat split; trivial.
    + rewrite S, !size_app. simpl. rewrite E. lia.
    + rewrite I. symmetry. now apply index_drop.
  - assert (D' : positive (rev (last :: done))).
    { simpl. apply positive_app. split; [assumption|]. now repeat constructor. }
    specialize (Open (last :: done) D'). destruct (open_again (last :: done) next) as [done' last'].
    simpl in Open. rewrite <- app_assoc in Open. exact Open.
Qed.

Lemma fold_take : forall rest done last, positive (rev done) -> 1 <= extent last -> positive rest ->
  let (done', last') := fold_left take rest (done, last) in
  positive (rev done') /\ 1 <= extent last' /\
  size (rev done' ++ [last']) = size (rev done ++ last :: rest) /\
  forall i, index (rev done' ++ [last']) i = index (rev done ++ last :: rest) i.
Proof.
  induction rest as [|next rest IH]; intros done last D L R; simpl; [auto|].
  apply positive_cons in R as [X R].
  pose proof (fun i => take_index done last next i D L X) as T. simpl in T.
  destruct (open_again (if extent last =? 1 then done else last :: done) next) as [done1 last1].
  destruct (T 0) as (D1 & L1 & S1 & _). assert (I1 := fun i => proj2 (proj2 (proj2 (T i)))). clear T.
  specialize (IH done1 last1 D1 L1 R). destruct (fold_left take rest (done1, last1)) as [done' last'].
  destruct IH as (P & Q & S & I). repeat split; trivial.
  - rewrite S. change (last1 :: rest) with ([last1] ++ rest).
    change (last :: next :: rest) with ([last; next] ++ rest).
    rewrite !app_assoc, (size_app (rev done1 ++ [last1])), S1, (size_app (rev done ++ [last; next])). reflexivity.
  - intro i. rewrite I. change (last1 :: rest) with ([last1] ++ rest).
    change (last :: next :: rest) with ([last; next] ++ rest). rewrite !app_assoc.
    destruct rest as [|r rest]; [rewrite !app_nil_r; apply I1|].
    apply index_front; trivial; try discriminate.
    + apply positive_app; split; trivial. now repeat constructor.
    + apply positive_app; split; trivial. now repeat constructor.
Qed.

(** The left operand of the rule is the same function as [A], of every number. *)
Lemma left_modes_index : forall a i, positive a ->
  let (bound, last) := left_modes a in
  positive bound /\ left_index bound (stride last) i = index a i.
Proof.
  intros [|first rest] i P; simpl; [split; [constructor|lia]|].
  apply positive_cons in P as [F R].
  pose proof (fold_take rest [] first) as T. destruct (fold_left take rest ([], first)) as [done last].
  destruct T as (D & L & _ & I); trivial; [constructor|]. split; [assumption|].
  rewrite left_index_index. apply I.
Qed.

(** ** Digits that add up without a carry *)

(** What a coordinate at its last step would reach: the sum of [(t-1) * e]. *)
Fixpoint reach_sum (es : list mode) : N :=
  match es with [] => 0 | m :: r => (extent m - 1) * stride m + reach_sum r end.
Definition low (s : N) (m : mode) : mode := Mode (extent m) (stride m mod s).
Definition high (s : N) (m : mode) : mode := Mode (extent m) (stride m / s).

(** In each mode of [ms], the digits that the modes [es] reach together. *)
Fixpoint reach (ms es : list mode) : list N :=
  match ms with
  | [] => []
  | m :: r => reach_sum (map (low (extent m)) es) :: reach r (map (high (extent m)) es)
  end.

(** No sum of digits reaches an extent. *)
Definition fits (ms es : list mode) : Prop := Forall2 (fun m x => x < extent m) ms (reach ms es).

Lemma offset_low_high : forall s es xs, 1 <= s ->
  offset es xs = offset (map (low s) es) xs + s * offset (map (high s) es) xs.
Proof.
  intros s es xs S. revert xs. induction es as [|e r IH]; intros [|x y]; simpl; try lia.
  rewrite IH. rewrite (N.div_mod (stride e) s) at 1 by lia. lia.
Qed.

Lemma offset_reach : forall es xs, inside es xs -> offset es xs <= reach_sum es.
Proof. induction 1 as [|m x r y H I IH]; simpl; [lia|]. nia. Qed.

Lemma inside_map : forall f es xs, (forall m, extent (f m) = extent m) -> inside es xs -> inside (map f es) xs.
Proof. induction 2; simpl; constructor; trivial. now rewrite H. Qed.

(** Offsets whose digits add up without a carry are sent to the sum of what they are sent to. *)
Lemma linear_without_carry : forall ms last es xs, positive ms -> fits ms es -> inside es xs ->
  left_index ms last (offset es xs) = offset (map (fun e => Mode (extent e) (left_index ms last (stride e))) es) xs.
Proof.
  induction ms as [|m r IH]; intros last es xs P F I.
  - simpl. clear F. induction I as [|e x es xs H I IHI]; simpl; [lia|]. rewrite <- IHI. lia.
  - apply positive_cons in P as [Pm Pr]. unfold fits in F. simpl in F. inversion F as [|? ? ? ? F0 Fr]; subst.
    specialize (IH last (map (high (extent m)) es) xs Pr Fr).
    rewrite map_map in IH. simpl in IH.
    assert (L : offset (map (low (extent m)) es) xs < extent m).
    { eapply N.le_lt_trans; [apply offset_reach|exact F0]. now apply inside_map. }
    simpl. rewrite (offset_low_high (extent m)) by assumption.
    rewrite (N.mul_comm (extent m)), N.mod_add, N.div_add by lia.
    rewrite N.mod_small, (N.div_small (offset _ xs)), N.add_0_l by assumption.
    rewrite IH by now apply inside_map.
    clear. revert xs. induction es as [|e es IH]; intros [|x xs]; simpl; try lia.
    rewrite <- IH. lia.
Qed.

(** ** What the loops have reached *)

Fixpoint add (v w : list N) : list N :=
  match v, w with x :: v, y :: w => x + y :: add v w | _, _ => [] end.

Lemma add_assoc : forall u v w, add (add u v) w = add u (add v w).
Proof. induction u as [|x u IH]; intros [|y v] [|z w]; simpl; trivial. rewrite IH. f_equal. lia. Qed.

Lemma reach_length : forall ms es, length (reach ms es) = length ms.
Proof. induction ms; simpl; auto. Qed.

Lemma reach_sum_app : forall es es', reach_sum (es ++ es') = reach_sum es + reach_sum es'.
Proof. induction es; intro; simpl; [lia|]. rewrite IHes. lia. Qed.

Lemma reach_app : forall ms es es', reach ms (es ++ es') = add (reach ms es) (reach ms es').
Proof. induction ms; intros; simpl; trivial. rewrite !map_app, reach_sum_app. f_equal. apply IHms. Qed.

Lemma add_nothing : forall ms v, length v = length ms -> add v (reach ms []) = v.
Proof.
  induction ms as [|m r IH]; intros [|x v] H; simpl in *; try discriminate; trivial.
  f_equal; [lia|]. apply IH. lia.
Qed.

Lemma nothing_add : forall ms es, add (reach ms []) (reach ms es) = reach ms es.
Proof. intros. now rewrite <- reach_app. Qed.

(** A mode that takes a single step reaches nothing. *)
Lemma reach_single_step : forall ms e es, reach ms (Mode 1 e :: es) = reach ms es.
Proof. induction ms as [|m r IH]; intros; simpl; trivial. f_equal. apply IH. Qed.

Definition lefts (c : composer) : list mode := map left (modes c).
Definition value (c : composer) : N -> N := left_index (lefts c) (last_stride c).

(** [carry] says whether a sum has reached an extent. *)
Definition consistent (c : composer) : Prop :=
  carry c = false <-> Forall (fun b => reached b < extent (left b)) (modes c).

(** The left operand [c] has become [c'] by the runs [es]. *)
Definition after (c c' : composer) (es : list mode) : Prop :=
  lefts c' = lefts c /\ last_stride c' = last_stride c /\
  map reached (modes c') = add (map reached (modes c)) (reach (lefts c) es) /\
  (consistent c -> consistent c').

Lemma after_nothing : forall c, after c c [].
Proof.
  intro c. unfold after. rewrite add_nothing; [auto|]. unfold lefts. rewrite !map_length. reflexivity.
Qed.

Lemma after_single_step : forall c e, after c c [Mode 1 e].
Proof.
  intros c e. unfold after. rewrite reach_single_step. apply after_nothing.
Qed.

Lemma after_app : forall c c1 c2 es es', after c c1 es -> after c1 c2 es' -> after c c2 (es ++ es').
Proof.
  intros c c1 c2 es es' (A & B & C & D) (A' & B' & C' & D').
  unfold after. rewrite A', B', C', A, B, C, reach_app, add_assoc. tauto.
Qed.

Lemma fits_cons : forall m r e t, fits (m :: r) [Mode t e] <->
  (t - 1) * (e mod extent m) < extent m /\ fits r [Mode t (e / extent m)].
Proof.
  intros. unfold fits. simpl. split.
  - intro F. inversion F as [|? ? ? ? F0 Fr]; subst. simpl in F0. split; [lia|exact Fr].
  - intros [F0 Fr]. constructor; [simpl; lia|exact Fr].
Qed.

Lemma fits_fewer : forall ms e t t', t' <= t -> fits ms [Mode t e] -> fits ms [Mode t' e].
Proof.
  induction ms as [|m r IH]; intros e t t' L F; [constructor|].
  apply fits_cons in F as [F0 Fr]. apply fits_cons. split; [|now apply (IH _ t)].
  eapply N.le_lt_trans; [|exact F0]. apply N.mul_le_mono_r. lia.
Qed.

Lemma fits_zero_stride : forall ms t, positive ms -> fits ms [Mode t 0].
Proof.
  induction ms as [|m r IH]; intros t P; [constructor|]. apply positive_cons in P as [Pm Pr].
  apply fits_cons. rewrite N.mod_0_l, N.div_0_l by lia. split; [lia|now apply IH].
Qed.

Lemma fits_two_steps : forall ms e, positive ms -> fits ms [Mode 2 e].
Proof.
  induction ms as [|m r IH]; intros e P; [constructor|]. apply positive_cons in P as [Pm Pr].
  apply fits_cons. split; [|now apply IH]. replace (2 - 1) with 1 by lia. rewrite N.mul_1_l. apply N.mod_lt. lia.
Qed.

Lemma left_index_zero : forall ms last, positive ms -> left_index ms last 0 = 0.
Proof.
  induction ms as [|m r IH]; intros last P; simpl; [lia|]. apply positive_cons in P as [Pm Pr].
  rewrite N.mod_0_l, N.div_0_l, IH by (assumption || lia). lia.
Qed.

Lemma div_ceil_bounds : forall s d,
  1 <= s -> 1 <= d -> 1 <= div_ceil s d /\ (div_ceil s d - 1) * d < s <= div_ceil s d * d.
Proof.
  intros s d S D. unfold div_ceil. set (q := (s + d - 1) / d).
  assert (L : d * q <= s + d - 1) by (apply N.mul_div_le; lia).
  assert (U : s + d - 1 < d * N.succ q) by (apply N.mul_succ_div_gt; lia).
  assert (Q : 1 <= q) by nia. nia.
Qed.

Lemma steps_limit : forall s d steps, 1 <= s -> 1 <= steps ->
  let steps1 := if d =? 0 then steps else if d * (steps - 1) <? s then steps else div_ceil s d in
  1 <= steps1 <= steps /\ (steps1 - 1) * d < s /\ (forall t, t <= steps -> (t - 1) * d < s -> t <= steps1).
Proof.
  intros s d steps S T. destruct (N.eqb_spec d 0) as [->|D]; simpl; [repeat split; trivial; lia|].
  destruct (N.ltb_spec (d * (steps - 1)) s) as [I|I]; simpl; [repeat split; trivial; lia|].
  destruct (div_ceil_bounds s d) as (Q & L & U); [assumption|lia|].
  set (q := div_ceil s d) in *. repeat split; trivial.
  - assert (q - 1 < steps - 1) by nia. lia.
  - intros t Le Lt. assert (t - 1 < q) by nia. lia.
Qed.

(** The first loop finds the most steps that fit, and the offset of the stride. *)
Lemma run_digits_spec : forall bs last rest steps acc, positive (map left bs) -> 1 <= steps ->
  let '(_, rest', steps', acc') := run_digits bs rest steps acc in
  1 <= steps' <= steps /\ fits (map left bs) [Mode steps' rest] /\
  (forall t, t <= steps -> fits (map left bs) [Mode t rest] -> t <= steps') /\
  acc' + rest' * last = acc + left_index (map left bs) last rest.
Proof.
  induction bs as [|b bs IH]; intros last rest steps acc P S.
  - simpl. assert (forall t, fits [] [Mode t rest]) by constructor.
    destruct (rest =? 0); repeat split; auto; lia.
  - simpl map in *. apply positive_cons in P as [Pm Pr]. simpl run_digits.
    destruct (N.eqb_spec rest 0) as [->|R].
    { repeat split; auto; try lia.
      - apply fits_zero_stride. now apply positive_cons.
      - rewrite (left_index_zero (left b :: map left bs)) by now apply positive_cons. lia. }
    set (s := extent (left b)) in *. set (d := rest mod s).
    set (steps1 := if d =? 0 then steps else if d * (steps - 1) <? s then steps else div_ceil s d).
    assert (T := steps_limit s d steps Pm S). fold steps1 in T.
    destruct T as (T1 & T2 & T3).
    specialize (IH last (rest / s) steps1 (acc + d * stride (left b)) Pr (proj1 T1)).
    destruct (run_digits bs (rest / s) steps1 (acc + d * stride (left b))) as [[[ds rest'] steps'] acc'].
    destruct IH as (I1 & I2 & I3 & I4). repeat split; try lia.
    + apply fits_cons. split; [fold s d; nia|assumption].
    + intros t T F. apply fits_cons in F as [F0 Fr]. apply I3; [|assumption]. apply T3; assumption.
    + simpl. fold s d. lia.
Qed.

(** The second loop adds the digits up. *)
Lemma run_reached_spec : forall bs rest steps acc k, positive (map left bs) ->
  let '(ds, _, _, _) := run_digits bs rest steps acc in
  let (bs', carries) := run_reached bs ds k in
  map left bs' = map left bs /\
  map reached bs' = add (map reached bs) (reach (map left bs) [Mode k rest]) /\
  (Forall (fun b => reached b < extent (left b)) bs' -> Forall (fun b => reached b < extent (left b)) bs) /\
  (Forall (fun b => reached b < extent (left b)) bs ->
   (carries = false <-> Forall (fun b => reached b < extent (left b)) bs')).
Proof.
  assert (Zero : forall bs k, positive (map left bs) ->
    add (map reached bs) (reach (map left bs) [Mode k 0]) = map reached bs).
  { induction bs as [|b bs IH]; intros k P; [reflexivity|]. simpl in *. apply positive_cons in P as [Pm Pr].
    rewrite N.mod_0_l by lia. f_equal; [lia|]. unfold high. simpl. rewrite N.div_0_l by lia. now apply IH. }
  induction bs as [|b bs IH]; intros rest steps acc k P.
  - simpl. destruct (rest =? 0); simpl; repeat split; auto.
  - simpl run_digits. destruct (N.eqb_spec rest 0) as [->|R].
    { simpl run_reached. rewrite Zero by assumption. repeat split; auto. }
    simpl map in *. apply positive_cons in P as [Pm Pr]. set (s := extent (left b)) in *.
    set (steps1 := if rest mod s =? 0 then steps else _).
    specialize (IH (rest / s) steps1 (acc + rest mod s * stride (left b)) k Pr).
    destruct (run_digits bs (rest / s) steps1 (acc + rest mod s * stride (left b))) as [[[ds rest'] steps'] acc'].
    simpl. destruct (run_reached bs ds k) as [bs' carries]. destruct IH as (L & A & M & C).
    simpl. repeat split.
    + now rewrite L.
    + rewrite A. fold s. f_equal. lia.
    + intro F. inversion F as [|? ? F0 Fr]; subst. simpl in F0. constructor; [|now apply M].
      eapply N.le_lt_trans; [apply N.le_add_r|exact F0].
    + intro E. apply Bool.orb_false_iff in E as [E0 Er]. apply N.leb_gt in E0. inversion H; subst.
      constructor; [exact E0|]. now apply C.
    + intro F. inversion F as [|? ? F0 Fr]; subst. simpl in F0. inversion H; subst.
      apply Bool.orb_false_iff. split; [now apply N.leb_gt|]. now apply C.
Qed.

(** One run: the most steps that fit, each of which goes as far as [A] says. *)
Lemma run_spec : forall c right, positive (lefts c) -> 1 <= extent right ->
  let (c', m) := run c right in
  after c c' [Mode (extent m) (stride right)] /\
  stride m = value c (stride right) /\ 1 <= extent m <= extent right /\
  fits (lefts c) [Mode (extent m) (stride right)] /\
  (forall t, t <= extent right -> fits (lefts c) [Mode t (stride right)] -> t <= extent m).
Proof.
  intros c right P S. unfold run.
  pose proof (run_digits_spec (modes c) (last_stride c) (stride right) (extent right) 0 P S) as D.
  pose proof (fun k => run_reached_spec (modes c) (stride right) (extent right) 0 k P) as R.
  destruct (run_digits (modes c) (stride right) (extent right) 0) as [[[ds rest] steps] acc].
  specialize (R steps). destruct (run_reached (modes c) ds steps) as [bs carries].
  destruct D as (D1 & D2 & D3 & D4). destruct R as (L & A & M & C).
  simpl. repeat split; auto; try lia.
  - simpl. intro E. apply Bool.orb_false_iff in E as [E0 Er]. apply C; [|assumption]. now apply H.
  - simpl. intro F. apply Bool.orb_false_iff. assert (G := M F). split; [now apply H|now apply C].
Qed.

(** ** Runs of one mode *)

(** The runs of a stride: each goes on where the one before it stops. *)
Fixpoint runs (ts : list N) (e : N) : list mode :=
  match ts with [] => [] | t :: r => Mode t e :: runs r (e * t) end.
Definition product (ts : list N) : N := fold_right N.mul 1 ts.

Lemma runs_size : forall ts e, size (runs ts e) = product ts.
Proof. induction ts; intro e; simpl; [reflexivity|]. now rewrite IHts. Qed.

Lemma runs_positive : forall ts e, Forall (N.le 1) ts -> positive (runs ts e).
Proof. induction ts; intros e H; simpl; [constructor|]. inversion H; subst. constructor; [assumption|]. now apply IHts.
Qed.

Lemma runs_not_nil : forall ts e, ts <> [] -> runs ts e <> [].
Proof. intros [|t r] e H; [contradiction|discriminate]. Qed.

(** The runs of one mode together are the mode itself, for every number. *)
Lemma runs_index : forall ts e x, ts <> [] -> Forall (N.le 1) ts -> index (runs ts e) x = x * e.
Proof.
  induction ts as [|t r IH]; intros e x H P; [contradiction|]. inversion P; subst.
  destruct r as [|t' r]; [reflexivity|].
  change (runs (t :: t' :: r) e) with (Mode t e :: runs (t' :: r) (e * t)).
  rewrite index_cons by now apply runs_not_nil. simpl extent. simpl stride.
  rewrite IH by (assumption || discriminate). rewrite (N.div_mod x t) at 3 by lia. lia.
Qed.

(** What the runs [es] of the right operand become. *)
Definition image (c : composer) (es : list mode) : list mode := map (fun e => Mode (extent e) (value c (stride e))) es.

Lemma image_after : forall c c' es es', after c c' es -> image c' es' = image c es'.
Proof. intros c c' es es' (L & S & _). unfold image, value. now rewrite L, S. Qed.

Lemma split_spec : forall passes c right first c' rest, positive (lefts c) ->
  1 <= extent right -> 1 <= extent first -> split passes c right first = Ok (c', rest) ->
  exists ts, Forall (N.le 1) ts /\ product (extent first :: ts) = extent right /\
    rest = image c (runs ts (stride right * extent first)) /\ after c c' (runs ts (stride right * extent first)).
Proof.
  induction passes as [|passes IH]; intros c right first c' rest P S F H; simpl in H.
  - destruct (N.eqb_spec (extent first) (extent right)) as [E|]; [|discriminate]. inversion H; subst.
    exists []. simpl. split; [constructor|]. split; [lia|]. split; [reflexivity|]. apply after_nothing.
  - destruct (N.eqb_spec (extent first) (extent right)) as [E|NE].
    { inversion H; subst. exists []. simpl. split; [constructor|]. split; [lia|]. split; [reflexivity|].
      apply after_nothing. }
    destruct (N.eqb_spec (extent right mod extent first) 0) as [D|]; [|discriminate].
    set (right' := Mode (extent right / extent first) (stride right * extent first)) in *.
    assert (Eq : extent right = extent first * extent right').
    { simpl. rewrite (N.div_mod (extent right) (extent first)) at 1 by lia. lia. }
    assert (S' : 1 <= extent right') by nia.
    pose proof (run_spec c right' P S') as R. destruct (run c right') as [c1 first'].
    destruct R as (A & V & B & _). unfold bind in H.
    destruct (split passes c1 right' first') as [[c2 rest']|] eqn:E; [|discriminate]. inversion H; subst.
    assert (P1 : positive (lefts c1)) by (destruct A as [L _]; now rewrite L).
    destruct (IH c1 right' first' c' rest' P1 S' (proj1 B) E) as (ts & T & Pr & -> & A').
    exists (extent first' :: ts). split; [now constructor|]. split; [|split].
    + rewrite Eq, <- Pr. reflexivity.
    + simpl. change (stride right * extent first) with (stride right'). rewrite <- V. f_equal; [now destruct first'|].
      now rewrite (image_after _ _ _ _ A).
    + simpl. now apply (after_app _ c1 _ [_]).
Qed.

(** [es] are modes of the right operand's offsets that are together the mode [b]. *)
Definition runs_of (b : mode) (es : list mode) : Prop :=
  positive es /\ es <> [] /\ size es = extent b /\ forall x, x < extent b -> index es x = x * stride b.

Lemma leaf_spec : forall c right c' p, positive (lefts c) -> 1 <= extent right -> leaf c right = Ok (c', p) ->
  exists es, runs_of right es /\ p = image c es /\ after c c' es.
Proof.
  intros c right c' p P S H. unfold leaf in H. destruct (N.eqb_spec (extent right) 1) as [E|NE].
  - inversion H; subst. exists [Mode 1 0]. split; [|split].
    + repeat split; [repeat constructor; simpl; lia|discriminate|simpl; lia|]. intros x X. simpl. nia.
    + simpl. unfold value. now rewrite left_index_zero.
    + apply after_single_step.
  - pose proof (run_spec c right P S) as R. destruct (run c right) as [c1 first]. destruct R as (A & V & B & _).
    unfold bind in H. destruct (split _ c1 right first) as [[c2 rest]|] eqn:E; [|discriminate]. inversion H; subst.
    assert (P1 : positive (lefts c1)) by (destruct A as [L _]; now rewrite L).
    destruct (split_spec _ c1 right first c' rest P1 S (proj1 B) E) as (ts & T & Pr & -> & A').
    assert (T' : Forall (N.le 1) (extent first :: ts)) by (constructor; [apply B|assumption]).
    exists (runs (extent first :: ts) (stride right)). split; [|split].
    + repeat split; [now apply runs_positive|discriminate|now rewrite runs_size|].
      intros x _. now apply runs_index.
    + simpl. rewrite <- V. f_equal; [now destruct first|]. now rewrite (image_after _ _ _ _ A).
    + simpl. now apply (after_app _ c1 _ [_]).
Qed.

Lemma leaves_spec : forall bs c c' parts, positive (lefts c) -> positive bs -> leaves c bs = Ok (c', parts) ->
  exists ess, Forall2 runs_of bs ess /\ parts = map (image c) ess /\ after c c' (concat ess).
Proof.
  induction bs as [|b bs IH]; intros c c' parts P B H; simpl in H.
  - inversion H; subst. exists []. split; [constructor|]. split; [reflexivity|]. apply after_nothing.
  - apply positive_cons in B as [Bb Bs]. unfold bind in H.
    destruct (leaf c b) as [[c1 p]|] eqn:E; [|discriminate].
    destruct (leaves c1 bs) as [[c2 others]|] eqn:E'; [|discriminate]. inversion H; subst.
    destruct (leaf_spec _ _ _ _ P Bb E) as (es & R & -> & A).
    assert (P1 : positive (lefts c1)) by (destruct A as [L _]; now rewrite L).
    destruct (IH _ _ _ P1 Bs E') as (ess & Rs & -> & A').
    exists (es :: ess). split; [now constructor|]. split.
    + simpl. f_equal. apply map_ext. intro. now rewrite (image_after _ _ _ _ A).
    + simpl. now apply (after_app _ c1).
Qed.

Lemma new_spec : forall a i, positive a ->
  positive (lefts (new a)) /\ value (new a) i = index a i /\ consistent (new a) /\
  map reached (modes (new a)) = reach (lefts (new a)) [].
Proof.
  intros a i P. pose proof (left_modes_index a i P) as L. unfold new.
  destruct (left_modes a) as [bound last]. destruct L as [B V].
  unfold consistent, value, lefts. cbn [modes carry last_stride]. rewrite !map_map. cbn [left reached]. rewrite map_id.
  repeat split; auto.
  - intros _. apply Forall_forall. intros b I. apply in_map_iff in I as (m & <- & I).
    unfold positive in B. rewrite Forall_forall in B. specialize (B m I). simpl. lia.
  - clear. induction bound; simpl; congruence.
Qed.

(** The coordinates in the runs of all modes. *)
Fixpoint coordinates (ess : list (list mode)) (c : list N) : list N :=
  match ess, c with es :: r, x :: y => coordinate es x ++ coordinates r y | _, _ => [] end.

Lemma coordinate_extents : forall l l' x, map extent l = map extent l' -> coordinate l x = coordinate l' x.
Proof.
  induction l as [|m r IH]; intros [|m' r'] x H; simpl in H; try discriminate; [reflexivity|].
  injection H as E F. destruct r as [|n r], r' as [|n' r']; try discriminate; [reflexivity|].
  rewrite (coordinate_cons m), (coordinate_cons m') by discriminate. rewrite E. f_equal. now apply IH.
Qed.

Lemma coordinates_spec : forall f bs ess c, Forall2 runs_of bs ess -> inside bs c ->
  inside (concat ess) (coordinates ess c) /\
  offset (concat ess) (coordinates ess c) = offset bs c /\
  offset (map (fun e => Mode (extent e) (f (stride e))) (concat ess)) (coordinates ess c)
    = at_parts (map (map (fun e => Mode (extent e) (f (stride e)))) ess) c.
Proof.
  intros f bs ess c R. revert c. induction R as [|b es bs ess (P & NN & S & I) R IH]; intros c C; inversion C; subst.
  - repeat constructor.
  - destruct (IH l' ltac:(assumption)) as (A & B & D). simpl.
    assert (In : inside es (coordinate es y)) by (apply coordinate_inside; [assumption|now rewrite S]).
    pose proof (inside_length _ _ In) as Len. repeat split.
    + now apply inside_app.
    + rewrite offset_app, B, <- index_of_coordinate, I by assumption. reflexivity.
    + rewrite map_app, offset_app by now rewrite map_length. rewrite D, index_of_coordinate. f_equal. f_equal.
      apply coordinate_extents. rewrite map_map. reflexivity.
Qed.

Lemma map_extent_size : forall f es, (forall m,
  extent (f m) = extent m) -> size (map f es) = size es /\ (positive es -> positive (map f es)).
Proof.
  intros f es H. induction es as [|m r [IH1 IH2]]; [auto|]. simpl. split; [now rewrite H, IH1|].
  intro P. apply positive_cons in P as [Pm Pr]. apply positive_cons. rewrite H. auto.
Qed.

(** ** Theorem: composition is sound *)
Theorem composition_sound : forall a b parts, positive a -> positive b ->
  compose a b = Ok parts -> is_composition a b parts.
Proof.
  intros a b parts A B H. unfold compose, bind in H.
  destruct (leaves (new a) b) as [[c' parts']|] eqn:E; [|discriminate].
  unfold finish in H. destruct (carry c') eqn:NoCarry; [discriminate|]. inversion H; subst parts'. clear H.
  destruct (new_spec a 0 A) as (P & _ & Con & Zero).
  destruct (leaves_spec _ _ _ _ P B E) as (ess & R & -> & L & S & Reached & Con').
  assert (F : fits (lefts (new a)) (concat ess)).
  { rewrite Zero, nothing_add in Reached. unfold fits. rewrite <- Reached, <- L.
    apply (proj1 (Con' Con)) in NoCarry. unfold lefts. clear - NoCarry.
    induction NoCarry; simpl; constructor; trivial. }
  split.
  - clear - R. induction R as [|b es bs ess (P & NN & S & I) R IH]; simpl; constructor; trivial.
    unfold image. destruct (map_extent_size (fun e => Mode (extent e) (value (new a) (stride e))) es) as [T U];
      [reflexivity|].
    rewrite T. repeat split; auto. destruct es; [contradiction|discriminate].
  - intros c C. destruct (coordinates_spec (value (new a)) b ess c R C) as (I & O & V).
    change (map (image (new a)) ess) with (map (map (fun e => Mode (extent e) (value (new a) (stride e)))) ess).
    rewrite <- V. unfold value. rewrite <- linear_without_carry by assumption.
    rewrite O. exact (proj1 (proj2 (new_spec a (offset b c) A))).
Qed.
