import Subscriptions

extension FakeStore {
  /// The answers about a subscriber that were kept by somebody who asked as things happened, each as the Server API gave it and its signatures
  /// were verified, a row's when it last changed; none of who has bought nothing yet. With the last comes the receipt to ask with from now on.
  public func past(of subscriber: Subscriber, since: Instant, upTo now: Instant) -> [ImportedAnswer] {
    let life = Life(of: subscriber, until: now)
    let instants = ObservedInstants(subscriber: subscriber, life: life, since: since, now: now).all
    var answers = instants.compactMap { answer(about: subscriber, life, at: $0) }
    guard !answers.isEmpty else { return [] }
    answers[answers.count - 1].answer.latestReceipt = receipt(of: subscriber, at: now).receipt
    return answers
  }

  /// - Parameter life: up to the instant or a later one.
  private func answer(about subscriber: Subscriber, _ life: Life, at t: Instant) -> ImportedAnswer? {
    let rows = life.rows.compactMap {
      TransactionPayload($0, of: subscriber, at: t, signedDate: $0.lastChange(upTo: t) ?? t)?.known
    }
    guard !rows.isEmpty else { return nil }
    let renewals = life.lines.compactMap { RenewalPayload($0, of: subscriber, at: t, signedDate: t) }
    var answer = Answer(
      environment: subscriber.environment, bundleID: subscriber.bundleID, requestDate: t,
      transactions: rows, renewalInfos: renewals.map(\.known))
    answer.renewalTerms = renewals.compactMap(\.terms)
    return ImportedAnswer(answer: answer, status: 0, appUserID: subscriber.appUserID, observedAt: t)
  }
}
