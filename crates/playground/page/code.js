// The tab Code: index functions, written by an engine of its own, which comes when the tab is opened first.
const code = {
    load() {
        this.loading ||= new Promise((done, failed) => {
            window.layoutCode = async (text, bytes) => done((await WebAssembly.instantiate(await compiled(text, bytes), {})).exports);
            document.head.append(element("script", { src: "playground-code.js", onerror: () => failed("The file playground-code.js is not beside this page.") }));
        });
        return this.loading;
    },
    async show({ parts, trouble }) {
        if (!state.code) return;
        const last = parts[parts.length - 1];
        const box = byId("function");
        try {
            const wasm = await this.load();
            const isLayout = !trouble && last && last.kind === "layout";
            box.textContent = isLayout ? written(wasm, last.text, () => wasm.emit(CHOICES.code.indexOf(state.code) - 1, Number(state.what))) : "Once the text is a layout, its index function stands here.";
        } catch (error) {
            box.textContent = String(error);
        }
    },
};

// Instructions by name, the table of the command `layout mma`: it comes when one is asked for first.
const atoms = {
    load() {
        this.loading ||= new Promise((done, failed) => {
            window.layoutAtoms = (text) => done((this.rows = text.trim().split("\n").map((row) => row.split(" "))));
            document.head.append(element("script", { src: "playground-atoms.js", onerror: () => failed("The file playground-atoms.js is not beside this page.") }));
        });
        return this.loading;
    },
    // The report of the engine on a text; for an instruction, `mma(NAME)`, its A, B and C side by side.
    evaluate(of) {
        const [, name] = /^\s*mma\(\s*(\w*)\s*\)\s*;?\s*$/.exec(of) || [];
        if (name === undefined) return engine.evaluate(of);
        const span = [of.indexOf(name), of.indexOf(name) + name.length];
        const trouble = (sentence) => ({ parts: [], rust: { code: "" }, trouble: { sentence, kind: "page", span, marks: [], path: [] } });
        if (!this.rows) return { ...trouble("The table of instructions is being loaded."), loading: this.load() };
        const known = name.toUpperCase();
        const row = this.rows.find(([each]) => each.toUpperCase() === known);
        if (!row) {
            const shared = (each) => {
                let k = 0;
                while (k < known.length && each[k]?.toUpperCase() === known[k]) k++;
                return k;
            };
            const near = this.rows.reduce((best, [each]) => (shared(each) > shared(best) ? each : best), this.rows[0][0]);
            return trouble(`there is no instruction ${name}; near it is ${near}`);
        }
        const [, m, n, k, ...layouts] = row;
        const tiles = [[m, k], [n, k], [m, n]].map(([rows, columns], at) => `${layouts[at]}.thread_value_table((${rows},${columns}))`);
        return { ...engine.evaluate(tiles.join("; ")), atom: row[0] };
    },
};
