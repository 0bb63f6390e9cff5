extension Unicode.Scalar {
  /// Whether the scalar could control a terminal, change the direction of text or hide in it: controls of
  /// ASCII and Latin-1, and Unicode's format characters and separators of lines and paragraphs.
  public var isCommanding: Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}

extension String {
  /// Copy to show or paste in a terminal. Scalars that could control it are replaced by U+FFFD.
  public var harmless: String { replacingCommands { _ in "\u{FFFD}" } }

  /// Copy in which only controls are replaced, for programs that compare ids. Joined emoji and direction
  /// marks stay, so a terminal may show it as a different text.
  public var withoutControls: String {
    replacingCommands { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }
  }

  public func replacingCommands(_ replacement: (Unicode.Scalar) -> String) -> String {
    // Most texts are plain ASCII, which a scan of the bytes shows.
    guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return self }
    // Collects bytes, since a text is copied each time another is appended.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var kept = startIndex
    for index in unicodeScalars.indices where unicodeScalars[index].isCommanding {
      bytes.append(contentsOf: utf8[kept..<index])
      bytes.append(contentsOf: replacement(unicodeScalars[index]).utf8)
      kept = unicodeScalars.index(after: index)
    }
    bytes.append(contentsOf: utf8[kept...])
    return String(decoding: bytes, as: UTF8.self)
  }
}
