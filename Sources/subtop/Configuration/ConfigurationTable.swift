import Files
import Glibc
import Subscriptions
import TOMLKit

/// A table of the configuration file, read key by key: whoever misspells one is told, with the file and the key.
struct ConfigurationTable {
  let path: String
  /// What stands before a key in messages: `apps.com.example.app.`.
  let prefix: String
  private let table: TOMLTable

  /// Nil where there is no such file.
  init?(file path: String) throws(Failure) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try TrustedFile(path, as: .configuration).bytes()
    } catch {
      if error.isMissing { return nil }
      throw Failure(error, reading: "the configuration file")
    }
    self.path = path
    prefix = ""
    do {
      table = try TOMLTable(string: String(decoding: bytes, as: UTF8.self))
    } catch let error as TOMLParseError {
      // The parser's own words may quote the file.
      throw Failure(
        .configuration,
        "the configuration file \(path) is not TOML at line \(error.source.begin.line); mend that line")
    } catch {
      throw Failure(.configuration, "the configuration file \(path) is not TOML")
    }
  }

  private init(_ table: TOMLTable, path: String, prefix: String) {
    self.table = table
    self.path = path
    self.prefix = prefix
  }

  var keys: [String] { table.keys }

  /// - Throws: a `Failure` that names the first key that is none of these.
  func refuseOthers(than known: Set<String>) throws(Failure) {
    guard let stranger = keys.first(where: { !known.contains($0) }) else { return }
    let place = prefix.isEmpty ? "" : " under \(printable(String(prefix.dropLast())))"
    throw Failure(
      .configuration,
      "the configuration file \(path) has a key \(printable(stranger))\(place) that subtop does not know")
  }

  /// A `Failure` about the table as a whole.
  func refused(_ sentence: String) -> Failure {
    Failure(
      .configuration,
      "the configuration file \(path) under \(printable(String(prefix.dropLast()))): \(printable(sentence, atMost: 300))"
    )
  }

  func text(_ key: String) throws(Failure) -> String? {
    try value(key, "text") { $0.string }
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

  /// In milliseconds.
  func duration(_ key: String, orNone allowsZero: Bool = false) throws(Failure) -> Int64? {
    let example =
      allowsZero
      ? "a span of time like \"7d\", \"6h\" or \"0s\"" : "a span of time like \"7d\", \"6h\" or \"30m\""
    return try value(key, example) { value in
      value.string.flatMap(DurationText.milliseconds).flatMap { $0 > 0 || (allowsZero && $0 == 0) ? $0 : nil }
    }
  }

  /// In milliseconds, before or after something.
  func offsets(_ key: String) throws(Failure) -> [Int64]? {
    try list(key, "a list of spans of time like [\"-24h\", \"1h\"]") {
      $0.string.flatMap(DurationText.milliseconds)
    }
  }

  func texts(_ key: String) throws(Failure) -> [String]? {
    try list(key, "a list of texts") { $0.string }
  }

  func table(_ key: String) throws(Failure) -> ConfigurationTable? {
    guard let value = table[key] else { return nil }
    guard let inner = value.table else { throw wrong(key, "a table") }
    return ConfigurationTable(inner, path: path, prefix: prefix + key + ".")
  }

  func tables(_ key: String, _ kind: String) throws(Failure) -> [ConfigurationTable]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array else { throw wrong(key, kind) }
    var tables: [ConfigurationTable] = []
    for entry in array {
      guard let inner = entry.table else { throw wrong(key, kind) }
      tables.append(ConfigurationTable(inner, path: path, prefix: prefix + key + "."))
    }
    return tables
  }

  func wrong(_ key: String, _ kind: String) -> Failure {
    Failure(.configuration, "in the configuration file \(path) \(printable(prefix + key)) is not \(kind)")
  }

  private func list<Element>(
    _ key: String, _ kind: String, _ read: (any TOMLValueConvertible) -> Element?
  ) throws(Failure) -> [Element]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array else { throw wrong(key, kind) }
    let elements = array.compactMap(read)
    guard elements.count == array.count else { throw wrong(key, kind) }
    return elements
  }

  private func value<Value>(
    _ key: String, _ kind: String, _ read: (any TOMLValueConvertible) -> Value?
  ) throws(Failure) -> Value? {
    guard let value = table[key] else { return nil }
    guard let value = read(value) else { throw wrong(key, kind) }
    return value
  }
}

/// A bound as people write it.
enum ShortNumber {
  static func of(_ number: Double) -> String {
    number == number.rounded() ? String(Int64(number)) : String(number)
  }
}

/// What the last system call said.
func errorText() -> String { String(cString: strerror(errno)) }
