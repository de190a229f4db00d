/* mbedTLS: mbedtls_x509_crt_verify with its default profile and no name. Its time is that of time(). */
#include <mbedtls/x509_crt.h>
#include <stdlib.h>

#include "chain.h"
#include "roots.h"

HARNESS
FROZEN_CLOCK

/* Flags. The first one of the table that is set makes the class; all that are set make the code. */
static const struct code flag_names[] = {
#define FLAG(name, klass) {MBEDTLS_X509_BADCERT_##name, klass, #name}
	FLAG(EXPIRED, "expired"),
	FLAG(FUTURE, "not-yet-valid"),
	FLAG(BAD_MD, "algorithm"),
	FLAG(BAD_PK, "algorithm"),
	FLAG(BAD_KEY, "algorithm"),
	FLAG(KEY_USAGE, "key-usage"),
	FLAG(EXT_KEY_USAGE, "ext-key-usage"),
	FLAG(NS_CERT_TYPE, "key-usage"),
	FLAG(NOT_TRUSTED, "unknown-issuer"), /* also a wrong signature: mbedTLS goes on to look for another issuer */
	FLAG(CN_MISMATCH, "other"),
	FLAG(MISSING, "other"),
	FLAG(SKIP_VERIFY, "other"),
	FLAG(OTHER, "other"),
	FLAG(REVOKED, "other"),
};

/* The high-level part of an error, which the low-level part is added to. */
static const struct code errors[] = {
#define ERROR(name, klass) {MBEDTLS_ERR_X509_##name, klass, "MBEDTLS_ERR_X509_" #name}
	ERROR(FEATURE_UNAVAILABLE, "algorithm"),
	ERROR(UNKNOWN_OID, "parse"),
	ERROR(INVALID_FORMAT, "parse"),
	ERROR(INVALID_VERSION, "parse"),
	ERROR(INVALID_SERIAL, "parse"),
	ERROR(INVALID_ALG, "parse"),
	ERROR(INVALID_NAME, "parse"),
	ERROR(INVALID_DATE, "parse"),
	ERROR(INVALID_SIGNATURE, "parse"),
	ERROR(INVALID_EXTENSIONS, "parse"), /* also a critical one that it does not know */
	ERROR(UNKNOWN_VERSION, "parse"),
	ERROR(UNKNOWN_SIG_ALG, "algorithm"),
	ERROR(SIG_MISMATCH, "parse"),
	ERROR(CERT_VERIFY_FAILED, "other"),
	ERROR(CERT_UNKNOWN_FORMAT, "parse"),
	ERROR(BAD_INPUT_DATA, "parse"),
	ERROR(BUFFER_TOO_SMALL, "parse"),
	ERROR(FATAL_ERROR, "other"),
};

static mbedtls_x509_crt trusted;

static int reject_error(const char *klass, int error) {
	int high = -(-error & 0xff80);
	const struct code *c = find_code(errors, sizeof errors / sizeof errors[0], high);
	char code[128];
	if (c && high != error) {
		snprintf(code, sizeof code, "%s -0x%04x", c->name, (unsigned)(high - error));
	} else if (c) {
		snprintf(code, sizeof code, "%s", c->name);
	} else {
		snprintf(code, sizeof code, "-0x%04x", (unsigned)-error);
	}
	return reject_chain(c ? c->klass : klass, code);
}

static int reject_flags(uint32_t flags) {
	const char *klass = NULL;
	char code[200] = "";
	for (size_t i = 0; i < sizeof flag_names / sizeof flag_names[0]; i++) {
		if (!(flags & (uint32_t)flag_names[i].value)) {
			continue;
		}
		if (!klass) {
			klass = flag_names[i].klass;
		} else {
			strncat(code, "|", sizeof code - strlen(code) - 1);
		}
		strncat(code, flag_names[i].name, sizeof code - strlen(code) - 1);
	}
	return reject_chain(klass ? klass : "other", code);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	(void)argc, (void)argv;
	mbedtls_x509_crt_init(&trusted);
	for (size_t i = 0; i < ROOTS; i++) {
		if (mbedtls_x509_crt_parse_der(&trusted, roots[i].der, roots[i].size) != 0) {
			abort();
		}
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct cert list[CHAIN_MAX];
	int n = chain_split(data, size, list), rc, result;
	mbedtls_x509_crt certs;
	uint32_t flags = 0;
	if (n < 0) {
		return reject_chain("frame", "");
	}
	if (n == 0) {
		/* What its TLS says (ssl_parse_certificate_chain); mbedtls_x509_crt_verify wants a certificate. */
		return reject_chain("empty", "MBEDTLS_ERR_SSL_NO_CLIENT_CERTIFICATE");
	}
	mbedtls_x509_crt_init(&certs);
	for (int i = 0; i < n; i++) {
		rc = mbedtls_x509_crt_parse_der(&certs, list[i].der, list[i].size);
		if (rc != 0) {
			result = reject_error("parse", rc);
			goto end;
		}
	}
	rc = mbedtls_x509_crt_verify(&certs, &trusted, NULL, NULL, &flags, NULL, NULL);
	if (rc == 0) {
		result = accept_chain();
	} else if (rc == MBEDTLS_ERR_X509_CERT_VERIFY_FAILED) {
		result = reject_flags(flags);
	} else {
		result = reject_error("other", rc);
	}
end:
	mbedtls_x509_crt_free(&certs);
	return result;
}
