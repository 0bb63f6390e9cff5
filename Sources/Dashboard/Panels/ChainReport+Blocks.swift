import Screen
import Subscriptions

extension ChainReport {
  /// The chain's content at an instant.
  public func blocks(at now: Instant, in glyphs: GlyphSet) -> [Block] { [] }
}

extension [ChainReport] {
  func listBlock(of id: String, at now: Instant, in glyphs: GlyphSet) -> Block {
    Block("x", .text([]))
  }
}
