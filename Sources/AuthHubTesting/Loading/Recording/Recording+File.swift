import AuthHubPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Recording {
    /// Reads a recording from a file.
    ///
    /// - Throws: ``RecordingError`` with `.unreadable`, `.malformed` or `.unknownVersion`.
    public init(readingFrom path: String) throws(RecordingError) {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { throw .unreadable }
        guard let json = try? JSONValue(strict: bytes) else { throw .malformed("not valid JSON") }
        try self.init(json)
    }

    /// Writes the recording atomically, by renaming a temporary file.
    ///
    /// - Throws: ``RecordingError`` with `.unwritable`.
    func write(to path: String) throws(RecordingError) {
        do {
            try Data(json.serialized(indented: true) + [0x0A]).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .unwritable
        }
    }
}
