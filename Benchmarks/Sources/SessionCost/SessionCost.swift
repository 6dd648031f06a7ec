import AuthHub
import HTTPLoading
import Measuring
import SignedIn

/// Does one thing with a session a number of times, for a count of what that costs.
///
///     SessionCost (load | token) NUMBER
@main
struct SessionCost {
    static func main() {
        blocking { try await run() }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), ["load", "token"].contains(arguments[1]) else {
            throw LoadError(.invalidRequest, explanation: "usage: SessionCost (load | token) NUMBER")
        }
        let api = "http://127.0.0.1:1"
        let session = try await OAuthSession.signedIn(api: api, transport: NullTransport())
        let request = try LoadRequest.get("\(api)/user")
        if arguments[1] == "load" {
            for _ in 0..<count { _ = try await session.load(request) }
        } else {
            for _ in 0..<count { _ = try await session.accessToken() }
        }
    }
}
