extension AuthorizeLoader: ChainMember {
    package func join(_ chain: Chain) { (authorizer as? any ChainMember)?.join(chain) }
}

extension AuthorizerRouter: ChainMember {
    package func join(_ chain: Chain) {
        for route in routes { (route.authorizer as? any ChainMember)?.join(chain) }
    }
}
