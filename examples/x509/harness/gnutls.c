/* GnuTLS: gnutls_x509_trust_list_verify_crt2, for no purpose and no name. */
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>

#include "chain.h"
#include "roots.h"

HARNESS

/* Bits of the status. The first one of the table that is set makes the class; all that are set make the code. */
static const struct code bits[] = {
#define BIT(name, klass) {GNUTLS_CERT_##name, klass, #name}
	BIT(SIGNATURE_FAILURE, "signature"),
	BIT(EXPIRED, "expired"),
	BIT(NOT_ACTIVATED, "not-yet-valid"),
	BIT(SIGNER_NOT_CA, "basic-constraints"),
	BIT(SIGNER_CONSTRAINTS_FAILURE, "path-length"), /* also name constraints and key usage: GnuTLS has one bit for all */
	BIT(INSECURE_ALGORITHM, "algorithm"),
	BIT(UNKNOWN_CRIT_EXTENSIONS, "critical-extension"),
	BIT(PURPOSE_MISMATCH, "ext-key-usage"),
	BIT(SIGNER_NOT_FOUND, "unknown-issuer"),
	BIT(UNEXPECTED_OWNER, "other"),
	BIT(REVOKED, "other"),
	BIT(MISMATCH, "other"),
	BIT(MISSING_OCSP_STATUS, "other"),
	BIT(INVALID_OCSP_STATUS, "other"),
	BIT(INVALID, "other"),
};

static gnutls_x509_trust_list_t trusted;

static time_t now(time_t *t) {
	if (t) {
		*t = CHAIN_TIME;
	}
	return CHAIN_TIME;
}

static int reject_status(unsigned status) {
	const char *klass = NULL;
	char code[200] = "";
	for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
		/* INVALID goes with every other bit. */
		if (!(status & bits[i].value) || (bits[i].value == GNUTLS_CERT_INVALID && klass)) {
			continue;
		}
		if (!klass) {
			klass = bits[i].klass;
		} else {
			strncat(code, "|", sizeof code - strlen(code) - 1);
		}
		strncat(code, bits[i].name, sizeof code - strlen(code) - 1);
	}
	return reject_chain(klass ? klass : "other", code);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	(void)argc, (void)argv;
	gnutls_global_set_time_function(now);
	if (gnutls_x509_trust_list_init(&trusted, 0) < 0) {
		abort();
	}
	for (size_t i = 0; i < ROOTS; i++) {
		gnutls_x509_crt_t root;
		gnutls_datum_t der = {(unsigned char *)roots[i].der, (unsigned)roots[i].size};
		if (gnutls_x509_crt_init(&root) < 0 || gnutls_x509_crt_import(root, &der, GNUTLS_X509_FMT_DER) < 0 ||
			gnutls_x509_trust_list_add_cas(trusted, &root, 1, 0) != 1) {
			abort();
		}
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct cert list[CHAIN_MAX];
	gnutls_x509_crt_t certs[CHAIN_MAX];
	int n = chain_split(data, size, list), made = 0, result, rc;
	unsigned status = 0;
	if (n < 0) {
		return reject_chain("frame", "");
	}
	while (made < n) {
		gnutls_datum_t der = {(unsigned char *)list[made].der, (unsigned)list[made].size};
		if (gnutls_x509_crt_init(&certs[made]) < 0) {
			abort();
		}
		rc = gnutls_x509_crt_import(certs[made], &der, GNUTLS_X509_FMT_DER);
		made++;
		if (rc < 0) {
			result = reject_chain("parse", gnutls_strerror_name(rc));
			goto end;
		}
	}
	rc = gnutls_x509_trust_list_verify_crt2(trusted, certs, (unsigned)n, NULL, 0, 0, &status, NULL);
	if (rc < 0) {
		result = reject_chain(n == 0 ? "empty" : "other", gnutls_strerror_name(rc));
	} else if (status) {
		result = reject_status(status);
	} else {
		result = accept_chain();
	}
end:
	while (made > 0) {
		gnutls_x509_crt_deinit(certs[--made]);
	}
	return result;
}
