# Reads the event stream of swift test (JSON lines, raw: the last line of a run that crashed may be incomplete).
# Writes {passed, failures: ["name: reason"], skipped: ["name: reason"], known, unfinished: [name], ended}.
def folded($longest): gsub("\\s+"; " ") | if length > $longest then .[:$longest - 1] + "…" else . end;
[inputs | fromjson?]
| (map(select(.kind == "test" and .payload.kind == "function") | {key: .payload.id, value: (.payload.displayName // .payload.name)}) | from_entries) as $names
| map(select(.kind == "event") | .payload) as $events
| ($events | map(select(.kind == "testEnded" and $names[.testID]) | {id: .testID, symbol: .messages[0].symbol, text: .messages[0].text})) as $ended
| ($events | map(select(.kind == "issueRecorded" and .messages[0].symbol == "fail"))) as $issues
# The first issue of each test; issues without a test have the key "".
| ($issues | reverse | map({
    key: (if $names[.testID // ""] then .testID else "" end),
    value: ((if ._testCase.displayName then "with \(._testCase.displayName | folded(80)): " else "" end)
        + (.messages | map(.text) | if length > 1 then . - ["Issue recorded"] else . end | join("; "))
        + (._sourceLocation // .issue.sourceLocation | if . then " (\(.fileID):\(.line))" else "" end) | folded(300))
  }) | from_entries) as $reasons
| {
    passed: ($ended | map(select(.symbol | startswith("pass"))) | length),
    failures: (
        ($ended | map(select(.symbol == "fail") | "\($names[.id]): \($reasons[.id] // "no issue was recorded")"))
        + ($reasons[""] | if . then ["outside the tests: \(.)"] else [] end)),
    skipped: (
        ($events | map(select(.kind == "testSkipped" and $names[.testID]) | "\($names[.testID]): \(._comments | join(" "))"))
        + ($ended | map(select(.symbol == "skip") | "\($names[.id]): \(.text | capture(": \"(?<reason>.*)\"$").reason // "cancelled")"))),
    known: ($names | length),
    unfinished: (($events | map(select(.kind == "testStarted" and $names[.testID]).testID)) - ($ended | map(.id)) | map($names[.])),
    ended: ($events | any(.kind == "runEnded"))
}
