@testable import AuthHub

extension CacheFinding<MetadataEntries.Copy> {
    var number: UInt64? { if case .usable(let copy) = self { copy.number } else { nil } }
}

extension CacheFinding<KeySetEntries.Copy> {
    var number: UInt64? { if case .usable(let copy) = self { copy.number } else { nil } }
}

extension CacheFinding {
    var error: SessionError? { if case .failed(let error) = self { error } else { nil } }
    var isMissing: Bool { if case .missing = self { true } else { false } }
}
