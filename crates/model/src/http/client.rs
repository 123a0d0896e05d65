//! The client itself. To build one, with the certificates of the system, takes about as long as starting a program (`cargo xtask
//! bench model`), so that it is built to send and not before.

use std::sync::Arc;

use reqwest::Url;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::Times;
use crate::Error;

/// Where systems keep the certificates that they trust. Named here and not taken from the environment, which a
/// repository's settings can fill.
const BUNDLES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

const USER_AGENT: &str = concat!("memdir/", env!("CARGO_PKG_VERSION"));

/// A client for this address. It follows no redirection, because the key would go along, and no proxy that the
/// environment names.
pub(super) fn build(base: &Url, times: &Times) -> Result<reqwest::Client, Error> {
    let roots = match base.scheme() {
        "https" => trusted()?,
        _ => RootCertStore::empty(),
    };
    let failed = Error::Machine("no client for HTTP can be built");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| failed.clone())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(USER_AGENT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .connect_timeout(times.connect)
        .build()
        .map_err(|_| failed)
}

fn trusted() -> Result<RootCertStore, Error> {
    let bundle = BUNDLES.iter().find_map(|path| std::fs::read(path).ok());
    let bundle = bundle.ok_or(Error::Machine(
        "this system has no certificates; install its package of them (ca-certificates)",
    ))?;
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_slice_iter(&bundle).filter_map(Result::ok);
    roots.add_parsable_certificates(certificates);
    Ok(roots)
}
