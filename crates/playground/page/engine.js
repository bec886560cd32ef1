// The engine: text in, JSON and cells out. A trap leaves it unusable; then it is made anew.
const compiled = (text, bytes) => WebAssembly.compile(joined(unpack(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), bytes)));
const answered = (wasm, length) => new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.answer(), length));
// The answers to a text.
function written(wasm, text, ask) {
    const bytes = new TextEncoder().encode(text);
    const at = wasm.reserve(bytes.length);
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    return answered(wasm, ask());
}
const engine = {
    module: null,
    exports: null,
    async start() {
        const { textContent, dataset } = document.getElementById("engine");
        this.module = await compiled(textContent, Number(dataset.bytes));
        await this.renew();
    },
    async renew() {
        this.exports = (await WebAssembly.instantiate(this.module, {})).exports;
    },
    text(length) {
        return answered(this.exports, length);
    },
    // Parses a text: returns its parts, or the error. Never throws.
    evaluate(text) {
        try {
            const down = state.down.split(".").reduce((bits, mode) => bits | (1 << mode), 0);
            this.exports.arrange(state.down ? down : 0, Number(state.memory));
            return JSON.parse(written(this.exports, text, () => this.exports.evaluate()));
        } catch (error) {
            const stopped = "the engine stopped at this text: its numbers are more than memory holds, or this is a mistake of ours";
            this.exports = new WebAssembly.Instance(this.module, {}).exports;
            const trouble = { sentence: stopped, kind: "page", span: [0, text.length], marks: [], path: [] };
            return { parts: [], trouble, rust: { code: "" }, stopped: String(error) };
        }
    },
    operations() {
        return JSON.parse(this.text(this.exports.operations()));
    },
    // Offsets, row by row: exact below 2^53.
    cells(part, row, column, rows, columns) {
        const length = this.exports.cells(part, row, column, rows, columns);
        return new Float64Array(this.exports.memory.buffer, this.exports.answer(), length).slice();
    },
    coordinates(part, row, column, rows, columns) {
        return this.text(this.exports.coordinates(part, row, column, rows, columns)).split(";");
    },
};
const EMPTY = Infinity;
const SHARED = 2 ** 53;
