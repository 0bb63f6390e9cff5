import Screen
import Subscriptions

extension [TransactionEntry] {
  /// Returns the list of a line's periods, newest first. The array is sorted oldest first. Dates and times
  /// are separate columns, so that narrow screens keep the dates.
  func listing(at now: Instant, in formatter: DisplayFormatter) -> Listing {
    let origins = origins(in: formatter)
    // Without signed rows these columns are left out, so that chains of receipts keep the width.
    let isSigned = contains { $0.signedAtMs != nil }
    let rows = reversed().map { row in
      Listing.Row(
        id: row.transactionId.rawValue,
        row.cells(at: now, origin: origins[row.transactionId] ?? "", in: formatter)
          + row.signedCells(in: formatter.glyphs))
    }
    // The verdict counts the signed rows; only this column identifies them.
    let isMixed = isSigned && contains { $0.signedAtMs == nil }
    let columns: [ListingColumn] = [
      .whole("Kind").meaning(PeriodKind.codes), .product(of: formatter.products, priority: 0),
      .whole("Purchase"), .whole("at", priority: 6).named("purchase_time"), .whole("Expires"),
      .whole("at", priority: 6).named("expiry_time"), .whole("Ended early", priority: 7),
      .whole("Status", priority: 1),
      .number("Price", priority: 2),
      .name("How it started", least: 14, most: 36, priority: 4).named("came_about"),
      .number("Apple's", priority: 9), .number("Proceeds", priority: 5),
      .name("Transaction", least: 15, most: 40, priority: 8),
      .whole("Priced by", priority: 3).present(isSigned), .storefront(priority: 3).present(isSigned),
      .whole("Signed", priority: isMixed ? 2 : 5).present(isSigned),
    ]
    var listing = Listing(columns, rows, emptyText: "", in: formatter.glyphs)
    listing.leaveOutShared(["priced_by", "storefront"])
    return listing
  }

  func oneTimeListing(in formatter: DisplayFormatter) -> Listing {
    let rows = map { row in
      Listing.Row(
        id: row.transactionId.rawValue,
        [
          StyledText(formatter.minute(row.purchaseMs), .dim),
          StyledText(formatter.products.name(of: row.productId)),
          StyledText("\(row.quantity)"),
          row.takenBack(in: formatter.glyphs).map {
            $0 + StyledText(" \(row.cancellationMs.map(formatter.minute) ?? "")", .bad)
          } ?? .dash(in: formatter.glyphs),
          StyledText(row.transactionId.rawValue, .dim),
        ])
    }
    return Listing(
      [
        .whole("Purchase"), .product(of: formatter.products, priority: 0), .number("Quantity", priority: 2),
        .whole("Status", priority: 1),
        .name("Transaction", least: 15, most: 40, priority: 3),
      ], rows, emptyText: "", in: formatter.glyphs)
  }

  /// Number of signed rows and the sources of prices; `nil` if no row is signed.
  var signed: StyledText? {
    let signed = count { $0.signedAtMs != nil }
    guard signed > 0 else { return nil }
    let apples = count { $0.priceSource == .signed }
    let catalogues = count { $0.priceSource == .catalogue }
    let rest = count - apples - catalogues
    return [
      TextSpan(
        "\(CountText.of(signed)) of \(CountText.of(count, "row")) by Apple",
        signed == count ? .text : .warn),
      TextSpan(
        "; prices: \(CountText.of(apples)) Apple's, \(CountText.of(catalogues)) the catalogue's"
          + (rest > 0 ? ", \(CountText.of(rest)) unknown" : "")),
    ]
  }
}

extension TransactionEntry {
  fileprivate func cells(at now: Instant, origin: String, in formatter: DisplayFormatter) -> [StyledText] {
    let glyphs = formatter.glyphs
    let early = effectiveEndMs.flatMap { end in expiresMs.map { end < $0 ? end : nil } } ?? nil
    let also =
      alsoTransactionIds.isEmpty ? "" : " = " + alsoTransactionIds.map(\.rawValue).joined(separator: ", ")
    return [
      .kind(kind),
      StyledText(formatter.products.name(of: productId)),
      StyledText(formatter.date(purchaseMs)), StyledText(formatter.clock(purchaseMs), .dim),
      StyledText(expiresMs.map(formatter.date) ?? glyphs.dash),
      StyledText(expiresMs.map(formatter.clock) ?? "", .dim),
      early.map { StyledText(formatter.minute($0), .warn) } ?? .dash(in: glyphs),
      mark(at: now, in: glyphs),
      .money(priceMicros, currency, unknown: "no price"), StyledText(origin),
      commissionPercent.map { StyledText("\($0) %", .dim) } ?? .dash(in: glyphs),
      .money(proceedsMicros, currency, unknown: glyphs.dash),
      StyledText(transactionId.rawValue + also, .dim),
    ]
  }

  /// Cells of the columns that require signed rows: source of the price, storefront, and whether the row is
  /// signed.
  fileprivate func signedCells(in glyphs: GlyphSet) -> [StyledText] {
    let source: StyledText =
      switch priceSource {
      case .signed?: "Apple"
      case let other?: StyledText(other.rawValue, .dim)
      case nil: .dash(in: glyphs)
      }
    return [
      source, .storefront(storefront, in: glyphs),
      signedAtMs == nil ? StyledText("no", .warn) : StyledText(glyphs.tick, .good),
    ]
  }

  fileprivate func takenBack(in glyphs: GlyphSet) -> StyledText? {
    guard cancellationMs != nil, !upgraded else { return nil }
    let word = !refunded ? "revoked" : partialRefundMicros == nil ? "refunded" : "refunded in part"
    return StyledText("\(glyphs.cross) \(word)", .bad)
  }

  private func mark(at now: Instant, in glyphs: GlyphSet) -> StyledText {
    if upgraded { return StyledText("\(glyphs.up) upgraded away", .warn) }
    if let takenBack = takenBack(in: glyphs) { return takenBack }
    if purchaseMs > now { return StyledText("not begun yet", .info) }
    guard let expiresMs else { return StyledText("") }
    return expiresMs > now ? StyledText("\(glyphs.tick) running", .good) : StyledText("ended", .dim)
  }
}

extension [TransactionEntry] {
  /// Returns how each transaction came about, by id: first purchase, renewal, return or change of product.
  func origins(in formatter: DisplayFormatter) -> [TransactionID: String] {
    var origins: [TransactionID: String] = [:]
    var end: Instant?
    var last: TransactionEntry?
    for row in self {
      let replaced = first { $0.successorTransactionId == row.transactionId }
      origins[row.transactionId] = row.origin(after: last, ended: end, replacing: replaced, in: formatter)
      end = Swift.max(end ?? row.purchaseMs, row.effectiveEndMs ?? row.purchaseMs)
      last = row
    }
    return origins
  }
}

extension TransactionEntry {
  fileprivate func origin(
    after last: Self?, ended end: Instant?, replacing replaced: Self?, in formatter: DisplayFormatter
  ) -> String {
    if let replaced {
      let direction = replaced.upgradeDirection ?? .unranked
      return
        "\(direction == .unranked ? "changed" : direction.rawValue) from \(formatter.products.name(of: replaced.productId))"
    }
    if let changedFromProductId {
      let direction = changeDirection ?? .unranked
      return
        "\(direction == .unranked ? "changed" : direction.rawValue) from \(formatter.products.name(of: changedFromProductId))"
    }
    let gap = AgeText.of(Swift.max(0, purchaseMs - (end ?? purchaseMs)))
    switch arrival {
    case .initial?: return "first"
    case .renewal?: return last?.kind == "trial" && kind != "trial" ? "trial converted" : "renewed"
    case .recovery?: return "recovered after \(gap)"
    case .unattributed?: return "back after \(gap)"
    case .reactivation?: return "new start after \(gap)"
    case nil: return ""
    }
  }
}

extension [ServerNotification] {
  func listing(in formatter: DisplayFormatter) -> Listing {
    let isDeliveryKnown = contains { !$0.sendAttempts.isEmpty }
    let rows = reversed().enumerated().map { index, entry in
      Listing.Row(
        id: "\(index)",
        [
          StyledText(formatter.minute(entry.observedAt), .dim), StyledText(entry.type.rawValue),
          StyledText(entry.productID.map(formatter.products.name(of:)) ?? formatter.glyphs.dash),
          StyledText(entry.words(in: formatter)),
          StyledText(entry.transactionID?.rawValue ?? formatter.glyphs.dash, .dim),
          entry.delivery(in: formatter),
        ])
    }
    return Listing(
      [
        .whole("Sent"), .name("Type", least: 16, most: 40),
        .product(of: formatter.products, priority: 2),
        .name("Says", priority: 1),
        .name("Transaction", least: 15, most: 40, priority: 3),
        .whole("Delivery", priority: 2).present(isDeliveryKnown),
      ], rows, emptyText: "", in: formatter.glyphs)
  }
}

extension ServerNotification {
  fileprivate func delivery(in formatter: DisplayFormatter) -> StyledText {
    guard let last = sendAttempts.last else { return .dash(in: formatter.glyphs) }
    let attempts = sendAttempts.count == 1 ? "" : ", attempt \(sendAttempts.count)"
    return last.succeeded
      ? StyledText("\(formatter.glyphs.tick) \(formatter.minute(last.atMs))\(attempts)", .good)
      : StyledText("\(formatter.glyphs.cross) \(last.result)\(attempts)", .bad)
  }

  fileprivate func words(in formatter: DisplayFormatter) -> String {
    var words: [String] = []
    if let autoRenewStatus {
      let since = autoRenewStatusChangeDate.map { " since \(formatter.minute($0))" } ?? ""
      words.append("auto-renew \(autoRenewStatus ? "on" : "off")\(since)")
    }
    if let autoRenewProductID, autoRenewProductID != productID {
      words.append("next \(formatter.products.name(of: autoRenewProductID))")
    }
    if let cancellationDate { words.append("cancelled \(formatter.minute(cancellationDate))") }
    return words.isEmpty ? formatter.glyphs.dash : words.joined(separator: ", ")
  }
}
