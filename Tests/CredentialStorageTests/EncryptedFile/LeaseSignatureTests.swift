import CredentialStorage
import CredentialStorageTestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Whom a waiter is told to wait for, or to end.
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

    /// Who holds the lease, as someone learns who waits for it in vain.
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

    @Test func `who holds a lease is named, and no more when it is released`() async throws {
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
        Row(testDescription: "of another container or machine") { $0[1] += "0" },
        Row(testDescription: "of a process that is gone") { $0[0] = "\(Int32.max)" },
        Row(testDescription: "that is no process but a group of them") { $0[0] = "-1" },
        Row(testDescription: "that is no number") { $0[0] += "x" },
        Row(testDescription: "without its numbering, as a program that knew none wrote it") { $0 = [$0[0], ""] },
        Row(testDescription: "broken off") { $0 = [String($0[0].prefix(1))] },
        Row(testDescription: "longer than any") { $0[1] = String(repeating: "9", count: 100_000) },
        Row(testDescription: "that is missing") { $0 = [] },
    ])
    func `nobody is told to end a process that the lease may not be held by`(row: Row) async throws {
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        let path = try leasePath()
        var lines = String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n").map(String.init)
        row.change(&lines)
        try write(Array(lines.joined(separator: "\n").utf8), to: path)
        #expect(await holder() == nil)
        await lease.release()
    }
}
