import CCurl
import Glibc

/// Process-wide initialization of libcurl, done once before the first handle.
enum CurlLibrary {
  /// `false` if libcurl could not start, for lack of memory or because of a broken TLS library.
  static let isReady: Bool = {
    CurlEnvironment.forbidKeyLogs()
    // If a server closes the connection during a write, the transfer must fail instead of ending the process.
    // libcurl leaves SIGPIPE to the program once CURLOPT_NOSIGNAL is set (libcurl-thread(3)).
    signal(SIGPIPE, SIG_IGN)
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()
}

/// Environment variables that influence libcurl and the libraries it uses.
///
/// Proxies (`https_proxy`, `no_proxy`) and name lookup (`RES_OPTIONS`, `HOSTALIASES`) are left to the user:
/// the server that they lead to still has to present a certificate of the requested host. `OPENSSL_CONF` and
/// `OPENSSL_MODULES` load code, as `LD_PRELOAD` does, and are left to the user too.
public enum CurlEnvironment {
  /// Variables that make libcurl log session keys or traffic to files. If a shell profile sets them for a
  /// browser, they would apply to this program too and expose every shared secret it sends.
  static let forbidden = ["SSLKEYLOGFILE", "QLOGDIR"]

  /// Unsets these variables. Must be called while the process has only one thread.
  public static func forbidKeyLogs() {
    for name in forbidden where getenv(name) != nil { unsetenv(name) }
  }
}

/// Certificates of authorities in PEM format that are trusted in place of the system's. It keeps the bytes
/// that were checked, so that the file is not opened again by name.
public struct CertificateBundle: Hashable, Sendable {
  let pem: [UInt8]

  public init(pem: [UInt8]) { self.pem = pem }
}

public enum Arenas {
  /// Makes threads that start from now on share one arena, so that memory freed by one is reused by the
  /// others. With separate arenas (glibc allows eight per core) it would stay unused. Only for a process that
  /// does nothing except sweep: threads wait for each other.
  public static func makeOne() { ccurl_limit_arenas(1) }
}

/// Secret bytes, such as a token or a request body, which descriptions never include.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes(read)
  }

  package var description: String { "\(bytes.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
