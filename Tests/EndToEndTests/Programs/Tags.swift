import Testing

extension Tag {
  /// Test that takes over five seconds. CONTRIBUTING lists them.
  @Tag static var long: Self
}
