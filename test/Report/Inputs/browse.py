#!/usr/bin/env python3
"""Opens a page in a browser without a network and prints what it came to.

usage: browse.py [--dark] [--script=FILE.js] PAGE.html
       browse.py --probe

Prints one line for each thing that tests look at: the sections with their tables
and charts, what the page tried to load, and what failed. With --script, the
file runs in the page when the charts are drawn; what it passes to `say` is
printed, too. With --probe, fails where the browser does not start, as in some
containers.
"""

import argparse
import html.parser
import pathlib
import resource
import subprocess
import sys
import tempfile

# Waits until the charts are drawn.
PROBE = """
<script>
{
  const lines = [];
  globalThis.say = (...words) => lines.push(words.join(" "));
  const fail = (event) => say("error:", event.message ?? event.reason ?? event.violatedDirective);
  addEventListener("error", fail);
  addEventListener("unhandledrejection", fail);
  document.addEventListener("securitypolicyviolation", fail);
  const describe = () => {
    say("title:", document.title);
    say("background:", getComputedStyle(document.body).backgroundColor);
    for (const section of document.querySelectorAll("section")) {
      say(`${section.dataset.kind}:`, section.querySelector("h2").textContent);
      for (const caption of section.querySelectorAll("figcaption"))
        say("  figure:", caption.textContent);
      for (const svg of section.querySelectorAll(".plot svg")) {
        const count = (mark) => svg.querySelectorAll(`.mark-${mark}.role-mark path`).length;
        say("  chart:", count("rect"), "rects,", count("symbol"), "points,", count("line"), "lines");
      }
      if (section.querySelector("table")) {
        say("  columns:", [...section.querySelectorAll("thead th")].map((th) => th.textContent).join(" | "));
        say("  rows:", section.querySelectorAll("tbody tr").length);
      }
    }
    say("loaded:", performance.getEntriesByType("resource").length);
  };
  const finish = async () => {
    while (document.body.dataset.charts !== "drawn")
      await new Promise((resolve) => setTimeout(resolve, 20));
    describe();
    try {
      await globalThis.test?.();
    } catch (error) {
      say("error:", error);
    }
    document.body.replaceChildren(Object.assign(document.createElement("pre"), {id: "said", textContent: lines.join("\\n")}));
  };
  finish();
}
</script>
"""


class Said(html.parser.HTMLParser):
    """Collects the text of the element that the probe leaves."""

    def __init__(self):
        super().__init__()
        self.inside, self.text = False, None

    def handle_starttag(self, tag, attributes):
        if tag == "pre" and ("id", "said") in attributes:
            self.inside, self.text = True, ""

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data):
        if self.inside:
            self.text += data


def start(*arguments):
    """Runs the browser, which has a profile of its own; returns what it prints."""
    # scripts/test limits address space, of which browsers reserve far more than they use.
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [
                "chromium-headless-shell",
                "--no-sandbox",  # tests may be root
                "--disable-gpu",
                "--disable-dev-shm-usage",  # small in containers
                "--host-resolver-rules=MAP * ~NOTFOUND",
                f"--user-data-dir={profile}",
                "--dump-dom",
                *arguments,
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )
    if done.returncode != 0:
        sys.exit(f"browse.py: the browser failed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def browse(page, is_dark):
    return start(
        "--window-size=1300,1000",
        "--virtual-time-budget=60000",
        f"--blink-settings=preferredColorScheme={0 if is_dark else 1}",
        page.resolve().as_uri(),
    )


def probe():
    says = "<p>works</p>"
    if says not in start("data:text/html,<script>document.write('<p>wor' + 'ks</p>')</script>"):
        sys.exit("browse.py: the browser runs no scripts")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--script", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    if options.probe:
        return probe()
    if not options.page:
        parser.error("expected a page")
    text = options.page.read_text()
    script = ""
    if options.script:
        script = f"<script>globalThis.test = async () => {{\n{options.script.read_text()}\n}};</script>"
    # Before the scripts of the page, to hear of their errors.
    head, rest = text.split("<header", maxsplit=1)
    text = f"{head}{script}{PROBE}<header{rest}"
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(text)
        said = Said()
        said.feed(browse(page, options.dark))
    if said.text is None:
        sys.exit("browse.py: the charts were not drawn")
    print(said.text)


if __name__ == "__main__":
    main()
