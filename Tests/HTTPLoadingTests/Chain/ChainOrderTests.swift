import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Logging
import Testing

struct ChainOrderTests {
    private struct Placed: Loader {
        let position: LoaderPosition?

        init(_ position: LoaderPosition?) {
            self.position = position
        }

        func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse { try await next(request) }
    }

    private static let positions: [LoaderPosition] = [
        .environment, .modify, .observe, .deadline, .deduplicate, .retry, .redirect, .authorize, .throttle, .rateLimit, .attemptTimeout,
        .observeAttempts,
    ]

    @Test func `every pair of positions is allowed in one order only`() throws {
        for (front, first) in Self.positions.enumerated() {
            for (behind, second) in Self.positions.enumerated() where front < behind {
                #expect(throws: Never.self) { try Chain(transport: ScriptedTransport([]), [Placed(first), Placed(second)]) }
                #expect(throws: ChainError.self, "\(second) in front of \(first)") {
                    try Chain(transport: ScriptedTransport([]), [Placed(second), Placed(first)])
                }
            }
        }
    }

    @Test func `the error names both loaders and the right order`() {
        let error = #expect(throws: ChainError.self) {
            try Chain(transport: ScriptedTransport([]), [EnvironmentLoader(), Placed(.authorize), Placed(nil), RedirectLoader()])
        }
        #expect(
            error?.description == """
                RedirectLoader (redirect) must come before Placed (authorize); \
                the right order is: environment, redirect, authorize
                """)
    }

    @Test(arguments: [LoaderPosition.modify, .observe, .throttle, .rateLimit, .observeAttempts])
    func `a position for several loaders accepts several`(position: LoaderPosition) {
        #expect(throws: Never.self) { try Chain(transport: ScriptedTransport([]), [Placed(position), Placed(position)]) }
    }

    @Test(arguments: [LoaderPosition.environment, .deadline, .deduplicate, .retry, .redirect, .authorize, .attemptTimeout])
    func `a position for one loader accepts one`(position: LoaderPosition) {
        let error = #expect(throws: ChainError.self) {
            try Chain(transport: ScriptedTransport([]), [Placed(position), Placed(nil), Placed(position)])
        }
        #expect(error?.description.contains("a chain can only have one") == true)
    }

    @Test func `a loader without a position is allowed anywhere`() {
        #expect(throws: Never.self) {
            try Chain(transport: ScriptedTransport([]), [Placed(nil), Placed(.redirect), Placed(nil), Placed(.authorize), Placed(nil)])
        }
    }

    @Test func `a result builder supports conditions and loops, and keeps the order`() async throws {
        struct Tagged: Loader {
            let tag: String

            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                var request = request
                request.head.headerFields.append(HTTPField(name: .via, value: tag))
                return try await next(request)
            }
        }
        let (isOn, isOff) = (true, false)
        let absent: Tagged? = nil
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try Chain(transport: transport) {
            Tagged(tag: "first")
            if isOff { Tagged(tag: "off") }
            if isOn { Tagged(tag: "on") } else { Tagged(tag: "else") }
            for number in 1...2 { Tagged(tag: "loop \(number)") }
            absent
            [Tagged(tag: "list")]
        }
        _ = try await chain.load(.get("https://example.com/"))
        #expect(transport.requests[0].head.headerFields[values: .via] == ["first", "on", "loop 1", "loop 2", "list"])
    }
}
