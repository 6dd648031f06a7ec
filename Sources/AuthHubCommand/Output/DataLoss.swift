import Platform
import Synchronization

/// A record of whether all data reached standard output. If the output is redirected to a full disk, for example, the command must fail,
/// because the token is missing.
final class DataLoss: Sendable {
    private let number = Mutex<Int32?>(nil)

    func note(_ number: Int32?) {
        guard let number else { return }
        self.number.withLock { $0 = $0 ?? number }
    }

    /// The failure of the command; nil if nothing was lost.
    var failure: Failure? {
        guard let number = number.withLock({ $0 }) else { return nil }
        return Failure(
            "output_failed", .failed, "standard output cannot be written: \(String(cString: strerror(number)))",
            hint: "free some space or redirect it elsewhere, then run the same command again")
    }
}
