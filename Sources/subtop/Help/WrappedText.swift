import Screen

/// Text in lines of so many columns.
enum WrappedText {
  /// - Parameters:
  ///   - first: what the first line begins with; nil is `indent`.
  ///   - indent: what every other line begins with.
  /// - Returns: lines that are only longer where a word alone is.
  static func of(_ text: String, columns: Int, first: String? = nil, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = first ?? indent
    var isEmpty = true
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !isEmpty, TextWidth.of(line) + 1 + TextWidth.of(String(word)) > columns {
        lines.append(line)
        (line, isEmpty) = (indent, true)
      }
      line += isEmpty ? String(word) : " \(word)"
      isEmpty = false
    }
    return isEmpty ? lines : lines + [line]
  }
}
