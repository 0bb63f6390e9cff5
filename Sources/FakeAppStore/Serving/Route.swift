/// What a path leads to.
enum Route: Sendable {
  case verifyReceipt(FakeEndpoint)
  case serverAPI(ServerAPICall)

  /// Nil where there is no such page.
  init?(_ method: String, _ path: String) {
    if let endpoint = FakeEndpoint(rawValue: path) {
      self = .verifyReceipt(endpoint)
    } else if let call = ServerAPICall(method, path) {
      self = .serverAPI(call)
    } else {
      return nil
    }
  }
}
