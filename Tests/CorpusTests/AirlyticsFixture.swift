import Subscriptions
import TestSupport

/// One of its answers under its price table, judged at the answer's own time.
struct AirlyticsFixture {
  let answer: Answer
  let lines: [Line]
  let purchases: [AirlyticsPurchase]

  /// - Parameter isEventTest: its two groups of tests price one product differently.
  init?(_ name: String, isEventTest: Bool) {
    guard let answer = Specimen.airlytics(name)?.answer else { return nil }
    self.answer = answer
    let catalog = Self.catalog(Set(answer.transactions.map(\.productID.rawValue)), isEventTest: isEventTest)
    lines = answer.lines(catalog)
    purchases = AirlyticsPurchase.all(in: answer, catalog)
  }

  var rows: [Row] { lines.flatMap(\.rows).sorted { $0.purchase < $1.purchase } }
  var verdicts: [Verdict] { lines.compactMap { $0.verdict(at: answer.now) } }

  /// Events that a transaction made, the oldest first: not what a renewal info told, nor what nobody did.
  var events: [LineEvent] {
    lines.flatMap(\.events)
      .filter {
        $0.transactionID != nil && ![.billingIssue, .overdue, .unattributed].contains($0.type)
      }
      .sorted(by: LineEvent.newestFirst).reversed()
  }

  /// How many events the newest transaction made.
  var newest: Int { events.count { $0.transactionID == rows.last?.id } }

  func count(_ type: LineEvent.Kind) -> Int { events.count { $0.type == type } }

  subscript(place: Int) -> AirlyticsPurchase {
    purchases.indices.contains(place) ? purchases[place] : AirlyticsPurchase()
  }

  /// Micros of US dollars; the names and prices are those of EXPECTED.md.
  private static func catalog(_ products: Set<String>, isEventTest: Bool) -> Catalog {
    Catalog(
      products.flatMap { product -> [CatalogEntry] in
        guard let name = product.split(separator: ".renewing.").last, !product.contains("inapp") else {
          return []
        }
        let isPro = name.hasSuffix(".pro")
        let price: Int64 =
          switch name {
          case "1year.pro": isEventTest ? 9_990_000 : 29_990_000
          case "1year.1b": 19_990_000
          case "1year.1c": 39_990_000
          case _ where name.hasPrefix("1month"): 990_000
          default: 9_990_000
          }
        let period =
          name.hasPrefix("1month") ? Period(1, .month) : Period(name.hasPrefix("3") ? 3 : 12, .month)
        let offers: [Offer] = name == "1year.ip1" ? [.standard, .intro] : [.standard]
        return offers.map { .make(product, price, period: period, offer: $0, level: isPro ? 1 : 2) }
      })
  }
}
