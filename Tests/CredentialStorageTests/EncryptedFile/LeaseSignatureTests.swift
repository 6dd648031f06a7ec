import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

/// Tests which process the error for a waiting caller names: the one to wait for, or to end.
struct LeaseSignatureTests {
    private let folder: TemporaryFolder
    private let store: EncryptedFileStore

    init() throws {
        folder = try TemporaryFolder()
        store = folder.store()
    }

    private func leasePath() throws -> String {
        let locks = "\(folder.storePath)/locks"
        let name = try #require(try names(in: locks).first { $0.hasSuffix(".lease") })
        return "\(locks)/\(name)"
    }

    /// The holder of the lease, as reported to a caller whose wait times out.
    private func holder() async -> Int32? {
        do {
            try await store.lease(.octocat, waitingAtMost: .zero).release()
            Issue.record("the lease was free")
            return nil
        } catch {
            #expect(error.code == .leaseHeld)
            return error.leaseHolder
        }
    }

    @Test func `names the holder of a lease, and no longer after it is released`() async throws {
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        #expect(await holder() == getpid())
        await lease.release()
        #expect(try contents(of: leasePath()).isEmpty)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Changes the lines that the holder wrote.
        let change: @Sendable (inout [String]) -> Void
    }

    @Test(arguments: [
        Row(testDescription: "from another container or machine") { $0[1] += "0" },
        Row(testDescription: "from a process that has exited") { $0[0] = "\(Int32.max)" },
        Row(testDescription: "with the number of a process group") { $0[0] = "-1" },
        Row(testDescription: "with an invalid process number") { $0[0] += "x" },
        Row(testDescription: "without its PID namespace, as older programs wrote it") { $0 = [$0[0], ""] },
        Row(testDescription: "truncated") { $0 = [String($0[0].prefix(1))] },
        Row(testDescription: "longer than any signature") { $0[1] = String(repeating: "9", count: 100_000) },
        Row(testDescription: "missing") { $0 = [] },
    ])
    func `never advises ending a process that may not hold the lease`(row: Row) async throws {
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        let path = try leasePath()
        var lines = String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n").map(String.init)
        row.change(&lines)
        try write(Array(lines.joined(separator: "\n").utf8), to: path)
        #expect(await holder() == nil)
        await lease.release()
    }
}
