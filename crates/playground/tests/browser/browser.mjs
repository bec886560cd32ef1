// The page in a real browser, for the tests beside this: `node --test`, with the page's file and the browser's in the
// environment.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FILE = pathToFileURL(process.env.PLAYGROUND).href;

let browser;
before(async () => {
    // Without a sandbox of its own: as root, it has none. With bars where something scrolls, as most browsers have.
    const ignoreDefaultArgs = ["--hide-scrollbars"];
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"], ignoreDefaultArgs });
});
after(() => browser.close());

// A page at a link; what goes wrong in it is a failure of its test.
export async function open(t, hash = "", options = {}) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, ...options });
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => message.type() === "error" && !options.intruded?.test(message.text()) && wrong.push(message.text()));
    page.on("request", (request) => /^(file|data):/.test(request.url()) || wrong.push(`asked for ${request.url()}`));
    t.after(async () => {
        await page.close();
        assert.deepEqual(wrong, []);
    });
    await page.goto(FILE + hash);
    await page.evaluate(() => window.playground.page.ready);
    return page;
}
export const type = (page, text) => page.fill("#text", text);
export const names = (page) => page.$$eval("figure", (all) => all.map((each) => `${each.querySelector(".name").textContent} ${each.querySelector(".type").textContent}`));
export const hash = (page) => page.evaluate(() => location.hash);
export const readout = (page) => page.textContent("#readout");
// The middle of a cell, in the window's coordinates.
export const middle = (page, picture, row, column) =>
    page.evaluate(([id, row, column]) => {
        const picture = window.playground.page.pictures[id];
        picture.view.scrollIntoView({ block: "center" });
        const box = picture.view.getBoundingClientRect();
        return [box.left + picture.x(column) + picture.m.width / 2, box.top + picture.y(row) + picture.m.height / 2];
    }, [picture, row, column]);
export const pointAt = async (page, ...cell) => page.mouse.move(...(await middle(page, ...cell)));
export const clickAt = async (page, ...cell) => page.mouse.click(...(await middle(page, ...cell)));
// How many pixels of the layer of marks are painted.
export const painted = (page, id) =>
    page.evaluate((id) => {
        const { marks } = window.playground.page.pictures[id];
        const { data } = marks.getContext("2d").getImageData(0, 0, marks.width, marks.height);
        return data.filter((value, k) => k % 4 === 3 && value > 0).length;
    }, id);
