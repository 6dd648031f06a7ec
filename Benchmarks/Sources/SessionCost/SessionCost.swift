import AuthHub
import HTTPLoading
import Measuring
import SignedIn

/// A program that performs one operation with a session a number of times, or creates and keeps a number of sessions, to measure the cost.
///
///     SessionCost (load | token | restored | signed-in) NUMBER
@main
struct SessionCost {
    private static let api = "http://127.0.0.1:1"

    static func main() {
        blocking { try await run() }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]) else { throw usage }
        switch arguments[1] {
        case "load":
            let session = try await OAuthSession.restored(api: api, transport: NullTransport())
            let request = try LoadRequest.get("\(api)/user")
            for _ in 0..<count { _ = try await session.load(request) }
        case "token":
            let session = try await OAuthSession.restored(api: api, transport: NullTransport())
            for _ in 0..<count { _ = try await session.accessToken() }
        case "restored":
            try await keep(count, store: .holdingBenchmarkToken) { try await $0.restore() }
        case "signed-in":
            try await keep(count, store: OneRecordStore()) { try await $0.signIn() }
        default:
            throw usage
        }
    }

    private static func keep(
        _ count: Int, store: OneRecordStore, begin: (OAuthSession) async throws -> Void
    ) async throws {
        let configuration = OAuthSession.benchmarkConfiguration(api: api, transport: NullTransport(), store: store)
        for _ in 0..<count {
            let session = OAuthSession(configuration)
            try await begin(session)
            await session.finish()
            // Kept until the end of the process, when its memory is measured.
            _ = Unmanaged.passRetained(session)
        }
    }

    private static var usage: LoadError {
        LoadError(.invalidRequest, explanation: "usage: SessionCost (load | token | restored | signed-in) NUMBER")
    }
}
