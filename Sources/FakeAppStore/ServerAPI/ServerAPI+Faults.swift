import Subscriptions

/// The Server API's answers, falsified.
extension ServerAPI {
  /// The right answer stays where there is nothing to falsify, as in an error.
  func answer(
    to request: ServerAPIRequest, at now: Instant, realNow: Instant, with fault: SignedFault,
    _ random: inout SplitMix64
  ) -> HTTPAnswer {
    let draw = random.next()
    var stranger: Subscriber?
    if fault == .stranger {
      stranger = subscriber(of: request.call).flatMap { population.neighbour(of: $0, &random) }
    }
    let forge: @Sendable (String) -> String = { text in
      switch fault {
      case .signature: SignedForgery.changingSignature(text)
      case .otherRoot: impostor?.sign(again: text) ?? text
      case .otherApp, .stranger: text
      }
    }
    let change = { [stranger] (statement: inout CustomerStatement) in
      switch fault {
      case .stranger: statement.strangers = stranger.map { strangers($0, at: now) } ?? []
      case .signature: statement.forge = { Self.one($0, $1, $2, draw, forge) }
      case .otherRoot: statement.forge = { text, _, _ in forge(text) }
      case .otherApp: statement.forge = { text, _, _ in SignedForgery.ofAnotherApp(text, signer) }
      }
    }
    return answer(to: request, at: now, realNow: realNow, change, forge: forge)
  }

  /// A body that comes whole and is not to be believed.
  func answer(
    to request: ServerAPIRequest, at now: Instant, realNow: Instant, with fault: AnswerFault,
    _ random: inout SplitMix64
  ) -> HTTPAnswer {
    switch fault {
    case .clockAhead:
      return answer(to: request, at: now, realNow: realNow) {
        $0.signedDate = now + 2 * Milliseconds.day
      }
    case .emptyHistory: return answer(to: request, at: now, realNow: realNow) { $0.isEmptied = true }
    case .anotherReceipt:
      let other = subscriber(of: request.call).flatMap { population.neighbour(of: $0, &random) }
      return answer(to: request, at: now, realNow: realNow) { statement in
        if let other { statement = CustomerStatement(other, at: now, signer: signer) }
      }
    default:
      var answer = answer(to: request, at: now, realNow: realNow)
      if answer.isJSON { answer.body = SignedForgery.body(answer.body, with: fault, &random) }
      return answer
    }
  }

  private func strangers(_ subscriber: Subscriber, at now: Instant) -> [String] {
    let statement = CustomerStatement(subscriber, at: now, signer: signer)
    return statement.life.history(at: now).suffix(3).compactMap { statement.signed($0.row) }
  }

  /// Changes one of so many.
  private static func one(
    _ text: String, _ place: Int, _ count: Int, _ draw: UInt64, _ change: (String) -> String
  ) -> String {
    place == Int(draw % UInt64(max(1, count))) ? change(text) : text
  }
}
