extension Unicode.Scalar {
  /// Whether it may command a terminal, turn the direction of text, or hide in it: controls of ASCII and of Latin-1, and
  /// Unicode's format characters and separators of lines.
  public var isCommanding: Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}

extension String {
  /// Text from outside that a person may see in a terminal, or paste there: what commands it is replaced by what shows that
  /// something was.
  public var harmless: String { replacingCommands { _ in "\u{FFFD}" } }

  /// Copy in which only controls are replaced, for programs that compare ids: joined emoji and direction marks stay. A terminal may
  /// show it as another text.
  public var withoutControls: String {
    replacingCommands { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }
  }

  public func replacingCommands(_ replacement: (Unicode.Scalar) -> String) -> String {
    // Most texts are plain ASCII, of which one look at the bytes tells.
    guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return self }
    // Of bytes, since text that text is added to is copied each time.
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
