extension Line {
  /// The line's episodes of every family.
  public func episodes(_ catalog: Catalog) -> [Episode] {
    FactFamily.ofEpisodes.flatMap { episodes($0, catalog) }
  }

  public func episodes(_ family: FactFamily, _ catalog: Catalog) -> [Episode] {
    switch family {
    case .retry: retries
    case .offer: offerUses(catalog)
    case .optOut: optOuts
    case .endingSoon: endingSoon
    case .consent: consents
    case .pendingConsent: pendingConsents
    default: []
    }
  }
}

extension FactFamily {
  public static let ofEpisodes: [FactFamily] = [
    .retry, .offer, .optOut, .endingSoon, .consent, .pendingConsent,
  ]
}
