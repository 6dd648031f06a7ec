extension RequestLog {
    /// The number of requests that have arrived for the key set.
    package var keySetRequests: Int { requests(path: "/jwks") }
    /// The number of requests that have arrived at the userinfo endpoint.
    package var userInfoRequests: Int { requests(path: "/userinfo") }
}
