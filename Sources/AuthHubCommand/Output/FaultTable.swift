import AuthHubPrimitives
import DevelopmentServer

/// The faults that the development server can inject.
enum FaultTable {
    static func json(_ personas: [FaultPersona]) -> JSONValue {
        .array(personas.map { ["id": .string($0.id), "description": .string($0.behavior)] })
    }

    static func text(_ personas: [FaultPersona], _ style: Style) -> String {
        style.facts(personas.map { ($0.id, $0.behavior) })
    }
}
