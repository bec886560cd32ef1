(** * Complement: where it is refused, there is none

    [complement L m] returns what [L] leaves free of [0..m), or refuses. This file proves that it refuses only if
    nothing at all can take the place of the complement, no layout and no other function: if the offsets of the modes
    of [L] that move and any list of numbers have every number below [m] as a sum, each exactly once, then the strides
    of [L] are multiples of what lies below them, and the complement is found. And it is the only one: any other such
    function has the same offsets.

    The argument. Let [d] be the least stride of [L], of a mode of [s] steps. A number below [d] is no offset of [L],
    so it has to be free. Go through all numbers from 0 upwards: a number is the sum of something with no step of the
    mode if and only if what is left of it after whole multiples of [s*d] is below [d]. So all other strides are
    multiples of [s*d], and the same argument goes on with those, counted in units of [s*d]. *)

From Layout Require Import Mode Coalesce Composition Offsets Complement Divide Product.

(** ** One mode and the rest *)

(** [E] and its copies at [g], [2g], .., [(s-1)g] are all numbers below [n], each of them once. Then [E] has the first
    [g] of every [s*g] numbers, and [n] is a multiple of [s*g]. *)
Lemma blocks : forall (E : N -> Prop) s g n, 2 <= s -> 1 <= g -> 1 <= n ->
  (forall x k, E x -> k < s -> x + k * g < n) ->
  (forall x, x < n -> exists k e, k < s /\ E e /\ x = k * g + e) ->
  (forall k e k' e', k < s -> k' < s -> E e -> E e' -> k * g + e = k' * g + e' -> k = k' /\ e = e') ->
  (forall x, x < n -> (E x <-> x mod (s * g) < g)) /\ n mod (s * g) = 0.
Proof.
  intros E s g n S G N1 Below Sum Once.
  assert (Gs : 2 * g <= s * g) by (apply N.mul_le_mono_r; exact S).
  assert (Low : forall b t, t < s * g -> (s * g * b + t) mod (s * g) = t).
  { intros b t T. rewrite N.add_comm, (N.mul_comm (s * g)), N.mod_add by lia. now apply N.mod_small. }
  assert (Mod : forall e k, e mod (s * g) < g -> k < s -> (e + k * g) mod (s * g) = e mod (s * g) + k * g).
  { intros e k L K. rewrite (N.div_mod e (s * g)) at 1 by nia.
    replace (s * g * (e / (s * g)) + e mod (s * g) + k * g) with (e mod (s * g) + k * g + e / (s * g) * (s * g)) by lia.
    rewrite N.mod_add by nia. apply N.mod_small. nia. }
  assert (Main : forall x, x < n -> (E x <-> x mod (s * g) < g)).
  { intro x. induction x as [x IH] using (well_founded_induction N.lt_wf_0). intro L.
    assert (M : x mod (s * g) < s * g) by (apply N.mod_lt; nia).
    destruct (N.lt_ge_cases (x mod (s * g)) g) as [Q|Q].
    - split; [trivial|intros _]. destruct (Sum x L) as (k & e & K & Ee & ->).
      destruct (N.eq_dec k 0) as [->|NZ]; [now rewrite N.mul_0_l, N.add_0_l|]. exfalso.
      assert (Kg : 1 * g <= k * g) by (apply N.mul_le_mono_r; lia).
      assert (Le : e < k * g + e) by lia.
      assert (He : e mod (s * g) < g) by (apply IH; trivial; lia).
      rewrite (N.add_comm (k * g)), Mod in Q by trivial. revert Q. generalize (e mod (s * g)). lia.
    - split; [intro Ex|lia]. exfalso. set (q := x mod (s * g) / g).
      assert (Q1 : 1 <= q) by (apply N.div_le_lower_bound; lia).
      assert (Qs : q < s) by (apply N.div_lt_upper_bound; lia).
      assert (R : x mod (s * g) = g * q + x mod (s * g) mod g) by (apply N.div_mod; lia).
      assert (R' : x mod (s * g) mod g < g) by (apply N.mod_lt; lia).
      assert (X : x = s * g * (x / (s * g)) + x mod (s * g)) by (apply N.div_mod; nia).
      set (e := s * g * (x / (s * g)) + x mod (s * g) mod g).
      assert (Xe : x = q * g + e) by (unfold e; lia).
      assert (Em : e mod (s * g) < g).
      { unfold e. rewrite Low; [exact R'|]. clear - R' Gs. revert R'. generalize (x mod (s * g) mod g). lia. }
      assert (Qg : 1 * 1 <= q * g) by (apply N.mul_le_mono; assumption). clearbody q e.
      assert (Ee : E e) by (apply IH; trivial; lia).
      destruct (Once q e 0 x) as [Z _]; trivial; lia. }
  split; [exact Main|].
  destruct (N.eq_dec (n mod (s * g)) 0) as [|NZ]; [trivial|exfalso].
  assert (Nn : n = s * g * (n / (s * g)) + n mod (s * g)) by (apply N.div_mod; nia).
  assert (Nm : n mod (s * g) < s * g) by (apply N.mod_lt; nia).
  set (base := s * g * (n / (s * g))) in *.
  assert (Mb : forall t, t < g -> (base + t) mod (s * g) = t).
  { intros t T. apply Low. lia. }
  set (over := n mod (s * g)) in *. clearbody over.
  assert (E0 : E (base + 0)) by (apply Main; [lia|rewrite Mb; lia]).
  assert (B0 := Below (base + 0) (s - 1) E0 ltac:(lia)).
  assert (G1 : (s - 1) * g + g = s * g) by nia.
  assert (E1 : E (base + (g - 1))) by (apply Main; [nia|rewrite Mb; lia]).
  assert (B1 := Below (base + (g - 1)) (s - 1) E1 ltac:(lia)). lia.
Qed.

(** ** All modes *)

(** An offset of [l] and one of [Y] have the multiples of [run] below [run * n] as their sums, each exactly once. *)
Definition tiles (l : list mode) (Y : N -> Prop) (run n : N) : Prop :=
  (forall c y, inside l c -> Y y -> exists x, x < n /\ offset l c + y = run * x) /\
  (forall x, x < n -> exists c y, inside l c /\ Y y /\ offset l c + y = run * x) /\
  (forall c y c' y', inside l c -> inside l c' -> Y y -> Y y' -> offset l c + y = offset l c' + y' -> c = c' /\ y = y').

Lemma offset_least : forall l d c, Forall (fun m => d <= stride m) l -> inside l c -> offset l c = 0 \/ d <= offset l c.
Proof.
  intros l d c F I. induction I as [|m x r y H I IH]; [now left|]. inversion F; subst. simpl.
  destruct (IH ltac:(assumption)) as [Z|Z]; [|right; lia]. destruct (N.eq_dec x 0) as [->|NZ]; [left; lia|right; nia].
Qed.

Lemma tiles_step : forall m rest Y run n, 1 <= run -> 1 <= n -> 2 <= extent m -> 1 <= stride m -> positive rest ->
  Forall (fun k => stride m <= stride k) rest -> tiles (m :: rest) Y run n ->
  run <= stride m /\ stride m mod run = 0 /\ exists n', 1 <= n' /\ run * n = extent m * stride m * n' /\
    tiles rest (fun y => Y y /\ y mod (extent m * stride m) = 0) (extent m * stride m) n'.
Proof.
  intros m rest Y run n R N1 S D P F (Below & Sum & Once). set (s := extent m) in *. set (d := stride m) in *.
  destruct (zero_coordinate rest P) as [Iz Oz]. set (z := map (fun _ => 0) rest) in *.
  assert (Y0 : Y 0).
  { destruct (Sum 0 ltac:(lia)) as (c & y & _ & Yy & E). replace 0 with y by lia. exact Yy. }
  assert (Cons : forall k c, k < s -> inside rest c -> inside (m :: rest) (k :: c)) by (intros; now constructor).
  assert (Off : forall k c, offset (m :: rest) (k :: c) = k * d + offset rest c) by reflexivity.
  destruct (Below (1 :: z) 0) as (g & _ & Eg); [apply Cons; [lia|exact Iz]|exact Y0|]. rewrite Off, Oz in Eg.
  assert (Dg : d = run * g) by lia. assert (G : 1 <= g) by nia.
  split; [nia|]. split; [rewrite Dg, N.mul_comm; apply N.mod_mul; lia|].
  set (E := fun x => exists c y, inside rest c /\ Y y /\ offset rest c + y = run * x).
  destruct (blocks E s g n S G N1) as [Main Div].
  - intros x k (c & y & I & Yy & Ex) K. destruct (Below (k :: c) y) as (x' & L & Ex'); [now apply Cons|exact Yy|].
    rewrite Off, Dg in Ex'. nia.
  - intros x L. destruct (Sum x L) as (c & y & I & Yy & Ex). inversion I as [|? k ? c' K I']; subst.
    rewrite Off in Ex. destruct (Below (0 :: c') y) as (e & _ & Ee); [apply Cons; [lia|exact I']|exact Yy|].
    rewrite Off, N.mul_0_l, N.add_0_l in Ee. exists k, e. split; [exact K|]. split; [now exists c', y|].
    rewrite Dg in Ex. nia.
  - intros k e k' e' K K' (c & y & I & Yy & Ee) (c' & y' & I' & Yy' & Ee') Eq.
    destruct (Once (k :: c) y (k' :: c') y') as [Ec ->]; auto.
    { rewrite !Off, Dg. nia. }
    inversion Ec; subst. split; [reflexivity|]. nia.
  - assert (Esd : s * d = run * (s * g)) by (rewrite Dg; ring).
    assert (Free : forall t, t < g -> Y (run * t)).
    { intros t T. assert (L : t < n).
      { assert (n = s * g * (n / (s * g))) by (rewrite (N.div_mod n (s * g)) at 1 by nia; lia).
        assert (n / (s * g) <> 0) by (intro Z; rewrite Z in *; lia). nia. }
      assert (Et : E t) by (apply Main; [exact L|rewrite N.mod_small; nia]).
      destruct Et as (c & y & I & Yy & Ey). destruct (offset_least rest d c F I) as [Z|Z]; [|nia].
      rewrite Z, N.add_0_l in Ey. now rewrite <- Ey. }
    assert (Rest : forall c, inside rest c -> exists w, offset rest c = s * d * w).
    { intros c I. destruct (Below (0 :: c) 0) as (w & Lw & Ew); [apply Cons; [lia|exact I]|exact Y0|].
      rewrite Off, N.mul_0_l, N.add_0_l, N.add_0_r in Ew.
      assert (EW : E w) by (exists c, 0; repeat split; trivial; lia).
      apply Main in EW; [|exact Lw].
      destruct (Below (0 :: c) (run * (g - 1))) as (u & Lu & Eu); [apply Cons; [lia|exact I]|apply Free; lia|].
      rewrite Off, N.mul_0_l, N.add_0_l, Ew in Eu. assert (u = w + (g - 1)) as -> by nia. clear Eu.
      assert (EU : E (w + (g - 1))) by (exists c, (run * (g - 1)); repeat split; trivial; [apply Free; lia|nia]).
      apply Main in EU; [|exact Lu].
      assert (W : w = s * g * (w / (s * g)) + w mod (s * g)) by (apply N.div_mod; nia).
      assert (Z : (w + (g - 1)) mod (s * g) = w mod (s * g) + (g - 1)).
      { rewrite W at 1. replace (s * g * (w / (s * g)) + w mod (s * g) + (g - 1))
          with (w mod (s * g) + (g - 1) + w / (s * g) * (s * g)) by lia.
        rewrite N.mod_add by nia. apply N.mod_small. nia. }
      rewrite Z in EU. clear Z. revert W EU. generalize (w / (s * g)) (w mod (s * g)). intros q t W EU.
      assert (t = 0) as -> by lia. exists q. rewrite Ew, W, Esd. ring. }
    set (n' := n / (s * g)).
    assert (Nn : n = s * g * n') by (unfold n'; rewrite (N.div_mod n (s * g)) at 1 by nia; lia).
    exists n'. split; [nia|]. split; [rewrite Nn, Esd; ring|]. split; [|split].
    + intros c y I [Yy My]. destruct (Rest c I) as [w W].
      assert (My' : y = s * d * (y / (s * d))) by (rewrite (N.div_mod y (s * d)) at 1 by nia; lia).
      exists (w + y / (s * d)). destruct (Below (0 :: c) y) as (x & Lx & Ex); [apply Cons; [lia|exact I]|exact Yy|].
      rewrite Off, N.mul_0_l, N.add_0_l in Ex. split; [|rewrite W; lia].
      assert (run * x = run * (s * g) * (w + y / (s * d))) by (rewrite <- Esd; lia).
      assert (x = s * g * (w + y / (s * d))) by nia. nia.
    + intros x L. assert (Ex : E (s * g * x)).
      { apply Main; [nia|]. rewrite N.mul_comm, N.mod_mul by nia. lia. }
      destruct Ex as (c & y & I & Yy & Ex). destruct (Rest c I) as [w W].
      exists c, y. split; [exact I|]. split; [split; [exact Yy|]|rewrite Ex, Esd; ring].
      assert (y = (x - w) * (s * d)) as -> by (rewrite W in Ex; nia). apply N.mod_mul. nia.
    + intros c y c' y' I I' [Yy _] [Yy' _] Eq.
      destruct (Once (0 :: c) y (0 :: c') y') as [Ec Ey]; auto.
      * apply Cons; [lia|exact I].
      * apply Cons; [lia|exact I'].
      * inversion Ec. auto.
Qed.

Lemma tiles_exact : forall sorted Y run n, 1 <= run -> 1 <= n ->
  Forall (fun m => 2 <= extent m /\ 1 <= stride m) sorted ->
  StronglySorted (fun a b => stride a <= stride b) sorted -> tiles sorted Y run n ->
  apart sorted run /\ multiples sorted run /\ (run * n) mod span sorted run = 0.
Proof.
  induction sorted as [|m rest IH]; intros Y run n R N1 F S T; simpl.
  - repeat split. rewrite N.mul_comm. apply N.mod_mul. lia.
  - inversion F as [|? ? [E D] F']; subst. inversion S as [|? ? S' Le]; subst.
    destruct (tiles_step m rest Y run n R N1 E D) as (A & M & n' & N1' & En & T'); trivial.
    { eapply Forall_impl; [|exact F']. simpl. lia. }
    destruct (IH _ (extent m * stride m) n' ltac:(nia) N1' F' S' T') as (A' & M' & Z).
    repeat split; trivial. now rewrite En.
Qed.

Lemma gaps_of_complete : forall sorted run free, apart sorted run -> multiples sorted run ->
  exists free', gaps_of sorted run true free = Ok (free', span sorted run).
Proof.
  induction sorted as [|m rest IH]; intros run free A M; simpl in *; [now exists free|].
  destruct A as [A A'], M as [M M']. destruct (N.ltb_spec (stride m) run) as [L|_]; [lia|].
  rewrite M. simpl. now apply IH.
Qed.

(** ** Modes in another order *)

Lemma permuted_coordinates : forall l l', Permutation l l' -> exists g : list N -> list N,
  (forall c, inside l' c -> inside l (g c) /\ offset l (g c) = offset l' c) /\
  (forall c c', inside l' c -> inside l' c' -> g c = g c' -> c = c').
Proof.
  induction 1 as [|m l l' P (g & G1 & G2)|m n l|l l' l'' P (g & G1 & G2) Q (h & H1 & H2)].
  - exists (fun c => c). split; auto.
  - exists (fun c => match c with x :: y => x :: g y | [] => [] end). split.
    + intros c I. inversion I as [|? x ? y X Iy]; subst. destruct (G1 y Iy) as [Ig Og].
      split; [now constructor|]. simpl. now rewrite Og.
    + intros c c' I I' E. inversion I; inversion I'; subst. inversion E; subst. f_equal. now apply G2.
  - exists (fun c => match c with x :: y :: r => y :: x :: r | _ => c end). split.
    + intros c I. inversion I as [|? x ? y X Iy]; subst. inversion Iy as [|? x' ? y' X' Iy']; subst.
      split; [repeat constructor; trivial|]. simpl. lia.
    + intros c c' I I' E. inversion I as [|? ? ? ? ? J]; subst. inversion I' as [|? ? ? ? ? J']; subst.
      inversion J; inversion J'; subst. now inversion E; subst.
  - exists (fun c => g (h c)). split.
    + intros c I. destruct (H1 c I) as [Ih Oh]. destruct (G1 (h c) Ih) as [Ig Og]. split; [exact Ig|congruence].
    + intros c c' I I' E. apply H2; trivial. apply G2; trivial; now apply H1.
Qed.

Lemma tiles_permutation : forall l l' Y run n, Permutation l l' -> tiles l Y run n -> tiles l' Y run n.
Proof.
  intros l l' Y run n P (Below & Sum & Once). destruct (permuted_coordinates l l' P) as (g & G1 & G2). split; [|split].
  - intros c y I Yy. destruct (G1 c I) as [Ig Og]. rewrite <- Og. now apply Below.
  - intros x L. destruct (Sum x L) as (c & y & I & Yy & E). destruct (permuted_offset l l' P c I) as (c' & I' & O').
    exists c', y. rewrite O'. auto.
  - intros c y c' y' I I' Yy Yy' E. destruct (G1 c I) as [Ig Og]. destruct (G1 c' I') as [Ig' Og'].
    destruct (Once (g c) y (g c') y') as [Ec Ey]; trivial; [congruence|]. split; [now apply G2|exact Ey].
Qed.

(** ** Theorem: the complement is exact *)

(** [f], on the numbers below [k],
  is what the modes of [l] that move leave free of [0..m): every number below [m] is the
    sum of an offset of these modes and of one of [f], in one way only, and no other number is. *)
Definition leaves_free (l : list mode) (m : N) (f : N -> N) (k : N) : Prop :=
  let a := moving l in
  (forall i j, i < size a -> j < k -> index a i + f j < m) /\
  (forall x, x < m -> exists i j, i < size a /\ j < k /\ index a i + f j = x) /\
  (forall i j i' j', i < size a -> j < k -> i' < size a -> j' < k ->
    index a i + f j = index a i' + f j' -> i = i' /\ j = j').

Lemma leaves_free_tiles : forall l m f k, positive l -> 1 <= m -> leaves_free l m f k ->
  tiles (sort_by stride (moving l)) (fun y => exists j, j < k /\ f j = y) 1 m.
Proof.
  intros l m f k P M (Below & Sum & Once). pose proof (moving_positive l P) as Pm. set (a := moving l) in *.
  apply (tiles_permutation a); [apply sort_permutation|]. split; [|split].
  - intros c y I (j & J & <-). exists (offset a c + f j). split; [|lia]. rewrite <- index_of_number by assumption.
    apply Below; [now apply number_below|exact J].
  - intros x L. destruct (Sum x L) as (i & j & I & J & E). exists (coordinate a i), (f j).
    split; [now apply coordinate_inside|]. split; [now exists j|]. rewrite <- index_of_coordinate. lia.
  - intros c y c' y' I I' (j & J & <-) (j' & J' & <-) E. rewrite <- !index_of_number in E by assumption.
    destruct (Once (number a c) j (number a c') j') as [En ->]; trivial; try now apply number_below.
    split; [|reflexivity]. rewrite <- (coordinate_of_number a c), <- (coordinate_of_number a c') by assumption.
    now rewrite En.
Qed.

Lemma complement_leaves_free : forall l m r,
  positive l -> 1 <= m -> complement l m = Ok r -> leaves_free l m (index r) (size r).
Proof.
  intros l m r P M H. destruct (complement_bijection l m r P M H) as (A & B & C). repeat split.
  - exact A.
  - exact B.
  - intros; now apply (C i j i' j').
  - intros; now apply (C i j i' j').
Qed.

(** If anything at all is free in this sense, the complement is found. So what is refused has none. *)
Theorem complement_exact : forall l m, positive l -> 1 <= m ->
  ((exists f k, leaves_free l m f k) <-> (exists r, complement l m = Ok r)).
Proof.
  intros l m P M. split.
  - intros (f & k & H). apply leaves_free_tiles in H; trivial.
    destruct (tiles_exact _ _ 1 m ltac:(lia) M (sorted_moving_spec l P) (sort_sorted mode stride (moving l)) H) as (A &
      Mu & D).
    rewrite N.mul_1_l in D. unfold complement, complement_modes, gaps, bind.
    destruct (gaps_of_complete _ 1 [] A Mu) as [free G]. rewrite G, D. simpl. eauto.
  - intros [r H]. exists (index r), (size r). now apply complement_leaves_free.
Qed.

(** ** Theorem: there is one complement

    All functions that [L] leaves free have the same offsets. *)
Theorem complement_only : forall l m f k f' k', positive l -> leaves_free l m f k -> leaves_free l m f' k' ->
  forall j, j < k -> exists j', j' < k' /\ f' j' = f j.
Proof.
  intros l m f k f' k' P H H'.
  assert (Key : forall x, (forall j, j < k -> f j = x -> exists j', j' < k' /\ f' j' = f j) /\
                          (forall j', j' < k' -> f' j' = x -> exists j, j < k /\ f j = f' j')).
  2:{ intros j J. now apply (proj1 (Key (f j))). }
  pose proof (moving_positive l P) as Pm. pose proof (size_positive _ Pm) as S. set (a := moving l) in *.
  assert (A0 : index a 0 = 0).
  { rewrite index_of_coordinate. destruct (zero_coordinate a Pm) as [I O].
    assert (number a (map (fun _ => 0) a) = 0) as Z by (clear; induction a; simpl; [reflexivity|rewrite IHa; lia]).
    rewrite <- Z at 1. rewrite coordinate_of_number; assumption. }
  assert (One : forall f k f' k' x, leaves_free l m f k -> leaves_free l m f' k' ->
    (forall y, y < x -> forall j', j' < k' -> f' j' = y -> exists j, j < k /\ f j = f' j') ->
    forall j, j < k -> f j = x -> exists j', j' < k' /\ f' j' = f j).
  { clear - S A0. intros f k f' k' x H H'. unfold leaves_free in H, H'. cbv zeta in H, H'.
    change (moving l) with a in H, H'. destruct H as (Below & Sum & Once), H' as (Below' & Sum' & Once').
    intros IH j J E.
    assert (L : x < m) by (rewrite <- E; specialize (Below 0 j ltac:(lia) J); lia).
    destruct (Sum' x L) as (i & j' & I & J' & E'). exists j'. split; [exact J'|].
    destruct (N.eq_dec (f' j') x) as [Eq|NE]; [congruence|].
    destruct (IH (f' j') ltac:(lia) j' J' eq_refl) as (j1 & J1 & E1).
    destruct (Once i j1 0 j I J1 ltac:(lia) J) as [-> ->]; [rewrite A0; lia|]. congruence. }
  intro x. induction x as [x IH] using (well_founded_induction N.lt_wf_0). split.
  - apply (One f k f' k' x H H'). intros y Y. now apply IH.
  - apply (One f' k' f k x H' H). intros y Y. now apply IH.
Qed.

(** ** Theorem: the rounded complement is exact

    It is refused only if no range at all has a complement. *)
Theorem complement_ceil_exact : forall l m, positive l -> 1 <= m ->
  ((exists m' f k, 1 <= m' /\ leaves_free l m' f k) <-> (exists r, complement_ceil l m = Ok r)).
Proof.
  intros l m P M1. split.
  2:{ intros [r H]. destruct (complement_ceil_law l m r P M1 H) as (s & S & C & L & _).
    exists (div_ceil m s * s), (index r), (size r). split; [lia|]. apply complement_leaves_free; trivial. lia. }
  - intros (m' & f & k & M & H). apply leaves_free_tiles in H; trivial.
    destruct (tiles_exact _ _ 1 m' ltac:(lia) M (sorted_moving_spec l P) (sort_sorted mode stride (moving l)) H) as (A &
      Mu & _).
    unfold complement_ceil, complement, complement_modes, gaps, bind.
    destruct (gaps_of_complete _ 1 [] A Mu) as [free G]. rewrite G.
    destruct (free_modes_positive (sort_by stride (moving l)) 1) as [_ S];
      [lia|now apply sorted_moving_spec|assumption|].
    rewrite N.mod_mul by lia. simpl. eauto.
Qed.
