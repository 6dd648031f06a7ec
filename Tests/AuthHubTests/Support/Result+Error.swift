extension Result {
    /// The error of a failure; nil for a success.
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
