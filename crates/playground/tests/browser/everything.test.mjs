// Every golden answer, every operation, every starting point; and what no text may do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open, type } from "./browser.mjs";

const GOLDEN = ["golden.jsonl", "golden-2.jsonl"].map((name) => new URL(`../../../../tests/golden/${name}`, import.meta.url));

test("every operation on everything has an answer, and the engine never stops", async (t) => {
    const page = await open(t);
    const operands = JSON.parse(readFileSync(new URL("operands.json", import.meta.url), "utf8"));
    const { count, stopped, slowest } = await page.evaluate((operands) => {
        const names = [...document.querySelectorAll("#operations option")].map((option) => option.value).filter(Boolean);
        const stopped = [];
        let [count, slowest] = [0, [0, ""]];
        // One pair in eight for each operation, others for the next one.
        for (const [k, name] of names.entries()) {
            for (const [i, left] of operands.entries()) {
                for (const right of operands.filter((_, j) => (i + j) % 8 === k % 8)) {
                    for (const text of [`${name}(${left})`, `${name}(${left}, ${right})`, `${name}(${left}, ${right}, 16)`, `${name}(${left}, ${right}, 16, 32)`]) {
                        const start = performance.now();
                        const report = window.playground.evaluate(text);
                        const spent = performance.now() - start;
                        if (spent > slowest[0]) slowest = [spent, text];
                        if (report.stopped) stopped.push(`${text}: ${report.stopped}`);
                        count++;
                    }
                }
            }
        }
        return { count, stopped, slowest };
    }, operands);
    assert.deepEqual(stopped.slice(0, 10), [], `${stopped.length} of ${count}`);
    t.diagnostic(`${count} texts, the slowest took ${slowest[0].toFixed(0)} ms: ${slowest[1]}`);
    assert.ok(slowest[0] < 2000, slowest.join(" ms: "));
});

test("what is typed is never interpreted", async (t) => {
    const page = await open(t, "", { intruded: /^Executing inline script violates .* The action has been blocked/ });
    page.on("dialog", () => assert.fail("a dialog"));
    for (const text of [
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "</textarea><svg onload=alert(1)>",
        "(4,6):(1,4).<b>bold</b>()",
        "\"><iframe src=javascript:alert(1)>",
        "size(<i>1</i>)",
        "{{constructor.constructor('alert(1)')()}}",
    ]) {
        await type(page, text);
        await page.waitForTimeout(20);
        assert.equal(await page.locator("main img, main script, main svg, main b, main i, main iframe").count(), 0, text);
        const there = await open(t, "#text=" + encodeURIComponent(text));
        assert.equal(await there.inputValue("#text"), text);
        assert.equal(await there.locator("main img, main script, main svg, main b, main i, main iframe").count(), 0, text);
    }
    // Even a script that got in would not run: the policy names the page's own alone.
    const ran = await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.intruded = true";
        document.body.append(script);
        return window.intruded === true;
    });
    assert.equal(ran, false);
});

test("every starting point shows what it is about", async (t) => {
    const page = await open(t);
    const links = await page.$$eval("#gallery a", (all) => all.map((each) => [each.textContent, each.hash]));
    assert.ok(links.length >= 25);
    for (const [title, hash] of links) {
        await page.evaluate((hash) => (location.hash = hash), hash);
        await page.waitForTimeout(30);
        const group = await page.$$eval("#gallery a[aria-current]", ([link]) => link.closest("ul").previousElementSibling.textContent);
        // The first instruction loads the tables of all of them; until then it is refused.
        const isRefused = (expected) => Boolean(window.playground.page.report.trouble) === expected;
        await page.waitForFunction(isRefused, group === "Refused", { timeout: 10_000 }).catch(async () => {
            assert.fail(`${title}: ${await page.textContent("#message")}`);
        });
        assert.ok((await page.locator("figure").count()) > 0, title);
    }
});

test("every golden answer through the page's own entry point", async (t) => {
    const page = await open(t);
    const cases = GOLDEN.flatMap((file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)));
    assert.equal(cases.length, 6608);
    const rank = (text) => {
        const shape = text.split(":")[0];
        if (shape[0] !== "(") return null;
        let depth = 0;
        return [...shape].reduce((count, c) => ((depth += c === "(" ? 1 : c === ")" ? -1 : 0), count + (c === "," && depth === 1)), 1);
    };
    const texts = cases.map(({ op, args }) => {
        if (op === "swizzle") return `Sw<${args.slice(0, 3).join(",")}>.apply(${args[3]})`;
        if (op === "coalesce_by_mode") return `coalesce_by(${args[0]},${rank(args[0]) === null ? 1 : `(${Array(rank(args[0])).fill(1).join(",")})`})`;
        const name = { index_nested: "index", compose_by_mode: "compose" }[op] || op;
        return `${name}(${args.join(",")})`;
    });
    const answers = await page.evaluate((texts) => texts.map((text) => {
        const { parts, trouble } = window.playground.evaluate(text);
        return trouble ? { undefined: trouble.kind, sentence: trouble.sentence } : parts.at(-1).text;
    }), texts);
    const wrong = [];
    cases.forEach(({ out }, k) => {
        const found = answers[k];
        const expected = typeof out === "object" ? out.undefined : String(out);
        if ((found.undefined || found) !== expected) wrong.push(`${texts[k]}\n  is ${JSON.stringify(found)}, and not ${expected}`);
    });
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} differ`);
    t.diagnostic(`${cases.length} answers equal`);
    // And some as they are typed.
    for (let k = 0; k < texts.length; k += 97) {
        await type(page, texts[k]);
        const shown = await page.evaluate(() => ({ ...window.playground.page.report }));
        assert.equal(shown.trouble ? shown.trouble.kind : shown.parts.at(-1).text, answers[k].undefined || answers[k], texts[k]);
    }
});
