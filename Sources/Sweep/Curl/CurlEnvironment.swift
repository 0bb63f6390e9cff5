import Glibc

/// What the environment may tell libcurl and the libraries below it.
///
/// Proxies (`https_proxy`, `no_proxy`) and how names are looked up (`RES_OPTIONS`, `HOSTALIASES`) are the user's own: whoever
/// they lead to has to show the certificate of the host that was asked for. `OPENSSL_CONF` and `OPENSSL_MODULES` have code
/// loaded, as `LD_PRELOAD` does before any program has a say; whoever sets them is the user.
public enum CurlEnvironment {
  /// Files that libcurl would write the keys of connections to, or what went over them: set once for a browser, in a shell's
  /// profile, they would hold for this program as well, and with them every shared secret on the wire could be read.
  static let forbidden = ["SSLKEYLOGFILE", "QLOGDIR"]

  /// To be called while the program has one thread, since the environment belongs to all of them.
  public static func forbidKeyLogs() {
    for name in forbidden where getenv(name) != nil { unsetenv(name) }
  }
}
