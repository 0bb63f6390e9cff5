import Screen
import Subscriptions

/// A screen of blocks, with the arrangement of its list and the position of the user.
struct Page: Hashable, Sendable {
  private let drawn: [Block]
  let blocks: [Block]
  let arrangement: Arrangement
  var cursor: ListCursor

  init(_ drawn: [Block] = [], _ arrangement: Arrangement = Arrangement(), cursor: ListCursor = ListCursor()) {
    self.drawn = drawn
    self.arrangement = arrangement
    self.cursor = cursor
    blocks = drawn.map { block in
      guard block.span == .main, let listing = block.listing else { return block }
      var block = block
      let arranged = listing.arranged(by: arrangement)
      block.body = .listing(arranged)
      block.title = Self.title(block.title, arrangement, arranged) + arranged.matching + listing.alike
      return block
    }
  }

  /// Adds the sort order to the title and removes "the newest first".
  private static func title(
    _ title: StyledText, _ arrangement: Arrangement, _ listing: Listing
  ) -> StyledText {
    guard let sort = arrangement.sort else { return title }
    let own = ", the newest first"
    let order = TextSpan(
      ", by \(sort.field)\(listing.sortedCurrencies)\(sort.isDescending ? ", descending" : "")")
    guard let last = title.spans.last, last.text.hasSuffix(own) else { return title + [order] }
    let rest = TextSpan(String(last.text.dropLast(own.count)), last.style)
    return StyledText(title.spans.dropLast() + [rest, order])
  }

  func arranged(by arrangement: Arrangement) -> Page { Page(drawn, arrangement, cursor: cursor) }

  func redrawn(_ blocks: [Block]) -> Page { Page(blocks, arrangement, cursor: cursor) }

  var main: Int? { blocks.firstIndex { $0.span == .main } }

  /// The arranged list, and the list with all of its rows.
  var listing: Listing? { blocks.first { $0.span == .main }?.listing }
  var wholeListing: Listing? { drawn.first { $0.span == .main }?.listing }
}

extension Listing {
  /// Number of matching rows and their sum: `, 23 match, USD 120.00`.
  fileprivate var matching: StyledText {
    guard !filterText.isEmpty else { return [] }
    let totals = sum.totals
    // More than three currencies are only counted.
    let sum =
      totals.count > 3
      ? ", in \(totals.count) currencies" : totals.map { ", \(MoneyText.of($0))" }.joined()
    return [TextSpan(", \(CountText.of(rows.count)) match\(sum)", .accent)]
  }
}
