import CCurl
import Glibc

/// Process-wide initialization of libcurl, done once before the first transfer.
enum CurlLibrary {
  /// Whether libcurl is initialized; `false` if memory is exhausted or the TLS library is broken.
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
  /// Variables that make libcurl write session keys or traffic, and thus every secret, to files.
  static let forbidden = ["SSLKEYLOGFILE", "QLOGDIR"]

  /// Unsets the forbidden variables; must be called while the process has only one thread.
  public static func forbidKeyLogs() { for name in forbidden where getenv(name) != nil { unsetenv(name) } }
}

/// PEM certificates to trust instead of the system's, kept as bytes so that the file is not opened again.
public struct CertificateBundle: Hashable, Sendable {
  let pem: [UInt8]

  public init(pem: [UInt8]) { self.pem = pem }
}

public enum Arenas {
  /// Makes threads that start later share one malloc arena, so that they reuse each other's freed memory.
  ///
  /// Only for a process that does nothing except sweep, because allocating threads wait for each other.
  public static func makeOne() { ccurl_limit_arenas(1) }
}

/// Secret bytes, such as a token or a request body; descriptions have only the number of bytes.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes(read)
  }

  package var description: String { "\(bytes.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
