/// A first-in, first-out line whose members can also leave from the middle, by their tickets.
struct WaitingLine<Member> {
    private var places: [(ticket: UInt64, member: Member?)] = []
    private var front = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var members: [Member] { places[front...].compactMap(\.member) }

    /// Adds a member to the end of the line.
    ///
    /// - Parameter ticket: A ticket higher than all before.
    mutating func append(_ member: Member, ticket: UInt64) {
        places.append((ticket, member))
        count += 1
    }

    mutating func removeFirst() -> Member? {
        while front < places.count {
            let member = places[front].member
            places[front].member = nil
            front += 1
            guard let member else { continue }
            count -= 1
            tidy()
            return member
        }
        return nil
    }

    /// Removes a member from the line.
    ///
    /// - Returns: nil if no member has the ticket.
    mutating func remove(ticket: UInt64) -> Member? {
        var low = front
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].ticket == ticket, let member = places[low].member else { return nil }
        places[low].member = nil
        count -= 1
        tidy()
        return member
    }

    mutating func removeAll(where leaves: (Member) -> Bool) -> [Member] {
        let leaving = members.filter(leaves)
        places = places[front...].filter { place in place.member.map { !leaves($0) } ?? false }
        front = 0
        count = places.count
        return leaving
    }

    /// Closes the gaps once they outnumber the members, which costs each member a constant number of moves.
    private mutating func tidy() {
        guard places.count > 32, places.count > 2 * count else { return }
        places = places[front...].filter { $0.member != nil }
        front = 0
    }
}
