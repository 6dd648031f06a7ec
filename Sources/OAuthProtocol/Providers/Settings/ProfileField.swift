import AuthHubPrimitives

/// A member of a profile's file: how it is written and read.
struct ProfileField {
    typealias Place<Value> = WritableKeyPath<ProviderProfile, Value>

    /// The name, with a dot if the member is in a nested object: `requests.encoding`.
    let name: String
    /// The expected value, to follow `is not`.
    let expected: String
    /// Returns the value; nil if the profile has the default.
    let write: (ProviderProfile) -> JSONValue?
    /// Sets the value, and returns whether it was usable.
    let read: (JSONValue, inout ProviderProfile) -> Bool

    init<Value: Equatable>(
        _ name: String, _ place: Place<Value>, is expected: String, to json: @escaping (Value) -> JSONValue?,
        from value: @escaping (JSONValue) -> Value?
    ) {
        self.name = name
        self.expected = expected
        let standard = ProviderProfile(name: "", displayName: "")[keyPath: place]
        write = { profile in profile[keyPath: place] == standard ? nil : json(profile[keyPath: place]) }
        read = { json, profile in
            guard let value = value(json) else { return false }
            profile[keyPath: place] = value
            return true
        }
    }
}

extension ProfileField {
    static func text(_ name: String, _ place: Place<String>) -> Self {
        Self(name, place, is: "a nonempty string", to: { .string($0) }, from: { $0.nonEmptyText })
    }

    static func text(_ name: String, _ place: Place<String?>) -> Self {
        Self(name, place, is: "a nonempty string", to: { $0.map { .string($0) } }, from: { $0.nonEmptyText.map { .some($0) } })
    }

    static func texts(_ name: String, _ place: Place<[String]>) -> Self {
        Self(name, place, is: "an array of strings", to: { .texts($0) }, from: { $0.onlyTexts })
    }

    static func texts(_ name: String, _ place: Place<[String]?>) -> Self {
        Self(name, place, is: "an array of strings", to: { $0.map { .texts($0) } }, from: { $0.onlyTexts.map { .some($0) } })
    }

    static func flag(_ name: String, _ place: Place<Bool>) -> Self {
        Self(name, place, is: "true or false", to: { .bool($0) }, from: { $0.bool })
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(_ name: String, _ place: Place<Value>) -> Self {
        Self(
            name, place, is: "one of " + list(Value.self), to: { .string($0.rawValue) }, from: { $0.string.flatMap(Value.init(rawValue:)) })
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(_ name: String, _ place: Place<Value?>) -> Self {
        Self(
            name, place, is: "one of " + list(Value.self), to: { $0.map { .string($0.rawValue) } },
            from: { $0.string.flatMap(Value.init(rawValue:)).map { .some($0) } })
    }

    static func choices<Value: RawRepresentable<String> & CaseIterable & Hashable>(_ name: String, _ place: Place<Set<Value>>) -> Self {
        Self(name, place, is: "an array of " + list(Value.self), to: { .texts($0.map(\.rawValue).sorted()) }) { json in
            json.onlyTexts.flatMap { texts in
                let values = texts.compactMap(Value.init(rawValue:))
                return values.count == texts.count ? Set(values) : nil
            }
        }
    }

    static func choices<Value: RawRepresentable<String> & CaseIterable & Hashable>(_ name: String, _ place: Place<[Value]>) -> Self {
        Self(name, place, is: "an array of " + list(Value.self), to: { .texts($0.map(\.rawValue)) }) { json in
            json.onlyTexts.flatMap { texts in
                let values = texts.compactMap(Value.init(rawValue:))
                return values.count == texts.count ? values : nil
            }
        }
    }

    static func origins(_ name: String, _ place: Place<Set<Origin>>) -> Self {
        Self(name, place, is: "an array of origins: https://api.example.com", to: { .texts($0.map(\.description).sorted()) }) { json in
            json.onlyTexts.flatMap { texts in
                let origins = texts.compactMap { Origin(url: $0) }
                return origins.count == texts.count ? Set(origins) : nil
            }
        }
    }

    static func path(_ name: String, _ place: Place<MemberPath>) -> Self {
        Self(name, place, is: pathForm, to: { .string($0.description) }, from: { $0.string.flatMap { MemberPath($0) } })
    }

    static func path(_ name: String, _ place: Place<MemberPath?>) -> Self {
        Self(
            name, place, is: pathForm, to: { $0.map { .string($0.description) } },
            from: { $0.string.flatMap { MemberPath($0) }.map { .some($0) } })
    }

    /// Strings by name, ordered by name.
    static func dictionary<Value: Equatable>(
        _ name: String, _ place: Place<[String: Value]>, to json: @escaping (Value) -> JSONValue,
        from value: @escaping (JSONValue) -> Value?
    ) -> Self {
        Self(name, place, is: "an object with string values") { dictionary in
            var object = JSONObject()
            for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { object[name] = json(value) }
            return .object(object)
        } from: { json in
            json.object.flatMap { object in
                var dictionary: [String: Value] = [:]
                for member in object.members { dictionary[member.name] = value(member.value) }
                return dictionary.count == object.members.count ? dictionary : nil
            }
        }
    }

    static func parameters(_ name: String, _ place: Place<FormParameters>) -> Self {
        Self(name, place, is: "an object with string values", to: { $0.json }, from: { FormParameters(json: $0) })
    }

    private static let pathForm = "a name, or names separated by dots"

    private static func list<Value: RawRepresentable<String> & CaseIterable>(_: Value.Type) -> String {
        Value.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

extension FormParameters {
    var json: JSONValue {
        var object = JSONObject()
        for parameter in parameters { object[parameter.name] = .string(parameter.value) }
        return .object(object)
    }

    init?(json: JSONValue) {
        guard let members = json.object?.members else { return nil }
        let parameters = members.compactMap { member in member.value.string.map { Parameter(name: member.name, value: $0) } }
        guard parameters.count == members.count else { return nil }
        self.init(parameters)
    }
}

extension JSONValue {
    var nonEmptyText: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    var onlyTexts: [String]? {
        array.flatMap { elements in
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
