// The state that a link shares: the text, how it is drawn, the kept cell, the sizes of cells.
const state = { text: "", cells: "offset", colour: "auto", bits: "32", down: "0", memory: "", code: "", what: "0", pin: "", zoom: "", theme: "" };
const START = { ...state, text: "(4,6):(1,4).zipped_divide(<2,3>)" };
const CHOICES = {
    cells: ["offset", "index", "coordinate", "bank", "nothing"],
    colour: ["auto", "offset", "0", "1", "bank", "nothing"],
    bits: ["8", "16", "32", "64", "128"],
    memory: ["", "1"],
    code: ["", "c", "cuda", "hip", "opencl", "wgsl", "glsl", "hlsl", "msl", "rust", "python"],
    what: ["0", "1", "2"],
    theme: ["", "light", "dark"],
};

// The text of a link stays readable: only characters that would end it or that links cannot have are encoded.
function encoded(text) {
    return encodeURIComponent(text).replace(/%(3A|2C|20|28|29)/g, (found) => (found === "%20" ? "+" : decodeURIComponent(found)));
}

function link(of) {
    const parts = Object.keys(START).filter((name) => name === "text" || of[name] !== START[name]);
    return "#" + parts.map((name) => `${name}=${encoded(String(of[name]))}`).join("&");
}

// Reads the state of a link; a value that is no choice is ignored.
function readLink(hash) {
    const found = new URLSearchParams(hash.replace(/^#/, ""));
    const read = { ...START };
    for (const name of Object.keys(START)) {
        const value = found.get(name);
        if (value === null || (CHOICES[name] && !CHOICES[name].includes(value))) continue;
        if (name === "down" && !/^(\d(\.\d)*)?$/.test(value)) continue;
        if (name === "pin" && !/^\d+\.\d+$/.test(value)) continue;
        if (name === "zoom" && !/^(\d+\.\d+)(,\d+\.\d+)*$/.test(value)) continue;
        read[name] = value;
    }
    return read;
}

function writeLink() {
    const hash = link(state);
    if (hash === location.hash) return;
    try {
        history.replaceState(null, "", hash);
    } catch {
        location.replace(hash);
    }
}
