import Testing

extension Tag {
  /// A test that takes more than five seconds; CONTRIBUTING lists them.
  @Tag static var long: Self
}
