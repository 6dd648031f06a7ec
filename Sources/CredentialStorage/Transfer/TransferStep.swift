/// The points of a move at which a process may die: tests inspect the stores there, or die there.
package enum TransferStep: String, Sendable, CaseIterable, Codable {
    case leased
    case read
    case written
    case verified
    case deleted
}

package typealias TransferStepHook = @Sendable (TransferStep) -> Void
