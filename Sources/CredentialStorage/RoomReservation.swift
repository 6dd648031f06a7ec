/// Space that a store has reserved for an account's next write, until that write uses the space or ``release()`` frees it.
public struct RoomReservation: Sendable {
    private let releasing: @Sendable () async -> Void

    /// Creates a reservation.
    ///
    /// - Parameter release: Called by ``release()``. It must have no effect after a write, or when it is called again.
    public init(release: @escaping @Sendable () async -> Void = {}) {
        releasing = release
    }

    /// Frees the space if no write has used it. Has no effect if the space was already freed.
    public func release() async {
        await releasing()
    }
}
