(** * Composition of nested layouts

    A coordinate of a nested layout has a number for each leaf, or a number in place of a whole tuple, which is read in
    the mixed radix of the leaves below. What the rule returns has every coordinate of [B] as one of its own, which is
    that its shape is compatible with [B]'s, and takes it to [A(B(c))]. *)

From Layout Require Import Mode Coalesce Composition Completeness NormalForm Offsets Complement Inverse Divide Product
  Tree.

Inductive nested := Num (n : N) | Coords (l : list nested).

(** Every leaf has a number, once tuples that are given as a number are read. *)
Fixpoint numbers (t : tree) (c : nested) : list N :=
  match t, c with
  | Leaf _, Num x => [x]
  | Leaf _, Coords _ => []
  | Tuple _, Num x => coordinate (flat t) x
  | Tuple l, Coords cs =>
      (fix go (l : list tree) (cs : list nested) {struct l} :=
        match l, cs with t :: l, c :: cs => numbers t c ++ go l cs | _, _ => [] end) l cs
  end.

(** [c] is a coordinate of the shape of [t]. *)
Fixpoint in_shape (t : tree) (c : nested) : Prop :=
  match t, c with
  | Leaf m, Num x => x < extent m
  | Leaf _, Coords _ => False
  | Tuple _, Num x => x < size (flat t)
  | Tuple l, Coords cs =>
      (fix go (l : list tree) (cs : list nested) {struct l} :=
        match l, cs with t :: l, c :: cs => in_shape t c /\ go l cs | [], [] => True | _, _ => False end) l cs
  end.

(** The offset of a coordinate. *)
Definition at_nested (t : tree) (c : nested) : N := offset (flat t) (numbers t c).

(** Induction over trees. *)
Section Induction.
  Variable P : tree -> Prop.
  Variable leaf : forall m, P (Leaf m).
  Variable tuple : forall l, Forall P l -> P (Tuple l).
  Fixpoint tree_induction (t : tree) : P t :=
    match t with
    | Leaf m => leaf m
    | Tuple l => tuple l ((fix go l : Forall P l := match l with [] => Forall_nil P |
      t :: l => Forall_cons t (tree_induction t) (go l) end) l)
    end.
End Induction.

Lemma flat_tuple : forall l, flat (Tuple l) = flat_map flat l.
Proof.
  induction l as [|t l IH]; [reflexivity|].
  change (flat t ++ flat (Tuple l) = flat t ++ flat_map flat l). now rewrite IH.
Qed.

Lemma flat_of_modes : forall p, p <> [] -> flat (of_modes p) = p.
Proof.
  intros [|m [|n p]] H; [contradiction|reflexivity|]. unfold of_modes. rewrite flat_tuple.
  generalize (m :: n :: p). intro q. induction q as [|x q IH]; [reflexivity|].
  change (x :: flat_map flat (map Leaf q) = x :: q). now rewrite IH.
Qed.

Lemma coordinate_app : forall p q i, positive p -> q <> [] ->
  coordinate (p ++ q) i = coordinate p (i mod size p) ++ coordinate q (i / size p).
Proof.
  induction p as [|m r IH]; intros q i P Q.
  - simpl. now rewrite N.div_1_r.
  - apply positive_cons in P as [Pm Pr]. pose proof (size_positive r Pr) as S.
    rewrite <- app_comm_cons, coordinate_cons by now apply app_not_nil.
    rewrite IH by assumption. simpl size. rewrite N.mod_mul_r, <- N.div_div by lia. destruct r as [|m' r'].
    + simpl. now rewrite N.mod_1_r, N.mul_0_r, N.add_0_r, N.div_1_r.
    + rewrite (coordinate_cons m (m' :: r')) by discriminate.
      replace (i mod extent m + extent m * ((i / extent m) mod size (m' :: r')))
        with (i mod extent m + (i / extent m) mod size (m' :: r') * extent m) by lia.
      rewrite N.mod_add, N.div_add, N.mod_mod, (N.div_small (i mod extent m)) by (lia || apply N.mod_lt; lia).
      now rewrite N.add_0_l.
Qed.

Definition refines (m : mode) (p : list mode) : Prop := size p = extent m /\ positive p /\ p <> [].

Lemma refines_size : forall bs ps, Forall2 refines bs ps -> size (concat ps) = size bs /\ positive (concat ps).
Proof.
  induction 1 as [|m p bs ps (S & P & N) R [IH1 IH2]]; simpl; [split; [reflexivity|constructor]|].
  rewrite size_app, IH1, S. split; [reflexivity|]. now apply positive_app.
Qed.

Lemma coordinate_concat : forall bs ps x, Forall2 refines bs ps -> positive bs -> x < size bs ->
  coordinate (concat ps) x = coordinates ps (coordinate bs x).
Proof.
  intros bs ps x R. revert x. induction R as [|m p bs ps (S & P & N) R IH]; intros x B X; [reflexivity|].
  apply positive_cons in B as [Bm Br]. simpl in X. destruct R as [|m' p' bs ps (S' & P' & N') R].
  - simpl. now rewrite !app_nil_r.
  - rewrite coordinate_cons by discriminate. simpl concat. rewrite coordinate_app; trivial; [|now destruct p'].
    change (coordinates (p :: p' :: ps) (x mod extent m :: coordinate (m' :: bs) (x / extent m)))
      with (coordinate p (x mod extent m) ++ coordinates (p' :: ps) (coordinate (m' :: bs) (x / extent m))).
    rewrite <- IH, S by (trivial; apply N.div_lt_upper_bound; lia). reflexivity.
Qed.

Lemma coordinates_app : forall ps qs c d,
  length ps = length c -> coordinates (ps ++ qs) (c ++ d) = coordinates ps c ++ coordinates qs d.
Proof.
  induction ps as [|p ps IH]; intros qs [|x c] d L; try discriminate; [reflexivity|]. simpl.
  rewrite IH, app_assoc; [reflexivity|]. now injection L.
Qed.

(** Where the parts stand in the tree, and what coordinates say there. *)
Lemma fill_spec : forall b ps rest, positive (flat b) -> Forall2 refines (flat b) ps ->
  exists r, fill b (ps ++ rest) = (r, rest) /\ flat r = concat ps /\
  forall c, in_shape b c -> inside (flat b) (numbers b c) /\ in_shape r c /\ numbers r c = coordinates ps (numbers b c).
Proof.
  intro b. induction b as [m|l IH] using tree_induction; intros ps rest B R.
  - simpl in R. inversion R as [|? p ? ps' (S & P & N) R']; subst. inversion R'; subst.
    exists (of_modes p). split; [reflexivity|]. split; [simpl; rewrite app_nil_r; now apply flat_of_modes|].
    intros [x|cs] C; [|contradiction]. simpl in C. simpl numbers. split; [now repeat constructor|].
    destruct p as [|m1 [|m2 p]]; [contradiction| |].
    + simpl in S. simpl. split; [lia|reflexivity].
    + pose proof (flat_of_modes (m1 :: m2 :: p) N) as F.
      change (of_modes (m1 :: m2 :: p)) with (Tuple (map Leaf (m1 :: m2 :: p))) in *.
      revert F. generalize (map Leaf (m1 :: m2 :: p)). intros q F.
      change (in_shape (Tuple q) (Num x)) with (x < size (flat (Tuple q))).
      change (numbers (Tuple q) (Num x)) with (coordinate (flat (Tuple q)) x).
      rewrite F, S. split; [exact C|]. symmetry. apply app_nil_r.
  - assert (Go : exists l', (fix go (l : list tree) (parts : list (list mode)) {struct l} := match l with
          | [] => ([], parts)
          | x :: r => let (x, parts) := fill x parts in let (r, parts) := go r parts in (x :: r, parts)
          end) l (ps ++ rest) = (l', rest) /\ flat_map flat l' = concat ps /\
        forall cs, in_shape (Tuple l) (Coords cs) ->
          inside (flat_map flat l) (numbers (Tuple l) (Coords cs)) /\ in_shape (Tuple l') (Coords cs) /\
          numbers (Tuple l') (Coords cs) = coordinates ps (numbers (Tuple l) (Coords cs))).
    { rewrite flat_tuple in B, R. clear - IH B R. revert ps B R. induction IH as [|t l T F IH]; intros ps B R.
      - simpl in R. inversion R; subst. exists []. split; [reflexivity|]. split; [reflexivity|].
        intros [|c cs] I; [repeat split; constructor|contradiction].
      - simpl in B, R. apply positive_app in B as [Bt Bl]. apply Forall2_app_inv_l in R as (p & q & Rp & Rq & ->).
        destruct (T p (q ++ rest) Bt Rp) as (r & E & Fr & C). destruct (IH q Bl Rq) as (l' & E' & Fl & Cl).
        exists (r :: l'). rewrite <- app_assoc, E, E'. split; [reflexivity|]. simpl. rewrite Fr, Fl, concat_app.
        split; [reflexivity|].
        intros [|c cs] I; [contradiction|]. destruct I as [I Is]. destruct (C c I) as (C1 & C2 & C3).
        destruct (Cl cs Is) as (D1 & D2 & D3). split; [now apply inside_app|]. split; [split; assumption|].
        simpl in D3. rewrite C3, D3. symmetry. apply coordinates_app.
        rewrite <- (inside_length _ _ C1). clear - Rp. induction Rp; simpl; congruence. }
    destruct Go as (l' & E & Fl & C). exists (Tuple l'). simpl fill. rewrite E. split; [reflexivity|].
    rewrite !flat_tuple in *.
    split; [exact Fl|]. intros [x|cs] I.
    + simpl in I. change (x < size (flat (Tuple l))) in I. rewrite flat_tuple in I.
      change (numbers (Tuple l) (Num x)) with (coordinate (flat (Tuple l)) x).
      change (numbers (Tuple l') (Num x)) with (coordinate (flat (Tuple l')) x).
      change (in_shape (Tuple l') (Num x)) with (x < size (flat (Tuple l'))). rewrite !flat_tuple, Fl.
      destruct (refines_size _ _ R) as [S _]. rewrite S. split; [now apply coordinate_inside|]. split; [assumption|].
      now apply coordinate_concat.
    + now apply C.
Qed.

Lemma offset_coordinates : forall bs ps c, Forall2 refines bs ps -> inside bs c ->
  offset (concat ps) (coordinates ps c) = at_parts ps c.
Proof.
  intros bs ps c R. revert c. induction R as [|m p bs ps (S & P & N) R IH]; intros c C; inversion C; subst;
    [reflexivity|].
  simpl. rewrite offset_app, IH, <- index_of_coordinate; trivial.
  apply inside_length, coordinate_inside; [assumption|now rewrite S].
Qed.

(** ** Theorem: composition is sound for nested layouts *)
Theorem nested_composition_sound : forall a b r, positive (flat a) -> positive (flat b) -> compose_tree a b = Ok r ->
  forall c, in_shape b c -> in_shape r c /\ at_nested r c = index (flat a) (at_nested b c).
Proof.
  intros a b r A B H c C. unfold compose_tree, bind in H.
  destruct (compose (flat a) (flat b)) as [parts|] eqn:E; [|discriminate]. inversion H; subst r. clear H.
  destruct (composition_sound _ _ _ A B E) as [R Law].
  destruct (fill_spec b parts [] B R) as (r & F & Fl & Cs). rewrite app_nil_r in F. rewrite F. simpl.
  destruct (Cs c C) as (I & In & Eq). split; [exact In|]. unfold at_nested. rewrite Fl, Eq.
  rewrite (offset_coordinates (flat b)) by assumption. now apply Law.
Qed.

(** A number is a coordinate too. *)
Corollary composition_of_numbers : forall a b r i, positive (flat a) -> positive (flat b) -> compose_tree a b = Ok r ->
  i < size (flat b) -> size (flat r) = size (flat b) /\ index (flat r) i = index (flat a) (index (flat b) i).
Proof.
  intros a b r i A B H I. unfold compose_tree, bind in H.
  destruct (compose (flat a) (flat b)) as [parts|] eqn:E; [|discriminate]. inversion H; subst r. clear H.
  destruct (composition_sound _ _ _ A B E) as [R Law].
  destruct (fill_spec b parts [] B R) as (r & F & Fl & _). rewrite app_nil_r in F. rewrite F. simpl. rewrite Fl.
  split; [now apply refines_size|].
  rewrite index_of_coordinate, (coordinate_concat (flat b)) by assumption.
  rewrite (offset_coordinates (flat b)), Law by (trivial; now apply coordinate_inside).
  now rewrite <- index_of_coordinate.
Qed.

(** ** Theorem: the law of the common layout

    Along [max_common_layout A B] both layouts count in step, [A(R(i)) = B(R(i)) = i], and it is no larger than
    either. *)
Lemma index_concat : forall a b parts i, positive a -> positive b -> is_composition a b parts -> i < size b ->
  index (concat parts) i = index a (index b i).
Proof.
  intros a b parts i A B [R Law] I. rewrite index_of_coordinate, (coordinate_concat b) by assumption.
  rewrite (offset_coordinates b), Law by (trivial; now apply coordinate_inside). now rewrite <- index_of_coordinate.
Qed.

Lemma right_inverse_positive : forall l, positive l -> positive (right_inverse l).
Proof.
  intros l P. unfold right_inverse. apply from_modes_positive. rewrite right_inverse_loop_chosen.
  change (fold_left push_merged (map in_domain (chosen (sort_by d_stride (domain_modes l)) 1)) [])
    with (merged (map in_domain (chosen (sort_by d_stride (domain_modes l)) 1))).
  apply merged_positive, in_domain_positive. now apply chosen_extents.
Qed.

(** The first coordinates of a list of modes: no more than were asked for, and the same offsets. *)
Lemma take_first_spec : forall l count, positive l ->
  positive (take_first l count) /\ size (take_first l count) <= N.max 1 count /\
  size (take_first l count) <= size l /\
  forall i, i < size (take_first l count) -> index (take_first l count) i = index l i.
Proof.
  induction l as [|m r IH]; intros count P; simpl take_first; [repeat split; simpl; trivial; try lia; constructor|].
  pose proof (size_positive (m :: r) P) as Sl. apply positive_cons in P as [Pm Pr].
  pose proof (size_positive r Pr) as Sr. destruct (N.ltb_spec count 2) as [L|L].
  - repeat split; [constructor|simpl; lia|simpl in *; lia|]. intros i I. simpl in I. replace i with 0 by lia.
    rewrite (index_zero (m :: r)); [reflexivity|now constructor].
  - destruct (IH (count / extent m) Pr) as (Pt & C & S & Ix). set (t := take_first r (count / extent m)) in *.
    pose proof (size_positive t Pt) as St. pose proof (N.mul_div_le count (extent m) ltac:(lia)) as D.
    destruct (N.le_gt_cases (extent m) count) as [Le|Gt].
    + rewrite N.min_l by assumption. assert (1 <= count / extent m) by (apply N.div_le_lower_bound; lia).
      repeat split; [now constructor|simpl; nia|simpl; nia|].
      intros i I. simpl in I. rewrite !index_cons_below; simpl extent; simpl stride; trivial; try nia.
      rewrite Ix by (apply N.div_lt_upper_bound; lia). reflexivity.
    + rewrite N.min_r by lia. assert (Z : count / extent m = 0) by (apply N.div_small; lia).
      assert (T : size t = 1) by (rewrite Z in C; simpl in C; lia).
      repeat split; [constructor; [simpl; lia|exact Pt]|simpl; rewrite T; lia|simpl; rewrite T; nia|].
      intros i I. simpl in I. rewrite T, N.mul_1_r in I.
      rewrite !index_cons_below; simpl extent; simpl stride; trivial; try (rewrite ?T; nia).
      rewrite !N.mod_small, !N.div_small, !index_zero by (trivial; lia). reflexivity.
Qed.

(** Where there is something in common, it is the first coordinates of the inverse. *)
Lemma max_common_cases : forall a b, max_common_layout a b = [Mode 1 0] \/
  exists parts m r, compose a (right_inverse b) = Ok parts /\ merged (concat parts) = m :: r /\ stride m = 1 /\
    max_common_layout a b
      = from_modes (merged (take_first (right_inverse b) (N.min (N.min (extent m) (size a)) (size b)))).
Proof.
  intros a b. unfold max_common_layout. destruct (compose a (right_inverse b)) as [parts|] eqn:E; [|now left].
  destruct (merged (concat parts)) as [|m r] eqn:M; [now left|].
  destruct (N.eqb_spec (stride m) 1) as [U|]; [|now left]. right. exists parts, m, r. now rewrite M.
Qed.

Theorem max_common_law : forall a b i, positive a -> positive b -> i < size (max_common_layout a b) ->
  index a (index (max_common_layout a b) i) = i /\ index b (index (max_common_layout a b) i) = i.
Proof.
  intros a b i A B I. destruct (max_common_cases a b) as [One|(parts & m & r & E & M & U & R)].
  { rewrite One in *. simpl in I. replace i with 0 by lia. simpl. rewrite !index_zero by assumption. auto. }
  rewrite R in *. clear R. set (inverse := right_inverse b) in *.
  pose proof (right_inverse_positive b B) as Pi. fold inverse in Pi.
  pose proof (composition_sound a inverse parts A Pi E) as C.
  destruct (refines_size inverse parts (proj1 C)) as [S P].
  pose proof (merged_size _ P) as Sm. pose proof (merged_positive _ P) as Pm.
  assert (Im : forall k, k < size inverse -> index (merged (concat parts)) k = index a (index inverse k)).
  { intros k K. rewrite merged_index by (trivial; now rewrite S). now apply index_concat. }
  rewrite M in *. apply positive_cons in Pm as [Pm Pr]. pose proof (size_positive r Pr) as Sr.
  pose proof (size_positive a A) as Sa. pose proof (size_positive b B) as Sb.
  set (count := N.min (N.min (extent m) (size a)) (size b)) in *.
  destruct (take_first_spec inverse count Pi) as (Pt & Tc & Ti & It).
  rewrite from_modes_size, merged_size in I by assumption.
  rewrite from_modes_index by (rewrite merged_size by assumption; assumption). rewrite merged_index, It by assumption.
  assert (K : i < size inverse) by lia. split.
  - rewrite <- Im by assumption. assert (Im' : i < extent m) by lia.
    rewrite index_cons_below by nia.
    rewrite N.mod_small, N.div_small, index_zero, U by (trivial; lia). lia.
  - now apply right_inverse_law.
Qed.

Theorem max_common_no_larger : forall a b, positive a -> positive b ->
  size (max_common_layout a b) <= size a /\ size (max_common_layout a b) <= size b.
Proof.
  intros a b A B. pose proof (size_positive a A) as Sa. pose proof (size_positive b B) as Sb.
  destruct (max_common_cases a b) as [One|(parts & m & r & E & M & U & R)]; [rewrite One; simpl; lia|]. rewrite R.
  pose proof (right_inverse_positive b B) as Pi.
  destruct (take_first_spec (right_inverse b) (N.min (N.min (extent m) (size a)) (size b)) Pi) as (Pt & Tc & _).
  rewrite from_modes_size, merged_size by assumption. lia.
Qed.
