import CCurl

/// Error of a transfer that got no complete answer; the text, mostly libcurl's, never contains a body.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Phase: String, Sendable {
    case setup, resolve, connect, tls, exchange
    case tooLarge = "too large"
  }

  package let code: Int32
  package let text: String
  package let phase: Phase

  package var description: String { "\(text) (\(phase.rawValue), curl \(code))" }

  /// Whether no connection to the server could be established, so that nothing was sent.
  package var isUnreachable: Bool { phase == .resolve || phase == .connect || phase == .tls }

  init(_ code: CURLcode, detail: String? = nil, connected: Bool = false, refused: Bool = false) {
    self.code = Int32(code.rawValue)
    let words = detail.flatMap { $0.isEmpty ? nil : $0 } ?? Self.words(for: code, connected: connected)
    text = String(words.unicodeScalars.map { $0.value < 0x20 || $0.value > 0x7E ? "?" : Character($0) })
    phase = refused ? .connect : Self.phase(of: code, connected: connected)
  }

  private static func words(for code: CURLcode, connected: Bool) -> String {
    // libcurl uses one code for lack of memory and for header lines above its own limit.
    if code == CURLE_OUT_OF_MEMORY, connected { return "Out of memory, or an endless header line" }
    return String(cString: curl_easy_strerror(code))
  }

  private static func phase(of code: CURLcode, connected: Bool) -> Phase {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
    case CURLE_COULDNT_CONNECT: .connect
    case CURLE_OPERATION_TIMEDOUT: connected ? .exchange : .connect
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .tls
    case CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR: .tooLarge
    case CURLE_OUT_OF_MEMORY: connected ? .exchange : .setup
    case CURLE_FAILED_INIT, CURLE_URL_MALFORMAT,
      CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT:
      .setup
    default: .exchange
    }
  }
}
