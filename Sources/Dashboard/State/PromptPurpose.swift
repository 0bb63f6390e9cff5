/// What becomes of the line that somebody types.
enum PromptPurpose: Hashable, Sendable {
  /// Chains are looked for by it.
  case find
  /// It filters the list while it is typed; given up, what was before comes back.
  case filter(before: Arrangement)
  /// It is a command of the palette.
  case command
  /// It names the file for the list that shows.
  case export
}
