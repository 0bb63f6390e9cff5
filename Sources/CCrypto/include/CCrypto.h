// libcrypto's certificates and ES256 as plain functions. No policy lives here: what a certificate has to be, the caller says.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct ccrypto_certificate ccrypto_certificate;
typedef struct ccrypto_key ccrypto_key;

/// Null where the bytes are no X.509 certificate in DER, or more than one.
ccrypto_certificate *ccrypto_certificate_read(const uint8_t *der, size_t length);
void ccrypto_certificate_free(ccrypto_certificate *certificate);
/// Whether it has an extension, by its number in dotted form.
int ccrypto_certificate_has_extension(const ccrypto_certificate *certificate, const char *oid);
/// When it is valid, both inclusive, in seconds since 1970; 0 where that cannot be read.
int ccrypto_certificate_validity(const ccrypto_certificate *certificate, int64_t *from, int64_t *until);

/// Whether leaf, intermediate and root are a chain of exactly these three, whatever the time: 0, or an X509_V_ERR of OpenSSL's.
int ccrypto_chain_error(
  const ccrypto_certificate *leaf, const ccrypto_certificate *intermediate, const ccrypto_certificate *root);
/// OpenSSL's words for such an error.
const char *ccrypto_chain_error_text(int error);

/// A certificate's public key; null where it is not on the curve P-256.
ccrypto_key *ccrypto_certificate_key(const ccrypto_certificate *certificate);
/// A private key in PEM (PKCS#8, unencrypted, as Apple's `.p8`); null where it is none, or not on the curve P-256.
ccrypto_key *ccrypto_key_read(const char *pem, size_t length);
/// Null where there is no randomness.
ccrypto_key *ccrypto_key_generate(void);
/// Writes a private key as it is read: returns the text's length, or 0 where it is none or longer than `capacity`.
size_t ccrypto_key_write(const ccrypto_key *key, char *pem, size_t capacity);
void ccrypto_key_free(ccrypto_key *key);

/// Whether a signature, r and s of 32 bytes each (RFC 7518, 3.4), is of the message by the key.
int ccrypto_es256_verify(
  const ccrypto_key *key, const uint8_t *message, size_t length, const uint8_t signature[64]);
/// 0 where the key is no private one.
int ccrypto_es256_sign(const ccrypto_key *key, const uint8_t *message, size_t length, uint8_t signature[64]);

void ccrypto_sha256(const uint8_t *bytes, size_t length, uint8_t digest[32]);

/// Makes a certificate with the key identifiers of its subject and its issuer, valid from and until these seconds since 1970.
///
/// - issuer, issuer_key: null for one that signs itself with `key`.
/// - extension: the number of an extension of value NULL that it bears; null for none.
/// - der: gets the certificate; returns its length, or 0 where it cannot be made or is longer than `capacity`.
size_t ccrypto_certificate_make(
  const ccrypto_key *key, const char *name, const ccrypto_certificate *issuer, const ccrypto_key *issuer_key,
  int is_authority, const char *extension, int64_t from, int64_t until, uint8_t *der, size_t capacity);
