import CCurl

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
