/// Runs the body with a time limit, and with a longer one if the body reports that the limit was reached too early.
///
/// The time of a request starts before the connection is established, and it is unknown how long this takes on a busy machine.
func withLimitLongEnough(_ body: (_ limit: Duration) async throws -> Bool) async throws {
    var limit = Duration.seconds(1)
    while true {
        let isLongEnough = try await body(limit)
        if isLongEnough { return }
        limit *= 2
    }
}
