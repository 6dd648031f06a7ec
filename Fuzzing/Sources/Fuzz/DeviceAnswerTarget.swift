import AuthHubPrimitives
import OAuthProtocol

/// Responses of device authorization endpoints, and the responses to the polls that follow, separated by `~` lines; `~lost` is a response
/// that never arrives.
enum DeviceAnswerTarget: Target {
    static let name = "device-answer"

    private static let server: ProviderProfile = {
        var server = SignIn.server(issuer: nil)
        server.endpoints?.deviceAuthorization = "https://as.example/device"
        return server
    }()

    static func check(_ input: [UInt8]) throws(Violation) {
        let sections = input.split(separator: UInt8(ascii: "~"), maxSplits: 32, omittingEmptySubsequences: false)
        let answer = Answer(Array(sections[0]))
        switch (try read(answer), try read(answer)) {
        case (.success(let first), .success(let second)):
            try check(first, answer)
            try require(
                first.deviceCode == second.deviceCode && first.userCode == second.userCode && first.interval == second.interval
                    && first.verificationURI == second.verificationURI && first.lifetime == second.lifetime,
                "a response that is parsed twice has the same value")
            try poll(first, sections.dropFirst().map { Array($0) })
        case (.failure(let first), .failure(let second)):
            try require(first.everything == second.everything, "a response that is parsed twice fails with the same error")
            try require(
                !first.everything.contains(Answer.marker) || answer.isSecretShown(in: ["error", "error_description", "error_uri"]),
                "an error does not contain the device code")
        default: throw Violation(sentence: "a response that is parsed twice succeeds or fails both times")
        }
    }

    private static func read(_ answer: Answer) throws(Violation) -> Result<DeviceAuthorization, OAuthError> {
        let request = outcome { () throws(OAuthError) in
            try DeviceAuthorizationRequest(to: server, client: SignIn.client, scope: ["read"])
        }
        guard case .success(let request) = request else { throw Violation(sentence: "a request can be created") }
        return outcome { () throws(OAuthError) in
            try DeviceAuthorization(answer.head, body: answer.body, to: request, from: server, at: SignIn.now)
        }
    }

    private static func check(_ authorization: DeviceAuthorization, _ answer: Answer) throws(Violation) {
        try require(!authorization.deviceCode.reveal().isEmpty, "the device code is not empty")
        let shown = authorization.userCode.unicodeScalars
        try require(!shown.isEmpty && shown.count <= 100, "a user code has 1 to 100 characters")
        for uri in [authorization.verificationURI, authorization.completeVerificationURI].compactMap({ $0 }) {
            try require(uri.text.unicodeScalars.count <= 2000, "a verification URI has at most 2,000 characters")
            let withoutFragment = String(decoding: uri.text.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
            let isVisible = uri.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            try require(
                !uri.isOpenable || (isVisible && Addresses.isUsable(withoutFragment, .httpsOnly)),
                "a URL that can be opened is an https URL")
        }
        for text in [shown, authorization.verificationURI.text.unicodeScalars] {
            try require(
                text.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) },
                "shown text contains no control or format characters")
        }
        let longest = Duration.seconds(2_147_483_648)
        try require(authorization.lifetime > .zero && authorization.lifetime <= longest, "a lifetime is above 0 and at most 2³¹ seconds")
        try require(authorization.interval > .zero && authorization.interval <= longest, "an interval is above 0 and at most 2³¹ seconds")
    }

    /// Polls until the end: first with these responses, then without any. The number of steps is limited, not the time.
    private static func poll(_ authorization: DeviceAuthorization, _ answers: [[UInt8]]) throws(Violation) {
        let start = Duration.seconds(1_000), end = start + authorization.lifetime
        var polling = DevicePolling(authorization, at: start), now = start, last = start, answers = answers[...]
        var event = DevicePolling.Event.waited
        for _ in 0..<200 {
            switch polling.next(event, at: now) {
            case .wait(let time):
                try require(time >= now && time < end, "a pause ends before the codes expire")
                (now, event) = (time, .waited)
            case .send:
                try require(now - last >= authorization.interval, "the time between two polls is at least the interval")
                try require(now < end, "no request is sent after the codes expired")
                last = now
                event = try answered(answers.popFirst(), authorization)
            case .finished(let tokens):
                try require(!tokens.accessToken.reveal().isEmpty, "a finished sign-in has a token")
                return try checkEnded(polling, at: now)
            case .failed(let error):
                try require(
                    error.code == .serverRejected || !error.everything.contains(Answer.marker), "an error does not contain the device code")
                return try checkEnded(polling, at: now)
            }
        }
    }

    private static func answered(_ section: [UInt8]?, _ authorization: DeviceAuthorization) throws(Violation) -> DevicePolling.Event {
        guard let section, !section.starts(with: "lost".utf8) else { return .connectionLost }
        let answer = Answer(section.first == UInt8(ascii: "\n") ? Array(section.dropFirst()) : section)
        let request = outcome { () throws(OAuthError) in
            try TokenRequest.polling(for: authorization, client: SignIn.client, at: server)
        }
        guard case .success(let request) = request else { throw Violation(sentence: "a poll can be created") }
        return .responded(
            outcome { () throws(OAuthError) in
                try TokenResponse(answer.head, body: answer.body, to: request, from: server, at: SignIn.now)
            })
    }

    private static func checkEnded(_ polling: DevicePolling, at now: Duration) throws(Violation) {
        var polling = polling
        switch polling.next(.waited, at: now + .seconds(10_000)) {
        case .finished, .failed: break
        case .wait, .send: throw Violation(sentence: "polling that has ended does not start again")
        }
    }
}
