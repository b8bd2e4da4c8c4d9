//! The front of a deployment: CloudFront, which limits each client and marks the requests that it
//! passes on. Where there is a front, unmarked requests are refused, or its limits could be avoided.

use std::net::IpAddr;

use arena_wire::Code;
use lambda_http::Request;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::refusal::Refusal;

/// Header with the secret of the front.
const SECRET: &str = "x-arena-front";

/// Header with the client's address, as the front saw it.
const VIEWER: &str = "x-arena-viewer";

/// SHA-256 digests of the secrets that are accepted: two while a secret is being replaced. The
/// secrets themselves are random, so their digests need not be hidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Front(Vec<[u8; 32]>);

/// The client's address in a request that came through the front.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Viewer(pub(crate) String);

impl Front {
    /// Reads digests in hex, separated by commas.
    pub fn parse(text: &str) -> Option<Front> {
        text.split(',').map(digest).collect::<Option<Vec<_>>>().map(Front)
    }

    /// Refuses a request without the secret. Takes both headers out of the request and notes the
    /// client's address.
    pub(crate) fn admit(&self, request: &mut Request) -> Result<(), Refusal> {
        let headers = request.headers_mut();
        let (secret, viewer) = (headers.remove(SECRET), headers.remove(VIEWER));
        if !secret.is_some_and(|secret| self.knows(secret.as_bytes())) {
            let detail = "this address is not public; use the one in the documents of the arena";
            return Err(Refusal::plain(Code::Forbidden, detail));
        }
        let viewer = viewer.and_then(|viewer| viewer.to_str().ok()?.parse::<IpAddr>().ok());
        if let Some(viewer) = viewer {
            request.extensions_mut().insert(Viewer(viewer.to_string()));
        }
        Ok(())
    }

    /// Compares digests in constant time.
    fn knows(&self, secret: &[u8]) -> bool {
        let presented = Sha256::digest(secret);
        self.0.iter().any(|known| known.as_slice().ct_eq(&presented).into())
    }
}

fn digest(hex: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if hex.len() != 2 * digest.len() {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    for (byte, pair) in digest.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
        *byte = value(pair[0])? << 4 | value(pair[1])?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use lambda_http::Body;

    use super::*;
    use crate::received::address;

    /// SHA-256 of `abc`, from FIPS 180-4, and of the empty string.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn request(headers: &[(&'static str, &str)]) -> Request {
        let mut request = Request::new(Body::Empty);
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        request
    }

    #[test]
    fn digests_are_read_in_either_case_and_nothing_else_is() {
        assert_eq!(Front::parse(ABC), Front::parse(&ABC.to_uppercase()));
        assert_eq!(Front::parse(&format!("{ABC},{EMPTY}")).unwrap().0.len(), 2);
        let signed = format!("+{}", &ABC[1..]);
        for text in ["", "abc", &ABC[1..], &format!("{ABC},"), &signed, &"é".repeat(32)] {
            assert_eq!(Front::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_who_has_a_secret_passes_and_is_believed_about_the_client() {
        let front = Front::parse(&format!("{EMPTY},{ABC}")).unwrap();
        for secret in ["abd", "ab", "abcd", ABC] {
            let mut forged = request(&[(SECRET, secret), (VIEWER, "192.0.2.7")]);
            assert!(front.admit(&mut forged).is_err(), "{secret}");
            assert_eq!(address(&forged), None);
        }
        assert!(front.admit(&mut request(&[(VIEWER, "192.0.2.7")])).is_err());

        let mut passed = request(&[(SECRET, "abc"), (VIEWER, "2001:db8::7")]);
        assert!(front.admit(&mut passed).is_ok());
        assert_eq!(address(&passed), Some("2001:db8::7"));
        assert!(passed.headers().is_empty(), "no handler sees the secret");
    }
}
