package import WebAuthentication

/// A port for servers that take no other than the registered one: a free one out of those that the system gives to nobody by itself, so
/// that no test beside takes it meanwhile.
package func quietPort(of authenticator: any WebAuthenticator) async throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 10_000..<32_000)
        guard let attempt = try? await authenticator.prepare(.loopback(port: port)) else { continue }
        await attempt.close()
        return port
    }
    throw NoQuietPort()
}

private struct NoQuietPort: Error {}
