import Screen
import Subscriptions

/// A screen of blocks: as they were drawn up, as somebody wants to see their list, and where the cursor is.
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

  /// A list that somebody sorted no longer comes with the newest first.
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

  /// The place of the list among the blocks.
  var main: Int? { blocks.firstIndex { $0.span == .main } }

  /// The screen's list as it shows, and all of it.
  var listing: Listing? { blocks.first { $0.span == .main }?.listing }
  var wholeListing: Listing? { drawn.first { $0.span == .main }?.listing }
}

extension Listing {
  /// How many rows a filter leaves, and what they add up to: `, 23 match, USD 120.00`.
  fileprivate var matching: StyledText {
    guard !filterText.isEmpty else { return [] }
    let totals = sum.totals
    // Amounts of many currencies have no room, and no sum.
    let sum =
      totals.count > 3
      ? ", in \(totals.count) currencies" : totals.map { ", \(MoneyText.of($0))" }.joined()
    return [TextSpan(", \(CountText.of(rows.count)) match\(sum)", .accent)]
  }
}
