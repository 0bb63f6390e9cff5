#include "CCrypto.h"

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// Errors are reported by results, so OpenSSL's error queue is discarded.
#define FORGET_ERRORS() ERR_clear_error()

static X509 *x509(const ccrypto_certificate *certificate) { return (X509 *)certificate; }
static EVP_PKEY *pkey(const ccrypto_key *key) { return (EVP_PKEY *)key; }

ccrypto_certificate *ccrypto_certificate_read(const uint8_t *der, size_t length) {
  if (length > LONG_MAX) return NULL;
  const unsigned char *end = der;
  X509 *certificate = d2i_X509(NULL, &end, (long)length);
  if (certificate && end != der + length) {
    X509_free(certificate);
    certificate = NULL;
  }
  FORGET_ERRORS();
  return (ccrypto_certificate *)certificate;
}

void ccrypto_certificate_free(ccrypto_certificate *certificate) { X509_free(x509(certificate)); }

int ccrypto_certificate_has_extension(const ccrypto_certificate *certificate, const char *oid) {
  ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
  int place = object ? X509_get_ext_by_OBJ(x509(certificate), object, -1) : -1;
  ASN1_OBJECT_free(object);
  FORGET_ERRORS();
  return place >= 0;
}

static int seconds(const ASN1_TIME *time, int64_t *value) {
  struct tm parts;
  if (!time || !ASN1_TIME_to_tm(time, &parts)) return 0;
  *value = timegm(&parts);
  return 1;
}

int ccrypto_certificate_validity(const ccrypto_certificate *certificate, int64_t *from, int64_t *until) {
  return seconds(X509_get0_notBefore(x509(certificate)), from)
         && seconds(X509_get0_notAfter(x509(certificate)), until);
}

int ccrypto_chain_error(
  const ccrypto_certificate *leaf, const ccrypto_certificate *intermediate, const ccrypto_certificate *root) {
  int error = X509_V_ERR_UNSPECIFIED;
  X509_STORE *trusted = X509_STORE_new();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  STACK_OF(X509) *others = sk_X509_new_null();
  if (trusted && context && others && X509_STORE_add_cert(trusted, x509(root)) == 1
      && sk_X509_push(others, x509(intermediate)) > 0
      && X509_STORE_CTX_init(context, trusted, x509(leaf), others) == 1) {
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_NO_CHECK_TIME);
    X509_VERIFY_PARAM_set_depth(parameters, 1);
    // 112 bits: excludes SHA-1 and short RSA keys.
    X509_VERIFY_PARAM_set_auth_level(parameters, 2);
    if (X509_verify_cert(context) == 1) {
      STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(context);
      error = sk_X509_num(chain) == 3 ? X509_V_OK : X509_V_ERR_CERT_CHAIN_TOO_LONG;
    } else {
      error = X509_STORE_CTX_get_error(context);
      if (error == X509_V_OK) error = X509_V_ERR_UNSPECIFIED;
    }
  }
  sk_X509_free(others);
  X509_STORE_CTX_free(context);
  X509_STORE_free(trusted);
  FORGET_ERRORS();
  return error;
}

const char *ccrypto_chain_error_text(int error) { return X509_verify_cert_error_string(error); }

static ccrypto_key *on_p256(EVP_PKEY *key) {
  char group[32];
  size_t length = 0;
  if (key
      && (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC || !EVP_PKEY_get_group_name(key, group, sizeof group, &length)
          || strcmp(group, SN_X9_62_prime256v1) != 0)) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  FORGET_ERRORS();
  return (ccrypto_key *)key;
}

ccrypto_key *ccrypto_certificate_key(const ccrypto_certificate *certificate) {
  return on_p256(X509_get_pubkey(x509(certificate)));
}

// Without this callback, OpenSSL would prompt on the terminal.
static int no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return -1;
}

ccrypto_key *ccrypto_key_read(const char *pem, size_t length) {
  if (length > INT_MAX) return NULL;
  BIO *bytes = BIO_new_mem_buf(pem, (int)length);
  EVP_PKEY *key = bytes ? PEM_read_bio_PrivateKey(bytes, NULL, no_passphrase, NULL) : NULL;
  BIO_free(bytes);
  return on_p256(key);
}

ccrypto_key *ccrypto_key_generate(void) { return on_p256(EVP_EC_gen(SN_X9_62_prime256v1)); }

size_t ccrypto_key_write(const ccrypto_key *key, char *pem, size_t capacity) {
  size_t length = 0;
  char *text = NULL;
  BIO *bytes = BIO_new(BIO_s_mem());
  if (bytes && PEM_write_bio_PKCS8PrivateKey(bytes, pkey(key), NULL, NULL, 0, NULL, NULL) == 1) {
    long count = BIO_get_mem_data(bytes, &text);
    if (count > 0 && (size_t)count <= capacity) {
      memcpy(pem, text, (size_t)count);
      length = (size_t)count;
    }
  }
  BIO_free(bytes);
  FORGET_ERRORS();
  return length;
}

void ccrypto_key_free(ccrypto_key *key) { EVP_PKEY_free(pkey(key)); }

int ccrypto_es256_verify(
  const ccrypto_key *key, const uint8_t *message, size_t length, const uint8_t signature[64]) {
  int is_valid = 0;
  unsigned char *der = NULL;
  ECDSA_SIG *numbers = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  if (numbers && r && s && ECDSA_SIG_set0(numbers, r, s)) {
    r = s = NULL;
    int count = i2d_ECDSA_SIG(numbers, &der);
    is_valid = digest && count > 0 && EVP_DigestVerifyInit(digest, NULL, EVP_sha256(), NULL, pkey(key)) == 1
               && EVP_DigestVerify(digest, der, (size_t)count, message, length) == 1;
  }
  BN_free(r);
  BN_free(s);
  OPENSSL_free(der);
  ECDSA_SIG_free(numbers);
  EVP_MD_CTX_free(digest);
  FORGET_ERRORS();
  return is_valid;
}

int ccrypto_es256_sign(const ccrypto_key *key, const uint8_t *message, size_t length, uint8_t signature[64]) {
  int is_signed = 0;
  unsigned char der[80];
  size_t count = sizeof der;
  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  if (digest && EVP_DigestSignInit(digest, NULL, EVP_sha256(), NULL, pkey(key)) == 1
      && EVP_DigestSign(digest, der, &count, message, length) == 1) {
    const unsigned char *end = der;
    ECDSA_SIG *numbers = d2i_ECDSA_SIG(NULL, &end, (long)count);
    is_signed = numbers && BN_bn2binpad(ECDSA_SIG_get0_r(numbers), signature, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(numbers), signature + 32, 32) == 32;
    ECDSA_SIG_free(numbers);
  }
  EVP_MD_CTX_free(digest);
  FORGET_ERRORS();
  return is_signed;
}

void ccrypto_sha256(const uint8_t *bytes, size_t length, uint8_t digest[32]) {
  EVP_Digest(bytes, length, digest, NULL, EVP_sha256(), NULL);
}

// DER of NULL, as in Apple's marker extensions.
static X509_EXTENSION *mark(const char *oid) {
  static const unsigned char null[] = {0x05, 0x00};
  X509_EXTENSION *extension = NULL;
  ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
  ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
  if (object && value && ASN1_OCTET_STRING_set(value, null, sizeof null))
    extension = X509_EXTENSION_create_by_OBJ(NULL, object, 0, value);
  ASN1_OCTET_STRING_free(value);
  ASN1_OBJECT_free(object);
  return extension;
}

static int add_extension(X509 *certificate, X509_EXTENSION *extension) {
  int is_added = extension && X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return is_added;
}

// RFC 5280 §4.2.1.1 and §4.2.1.2. The issuer must already have its own key identifier.
static int add_key_identifiers(X509 *certificate, X509 *issuer) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  return add_extension(
           certificate, X509V3_EXT_conf_nid(NULL, &context, NID_subject_key_identifier, "hash"))
         && add_extension(
           certificate, X509V3_EXT_conf_nid(NULL, &context, NID_authority_key_identifier, "keyid:always"));
}

size_t ccrypto_certificate_make(
  const ccrypto_key *key, const char *name, const ccrypto_certificate *issuer, const ccrypto_key *issuer_key,
  int is_authority, const char *extension, int64_t from, int64_t until, uint8_t *der, size_t capacity) {
  size_t length = 0;
  X509 *made = X509_new();
  BIGNUM *number = BN_new();
  X509_NAME *subject = made ? X509_get_subject_name(made) : NULL;
  const EVP_PKEY *signer = issuer_key ? pkey(issuer_key) : pkey(key);
  if (made && number && BN_rand(number, 64, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY)
      && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) && X509_set_version(made, X509_VERSION_3)
      && ASN1_TIME_set(X509_getm_notBefore(made), (time_t)from)
      && ASN1_TIME_set(X509_getm_notAfter(made), (time_t)until)
      && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0)
      && X509_set_issuer_name(made, issuer ? X509_get_subject_name(x509(issuer)) : subject)
      && X509_set_pubkey(made, pkey(key))
      && add_extension(
        made, X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints, is_authority ? "critical,CA:TRUE" : "CA:FALSE"))
      && add_extension(
        made, X509V3_EXT_conf_nid(
          NULL, NULL, NID_key_usage, is_authority ? "critical,keyCertSign" : "critical,digitalSignature"))
      && add_key_identifiers(made, issuer ? x509(issuer) : made)
      && (!extension || add_extension(made, mark(extension))) && X509_sign(made, (EVP_PKEY *)signer, EVP_sha384())) {
    int needed = i2d_X509(made, NULL);
    if (needed > 0 && (size_t)needed <= capacity) {
      unsigned char *end = der;
      length = (size_t)i2d_X509(made, &end);
    }
  }
  BN_free(number);
  X509_free(made);
  FORGET_ERRORS();
  return length;
}
