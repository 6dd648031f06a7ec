public import HTTPLoading

extension LoadError {
    /// The session's error, if the request failed because no token was available (`.notAuthorized`); nil otherwise.
    public var sessionError: SessionError? { underlying as? SessionError }
}
