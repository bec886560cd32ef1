(** * Divide: whatever the rest is

    [divide_exact] takes the rest that the rule takes, the complement. This file proves that no other rest is better: if
    there is any layout [R] that [T] leaves free in the size of [A],
      its modes in whatever order and cut in whatever way,
    and any layout that is [A o (T, R)], then the rule answers. For sorted and coalesced, the modes of [R] are those of
    the complement: both count the same offsets upwards. *)

From Layout Require Import Mode Coalesce Composition Completeness Carries NormalForm Offsets Complement Inverse Divide
  Product
  ComplementExact InverseExact DivideExact Tree Nested.

(** ** Layouts that count upwards *)

Definition first_stride_of (l : list mode) : N := match l with m :: _ => stride m | [] => 1 end.

(** If each mode begins at the end of the one before it, or beyond, each offset is larger than the one before it. *)
Lemma ascending_increases : forall l i j, positive l -> Forall (fun m => 1 <= stride m) l -> ascending l ->
  i < j -> j < size l -> index l i + first_stride_of l <= index l j.
Proof.
  induction l as [|m r IH]; intros i j P F A L J; [simpl in J; lia|].
  apply positive_cons in P as [Pm Pr]. inversion F as [|? ? Fm Fr]; subst. simpl in J.
  rewrite !index_cons_below by lia. simpl first_stride_of.
  set (s := extent m) in *. set (x := i mod s). set (y := j mod s). set (p := i / s). set (q := j / s).
  assert (X : x < s) by (apply N.mod_lt; lia). assert (Y : y < s) by (apply N.mod_lt; lia).
  assert (Ei : i = s * p + x) by (apply N.div_mod; lia). assert (Ej : j = s * q + y) by (apply N.div_mod; lia).
  assert (Q : q < size r) by (apply N.div_lt_upper_bound; lia).
  destruct (N.lt_trichotomy p q) as [PQ|[PQ|PQ]]; [| |nia].
  - destruct r as [|n r]; [simpl in Q; lia|]. destruct A as [A A'].
    pose proof (IH p q Pr Fr A' PQ Q) as H. simpl first_stride_of in H. fold s in A. nia.
  - rewrite PQ in *. assert (x < y) by nia. nia.
Qed.

Lemma increasing_same : forall (f g : N -> N) n n',
  (forall i j, i < j -> j < n -> f i < f j) -> (forall i j, i < j -> j < n' -> g i < g j) ->
  (forall i, i < n -> exists j, j < n' /\ g j = f i) -> (forall j, j < n' -> exists i, i < n /\ f i = g j) ->
  n = n' /\ forall i, i < n -> f i = g i.
Proof.
  intros f g n n' F G FG GF.
  assert (Key : forall i, i < n -> i < n' -> f i = g i).
  { intro i. induction i as [i IH] using (well_founded_induction N.lt_wf_0). intros I I'.
    assert (Le : g i <= f i).
    { destruct (FG i I) as (j & J & E).
      destruct (N.lt_trichotomy j i) as [L|[->|L]]; [|lia|specialize (G i j L J); lia].
      exfalso. assert (f j = g j) by (apply IH; lia). specialize (F j i L I). lia. }
    assert (Ge : f i <= g i).
    { destruct (GF i I') as (j & J & E).
      destruct (N.lt_trichotomy j i) as [L|[->|L]]; [|lia|specialize (F i j L J); lia].
      exfalso. assert (f j = g j) by (apply IH; lia). specialize (G j i L I'). lia. }
    lia. }
  assert (n = n') as <-; [|split; [reflexivity|auto]].
  destruct (N.lt_trichotomy n n') as [L|[E|L]]; [exfalso|exact E|exfalso].
  - destruct (GF n L) as (i & I & E). rewrite (Key i I) in E by lia. specialize (G i n I L). lia.
  - destruct (FG n' L) as (i & I & E). rewrite <- (Key i) in E by lia. specialize (F i n' I L). lia.
Qed.

Lemma apart_ascending : forall sorted run, apart sorted run -> ascending sorted.
Proof.
  induction sorted as [|m r IH]; intros run A; [exact I|]. destruct A as [_ A]. specialize (IH _ A).
  destruct r as [|n r]; [exact I|]. destruct A as [A _]. split; assumption.
Qed.

Lemma free_modes_ascending : forall sorted run top,
  1 <= run -> Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted ->
  apart sorted run -> ascending (free_modes sorted run ++ [Mode top (span sorted run)]).
Proof.
  induction sorted as [|m rest IH]; intros run top R F A; [exact I|]. inversion F as [|? ? [E D] F']; subst.
  destruct A as [A A'].
  specialize (IH (extent m * stride m) top ltac:(nia) F' A'). simpl free_modes. simpl span.
  assert (Le : stride m / run * run <= stride m) by (rewrite N.mul_comm; apply N.mul_div_le; lia).
  destruct rest as [|n rest]; simpl in *; (split; [nia|exact IH]).
Qed.

(** ** What [T] leaves free, sorted and coalesced, is the complement *)

Lemma in_moving : forall l o, In o (offsets (moving l)) -> positive l -> exists c, inside l c /\ offset l c = o.
Proof.
  intros l o D P. apply offset_in_offsets in D as (d & D & <-). revert d D.
  induction l as [|k l IH]; intros d D; [inversion D; subst; exists []; repeat constructor|].
  apply positive_cons in P as [Pk Pl]. simpl in D |- *. destruct (moves k).
  - inversion D as [|? x ? y X Y]; subst. destruct (IH Pl y Y) as (e & I & O). exists (x :: e).
    split; [now constructor|]. simpl. now rewrite O.
  - destruct (IH Pl d D) as (e & I & O). exists (0 :: e). split; [constructor; [lia|exact I]|]. simpl. now rewrite O.
Qed.

Lemma index_in_offsets : forall l o, positive l -> (In o (offsets l) <-> exists i, i < size l /\ index l i = o).
Proof.
  intros l o P. rewrite offsets_index by assumption. rewrite in_map_iff. split.
  - intros (i & E & I). exists i. split; [now apply in_range|exact E].
  - intros (i & I & E). exists i. split; [exact E|now apply in_range].
Qed.

Lemma moving_same : forall l o, positive l -> (In o (offsets (moving l)) <-> In o (offsets l)).
Proof.
  intros l o P. split.
  - intro H. apply in_moving in H as (c & C & O); [|exact P]. apply offset_in_offsets. now exists c.
  - intro H. apply offset_in_offsets in H as (c & C & <-). destruct (moving_offset l c C) as (d & D & O). rewrite <- O.
    apply offset_in_offsets. now exists d.
Qed.

(** Where the layouts change places: [T] is what [R] leaves free. *)
Lemma leaves_free_back : forall t r m, positive t -> positive r -> leaves_free t m (index r) (size r) ->
  leaves_free r m (index (moving t)) (size (moving t)).
Proof.
  intros t r m T R (Below & Sum & Once). pose proof (moving_positive r R) as Rm. pose proof (moving_positive t T) as Tm.
  assert (In_r : forall i, i < size (moving r) -> exists j, j < size r /\ index r j = index (moving r) i).
  { intros i I. apply index_in_offsets; [exact R|]. apply moving_same; [exact R|]. apply index_in_offsets; [exact Rm|].
    now exists i. }
  split; [|split].
  - intros i j I J. destruct (In_r i I) as (k & K & <-). rewrite N.add_comm. now apply Below.
  - intros x X. destruct (Sum x X) as (i & j & I & J & E).
    assert (In (index r j) (offsets (moving r))) as H.
    { apply moving_same; [exact R|]. apply index_in_offsets; [exact R|]. now exists j. }
    apply index_in_offsets in H as (k & K & Ek); [|exact Rm]. exists k, i. repeat split; trivial. lia.
  - (* the moving modes of [r] are one to one, for [r] is *)
    assert (Inj : forall c c', inside (moving r) c -> inside (moving r) c'
      -> offset (moving r) c = offset (moving r) c' -> c = c').
    { assert (Dr : forall c c', inside r c -> inside r c' -> offset r c = offset r c' -> c = c').
      { intros c c' C C' E. pose proof (size_positive _ Tm) as S.
        destruct (Once 0 (number r c) 0 (number r c')) as [_ N0]; try lia; try now apply number_below.
        - rewrite !index_of_number by assumption. lia.
        - rewrite <- (coordinate_of_number r c), <- (coordinate_of_number r c') by assumption. now rewrite N0. }
      clear - Dr R. revert Dr. induction r as [|k l IH]; intros Dr c c' C C' E; [inversion C; inversion C'; now subst|].
      apply positive_cons in R as [Rk Rl]. destruct (zero_coordinate l Rl) as [Iz Oz].
      assert (Dl : forall c c', inside l c -> inside l c' -> offset l c = offset l c' -> c = c').
      { intros d d' D D' Ed. assert (0 :: d = 0 :: d') as Eq; [|now inversion Eq].
        apply Dr; [constructor; [lia|exact D]|constructor; [lia|exact D']|simpl; lia]. }
      simpl in C, C', E. destruct (moves k) eqn:M; [|now apply (IH Rl Dl)].
      inversion C as [|? x ? y X Y]; subst. inversion C' as [|? x' ? y' X' Y']; subst. simpl in E.
      destruct (in_moving l (offset (moving l) y)) as (e & Ie & Oe); [apply offset_in_offsets; now exists y|exact Rl|].
      destruct (in_moving l (offset (moving l) y')) as (e' & Ie' & Oe'); [apply offset_in_offsets;
        now exists y'|exact Rl|].
      assert (x :: e = x' :: e') as Eq by (apply Dr; [now constructor|now constructor|simpl; lia]).
      inversion Eq as [[Ex Ee]]. f_equal. apply (IH Rl Dl); trivial. rewrite <- Oe, <- Oe'. now rewrite Ee. }
    intros i j i' j' I J I' J' E. destruct (In_r i I) as (k & K & Ek). destruct (In_r i' I') as (k' & K' & Ek').
    rewrite <- Ek, <- Ek' in E. destruct (Once j k j' k' J K J' K') as [-> Eq]; [lia|]. split; [|reflexivity].
    assert (coordinate (moving r) i = coordinate (moving r) i') as Ec.
    { apply Inj; try (now apply coordinate_inside). rewrite <- !index_of_coordinate. rewrite <- Ek, <- Ek', Eq.
      reflexivity. }
    destruct (moving r) as [|n0 l0] eqn:Er; [simpl in I, I'; lia|].
    rewrite <- (number_of_coordinate (n0 :: l0) i), <- (number_of_coordinate (n0 :: l0) i') by (trivial; discriminate).
    now rewrite Ec.
Qed.

Lemma rest_is_complement : forall t r m rest,
  positive t -> positive r -> 1 <= m -> leaves_free t m (index r) (size r) ->
  complement t m = Ok rest -> coalesce (sort_by stride (moving r)) = rest.
Proof.
  intros t r m rest T R M H C. pose proof (leaves_free_back t r m T R H) as B.
  apply leaves_free_tiles in B; [|exact R|exact M]. pose proof (sorted_moving_spec r R) as F.
  destruct (tiles_exact _ _ 1 m ltac:(lia) M F (sort_sorted mode stride (moving r)) B) as (Ap & _ & _).
  set (sorted := sort_by stride (moving r)) in *.
  assert (Ps : positive sorted) by (eapply Forall_impl; [|exact F]; simpl; lia).
  assert (As : ascending sorted) by now apply (apart_ascending _ 1).
  pose proof (complement_leaves_free t m rest T M C) as H'.
  unfold complement, bind in C. destruct (complement_modes t m) as [free|] eqn:E; [|discriminate].
  inversion C; subst rest. clear C.
  destruct (complement_modes_spec t m free T M E) as (Ef & At & _ & S & D & Px).
  pose proof (sorted_moving_spec t T) as Ft.
  set (x := free_modes (sort_by stride (moving t)) 1 ++ [Mode (m / span (sort_by stride (moving t)) 1) (span (sort_by
    stride (moving t)) 1)]) in *.
  assert (Ax : ascending x) by (apply free_modes_ascending; [lia|exact Ft|exact At]).
  assert (Sx : Forall (fun k => 1 <= stride k) x) by (apply Forall_app; split; [apply free_modes_strides;
    [lia|exact Ft]|repeat constructor; exact S]).
  assert (Cx : from_modes free = coalesce x) by (rewrite Ef; reflexivity).
  destruct (coalesce_same_function x Px) as [Size Same]. rewrite Cx in *.
  assert (In_s : forall o, (exists j, j < size r /\ index r j = o) <-> exists j, j < size sorted /\ index sorted j = o).
  { intro o. rewrite <- !index_in_offsets by assumption. rewrite <- (moving_same r o R).
    split; intro Z; (eapply Permutation_in; [|exact Z]); apply offsets_permutation;
      [apply sort_permutation|apply Permutation_sym, sort_permutation]. }
  apply coalesce_normal_form; trivial.
  apply increasing_same.
  - intros i j L J. pose proof (ascending_increases sorted i j Ps ltac:(eapply Forall_impl; [|exact F]; simpl;
      lia) As L J) as I.
    destruct sorted as [|n0 l0]; [simpl in J; lia|]. inversion F as [|? ? [_ D0] _]; subst. simpl first_stride_of in I.
    lia.
  - intros i j L J. pose proof (ascending_increases x i j Px Sx Ax L J) as I.
    destruct x as [|n0 l0]; [simpl in J; lia|]. inversion Sx; subst. simpl first_stride_of in I. lia.
  - intros i I. destruct (proj2 (In_s (index sorted i))) as (j & J & Ej); [now exists i|].
    destruct (complement_only t m _ _ _ _ T H H' j J) as (j' & J' & Ej'). rewrite Size in J'. exists j'.
    split; [exact J'|].
    rewrite <- Same by assumption. congruence.
  - intros i I. destruct (complement_only t m _ _ _ _ T H' H i) as (j & J & Ej); [now rewrite Size|].
    destruct (proj1 (In_s (index r j))) as (j' & J' & Ej'); [now exists j|]. exists j'. split; [exact J'|].
    rewrite <- Same by assumption. congruence.
Qed.

(** ** Compositions with the modes of [B] in another order, sorted out and joined *)

(** Coordinates of [bs'] are some of those of [bs], with the same offsets and the same offsets in the parts. *)
Definition found_in (bs : list mode) (parts : list (list mode)) (bs' : list mode) (parts' : list (list mode)) : Prop :=
  Forall2 refines bs' parts' /\
  forall c, inside bs' c -> exists d, inside bs d /\ offset bs d = offset bs' c /\ at_parts parts d = at_parts parts' c.

Lemma composition_found : forall a bs parts bs' parts',
  is_composition a bs parts -> found_in bs parts bs' parts' -> is_composition a bs' parts'.
Proof.
  intros a bs parts bs' parts' [_ Law] [F C]. split; [exact F|]. intros c I. destruct (C c I) as (d & D & <- & <-).
  now apply Law.
Qed.

Lemma found_in_trans : forall bs parts bs1 parts1 bs2 parts2,
  found_in bs parts bs1 parts1 -> found_in bs1 parts1 bs2 parts2 -> found_in bs parts bs2 parts2.
Proof.
  intros bs parts bs1 parts1 bs2 parts2 [_ C] [F D]. split; [exact F|]. intros c I.
  destruct (D c I) as (d & Id & Od & Ad).
  destruct (C d Id) as (e & Ie & Oe & Ae). exists e. split; [exact Ie|]. split; congruence.
Qed.

Lemma found_in_same : forall bs parts, Forall2 refines bs parts -> found_in bs parts bs parts.
Proof. intros bs parts F. split; [exact F|]. intros c I. exists c. auto. Qed.

(** Modes in front stay. *)
Lemma found_in_cons : forall m p bs parts bs' parts', refines m p -> found_in bs parts bs' parts' ->
  found_in (m :: bs) (p :: parts) (m :: bs') (p :: parts').
Proof.
  intros m p bs parts bs' parts' R [F C]. split; [now constructor|]. intros c I. inversion I as [|? x ? y X Y]; subst.
  destruct (C y Y) as (d & D & O & A). exists (x :: d). split; [now constructor|]. simpl. now rewrite O, A.
Qed.

Lemma found_in_front : forall t tp bs parts bs' parts', Forall2 refines t tp -> found_in bs parts bs' parts' ->
  found_in (t ++ bs) (tp ++ parts) (t ++ bs') (tp ++ parts').
Proof. induction 1 as [|m p t tp R F IH]; intro H; [exact H|]. simpl. apply found_in_cons; auto. Qed.

(** A mode that is not needed. *)
Lemma found_in_drop : forall m p bs parts,
  refines m p -> 1 <= extent m -> Forall2 refines bs parts -> found_in (m :: bs) (p :: parts) bs parts.
Proof.
  intros m p bs parts (S & P & N) M F. split; [exact F|]. intros c I. exists (0 :: c).
  split; [constructor; [lia|exact I]|]. simpl.
  rewrite index_zero by assumption. split; lia.
Qed.

(** Two modes of which the second goes on where the first one stops. *)
Lemma found_in_join : forall m n pm pn bs parts, refines m pm -> refines n pn -> extent m * stride m = stride n ->
  Forall2 refines bs parts ->
  found_in (m :: n :: bs) (pm :: pn :: parts) (Mode (extent m * extent n) (stride m) :: bs) ((pm ++ pn) :: parts).
Proof.
  intros m n pm pn bs parts (Sm & Pm & Nm) (Sn & Pn & Nn) E F. pose proof (size_positive pm Pm) as S1. split.
  - constructor; [|exact F]. split; [simpl; rewrite size_app; congruence|]. split; [now apply positive_app|].
    destruct pm; [contradiction|discriminate].
  - intros c I. inversion I as [|? x ? y X Y]; subst. simpl in X. exists (x mod extent m :: x / extent m :: y).
    assert (x mod extent m < extent m) by (apply N.mod_lt; lia).
    assert (x / extent m < extent n) by (apply N.div_lt_upper_bound; lia).
    split; [repeat constructor; assumption|]. simpl. split.
    + rewrite <- E. rewrite (N.div_mod x (extent m)) at 3 by lia. lia.
    + rewrite index_app, Sm by assumption. lia.
Qed.

Lemma found_in_permutation : forall bs bs', Permutation bs bs' -> forall parts, Forall2 refines bs parts ->
  exists parts', found_in bs parts bs' parts'.
Proof.
  induction 1 as [|m l l' P IH|m n l|l l' l'' P IH Q IH']; intros parts F.
  - exists parts. now apply found_in_same.
  - inversion F as [|? p ? q R Fq]; subst. destruct (IH q Fq) as (q' & H). exists (p :: q'). now apply found_in_cons.
  - inversion F as [|? p ? q R Fq]; subst. inversion Fq as [|? p' ? q' R' Fq']; subst. exists (p' :: p :: q').
    split; [constructor; [assumption|now constructor]|].
    intros c I. inversion I as [|? x ? y X Y]; subst. inversion Y as [|? x' ? y' X' Y']; subst. exists (x' :: x :: y').
    split; [now repeat constructor|]. simpl. split; lia.
  - destruct (IH parts F) as (p1 & H1). destruct (IH' p1 (proj1 H1)) as (p2 & H2). exists p2.
    now apply (found_in_trans _ _ l' p1).
Qed.

Lemma found_in_moving : forall bs parts, positive bs -> Forall2 refines bs parts -> exists parts',
  found_in bs parts (moving bs) parts'.
Proof.
  intros bs parts P F. induction F as [|m p bs parts R F IH]; [exists []; apply found_in_same; constructor|].
  apply positive_cons in P as [Pm Pr]. destruct (IH Pr) as (q & H). simpl. destruct (moves m).
  - exists (p :: q). now apply found_in_cons.
  - exists q. apply (found_in_trans _ _ bs parts); [now apply found_in_drop|exact H].
Qed.

Lemma found_in_push : forall front m rest parts,
  positive front -> 1 <= extent m -> Forall2 refines (front ++ m :: rest) parts ->
  exists parts', found_in (front ++ m :: rest) parts (push_merged front m ++ rest) parts'.
Proof.
  intros front m rest parts Pf M F. apply Forall2_app_inv_l in F as (pf & pr & Ff & Fr & ->).
  inversion Fr as [|? pm ? pr' Rm Fr']; subst. unfold push_merged. destruct (extent m =? 1).
  - exists (pf ++ pr'). apply found_in_front; [exact Ff|]. now apply found_in_drop.
  - destruct (list_eq_dec (fun x y : mode => ltac:(decide equality; apply N.eq_dec)) front []) as [->|NN].
    { inversion Ff; subst. exists (pm :: pr'). apply found_in_same. now constructor. }
    destruct (exists_last NN) as (p & f & ->). rewrite push_last_at_last.
    apply Forall2_app_inv_l in Ff as (pp & pl & Fp & Fl & ->). inversion Fl as [|? pf ? nil Rf Fn]; subst.
    inversion Fn; subst.
    rewrite <- !app_assoc. simpl. destruct (continues_in f m) eqn:C; rewrite <- app_assoc; simpl.
    + exists (pp ++ (pf ++ pm) :: pr'). apply found_in_front; [exact Fp|]. apply found_in_join; trivial.
      now apply N.eqb_eq.
    + exists (pp ++ pf :: pm :: pr'). apply found_in_same. apply Forall2_app; [exact Fp|].
      constructor; [assumption|now constructor].
Qed.

Lemma found_in_merged : forall l parts, positive l -> Forall2 refines l parts -> exists parts',
  found_in l parts (merged l) parts'.
Proof.
  intros l. unfold merged. assert (G : forall l front parts,
    positive front -> positive l -> Forall2 refines (front ++ l) parts ->
    exists parts', found_in (front ++ l) parts (fold_left push_merged l front) parts').
  { clear. induction l as [|m l IH]; intros front parts Pf P F.
    - rewrite app_nil_r in *. exists parts. simpl. apply found_in_same. exact F.
    - apply positive_cons in P as [Pm Pl]. destruct (found_in_push front m l parts Pf Pm F) as (p1 & H1).
      destruct (IH (push_merged front m) p1 (push_merged_positive _ _ Pf Pm) Pl (proj1 H1)) as (p2 & H2).
      exists p2. simpl. now apply (found_in_trans _ _ (push_merged front m ++ l) p1). }
  intros parts P F. apply (G l [] parts); [constructor|exact P|exact F].
Qed.

Lemma found_in_coalesce : forall l parts, positive l -> Forall2 refines l parts -> exists parts',
  found_in l parts (coalesce l) parts'.
Proof.
  intros l parts P F. destruct (found_in_merged l parts P F) as (q & H). unfold coalesce.
  destruct (merged l) as [|m r] eqn:E; [|now exists q]. exists [[Mode 1 0]].
  apply (found_in_trans _ _ [] q); [exact H|]. destruct H as [Fq _]. inversion Fq; subst. split.
  - repeat constructor; try (simpl; lia). discriminate.
  - intros c I. inversion I as [|? x ? y X Y]; subst. inversion Y; subst. exists []. split; [constructor|]. simpl in *.
    split; lia.
Qed.

(** ** Theorem: no other rest divides where the rule refuses *)
Theorem divide_exact_any_rest : forall a t, positive a -> positive t ->
  ((exists r parts, positive r /\ leaves_free t (size a) (index r) (size r) /\ is_composition a (t ++ r) parts) <->
   (exists tile rests, logical_divide a t = Ok (tile, rests))).
Proof.
  intros a t A T. pose proof (size_positive a A) as S. split.
  - intros (r & parts & R & H & C).
    destruct (proj1 (complement_exact t (size a) T S)) as [rest E]; [now exists (index r), (size r)|].
    apply divide_exact; trivial. exists rest. pose proof (rest_is_complement t r (size a) rest T R S H E) as Eq.
    pose proof (proj1 C) as F; apply Forall2_app_inv_l in F as (pt & pr & Ft & Fr & Ep).
    destruct (found_in_moving r pr R Fr) as (p1 & H1).
    destruct (found_in_permutation _ _ (sort_permutation mode stride (moving r)) p1 (proj1 H1)) as (p2 & H2).
    assert (Ps : positive (sort_by stride (moving r))) by (eapply Forall_impl; [|apply (sorted_moving_spec r R)]; simpl;
      lia).
    destruct (found_in_coalesce _ p2 Ps (proj1 H2)) as (p3 & H3).
    exists (pt ++ p3); split; [exact E|]; rewrite <- Eq; apply (composition_found a (t ++ r) parts); [exact C|];
      rewrite Ep.
    apply found_in_front; [exact Ft|]; apply (found_in_trans _ _ (moving r) p1); [exact H1|];
      apply (found_in_trans _ _ (sort_by stride (moving r)) p2); assumption.
  - intro D. apply divide_exact in D as (rest & parts & E & C); trivial. exists rest, parts.
    split; [|split; [|exact C]].
    + unfold complement, bind in E. destruct (complement_modes t (size a)) as [free|] eqn:Ef; [|discriminate].
      inversion E.
      now apply from_modes_positive, (complement_modes_positive t (size a)).
    + now apply complement_leaves_free.
Qed.
