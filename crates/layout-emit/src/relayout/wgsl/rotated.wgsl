// The words of a vector from one of them on: threads whose vectors begin at one bank write other words first.
fn rotated(vector: vec4<u32>, by: u32) -> vec4<u32> {
    let words = select(vector, vector.yzwx, (by & 1u) != 0u);
    return select(words, words.zwxy, (by & 2u) != 0u);
}
