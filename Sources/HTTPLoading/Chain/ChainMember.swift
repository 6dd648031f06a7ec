/// A loader or an authorizer that needs to know the chains it belongs to.
package protocol ChainMember {
    /// Called once for each chain, when the chain is created. The member must not keep the chain alive.
    func join(_ chain: Chain)
}
