// Whoever uses the page: with a keyboard, with a screen reader, on a phone, in the dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hash, middle, open, type } from "./browser.mjs";

test("the keyboard reaches and announces every cell", async (t) => {
    const page = await open(t);
    const spoken = () => page.textContent("#spoken");
    const view = page.locator(".view").first();
    assert.match(await view.getAttribute("aria-label"), /^A, \(4,6\):\(1,4\): 4 rows, 6 columns/);
    await view.focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await spoken(), /^A \(0,0\) .*offset 0/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    assert.match(await spoken(), /^A \(1,1\) .*offset 5 /);
    await page.keyboard.press("End");
    assert.match(await spoken(), /^A \(1,5\) /);
    await page.keyboard.press("Enter");
    assert.match(await spoken(), /^Kept: A \(1,5\)/);
    await page.keyboard.press("+");
    assert.match(await hash(page), /zoom=/);
    // Everything that takes part has a name.
    const nameless = await page.$$eval("button, select, textarea, a, [tabindex='0']", (all) =>
        all.filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || (each.labels && each.labels.length))).map((each) => each.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(nameless.filter((each) => !each.includes("<pre")), []);
    assert.equal(await page.getAttribute("#spoken", "aria-live"), "polite");
});

test("a screen reader finds a role and a name for everything, and hears what happens", async (t) => {
    const page = await open(t, "#text=(4,6,2):(1,4,24)");
    const session = await page.context().newCDPSession(page);
    // What the browser tells a screen reader.
    const told = async () => {
        const { nodes } = await session.send("Accessibility.getFullAXTree");
        const properties = (node) => Object.fromEntries((node.properties || []).map(({ name, value }) => [name, value.value]));
        return nodes
            .filter(({ ignored }) => !ignored)
            .map((node) => ({ role: node.role.value, name: (node.name && node.name.value) || "", description: (node.description && node.description.value) || "", ...properties(node) }));
    };
    const texts = ["(4,6,2):(1,4,24)", "(4,6):(1,4).zipped_divide(<2,3>)", "(4,6):(1,10) o 5:2", "((4,8),(2,2)):((32,1),(16,8)).thread_value_table((16,8))", "(32,32):(32,1).bank_conflicts((32,1):(1,0),32,32)", "(1024,1024)", "(4,0)", "(4,6).size()", "(4,"];
    for (const text of texts) {
        await type(page, text);
        const all = await told();
        const controls = all.filter(({ focusable, role }) => focusable && role !== "RootWebArea");
        const known = /^(link|button|textbox|combobox|checkbox|application|group|DisclosureTriangle|option|listbox|MenuListPopup)$/;
        assert.deepEqual(controls.filter(({ role, name }) => !known.test(role) || !name.trim()), [], text);
        // No two controls of a page have the same role and name, but for options of different lists.
        const names = controls.filter(({ role }) => role !== "option" && role !== "MenuListPopup").map(({ role, name }) => `${role} ${name}`);
        assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), [], text);
        // A picture is known by its words alone.
        const pictures = all.filter(({ role }) => role === "application");
        assert.equal(pictures.length, await page.locator("canvas").count() / 2, text);
        assert.deepEqual(pictures.filter(({ name }) => !/^\S.*: \d+ rows, \d+ columns\. Arrow keys/.test(name)), [], text);
        assert.deepEqual(all.filter(({ role }) => /^(canvas|image|img|graphics)/i.test(role)), [], text);
        assert.equal(all.filter(({ role, live }) => role === "status" && live === "polite").length, 1, text);
    }
    // The text field is described by what is wrong with the text.
    const field = (await told()).find(({ role }) => role === "textbox");
    assert.match(field.description, /^parse .*expected/);
    // A refusal is news of a region that was there before it, once one stops typing; so are a result, a number, and a cell.
    const news = async (text) => {
        const [before] = await page.$$("[aria-live]");
        await type(page, text);
        await page.waitForTimeout(1000);
        const [after, ...others] = await page.$$("[aria-live]");
        assert.deepEqual(others, []);
        assert.ok(await before.evaluate((one, other) => one === other, after));
        return after.evaluate((each) => (getComputedStyle(each).display === "none" ? null : each.textContent));
    };
    assert.equal(await news("(4,6):(1,4).zipped_divide(<2,3>)"), "((2,3),(2,2)):((1,4),(2,12)): zipped_divide, size 24, cosize 24, bijective.");
    assert.match(await news("(4,6):(1,4).zipped_divide(<2,4>)"), /extent 6 is not a multiple of the span 4/);
    assert.equal(await news("(4,6).size()"), "24");
});

test("Tab reaches every control, and one sees where one is", async (t) => {
    for (const colorScheme of ["light", "dark"]) {
        const page = await open(t, "#text=(4,6,2):(1,4,24).zipped_divide(<2,3>)&memory=1", { colorScheme });
        const all = await page.$$eval("a[href], button, select, textarea, input, summary, [tabindex]", (all) => all.filter((each) => each.checkVisibility()).length);
        const reached = new Set();
        const unseen = [];
        await page.evaluate(() => document.body.focus());
        for (;;) {
            await page.keyboard.press("Tab");
            const { at, name, seen } = await page.evaluate(() => {
                const here = document.activeElement;
                const drawn = (of) => (of.outlineStyle !== "none" && parseFloat(of.outlineWidth) >= 2) || of.boxShadow !== "none";
                const [box, frame] = [here.getBoundingClientRect(), here.closest(".field")];
                const inside = box.width > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
                const controls = [...document.querySelectorAll("a[href], button, select, textarea, input, summary, [tabindex]")];
                return { at: controls.indexOf(here), name: here.outerHTML.slice(0, 60), seen: inside && drawn(getComputedStyle(frame || here)) };
            });
            if (at < 0 || reached.has(at)) break;
            reached.add(at);
            if (!seen) unseen.push(name);
        }
        assert.deepEqual(unseen, []);
        assert.equal(reached.size, all);
        // From the first of them straight to the text.
        await page.evaluate(() => document.activeElement.blur());
        await page.focus(".skip");
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.id), "text");
    }
});

test("light and dark, wide and narrow", async (t) => {
    for (const colorScheme of ["light", "dark"]) {
        for (const width of [360, 1400]) {
            const page = await open(t, "#text=(64,64):(64,1).zipped_divide(<16,8>)", { colorScheme, viewport: { width, height: 800 } });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${wide} pixels in a window of ${width}`);
            const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
            assert.equal(paper > 128, colorScheme === "light");
        }
    }
});

test("on a phone result and read-out are seen at once, and buttons are 40 pixels high", async (t) => {
    for (const hash of ["", "#text=layout!((8, 8): right).zipped_divide(tiler!(2, 4));", "#text=((4,8),(2,2)):((32,1),(16,8)).thread_value_table((16,8))", "#text=Sw<3,3,3>+o+0+o+(8,64):(64,1)"]) {
        const page = await open(t, hash, { viewport: { width: 390, height: 844 }, hasTouch: true });
        const { wide, first, high, readout, small } = await page.evaluate(() => {
            const box = (of) => of.getBoundingClientRect();
            // What stands first below the text: the result, where there is one.
            const figures = [...document.querySelectorAll("figure")].sort((a, b) => box(a).top - box(b).top);
            const controls = [...document.querySelectorAll("button, select, summary, a[href]:not(.skip), label:has(input)")].filter((each) => each.checkVisibility());
            const seen = (id) => box(document.querySelector(id));
            return {
                wide: document.documentElement.scrollWidth,
                first: figures[0] === (document.querySelector("figure.result") || figures[0]),
                // How much of its cells is above the read-out.
                high: (Math.min(seen("#readout").top, box(figures[0].querySelector(".view")).bottom) - box(figures[0].querySelector(".view")).top) / box(figures[0].querySelector(".view")).height,
                readout: [seen("#readout").top, seen("#readout").bottom],
                small: controls.filter((each) => box(each).height < 40 || (each.localName === "button" && box(each).width < 40)).map((each) => each.outerHTML.slice(0, 60)),
            };
        });
        assert.ok(wide <= 390, hash);
        assert.ok(first && high > 0.8, `${hash}: ${high} of the result is seen`);
        assert.ok(readout[0] > 0 && readout[1] <= 844, hash);
        assert.deepEqual(small, [], hash);
        // A phone that is turned, and a narrower one, show all of the text.
        for (const width of [844, 330, 390]) {
            await page.setViewportSize({ width, height: 844 });
            await page.waitForFunction(() => text.scrollHeight === text.clientHeight);
        }
        // A touch says where it is.
        await page.touchscreen.tap(...(await middle(page, 0, 1, 1)));
        assert.match(await page.textContent("#readout"), /index \d+/);
        // What is folded opens.
        await page.getByText("How it is drawn").tap();
        assert.ok(await page.locator("#cells").isVisible());
        await page.getByText("Starting points").tap();
        await page.getByRole("link", { name: "Row-major" }).tap();
        assert.equal(await page.inputValue("#text"), "(4,6):(6,1)");
    }
});
