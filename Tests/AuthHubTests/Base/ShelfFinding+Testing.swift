@testable import AuthHub

extension ShelfFinding<MetadataShelf.Copy> {
    var number: UInt64? { if case .usable(let copy) = self { copy.number } else { nil } }
}

extension ShelfFinding<KeySetShelf.Copy> {
    var number: UInt64? { if case .usable(let copy) = self { copy.number } else { nil } }
}

extension ShelfFinding {
    var error: SessionError? { if case .failed(let error) = self { error } else { nil } }
    var isMissing: Bool { if case .missing = self { true } else { false } }
}
