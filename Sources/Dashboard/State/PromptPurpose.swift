/// Use of the line that the user types.
enum PromptPurpose: Hashable, Sendable {
  /// Finds chains, products and figures.
  case find
  /// Filters the list while typing. Cancelling restores `before`.
  case filter(before: Arrangement)
  case command
  case export
}
