"""The program of the window, the server it signs in at, and its use of resources."""
import json
import os
import pathlib
import select
import signal
import statistics
import subprocess
import time

from accessibility import Application
from outside import PATIENCE, expect
from screen import HELD

PROGRAM = os.environ["AUTHHUB_GTK"]
# The smallest possible program with a libadwaita window.
SMALLEST = """#include <adwaita.h>
static void activate(GtkApplication *application) {
    GtkWidget *window = adw_application_window_new(application), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), adw_header_bar_new());
    gtk_box_append(GTK_BOX(box), gtk_button_new_with_label("Sign In"));
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
    gtk_window_present(GTK_WINDOW(window));
}
int main(int count, char **words) {
    AdwApplication *application = adw_application_new("com.example.smallest", G_APPLICATION_DEFAULT_FLAGS);
    g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
    return g_application_run(G_APPLICATION(application), count, words);
}
"""


class Server:
    """A development server that executes commands."""

    def __init__(self, home, **setup):
        self.process = subprocess.Popen(
            [os.environ["PROOF_DRIVER"], "server", json.dumps(setup)], env=home.environment, cwd=home.path, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.description = self.line()

    def line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        expect(line, f"the server said nothing (exit code {self.process.poll()})")
        return json.loads(line)

    def do(self, order):
        """Returns the number of requests it has received so far."""
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        return self.line()

    def counts(self):
        return self.do("count")

    def __getitem__(self, name):
        return self.description[name]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Program:
    """The running program and its window."""

    def __init__(self, desktop, *words, program=PROGRAM):
        # All runs write to the same file.
        self.log = open(os.path.join(desktop.home.temporary, "output"), "a+")
        self.screen = desktop.screen
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [program, *words], env=desktop.home.environment, cwd=desktop.home.path, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log)
        self.window = Application(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log.close()

    def said(self):
        return os.pread(self.log.fileno(), 1 << 20, 0).decode("utf-8", "replace")

    def press(self, *keys):
        """Presses a key in its own window, whichever is in front."""
        self.screen.xdotool("windowactivate", "--sync", self.number(), "key", "--delay", "20", *keys)

    def hold(self, key):
        """Holds a key until it has repeated for a while."""
        self.screen.xdotool("windowactivate", "--sync", self.number(), "keydown", key, "sleep", str(HELD + 1), "keyup", key)

    def number(self):
        """Returns the position of its window on the screen."""
        window = next((number for number, title in self.screen.windows() if title == "AuthHub"), None)
        expect(window, "there is no window AuthHub")
        return window

    def type(self, text):
        """Types in its own window. The text comes from standard input, so that no password is in a process list."""
        self.screen.is_in_front(self.number())
        self.screen.xdotool("type", "--delay", "12", "--file", "-", text=text)

    def size(self):
        """Returns the width and height of its window, without the frame."""
        lines = self.screen.xdotool("getwindowgeometry", "--shell", self.number()).splitlines()
        found = dict(line.split("=") for line in lines)
        return int(found["WIDTH"]), int(found["HEIGHT"])

    def close(self):
        """Closes it, as with the window's own button; returns when it has ended."""
        self.window.find("frame", "AuthHub").do("window.close")
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError("it does not end when its window is closed") from None
        expect(code == 0, f"it ended with {code}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        expect(self.process.wait(PATIENCE) == -signal.SIGKILL, "it had ended before")

    def command_line(self):
        return pathlib.Path(f"/proc/{self.process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")

    def memory(self):
        """Returns the memory in MiB: resident, and its proportional share of shared memory."""
        rollup = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in rollup.splitlines() if line.startswith(("Rss:", "Pss:"))}
        return found["Rss"], found["Pss"]


def start_up(desktop, *words, program=PROGRAM, runs=5):
    """Returns the median seconds until there is a button to sign in, and the memory at that point."""
    times, sizes = [], []
    for _ in range(runs):
        with Program(desktop, *words, program=program) as running:
            while not running.window.look("push button", "Sign In"):
                expect(time.monotonic() - running.began < PATIENCE and running.process.poll() is None, "it does not start")
            times.append(time.monotonic() - running.began)
            sizes.append(running.memory())
    return statistics.median(times), sizes[-1]


def smallest_program(home):
    """Builds the smallest program of its kind; None if that is not possible."""
    source, program = home.write("smallest.c", SMALLEST), os.path.join(home.path, "smallest")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libadwaita-1"], capture_output=True, text=True).stdout.split()
    built = subprocess.run(["gcc", "-O2", "-o", program, source, *flags], capture_output=True, text=True)
    return program if built.returncode == 0 else None
