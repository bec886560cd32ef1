// What one sees and hears while typing, what pictures say beside their cells, and what axe finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { clickAt, names, open, painted, type } from "./browser.mjs";

const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];
const LINE = "(4,6):(1,4).zipped_divide(<2,3>)";

for (const viewport of SIZES) {
    const at = `${viewport.width} x ${viewport.height}`;

    test(`pictures stay where they are while one types at ${at}`, async (t) => {
        const page = await open(t, "#text=(4,6):(1,4)", { viewport });
        const top = () => page.evaluate(() => [document.getElementById("pictures"), [...document.querySelectorAll("figure")].sort((a, b) => a.offsetTop - b.offsetTop)[0]].map((each) => Math.round(each.getBoundingClientRect().top)));
        const before = await top();
        await page.focus("#text");
        await page.keyboard.press("Control+A");
        for (const line of [LINE, "(4,6):(1,10) o 5:2", "(2,3,4).take(0,2)"]) {
            await page.keyboard.press("Control+A");
            for (const letter of line) {
                await page.keyboard.type(letter);
                const text = await page.inputValue("#text");
                // What begins anew has no picture at first, where nothing was drawn.
                if (await page.locator("figure").count()) assert.deepEqual(await top(), before, text);
            }
        }
    });

    test(`a line is announced once or twice, not for each letter, at ${at}`, async (t) => {
        const page = await open(t, "#text=(4,6):(1,4)", { viewport });
        await page.waitForTimeout(1000);
        await page.evaluate(() => {
            window.heard = [];
            for (const region of document.querySelectorAll("[aria-live], [role=status], [role=alert]")) {
                new MutationObserver(() => region.textContent && window.heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
            }
        });
        await page.focus("#text");
        await page.keyboard.press("Control+A");
        await page.keyboard.type(LINE, { delay: 60 });
        await page.waitForTimeout(1200);
        const heard = await page.evaluate(() => window.heard);
        assert.ok(heard.length >= 1 && heard.length <= 3, heard.join("\n"));
        assert.match(heard.at(-1), /^\(\(2,3\),\(2,2\)\):\(\(1,4\),\(2,12\)\): zipped_divide, size 24/);
    });

    test(`Then asks for the operands at ${at}`, async (t) => {
        const page = await open(t, "#text=(32,32):(32,1)", { viewport });
        const fields = () => page.$$eval("#ask label", (all) => all.map((each) => `${each.textContent} ${each.querySelector("input").value}`));
        await page.selectOption("#operations", "bank_conflicts");
        assert.deepEqual(await fields(), ["threads (32,1):(1,0)", "element 32", "access 32"]);
        assert.match(await page.textContent("#message"), /^31 bank conflicts/);
        await page.getByLabel("threads", { exact: true }).fill("(32,1):(32,0)");
        assert.equal(await page.inputValue("#text"), "(32,32):(32,1).bank_conflicts((32,1):(32,0),32,32)");
        assert.match(await page.textContent("#message"), /^No bank conflicts/);
        await page.getByLabel("threads", { exact: true }).fill("(33,1):(32,0)");
        assert.match(await page.textContent("#message"), /reach 1025 elements/);
        // Of a small layout a warp's worth of what there is.
        await type(page, "(4,6):(1,4)");
        assert.deepEqual(await fields(), []);
        await page.selectOption("#operations", "bank_conflicts");
        assert.equal(await page.inputValue("#text"), "(4,6):(1,4).bank_conflicts((24,1):(1,0),32,32)");
        await type(page, "(4,6):(1,4)");
        await page.selectOption("#operations", "thread_value_table");
        assert.deepEqual(await fields(), ["tile (8,8)"]);
        await type(page, "(4,6):(6,1)");
        await page.selectOption("#operations", "recast");
        assert.equal((await fields()).length, 2);
    });

    test(`an instruction by name shows A, B and C at ${at}`, async (t) => {
        const page = await open(t, "", { viewport });
        await page.evaluate(() => (document.getElementById("gallery").open = true));
        await page.focus("#atom");
        await page.waitForFunction(() => document.querySelectorAll("#atoms option").length > 400);
        await page.fill("#atom", "SM80_16x8x16_F32F16F16F32_TN");
        await page.keyboard.press("Enter");
        await page.locator("figure").nth(2).waitFor();
        assert.deepEqual(await names(page), [
            "A ((4,8),(2,2,2)):((32,1),(16,8,128))", "B ((4,8),(2,2)):((16,1),(8,64))", "C ((4,8),(2,2)):((32,1),(16,8))",
        ]);
        const sides = await page.evaluate(() => window.playground.page.pictures.map(({ shape }) => [shape.rows, shape.columns]));
        assert.deepEqual(sides, [[16, 16], [8, 16], [16, 8]]);
        assert.equal(await page.inputValue("#text"), "mma(SM80_16x8x16_F32F16F16F32_TN)");
        assert.match(await page.textContent("#law"), /^SM80_16x8x16_F32F16F16F32_TN: who holds/);
        // A thread of C is lit in A and B.
        await clickAt(page, 2, 3, 5);
        for (const id of [0, 1, 2]) assert.ok((await painted(page, id)) > 100, `${id}`);
        const again = await open(t, "#text=mma(sm90_64x64x16_f32f16f16_ss)", { viewport });
        await again.waitForFunction(() => /there is no instruction|^$/.test(document.getElementById("message").textContent));
        await type(again, "mma(SM80_16x8x16_F32F16F16F32_TX)");
        assert.match(await again.textContent("#message"), /there is no instruction SM80_16x8x16_F32F16F16F32_TX; near it is SM80_16x8x16_F32F16F16F32_TN/);
    });

    test(`axes have names, colours a legend, and a layout a sentence at ${at}`, async (t) => {
        const page = await open(t, "#text=(4,(2,3)):(1,(12,4))", { viewport });
        const beside = () => page.$$eval("figure", (all) => all.map((each) => [".across", ".down", ".legend"].map((part) => each.querySelector(part).textContent)));
        assert.deepEqual(await beside(), [["mode 1 →", "mode 0 →", "Colour: offset0612" + "1723"]]);
        assert.equal(await page.textContent("#law"), "A layout takes a coordinate to an offset: (4,(2,3)):(1,(12,4)) takes (i,(j,k)) to i*1 + j*12 + k*4.");
        await type(page, "Sw<3,0,3> o 8 o (8,8):(8,1)");
        assert.match(await page.textContent("#law"), /takes \(i,j\) to i\*8 \+ j\*1 \+ 8, of which the swizzle Sw<3,0,3> exchanges bits\.$/);
        assert.match((await beside())[0][2], /^Colour: bank08162431$/);
        await type(page, LINE);
        assert.equal((await beside())[1][2], "Colour: tile0123");
        await page.evaluate(() => (document.getElementById("how").open = true));
        await page.selectOption("#colour", "nothing");
        assert.equal((await beside())[1][2], "");
        await page.selectOption("#colour", "auto");
        await type(page, "((4,8),(2,2)):((32,1),(16,8)).thread_value_table((16,8))");
        assert.deepEqual((await beside()).map(([across, down]) => [down, across]), [["mode 0 →", "mode 1 →"], ["thread →", "value →"]]);
        assert.equal((await beside())[0][2], "Colour: thread01234567…");
        await type(page, "(2,3,4)");
        assert.deepEqual((await beside())[0].slice(0, 2), ["modes 1, 2 →", "mode 0 →"]);
        // A patch has the colour of its cells.
        await type(page, "(4,6):(1,4).zipped_divide(<2,3>)");
        const [patch, cell] = await page.evaluate(() => {
            const { page, colours } = window.playground;
            return [getComputedStyle(document.querySelectorAll("figure")[1].querySelectorAll(".patch")[1]).backgroundColor.match(/\d+/g).map(Number), colours.colour("kinds", 1, 512)];
        });
        assert.deepEqual(patch, cell);
    });

    test(`axe finds nothing against WCAG AA at ${at}`, async (t) => {
        const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
        for (const colorScheme of ["light", "dark"]) {
            const page = await open(t, "", { viewport, colorScheme });
            await page.evaluate(axe);
            const states = [
                LINE, "(4,6):(1,4).zipped_divide(<2,4>)", "(4,6):(1,10) o 5:2", "(4,", "", "(4,6).size()", "(1000000000,1000000000)", "(4,0)",
                "(1024,1024)", "(32,32):(32,1).bank_conflicts((32,1):(1,0),32,32)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "mma(SM80_16x8x16_F32F16F16F32_TN)", "mma(none)",
            ];
            for (const text of states) {
                await type(page, text);
                if (text.startsWith("mma")) await page.waitForFunction(() => !/loaded/.test(document.getElementById("message").textContent));
                if (text === "(4,6).size()") await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
                const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
                assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 90)).join(" ")}`), [], `${text}, ${colorScheme}`);
            }
            await type(page, "(32,32):(32,1)");
            await page.selectOption("#operations", "bank_conflicts");
            const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] }));
            assert.deepEqual(violations.map(({ id }) => id), []);
        }
    });
}

test("the readout does not cover the field in a window of 320 x 256", async (t) => {
    for (const hash of ["", "#text=(4,6):(1,4).zipped_divide(<2,4>)", "#text=(4,"]) {
        const page = await open(t, hash, { viewport: { width: 320, height: 256 } });
        for (const at of ["top", "field", "bottom"]) {
            const boxes = await page.evaluate((at) => {
                if (at === "field") document.getElementById("text").focus();
                else scrollTo(0, at === "top" ? 0 : 1e6);
                return ["#text", "#readout"].map((name) => document.querySelector(name).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]);
            }, at);
            const [[top, bottom], [first, last]] = boxes;
            assert.ok(last <= top || first >= bottom, `${hash} ${at}: ${boxes}`);
        }
    }
});

test("layouts stand side by side", async (t) => {
    const page = await open(t, "#text=(4,6):(1,4);+(4,6):(6,1)");
    assert.deepEqual(await names(page), ["A (4,6):(1,4)", "B (4,6):(6,1)"]);
    await type(page, "(4,6):(1,4); (4,6):(1,4).zipped_divide(<2,4>)");
    assert.match(await page.textContent("#message"), /extent 6 is not a multiple/);
    assert.deepEqual(await page.$$eval("#mirror mark", (all) => all.map((mark) => mark.textContent)), ["4"]);
});
