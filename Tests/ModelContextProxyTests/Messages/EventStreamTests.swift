import Testing

@testable import ModelContextProxy

struct EventStreamTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var events: [String] = []
        var id: String?
        var retry: Int?
    }

    static let rows: [Row] = [
        Row(testDescription: "one event", text: "event: message\ndata: {\"a\":1}\n\n", events: ["{\"a\":1}"]),
        Row(testDescription: "without a space", text: "data:x\n\n", events: ["x"]),
        Row(testDescription: "only one space is removed", text: "data:  x\n\n", events: [" x"]),
        Row(testDescription: "several lines of data", text: "data: a\ndata: b\n\n", events: ["a\nb"]),
        Row(testDescription: "carriage returns", text: "data: a\r\rdata: b\r\n\r\n", events: ["a", "b"]),
        Row(testDescription: "comments", text: ": keep-alive\n\n:\ndata: a\n\n", events: ["a"]),
        Row(testDescription: "an unfinished event", text: "data: a\n\ndata: b\n", events: ["a"]),
        Row(testDescription: "an event that only sets the ID", text: "id: 7\ndata:\n\n", id: "7"),
        Row(testDescription: "the last ID counts", text: "id: 1\ndata: a\n\nid: 2\ndata: b\n\n", events: ["a", "b"], id: "2"),
        Row(testDescription: "an ID with a null", text: "id: 1\n\nid: a\0\n\n", id: "1"),
        Row(testDescription: "a time", text: "retry: 250\n\n", retry: 250),
        Row(testDescription: "times that are not", text: "retry: 250\nretry: soon\nretry: -1\n\n", retry: 250),
        Row(testDescription: "the ID of an unfinished event", text: "id: 1\ndata: a\n\nid: 2\ndata: b\n", events: ["a"], id: "1"),
        Row(testDescription: "a byte order mark at the beginning", text: "\u{FEFF}data: a\n\n", events: ["a"]),
        Row(testDescription: "unknown fields", text: "other: x\nalso\ndata: a\n\n", events: ["a"]),
    ]

    @Test(arguments: rows)
    func `reads events, however their bytes arrive`(row: Row) throws {
        for size in [1, 3, row.text.utf8.count] {
            var (stream, events) = (EventStream(), [[UInt8]]())
            var rest = Array(row.text.utf8)[...]
            while !rest.isEmpty {
                events += try stream.accept(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(events.map { String(decoding: $0, as: UTF8.self) } == row.events)
            #expect(stream.lastEventID == row.id)
            #expect(stream.retry == row.retry)
        }
    }

    @Test func `an event that a broken connection cuts off is not mixed with the next one, and its ID does not count`() throws {
        var stream = EventStream()
        #expect(try stream.accept(Array("id: 1\ndata: a\n\nid: 2\ndata: b\ndata: c".utf8)).count == 1)
        stream.reconnect()
        #expect(stream.lastEventID == "1")
        let events = try stream.accept(Array("data: d\n\n".utf8))
        #expect(events.map { String(decoding: $0, as: UTF8.self) } == ["d"])
        #expect(stream.lastEventID == "1")
    }

    @Test func `an event that is too large is an error`() throws {
        var stream = EventStream(sizeLimit: 16)
        #expect(try stream.accept(Array("data: 0123456789\n\n".utf8)).count == 1)
        #expect(throws: EventStream.TooLarge.self) { try stream.accept(Array("data: 0123456789\ndata: 0123456789\n\n".utf8)) }
    }
}
