// libcurl's variadic functions as plain ones, which is all that Swift cannot call by itself. No policy lives here.
#pragma once

#include <curl/curl.h>

typedef size_t (*ccurl_write_function)(char *bytes, size_t size, size_t count, void *context);

CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value);
CURLcode ccurl_set_headers(CURL *handle, const struct curl_slist *headers);
CURLcode ccurl_set_writer(CURL *handle, ccurl_write_function function, void *context);
/// Allows one scheme and no other; libcurl renamed the option in 7.85.
CURLcode ccurl_set_scheme(CURL *handle, int https);

CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);
CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
