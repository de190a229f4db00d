/* OpenSSL, and BoringSSL: X509_verify_cert, for no purpose and no name. */
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include "chain.h"
#include "roots.h"

HARNESS

/* RFC 5280 has no word for some of these; they are of class other. */
static const struct code codes[] = {
#define CODE(name, klass) {X509_V_ERR_##name, klass, "X509_V_ERR_" #name}
	CODE(UNSPECIFIED, "other"),
	CODE(UNABLE_TO_GET_ISSUER_CERT, "unknown-issuer"),
	CODE(UNABLE_TO_DECRYPT_CERT_SIGNATURE, "signature"),
	CODE(UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, "algorithm"),
	CODE(CERT_SIGNATURE_FAILURE, "signature"),
	CODE(CERT_NOT_YET_VALID, "not-yet-valid"),
	CODE(CERT_HAS_EXPIRED, "expired"),
	CODE(ERROR_IN_CERT_NOT_BEFORE_FIELD, "parse"),
	CODE(ERROR_IN_CERT_NOT_AFTER_FIELD, "parse"),
	CODE(OUT_OF_MEM, "other"),
	CODE(DEPTH_ZERO_SELF_SIGNED_CERT, "unknown-issuer"),
	CODE(SELF_SIGNED_CERT_IN_CHAIN, "unknown-issuer"),
	CODE(UNABLE_TO_GET_ISSUER_CERT_LOCALLY, "unknown-issuer"),
	CODE(UNABLE_TO_VERIFY_LEAF_SIGNATURE, "unknown-issuer"),
	CODE(CERT_CHAIN_TOO_LONG, "path-length"),
	CODE(INVALID_CA, "basic-constraints"),
	CODE(PATH_LENGTH_EXCEEDED, "path-length"),
	CODE(INVALID_PURPOSE, "ext-key-usage"),
	CODE(CERT_UNTRUSTED, "other"),
	CODE(CERT_REJECTED, "other"),
	CODE(SUBJECT_ISSUER_MISMATCH, "unknown-issuer"),
	CODE(AKID_SKID_MISMATCH, "unknown-issuer"),
	CODE(AKID_ISSUER_SERIAL_MISMATCH, "unknown-issuer"),
	CODE(KEYUSAGE_NO_CERTSIGN, "key-usage"),
	CODE(UNHANDLED_CRITICAL_EXTENSION, "critical-extension"),
	CODE(INVALID_NON_CA, "basic-constraints"),
	CODE(KEYUSAGE_NO_DIGITAL_SIGNATURE, "key-usage"),
	CODE(INVALID_EXTENSION, "parse"),
	CODE(INVALID_POLICY_EXTENSION, "policy"),
	CODE(NO_EXPLICIT_POLICY, "policy"),
	CODE(UNNESTED_RESOURCE, "other"),
	CODE(PERMITTED_VIOLATION, "name-constraint"),
	CODE(EXCLUDED_VIOLATION, "name-constraint"),
	CODE(SUBTREE_MINMAX, "name-constraint"),
	CODE(UNSUPPORTED_CONSTRAINT_TYPE, "name-constraint"),
	CODE(UNSUPPORTED_CONSTRAINT_SYNTAX, "name-constraint"),
	CODE(UNSUPPORTED_NAME_SYNTAX, "name-constraint"),
	CODE(INVALID_CALL, "empty"),
#ifndef OPENSSL_IS_BORINGSSL
	CODE(PROXY_CERTIFICATES_NOT_ALLOWED, "other"),
	CODE(PATH_LOOP, "path-length"),
	CODE(EE_KEY_TOO_SMALL, "algorithm"),
	CODE(CA_KEY_TOO_SMALL, "algorithm"),
	CODE(CA_MD_TOO_WEAK, "algorithm"),
	CODE(SIGNATURE_ALGORITHM_MISMATCH, "algorithm"),
	CODE(NO_ISSUER_PUBLIC_KEY, "algorithm"),
	CODE(UNSUPPORTED_SIGNATURE_ALGORITHM, "algorithm"),
	CODE(EC_KEY_EXPLICIT_PARAMS, "algorithm"),
#else
	CODE(NAME_CONSTRAINTS_WITHOUT_SANS, "name-constraint"),
#endif
};

static X509_STORE *store;

static int verify(X509 *leaf, STACK_OF(X509) *others) {
	X509_STORE_CTX *ctx = X509_STORE_CTX_new();
	int ok, error;
	if (!ctx || !X509_STORE_CTX_init(ctx, store, leaf, others)) {
		X509_STORE_CTX_free(ctx);
		return reject_chain("other", "X509_STORE_CTX_init");
	}
	X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(ctx), CHAIN_TIME);
	ok = X509_verify_cert(ctx);
	error = X509_STORE_CTX_get_error(ctx);
	X509_STORE_CTX_free(ctx);
	if (ok == 1) {
		return accept_chain();
	}
	return REJECT_CODE(codes, error);
}

/* One certificate, all of its bytes. Without one, the class of the last error is parse. */
static X509 *read_cert(const struct cert *c) {
	const uint8_t *at = c->der;
	X509 *x = d2i_X509(NULL, &at, (long)c->size);
	if (!x) {
		reject_chain("parse", ERR_reason_error_string(ERR_peek_error()));
	} else if (at != c->der + c->size) {
		reject_chain("parse", "trailing data");
		X509_free(x);
		x = NULL;
	}
	return x;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	(void)argc, (void)argv;
	store = X509_STORE_new();
	for (size_t i = 0; i < ROOTS; i++) {
		const uint8_t *at = roots[i].der;
		X509 *x = d2i_X509(NULL, &at, (long)roots[i].size);
		X509_STORE_add_cert(store, x);
		verify(x, NULL); /* what is read once from a certificate is read now */
		X509_free(x);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct cert list[CHAIN_MAX];
	int n = chain_split(data, size, list), result;
	X509 *leaf = NULL;
	STACK_OF(X509) *others;
	if (n < 0) {
		return reject_chain("frame", "");
	}
	others = sk_X509_new_null();
	for (int i = 0; i < n; i++) {
		X509 *x = read_cert(&list[i]);
		if (!x) {
			result = 0;
			goto end;
		}
		if (i == 0) {
			leaf = x;
		} else {
			sk_X509_push(others, x);
		}
	}
	result = verify(leaf, others);
end:
	X509_free(leaf);
	sk_X509_pop_free(others, X509_free);
	ERR_clear_error();
	return result;
}
