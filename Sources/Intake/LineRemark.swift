/// Property of a line that an import counts.
public enum LineRemark: Hashable, Sendable {
  case export(HostedExport)
  /// A row of another store, which is skipped.
  case otherStore(OtherStore)
  /// An event without a purchase, which is skipped.
  case noTransaction
  /// A row of the sandbox, which is imported.
  case sandbox
}
