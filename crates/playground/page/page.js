// The page: from text to pictures, and the links between pictures.
const byId = (id) => document.getElementById(id);
const page = {
    // The report on the text, and the report on the last text that could be drawn.
    report: null,
    seen: null,
    pictures: [],
    hovered: null,
    pinned: null,

    async start() {
        await engine.start();
        this.fillOperations();
        this.fillGallery();
        const text = byId("text");
        text.addEventListener("input", () => this.typed(text.value));
        text.addEventListener("keydown", (event) => {
            if (event.key === "Enter") event.preventDefault();
        });
        text.addEventListener("scroll", () => (byId("mirror").scrollTop = text.scrollTop));
        for (const name of ["cells", "colour", "bits"]) {
            byId(name).addEventListener("change", (event) => this.option(name, event.target.value));
        }
        byId("memory").addEventListener("change", (event) => this.arrange({ memory: event.target.checked ? "1" : "" }));
        byId("down").addEventListener("change", () => {
            const modes = [...document.querySelectorAll("#down input")].map((box, mode) => (box.checked ? mode : -1));
            this.arrange({ down: modes.filter((mode) => mode >= 0).join(".") });
        });
        byId("code").append(...CHOICES.code.slice(1).map((name) => element("option", { textContent: name })));
        byId("code-panel").addEventListener("toggle", (event) => this.showCode({ code: event.target.open ? byId("code").value : "" }));
        for (const name of ["code", "what"]) byId(name).addEventListener("change", (event) => this.showCode({ [name]: event.target.value }));
        byId("copy-code").addEventListener("click", (event) => copy(byId("function").textContent, event.target, "Copy"));
        byId("share").addEventListener("click", (event) => copy(location.href, event.target, "Copy link"));
        byId("copy").addEventListener("click", (event) => copy(asStatement(this.report.rust), event.target, "Copy"));
        byId("copy-types").addEventListener("click", (event) => copy(this.report.rust.code, event.target, "Copy types"));
        byId("theme").addEventListener("click", () => {
            state.theme = CHOICES.theme[(CHOICES.theme.indexOf(state.theme) + 1) % 3];
            this.theme();
            writeLink();
            this.pictures.forEach((picture) => picture.draw());
        });
        addEventListener("hashchange", () => this.load());
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            this.theme();
            this.pictures.forEach((picture) => picture.draw());
        });
        let width = innerWidth;
        addEventListener("resize", () => {
            if (width === innerWidth) return;
            width = innerWidth;
            this.fitText();
            this.layOut();
        });
        if (innerWidth <= NARROW) byId("gallery").open = byId("how").open = false;
        this.load();
    },

    // From the link.
    load() {
        if (location.hash === "#text" || (this.report && location.hash === link(state))) return;
        Object.assign(state, readLink(location.hash));
        byId("text").value = state.text;
        for (const name of ["cells", "colour", "bits"]) byId(name).value = state[name];
        byId("memory").checked = state.memory === "1";
        byId("what").value = state.what;
        if (state.code) byId("code").value = state.code;
        byId("code-panel").open = Boolean(state.code);
        this.theme();
        this.seen = null;
        this.show();
        this.pinFromState();
        writeLink();
    },

    showCode(how) {
        Object.assign(state, how);
        code.show(this.report);
        writeLink();
    },

    // Other rows and columns, or memory beside them.
    arrange(how) {
        Object.assign(state, how);
        // Dimmed pictures are made anew, too.
        if (this.seen && this.seen !== this.report) this.show(this.seen.of);
        this.show();
        this.pinFromState();
        writeLink();
    },

    pinFromState() {
        const [source, index] = state.pin.split(".").map(Number);
        const picture = state.pin && this.pictures.find((each) => each.source === source);
        this.pinned = picture ? picture.cellAt(index) : null;
        this.remark();
        if (this.pinned) byId("readout").textContent = this.describe(this.pinned);
    },

    theme() {
        colours.dark = state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
        document.documentElement.classList.toggle("dark", colours.dark);
        byId("theme").textContent = `Theme: ${state.theme || "system"}`;
    },

    typed(text) {
        Object.assign(state, { text, pin: "", zoom: "" });
        this.pinned = null;
        this.show();
        writeLink();
    },

    option(name, value) {
        state[name] = value;
        this.sayColour();
        this.layOut();
        writeLink();
    },

    fillOperations() {
        const list = byId("operations");
        const groups = new Map();
        const rows = engine.operations();
        for (const row of rows) {
            if (!groups.has(row.group)) groups.set(row.group, element("optgroup", { label: row.group }));
            groups.get(row.group).append(element("option", { value: row.name, textContent: row.name, title: row.law }));
        }
        list.append(...groups.values());
        list.addEventListener("change", () => {
            const row = rows.find(({ name }) => name === list.value);
            list.value = "";
            if (!row) return;
            byId("ask").replaceChildren();
            const text = byId("text");
            // To an instruction nothing is appended, but to the layout of its last operand.
            const before = this.report.atom ? this.report.parts.at(-1).text : state.text.trim().replace(/;$/, "");
            // A composition by `o` binds less than a method: it becomes an operand.
            const infix = / o /.test(before) && !/^Sw<[^>]*>\s+o\s+(\d+\s+o\s+)?[^o]*$/.test(before);
            const appended = (operands) => (infix ? `${row.name}(${[before, operands].filter(Boolean).join(", ")})` : `${before}.${row.name}(${operands})`);
            const fitting = row.example && this.fitting(row.example).find((operands) => !engine.evaluate(appended(operands)).trouble);
            const operands = fitting ?? row.example;
            text.value = appended(operands);
            // The way back leads to the text before.
            history.pushState(null, "", link(state));
            this.typed(text.value);
            text.focus();
            text.setSelectionRange(text.value.length - 1 - operands.length, text.value.length - 1);
            this.ask(row, operands, appended);
        });
    },

    // The operands of the appended operation, each in a field with its name, for users who do not know their order.
    ask({ name, operands: names }, operands, appended) {
        let [deep, given] = [0, [""]];
        for (const letter of operands) {
            deep += "(<".includes(letter) ? 1 : ")>".includes(letter) ? -1 : 0;
            if (letter === "," && deep === 0) given.push("");
            else given[given.length - 1] += letter;
        }
        const fields = names.map((name, k) => element("input", { value: given[k] ?? "", spellcheck: false, autocomplete: "off", size: 8 }));
        const changed = () => {
            byId("text").value = appended(fields.map(({ value }) => value.trim()).filter(Boolean).join(","));
            this.typed(byId("text").value);
        };
        fields.forEach((field) => field.addEventListener("input", changed));
        byId("ask").replaceChildren(...fields.map((field, k) => element("label", {}, names[k], field)));
        byId("ask").dataset.of = `${name}(`;
        // A layout of threads is not guessed from an example.
        if (names.length > 2) fields[0].focus();
    },

    // Operands to begin with; the first that the library does not refuse is taken: the example of the operation, a tiler
    // that divides the layout shown, its shape twice as large, its own size, numbers, and the layout itself.
    fitting(example) {
        const last = this.pictures.find(({ id }) => this.seen && id === this.seen.parts.length - 1);
        if (!last || this.seen !== this.report) return [example];
        const extents = last.shape.modes.map(([extent]) => extent);
        const factor = (extent) => [2, 3, 5, 7].find((divisor) => extent % divisor === 0) || extent;
        const each = (of) => extents.map(of).join(",");
        const { cosize } = last.part.facts || { cosize: 1 };
        const threads = `(${Math.min(32, last.shape.size)},1):(1,0),32,32`;
        return [example, threads, `<${each(factor)}>`, factor(last.shape.size), `(${each(() => 2)})`, `(${each((extent) => 2 * extent)})`, cosize, 2 * cosize, 1, 0, "0,1", `(${each((extent) => extent)})`, `(${each(() => 0)})`, last.part.text].map(String);
    },

    fillGallery() {
        const box = byId("atom");
        box.addEventListener("focus", async () => {
            const names = (await atoms.load()).map(([name]) => element("option", { value: name }));
            if (!byId("atoms").firstChild) byId("atoms").append(...names);
        });
        box.addEventListener("change", () => {
            byId("text").value = box.value && `mma(${box.value})`;
            history.pushState(null, "", link(state));
            this.typed(byId("text").value);
            byId("pictures").scrollIntoView({ block: "nearest" });
        });
        for (const [title, entries] of GALLERY) {
            const list = element("ul");
            for (const { title: name, ...entry } of entries) {
                const start = element("a", { href: link({ ...START, ...entry }), textContent: name });
                // On a phone the pictures are below all starting points.
                start.addEventListener("click", () => setTimeout(() => byId("pictures").scrollIntoView({ block: "nearest" })));
                list.append(element("li", {}, start));
            }
            byId("gallery").append(element("h3", { textContent: title }), list);
        }
    },

    // Draws everything anew; a text that does not parse leaves the last pictures, dimmed.
    show(of = state.text) {
        this.fitText();
        const report = { of, ...atoms.evaluate(of) };
        // An instruction is known by name once the table of them is there.
        if (report.loading) report.loading.then(() => this.report === report && this.show(of), (said) => (byId("message").textContent = said));
        this.report = report;
        this.hovered = null;
        const { parts, trouble } = report;
        const dims = trouble && !trouble.operation;
        if (!dims || report.stopped) this.seen = dims ? null : report;
        showMessage(report, this.seen !== report && this.seen);
        showMarks(of, trouble);
        showRust(report);
        showSteps(report);
        code.show(report);
        const last = parts[parts.length - 1];
        byId("law").textContent = report.atom ? `${report.atom}: who holds which element of A (m, k), B (n, k) and C (m, n).` : trouble ? "" : (last && (last.operation ? `${last.operation}: ${last.law}` : last.kind === "layout" && whatItIs(last.text))) || "";
        if (!of.includes(byId("ask").dataset.of)) byId("ask").replaceChildren();
        for (const entry of document.querySelectorAll("#gallery a")) {
            const here = readLink(entry.hash).text === state.text;
            if (here) entry.setAttribute("aria-current", "true");
            else entry.removeAttribute("aria-current");
        }
        document.title = `${of.trim() || "Layout playground"}${of.trim() ? " · Layout playground" : ""}`;
        byId("pictures").classList.toggle("dimmed", this.seen !== report);
        if (this.seen === report || !this.seen) this.makePictures(this.seen || { parts: [] });
        else this.remark();
        // When typing stops, the page announces what it shows: the message, or the subject of the picture.
        const isSeen = !trouble && last && last.picture && !last.banks;
        this.announce(isSeen ? `${last.text}: ${this.facts(last).join(", ")}.` : byId("message").textContent, 800);
    },

    announce(text, pause = 0) {
        clearTimeout(this.pausing);
        if (pause) this.pausing = setTimeout(() => this.announce(text), pause);
        else byId("spoken").textContent = text;
    },

    // As many lines as the text takes.
    fitText() {
        const text = byId("text");
        text.style.height = "auto";
        text.style.height = `${text.scrollHeight}px`;
    },

    makePictures({ parts, trouble }) {
        const box = byId("pictures");
        box.replaceChildren();
        const { atom } = this.seen || {};
        const shown = parts.map((part, id) => ({ part, id })).filter(({ part, id }) => (atom ? part.kind === "threads" : this.isShown(part, id)));
        if (trouble && trouble.function) {
            shown.push({ id: parts.length, part: { kind: "function", text: "A(B(c)), no layout", picture: trouble.function, operands: trouble.operands, link: "composition" } });
        }
        // Letters in the order of the text; the result is R.
        let letters = 0;
        const lines = [];
        this.pictures = [];
        for (const { part, id } of shown) {
            const result = id === parts.length - 1 && !trouble && Boolean(part.operation) && !atom;
            const letter = () => "ABCDEFGHIJKLMNOPQSTUVWXYZ"[letters++ % 25];
            // The cost of an access is drawn in its memory, the operand before the threads.
            const access = parts.findIndex(({ kind }) => kind === "banks");
            const name = part.kind === "banks" ? "A" : access >= 0 ? "B" : result ? "R" : part.kind === "function" ? "A∘B" : letter();
            const figure = this.figure(part, id, name, result);
            // Users look for the owners of elements, and for the cost of an access.
            if (!atom && (part.kind === "threads" || part.kind === "banks")) box.prepend(figure);
            else box.append(figure);
            if (part.memory) lines.push(() => this.figure(part, id, name, result, true));
            else if (state.memory && part.kind === "layout") lines.push(() => element("p", { className: "facts", textContent: `${name} in memory: more than a million places, the most that are drawn.` }));
        }
        // Memory stands below all grids.
        for (const line of lines) box.append(line());
        this.fillDown();
        const [from, before, extent, first] = (trouble && trouble.cells) || [];
        for (const picture of this.pictures) {
            if (trouble && trouble.cells && (picture.id === from || (picture.part.kind === "function" && trouble.operands[1] === from))) picture.hatch = { before, extent, from: first };
            if (picture.part.banks) picture.marked = new Set(picture.part.banks.cells || []);
        }
        this.learnColours();
        this.sayColour();
        this.layOut();
    },

    // The default choices.
    sayColour() {
        const by = state.colour === "auto" && this.fits();
        byId("colour").options[0].textContent = by ? `what fits: ${by}` : "what fits";
    },

    fits() {
        const last = this.pictures[this.pictures.length - 1];
        if (!last) return "";
        const copies = /product/.test(this.seen.parts[this.seen.parts.length - 1].operation);
        return last.shape.threads ? "thread" : { bank: "bank", offset: "offset", 1: copies ? "copy" : "tile", 2: "copy" }[this.colouredBy(last)];
    },

    // The modes that may go down, where there are more than two.
    fillDown() {
        const rank = Math.max(0, ...this.pictures.map(({ shape }) => shape.modes.length));
        const fields = byId("down");
        const chosen = state.down.split(".").filter(Boolean).map(Number);
        fields.hidden = rank < 3;
        const boxes = fields.querySelectorAll("label");
        if (boxes.length !== rank) {
            boxes.forEach((box) => box.remove());
            for (let mode = 0; mode < rank && rank > 2; mode++) fields.append(element("label", {}, element("input", { type: "checkbox" }), ` mode ${mode}`));
        }
        fields.querySelectorAll("input").forEach((box, mode) => (box.checked = chosen.includes(mode)));
    },

    // Numbers, tilers and the like stand in the text; the cost of an access is drawn as its memory.
    isShown(part, id) {
        if (part.picture) {
            const user = this.seen.parts.find((each) => (each.operands || []).includes(id));
            return !(user && user.kind === "banks" && user.operands[0] === id) && part.kind !== "number";
        }
        return false;
    },

    figure(part, id, name, result, memory = false) {
        const picture = new Picture(id, part, this, memory);
        picture.name = name;
        this.pictures.push(picture);
        const { rows, columns, size } = picture.shape;
        const title = element("span", { className: "type", textContent: part.text });
        const caption = element("figcaption", {}, element("span", { className: "name", textContent: memory ? `${name} in memory` : name }), title);
        if (part.kind === "banks") title.textContent = this.seen.parts[part.operands[0]].text;
        const zoom = element("span", { className: "zoom" });
        for (const [label, text, by] of [["smaller", "−", -1], ["fit", "fit", 0], ["larger", "+", 1]]) {
            const button = element("button", { type: "button", textContent: text, title: `${label} cells` });
            button.setAttribute("aria-label", `${label} cells in ${name}${memory ? " in memory" : ""}`);
            button.addEventListener("click", () => this.zoom(picture, by));
            zoom.append(button);
        }
        for (const [label, text, act] of [["Save SVG", "save", (svg) => saveFile(svg, `${name}.svg`)], ["Copy SVG", "copy", (svg, button) => copy(svg, button, "copy")]]) {
            const button = element("button", { type: "button", textContent: text, title: label });
            button.setAttribute("aria-label", `${label} of ${name}${memory ? " in memory" : ""}`);
            button.addEventListener("click", () => act(picture.svg(), button));
            zoom.append(button);
        }
        caption.append(zoom);
        const facts = part.facts && !memory ? this.facts(part) : [];
        caption.append(element("span", { className: "facts", textContent: facts.join(" · ") }));
        const figure = element("figure", { className: result ? "result" : "" }, caption);
        picture.view.setAttribute("aria-label", `${name}, ${title.textContent}${memory ? " in memory" : ""}: ${rows} rows, ${columns} columns. Arrow keys move from cell to cell, Enter keeps one, Escape lets go.`);
        if (size === 0) figure.append(element("p", { className: "note", textContent: "No elements: an extent is 0." }));
        if (size > MANY) {
            figure.append(element("p", { className: "note", textContent: `${size.toLocaleString("en")} elements: what is in the window is drawn. Scroll, or move with the arrow keys.` }));
        }
        const [down, across] = this.axes(picture);
        picture.legend = element("p", { className: "legend" });
        figure.append(element("div", { className: "axes" }, element("span", { className: "across", textContent: across && `${across} →` }), element("span", { className: "down", textContent: down && `${down} →` }), picture.view), picture.legend);
        return figure;
    },

    // The modes that count down and across.
    axes({ id, shape, memory }) {
        if (memory) return ["", "offset"];
        const dealt = this.seen.parts.some(({ kind, operands }) => kind === "threads" && operands[0] === id);
        return [1, 0].map((side) => {
            const modes = shape.modes.map((mode, k) => (mode[1] === side ? k : -1)).filter((k) => k >= 0);
            if (dealt && shape.modes.length === 2) return ["thread", "value"][modes[0]];
            return modes.length ? `mode${modes.length > 1 ? "s" : ""} ${modes.join(", ")}` : "";
        });
    },

    // Which colour is what, below a picture.
    showLegend({ legend }, { says: [word, ends], table }) {
        const shown = [word, ...ends].join(" ") + colours.dark;
        if (!legend || legend.dataset.shown === shown) return;
        legend.dataset.shown = shown;
        legend.replaceChildren(word && `Colour: ${word}`, ...ends.map(([key, name]) => {
            const patch = element("span", { className: "patch" });
            patch.style.background = table.css[key];
            return element("span", {}, patch, name);
        }));
    },

    facts({ facts, operation, picture, banks }) {
        const { size, cosize, injective, surjective } = facts;
        const [all, span] = [size, cosize].map((count) => BigInt(count).toLocaleString("en"));
        const found = [`size ${all}`, `cosize ${span}`];
        if (injective !== undefined) found.push(injective && surjective ? "bijective" : injective ? "injective, with gaps" : surjective ? "offsets shared" : "offsets shared, with gaps");
        if (picture && picture.threads) found.unshift(`${picture.threads} threads`);
        if (banks) found.push(`elements of ${banks.elementBits} bits, ${banks.accessBits} at once`);
        if (operation && !banks) found.unshift(operation);
        return found;
    },

    // Room for each picture.
    layOut() {
        const whole = byId("pictures").clientWidth - 28 - AXIS;
        const sizes = new Map(state.zoom.split(",").filter(Boolean).map((each) => each.split(".").map(Number)));
        // On a phone, the text about a cell stands below the picture, so that both are visible.
        const height = Math.max(260, Math.min(760, innerHeight * (innerWidth <= NARROW ? 0.45 : 0.8)));
        // Two side by side, unless cells would be much smaller then.
        const half = this.pictures.length > 1 && whole > 900 ? Math.floor((whole - 44 - AXIS) / 2) : whole;
        for (const picture of this.pictures) {
            const beside = picture.fits(half, height) && picture.fit(half, height) >= 0.7 * picture.fit(whole, height);
            const size = sizes.get(picture.source);
            picture.place(beside ? half : whole, height, SIZES.includes(size) ? size : 0);
        }
        this.pictures.forEach((picture) => picture.settle());
        this.pictures.forEach((picture) => picture.paint());
    },

    zoom(picture, by) {
        const at = SIZES.indexOf(picture.m.size);
        const size = by === 0 ? 0 : SIZES[Math.max(0, Math.min(SIZES.length - 1, at + by))];
        const sizes = new Map(state.zoom.split(",").filter(Boolean).map((each) => each.split(".").map(Number)));
        if (size) sizes.set(picture.source, size);
        else sizes.delete(picture.source);
        state.zoom = [...sizes].map((each) => each.join(".")).join(",");
        const [width, height] = picture.available;
        picture.layOut(width, height, size);
        writeLink();
    },

    // ---- the same element ------------------------------------------------------------------------------------------

    // The cells of other parts that are the same element as a cell: by index or by offset.
    matches(cell) {
        const known = new Map([[cell.picture.id, { index: cell.index, offset: cell.offset }]]);
        const tell = (id, what) => {
            const old = known.get(id) || {};
            const told = { ...what, ...old };
            if (told.index !== undefined && told.offset === undefined) {
                const picture = this.pictures.find((each) => each.id === id);
                const found = picture && picture.cellAt(told.index);
                if (found) told.offset = found.offset;
            }
            const news = told.index !== old.index || told.offset !== old.offset;
            if (news) known.set(id, told);
            return news;
        };
        const results = [...this.seen.parts.map((part, id) => ({ ...part, id })), ...this.pictures.filter(({ part }) => part.kind === "function").map(({ part, id }) => ({ ...part, id }))];
        // Along the operations, until nothing is new.
        for (let more = true; more; ) {
            more = false;
            for (const { id, operands, link: kind, banks } of results) {
                if (!operands) continue;
                const [left, right] = operands;
                const equal = (a, what, b, like) => {
                    const [from, to] = [known.get(a), known.get(b)];
                    if (from && from[what] !== undefined && !(what === "index" && from.index === EMPTY)) more = tell(b, { [like]: from[what] }) || more;
                    if (to && to[like] !== undefined) more = tell(a, { [what]: to[like] }) || more;
                };
                const rightIsLayout = right !== undefined && this.pictures.some((each) => each.id === right);
                if (banks) {
                    equal(left, "index", id, "index");
                    if (rightIsLayout) equal(right, "offset", id, "index");
                } else if (kind === "offset") equal(left, "offset", id, "offset");
                else if (kind === "composition") {
                    equal(left, "offset", id, "offset");
                    if (rightIsLayout) {
                        equal(right, "index", id, "index");
                        equal(right, "offset", left, "index");
                    }
                } else if (kind === "inverse") {
                    equal(left, "index", id, "offset");
                    equal(left, "offset", id, "index");
                } else if (kind === "index") {
                    equal(left, "index", id, "index");
                    if (rightIsLayout) equal(right, "index", id, "index");
                }
            }
        }
        return known;
    },

    match(picture, cell) {
        if (!cell) return null;
        cell.known ||= this.matches(cell);
        return cell.known.get(picture.id) || null;
    },

    // The thread that is kept, and where the numbers of threads and values stand: in the picture of a tile in its
    // cells, in that of the thread-value layout in its indices.
    thread(picture) {
        if (this.pinned && this.seen.atom) {
            const { offset, picture: { shape } } = this.pinned;
            return offset < SHARED ? { number: offset % shape.threads, threads: picture.shape.threads, owners: "offsets" } : null;
        }
        const table = this.pinned && this.pictures.find(({ part, id }) => part.picture.threads && (id === picture.id || part.operands[0] === picture.id));
        const found = table && this.match(table, this.pinned);
        if (!found || found.offset === undefined || found.offset >= SHARED) return null;
        const { threads } = table.shape;
        return { number: found.offset % threads, threads, owners: table === picture ? "offsets" : "indices" };
    },

    hover(cell, spoken) {
        const same = cell === this.hovered || (cell && this.hovered && cell.picture === this.hovered.picture && cell.row === this.hovered.row && cell.column === this.hovered.column);
        if (same && !spoken) return;
        this.hovered = cell;
        this.remark();
        if (cell) {
            const text = this.describe(cell);
            byId("readout").textContent = text;
            if (spoken) this.announce(text);
        }
    },

    remark() {
        for (const picture of this.pictures) picture.drawMarks();
    },

    describe(cell) {
        const { picture, row, column, index, offset } = cell;
        const coordinate = engine.coordinates(picture.source, row, column, 1, 1)[0];
        const said = [`${picture.name} ${index === undefined ? "several coordinates" : coordinate}`];
        if (index !== undefined) said.push(`index ${index}`);
        const { threads } = picture.shape;
        if (threads) said.push(offset === EMPTY ? "no thread" : offset === SHARED ? "several threads" : `thread ${offset % threads}, value ${Math.floor(offset / threads)}`);
        else if (offset === EMPTY) said.push("beyond the largest number");
        else said.push(`offset ${offset}`, `bank ${bankOf(offset)}`);
        cell.known ||= this.matches(cell);
        for (const other of this.pictures) {
            const found = other.id !== picture.id && !other.memory && cell.known.get(other.id);
            if (!found) continue;
            if (found.index !== undefined && found.index < SHARED) {
                const there = other.cellAt(found.index);
                if (there) said.push(`${other.name} ${engine.coordinates(other.id, there.row, there.column, 1, 1)[0]}`);
            } else if (found.offset !== undefined) {
                const k = other.offsets.indexOf(found.offset);
                if (k < 0) continue;
                const { row: top, column: left, columns } = other.window;
                said.push(`${other.name} ${engine.coordinates(other.id, top + Math.floor(k / columns), left + (k % columns), 1, 1)[0]}`);
            }
        }
        return said.join("  ·  ");
    },

    keep(cell) {
        const again = cell && this.pinned && this.pinned.picture === cell.picture && this.pinned.row === cell.row && this.pinned.column === cell.column;
        this.pinned = again ? null : cell;
        state.pin = this.pinned ? `${cell.picture.source}.${cell.place ?? cell.index}` : "";
        this.remark();
        if (this.pinned) {
            const { threads } = cell.picture.shape;
            const told = threads && cell.offset < SHARED ? `Thread ${cell.offset % threads}: all its values are lit.` : `Kept: ${this.describe(cell)}`;
            this.announce(told);
        }
        writeLink();
    },

    // ---- colours ---------------------------------------------------------------------------------------------------

    // By which of the result's modes an offset is coloured: a table of offsets, if it is small enough.
    learnColours() {
        this.modes = null;
        const parts = this.seen ? this.seen.parts : [];
        const result = this.pictures.find((each) => each.id === parts.length - 1 && each.part.kind === "layout");
        this.result = result || null;
        this.largest = Math.max(1, ...this.pictures.map(({ part }) => (part.facts && !part.picture.threads ? Number(part.facts.cosize) : 1)));
        if (!result || result.shape.size > MANY || this.largest > 1 << 20) return;
        const { rows, columns, modes } = result.shape;
        const offsets = engine.cells(result.id, 0, 0, rows, columns);
        const indices = result.indicesOf(0, 0, rows, columns);
        const [first] = modes[0];
        this.modes = Array.from({ length: 3 }, () => new Int32Array(this.largest).fill(-1));
        const [down, across, copies] = this.modes;
        // Which copy of a product an element belongs to: copies stand beside one another, or they are interlocked.
        const { operation, operands = [] } = result.part;
        const { picture } = parts[operands[0]] || {};
        const copyOf = (index) => {
            let [copy, before] = [0, 1];
            for (const [k, [extent]] of modes.entries()) {
                const [size] = (picture && picture.modes[k]) || [1];
                const there = index % extent;
                copy += (operation === "raked_product" ? there % (extent / size) : Math.floor(there / size)) * before;
                before *= extent / size;
                index = Math.floor(index / extent);
            }
            return copy;
        };
        for (let row = 0, k = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++, k++) {
                const offset = offsets[k];
                if (offset >= this.largest || down[offset] >= 0) continue;
                down[offset] = indices[k] % first;
                across[offset] = Math.floor(indices[k] / first);
                copies[offset] = copyOf(indices[k]);
            }
        }
        this.kinds = this.modes.map((found) => found.reduce((most, kind) => Math.max(most, kind), -1) + 1);
    },

    // What a picture is coloured by, if nothing is chosen what fits: a swizzled layout by bank, as what an access costs is;
    // tiles and copies each in a colour.
    colouredBy({ part }) {
        const { operation, banks } = this.seen.parts[this.seen.parts.length - 1] || {};
        if (state.colour !== "auto") return state.colour;
        if (banks || part.text.startsWith("Sw")) return "bank";
        if (this.seen.trouble || !/divide|product|tile_to_shape/.test(operation || "")) return "offset";
        return /blocked|raked|shape/.test(operation) ? "2" : "1";
    },

    // The table of colours for the cells of a picture, and for each cell its place in it; -1 for none.
    keys(picture, offsets, indices) {
        const keys = new Int32Array(offsets.length).fill(-1);
        const { threads } = picture.shape;
        const [rows] = picture.part.picture.modes[0];
        const by = this.colouredBy(picture);
        const { link: kind } = this.seen.parts[this.seen.parts.length - 1] || {};
        const each = (key) => {
            for (let k = 0; k < keys.length; k++) if (offsets[k] < SHARED) keys[k] = key(offsets[k], indices[k]);
        };
        // With the first kinds as a legend.
        const kinds = (word, count = 512) => {
            const ends = Array.from({ length: Math.min(count, 8) }, (_, k) => [k, String(k)]);
            return { table: colours.table("kinds", 512), keys, says: [word, count > 8 ? [...ends, [8, "…"]] : ends] };
        };
        if (by === "nothing") return { table: colours.table("kinds", 1), keys, says: ["", []] };
        if (threads) {
            each((owner) => (by === "1" ? Math.floor(owner / threads) : owner % threads) % 512);
            return by === "1" ? kinds("value", Math.ceil(picture.part.facts.size / threads)) : kinds("thread", threads);
        }
        if (by === "bank") {
            // The operands of an inverse and the threads of an access count elements, not bytes.
            const bits = picture.part.banks ? picture.part.banks.elementBits : Number(state.bits);
            each((offset) => Math.floor((offset * bits) / 32) % 32);
            return { table: colours.table("ring", 32), keys, says: ["bank", [0, 8, 16, 24, 31].map((bank) => [bank, String(bank)])] };
        }
        const word = state.colour === "auto" ? this.fits() : `mode ${by}`;
        if (/^\d$/.test(by) && this.modes) {
            const mode = Number(by);
            // A right operand has the result's coordinates, and not its offsets.
            const right = this.result.part.operands && this.result.part.operands[1] === picture.id;
            const [down] = this.result.shape.modes[0];
            each((offset, index) => {
                const found = right && kind === "composition" ? (mode === 0 ? index % down : Math.floor(index / down)) : right ? -1 : offset < this.modes[mode].length ? this.modes[mode][offset] : -1;
                return found < 0 ? -1 : found % 512;
            });
            return kinds(word, this.kinds[mode]);
        }
        if (/^\d$/.test(by)) {
            each((offset, index) => (by === "0" ? index % rows : Math.floor(index / rows)) % 512);
            return kinds(word);
        }
        const largest = kind === "inverse" || kind === "nothing" ? (picture.part.facts ? picture.part.facts.cosize : this.largest) : this.largest;
        const last = Math.max(1, Number(largest) - 1);
        each((offset) => Math.min(255, Math.floor((255 * offset) / last)));
        const ends = [0, 64, 128, 191, 255].map((key) => [key, Math.round((key * last) / 255).toLocaleString("en")]);
        return { table: colours.table("scale", 256), keys, says: ["offset", ends.filter(([, name], k) => k === 0 || name !== ends[k - 1][1])] };
    },
};

// The formula of a layout. For this one: `(4,(2,3)):(1,(12,4))` takes (i,(j,k)) to i*1 + j*12 + k*4.
function whatItIs(text) {
    const is = "A layout takes a coordinate to an offset";
    const [, swizzle, offset, shape, stride] = /^(?:(Sw<[^>]*>) o (\d+) o )?([^:]*):([^:^]*)$/.exec(text) || [];
    const strides = stride && stride.match(/-?\d+/g);
    if (!strides || strides.length > 6) return `${is}: each number of it times its stride, all of them added, XOR strides (^) without carries.`;
    let at = 0;
    const coordinate = shape.replace(/\d+/g, () => "ijklmn"[at++]);
    const sum = strides.map((stride, k) => `${"ijklmn"[k]}*${stride}`).join(" + ");
    return `${is}: ${text} takes ${coordinate} to ${sum}${swizzle ? `${offset === "0" ? "" : ` + ${offset}`}, of which the swizzle ${swizzle} exchanges bits` : ""}.`;
}

// Widths of the window that a phone or a tablet has, and what the name of an axis takes.
const AXIS = 18;
const NARROW = 900;

async function copy(text, button, label) {
    let done = true;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = element("textarea", { value: text });
        document.body.append(area);
        area.select();
        done = document.execCommand("copy");
        area.remove();
    }
    button.textContent = done ? "Copied" : "Not copied";
    setTimeout(() => (button.textContent = label), 1200);
}

function saveFile(text, name) {
    const file = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const anchor = element("a", { href: file, download: name });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(file), 1000);
}

// For tests, and for whoever plays with the console: the same functions that the page calls.
window.playground = { evaluate: (text) => engine.evaluate(text), page, state, colours };
page.ready = page.start().catch((error) => {
    byId("message").textContent = `This browser does not start the engine: ${error}`;
});
