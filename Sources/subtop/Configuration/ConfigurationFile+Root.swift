import AppStore
import Files

extension ConfigurationFile {
  /// Whom signed data has to be of.
  var ownApps: OwnApps { OwnApps(apps.mapValues(\.appleID)) }

  /// Verifies what Apple signed, or whoever the configuration trusts in Apple's place.
  func signatureVerifier() throws(Failure) -> SignatureVerifier {
    guard let file = rootCertificateFile else {
      guard let apple = Certificate.appleRoot else {
        throw Failure(
          .failed,
          "cannot verify signed data: Apple's root certificate cannot be read by this system's OpenSSL")
      }
      return SignatureVerifier(root: apple)
    }
    let what = "root_certificate_file of the configuration file \(path)"
    let bytes = try TrustedFile.certificates.bytes(at: file, called: what)
    guard let root = Certificate(file: bytes) else {
      throw Failure(
        .configuration,
        "cannot use \(what): \(file) has no certificate that can be read; give one in PEM or DER, or leave the key out to trust Apple's"
      )
    }
    return SignatureVerifier(root: root)
  }
}
