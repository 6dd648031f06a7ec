import HTTPTypes
import Testing

@testable import HTTPLoading

/// Requests and responses are values, although copies share storage until one of them changes.
struct CopiedMessageTests {
    @Test func `changing a request leaves its copies as they are, and keeps its identity`() throws {
        let request = try LoadRequest.get("https://api.example/", headers: [.accept: "text/plain"])
        var changed = request
        changed.head.headerFields[.accept] = "text/html"
        changed.body = .bytes([1, 2])
        changed.options[WhileResetting.self] = .wait
        #expect(request.head.headerFields[.accept] == "text/plain")
        #expect(request.body.bytes?.isEmpty ?? true)
        #expect(request.options.isEmpty)
        #expect(changed.head.headerFields[.accept] == "text/html")
        #expect(changed.body.bytes == [1, 2])
        #expect(!changed.options.isEmpty)
        #expect(changed.id == request.id)
    }

    @Test func `changing a response leaves its copies as they are`() async throws {
        let response = LoadResponse(HTTPResponse(status: .ok), body: .bytes([1]))
        var changed = response
        changed.head.status = .noContent
        changed.notes.replays += 1
        changed.body = .empty
        changed.request = RequestID()
        #expect(response.status == .ok)
        #expect(response.notes.replays == 0)
        #expect(response.request == nil)
        #expect(changed.status == .noContent)
        #expect(changed.notes.replays == 1)
        #expect(changed.request != nil)
        #expect(try await response.body.collect(upTo: 10) == [1])
    }
}
