import HTTPTypes
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct AccessPolicyTests {
    enum Event: Sendable {
        case signedIn(String, isShared: Bool = false)
        case failed(SessionError.Code)
        case accepted
        case forgotten
        case seconds(Double)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var showsPages = true
        var events: [Event] = []
        var challenge = #"Bearer realm="9", scope="a b""#
        let answer: AccessPolicy.Answer
    }

    private static func requirement(_ challenge: String) throws -> AccessRequirement {
        let head = HTTPResponse(
            status: challenge.contains("insufficient") ? .forbidden : .unauthorized, headerFields: [.wwwAuthenticate: challenge])
        return try #require(AccessRequirement(head))
    }

    private static let pages = (1...5).map { Event.signedIn(#"Bearer scope="\#($0)""#) }

    @Test(arguments: [
        Row(testDescription: "nothing has happened", answer: .signIn),
        Row(testDescription: "the same requirement", events: [.signedIn(#"Bearer scope="a b""#)], answer: .giveUp),
        Row(testDescription: "in another order and spelling", events: [.signedIn(#"bearer scope="b a", realm="1""#)], answer: .giveUp),
        Row(
            testDescription: "with an error code that changes nothing", events: [.signedIn(#"Bearer error="invalid_token", scope="a b""#)],
            answer: .giveUp),
        Row(testDescription: "another scope", events: [.signedIn(#"Bearer scope="a""#)], answer: .signIn),
        Row(testDescription: "another scheme", events: [.signedIn(#"DPoP scope="a b""#)], answer: .signIn),
        Row(
            testDescription: "more than a token", events: [.signedIn(#"Bearer scope="a b""#)],
            challenge: #"Bearer error="insufficient_scope", scope="a b""#, answer: .signIn),
        Row(testDescription: "a token that was accepted", events: [.signedIn(#"Bearer scope="a b""#), .accepted], answer: .signIn),
        Row(
            testDescription: "a requirement of more, although a token was accepted",
            events: [.signedIn(#"Bearer error="insufficient_scope", scope="c""#), .accepted],
            challenge: #"Bearer scope="c", error="insufficient_scope", error_description="7""#, answer: .giveUp),
        Row(testDescription: "after a sign-out", events: [.signedIn(#"Bearer scope="a b""#), .forgotten], answer: .signIn),
        Row(testDescription: "a user who has declined", events: [.failed(.denied), .seconds(29)], answer: .wait),
        Row(testDescription: "a window that was closed", events: [.failed(.cancelledByUser)], answer: .wait),
        Row(testDescription: "a page that ended in an error", events: [.failed(.serverRejected)], answer: .wait),
        Row(testDescription: "half a minute later", events: [.failed(.denied), .seconds(30)], answer: .signIn),
        Row(testDescription: "a typed sign-in", events: [.failed(.denied), .forgotten], answer: .signIn),
        Row(testDescription: "the network", events: [.failed(.unreachable)], answer: .signIn),
        Row(testDescription: "the store", events: [.failed(.storeFailed)], answer: .signIn),
        Row(testDescription: "the program", events: [.failed(.cancelledByProgram)], answer: .signIn),
        Row(testDescription: "four pages", events: Array(pages.dropFirst()), answer: .signIn),
        Row(testDescription: "five pages", events: pages, answer: .giveUp),
        Row(testDescription: "five pages ten minutes ago", events: pages + [.seconds(600)], answer: .signIn),
        Row(
            testDescription: "pages that requests share", events: pages.dropFirst() + [.signedIn(#"Bearer scope="6""#, isShared: true)],
            answer: .signIn),
        Row(testDescription: "pages that failed", events: Array(repeating: .failed(.unreachable), count: 5), answer: .giveUp),
        Row(testDescription: "no pages", showsPages: false, events: pages + [.failed(.denied)], answer: .signIn),
        Row(testDescription: "no pages, and the same", showsPages: false, events: [.signedIn(#"Bearer scope="a b""#)], answer: .giveUp),
    ])
    func `MC14: the answer follows from what has happened`(row: Row) throws {
        var (policy, now) = (AccessPolicy(showsPages: row.showsPages), Date(timeIntervalSince1970: 1_000_000))
        for event in row.events {
            switch event {
            case .signedIn(let challenge, let isShared):
                policy.signedIn(for: try Self.requirement(challenge), isShared: isShared, at: now)
            case .failed(let code):
                if let failure = AccessPolicy.PageFailure(SessionError(code, "")) { policy.pageFailed(failure, at: now) }
            case .accepted: policy.accepted()
            case .forgotten: policy.forget()
            case .seconds(let seconds): now += seconds
            }
        }
        #expect(policy.answer(to: try Self.requirement(row.challenge), at: now) == row.answer)
    }

    @Test func `MC14: a request leads to two sign-ins at most`() {
        #expect((0...3).map { AccessPolicy.allowsRepeating(after: $0) } == [true, true, false, false])
    }

    @Test(arguments: [(200, ""), (403, "Bearer"), (403, #"Bearer error="invalid_token""#), (404, "Bearer")])
    func `a response that requires no sign-in has no requirement`(status: Int, challenge: String) {
        #expect(AccessRequirement(HTTPResponse(status: .init(code: status), headerFields: [.wwwAuthenticate: challenge])) == nil)
    }
}
