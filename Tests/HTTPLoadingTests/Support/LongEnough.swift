/// Runs the body with a time limit, and with a longer one if the body reports that the limit was reached too early.
///
/// A request's time starts before there is a connection, and it is unknown how long a busy machine needs to connect.
func withLimitLongEnough(_ body: (_ limit: Duration) async throws -> Bool) async throws {
    var limit = Duration.seconds(1)
    while true {
        let isLongEnough = try await body(limit)
        if isLongEnough { return }
        limit *= 2
    }
}
