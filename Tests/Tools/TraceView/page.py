#!/usr/bin/env python3
"""page.py STORY HOUR EMPTY

Drives the page of a trace in a browser without a screen, and fails where it does not do what
people ask of it: STORY has some seconds in which all kinds of things happen, HOUR a busy hour, EMPTY
nothing. What is seen on the way is kept beside them."""

import base64
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

SIZE = (1600, 1000)
HOSTILE = "</script><b>\"'&\\$end"


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # Root has no sandbox, and a container little shared memory.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                     f"--window-size={SIZE[0]},{SIZE[1]}", "--force-color-profile=srgb"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path="/usr/bin/chromedriver")
    return webdriver.Chrome(options=options, service=service)


class Page:
    """A page that is shown, and what people do with it."""

    def __init__(self, driver, file, fragment=""):
        self.driver, self.folder = driver, file.parent
        # Another fragment alone would not load it anew.
        driver.get("about:blank")
        driver.get(file.as_uri() + fragment)
        self.settle()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Waits until what was asked for is painted, and the list and the link have followed."""
        self.driver.execute_async_script(
            "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => done()), 200)")

    @property
    def view(self):
        view = self.run("return turnstileTrace.view")
        return view["from"] / 1e6, view["to"] / 1e6

    @property
    def span(self):
        start, end = self.view
        return end - start

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return [each.text for each in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def click(self, selector):
        self.find(selector).click()
        self.settle()

    def press(self, keys):
        self.find("#plot").send_keys(keys)
        self.settle()

    def at(self, x, y):
        """A chain of actions that begins at this place of the plot."""
        plot = self.find("#plot")
        # Places are told from the middle of what is seen of it.
        left, top = self.run(
            "const b = arguments[0].getBoundingClientRect(); return [b.left, b.top]", plot)
        chain = ActionChains(self.driver, duration=50)
        chain.w3c_actions.pointer_action.move_to_location(int(left + x), int(top + y))
        return chain

    def click_at(self, x, y):
        chain = self.at(x, y)
        chain.click().perform()
        self.settle()

    def colours(self, name):
        """How many colours a canvas has."""
        return self.run(
            """const canvas = document.getElementById(arguments[0]);
            const { data } = canvas.getContext("2d")
                .getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size""", name)

    def keep(self, name):
        self.driver.save_screenshot(str(self.folder / name))

    def check_console(self):
        # That a canvas is read back is this script's doing.
        told = [each for each in self.driver.get_log("browser") if each["source"] != "rendering"]
        assert not told, told


def check_drawing(page):
    for canvas in ["plot", "ruler", "overview"]:
        assert page.colours(canvas) > 10, f"{canvas} is blank"
    assert page.find("#gate").text == "north gate </title><b>"
    assert "10:00:00.000" in page.find("#span").text and "UTC+01:00" in page.find("#span").text
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.run("return turnstileTrace.rows")[:4] == [
        "records", "passages", "credit", "status"]
    page.keep("page.png")


def check_zoom(page):
    all_of_it = page.span
    chain = page.at(500, 200)
    chain.scroll_from_origin(ScrollOrigin.from_element(page.find("#plot")), 0, -600).perform()
    page.settle()
    wheeled = page.span
    assert wheeled < all_of_it / 2, (wheeled, all_of_it)
    page.press("+")
    assert abs(page.span - wheeled / 2) < 1e-3
    page.press("-")
    assert abs(page.span - wheeled) < 1e-3
    before = page.view[0]
    page.press(Keys.ARROW_RIGHT)
    assert page.view[0] > before and abs(page.span - wheeled) < 1e-3
    page.press(Keys.HOME)
    assert page.view[0] < 0
    chain = page.at(600, 200)
    chain.click_and_hold().move_by_offset(-200, 0).release().perform()
    page.settle()
    assert page.view[0] > 0, "a drag to the left goes on in time"
    assert page.run("return location.hash").startswith("#t=")
    page.press("0")
    assert abs(page.span - all_of_it) < 1e-3
    for button, sign in [("#zoom-in", -1), ("#zoom-out", 1)]:
        before = page.span
        page.click(button)
        assert (page.span - before) * sign > 0, button
    page.click("#fit")


def check_records(page):
    row = page.run("return turnstileTrace.rowTop('records')")
    marks = page.run("return turnstileTrace.marks")
    mark = next(mark for mark in marks if mark["first"] > 0 and mark["next"] == mark["first"] + 1)
    page.click_at(mark["x"], row + 15)
    assert page.run("return turnstileTrace.picked") == mark["first"]
    sentence = page.find("#record .sentence").text
    assert sentence == "coin of 100 (2 pulses on coin_pulse) credited", sentence
    facts = dict(zip(page.texts("#record dt"), page.texts("#record dd")))
    assert facts["time"] == "2026-11-22 10:00:02.400000", facts
    assert facts["UTC"] == "2026-11-22T09:00:02.400000Z" and facts["value"] == "100", facts
    assert page.texts("#list [aria-current] .words") == [sentence]
    page.press("n")
    assert page.find("#record .sentence").text != sentence
    page.press("p")
    assert page.find("#record .sentence").text == sentence
    page.keep("page-record.png")

    count = len(page.texts("#list button"))
    page.find("#filter").send_keys("somebody passed")
    page.settle()
    found = page.texts("#list .words")
    assert 0 < len(found) < count and all("somebody passed" in each for each in found), found
    page.find("#filter").clear()
    page.find("#filter").send_keys("grant </script>")
    page.settle()
    found = page.texts("#list .words")
    assert found == [f"grant by {HOSTILE} (1000): done"], found
    page.click("#list button")
    assert HOSTILE in page.find("#record .sentence").text
    assert HOSTILE in page.texts("#record dd")
    assert page.run("return document.querySelectorAll('b').length") == 4, "names are no markup"
    page.find("#filter").clear()
    page.find("#filter").send_keys(Keys.SPACE)
    page.press(Keys.ESCAPE)
    assert page.run("return turnstileTrace.picked") == -1


def check_rows(page):
    page.click("#rows-button")
    page.find("#rows-filter").send_keys("coin_pulse")
    page.settle()
    page.click("#rows-list input")
    page.press(Keys.ESCAPE)
    assert "coin_pulse" not in page.run("return turnstileTrace.rows")
    page.click("#rows-button")
    page.click("#rows-all")
    page.press(Keys.ESCAPE)
    rows = page.run("return turnstileTrace.rows")
    assert "coin_pulse" in rows and "stop" in rows
    page.click("#changing")
    fewer = page.run("return turnstileTrace.rows")
    assert "stop" not in fewer and "coin_pulse" in fewer
    page.click("#changing")
    page.click("#labels .group")
    assert "credit" not in page.run("return turnstileTrace.rows")
    page.click("#labels .group")


def check_cursors(page):
    page.click_at(300, 300)
    chain = page.at(700, 300)
    chain.key_down(Keys.SHIFT).click().key_up(Keys.SHIFT).perform()
    page.settle()
    cursors = page.run("return turnstileTrace.cursors")
    text = page.find("#cursors").text
    assert cursors["a"] < cursors["b"] and "A 10:00:" in text and "Δ " in text, (cursors, text)
    assert page.texts("#labels .value")[3] != "", "rows tell their values at the pointer"
    page.press("m")
    assert abs(page.view[0] - cursors["a"] / 1e6) < 1e-3
    page.keep("page-cursors.png")
    page.press(Keys.ESCAPE)
    page.press("0")


def check_themes(page):
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = page.run(colour)
    corner = """const context = document.getElementById('plot').getContext('2d');
        return [...context.getImageData(9, 9, 1, 1).data]"""
    drawn = page.run(corner)
    page.click("#theme")
    assert page.run(colour) != light and page.run(corner) != drawn
    page.run("location.hash = '#t=1.5,5.5'")
    page.settle()
    page.keep("page-dark.png")
    page.click("#theme")
    assert page.run(colour) == light
    media = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.run("delete document.documentElement.dataset.theme")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    page.settle()
    assert page.run(colour) != light, "it is dark where the system is"
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    page.settle()
    assert page.run(colour) == light


def check_links(driver, file):
    page = Page(driver, file, "#t=2,3.5&r=2")
    start, end = page.view
    assert abs(start - 2) < 1e-6 and abs(end - 3.5) < 1e-6, (start, end)
    assert page.run("return turnstileTrace.picked") == 2
    page = Page(driver, file, "#t=10:00:04.5")
    start, end = page.view
    assert abs((start + end) / 2 - 4.5) < 1e-6, (start, end)
    page.run("location.hash = '#t=6,7'")
    page.settle()
    assert abs(page.view[0] - 6) < 1e-6
    for link in ["#t=nonsense", "#t=5,", "#r=999999", "#t=-5,-4&r=x"]:
        Page(driver, file, link).check_console()


def check_names(page):
    """Whoever hears the page instead of seeing it is told what everything is."""
    nameless = page.run(
        """return [...document.querySelectorAll("button, input, canvas, [role]")].filter((each) =>
            !(each.textContent.trim() || each.getAttribute("aria-label") || each.labels?.length
              || each.getAttribute("aria-hidden") || each.id === "voice"))
            .map((each) => each.outerHTML)""")
    assert nameless == [], nameless
    order = []
    page.run("document.activeElement.blur()")
    for _ in range(80):
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        order.append(page.run("return document.activeElement.id"))
    for name in ["zoom-in", "theme", "overview", "plot", "filter"]:
        assert name in order, f"{name} cannot be reached by keys: {order}"


def check_legend(page):
    page.press("l")
    titles = page.texts("#legend .title")
    assert titles == ["Records", "Passages", "States", "Lines"], titles
    colours = page.run(
        """return [...document.querySelectorAll("#legend span")].map((each) =>
            getComputedStyle(each).color)""")
    assert len(set(colours)) > 8, f"the legend has no colours: {colours}"
    page.press(Keys.ESCAPE)
    assert page.texts("#legend .title") == [""] * 4


def check_print(page):
    page.press("+")
    page.find("#filter").send_keys("somebody passed")
    page.settle()
    width = page.run("return document.getElementById('plot').width")
    pdf = base64.b64decode(page.driver.print_page())
    assert pdf.startswith(b"%PDF") and len(pdf) > 20_000, len(pdf)
    (page.folder / "page.pdf").write_bytes(pdf)
    page.settle()
    assert page.run("return document.getElementById('plot').width") == width
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.settle()
    display = "return getComputedStyle(document.querySelector(arguments[0])).display"
    for hidden in [".tools", "#overview", "#overlay", ".filter", "#bottom"]:
        assert page.run(display, hidden) == "none", f"{hidden} is printed"
    for shown in ["#plot", "#list", "#gate", "#legend", "#left-out"]:
        assert page.run(display, shown) != "none", f"{shown} is not printed"
    told = page.find("#left-out").text
    for words in ["the time from 10:00:", "records with “somebody passed” alone",
                  " records are listed", "no change in: "]:
        assert words in told, told
    assert page.colours("plot") > 10
    chart = page.run("return document.getElementById('chart').getBoundingClientRect().toJSON()")
    field = page.run("return document.getElementById('field').getBoundingClientRect().toJSON()")
    assert field["right"] <= 1032 and chart["bottom"] <= 700, f"{field}: it does not fit paper"
    page.keep("page-print.png")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    page.run("window.dispatchEvent(new Event('afterprint'))")
    assert page.run(display, "#left-out") == "none"
    page.find("#filter").clear()
    page.find("#filter").send_keys(Keys.SPACE)
    page.press("0")
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    told = page.run("return document.getElementById('left-out').textContent")
    assert "alone" not in told and "listed" not in told, told
    page.run("window.dispatchEvent(new Event('afterprint'))")


def check_hour(driver, file):
    since = time.monotonic()
    page = Page(driver, file)
    loaded = time.monotonic() - since
    paints = []
    for keys in ["0", "+", "+", "+", "+", "+", "+", "+", "+"]:
        page.press(keys)
        paints.append(max(page.run("return [1, 2, 3].map(() => turnstileTrace.paint())")))
        if len(paints) == 5:
            page.keep("page-hour.png")
    print(f"hour: {file.stat().st_size} bytes, shown after {loaded:.1f} s, "
          f"painted in {max(paints):.0f} ms at most")
    assert loaded < 10 and max(paints) < 250, (loaded, paints)
    page.check_console()


def check_small(driver, file):
    """A window of a telephone's size has the records below the chart."""
    for width, height in [(700, 900), (390, 844)]:
        # No window is as narrow as a telephone.
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        page = Page(driver, file)
        for keys in ["a", Keys.ARROW_RIGHT, "b"]:
            page.press(keys)
        chart, panel = (page.find(each).rect for each in ["#chart", "#panel"])
        assert panel["y"] > chart["y"] + chart["height"] - 1, (chart, panel)
        assert chart["height"] > 200, chart
        for scrolled, seen in [("scrollWidth", "innerWidth"), ("scrollHeight", "innerHeight")]:
            assert page.run(f"return document.documentElement.{scrolled} <= {seen}"), scrolled
        cut = page.run(
            """const edge = document.documentElement.clientWidth;
            return [...document.querySelectorAll(
                "#span, #sums, #bottom span, .row:not(.band) .value, .band .name, #found, time")]
                .filter((each) => each.id !== "voice" && (each.scrollWidth > each.clientWidth + 1
                    && each.clientWidth > 0 || each.getBoundingClientRect().right > edge))
                .map((each) => each.textContent)""")
        assert cut == [], f"{width} px: not whole: {cut}"
        page.keep(f"page-{width}.png")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_empty(driver, file):
    page = Page(driver, file)
    page.press("+")
    assert page.texts("#sums b") == ["0", "0", "0", "0"]
    page.check_console()


def main():
    story, hour, empty = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    driver = browser()
    try:
        page = Page(driver, story)
        for check in [check_drawing, check_zoom, check_records, check_rows, check_cursors,
                      check_themes, check_names, check_legend, check_print]:
            check(page)
            page.check_console()
            print(f"{check.__name__}: good")
        check_links(driver, story)
        check_small(driver, story)
        check_empty(driver, empty)
        check_hour(driver, hour)
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
