import Glibc

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
