import Subscriptions

/// One key of a table of the configuration: what it is for, how it is read and how it is printed.
///
/// A list of them is all that the program knows of a table: it decides what is read, what is refused as unknown, and what
/// `config --print` and the help say.
struct ConfigurationKey<Settings>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

  let name: String
  /// Above it in `config --print`; empty where the comment of the key before speaks of this one as well.
  let comment: String
  /// What could stand there, where nothing does.
  let example: String
  let read: @Sendable (ConfigurationTable, inout Settings) throws(Failure) -> Void
  /// In TOML; nil where there is no value.
  let value: @Sendable (Settings) -> String?

  init(
    _ name: String, _ comment: String, example: String = "",
    read: @escaping @Sendable (ConfigurationTable, inout Settings) throws(Failure) -> Void,
    value: @escaping @Sendable (Settings) -> String?
  ) {
    self.name = name
    self.comment = comment
    self.example = example
    self.read = read
    self.value = value
  }
}

extension ConfigurationKey {
  static func flag(_ name: String, _ path: Path<Bool>, _ comment: String) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      if let flag = try table.flag(name) { settings[keyPath: path] = flag }
    } value: {
      String($0[keyPath: path])
    }
  }

  static func count(
    _ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ comment: String
  ) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      if let count = try table.count(name, range) { settings[keyPath: path] = count }
    } value: {
      String($0[keyPath: path])
    }
  }

  static func number(
    _ name: String, _ path: Path<Double>, in range: ClosedRange<Double>, _ comment: String
  ) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      if let number = try table.number(name, range) { settings[keyPath: path] = number }
    } value: {
      ShortNumber.of($0[keyPath: path])
    }
  }

  /// A number without which there is no limit.
  static func limit(
    _ name: String, _ path: Path<Double?>, in range: ClosedRange<Double>, _ comment: String, example: String
  ) -> Self {
    Self(name, comment, example: example) { (table, settings) throws(Failure) in
      if let number = try table.number(name, range) { settings[keyPath: path] = number }
    } value: {
      $0[keyPath: path].map(ShortNumber.of)
    }
  }

  /// In milliseconds.
  ///
  /// - Parameter range: with the words for it.
  static func span(
    _ name: String, _ path: Path<Int64>, orNone allowsZero: Bool = false,
    in range: (ClosedRange<Int64>, String)? = nil, _ comment: String
  ) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      guard let span = try table.duration(name, orNone: allowsZero) else { return }
      if let range, !range.0.contains(span) { throw table.wrong(name, "a span of time \(range.1)") }
      settings[keyPath: path] = span
    } value: {
      TOMLText.quoted(DurationText.of($0[keyPath: path]))
    }
  }

  /// In milliseconds, before or after something.
  static func offsets(_ name: String, _ path: Path<[Int64]>, _ comment: String) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      if let offsets = try table.offsets(name) { settings[keyPath: path] = offsets.sorted() }
    } value: {
      TOMLText.list($0[keyPath: path].map(DurationText.of))
    }
  }

  static func texts<Element: Sendable>(
    _ name: String, _ path: Path<Set<Element>>, _ make: @escaping @Sendable (String) -> Element,
    _ text: @escaping @Sendable (Element) -> String, _ comment: String
  ) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      if let texts = try table.texts(name) { settings[keyPath: path] = Set(texts.map(make)) }
    } value: {
      TOMLText.list($0[keyPath: path].map(text).sorted())
    }
  }

  /// - Parameter standard: what is printed where there is none.
  static func text(_ name: String, _ path: Path<String?>, standard: String, _ comment: String) -> Self {
    Self(name, comment) { (table, settings) throws(Failure) in
      if let text = try table.filledText(name) { settings[keyPath: path] = text }
    } value: {
      TOMLText.quoted($0[keyPath: path] ?? standard)
    }
  }

  /// Where a secret lies, or which key it is.
  static func place(
    _ name: String, _ path: Path<String?>, kind: String = "the path of a file", _ comment: String,
    example: String,
    where isWell: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> Self {
    Self(name, comment, example: TOMLText.quoted(example)) { (table, settings) throws(Failure) in
      guard let text = try table.pathText(name) else { return }
      guard !text.isLikeSecret else {
        throw table.wrong(
          name, "\(kind) but seems to be the secret itself; keep that there, and not in this file")
      }
      guard isWell(text) else { throw table.wrong(name, kind) }
      settings[keyPath: path] = text
    } value: {
      $0[keyPath: path].map(TOMLText.quoted)
    }
  }

  /// The variable of the environment in which a secret is.
  static func variable(_ name: String, _ path: Path<String?>, _ comment: String, example: String) -> Self {
    place(name, path, kind: "the name of a variable of the environment", comment, example: example) { text in
      text.first?.isNumber == false
        && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
  }
}

extension Array {
  /// - Parameter tables: what else may stand in the table.
  func read<Settings>(
    _ table: ConfigurationTable, into settings: inout Settings, beside tables: Set<String> = []
  ) throws(Failure) where Element == ConfigurationKey<Settings> {
    try table.refuseOthers(than: tables.union(map(\.name)))
    for key in self { try key.read(table, &settings) }
  }

  /// The keys as they stand in a file; what has no value is commented out.
  func printed<Settings>(of settings: Settings) -> String where Element == ConfigurationKey<Settings> {
    map { key in
      let line = key.value(settings).map { "\(key.name) = \($0)" } ?? "# \(key.name) = \(key.example)"
      return TOMLText.comment(key.comment) + line + "\n"
    }.joined()
  }
}
