import HTTPLoading
import HTTPTypes
import Testing

struct FinishedAttemptTests {
    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .options, .trace, .put, .delete, .query, .post, .patch, .connect, HTTPRequest.Method("MKCOL") ?? .post,
    ]
    private static let idempotent: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete, .query]

    @Test(arguments: methods)
    func `retries a temporary status only if the request is idempotent`(method: HTTPRequest.Method) throws {
        for code in 100...599 {
            let isRetryable = try attempt(method, .success(HTTPResponse(status: .init(code: code)))).isRetryable
            let passes = [408, 429, 500, 502, 503, 504].contains(code)
            #expect(isRetryable == (passes && Self.idempotent.contains(method)), "\(code)")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: LoadError.Code
        let methods: Set<HTTPRequest.Method>

        init(_ code: LoadError.Code, _ methods: Set<HTTPRequest.Method>) {
            testDescription = code.description
            self.code = code
            self.methods = methods
        }
    }

    @Test(arguments: [
        Row(.cannotConnect, Set(methods)), Row(.connectionLost, idempotent), Row(.timedOut, idempotent), Row(.cancelled, []),
        Row(.notAuthorized, []), Row(.redirectRefused, []), Row(.invalidRequest, []), Row(.invalidResponse, []), Row(.tooLarge, []),
        Row(.bodySpent, []), Row(.resetInProgress, []), Row(.queueFull, []), Row(.shutDown, []), Row(.notSecure, []),
    ])
    func `case 27: retries after an error if nothing was sent, or the request is idempotent`(row: Row) throws {
        for method in Self.methods {
            #expect(try attempt(method, .failure(LoadError(row.code))).isRetryable == row.methods.contains(method), "\(method)")
        }
    }

    private func attempt(_ method: HTTPRequest.Method, _ outcome: Result<HTTPResponse, LoadError>) throws -> FinishedAttempt {
        FinishedAttempt(request: try LoadRequest(method, "https://api.example.com/"), outcome: outcome, number: 1, elapsed: .zero)
    }
}
