//! Fourier transforms of four columns at a time.
//!
//! A [`Panel`] holds rows of four numbers, real and imaginary parts apart, and is transformed along
//! its columns, so that every operation is one of whole vectors. Forwards, frequencies come out in
//! bit-reversed order (decimation in frequency); backwards they go in like that (decimation in
//! time), so that a convolution needs no reordering. Radix four, with one pass of radix two where
//! the logarithm of the length is odd. Nothing is divided by the length.
//!
//! The columns of a convolution are padded with as many zeros as there are numbers: forwards, the
//! second half of the rows is known to be zero and is not read; backwards it is not wanted and not
//! computed.
use super::row::Row;
use lieflow::Real;
use lieflow::kernel::wide::Vectors;

/// Real and imaginary parts of four columns.
pub(super) struct Panel<'a, S> {
    pub re: &'a mut [Row<S>],
    pub im: &'a mut [Row<S>],
}

impl<S: Real> Panel<'_, S> {
    /// The numbers of a row from `v` on, as many as make a pack.
    #[inline(always)]
    pub fn get<V: Vectors>(&self, row: usize, v: usize) -> Complex<S::Pack<V>> {
        get::<S, V>(&self.re[row], &self.im[row], v)
    }
    /// Replaces them.
    #[inline(always)]
    pub fn set<V: Vectors>(&mut self, row: usize, v: usize, x: Complex<S::Pack<V>>) {
        set::<S, V>(&mut self.re[row], &mut self.im[row], v, x);
    }
}

/// `exp(-2 pi i k/L)` for `k < L`, a power of two.
#[derive(Clone, Debug)]
pub(super) struct Roots(Vec<(f64, f64)>);

impl Roots {
    /// The roots of order `length`.
    pub fn new(length: usize) -> Self {
        // Sine and cosine of at most an eighth of a turn, which are good to rounding.
        let first = |k: usize| {
            let (sin, cos) = Real::sin_cos(std::f64::consts::TAU * k as f64 / length as f64);
            (cos, -sin)
        };
        let root = |k: usize| {
            let (quarter, rest) = (4 * k / length, k % (length / 4).max(1));
            let (c, s) = if 8 * rest <= length {
                first(rest)
            } else {
                let (c, s) = first(length / 4 - rest);
                (-s, -c)
            };
            match quarter {
                0 => (c, s),
                1 => (s, -c),
                2 => (-c, -s),
                _ => (-s, c),
            }
        };
        Self((0..length).map(root).collect())
    }
    /// The root with this number.
    #[inline(always)]
    pub fn get(&self, k: usize) -> (f64, f64) {
        self.0[k]
    }
}

/// A complex number of packs.
#[derive(Clone, Copy)]
pub(super) struct Complex<T> {
    pub re: T,
    pub im: T,
}

impl<T: Real> Complex<T> {
    #[inline(always)]
    pub fn plus(self, o: Self) -> Self {
        Self { re: self.re + o.re, im: self.im + o.im }
    }
    #[inline(always)]
    pub fn minus(self, o: Self) -> Self {
        Self { re: self.re - o.re, im: self.im - o.im }
    }
    #[inline(always)]
    pub fn times(self, (c, s): (f64, f64)) -> Self {
        Self { re: self.re * c - self.im * s, im: self.re * s + self.im * c }
    }
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self { re: self.re, im: -self.im }
    }
    /// `i` times it.
    #[inline(always)]
    pub fn turned(self) -> Self {
        Self { re: -self.im, im: self.re }
    }
}

/// Four rows, `gap` apart.
#[inline(always)]
fn four<T>(rows: &mut [T], at: usize, gap: usize) -> [&mut T; 4] {
    let (_, rest) = rows.split_at_mut(at);
    let (a, rest) = rest.split_at_mut(gap);
    let (b, rest) = rest.split_at_mut(gap);
    let (c, d) = rest.split_at_mut(gap);
    [&mut a[0], &mut b[0], &mut c[0], &mut d[0]]
}

#[inline(always)]
fn get<S: Real, V: Vectors>(re: &Row<S>, im: &Row<S>, v: usize) -> Complex<S::Pack<V>> {
    Complex { re: re.get::<V>(v), im: im.get::<V>(v) }
}

#[inline(always)]
fn set<S: Real, V: Vectors>(re: &mut Row<S>, im: &mut Row<S>, v: usize, x: Complex<S::Pack<V>>) {
    re.set::<V>(v, x.re);
    im.set::<V>(v, x.im);
}

/// The three roots of a step of radix four.
#[inline(always)]
fn three(roots: &Roots, k: usize) -> [(f64, f64); 3] {
    [roots.get(k), roots.get(2 * k), roots.get(3 * k)]
}

#[inline(always)]
fn backwards([a, b, c]: [(f64, f64); 3]) -> [(f64, f64); 3] {
    [(a.0, -a.1), (b.0, -b.1), (c.0, -c.1)]
}

/// Forwards, all rows given.
#[inline(always)]
pub(super) fn forward<S: Real, V: Vectors>(panel: &mut Panel<'_, S>, roots: &Roots) {
    passes::<S, V>(panel, roots, panel.re.len());
}

/// Forwards from the first half of the rows; the others are zero.
#[inline(always)]
pub(super) fn forward_padded<S: Real, V: Vectors>(
    from: (&[Row<S>], &[Row<S>]),
    panel: &mut Panel<'_, S>,
    roots: &Roots,
) {
    let length = panel.re.len();
    let gap = length / 4;
    let ((re_a, re_b), (im_a, im_b)) =
        (from.0[..2 * gap].split_at(gap), from.1[..2 * gap].split_at(gap));
    let mut k = 0;
    while k < gap {
        let [w1, w2, w3] = three(roots, k);
        let [ar, br, cr, dr] = four(panel.re, k, gap);
        let [ai, bi, ci, di] = four(panel.im, k, gap);
        let mut v = 0;
        while v < 4 {
            let a = get::<S, V>(&re_a[k], &im_a[k], v);
            let b = get::<S, V>(&re_b[k], &im_b[k], v);
            let turned = b.turned();
            set::<S, V>(ar, ai, v, a.plus(b));
            set::<S, V>(br, bi, v, a.minus(b).times(w2));
            set::<S, V>(cr, ci, v, a.minus(turned).times(w1));
            set::<S, V>(dr, di, v, a.plus(turned).times(w3));
            v += S::width::<V>();
        }
        k += 1;
    }
    passes::<S, V>(panel, roots, gap);
}

/// The passes of a forward transform from this span on.
#[inline(always)]
fn passes<S: Real, V: Vectors>(panel: &mut Panel<'_, S>, roots: &Roots, mut span: usize) {
    let length = panel.re.len();
    while span >= 4 {
        let gap = span / 4;
        let mut k = 0;
        while k < gap {
            let [w1, w2, w3] = three(roots, k * (length / span));
            let mut base = k;
            while base < length {
                let [ar, br, cr, dr] = four(panel.re, base, gap);
                let [ai, bi, ci, di] = four(panel.im, base, gap);
                let mut v = 0;
                while v < 4 {
                    let (a, b) = (get::<S, V>(ar, ai, v), get::<S, V>(br, bi, v));
                    let (c, d) = (get::<S, V>(cr, ci, v), get::<S, V>(dr, di, v));
                    let (sum, difference) = (a.plus(c), a.minus(c));
                    let (other, turned) = (b.plus(d), b.minus(d).turned());
                    set::<S, V>(ar, ai, v, sum.plus(other));
                    set::<S, V>(br, bi, v, sum.minus(other).times(w2));
                    set::<S, V>(cr, ci, v, difference.minus(turned).times(w1));
                    set::<S, V>(dr, di, v, difference.plus(turned).times(w3));
                    v += S::width::<V>();
                }
                base += span;
            }
            k += 1;
        }
        span = gap;
    }
    if span == 2 {
        pairs::<S, V>(panel);
    }
}

/// Backwards; the first half of the rows goes to `to`, and the panel is destroyed.
#[inline(always)]
pub(super) fn backward_halved<S: Real, V: Vectors>(
    panel: &mut Panel<'_, S>,
    roots: &Roots,
    to: (&mut [Row<S>], &mut [Row<S>]),
) {
    let length = panel.re.len();
    let mut gap = 1;
    if length.trailing_zeros() % 2 == 1 {
        pairs::<S, V>(panel);
        gap = 2;
    }
    while 4 * gap < length {
        let span = 4 * gap;
        let mut k = 0;
        while k < gap {
            let w = backwards(three(roots, k * (length / span)));
            let mut base = k;
            while base < length {
                let [ar, br, cr, dr] = four(panel.re, base, gap);
                let [ai, bi, ci, di] = four(panel.im, base, gap);
                let mut v = 0;
                while v < 4 {
                    let rows = [(&*ar, &*ai), (&*br, &*bi), (&*cr, &*ci), (&*dr, &*di)];
                    let [p, q, r, s] = together::<S, V>(rows, v, w);
                    set::<S, V>(ar, ai, v, p.plus(r));
                    set::<S, V>(br, bi, v, q.plus(s));
                    set::<S, V>(cr, ci, v, p.minus(r));
                    set::<S, V>(dr, di, v, q.minus(s));
                    v += S::width::<V>();
                }
                base += span;
            }
            k += 1;
        }
        gap = span;
    }
    // The last pass, of which only one half is wanted.
    let ((re_a, re_b), (im_a, im_b)) =
        (to.0[..2 * gap].split_at_mut(gap), to.1[..2 * gap].split_at_mut(gap));
    let mut k = 0;
    while k < gap {
        let w = backwards(three(roots, k));
        let [ar, br, cr, dr] = four(panel.re, k, gap);
        let [ai, bi, ci, di] = four(panel.im, k, gap);
        let mut v = 0;
        while v < 4 {
            let rows = [(&*ar, &*ai), (&*br, &*bi), (&*cr, &*ci), (&*dr, &*di)];
            let [p, q, r, s] = together::<S, V>(rows, v, w);
            set::<S, V>(&mut re_a[k], &mut im_a[k], v, p.plus(r));
            set::<S, V>(&mut re_b[k], &mut im_b[k], v, q.plus(s));
            v += S::width::<V>();
        }
        k += 1;
    }
}

/// What a backward step of radix four adds and subtracts.
#[inline(always)]
fn together<S: Real, V: Vectors>(
    [a, b, c, d]: [(&Row<S>, &Row<S>); 4],
    v: usize,
    [w1, w2, w3]: [(f64, f64); 3],
) -> [Complex<S::Pack<V>>; 4] {
    let a = get::<S, V>(a.0, a.1, v);
    let b = get::<S, V>(b.0, b.1, v).times(w2);
    let c = get::<S, V>(c.0, c.1, v).times(w1);
    let d = get::<S, V>(d.0, d.1, v).times(w3);
    [a.plus(b), a.minus(b), c.plus(d), c.minus(d).turned()]
}

/// Sums and differences of neighbouring rows: the pass of radix two, both ways.
#[inline(always)]
fn pairs<S: Real, V: Vectors>(panel: &mut Panel<'_, S>) {
    let mut at = 0;
    while at + 1 < panel.re.len() {
        let (re, im) = (&mut panel.re[at..at + 2], &mut panel.im[at..at + 2]);
        let mut v = 0;
        while v < 4 {
            let (a, b) = (get::<S, V>(&re[0], &im[0], v), get::<S, V>(&re[1], &im[1], v));
            set::<S, V>(&mut re[0], &mut im[0], v, a.plus(b));
            set::<S, V>(&mut re[1], &mut im[1], v, a.minus(b));
            v += S::width::<V>();
        }
        at += 2;
    }
}

/// Where the frequency `k` stands among `length`, and which stands at `k`.
#[inline(always)]
pub(super) fn reversed(k: usize, length: usize) -> usize {
    if length < 2 { k } else { k.reverse_bits() >> (usize::BITS - length.trailing_zeros()) }
}
