(** * Coalesce: fewer modes, the same function

    Two neighbours [s0:d0], [s1:s0*d0] are one mode [s0*s1:d0], for the second one continues exactly where the first one
    stops; a mode of extent 1 never moves and is dropped. [coalesce] does both, and the function is the same on the size
    of the layout. [coalesce_z] keeps a trailing extent 1, whose stride says how the layout goes on beyond its size, and
    the function is the same for every number. In the code: [flat.rs], [coalesce.rs]. *)

From Layout Require Import Mode.

(** Whether [next] goes on exactly where the mode stops. *)
Definition continues_in (m next : mode) : bool := extent m * stride m =? stride next.

(** Adds a mode to the end of a list: dropped if its extent is 1, joined to the last mode if it goes on there. *)
Fixpoint push_last (l : list mode) (m : mode) : list mode :=
  match l with
  | [] => [m]
  | first :: r =>
      match r with
      | [] => if continues_in first m then [Mode (extent first * extent m) (stride first)] else [first; m]
      | _ => first :: push_last r m
      end
  end.
Definition push_merged (l : list mode) (m : mode) : list mode := if extent m =? 1 then l else push_last l m.

(** The fewest modes of the same function. *)
Definition merged (l : list mode) : list mode := fold_left push_merged l [].

(** The modes of a layout: no mode at all is [1:0]. *)
Definition from_modes (l : list mode) : list mode := match l with [] => [Mode 1 0] | _ => l end.

Definition coalesce (l : list mode) : list mode := from_modes (merged l).

(** The same function beyond the size too: a last mode of extent 1 stays. *)
Definition coalesce_z (l : list mode) : list mode :=
  match l with
  | [] => []
  | first :: _ => push_last (merged (removelast l)) (last l first)
  end.

Lemma push_last_not_nil : forall l m, push_last l m <> [].
Proof.
  intros [|f [|g r]] m; simpl; try discriminate. destruct (continues_in f m); discriminate.
Qed.

Lemma push_last_positive : forall l m, positive l -> 1 <= extent m -> positive (push_last l m).
Proof.
  induction l as [|f r IH]; intros m P M; [repeat constructor; assumption|].
  apply positive_cons in P as [Pm Pr]. destruct r as [|g r].
  - simpl. destruct (continues_in f m); repeat constructor; simpl; trivial. nia.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m). constructor; [assumption|]. now apply IH.
Qed.

Lemma push_last_size : forall l m, size (push_last l m) = size (l ++ [m]).
Proof.
  induction l as [|f r IH]; intro m; [reflexivity|]. destruct r as [|g r].
  - simpl. destruct (continues_in f m); simpl; lia.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m).
    change ((f :: g :: r) ++ [m]) with (f :: (g :: r) ++ [m]).
    change (extent f * size (push_last (g :: r) m) = extent f * size ((g :: r) ++ [m])). now rewrite IH.
Qed.

(** Joined or not: the same function of every number. *)
Lemma push_last_index : forall l m i, positive l -> 1 <= extent m -> index (push_last l m) i = index (l ++ [m]) i.
Proof.
  induction l as [|f r IH]; intros m i P M; [reflexivity|].
  apply positive_cons in P as [Pm Pr]. destruct r as [|g r].
  - simpl. destruct (continues_in f m) eqn:C; [|reflexivity].
    apply N.eqb_eq in C. simpl. rewrite <- C.
    rewrite (N.div_mod i (extent f)) at 1 by lia. lia.
  - change (push_last (f :: g :: r) m) with (f :: push_last (g :: r) m).
    change ((f :: g :: r) ++ [m]) with (f :: (g :: r) ++ [m]).
    rewrite !index_cons by (apply push_last_not_nil || now apply app_not_nil).
    now rewrite IH.
Qed.

Lemma push_merged_positive : forall l m, positive l -> 1 <= extent m -> positive (push_merged l m).
Proof. intros. unfold push_merged. destruct (extent m =? 1); [assumption|now apply push_last_positive]. Qed.

Lemma push_merged_size : forall l m, size (push_merged l m) = size (l ++ [m]).
Proof.
  intros. unfold push_merged. destruct (N.eqb_spec (extent m) 1) as [E|]; [|apply push_last_size].
  rewrite size_app. simpl. rewrite E. lia.
Qed.

Lemma push_merged_index : forall l m i, positive l -> 1 <= extent m -> i < size (l ++ [m]) ->
  index (push_merged l m) i = index (l ++ [m]) i.
Proof.
  intros l m i P M L. unfold push_merged. destruct (N.eqb_spec (extent m) 1) as [E|]; [|now apply push_last_index].
  rewrite size_app in L. simpl in L. rewrite E in L.
  rewrite index_app by (assumption || discriminate).
  rewrite N.mod_small, N.div_small by lia. simpl. lia.
Qed.

(** The merged list, whatever front it began with. *)
Lemma fold_merged : forall l front, positive front -> positive l ->
  let all := fold_left push_merged l front in
  positive all /\ size all = size (front ++ l) /\ forall i, i < size all -> index all i = index (front ++ l) i.
Proof.
  induction l as [|m r IH]; intros front F L.
  - simpl. rewrite app_nil_r. auto.
  - apply positive_cons in L as [Lm Lr]. simpl.
    destruct (IH (push_merged front m)) as (P & S & E); [now apply push_merged_positive|assumption|].
    assert (T : size (push_merged front m ++ r) = size (front ++ m :: r)).
    { rewrite !size_app, push_merged_size, size_app. simpl. lia. }
    repeat split; [assumption|now rewrite S|].
    intros i I. rewrite E by assumption.
    replace (front ++ m :: r) with ((front ++ [m]) ++ r) by now rewrite <- app_assoc.
    destruct r as [|m' r'].
    + rewrite !app_nil_r. apply push_merged_index; trivial.
      rewrite S, !app_nil_r, push_merged_size in I. assumption.
    + apply index_front; try discriminate.
      * now apply push_merged_positive.
      * apply positive_app. split; [assumption|]. repeat constructor; assumption.
      * apply push_merged_size.
      * intros k K. apply push_merged_index; trivial. now rewrite push_merged_size in K.
Qed.

Lemma merged_positive : forall l, positive l -> positive (merged l).
Proof. intros. apply (fold_merged l []); [constructor|assumption]. Qed.
Lemma merged_size : forall l, positive l -> size (merged l) = size l.
Proof. intros. apply (fold_merged l []); [constructor|assumption]. Qed.
Lemma merged_index : forall l i, positive l -> i < size l -> index (merged l) i = index l i.
Proof. intros. apply (fold_merged l []); [constructor|assumption|]. change (i < size (merged l)).
now rewrite merged_size. Qed.

(** ** Theorem: coalesce is the same function on the size *)
Theorem coalesce_same_function : forall l, positive l ->
  size (coalesce l) = size l /\ forall i, i < size l -> index (coalesce l) i = index l i.
Proof.
  intros l P. unfold coalesce.
  assert (F : forall k, size (from_modes k) = size k /\ forall i, i < size k -> index (from_modes k) i = index k i).
  { intros [|m k]; [|auto]. simpl. split; [reflexivity|]. intros; lia. }
  destruct (F (merged l)) as [S E]. rewrite S, merged_size by assumption. split; [reflexivity|].
  intros i I. rewrite E, merged_index; trivial. now rewrite merged_size.
Qed.

Lemma coalesce_z_at_last : forall p m, coalesce_z (p ++ [m]) = push_last (merged p) m.
Proof.
  intros. unfold coalesce_z. destruct (p ++ [m]) as [|f r] eqn:E; [now destruct p|].
  rewrite <- E, removelast_last, last_last. reflexivity.
Qed.

(** ** Theorem: coalesce_z is the same function of every number *)
Theorem coalesce_z_same_function : forall l, positive l ->
  size (coalesce_z l) = size l /\ forall i, index (coalesce_z l) i = index l i.
Proof.
  intros l P. destruct l as [|first r]; [auto|].
  destruct (exists_last (l := first :: r)) as (p & m & E); [discriminate|]. rewrite E in *.
  rewrite coalesce_z_at_last. apply positive_app in P as [P L]. apply positive_cons in L as [L1 _]. split.
  - rewrite push_last_size, !size_app, merged_size by assumption. reflexivity.
  - intro i. rewrite push_last_index by (trivial; now apply merged_positive).
    apply index_front; try discriminate; trivial.
    + now apply merged_positive.
    + now apply merged_size.
    + intros k K. rewrite merged_size in K by assumption. now apply merged_index.
Qed.
