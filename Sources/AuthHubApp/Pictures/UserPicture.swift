import Observation

/// The picture of a user, which is loaded when its URL is known.
@MainActor @Observable
final class UserPicture {
    /// The picture as PNG or JPEG, as its server sent it; nil if it has not been loaded, or if there is none.
    private(set) var bytes: [UInt8]?
    @ObservationIgnored private var address: String?
    @ObservationIgnored private var loading: OwnedTask?
    @ObservationIgnored private let loader: PictureLoader?

    /// - Parameter loader: The loader; nil if pictures are not shown.
    init(at address: String?, by loader: PictureLoader?) {
        self.loader = loader
        move(to: address)
    }

    /// Replaces the picture if it is at another URL now.
    func move(to address: String?) {
        guard address != self.address else { return }
        self.address = address
        bytes = nil
        loading?.cancel()
        loading = nil
        load()
    }

    /// Loads the picture, unless it is known or being loaded.
    func load() {
        guard bytes == nil, loading == nil, let loader, let address else { return }
        loading = OwnedTask { [weak self] in
            let bytes = await loader.picture(at: address)
            guard !Task.isCancelled else { return }
            self?.loading = nil
            self?.bytes = bytes
        }
    }
}
