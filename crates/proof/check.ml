(* Answers the golden lines of the repository with the functions extracted from the proof, and compares.

   A line is {"op": .., "args": [..], "out": ..}: layouts, shapes and tilers are text, "((2,2),3):((1,4),2)" and
   "<4:1,_,2>", and an operation without an answer has {"undefined": kind}. *)

open Algebra

(* Numbers: binary in the proof, machine integers here, where only text is read and written. *)
let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))
let number n = if n = 0 then N0 else Npos (positive n)
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1
let of_number = function N0 -> 0 | Npos p -> of_positive p

(* Reading text, one character after the other. *)
exception Unread of string
type reader = { text : string; mutable at : int }
let reader text = { text; at = 0 }
let peek r = if r.at < String.length r.text then r.text.[r.at] else '\000'
let skip r c = if peek r = c then r.at <- r.at + 1 else raise (Unread r.text)
let digits r =
  let first = r.at in
  while peek r >= '0' && peek r <= '9' do r.at <- r.at + 1 done;
  if r.at = first then raise (Unread r.text);
  int_of_string (String.sub r.text first (r.at - first))
let rec separated r close item =
  if peek r = close then (r.at <- r.at + 1; [])
  else begin
    let first = item r in
    if peek r = ',' then r.at <- r.at + 1;
    first :: separated r close item
  end

(* Integer tuples, and layouts: a shape and a stride of one profile. *)
type integers = Number_ of int | Tuple_ of integers list
let rec integers r = if peek r = '(' then (skip r '('; Tuple_ (separated r ')' integers)) else Number_ (digits r)
let rec layout_of shape stride = match shape, stride with
  | Number_ s, Number_ d -> Leaf { extent = number s; stride = number d }
  | Tuple_ s, Tuple_ d -> Tuple (List.map2 layout_of s d)
  | _ -> raise (Unread "a shape and a stride of different profiles")
let layout r = let shape = integers r in skip r ':'; layout_of shape (integers r)
let rec shape_of = function
  | Number_ s -> Leaf { extent = number s; stride = N0 }
  | Tuple_ s -> Tuple (List.map shape_of s)
let rec nested_of = function Number_ n -> Num (number n) | Tuple_ l -> Coords (List.map nested_of l)
let rec tiler r = match peek r with
  | '<' -> skip r '<'; By (separated r '>' tiler)
  | '_' -> skip r '_'; Keep
  | _ ->
    let shape = integers r in
    if peek r = ':' then (skip r ':'; Layout (layout_of shape (integers r)))
    else match shape with Number_ n -> Number (number n) | Tuple_ _ -> raise (Unread r.text)

let rec show leaf = function
  | Leaf m -> string_of_int (of_number (leaf m))
  | Tuple l -> "(" ^ String.concat "," (List.map (show leaf) l) ^ ")"
let show_layout t = show (fun m -> m.extent) t ^ ":" ^ show (fun m -> m.stride) t

(* A line of JSON: of its kinds only those that stand in these files. *)
type json = Text of string | Int of int | Bool of bool | List of json list | Object of (string * json) list
let rec spaces r = if peek r = ' ' then (r.at <- r.at + 1; spaces r)
let rec json r = spaces r; match peek r with
  | '"' ->
    skip r '"';
    let first = r.at in
    while peek r <> '"' do r.at <- r.at + 1 done;
    let text = String.sub r.text first (r.at - first) in
    skip r '"'; Text text
  | '[' -> skip r '['; List (items r ']' json)
  | '{' -> skip r '{'; Object (items r '}' (fun r ->
      spaces r;
      match json r with
      | Text key -> spaces r; skip r ':'; let value = json r in (key, value)
      | _ -> raise (Unread r.text)))
  | 't' -> r.at <- r.at + 4; Bool true
  | 'f' -> r.at <- r.at + 5; Bool false
  | '-' -> skip r '-'; Int (- digits r)
  | _ -> Int (digits r)
and items : 'a. reader -> char -> (reader -> 'a) -> 'a list = fun r close item ->
  spaces r;
  if peek r = close then (skip r close; [])
  else begin
    let first = item r in
    spaces r;
    if peek r = ',' then skip r ',';
    first :: items r close item
  end

let kind = function Divisibility -> "divisibility" | Carry -> "carry" | Overlap -> "overlap" | Rank -> "rank"
  | Profile -> "profile"
  | UnitStride -> "unit-stride"
let text = function Ok t -> show_layout t | Err fault -> "undefined: " ^ kind fault

(* The answer of the proof; None where it has no such operation. *)
let answer op args =
  let l = function Text t -> layout (reader t) | _ -> raise (Unread op) in
  let t = function Text t -> tiler (reader t) | Int n -> Number (number n) | _ -> raise (Unread op) in
  let s = function Text t -> shape_of (integers (reader t)) | Int n -> shape_of (Number_ n) | _ -> raise (Unread op) in
  let n = function Int n -> number n | _ -> raise (Unread op) in
  let numeric n = Some (string_of_int (of_number n)) and truth b = Some (string_of_bool b) in
  let exact x = Some (show_layout x) and maybe x = Some (text x) in
  match op, args with
  | "index", [a; i] -> Some (string_of_int (of_number (index (flat (l a)) (n i))))
  | "coalesce", [a] -> exact (coalesce_tree (l a))
  | "coalesce_z", [a] -> exact (coalesce_z_tree (l a))
  | "coalesce_by_mode", [a] -> exact (coalesce_by_mode (l a))
  | "filter", [a] -> exact (filter_tree (l a))
  | "flatten", [a] -> exact (flatten (l a))
  | ("compose" | "compose_by_mode"), [a; b] -> maybe (compose_by (l a) (t b))
  | "complement", [a; m] -> maybe (complement_tree (l a) (n m))
  | "complement_ceil", [a; m] -> maybe (complement_ceil_tree (l a) (n m))
  | "right_inverse", [a] -> exact (right_inverse_tree (l a))
  | "left_inverse", [a] -> maybe (left_inverse_tree (l a))
  | "nullspace", [a] -> exact (nullspace_tree (l a))
  | "max_common_layout", [a; b] -> exact (max_common_layout_tree (l a) (l b))
  | "logical_divide", [a; b] -> maybe (logical divide_split (l a) (t b))
  | "zipped_divide", [a; b] -> maybe (zipped divide_split (l a) (t b))
  | "tiled_divide", [a; b] -> maybe (tiled divide_split (l a) (t b))
  | "flat_divide", [a; b] -> maybe (flattened divide_split (l a) (t b))
  | "logical_product", [a; b] -> maybe (logical product_split (l a) (t b))
  | "zipped_product", [a; b] -> maybe (zipped product_split (l a) (t b))
  | "tiled_product", [a; b] -> maybe (tiled product_split (l a) (t b))
  | "flat_product", [a; b] -> maybe (flattened product_split (l a) (t b))
  | "blocked_product", [a; b] -> maybe (blocked_product (l a) (l b))
  | "raked_product", [a; b] -> maybe (raked_product (l a) (l b))
  | "tile_to_shape", [a; shape] -> maybe (tile_to_shape (l a) (s shape))
  | "tile_to_shape", [a; shape; order] -> maybe (tile_to_shape_ordered (l a) (s shape) (s order))
  | "size", [a] -> numeric (size_of (l a))
  | "cosize", [a] -> numeric (cosize_of (l a))
  | "rank", [a] -> numeric (rank_of (l a))
  | "depth", [a] -> numeric (depth_of (l a))
  | "index_nested", [a; Text c] -> numeric (at_nested (l a) (nested_of (integers (reader c))))
  | "idx2crd", [shape; i] -> Some (show (fun m -> m.extent) (coordinate_of (s shape) (n i)))
  | "compact_left", [shape] -> exact (compact_left (s shape))
  | "compact_right", [shape] -> exact (compact_right (s shape))
  | "congruent", [a; b] -> truth (congruent (s a) (s b))
  | "weakly_congruent", [a; b] -> truth (weakly_congruent (s a) (s b))
  | "compatible", [a; b] -> truth (compatible (s a) (s b))
  | "swizzle", [b; m; Int shift; x] ->
    let swizzle = if shift < 0 then swizzle_up else swizzle_down in
    numeric (swizzle (n b) (n m) (number (abs shift)) (n x))
  | "upcast", [a; unit] -> maybe (upcast (l a) (n unit))
  | "downcast", [a; parts] -> maybe (downcast (l a) (n parts))
  | "layout_add", [a; b] -> maybe (layout_add (l a) (l b))
  | "greatest_common_domain", [x; y] -> exact (greatest_common_domain (s x) (s y))
  | _ -> None

let expected = function
  | Text t -> t
  | Int n -> string_of_int n
  | Bool b -> string_of_bool b
  | Object ["undefined", Text kind] -> "undefined: " ^ kind
  | _ -> "?"

let () =
  let counts = Hashtbl.create 64 and wrong = ref 0 and equal = ref 0 and passed = ref 0 in
  let line op args out = match answer op args with
    | None -> incr passed
    | Some given ->
      let wanted = expected out in
      if given = wanted then begin
        incr equal;
        Hashtbl.replace counts op (1 + Option.value ~default:0 (Hashtbl.find_opt counts op))
      end else begin
        incr wrong;
        let show = function Text t -> t | Int n -> string_of_int n | _ -> "?" in
        Printf.printf "%s %s: %s expected, the proof says %s\n" op (String.concat " " (List.map show args)) wanted given
      end in
  for k = 1 to Array.length Sys.argv - 1 do
    let file = open_in Sys.argv.(k) in
    try while true do
      match json (reader (input_line file)) with
      | Object fields ->
        (match List.assoc "op" fields, List.assoc "args" fields, List.assoc "out" fields with
         | Text op, List args, out -> line op args out
         | _ -> raise (Unread "a golden line"))
      | _ -> raise (Unread "a golden line")
    done with End_of_file -> close_in file
  done;
  let ops = List.sort compare (Hashtbl.fold (fun op n all -> (op, n) :: all) counts []) in
  List.iter (fun (op, n) -> Printf.printf "%-23s %6d equal\n" op n) ops;
  Printf.printf "%d golden lines equal, %d not; %d of operations that the proof does not have\n" !equal !wrong !passed;
  if !wrong > 0 || !passed > 0 || !equal = 0 then exit 1
