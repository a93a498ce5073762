#define _GNU_SOURCE // getrandom
#include "cli/http_guard.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

static bool new_secret(char digits[SECRET_DIGITS + 1]) {
    unsigned char bytes[SECRET_DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool guard_set(Guard *guard, unsigned port, size_t max_body) {
    *guard = (Guard){ .max_body = max_body };
    snprintf(guard->hosts[0], sizeof guard->hosts[0], "127.0.0.1:%u", port);
    snprintf(guard->hosts[1], sizeof guard->hosts[1], "localhost:%u", port);
    snprintf(guard->cookie, sizeof guard->cookie, "esker_%u", port);
    char folder[SECRET_DIGITS + 1];
    if (!new_secret(guard->token) || !new_secret(guard->session) || !new_secret(folder))
        return false;
    snprintf(guard->folder, sizeof guard->folder, "/%s/", folder);
    return true;
}

const char *guard_inside(const Guard *guard, const char *path) {
    const size_t length = strlen(guard->folder);
    return strncmp(path, guard->folder, length) == 0 ? path + length - 1 : path;
}

// In a time that depends on the length alone.
static bool is_secret(const char *secret, const char *given, size_t length) {
    unsigned char different = length != SECRET_DIGITS;
    for (size_t i = 0; i < SECRET_DIGITS && i < length; i++)
        different |= (unsigned char)(secret[i] ^ given[i]);
    return different == 0;
}

// "a=1; esker_4711=SESSION; b=2"
static bool has_session(const Guard *guard, const char *cookies) {
    const size_t name = strlen(guard->cookie);
    while (cookies && *cookies) {
        cookies += strspn(cookies, " ;");
        const size_t length = strcspn(cookies, ";");
        if (length > name && cookies[name] == '=' && strncmp(cookies, guard->cookie, name) == 0 &&
            is_secret(guard->session, cookies + name + 1, length - name - 1))
            return true;
        cookies += length;
    }
    return false;
}

static bool is_own_host(const Guard *guard, const char *host) {
    return host && (strcasecmp(host, guard->hosts[0]) == 0 || strcasecmp(host, guard->hosts[1]) == 0);
}

// A page's requests say where it is from; a client without pages says nothing.
static bool is_own_page(const Guard *guard, const Head *head) {
    static const char scheme[] = "http://";
    if (head->site && strcmp(head->site, "same-origin") != 0 && strcmp(head->site, "none") != 0)
        return false;
    return !head->origin || (strncmp(head->origin, scheme, sizeof scheme - 1) == 0 &&
                             is_own_host(guard, head->origin + sizeof scheme - 1));
}

// "application/json", "application/json; charset=utf-8"
static bool is_json(const char *type) {
    static const char json[] = "application/json";
    const size_t length = sizeof json - 1;
    return type && strncasecmp(type, json, length) == 0 && (!type[length] || strchr("; \t", type[length]));
}

static unsigned check_body(const Guard *guard, const Head *head, const char **why) {
    *why = "the body must be application/json";
    if (!is_json(head->type))
        return 415;
    *why = "the body's length must be given";
    if (!head->length || !*head->length || strspn(head->length, "0123456789") != strlen(head->length))
        return 411;
    *why = "the body is too large";
    return strlen(head->length) > 12 || strtoull(head->length, NULL, 10) > guard->max_body ? 413 : 0;
}

unsigned guard_check(const Guard *guard, const Head *head, const char **why) {
    const bool get = strcmp(head->method, "GET") == 0;
    *why = "a length and Transfer-Encoding say twice where the body ends";
    if (head->length && head->coding) // RFC 9112, section 6.1: others may read another end
        return 400;
    *why = "this server answers to 127.0.0.1 alone";
    if (!is_own_host(guard, head->host))
        return 421;
    if (get && head->token && !head->origin && strcmp(head->path, "/") == 0 &&
        is_secret(guard->token, head->token, strlen(head->token)))
        return is_own_page(guard, head) ? LET_IN : LET_IN_HERE;
    *why = "no other site may ask";
    if (!is_own_page(guard, head))
        return 403;
    *why = "GET or POST";
    if (!get && strcmp(head->method, "POST") != 0)
        return 405;
    *why = "open the address that esker explore has printed";
    if (!has_session(guard, head->cookie))
        return 403;
    if (!get)
        return check_body(guard, head, why);
    *why = "GET takes no body";
    return head->coding || (head->length && strcmp(head->length, "0") != 0) ? 413 : 0;
}
