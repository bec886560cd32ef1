(** * Inverses: how far they go, and where there is none

    [right_inverse] always answers. If the modes of [L] that move send no two coordinates to one offset, then it goes as
    far as anything can: its size is the first number that is no offset of [L]. [nullspace] has every number at which
    [L] is 0. [left_inverse] reads digits, so it needs sorted strides of which each is a multiple of the one before it.
    Among such layouts it is refused only where nothing at all undoes [L]. Each of these conditions is needed: the
    examples are the smallest layouts beyond it. *)

From Layout Require Import Mode Coalesce Composition Offsets Complement Inverse Divide Product ComplementExact.

(** No two coordinates of the modes that move have the same offset. *)
Definition one_to_one (l : list mode) : Prop :=
  forall i i', i < size (moving l) -> i' < size (moving l) -> index (moving l) i = index (moving l) i' -> i = i'.

(** ** Lists without repetition *)

Lemma no_dup_map : forall (f : N -> N) l, (forall x y,
  In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros f l. induction l as [|a l IH]; intros F D; [constructor|]. inversion D; subst. simpl. constructor.
  - intro I. apply in_map_iff in I as (x & E & I). assert (x = a) by (apply F; [now right|now left|exact E]). now subst.
  - apply IH; trivial. intros x y X Y. apply F; now right.
Qed.

Lemma no_dup_front : forall (p q : list N), NoDup (p ++ q) -> NoDup p.
Proof.
  induction p as [|x p IH]; intros q D; [constructor|]. inversion D as [|? ? N D']; subst.
  constructor; [|now apply (IH q)].
  intro I. apply N, in_app_iff. now left.
Qed.

Lemma one_to_one_no_dup : forall l, positive l -> one_to_one l -> NoDup (offsets (moving l)).
Proof.
  intros l P O. rewrite offsets_index by now apply moving_positive. apply no_dup_map; [|apply range_no_dup].
  intros x y X Y. apply in_range in X, Y. now apply O.
Qed.

(** Where all sums differ, two of them are equal only if both summands are. *)
Lemma all_sums_once : forall xs ys x y x' y', NoDup (all_sums xs ys) -> In x xs -> In x' xs -> In y ys -> In y' ys ->
  x + y = x' + y' -> y = y'.
Proof.
  intros xs ys x y x' y' D X X' Y Y' E. induction ys as [|z ys IH]; [contradiction|].
  change (NoDup (map (fun x => x + z) xs ++ all_sums xs ys)) in D.
  assert (Apart : forall u v w, In u xs -> In v xs -> In w ys -> u + z = v + w -> False).
  { intros u v w U V W Eq. assert (I : In (u + z) (map (fun x => x + z) xs)) by now apply in_map with (f
      := fun x => x + z).
    assert (J : In (u + z) (all_sums xs ys)) by (rewrite Eq; apply in_flat_map; exists w; split;
      [exact W|now apply in_map with (f := fun x => x + w)]).
    clear - D I J. induction (map (fun x => x + z) xs) as [|a l IH]; [contradiction|]. inversion D; subst.
    destruct I as [->|I]; [|now apply IH]. apply H1, in_app_iff. now right. }
  destruct Y as [->|Y], Y' as [->|Y']; trivial.
  - exfalso. now apply (Apart x x' y').
  - exfalso. now apply (Apart x' x y).
  - apply IH; trivial. clear - D. induction (map (fun x => x + z) xs) as [|a l IH]; [exact D|]. inversion D; subst.
    now apply IH.
Qed.

Lemma steps_first : forall m, 1 <= extent m -> In 0 (steps m) /\ exists xs, steps m = 0 :: xs.
Proof.
  intros m E. unfold steps, range. destruct (N.to_nat (extent m)) as [|k] eqn:K; [lia|]. simpl.
  split; [now left|eexists; reflexivity].
Qed.

Lemma in_steps : forall m x, x < extent m -> In (x * stride m) (steps m).
Proof. intros m x L. unfold steps. apply in_map with (f := fun x => x * stride m). now apply in_range. Qed.

Lemma zero_in_offsets : forall l, positive l -> In 0 (offsets l).
Proof.
  induction l as [|m r IH]; intro P; [now left|]. apply positive_cons in P as [Pm Pr]. simpl.
  apply in_flat_map. exists 0. split; [now apply IH|]. replace 0 with (0 + 0) at 1 by lia.
  apply in_map with (f := fun x => x + 0). now apply steps_first.
Qed.

Lemma first_in_offsets : forall m r x, positive r -> x < extent m -> In (x * stride m) (offsets (m :: r)).
Proof.
  intros m r x P L. simpl. apply in_flat_map. exists 0. split; [now apply zero_in_offsets|].
  replace (x * stride m) with (x * stride m + 0) by lia. apply in_map with (f := fun x => x + 0). now apply in_steps.
Qed.

Lemma offset_in_offsets : forall l o, In o (offsets l) <-> exists c, inside l c /\ offset l c = o.
Proof.
  induction l as [|m r IH]; intro o.
  - simpl. split.
    + intros [<-|[]]. exists []. repeat constructor.
    + intros (c & I & E). inversion I; subst. now left.
  - simpl. unfold all_sums. rewrite in_flat_map. split.
    + intros (y & Y & I). apply IH in Y as (c & C & <-). apply in_map_iff in I as (z & <- & Z).
      unfold steps in Z. apply in_map_iff in Z as (x & <- & X). apply in_range in X.
      exists (x :: c). split; [now constructor|reflexivity].
    + intros (c & I & E). inversion I as [|? x ? y X Iy]; subst. exists (offset r y). split; [apply IH; eauto|].
      change (In (x * stride m + offset r y) (map (fun x => x + offset r y) (steps m))).
      apply in_map with (f := fun x => x + offset r y). now apply in_steps.
Qed.

(** ** Sorted modes that move *)

Lemma moving_domain : forall l step, moving l = map in_offsets (filter not_still (domain_modes_from l step)).
Proof.
  induction l as [|m r IH]; intro step; [reflexivity|]. simpl. unfold moves at 1.
  destruct (N.eqb_spec (extent m) 1) as [E|E]; simpl; [apply IH|]. unfold not_still at 1. simpl.
  destruct (N.eqb_spec (stride m) 0) as [Z|Z]; simpl; [apply IH|]. rewrite <- IH. now destruct m.
Qed.

Section Sorted.
  Variables (A B : Type) (key : A -> N) (key' : B -> N) (g : A -> B) (keep : A -> bool).
  Variable same : forall x, key' (g x) = key x.

  Lemma insert_map : forall x l, insert B key' (g x) (map g l) = map g (insert A key x l).
  Proof. induction l as [|y r IH]; [reflexivity|]. simpl. rewrite !same.
  destruct (key x <=? key y); simpl; [reflexivity|]. now rewrite IH. Qed.

  Lemma sort_map : forall l, sort_by key' (map g l) = map g (sort_by key l).
  Proof. induction l as [|x r IH]; [reflexivity|]. simpl. rewrite <- insert_map. now rewrite <- IH. Qed.

  Lemma insert_least : forall x l, Forall (fun y => key x <= key y) l -> insert A key x l = x :: l.
  Proof. intros x [|y r] F; [reflexivity|]. inversion F; subst. simpl.
  now destruct (N.leb_spec (key x) (key y)); [|lia]. Qed.

  Lemma filter_insert : forall x l, StronglySorted (fun a b => key a <= key b) l ->
    filter keep (insert A key x l) = if keep x then insert A key x (filter keep l) else filter keep l.
  Proof.
    induction l as [|y r IH]; intro S; simpl; [now destruct (keep x)|]. inversion S as [|? ? Sr F]; subst.
    destruct (N.leb_spec (key x) (key y)) as [L|L]; simpl.
    - destruct (keep x) eqn:K; [|reflexivity]. destruct (keep y); simpl.
      + now destruct (N.leb_spec (key x) (key y)); [|lia].
      + rewrite insert_least; [reflexivity|]. apply Forall_forall. intros z Z. apply filter_In in Z as [Z _].
        rewrite Forall_forall in F. specialize (F z Z). lia.
    - rewrite IH by assumption. destruct (keep y), (keep x); simpl; trivial.
      now destruct (N.leb_spec (key x) (key y)); [lia|].
  Qed.

  Lemma filter_sort : forall l, filter keep (sort_by key l) = sort_by key (filter keep l).
  Proof.
    induction l as [|x r IH]; [reflexivity|]. simpl. rewrite filter_insert by apply sort_sorted.
    destruct (keep x); simpl; unfold sort_by in *; now rewrite IH.
  Qed.
End Sorted.

(** The modes that move, sorted, each with its step in the domain. *)
Definition sorted_moving (l : list mode) : list domain_mode := filter not_still (sort_by d_stride (domain_modes l)).

Lemma sorted_moving_offsets : forall l, map in_offsets (sorted_moving l) = sort_by stride (moving l).
Proof.
  intro l. unfold sorted_moving. rewrite filter_sort, (moving_domain l 1).
  symmetry. now apply (sort_map _ _ d_stride stride in_offsets).
Qed.

Lemma sorted_moving_extents : forall l,
  positive l -> Forall (fun m => 2 <= d_extent m /\ 1 <= d_stride m) (sorted_moving l).
Proof.
  intros l P. pose proof (sorted_moving_spec l P) as F. rewrite <- sorted_moving_offsets in F.
  induction (sorted_moving l); inversion F; subst; constructor; auto.
Qed.

Lemma sorted_moving_sorted : forall l, StronglySorted (fun a b => d_stride a <= d_stride b) (sorted_moving l).
Proof. intro l. unfold sorted_moving. rewrite filter_sort. apply sort_sorted. Qed.

Lemma sorted_moving_no_dup : forall l, positive l -> one_to_one l -> NoDup (offsets (map in_offsets (sorted_moving l))).
Proof.
  intros l P O. rewrite sorted_moving_offsets. eapply Permutation_NoDup; [apply offsets_permutation, sort_permutation|].
  now apply one_to_one_no_dup.
Qed.

Lemma in_offsets_positive : forall ms,
  Forall (fun m => 2 <= d_extent m /\ 1 <= d_stride m) ms -> positive (map in_offsets ms).
Proof. induction 1 as [|m ms [E D] F IH]; simpl; constructor; trivial. simpl. lia. Qed.

(** ** Theorem: no right inverse is longer *)

Lemma chosen_none : forall l run, Forall (fun m => run < d_stride m) l -> chosen l run = [].
Proof. induction 1 as [|m l L F IH]; [reflexivity|]. simpl. destruct (N.eqb_spec (d_stride m) run); [lia|exact IH]. Qed.

Lemma chosen_not_still : forall l run,
  1 <= run -> Forall (fun m => 2 <= d_extent m) l -> chosen (filter not_still l) run = chosen l run.
Proof.
  induction l as [|m r IH]; intros run R F; [reflexivity|]. inversion F; subst. simpl. unfold not_still at 1.
  destruct (N.eqb_spec (d_stride m) 0) as [Z|Z]; simpl.
  - destruct (N.eqb_spec (d_stride m) run); [lia|]. now apply IH.
  - destruct (N.eqb_spec (d_stride m) run); [f_equal; apply IH; trivial; nia|now apply IH].
Qed.

Lemma range_steps : forall run s, all_sums (range run) (steps (Mode s run)) = range (run * s).
Proof.
  intros run s. rewrite range_mul. unfold all_sums, steps. simpl. rewrite flat_map_map. apply flat_map_in_ext.
  intros q _. apply map_ext. intro x. lia.
Qed.

Lemma chosen_longest : forall sorted run, 1 <= run -> Forall (fun m => 2 <= d_extent m /\ 1 <= d_stride m) sorted ->
  StronglySorted (fun a b => d_stride a <= d_stride b) sorted ->
  NoDup (all_sums (range run) (offsets (map in_offsets sorted))) ->
  ~ In (run * product (map d_extent (chosen sorted run))) (all_sums (range run) (offsets (map in_offsets sorted))).
Proof.
  induction sorted as [|m rest IH]; intros run R F S D.
  - simpl map. simpl chosen. change (offsets []) with [0]. rewrite all_sums_zero, in_range. unfold product. simpl. lia.
  - inversion F as [|? ? [E1 D1] F']; subst. inversion S as [|? ? S' Le]; subst.
    pose proof (in_offsets_positive rest F') as Pr. simpl chosen. destruct (N.eqb_spec (d_stride m) run) as [Eq|NE].
    + assert (Regroup : all_sums (range run) (offsets (map in_offsets (m :: rest))) = all_sums (range (run * d_extent
        m)) (offsets (map in_offsets rest))).
      { simpl. rewrite <- all_sums_assoc. unfold in_offsets at 1. rewrite Eq. now rewrite range_steps. }
      rewrite Regroup in *. change (product (map d_extent (m :: chosen rest (run * d_extent m))))
        with (d_extent m * product (map d_extent (chosen rest (run * d_extent m)))). rewrite N.mul_assoc.
      apply IH; trivial. nia.
    + destruct (N.lt_ge_cases (d_stride m) run) as [L|L].
      * exfalso. assert (d_stride m = 0); [|lia].
        apply (all_sums_once (range run) (offsets (map in_offsets (m :: rest))) 0 (d_stride m) (d_stride m) 0); trivial;
          try lia.
        -- apply in_range. lia.
        -- now apply in_range.
        -- pose proof (first_in_offsets (in_offsets m) (map in_offsets rest) 1 Pr) as I. simpl in I.
        rewrite N.mul_1_l in I.
           apply I. lia.
        -- apply zero_in_offsets. simpl. constructor; [simpl; lia|exact Pr].
      * assert (Above : Forall (fun k => run < d_stride k) (m :: rest)).
        { constructor; [lia|]. eapply Forall_impl; [|exact Le]. simpl. lia. }
        rewrite chosen_none by (now inversion Above). unfold product. simpl fold_right. rewrite N.mul_1_r. intro I.
        apply in_flat_map in I as (y & Y & I). apply in_map_iff in I as (x & Ex & X). apply in_range in X.
        apply offset_in_offsets in Y as (c & C & <-).
        destruct (offset_least (map in_offsets (m :: rest)) (run + 1) c) as [Z|Z]; trivial; [|rewrite Z in Ex; lia|lia].
        apply Forall_forall. intros k K. apply in_map_iff in K as (j & <- & J). rewrite Forall_forall in Above.
        specialize (Above j J). simpl in *. lia.
Qed.

Lemma right_inverse_size : forall l,
  positive l -> size (right_inverse l) = product (map d_extent (chosen (sorted_moving l) 1)).
Proof.
  intros l P. unfold right_inverse. rewrite from_modes_size, right_inverse_loop_chosen.
  pose proof (chosen_extents l 1 P) as F. destruct (in_domain_positive _ F) as [Pc _].
  change (fold_left push_merged (map in_domain (chosen (sort_by d_stride (domain_modes l)) 1)) [])
    with (merged (map in_domain (chosen (sort_by d_stride (domain_modes l)) 1))).
  rewrite merged_size by assumption. unfold sorted_moving. rewrite chosen_not_still.
  - clear. induction (chosen _ 1); simpl; [reflexivity|]. unfold product in *. simpl. now rewrite IHl0.
  - lia.
  - eapply Permutation_Forall; [apply sort_permutation|now apply domain_modes_extent].
Qed.

Theorem right_inverse_longest : forall l (f : N -> N) k, positive l -> one_to_one l ->
  (forall i, i < k -> f i < size l /\ index l (f i) = i) -> k <= size (right_inverse l).
Proof.
  intros l f k P O H. destruct (N.le_gt_cases k (size (right_inverse l))) as [|L]; [assumption|exfalso].
  destruct (H (size (right_inverse l)) L) as [B E].
  pose proof (chosen_longest (sorted_moving l) 1 ltac:(lia) (sorted_moving_extents l P) (sorted_moving_sorted l)) as C.
  change (range 1) with [0] in C. rewrite zero_all_sums, N.mul_1_l in C.
  rewrite <- right_inverse_size in C by assumption.
  apply C; [now apply sorted_moving_no_dup|]. rewrite sorted_moving_offsets.
  eapply Permutation_in; [apply offsets_permutation, sort_permutation|].
  rewrite <- E, index_of_coordinate.
  destruct (moving_offset l (coordinate l (f (size (right_inverse l))))) as (c & I & Oc);
    [now apply coordinate_inside|].
  rewrite <- Oc. apply offset_in_offsets. now exists c.
Qed.

(** Where two coordinates have one offset, there may be a longer one: the rule takes the first mode of stride 1, and
    [(2,2):(1,4)] takes a step of each of two. *)
Example right_inverse_overlap :
  right_inverse [Mode 2 1; Mode 3 1] = [Mode 2 1] /\
  map (fun i => index [Mode 2 1; Mode 3 1] (index [Mode 2 1; Mode 2 4] i)) [0; 1; 2; 3] = [0; 1; 2; 3].
Proof. split; reflexivity. Qed.

(** ** Theorem: the nullspace is all of it *)

Lemma pairs_inside : forall qs, Forall below qs -> inside (map in_domain (map fst qs)) (map snd qs) /\
  offset (map in_domain (map fst qs)) (map snd qs) = sum_of d_step qs.
Proof.
  induction 1 as [|[m x] qs B F [I O]]; simpl; [repeat constructor|]. split; [constructor; [exact B|exact I]|].
  now rewrite O.
Qed.

Theorem nullspace_all : forall l i, positive l -> i < size l -> index l i = 0 ->
  exists j, j < size (nullspace l) /\ index (nullspace l) j = i.
Proof.
  intros l i P I Z. destruct (domain_digits l 1 i P I) as (ps & E & B & S & O). rewrite N.mul_1_l in S. rewrite Z in O.
  set (qs := filter (fun p => still (fst p)) ps).
  assert (Eq : map fst qs = filter still (domain_modes l)) by (unfold qs, domain_modes; rewrite <- E, filter_map;
    reflexivity).
  assert (Bq : Forall below qs).
  { apply Forall_forall. intros p M. apply filter_In in M as [M _]. rewrite Forall_forall in B. now apply B. }
  assert (Sq : sum_of d_step qs = i).
  { rewrite <- S. unfold qs. clear - O. induction ps as [|[m x] ps IH]; simpl in *; [reflexivity|].
    unfold still at 1. destruct (N.eqb_spec (d_stride m) 0) as [Zm|NZ]; simpl; [rewrite IH; lia|].
    assert (x * d_stride m = 0) as Zx by lia. apply N.eq_mul_0 in Zx as [->|Zx]; [|contradiction]. rewrite IH; lia. }
  destruct (pairs_inside qs Bq) as [In Off]. rewrite Eq in In, Off.
  assert (Fs : Forall (fun m => 2 <= d_extent m) (filter still (domain_modes l))).
  { pose proof (domain_modes_extent l 1 P) as F. apply Forall_forall. intros m M. apply filter_In in M as [M _].
    rewrite Forall_forall in F. now apply F. }
  destruct (in_domain_positive _ Fs) as [Pd _]. set (ms := map in_domain (filter still (domain_modes l))) in *.
  exists (number ms (map snd qs)). pose proof (number_below _ _ In) as Nb.
  unfold nullspace. fold ms. rewrite from_modes_size, merged_size by assumption. split; [exact Nb|].
  rewrite from_modes_index by now rewrite merged_size. rewrite merged_index by assumption.
  rewrite index_of_number by assumption. congruence.
Qed.

(** ** Theorem: the left inverse is exact where the strides are multiples of one another *)

(** Each stride is a multiple of the one before it. *)
Fixpoint chain (l : list mode) : Prop :=
  match l with
  | m :: r => match r with n :: _ => stride n mod stride m = 0 /\ chain r | [] => True end
  | [] => True
  end.

Lemma left_inverse_digits_complete : forall sorted, Forall (fun m => 2 <= d_extent m /\ 1 <= d_stride m) sorted ->
  chain (map in_offsets sorted) -> NoDup (offsets (map in_offsets sorted)) -> exists digits,
    left_inverse_digits sorted = Ok digits.
Proof.
  induction sorted as [|m rest IH]; intros F C D; [now exists []|]. inversion F as [|? ? [E1 D1] F']; subst.
  destruct rest as [|up rest]; [eexists; reflexivity|].
  change (left_inverse_digits (m :: up :: rest)) with (
    if d_stride up <? d_extent m * d_stride m then Err Overlap
    else if negb (d_stride up mod d_stride m =? 0) then Err Divisibility
    else let? digits := left_inverse_digits (up :: rest) in Ok (Mode (d_stride up / d_stride m) (d_step m) :: digits)).
  simpl in C. destruct C as [Cm C]. inversion F' as [|? ? [E2 D2] F'']; subst.
  pose proof (in_offsets_positive _ F') as Pr. simpl map in D.
  destruct (N.ltb_spec (d_stride up) (d_extent m * d_stride m)) as [L|_].
  - exfalso. set (q := d_stride up / d_stride m).
    assert (Up : d_stride up = q * d_stride m) by (unfold q; rewrite (N.div_mod (d_stride up) (d_stride m)) at 1 by lia;
      lia).
    assert (Q : q < d_extent m) by (apply N.div_lt_upper_bound; lia).
    assert (0 = d_stride up); [|lia].
    apply (all_sums_once (steps (in_offsets m)) (offsets (in_offsets up :: map in_offsets rest)) (d_stride up) 0 0
      (d_stride up)); trivial.
    + rewrite Up. now apply (in_steps (in_offsets m) q).
    + apply steps_first. simpl. lia.
    + now apply zero_in_offsets.
    + pose proof (first_in_offsets (in_offsets up) (map in_offsets rest) 1) as I. simpl in I. rewrite N.mul_1_l in I.
      apply I; [now apply positive_cons in Pr|lia].
    + lia.
  - rewrite Cm. simpl negb. cbv iota. destruct (IH F' C) as [digits H].
    + destruct (steps_first (in_offsets m)) as [_ (xs & X)]; [simpl; lia|].
      simpl in D. rewrite X in D. eapply Permutation_NoDup in D; [|apply all_sums_cons].
      apply no_dup_front in D. rewrite (map_ext (fun y => 0 + y) (fun y => y)), map_id in D by (intro; lia). exact D.
    + rewrite H. simpl. eauto.
Qed.

Theorem left_inverse_exact : forall l, positive l -> chain (sort_by stride (moving l)) ->
  ((exists f, forall i, i < size (moving l) -> f (index (moving l) i) = i) <-> (exists r, left_inverse l = Ok r)).
Proof.
  assert (Complete : forall l, positive l -> chain (sort_by stride (moving l)) -> one_to_one l -> exists r,
    left_inverse l = Ok r).
  { intros l P C O. pose proof (sorted_moving_extents l P) as F. pose proof (sorted_moving_no_dup l P O) as D.
    rewrite <- sorted_moving_offsets in C. unfold left_inverse, bind. fold (sorted_moving l).
    destruct (left_inverse_digits_complete _ F C D) as [digits H].
    unfold left_inverse_modes, bind. destruct (sorted_moving l) as [|m r]; [eauto|]. rewrite H. eauto. }
  intros l P C. split.
  - intros [f H]. apply Complete; trivial. intros i i' I I' E. rewrite <- (H i I), <- (H i' I'). now rewrite E.
  - intros [r H].
    assert (Digits : forall s s', map in_offsets s = map in_offsets s' -> forall d,
      left_inverse_digits s = Ok d -> exists d', left_inverse_digits s' = Ok d').
    { induction s as [|m s IH]; intros [|m' s'] E d D; try discriminate; [now exists d|]. simpl in E.
      injection E as Ee Ed E.
      destruct s as [|u s], s' as [|u' s']; try discriminate; [eexists; reflexivity|].
      assert (Eu : d_stride u = d_stride u') by (pose proof E as E'; now injection E').
      change (left_inverse_digits (m' :: u' :: s')) with (
        if d_stride u' <? d_extent m' * d_stride m' then Err Overlap
        else if negb (d_stride u' mod d_stride m' =? 0) then Err Divisibility
        else let? digits := left_inverse_digits (u' :: s') in Ok (Mode (d_stride u' / d_stride m') (d_step m') ::
          digits)).
      change (left_inverse_digits (m :: u :: s)) with (
        if d_stride u <? d_extent m * d_stride m then Err Overlap
        else if negb (d_stride u mod d_stride m =? 0) then Err Divisibility
        else let? digits := left_inverse_digits (u :: s) in Ok (Mode (d_stride u / d_stride m) (d_step m) :: digits)) in
          D.
      rewrite <- Eu, <- Ee, <- Ed. destruct (_ <? _); [discriminate|]. destruct (negb _); [discriminate|].
      unfold bind in D. destruct (left_inverse_digits (u :: s)) as [ds|] eqn:Eds; [|discriminate].
      destruct (IH (u' :: s') E ds eq_refl) as [ds' ->]. simpl. eauto. }
    pose proof (moving_positive l P) as Pm.
    assert (Twice : moving (moving l) = moving l).
    { unfold moving. clear. induction l as [|m r IH]; [reflexivity|]. simpl.
      destruct (moves m) eqn:M; [simpl; now rewrite M, IH|exact IH]. }
    assert (Same : map in_offsets (sorted_moving l) = map in_offsets (sorted_moving (moving l))) by now rewrite
      !sorted_moving_offsets, Twice.
    assert (exists r', left_inverse (moving l) = Ok r') as [r' H'].
    { rewrite <- sorted_moving_offsets in C. assert (C' := C). rewrite Same in C'. unfold left_inverse, bind in *.
      fold (sorted_moving l) in H. fold (sorted_moving (moving l)).
      unfold left_inverse_modes, bind in *.
      destruct (sorted_moving l) as [|m s] eqn:El, (sorted_moving (moving l)) as [|m' s'] eqn:Em; try discriminate;
        [eauto|].
      destruct (left_inverse_digits (m :: s)) as [d|] eqn:D; [|discriminate].
      destruct (Digits _ _ Same d D) as [d' ->]. eauto. }
    exists (index r'). intros i I. apply (proj2 (left_inverse_law (moving l) r' Pm H')); trivial.
    eapply Forall_impl; [|apply (moving_spec l P)]. simpl. lia.
Qed.

(** Where they are not, the rule may refuse what there is,
  for it reads digits and does not search: [(2,2):(2,3)] has the
    offsets 0, 2, 3, 5, which [(2,3):(1,1)] counts, and [(2,2,2):(1,2,5)] is undone by [(4,2,1):(1,3,7)]. *)
Example left_inverse_overlap :
  left_inverse [Mode 2 2; Mode 2 3] = Err Overlap /\
  map (fun i => index [Mode 2 1; Mode 3 1] (index [Mode 2 2; Mode 2 3] i)) [0; 1; 2; 3] = [0; 1; 2; 3].
Proof. split; reflexivity. Qed.
Example left_inverse_divisibility :
  left_inverse [Mode 2 1; Mode 2 2; Mode 2 5] = Err Divisibility /\
  map (fun i => index [Mode 4 1; Mode 2 3; Mode 1 7] (index [Mode 2 1; Mode 2 2; Mode 2 5] i)) [0; 1; 2; 3; 4; 5; 6; 7]
    = [0; 1; 2; 3; 4; 5; 6; 7].
Proof. split; reflexivity. Qed.
