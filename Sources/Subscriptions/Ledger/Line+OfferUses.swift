extension Line {
  /// METRICS §5, Offers: each row that was bought at another price than the standard one. They last as long as the line stands in Trial or
  /// Paid with that row, and wait for the next paid row.
  func offerUses(_ catalog: Catalog) -> [Episode] {
    guard !isFamilyShared, rows.contains(where: { $0.kind != .standard }) else { return [] }
    let lasting = running
    let prices = LinePrices(rows)
    // Of rows in order of purchase, the first paid one that was bought after each.
    var episodes: [Episode] = []
    var (next, later): (Row?, Row?) = (nil, nil)
    for place in rows.indices.reversed() {
      let row = rows[place]
      if let last = later, last.purchase > row.purchase { next = last }
      if row.kind.isPaid { later = row }
      guard row.kind != .standard else { continue }
      let cost = row.cost(catalog)
      let bought = prices.after(row)
      let use = FactKind.OfferUse(
        kind: row.kind, offer: row.transaction.offerName,
        next: next.map { $0.kind == .standard ? .standard : .offer } ?? .none,
        isUnpriced: cost == nil || bought.all.unpriced > 0)
      episodes.append(
        Episode(
          FactClass(
            .offer(use), id.environment, product: row.productID, currency: cost?.currency,
            storefront: row.storefront),
          from: row.purchase, lasting: lasting[place] ?? [], next: next?.purchase, row: place,
          micros: cost?.single, converted: cost.map { row.conversion.of($0.micros) } ?? Converted(),
          later: bought))
    }
    return episodes.reversed()
  }

  /// When the line stood in Trial or Paid, by its current row.
  private var running: [Int: [Range<Instant>]] {
    var running: [Int: [Range<Instant>]] = [:]
    for span in timeline.spans where span.position.state.hasAccess {
      running[span.position.row, default: []].join(span.stretch)
    }
    return running
  }
}

extension Row {
  /// What the offer left of the standard price; nil where one of both is unknown, or they are in different currencies.
  fileprivate func cost(_ catalog: Catalog) -> Money? {
    guard let price = price?.amount, let standard = catalog.standardPrice(of: productID, at: purchase),
      standard.currency == price.currency
    else { return nil }
    return Money(micros: standard.micros - price.micros, currency: price.currency)
  }
}

extension Transaction {
  /// The identifier of the offer that it was bought with; nil where Apple told none.
  var offerName: String? {
    let names = [offerCodeRefName, promotionalOfferID, terms?.winBackOfferID]
    return names.compactMap(\.self).first { !$0.isEmpty }
  }
}
