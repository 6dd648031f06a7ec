import Testing

@testable import AuthHubCommand

struct FailureTests {
    @Test func `text from a server cannot control the terminal`() {
        let failure = Failure("http_500", .failed, "the server responded 500 \u{9B}31m\u{1B}[2J\u{202E}Oh", hint: "try\u{7} again")
        #expect(failure.message == "the server responded 500 31m[2JOh")
        #expect(failure.hint == "try again")
    }

    @Test(arguments: [(Double(Int.max), "104166666667 days"), (.infinity, "104166666667 days"), (.nan, "0 s"), (90, "90 s"), (-5, "0 s")])
    func `describes waits of any length`(seconds: Double, expected: String) {
        #expect(Words.duration(seconds) == expected)
    }
}
