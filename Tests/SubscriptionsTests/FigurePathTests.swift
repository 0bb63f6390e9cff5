import Subscriptions
import TestSupport
import Testing

@Suite struct FigurePathTests {
  @Test(arguments: Panel.allCases) func everyFigureHasWords(_ panel: Panel) {
    for meaning in panel.meanings {
      #expect(!meaning.words.contains("*") && !meaning.words.contains("_"), "\(meaning.term)")
      #expect(meaning.words.first?.isUppercase == true, "\(meaning.term): \(meaning.words)")
    }
  }

  @Test(
    arguments: [
      (.active, "paid", "paid", nil), (.active, "by_kind.code", "by_kind.code", nil),
      (.active, "by_product.com.example.pro.paid", "paid", "com.example.pro"),
      (.overview, "by_product.pro.mrr", "mrr", "pro"),
      (.overview, "by_product.pro.paid", "active_paid", "pro"),
      (.refunds, "by_product.pro.count", "count", "pro"), (.refunds, "cohort.rate", "cohort.refunded", nil),
      (.billingRetry, "users", "lines", nil), (.billingRetry, "grace.users", "grace.lines", nil),
      (.churn, "by_intent.unknown.trial", "by_intent.unknown.trial", nil),
      (.overview, "by_intent.1.paid", "by_intent.1.paid", nil),
      (.churn, "renewals.P1M.due", "renewals.P1M.due", nil),
      (.offers, "offers.all.SPRING.started", "offers.all.SPRING.started", nil),
    ] as [(Panel, String, String, String?)])
  func paths(panel: Panel, path: String, name: String, product: String?) throws {
    let found = try #require(FigurePath(path, of: panel))
    #expect(found.name == name)
    #expect(found.product?.rawValue == product)
  }

  @Test(
    arguments: [
      (.active, "by_storefront.DEU.mrr", "mrr", "DEU"), (.active, "by_storefront.deu.mrr", "mrr", "DEU"),
      (.overview, "by_storefront.DEU.mrr", "mrr", "DEU"),
      (.overview, "by_storefront.Deu.paid", "active_paid", "DEU"),
      (.overview, "by_storefront.DEU.trial", "trial", "DEU"),
      (.overview, "by_storefront.Unknown.grace", "grace", nil),
      (.overview, "sales.by_storefront.usa.amount", "sales.amount", "USA"),
      (.active, "by_storefront.unknown.paid", "paid", nil),
      (.overview, "sales.by_storefront.USA.amount", "sales.amount", "USA"),
      (.overview, "sales.by_storefront.unknown.proceeds", "sales.proceeds", nil),
    ] as [(Panel, String, String, String?)])
  func storefronts(panel: Panel, path: String, name: String, storefront: String?) throws {
    let found = try #require(FigurePath(path, of: panel))
    #expect(found.name == name)
    #expect(found.storefronts == .only(storefront.map(StorefrontCode.init(rawValue:))))
    #expect(Question(panel: panel, at: day(0)).narrowed(to: found).storefronts == found.storefronts)
  }

  @Test(
    arguments: [
      (.active, "by_storefront.mrr"), (.active, "by_storefront..mrr"), (.active, "by_storefront.DEU.nothing"),
      (.churn, "by_storefront.DEU.paid"), (.overview, "sales.by_storefront.DEU.mrr"),
      (.overview, "by_storefront.DEU.amount"), (.active, "nothing"),
      (.active, "by_intent.1.paid"), (.churn, "renewals.due"),
      (.churn, "by_intent.1.1.paid"),
      (.active, "by_product.paid"), (.active, "by_product.pro.lines"), (.events, "count"), (.active, ""),
    ] as [(Panel, String)])
  func noPaths(panel: Panel, path: String) {
    #expect(FigurePath(path, of: panel) == nil)
  }

  /// Lines paid at the start have their row of that time; lost lines have the current one.
  @Test func rowsOfTheStart() throws {
    let population = EvidenceLedger.make([
      chain("1", monthly("1", 0, 30), row("weekly", "2", 30, 37), info: .make(intent: .customerCancelled))
    ])
    let rows = population.rows(Question(panel: .churn, at: day(40), windowDays: 20)).rows
    let start = try #require(rows.first { $0.figures.contains("base_at_start") })
    #expect(
      start.transactionID.rawValue == "1" && start.productID.rawValue == "monthly" && start.state == .active)
    let lost = try #require(rows.first { $0.figures.contains("lost_paid") })
    #expect(lost.transactionID.rawValue == "2" && lost.state == .expired)
    #expect(lost.figures.contains("churn_rate"))
  }
}
