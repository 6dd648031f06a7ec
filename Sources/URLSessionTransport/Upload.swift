#if canImport(Darwin) || URLSESSION_ON_LINUX
import Dispatch
import Foundation
import HTTPLoading

/// One attempt to send a streamed body: writes chunks of the request's own stream as fast as the system reads them.
final class Upload: @unchecked Sendable {  // the output is touched on its queue alone
    private let output: OutputStream
    private let exchange: Exchange
    /// A separate queue, because a write blocks until the system has read what was written before.
    private let queue = DispatchQueue(label: "URLSessionTransport.upload")

    private static let bufferSize = 65_536

    /// Opens the body again, and returns the stream from which the system reads it; nil if the body cannot be opened.
    static func start(_ exchange: Exchange) -> InputStream? {
        guard let (input, output) = Stream.bound(bufferSize: bufferSize) else { return nil }
        Upload(exchange, into: output).start()
        // Only the system retains it: releasing the stream ends a blocked write.
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
    /// Returns two bound streams: bytes written to the output can be read from the input.
    static func bound(bufferSize: Int) -> (InputStream, OutputStream)? {
        var (input, output): (InputStream?, OutputStream?)
        getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        return (input, output)
    }
}
#endif
#endif
