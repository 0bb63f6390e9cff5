import Screen
import Subscriptions

extension [ChainReport.TransactionEntry] {
  /// Dates and times are columns apart, so that a narrow room keeps the dates.
  func listing(at now: Instant, in wording: Wording) -> Listing {
    Listing(
      [
        .whole("Kind"), .name("Product"), .whole("Purchase"), .whole("UTC", priority: 5), .whole("Expires"),
        .whole("UTC", priority: 5), .whole("Ended early", priority: 6), .whole("Mark", priority: 1),
        .number("Price", priority: 2), .name("Transaction", least: 15, most: 40, priority: 7),
      ], map { Listing.Row(id: $0.transactionId.rawValue, $0.cells(at: now, in: wording)) }, emptyText: "",
      in: wording.glyphs)
  }
}

extension ChainReport.TransactionEntry {
  fileprivate func cells(at now: Instant, in wording: Wording) -> [StyledText] {
    let glyphs = wording.glyphs
    let early = effectiveEndMs.flatMap { end in expiresMs.map { end < $0 ? end : nil } } ?? nil
    let also =
      alsoTransactionIds.isEmpty ? "" : " = " + alsoTransactionIds.map(\.rawValue).joined(separator: ", ")
    return [
      StyledText(kind.replacing("_", with: "-"), kind == "trial" ? .accent : .text),
      StyledText(wording.products.name(of: productId)),
      StyledText(purchaseMs.dateText), StyledText(String(purchaseMs.clockText.prefix(5)), .dim),
      StyledText(expiresMs?.dateText ?? glyphs.dash),
      StyledText(expiresMs.map { String($0.clockText.prefix(5)) } ?? "", .dim),
      early.map { StyledText($0.minuteText, .warn) } ?? StyledText(glyphs.dash, .dim),
      mark(at: now, in: glyphs),
      .money(priceMicros, currency, unknown: expiresMs == nil ? glyphs.dash : "unpriced"),
      StyledText(transactionId.rawValue + also, .dim),
    ]
  }

  private func mark(at now: Instant, in glyphs: GlyphSet) -> StyledText {
    if upgraded { return StyledText("\(glyphs.up) upgraded away", .warn) }
    if refunded { return StyledText("\(glyphs.cross) refunded", .bad) }
    if purchaseMs > now { return StyledText("not begun yet", .info) }
    guard let expiresMs else { return StyledText("") }
    return expiresMs > now ? StyledText("\(glyphs.tick) running", .good) : StyledText("ended", .dim)
  }

  // MARK: In time

  /// The part of the period that was had.
  var usedSpan: Timeline.Span? {
    guard let end = effectiveEndMs ?? expiresMs, end >= purchaseMs else { return nil }
    let kind: Timeline.Kind =
      switch kind {
      case "trial": .trial
      case "standard": .paid
      default: .offer
      }
    return Timeline.Span(kind, from: purchaseMs, until: end)
  }

  /// The part that a refund took away.
  var refundedSpan: Timeline.Span? {
    guard refunded, let end = effectiveEndMs, let expiresMs, end < expiresMs else { return nil }
    return Timeline.Span(.refunded, from: end, until: expiresMs)
  }

  /// Where another product took over.
  var upgradeMark: Timeline.Span? {
    upgradedAtMs.map { Timeline.Span(.upgraded, from: $0, until: $0) }
  }

  // MARK: In sentences

  /// What a refund or an upgrade came to, with the calculation.
  func notes(in glyphs: GlyphSet) -> [StyledText] {
    if upgraded { return [upgradeNote(in: glyphs)] }
    guard refunded, let cancellationMs else { return [] }
    let price = priceMicros.flatMap { micros in currency.map { MoneyText.of(micros: micros, $0) } }
    return [
      [
        TextSpan(cancellationMs.minuteText, .dim), TextSpan(" \(productId) "), TextSpan("refunded", .bad),
        TextSpan(": "), price.map { TextSpan("\($0) at price", .money) } ?? TextSpan("without a price", .dim),
      ]
    ]
  }

  private func upgradeNote(in glyphs: GlyphSet) -> StyledText {
    guard let upgradedAtMs, let expiresMs else {
      return [
        TextSpan(purchaseMs.minuteText, .dim), TextSpan(" \(productId) "), TextSpan("upgraded away", .warn),
        TextSpan(", nobody knows when: no refund is counted", .dim),
      ]
    }
    let head: StyledText = [
      TextSpan(upgradedAtMs.minuteText, .dim), TextSpan(" \(productId) "), TextSpan("upgraded away", .warn),
      TextSpan(upgradeConfirmed == true ? ", dated by Apple: " : ", dated by its successor (estimated): "),
    ]
    guard let priceMicros, let currency, let proratedRefundMicros else {
      return head + [TextSpan("without a price", .dim)]
    }
    let times = glyphs.isASCII ? "x" : "×"
    let unused = AgeText.exactDays(max(0, expiresMs - upgradedAtMs))
    let whole = AgeText.exactDays(max(0, expiresMs - purchaseMs))
    return head + [
      TextSpan("\(MoneyText.of(micros: priceMicros, currency)) \(times) \(unused) of \(whole) = "),
      TextSpan(MoneyText.of(micros: proratedRefundMicros, currency), Style(.money, .bold)),
    ]
  }
}
