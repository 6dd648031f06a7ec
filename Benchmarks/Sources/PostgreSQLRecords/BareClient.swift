import CPostgreSQL

/// A bare libpq client: prepared statements, one after the other, on the caller's thread.
final class BareClient {
    private let handle: OpaquePointer?

    init(_ connection: String) throws {
        handle = PQconnectdb(connection)
        guard PQstatus(handle) == CONNECTION_OK else { throw BareError.notConnected }
    }

    deinit {
        PQfinish(handle)
    }

    func run(_ text: String) throws {
        try finish(PQexec(handle, text))
    }

    func prepare(_ name: String, _ text: String) throws {
        try finish(PQprepare(handle, name, text, 0, nil))
    }

    /// Runs a prepared statement.
    ///
    /// - Returns: The number of rows in the result.
    @discardableResult
    func run(prepared name: String, _ parameters: [[UInt8]]) throws -> Int {
        let arena = parameters.flatMap(\.self) + [0]
        return try arena.withUnsafeBytes { bytes in
            var offset = 0
            let values = parameters.map { value -> UnsafePointer<CChar>? in
                defer { offset += value.count }
                return bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            let result = PQexecPrepared(
                handle, name, Int32(parameters.count), values, parameters.map { Int32($0.count) }, parameters.map { _ in 1 }, 1)
            let count = Int(PQntuples(result))
            try finish(result)
            return count
        }
    }

    private func finish(_ result: OpaquePointer?) throws {
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            throw BareError.refused(String(cString: PQerrorMessage(handle)))
        }
    }
}

enum BareError: Error {
    case notConnected, refused(String), lost
}
