(** * Complement: what a layout leaves free

    Sort the modes of a layout that move by their strides. Below a mode [s:d] lie [run] offsets that those before it
    span: it leaves [d/run] steps of [run] free, and together they span [s*d]. At the top, [m/run] steps are free. If
    every stride is a multiple of what lies below it, then the layout and its complement are a bijection onto [0..m).

    In the code: [sorted.rs] ([gaps_of], [top]) and [complement.rs]. *)

From Layout Require Import Mode Coalesce Composition Offsets.

(** Sorting by stride; equal strides keep their order. *)
Section Sort.
  Variable A : Type.
  Variable key : A -> N.
  Fixpoint insert (x : A) (l : list A) : list A :=
    match l with [] => [x] | y :: r => if key x <=? key y then x :: l else y :: insert x r end.
  Definition sort_by (l : list A) : list A := fold_right insert [] l.

  Lemma insert_permutation : forall x l, Permutation (x :: l) (insert x l).
  Proof.
    intros x l. induction l as [|y r IH]; simpl; [reflexivity|]. destruct (key x <=? key y); [reflexivity|].
    rewrite perm_swap. now constructor.
  Qed.

  Lemma sort_permutation : forall l, Permutation l (sort_by l).
  Proof. induction l as [|x r IH]; simpl; [constructor|]. rewrite <- insert_permutation. now constructor. Qed.

  Lemma insert_sorted : forall x l,
    StronglySorted (fun a b => key a <= key b) l -> StronglySorted (fun a b => key a <= key b) (insert x l).
  Proof.
    intros x l. induction l as [|y r IH]; intro H; simpl; [repeat constructor|].
    inversion H as [|? ? Hr F]; subst. destruct (N.leb_spec (key x) (key y)) as [L|L].
    - constructor; [assumption|]. constructor; [assumption|]. eapply Forall_impl; [|exact F]. simpl. intros; lia.
    - constructor; [now apply IH|]. eapply Permutation_Forall; [apply insert_permutation|].
      constructor; [lia|assumption].
  Qed.

  Lemma sort_sorted : forall l, StronglySorted (fun a b => key a <= key b) (sort_by l).
  Proof. induction l; simpl; [constructor|]. now apply insert_sorted. Qed.
End Sort.
Arguments sort_by {A} key l.

(** The loop of [gaps_of]: what modes sorted by stride leave free between [run] offsets and them, and what they span.
    [exact]: every stride must be a multiple of what lies below it. *)
Fixpoint gaps_of (sorted : list mode) (run : N) (exact : bool) (free : list mode) : result (list mode * N) :=
  match sorted with
  | [] => Ok (free, run)
  | m :: rest =>
      if stride m <? run then Err Overlap
      else if (exact && negb (stride m mod run =? 0))%bool then Err Divisibility
      else gaps_of rest (extent m * stride m) exact (push_merged free (Mode (stride m / run) run))
  end.

(** The modes that move. *)
Definition moves (m : mode) : bool := (negb (extent m =? 1) && negb (stride m =? 0))%bool.
Definition moving (l : list mode) : list mode := filter moves l.

Definition gaps (l : list mode) (exact : bool) : result (list mode * N)
  := gaps_of (sort_by stride (moving l)) 1 exact [].

(** The modes of the complement in [m]. *)
Definition complement_modes (l : list mode) (m : N) : result (list mode) :=
  let? (free, span) := gaps l true in
  if m mod span =? 0 then Ok (push_merged free (Mode (m / span) span)) else Err Divisibility.

Definition complement (l : list mode) (m : N) : result (list mode) :=
  let? free := complement_modes l m in Ok (from_modes free).

(** [(m + span - 1) / span * span]: the extent rounded up. *)
Definition complement_ceil (l : list mode) (m : N) : result (list mode) :=
  let? (_, span) := gaps l true in complement l (div_ceil m span * span).

(** What the loop pushes. *)
Fixpoint free_modes (sorted : list mode) (run : N) : list mode :=
  match sorted with [] => [] | m :: rest => Mode (stride m / run) run :: free_modes rest (extent m * stride m) end.
Fixpoint span (sorted : list mode) (run : N) : N :=
  match sorted with [] => run | m :: rest => span rest (extent m * stride m) end.

(** Each stride lies at or beyond what the modes below span. *)
Fixpoint apart (sorted : list mode) (run : N) : Prop :=
  match sorted with [] => True | m :: rest => run <= stride m /\ apart rest (extent m * stride m) end.
Fixpoint multiples (sorted : list mode) (run : N) : Prop :=
  match sorted with [] => True | m :: rest => stride m mod run = 0 /\ multiples rest (extent m * stride m) end.

Lemma gaps_of_spec : forall sorted run exact free free' run',
  gaps_of sorted run exact free = Ok (free', run') ->
  free' = fold_left push_merged (free_modes sorted run) free /\ run' = span sorted run /\ apart sorted run /\
  (exact = true -> multiples sorted run).
Proof.
  induction sorted as [|m rest IH]; intros run exact free free' run' H; simpl in H.
  - inversion H; subst. simpl. auto.
  - destruct (N.ltb_spec (stride m) run) as [|L]; [discriminate|].
    destruct (exact && negb (stride m mod run =? 0))%bool eqn:E; [discriminate|].
    apply IH in H as (-> & -> & A & M). simpl. repeat split; auto.
    subst exact. simpl in E. apply Bool.negb_false_iff, N.eqb_eq in E. exact E.
Qed.

Lemma moving_spec : forall l, positive l -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) (moving l).
Proof.
  intros l P. apply Forall_forall. intros m I. apply filter_In in I as [I M].
  unfold positive in P. rewrite Forall_forall in P. specialize (P m I). simpl in P.
  apply Bool.andb_true_iff in M as [E S]. apply Bool.negb_true_iff, N.eqb_neq in E, S. lia.
Qed.

Lemma sorted_moving_spec : forall l,
  positive l -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) (sort_by stride (moving l)).
Proof. intros l P. eapply Permutation_Forall; [apply sort_permutation|now apply moving_spec]. Qed.

Lemma free_modes_positive : forall sorted run, 1 <= run -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted ->
  apart sorted run -> positive (free_modes sorted run) /\ 1 <= span sorted run.
Proof.
  induction sorted as [|m rest IH]; intros run R F A; simpl; [split; [constructor|assumption]|].
  inversion F as [|? ? [E S] F']; subst. destruct A as [A A'].
  assert (1 <= extent m * stride m) by nia.
  destruct (IH (extent m * stride m)) as [P Q]; trivial. split; [|assumption]. constructor; [|assumption].
  simpl. apply N.div_le_lower_bound; lia.
Qed.

(** Gap, mode, gap, mode, .. in order: extents whose runs begin with [run]. *)
Fixpoint interleaved (sorted : list mode) (run top : N) : list N :=
  match sorted with [] => [top / run] |
    m :: rest => stride m / run :: extent m :: interleaved rest (extent m * stride m) top end.

Lemma interleaved_runs : forall sorted run top, 1 <= run -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted ->
  multiples sorted run -> top mod span sorted run = 0 ->
  Permutation (runs (interleaved sorted run top) run) (sorted ++ free_modes sorted run ++ [Mode (top / span sorted run)
    (span sorted run)])
  /\ product (interleaved sorted run top) * run = top.
Proof.
  induction sorted as [|m rest IH]; intros run top R F M T; simpl in *.
  - split; [reflexivity|]. unfold product. simpl. rewrite (N.div_mod top run) at 2 by lia. lia.
  - inversion F as [|? ? [E S] F']; subst. destruct M as [M M'].
    assert (D : run * (stride m / run) = stride m) by (rewrite (N.div_mod (stride m) run) at 2 by lia; lia).
    assert (Next : 1 <= extent m * stride m) by nia.
    destruct (IH (extent m * stride m) top Next F' M' T) as [P Q]. rewrite D. split.
    + rewrite (N.mul_comm (stride m)). rewrite P. destruct m as [s d]. simpl.
      rewrite perm_swap. constructor. apply Permutation_middle.
    + rewrite <- Q at 2. unfold product. simpl. fold (product (interleaved rest (extent m * stride m) top)).
      set (x := product _). transitivity (x * (extent m * (run * (stride m / run)))); [ring|now rewrite D].
Qed.

Lemma complement_modes_spec : forall l m free, positive l -> 1 <= m -> complement_modes l m = Ok free ->
  let sorted := sort_by stride (moving l) in
  free = merged (free_modes sorted 1 ++ [Mode (m / span sorted 1) (span sorted 1)]) /\
  apart sorted 1 /\ multiples sorted 1 /\ 1 <= span sorted 1 /\ m mod span sorted 1 = 0 /\
  positive (free_modes sorted 1 ++ [Mode (m / span sorted 1) (span sorted 1)]).
Proof.
  intros l m free P M H. unfold complement_modes, bind, gaps in H. simpl.
  set (sorted := sort_by stride (moving l)) in *.
  destruct (gaps_of sorted 1 true []) as [[f run]|] eqn:E; [|discriminate].
  apply gaps_of_spec in E as (-> & -> & A & Mu).
  destruct (N.eqb_spec (m mod span sorted 1) 0) as [D|]; [|discriminate]. inversion H; subst free. clear H.
  destruct (free_modes_positive sorted 1) as [F S]; [lia|now apply sorted_moving_spec|assumption|].
  repeat split; auto.
  - unfold merged. now rewrite fold_left_app.
  - apply positive_app. split; [assumption|]. repeat constructor. simpl.
    pose proof (N.div_mod m (span sorted 1)). assert (m / span sorted 1 <> 0) by (intro Z; rewrite Z in *; lia). lia.
Qed.

Lemma complement_modes_positive : forall l m free,
  positive l -> 1 <= m -> complement_modes l m = Ok free -> positive free.
Proof. intros l m free P M H. destruct (complement_modes_spec l m free P M H) as (-> & _ & _ & _ & _ & F).
now apply merged_positive. Qed.

(** The moving modes and what they leave free reach every offset below [m] once. *)
Lemma complement_modes_offsets : forall l m free, positive l -> 1 <= m -> complement_modes l m = Ok free ->
  Permutation (offsets (moving l ++ free)) (range m).
Proof.
  intros l m free P M H. destruct (complement_modes_spec l m free P M H) as (-> & A & Mu & S & D & F).
  set (sorted := sort_by stride (moving l)) in *.
  rewrite offsets_app, offsets_merged, <- offsets_app by assumption.
  destruct (interleaved_runs sorted 1 m) as [Pe Pr]; trivial; [lia|now apply sorted_moving_spec|].
  rewrite N.mul_1_r in Pr. rewrite <- Pr at 2. rewrite <- offsets_runs.
  - apply offsets_permutation. rewrite Pe. apply Permutation_app_tail, sort_permutation.
  - clear - Pr M. assert (product (interleaved sorted 1 m) <> 0) as NZ by lia. clear Pr.
    induction (interleaved sorted 1 m) as [|t r IH]; constructor; unfold product in NZ; simpl in NZ; [lia|].
    apply IH. unfold product. lia.
Qed.

Lemma offsets_from_modes : forall p l, offsets (p ++ from_modes l) = offsets (p ++ l).
Proof. intros p [|m l]; [|reflexivity]. rewrite !offsets_app. f_equal. Qed.

Lemma from_modes_positive : forall l, positive l -> positive (from_modes l).
Proof. intros [|m l] P; [repeat constructor; simpl; lia|assumption]. Qed.

Lemma from_modes_not_nil : forall l, from_modes l <> [].
Proof. intros [|m l]; discriminate. Qed.

Lemma moving_positive : forall l, positive l -> positive (moving l).
Proof. intros l P. eapply Forall_impl; [|apply (moving_spec l P)]. simpl. lia. Qed.

Lemma no_dup_map_injective : forall (f : N -> N) l, NoDup (map f l) -> forall x y,
  In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|a l IH]; intros H x y X Y E; [contradiction|]. inversion H as [|? ? Out H']; subst.
  destruct X as [->|X], Y as [->|Y]; trivial.
  - exfalso. apply Out. rewrite E. now apply in_map.
  - exfalso. apply Out. rewrite <- E. now apply in_map.
  - now apply IH.
Qed.

Lemma mixed_radix_unique : forall s i j i' j', i < s -> i' < s -> i + s * j = i' + s * j' -> i = i' /\ j = j'.
Proof.
  intros s i j i' j' I I' E. assert (j = j') as ->; [|lia].
  rewrite (N.div_unique (i + s * j) s j i), (N.div_unique (i + s * j) s j' i'); lia.
Qed.

(** ** Theorem: a layout and its complement are a bijection onto [0..m) *)
Theorem complement_bijection : forall l m r, positive l -> 1 <= m -> complement l m = Ok r ->
  (forall i j, i < size (moving l) -> j < size r -> index (moving l) i + index r j < m) /\
  (forall x, x < m -> exists i j, i < size (moving l) /\ j < size r /\ index (moving l) i + index r j = x) /\
  (forall i j i' j', i < size (moving l) -> j < size r -> i' < size (moving l) -> j' < size r ->
    index (moving l) i + index r j = index (moving l) i' + index r j' -> i = i' /\ j = j').
Proof.
  intros l m r P M H. unfold complement, bind in H.
  destruct (complement_modes l m) as [free|] eqn:E; [|discriminate]. inversion H; subst r. clear H.
  pose proof (complement_modes_offsets l m free P M E) as O. rewrite <- offsets_from_modes in O.
  pose proof (moving_positive l P) as Pm.
  pose proof (from_modes_positive _ (complement_modes_positive l m free P M E)) as Pf.
  set (a := moving l) in *. set (r := from_modes free) in *.
  assert (Pa : positive (a ++ r)) by (now apply positive_app).
  rewrite offsets_index, size_app in O by assumption.
  pose proof (size_positive a Pm) as Sa.
  assert (Split : forall i j, i < size a -> index (a ++ r) (i + size a * j) = index a i + index r j).
  { intros i j I. rewrite index_app by (assumption || apply from_modes_not_nil).
    rewrite (N.mul_comm (size a)), N.mod_add, N.div_add, N.mod_small, N.div_small by lia. now rewrite N.add_0_l. }
  assert (Below : forall i j, i < size a -> j < size r -> i + size a * j < size a * size r) by (intros; nia).
  split; [|split].
  - intros i j I J. apply in_range. rewrite <- Split by assumption. apply (Permutation_in _ O), in_map, in_range.
    now apply Below.
  - intros x X. apply in_range in X. apply (Permutation_in _ (Permutation_sym O)) in X.
    apply in_map_iff in X as (k & K & R).
    apply in_range in R. exists (k mod size a), (k / size a). split; [apply N.mod_lt; lia|].
    split; [apply N.div_lt_upper_bound; lia|].
    rewrite <- Split by (apply N.mod_lt; lia). rewrite <- K. f_equal. rewrite (N.div_mod k (size a)) at 3 by lia. lia.
  - intros i j i' j' I J I' J' Eq. rewrite <- !Split in Eq by assumption.
    apply (mixed_radix_unique (size a)); trivial.
    apply (no_dup_map_injective (index (a ++ r)) (range (size a * size r))); trivial; try (now apply in_range, Below).
    apply (Permutation_NoDup (Permutation_sym O)), range_no_dup.
Qed.

(** ** Theorem: the strides of a complement increase *)

Lemma push_last_strides : forall l m,
  map stride (push_last l m) = map stride l \/ map stride (push_last l m) = map stride l ++ [stride m].
Proof.
  induction l as [|f r IH]; intro m; [now right|]. destruct r as [|g r].
  - simpl. destruct (continues_in f m); [left|right]; reflexivity.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m).
    change (map stride (f :: push_last (g :: r) m)) with (stride f :: map stride (push_last (g :: r) m)).
    destruct (IH m) as [E|E]; [left|right]; rewrite E; reflexivity.
Qed.

Lemma sorted_end : forall l x, StronglySorted N.lt l -> Forall (fun y => y < x) l -> StronglySorted N.lt (l ++ [x]).
Proof.
  induction l as [|y r IH]; intros x S F; simpl; [repeat constructor|].
  inversion S; inversion F; subst. constructor; [now apply IH|]. apply Forall_app. split; [assumption|].
  now repeat constructor.
Qed.

Lemma push_merged_increases : forall l m,
  StronglySorted N.lt (map stride l) -> Forall (fun y => y < stride m) (map stride l) ->
  StronglySorted N.lt (map stride (push_merged l m)) /\ Forall (fun y => y <= stride m) (map stride (push_merged l m)).
Proof.
  intros l m S F. assert (W : Forall (fun y => y <= stride m) (map stride l)) by (eapply Forall_impl; [|exact F]; simpl;
    lia).
  unfold push_merged. destruct (extent m =? 1); [auto|].
  destruct (push_last_strides l m) as [-> | ->]; [auto|]. split; [now apply sorted_end|].
  apply Forall_app. split; [assumption|]. repeat constructor. lia.
Qed.

Lemma free_modes_increase : forall sorted run top front,
  1 <= run -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted ->
  apart sorted run -> StronglySorted N.lt (map stride front) -> Forall (fun y => y < run) (map stride front) ->
  StronglySorted N.lt (map stride (fold_left push_merged (free_modes sorted run ++ [Mode top (span sorted run)])
    front)).
Proof.
  induction sorted as [|m rest IH]; intros run top front R F A S B; simpl.
  - now apply push_merged_increases.
  - inversion F as [|? ? [E St] F']; subst. destruct A as [A A'].
    destruct (push_merged_increases front (Mode (stride m / run) run)) as [S' B']; trivial.
    apply IH; trivial; [nia|]. eapply Forall_impl; [|exact B']. simpl. intros y Y. nia.
Qed.

Theorem complement_increases : forall l m r,
  positive l -> 1 <= m -> complement l m = Ok r -> StronglySorted N.lt (map stride r).
Proof.
  intros l m r P M H. unfold complement, bind in H.
  destruct (complement_modes l m) as [free|] eqn:E; [|discriminate]. inversion H; subst r. clear H.
  destruct (complement_modes_spec l m free P M E) as (-> & A & Mu & S & D & F).
  enough (StronglySorted N.lt (map stride (merged (free_modes (sort_by stride (moving l)) 1 ++ [Mode (m / span (sort_by
    stride (moving l)) 1) (span (sort_by stride (moving l)) 1)])))) as G.
  { destruct (merged _); [repeat constructor|exact G]. }
  apply free_modes_increase; trivial; [lia|now apply sorted_moving_spec|constructor|constructor].
Qed.

(** ** Theorem: the rounded complement is that in the next multiple of what the layout spans *)
Theorem complement_ceil_law : forall l m r, positive l -> 1 <= m -> complement_ceil l m = Ok r ->
  exists span, 1 <= span /\ complement l (div_ceil m span * span) = Ok r /\ m <= div_ceil m span * span < m + span.
Proof.
  intros l m r P M H. unfold complement_ceil, bind, gaps in H.
  destruct (gaps_of (sort_by stride (moving l)) 1 true []) as [[free s]|] eqn:E; [|discriminate].
  apply gaps_of_spec in E as (_ & -> & A & _). exists (span (sort_by stride (moving l)) 1).
  destruct (free_modes_positive (sort_by stride (moving l)) 1) as [_ S]; [lia|now apply sorted_moving_spec|assumption|].
  destruct (div_ceil_bounds m _ M S) as (Q & L & U). split; [assumption|]. split; [exact H|]. nia.
Qed.
