/// Space for a record that a store reserves until the account's next write uses it or it is released.
public struct RoomReservation: Sendable {
    private let releasing: @Sendable () async -> Void

    /// Creates a reservation.
    ///
    /// - Parameter release: Called by ``release()``; must be harmless after a write and if called again.
    public init(release: @escaping @Sendable () async -> Void = {}) {
        releasing = release
    }

    /// Frees the space if no write has used it. Harmless if called again.
    public func release() async {
        await releasing()
    }
}
