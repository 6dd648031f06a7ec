import Crypto

/// The format of unencrypted records. There is no key to wait for.
struct PlainForm: RecordForm {
    struct Sealing: Sendable {}

    let lineage = 0
}

extension PlainForm {
    func open(_ bytes: [UInt8], named name: RecordName) throws(CredentialStoreError) -> RecordReading {
        .record(try PlainRecord.open(bytes, named: name))
    }

    func findKeys(for missing: MissingKey) {}

    func offPool<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        try work()
    }

    func prepareForWriting() async -> Bool { true }

    func prepareForFirstRecord(keyIsFresh: Bool) async {}

    func sealing() async -> Sealing { Sealing() }

    func sealingAtHand() -> Sealing? { Sealing() }

    func seal(
        _ credential: StoredCredential, of account: CredentialAccount, generation: UInt64, with sealing: Sealing
    ) throws(CredentialStoreError) -> [UInt8] {
        try PlainRecord.bytes(of: credential, account, generation: generation)
    }
}

/// The marks: the generation, and SHA-256 of it and the record's name.
extension PlainForm {
    func mark(_ generation: UInt64, of name: RecordName, with sealing: Sealing) -> [UInt8] {
        generation.bytes + SHA256.hash(data: generation.bytes + name.digest)
    }

    func generation(inMark mark: [UInt8], of name: RecordName) -> UInt64? {
        guard mark.count >= 8 + SHA256.byteCount else { return nil }
        let text = mark[..<8]
        let generation = UInt64(bytes: text)
        guard generation <= Generations.highest, mark[8..<8 + SHA256.byteCount].elementsEqual(SHA256.hash(data: text + name.digest)) else {
            return nil
        }
        return generation
    }
}
