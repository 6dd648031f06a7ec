package import AuthHubPrimitives

extension ProviderQuirks {
    /// A provider's own format of errors: which members show that a response is an error, and what they mean.
    package struct ErrorFormat: Sendable, Hashable {
        /// The member that marks an error: the response is one if the member is present, not null, and has the ``value``.
        package var sign: MemberPath
        /// nil for any value.
        package var value: JSONValue?
        /// Whether the status must be an error, too.
        package var needsFailureStatus: Bool
        /// The error code: a string or a number.
        package var code: MemberPath
        /// The human-readable explanation.
        package var explanation: MemberPath?

        package init(
            sign: MemberPath, value: JSONValue? = nil, needsFailureStatus: Bool = false, code: MemberPath, explanation: MemberPath? = nil
        ) {
            self.sign = sign
            self.value = value
            self.needsFailureStatus = needsFailureStatus
            self.code = code
            self.explanation = explanation
        }
    }
}
