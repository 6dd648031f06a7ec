"""The tests and end-to-end tests that a document may name.

`Suite/name` is the test with that name in a file Suite.swift, `Suite` only such a file, `Scripts/…` an executable script.
"""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def by_name():
    """Returns the files of the tests, by name."""
    found = {}
    for file in sorted((ROOT / "Tests").rglob("*.swift")):
        if ".build" not in file.parts:
            found.setdefault(file.stem, []).append(file)
    return found


def problem_with(name, suites):
    """Returns why a document may not name a test, or None."""
    if name.startswith("Scripts/"):
        return None if os.access(ROOT / name, os.X_OK) else "there is no such script"
    suite, _, test = name.partition("/")
    if suite not in suites:
        return "there is no such suite"
    texts = [file.read_text() for file in suites[suite]]
    if not any("@Test" in text for text in texts):
        return "the suite has no test"
    return None if not test or any(f"func `{test}`" in text for text in texts) else "there is no such test"
