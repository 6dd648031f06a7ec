import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Platform
import Synchronization
import Testing

/// Runs the code of the guide "Your first chain" unchanged.
struct FirstChainTests {
    private let server = RoutedTransport(
        [
            (.get("https://api.example.com/v1/users/mona"), .json(["name": "Mona"])),
            (.post("https://api.example.com/v1/notes"), .status(.created)),
            (.get("https://api.example.com/v1/export"), .status(.ok, body: Array("12345".utf8))),
            (.get("https://api.example.com/v1/slow"), .failure(.timedOut)),
            (.get("https://api.example.com/v1/search"), .json([])),
            (
                .post("https://api.example.com/v1/photos"),
                ScriptedAnswer { request throws(LoadError) in
                    for try await _ in try await request.body.open() {}
                    return LoadResponse(HTTPResponse(status: .created))
                }
            ),
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
        // The task is cancelled before anything is sent, because there is no network here.
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

    @Test func `a body is decoded`() async throws {
        let chain = try chain()
        // snippet: first-decode
        struct User: Decodable { let name: String }
        let response = try await chain.load(.get("/users/mona"))
        let user = try JSONDecoder().decode(User.self, from: Data(await response.body.collect(upTo: 1 << 20)))
        // end
        #expect(user.name == "Mona")
    }

    @Test func `a query is encoded`() async throws {
        let chain = try chain()
        // snippet: first-query
        let response = try await chain.load(.get("/search", query: ["q": "bread & butter", "page": "2"]))
        // end
        #expect(response.status == .ok)
        #expect(server.requests.last?.head.path == "/v1/search?q=bread+%26+butter&page=2")
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

    @Test func `progress is told`() async throws {
        let chain = try chain()
        let form = RequestBody.bytes([1, 2, 3])
        let seen = Mutex(0)
        let show: @Sendable (Int, Int?) -> Void = { bytes, _ in seen.withLock { $0 = bytes } }
        // snippet: first-progress
        let progress = LoadProgress()
        var request = try LoadRequest.post("/photos", body: form)
        request.options[LoadProgress.self] = progress
        let showing = Task {
            for await step in progress.uploads { show(step.bytes, step.expected) }
        }
        let response = try await chain.load(request)
        // end
        await showing.value
        #expect(response.status == .created)
        #expect(seen.withLock { $0 } == 3)
    }

    @Test func `a large body has its time`() async throws {
        let chain = try chain()
        // snippet: first-long
        var request = try LoadRequest.get("/export")
        request.options[AttemptTimeout.self] = .seconds(600)
        request.options[Deadline.self] = .seconds(1800)
        let response = try await chain.load(request)
        // end
        #expect(response.status == .ok)
    }

    @Test func `options of a chain give way to those of a request`() async throws {
        let environment = try ServerEnvironment(url: "https://api.example.com/v1")
        let transport = server
        // snippet: first-chain-options
        var options = RequestOptions()
        options[AttemptTimeout.self] = .seconds(10)
        let chain = try Chain(transport: transport, options: options) { EnvironmentLoader(environment) }
        // end
        _ = try await chain.load(.get("/export"))
        var request = try LoadRequest.get("/export")
        request.options[AttemptTimeout.self] = .seconds(20)
        _ = try await chain.load(request)
        #expect(transport.requests.map { $0.options[AttemptTimeout.self] } == [.seconds(10), .seconds(20)])
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
        let environment = try ServerEnvironment(url: "https://api.example.com/v1")
        // snippet: first-credentials
        let credentials = try BasicCredentials(userID: "mona", password: password)
        let basic = try BasicAuthorizer(credentials, origins: [environment.origin])
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
            case .cancelled: advice = "nothing: the user cancelled"
            case .cannotConnect: advice = "check the network"
            case .notSecure: advice = "check the server's certificate"
            case _ where error.mayHaveBeenSent: advice = "ask the server before doing it again"
            default: advice = "tell the user: \(error)"
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
