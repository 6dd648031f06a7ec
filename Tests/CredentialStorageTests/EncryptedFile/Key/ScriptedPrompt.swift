import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// Answers passphrase prompts one after the other, and records the purpose of each. Fails if no answer is left.
final class ScriptedPrompt: Sendable {
    private let answers: Mutex<[Result<String, CredentialStoreError>]>
    private let purposes = Mutex<[PassphrasePurpose]>([])

    init(_ answers: Result<String, CredentialStoreError>...) {
        self.answers = Mutex(answers)
    }

    var asked: [PassphrasePurpose] {
        purposes.withLock { $0 }
    }

    func answer(_ purpose: PassphrasePurpose) throws(CredentialStoreError) -> Secret<[UInt8]> {
        purposes.withLock { $0.append(purpose) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else { throw CredentialStoreError(.locked, "The test has no further answer.") }
        return Secret(Array(try answer.get().utf8))
    }
}

extension Result where Success == String, Failure == CredentialStoreError {
    static func says(_ passphrase: String) -> Self { .success(passphrase) }
    static var declines: Self { .failure(CredentialStoreError(.dismissed, "Ordered by the test.")) }
}

extension PassphraseCost {
    /// The lowest cost that is accepted: 4 MiB.
    static let low = Self(exponent: 12)
}

extension PassphraseKey {
    convenience init(path: String, attempts: Int = 1, answers: Result<String, CredentialStoreError>...) {
        let prompt = ScriptedPrompt(answers)
        self.init(path: path, attempts: attempts, prompt: prompt)
    }

    convenience init(path: String, attempts: Int = 1, prompt: ScriptedPrompt) {
        self.init(path: path, attempts: attempts, cost: .low) { purpose throws(CredentialStoreError) in try prompt.answer(purpose) }
    }
}

extension ScriptedPrompt {
    convenience init(_ answers: [Result<String, CredentialStoreError>]) {
        self.init()
        self.answers.withLock { $0 = answers }
    }
}
