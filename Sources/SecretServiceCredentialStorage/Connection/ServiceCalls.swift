#if !canImport(Darwin)
import CredentialStorage
import Dispatch
import Synchronization

/// Calls to the service that block the thread, but end when they time out or their task is cancelled.
struct ServiceCalls: Sendable {
    let library: LibSecret
    let limit: Duration
    let cancellation: Cancellation

    // A separate queue, which gets a thread even if all others wait for the service.
    private static let timers = DispatchQueue(label: "authhub.secret-service.timers")
}

extension ServiceCalls {
    /// Runs one call to the library.
    ///
    /// - Parameter call: The call. It gets a cancellable and a pointer for its error, and returns nil if it failed.
    func guarded<Success>(
        _ call: (_ cancellable: LibSecret.Pointer, _ error: LibSecret.ErrorPlace) -> Success?
    ) throws(CredentialStoreError) -> Success {
        guard let pointer = library.bus.newCancellable() else { throw ServiceFailure(.other).storeError }
        let cancellable = LibraryObject(pointer, releasedBy: library.objects.release)
        let cancel = library.bus.cancel
        let lateness = Lateness()
        let timer = DispatchWorkItem {
            lateness.come()
            cancel(cancellable.pointer)
        }
        Self.timers.asyncAfter(deadline: .now() + limit.dispatchInterval, execute: timer)
        defer { timer.cancel() }
        var error: LibSecret.Pointer?
        let success = cancellation.withAction({ cancel(cancellable.pointer) }) { call(cancellable.pointer, &error) }
        if let success {
            if let error { library.memory.freeError(error) }
            return success
        }
        throw failure(error, isLate: lateness.hasCome).storeError
    }

    private func failure(_ error: LibSecret.Pointer?, isLate: Bool) -> ServiceFailure {
        guard let error else { return ServiceFailure(.other) }
        defer { library.memory.freeError(error) }
        // GError: a domain of 32 bits, a code of 32 bits, and a string.
        let domain = error.load(as: UInt32.self)
        let code = error.load(fromByteOffset: 4, as: Int32.self)
        let message = error.load(fromByteOffset: 8, as: LibSecret.Text?.self).map { String(cString: $0) } ?? ""
        if let name = library.bus.remoteError(error) {
            defer { library.memory.free(name) }
            return ServiceFailure(remote: String(cString: name), message)
        }
        guard domain == library.bus.ioErrorDomain() else { return ServiceFailure(.other, message) }
        switch code {
        case 19: return ServiceFailure(isLate ? .timedOut : .cancelled)
        case 24: return ServiceFailure(.timedOut)
        case 18: return ServiceFailure(.disconnected, message)
        default: return ServiceFailure(.other, message)
        }
    }
}

/// Whether a call timed out before it ended.
private final class Lateness: Sendable {
    private let state = Atomic(false)

    var hasCome: Bool { state.load(ordering: .acquiring) }
    func come() { state.store(true, ordering: .releasing) }
}

extension Duration {
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = boundedWait.components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
#endif
