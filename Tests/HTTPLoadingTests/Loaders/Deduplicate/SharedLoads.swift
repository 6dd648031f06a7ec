import HTTPTypes
import Synchronization

@testable import HTTPLoading

/// Helpers for the tests of coalesced requests.
enum SharedLoads {
    static func get(_ url: String = "https://example.com/", headers: HTTPFields = [:]) throws -> LoadRequest {
        try .get(url, headers: headers)
    }

    /// Starts tasks that send the same request, and returns when all of them are waiting.
    static func begin(_ count: Int, on chain: Chain, _ loader: DeduplicateLoader) async throws
        -> [Task<Result<[UInt8], LoadError>, Never>]
    {
        var loads: [Task<Result<[UInt8], LoadError>, Never>] = []
        for _ in 0..<count {
            let before = loader.callerCount
            loads.append(chain.begin(try get()))
            await until { loader.callerCount > before }
        }
        return loads
    }

    static let large = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Returns a body in chunks of 1,000 bytes.
    static func pieces(of bytes: [UInt8], announced: Bool) -> ResponseBody {
        let rest = Rest(bytes)
        return ResponseBody(announcedLength: announced ? bytes.count : nil) { () async throws(LoadError) in rest.take() }
    }

    private final class Rest: Sendable {
        private let bytes: Mutex<ArraySlice<UInt8>>

        init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes[...]) }

        func take() -> ArraySlice<UInt8>? {
            bytes.withLock { bytes in
                guard !bytes.isEmpty else { return nil }
                defer { bytes = bytes.dropFirst(1_000) }
                return bytes.prefix(1_000)
            }
        }
    }
}
