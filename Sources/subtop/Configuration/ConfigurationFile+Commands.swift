import Dashboard
import Screen

extension ConfigurationFile {
  /// The table `[commands]`: programs of somebody's own, by their names.
  static func commands(_ table: ConfigurationTable, beside keys: KeyMap) throws(Failure) -> KeyMap {
    var commands: [OwnCommand] = []
    for name in table.keys.sorted() {
      guard let entry = try table.table(name) else { continue }
      try entry.refuseOthers(than: ["key", "run"])
      guard let line = try entry.text("run") else { throw entry.wrong("run", "there, and has to be") }
      let key = try entry.text("key")
      let pressed = key.flatMap { Key(named: $0) }
      guard key == nil || pressed != nil else {
        throw entry.wrong("key", "a key as `?` writes it, like \"!\" or \"F4\"")
      }
      let command: OwnCommand
      do throws(OwnCommand.Problem) {
        command = try OwnCommand(name: name, key: pressed, line: line)
      } catch {
        throw entry.refused(error.sentence)
      }
      try entry.refuseTilde(command.words.first, "run")
      commands.append(command)
    }
    do throws(KeyMap.Problem) {
      return try keys.adding(commands)
    } catch {
      throw table.refused(error.sentence)
    }
  }

  /// Variables of the environment in which secrets may lie.
  var secretVariables: Set<String> {
    let places =
      [primarySecret, primaryKey.privateKey] + apps.values.flatMap { [$0.secret, $0.key.privateKey] }
    return Set(places.compactMap(\.environment) + [Secrets.variable])
  }
}
