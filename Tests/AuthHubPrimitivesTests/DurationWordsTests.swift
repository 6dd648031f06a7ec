import AuthHubPrimitives
import Testing

struct DurationWordsTests {
    @Test(arguments: [
        (Duration.seconds(1), "1 second"), (.seconds(0), "0 seconds"), (.milliseconds(500), "0.5 seconds"), (.seconds(90), "90 seconds"),
        (.seconds(300), "5 minutes"), (.seconds(44.999972549000006), "45 seconds"), (.milliseconds(999), "1 second"),
        (.seconds(2.987654), "2.99 seconds"), (.seconds(119.9999), "2 minutes"),
    ])
    func `rounds a duration for users`(duration: Duration, words: String) {
        #expect(duration.inWords == words)
    }
}
