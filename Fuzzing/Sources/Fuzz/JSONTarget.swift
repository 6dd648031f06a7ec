import AuthHubPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON texts. Foundation's decoder reads the same value as the strict reader, and serializing and parsing it again does not change it.
enum JSONTarget: Target {
    static let name = "json"

    static func check(_ input: [UInt8]) throws(Violation) {
        guard let value = try? JSONValue(strict: input) else { return }
        for indented in [false, true] {
            let again = outcome { () throws(JSONError) in try JSONValue(strict: value.serialized(indented: indented)) }
            try require(again == .success(value), "a value that is serialized and parsed again is the same")
        }
        guard value.isComparable else { return }
        guard let other = try? JSONDecoder().decode(OtherJSON.self, from: Data(input)) else {
            throw Violation(sentence: "Foundation accepts every text that the strict reader accepts")
        }
        try require(value.isSame(as: other), "Foundation reads the same value")
    }
}

/// A JSON value as Foundation's decoder reads it.
private indirect enum OtherJSON: Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([OtherJSON])
    case object([String: OtherJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([OtherJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: OtherJSON].self))
        }
    }
}

extension JSONValue {
    /// Whether Foundation's decoder can represent the value. It rejects numbers out of the range of `Double`, and keeps only one of two
    /// names that are canonically equivalent.
    fileprivate var isComparable: Bool {
        switch self {
        case .null, .bool, .string, .repairedString: true
        case .number(let number): number.double.isNormal || !number.text.utf8.contains { (0x31...0x39).contains($0) }
        case .array(let values): values.allSatisfy(\.isComparable)
        case .object(let object):
            object.members.allSatisfy(\.value.isComparable) && Set(object.members.map(\.name)).count == object.members.count
        }
    }

    fileprivate func isSame(as other: OtherJSON) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let own), .bool(let other)): own == other
        case (.number(let own), .number(let other)): own.double == other
        case (.string(let own), .string(let other)): own.hasSameBytes(as: other)
        case (.array(let own), .array(let other)): own.count == other.count && zip(own, other).allSatisfy { $0.isSame(as: $1) }
        case (.object(let own), .object(let other)):
            own.members.count == other.count
                && own.members.allSatisfy { member in other[member.name].map { member.value.isSame(as: $0) } ?? false }
        default: false
        }
    }
}
