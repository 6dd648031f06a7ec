"""A program's window as assistive technologies see it: by roles and names, never by positions on the screen (AT-SPI)."""
import re
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

from outside import PATIENCE, expect

# The actions of widgets, by the names that GTK uses.
DEEDS = ("click", "activate", "toggle")
# The roles of widgets that can be reached with the keyboard and do something.
CONTROLS = ("push button", "toggle button", "check box", "combo box", "text", "password text", "link", "switch", "menu item")


class Node:
    """A node in the tree."""

    def __init__(self, accessible):
        self.accessible = accessible

    def __eq__(self, other):
        return isinstance(other, Node) and self.accessible == other.accessible

    @property
    def role(self):
        return self.accessible.get_role_name()

    @property
    def name(self):
        return self.accessible.get_name() or ""

    @property
    def description(self):
        return self.accessible.get_description() or ""

    @property
    def text(self):
        """Returns its text."""
        if "Text" not in self.accessible.get_interfaces():
            return ""
        return Atspi.Text.get_text(self.accessible, 0, -1) or ""

    @property
    def states(self):
        return {state.value_nick for state in self.accessible.get_state_set().get_states()}

    def children(self):
        found = (self.accessible.get_child_at_index(number) for number in range(self.accessible.get_child_count()))
        return [Node(child) for child in found if child]

    def walk(self, into=lambda node: True):
        """Returns all nodes from the top; `into` decides whose children count. Nodes that GTK hides are not in its tree."""
        yield self
        if into(self):
            for child in self.children():
                yield from child.walk(into)

    def says(self):
        """Returns all its text."""
        return " ".join(word for node in self.walk() for word in (node.name, node.description) if word)

    def deeds(self):
        if "Action" not in self.accessible.get_interfaces():
            return []
        return [Atspi.Action.get_action_name(self.accessible, number) for number in range(Atspi.Action.get_n_actions(self.accessible))]

    def do(self, *deeds):
        """Performs the first of these actions that it or one of its descendants supports."""
        me = repr(self)
        for node in self.walk():
            offered = node.deeds()
            for deed in deeds or DEEDS:
                if deed in offered:
                    expect(Atspi.Action.do_action(node.accessible, offered.index(deed)), f"{me} does not {deed}")
                    return
        raise AssertionError(f"{me} offers nothing to do")

    def __repr__(self):
        return f"{self.role} “{self.name}”"


class Application:
    """The window of a process."""

    def __init__(self, process):
        self.process = process

    def top(self):
        """Returns the program's node; None before it has one."""
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for number in range(desktop.get_child_count()):
            try:
                accessible = desktop.get_child_at_index(number)
                if accessible and accessible.get_process_id() == self.process.pid:
                    accessible.clear_cache()
                    return Node(accessible)
            except GLib.Error:  # a program that is ending
                continue
        return None

    def windows(self):
        top = self.top()
        return top.children() if top else []

    def nodes(self, lists=False):
        """Returns everything visible; of long lists only the list itself, unless requested."""
        for window in self.windows():
            yield from window.walk(lambda node: lists or not (node.role == "list" and node.name == "Repositories"))

    def look(self, role, name=""):
        """Returns the current nodes with this role whose name starts with the text, or matches the pattern."""
        return self.settled(lambda: [node for node in self.nodes() if node.role == role and fits(name, node.name)])

    @staticmethod
    def settled(look, tries=50):
        """Returns the result of one traversal during which no node was added or removed."""
        for _ in range(tries):
            try:
                return look()
            except GLib.Error:
                time.sleep(0.02)
        return look()

    def wait(self, what, look):
        """Polls until there is a result; a tree that changes in the meantime is traversed again."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                found = look()
                if found:
                    return found
            except GLib.Error:
                pass
            expect(self.process.poll() is None, f"the program has ended ({self.process.poll()}) before there was {what}")
            expect(time.monotonic() < end, f"no {what}; {self.summary()}")
            time.sleep(0.05)

    def find(self, role, name=""):
        return self.wait(f"{role} “{pattern_of(name)}”", lambda: self.look(role, name))[0]

    def find_label(self, text):
        """Waits for a node with this text, whatever its role."""
        return self.wait(
            f"word “{pattern_of(text)}”", lambda: [node for node in self.nodes() if fits(text, node.name) or fits(text, node.description)])[0]

    def says(self, text, seconds):
        """Returns whether a node has this text within these seconds."""
        end = time.monotonic() + seconds
        while not self.settled(lambda: [node for node in self.nodes() if fits(text, node.name)]):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def expect_gone(self, role, name=""):
        self.wait(f"end of {role} “{pattern_of(name)}”", lambda: not self.look(role, name))

    def click(self, role, name=""):
        self.wait(f"{role} “{pattern_of(name)}” that can be used",
                  lambda: [node for node in self.look(role, name) if "sensitive" in node.states])[0].do()

    def focused(self):
        """Returns the focused node; None while there is none."""
        def look():
            nodes = list(self.nodes())
            rows = [row for node in nodes if node.role == "list" for row in node.children()]
            return next((node for node in nodes + rows if "focused" in node.states), None)

        return self.settled(look)

    def words(self):
        """Returns all text that could be read aloud."""
        return self.settled(
            lambda: [word for node in self.nodes(lists=True) for word in (node.name, node.description, node.text) if word])

    def summary(self):
        """Describes it in one line, for an error."""
        try:
            named = [node for node in self.nodes() if node.name and not node.name.startswith(("Gtk", "Adw"))]
            said = [f"{node.role} “{node.name[:60]}”" for node in named]
        except GLib.Error as error:
            return f"and the tree cannot be read: {error.message}"
        return "but " + (", ".join(said) or "nothing")

    def tree(self):
        """Describes all of it in lines, for humans."""
        lines = []

        def add(node, depth):
            lines.append(f"{'  ' * depth}{node!r} {node.description} {sorted(node.states)} {node.deeds()}")
            for child in node.children():
                add(child, depth + 1)

        try:
            for window in self.windows():
                add(window, 0)
        except GLib.Error as error:
            lines.append(error.message)
        return "\n".join(lines)


def fits(wanted, name):
    return bool(wanted.search(name)) if isinstance(wanted, re.Pattern) else name.startswith(wanted)


def pattern_of(wanted):
    return wanted.pattern if isinstance(wanted, re.Pattern) else wanted
