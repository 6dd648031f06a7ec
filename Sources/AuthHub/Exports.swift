// Whoever imports AuthHub speaks the words of the floors below: a session is made of their values.
@_exported public import AuthHubPrimitives
@_exported public import CredentialStorage
@_exported public import HTTPLoading
@_exported public import OAuthProtocol
@_exported public import PlatformCredentialStorage
@_exported public import WebAuthentication
