// What those who come expect of the page, at the size of a laptop and of a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { clickAt, hash, names, open, pointAt, readout, type } from "./browser.mjs";

const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];

for (const viewport of SIZES) {
    const at = `${viewport.width} x ${viewport.height}`;

    test(`a starting point brings its result into view at ${at}`, async (t) => {
        const page = await open(t, "", { viewport });
        await page.evaluate(() => (document.getElementById("gallery").open = true));
        const starts = page.locator("#gallery a");
        for (const k of [1, 12, (await starts.count()) - 2]) {
            await starts.nth(k).click();
            await page.waitForTimeout(150);
            const seen = await page.evaluate(() => {
                const { top, bottom } = document.querySelector("figure").getBoundingClientRect();
                return Math.min(bottom, innerHeight) - Math.max(top, 0);
            });
            assert.ok(seen >= 60, `${k}: ${seen} pixels of the first picture are seen`);
            assert.match(await page.title(), / · Layout playground$/);
        }
    });

    test(`what cannot be drawn is said at ${at}`, async (t) => {
        const page = await open(t, "", { viewport });
        await type(page, "(1000000000,1000000000)");
        assert.match(await page.textContent("#message"), /1,000,000,000,000,000,000 elements: too many to draw/);
        await type(page, "(4,6)");
        assert.equal(await page.textContent("#message"), "");
    });

    test(`the page reads what it writes, and CuTe's spelling, at ${at}`, async (t) => {
        const page = await open(t, "", { viewport });
        for (const [text, result] of [
            ["(4,6):(1,4) / <2,3>", "((2,2),(3,2)):((1,2),(4,12))"],
            ["(4,6):(1,4) ∘ (2,3):(2,8)", "(2,3):(2,8)"],
            ["make_layout((4,6), (6,1))", "(4,6):(6,1)"],
            ["make_layout((4,6), stride=(6,1))", "(4,6):(6,1)"],
            ["Layout<Shape<_4,_6>,Stride<_1,_4>>{}", "(4,6):(1,4)"],
            ["(_4,(_2,3)):(_1,(12,_4))", "(4,(2,3)):(1,(12,4))"],
        ]) {
            await type(page, text);
            assert.ok((await names(page)).at(-1).endsWith(` ${result}`), `${text}: ${await names(page)}, ${await page.textContent("#message")}`);
            assert.equal(await page.title(), `${text} · Layout playground`);
        }
    });

    test(`an operation that was appended can be taken back at ${at}`, async (t) => {
        const page = await open(t, "#text=(4,6):(1,4)", { viewport });
        await page.selectOption("#operations", "coalesce");
        assert.equal(await page.inputValue("#text"), "(4,6):(1,4).coalesce()");
        await page.goBack();
        await page.waitForFunction(() => document.getElementById("text").value === "(4,6):(1,4)");
        await page.goForward();
        await page.waitForFunction(() => document.getElementById("text").value === "(4,6):(1,4).coalesce()");
    });

    test(`a link with what is kept shows its readout at ${at}`, async (t) => {
        const page = await open(t, "#text=(4,6):(1,4)", { viewport });
        await clickAt(page, 0, 2, 3);
        const link = await hash(page);
        assert.match(link, /pin=0\.14/);
        const again = await open(t, link, { viewport });
        assert.match(await readout(again), /^A \(2,3\) .* offset 14/);
    });

    test(`each picture can be had as SVG at ${at}`, async (t) => {
        const page = await open(t, "#text=(4,6):(1,4).zipped_divide(<2,3>)", { viewport });
        const labels = await page.$$eval("button", (all) => all.map((each) => each.getAttribute("aria-label") || each.textContent));
        assert.equal(new Set(labels).size, labels.length, "no two buttons of one name");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click('[aria-label="Save SVG of R"]')]);
        assert.equal(download.suggestedFilename(), "R.svg");
        const svg = readFileSync(await download.path(), "utf8");
        assert.ok(svg.startsWith("<svg ") && svg.includes("R = ((2,3),(2,2)):((1,4),(2,12))"));
        assert.equal((svg.match(/text-anchor/g) || []).length, 24);
        // What a parser of XML reads.
        const problem = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent, svg);
        assert.equal(problem, undefined);
        await page.click('[aria-label="Copy SVG of A"]');
    });
}

test("the page has the colours of layout-draw's pictures", async (t) => {
    const page = await open(t);
    const source = readFileSync(new URL("../../../layout-draw/src/color.rs", import.meta.url), "utf8");
    for (const [name, dark] of [["LIGHT", false], ["DARK", true]]) {
        const [, list] = new RegExp(`const ${name}: \\[u32; FEW\\] =\\s*\\[([^\\]]*)\\]`).exec(source);
        const ours = list.match(/0x[0-9a-f]{6}/g).map(Number);
        const theirs = await page.evaluate((dark) => {
            const { colours } = window.playground;
            const before = colours.dark;
            colours.dark = dark;
            const all = Array.from({ length: 8 }, (_, k) => colours.colour("kinds", k, 512).reduce((sum, part) => sum * 256 + part, 0));
            colours.dark = before;
            return all;
        }, dark);
        assert.deepEqual(theirs, ours, name);
    }
});
