// Colours of cells, as OKLCH for even steps to the eye: packed for pictures of a pixel a cell, and as CSS.
const colours = {
    dark: false,
    tables: new Map(),
    // OKLCH to sRGB.
    rgb(lightness, chroma, hue) {
        const a = chroma * Math.cos((hue * Math.PI) / 180);
        const b = chroma * Math.sin((hue * Math.PI) / 180);
        const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
        const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
        const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
        const linear = [
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
        ];
        return linear.map((x) => {
            const clipped = Math.min(1, Math.max(0, x));
            return Math.round(255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055));
        });
    },
    // A table of `count` colours: `scale` runs from the first to the last, `kinds` sets neighbours apart, `ring` is
    // once around.
    table(kind, count) {
        const name = `${kind} ${count} ${this.dark}`;
        if (!this.tables.has(name)) {
            const table = { css: [], packed: new Uint32Array(count) };
            for (let k = 0; k < count; k++) {
                const [r, g, b] = this.colour(kind, k, count);
                table.css.push(`rgb(${r},${g},${b})`);
                table.packed[k] = (255 << 24) | (b << 16) | (g << 8) | r;
            }
            this.tables.set(name, table);
        }
        return this.tables.get(name);
    },
    // As many categories as differ to every eye: the colours of `layout-draw`, which says how they were found.
    few: {
        light: [0xa9defd, 0xe2977e, 0xddffba, 0xb79cf2, 0xf6e781, 0x4eb6b1, 0xbea648, 0x71f6d7],
        dark: [0x2d5ba9, 0x5f2203, 0x60643f, 0x442269, 0x7e5b06, 0x102034, 0x311510, 0x9d396b],
    },
    colour(kind, k, count) {
        const few = this.few[this.dark ? "dark" : "light"];
        if (kind === "kinds" && k < few.length) return [16, 8, 0].map((shift) => (few[k] >> shift) & 255);
        const t = count > 1 ? k / (count - 1) : 0;
        if (kind === "scale") {
            return this.dark ? this.rgb(0.3 + 0.26 * t, 0.1, 275 - 215 * t) : this.rgb(0.95 - 0.2 * t, 0.045 + 0.06 * t, 255 - 205 * t);
        }
        const hue = kind === "ring" ? (360 * k) / count : (250 + 137.508 * k) % 360;
        const turn = kind === "ring" ? k % 2 : Math.floor(k / 7) % 3;
        return this.dark ? this.rgb(0.4 + 0.055 * turn, 0.095, hue) : this.rgb(0.9 - 0.05 * turn, 0.085, hue);
    },
    get ink() {
        return this.dark ? "#eceef2" : "#1b1d22";
    },
    get soft() {
        return this.dark ? "#9aa1ad" : "#5d636e";
    },
    get card() {
        return this.dark ? "#1b1e24" : "#ffffff";
    },
    get nothing() {
        return this.dark ? 0xff2b2723 : 0xfff6f4f3;
    },
    get wrong() {
        return this.dark ? "#ff9d94" : "#b3261e";
    },
    get accent() {
        return this.dark ? "#ffffff" : "#10131a";
    },
};
