"""The conclusions from the journals of a fleet's run: why each token was refreshed, what was lost with its process, and who was
affected."""
import contextlib
import json
import time
from collections import Counter

# The stores retry for ten seconds, and leases expire ten seconds after the death of their holders.
REACH_OF_OUTAGE = 12
# A session refreshes a token when a fifth of its lifetime is left.
RENEWED_AFTER = 0.8


class Verdict:
    """The evaluation of a finished run, from the journals of its server and its processes."""

    def __init__(self, judge, journals, outages):
        self.judge, self.outages = judge, outages
        # The seconds within which every stored response was used, except around the outage: more on a busy machine.
        self.slowness = max((grant.used - grant.arrived for grant in judge.grants_of_refreshes()
                             if grant.used and not self.is_near_outage(grant.arrived)), default=0)
        # The delays in seconds after which due tokens were refreshed.
        self.delays = []
        # Refreshes because a token had expired, because a response was lost with its process, and without a reason.
        self.after_end, self.lost, self.odd = 0, [], []
        # The seconds from such a death to the next refresh, by whether there was also an outage of the database.
        self.waits = {False: [], True: []}
        for family in judge.families:
            for before, grant in zip(family.grants, family.grants[1:]):
                self.judge_refresh(family, before, grant)
        self.refreshes = len(judge.grants_of_refreshes())
        # When the process was killed with which each family ended, or None.
        self.ended = [self.explain(family.grants[-1]) for family, _, _ in judge.ends]
        lines = [line for journal in journals for line in lines_of(journal)]
        self.errors_said = [line for line in lines if line["kind"] == "error"]
        self.errors = Counter(line["error"] for line in self.errors_said if not self.is_for_outage(line))
        self.excused = Counter(line["error"] for line in self.errors_said if self.is_for_outage(line))
        ends = [line for line in lines if line["kind"] == "end"]
        self.signed_out = {name for end in ends for name in end["signedOut"]}
        self.slowest = max((end["slowest"] for end in ends), default=0)

    def judge_refresh(self, family, before, grant):
        if grant.is_repeated:
            killed = self.explain(before)
            if killed is None:
                killed = self.judge.killed.get(before.process)
                end = "was not killed" if killed is None else f"was killed only {killed - before.arrived:.1f} s after it had spent it"
                self.odd.append(f"family {family.number}: process {grant.process} sent a spent token, and {before.process} {end}")
            else:
                self.lost.append(killed - before.arrived)
                self.waits[self.is_near_outage(killed)].append(grant.arrived - killed)
        elif grant.arrived - before.arrived >= before.lifetime * RENEWED_AFTER - 0.05:
            self.after_end += 1
            # The tokens of the sign-ins were due before they were used.
            if before.kind == "refresh_token" and not self.is_near_outage(grant.arrived):
                self.delays.append(max(0, grant.arrived - before.arrived - before.lifetime * RENEWED_AFTER))
        else:
            self.odd.append(f"family {family.number}: refreshed {grant.arrived - before.arrived:.2f} s after the last time")

    @property
    def delay(self):
        """The seconds within which 99 of 100 due tokens were refreshed: when they were used, and when the machine got to it. Those delayed
        by a killed process are fewer."""
        return sorted(self.delays)[len(self.delays) * 99 // 100] if self.delays else 0

    def explain(self, grant):
        """Returns when the process that should store the response with this grant was killed; None if it had enough time."""
        killed = self.judge.killed.get(grant.process)
        if killed is None:
            return None
        late = killed - grant.arrived
        # A request of a killed process may be read after its death. Storing takes longer during an outage of the database.
        away = sum(max(0, min(killed, end) - max(grant.arrived, begin)) for begin, end in self.outages)
        return killed if -1 - self.slowness < late < 1.5 + self.slowness + away + (10 if away else 0) else None

    def is_near_outage(self, moment):
        """Whether an operation that started then may have encountered the outage."""
        return any(begin - REACH_OF_OUTAGE < moment < end + REACH_OF_OUTAGE for begin, end in self.outages)

    def is_for_outage(self, line):
        """Returns the failures that an outage may cause: of the store, and of tokens that expired before they could be stored."""
        moment = line["at"] - time.time() + time.monotonic()
        is_kind = "store_failed" in line["error"] or "the access token expired" in line.get("explanation", "")
        return is_kind and any(begin <= moment < end + 25 + self.slowness for begin, end in self.outages)

    def rows(self):
        """Returns names and values for humans."""
        judge = self.judge
        late = sorted(seconds for seconds, _ in judge.late_uses if seconds > 0)
        within = f"{late[len(late) // 2] * 1000:.0f} ms; {late[len(late) * 99 // 100] * 1000:.0f} ms" if late else "-"
        by_lost_answer = sum(end is not None for end in self.ended)
        return [
            ("lifetime of a token", f"{judge.lifetime:.0f} s, refreshed from {judge.lifetime * RENEWED_AFTER:.0f} s on"),
            ("requests answered 200; 401", f"{judge.answers[200]}; {judge.answers[401]}"),
            ("processes killed", len(judge.killed)),
            ("refreshes", self.refreshes),
            ("  because a token had ended", self.after_end),
            ("  because an answer died with its process", len(self.lost)),
            ("  for no reason", len(self.odd)),
            ("stored and used after the request, at most", f"{self.slowness * 1000:.0f} ms"),
            ("refreshed after it was due, 99 of 100 within", f"{self.delay:.1f} s"),
            ("killed after its request, at most", f"{max(self.lost, default=0) * 1000:.0f} ms"),
            ("next refresh after such a kill, at most", f"{max(self.waits[False], default=0):.1f} s"),
            ("  where the database was away, too", f"{max(self.waits[True], default=0):.1f} s"),
            ("slowest request of all", f"{self.slowest:.1f} s"),
            ("uses of a token that had been refreshed", f"{len(late)}, at most {max(late, default=0) * 1000:.0f} ms after"),
            ("  half of them within; 99 of 100 within", within),
            ("families ended: by a lost answer; otherwise", f"{by_lost_answer}; {len(self.ended) - by_lost_answer}"),
            ("accounts signed out", len(self.signed_out)),
            ("requests that failed", dict(self.errors) or 0),
            ("  while the database was away or just back", dict(self.excused) or 0),
        ]


def lines_of(journal):
    with open(journal) as file:
        for line in file:
            # A killed process may leave an incomplete line.
            with contextlib.suppress(json.JSONDecodeError):
                yield json.loads(line)
