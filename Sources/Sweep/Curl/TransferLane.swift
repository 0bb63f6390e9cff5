import CCurl

/// One easy handle, used for one transfer after another. It belongs to the queue of its engine.
final class TransferLane {
  let handle: UnsafeMutableRawPointer
  private let stopwatch: Stopwatch
  private var answer: AnswerBuffer
  private var headers = AnswerHeaders()
  /// What libcurl sends from, without a copy of the whole: it must live until the transfer is over.
  private var body: SecretBytes?
  /// When the request could be sent, in the stopwatch's microseconds.
  private var begun: Int64?
  private var isSecondTry = false
  /// Whether the answer waits for bytes of the budget.
  private(set) var isPaused = false
  private let errorText: UnsafeMutablePointer<CChar>

  /// - Parameter number: comes back from libcurl with the finished handle.
  init(
    number: Int, limits: TransferLimits, headers: UnsafeMutablePointer<curl_slist>?, stopwatch: Stopwatch,
    budget: ByteBudget
  ) throws(TransportError) {
    guard CurlLibrary.isReady, let handle = curl_easy_init() else { throw TransportError(CURLE_FAILED_INIT) }
    self.handle = handle
    self.stopwatch = stopwatch
    answer = AnswerBuffer(limits, budget: budget)
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

  /// Makes the handle ready for `transfer`; the connection of the last one is kept by the multi handle.
  func prepare(_ transfer: Transfer) throws(TransportError) {
    answer.clear()
    isPaused = false
    begun = nil
    isSecondTry = false
    errorText.pointee = 0
    try check(ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 0))
    let secure = transfer.endpoint.isSecure
    headers = AnswerHeaders()
    try check(ccurl_set_string(handle, CURLOPT_URL, transfer.endpoint.url(with: transfer.path)))
    try check(ccurl_set_scheme(handle, secure ? 1 : 0))
    // Loopback must not leave the machine through somebody's http_proxy.
    try check(ccurl_set_string(handle, CURLOPT_NOPROXY, secure ? nil : "*"))
    // Rather one connection with many streams than many connections, where TLS may offer HTTP/2.
    try check(ccurl_set_long(handle, CURLOPT_PIPEWAIT, secure ? 1 : 0))
    try setToken(transfer.token)
    guard let body = transfer.body else {
      try check(ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, nil))
      return try check(ccurl_set_long(handle, CURLOPT_HTTPGET, 1))
    }
    try check(ccurl_set_long(handle, CURLOPT_POST, 1))
    try check(ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
    try check(body.withBytes { ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, $0.baseAddress) })
    self.body = body
  }

  /// libcurl keeps a copy, and wipes it when the next transfer is prepared or the handle goes.
  private func setToken(_ token: SecretBytes?) throws(TransportError) {
    let code =
      token?.withBytes { ccurl_set_bearer(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
      ?? ccurl_set_bearer(handle, nil)
    try check(code)
  }

  /// Gives the request's body back. libcurl still has the address, but looks at it only when a transfer begins,
  /// which `prepare` comes before.
  func release() {
    body = nil
    answer.clear()
  }

  /// Whether the transfer met a kept connection that the server had closed meanwhile, and may be sent once more on
  /// a new one. libcurl does so itself, but gives up after the fifth time in the life of a handle.
  func takeSecondTry(_ code: CURLcode) -> Bool {
    guard [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains(code), !isSecondTry,
      whole(CURLINFO_NUM_CONNECTS) == 0, whole(CURLINFO_RESPONSE_CODE) == 0
    else { return false }
    isSecondTry = true
    return ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
  }

  /// Reads what the finished handle holds, and lets go of it.
  func result(_ code: CURLcode) -> TransferResult {
    defer { release() }
    guard code == CURLE_OK else {
      return .failed(
        TransportError(
          code, detail: answer.refusal ?? String(cString: errorText),
          connected: offset(CURLINFO_PRETRANSFER_TIME_T) > 0,
          // A proxy that did not let it through.
          refused: whole(CURLINFO_HTTP_CONNECTCODE) >= 300))
    }
    let wait = offset(CURLINFO_RETRY_AFTER)
    var complete = HTTPAnswer(
      status: whole(CURLINFO_RESPONSE_CODE), body: answer.bytes, retryAfter: wait > 0 ? Int(wait) : nil,
      latency: latency, isHTTP2: whole(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0),
      date: headers.date, retryAt: headers.retryAt)
    complete.held = answer.close()
    return .answered(complete)
  }

  /// Lets an answer that waits go on, or wait anew.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    curl_easy_pause(handle, CURLPAUSE_CONT)
  }

  /// libcurl's own total begins where the transfer is handed over, and so holds the wait for a connection.
  private var latency: Int64 {
    begun.map { stopwatch.microseconds - $0 } ?? Int64(offset(CURLINFO_TOTAL_TIME_T))
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
}

/// What libcurl calls back.
extension TransferLane {
  private func setCallbacks() throws(TransportError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(
      ccurl_set_writer(
        handle,
        { bytes, size, count, context in
          let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return TransferLane.at(context)?.take(piece) ?? 0
        }, context))
    try check(
      ccurl_set_header_writer(
        handle,
        { bytes, size, count, context in
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return TransferLane.at(context)?.takeHeader(line) == true ? size * count : 0
        }, context))
    // A libcurl too old for it leaves the latency to its own clock.
    ccurl_set_prereq(
      handle,
      { context, _, _, _, _ in
        TransferLane.at(context)?.begin()
        return 0
      }, context)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> TransferLane? {
    context.map { Unmanaged<TransferLane>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ piece: UnsafeRawBufferPointer) -> Int {
    switch answer.take(piece, wire: Int(offset(CURLINFO_SIZE_DOWNLOAD_T))) {
    case .taken: return piece.count
    case .later:
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .refused: return 0
    }
  }

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headers.take(line)
    return answer.takeHeader(line.count)
  }

  private func begin() { begun = stopwatch.microseconds }
}

extension TransferLane {
  /// The options that hold for every transfer.
  func setLasting(
    number: Int, limits: TransferLimits, headers: UnsafeMutablePointer<curl_slist>?
  ) throws(TransportError) {
    try check(ccurl_set_headers(handle, headers))
    try check(ccurl_set_string(handle, CURLOPT_USERAGENT, "subtop"))
    // Every compression this libcurl was built with.
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
    // A libcurl without HTTP/2 refuses this, and then speaks HTTP/1.1.
    ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // Names are looked up by getaddrinfo on a thread of libcurl's that cannot be interrupted. Without this, giving up
    // a transfer, by cancelling or by a limit, would wait for that thread, and every other transfer with it.
    ccurl_set_quick_exit(handle)
    if let certificates = limits.certificates {
      try check(certificates.hand(to: handle))
      // The distribution's own file and folder, and the environment's, would be trusted beside them.
      try check(ccurl_set_string(handle, CURLOPT_CAINFO, nil))
      try check(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
    }
  }
}
