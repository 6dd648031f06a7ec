import CredentialStorage
import Synchronization

extension CredentialStoreContract {
    static let leaseChecks = [
        Check("A lease excludes all other callers, through every handle, until it is released.") { bench in
            let lease = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            for store in [bench.store, try await bench.anotherHandle()] {
                try await bench.expect(.leaseHeld) { _ = try await store.lease(bench.account, waitingAtMost: .zero) }
            }
            await lease.release()
            let next = try await bench.anotherHandle().lease(bench.account, waitingAtMost: .zero)
            await next.release()
        },
        Check("Releasing a lease twice does not release the next holder's lease.") { bench in
            let first = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            await first.release()
            let second = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            await first.release()
            try await bench.expect(.leaseHeld) { _ = try await bench.store.lease(bench.account, waitingAtMost: .zero) }
            await second.release()
        },
        Check("A waiting caller gets the lease when it is released.") { bench in
            let lease = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            let store = try await bench.anotherHandle()
            let waiter = Task { try await store.lease(bench.account, waitingAtMost: .seconds(60)) }
            await lease.release()
            try await waiter.value.release()
        },
        Check("A caller that waits too long gets a “lease held” error.") { bench in
            let lease = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            try await bench.expect(.leaseHeld) {
                _ = try await bench.store.lease(bench.account, waitingAtMost: .milliseconds(30))
            }
            await lease.release()
        },
        Check("A cancelled caller stops waiting and does not delay the callers behind it.") { bench in
            let lease = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            let waiter = Task { try await bench.store.lease(bench.account, waitingAtMost: .seconds(3_600)) }
            waiter.cancel()
            try await bench.expect(.cancelled) { _ = try await waiter.value }
            await lease.release()
            try await bench.store.lease(bench.account, waitingAtMost: .zero).release()
        },
        Check("Only one of many callers holds the lease at a time.") { bench in
            let working = Occupancy()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    let store = try await bench.anotherHandle()
                    group.addTask {
                        try await store.withLease(on: bench.account, waitingAtMost: .seconds(60)) {
                            let isAlone = working.enter()
                            await Task.yield()
                            working.leave()
                            return isAlone
                        }
                    }
                }
                for try await worked in group {
                    try bench.expect(worked, "Two callers held the lease at the same time.")
                }
            }
        },
        Check("A lease does not block readers, writers or other accounts.") { bench in
            let lease = try await bench.store.lease(bench.account, waitingAtMost: .zero)
            let version = try await bench.write("written meanwhile")
            try await bench.expect("written meanwhile")
            try await bench.store.delete(bench.account, at: version)
            try await bench.store.lease(bench.account("another"), waitingAtMost: .zero).release()
            await lease.release()
        },
    ]
}

/// The number of tasks that are working at the moment.
private final class Occupancy: Sendable {
    private let count = Mutex(0)

    /// Enters the critical section.
    ///
    /// - Returns: Whether no other task is in it.
    func enter() -> Bool {
        count.withLock { count in
            count += 1
            return count == 1
        }
    }

    func leave() {
        count.withLock { $0 -= 1 }
    }
}
