import CCurl
import Glibc

/// A URL that receipts may be sent to: https anywhere, http on this machine alone.
///
/// The text is read by libcurl's own parser, so that what is checked here is what is called later.
public struct AppStoreEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The URL as libcurl normalises it.
  public let url: String
  let isSecure: Bool

  /// Apple's verifyReceipt for purchases made in the App Store.
  public static let production = Self(trusted: "https://buy.itunes.apple.com/verifyReceipt")
  /// Apple's verifyReceipt for purchases made in the sandbox and TestFlight.
  public static let sandbox = Self(trusted: "https://sandbox.itunes.apple.com/verifyReceipt")

  /// Apple's Server API for purchases made in the App Store: *App Store Server API*.
  public static let serverAPI = Self(trusted: "https://api.storekit.apple.com")
  /// Apple's Server API for purchases made in the sandbox and TestFlight.
  public static let serverAPISandbox = Self(trusted: "https://api.storekit-sandbox.apple.com")

  public init(_ text: String) throws(EndpointError) {
    guard let parts = URLParts(text) else { throw .unreadable(text) }
    guard !parts.hasUserInfo else { throw .userInfo }
    switch parts.scheme {
    case "https": isSecure = true
    case "http" where Self.isLoopback(parts.host): isSecure = false
    case "http": throw .plainHTTP(text)
    default: throw .scheme(text)
    }
    url = parts.url
  }

  /// With a path behind it, which begins with a slash; the same without one.
  func url(with path: String) -> String {
    path.isEmpty ? url : (url.hasSuffix("/") ? String(url.dropLast()) : url) + path
  }

  /// Whether it is on this machine, where nobody else's limits hold.
  public var isLoopback: Bool { URLParts(url).map { Self.isLoopback($0.host) } ?? false }

  private init(trusted url: String) {
    self.url = url
    isSecure = true
  }

  public var description: String { url }

  /// 127.0.0.0/8, ::1 and the name that libcurl itself resolves to them without asking anybody.
  private static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" || host == "[::1]" { return true }
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else { return false }
    return UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}

/// Why a URL cannot be used for receipts.
public enum EndpointError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(String)
  case scheme(String)
  case plainHTTP(String)
  /// The URL is not repeated: it holds a password.
  case userInfo

  public var description: String {
    switch self {
    case .unreadable(let text):
      "The App Store URL \(quoted(text)) cannot be read; give one like \(AppStoreEndpoint.production)."
    case .scheme(let text):
      "The App Store URL \(quoted(text)) is neither https nor http; give one like \(AppStoreEndpoint.production)."
    case .plainHTTP(let text):
      "The App Store URL \(quoted(text)) would send receipts unencrypted; use https, or http on localhost alone."
    case .userInfo:
      "The App Store URL holds a user name or password; verifyReceipt takes none, leave it out."
    }
  }

  /// Control characters stay out of the terminal.
  private func quoted(_ text: String) -> String {
    "“" + String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) }) + "”"
  }
}

/// What libcurl's parser finds in a URL. A scheme must be written out; nothing is guessed.
struct URLParts {
  let url: String
  let scheme: String
  /// Empty where the scheme knows no hosts.
  let host: String
  let hasUserInfo: Bool

  init?(_ text: String) {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    guard curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let url = Self.part(CURLUPART_URL, of: handle),
      let scheme = Self.part(CURLUPART_SCHEME, of: handle)
    else { return nil }
    self.url = url
    self.scheme = scheme.lowercased()
    host = Self.part(CURLUPART_HOST, of: handle) ?? ""
    hasUserInfo =
      Self.part(CURLUPART_USER, of: handle) != nil || Self.part(CURLUPART_PASSWORD, of: handle) != nil
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
