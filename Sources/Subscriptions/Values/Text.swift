/// Search text, which is compared with names without regard to case.
public struct SearchText: Sendable {
  /// Characters of the text; a number is one piece, because its single digits occur in most ids.
  public let pieces: [String]
  private let typed: [UInt8]
  private let pieceBytes: [[UInt8]]

  public init(_ text: String) {
    let text = text.lowercased()
    var pieces: [String] = []
    var endsInNumber = false
    for character in text {
      if character.isNumber, endsInNumber {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      endsInNumber = character.isNumber
    }
    self.pieces = pieces
    typed = Array(text.utf8)
    pieceBytes = pieces.map { Array($0.utf8) }
  }

  public var isEmpty: Bool { typed.isEmpty }

  /// Returns the rank of a match: 0 whole name, 1 beginning, 2 part, 3 all pieces in order; otherwise `nil`.
  public func nearness(to name: String) -> Int? {
    let name = Array(name.lowercased().utf8)
    guard typed.count <= name.count else { return nil }
    if name.starts(with: typed) { return typed.count == name.count ? 0 : 1 }
    if name[...].firstIndex(of: typed) != nil { return 2 }
    var rest = name[...]
    for piece in pieceBytes {
      guard let place = rest.firstIndex(of: piece) else { return nil }
      rest = rest[(place + piece.count)...]
    }
    return 3
  }
}

// The standard library's search builds tables for each text, which takes longer than scanning a name.
extension ArraySlice<UInt8> {
  public func firstIndex(of part: [UInt8]) -> Int? {
    guard part.count <= count else { return nil }
    return (startIndex...(endIndex - part.count)).first { self[$0...].starts(with: part) }
  }
}

/// Checks that text is UTF-8, because replacing invalid bytes could turn a path or an id into another one.
public enum GivenText {
  /// Returns a message for the first argument after the program's name that is not UTF-8.
  public static func problem(
    ofArguments arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32
  ) -> String? {
    for place in 1..<max(Int(count), 1) {
      guard let text = arguments[place] else { continue }
      let name = printable(String(cString: text))
      if let problem = problem(text, name, "rename the file, or pass another value") { return problem }
    }
    return nil
  }

  /// Replaces `--help NAME` by `help NAME`, because ArgumentParser would print the default command's help.
  public static func withHelpAsCommand(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, ["-h", "--help"].contains(first),
      let name = arguments.dropFirst().first, !name.hasPrefix("-")
    else { return arguments }
    return ["help"] + arguments.dropFirst()
  }

  public static func problem(_ text: UnsafePointer<CChar>, _ name: String, _ advice: String) -> String? {
    guard String(validatingCString: text) == nil else { return nil }
    return "\(name) is not UTF-8, as paths, ids and names must be; \(advice)"
  }
}

/// Checks for empty and invisible values, for example from an unset shell variable.
public enum BlankValue {
  /// Whether a text is not empty but has only white space, controls and invisible characters, such as U+200B.
  package static func isBlank(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isUnseen)
  }

  /// Returns a message if an id has an invisible character, such as a no-break space; otherwise `nil`.
  package static func unseen(in id: String) -> String? {
    guard let scalar = id.unicodeScalars.first(where: isUnseen) else { return nil }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "contains an invisible character, U+\(code); remove it"
  }

  package static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      || [.control, .format].contains(scalar.properties.generalCategory)
  }

  public static func problem(
    _ value: String?, _ name: @autoclosure () -> String, _ advice: @autoclosure () -> String
  ) -> String? {
    guard let value, value.isEmpty || isBlank(value) else { return nil }
    return "\(name()) is \(value.isEmpty ? "empty" : "blank"); \(advice())"
  }
}

/// Returns at most `count` characters, with `?` for all that are not printable ASCII.
///
/// Secrets are removed first, because a shortened secret would no longer be recognized.
package func printable(_ text: String, atMost count: Int = 80) -> String {
  String(
    text.withoutSecrets.unicodeScalars.prefix(count).map {
      (0x20...0x7E).contains($0.value) ? Character($0) : "?"
    })
}
