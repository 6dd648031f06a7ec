import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct ScriptedTransportTests {
    @Test func `a script that is played as written passes`() async throws {
        let transport = ScriptedTransport([
            .init(.get("/a"), .json(["x": 1])), .init(.post("https://example.com/b"), .failure(.timedOut)),
        ])
        let response = try await transport.send(.get("https://example.com/a?q"))
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(try await response.body.collect(upTo: 100) == Array(#"{"x":1}"#.utf8))
        let error = await #expect(throws: LoadError.self) { try await transport.send(.post("https://example.com/b", body: .empty)) }
        #expect(error?.code == .timedOut)
        try transport.verifyFinished()
    }

    @Test func `an unexpected request fails at once and at the end`() async throws {
        let transport = ScriptedTransport([.init(.get("/a"), .status(.ok))])
        let error = await #expect(throws: LoadError.self) { try await transport.send(.get("https://example.com/b?token=canary")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation == "expected GET /a, but received GET https://example.com/b")
        _ = try await transport.send(.get("https://example.com/a"))
        await #expect(throws: LoadError.self) { try await transport.send(.get("https://example.com/a")) }
        let difference = #expect(throws: ScriptError.self) { try transport.verifyFinished() }
        #expect(difference?.unexpected.count == 2 && difference?.unused == [])
        #expect(transport.requests.count == 3)
    }

    @Test func `an unused answer fails at the end`() throws {
        let transport = ScriptedTransport([.init(.get("/a").and("a token") { _ in false }, .status(.ok))])
        let difference = #expect(throws: ScriptError.self) { try transport.verifyFinished() }
        #expect(difference?.description == "expected GET /a with a token, but it was never sent")
    }

    @Test func `a script that is played by its own function needs no verification`() async throws {
        let status = try await ScriptedTransport.playing([.init(.get("/a"), .status(.ok))]) { transport in
            try await transport.send(.get("https://example.com/a")).status
        }
        #expect(status == .ok)
        await #expect(throws: ScriptError.self) { try await ScriptedTransport.playing([.init(.get("/a"), .status(.ok))]) { _ in } }
        await #expect(throws: ScriptError.self) {
            try await ScriptedTransport.playing([]) { transport in
                _ = try? await transport.send(.get("https://example.com/a"))
            }
        }
    }

    struct Forgotten: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [ScriptedTransport.Step]
        let paths: [String]
        /// The number of paths after which the test verifies the transport; nil if it does not.
        var verifiesAfter: Int?
        let reported: [ScriptError]
    }

    @Test(arguments: [
        Forgotten(
            testDescription: "played as written: nothing to report", steps: [.init(.get("/a"), .status(.ok))], paths: ["/a"],
            reported: []),
        Forgotten(
            testDescription: "an unused answer", steps: [.init(.get("/a"), .status(.ok))], paths: [],
            reported: [ScriptError(unexpected: [], unused: ["GET /a"])]),
        Forgotten(
            testDescription: "an unexpected request whose error the test ignored", steps: [], paths: ["/b"],
            reported: [ScriptError(unexpected: ["expected nothing more, but received GET https://example.com/b"], unused: [])]),
        Forgotten(
            testDescription: "verified: reported once, by the verification", steps: [], paths: ["/b"], verifiesAfter: 1, reported: []),
        Forgotten(
            testDescription: "a request that arrived after the verification", steps: [], paths: ["/b"], verifiesAfter: 0,
            reported: [ScriptError(unexpected: ["expected nothing more, but received GET https://example.com/b"], unused: [])]),
    ])
    func `a transport that is released reports what was not verified`(row: Forgotten) async throws {
        let reports = Mutex<[ScriptError]>([])
        do {
            let transport = ScriptedTransport(row.steps) { error in reports.withLock { $0.append(error) } }
            for (index, path) in row.paths.enumerated() {
                if index == row.verifiesAfter { try? transport.verifyFinished() }
                _ = try? await transport.send(.get("https://example.com\(path)"))
            }
            if row.verifiesAfter == row.paths.count { try? transport.verifyFinished() }
        }
        #expect(reports.withLock { $0 } == row.reported)
    }

    @Test func `concurrent requests get one step of the script each`() async throws {
        let transport = ScriptedTransport((0..<200).map { _ in .init(.any, .status(.ok)) })
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask { _ = try? await transport.send(.get("https://example.com/\(index)")) }
            }
            await transport.untilRequested(200)
        }
        #expect(Set(transport.requests.compactMap(\.head.path)).count == 200)
        try transport.verifyFinished()
    }

    @Test func `a held response arrives when the test releases it, and not before`() async throws {
        let held = HeldAnswer()
        let transport = ScriptedTransport([.init(.get("/a"), .held(held)), .init(.get("/b"), .status(.created))])
        let first = Task { try await transport.send(.get("https://example.com/a")).status }
        await transport.untilRequested()
        // The second request overtakes the first one, which is still in progress.
        #expect(try await transport.send(.get("https://example.com/b")).status == .created)
        held.release(.status(.accepted))
        held.release(.status(.gone))
        #expect(try await first.value == .accepted)
        try transport.verifyFinished()
    }

    @Test(arguments: [true, false])
    func `a cancelled task stops waiting for a response or a request`(isCancelledBefore: Bool) async throws {
        let transport = ScriptedTransport([.init(.any, .never)])
        let sending = Task {
            while isCancelledBefore, !Task.isCancelled { await Task.yield() }
            return try await transport.send(.get("https://example.com/a"))
        }
        let waiting = Task { await transport.untilRequested(2) }
        if !isCancelledBefore { await transport.untilRequested() }
        sending.cancel()
        waiting.cancel()
        let error = await #expect(throws: LoadError.self) { try await sending.value }
        #expect(error?.code == .cancelled)
        await waiting.value
    }
}
