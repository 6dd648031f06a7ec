extension IgnoredCallbacks {
    mutating func rejected(_ peer: PeerSockets.Peer) {
        if case .user(let user) = peer { rejectedRequest(of: user) } else { rejectedRequest(of: nil) }
    }
}
