// A picture: a canvas of the visible cells in a view that scrolls. The cell under the pointer is found by arithmetic.
const SIZES = [1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24, 28, 34, 42];
const TEXT_SIZE = 20;
const LARGEST_SPACE = 8e6;
const MANY = 1 << 18;

class Picture {
    // `id` is the part that is drawn, `source` the engine's picture: that of the part, or of the memory it lies in.
    constructor(id, part, owner, memory = false) {
        const [source, shape] = memory ? [part.memoryId, part.memory] : [id, part.picture];
        Object.assign(this, { id, part, owner, source, shape, memory, size: 0, hatch: null, marked: new Set() });
        this.focused = null;
        this.view = element("div", { className: "view", tabIndex: 0 });
        this.view.setAttribute("role", "application");
        this.view.setAttribute("aria-roledescription", "picture of a layout");
        this.layers = element("div", { className: "layers" });
        // The view has the words; screen readers would call the canvases pictures without any.
        this.layers.setAttribute("aria-hidden", "true");
        this.canvas = element("canvas");
        this.marks = element("canvas");
        this.space = element("div");
        this.layers.append(this.canvas, this.marks);
        this.view.append(this.layers, this.space);
        this.view.addEventListener("scroll", () => this.draw(), { passive: true });
        this.view.addEventListener("pointermove", (event) => this.point(event));
        this.view.addEventListener("pointerleave", () => this.owner.hover(null));
        this.view.addEventListener("click", (event) => this.click(event));
        this.view.addEventListener("keydown", (event) => this.key(event));
        this.view.addEventListener("blur", () => this.owner.hover(null));
    }

    // The text in cells. The offset of a place of memory stands along the sides, and the cell has the element that lies there.
    get says() {
        return this.memory && state.cells === "offset" ? "coordinate" : state.cells;
    }

    // Digits that have to fit into a cell.
    get longest() {
        const { facts, picture } = this.part;
        if (this.says === "nothing") return 0;
        if (picture.threads) {
            const values = Math.ceil((facts ? facts.size : 1) / Math.max(1, picture.threads));
            return 2 + String(Math.max(0, picture.threads - 1)).length + String(Math.max(0, values - 1)).length;
        }
        if (this.says === "coordinate") {
            const { lines, size, rows, columns } = picture;
            const last = size > 0 ? engine.coordinates(this.id, rows - 1, lines ? (size - 1) % columns : columns - 1, 1, 1)[0] : "";
            return last.length * 0.96;
        }
        if (this.says === "bank") return 2;
        const most = this.says === "index" ? picture.size : facts ? Math.max(1, facts.cosize) + Number(this.part.begin || 0) : 9999;
        return String(Math.max(0, most - 1)).length;
    }

    // Sizes of cells and margins for a level of zoom.
    measure(size) {
        const text = size >= TEXT_SIZE && state.cells !== "nothing";
        const font = Math.min(15, Math.round(size * 0.5));
        const labels = size >= 13;
        // A picture much taller than wide has wider cells, up to four times.
        const tall = Math.max(1, Math.min(4, Math.floor(this.shape.rows / Math.max(1, this.shape.columns))));
        const width = text ? Math.max(size, Math.ceil(this.longest * font * 0.61 + 8)) : size * tall;
        const left = labels ? 5 + this.levels(false).reduce((room, { digits }) => room + 7 + 7 * digits, 0) : 4;
        return { size, width, height: size, font, text, labels, left, top: labels ? 4 + 14 * this.levels(true).length : 4 };
    }

    // What counts along a side: a nested mode has a number for each of its leaves, from the cells outwards. Of more than
    // four, or in lines, one number counts them all.
    levels(across) {
        const { lines, rows, columns, size } = this.shape;
        const moving = (across ? this.shape.columnModes : this.shape.rowModes).filter((extent) => extent > 1);
        const all = across ? columns : rows;
        const extents = lines || moving.length === 0 || moving.length > 4 ? [all] : moving;
        let run = 1;
        return extents.map((extent) => {
            const level = { extent, run, digits: String(Math.max(0, (lines && !across ? size : extent) - 1)).length };
            run *= extent;
            return level;
        });
    }

    // The largest cells with which the whole picture is visible; if there are none, cells that can be read.
    fit(width, height) {
        const { rows, columns } = this.shape;
        const fits = (size) => {
            const m = this.measure(size);
            return m.left + columns * m.width + 2 <= width && m.top + rows * m.height + 2 <= height;
        };
        return SIZES.filter((size) => size <= 34).findLast(fits) || TEXT_SIZE;
    }

    // Whether the whole picture is visible.
    fits(width, height) {
        const m = this.measure(this.fit(width, height));
        return m.left + this.shape.columns * m.width + 2 <= width && m.top + this.shape.rows * m.height + 2 <= height;
    }

    layOut(width, height, size) {
        this.place(width, height, size);
        this.settle();
        this.paint();
    }

    // What is written to the page stands apart from what is read of it: each change from one to the other makes the
    // browser lay out all of it.
    place(width, height, size) {
        this.available = [width, height];
        this.m = this.measure(size || this.fit(width, height));
        const { rows, columns } = this.shape;
        this.rows = Math.min(rows, Math.floor(LARGEST_SPACE / this.m.height));
        this.columns = Math.min(columns, Math.floor(LARGEST_SPACE / this.m.width));
        const wide = this.m.left + this.columns * this.m.width + 2;
        const high = this.m.top + this.rows * this.m.height + 2;
        Object.assign(this.space.style, { width: `${wide}px`, height: `${high}px` });
        // Room for scroll bars.
        Object.assign(this.view.style, {
            width: `${Math.min(wide + (high > height ? 15 : 0), width)}px`,
            height: `${Math.min(high + (wide > width ? 15 : 0), height)}px`,
        });
        this.whole = [wide, high];
        // Larger canvases of before would make the view scroll, and its bars would be taken for lack of room.
        for (const canvas of [this.canvas, this.marks]) Object.assign(canvas.style, { width: "0", height: "0" });
    }

    settle() {
        this.wide = Math.min(this.whole[0], this.view.clientWidth);
        this.high = Math.min(this.whole[1], this.view.clientHeight);
        this.scrolled = [this.view.scrollLeft, this.view.scrollTop];
    }

    // The canvases in their sizes, and all that is on them.
    paint() {
        const scale = window.devicePixelRatio || 1;
        for (const canvas of [this.canvas, this.marks]) {
            canvas.width = Math.round(this.wide * scale);
            canvas.height = Math.round(this.high * scale);
            Object.assign(canvas.style, { width: `${this.wide}px`, height: `${this.high}px` });
        }
        this.scale = scale;
        this.draw(this.scrolled);
    }

    // The visible cells.
    visible() {
        const { left, top, width, height } = this.m;
        const row = Math.max(0, Math.floor(this.scrolled[1] / height));
        const column = Math.max(0, Math.floor(this.scrolled[0] / width));
        const rows = Math.max(0, Math.min(this.rows - row, Math.ceil((this.high - top) / height) + 1));
        const columns = Math.max(0, Math.min(this.columns - column, Math.ceil((this.wide - left) / width) + 1));
        return { row, column, rows, columns };
    }

    // Where the view is scrolled to was read once, for reading it makes the browser lay out the page.
    x(column) {
        return this.m.left + column * this.m.width - this.scrolled[0];
    }

    y(row) {
        return this.m.top + row * this.m.height - this.scrolled[1];
    }

    draw(scrolled = [this.view.scrollLeft, this.view.scrollTop]) {
        this.scrolled = scrolled;
        const window = this.visible();
        const { row, column, rows, columns } = window;
        this.window = window;
        this.offsets = engine.cells(this.source, row, column, rows, columns);
        this.indices = this.indicesOf(row, column, rows, columns);
        // The engine says of a place of memory which coordinate lies there.
        if (this.memory) {
            [this.offsets, this.indices] = [this.indices, this.offsets];
            this.offsets = this.offsets.map((offset, k) => (this.indices[k] === EMPTY ? EMPTY : offset));
        }
        const found = this.owner.keys(this, this.offsets, this.indices);
        const { table, keys } = found;
        this.owner.showLegend(this, found);
        const paint = this.canvas.getContext("2d");
        paint.setTransform(this.scale, 0, 0, this.scale, 0, 0);
        paint.clearRect(0, 0, this.wide, this.high);
        if (rows * columns > 0) {
            this.paintCells(paint, window, table, keys);
            if (this.m.text) this.paintText(paint, window);
            this.paintBorders(paint, window);
        }
        if (this.m.labels) this.paintLabels(paint, window);
        this.drawMarks();
    }

    // A pixel a cell, made larger: the fastest that there is.
    paintCells(paint, { row, column, rows, columns }, table, keys) {
        const image = new ImageData(columns, rows);
        const pixels = new Uint32Array(image.data.buffer);
        for (let k = 0; k < keys.length; k++) pixels[k] = keys[k] < 0 ? (this.indices[k] === EMPTY ? 0 : colours.nothing) : table.packed[keys[k]];
        const small = (Picture.small ||= document.createElement("canvas"));
        small.width = columns;
        small.height = rows;
        small.getContext("2d").putImageData(image, 0, 0);
        paint.save();
        this.clip(paint);
        paint.imageSmoothingEnabled = false;
        paint.drawImage(small, this.x(column), this.y(row), columns * this.m.width, rows * this.m.height);
        paint.restore();
    }

    // The visible part as a file: cells in the page's colours, what is written in them, and the title.
    svg() {
        const { row, column, rows, columns } = this.window;
        const { table, keys } = this.owner.keys(this, this.offsets, this.indices);
        const texts = this.m.text ? this.texts(row, column, rows, columns) : () => "";
        const { width, height, font } = this.m;
        const escaped = (text) => text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);
        const title = `${this.name} = ${this.part.text}`;
        const wide = Math.max(columns * width + 2, 8 * title.length);
        const parts = [
            `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${rows * height + 26}" font-family="monospace" font-size="${font}">`,
            `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${colours.card}"/>`,
            `<text x="1" y="16" font-size="13" fill="${colours.ink}">${escaped(title)}</text>`,
        ];
        for (let k = 0; k < keys.length; k++) {
            if (keys[k] < 0 && this.indices[k] === EMPTY) continue;
            const [x, y] = [1 + (k % columns) * width, 24 + Math.floor(k / columns) * height];
            const fill = keys[k] < 0 ? "none" : table.css[keys[k]];
            parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" stroke="${colours.card}"/>`);
            if (texts(k)) parts.push(`<text x="${x + width / 2}" y="${y + height / 2}" text-anchor="middle" dominant-baseline="central" fill="${colours.ink}">${escaped(texts(k))}</text>`);
        }
        return parts.join("\n") + "\n</svg>\n";
    }

    clip(paint) {
        paint.beginPath();
        paint.rect(this.m.left - 1, this.m.top - 1, this.wide, this.high);
        paint.clip();
    }

    paintText(paint, { row, column, rows, columns }) {
        const texts = this.texts(row, column, rows, columns);
        paint.save();
        this.clip(paint);
        paint.font = `${this.m.font}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
        paint.textAlign = "center";
        paint.textBaseline = "middle";
        paint.fillStyle = colours.ink;
        for (let r = 0; r < rows; r++) {
            const y = this.y(row + r) + this.m.height / 2 + 0.5;
            for (let c = 0; c < columns; c++) {
                const text = texts(r * columns + c);
                if (text !== "") paint.fillText(text, this.x(column + c) + this.m.width / 2, y);
            }
        }
        paint.restore();
    }

    // The text in the k-th visible cell.
    texts(row, column, rows, columns) {
        const { offsets, indices } = this;
        const threads = this.shape.threads;
        if (threads && this.says !== "coordinate" && this.says !== "index") {
            return (k) => (offsets[k] === EMPTY ? "" : offsets[k] === SHARED ? "≥2" : `T${offsets[k] % threads}V${Math.floor(offsets[k] / threads)}`);
        }
        if (this.says === "coordinate") {
            const coordinates = engine.coordinates(this.source, row, column, rows, columns);
            return (k) => coordinates[k] || "";
        }
        if (state.cells === "index") return (k) => (indices[k] === EMPTY ? "" : indices[k] === SHARED ? "≥2" : String(indices[k]));
        if (state.cells === "bank") return (k) => (offsets[k] === EMPTY ? "" : String(bankOf(offsets[k])));
        return (k) => (offsets[k] === EMPTY ? (indices[k] === EMPTY ? "" : "∞") : String(offsets[k]));
    }

    // Thin lines between cells, thicker ones where a mode ends.
    paintBorders(paint, { row, column, rows, columns }) {
        const { width, height } = this.m;
        const right = this.x(column + columns);
        const bottom = this.y(row + rows);
        paint.save();
        this.clip(paint);
        const line = (x0, y0, x1, y1) => {
            paint.moveTo(x0, y0);
            paint.lineTo(x1, y1);
        };
        const lines = (every, thickness, alpha, vertical) => {
            const [first, count, cell] = vertical ? [column, columns, width] : [row, rows, height];
            if (every * cell < (cell < 6 ? 12 : 4)) return;
            paint.globalAlpha = alpha;
            paint.lineWidth = thickness;
            paint.beginPath();
            for (let k = Math.ceil(first / every) * every; k <= first + count; k += every) {
                if (vertical) line(this.x(k), this.y(row), this.x(k), bottom);
                else line(this.x(column), this.y(k), right, this.y(k));
            }
            paint.stroke();
        };
        paint.strokeStyle = colours.card;
        if (width >= 8) {
            lines(1, 1, 0.9, true);
            lines(1, 1, 0.9, false);
        }
        paint.strokeStyle = colours.ink;
        for (const [modes, vertical] of [[this.shape.rowModes, false], [this.shape.columnModes, true]]) {
            let every = 1;
            const moving = modes.filter((extent) => extent > 1);
            moving.slice(0, -1).forEach((extent, level) => {
                every *= extent;
                if (!this.shape.lines) lines(every, width >= 6 ? 1 + Math.min(level, 2) * 0.75 : 0.75, width >= 8 ? 0.65 : 0.3, vertical);
            });
        }
        paint.restore();
    }

    paintLabels(paint, window) {
        paint.font = '10.5px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
        paint.fillStyle = colours.soft;
        paint.textBaseline = "middle";
        for (const across of [false, true]) {
            const [first, count, cell] = across ? [window.column, window.columns, this.m.width] : [window.row, window.rows, this.m.height];
            const [from, to] = across ? [this.m.left, this.wide] : [this.m.top, this.high];
            paint.textAlign = across ? "center" : "right";
            let beside = across ? this.m.top - 8 : this.m.left - 5;
            for (const { extent, run, digits } of this.levels(across)) {
                const every = [1, 2, 4, 8, 16, 32, 64].find((n) => n * run * cell >= (across ? digits * 7 + 8 : 15)) || 128;
                for (let k = Math.floor(first / run); k * run < first + count; k++) {
                    // In the middle of the visible cells.
                    const [start, end] = [k * run, (k + 1) * run].map((at) => Math.max(from, Math.min(to, across ? this.x(at) : this.y(at))));
                    const number = k % extent;
                    const room = across ? digits * 7 : 10;
                    if (number % every !== 0 || end - start < Math.min(room, run * cell)) continue;
                    const text = String(this.shape.lines && !across ? number * this.shape.columns : number);
                    paint.fillText(text, ...(across ? [(start + end) / 2, beside] : [beside, (start + end) / 2]));
                }
                beside -= across ? 14 : 7 + 7 * digits;
            }
        }
    }

    // Cells that are pointed at, kept, in conflict, or break the rule, on a layer of their own.
    drawMarks() {
        const paint = this.marks.getContext("2d");
        paint.setTransform(this.scale, 0, 0, this.scale, 0, 0);
        paint.clearRect(0, 0, this.wide, this.high);
        const { row, column, rows, columns } = this.window;
        const { width, height } = this.m;
        const kept = this.owner.thread(this);
        const hover = this.owner.match(this, this.owner.hovered);
        const pinned = kept === null ? this.owner.match(this, this.owner.pinned) : null;
        paint.save();
        this.clip(paint);
        const each = (is, mark) => {
            for (let k = 0; k < rows * columns; k++) {
                if (this.indices[k] !== EMPTY && is(k)) mark(this.x(column + (k % columns)), this.y(row + Math.floor(k / columns)), k);
            }
        };
        const thin = width < 8;
        if (kept !== null) {
            const owners = this[kept.owners];
            const its = (k) => owners[k] < SHARED && owners[k] % kept.threads === kept.number;
            each((k) => !its(k), (x, y) => {
                paint.fillStyle = colours.card;
                paint.globalAlpha = 0.78;
                paint.fillRect(x, y, width, height);
            });
            paint.globalAlpha = 1;
            each(its, (x, y) => {
                paint.fillStyle = colours.ink;
                if (thin) paint.fillRect(x, y, width, height);
                else this.outline(paint, x, y, colours.ink, 2);
            });
        }
        if (this.hatch) {
            const { before, extent, from } = this.hatch;
            each((k) => Math.floor(this.indices[k] / before) % extent >= from, (x, y) => this.strike(paint, x, y));
        }
        if (this.marked.size) each((k) => this.marked.has(this.indices[k]), (x, y) => this.outline(paint, x, y, colours.wrong, thin ? 1 : Math.min(2.5, height / 8)));
        for (const [match, thickness] of [[pinned, 3], [hover, 2]]) {
            const [list, value] = !match ? [] : match.index !== undefined && !this.memory ? [this.indices, match.index] : [this.offsets, match.offset];
            if (list) each((k) => list[k] === value, (x, y) => this.outline(paint, x, y, colours.accent, thin ? 1.5 : thickness));
        }
        paint.restore();
    }

    outline(paint, x, y, colour, thickness) {
        paint.strokeStyle = colour;
        paint.lineWidth = thickness;
        const inner = thickness / 2;
        paint.strokeRect(x + inner, y + inner, Math.max(1, this.m.width - thickness), Math.max(1, this.m.height - thickness));
    }

    strike(paint, x, y) {
        const { width, height } = this.m;
        paint.strokeStyle = colours.wrong;
        paint.lineWidth = 1;
        paint.globalAlpha = 0.75;
        paint.save();
        paint.beginPath();
        paint.rect(x, y, width, height);
        paint.clip();
        paint.beginPath();
        for (let d = -height; d < width; d += 6) {
            paint.moveTo(x + d, y + height);
            paint.lineTo(x + d + height, y);
        }
        paint.stroke();
        paint.restore();
        paint.globalAlpha = 1;
    }

    // The part of a coordinate's number that row `k` counts, or column `k`.
    spread(k, down) {
        let [number, before] = [0, 1];
        for (const [extent, isDown] of this.shape.modes) {
            if (isDown === down) {
                number += (k % extent) * before;
                k = Math.floor(k / extent);
            }
            before *= extent;
        }
        return number;
    }

    // The numbers of the coordinates in a window, row by row: a part that the row counts, and one of the column.
    indicesOf(row, column, rows, columns) {
        const { lines, size } = this.shape;
        const indices = new Float64Array(rows * columns);
        const across = Array.from({ length: columns }, (_, c) => (lines ? column + c : this.spread(column + c, 0)));
        for (let r = 0, k = 0; r < rows; r++) {
            const down = lines ? (row + r) * this.shape.columns : this.spread(row + r, 1);
            for (let c = 0; c < columns; c++, k++) indices[k] = down + across[c] < size ? down + across[c] : EMPTY;
        }
        return indices;
    }

    // The number of the coordinate in a cell; in memory, of the place.
    indexOf(row, column) {
        const { lines, columns, size } = this.shape;
        const index = lines ? row * columns + column : this.spread(row, 1) + this.spread(column, 0);
        return index < size ? index : EMPTY;
    }

    // The cell under the pointer.
    under(event) {
        const box = this.view.getBoundingClientRect();
        const x = event.clientX - box.left - this.view.clientLeft;
        const y = event.clientY - box.top - this.view.clientTop;
        if (x < this.m.left || y < this.m.top || x >= this.wide || y >= this.high) return null;
        const column = Math.floor((x + this.view.scrollLeft - this.m.left) / this.m.width);
        const row = Math.floor((y + this.view.scrollTop - this.m.top) / this.m.height);
        return this.cell(row, column);
    }

    cell(row, column) {
        if (row < 0 || column < 0 || row >= this.rows || column >= this.columns) return null;
        const index = this.indexOf(row, column);
        if (index === EMPTY) return null;
        const found = engine.cells(this.source, row, column, 1, 1)[0];
        if (!this.memory) return { picture: this, row, column, index, offset: found };
        return found === EMPTY ? null : { picture: this, row, column, place: index, offset: index, ...(found === SHARED ? {} : { index: found }) };
    }

    // The cell of a number; in memory, of a place.
    cellAt(index) {
        const { lines, columns, modes } = this.shape;
        if (lines) return this.cell(Math.floor(index / columns), index % columns);
        const [at, before] = [[0, 0], [1, 1]];
        for (const [extent, down] of modes) {
            at[down] += (index % extent) * before[down];
            before[down] *= extent;
            index = Math.floor(index / extent);
        }
        return this.cell(at[1], at[0]);
    }

    point(event) {
        this.owner.hover(this.under(event));
    }

    click(event) {
        // A finger points and keeps in one.
        this.owner.hover(this.under(event));
        this.owner.keep(this.under(event));
    }

    key(event) {
        const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity], PageUp: [-8, 0], PageDown: [8, 0] };
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key in steps) {
            const [down, right] = steps[event.key];
            const clamp = (at, most) => Math.max(0, Math.min(most, at));
            const [row, column] = this.focused ? [this.focused[0] + down, this.focused[1] + right] : [0, 0];
            this.focused = [clamp(row, this.rows - 1), clamp(column, this.columns - 1)];
            this.reveal(...this.focused);
            this.owner.hover(this.cell(...this.focused), true);
        } else if (event.key === "Enter" || event.key === " ") {
            this.owner.keep(this.focused && this.cell(...this.focused));
        } else if (event.key === "Escape") {
            this.owner.keep(null);
        } else if (event.key === "+" || event.key === "=") {
            this.owner.zoom(this, 1);
        } else if (event.key === "-") {
            this.owner.zoom(this, -1);
        } else if (event.key === "0") {
            this.owner.zoom(this, 0);
        } else return;
        event.preventDefault();
    }

    reveal(row, column) {
        const { left, top, width, height } = this.m;
        const view = this.view;
        if (column * width < view.scrollLeft) view.scrollLeft = column * width;
        if (row * height < view.scrollTop) view.scrollTop = row * height;
        if ((column + 1) * width + left > view.scrollLeft + this.wide) view.scrollLeft = (column + 1) * width + left - this.wide + 2;
        if ((row + 1) * height + top > view.scrollTop + this.high) view.scrollTop = (row + 1) * height + top - this.high + 2;
        this.draw();
    }
}

function bankOf(offset) {
    return Math.floor((offset * Number(state.bits)) / 32) % 32;
}

// An element with properties; text is always text.
function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}
