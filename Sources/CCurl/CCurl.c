#define _GNU_SOURCE
#include "CCurl.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_headers(CURL *handle, const struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

CURLcode ccurl_set_writer(CURL *handle, ccurl_write_function function, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

CURLcode ccurl_set_header_writer(CURL *handle, ccurl_write_function function, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HEADERDATA, context) : code;
}

CURLcode ccurl_set_prereq(CURL *handle, ccurl_prereq_function function, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
  CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_PREREQDATA, context) : code;
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

CURLcode ccurl_set_quick_exit(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

CURLcode ccurl_set_certificates(CURL *handle, const void *pem, size_t length) {
#if LIBCURL_VERSION_NUM >= 0x074d00
  struct curl_blob blob = {(void *)pem, length, CURL_BLOB_COPY};
  return curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

CURLcode ccurl_set_scheme(CURL *handle, int https) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, https ? "https" : "http");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(https ? CURLPROTO_HTTPS : CURLPROTO_HTTP));
#endif
}

CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

void ccurl_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

CURLcode ccurl_set_bearer(CURL *handle, const char *token) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HTTPAUTH, token ? CURLAUTH_BEARER : CURLAUTH_NONE);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_XOAUTH2_BEARER, token) : code;
}
