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
