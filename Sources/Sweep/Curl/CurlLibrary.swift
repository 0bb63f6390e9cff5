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
    // A request's body is sent from our memory, but what is on its way passes through libcurl's: short bodies in one
    // piece with the header, long ones through an upload buffer, HTTP/2 in frames. Those buffers are wiped when
    // libcurl frees them. OpenSSL's own are overwritten by what it encrypts; neither can be kept out of a core dump
    // that is taken in mid-request.
    return ccurl_global_init_wiping(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()
}
