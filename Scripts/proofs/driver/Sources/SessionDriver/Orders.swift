/// The first argument: which session.
struct Setup: Decodable {
    /// The origin of the authorization server, which is that of the API, too.
    let server: String
    /// An absolute path; the store lies in it.
    let folder: String
    /// How far this process's clock is from the right time, in seconds.
    var clockOffset: Double?
    /// The timeout of a request in seconds, if it is shorter than the session's.
    var timeLimit: Double?
}

/// One line of input: what to do next, in this order.
struct Order: Decodable {
    /// Lets time pass for this process: seconds.
    var advance: Double?
    var signIn: Bool?
    var refresh: Bool?
    /// How many requests to make.
    var requests: Int?
    /// How many of them are under way at a time; all unless given.
    var concurrency: Int?
}

/// One line of output: what came of it. The first is printed before any order.
struct Outcome: Encodable {
    /// How many requests ended with each status.
    var statuses: [String: Int] = [:]
    /// How many ended with each error, by its code and those of what lies under it.
    var errors: [String: Int] = [:]
    /// What one of the errors says.
    var explanation: String?
    /// `signed in`, `signed out`, or `unknown` where the store could not be read.
    var state = ""
    /// How long it all took.
    var seconds = 0.0

    mutating func count(_ error: any Error, named name: String) {
        errors[name, default: 0] += 1
        explanation = "\(error)"
    }
}
