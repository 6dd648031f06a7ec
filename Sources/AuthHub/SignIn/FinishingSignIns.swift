import CredentialStorage

/// The sign-ins that are being finished by their callbacks, beside whatever else a session does.
struct FinishingSignIns {
    typealias Finish = Task<Result<(Credential, CredentialVersion), SessionError>, Never>

    private var finishes: [UInt64: (task: Finish, isStoring: Bool)] = [:]
    private var last: UInt64 = 0

    /// Those that were told to store: a sign-out deletes what they bring, and not before it stands there.
    var storing: [Finish] { finishes.values.filter(\.isStoring).map(\.task) }

    mutating func begin(_ make: (UInt64) -> Finish) -> (number: UInt64, task: Finish) {
        last += 1
        let task = make(last)
        finishes[last] = (task, false)
        return (last, task)
    }

    mutating func store(_ number: UInt64) { finishes[number]?.isStoring = true }

    mutating func end(_ number: UInt64) { finishes[number] = nil }
}
