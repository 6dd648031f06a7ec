/// A parser of server-sent events (HTML Living Standard §9.2), as far as a transport of messages needs it.
struct EventStream: Sendable {
    /// The ID of the last event, with which a broken stream can be continued; nil if the server sends none.
    private(set) var lastEventID: String?
    /// How long to wait before the stream is continued, in milliseconds; nil if the server does not say.
    private(set) var retry: Int?

    /// The ID of the event that is being read. It counts only once the event is complete.
    private var nextEventID: String?
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var followsReturn = false
    private var isAtStart = true

    /// The maximum size of an event, in bytes.
    static let usualSizeLimit = 16 * 1024 * 1024

    /// The size of the event that is being read, in bytes.
    var pendingSize: Int { line.count + data.count }

    private let sizeLimit: Int

    init(sizeLimit: Int = usualSizeLimit) { self.sizeLimit = sizeLimit }

    /// An event that is too large.
    struct TooLarge: Error {}

    /// Accepts the next bytes.
    ///
    /// - Returns: The data of the events that are complete now, without those that have none.
    mutating func accept(_ bytes: some Sequence<UInt8>) throws(TooLarge) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes {
            defer { followsReturn = byte == Self.carriageReturn }
            switch byte {
            case Self.lineFeed where followsReturn: break
            case Self.lineFeed, Self.carriageReturn:
                if let event = endLine() { events.append(event) }
            default:
                guard line.count + data.count < sizeLimit else { throw TooLarge() }
                line.append(byte)
            }
        }
        return events
    }

    /// Discards an incomplete event, before the stream continues on another connection.
    mutating func reconnect() {
        (line, data, hasData, followsReturn, isAtStart) = ([], [], false, false, true)
        nextEventID = lastEventID
    }

    private mutating func endLine() -> [UInt8]? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        isAtStart = false
        guard !line.isEmpty else {
            lastEventID = nextEventID ?? lastEventID
            defer { (data, hasData) = ([], false) }
            return data.isEmpty ? nil : data
        }
        let end = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[end...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<end], as: UTF8.self) {
        case "data":
            if hasData { data.append(Self.lineFeed) }
            data += value
            hasData = true
        case "id" where !value.contains(0): nextEventID = String(decoding: value, as: UTF8.self)
        case "retry": retry = Int(String(decoding: value, as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil } ?? retry
        default: break
        }
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
