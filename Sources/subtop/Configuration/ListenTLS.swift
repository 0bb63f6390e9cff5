import CProcess
import Files
import Glibc
import Listening
import Subscriptions

/// The files that a listener's certificate and its key are read from: `tls_certificate_file` and `tls_key_file`.
struct ListenTLS: Sendable {
  var certificate: String?
  var key: String?

  /// Refuses one without the other.
  func check(_ table: ConfigurationTable) throws(Failure) {
    switch (certificate, key) {
    case (nil, nil), (_?, _?): return
    case (_?, nil): throw table.refused("tls_certificate_file stands there without tls_key_file; give both")
    case (nil, _?): throw table.refused("tls_key_file stands there without tls_certificate_file; give both")
    }
  }

  /// Reads them anew; nil where there are none.
  ///
  /// - Parameter path: of the configuration file that names them.
  func identity(_ path: String) throws(Failure) -> ListenerIdentity? {
    guard let certificate, let key else { return nil }
    guard ListenerIdentity.isSupported else {
      throw Failure(
        .configuration,
        "cannot listen over TLS, as listen.tls_certificate_file of the configuration file \(path) wants: this subtop was built without; "
          + "build it with make build (swift build --traits TLS), or leave both keys out and put a TLS proxy before it"
      )
    }
    process_forbid_dumps()
    let chain = try Self.read(
      certificate, as: .certificates, called: "listen.tls_certificate_file of the configuration file \(path)")
    var secret = try Self.read(
      key, as: .secret, called: "listen.tls_key_file of the configuration file \(path)")
    defer {
      secret.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    do throws(ListenerIdentity.Problem) {
      return try ListenerIdentity(certificates: chain, key: secret)
    } catch {
      throw Failure(
        .configuration,
        "cannot use \(printable(certificate)) and \(printable(key)), listen.tls_certificate_file and listen.tls_key_file of "
          + "the configuration file \(path): \(error); give the certificate chain and its key, both in PEM")
    }
  }

  private static func read(
    _ given: String, as kind: TrustedFile.Kind, called what: String
  ) throws(Failure) -> [UInt8] {
    let path = try CredentialsFolder.path(given, called: what)
    let bytes = try TrustedFile.bytes(path, as: kind, called: what)
    guard path == given || bytes != CredentialsFolder.absent else {
      throw CredentialsFolder.missing(given, called: what)
    }
    return bytes
  }
}
