import CCurl
import Glibc

/// URL that receipts may be sent to: https, or http on loopback, without a user name or password.
///
/// libcurl itself parses the text, so the URL that is checked is also the URL that is called.
public struct AppStoreEndpoint: Hashable, Sendable, CustomStringConvertible {
  public let url: String
  let isSecure: Bool
  /// Whether the endpoint is on this machine, where Apple's rate limits do not apply.
  public let isLoopback: Bool

  public static let production = Self(trusted: "https://buy.itunes.apple.com/verifyReceipt")
  public static let sandbox = Self(trusted: "https://sandbox.itunes.apple.com/verifyReceipt")

  public static let serverAPI = Self(trusted: "https://api.storekit.apple.com")
  public static let serverAPISandbox = Self(trusted: "https://api.storekit-sandbox.apple.com")
  public static let appStoreConnect = Self(trusted: "https://api.appstoreconnect.apple.com")

  public init(_ text: String) throws(EndpointError) {
    // Control characters could manipulate the terminal.
    let safe = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) }
    let quoted = "The App Store URL “\(String(safe))”"
    let unreadable = EndpointError(description: "\(quoted) is not valid; use one like \(Self.production).")
    guard let handle = curl_url() else { throw unreadable }
    defer { curl_url_cleanup(handle) }
    // A missing scheme is an error, because libcurl must not guess one.
    guard curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let url = Self.part(CURLUPART_URL, of: handle), let scheme = Self.part(CURLUPART_SCHEME, of: handle)
    else { throw unreadable }
    guard Self.part(CURLUPART_USER, of: handle) == nil, Self.part(CURLUPART_PASSWORD, of: handle) == nil
    else {
      // The URL is omitted because it may contain a password.
      throw EndpointError(
        description:
          "The App Store URL contains a user name or password; remove it, Apple requires none.")
    }
    isLoopback = Self.isLoopback(Self.part(CURLUPART_HOST, of: handle) ?? "")
    isSecure = scheme.lowercased() == "https"
    guard isSecure || scheme.lowercased() == "http" else {
      throw EndpointError(
        description: "\(quoted) is neither https nor http; use one like \(Self.production).")
    }
    guard isSecure || isLoopback else {
      throw EndpointError(
        description: "\(quoted) would send receipts unencrypted; use https, or http only on localhost.")
    }
    self.url = url
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  func url(with path: String) -> String {
    path.isEmpty ? url : (url.hasSuffix("/") ? String(url.dropLast()) : url) + path
  }

  private init(trusted url: String) { (self.url, isSecure, isLoopback) = (url, true, false) }

  public var description: String { url }

  /// Whether a host is in 127.0.0.0/8, is ::1, or is `localhost`, which libcurl resolves without a lookup.
  private static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" || host == "[::1]" { return true }
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else { return false }
    return UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}

/// Error for an invalid App Store URL, with a description in complete sentences.
public struct EndpointError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

/// Percent-encoding (RFC 3986 §2.1) of all characters except unreserved ones.
enum PercentEncoding {
  static func of(_ text: String) -> String {
    guard let encoded = curl_easy_escape(nil, text, 0) else { return "" }
    defer { curl_free(encoded) }
    return String(cString: encoded)
  }
}
