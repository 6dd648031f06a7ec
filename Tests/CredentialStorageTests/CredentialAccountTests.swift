import CredentialStorage
import CredentialStorageTestSupport
import Testing

struct CredentialAccountTests {
    @Test func `accounts whose fields differ but concatenate to the same string have different identities`() {
        let accounts = [("ab", "c", ""), ("a", "bc", ""), ("a", "b", "c"), ("", "", "abc"), ("abc", "", "")]
            .map { CredentialAccount(server: $0.0, clientID: $0.1, label: $0.2) }
        #expect(Set(accounts.map(\.identity)).count == accounts.count)
    }

    @Test func `reads an identity back from the start of longer bytes`() throws {
        let identity = CredentialAccount.octocat.identity
        let read = try #require(CredentialAccount.reading(identityFrom: (identity + [1, 2, 3])[...]))
        #expect(read.account == .octocat)
        #expect(read.end == identity.count)
    }

    @Test func `a truncated identity is invalid`() {
        let identity = CredentialAccount.octocat.identity
        for length in 0..<identity.count {
            #expect(CredentialAccount.reading(identityFrom: identity[..<length]) == nil)
        }
    }

    @Test func `strings that look equal but differ in bytes are two accounts`() {
        let composed = CredentialAccount(server: "caf\u{E9}", clientID: "")
        let decomposed = CredentialAccount(server: "cafe\u{301}", clientID: "")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}
