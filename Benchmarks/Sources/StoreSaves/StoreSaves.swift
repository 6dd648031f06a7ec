import AuthHubPrimitives
import CredentialStorage
import Measuring

/// The cost of saving a record durably and loading it again, compared with the minimum of a careful program with one file.
///
///     StoreSaves [--smoke]              times, compared with those of the baseline
///     StoreSaves --only STORE NUMBER    only this many pairs with one store (baseline, sealed, plain), to count the system calls
@main
struct StoreSaves {
    static func main() {
        blocking { try await run() }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let pieces = pieces(in: folder)
        if arguments.count == 4, let count = Int(arguments[3]), let piece = pieces.first(where: { $0.name == arguments[2] }) {
            return try await piece.work(count)
        }
        let isSmoke = arguments.contains("--smoke")
        let count = isSmoke ? 5 : 100
        let times = try await Comparison(rounds: isSmoke ? 3 : 21).measure(pieces.map { piece in { try await piece.work(count) } })
        for (piece, time) in zip(pieces, times) {
            let ratio = piece.name == "baseline" ? "" : ", \(time.rate(beside: times[0], goal: piece.name == "sealed" ? 0.7 : nil))"
            print("\(piece.title): \(time.perSecond(count)) pairs per second\(ratio)")
        }
    }

    private struct Piece {
        let name: String
        let title: String
        let work: @Sendable (Int) async throws -> Void
    }

    private static func pieces(in folder: ScratchFolder) -> [Piece] {
        let payload = [UInt8](repeating: 120, count: 618)
        let sealed = EncryptedFileStore(folder: "\(folder.path)/sealed", key: KeyFile(path: "\(folder.path)/sealed.key"))
        let plain = PlainFileStore(folder: "\(folder.path)/plain")
        return [
            Piece(name: "baseline", title: "write, fsync, rename, read") { count in
                let file = BareFile(folder: folder.path)
                for _ in 0..<count { try file.saveAndLoad(payload, synchronizingFolder: false) }
            },
            Piece(name: "folder", title: "the same and fsync of the folder") { count in
                let file = BareFile(folder: folder.path)
                for _ in 0..<count { try file.saveAndLoad(payload, synchronizingFolder: true) }
            },
            Piece(name: "sealed", title: "encrypted file store, with a lease") { try await saveAndLoad(payload, in: sealed, $0) },
            Piece(name: "plain", title: "plain file store, with a lease") { try await saveAndLoad(payload, in: plain, $0) },
        ]
    }

    private static func saveAndLoad(_ payload: [UInt8], in store: some CredentialStore, _ count: Int) async throws {
        let account = CredentialAccount(server: "https://server.example", clientID: "benchmark")
        var version = try await store.read(account)?.version
        for _ in 0..<count {
            let lease = try await store.lease(account, waitingAtMost: .seconds(1))
            guard case .stored(let new) = try await store.write(Secret(payload), for: account, replacing: version) else {
                throw ScratchError(call: "write")
            }
            version = new
            await lease.release()
            guard try await store.read(account)?.payload.reveal().count == payload.count else { throw ScratchError(call: "read") }
        }
    }
}
