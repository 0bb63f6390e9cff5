// libcurl's variadic functions as plain ones, since Swift cannot call variadic functions. They contain no
// policy.
#pragma once

#include <curl/curl.h>

typedef size_t (*ccurl_write_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_prereq_function)(void *context, char *remote, char *local, int remote_port, int local_port);

CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value);
CURLcode ccurl_set_headers(CURL *handle, const struct curl_slist *headers);
CURLcode ccurl_set_writer(CURL *handle, ccurl_write_function function, void *context);
CURLcode ccurl_set_header_writer(CURL *handle, ccurl_write_function function, void *context);
/// Sets a function that is called when the connection is ready, before the request is sent; since libcurl
/// 7.80.
CURLcode ccurl_set_prereq(CURL *handle, ccurl_prereq_function function, void *context);
/// Leaves an abandoned name lookup to its own thread instead of waiting for it; since libcurl 7.87.
CURLcode ccurl_set_quick_exit(CURL *handle);
/// Trusts these PEM certificates, which are copied, in place of the system's; since libcurl 7.77.
CURLcode ccurl_set_certificates(CURL *handle, const void *pem, size_t length);
/// Sends this bearer token (RFC 6750), which is copied; null for none.
CURLcode ccurl_set_bearer(CURL *handle, const char *token);
/// Allows only one scheme; libcurl renamed the option in 7.85.
CURLcode ccurl_set_scheme(CURL *handle, int https);

CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);
CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Limits the malloc(3) arenas shared by threads that start from now on.
void ccurl_limit_arenas(int count);
