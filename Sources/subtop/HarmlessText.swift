import Screen
import Subscriptions

extension String {
  /// The same for a terminal that may not speak UTF-8, where a byte of a letter may be a command.
  func harmless(in glyphs: GlyphSet) -> String {
    glyphs == .ascii ? printable(self, atMost: .max) : harmless
  }
}

/// Text from outside, made harmless for a terminal and short enough for a sentence. What may be a secret goes first, of which
/// some would be left otherwise.
func printable(_ text: String, atMost count: Int = 80) -> String {
  String(
    text.withoutSecrets.unicodeScalars.prefix(count).map {
      (0x20...0x7E).contains($0.value) ? Character($0) : "?"
    })
}
