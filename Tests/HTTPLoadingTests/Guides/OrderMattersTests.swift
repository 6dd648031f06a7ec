import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Logging
import Testing

/// Runs the code of the guide "Order matters" unchanged.
struct OrderMattersTests {
    private let transport = RoutedTransport([
        (.get("/moved"), .redirect(.found, to: "https://api.example.com/here")), (.get("/here"), .status(.ok)),
    ])

    @Test func `a wrong order is refused with the right one`() throws {
        // snippet: order-error
        let error = #expect(throws: ChainError.self) {
            try Chain(transport: transport) {
                RedirectLoader()
                RetryLoader()
            }
        }
        #expect(error?.description.contains("the right order is: retry, redirect") == true)
        // end
    }

    @Test(arguments: [true, false])
    func `a chain with everything in its place`(isVerbose: Bool) async throws {
        let (logger, environment) = (Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }, ServerEnvironment?.none)
        let authorizer = try BasicAuthorizer(origins: [])
        // snippet: order-full
        let chain = try Chain(transport: transport) {
            EnvironmentLoader(environment)
            ModifyLoader(addingMissing: [.userAgent: "notes/1.0"])
            if isVerbose {
                LogLoader(logger)
            }
            MetricsLoader()
            DeadlineLoader(.seconds(30))
            DeduplicateLoader()
            RetryLoader()
            RedirectLoader()
            AuthorizeLoader(authorizer)
            ThrottleLoader(limit: 6, per: .origin)
            RateLimitLoader(Rate(10, per: .seconds(1)))
            AttemptTimeoutLoader()
            LogLoader(logger, eachAttempt: true)
        }
        // end
        let response = try await chain.load(.get("https://api.example.com/moved"))
        #expect(response.status == .ok && response.notes.redirects.count == 1)
    }

    @Test func `an outer chain is a transport for none, but a transport serves two chains`() async throws {
        // snippet: order-two-chains
        let people = try Chain(transport: transport) {
            RetryLoader()
            RedirectLoader()
        }
        let tokens = try Chain(transport: transport)
        // end
        #expect(try await people.load(.get("https://api.example.com/moved")).status == .ok)
        #expect(try await tokens.load(.get("https://api.example.com/moved")).status == .found)
    }
}
