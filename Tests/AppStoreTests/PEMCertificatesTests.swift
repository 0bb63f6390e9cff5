import AppStore
import TestSupport
import Testing

@Suite struct PEMCertificatesTests {
  private static let one = SampleCertificate.pem
  private static let empty = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"
  private static let otherBase64 = "-----BEGIN CERTIFICATE-----\nMIIBmDCC\n-----END CERTIFICATE-----\n"

  private static let files: [(String, String, PEMCertificates.Problem?)] = [
    ("one", one, nil), ("two with words between", "Root A\n\(one)\nRoot B\n=====\n\(one)\n", nil),
    ("lines of Windows", one.replacing("\n", with: "\r\n"), nil),
    ("spaces at the ends of lines", one.replacing("\n", with: " \n"), nil),
    ("a key beside it", one + "\n-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n", nil),
    ("a trusted one", one.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE"), nil),
    ("nothing", "", PEMCertificates.Problem.none), ("words", "hello\n", PEMCertificates.Problem.none),
    (
      "a key alone", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n",
      PEMCertificates.Problem.none
    ),
    ("an empty one", empty, .unreadable(1)),
    ("not base64", empty.replacing("\n", with: "\n!!\n"), .unreadable(1)),
    ("base64 of something else", otherBase64, .unreadable(1)),
    ("a bad one behind a good", "\(one)\n\(empty)", .unreadable(2)),
    ("one cut off", String(one.prefix(300)), .unreadable(1)),
    ("one with a byte missing", one.replacing("MIIBmDCCAT", with: "MIIBmDCCAU"), .unreadable(1)),
  ]

  @Test(arguments: files)
  func areTold(_ name: String, _ text: String, _ problem: PEMCertificates.Problem?) {
    #expect(PEMCertificates.problem(in: Array(text.utf8)) == problem, "\(name)")
  }
}
