#if PostgreSQL
import CPostgreSQL

/// The server's response to a statement.
final class Rows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    var count: Int { Int(PQntuples(result)) }

    /// The number of changed rows.
    var changed: Int {
        Int(String(cString: PQcmdTuples(result))) ?? 0
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0, let start = PQgetvalue(result, Int32(row), Int32(column)) else {
            return nil
        }
        let count = Int(PQgetlength(result, Int32(row), Int32(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ row: Int, _ column: Int) -> String? {
        bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns an integer of any size, or a Boolean.
    func integer(_ row: Int, _ column: Int) -> Int? {
        guard let bytes = bytes(row, column), (1...8).contains(bytes.count) else { return nil }
        let sign: Int64 = bytes[0] & 0x80 == 0 ? 0 : -1
        return Int(bytes.reduce(sign) { $0 << 8 | Int64($1) })
    }
}
#endif
