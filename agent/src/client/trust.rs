//! Certificates the client trusts.

use std::error::Error;
use std::fs;
use std::io;
use std::path::PathBuf;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::ClientError;

/// Environment variable that names a file of CA certificates to trust instead of the web's.
/// OpenSSL, curl and Python use the same name.
pub(super) const CERT_FILE: &str = "SSL_CERT_FILE";

pub(super) fn tls_config() -> Result<TlsConfig, ClientError> {
    let config = TlsConfig::builder();
    let Some(file) = std::env::var_os(CERT_FILE).filter(|file| !file.is_empty()) else {
        return Ok(config.build());
    };
    let file = PathBuf::from(file);
    match read(&file) {
        Ok(certificates) => Ok(config.root_certs(RootCerts::from(certificates)).build()),
        Err(why) => Err(ClientError::BadTrust { file, why }),
    }
}

fn read(file: &PathBuf) -> Result<Vec<Certificate<'static>>, String> {
    let text = fs::read(file).map_err(|error| error.to_string())?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| error.to_string())? {
            certificates.push(certificate);
        }
    }
    match certificates.is_empty() {
        true => Err("no certificate in it".to_owned()),
        false => Ok(certificates),
    }
}

/// Description of a TLS failure; retrying would not help.
pub(super) fn insecurity(error: &ureq::Error) -> Option<String> {
    let error = match error {
        ureq::Error::Rustls(error) => error,
        ureq::Error::Io(error) => rustls_error(error)?,
        _ => return None,
    };
    Some(error.to_string())
}

fn rustls_error(error: &io::Error) -> Option<&rustls::Error> {
    let source: &(dyn Error + Send + Sync + 'static) = error.get_ref()?;
    source.downcast_ref()
}
