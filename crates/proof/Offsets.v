(** * All offsets of a layout, each as often as it occurs

    [offsets l] is the list of the offsets of all coordinates. Two layouts reach the same offsets equally often if these
    lists are permutations of one another. The order of the modes does not matter for that. *)

From Layout Require Import Mode Coalesce Composition.
Require Export Permutation Sorted PeanoNat.

(** The numbers below [n]. *)
Definition range (n : N) : list N := map N.of_nat (seq 0 (N.to_nat n)).

(** Every number of [xs] added to every one of [ys]. *)
Definition all_sums (xs ys : list N) : list N := flat_map (fun y => map (fun x => x + y) xs) ys.

(** The offsets of one mode. *)
Definition steps (m : mode) : list N := map (fun x => x * stride m) (range (extent m)).

(** The offsets of a layout. *)
Fixpoint offsets (l : list mode) : list N :=
  match l with [] => [0] | m :: r => all_sums (steps m) (offsets r) end.

Lemma in_range : forall n x, In x (range n) <-> x < n.
Proof.
  intros n x. unfold range. rewrite in_map_iff. split.
  - intros (k & <- & K). apply in_seq in K. lia.
  - intro L. exists (N.to_nat x). split; [lia|]. apply in_seq. lia.
Qed.

Lemma range_no_dup : forall n, NoDup (range n).
Proof.
  intro n. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros x y H. lia.
Qed.

Lemma range_length : forall n, length (range n) = N.to_nat n.
Proof. intro n. unfold range. now rewrite map_length, seq_length. Qed.

Lemma range_add : forall a b, range (a + b) = range a ++ map (fun x => x + a) (range b).
Proof.
  intros a b. unfold range. rewrite Nnat.N2Nat.inj_add, seq_app, map_app, map_map. f_equal.
  rewrite <- (Nat.add_0_r (N.to_nat a)) at 1. generalize 0%nat at 2 3. intro k.
  generalize (N.to_nat b). intro n. revert k. induction n as [|n IH]; intro k; simpl; [reflexivity|].
  f_equal; [lia|]. rewrite plus_n_Sm. apply IH.
Qed.

(** Numbers below a product, in mixed radix. *)
Lemma range_mul : forall a b, range (a * b) = flat_map (fun q => map (fun x => x + a * q) (range a)) (range b).
Proof.
  intros a b. induction b as [|b IH] using N.peano_ind; [now rewrite N.mul_0_r|].
  rewrite <- N.add_1_r, N.mul_add_distr_l, N.mul_1_r, !range_add, flat_map_app, <- IH. f_equal.
  simpl. now rewrite app_nil_r, N.add_0_l.
Qed.

Lemma map_flat_map : forall (A B C : Type) (g : B -> C) (f : A -> list B) l,
  map g (flat_map f l) = flat_map (fun x => map g (f x)) l.
Proof. induction l; simpl; [reflexivity|]. now rewrite map_app, IHl. Qed.

Lemma flat_map_map : forall (A B C : Type) (g : A -> B) (f : B -> list C) l,
  flat_map f (map g l) = flat_map (fun x => f (g x)) l.
Proof. induction l; simpl; [reflexivity|]. now rewrite IHl. Qed.

Lemma flat_map_in_ext : forall (A B : Type) (f g : A -> list B) l, (forall x,
  In x l -> f x = g x) -> flat_map f l = flat_map g l.
Proof. induction l; intro H; simpl; [reflexivity|]. rewrite H by now left. rewrite IHl; trivial.
intros; apply H; now right. Qed.

(** The offsets are those of all numbers below the size. *)
Lemma offsets_index : forall l, positive l -> offsets l = map (index l) (range (size l)).
Proof.
  induction l as [|m r IH]; intro P; [reflexivity|]. apply positive_cons in P as [Pm Pr].
  simpl size. rewrite range_mul, map_flat_map. simpl offsets. rewrite IH by assumption.
  unfold all_sums. rewrite flat_map_map. apply flat_map_in_ext. intros q Q. apply in_range in Q.
  unfold steps. rewrite !map_map. apply map_ext_in. intros x X. apply in_range in X.
  destruct r as [|m' r].
  - simpl in *. replace q with 0 by lia. lia.
  - rewrite (index_cons m) by discriminate. rewrite (N.mul_comm (extent m)), N.mod_add, N.div_add by lia.
    rewrite N.mod_small, N.div_small, N.add_0_l by assumption. reflexivity.
Qed.

Lemma all_sums_app : forall xs ys zs, all_sums xs (ys ++ zs) = all_sums xs ys ++ all_sums xs zs.
Proof. intros. apply flat_map_app. Qed.

Lemma all_sums_zero : forall xs, all_sums xs [0] = xs.
Proof. intro xs. simpl. rewrite app_nil_r. rewrite <- (map_id xs) at 2. apply map_ext. intro. lia. Qed.

Lemma zero_all_sums : forall ys, all_sums [0] ys = ys.
Proof. induction ys as [|y ys IH]; [reflexivity|]. change (0 + y :: all_sums [0] ys = y :: ys).
now rewrite IH, N.add_0_l. Qed.

Lemma all_sums_map : forall xs ys z, all_sums xs (map (fun y => y + z) ys) = map (fun y => y + z) (all_sums xs ys).
Proof.
  intros. unfold all_sums. rewrite flat_map_map, map_flat_map. apply flat_map_in_ext. intros y _. rewrite map_map.
  apply map_ext. intro. lia.
Qed.

Lemma all_sums_assoc : forall xs ys zs, all_sums (all_sums xs ys) zs = all_sums xs (all_sums ys zs).
Proof.
  intros xs ys zs. induction zs as [|z zs IH]; [reflexivity|].
  change (map (fun x => x + z) (all_sums xs ys) ++ all_sums (all_sums xs ys) zs = all_sums xs (map (fun x => x + z) ys
    ++ all_sums ys zs)).
  now rewrite all_sums_app, all_sums_map, IH.
Qed.

Lemma all_sums_cons : forall x xs ys, Permutation (all_sums (x :: xs) ys) (map (fun y => x + y) ys ++ all_sums xs ys).
Proof.
  intros x xs ys. induction ys as [|y ys IH]; [constructor|].
  change (Permutation ((x + y :: map (fun x => x + y) xs) ++ all_sums (x :: xs) ys)
    (x + y :: map (fun y => x + y) ys ++ map (fun x => x + y) xs ++ all_sums xs ys)).
  simpl. constructor. rewrite IH, !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma all_sums_comm : forall xs ys, Permutation (all_sums xs ys) (all_sums ys xs).
Proof.
  intros xs ys. revert xs. induction ys as [|y ys IH]; intro xs.
  - simpl. induction xs; simpl; [constructor|assumption].
  - rewrite (all_sums_cons y ys xs), <- IH.
    change (Permutation (map (fun x => x + y) xs ++ all_sums xs ys) (map (fun x => y + x) xs ++ all_sums xs ys)).
    apply Permutation_app_tail. rewrite (map_ext (fun x => x + y) (fun x => y + x)) by (intro; lia). reflexivity.
Qed.

Lemma all_sums_permutation : forall xs ys ys', Permutation ys ys' -> Permutation (all_sums xs ys) (all_sums xs ys').
Proof. intros. apply Permutation_flat_map. assumption. Qed.

Lemma offsets_app : forall p q, offsets (p ++ q) = all_sums (offsets p) (offsets q).
Proof. induction p as [|m p IH]; intro q; simpl; [now rewrite zero_all_sums|]. now rewrite IH, all_sums_assoc. Qed.

(** The order of the modes does not matter. *)
Lemma offsets_permutation : forall l l', Permutation l l' -> Permutation (offsets l) (offsets l').
Proof.
  induction 1; simpl.
  - constructor; constructor.
  - now apply all_sums_permutation.
  - rewrite <- !all_sums_assoc. rewrite (all_sums_comm _ (offsets l)), (all_sums_comm (all_sums _ _) (offsets l)).
    apply all_sums_permutation, all_sums_comm.
  - etransitivity; eassumption.
Qed.

Lemma offsets_same_function : forall l l', positive l -> positive l' -> size l = size l' ->
  (forall i, i < size l -> index l i = index l' i) -> offsets l = offsets l'.
Proof.
  intros l l' P P' S I. rewrite !offsets_index by assumption. rewrite <- S.
  apply map_ext_in. intros x X. apply I. now apply in_range.
Qed.

Lemma offsets_merged : forall l, positive l -> offsets (merged l) = offsets l.
Proof.
  intros l P. apply offsets_same_function; trivial.
  - now apply merged_positive.
  - now apply merged_size.
  - intros i L. rewrite merged_size in L by assumption. now apply merged_index.
Qed.

(** Runs of the stride 1 count. *)
Lemma offsets_runs : forall ts, Forall (N.le 1) ts -> offsets (runs ts 1) = range (product ts).
Proof.
  intros ts T. rewrite offsets_index by now apply runs_positive. rewrite runs_size.
  destruct ts as [|t r]; [reflexivity|]. rewrite <- (map_id (range _)) at 2. apply map_ext. intro x.
  rewrite runs_index by (assumption || discriminate). lia.
Qed.

(** Modes of stride 0 repeat all offsets. *)
Fixpoint times (n : nat) (xs : list N) : list N := match n with O => [] | S k => xs ++ times k xs end.

Lemma times_permutation : forall n xs ys, Permutation xs ys -> Permutation (times n xs) (times n ys).
Proof. induction n; intros; simpl; [constructor|]. apply Permutation_app; auto. Qed.

Lemma all_sums_zeros : forall n xs, Permutation (all_sums (repeat 0 n) xs) (times n xs).
Proof.
  induction n as [|n IH]; intro xs; simpl.
  - unfold all_sums. simpl. induction xs; simpl; auto.
  - rewrite all_sums_cons, IH. apply Permutation_app_tail.
    rewrite (map_ext (fun y => 0 + y) (fun y => y)) by (intro; lia). now rewrite map_id.
Qed.

Lemma times_times : forall a b xs, times a (times b xs) = times (a * b) xs.
Proof.
  assert (Add : forall a b xs, times (a + b) xs = times a xs ++ times b xs).
  { induction a as [|a IH]; intros b xs; simpl; [reflexivity|]. now rewrite IH, app_assoc. }
  induction a as [|a IH]; intros b xs; simpl; [reflexivity|]. now rewrite IH, Add.
Qed.

Lemma offsets_broadcast : forall l xs, Forall (fun m => stride m = 0) l ->
  Permutation (all_sums (offsets l) xs) (times (N.to_nat (size l)) xs).
Proof.
  intros l xs. induction l as [|m r IH]; intro Z.
  - simpl. rewrite zero_all_sums, app_nil_r. reflexivity.
  - inversion Z; subst. simpl. rewrite all_sums_assoc, Nnat.N2Nat.inj_mul, <- times_times.
    assert (steps m = repeat 0 (N.to_nat (extent m))) as ->.
    { unfold steps. rewrite <- range_length, H1. induction (range (extent m)); simpl; [reflexivity|].
      f_equal; [lia|assumption]. }
    rewrite all_sums_zeros. apply times_permutation. now apply IH.
Qed.

(** ** The offsets of a composition *)

Fixpoint all_coordinates (l : list mode) : list (list N) :=
  match l with [] => [[]] | m :: r => flat_map (fun c => map (fun x => x :: c) (range (extent m))) (all_coordinates r)
    end.

Lemma in_all_coordinates : forall l c, In c (all_coordinates l) -> inside l c.
Proof.
  induction l as [|m r IH]; intros c H; simpl in H.
  - destruct H as [<-|[]]. constructor.
  - apply in_flat_map in H as (d & D & H). apply in_map_iff in H as (x & <- & X). apply in_range in X.
    constructor; [assumption|]. now apply IH.
Qed.

Lemma offsets_all_coordinates : forall l, offsets l = map (offset l) (all_coordinates l).
Proof.
  induction l as [|m r IH]; [reflexivity|]. simpl. rewrite map_flat_map, IH. unfold all_sums. rewrite flat_map_map.
  apply flat_map_in_ext. intros c _. unfold steps. now rewrite !map_map.
Qed.

(** What a composition reaches is what [A] makes of the offsets of [B], each as often. *)
Theorem composition_offsets : forall a b parts,
  is_composition a b parts -> offsets (concat parts) = map (index a) (offsets b).
Proof.
  intros a b parts [R H].
  assert (E : offsets (concat parts) = map (at_parts parts) (all_coordinates b)).
  { clear H. induction R as [|m p bs parts (S & P & NN) R IH]; [reflexivity|].
    simpl. rewrite offsets_app, IH, map_flat_map. unfold all_sums. rewrite flat_map_map.
    apply flat_map_in_ext. intros c _. rewrite (offsets_index p), S, !map_map by assumption. reflexivity. }
  rewrite E, offsets_all_coordinates, map_map. apply map_ext_in. intros c C. apply H. now apply in_all_coordinates.
Qed.
