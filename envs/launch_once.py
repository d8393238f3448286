"""A script that starts one browser through Playwright, reads one page, and prints what happened as a line of JSON.

It runs in a process of its own (see `trial.py`), so that a browser that hangs or a caller's event loop can't matter,
and it imports nothing of sitegym. Arguments: path of the executable, "sandbox" or "no-sandbox", seconds to wait.
"""

from __future__ import annotations

import json
import sys

from playwright.sync_api import Error, sync_playwright


def main(path: str, sandbox: str, seconds: str) -> None:
    """Print `{"version": …}` or `{"problem": …}`."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=path,
                headless=True,
                chromium_sandbox=sandbox == "sandbox",
                timeout=float(seconds) * 1000,
            )
            page = browser.new_page()
            page.set_content("<span>sitegym</span>")
            tree = page.aria_snapshot(mode="ai")
            width = page.evaluate("document.querySelector('span').getBoundingClientRect().width")
            version = browser.version
            browser.close()
        except Error as error:
            print(json.dumps({"problem": error.message}))
            return
    if "sitegym" not in tree:
        print(json.dumps({"problem": f"unreadable page: {tree!r}"}))
    elif not width:
        # seen on machines without any font: the page is there, and nothing of its text
        print(json.dumps({"problem": "it finds no fonts, so no text is drawn"}))
    else:
        print(json.dumps({"version": version}))


if __name__ == "__main__":
    main(*sys.argv[1:])
