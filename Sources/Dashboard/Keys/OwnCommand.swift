import Screen

/// Program from the configuration that a key runs with ids of the selected row.
public struct OwnCommand: Hashable, Sendable {
  /// Name in braces, such as `{receipt_id}`, that is replaced by an id of the selected row.
  public enum Placeholder: String, CaseIterable, Hashable, Sendable {
    case appUserID = "app_user_id"
    case originalTransactionID = "original_transaction_id"
    case receiptID = "receipt_id"
    case productID = "product_id"

    var words: String {
      switch self {
      case .appUserID: "app user"
      case .originalTransactionID: "subscription"
      case .receiptID: "receipt"
      case .productID: "product"
      }
    }
  }

  public let name: String
  public let key: Key?
  public let words: [String]

  /// Creates a command from `line`, split at spaces outside quotation marks, without any other shell syntax.
  public init(name: String, key: Key?, line: String) throws(CommandError) {
    (self.name, self.key) = (name, key)
    words = try Self.split(line)
    guard let program = words.first, !program.isEmpty else { throw CommandError("its command line is empty") }
    for word in words {
      for name in Self.placeholders(in: word) where Placeholder(rawValue: name) == nil {
        let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        throw CommandError("{\(name)} is not a placeholder; use \(known)")
      }
    }
  }

  private static func split(_ line: String) throws(CommandError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw CommandError("a quotation mark is not closed") }
    return words + (word.map { [$0] } ?? [])
  }

  private static func placeholders(in word: String) -> [String] {
    word.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstIndex(of: "}").map { String(part[..<$0]) }
    }
  }

  /// Returns the program and its arguments; an id with spaces is not split.
  public func arguments(_ values: [Placeholder: String]) throws(CommandError) -> [String] {
    var arguments: [String] = []
    for word in words {
      var argument = word
      for placeholder in Placeholder.allCases where word.contains("{\(placeholder.rawValue)}") {
        guard let value = values[placeholder], !value.isEmpty else {
          throw CommandError("this row has no \(placeholder.words)")
        }
        // A program would read an argument with a leading dash as an option.
        guard !value.hasPrefix("-"), value.harmless == value else {
          throw CommandError(
            "the \(placeholder.words) of this row begins with a dash or contains control characters"
          )
        }
        argument = argument.replacing("{\(placeholder.rawValue)}", with: value)
      }
      arguments.append(argument)
    }
    return arguments
  }
}

/// Error in reading, binding or running a command.
public struct CommandError: Error, Hashable {
  public let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
