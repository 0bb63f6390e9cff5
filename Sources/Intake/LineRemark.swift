/// What a line is, where somebody is to be told how many there were.
public enum LineRemark: Hashable, Sendable {
  /// The header of a product's export.
  case export(HostedExport)
  /// A row that is left out, as it is another store's.
  case otherStore(OtherStore)
  /// An event that is left out, as it is about no purchase.
  case noTransaction
  /// A row of the sandbox, which is taken.
  case sandbox
}
