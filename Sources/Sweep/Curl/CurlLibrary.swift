import CCurl
import Glibc

/// The process-wide part of libcurl, set up once before the first handle.
enum CurlLibrary {
  /// False where libcurl could not start, which it only does without memory or with a broken TLS library.
  static let isReady: Bool = {
    CurlEnvironment.forbidKeyLogs()
    // A server that hangs up while we write must be an error of that transfer, not the end of the process:
    // libcurl leaves SIGPIPE to the program once CURLOPT_NOSIGNAL is set (libcurl-thread(3)).
    signal(SIGPIPE, SIG_IGN)
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()
}
