/// Returns text with `?` for all that is not printable ASCII, shortened for a sentence. Secrets are removed
/// first, since part of one would no longer be recognized.
package func printable(_ text: String, atMost count: Int = 80) -> String {
  String(
    text.withoutSecrets.unicodeScalars.prefix(count).map {
      (0x20...0x7E).contains($0.value) ? Character($0) : "?"
    })
}
