"""The commands and options in the tool's advice, read with the tool's own list of commands."""
import json
import re
import shlex
import subprocess

from outside import AUTHHUB, ROOT

SOURCES = ROOT / "Sources/AuthHubCommand"
# The value of an interpolation in a string of the sources.
VALUE = "\N{OBJECT REPLACEMENT CHARACTER}"
# Words that continue the sentence after a command whose argument is optional.
SENTENCE = {"to", "or", "and", "then", "shows", "lists", "first", "when", "with", "without", "replaces", "prints", "deletes"}


# Words after the tool's name in a sentence about the tool.
ABOUT = {"wrote", "added", "for", "was", "does", "is", "in", VALUE, ""}


class Commands:
    """The commands of the tool, with their options and the number of their arguments."""

    def __init__(self):
        dump = subprocess.run(
            [AUTHHUB, "--experimental-dump-help"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
        self.root = json.loads(dump.stdout)["command"]
        self.options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", " ".join(self.spellings(self.root))))

    def spellings(self, command):
        """Yields all long options of a command and of those below it."""
        for argument in command.get("arguments", []):
            for spelled in argument.get("names", []):
                if spelled["kind"] == "long":
                    yield "--" + spelled["name"]
        for sub in command.get("subcommands", []):
            yield from self.spellings(sub)

    def find(self, words):
        """Returns the command that the words begin with, and the words after it."""
        command, rest = self.root, list(words)
        while rest:
            following = next((sub for sub in command.get("subcommands", []) if sub["commandName"] == rest[0].rstrip("?")), None)
            if following is None:
                break
            command, rest = following, rest[1:]
        return command, rest

    @staticmethod
    def option(command, word):
        name = word.split("=")[0]
        for argument in command.get("arguments", []):
            for spelled in argument.get("names", []):
                if name == ("-" if spelled["kind"] == "short" else "--") + spelled["name"]:
                    return argument
        return None

    def read(self, words):
        """Returns the words that belong to the command, without the rest of the sentence; raises ValueError if it cannot be one."""
        command, rest = self.find(words)
        groups = command["commandName"] != "help" and command.get("subcommands")
        if command is self.root or groups and rest and rest[0][0].islower() and rest[0] not in SENTENCE:
            raise ValueError(f"there is no command “{' '.join(words[:3])}”")
        taken = len(words) - len(rest)
        arguments = [argument for argument in command.get("arguments", []) if argument["kind"] == "positional"]
        free = 99 if any(argument["isRepeating"] for argument in arguments) else len(arguments)
        if command["commandName"] == "help":
            path = self.find(rest)[1]
            if len(path) == len(rest) and rest and rest[0] not in SENTENCE and not rest[0].startswith(VALUE):
                raise ValueError(f"there is no command “{rest[0]}”")
            return words[:len(words) - len(path)]
        index = 0
        while index < len(rest):
            word = rest[index]
            if word == "--":
                return words
            if word.startswith("-") and len(word) > 1:
                option = self.option(command, word)
                if option is None:
                    raise ValueError(f"“{command['commandName']}” has no option {word}")
                index += 2 if option["kind"] == "option" and "=" not in word else 1
            elif free and word not in SENTENCE:
                free -= 1
                index += 1
            else:
                break
        return words[:taken + index]


def words(text):
    """Returns the shell's words of a text in which a sentence may follow."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="")
    lexer.whitespace_split, lexer.commenters = True, ""
    found = []
    try:
        for word in lexer:
            found.append(word)
    except ValueError:
        pass  # an apostrophe in the sentence
    return found


def commands_in(text):
    """Returns the texts after each “authhub ” in a hint, up to the punctuation that ends it."""
    found = []
    for match in re.finditer(r"(?<![\w/.-])authhub ", text):
        rest = text[match.end():]
        # A comma, semicolon or parenthesis outside quotation marks.
        end, quoted = len(rest), False
        for index, character in enumerate(rest):
            if character == "'":
                quoted = not quoted
            elif not quoted and (character in ";)”\"" or (character in ",:?." and rest[index + 1:index + 2] in ("", " "))):
                end = index
                break
        found.append(rest[:end].split(" (")[0])
    return found


def literals():
    """Yields the path, line and text of each string in the sources of the tool; interpolations are VALUE."""
    for file in sorted(SOURCES.rglob("*.swift")):
        text = file.read_text()
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith("//"):
                continue
            index = 0
            while (index := line.find('"', index)) >= 0:
                value, index = literal(line, index + 1)
                yield f"{file.relative_to(ROOT)}:{number}", value, line


def literal(line, index):
    """Returns the text of a string that begins here, and the index after it."""
    value = ""
    while index < len(line) and line[index] != '"':
        if line.startswith("\\(", index):
            depth, index = 1, index + 2
            while index < len(line) and depth:
                if line[index] == '"':
                    index = literal(line, index + 1)[1]
                    continue
                depth += {"(": 1, ")": -1}.get(line[index], 0)
                index += 1
            value += VALUE
        elif line[index] == "\\":
            value += line[index + 1:index + 2]
            index += 2
        else:
            value += line[index]
            index += 1
    return value, index + 1


def written(text):
    """Returns the words of a command in the sources, without the interpolations that add options to a word."""
    found = [word.replace(VALUE, "") if not index or re.fullmatch(rf"-{{0,2}}[a-z][a-z-]*{VALUE}+", word) else word
             for index, word in enumerate(words(text))]
    return [word for word in found if word]


def problems(commands):
    """Returns what is wrong with the commands and options that the sources suggest, and their number."""
    count, found = 0, []
    for where, text, line in literals():
        for command in commands_in(text):
            if words(command)[:1] and words(command)[0] in ABOUT:
                continue
            count += 1
            try:
                commands.read(written(command))
            except ValueError as error:
                found.append(f"{where}: {error}: {text}")
        if "hint" in line:
            unknown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - commands.options - {"--global"}
            found += [f"{where}: no command has the option {option}: {text}" for option in unknown]
    return found, count


def hints():
    """Yields the place and the text of each hint in the sources."""
    for file in sorted(SOURCES.rglob("*.swift")):
        text = file.read_text()
        for match in re.finditer(r'\b(?:hint:|hinting\()\s*"', text):
            line_end = text.find("\n", match.end())
            yield f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, match.end()) + 1}", literal(text[match.end():line_end], 0)[0]


def pattern(text):
    """Returns a regular expression for what such a string can become."""
    return ".*".join(map(re.escape, text.split(VALUE)))
