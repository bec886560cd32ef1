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
