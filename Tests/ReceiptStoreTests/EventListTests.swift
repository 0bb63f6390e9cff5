import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Events with a limit that falls between events of one instant.
@Suite struct EventListTests {
  private func events(_ shelf: Shelf, limit: Int, of products: [String] = []) throws -> [LineEvent] {
    let question = Question(
      panel: .events, at: day(40), windowDays: 90, environment: .all,
      products: Set(products.map { ProductID($0) }), limit: limit)
    return try shelf.store.report(question).data.events
  }

  @Test func aShorterListBeginsALongerOne() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(35), monthly("1", 0, 30), monthly("2", 30, 60)), for: id)
    // Duplicates that differ only in their reason.
    for (place, reason) in ["M", "A", "Z"].enumerated() {
      try shelf.write(
        """
        INSERT INTO event_shapes (type, apple_type, apple_subtype, reason, product_id, new_product_id, period_type,
          is_trial_conversion, is_family_share, is_told_by_notification_alone, notification_type, flow)
        SELECT type, apple_type, apple_subtype, '\(reason)', product_id, new_product_id, period_type,
          is_trial_conversion, is_family_share, is_told_by_notification_alone, notification_type, flow
        FROM event_shapes WHERE reason IS NULL;
        INSERT INTO event_rows SELECT e.chain_id, e.place + \((place + 1) * 1000), t.id, e.transaction_id,
          e.effective_at_ms, e.observed_at_ms, e.observed_after_ms, e.app_user_id, e.notified_at_ms
        FROM event_rows e JOIN event_shapes s ON s.id = e.shape_id AND s.reason IS NULL
          JOIN event_shapes t ON t.type = s.type AND t.flow IS s.flow AND t.reason = '\(reason)'
        """)
    }
    let all = try events(shelf, limit: 1000)
    #expect(all.count >= 8 && all == all.sorted(by: LineEvent.newestFirst))
    for limit in 0...all.count { #expect(try events(shelf, limit: limit) == Array(all.prefix(limit))) }
  }

  @Test func aShorterListBeginsALongerOneOfManyThatChangedAtOneInstant() throws {
    let shelf = try Shelf()
    for place in 0..<23 {
      // Shorter ids sort before longer ones.
      let original = "\(90 + place * 7 % 23)"
      let receipt = ImportedReceipt(
        data: ReceiptData(trusted: "MIIB\(place)"), appUserID: AppUserID("u\(place)"))
      let bought = monthly(original, 0, 30) {
        $0.originalTransactionID = OriginalTransactionID(original)
        if place.isMultiple(of: 3) { $0.productID = ProductID("yearly") }
      }
      try shelf.take(makeAnswer(at: day(35), bought), for: shelf.keep(receipt))
    }
    let all = try events(shelf, limit: 1000)
    #expect(Set(all.map(\.effectiveAt)).count < 6 && all == all.sorted(by: LineEvent.newestFirst))
    #expect(Set(all.map(\.originalTransactionID)).count == 23)
    #expect(try events(shelf, limit: .max) == all)
    for products in [[], ["monthly"], ["yearly"], ["monthly", "yearly"]] {
      let expected = all.filter { products.isEmpty || products.contains($0.productID.rawValue) }
      for limit in 0...all.count {
        #expect(try events(shelf, limit: limit, of: products) == Array(expected.prefix(limit)))
      }
    }
  }
}
