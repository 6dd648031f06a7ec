import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// Whether a user may replace another user's tokens, if several processes sign in to one account.
struct UserCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The user whom another process signs in while the first question is asked.
        let meanwhile: String
        /// The answers to the questions, in order.
        let answers: [Bool]
        /// The users in the questions: the stored one and the new one.
        let questions: [[String]]
        /// The user of the stored tokens at the end.
        let stored: String
    }

    static let rows = [
        Row(
            testDescription: "the user agrees for each", meanwhile: "kim", answers: [true, true],
            questions: [["jane", "mary"], ["kim", "mary"]], stored: "mary"),
        Row(
            testDescription: "the user agrees only for the first", meanwhile: "kim", answers: [true, false],
            questions: [["jane", "mary"], ["kim", "mary"]], stored: "kim"),
        Row(
            testDescription: "the same user signed in again", meanwhile: "jane", answers: [true], questions: [["jane", "mary"]],
            stored: "mary"),
        Row(
            testDescription: "the new user signed in elsewhere, too", meanwhile: "mary", answers: [true], questions: [["jane", "mary"]],
            stored: "mary"),
        Row(testDescription: "the user does not agree", meanwhile: "kim", answers: [false], questions: [["jane", "mary"]], stored: "kim"),
    ]

    /// Signs in `mary` to the account of `jane`, while another process signs in another user.
    private func run(_ row: Row, _ provider: OpenIDProvider, by signIn: @escaping @Sendable (OAuthSession) async throws -> Void)
        async throws
    {
        @Sendable func become(_ name: String) { provider.change { $0.changes = [("sub", .string(name)), ("nonce", nil)] } }
        let store = MemoryCredentialStore()
        let elsewhere = provider.session(store)
        become("jane")
        try await elsewhere.adopt(refreshToken: Secret("refresh-of-jane"))

        let questions = Mutex<[[String]]>([])
        let failure = Mutex<(any Error)?>(nil)
        let check = UserCheck { old, new in
            let number = questions.withLock {
                $0.append([old.id, new.id])
                return $0.count
            }
            if number == 1 {
                become(row.meanwhile)
                do {
                    try await elsewhere.adopt(refreshToken: Secret("refresh-of-another"))
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            return row.answers.indices.contains(number - 1) && row.answers[number - 1]
        }
        provider.change { $0.changes = [("sub", "mary")] }
        let session = provider.session(store, userCheck: check)
        let outcome = await Task { try await signIn(session) }.result
        if let error = failure.withLock({ $0 }) { throw error }
        #expect(questions.withLock { $0 } == row.questions)
        #expect(try await store.credential(of: session.account)?.credential.knownUser?.id == row.stored)
        guard row.stored != "mary" else { return try outcome.get() }
        let error = try #require(outcome.error as? SessionError)
        let users = try #require(error.underlying as? UserCheck.DifferentUser)
        #expect([users.old.id, users.new.id] == row.questions.last)
        #expect(provider.revoked.isEmpty, "the user may be signed in under another label")
    }

    @Test(arguments: rows) func `a sign-in that another process overtakes asks about that user, too`(row: Row) async throws {
        try await run(row, try OpenIDProvider()) { try await $0.signIn() }
    }

    @Test(arguments: rows) func `an adoption that another process overtakes asks about that user, too`(row: Row) async throws {
        let provider = try OpenIDProvider()
        try await run(row, provider) { session in
            do {
                provider.change { $0.changes = [("sub", "mary"), ("nonce", nil)] }
                try await session.adopt(refreshToken: Secret("refresh-of-mary"))
            } catch let error as SessionError {
                #expect(error.refreshTokenIsSpent && error.explanation.contains("replaced the refresh token"), "\(error.explanation)")
                throw error
            }
        }
    }
}
