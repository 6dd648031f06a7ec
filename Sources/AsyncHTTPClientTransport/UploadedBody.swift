import AsyncHTTPClient
import HTTPLoading
import NIOCore
import Synchronization

/// The body of a request on its way out, and what went wrong while it was made: the client would only tell that it did.
final class UploadedBody: Sendable {
    private let request: LoadRequest
    private let eventLoops: any EventLoopGroup
    private let firstFailure: Mutex<LoadError?> = Mutex(nil)

    init(_ request: LoadRequest, on eventLoops: any EventLoopGroup) {
        self.request = request
        self.eventLoops = eventLoops
    }

    var failure: LoadError? { firstFailure.withLock { $0 } }

    func forClient() async throws(LoadError) -> HTTPClientRequest.Body? {
        if let bytes = request.body.bytes { return bytes.isEmpty ? nil : .bytes(ByteBuffer(bytes: bytes)) }
        let chunks = Chunks(body: self, stream: try await request.body.open())
        return .stream(chunks, length: request.body.length.map { .known(Int64($0)) } ?? .unknown)
    }

    /// - Throws: an error of the stream, or for one that is shorter or longer than was said: the server would wait for the rest, or take
    ///   it for the next request.
    fileprivate func check(_ chunk: ArraySlice<UInt8>?, after sent: Int) throws(LoadError) {
        guard let length = request.body.length else { return }
        let isWrong = chunk.map { sent + $0.count > length } ?? (sent != length)
        guard isWrong else { return }
        throw LoadError(
            .invalidRequest, for: request,
            explanation: "the request body is \(chunk == nil ? "shorter" : "longer") than the \(length) bytes it announced")
    }

    fileprivate func note(_ error: LoadError) {
        firstFailure.withLock { $0 = $0 ?? error }
    }

    /// How many bytes may be on their way to the event loop that sends them.
    private static let bytesAhead = 524_288

    /// Waits until the event loops have seen all that was handed to them.
    ///
    /// The client asks for chunks until a connection tells it to pause; a connection that is slower than the maker of the body gets to
    /// tell it only when it has taken all that is queued in front of it, which can be the whole body.
    fileprivate func catchUp() async {
        for loop in eventLoops.makeIterator() { try? await loop.submit {}.get() }
    }

    private struct Chunks: AsyncSequence, Sendable {
        let body: UploadedBody
        let stream: ByteStream

        func makeAsyncIterator() -> Iterator {
            Iterator(body: body, stream: stream.makeAsyncIterator())
        }

        struct Iterator: AsyncIteratorProtocol {
            let body: UploadedBody
            var stream: ByteStream.Iterator
            var sent = 0
            var ahead = 0

            mutating func next() async throws -> ByteBuffer? {
                do {
                    if ahead >= UploadedBody.bytesAhead {
                        await body.catchUp()
                        ahead = 0
                    }
                    let chunk = try await stream.next()
                    try body.check(chunk, after: sent)
                    guard let chunk else { return nil }
                    sent += chunk.count
                    ahead += chunk.count
                    return ByteBuffer(bytes: chunk)
                } catch {
                    body.note(error)
                    throw error
                }
            }
        }
    }
}
