/// One line of input: a request to load.
struct Order: Decodable {
    let method: String
    let url: String
    var fields: [String: String]?
    /// Bytes of a body that is made while it is sent.
    var upload: Int?
    /// Bytes of a body that is sent from memory, so that it can be sent again.
    var body: String?
}

/// One line of output: what came of it.
struct Outcome: Encodable {
    var status: Int?
    var received = 0
    /// Origins that redirects led to.
    var redirects: [String] = []
    /// The code of the error.
    var error: String?
    var explanation: String?
    /// The most memory the process has held so far, in KiB.
    var peak = 0
}

/// The first argument: how the transport is made.
struct Setup: Decodable {
    var roots: String?
    var decompressUpTo: Int?
    var http1Only: Bool?
    /// IP addresses for names of hosts.
    var addresses: [String: String]?
}
