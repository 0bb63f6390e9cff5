extension Line {
  /// METRICS §5, Recovery: each time that the line came to billing retry, of trials' rows too. They last as long as it stays there, and wait
  /// for it to be paid again.
  public var retries: [Episode] {
    let spans = timeline.spans
    guard !isFamilyShared, spans.contains(where: { $0.position.state == .billingRetry }) else { return [] }
    var episodes: [Episode] = []
    for place in spans.indices where spans[place].position.state == .billingRetry {
      let before = place > 0 ? spans[place - 1].position.state : nil
      if before == .billingRetry { continue }
      let end = spans[place...].first { $0.position.state != .billingRetry }?.from ?? .distantFuture
      let paid = spans[place...].first { $0.position.state.set(of: rows[$0.position.row].kind) == .paid }?
        .from
      let position = classified(spans[place])
      let kind = FactKind.Retry(
        isTrial: position.kind.kind == .trial, hadGrace: before == .grace,
        back: FactKind.Retry.Back(after: paid.map { $0 - spans[place].from }))
      episodes.append(
        Episode(
          position.kind.fact(.retry(kind)), from: spans[place].from, lasting: [spans[place].from..<end],
          next: paid, row: spans[place].position.row, micros: position.monthlyMicros,
          converted: position.converted))
    }
    return episodes
  }
}

extension PositionClass {
  /// A fact about a line that stands there, with what it costs a month as its amount.
  func fact(_ kind: FactKind) -> FactClass {
    FactClass(kind, environment, product: product, currency: currency, storefront: storefront)
  }
}

extension FactKind.Retry.Back {
  /// - Parameter milliseconds: until it was paid again; nil is never.
  init(after milliseconds: Int64?) {
    guard let milliseconds else {
      self = .never
      return
    }
    let days = RecoveryFigures.days.first { milliseconds <= Int64($0) * Milliseconds.day }
    self = days.map { .within(days: $0) } ?? .later
  }
}
