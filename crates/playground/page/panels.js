// The texts: the sentence, Rust, the steps, and marks in the text field.

function showMessage(report, seen) {
    const box = document.getElementById("message");
    box.replaceChildren();
    box.className = "";
    const { trouble, parts } = report;
    if (trouble) {
        const kind = trouble.kind === "page" ? "" : trouble.kind + " ";
        box.append(element("strong", { textContent: kind }), element("span", { textContent: firstLine(trouble.sentence) }));
        if (trouble.law) box.append(element("p", { textContent: `${trouble.operation}: ${trouble.law}` }));
        if (trouble.path.length) box.append(element("p", { textContent: `It breaks in mode ${trouble.path.join(".")} of the layout on the left.` }));
        if (seen) box.append(element("p", { textContent: `Dimmed below: ${seen.of.trim()}` }));
        if (trouble.function) box.append(element("p", { textContent: "The last picture is the function itself, A(B(c)): it exists, and no layout with the modes of B is that function." }));
        return;
    }
    const last = parts[parts.length - 1];
    if (last && last.banks) {
        const { instructions, phases, passes, conflicts, ways, sentence } = last.banks;
        box.className = conflicts ? "" : "answer";
        box.append(element("strong", { textContent: conflicts ? `${conflicts} bank conflicts: ` : "No bank conflicts: " }));
        const count = (number, word) => `${number} ${word}${number === 1 ? "" : word === "pass" ? "es" : "s"}`;
        box.append(element("span", { textContent: `${count(passes, "pass")} for ${count(phases, "phase")} of ${count(instructions, "instruction")}; the worst phase takes ${ways}.` }));
        if (sentence) box.append(element("p", { textContent: sentence }));
    } else if (last && !last.picture) {
        box.className = "answer";
        box.append(element("strong", { textContent: last.text }));
        if (last.facts && last.kind === "layout") box.append(element("span", { textContent: ` has ${BigInt(last.facts.size).toLocaleString("en")} elements: too many to draw` }));
    }
}

function firstLine(text) {
    return text.split("\n")[0];
}

// Marks behind the text: where it is wrong, and the numbers at fault.
function showMarks(text, trouble) {
    const mirror = document.getElementById("mirror");
    mirror.replaceChildren();
    if (!trouble) return;
    // If the whole text was refused, the numbers at fault say more than a mark over all of it.
    const places = trouble.marks.map(([from, to]) => [from, to, ""]);
    if (places.length === 0 || trouble.kind === "parse" || trouble.kind === "page") places.push([...trouble.span, "place"]);
    places.sort((a, b) => a[0] - b[0]);
    let at = 0;
    for (const [from, to, className] of places) {
        if (from < at) continue;
        const end = Math.max(to, from + 1);
        mirror.append(text.slice(at, from), element("mark", { className, textContent: text.slice(from, end) || " " }));
        at = end;
    }
    mirror.append(text.slice(at), "\n");
}

// The line of code, as it stands in a program.
function asStatement({ line }) {
    return `let r = ${line};`;
}

// The line of code first, then the types.
function showRust({ rust, parts, trouble }) {
    const box = document.getElementById("rust");
    box.replaceChildren();
    const last = parts[parts.length - 1];
    const line = document.getElementById("line");
    line.parentNode.hidden = !rust.line;
    document.getElementById("copy-types").hidden = !rust.code;
    line.replaceChildren(asStatement(rust));
    if (!trouble && last && last.kind === "layout") line.append("\n", element("span", { className: "quiet", textContent: `// ${last.text}` }));
    if (rust.code) box.append(rust.code);
    if (rust.error) {
        box.append("\n", element("span", { className: "wrong", textContent: rust.error }));
        box.append("\n", element("span", { className: "quiet", textContent: "// Where several rules are broken, the compiler may name another of them." }));
    }
    if (rust.note) box.append(element("span", { className: "quiet", textContent: `No type to paste: ${rust.note}.` }));
    if (!rust.code && !rust.note) box.append(element("span", { className: "quiet", textContent: "Once the text is a layout, its code stands here." }));
}

function showSteps({ steps, parts, trouble }) {
    document.getElementById("steps-panel").hidden = !steps;
    const { operation } = trouble && trouble.operation ? trouble : parts[parts.length - 1] || {};
    // The other divisions are this one with its modes arranged anew.
    const rules = /\]$/m.test(steps);
    document.getElementById("proof").hidden = !rules;
    document.getElementById("steps-title").textContent = rules ? "The derivation, with the rules of the proof" : /_divide$/.test(operation || "") && operation !== "logical_divide" ? "Step by step: the logical division in it" : "Step by step";
    const box = document.getElementById("steps");
    box.replaceChildren();
    for (const step of (steps || "").split("\n")) {
        // A rule of the proof stands behind its step.
        const [, line, rule] = /^(.*?)(?: +\[(.*)\])?$/.exec(step);
        const broken = /not below|does not divide|no rest:|^refused|beyond|has no mode|^so no|^and no/.test(line);
        const className = broken ? "wrong" : /^result|^so R/.test(line) ? "good" : "";
        box.append(element("span", { className, textContent: line }));
        if (rule) box.append("  ", element("span", { className: "rule", textContent: rule }));
        box.append("\n");
    }
}
