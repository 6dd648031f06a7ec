extension SessionDriver {
    /// The first argument: the configuration of the session.
    struct Setup: Decodable {
        /// The origin of the authorization server, which is also the origin of the API.
        let server: String
        /// An absolute path; the store is in this folder.
        let folder: String
        /// The offset of this process's clock from the correct time, in seconds.
        var clockOffset: Double?
        /// The timeout of a request in seconds, if it is shorter than the session's.
        var timeLimit: Double?
    }

    /// A line of input: what to do next, in this order.
    struct Order: Decodable {
        /// The seconds by which to advance the time of this process.
        var advance: Double?
        var signIn: Bool?
        var refresh: Bool?
        /// The number of requests to send.
        var requests: Int?
        /// The number of concurrent requests; all if nil.
        var concurrency: Int?
    }

    /// A line of output: the result. The first line is printed before any input.
    struct Outcome: Encodable {
        /// The number of requests with each status.
        var statuses: [String: Int] = [:]
        /// The number of requests with each error, by its code and the codes of its underlying errors.
        var errors: [String: Int] = [:]
        /// The explanation of one of the errors.
        var explanation: String?
        /// `signed in`, `signed out`, or `unknown` if the store could not be read.
        var state = ""
        /// The total duration in seconds.
        var seconds = 0.0

        mutating func count(_ error: any Error, named name: String) {
            errors[name, default: 0] += 1
            explanation = "\(error)"
        }
    }
}
