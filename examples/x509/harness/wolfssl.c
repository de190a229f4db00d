/* wolfSSL: its certificate manager, used as its TLS does (ProcessPeerCerts in src/internal.c): certificates are verified from the last
 * to the first, and one that may sign becomes a trusted CA for those before it. Its time is that of time().
 */
#include <wolfssl/options.h>

#include <stdlib.h>
#include <wolfssl/error-ssl.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/asn.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

#include "chain.h"
#include "roots.h"

HARNESS
FROZEN_CLOCK

static const struct code codes[] = {
#define CODE(name, klass) {name, klass, #name}
	CODE(ASN_PARSE_E, "parse"),
	CODE(ASN_VERSION_E, "parse"),
	CODE(ASN_GETINT_E, "parse"),
	CODE(ASN_RSA_KEY_E, "parse"),
	CODE(ASN_OBJECT_ID_E, "parse"),
	CODE(ASN_TAG_NULL_E, "parse"),
	CODE(ASN_EXPECT_0_E, "parse"),
	CODE(ASN_BITSTR_E, "parse"),
	CODE(ASN_UNKNOWN_OID_E, "algorithm"),
	CODE(ASN_DATE_SZ_E, "parse"),
	CODE(ASN_BEFORE_DATE_E, "not-yet-valid"),
	CODE(ASN_AFTER_DATE_E, "expired"),
	CODE(ASN_SIG_OID_E, "algorithm"),
	CODE(ASN_TIME_E, "parse"),
	CODE(ASN_INPUT_E, "parse"),
	CODE(ASN_SIG_CONFIRM_E, "signature"),
	CODE(ASN_SIG_HASH_E, "algorithm"),
	CODE(ASN_SIG_KEY_E, "algorithm"),
	CODE(ASN_CRIT_EXT_E, "critical-extension"),
	CODE(ASN_ALT_NAME_E, "parse"),
	CODE(ASN_NO_PEM_HEADER, "parse"),
	CODE(ASN_ECC_KEY_E, "parse"),
	CODE(ASN_CRL_CONFIRM_E, "other"),
	CODE(ASN_CRL_NO_SIGNER_E, "other"),
	CODE(ASN_NO_SIGNER_E, "unknown-issuer"),
	CODE(ASN_SELF_SIGNED_E, "unknown-issuer"),
	CODE(ASN_NAME_INVALID_E, "name-constraint"),
	CODE(ASN_NO_SKID, "other"),
	CODE(ASN_NO_AKID, "other"),
	CODE(ASN_NO_KEYUSAGE, "key-usage"),
	CODE(ASN_COUNTRY_SIZE_E, "parse"),
	CODE(ASN_PATHLEN_SIZE_E, "path-length"),
	CODE(ASN_PATHLEN_INV_E, "path-length"),
	CODE(ASN_NO_PEM_HEADER, "parse"),
	CODE(BUFFER_E, "parse"),
	CODE(BAD_FUNC_ARG, "parse"),
	CODE(KEYUSAGE_E, "key-usage"),
	CODE(EXTKEYUSAGE_E, "ext-key-usage"),
	CODE(CERTPOLICIES_E, "policy"),
	CODE(NOT_CA_ERROR, "basic-constraints"),
	CODE(RSA_KEY_SIZE_E, "algorithm"),
	CODE(ECC_KEY_SIZE_E, "algorithm"),
	CODE(ECC_CURVE_OID_E, "algorithm"),
	CODE(HASH_TYPE_E, "algorithm"),
	CODE(NOT_COMPILED_IN, "algorithm"),
	CODE(RSA_BUFFER_E, "signature"),
	CODE(RSA_PAD_E, "signature"),
	CODE(BAD_PADDING_E, "signature"),
	CODE(SIG_VERIFY_E, "signature"),
	CODE(ECC_BAD_ARG_E, "signature"),
	CODE(IS_POINT_E, "parse"),
	CODE(MP_VAL, "signature"),
	CODE(MEMORY_E, "other"),
};

static WOLFSSL_CERT_MANAGER *manager;
static int added; /* intermediates that are in it */

static void renew_manager(void) {
	wolfSSL_CertManagerFree(manager);
	manager = wolfSSL_CertManagerNew();
	if (!manager) {
		abort();
	}
	for (size_t i = 0; i < ROOTS; i++) {
		if (wolfSSL_CertManagerLoadCABuffer(manager, roots[i].der, (long)roots[i].size, WOLFSSL_FILETYPE_ASN1) != WOLFSSL_SUCCESS) {
			abort();
		}
	}
	added = 0;
}

/* Makes a certificate that was verified a trusted one, if it may sign. What is allowed is what AddCA (src/ssl.c) allows those of a
 * chain; certificates that are loaded are asked for nothing. */
static int add_intermediate(const struct cert *c) {
	struct DecodedCert cert;
	int rc, ca, may_sign;
	wc_InitDecodedCert(&cert, c->der, (word32)c->size, NULL);
	rc = wc_ParseCert(&cert, CA_TYPE, NO_VERIFY, manager);
	ca = cert.isCA;
	may_sign = cert.selfSigned || (cert.extKeyUsage & KEYUSE_KEY_CERT_SIGN);
	wc_FreeDecodedCert(&cert);
	if (rc != 0 || !ca) {
		return rc;
	}
	if (!may_sign) {
		return NOT_CA_ERROR;
	}
	added++;
	rc = wolfSSL_CertManagerLoadCABuffer(manager, c->der, (long)c->size, WOLFSSL_FILETYPE_ASN1);
	return rc == WOLFSSL_SUCCESS ? 0 : rc;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	(void)argc, (void)argv;
	wolfSSL_Init();
	renew_manager();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct cert list[CHAIN_MAX];
	int n = chain_split(data, size, list), error = 0;
	if (n < 0) {
		return reject_chain("frame", "");
	}
	if (n == 0) {
		return reject_chain("empty", "NO_PEER_CERT"); /* what its TLS says */
	}
	if (added) {
		renew_manager();
	}
	for (int i = n - 1; i >= 0; i--) {
		int rc = wolfSSL_CertManagerVerifyBuffer(manager, list[i].der, (long)list[i].size, WOLFSSL_FILETYPE_ASN1);
		rc = rc == WOLFSSL_SUCCESS ? 0 : rc;
		if (rc == 0 && i > 0) {
			rc = add_intermediate(&list[i]);
		}
		if (rc != 0 && error == 0) {
			error = rc; /* the first one is the one that it reports */
		}
	}
	if (error == 0) {
		return accept_chain();
	}
	return REJECT_CODE(codes, error);
}
