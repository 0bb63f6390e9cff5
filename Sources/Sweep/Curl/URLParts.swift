import CCurl

/// What libcurl's parser finds in a URL. A scheme must be written out; nothing is guessed.
struct URLParts {
  let url: String
  let scheme: String
  /// Empty where the scheme knows no hosts.
  let host: String
  let hasUserInfo: Bool

  init?(_ text: String) {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    guard curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let url = Self.part(CURLUPART_URL, of: handle),
      let scheme = Self.part(CURLUPART_SCHEME, of: handle)
    else { return nil }
    self.url = url
    self.scheme = scheme.lowercased()
    host = Self.part(CURLUPART_HOST, of: handle) ?? ""
    hasUserInfo =
      Self.part(CURLUPART_USER, of: handle) != nil || Self.part(CURLUPART_PASSWORD, of: handle) != nil
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
