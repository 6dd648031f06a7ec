/// An error that lists the differences between the expected and the received requests.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requests that were not expected.
    package let unexpected: [String]
    /// The requests that were expected but not received.
    package let unused: [String]

    /// Creates an error from descriptions of the requests on each side.
    package init(unexpected: [String], unused: [String]) {
        self.unexpected = unexpected
        self.unused = unused
    }

    /// The error, or nil if there are no differences.
    var ifAny: Self? { unexpected.isEmpty && unused.isEmpty ? nil : self }

    public var description: String {
        (unexpected + unused.map { "expected \($0), but it was never sent" }).joined(separator: "\n")
    }
}
