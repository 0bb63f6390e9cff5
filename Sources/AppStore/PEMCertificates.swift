import FoundationEssentials
import SwiftASN1

/// Check of certificates in PEM (RFC 7468). OpenSSL reports errors in them only when a connection begins.
public enum PEMCertificates {
  public enum Problem: Hashable, Sendable {
    case none
    /// Number of the certificate, from 1. OpenSSL refuses the whole file because of it.
    case unreadable(Int)
  }

  /// Returns what is wrong with a file, judged by the outline of X.509 (RFC 5280, 4.1); `nil` if nothing is.
  public static func problem(in bytes: [UInt8]) -> Problem? {
    var (count, label): (Int, Substring?) = (0, nil)
    var body = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if let begun = label {
        guard line == "-----END \(begun)-----" else {
          body += line
          continue
        }
        guard isCertificate(body) else { return .unreadable(count + 1) }
        (count, label, body) = (count + 1, nil, "")
      } else if let begun = labels.first(where: { line == "-----BEGIN \($0)-----" }) {
        label = begun
      }
    }
    if label != nil { return .unreadable(count + 1) }
    return count == 0 ? Problem.none : nil
  }

  /// Labels from OpenSSL's pem.h.
  private static let labels: [Substring] = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

  private static func isCertificate(_ body: String) -> Bool {
    guard let der = Data(base64Encoded: body) else { return false }
    return (try? BER.parse(Array(der.prefix(outerSize(der))))).map(hasOutline) ?? false
  }

  /// Returns the size of the certificate. More data follows it in a "trusted certificate" of OpenSSL.
  private static func outerSize(_ der: Data) -> Int {
    guard der.count > 2, der[1] & 0x80 != 0 else { return der.count }
    let digits = Int(der[1] & 0x7F)
    guard (1...4).contains(digits), der.count > 2 + digits else { return der.count }
    let size = der[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
    return min(der.count, 2 + digits + size)
  }

  private static func hasOutline(_ node: ASN1Node) -> Bool {
    guard node.identifier == .sequence, case .constructed(let children) = node.content else { return false }
    return children.map(\.identifier) == [.sequence, .sequence, .bitString]
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    guard let end = lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return self[...end]
  }
}
