import DevelopmentServer

/// The mistakes that the development server can make.
enum FaultTable {
    static func text(_ personas: [FaultPersona], _ style: Style) -> String {
        style.facts(personas.map { ($0.id, $0.mistake) })
    }
}
