/// Runs the body with a time limit, and with a longer one where it says that the limit came before what it is to end.
///
/// A request's time begins before there is a connection, and nothing says how long a busy machine needs for one.
func withLimitLongEnough(_ body: (_ limit: Duration) async throws -> Bool) async throws {
    var limit = Duration.seconds(1)
    while true {
        let isLongEnough = try await body(limit)
        if isLongEnough { return }
        limit *= 2
    }
}
