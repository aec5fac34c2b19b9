"""A headless Chromium, driven over WebDriver's plain HTTP by the chromedriver that comes with it."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

PATIENCE_S = 60
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"]


def missing():
    """What keeps a browser from being run here, or ''."""
    for program in ("chromedriver", "chromium"):
        if not shutil.which(program):
            return f"no {program} here (scripts/setup --browser installs it)"
    return ""


class Browser:
    """One window. Closed with the `with` block, whatever happens."""

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(prefix="ringside-browser-", ignore_cleanup_errors=True)
        # Its stdout ends with it; the line with the port is all that is read of it.
        self._driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env={**os.environ, "HOME": self._profile.name})
        for line in self._driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                break
        self._base = f"http://127.0.0.1:{found[1]}/session"
        capabilities = {"browserName": "chrome",
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                        "goog:chromeOptions": {"binary": shutil.which("chromium"),
                                               "args": [*FLAGS, f"--user-data-dir={self._profile.name}/profile"]}}
        session = self._send("", {"capabilities": {"alwaysMatch": capabilities}})
        self._base += "/" + session["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self._send("", method="DELETE")
        finally:
            self._driver.kill()
            self._driver.wait()
            self._driver.stdout.close()
            self._profile.cleanup()

    def _send(self, path, body=None, method="POST"):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self._base + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise RuntimeError(json.load(problem)["value"]["message"].splitlines()[0]) from None

    def open(self, path: pathlib.Path):
        self._send("/url", {"url": path.resolve().as_uri()})

    def evaluate(self, script):
        """What the JavaScript expression gives."""
        return self._send("/execute/sync", {"script": f"return {script};", "args": []})

    def settle(self):
        """Lets the page draw two frames: what it does of its own accord has been done then."""
        frames = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))"
        self._send("/execute/async", {"script": frames, "args": []})

    def resize(self, width, height, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride",
                      {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})

    def prefer(self, scheme):
        """"dark" or "light"."""
        self.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def devtools(self, command, parameters=None):
        return self._send("/goog/cdp/execute", {"cmd": command, "params": parameters or {}})

    def move_to(self, x, y):
        """The mouse to a place of the window."""
        moves = [{"type": "pointerMove", "duration": 0, "x": int(x) - 3, "y": int(y)},
                 {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}]
        self._send("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": moves}]})

    def press(self, *keys):
        """Keys to whatever has the focus; names as in WebDriver: "\\ue014" is the right arrow."""
        for key in keys:
            actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
            self._send("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def console(self):
        """Messages since the last call, errors and warnings of the page's own script or policy among them."""
        return [entry["message"] for entry in self._send("/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that were asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self._send("/se/log", {"type": "performance"})]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path: pathlib.Path):
        import base64
        path.write_bytes(base64.b64decode(self._send("/screenshot", method="GET")))
