import Screen
import Subscriptions

extension String {
  /// The same for a terminal that may not speak UTF-8, where a byte of a letter may be a command.
  func harmless(in glyphs: GlyphSet) -> String {
    glyphs == .ascii ? printable(self, atMost: .max) : harmless
  }
}
