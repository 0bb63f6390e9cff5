import HummingbirdCore

#if TLS
  import HummingbirdTLS
  import NIOSSL
#endif

/// With what a listener proves over TLS that it is the host that Apple asks for: a certificate and its key.
///
/// TLS is a trait of the package, since the library for it (BoringSSL) takes longer to build than all that the demo needs.
public struct ListenerIdentity: Sendable {
  /// Why they cannot be used, in words that follow "cannot be used:".
  public struct Problem: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  #if TLS
    /// Whether this program was built with TLS.
    public static let isSupported = true
    private let configuration: TLSConfiguration

    /// - Parameters:
    ///   - certificates: in PEM: the host's, followed by those that lead to its authority.
    ///   - key: in PEM.
    public init(certificates: [UInt8], key: [UInt8]) throws(Problem) {
      let chain: [NIOSSLCertificate]
      do {
        chain = try NIOSSLCertificate.fromPEMBytes(certificates)
      } catch {
        throw Problem(description: "the first holds no certificate in PEM")
      }
      guard !chain.isEmpty else { throw Problem(description: "the first holds no certificate in PEM") }
      let own: NIOSSLPrivateKey
      do {
        own = try NIOSSLPrivateKey(bytes: key, format: .pem)
      } catch {
        throw Problem(description: "the second holds no private key in PEM without a passphrase")
      }
      configuration = .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(own))
      do {
        _ = try NIOSSLContext(configuration: configuration)
      } catch {
        throw Problem(description: "the key is not that of the first certificate")
      }
    }

    func over(_ plain: HTTPServerBuilder) throws -> HTTPServerBuilder {
      try .tls(plain, tlsConfiguration: configuration)
    }
  #else
    public static let isSupported = false

    public init(certificates: [UInt8], key: [UInt8]) throws(Problem) {
      throw Problem(description: "this subtop was built without TLS")
    }

    func over(_ plain: HTTPServerBuilder) throws -> HTTPServerBuilder { plain }
  #endif
}
