import FakeAppStore
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import NIOSSL

/// With what the fake App Store proves itself.
public struct FakeTLS: Sendable {
  public var identity: Identity
  /// Shown instead, by turns, where the fault `bad-certificate` strikes.
  public var impostors: [Identity]
  /// Whether HTTP/2 is offered by ALPN.
  public var offersHTTP2 = true

  /// A certificate, with those that lead to its authority after it, and its key: two files in PEM.
  public struct Identity: Sendable, Hashable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  public init(_ identity: Identity, impostors: [Identity] = []) {
    (self.identity, self.impostors) = (identity, impostors)
  }
}

extension FakeAppStoreServer {
  /// The fake App Store behind HTTPS on 127.0.0.1. Files that cannot be read are told by `start()`.
  public convenience init(_ configuration: FakeAppStoreConfiguration, tls: FakeTLS) {
    self.init(configuration, scheme: "https") { handler, responder in
      if tls.offersHTTP2 {
        let channel = { (identity: FakeTLS.Identity) in
          try HTTP2UpgradeChannel(tlsConfiguration: identity.configuration, responder: responder)
        }
        return FaultyListener(
          try channel(tls.identity), impostors: try tls.impostors.map(channel), handler: handler)
      }
      let channel = { (identity: FakeTLS.Identity) in
        try TLSChannel(HTTP1Channel(responder: responder), tlsConfiguration: identity.configuration)
      }
      return FaultyListener(
        try channel(tls.identity), impostors: try tls.impostors.map(channel), handler: handler)
    }
  }
}

extension FakeTLS.Identity {
  fileprivate var configuration: TLSConfiguration {
    get throws {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate)
      let key = try NIOSSLPrivateKey(file: key, format: .pem)
      return .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    }
  }
}
