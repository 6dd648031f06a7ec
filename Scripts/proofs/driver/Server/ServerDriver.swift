import AuthHubPrimitives
import DevelopmentServer
import Platform

/// A development server that injects faults on command while it runs, line by line, and reports the requests it received. For proofs with
/// their own programs.
struct ServerDriver {
    private let server: DevelopmentAuthorizationServer

    static func main() async throws {
        let setup = try JSONDecoder().decode(Setup.self, from: Data((CommandLine.arguments.dropFirst(2).first ?? "{}").utf8))
        let server = try await DevelopmentAuthorizationServer.start(setup.configuration())
        print(String(decoding: server.description().serialized(), as: UTF8.self))
        fflush(nil)
        let driver = Self(server: server)
        while let line = readLine() {
            guard let order = Order(rawValue: line) else { throw UnknownOrder() }
            driver.carryOut(order)
            print(String(decoding: try JSONEncoder().encode(driver.counts), as: UTF8.self))
            fflush(nil)
        }
        await server.shutdown()
    }

    private func carryOut(_ order: Order) {
        switch order {
        case .down: for place in Faults.Place.allCases { server.faults.always(at: place, .dropConnection) }
        case .up: server.faults.clear()
        case .revoke: server.faults.revokeAllGrants()
        case .count: break
        }
    }

    private var counts: Counts {
        let entries = server.log.entries
        return Counts(
            pages: entries.count { $0.path == server.persona.addresses.authorization },
            signIns: server.log.tokenRequests(grant: "authorization_code"), refreshes: server.log.refreshes,
            revocations: server.log.revocations, lists: entries.count { $0.path.hasSuffix("/user/repos") })
    }
}
