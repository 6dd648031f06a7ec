/// A loader or an authorizer that needs to know the chains it belongs to.
package protocol ChainMember {
    /// Called once for each chain, when the chain is created. The member must not keep the chain alive.
    func join(_ chain: Chain)
}

extension AuthorizeLoader: ChainMember {
    package func join(_ chain: Chain) { (authorizer as? any ChainMember)?.join(chain) }
}

extension AuthorizerRouter: ChainMember {
    package func join(_ chain: Chain) {
        for route in routes { (route.authorizer as? any ChainMember)?.join(chain) }
    }
}
