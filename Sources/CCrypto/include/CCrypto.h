// Certificates and ES256 of libcrypto as plain functions, without policy: the caller decides what a
// certificate must be.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct ccrypto_certificate ccrypto_certificate;
typedef struct ccrypto_key ccrypto_key;

/// Null if the bytes are not exactly one X.509 certificate in DER.
ccrypto_certificate *ccrypto_certificate_read(const uint8_t *der, size_t length);
void ccrypto_certificate_free(ccrypto_certificate *certificate);
/// Whether the certificate has an extension, given by its object identifier in dotted form.
int ccrypto_certificate_has_extension(const ccrypto_certificate *certificate, const char *oid);
/// Validity, both ends inclusive, in seconds since 1970. Returns 0 if it cannot be read.
int ccrypto_certificate_validity(const ccrypto_certificate *certificate, int64_t *from, int64_t *until);

/// Checks that leaf, intermediate and root are a chain of exactly these three, regardless of the time.
/// Returns 0, or an X509_V_ERR of OpenSSL.
int ccrypto_chain_error(
  const ccrypto_certificate *leaf, const ccrypto_certificate *intermediate, const ccrypto_certificate *root);
/// OpenSSL's text for such an error.
const char *ccrypto_chain_error_text(int error);

/// Public key of a certificate; null if it is not on the curve P-256.
ccrypto_key *ccrypto_certificate_key(const ccrypto_certificate *certificate);
/// Reads a private key in PEM (PKCS#8, unencrypted, like Apple's `.p8`); null if it is not one, or not on the
/// curve P-256.
ccrypto_key *ccrypto_key_read(const char *pem, size_t length);
/// Null if the system provides no randomness.
ccrypto_key *ccrypto_key_generate(void);
/// Writes a private key in the same format. Returns the length of the text; 0 if the key is not private or
/// the text is longer than `capacity`.
size_t ccrypto_key_write(const ccrypto_key *key, char *pem, size_t capacity);
void ccrypto_key_free(ccrypto_key *key);

/// Whether a signature, r and s of 32 bytes each (RFC 7518, 3.4), is the key's for the message.
int ccrypto_es256_verify(
  const ccrypto_key *key, const uint8_t *message, size_t length, const uint8_t signature[64]);
/// Returns 0 if the key is not private.
int ccrypto_es256_sign(const ccrypto_key *key, const uint8_t *message, size_t length, uint8_t signature[64]);

void ccrypto_sha256(const uint8_t *bytes, size_t length, uint8_t digest[32]);

/// Makes a certificate with the key identifiers of its subject and its issuer, valid between two times in
/// seconds since 1970. Returns its length; 0 if it cannot be made or is longer than `capacity`.
///
/// - issuer, issuer_key: null for a certificate signed by `key` itself.
/// - extension: object identifier of an extension with the value NULL; null for none.
/// - der: receives the certificate.
size_t ccrypto_certificate_make(
  const ccrypto_key *key, const char *name, const ccrypto_certificate *issuer, const ccrypto_key *issuer_key,
  int is_authority, const char *extension, int64_t from, int64_t until, uint8_t *der, size_t capacity);
