/// How the requests that came differ from what was written for a transport.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Requests that were not expected.
    public let unexpected: [String]
    /// What was expected, and never came.
    public let unused: [String]

    public init(unexpected: [String], unused: [String]) {
        self.unexpected = unexpected
        self.unused = unused
    }

    /// Nil where there is no difference.
    var ifAny: Self? { unexpected.isEmpty && unused.isEmpty ? nil : self }

    public var description: String {
        (unexpected + unused.map { "expected \($0), but it was never sent" }).joined(separator: "\n")
    }
}
