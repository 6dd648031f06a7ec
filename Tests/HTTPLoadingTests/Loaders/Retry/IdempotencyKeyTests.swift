import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct IdempotencyKeyTests {
    @Test(arguments: [
        ("8e03978e-40d5-43e8-bc93-6894a57f9324", "\"8e03978e-40d5-43e8-bc93-6894a57f9324\""), (#"a"b\c"#, #""a\"b\\c""#), (" ", "\" \""),
    ])
    func `sends a key as a structured field string`(value: String, field: String) async throws {
        #expect(try await sent(IdempotencyKey(value)) == field)
    }

    @Test(arguments: ["", "a\nb", "a\u{7F}", "schlüssel", String(repeating: "a", count: 256)])
    func `rejects a key that such a string cannot contain, or that is too long to store`(value: String) {
        #expect(IdempotencyKey(value) == nil)
    }

    @Test func `a request without a key sends none, and one with its own header field keeps it`() async throws {
        #expect(try await sent(nil) == nil)
        #expect(try await sent(.random(), headers: [try #require(HTTPField.Name("Idempotency-Key")): "own"]) == "own")
    }

    @Test func `generated keys never repeat, and are not shown`() {
        let keys = (0..<1000).map { _ in IdempotencyKey.random() }
        #expect(Set(keys).count == 1000)
        #expect(!dumped(keys[0]).contains(keys[0].value) && keys[0].value.utf8.count == 22)
    }

    private func sent(_ key: IdempotencyKey?, headers: HTTPFields = [:]) async throws -> String? {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        var request = try LoadRequest(.post, "https://api.example.com/", headers: headers)
        request.options[IdempotencyKey.self] = key
        _ = try await Chain(transport: transport, [RetryLoader()]).load(request)
        return try transport.requests[0].head.headerFields[#require(HTTPField.Name("Idempotency-Key"))]
    }
}
