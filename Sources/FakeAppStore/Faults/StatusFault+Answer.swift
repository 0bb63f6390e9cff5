extension StatusFault {
  /// The body; the spelling of `is-retryable` is the die's.
  func answer(at endpoint: FakeEndpoint, _ random: inout SplitMix64) -> FakeAnswer {
    switch self {
    case .plain(let code):
      .refusal(code, isRetryable: Self.internalErrors.contains(code) ? true : nil)
    case .internalError(let code, let retryability): retryability.answer(code, &random)
    case .endlessHop: .refusal(endpoint == .production ? 21007 : 21008)
    }
  }
}

extension StatusFault.Retryability {
  fileprivate func answer(_ code: Int, _ random: inout SplitMix64) -> FakeAnswer {
    guard let word = random.pick(words) else { return .refusal(code) }
    let key = random.chance(0.5) ? "is-retryable" : "is_retryable"
    return FakeAnswer(
      status: code,
      body: Array("{\"environment\":\"Production\", \"\(key)\":\(word), \"status\":\(code)}".utf8))
  }

  /// A boolean in Apple's documentation, 0 or 1 in its older text, and strings like most values around it.
  private var words: [String] {
    switch self {
    case .retryable: ["1", "true", "\"1\"", "\"true\""]
    case .final: ["0", "false", "\"0\"", "\"false\""]
    case .absent: []
    }
  }
}
