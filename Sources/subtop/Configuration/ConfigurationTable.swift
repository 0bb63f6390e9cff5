import Files
import Glibc
import Subscriptions
import TOMLKit

/// Table of a TOML file that remembers which keys were read, so that other keys can be reported as unknown.
final class ConfigurationTable {
  let path: String
  /// Kind of the file in messages, such as `configuration file`.
  let kind: String
  /// Prefix of a key in messages, such as `apps.com.example.app.`.
  let prefix: String
  private let table: TOMLTable
  private var known: Set<String> = []

  init?(file path: String, as kind: String = "configuration file") throws(Failure) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try TrustedFile.configuration.bytes(at: path)
    } catch {
      if error.isMissing { return nil }
      throw Failure(error, reading: "the \(kind)")
    }
    (self.path, self.kind) = (path, kind)
    prefix = ""
    do {
      table = try TOMLTable(string: String(decoding: bytes, as: UTF8.self))
    } catch let error as TOMLParseError {
      // The parser's message is not shown, because it may quote the file.
      let advice =
        error.description.contains("redefine")
        ? "the same key or table is defined above; remove one of the two" : "fix that line"
      throw Failure(
        .configuration, "the \(kind) \(path) is not valid TOML at line \(error.source.begin.line); \(advice)")
    } catch {
      throw Failure(.configuration, "the \(kind) \(path) is not valid TOML")
    }
  }

  private init(_ table: TOMLTable, within whole: ConfigurationTable, prefix: String) {
    self.table = table
    (path, kind) = (whole.path, whole.kind)
    self.prefix = prefix
  }

  var keys: [String] { table.keys }

  var hasOthers: Bool { keys.contains { !known.contains($0) } }

  func refuseOthers(
    advice: String = "; `subtop help configuration` lists all keys"
  ) throws(Failure) {
    guard let stranger = keys.first(where: { !known.contains($0) }) else { return }
    let place = prefix.isEmpty ? "" : " under \(printable(String(prefix.dropLast())))"
    throw Failure(
      .configuration,
      "the \(kind) \(path) has an unknown key \(printable(stranger))\(place)\(advice)")
  }

  func refusedWhole(_ sentence: String) -> Failure {
    Failure(.configuration, "cannot use the \(kind) \(printable(path, atMost: 300)): \(sentence)")
  }

  func refused(_ sentence: String) -> Failure {
    refusedWhole("under \(printable(String(prefix.dropLast()))): \(printable(sentence, atMost: 300))")
  }

  func text(_ key: String, _ kind: String = "a string") throws(Failure) -> String? {
    try value(key, kind) { $0.string }
  }

  /// Returns a value that is no secret, such as a secret's path; throws an error if it looks like a secret.
  func place(_ key: String, kind: String = "the path of a file") throws(Failure) -> String? {
    guard let text = try text(key) else { return nil }
    guard !text.isLikeSecret else {
      throw wrong(key, "\(kind) but seems to be the secret itself; store the secret outside this file")
    }
    return text
  }

  func variable(_ key: String) throws(Failure) -> String? {
    let kind = "the name of an environment variable"
    guard let text = try place(key, kind: kind) else { return nil }
    guard text.first?.isNumber == false,
      text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    else { throw wrong(key, kind) }
    return text
  }

  func flag(_ key: String) throws(Failure) -> Bool? {
    try value(key, "true or false") { $0.bool }
  }

  func number(_ key: String, _ range: ClosedRange<Double>) throws(Failure) -> Double? {
    try value(key, "a number from \(ShortNumber.of(range.lowerBound)) to \(ShortNumber.of(range.upperBound))")
    {
      value in
      (value.double ?? value.int.map(Double.init)).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func count(_ key: String, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
    try value(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.int.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func duration(
    _ key: String, orNone allowsZero: Bool = false, in range: (ClosedRange<Int64>, String)? = nil
  ) throws(Failure) -> Int64? {
    let example = "a duration like \"7d\", \"6h\" or \"\(allowsZero ? "0s" : "30m")\""
    let span = try value(key, example) { value in
      value.string.flatMap(DurationText.milliseconds).flatMap { $0 > 0 || (allowsZero && $0 == 0) ? $0 : nil }
    }
    if let span, let range, !range.0.contains(span) { throw wrong(key, "a duration \(range.1)") }
    return span
  }

  func offsets(_ key: String) throws(Failure) -> [Int64]? {
    try list(key, "a list of durations like [\"-24h\", \"1h\"]") {
      $0.string.flatMap(DurationText.milliseconds)
    }
  }

  func texts(_ key: String) throws(Failure) -> [String]? {
    try list(key, "a list of strings") { $0.string }
  }

  func table(_ key: String) throws(Failure) -> ConfigurationTable? {
    try value(key, "a table") { $0.table }.map { inner($0, at: key) }
  }

  func tables(_ key: String, _ kind: String) throws(Failure) -> [ConfigurationTable]? {
    try list(key, kind) { $0.table }?.map { inner($0, at: key) }
  }

  private func inner(_ table: TOMLTable, at key: String) -> ConfigurationTable {
    ConfigurationTable(table, within: self, prefix: prefix + key + ".")
  }

  func wrong(_ key: String, _ wanted: String) -> Failure {
    refusedWhole("\(printable(prefix + key)) is not \(wanted)")
  }

  func refused(_ key: String, _ text: String, _ sentence: String) -> Failure {
    refusedWhole(
      "\(printable(prefix + key)) is \"\(printable(text))\", which is not valid: \(printable(sentence, atMost: 300))"
    )
  }

  func written(_ key: String) -> String? { table[key].map(Self.written) }

  private static func written(_ value: any TOMLValueConvertible) -> String {
    if let text = value.string { return quoted(text) }
    if let array = value.array { return "[" + array.map(written).joined(separator: ", ") + "]" }
    guard let table = value.table else { return value.debugDescription }
    let members = table.keys.map { "\(name($0)) = \(table[$0].map(written) ?? "")" }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  static func name(_ key: String) -> String { key.isOwnName ? key : quoted(key) }

  static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        String(scalar).utf16.map(unicodeEscape).joined()
      default: String(scalar)
      }
    }
    return "\"\(scalars.joined())\""
  }

  private func list<Element>(
    _ key: String, _ kind: String, _ read: (any TOMLValueConvertible) -> Element?
  ) throws(Failure) -> [Element]? {
    known.insert(key)
    guard let value = table[key] else { return nil }
    guard let array = value.array else { throw wrong(key, kind) }
    let elements = array.compactMap(read)
    guard elements.count == array.count else { throw wrong(key, kind) }
    return elements
  }

  private func value<Value>(
    _ key: String, _ kind: String, _ read: (any TOMLValueConvertible) -> Value?
  ) throws(Failure) -> Value? {
    known.insert(key)
    guard let value = table[key] else { return nil }
    guard let value = read(value) else { throw wrong(key, kind) }
    return value
  }
}

enum ShortNumber {
  static func of(_ number: Double) -> String {
    number == number.rounded() ? String(Int64(number)) : String(number)
  }
}

func errorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

extension String {
  /// Whether the text is a valid name for user-defined items: up to 40 ASCII letters, digits, - and _.
  var isOwnName: Bool {
    (1...40).contains(utf8.count)
      && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}
