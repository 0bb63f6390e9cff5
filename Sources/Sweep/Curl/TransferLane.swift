import CCurl
import Glibc
import Subscriptions

/// libcurl easy handle, reused for consecutive transfers; it is used only on the queue of its engine.
final class TransferLane {
  let handle: UnsafeMutableRawPointer
  private let limits: TransferLimits
  private let stopwatch: Stopwatch
  private var answer: IncomingAnswer
  /// Stopwatch time in microseconds at which the connection was ready for the request.
  private var begun: Int64?
  private var isSecondTry = false
  private let errorText: UnsafeMutablePointer<CChar>

  /// - Parameter number: Index of the lane, which libcurl returns with the finished handle.
  init(
    number: Int, limits: TransferLimits, headers: UnsafeMutablePointer<curl_slist>?, stopwatch: Stopwatch
  ) throws(TransportError) {
    guard CurlLibrary.isReady, let handle = curl_easy_init() else { throw TransportError(CURLE_FAILED_INIT) }
    self.handle = handle
    (self.limits, self.stopwatch) = (limits, stopwatch)
    answer = IncomingAnswer(limit: limits.answerBytes)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try setLasting(number: number, limits: limits, headers: headers)
    try setCallbacks()
    try check(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
  }

  deinit {
    curl_easy_cleanup(handle)
    errorText.deallocate()
  }

  func prepare(_ transfer: Transfer) throws(TransportError) {
    (begun, isSecondTry) = (nil, false)
    errorText.pointee = 0
    try check(ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 0))
    let secure = transfer.endpoint.isSecure
    try check(ccurl_set_string(handle, CURLOPT_URL, transfer.endpoint.url(with: transfer.path)))
    try check(ccurl_set_scheme(handle, secure ? 1 : 0))
    // Requests to loopback must not leave the machine through an `http_proxy`.
    try check(ccurl_set_string(handle, CURLOPT_NOPROXY, secure ? nil : "*"))
    // With TLS, a transfer waits for an existing connection, which HTTP/2 can share, instead of opening one.
    try check(ccurl_set_long(handle, CURLOPT_PIPEWAIT, secure ? 1 : 0))
    try setToken(transfer.token)
    guard let body = transfer.body else { return try check(ccurl_set_long(handle, CURLOPT_HTTPGET, 1)) }
    try check(ccurl_set_long(handle, CURLOPT_POST, 1))
    try check(ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.bytes.count)))
    try check(body.withBytes { ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
  }

  /// Sets or clears the token; libcurl keeps a copy until the next transfer or the end of the handle.
  private func setToken(_ token: SecretBytes?) throws(TransportError) {
    let code =
      token?.withBytes { ccurl_set_bearer(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
      ?? ccurl_set_bearer(handle, nil)
    try check(code)
  }

  func release() {
    ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, nil)
    answer = IncomingAnswer(limit: limits.answerBytes)
  }

  /// Prepares one second try on a new connection if a reused one closed unanswered; returns whether it did.
  ///
  /// libcurl does the same, but only five times per handle.
  func takeSecondTry(_ code: CURLcode) -> Bool {
    guard [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains(code), !isSecondTry,
      whole(CURLINFO_NUM_CONNECTS) == 0, whole(CURLINFO_RESPONSE_CODE) == 0
    else { return false }
    isSecondTry = true
    return ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
  }

  func result(_ code: CURLcode) -> TransferResult {
    defer { release() }
    guard code == CURLE_OK else {
      return .failed(
        TransportError(
          code, detail: answer.refusal ?? String(cString: errorText),
          connected: offset(CURLINFO_PRETRANSFER_TIME_T) > 0,
          // The proxy refused the CONNECT request.
          refused: whole(CURLINFO_HTTP_CONNECTCODE) >= 300))
    }
    return .answered(
      HTTPAnswer(
        status: whole(CURLINFO_RESPONSE_CODE), body: answer.body, retryAfter: retryAfter,
        // libcurl's total time is only the fallback, because it includes the wait for a connection.
        latency: begun.map { stopwatch.microseconds - $0 } ?? Int64(offset(CURLINFO_TOTAL_TIME_T)),
        isHTTP2: whole(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0), date: answer.date,
        quota: answer.quota))
  }

  /// Seconds to wait according to `Retry-After`, by the server's clock if the field is in milliseconds.
  private var retryAfter: Int? {
    guard let instant = answer.retryAt else {
      let seconds = offset(CURLINFO_RETRY_AFTER)
      return seconds > 0 ? Int(seconds) : nil
    }
    let now = answer.date ?? Instant(milliseconds: Int64(time(nil)) * Milliseconds.second)
    return Int((max(instant - now, 0) + Milliseconds.second - 1) / Milliseconds.second)
  }

  func whole(_ info: CURLINFO) -> Int {
    var value = 0
    ccurl_get_long(handle, info, &value)
    return value
  }

  func offset(_ info: CURLINFO) -> curl_off_t {
    var value: curl_off_t = 0
    ccurl_get_offset(handle, info, &value)
    return value
  }

  func check(_ code: CURLcode) throws(TransportError) {
    guard code == CURLE_OK else { throw TransportError(code) }
  }

  private func setCallbacks() throws(TransportError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(
      ccurl_set_writer(
        handle,
        { bytes, size, count, context in
          let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return TransferLane.at(context)?.answer.take(piece) == true ? piece.count : 0
        }, context))
    try check(
      ccurl_set_header_writer(
        handle,
        { bytes, size, count, context in
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return TransferLane.at(context)?.answer.takeHeader(line) == true ? line.count : 0
        }, context))
    // An old libcurl does not support this callback. Its total time is then used as the latency.
    ccurl_set_prereq(
      handle,
      { context, _, _, _, _ in
        TransferLane.at(context).map { $0.begun = $0.stopwatch.microseconds }
        return 0
      }, context)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> TransferLane? {
    context.map { Unmanaged<TransferLane>.fromOpaque($0).takeUnretainedValue() }
  }

  func setLasting(
    number: Int, limits: TransferLimits, headers: UnsafeMutablePointer<curl_slist>?
  ) throws(TransportError) {
    try check(ccurl_set_headers(handle, headers))
    try check(ccurl_set_string(handle, CURLOPT_USERAGENT, "subtop"))
    // An empty string means every compression that this libcurl supports.
    try check(ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, ""))
    try check(ccurl_set_pointer(handle, CURLOPT_PRIVATE, UnsafeRawPointer(bitPattern: number + 1)))
    let whole: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      (CURLOPT_TCP_KEEPALIVE, 1),
      (CURLOPT_CONNECTTIMEOUT_MS, limits.connect), (CURLOPT_TIMEOUT_MS, limits.total),
      (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, limits.silence),
    ]
    for (option, value) in whole { try check(ccurl_set_long(handle, option, value)) }
    try check(ccurl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.answerBytes)))
    // A libcurl without HTTP/2 refuses this option and uses HTTP/1.1.
    ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // Names are resolved by getaddrinfo on a libcurl thread that cannot be interrupted. Without this option,
    // ending a transfer early would wait for that thread and block every other transfer.
    ccurl_set_quick_exit(handle)
    if let certificates = limits.certificates {
      try check(certificates.pem.withUnsafeBytes { ccurl_set_certificates(handle, $0.baseAddress, $0.count) })
      // Otherwise libcurl would also trust the distribution's certificates and those set in the environment.
      try check(ccurl_set_string(handle, CURLOPT_CAINFO, nil))
      try check(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
    }
  }
}
