#if canImport(Darwin) || URLSESSION_ON_LINUX
import Dispatch
import Foundation
import HTTPLoading

/// One sending of a streamed body: chunks of the request's own stream go in, as fast as the system takes them out.
final class Upload: @unchecked Sendable {  // the output is touched on its queue alone
    private let output: OutputStream
    private let exchange: Exchange
    /// Of its own: a write waits until the system has taken what was written before.
    private let queue = DispatchQueue(label: "URLSessionTransport.upload")

    private static let bufferSize = 65_536

    /// Opens the body anew, and returns what the system reads it from; nil where there is no such stream.
    static func start(_ exchange: Exchange) -> InputStream? {
        guard let (input, output) = Stream.bound(bufferSize: bufferSize) else { return nil }
        Upload(exchange, into: output).start()
        // The system alone holds it: a stream that is let go of ends a write that waits.
        return input
    }

    private init(_ exchange: Exchange, into output: OutputStream) {
        self.exchange = exchange
        self.output = output
    }

    private func start() {
        let sending = Task {
            do throws(LoadError) {
                try await send()
            } catch {
                exchange.end(with: error)
            }
            queue.async { self.output.close() }
        }
        exchange.whenEnded { sending.cancel() }
    }

    private func send() async throws(LoadError) {
        let stream = try await exchange.request.body.open()
        let length = exchange.request.body.length
        var chunks = stream.makeAsyncIterator()
        var sent = 0
        queue.async { self.output.open() }
        while let chunk = try await chunks.next() {
            guard length.map({ sent + chunk.count <= $0 }) ?? true else { throw wrongLength }
            sent += chunk.count
            guard !Task.isCancelled, await write(chunk) else { return }
        }
        guard length.map({ sent == $0 }) ?? true else { throw wrongLength }
    }

    private func write(_ chunk: ArraySlice<UInt8>) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async {
                let bytes = Array(chunk)
                var written = 0
                while written < bytes.count {
                    let count = bytes[written...].withUnsafeBufferPointer { pointer in
                        pointer.baseAddress.map { self.output.write($0, maxLength: pointer.count) } ?? -1
                    }
                    guard count > 0 else { return continuation.resume(returning: false) }
                    written += count
                }
                continuation.resume(returning: true)
            }
        }
    }

    private var wrongLength: LoadError {
        LoadError(.invalidRequest, for: exchange.request, explanation: "the request body's length differs from its declared length")
    }
}

#if canImport(Darwin)
extension Stream {
    /// What is written to the one can be read from the other.
    static func bound(bufferSize: Int) -> (InputStream, OutputStream)? {
        var (input, output): (InputStream?, OutputStream?)
        getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        return (input, output)
    }
}
#endif
#endif
