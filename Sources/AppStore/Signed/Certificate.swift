import CCrypto
import FoundationEssentials
import Subscriptions

/// X.509 certificate, handled by libcrypto.
public final class Certificate: Sendable {
  public let der: [UInt8]
  // Safe to use in several threads, because libcrypto locks a certificate before changing it.
  nonisolated(unsafe) fileprivate let handle: OpaquePointer

  public init?(der: [UInt8]) {
    guard let handle = ccrypto_certificate_read(der, der.count) else { return nil }
    (self.der, self.handle) = (der, handle)
  }

  /// Reads the first certificate in a PEM (RFC 7468) or DER file; `nil` if there is none.
  public convenience init?(file bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let begin = text.firstRange(of: "-----BEGIN CERTIFICATE-----"),
      let end = text[begin.upperBound...].firstRange(of: "-----END CERTIFICATE-----")
    else {
      self.init(der: bytes)
      return
    }
    let body = text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
    guard let der = Data(base64Encoded: body) else { return nil }
    self.init(der: Array(der))
  }

  deinit { ccrypto_certificate_free(handle) }

  public var pem: String {
    let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
  }

  public var fingerprint: String { SHA256.hexadecimal(der) }

  func has(_ oid: String) -> Bool { ccrypto_certificate_has_extension(handle, oid) != 0 }

  var validity: ClosedRange<Instant>? {
    var (from, until): (Int64, Int64) = (0, 0)
    guard ccrypto_certificate_validity(handle, &from, &until) != 0, from <= until else { return nil }
    return Instant(milliseconds: from &* 1000)...Instant(milliseconds: until &* 1000 &+ 999)
  }

  /// Public key; `nil` if it is not on the curve P-256.
  var key: ES256Key? { ccrypto_certificate_key(handle).map(ES256Key.init) }

  /// Returns why this certificate and the given ones do not form a chain (ignoring dates); `nil` if they do.
  func problem(below intermediate: Certificate, _ root: Certificate) -> String? {
    let error = ccrypto_chain_error(handle, intermediate.handle, root.handle)
    return error == 0 ? nil : String(cString: ccrypto_chain_error_text(error))
  }

  /// Creates and signs a certificate.
  ///
  /// - Parameters:
  ///   - issuer: Issuer of the certificate; `nil` for a self-signed certificate.
  ///   - mark: Object identifier of an extension to add, with the value NULL.
  public static func make(
    _ name: String, for key: ES256Key, by issuer: (certificate: Certificate, key: ES256Key)?,
    isAuthority: Bool, mark: String? = nil, validFrom from: Instant, until: Instant
  ) -> Certificate? {
    let der = [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
      func make(_ mark: UnsafePointer<CChar>?) -> Int {
        ccrypto_certificate_make(
          key.handle, name, issuer?.certificate.handle, issuer?.key.handle, isAuthority ? 1 : 0, mark,
          from.rawValue / 1000, until.rawValue / 1000, bytes.baseAddress, bytes.count)
      }
      count = mark.map { $0.withCString { make($0) } } ?? make(nil)
    }
    return Certificate(der: der)
  }
}

/// Key for ES256 (RFC 7518 §3.4): ECDSA on the curve P-256 with SHA-256.
public final class ES256Key: Sendable {
  // Safe to use in several threads, like the handle of a certificate.
  nonisolated(unsafe) fileprivate let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

  /// Reads a private P-256 key in PEM, such as a `.p8` file of App Store Connect; `nil` for other content.
  public convenience init?(pem: UnsafeRawBufferPointer) {
    guard let handle = ccrypto_key_read(pem.baseAddress?.assumingMemoryBound(to: CChar.self), pem.count)
    else { return nil }
    self.init(handle)
  }

  public static func generate() -> ES256Key? { ccrypto_key_generate().map(ES256Key.init) }

  deinit { ccrypto_key_free(handle) }

  /// Private key in the `.p8` format, which must be kept secret; `nil` for a public key.
  public var pem: String? {
    let text = [UInt8](unsafeUninitializedCapacity: 1024) { bytes, count in
      count = bytes.withMemoryRebound(to: CChar.self) {
        ccrypto_key_write(handle, $0.baseAddress, $0.count)
      }
    }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  /// Whether a signature, given as r and s of 32 bytes each, matches a message.
  package func verifies(_ signature: [UInt8], of message: ArraySlice<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    return message.withUnsafeBufferPointer { bytes in
      ccrypto_es256_verify(handle, bytes.baseAddress, bytes.count, signature) != 0
    }
  }

  /// Returns the signature as r and s, 32 bytes each; `nil` for a public key.
  package func signature(of message: [UInt8]) -> [UInt8]? {
    var isSigned = false
    let signature = [UInt8](unsafeUninitializedCapacity: 64) { bytes, count in
      isSigned = ccrypto_es256_sign(handle, message, message.count, bytes.baseAddress) != 0
      count = isSigned ? 64 : 0
    }
    return isSigned ? signature : nil
  }
}

public enum SHA256 {
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digest = [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      ccrypto_sha256(bytes, bytes.count, digest.baseAddress)
      count = 32
    }
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
