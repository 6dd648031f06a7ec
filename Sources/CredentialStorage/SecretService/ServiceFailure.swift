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
            "The Secret Service is reached through libsecret, which is not on this system\(said). Install it (Debian: libsecret-1-0), or choose another store."
        case .noBus:
            "No message bus of the person's session could be reached\(said). Run this in a desktop session, set DBUS_SESSION_BUS_ADDRESS, or choose another store."
        case .foreignBus:
            "The session's message bus is not known to be your own\(said). Its owner could read what is stored there, so nothing was sent. Unset DBUS_SESSION_BUS_ADDRESS or set it to your own session's bus, or choose another store."
        case .noService:
            "No program offers the Secret Service on the session's message bus\(said). Install and start one (GNOME Keyring, KeePassXC, KWallet), or choose another store."
        case .noCollection:
            "The Secret Service has no default keyring to keep anything in\(said). Make one in the desktop's password program, allow to make one here, or choose another store."
        case .locked:
            "The keyring is locked, and no one was asked to unlock it\(said). Unlock it in the desktop's password program and try again."
        case .dismissed:
            "The keyring's prompt was dismissed, or there is no display for it\(said). Nothing was changed. Try again and enter the keyring's password."
        case .nobodyAnswered:
            "No one answered the keyring's prompt in time\(said). Nothing was changed. Try again, or unlock the keyring first."
        case .timedOut:
            "The Secret Service did not answer in time\(said). Whether a change was made is not known. See whether its program still runs, and try again."
        case .cancelled: "The task was cancelled while it waited for the Secret Service."
        case .forbidden: "The Secret Service, or the message bus, does not allow it\(said). Check the settings of its program."
        case .disconnected:
            "The Secret Service went away in the middle of the work\(said). Whether a change was made is not known. Try again."
        case .unknownObject:
            "The Secret Service does not know what it is asked for\(said). Try again; if it stays so, start its program anew (logging in to the desktop again does that), or choose another store."
        case .other: "The Secret Service failed\(said)."
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
