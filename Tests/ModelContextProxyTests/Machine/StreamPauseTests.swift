@testable import ModelContextProxy
import Testing

struct StreamPauseTests {
    @Test(arguments: [
        ("the server asks for less than a second", 200, 1, 200), ("the server asks for no pause", 0, 1, 10),
        ("the server says nothing", nil, 1, 1000), ("attempts that bring nothing double it", 200, 3, 800),
        ("the server asks for a day", 86_400_000, 1, 60_000), ("doubling stops at the limit", 30_000, 5, 60_000),
    ])
    func `waits as long as the server asks for before it opens a stream again`(
        description: String, retry: Int?, attempts: Int, milliseconds: Int
    ) {
        #expect(ResumableStream.pause(retry, after: attempts) == milliseconds, "\(description)")
    }

    @Test(arguments: [(0, 10), (1, 10), (2, 20), (4, 80), (50, 1000)])
    func `streams without an event lengthen a short pause`(emptyStreams: Int, milliseconds: Int) {
        #expect(ResumableStream.pause(0, after: 1, emptyConnections: emptyStreams) == milliseconds)
        #expect(ResumableStream.pause(5000, after: 1, emptyConnections: emptyStreams) == 5000)
    }
}
