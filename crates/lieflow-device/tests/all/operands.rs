//! Numbers as the types of PTX see them: all are kept as 64 bits.
use std::cmp::Ordering;

/// What a comparison says.
pub fn compare(how: &str, kind: &str, a: u64, b: u64) -> bool {
    let order = match kind {
        "f64" => return compare_numbers(how, f64::from_bits(a), f64::from_bits(b)),
        "s16" => (a as i16).cmp(&(b as i16)),
        "s32" => (a as i32).cmp(&(b as i32)),
        "s64" => (a as i64).cmp(&(b as i64)),
        "u16" | "b16" => (a as u16).cmp(&(b as u16)),
        "u32" | "b32" => (a as u32).cmp(&(b as u32)),
        "u64" | "b64" => a.cmp(&b),
        _ => panic!("comparison of {kind}"),
    };
    says(how, order)
}

/// Names that end in `u` also hold where one is not a number.
fn compare_numbers(how: &str, a: f64, b: f64) -> bool {
    let order = a.partial_cmp(&b);
    match (how, how.strip_suffix('u')) {
        ("nan", _) => order.is_none(),
        ("num", _) => order.is_some(),
        (_, Some(how)) => order.is_none_or(|order| says(how, order)),
        (how, None) => order.is_some_and(|order| says(how, order)),
    }
}

fn says(how: &str, order: Ordering) -> bool {
    match how {
        "lt" | "lo" => order.is_lt(),
        "le" | "ls" => order.is_le(),
        "gt" | "hi" => order.is_gt(),
        "ge" | "hs" => order.is_ge(),
        "eq" => order.is_eq(),
        "ne" => order.is_ne(),
        _ => panic!("comparison {how}"),
    }
}

/// An operation of two operands.
pub fn two(operation: &str, kind: &str, a: u64, b: u64) -> u64 {
    if kind == "f64" {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let result = match operation {
            "add.rn" => x + y,
            "sub.rn" => x - y,
            "mul.rn" => x * y,
            "div.rn" => x / y,
            "min" => x.min(y),
            "max" => x.max(y),
            // The sign of the first, the size of the second.
            "copysign" => y.copysign(x),
            _ => panic!("{operation}.{kind}"),
        };
        return result.to_bits();
    }
    let bits: u32 = kind[1..].parse().unwrap_or(1);
    let result = match operation {
        "add" => a.wrapping_add(b),
        "sub" => a.wrapping_sub(b),
        "mul.lo" => a.wrapping_mul(b),
        "mul.hi" if kind == "s16" => {
            return ((i32::from(a as i16) * i32::from(b as i16)) >> 16) as u16 as u64;
        }
        "mul.hi" if kind == "u64" => ((u128::from(a) * u128::from(b)) >> 64) as u64,
        "mul.wide" if kind == "u32" => return u64::from(a as u32) * u64::from(b as u32),
        "mul.wide" if kind == "s32" => {
            return i64::from(a as i32).wrapping_mul(b as i32 as i64) as u64;
        }
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        // Shifts by more than there are bits leave nothing.
        "shl" if b as u32 >= bits => 0,
        "shl" => a << (b as u32),
        "shr" => return shifted(kind, a, b as u32),
        "min" if compare("lt", kind, a, b) => a,
        "max" if compare("gt", kind, a, b) => a,
        "min" | "max" => b,
        _ => panic!("{operation}.{kind}"),
    };
    result & (u64::MAX >> (64 - bits))
}

fn shifted(kind: &str, a: u64, by: u32) -> u64 {
    match kind {
        "u16" | "b16" => u64::from((a as u16).checked_shr(by).unwrap_or(0)),
        "u32" | "b32" => u64::from((a as u32).checked_shr(by).unwrap_or(0)),
        "s16" => u64::from(((a as i16) >> by.min(15)) as u16),
        "u64" | "b64" => a.checked_shr(by).unwrap_or(0),
        "s32" => u64::from(((a as i32) >> by.min(31)) as u32),
        "s64" => ((a as i64) >> by.min(63)) as u64,
        _ => panic!("shr.{kind}"),
    }
}

/// An operation of one operand.
pub fn one(operation: &str, kind: &str, a: u64) -> u64 {
    let x = f64::from_bits(a);
    match (operation, kind) {
        ("neg", "f64") => (-x).to_bits(),
        ("abs", "f64") => x.abs().to_bits(),
        ("sqrt.rn", "f64") => x.sqrt().to_bits(),
        ("rcp.rn", "f64") => (1.0 / x).to_bits(),
        ("abs", "f32") => u64::from(f32::from_bits(a as u32).abs().to_bits()),
        ("neg", "s64") => (a as i64).wrapping_neg() as u64,
        ("neg", "s32") => u64::from((a as i32).wrapping_neg() as u32),
        ("not", "b64") => !a,
        ("not", "b32") => u64::from(!a as u32),
        ("not", "pred") => a ^ 1,
        _ => panic!("{operation}.{kind}"),
    }
}

/// A conversion, such as `rn.f64.s32`.
pub fn converted(how: &str, a: u64) -> u64 {
    let x = f64::from_bits(a);
    match how {
        "u32.u64" | "s32.s64" | "u32.u32" => u64::from(a as u32),
        "u64.u32" => u64::from(a as u32),
        "s64.s32" => a as i32 as i64 as u64,
        "u64.u64" | "s64.s64" => a,
        "u16.u32" | "u16.u64" => u64::from(a as u16),
        "u32.u16" | "u64.u16" => u64::from(a as u16),
        "rn.f64.s32" => f64::from(a as i32).to_bits(),
        "rn.f64.u32" => f64::from(a as u32).to_bits(),
        "rn.f64.s64" => (a as i64 as f64).to_bits(),
        "rn.f64.u64" => (a as f64).to_bits(),
        "rzi.s32.f64" => u64::from(x as i32 as u32),
        "rzi.u32.f64" => u64::from(x as u32),
        "rzi.s64.f64" => x as i64 as u64,
        "rmi.f64.f64" => x.floor().to_bits(),
        "rpi.f64.f64" => x.ceil().to_bits(),
        "rzi.f64.f64" => x.trunc().to_bits(),
        "rn.f32.f64" => u64::from((x as f32).to_bits()),
        "f64.f32" => f64::from(f32::from_bits(a as u32)).to_bits(),
        _ => panic!("cvt.{how}"),
    }
}
