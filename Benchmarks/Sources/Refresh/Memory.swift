import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Measuring

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a session holds in memory while nobody asks it for anything: signed in, and once more after it has carried a load.
///
/// The limit are the records alone, as packed bytes. Those of the sessions stay in the store, which is one record here.
struct Memory {
    private let count: Int

    init(sessions count: Int) {
        self.count = count
    }

    func measure() async throws {
        let store = try await OneRecordStore.filled()
        let settings = OAuthSession.settings(store: store, transport: NullTransport())
        let warmUp = OAuthSession(settings, label: "warm-up")
        try await warmUp.restore()

        var records: [[UInt8]] = []
        records.reserveCapacity(count)
        let limit = try await growth {
            for index in 0..<count {
                var record = store.record
                record[record.count - 1] = UInt8(truncatingIfNeeded: index)
                records.append(record)
            }
        }
        var sessions: [OAuthSession] = []
        sessions.reserveCapacity(count)
        let idle = try await growth {
            for index in 0..<count {
                let session = OAuthSession(settings, label: "\(index)")
                guard case .signedIn = try await session.restore() else { throw RefreshError.notSignedIn }
                sessions.append(session)
            }
        }
        let used = try await growth {
            for session in sessions { _ = try await session.load(.get(RotatingTransport.api)) }
        }
        print(
            "memory of each of \(count) signed-in sessions: limit \(limit) bytes, session \(idle) bytes (goal: at most 950), ratio"
                + " \((Double(idle) / Double(limit)).rounded(3)); after a load \(used) bytes more; record of \(store.record.count) bytes")
        withExtendedLifetime(records) {}
    }

    /// By how much the process's resident memory grows, for each session.
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
