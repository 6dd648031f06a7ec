import HTTPLoading
import HTTPTypes
import Testing

struct LoadErrorTests {
    @Test func `errors of a request name its origin, but nothing that could be secret`() throws {
        let headers: HTTPFields = [.authorization: "Bearer canary"]
        let request = try LoadRequest.post(
            "https://example.com:8443/canary?token=canary", headers: headers, body: .bytes(Array("canary".utf8)))
        let error = LoadError(.timedOut, for: request, explanation: "no answer")
        #expect(error.description == "timed out (https://example.com:8443): no answer")
        #expect(error.request == request.id)
        #expect(!dumped(error).contains("canary"))
    }

    @Test(arguments: [
        (LoadError.Code.invalidRequest, false), (.bodySpent, false), (.cannotConnect, false), (.notSecure, false), (.notAuthorized, false),
        (.redirectRefused, false), (.queueFull, false), (.rateLimited, false), (.resetInProgress, false), (.shutDown, false),
        (.connectionLost, true), (.timedOut, true), (.cancelled, true), (.tooLarge, true), (.invalidResponse, true),
    ])
    func `an error says whether the request may have been sent`(code: LoadError.Code, mayHaveBeenSent: Bool) {
        #expect(LoadError(code).mayHaveBeenSent == mayHaveBeenSent)
    }
}
