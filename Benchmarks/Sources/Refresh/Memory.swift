import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Measuring
import Platform
import SignedIn

/// The memory of an idle session: after its sign-in, and again after a request.
///
/// The baseline is the size of the records alone, as packed bytes. The sessions' own records stay in the store, which drops them here.
struct Memory {
    private let count: Int

    init(sessions count: Int) {
        self.count = count
    }

    func measure() async throws {
        let record = try await Self.record()
        let configuration = OAuthSession.configuration(store: OneRecordStore(), transport: TokensAndNothing())
        try await OAuthSession(configuration, label: "warm-up").signIn()

        var records: [[UInt8]] = []
        records.reserveCapacity(count)
        let limit = try await growth {
            for index in 0..<count {
                var record = record
                record[record.count - 1] = UInt8(truncatingIfNeeded: index)
                records.append(record)
            }
        }
        var sessions: [OAuthSession] = []
        sessions.reserveCapacity(count)
        let idle = try await growth {
            for index in 0..<count {
                let session = OAuthSession(configuration, label: "\(index)")
                try await session.signIn()
                await session.finish()
                sessions.append(session)
            }
        }
        let used = try await growth {
            for session in sessions { _ = try await session.load(.get(RotatingTransport.api)) }
        }
        print(
            "memory of each of \(count) sessions after its sign-in: baseline \(limit) bytes, session \(idle) bytes (goal: at most 1000), ratio"
                + " \((Double(idle) / Double(limit)).rounded(3)); after a request \(used) bytes more; record of \(record.count) bytes")
        withExtendedLifetime(records) {}
    }

    /// Returns the record of a session that has signed in.
    private static func record() async throws -> [UInt8] {
        let store = MemoryCredentialStore()
        let (session, _) = try await OAuthSession.signedIn(at: RotatingTransport(), store: store)
        guard let stored = try await store.read(session.account) else { throw RefreshError.notSignedIn }
        return stored.payload.reveal()
    }

    /// Returns the growth of the process's resident memory per session.
    private func growth(_ work: () async throws -> Void) async throws -> Int {
        let before = try Self.residentBytes()
        try await work()
        return (try Self.residentBytes() - before) / count
    }

    private static func residentBytes() throws -> Int {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kibibytes = line.flatMap({ Int($0.filter(\.isNumber)) }) else { throw RefreshError.unknownMemory }
        return kibibytes * 1_024
    }
}

/// A transport that issues a separate token to each session and immediately responds to every other request; each token stays valid.
private struct TokensAndNothing: Transport {
    private let tokens = RotatingTransport()
    private let others = NullTransport()

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        request.head.method == .post ? try await tokens.send(request) : try await others.send(request)
    }
}
