import Platform

/// A call of the operating system that failed, and the number it gave as the reason.
package struct SystemCallError: Error, Hashable {
    /// The name of the call; nil if it says nothing to a reader.
    package let call: String?
    /// The error number of the system (`errno`), such as `ENOENT`.
    package let number: Int32

    package init(call: String? = nil, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The error of the call that failed last. To be created before any other call changes `errno`.
    package static func last(_ call: String? = nil) -> Self { Self(call: call, number: errno) }
}

extension SystemCallError {
    /// What the system calls the reason.
    package var reason: String { String(cString: strerror(number)) }
}

extension SystemCallError: CustomStringConvertible {
    package var description: String { call.map { "\($0) failed: \(reason)" } ?? reason }
}

/// Repeats a call that a signal interrupted.
package func retrying<Outcome: SignedInteger>(_ call: () -> Outcome) -> Outcome {
    while true {
        let outcome = call()
        if outcome != -1 || errno != EINTR { return outcome }
    }
}
