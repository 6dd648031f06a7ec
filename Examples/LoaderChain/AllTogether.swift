import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

/// All loaders in one chain, in the only order that a chain accepts.
extension ChainExample {
    static func allTogether(at servers: Servers) async throws {
        let basic = try BasicAuthorizer(BasicCredentials(userID: "ada", password: Secret("engine")), origins: [servers.one.origin])
        let chain = try Chain(transport: servers.transport) {
            EnvironmentLoader(servers.one)
            ModifyLoader(addingMissing: [.userAgent: "loader-chain/1.0"])
            DeadlineLoader(.seconds(60))
            DeduplicateLoader()
            RetryLoader()
            RedirectLoader()
            AuthorizeLoader(basic)
            ThrottleLoader(limit: 6, per: .origin)
            RateLimitLoader(Rate(10, per: .seconds(1)))
            AttemptTimeoutLoader()
        }
        show("all together", try await chain.load(.get("/secret")).text())
        show("a wrong order", wrongOrder(at: servers))
    }

    private static func wrongOrder(at servers: Servers) -> String {
        do {
            _ = try servers.chain(RedirectLoader(), RetryLoader())
            return "accepted"
        } catch {
            return "\(error)"
        }
    }
}
