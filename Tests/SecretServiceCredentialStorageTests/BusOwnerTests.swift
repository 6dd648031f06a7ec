#if os(Linux)
import AuthHubPrimitives
import Platform
import Testing

@testable import CredentialStorage
@testable import SecretServiceCredentialStorage

struct BusOwnerTests {
    private static let everyone = UserNamespace(map: "0 0 4294967295", overflowID: nil)

    @Test func `accepts a bus of this user or of root`() throws {
        try BusOwner(user: UInt32(geteuid())).requireTrusted(in: Self.everyone)
        try BusOwner(user: 0).requireTrusted(in: Self.everyone)
    }

    @Test func `rejects a bus of another user, and the error names both users`() {
        let other = UInt32(geteuid()) + 2002
        let error = #expect(throws: CredentialStoreError.self) { try BusOwner(user: other).requireTrusted(in: Self.everyone) }
        #expect(error?.code == .refused)
        #expect(error?.explanation.contains("user ID \(other), and this process runs as user ID \(geteuid())") == true)
        #expect(error?.explanation.contains("DBUS_SESSION_BUS_ADDRESS") == true)
    }

    @Test func `the socket reports the owner of the bus`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        try BusOwner(at: ends[0]).requireTrusted(in: Self.everyone)
    }

    @Test func `rejects a socket that does not report its owner`() {
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(network) }
        for descriptor in [network, -1] {
            let error = #expect(throws: CredentialStoreError.self) { try BusOwner(at: descriptor).requireTrusted(in: Self.everyone) }
            #expect(error?.code == .refused)
        }
    }
}
#endif
