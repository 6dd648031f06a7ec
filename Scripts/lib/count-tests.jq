# Reads the event stream of swift test (JSON lines, slurped); writes {passed, failed, skipped: ["name: reason"], failures: [name], ended}.
(map(select(.kind == "test" and .payload.kind == "function") | {key: .payload.id, value: (.payload.displayName // .payload.name)}) | from_entries) as $names
| map(select(.kind == "event") | .payload) as $events
| ($events | map(select(.kind == "testEnded" and $names[.testID]) | {id: .testID, symbol: .messages[0].symbol, text: .messages[0].text})) as $ended
| {
    passed: ($ended | map(select(.symbol | startswith("pass"))) | length),
    failures: ($ended | map(select(.symbol == "fail") | $names[.id])),
    skipped: (
        ($events | map(select(.kind == "testSkipped" and $names[.testID]) | "\($names[.testID]): \(._comments | join(" "))"))
        + ($ended | map(select(.symbol == "skip") | "\($names[.id]): \(.text | capture(": \"(?<reason>.*)\"$").reason // "cancelled")"))),
    known: ($names | length),
    ended: ($events | any(.kind == "runEnded"))
}
