/// What the fake says to one request. HTTP says 200 whatever the status is.
public struct FakeAnswer: Sendable, Hashable {
  /// Apple's `status`.
  public var status: Int
  public var body: [UInt8]

  /// 0 or 21006: there are purchases in it.
  var hasData: Bool { status == 0 || status == 21006 }

  /// An answer without data: Apple gives the status, and for some the environment.
  static func refusal(_ status: Int, environment: String? = nil, isRetryable: Bool? = nil) -> FakeAnswer {
    let body = AppleJSONWriter.object(capacity: 80) { writer in
      writer.member("environment", environment)
      if let isRetryable { writer.number("is-retryable", isRetryable ? 1 : 0) }
      writer.number("status", Int64(status))
    }
    return FakeAnswer(status: status, body: body)
  }
}

/// The two addresses of verifyReceipt.
public enum FakeEndpoint: String, Sendable, CaseIterable {
  case production = "/verifyReceipt"
  case sandbox = "/sandbox/verifyReceipt"
}
