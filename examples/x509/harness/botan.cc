// Botan: x509_path_validate, for no usage and no name.
#include <botan/data_src.h>
#include <botan/exceptn.h>
#include <botan/x509path.h>

#include <memory>
#include <vector>

#include "chain.h"
#include "roots.h"

HARNESS

namespace {

using Botan::Certificate_Status_Code;

const char *class_of(Certificate_Status_Code code) {
	switch (code) {
	case Certificate_Status_Code::SIGNATURE_METHOD_TOO_WEAK:
	case Certificate_Status_Code::UNTRUSTED_HASH:
	case Certificate_Status_Code::SIGNATURE_ALGO_UNKNOWN:
	case Certificate_Status_Code::SIGNATURE_ALGO_BAD_PARAMS:
	case Certificate_Status_Code::CERT_PUBKEY_INVALID:
		return "algorithm";
	case Certificate_Status_Code::CERT_NOT_YET_VALID:
		return "not-yet-valid";
	case Certificate_Status_Code::CERT_HAS_EXPIRED:
		return "expired";
	case Certificate_Status_Code::CERT_ISSUER_NOT_FOUND:
	case Certificate_Status_Code::CANNOT_ESTABLISH_TRUST:
	case Certificate_Status_Code::CHAIN_LACKS_TRUST_ROOT:
	case Certificate_Status_Code::CHAIN_NAME_MISMATCH:
		return "unknown-issuer";
	case Certificate_Status_Code::CERT_CHAIN_LOOP:
	case Certificate_Status_Code::CERT_CHAIN_TOO_LONG:
		return "path-length";
	case Certificate_Status_Code::CA_CERT_NOT_FOR_CERT_ISSUER:
		return "basic-constraints";
	case Certificate_Status_Code::NAME_CONSTRAINT_ERROR:
		return "name-constraint";
	case Certificate_Status_Code::UNKNOWN_CRITICAL_EXTENSION:
		return "critical-extension";
	case Certificate_Status_Code::INVALID_USAGE:
		return "ext-key-usage";
	case Certificate_Status_Code::SIGNATURE_ERROR:
		return "signature";
	case Certificate_Status_Code::DUPLICATE_CERT_EXTENSION:
	case Certificate_Status_Code::DN_TOO_LONG:
	case Certificate_Status_Code::EXT_IN_V1_V2_CERT:
	case Certificate_Status_Code::DUPLICATE_CERT_POLICY:
	case Certificate_Status_Code::V2_IDENTIFIERS_IN_V1_CERT:
		return "parse";
	default:
		return "other";
	}
}

Botan::Certificate_Store_In_Memory *trusted;
Botan::Path_Validation_Restrictions *restrictions;

}

int LLVMFuzzerInitialize(int *, char ***) {
	trusted = new Botan::Certificate_Store_In_Memory;
	for(const auto &root : roots) {
		Botan::DataSource_Memory der(root.der, root.size);
		trusted->add_certificate(std::make_shared<const Botan::X509_Certificate>(der));
	}
	// No revocation lists; the default for the rest.
	restrictions = new Botan::Path_Validation_Restrictions(false);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct cert list[CHAIN_MAX];
	int n = chain_split(data, size, list);
	if(n < 0) {
		return reject_chain("frame", "");
	}
	std::vector<Botan::X509_Certificate> certs;
	try {
		for(int i = 0; i < n; i++) {
			Botan::DataSource_Memory der(list[i].der, list[i].size);
			certs.emplace_back(der);
		}
	} catch(const std::exception &e) {
		return reject_chain("parse", e.what());
	}
	try {
		const auto result = Botan::x509_path_validate(certs, *restrictions, *trusted, "", Botan::Usage_Type::UNSPECIFIED,
			std::chrono::system_clock::from_time_t(CHAIN_TIME));
		if(result.successful_validation()) {
			return accept_chain();
		}
		return reject_chain(class_of(result.result()), Botan::to_string(result.result()));
	} catch(const std::exception &e) {
		return reject_chain(n == 0 ? "empty" : "other", e.what());
	}
}
