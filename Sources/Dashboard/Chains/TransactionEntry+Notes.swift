import Screen
import Subscriptions

extension [TransactionEntry] {
  /// Returns notes on refunds, upgrades, returns, offers, commitments and changed ends, newest first.
  func notes(in formatter: DisplayFormatter) -> [StyledText] {
    let notes = flatMap { $0.notes(in: formatter) }
    let sorted = notes.enumerated().sorted {
      ($0.element.at, $0.offset) > ($1.element.at, $1.offset)
    }
    return sorted.map { _, note in
      [
        TextSpan(formatter.minute(note.at), .dim), TextSpan(" \(formatter.products.name(of: note.product)) "),
      ] + note.text
    }
  }
}

private struct Note {
  let at: Instant
  let product: ProductID
  let text: StyledText
}

extension TransactionEntry {
  fileprivate func notes(in formatter: DisplayFormatter) -> [Note] {
    var notes: [Note] = []
    if upgraded { notes.append(upgradeNote(in: formatter)) }
    if refunded, let cancellationMs { notes.append(note(cancellationMs, refund(cancellationMs))) }
    if let words = returnWords { notes.append(note(purchaseMs, StyledText(words))) }
    if let offer { notes.append(note(purchaseMs, offer)) }
    if let commitment { notes.append(note(purchaseMs, commitment.words(in: formatter))) }
    return notes + zip(endsHistory, endsHistory.dropFirst()).flatMap { endsNotes($0, $1, formatter) }
  }

  private func note(_ instant: Instant, _ text: StyledText) -> Note {
    Note(at: instant, product: productId, text: text)
  }

  private var price: String? {
    priceMicros.flatMap { micros in currency.map { MoneyText.of(micros: micros, $0) } }
  }

  // MARK: Refunds

  private var isFamilyShared: Bool { inAppOwnershipType == OwnershipType.familyShared.rawValue }

  private func refund(_ instant: Instant) -> StyledText {
    let had = expiresMs.map { expires in
      let used = AgeText.exactDays(max(0, min(instant, expires) - purchaseMs))
      return ", after \(used) of \(AgeText.exactDays(max(0, expires - purchaseMs)))"
    }
    return [
      TextSpan(isFamilyShared ? "revoked" : "refunded", .bad), TextSpan(": "),
      price.map { TextSpan($0, .money) } ?? TextSpan("unpriced", .dim),
    ] + partialRefund + [TextSpan("\(had ?? ""), \(ReasonWords.cancellation(cancellationReason))")]
  }

  /// Share and amount of a partial refund, from `revocationPercentage` in thousandths of a percent.
  private var partialRefund: StyledText {
    guard let revocationPercentage, let partialRefundMicros, let currency else { return "" }
    return [
      TextSpan(", \(FigureReason.percent(revocationPercentage)) % of it = "),
      TextSpan(MoneyText.of(micros: partialRefundMicros, currency), Style(.money, .bold)),
    ]
  }

  // MARK: Upgrades

  private func upgradeNote(in formatter: DisplayFormatter) -> Note {
    let to = successorProductId.map { " to \(formatter.products.name(of: $0))" } ?? ""
    guard let upgradedAtMs, let expiresMs else {
      return note(
        purchaseMs,
        [
          TextSpan("replaced by upgrade\(to)", .warn),
          TextSpan(" at an unknown time: no refund is counted", .dim),
        ])
    }
    let start: StyledText = [TextSpan("replaced by upgrade\(to)", .warn), TextSpan(": ")]
    let dated = StyledText(
      ", \(ReasonWords(FigureReason.dated(upgradedAtMs, cancelled: cancellationMs)).text)")
    return note(
      upgradedAtMs, start + proration(from: upgradedAtMs, until: expiresMs, in: formatter.glyphs) + dated)
  }

  private func proration(
    from upgradedAtMs: Instant, until expiresMs: Instant, in glyphs: GlyphSet
  ) -> StyledText {
    if kind == "trial" { return "no credit for a trial" }
    guard let price, let currency, let proratedRefundMicros else {
      return StyledText("unpriced", .dim)
    }
    let times = glyphs.isASCII ? "x" : "×"
    let unused = AgeText.exactDays(max(0, expiresMs - upgradedAtMs))
    let whole = AgeText.exactDays(max(0, expiresMs - purchaseMs))
    return [
      TextSpan("\(price) \(times) \(unused) unused of \(whole) = "),
      TextSpan(MoneyText.of(micros: proratedRefundMicros, currency), Style(.money, .bold)),
    ]
  }

  // MARK: Returns and offers

  private var returnWords: String? {
    switch arrival {
    case .recovery?: "recovered from billing retry"
    case .unattributed?: "returned (cause unknown): recovered, or repurchased after lapse"
    case .reactivation?: "repurchased after lapse"
    case .initial?, .renewal?, nil: nil
    }
  }

  private var offer: StyledText? {
    if let offerCodeRefName {
      return [TextSpan("bought with the offer code "), TextSpan(offerCodeRefName, .accent)]
    }
    if let winBackOfferId {
      return [TextSpan("won back with the offer "), TextSpan(winBackOfferId, .accent)]
    }
    return promotionalOfferId.map {
      [TextSpan("bought with the promotional offer "), TextSpan($0, .accent)]
    }
  }

  // MARK: Later changes by Apple

  /// Returns words for a cancellation, which is not a refund if the period was upgraded (METRICS §2).
  private func cancellation(_ ends: EndsEntry) -> (name: String, did: TextSpan) {
    if ends.upgraded { return ("end by upgrade", TextSpan("ended by upgrade", .warn)) }
    return isFamilyShared
      ? ("revocation", TextSpan("revoked", .bad)) : ("refund", TextSpan("refunded", .bad))
  }

  private func endsNotes(
    _ old: EndsEntry, _ new: EndsEntry, _ formatter: DisplayFormatter
  ) -> [Note] {
    var changes: [StyledText] = []
    switch (old.cancellationMs, new.cancellationMs) {
    case (let was?, nil):
      changes.append([
        TextSpan("the \(cancellation(old).name) of \(formatter.minute(was)) was reversed", .good),
        TextSpan(" by Apple"),
      ])
    case (nil, let now?):
      changes.append([
        cancellation(new).did, TextSpan(" (Apple set cancellation_date \(formatter.minute(now)))"),
      ])
    case (let was?, let now?) where was != now:
      changes.append([
        TextSpan("Apple moved the \(cancellation(new).name) from \(formatter.minute(was)) to "),
        TextSpan(formatter.minute(now), .strong),
      ])
    default: break
    }
    if let was = old.expiresMs, let now = new.expiresMs, was != now {
      let days = AgeText.exactDays(now > was ? now - was : was - now)
      changes.append([
        TextSpan(now > was ? "extended by \(days)" : "cut short by \(days)", now > was ? .good : .warn),
        TextSpan(", from \(formatter.minute(was)) to \(formatter.minute(now))"),
      ])
    }
    if old.upgraded != new.upgraded {
      changes.append([TextSpan(new.upgraded ? "marked as upgraded" : "no longer marked as upgraded", .warn)])
    }
    let (after, by) = (formatter.minute(old.throughMs), formatter.minute(new.fromMs))
    let seen = TextSpan(" (changed between \(after) and \(by))", .dim)
    return changes.map { note(new.fromMs, $0 + [seen]) }
  }
}
