import Screen
import Subscriptions

extension ChainReport {
  /// Returns the known fields of the chain in the order of Apple's answers, newest first within each kind.
  /// Dates and amounts also have a readable form. Unknown fields are omitted.
  func evidence(in wording: Wording) -> Block {
    let rows = sections.flatMap { name, fields in
      let currency = fields["currency"].map { CurrencyCode($0) }
      return fields.all.compactMap { field -> Listing.Row? in
        guard let value = field.value else { return nil }
        return Listing.Row(
          id: "\(name) \(field.path)",
          [
            StyledText(name, .dim), StyledText(field.path), StyledText(value, .strong),
            StyledText(field.readable(currency, in: wording)),
          ], counted: [3: field.instant.map { StyledText(wording.minute($0)) }],
          note: "\(name): \(field.path) \(value)")
      }
    }
    return Block(
      StyledText("What is known, field by field, in Apple's order: the newest first"),
      .listing(
        Listing(
          [
            // The meaning of a date matters more than the end of a long value. Ids should fit in full beside
            // it.
            .middle("Of", least: 6, priority: 0), .middle("Field", least: 12, ordinary: 23, priority: 0),
            .id("Value", ordinary: 16, most: 80),
            .name("Reads as", least: 16, most: 24, priority: 1),
          ], rows, emptyText: "", in: wording.glyphs)), span: .main)
  }

  private var sections: [(String, Fields)] {
    var sections: [(String, Fields)] = []
    func add(_ name: String, _ values: some Sequence<some Encodable>, without left: Set<String> = []) {
      for (place, value) in values.enumerated() {
        sections.append(("\(name) \(place + 1)", Fields(of: value, without: left)))
      }
    }
    let lists: Set = [
      "validations", "receipts", "lines", "one_time", "notifications", "events", "transactions",
      "positions", "renewal_infos",
    ]
    sections.append(("history", Fields(of: self, without: lists)))
    add("receipt", receipts)
    add("subscription", lines, without: lists)
    add("transaction", lines.flatMap(\.transactions).sorted { $0.purchaseMs > $1.purchaseMs })
    add("renewal", lines.flatMap(\.renewalInfos).sorted { $0.observedAtMs > $1.observedAtMs })
    add("one-time", oneTime.sorted { $0.purchaseMs > $1.purchaseMs })
    add("notification", notifications.reversed())
    add("answer", validations.reversed())
    return sections
  }
}

extension Fields.Field {
  private var name: String { path.split(separator: ".").last.map(String.init) ?? path }

  fileprivate var instant: Instant? {
    name.hasSuffix("_ms") ? value.flatMap { Int64($0) }.map(Instant.init(milliseconds:)) : nil
  }

  /// Readable form of the value; empty if the value itself is readable.
  fileprivate func readable(_ currency: CurrencyCode?, in wording: Wording) -> String {
    guard let value else { return "" }
    if let instant { return wording.moment(instant) }
    if name.hasSuffix("_micros"), let micros = Int128(value), let currency {
      return MoneyText.of(micros: micros, currency)
    }
    switch (name, value) {
    case ("expiration_intent", _): return ExpirationIntent(value).words
    case ("cancellation_reason", "0"): return "for another reason than an issue with the app"
    case ("cancellation_reason", "1"): return "for an issue with the app"
    case ("price_consent_status", "0"), ("price_increase_status", "0"): return "not agreed to"
    case ("price_consent_status", "1"), ("price_increase_status", "1"): return "agreed to"
    case ("last_status", "0"): return "valid"
    default: return ""
    }
  }
}
