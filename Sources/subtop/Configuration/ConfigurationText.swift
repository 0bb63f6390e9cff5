/// Configuration as a valid file, with every key, its description and its value.
enum ConfigurationText {
  static let standard = String(decoding: PackageResources.config_toml, as: UTF8.self)

  /// Returns the standard text with the values of `file` instead of the defaults.
  static func effective(_ file: ConfigurationTable) throws(Failure) -> String {
    var sections: [String] = []
    for section in standard.split(separator: "\n\n") {
      let lines = section.split(separator: "\n")
      let head = lines.first { $0.hasPrefix("[") || $0.hasPrefix("# [") }
      let place = head?.split { "#[]. ".contains($0) } ?? []
      guard place.first != "apps" else {
        sections.append(try apps(lines, of: file))
        continue
      }
      var table: ConfigurationTable? = file
      for name in place { table = try table?.table(String(name)) }
      sections.append(
        table.map { Self.section(lines, $0, isOpen: openTables.contains(head)) }
          ?? lines.joined(separator: "\n"))
    }
    return sections.joined(separator: "\n\n") + (standard.hasSuffix("\n") ? "\n" : "")
  }

  private static let openTables: Set<Substring?> = ["[alerts]", "[keys]", "[commands]"]

  private static func section(_ lines: [Substring], _ table: ConfigurationTable, isOpen: Bool) -> String {
    var listed: Set<String> = []
    let known = lines.map { line in
      let bare = line.hasPrefix("# ") ? line.dropFirst(2) : line
      // A table that is absent by default has its head in a comment.
      if bare.hasPrefix("[") { return String(bare) }
      let key = String(bare.prefix { $0 != " " })
      guard bare.dropFirst(key.count).hasPrefix(" = "), let value = table.written(key) else {
        return String(line)
      }
      listed.insert(key)
      return "\(key) = \(value)"
    }
    let own = isOpen ? table.keys.filter { !listed.contains($0) } : []
    let written = own.map { "\(ConfigurationTable.name($0)) = \(table.written($0) ?? "")" }
    return (known + written).joined(separator: "\n")
  }

  private static func apps(_ lines: [Substring], of file: ConfigurationTable) throws(Failure) -> String {
    let all = try file.table("apps")
    let keys = lines.drop { !$0.hasPrefix("# [") }.dropFirst()
    var sections: [String] = []
    for bundle in all?.keys.sorted() ?? [] {
      guard let table = try all?.table(bundle) else { continue }
      let head = "[apps.\(ConfigurationTable.quoted(bundle))]\n"
      sections.append(head + section(Array(keys), table, isOpen: false))
    }
    guard !sections.isEmpty else { return lines.joined(separator: "\n") }
    let comment = lines.prefix { !$0.hasPrefix("# [") }.joined(separator: "\n")
    return comment + "\n" + sections.joined(separator: "\n\n")
  }
}
