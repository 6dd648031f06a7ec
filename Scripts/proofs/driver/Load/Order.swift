extension LoadDriver {
    /// A line of input: a request to send.
    struct Order: Decodable {
        let method: String
        let url: String
        var fields: [String: String]?
        /// The size in bytes of a body that is generated while it is sent.
        var upload: Int?
        /// The size in bytes of a body that is sent from memory, so that it can be sent again.
        var body: String?
    }

    /// A line of output: the result.
    struct Outcome: Encodable {
        var status: Int?
        var received = 0
        /// The origins of redirects.
        var redirects: [String] = []
        /// The code of the error.
        var error: String?
        var explanation: String?
        /// The peak memory of the process so far, in KiB.
        var peak = 0
    }

    /// The first argument: the configuration of the transport.
    struct Setup: Decodable {
        var roots: String?
        var decompressUpTo: Int?
        var http1Only: Bool?
        /// IP addresses of host names.
        var addresses: [String: String]?
    }
}
