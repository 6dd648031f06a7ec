import CredentialStorage
import AuthHubPrimitives

/// A failure between this process and the Secret Service.
struct ServiceFailure: Error, Sendable {
    enum Kind: Sendable, Hashable {
        case noLibrary, noBus, noService, noCollection, locked, dismissed, nobodyAnswered, timedOut, cancelled
        /// The connection, or the service behind it, was lost.
        case disconnected
        /// The service does not know an object or a session, either any more or yet.
        case unknownObject
        case forbidden
        /// The message bus belongs to another user, or to an unknown one.
        case foreignBus
        case other
    }

    let kind: Kind
    /// The message of the library or the service, if any.
    let detail: String

    init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        self.detail = displayable(detail, limit: 300)
    }
}

extension ServiceFailure {
    /// Creates a failure from the name of an error on the bus.
    init(remote name: String, _ message: String) {
        let kind: Kind
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner": kind = .noService
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected": kind = .disconnected
        case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut": kind = .timedOut
        case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed": kind = .forbidden
        case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
            "org.freedesktop.DBus.Error.UnknownInterface", "org.freedesktop.Secret.Error.NoSession",
            "org.freedesktop.Secret.Error.NoSuchObject":
            kind = .unknownObject
        case "org.freedesktop.Secret.Error.IsLocked": kind = .locked
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): kind = .noService
        default: kind = .other
        }
        self.init(kind, message)
    }

    /// Whether a retry over a new connection may soon succeed, because the service was restarted, or is just starting.
    var mayPass: Bool { kind == .disconnected || kind == .unknownObject }

    var storeError: CredentialStoreError {
        CredentialStoreError(code, explanation, underlying: self)
    }

    private var code: CredentialStoreError.Code {
        switch kind {
        case .noLibrary, .noBus, .noService, .noCollection: .unavailable
        case .locked: .locked
        case .dismissed: .dismissed
        case .nobodyAnswered, .timedOut: .timedOut
        case .cancelled: .cancelled
        case .forbidden, .foreignBus: .refused
        case .disconnected, .unknownObject, .other: .failed
        }
    }

    /// What is wrong and what to do.
    var explanation: String {
        switch kind {
        case .noLibrary:
            "the Secret Service needs libsecret, which is not installed\(said); install it (Debian: libsecret-1-0), or choose another store"
        case .noBus:
            "the session's message bus could not be reached\(said); run this in a desktop session, set DBUS_SESSION_BUS_ADDRESS, or choose another store"
        case .foreignBus:
            "the session's message bus may belong to another user\(said), who could read what is stored there, so nothing was sent; unset DBUS_SESSION_BUS_ADDRESS, set it to your own session's bus, or choose another store"
        case .noService:
            "no program provides the Secret Service on the session's message bus\(said); install and start one (GNOME Keyring, KeePassXC, KWallet), or choose another store"
        case .noCollection:
            "the Secret Service has no default keyring\(said); create one in the desktop's password manager, allow this program to create one, or choose another store"
        case .locked:
            "the keyring is locked, and no prompt to unlock it was shown\(said); unlock it in the desktop's password manager and try again"
        case .dismissed:
            "the keyring's prompt was dismissed, or there is no display for it\(said); nothing was changed; try again and enter the keyring's password"
        case .nobodyAnswered:
            "no one answered the keyring's prompt in time\(said); nothing was changed; try again, or unlock the keyring first"
        case .timedOut:
            "the Secret Service did not respond in time\(said); it is not known whether a change was made; check that its program is still running and try again"
        case .cancelled: "the task was cancelled while it waited for the Secret Service"
        case .forbidden: "the Secret Service or the message bus denied the request\(said); check the settings of its program"
        case .disconnected:
            "the Secret Service disconnected during the operation\(said); it is not known whether a change was made; try again"
        case .unknownObject:
            "the Secret Service does not know the requested object\(said); try again; if the problem persists, restart its program (for example by logging in to the desktop again), or choose another store"
        case .other: "the Secret Service failed\(said)"
        }
    }

    private var said: String { detail.isEmpty ? "" : " (\(detail))" }
}

extension ServiceFailure: CustomStringConvertible {
    var description: String { detail.isEmpty ? "\(kind)" : "\(kind): \(detail)" }
}

extension CredentialStoreError {
    var serviceFailure: ServiceFailure? { underlying as? ServiceFailure }
}
