import Testing

@testable import WebAuthentication

struct MessageFramingTests {
    @Test(arguments: 1...9) func `splits messages where they end, however the bytes arrive`(_ size: Int) {
        var framing = MessageFraming(end: 0, maximumBytes: 5)
        let bytes = Array("one\u{0}\u{0}three\u{0}sixsix\u{0}\u{0}last\u{0}rest".utf8)
        var pieces: [MessageFraming.Piece] = []
        for start in stride(from: 0, to: bytes.count, by: size) { pieces += framing.take(bytes[start...].prefix(size)) }
        #expect(
            pieces == [
                .message(Array("one".utf8)), .message([]), .message(Array("three".utf8)), .oversized, .message([]),
                .message(Array("last".utf8)),
            ])
        #expect(framing.take([0]) == [.message(Array("rest".utf8))])
    }
}
