#if PostgreSQL
/// A statement of the store. Each connection prepares it when it first needs it.
struct Statement: Sendable {
    /// Its name at the server, and in the steps that tests wait for.
    let name: String
    let text: String
}

enum Parameter {
    case bytes([UInt8])
    case text(String)
    case integer(Int)
    case null

    var encoded: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case .integer(let number): (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        case .null: nil
        }
    }
}

/// A moment in the execution of a statement at which tests end the server, the connection or the process.
package struct DatabaseStep: Sendable, Hashable {
    package enum Moment: String, Sendable, CaseIterable {
        case before, sent, answered
    }

    package let statement: String
    package let moment: Moment

    package init(_ statement: String, _ moment: Moment) {
        self.statement = statement
        self.moment = moment
    }
}

extension DatabaseStep: CustomStringConvertible {
    package var description: String { "\(statement) \(moment.rawValue)" }
}

/// A function that is called at each step.
///
/// - Parameters:
///   - backend: The server's process behind the connection.
///   - socket: The connection's socket.
package typealias DatabaseStepHook = @Sendable (_ step: DatabaseStep, _ backend: Int32, _ socket: Int32) -> Void
#endif
