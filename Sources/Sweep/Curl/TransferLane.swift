import CCurl

/// One easy handle, used for one transfer after another. It belongs to the queue of its engine.
final class TransferLane {
  let handle: UnsafeMutableRawPointer
  private let answerLimit: Int
  private var answer: [UInt8] = []
  private var isTooLarge = false
  private var isSecondTry = false
  private let errorText: UnsafeMutablePointer<CChar>

  /// - Parameter number: comes back from libcurl with the finished handle.
  init(number: Int, limits: TransferLimits, headers: UnsafeMutablePointer<curl_slist>?) throws(TransportError)
  {
    guard CurlLibrary.isReady, let handle = curl_easy_init() else { throw TransportError(CURLE_FAILED_INIT) }
    self.handle = handle
    answerLimit = limits.answerBytes
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try setLasting(number: number, limits: limits, headers: headers)
  }

  deinit {
    curl_easy_cleanup(handle)
    errorText.deallocate()
  }

  /// Makes the handle ready for `transfer`; the connection of the last one is kept by the multi handle.
  func prepare(_ transfer: Transfer) throws(TransportError) {
    answer = []
    isTooLarge = false
    isSecondTry = false
    errorText.pointee = 0
    try check(ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 0))
    let secure = transfer.endpoint.isSecure
    try check(ccurl_set_string(handle, CURLOPT_URL, transfer.endpoint.url))
    try check(ccurl_set_scheme(handle, secure ? 1 : 0))
    // Loopback must not leave the machine through somebody's http_proxy.
    try check(ccurl_set_string(handle, CURLOPT_NOPROXY, secure ? nil : "*"))
    // Rather one connection with many streams than many connections, where TLS may offer HTTP/2.
    try check(ccurl_set_long(handle, CURLOPT_PIPEWAIT, secure ? 1 : 0))
    try check(ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(transfer.body.count)))
    try check(
      transfer.body.withUnsafeBufferPointer {
        ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
      })
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

  /// Reads what the finished handle holds.
  func result(_ code: CURLcode) -> TransferResult {
    defer { answer = [] }
    guard code == CURLE_OK else {
      if isTooLarge {
        return .failed(TransportError(code, detail: "The answer is larger than \(answerLimit) bytes"))
      }
      return .failed(
        TransportError(
          code, detail: String(cString: errorText), connected: offset(CURLINFO_PRETRANSFER_TIME_T) > 0))
    }
    let wait = offset(CURLINFO_RETRY_AFTER)
    return .answered(
      HTTPAnswer(
        status: whole(CURLINFO_RESPONSE_CODE), body: answer, retryAfter: wait > 0 ? Int(wait) : nil))
  }

  /// Called by libcurl with a piece of the answer; false ends the transfer.
  fileprivate func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = answer.count + piece.count > answerLimit
    guard !isTooLarge else { return false }
    answer.append(contentsOf: piece)
    return true
  }

  private func whole(_ info: CURLINFO) -> Int {
    var value = 0
    ccurl_get_long(handle, info, &value)
    return value
  }

  private func offset(_ info: CURLINFO) -> curl_off_t {
    var value: curl_off_t = 0
    ccurl_get_offset(handle, info, &value)
    return value
  }

  private func check(_ code: CURLcode) throws(TransportError) {
    guard code == CURLE_OK else { throw TransportError(code) }
  }
}

extension TransferLane {
  /// The options that hold for every transfer.
  private func setLasting(
    number: Int, limits: TransferLimits, headers: UnsafeMutablePointer<curl_slist>?
  ) throws(TransportError) {
    try check(ccurl_set_headers(handle, headers))
    try check(ccurl_set_string(handle, CURLOPT_USERAGENT, "subtop"))
    // Every compression this libcurl was built with.
    try check(ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, ""))
    try check(ccurl_set_writer(handle, writePiece, Unmanaged.passUnretained(self).toOpaque()))
    try check(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
    try check(ccurl_set_pointer(handle, CURLOPT_PRIVATE, UnsafeRawPointer(bitPattern: number + 1)))
    let whole: [(CURLoption, Int)] = [
      (CURLOPT_POST, 1), (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      (CURLOPT_TCP_KEEPALIVE, 1),
      (CURLOPT_CONNECTTIMEOUT_MS, limits.connect), (CURLOPT_TIMEOUT_MS, limits.total),
      (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, limits.silence),
    ]
    for (option, value) in whole { try check(ccurl_set_long(handle, option, value)) }
    try check(ccurl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.answerBytes)))
    // A libcurl without HTTP/2 refuses this, and then speaks HTTP/1.1.
    ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
  }
}

private func writePiece(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let context else { return 0 }
  let lane = Unmanaged<TransferLane>.fromOpaque(context).takeUnretainedValue()
  return lane.append(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}
