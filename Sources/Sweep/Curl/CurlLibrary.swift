import CCurl
import Glibc

/// Process-wide initialization of libcurl, done once before the first handle.
enum CurlLibrary {
  /// Whether libcurl started. It fails for lack of memory or because of a broken TLS library.
  static let isReady: Bool = {
    CurlEnvironment.forbidKeyLogs()
    // SIGPIPE is ignored so that a write to a closed connection fails instead of ending the process. libcurl
    // leaves SIGPIPE to the program if CURLOPT_NOSIGNAL is set (libcurl-thread(3)).
    signal(SIGPIPE, SIG_IGN)
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()
}

/// Environment variables that influence libcurl and the libraries it uses.
///
/// Users may set proxies (`https_proxy`, `no_proxy`) and name lookup (`RES_OPTIONS`, `HOSTALIASES`), because
/// the server must still present a certificate for the requested host. They may also set `OPENSSL_CONF` and
/// `OPENSSL_MODULES`, which load code, as `LD_PRELOAD` does.
public enum CurlEnvironment {
  /// Variables that make libcurl log session keys or traffic to files. A shell profile may set them for a
  /// browser. In this program, they would expose every shared secret that it sends.
  static let forbidden = ["SSLKEYLOGFILE", "QLOGDIR"]

  /// Unsets the forbidden variables. Must be called while the process has only one thread.
  public static func forbidKeyLogs() { for name in forbidden where getenv(name) != nil { unsetenv(name) } }
}

/// PEM certificates of authorities that are trusted instead of the system's. The bundle contains the bytes
/// that were checked, so the file is not opened again by name.
public struct CertificateBundle: Hashable, Sendable {
  let pem: [UInt8]

  public init(pem: [UInt8]) { self.pem = pem }
}

public enum Arenas {
  /// Makes threads that start later share one malloc arena, so that memory freed by one thread is reused by
  /// others. By default, glibc allows eight arenas per core, and their freed memory would stay unused. Only
  /// for a process that does nothing except sweep, because threads wait for each other.
  public static func makeOne() { ccurl_limit_arenas(1) }
}

/// Secret bytes, such as a token or a request body. Descriptions never include them.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes(read)
  }

  package var description: String { "\(bytes.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
