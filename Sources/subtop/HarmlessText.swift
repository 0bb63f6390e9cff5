import Screen
import Subscriptions

extension String {
  /// Returns the text without characters that could control the terminal. Without UTF-8, any byte beyond
  /// ASCII could.
  func harmless(in glyphs: GlyphSet) -> String {
    glyphs == .ascii ? printable(self, atMost: .max) : harmless
  }
}
