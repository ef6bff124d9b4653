//! Long lists of numbers as short texts: the bytes of single or double precision, in base 64.
//!
//! A page holds each list once: [`pooled`] gathers equal texts, and leaves numbers in their place.
use serde::Serializer;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// What a packed list begins with; no text that people write does.
const MARK: char = '\u{1}';

/// For times: every bit.
pub fn double<S: Serializer>(list: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = list.iter().flat_map(|x| x.to_le_bytes()).collect();
    serializer.serialize_str(&format!("{MARK}d{}", base64(&bytes)))
}

/// For the eye: seven digits of what is seen. Numbers that differ only in their last digits keep all.
pub fn single<S: Serializer>(list: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let finite = list.iter().filter(|x| x.is_finite());
    let (lo, hi) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    if hi > lo && hi - lo < 1e-3 * hi.abs().max(lo.abs()) {
        return double(list, serializer);
    }
    let bytes: Vec<u8> = list.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    serializer.serialize_str(&format!("{MARK}s{}", base64(&bytes)))
}

/// Bytes as text: RFC 4648, with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= three.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// The document with every packed list replaced by its number in the list `pool`, which is added.
pub fn pooled(mut document: Json) -> Json {
    let mut pool = Pool::default();
    pool.gather(&mut document);
    if let Json::Object(map) = &mut document {
        map.insert("pool".into(), Json::Array(pool.texts));
    }
    document
}

#[derive(Default)]
struct Pool {
    texts: Vec<Json>,
    places: HashMap<String, usize>,
}

impl Pool {
    fn gather(&mut self, value: &mut Json) {
        match value {
            Json::String(text) if text.starts_with(MARK) => {
                let next = self.texts.len();
                let place = *self.places.entry(std::mem::take(text)).or_insert_with_key(|text| {
                    self.texts.push(Json::String(text[MARK.len_utf8()..].into()));
                    next
                });
                let mut packed = Map::new();
                packed.insert("pool".into(), place.into());
                *value = Json::Object(packed);
            }
            Json::Array(list) => list.iter_mut().for_each(|item| self.gather(item)),
            Json::Object(map) => map.values_mut().for_each(|item| self.gather(item)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn small_differences_are_kept() {
        #[derive(serde::Serialize)]
        struct List(#[serde(serialize_with = "single")] Vec<f64>);
        let packed = |list: &[f64]| serde_json::to_string(&List(list.to_vec())).unwrap_or_default();
        assert!(packed(&[150.0, 150.00001]).starts_with("\"\\u0001d"));
        assert!(packed(&[0.0, 150.0]).starts_with("\"\\u0001s"));
    }

    #[test]
    fn equal_lists_are_kept_once() {
        let list = |name: &str| Json::String(format!("{MARK}s{name}"));
        let document = serde_json::json!({ "a": [list("x"), list("y"), list("x")], "b": "plain" });
        let document = pooled(document);
        assert_eq!(document["pool"], serde_json::json!(["sx", "sy"]));
        assert_eq!(document["a"][2], serde_json::json!({ "pool": 0 }));
        assert_eq!(document["b"], "plain");
    }
}
