"""A script that connects to one browser elsewhere, reads one page, and prints what happened as a line of JSON.

It runs in a process of its own, so that a caller's event loop can't matter, and imports nothing of sitegym. Argument:
seconds to wait; the address comes on standard input.
"""

from __future__ import annotations

import json
import sys
import time

from playwright.sync_api import Error, sync_playwright


def main(seconds: str) -> None:
    """Print `{"version": …}` or `{"problem": …}`."""
    address, until = sys.stdin.read().strip(), time.monotonic() + float(seconds)
    with sync_playwright() as playwright:
        while True:
            try:
                browser = playwright.chromium.connect(address, timeout=float(seconds) * 1000)
                break
            except Error as error:
                if "ECONNREFUSED" not in error.message or time.monotonic() > until:
                    print(json.dumps({"problem": error.message.splitlines()[0]}))
                    return
                time.sleep(0.2)  # it is starting, and tells nobody when it is there
        page = browser.new_page()
        page.set_content("<span>sitegym</span>")
        seen = page.aria_snapshot()
        print(json.dumps({"version": browser.version} if "sitegym" in seen else {"problem": f"it shows {seen!r}"}))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
