(** * Logical divide: tiles, and what counts them

    [logical_divide A T] is [A o (T, complement(T, size A))] as one composition: the tile in the first modes,
      the rest in
    the others. The tile is [A o T], and the result reaches the offsets of [A], each as often as before; as often as
    before times the number of repetitions, if the tile itself repeats offsets by modes of stride 0.

    In the code: [divide.rs], [split]. *)

From Layout Require Import Mode Coalesce Composition Completeness Offsets Complement Inverse.

(** The modes of [A o T], one part for each mode of [T], and those of the rest. *)
Definition logical_divide (a t : list mode) : result (list (list mode) * list (list mode)) :=
  let? rest := complement_modes t (size a) in
  let? (c, tile) := leaves (new a) t in
  let? (c, rests) := leaves c (from_modes rest) in
  let? _ := finish c in
  Ok (tile, rests).

Lemma leaves_app : forall p q c, leaves c (p ++ q) =
  (let? (c, first) := leaves c p in let? (c, others) := leaves c q in Ok (c, first ++ others)).
Proof.
  induction p as [|m p IH]; intros q c; simpl; unfold bind.
  - destruct (leaves c q) as [[c' others]|]; reflexivity.
  - destruct (leaf c m) as [[c1 first]|]; [|reflexivity]. rewrite IH. unfold bind.
    destruct (leaves c1 p) as [[c2 others]|]; [|reflexivity].
    destruct (leaves c2 q) as [[c3 others']|]; reflexivity.
Qed.

(** It is one composition. *)
Lemma divide_composition : forall a t tile rests, logical_divide a t = Ok (tile, rests) ->
  exists rest, complement_modes t (size a) = Ok rest /\ compose a (t ++ from_modes rest) = Ok (tile ++ rests)
    /\ length tile = length t.
Proof.
  intros a t tile rests H. unfold logical_divide, bind in H.
  destruct (complement_modes t (size a)) as [rest|]; [|discriminate]. exists rest. split; [reflexivity|].
  destruct (leaves (new a) t) as [[c1 tile']|] eqn:E1; [|discriminate].
  destruct (leaves c1 (from_modes rest)) as [[c2 rests']|] eqn:E2; [|discriminate].
  destruct (finish c2) eqn:F; [|discriminate]. inversion H; subst. split.
  - unfold compose. rewrite leaves_app. unfold bind. now rewrite E1, E2, F.
  - clear - E1. revert E1. generalize (new a). revert tile.
    induction t as [|m t IH]; intros tile c E; simpl in E; [now inversion E|].
    unfold bind in E. destruct (leaf c m) as [[c' p]|]; [|discriminate].
    destruct (leaves c' t) as [[c'' ps]|] eqn:L; [|discriminate]. inversion E; subst. simpl. f_equal.
    eapply IH; eassumption.
Qed.

Lemma at_parts_app : forall p q c d, length p = length c -> at_parts (p ++ q) (c ++ d) = at_parts p c + at_parts q d.
Proof. induction p as [|m p IH]; intros q [|x c] d L; simpl in *; try discriminate; [reflexivity|]. rewrite IH by lia.
lia. Qed.

Lemma zero_coordinate : forall l, positive l -> inside l (map (fun _ => 0) l) /\ offset l (map (fun _ => 0) l) = 0.
Proof.
  induction l as [|m r IH]; intro P; [repeat constructor|]. apply positive_cons in P as [Pm Pr].
  destruct (IH Pr) as [I O].
  simpl. split; [constructor; [lia|assumption]|lia].
Qed.

(** ** Theorem: the tile is [A o T] *)
Theorem divide_tile : forall a t tile rests, positive a -> positive t -> logical_divide a t = Ok (tile,
  rests) -> is_composition a t tile.
Proof.
  intros a t tile rests A T H. apply divide_composition in H as (rest & C & E & L).
  pose proof (size_positive a A) as S.
  pose proof (from_modes_positive _ (complement_modes_positive t (size a) rest T S C)) as R.
  assert (P : positive (t ++ from_modes rest)) by now apply positive_app.
  destruct (composition_sound _ _ _ A P E) as [F H]. split.
  - apply Forall2_app_inv_l in F as (p & q & Fp & _ & Eq).
    assert (p = tile) as <-; [|assumption].
    assert (Lp : length p = length tile) by (rewrite L; clear - Fp; induction Fp; simpl; congruence).
    clear - Eq Lp. revert tile Eq Lp.
    induction p as [|x p IH]; intros [|y tile] Eq Lp; try discriminate; [reflexivity|].
    injection Eq as -> Eq. f_equal. apply IH; [assumption|]. simpl in Lp. lia.
  - intros c I. destruct (zero_coordinate _ R) as [Z O].
    specialize (H (c ++ map (fun _ => 0) (from_modes rest)) (inside_app _ _ _ _ I Z)).
    rewrite offset_app, O, N.add_0_r in H by now apply inside_length.
    rewrite <- H, at_parts_app by (rewrite L; now apply inside_length).
    enough (at_parts rests (map (fun _ => 0) (from_modes rest)) = 0) as -> by lia.
    clear - F L. apply Forall2_app_inv_l in F as (p & q & Fp & Fq & Eq).
    assert (rests = q) as ->.
    { assert (Lp : length tile = length p) by (rewrite L; clear - Fp; induction Fp; simpl; congruence).
      clear - Eq Lp. revert tile Eq Lp. induction p as [|x p IH]; intros [|y tile] Eq Lp; try discriminate; [exact Eq|].
      injection Eq as _ Eq. apply (IH tile); [assumption|]. simpl in Lp. lia. }
    clear - Fq. induction Fq as [|m p r q (S & P & N) F IH]; simpl; [reflexivity|].
    rewrite IH. rewrite N.add_0_r. destruct p as [|m' p]; [reflexivity|]. now apply index_zero.
Qed.

(** The modes that repeat offsets. *)
Definition repeating (l : list mode) : list mode := filter (fun m => stride m =? 0) l.

Lemma moving_offsets : forall t xs, positive t ->
  Permutation (all_sums (offsets t) xs) (times (N.to_nat (size (repeating t))) (all_sums (offsets (moving t)) xs)).
Proof.
  intros t xs P.
  assert (E : Permutation (repeating t ++ filter (fun m => negb (stride m =? 0)) t) t) by apply filter_split.
  assert (O : Permutation (offsets t) (all_sums (offsets (repeating t)) (offsets (filter (fun m => negb (stride m =? 0))
    t)))).
  { rewrite <- offsets_app. apply offsets_permutation. now symmetry. }
  assert (M : offsets (filter (fun m => negb (stride m =? 0)) t) = offsets (moving t)).
  { clear - P. induction t as [|m r IH]; [reflexivity|]. apply positive_cons in P as [Pm Pr]. specialize (IH Pr).
    simpl. unfold moves at 1. destruct (N.eqb_spec (stride m) 0); simpl; [now rewrite Bool.andb_false_r|].
    rewrite Bool.andb_true_r. destruct (N.eqb_spec (extent m) 1) as [One|]; simpl; rewrite IH; [|reflexivity].
    unfold steps. rewrite One. simpl. rewrite N.mul_0_l. apply zero_all_sums. }
  rewrite M in O. rewrite (all_sums_comm _ xs), (all_sums_permutation xs _ _ O), (all_sums_comm xs), all_sums_assoc.
  apply offsets_broadcast. apply Forall_forall. intros m I. apply filter_In in I as [_ I]. now apply N.eqb_eq.
Qed.

(** ** Theorem: a divide reaches the offsets of [A], each as often as before *)
Theorem divide_offsets : forall a t tile rests, positive a -> positive t -> logical_divide a t = Ok (tile, rests) ->
  Permutation (offsets (concat (tile ++ rests))) (times (N.to_nat (size (repeating t))) (offsets a)).
Proof.
  intros a t tile rests A T H. apply divide_composition in H as (rest & C & E & L).
  pose proof (size_positive a A) as S.
  pose proof (from_modes_positive _ (complement_modes_positive t (size a) rest T S C)) as R.
  assert (P : positive (t ++ from_modes rest)) by now apply positive_app.
  rewrite (composition_offsets a _ _ (composition_sound _ _ _ A P E)).
  rewrite offsets_from_modes, offsets_app.
  rewrite (moving_offsets t (offsets rest) T), <- offsets_app.
  rewrite (offsets_index a A).
  rewrite (times_permutation _ _ _ (complement_modes_offsets t (size a) rest T S C)).
  enough (forall n xs, map (index a) (times n xs) = times n (map (index a) xs)) as -> by reflexivity.
  induction n; intro xs; simpl; [reflexivity|]. now rewrite map_app, IHn.
Qed.

(** Where the tile repeats nothing: the same offsets, each as often. *)
Theorem divide_offsets_once : forall a t tile rests, positive a -> positive t -> Forall (fun m => stride m <> 0) t ->
  logical_divide a t = Ok (tile, rests) -> Permutation (offsets (concat (tile ++ rests))) (offsets a).
Proof.
  intros a t tile rests A T Z H. rewrite (divide_offsets a t tile rests A T H).
  assert (repeating t = []) as ->; [|simpl; now rewrite app_nil_r].
  clear - Z. induction Z as [|m r H Z IH]; simpl; [reflexivity|]. now destruct (N.eqb_spec (stride m) 0).
Qed.

(** The smallest divide by a tile that repeats: [1:0] by [2:0] has its one offset twice. *)
Example divide_repeats : logical_divide [Mode 1 0] [Mode 2 0] = Ok ([[Mode 2 0]], [[Mode 1 0]]).
Proof. reflexivity. Qed.
