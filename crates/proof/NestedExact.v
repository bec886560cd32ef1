(** * Nested composition is exact

    [R] is a composition of the nested layouts [A] and [B] if its shape refines [B]'s,
      so that every coordinate of [B] is
    one of [R], and [R(c) = A(B(c))] there. Such an [R] exists if and only if there is one for the lists of leaves. So
    each theorem on where the rule is exact holds for nested layouts too. *)

From Layout Require Import Mode Coalesce Composition Completeness Carries Offsets Complement Inverse Divide Product
  ComplementExact InverseExact DivideExact Tree Nested NestedLaws.

(** The shape of [r] refines that of [b], which is compatible with it: in place of each leaf it has a layout of the same
    size. *)
Fixpoint refines_tree (b r : tree) : Prop :=
  match b, r with
  | Leaf m, _ => size (flat r) = extent m /\ flat r <> []
  | Tuple l, Tuple k =>
      (fix go l k := match l, k with x :: l, y :: k => refines_tree x y /\ go l k | [], [] => True | _,
        _ => False end) l k
  | Tuple _, Leaf _ => False
  end.

Definition is_nested_composition (a b r : tree) : Prop :=
  refines_tree b r /\ positive (flat r) /\
  forall c, in_shape b c -> at_nested r c = index (flat a) (at_nested b c).

Lemma refines_tree_parts : forall b r, positive (flat b) -> refines_tree b r -> positive (flat r) ->
  exists ps, flat r = concat ps /\ Forall2 refines (flat b) ps /\
  forall c, in_shape b c -> inside (flat b) (numbers b c) /\ numbers r c = coordinates ps (numbers b c).
Proof.
  intro b. induction b as [m|l IH] using tree_induction; intros r B R P.
  - destruct R as [S N]. exists [flat r]. split; [simpl; now rewrite app_nil_r|]. split; [repeat constructor; trivial|].
    intros [x|cs] C; [|contradiction]. simpl in C. split; [now repeat constructor|].
    destruct r as [k|k]; [reflexivity|]. change (coordinate (flat (Tuple k)) x = coordinate (flat (Tuple k)) x ++ []).
    now rewrite app_nil_r.
  - destruct r as [k|k]; [contradiction|].
    assert (Go : exists ps, flat_map flat k = concat ps /\ Forall2 refines (flat_map flat l) ps /\
      forall cs, in_shape (Tuple l) (Coords cs) -> inside (flat_map flat l) (numbers (Tuple l) (Coords cs)) /\
        numbers (Tuple k) (Coords cs) = coordinates ps (numbers (Tuple l) (Coords cs))).
    { rewrite flat_tuple in B, P. revert k R P. induction IH as [|t l T F IH]; intros k R P.
      - destruct k; [|contradiction]. exists []. split; [reflexivity|]. split; [simpl; constructor|].
        intros [|c cs] I; [split; [simpl; constructor|reflexivity]|contradiction].
      - destruct k as [|u k]; [contradiction|]. destruct R as [Ru Rk]. simpl in B, P.
        apply positive_app in B as [Bt Bl], P as [Pu Pk].
        destruct (T u Bt Ru Pu) as (p & Fu & Rp & Cp). destruct (IH Bl k Rk Pk) as (q & Fk & Rq & Cq).
        exists (p ++ q). simpl. rewrite Fu, Fk, concat_app. split; [reflexivity|]. split; [now apply Forall2_app|].
        intros [|c cs] I; [contradiction|]. destruct I as [I Is]. destruct (Cp c I) as [C1 C2].
        destruct (Cq cs Is) as [D1 D2].
        split; [now apply inside_app|]. simpl in D2. rewrite C2, D2. symmetry. apply coordinates_app.
        rewrite <- (inside_length _ _ C1). clear - Rp. induction Rp; simpl; congruence. }
    destruct Go as (ps & Fl & Rs & C). rewrite <- !flat_tuple in *. exists ps. split; [exact Fl|]. split; [exact Rs|].
    intros [x|cs] I; [|now apply C]. simpl in I. change (x < size (flat (Tuple l))) in I.
    change (numbers (Tuple l) (Num x)) with (coordinate (flat (Tuple l)) x).
    change (numbers (Tuple k) (Num x)) with (coordinate (flat (Tuple k)) x). split; [now apply coordinate_inside|].
    rewrite Fl. now apply coordinate_concat.
Qed.

Lemma fill_refines : forall b ps rest,
  positive (flat b) -> Forall2 refines (flat b) ps -> refines_tree b (fst (fill b (ps ++ rest))).
Proof.
  intro b. induction b as [m|l IH] using tree_induction; intros ps rest B R.
  - simpl in R. inversion R as [|? p ? ps' (S & P & N) R']; subst. inversion R'; subst. simpl.
    rewrite flat_of_modes by assumption. split; assumption.
  - rewrite flat_tuple in B, R. simpl fill.
    assert (Go : forall ps rest, Forall2 refines (flat_map flat l) ps ->
      let (k, _) := (fix go (l : list tree) (parts : list (list mode)) {struct l} := match l with
          | [] => ([], parts)
          | x :: r => let (x, parts) := fill x parts in let (r, parts) := go r parts in (x :: r, parts)
          end) l (ps ++ rest) in refines_tree (Tuple l) (Tuple k)).
    { clear ps rest R. induction IH as [|t l T F IH]; intros ps rest R; [exact I|].
      simpl in B, R. apply positive_app in B as [Bt Bl]. apply Forall2_app_inv_l in R as (p & q & Rp & Rq & ->).
      rewrite <- app_assoc. specialize (T p (q ++ rest) Bt Rp).
      destruct (fill_spec t p (q ++ rest) Bt Rp) as (r & E & _ & _).
      rewrite E in *. specialize (IH Bl q rest Rq). simpl in T.
      destruct ((fix go (l : list tree) (parts : list (list mode)) {struct l} := _) l (q ++ rest)) as [k parts].
      split; assumption. }
    specialize (Go ps rest R). destruct ((fix go (l : list tree) (parts : list (list mode)) {struct l}
      := _) l (ps ++ rest)) as [k parts].
    exact Go.
Qed.

(** ** Theorem: there is a nested composition if and only if there is one of the leaves *)
Theorem nested_composition_iff : forall a b, positive (flat b) ->
  ((exists r, is_nested_composition a b r) <-> (exists parts, is_composition (flat a) (flat b) parts)).
Proof.
  intros a b B. split.
  - intros (r & R & P & H). destruct (refines_tree_parts b r B R P) as (ps & Fl & Rs & C). exists ps.
    split; [exact Rs|].
    intros c I. assert (exists d, in_shape b d /\ numbers b d = c) as (d & D & <-).
    { pose proof (number_below _ _ I) as Nb. exists (Num (number (flat b) c)). destruct b as [m|l].
      - simpl in *. inversion I as [|? x ? y X Y]; subst. inversion Y; subst. simpl. split; [lia|f_equal; lia].
      - split; [exact Nb|]. change (coordinate (flat (Tuple l)) (number (flat (Tuple l)) c) = c).
        now apply coordinate_of_number. }
    specialize (H d D). destruct (C d D) as [In Eq]. unfold at_nested in H. rewrite Fl, Eq in H.
    rewrite (offset_coordinates (flat b)) in H by assumption. exact H.
  - intros (ps & Rs & H). exists (fst (fill b ps)). destruct (fill_spec b ps [] B Rs) as (r & F & Fl & Cs).
    pose proof (fill_refines b ps [] B Rs) as Fr. rewrite app_nil_r in F, Fr. rewrite F in *. simpl in *.
    split; [exact Fr|]. split.
    + rewrite Fl. clear - Rs. induction Rs as [|m p bs ps (_ & P & _) R IH]; simpl; [constructor|].
      now apply positive_app.
    + intros c I. destruct (Cs c I) as (Ins & _ & Eq). unfold at_nested.
      rewrite Fl, Eq, (offset_coordinates (flat b)) by assumption. now apply H.
Qed.

(** What the rule returns for nested layouts is a composition of them: its shape refines [B]'s, and [R(c) = A(B(c))]. *)
Theorem nested_composition_is : forall a b r, positive (flat a) -> positive (flat b) -> compose_tree a b = Ok r ->
  is_nested_composition a b r.
Proof.
  intros a b r A B H. unfold compose_tree, bind in H.
  destruct (compose (flat a) (flat b)) as [ps|] eqn:E; [|discriminate].
  inversion H; subst r. clear H. destruct (composition_sound _ _ _ A B E) as [Rs Law].
  destruct (fill_spec b ps [] B Rs) as (r & F & Fl & Cs). pose proof (fill_refines b ps [] B Rs) as Fr.
  rewrite app_nil_r in F, Fr. rewrite F in *. simpl in *. split; [exact Fr|]. split.
  - rewrite Fl. clear - Rs. induction Rs as [|m p bs ps (_ & P & _) R IH]; simpl; [constructor|].
    now apply positive_app.
  - intros c I. destruct (Cs c I) as (Ins & _ & Eq). unfold at_nested.
    rewrite Fl, Eq, (offset_coordinates (flat b)) by assumption. now apply Law.
Qed.

(** ** Theorem: nested composition is exact, unless strides of [A] cancel out

    If the rule refuses nested layouts that have a composition,
      then a carry from some mode of the coalesced [A] gains and
    one from another mode loses. *)
Theorem nested_composition_exact : forall a b, positive (flat a) -> positive (flat b) ->
  (let (bound, last) := left_modes (flat a) in ~ (some_gain bound (stride last) /\ some_loss bound (stride last))) ->
  ((exists r, is_nested_composition a b r) <-> (exists r, compose_tree a b = Ok r)).
Proof.
  intros a b A B No. split.
  - intro H. apply nested_composition_iff in H as [parts C]; [|exact B]. unfold compose_tree, bind.
    destruct (compose (flat a) (flat b)) as [ps|f] eqn:E; [eauto|]. exfalso.
    pose proof (refused_only_by_cancellation _ _ _ _ A B C E) as R. destruct (left_modes (flat a)) as [bound last].
    tauto.
  - intros [r H]. exists r. now apply nested_composition_is.
Qed.

(** ** Theorem: the divide of nested layouts is exact *)
Theorem nested_divide_exact : forall a t, positive (flat a) -> positive (flat t) ->
  ((exists rest r, complement_tree t (size (flat a)) = Ok rest /\ is_nested_composition a (Tuple [t; rest]) r) <->
   (exists tile rest, divide_split a t = Ok (tile, rest))).
Proof.
  intros a t A T. pose proof (size_positive _ A) as S.
  assert (Flat : forall l, complement (flat t) (size (flat a)) = Ok l -> flat (of_modes l) = l).
  { intros l E. rewrite flat_of_modes_all. unfold complement, bind in E.
    destruct (complement_modes (flat t) (size (flat a))) as [free|]; [|discriminate].
    inversion E; subst l. now destruct free. }
  assert (Both : forall rest, flat (Tuple [t; rest]) = flat t ++ flat rest) by (intro; rewrite flat_tuple; simpl;
    now rewrite app_nil_r).
  assert (Pos : forall l, complement (flat t) (size (flat a)) = Ok l -> positive (flat (Tuple [t; of_modes l]))).
  { intros l E. rewrite Both, (Flat l E). apply positive_app. split; [exact T|]. unfold complement, bind in E.
    destruct (complement_modes (flat t) (size (flat a))) as [free|] eqn:C; [|discriminate]. inversion E; subst l.
    now apply from_modes_positive, (complement_modes_positive (flat t) (size (flat a))). }
  pose proof (divide_exact (flat a) (flat t) A T) as D. split.
  - intros (rest & r & C & H). unfold complement_tree, bind in C.
    destruct (complement (flat t) (size (flat a))) as [l|] eqn:E; [|discriminate].
    inversion C; subst rest. clear C.
    assert (exists parts, is_composition (flat a) (flat (Tuple [t; of_modes l])) parts) as [parts P].
    { apply nested_composition_iff; [now apply Pos|now exists r]. }
    rewrite Both, (Flat l eq_refl) in P. destruct (proj1 D) as (tile & rests & L); [exists l, parts; auto|].
    unfold divide_split, bind. rewrite L. eauto.
  - intros (tile & rest & H). unfold divide_split, bind in H.
    destruct (logical_divide (flat a) (flat t)) as [[ps qs]|] eqn:E; [|discriminate].
    destruct (proj2 D) as (l & parts & C & P); [eauto|]. unfold complement_tree, bind. rewrite C.
    exists (of_modes l). rewrite <- (Flat l C) in P. rewrite <- Both in P.
    assert (exists r, is_nested_composition a (Tuple [t; of_modes l]) r) as [r R] by (apply nested_composition_iff;
      [now apply Pos|now exists parts]).
    exists r. auto.
Qed.
