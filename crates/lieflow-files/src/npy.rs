//! The head of a file of NumPy.

/// What precedes the numbers of an array (NumPy's format, version 1.0 to 3.0). `kind` is its type as a literal of
/// Python; the head takes a multiple of 64 bytes, and `least` at least.
pub fn npy_head(kind: &str, shape: &[u64], least: usize) -> Vec<u8> {
    let axes: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let text = format!("{{'descr': {kind}, 'fortran_order': False, 'shape': ({axes}), }}");
    let size = |before: usize| (before + text.len() + 1).next_multiple_of(64).max(least);
    // The length has two bytes, or four; a head that is not ASCII has its own version.
    let (version, before) = match u16::try_from(size(10) - 10) {
        Ok(_) if text.is_ascii() => (1, 10),
        _ if text.is_ascii() => (2, 12),
        _ => (3, 12),
    };
    let mut head = b"\x93NUMPY".to_vec();
    head.extend([version, 0]);
    head.extend(&((size(before) - before) as u32).to_le_bytes()[..before - 8]);
    head.extend(text.as_bytes());
    head.resize(size(before) - 1, b' ');
    head.push(b'\n');
    head
}

/// The type of rows with these fields, each with its name and the type of its numbers.
pub fn npy_fields<'a>(fields: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut text = String::from("[");
    for (name, kind) in fields {
        text += "('";
        for c in name.chars() {
            match c {
                '\\' | '\'' => text.extend(['\\', c]),
                c if c.is_control() => text += &format!("\\u{:04x}", u32::from(c)),
                c => text.push(c),
            }
        }
        text += &format!("', '{kind}'), ");
    }
    text + "]"
}

#[cfg(test)]
mod tests {
    use super::{npy_fields, npy_head};

    /// Version, the bytes of the length, and what they say.
    fn read(head: &[u8]) -> (u8, usize, String) {
        assert_eq!((&head[..6], head[7], head.len() % 64), (&b"\x93NUMPY"[..], 0, 0));
        let before = if head[6] == 1 { 10 } else { 12 };
        let length = head[8..before].iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
        assert_eq!((length + before, head[head.len() - 1]), (head.len(), b'\n'));
        (head[6], before, String::from_utf8(head[before..].to_vec()).unwrap())
    }

    #[test]
    fn heads_of_all_versions() {
        let (version, _, text) = read(&npy_head("'<f8'", &[5], 128));
        assert_eq!(version, 1);
        assert_eq!(text.trim(), "{'descr': '<f8', 'fortran_order': False, 'shape': (5, ), }");
        assert_eq!(npy_head("'<f8'", &[5], 128).len(), 128);
        let fields = npy_fields([("it's", "<f8".into()), ("a\\\n", "<U3".into())].into_iter());
        assert_eq!(fields, r"[('it\'s', '<f8'), ('a\\\u000a', '<U3'), ]");
        // Around the longest head of two bytes: 65,535 is no multiple of 64 less ten.
        let rest = npy_head("", &[], 0).iter().rposition(|byte| *byte == b'}').unwrap() + 1;
        for (more, version) in [(-1, 1), (0, 2), (1, 2)] {
            let kind = "x".repeat((65536 - rest as i64 + more) as usize);
            assert_eq!(read(&npy_head(&kind, &[], 0)).0, version, "{more}");
        }
        assert_eq!(read(&npy_head("'ω'", &[2, 3], 0)).0, 3);
    }
}
