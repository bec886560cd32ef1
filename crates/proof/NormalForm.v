(** * Coalesce gives the fewest modes

    A list of modes in which no extent is 1 and no mode continues in the next one is a normal form: two such lists that
    are the same function on the same size are the same list. So [coalesce] gives the same list for all layouts that are
    the same function, and no layout that is has fewer modes. The same holds of [coalesce_z] and functions of all
    numbers, but for the extent of the last mode, which no number notices. *)

From Layout Require Import Mode Coalesce Composition Completeness.

Definition wide (l : list mode) : Prop := Forall (fun m => 2 <= extent m) l.

Lemma wide_positive : forall l, wide l -> positive l.
Proof. intros l W. eapply Forall_impl; [|exact W]. simpl. lia. Qed.

Lemma push_last_first : forall g r m, exists g' r', push_last (g :: r) m = g' :: r' /\ stride g' = stride g.
Proof.
  intros g [|h r] m; simpl.
  - destruct (continues_in g m); eauto.
  - eauto.
Qed.

Lemma push_last_coalesced : forall l m, coalesced l -> coalesced (push_last l m).
Proof.
  induction l as [|f r IH]; intros m C; [exact I|]. destruct r as [|g r].
  - simpl. destruct (continues_in f m) eqn:E; simpl; auto.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m). destruct C as [C Cr]. specialize (IH m Cr).
    destruct (push_last_first g r m) as (g' & r' & E & S). rewrite E in *. split; [|exact IH].
    unfold continues_in in *. now rewrite S.
Qed.

Lemma push_last_wide : forall l m, wide l -> 2 <= extent m -> wide (push_last l m).
Proof.
  induction l as [|f r IH]; intros m W M; [now repeat constructor|]. inversion W; subst. destruct r as [|g r].
  - simpl. destruct (continues_in f m); repeat constructor; simpl; trivial. nia.
  - constructor; [assumption|]. now apply IH.
Qed.

Lemma merged_normal : forall l, positive l -> coalesced (merged l) /\ wide (merged l).
Proof.
  intros l P. unfold merged. assert (G : forall front, coalesced front -> wide front ->
    coalesced (fold_left push_merged l front) /\ wide (fold_left push_merged l front)).
  { induction l as [|m r IH]; intros front C W; [auto|]. apply positive_cons in P as [Pm Pr]. simpl. apply IH; trivial.
    - unfold push_merged. destruct (extent m =? 1); [assumption|now apply push_last_coalesced].
    - unfold push_merged. destruct (N.eqb_spec (extent m) 1); [assumption|apply push_last_wide; [assumption|lia]]. }
  apply G; [exact I|constructor].
Qed.

Lemma index_cons_below : forall m r i, 1 <= extent m -> i < extent m * size r ->
  index (m :: r) i = i mod extent m * stride m + index r (i / extent m).
Proof.
  intros m [|n r] i M L; [|now apply index_cons]. simpl in *. rewrite N.mod_small by lia. lia.
Qed.

Lemma wide_size : forall l, wide l -> l <> [] -> 2 <= size l.
Proof.
  intros [|m r] W H; [contradiction|]. inversion W; subst.
  pose proof (size_positive r (wide_positive r ltac:(assumption))). simpl. nia.
Qed.

(** The first step in the second mode: what a list in normal form has at the extent of its first one. *)
Lemma second_mode : forall m n r,
  1 <= extent m -> 2 <= extent n -> positive r -> index (m :: n :: r) (extent m) = stride n.
Proof.
  intros m n r M W P. rewrite index_cons by discriminate. rewrite N.mod_same, N.div_same by lia.
  destruct r as [|o r]; [simpl; lia|]. rewrite index_cons by discriminate.
  rewrite N.mod_small, N.div_small, index_zero by (assumption || lia). lia.
Qed.

Lemma first_extent : forall m r m' r', wide (m :: r) -> wide (m' :: r') -> coalesced (m :: r) ->
  stride m = stride m' -> extent m < extent m' -> extent m * size r = extent m' * size r' ->
  (forall i, i < extent m * size r -> index (m :: r) i = index (m' :: r') i) -> False.
Proof.
  intros m r m' r' W W' C S L Z H. inversion W as [|? ? Wm Wr]; inversion W' as [|? ? Wm' Wr']; subst.
  pose proof (size_positive r' (wide_positive r' Wr')) as S1.
  destruct r as [|n r]; [simpl in Z; nia|]. destruct C as [C _]. unfold continues_in in C. apply N.eqb_neq in C.
  inversion Wr as [|? ? Wn Wr0]; subst. apply C.
  pose proof (wide_size (n :: r) Wr ltac:(discriminate)) as S2.
  specialize (H (extent m)). rewrite second_mode in H by (trivial; lia || now apply wide_positive). rewrite H by nia.
  rewrite index_cons_below by nia. rewrite N.mod_small, N.div_small, index_zero by (lia || now apply wide_positive).
  rewrite S. lia.
Qed.

Lemma first_stride : forall m r, wide (m :: r) -> index (m :: r) 1 = stride m.
Proof.
  intros m r W. inversion W as [|? ? Wm Wr]; subst. destruct r as [|n r]; [simpl; lia|].
  rewrite index_cons by discriminate.
  rewrite N.mod_small, N.div_small, index_zero by (lia || now apply wide_positive). lia.
Qed.

(** ** Theorem: the normal form is unique *)
Theorem normal_form_unique : forall l l', coalesced l -> wide l -> coalesced l' -> wide l' -> size l = size l' ->
  (forall i, i < size l -> index l i = index l' i) -> l = l'.
Proof.
  induction l as [|m r IH]; intros [|m' r'] C W C' W' Z H; trivial.
  - pose proof (wide_size _ W' ltac:(discriminate)). simpl in *. lia.
  - pose proof (wide_size _ W ltac:(discriminate)). simpl in *. lia.
  - pose proof (wide_size _ W ltac:(discriminate)) as Two.
    assert (S : stride m = stride m') by (rewrite <- (first_stride m r W), <- (first_stride m' r' W'); apply H; lia).
    change (extent m * size r = extent m' * size r') in Z.
    change (forall i, i < extent m * size r -> index (m :: r) i = index (m' :: r') i) in H.
    assert (E : extent m = extent m').
    { destruct (N.lt_total (extent m) (extent m')) as [L|[E|L]]; trivial; exfalso.
      - now apply (first_extent m r m' r').
      - apply (first_extent m' r' m r); auto. intros i I. symmetry. apply H. now rewrite Z. }
    inversion W as [|? ? Wm Wr]; inversion W' as [|? ? Wm' Wr']; subst.
    assert (Zr : size r = size r') by (rewrite <- E in Z; nia).
    f_equal; [destruct m, m'; simpl in *; congruence|]. apply IH; trivial.
    + destruct r; [exact I|apply C].
    + destruct r'; [exact I|apply C'].
    + intros i I. specialize (H (i * extent m) ltac:(nia)). rewrite !index_cons_below in H by nia.
      rewrite <- E in H. rewrite N.mod_mul, N.div_mul in H by lia. lia.
Qed.

(** ** Theorem: coalesce tells whether two layouts are the same function *)
Theorem coalesce_normal_form : forall l l', positive l -> positive l' ->
  (size l = size l' /\ (forall i, i < size l -> index l i = index l' i)) <-> coalesce l = coalesce l'.
Proof.
  intros l l' P P'. destruct (coalesce_same_function l P) as [S F]. destruct (coalesce_same_function l' P') as [S' F'].
  split.
  - intros [Z H]. unfold coalesce. f_equal. destruct (merged_normal l P), (merged_normal l' P').
    apply normal_form_unique; trivial.
    + now rewrite !merged_size.
    + intros i I. rewrite merged_size in I by assumption. rewrite !merged_index by (trivial; now rewrite <- Z).
      now apply H.
  - intro E. split; [now rewrite <- S, <- S', E|]. intros i I. rewrite <- F, E by assumption.
    apply F'. now rewrite <- S', <- E, S.
Qed.

Lemma push_last_length : forall l m, (length (push_last l m) <= S (length l))%nat.
Proof.
  induction l as [|f r IH]; intro m; [simpl; lia|]. destruct r as [|g r].
  - simpl. destruct (continues_in f m); simpl; lia.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m). specialize (IH m). simpl in *. lia.
Qed.

Lemma merged_length : forall l, (length (merged l) <= length l)%nat.
Proof.
  intro l. unfold merged. assert (G : forall front,
    (length (fold_left push_merged l front) <= length front + length l)%nat).
  { induction l as [|m r IH]; intro front; simpl; [lia|]. specialize (IH (push_merged front m)).
    unfold push_merged in *. destruct (extent m =? 1); [lia|]. pose proof (push_last_length front m). lia. }
  apply G.
Qed.

(** ** Theorem: no layout that is the same function has fewer modes *)
Theorem coalesce_fewest : forall l l', positive l -> positive l' -> l' <> [] -> size l = size l' ->
  (forall i, i < size l -> index l i = index l' i) -> (length (coalesce l) <= length l')%nat.
Proof.
  intros l l' P P' NN Z H. assert (coalesce l = coalesce l') as -> by (apply coalesce_normal_form; auto).
  unfold coalesce. pose proof (merged_length l').
  destruct (merged l') as [|m r]; simpl in *; [destruct l'; [contradiction|simpl; lia]|lia].
Qed.

(** ** The same of functions of all numbers *)

(** All modes but the last are wide. *)
Fixpoint wide_but_last (l : list mode) : Prop :=
  match l with [] => True | m :: r => match r with [] => True | _ => 2 <= extent m /\ wide_but_last r end end.

Lemma push_last_wide_but_last : forall l m, wide l -> wide_but_last (push_last l m).
Proof.
  induction l as [|f r IH]; intros m W; [exact I|]. inversion W; subst. destruct r as [|g r].
  - simpl. destruct (continues_in f m); simpl; auto.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m). specialize (IH m ltac:(assumption)).
    destruct (push_last_first g r m) as (g' & r' & E & _). rewrite E in *. split; assumption.
Qed.

Lemma all_first_extent : forall m n r f, 2 <= extent m -> extent m * stride m <> stride n ->
  (forall i, index (m :: n :: r) i = f i) -> f 0 = 0 -> wide_but_last (n :: r) -> positive (n :: r) -> f 1 = stride m
    /\ f (extent m) <> extent m * stride m.
Proof.
  intros m n r f W C H Z B P. apply positive_cons in P as [Pn Pr].
  assert (One : index (n :: r) 1 = stride n).
  { destruct r as [|o r]; [simpl; lia|]. destruct B as [B _]. rewrite index_cons by discriminate.
    rewrite N.mod_small, N.div_small, index_zero by (assumption || lia). lia. }
  split.
  - rewrite <- H, index_cons by discriminate.
    rewrite N.mod_small, N.div_small, index_zero by (lia || now apply positive_cons). lia.
  - rewrite <- H, index_cons by discriminate. rewrite N.mod_same, N.div_same, One by lia. lia.
Qed.

Lemma all_numbers_length : forall l l',
  l <> [] -> l' <> [] -> positive l -> positive l' -> coalesced l -> coalesced l' ->
  wide_but_last l -> wide_but_last l' -> (forall i, index l i = index l' i) -> length l = length l'.
Proof.
  induction l as [|m r IH]; intros [|m' r'] NN NN' P P' C C' W W' H; try contradiction.
  apply positive_cons in P as [Pm Pr]. apply positive_cons in P' as [Pm' Pr'].
  destruct r as [|n r], r' as [|n' r']; trivial.
  - exfalso. destruct C' as [C' _], W' as [W' B']. unfold continues_in in C'. apply N.eqb_neq in C'.
    destruct (all_first_extent m' n' r' (fun i => i * stride m) W' C' (fun i => eq_sym (H i)) eq_refl B' Pr') as [E F].
    cbv beta in *. rewrite N.mul_1_l in E. rewrite E in F. contradiction.
  - exfalso. destruct C as [C _], W as [W B]. unfold continues_in in C. apply N.eqb_neq in C.
    destruct (all_first_extent m n r (fun i => i * stride m') W C H eq_refl B Pr) as [E F].
    cbv beta in *. rewrite N.mul_1_l in E. rewrite E in F. contradiction.
  - destruct C as [C Cr], C' as [C' Cr'], W as [W B], W' as [W' B']. unfold continues_in in C, C'.
    apply N.eqb_neq in C, C'.
    assert (Zero : forall k l, positive (k :: l) -> index (k :: l) 0 = 0) by (intros; now apply index_zero).
    destruct (all_first_extent m n r (index (m' :: n' :: r')) W C H (Zero _ _ (proj2 (positive_cons _ _) (conj Pm'
      Pr'))) B Pr) as [E F].
    destruct (all_first_extent m' n' r' (index (m :: n :: r)) W' C' (fun i => eq_sym (H i)) (Zero _ _ (proj2
      (positive_cons _ _) (conj Pm Pr))) B' Pr') as [E' F'].
    rewrite <- H in E, F. rewrite H in E', F'.
    assert (Linear : forall (k : mode) l i, positive l -> l <> [] -> i < extent k -> index (k :: l) i = i * stride k).
    { intros k l i Pl Nl L. rewrite index_cons by assumption.
      rewrite N.mod_small, N.div_small, index_zero by (trivial; lia). lia. }
    assert (S : stride m = stride m') by (rewrite <- E, <- E'; apply H).
    assert (X : extent m = extent m').
    { destruct (N.lt_total (extent m) (extent m')) as [L|[X|L]]; trivial; exfalso.
      - apply F. rewrite H, Linear, S by (trivial; discriminate). reflexivity.
      - apply F'. rewrite <- H, Linear, S by (trivial; discriminate). reflexivity. }
    simpl. f_equal. apply (IH (n' :: r')); trivial; try discriminate.
    intro i. specialize (H (i * extent m)). rewrite (index_cons m), (index_cons m') in H by discriminate.
    rewrite <- X in H. rewrite N.mod_mul, N.div_mul in H by lia. lia.
Qed.

Lemma coalesce_z_normal : forall l, positive l -> l <> [] ->
  positive (coalesce_z l) /\ coalesced (coalesce_z l) /\ wide_but_last (coalesce_z l) /\ coalesce_z l <> [] /\
  (length (coalesce_z l) <= length l)%nat.
Proof.
  intros l P H. destruct (exists_last H) as (p & m & E). rewrite E in *. rewrite coalesce_z_at_last.
  apply positive_app in P as [P L]. apply positive_cons in L as [L1 _]. destruct (merged_normal p P) as [C W].
  split; [apply push_last_positive; [now apply merged_positive|assumption]|].
  split; [now apply push_last_coalesced|]. split; [now apply push_last_wide_but_last|].
  split; [apply push_last_not_nil|].
  pose proof (push_last_length (merged p) m). pose proof (merged_length p). rewrite app_length. simpl. lia.
Qed.

(** ** Theorem: no layout that is the same function of all numbers has fewer modes than [coalesce_z] gives *)
Theorem coalesce_z_fewest : forall l l', positive l -> positive l' -> l <> [] -> l' <> [] ->
  (forall i, index l i = index l' i) -> (length (coalesce_z l) <= length l')%nat.
Proof.
  intros l l' P P' NN NN' H. destruct (coalesce_z_normal l P NN) as (A & B & C & D & _).
  destruct (coalesce_z_normal l' P' NN') as (A' & B' & C' & D' & L).
  rewrite (all_numbers_length (coalesce_z l) (coalesce_z l')); trivial.
  intro i. destruct (coalesce_z_same_function l P) as [_ ->]. destruct (coalesce_z_same_function l' P') as [_ ->].
  apply H.
Qed.
