import Testing

/// Wrong usage of the program, with the expected messages and exit code.
struct BadInput: CustomTestStringConvertible, Sendable {
  var name: String
  /// `{name}` is replaced by the path of a file in `files`, `{home}` by the home folder.
  var arguments: String
  var files: [String: String]
  var open: Set<String>
  var variables: [String: String]
  var code: Int32
  var says: [String]
  var testDescription: String { name }

  init(
    _ name: String, _ arguments: String, files: [String: String] = [:], open: Set<String> = [],
    variables: [String: String] = [:], code: Int32, says: [String]
  ) {
    (self.name, self.arguments, self.files, self.open) = (name, arguments, files, open)
    (self.variables, self.code, self.says) = (variables, code, says)
  }

  func run(on subtop: Subtop) async throws -> Outcome {
    var subtop = subtop
    for (name, text) in files {
      _ = try subtop.file(name, filled(text, subtop), mode: open.contains(name) ? 0o644 : 0o600)
    }
    subtop.variables = variables.mapValues { filled($0, subtop) }
    return try await subtop.run(
      arguments.split(separator: " ").map { filled(String($0), subtop) }, code: code, says: says)
  }

  private func filled(_ text: String, _ subtop: Subtop) -> String {
    files.keys.reduce(text) { $0.replacing("{\($1)}", with: subtop.home / $1) }
      .replacing("{home}", with: subtop.home.path)
  }
}
