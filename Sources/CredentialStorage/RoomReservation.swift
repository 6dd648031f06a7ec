/// Room for a record that a store holds ready, until the account's next write uses it or it is released.
public struct RoomReservation: Sendable {
    private let releasing: @Sendable () async -> Void

    /// Creates a reservation.
    ///
    /// - Parameter release: Called by ``release()``; must be harmless after a write and if called again.
    public init(release: @escaping @Sendable () async -> Void = {}) {
        releasing = release
    }

    /// Frees the room if no write has used it. Harmless if called again.
    public func release() async {
        await releasing()
    }
}
