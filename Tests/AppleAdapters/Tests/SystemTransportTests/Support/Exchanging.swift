import HTTPLoading
import Synchronization
import SystemTransportOnLinux

/// One request to a server that sends the same response to every request, and the text of all requests it received.
func exchange(
    _ request: (_ authority: String) throws -> LoadRequest, answering answer: String, with transport: SystemTransport = SystemTransport()
) async throws -> (head: LoadResponse, body: [UInt8], sent: [String]) {
    let sent = Mutex<[String]>([])
    let (response, body) = try await RawServer.run(
        answering: { connection in
            while let text = try await connection.readRequest() {
                sent.withLock { $0.append(text) }
                try await connection.write(answer)
            }
        },
        use: { authority in
            let response = try await transport.send(try request(authority))
            return (response, try await response.body.collect(upTo: 1_000_000))
        })
    return (response, body, sent.withLock { $0 })
}

/// Returns the result of a request to a misbehaving server: the error of the header section, or that of the body. The server runs until
/// `end`.
func failure(
    of transport: SystemTransport = SystemTransport(), within limit: Duration = .seconds(60), until end: Signal? = nil,
    answering answer: @escaping @Sendable (RawConnection) async throws -> Void
) async throws -> LoadError? {
    try await RawServer.run(
        answering: answer,
        use: { authority in
            var request = try LoadRequest.get("http://\(authority)/")
            request.options[AttemptTimeout.self] = limit
            let error = await SystemTransportTests.failure { () async throws(LoadError) in
                _ = try await transport.send(request).body.collect(upTo: 100_000_000)
            }
            await end?.wait()
            return error
        })
}

/// The values of a field in a request as it was sent.
func values(of name: String, in text: String) -> [String] {
    text.split(separator: "\r\n").filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { String($0.dropFirst(name.count + 1).trimmingPrefix(" ")) }
}
