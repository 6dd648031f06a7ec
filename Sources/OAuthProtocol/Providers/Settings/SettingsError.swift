import AuthHubPrimitives

/// An error that says why a settings file cannot be used. It contains no secrets.
public struct SettingsError: Error, Hashable {
    /// The name of the file.
    public let file: String
    /// The name of the field, such as `requests.encoding`; nil if the error concerns the whole file.
    public let field: String?
    /// What is wrong, as text that is safe to display.
    public let problem: String

    package init(file: String, field: String? = nil, problem: String) {
        self.file = file
        self.field = field.map { displayable($0, limit: 100) }
        self.problem = displayable(problem, limit: 1000)
    }
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        field.map { "\(file): “\($0)” \(problem)" } ?? "\(file): \(problem)"
    }
}

extension SettingsError {
    /// Reads the bytes of a file as one JSON object.
    static func members(of bytes: [UInt8], file: String) throws(SettingsError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(strict: bytes.withoutByteOrderMark)
        } catch {
            throw SettingsError(file: file, problem: error.inWords(for: bytes))
        }
        guard let members = value.object else { throw SettingsError(file: file, problem: "is JSON, but not an object") }
        return members
    }
}

extension JSONError {
    /// Describes what is wrong, and in which line.
    fileprivate func inWords(for bytes: [UInt8]) -> String {
        func line(_ offset: Int) -> Int { bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1 }
        return switch self {
        case .notUTF8: "is not UTF-8 text"
        case .byteOrderMark: "begins with several byte order marks; store it as UTF-8 without one"
        case .unexpectedEnd: "is not JSON: it ends too early, perhaps with an unclosed quote or bracket"
        case .unexpectedByte(let offset):
            "is not JSON: line \(line(offset)) has an unexpected character; a comma or a quote may be missing or superfluous there or earlier"
        case .duplicateMember(let offset): "has the same member name twice, the second time in line \(line(offset))"
        case .tooManyValues(let limit): "has more than \(limit) values"
        case .tooDeep(let limit): "nests brackets more than \(limit) levels deep"
        }
    }
}
