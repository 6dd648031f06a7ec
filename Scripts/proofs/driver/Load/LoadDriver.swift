import AsyncHTTPClientTransport
import HTTPLoading
import HTTPTypes
import Platform

/// A program that sends the requests of its input, line by line, through a chain over the network, and prints the results. For proofs with
/// their own servers.
enum LoadDriver {
    static func main() async throws {
        let setup = try JSONDecoder().decode(Setup.self, from: Data((CommandLine.arguments.dropFirst(2).first ?? "{}").utf8))
        var configuration = NetworkTransport.Configuration()
        if let roots = setup.roots { configuration.trustRoots = .pem(Array(roots.utf8)) }
        if let limit = setup.decompressUpTo { configuration.decompression = .gzip(upTo: limit) }
        configuration.addresses = setup.addresses ?? [:]
        configuration.httpVersions = setup.http1Only == true ? .http1Only : .automatic
        let chain = try Chain(transport: try NetworkTransport(configuration: configuration)) {
            RedirectLoader()
        }
        while let line = readLine() {
            let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
            var outcome = await load(order, through: chain)
            outcome.peak = peak()
            print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
            fflush(nil)
        }
        await chain.shutdown()
    }

    private static func load(_ order: Order, through chain: Chain) async -> Outcome {
        var outcome = Outcome()
        do throws(LoadError) {
            var fields = HTTPFields()
            for (name, value) in order.fields ?? [:] {
                if let name = HTTPField.Name(name) { fields[name] = value }
            }
            let body: RequestBody =
                if let length = order.upload { zeros(length) } else { .bytes(Array((order.body ?? "").utf8)) }
            let request = try LoadRequest(HTTPRequest.Method(order.method) ?? .get, order.url, headers: fields, body: body)
            let response = try await chain.load(request)
            outcome.status = response.status.code
            outcome.redirects = response.notes.redirects.map { "\($0)" }
            for try await chunk in response.body { outcome.received += chunk.count }
        } catch {
            outcome.error = "\(error.code)"
            outcome.explanation = error.explanation
        }
        return outcome
    }

    private static func zeros(_ length: Int) -> RequestBody {
        .stream(length: length, contentType: "application/octet-stream") { () async throws(LoadError) in
            ByteStream(Zeros(rest: length))
        }
    }

    /// Returns the peak memory that the process itself reports.
    private static func peak() -> Int {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return 0 }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}

/// Zeros in chunks of 64 KiB.
private struct Zeros: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var rest: Int

    func makeAsyncIterator() -> Self { self }

    mutating func next() async -> ArraySlice<UInt8>? {
        guard rest > 0 else { return nil }
        let count = Swift.min(rest, 65_536)
        rest -= count
        return Array(repeating: 0, count: count)[...]
    }
}
