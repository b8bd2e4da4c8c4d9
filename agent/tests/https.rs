//! The client over HTTPS: a real TLS server with a CA made for the test.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use common::arena::{Home, Mood, Server, complaint, told};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Certificate of a new CA, as text, and a server with a certificate issued to `name`.
fn server(name: &str) -> (String, Server) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, format!("the authority of {name}"));
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &authority).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let server = Server::behind("https", Mood::default(), move |stream| {
        StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream)
    });
    (authority.pem(), server)
}

impl Home {
    fn trust(&self, text: &str) -> String {
        self.0.write("trusted.pem", text)
    }
}

#[test]
fn a_game_is_played_over_https_with_a_private_authority() {
    let (authority, server) = server("127.0.0.1");
    let home = Home::new("https");
    let mut agent = home.agent("daemon", &server.url, &["--games", "1"]);
    let output = agent.env("SSL_CERT_FILE", home.trust(&authority)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(told(&output).contains("won game"), "{}", told(&output));
    assert!(server.url.starts_with("https://") && server.count("POST /games/") > 5);
}

#[test]
fn the_python_client_trusts_the_same_file() {
    let (authority, server) = server("127.0.0.1");
    let home = Home::new("https-python");
    let trusted = home.trust(&authority);
    let output = home.python(&server.url).env("SSL_CERT_FILE", trusted).output().unwrap();
    assert!(told(&output).contains("ada won by five"), "{output:?}");
    let output = home.python(&server.url).env_remove("SSL_CERT_FILE").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("no secure connection to https://") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn no_key_is_sent_to_an_untrusted_server() {
    let (_, untrusted) = server("127.0.0.1");
    let (authority, misnamed) = server("arena.example");
    let home = Home::new("untrusted");
    let trusted = home.trust(&authority);
    for (server, file, why) in [
        (&untrusted, None, "UnknownIssuer"),
        (&untrusted, Some(&trusted), "UnknownIssuer"),
        (&misnamed, Some(&trusted), "not valid for name"),
    ] {
        let mut agent = home.agent("daemon", &server.url, &[]);
        agent.env_remove("SSL_CERT_FILE").envs(file.map(|file| ("SSL_CERT_FILE", file)));
        let line = complaint(&agent.output().unwrap());
        let begin =
            format!("renju: no secure connection to {}: invalid peer certificate: ", server.url);
        assert!(line.starts_with(&begin) && line.contains(why), "{line}");
        assert_eq!(server.asked(), [""; 0]);
    }
}

#[test]
fn a_server_without_tls_is_said_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let home = Home::new("no-tls");
    let line = complaint(&home.run("daemon", &url, &[]));
    assert!(line.starts_with(&format!("renju: no secure connection to {url}: ")), "{line}");
}

#[test]
fn a_file_of_authorities_that_is_none_is_named() {
    let home = Home::new("no-trust");
    for (file, why) in [
        ("/no/such/file".to_owned(), "No such file"),
        (home.trust("nothing"), "no certificate in it"),
    ] {
        let mut agent = home.agent("once", "https://127.0.0.1:1", &[]);
        let line = complaint(&agent.env("SSL_CERT_FILE", &file).output().unwrap());
        assert!(line.starts_with(&format!("renju: SSL_CERT_FILE names {file}: {why}")), "{line}");
    }
}
