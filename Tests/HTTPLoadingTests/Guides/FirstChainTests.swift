import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The code of the guide "Your first chain", as it stands there.
struct FirstChainTests {
    private let server = RoutedTransport(
        [
            (.get("https://api.example.com/v1/users/mona"), .json(["name": "Mona"])),
            (.post("https://api.example.com/v1/notes"), .status(.created)),
            (.get("https://api.example.com/v1/export"), .status(.ok, body: Array("12345".utf8))),
            (.get("https://api.example.com/v1/slow"), .failure(.timedOut)),
        ], unrouted: .fails)

    private func chain() throws -> Chain {
        let environment = try ServerEnvironment(url: "https://api.example.com/v1")
        return try Chain(transport: server) { EnvironmentLoader(environment) }
    }

    @Test func `a chain is made of loaders and a transport`() async throws {
        // snippet: first-chain
        let environment = try ServerEnvironment(url: "https://api.example.com/v1", headerFields: [.accept: "application/json"])
        let chain = try Chain(transport: NetworkTransport.shared) {
            EnvironmentLoader(environment)
            DeadlineLoader(.seconds(30))
            RetryLoader()
            RedirectLoader()
        }
        // end
        // Ended before anything is sent: there is no network here.
        let loading = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await chain.load(.get("/users/mona"))
        }
        loading.cancel()
        await #expect(throws: LoadError.self) { try await loading.value }
    }

    @Test func `a request goes in and a response comes out`() async throws {
        let chain = try chain()
        // snippet: first-load
        let response = try await chain.load(.get("/users/mona"))
        if response.status == .ok {
            let user = try JSONValue(strict: await response.body.collect(upTo: 1 << 20))
            #expect(user["name"] == "Mona")
        }
        // end
        #expect(response.status == .ok)
    }

    @Test func `a body is sent`() async throws {
        let chain = try chain()
        // snippet: first-body
        let note: JSONValue = ["title": "Milk", "done": false]
        let response = try await chain.load(.post("/notes", body: .json(note)))
        #expect(response.status == .created)
        // end
        #expect(server.requests.first?.body.bytes == Array(#"{"title":"Milk","done":false}"#.utf8))
    }

    @Test func `files are sent in forms`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "guide-\(UInt64.random(in: 0 ... .max)).jpg").path
        try Data("12345".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        // snippet: first-files
        let photo = try RequestBody.file(path, contentType: "image/jpeg")
        let form = RequestBody.multipart([
            MultipartPart(named: "title", text: "Holidays"),
            MultipartPart(named: "photo", filename: "beach.jpg", body: photo),
        ])
        // end
        #expect(photo.length == 5 && form.replay == .always)
    }

    @Test func `a body is read in chunks`() async throws {
        let chain = try chain()
        // snippet: first-stream
        var count = 0
        let response = try await chain.load(.get("/export"))
        for try await chunk in response.body {
            count += chunk.count
        }
        // end
        #expect(count == 5)
    }

    @Test func `an option is for one request`() async throws {
        let chain = try chain()
        // snippet: first-options
        var request = try LoadRequest.get("/export")
        request.options[RetryPolicy.self] = .never
        request.options[Deadline.self] = .seconds(5)
        let response = try await chain.load(request)
        // end
        #expect(response.request == request.id)
    }

    @Test func `credentials go to their origin`() async throws {
        let transport = RoutedTransport([(.any, .status(.ok))])
        let password = Secret("canary")
        // snippet: first-credentials
        let credentials = try BasicCredentials(userID: "mona", password: password)
        let basic = try BasicAuthorizer(credentials, origins: [Origin(scheme: "https", host: "api.example.com", port: 443)])
        let chain = try Chain(transport: transport) {
            RedirectLoader()
            AuthorizeLoader(basic)
        }
        // end
        for host in ["api", "other"] { _ = try await chain.load(.get("https://\(host).example.com/")) }
        #expect(transport.requests.map { $0.head.headerFields[.authorization] != nil } == [true, false])
    }

    @Test func `an error says what to do`() async throws {
        let chain = try chain()
        var advice = ""
        // snippet: first-errors
        do throws(LoadError) {
            _ = try await chain.load(.get("/slow"))
        } catch {
            switch error.code {
            case .cancelled: advice = "nothing: the person has left"
            case .cannotConnect: advice = "look at the network"
            case .timedOut where error.mayHaveBeenSent: advice = "ask the server before doing it again"
            default: advice = "tell the person: \(error)"
            }
        }
        // end
        #expect(advice == "ask the server before doing it again")
    }

    @Test func `a reset ends what is under way`() async throws {
        let held = HeldAnswer()
        let server = RoutedTransport([(.get("/users/mona"), .held(held)), (.get("/users/lisa"), .status(.ok))])
        let chain = try Chain(transport: server)
        let loading = Task { try await chain.load(.get("https://api.example.com/users/mona")) }
        await server.untilRequested()
        // snippet: first-reset
        let report = await chain.reset(.signOut)
        #expect(report.cancelledLoads == 1)
        // end
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled)
        #expect(try await chain.load(.get("https://api.example.com/users/lisa")).status == .ok)
    }

    @Test func `the front page's ten lines do what they say`() async throws {
        let transport = RoutedTransport([(.get("https://api.example.com/user"), .json(["name": "Mona"]))])
        // snippet: front-page
        let chain = try Chain(transport: transport) {
            DeadlineLoader(.seconds(30))
            RetryLoader()
            RedirectLoader()
            ThrottleLoader(limit: 6, per: .origin)
        }
        let response = try await chain.load(.get("https://api.example.com/user"))
        let user = try JSONValue(strict: await response.body.collect(upTo: 1 << 20))
        // end
        #expect(user["name"] == "Mona")
    }
}
