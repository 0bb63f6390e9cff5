import FoundationEssentials
import Screen
import Terminal

/// User-defined themes: the files `themes/NAME.toml` beside the configuration file.
struct OwnThemes: Sendable {
  let folder: String

  init(beside configuration: String) {
    let end = configuration.lastIndex(of: "/").map { configuration.index(after: $0) }
    folder = configuration[..<(end ?? configuration.startIndex)] + "themes"
  }

  private static let ending = ".toml"

  func path(of name: String) -> String { "\(folder)/\(name)\(Self.ending)" }

  func has(_ name: String) -> Bool { Theme.named(name) != nil || names.contains(name) }

  var names: [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (all ?? []).filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
      .map { String($0.dropLast(Self.ending.count)) }.sorted()
  }

  /// Returns all themes, and errors in user-defined themes; throws the error if the chosen theme has one.
  func all(chosen: String?) throws(Failure) -> (themes: [Theme], problems: [Failure]) {
    var (all, problems) = (Theme.all, [Failure]())
    for name in names {
      do throws(Failure) {
        all.append(try theme(name))
      } catch {
        guard name != chosen || Theme.named(name) != nil else { throw error }
        problems.append(error)
      }
    }
    return (all, problems)
  }

  func theme(_ name: String) throws(Failure) -> Theme {
    let path = path(of: name)
    guard let table = try ConfigurationTable(file: path, as: "theme file") else {
      throw Failure(.configuration, "there is no theme file \(path)")
    }
    guard name.isOwnName else {
      throw table.refusedWhole("a theme's name may only have letters, digits, - and _; rename the file")
    }
    guard Theme.named(name) == nil else {
      throw table.refusedWhole("\(name) is a built-in theme; rename the file")
    }
    let roles = Theme.ownRoles
    let base = try table.text("base") ?? Theme.terminal.name
    guard let theme = Theme.named(base) else {
      throw table.wrong("base", "one of \(Theme.all.map(\.name).joined(separator: ", "))")
    }
    var colours: [Role: Colour?] = [:]
    for (key, role) in roles {
      guard let text = try table.text(key) else { continue }
      guard text != "default" else {
        colours[role] = .some(nil)
        continue
      }
      guard let colour = Colour(named: text) else {
        throw table.wrong(
          key,
          "a colour: use default, a value such as #ff8800, red, green, yellow, blue, magenta, cyan, white or black, or bright-red and so on"
        )
      }
      colours[role] = colour
    }
    try table.refuseOthers(advice: "; the keys are base, \(roles.map(\.name).joined(separator: ", "))")
    return theme.named(name, with: colours)
  }
}
