#!/usr/bin/env python3
"""A real browser as a user uses it: headless Chromium, controlled over its DevTools pipe to type and click.

As a command, it replaces the system's browser: chromium.py URL, with $PROOF_USER naming a JSON file that contains login, password and
screenshots (a folder). It clicks until the browser shows a loopback page of another origin, and writes result.json there.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

from patience import PATIENCE

FLAGS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--password-store=basic", "--no-proxy-server",
    "--disable-gpu", "--disable-dev-shm-usage", "--window-size=900,760", "--disable-features=Translate,MediaRouter",
]

# Types like a keyboard (events bubble), then presses the form's main button.
FILL = """(login, password) => {
  const field = document.querySelector('input[type=password]');
  const type = (element, value) => { element.focus(); element.value = value; element.dispatchEvent(new Event('input', {bubbles: true})); };
  if (field) {
    const name = field.form.querySelector('input[type=text], input[type=email]');
    if (name) type(name, login);
    type(field, password);
    return 'login';
  }
  return document.querySelector('form') ? 'consent' : 'none';
}"""
BUTTON = """() => {
  const form = document.querySelector('form');
  const button = form.querySelector('button[value=allow]') || form.querySelector('button, input[type=submit]');
  button.scrollIntoView();
  const box = button.getBoundingClientRect();
  return {x: box.left + box.width / 2, y: box.top + box.height / 2, text: button.textContent.trim()};
}"""


class Chromium:
    """A browser with a temporary profile."""

    def __init__(self, program=None):
        program = program or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise FileNotFoundError("chromium is not installed")
        self.profile = tempfile.mkdtemp(prefix="authhub-chromium-")
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()
        flags = FLAGS + [f"--user-data-dir={self.profile}"] + (["--no-sandbox"] if os.getuid() == 0 else [])

        def hand_over():
            # 3 and 4 may be occupied by the pipes that must be moved there.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        environment = dict(
            os.environ, BREAKPAD_DUMP_LOCATION=self.profile, CHROME_CONFIG_HOME=self.profile, GSETTINGS_BACKEND="memory")
        self.process = subprocess.Popen(
            [program, *flags, "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(3, 4), preexec_fn=hand_over, env=environment, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events = 0, b"", []
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", session=False)
        except (OSError, EOFError, TimeoutError):
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read)
        os.close(self.write)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=True, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session and getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(PATIENCE)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("chromium does not answer")
            piece = os.read(self.read, 1 << 20)
            if not piece:
                raise EOFError("chromium has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def wait_for_load(self, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while True:
            for place, event in enumerate(self.events):
                if event.get("method") == "Page.loadEventFired":
                    del self.events[: place + 1]
                    return
            self.events.append(self.receive(max(0.1, end - time.monotonic())))

    def evaluate(self, function, *arguments):
        expression = f"({function})({', '.join(json.dumps(a) for a in arguments)})"
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


def sign_in(browser, url, login, password, screenshots):
    """Clicks through the pages until one is not the server's; returns the content of each."""
    home, seen = None, []
    # The browser's own empty page: if it takes long to load, it would count as the first of the server's.
    end = time.monotonic() + PATIENCE
    while browser.evaluate("() => document.readyState") != "complete" and time.monotonic() < end:
        time.sleep(0.02)
    browser.events.clear()
    browser.call("Page.navigate", url=url)
    for number in range(8):
        browser.wait_for_load()
        here = browser.evaluate("() => location.href")
        title = browser.evaluate("() => document.title")
        # The first page is the server's, even if the browser was started with another URL.
        home = home or urlsplit(here).netloc
        outside = urlsplit(here).netloc != home
        kind = "callback" if outside else browser.evaluate(FILL, login, password)
        picture = os.path.join(screenshots, f"{number + 1}-{kind}.png")
        browser.screenshot(picture)
        seen.append({"page": kind, "title": title, "screenshot": picture, "text": browser.evaluate("() => document.body.innerText")})
        if outside:
            return seen
        if kind == "none":
            raise RuntimeError(f"a page without a form: {title}")
        button = browser.evaluate(BUTTON)
        seen[-1]["button"] = button["text"]
        browser.click(button["x"], button["y"])
    raise RuntimeError(f"the pages have no end: {[page['title'] for page in seen]}")


def main():
    with open(os.environ["PROOF_USER"]) as file:
        told = json.load(file)
    folder = told["screenshots"]
    os.makedirs(folder, exist_ok=True)
    result = {}
    try:
        with Chromium() as browser:
            result["version"] = browser.call("Browser.getVersion", session=False)["product"]
            result["pages"] = sign_in(browser, sys.argv[1], told["login"], told["password"], folder)
    except Exception as error:  # any error must be reported to the proof
        result["error"] = f"{type(error).__name__}: {error}"
        raise
    finally:
        with open(os.path.join(folder, "result.json.new"), "w") as file:
            json.dump(result, file, indent=1)
        os.replace(os.path.join(folder, "result.json.new"), os.path.join(folder, "result.json"))


if __name__ == "__main__":
    main()
