/* NSS: CERT_PKIXVerifyCert, for any of its usages and for no name.
 *
 * NSS verifies for a usage, which sets what key usage and extended key usage have to allow. The harness accepts when one of them does.
 */
#include <cert.h>
#include <nss.h>
#include <prerror.h>
#include <secerr.h>
#include <secport.h>
#include <stdlib.h>

#include "chain.h"
#include "roots.h"

HARNESS

static const struct code codes[] = {
#define CODE(name, klass) {SEC_ERROR_##name, klass, "SEC_ERROR_" #name}
	CODE(BAD_DER, "parse"),
	CODE(INVALID_TIME, "parse"),
	CODE(EXTENSION_VALUE_INVALID, "parse"),
	CODE(INVALID_AVA, "parse"),
	CODE(CERT_BAD_ACCESS_LOCATION, "parse"),
	CODE(UNRECOGNIZED_OID, "parse"),
	CODE(INPUT_LEN, "parse"),
	CODE(EXPIRED_CERTIFICATE, "expired"), /* also one that is not yet valid */
	CODE(EXPIRED_ISSUER_CERTIFICATE, "expired"),
	CODE(BAD_SIGNATURE, "signature"),
	CODE(CERT_SIGNATURE_ALGORITHM_DISABLED, "algorithm"),
	CODE(SIGNATURE_ALGORITHM_DISABLED, "algorithm"),
	CODE(INVALID_ALGORITHM, "algorithm"),
	CODE(UNSUPPORTED_KEYALG, "algorithm"),
	CODE(UNSUPPORTED_ELLIPTIC_CURVE, "algorithm"),
	CODE(UNSUPPORTED_EC_POINT_FORM, "algorithm"),
	CODE(INVALID_KEY, "algorithm"),
	CODE(BAD_KEY, "algorithm"),
	CODE(UNKNOWN_ISSUER, "unknown-issuer"),
	CODE(UNTRUSTED_ISSUER, "unknown-issuer"),
	CODE(UNTRUSTED_CERT, "unknown-issuer"),
	CODE(UNKNOWN_CERT, "unknown-issuer"),
	CODE(CA_CERT_INVALID, "basic-constraints"),
	CODE(PATH_LEN_CONSTRAINT_INVALID, "path-length"),
	CODE(OUT_OF_SEARCH_LIMITS, "path-length"),
	CODE(INADEQUATE_KEY_USAGE, "key-usage"),
	CODE(INADEQUATE_CERT_TYPE, "ext-key-usage"),
	CODE(CERT_USAGES_INVALID, "ext-key-usage"),
	CODE(CERT_NOT_IN_NAME_SPACE, "name-constraint"),
	CODE(UNKNOWN_CRITICAL_EXTENSION, "critical-extension"),
	CODE(POLICY_VALIDATION_FAILED, "policy"),
};

/* Those that CERT_PKIXVerifyCert has requirements for. A server's comes after a client's, since the common name is a server's DNS name. */
static const SECCertificateUsage usages[] = {
	certificateUsageSSLClient,
	certificateUsageSSLServer,
	certificateUsageIPsec,
	certificateUsageEmailSigner,
	certificateUsageEmailRecipient,
	certificateUsageObjectSigner,
	certificateUsageStatusResponder,
	certificateUsageAnyCA,
};

/* What libpkix has verified it keeps, and an input could change the verdict on another. These are its tables (pkix_lifecycle.c). */
extern void *PKIX_PL_HashTable_Create(uint32_t buckets, uint32_t entries, void **table, void *context);
extern void *PKIX_PL_Object_DecRef(void *object, void *context);
extern void *cachedCertSigTable, *cachedCertChainTable, *cachedCertTable;

/* A certificate that cannot be read is reported with the first error that is on this stack, also an old one. */
extern void nss_ClearErrorStack(void);

static void renew_table(uint32_t entries, void **table) {
	if (PKIX_PL_Object_DecRef(*table, NULL) || PKIX_PL_HashTable_Create(32, entries, table, NULL)) {
		abort();
	}
}

static CERTCertList *trusted;

static CERTCertificate *read_cert(const uint8_t *der, size_t size) {
	SECItem item = {siDERCertBuffer, (unsigned char *)der, (unsigned)size};
	return CERT_NewTempCertificate(CERT_GetDefaultCertDB(), &item, NULL, PR_FALSE, PR_TRUE);
}

static int reject_error(const char *klass, PRErrorCode error) {
	const struct code *c = find_code(codes, sizeof codes / sizeof codes[0], error);
	return reject_chain(c ? c->klass : klass, PORT_ErrorToName(error));
}

/* No method of revocation is used. Without flags it fails, whatever the chain. */
static PRUint64 methods[2] = {CERT_REV_M_DO_NOT_TEST_USING_THIS_METHOD, CERT_REV_M_DO_NOT_TEST_USING_THIS_METHOD};
static const CERTRevocationFlags unrevoked = {{2, methods, 0, NULL, 0}, {2, methods, 0, NULL, 0}};

static PRErrorCode verify(CERTCertificate *leaf, SECCertificateUsage usage) {
	CERTValInParam in[5];
	CERTValOutParam out[1];
	memset(in, 0, sizeof in);
	in[0].type = cert_pi_trustAnchors;
	in[0].value.pointer.chain = trusted;
	in[1].type = cert_pi_useOnlyTrustAnchors;
	in[1].value.scalar.b = PR_TRUE;
	in[2].type = cert_pi_date;
	in[2].value.scalar.time = (PRTime)CHAIN_TIME * PR_USEC_PER_SEC;
	in[3].type = cert_pi_revocationFlags;
	in[3].value.pointer.revocation = &unrevoked;
	in[4].type = cert_pi_end;
	out[0].type = cert_po_end;
	PORT_SetError(0);
	return CERT_PKIXVerifyCert(leaf, usage, in, out, NULL) == SECSuccess ? 0 : PORT_GetError();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	(void)argc, (void)argv;
	if (NSS_NoDB_Init(NULL) != SECSuccess || CERT_SetSlopTime(0) != SECSuccess || !(trusted = CERT_NewCertList())) {
		abort();
	}
	for (size_t i = 0; i < ROOTS; i++) {
		CERTCertificate *root = read_cert(roots[i].der, roots[i].size);
		if (!root || CERT_AddCertToListTail(trusted, root) != SECSuccess) {
			abort();
		}
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct cert list[CHAIN_MAX];
	CERTCertificate *certs[CHAIN_MAX];
	int n = chain_split(data, size, list), made = 0, result;
	PRErrorCode error = 0;
	if (n < 0) {
		return reject_chain("frame", "");
	}
	if (n == 0) {
		return reject_chain("empty", "SSL_ERROR_NO_CERTIFICATE"); /* CERT_PKIXVerifyCert wants a certificate */
	}
	for (; made < n; made++) {
		nss_ClearErrorStack();
		PORT_SetError(0);
		certs[made] = read_cert(list[made].der, list[made].size);
		if (!certs[made]) {
			result = reject_error("parse", PORT_GetError());
			goto end;
		}
	}
	/* The reason is that of the first usage that does not fail for what is wrong with the usage. */
	for (size_t i = 0; i < sizeof usages / sizeof usages[0]; i++) {
		PRErrorCode e = verify(certs[0], usages[i]);
		if (e == 0) {
			result = accept_chain();
			goto verified;
		}
		if (error == 0 || error == SEC_ERROR_INADEQUATE_KEY_USAGE || error == SEC_ERROR_INADEQUATE_CERT_TYPE) {
			error = e;
		}
	}
	result = reject_error("other", error);
verified:
	renew_table(0, &cachedCertSigTable);
	renew_table(10, &cachedCertChainTable);
	renew_table(10, &cachedCertTable);
end:
	while (made > 0) {
		CERT_DestroyCertificate(certs[--made]);
	}
	PORT_SetError(0);
	return result;
}
