"""Queries to a message bus."""
import subprocess


def has_owner(home, name):
    """Returns whether a program owns this name; none is started for it."""
    return subprocess.run(
        ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
         "org.freedesktop.DBus.GetNameOwner", name],
        env=home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
