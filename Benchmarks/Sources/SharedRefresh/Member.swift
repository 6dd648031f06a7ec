import AsyncHTTPClientTransport
import AuthHub
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Loopback
import Measuring
import OAuthProtocol
import Platform
import SignedIn
import Synchronization

/// One of the processes: it executes the command of each line, all requests at the same time, and reports whether all succeeded.
struct Member {
    private let server: String
    private let folder: String
    private let requests: Int

    init(_ arguments: [String]) throws {
        guard arguments.count == 5, let requests = Int(arguments[4]) else { throw SharedRefreshError.failed }
        server = arguments[2]
        folder = arguments[3]
        self.requests = requests
    }

    func work() async throws {
        let shift = Mutex(0.0)
        let now: @Sendable () -> Date = { Date().addingTimeInterval(shift.withLock { $0 }) }
        let session = OAuthSession.sharing(server: server, folder: folder, transport: NetworkTransport.shared, now: now)
        while let line = readLine() {
            let words = line.split(separator: " ")
            let isGood: Bool
            if words.first == "session", let seconds = words.last.flatMap({ Double($0) }) {
                shift.withLock { $0 = seconds }
                isGood = try await together { try await session.load($0) }
            } else {
                isGood = try await withoutSession()
            }
            print(isGood ? "good" : "bad")
            fflush(nil)
        }
    }

    private func withoutSession() async throws -> Bool {
        let transport = NetworkTransport.shared
        let wait = try LoadRequest.post("\(server)/token", body: .form(["grant_type": "none"]))
        _ = try await transport.send(wait).body.collect(upTo: 1_000)
        return try await together { request in
            var request = request
            request.head.headerFields[.authorization] = "Bearer bare"
            return try await transport.send(request)
        }
    }

    private func together(_ load: @escaping @Sendable (LoadRequest) async throws -> LoadResponse) async throws -> Bool {
        let request = try LoadRequest.get("\(server)/user")
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<requests {
                group.addTask {
                    let response = try await load(request)
                    _ = try await response.body.collect(upTo: 1_000)
                    return response.status == .ok
                }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
    }
}

extension OAuthSession {
    /// Returns a session with a store of files, which other processes share.
    static func sharing(
        server: String, folder: String, transport: any Transport, now: @escaping @Sendable () -> Date = { Date() }
    ) -> OAuthSession {
        var profile = ProviderProfile(
            name: "benchmark", displayName: "Benchmark",
            endpoints: Endpoints(authorization: "\(server)/authorize", token: "\(server)/token"))
        profile.transport = .insecureHTTPOnLoopbackForDevelopment
        profile.accountEndpoint = "\(server)/user"
        var configuration = OAuthSession.Configuration(
            server: profile, client: OAuthClient(id: "benchmark"), grant: .authorizationCode(ConsentingBrowser()),
            store: EncryptedFileStore(folder: folder + "/credentials", key: KeyFile(path: folder + "/credentials.key")),
            dependencies: Dependencies(transport: transport, now: now))
        configuration.prompting = .manual
        return OAuthSession(configuration)
    }
}
