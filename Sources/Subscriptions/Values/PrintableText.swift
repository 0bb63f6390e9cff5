/// Text from outside, made harmless for a terminal and short enough for a sentence. What may be a secret goes first, of which
/// some would be left otherwise.
package func printable(_ text: String, atMost count: Int = 80) -> String {
  String(
    text.withoutSecrets.unicodeScalars.prefix(count).map {
      (0x20...0x7E).contains($0.value) ? Character($0) : "?"
    })
}
