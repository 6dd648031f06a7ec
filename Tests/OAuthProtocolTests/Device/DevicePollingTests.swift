import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct DevicePollingTests {
    enum Came: Sendable {
        case pending, slowDown, slowDownTo(Int), lost, unavailable(Int?), serverError, tooMany(Int), refused(String), pageInstead, tokens
        case pendingWith200, pendingRetryAfter(Int)

        func event() -> DevicePolling.Event {
            switch self {
            case .pending: answer(#"{"error":"authorization_pending"}"#, 400)
            case .pendingWith200: answer(#"{"error":"authorization_pending"}"#, 200)
            case .pendingRetryAfter(let seconds): answer(#"{"error":"authorization_pending"}"#, 400, retryAfter: seconds)
            case .slowDown: answer(#"{"error":"slow_down"}"#, 400)
            case .slowDownTo(let interval): answer("{\"error\":\"slow_down\",\"interval\":\(interval)}", 200)
            case .lost: .connectionLost
            case .unavailable(let seconds): answer("", 503, retryAfter: seconds)
            case .serverError: answer("<html>", 500)
            case .tooMany(let seconds): answer("", 429, retryAfter: seconds)
            case .refused(let code): answer("{\"error\":\"\(code)\"}", 400)
            case .pageInstead: answer("<html>", 200)
            case .tokens: answer(#"{"access_token":"a","token_type":"Bearer"}"#, 200)
            }
        }

        private func answer(_ body: String, _ status: Int, retryAfter: Int? = nil) -> DevicePolling.Event {
            var headers: HTTPFields = [:]
            headers[.retryAfter] = retryAfter.map(String.init)
            return .responded(Result { () throws(OAuthError) in try tokenResponse(body, status: status, headers: headers, from: .gitHub) })
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let came: [Came]
        /// The pauses before each poll. The last poll ends with the outcome.
        let pauses: [Int]
        let end: String

        init(_ description: String, _ came: [Came], pauses: [Int], end: String) {
            testDescription = description
            self.came = came
            self.pauses = pauses
            self.end = end
        }
    }

    @Test(arguments: [
        Row("tokens at the first poll, after the interval", [.tokens], pauses: [5], end: "tokens"),
        Row("DV07 pending keeps the interval", [.pending, .pending, .tokens], pauses: [5, 5, 5], end: "tokens"),
        Row("DV08 slow_down adds 5 s from then on", [.slowDown, .pending, .slowDown, .tokens], pauses: [5, 10, 10, 15], end: "tokens"),
        Row("DV08 a larger interval in the body", [.slowDownTo(30), .pending, .tokens], pauses: [5, 30, 30], end: "tokens"),
        Row("DV08 a smaller interval in the body does not shorten the pause", [.slowDownTo(1), .tokens], pauses: [5, 10], end: "tokens"),
        Row("DV08 a negative interval in the body", [.slowDownTo(-7), .tokens], pauses: [5, 10], end: "tokens"),
        Row("DV09 denied", [.pending, .refused("access_denied")], pauses: [5, 5], end: "access_denied"),
        Row("DV09 expired", [.refused("expired_token")], pauses: [5], end: "expired_token"),
        Row("DV09 expired, under GitHub's other name", [.refused("token_expired")], pauses: [5], end: "expired_token"),
        Row("DV09 a wrong device code at GitHub", [.refused("incorrect_device_code")], pauses: [5], end: "invalid_grant"),
        Row("DV09 disabled at GitHub", [.refused("device_flow_disabled")], pauses: [5], end: "unauthorized_client"),
        Row("DV09 an unknown error code", [.refused("out_of_cheese")], pauses: [5], end: "out_of_cheese"),
        Row("DV09 not an OAuth response", [.pageInstead], pauses: [5], end: "invalid_response"),
        Row("DV10 lost connections double the pause", [.lost, .lost, .lost, .tokens], pauses: [5, 10, 20, 40], end: "tokens"),
        Row("DV10 up to a minute", [.lost, .lost, .lost, .lost, .lost, .tokens], pauses: [5, 10, 20, 40, 60, 60], end: "tokens"),
        Row("DV10 a response ends the doubling", [.lost, .lost, .pending, .lost, .tokens], pauses: [5, 10, 20, 5, 10], end: "tokens"),
        Row(
            "DV10 a 5xx response counts as a lost connection", [.serverError, .unavailable(nil), .tokens], pauses: [5, 10, 20],
            end: "tokens"),
        Row("DV10 an interval above a minute stays the same", [.slowDownTo(90), .lost, .tokens], pauses: [5, 90, 90], end: "tokens"),
        Row("DV11 503 with a longer Retry-After", [.unavailable(47), .tokens], pauses: [5, 47], end: "tokens"),
        Row("DV11 429 with a longer Retry-After", [.tooMany(33), .pending, .tokens], pauses: [5, 33, 5], end: "tokens"),
        Row("DV11 503 with a shorter Retry-After", [.unavailable(1), .tokens], pauses: [5, 10], end: "tokens"),
        Row("DV11 pending with a longer Retry-After", [.pendingRetryAfter(20), .tokens], pauses: [5, 20], end: "tokens"),
        Row("DV11 a Retry-After beyond the expiry", [.unavailable(100_000)], pauses: [5], end: "expired"),
        Row("DV12 expires before the next poll", [.slowDownTo(894), .tokens], pauses: [5, 894], end: "tokens"),
        Row("DV12 expires at the next poll", [.slowDownTo(895)], pauses: [5], end: "expired"),
        Row("DV15 pending with 200", [.pendingWith200, .pendingWith200, .tokens], pauses: [5, 5, 5], end: "tokens"),
    ])
    func `each response has its pause or its outcome`(row: Row) throws {
        var polling = DevicePolling(try deviceAuthorization(), at: .seconds(1000))
        var now = Duration.seconds(1000)
        var action = polling.next(.waited, at: now)
        for (came, pause) in zip(row.came, row.pauses) {
            guard case .wait(let until) = action else {
                Issue.record("\(action) instead of a pause")
                return
            }
            #expect(until - now == .seconds(pause))
            now = until
            guard case .send = polling.next(.waited, at: now) else {
                Issue.record("nothing was sent")
                return
            }
            action = polling.next(came.event(), at: now)
        }
        switch action {
        case .finished: #expect(row.end == "tokens")
        case .failed(let error): #expect(row.end == error.serverError?.code.rawValue ?? error.code.description)
        default: Issue.record("\(action) instead of an end")
        }
    }

    @Test func `DV12 sends nothing after the expiry, even if the wait ended late`() throws {
        var polling = DevicePolling(try deviceAuthorization(), at: .zero)
        guard case .failed(let error) = polling.next(.waited, at: .seconds(900)) else {
            Issue.record("not ended")
            return
        }
        #expect(error.code == .expired)
        // A polling that has finished stays finished.
        guard case .failed = polling.next(.waited, at: .zero) else {
            Issue.record("begun again")
            return
        }
    }

    @Test func `DV12 does not wait for a code that expires before the first poll`() throws {
        var polling = DevicePolling(try deviceAuthorization(#""expires_in":5"#), at: .zero)
        guard case .failed(let error) = polling.next(.waited, at: .zero) else {
            Issue.record("not ended")
            return
        }
        #expect(error.code == .expired)
    }

    @Test(arguments: [Duration.zero, .seconds(4.999), .seconds(-86_400)])
    func `DV13 waits again if a wait ends too soon or the clock is set back`(woken: Duration) throws {
        var polling = DevicePolling(try deviceAuthorization(), at: .zero)
        guard case .wait(until: .seconds(5)) = polling.next(.waited, at: woken) else {
            Issue.record("not waited")
            return
        }
    }

    @Test func `DV13 a machine that slept polls once when it wakes, and then keeps the interval`() throws {
        var polling = DevicePolling(try deviceAuthorization(), at: .zero)
        guard case .send = polling.next(.waited, at: .seconds(500)),
            case .wait(until: .seconds(506)) = polling.next(Came.pending.event(), at: .seconds(501))
        else {
            Issue.record("not as it should be")
            return
        }
    }

    @Test func `whatever the responses, polls are an interval apart, the interval never shrinks, and the expiry is respected`() throws {
        var generator = Numbers(state: 8628)
        let coming: [Came] = [
            .pending, .pendingWith200, .slowDown, .slowDownTo(17), .slowDownTo(2), .lost, .unavailable(nil), .unavailable(31), .serverError,
            .tooMany(3), .pendingRetryAfter(9),
        ]
        let ends: [Came] = [.tokens, .refused("access_denied"), .refused("x"), .pageInstead]
        for _ in 0..<2000 {
            let lifetime = Int.random(in: 1...2000, using: &generator)
            let interval = Int.random(in: 1...30, using: &generator)
            var polling = DevicePolling(try deviceAuthorization("\"expires_in\":\(lifetime),\"interval\":\(interval)"), at: .zero)
            var now = Duration.zero
            var lastAnswer = Duration.zero
            var least = Duration.seconds(interval)
            var event = DevicePolling.Event.waited
            var hasEnded = false
            var steps = 0
            while !hasEnded {
                steps += 1
                try #require(steps < 10_000)
                switch polling.next(event, at: now) {
                case .wait(let until):
                    #expect(until > now)
                    #expect(until < .seconds(lifetime), "a poll after the end is planned")
                    // The poll is too early, just in time, or much too late.
                    now += (until - now) * Int.random(in: 1...6, using: &generator) / 4
                    event = .waited
                case .send:
                    #expect(now - lastAnswer >= least, "polled too soon")
                    #expect(now < .seconds(lifetime), "polled after the end")
                    let came = Int.random(in: 0..<20, using: &generator) == 0 ? ends : coming
                    let answer = came[Int.random(in: came.indices, using: &generator)]
                    if case .slowDown = answer { least += .seconds(5) }
                    if case .slowDownTo(let seconds) = answer { least = max(least + .seconds(5), .seconds(seconds)) }
                    now += .milliseconds(Int.random(in: 0...3000, using: &generator))
                    lastAnswer = now
                    event = answer.event()
                case .finished, .failed:
                    hasEnded = true
                    if case .send = polling.next(.waited, at: now + .seconds(1)) { Issue.record("sent after the end") }
                }
            }
        }
    }
}

/// A generator that returns the same numbers in each run (SplitMix64).
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
