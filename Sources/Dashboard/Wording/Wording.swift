import Screen

/// How content is put into words and signs.
struct Wording: Hashable, Sendable {
  var glyphs: GlyphSet
  var products = ProductNames.whole
}
