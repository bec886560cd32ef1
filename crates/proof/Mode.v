(** * Modes, coordinates, offsets

    A layout is a list of modes. A mode [extent:stride] is a counter: it takes [extent] steps, each of which goes
    [stride] far. A coordinate of a layout has one number for each mode; its offset is the sum of all steps. A number
    [i] is a coordinate too: its digits are read in the mixed radix of the extents, the leftmost mode first,
      and the last
    mode takes all that is left, so that a layout has an offset for every number, beyond its size too.

    All numbers are natural numbers without a bound. Extents are at least 1. *)

Require Export NArith List Lia.
Export ListNotations.
Global Open Scope N_scope.
Global Arguments N.mul : simpl never.
Global Arguments N.add : simpl never.
Global Arguments N.sub : simpl never.
Global Arguments N.div : simpl never.
Global Arguments N.modulo : simpl never.
Global Arguments N.eqb : simpl never.
Global Arguments N.ltb : simpl never.
Global Arguments N.leb : simpl never.

(** One mode of a flat layout: [extent] steps of [stride]. In the code: [flat.rs], [DynMode]. *)
Record mode := Mode { extent : N; stride : N }.

(** The answer of an operation that may have none, and the kinds of reasons. *)
Inductive fault := Divisibility | Carry | Overlap | Rank | Profile | UnitStride.
Inductive result (A : Type) := Ok (a : A) | Err (f : fault).
Arguments Ok {A} a.
Arguments Err {A} f.

Definition bind {A B} (r : result A) (f : A -> result B) : result B :=
  match r with Ok a => f a | Err e => Err e end.
Notation "'let?' x ':=' r 'in' f" := (bind r (fun x => f)) (at level 200, x pattern, r at level 100, f at level 200).

(** The number of coordinates. *)
Fixpoint size (l : list mode) : N :=
  match l with [] => 1 | m :: r => extent m * size r end.

(** The offset of a coordinate. *)
Fixpoint offset (l : list mode) (c : list N) : N :=
  match l, c with
  | m :: r, x :: y => x * stride m + offset r y
  | _, _ => 0
  end.

(** The coordinate with the number [i]; the last mode takes the whole quotient. *)
Fixpoint coordinate (l : list mode) (i : N) : list N :=
  match l with
  | [] => []
  | m :: r => match r with [] => [i] | _ => i mod extent m :: coordinate r (i / extent m) end
  end.

(** The layout as a function of numbers. *)
Fixpoint index (l : list mode) (i : N) : N :=
  match l with
  | [] => 0
  | m :: r => match r with [] => i * stride m | _ => i mod extent m * stride m + index r (i / extent m) end
  end.

(** Every number of the coordinate lies below its extent. *)
Definition inside (l : list mode) (c : list N) : Prop := Forall2 (fun m x => x < extent m) l c.

(** Every extent is at least 1. *)
Definition positive (l : list mode) : Prop := Forall (fun m => 1 <= extent m) l.

Lemma index_of_coordinate : forall l i, index l i = offset l (coordinate l i).
Proof.
  induction l as [|m r IH]; intro i; [reflexivity|].
  destruct r as [|m' r']; [simpl; lia|].
  change (index (m :: m' :: r') i) with (i mod extent m * stride m + index (m' :: r') (i / extent m)).
  change (coordinate (m :: m' :: r') i) with (i mod extent m :: coordinate (m' :: r') (i / extent m)).
  rewrite IH. reflexivity.
Qed.

Lemma positive_cons : forall m r, positive (m :: r) <-> 1 <= extent m /\ positive r.
Proof. intros. split; [intro P; now inversion P|intros [H P]; now constructor]. Qed.

Lemma positive_app : forall p q, positive (p ++ q) <-> positive p /\ positive q.
Proof. intros. apply Forall_app. Qed.

Lemma size_positive : forall l, positive l -> 1 <= size l.
Proof.
  induction l as [|m r IH]; intro P; simpl; [lia|]. apply positive_cons in P as [Pm Pr].
  specialize (IH Pr). nia.
Qed.

Lemma size_app : forall p q, size (p ++ q) = size p * size q.
Proof. induction p; intro q; simpl; [lia|]. rewrite IHp. ring. Qed.

Lemma index_cons : forall m r i, r <> [] -> index (m :: r) i = i mod extent m * stride m + index r (i / extent m).
Proof. intros m [|m' r] i H; [contradiction|reflexivity]. Qed.

Lemma index_one : forall m i, index [m] i = i * stride m.
Proof. reflexivity. Qed.

Lemma coordinate_cons : forall m r i, r <> [] -> coordinate (m :: r) i = i mod extent m :: coordinate r (i / extent m).
Proof. intros m [|m' r] i H; [contradiction|reflexivity]. Qed.

Lemma app_not_nil : forall (A : Type) (p q : list A), q <> [] -> p ++ q <> [].
Proof. intros A [|x p] q H; [exact H|discriminate]. Qed.

(** Modes in front of others see a number modulo their size, those behind them the quotient. *)
Lemma index_app : forall p q i, positive p -> q <> [] ->
  index (p ++ q) i = index p (i mod size p) + index q (i / size p).
Proof.
  induction p as [|m r IH]; intros q i P Q.
  - simpl. now rewrite N.div_1_r.
  - apply positive_cons in P as [Pm Pr].
    pose proof (size_positive r Pr) as S.
    rewrite <- app_comm_cons, index_cons by now apply app_not_nil.
    rewrite IH by assumption. simpl size.
    assert (D : i mod (extent m * size r) = i mod extent m + extent m * ((i / extent m) mod size r))
      by (apply N.mod_mul_r; lia).
    assert (Q1 : i / (extent m * size r) = i / extent m / size r) by (rewrite N.div_div; lia).
    rewrite Q1, D. destruct r as [|m' r'].
    + simpl. rewrite N.mod_1_r, N.mul_0_r, N.add_0_r. lia.
    + rewrite (index_cons m (m' :: r')) by discriminate.
      replace (i mod extent m + extent m * ((i / extent m) mod size (m' :: r')))
        with (i mod extent m + (i / extent m) mod size (m' :: r') * extent m) by lia.
      rewrite N.mod_add, N.div_add by lia.
      rewrite N.mod_mod by lia.
      rewrite (N.div_small (i mod extent m)) by (apply N.mod_lt; lia). rewrite N.add_0_l. lia.
Qed.

(** An equal front may be put in place of another one, whatever stands behind it. *)
Lemma index_front : forall p p' q i, positive p -> positive p' -> q <> [] -> size p = size p' ->
  (forall k, k < size p -> index p k = index p' k) -> index (p ++ q) i = index (p' ++ q) i.
Proof.
  intros p p' q i P P' Q S E.
  rewrite !index_app by assumption. rewrite <- S, E; [reflexivity|].
  apply N.mod_lt. pose proof (size_positive p P). lia.
Qed.

(** The coordinate of a number below the size lies inside. *)
Lemma coordinate_inside : forall l i, positive l -> i < size l -> inside l (coordinate l i).
Proof.
  induction l as [|m r IH]; intros i P L; [constructor|].
  apply positive_cons in P as [Pm Pr]. simpl in L. destruct r as [|m' r'].
  - simpl in *. repeat constructor. lia.
  - rewrite coordinate_cons by discriminate. constructor.
    + apply N.mod_lt. lia.
    + apply IH; [assumption|]. apply N.div_lt_upper_bound; lia.
Qed.

(** The number of a coordinate. *)
Fixpoint number (l : list mode) (c : list N) : N :=
  match l, c with
  | m :: r, x :: y => x + extent m * number r y
  | _, _ => 0
  end.

Lemma number_below : forall l c, inside l c -> number l c < size l.
Proof.
  induction 1 as [|m x r y I H IH]; simpl; [lia|]. nia.
Qed.

Lemma coordinate_of_number : forall l c, inside l c -> coordinate l (number l c) = c.
Proof.
  induction 1 as [|m x r y I H IH]; [reflexivity|].
  destruct r as [|m' r'].
  - inversion H; subst. simpl. f_equal. lia.
  - rewrite coordinate_cons by discriminate.
    change (number (m :: m' :: r') (x :: y)) with (x + extent m * number (m' :: r') y).
    rewrite (N.mul_comm (extent m)), N.mod_add, N.div_add by lia.
    rewrite N.mod_small, N.div_small, N.add_0_l by assumption. now rewrite IH.
Qed.

(** What a coordinate and its number say is one offset. *)
Lemma index_of_number : forall l c, inside l c -> index l (number l c) = offset l c.
Proof. intros. rewrite index_of_coordinate, coordinate_of_number; trivial. Qed.

Lemma number_of_coordinate : forall l i, l <> [] -> positive l -> number l (coordinate l i) = i.
Proof.
  induction l as [|m r IH]; intros i H P; [contradiction|].
  apply positive_cons in P as [Pm Pr]. destruct r as [|m' r'].
  - simpl. lia.
  - rewrite coordinate_cons by discriminate.
    change (number (m :: m' :: r') (i mod extent m :: coordinate (m' :: r') (i / extent m)))
      with (i mod extent m + extent m * number (m' :: r') (coordinate (m' :: r') (i / extent m))).
    rewrite IH by (assumption || discriminate).
    pose proof (N.div_mod i (extent m)). lia.
Qed.

Lemma inside_length : forall l c, inside l c -> length l = length c.
Proof. induction 1; simpl; congruence. Qed.

Lemma offset_app : forall p q c d, length p = length c -> offset (p ++ q) (c ++ d) = offset p c + offset q d.
Proof.
  induction p as [|m p IH]; intros q [|x c] d H; simpl in *; try discriminate; [reflexivity|].
  rewrite IH by lia. lia.
Qed.

Lemma inside_app : forall p q c d, inside p c -> inside q d -> inside (p ++ q) (c ++ d).
Proof. intros. now apply Forall2_app. Qed.
