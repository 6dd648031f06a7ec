// A session is created from values of these modules, so importing AuthHub is enough.
@_exported public import AuthHubPrimitives
@_exported public import CredentialStorage
@_exported public import HTTPLoading
@_exported public import OAuthProtocol
@_exported public import PlatformCredentialStorage
@_exported public import WebAuthentication
