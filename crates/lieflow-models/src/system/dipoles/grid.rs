//! The field of dipoles on a grid as a convolution, by Fourier transforms: O(n log n) operations.
//!
//! On a grid the tensor between two dipoles depends on their offset only,
//!
//! ```text
//! G = k (1 - 3 r rᵀ)         F_i = sum_j G(i - j) q_j
//! ```
//!
//! and it is symmetric, even, and without entries that couple the plane with the normal, so that
//! its spectra are real:
//!
//! ```text
//! F_x <- G_xx Q_x + G_xy Q_y      F_y <- G_xy Q_x + G_yy Q_y      F_z <- G_zz Q_z
//! ```
//!
//! The grid is padded with zeros to twice its size, which makes the convolution the plain sum over
//! all pairs. A row of `2 H` real numbers is transformed as `H` complex ones, `c_j = f_2j + i f_2j+1`
//! (Press et al., Numerical Recipes, section 12.3):
//!
//! ```text
//! 2 F_k = a - i b      2 F_{H-k} = conj(a + i b)      a = C_k + conj C_{H-k}      b = w^k (C_k - conj C_{H-k})
//! ```
//!
//! with `w = exp(-i pi/H)`, and back by `C_k = a + i b`, `a = F_k + conj F_{H-k}`,
//! `b = w^-k (F_k - conj F_{H-k})`, up to a factor. Errors are of the size of the rounding of the
//! largest field, like those of the sum over pairs.
use super::Receiver;
use super::fourier::{Complex, Panel, Roots, backward_halved, forward, forward_padded, reversed};
use super::row::Row;
use lieflow::action::Link;
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised};
use lieflow::{Real, Vec3, vec3};

/// The spectra of the tensors of a grid.
#[derive(Clone, Debug)]
pub(super) struct Grid<S> {
    rows: usize,
    columns: usize,
    /// Rows with padding, and half the columns with padding: powers of two.
    height: usize,
    half: usize,
    down: Roots,
    across: Roots,
    /// Roots of order `2 half`.
    fine: Roots,
    /// `(G_xx, G_xy, G_yy, G_zz)` by panels of four frequencies along the rows, times what the
    /// transforms do not divide by.
    spectrum: Vec<[Row<S>; 4]>,
}

impl<S: Real> Grid<S> {
    /// Grids with fewer rows or columns are too small for the transforms.
    pub const SMALLEST: usize = 5;

    /// The grid with the tensors `(G_xx, G_xy, G_yy, G_zz)` at offsets of so many columns and rows.
    pub fn new(rows: usize, columns: usize, tensor: impl Fn(usize, usize) -> [S; 4]) -> Self {
        let (height, half) = (2 * rows.next_power_of_two(), columns.next_power_of_two());
        let mut grid = Self {
            rows,
            columns,
            height,
            half,
            down: Roots::new(height),
            across: Roots::new(half),
            fine: Roots::new(2 * half),
            spectrum: Vec::new(),
        };
        grid.spectrum = vec![[Row::zero(); 4]; grid.panels() * height];
        // Two real, even tables at a time, as real and imaginary parts: their spectra are real.
        for pair in [[0, 2], [1, 3]] {
            run_vectorised::<S, _>(Spectrum { grid: &mut grid, pair, tensor: &tensor });
        }
        grid
    }

    /// Panels of four frequencies along the rows, from zero to `half`.
    fn panels(&self) -> usize {
        (self.half + 1).div_ceil(4)
    }

    /// Gives the field of all dipoles to the receiver.
    pub fn field(&self, y: &[Link<S>], receiver: Receiver<'_, S>, buffer: &mut Vec<Row<S>>) {
        run_vectorised::<S, _>(Convolve { grid: self, y, receiver, buffer });
    }
}

/// The transform of two tables.
struct Spectrum<'a, S, F> {
    grid: &'a mut Grid<S>,
    pair: [usize; 2],
    tensor: &'a F,
}

impl<S: Real, F: Fn(usize, usize) -> [S; 4]> VectorWork for Spectrum<'_, S, F> {
    type Output = ();
    fn run<V: Vectors>(self) {
        let Self { grid, pair, tensor } = self;
        let (height, width) = (grid.height, 2 * grid.half);
        let mut re = vec![Row::zero(); width / 4 * height];
        let mut im = re.clone();
        for dy in 0..grid.rows {
            for dx in 0..grid.columns {
                if dx + dy == 0 {
                    continue;
                }
                let g = tensor(dx, dy);
                let (left, up) = ((width - dx) % width, (height - dy) % height);
                // G_xy is odd in each direction, the others are even.
                for (x, y, sign) in
                    [(dx, dy, 1.0), (left, dy, -1.0), (dx, up, -1.0), (left, up, 1.0)]
                {
                    let at = x / 4 * height + y;
                    let signed = |i: usize| if i == 1 { g[i] * sign } else { g[i] };
                    re[at].0[x % 4] = signed(pair[0]);
                    im[at].0[x % 4] = signed(pair[1]);
                }
            }
        }
        for (re, im) in re.chunks_exact_mut(height).zip(im.chunks_exact_mut(height)) {
            forward::<S, V>(&mut Panel { re, im }, &grid.down);
        }
        // Along the rows, four at a time.
        let scale = 1.0 / (4 * height * grid.half) as f64;
        let (mut line_re, mut line_im) = (vec![Row::zero(); width], vec![Row::zero(); width]);
        for first in (0..height).step_by(4) {
            for x in 0..width {
                for v in 0..4 {
                    let at = x / 4 * height + first + v;
                    line_re[x].0[v] = re[at].0[x % 4];
                    line_im[x].0[v] = im[at].0[x % 4];
                }
            }
            forward::<S, V>(&mut Panel { re: &mut line_re, im: &mut line_im }, &grid.fine);
            for k in 0..=grid.half {
                let from = reversed(k, width);
                for v in 0..4 {
                    let entry = &mut grid.spectrum[k / 4 * height + first + v];
                    entry[pair[0]].0[k % 4] = line_re[from].0[v] * scale;
                    entry[pair[1]].0[k % 4] = line_im[from].0[v] * scale;
                }
            }
        }
    }
}

/// The convolution.
struct Convolve<'a, S> {
    grid: &'a Grid<S>,
    y: &'a [Link<S>],
    receiver: Receiver<'a, S>,
    buffer: &'a mut Vec<Row<S>>,
}

/// Real and imaginary parts of three components, cut from one list.
#[inline(always)]
fn components<S>(list: &mut [Row<S>], size: usize) -> [[&mut [Row<S>]; 2]; 3] {
    let (a, rest) = list.split_at_mut(size);
    let (b, rest) = rest.split_at_mut(size);
    let (c, rest) = rest.split_at_mut(size);
    let (d, rest) = rest.split_at_mut(size);
    let (e, f) = rest.split_at_mut(size);
    [[a, b], [c, d], [e, &mut f[..size]]]
}

impl<S: Real> VectorWork for Convolve<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { grid, y, receiver, buffer } = self;
        let (height, half) = (grid.height, grid.half);
        let (deep, panels) = (height / 2, grid.panels());
        // Spectra along the rows, by panels; one panel of each component; the numbers and the
        // transforms of four rows.
        let sizes = [6 * panels * deep, 6 * height, 3 * half, 6 * half];
        let total = sizes[0] + sizes[1] + sizes[2] + sizes[3];
        if buffer.len() != total {
            buffer.clear();
            buffer.resize(total, Row::zero());
        }
        let (standing, rest) = buffer.split_at_mut(sizes[0]);
        let (upright, rest) = rest.split_at_mut(sizes[1]);
        let (numbers, lying) = rest.split_at_mut(sizes[2]);
        let mut standing = components(standing, panels * deep);
        let mut upright = components(upright, height);
        let mut numbers = components(numbers, half / 2);
        let mut lying = components(lying, half);

        let groups = grid.rows.div_ceil(4);
        for group in 0..groups {
            grid.read(y, group, &mut numbers);
            for ((numbers, lying), standing) in numbers.iter().zip(&mut lying).zip(&mut standing) {
                let [re, im] = lying;
                let mut panel = Panel { re, im };
                forward_padded::<S, V>((&*numbers[0], &*numbers[1]), &mut panel, &grid.across);
                grid.stand_up::<V>(&panel, group, standing);
            }
        }
        for part in standing.iter_mut().flatten() {
            for panel in part.chunks_exact_mut(deep) {
                panel[4 * groups..].fill(Row::zero());
            }
        }
        for p in 0..panels {
            let range = p * deep..(p + 1) * deep;
            for (standing, upright) in standing.iter().zip(&mut upright) {
                let [re, im] = upright;
                let from = (&standing[0][range.clone()], &standing[1][range.clone()]);
                forward_padded::<S, V>(from, &mut Panel { re, im }, &grid.down);
            }
            multiply::<S, V>(&grid.spectrum[p * height..(p + 1) * height], &mut upright);
            for (standing, upright) in standing.iter_mut().zip(&mut upright) {
                let ([re, im], [to_re, to_im]) = (upright, standing);
                let to = (&mut to_re[range.clone()], &mut to_im[range.clone()]);
                backward_halved::<S, V>(&mut Panel { re, im }, &grid.down, to);
            }
        }
        for group in 0..groups {
            for ((numbers, lying), standing) in numbers.iter_mut().zip(&mut lying).zip(&standing) {
                let [re, im] = lying;
                let mut panel = Panel { re, im };
                grid.lie_down::<V>(standing, group, &mut panel);
                let [re, im] = numbers;
                backward_halved::<S, V>(&mut panel, &grid.across, (&mut **re, &mut **im));
            }
            grid.write(&numbers, group, receiver);
        }
    }
}

/// The product of the spectra.
#[inline(always)]
fn multiply<S: Real, V: Vectors>(spectrum: &[[Row<S>; 4]], fields: &mut [[&mut [Row<S>]; 2]; 3]) {
    let [x, y, z] = fields;
    for part in 0..2 {
        let (x, y, z) = (&mut *x[part], &mut *y[part], &mut *z[part]);
        for (((g, x), y), z) in spectrum.iter().zip(x).zip(y).zip(z) {
            let mut v = 0;
            while v < 4 {
                let (a, b) = (x.get::<V>(v), y.get::<V>(v));
                let mixed = g[1].get::<V>(v);
                x.set::<V>(v, g[0].get::<V>(v) * a + mixed * b);
                y.set::<V>(v, mixed * a + g[2].get::<V>(v) * b);
                z.set::<V>(v, g[3].get::<V>(v) * z.get::<V>(v));
                v += S::width::<V>();
            }
        }
    }
}

impl<S: Real> Grid<S> {
    /// The directions in four rows of the grid, with zeros beyond its end.
    #[inline(always)]
    fn read(&self, y: &[Link<S>], group: usize, numbers: &mut [[&mut [Row<S>]; 2]; 3]) {
        for l in 0..4 {
            let row = 4 * group + l;
            let start = row * self.columns;
            let links = if row < self.rows { &y[start..start + self.columns] } else { &[] };
            for j in 0..self.half / 2 {
                for part in 0..2 {
                    let q = match links.get(2 * j + part) {
                        Some(link) => link.q,
                        None => Vec3::zero(),
                    };
                    numbers[0][part][j].0[l] = q.x;
                    numbers[1][part][j].0[l] = q.y;
                    numbers[2][part][j].0[l] = q.z;
                }
            }
        }
    }

    /// Gives the field in four rows of the grid to the receiver.
    #[inline(always)]
    fn write(
        &self,
        numbers: &[[&mut [Row<S>]; 2]; 3],
        group: usize,
        receiver: &mut dyn FnMut(usize, Vec3<S>),
    ) {
        for l in 0..4.min(self.rows - 4 * group) {
            let start = (4 * group + l) * self.columns;
            for column in 0..self.columns {
                let (part, j) = (column % 2, column / 2);
                let field = vec3(
                    numbers[0][part][j].0[l],
                    numbers[1][part][j].0[l],
                    numbers[2][part][j].0[l],
                );
                receiver(start + column, field);
            }
        }
    }

    /// Where the frequency `k` of four rows stands in its panel.
    #[inline(always)]
    fn place(&self, k: usize, group: usize) -> usize {
        k / 4 * (self.height / 2) + 4 * group
    }

    /// Spectra of real rows from those of half as many complex numbers, by columns.
    #[inline(always)]
    fn stand_up<V: Vectors>(
        &self,
        panel: &Panel<'_, S>,
        group: usize,
        standing: &mut [&mut [Row<S>]; 2],
    ) {
        let half = self.half;
        for k in 0..=half / 2 {
            let (here, there) = (reversed(k, half), reversed((half - k) % half, half));
            let root = self.fine.get(k);
            let mut v = 0;
            while v < 4 {
                let c = panel.get::<V>(here, v);
                let d = panel.get::<V>(there, v).conjugate();
                let (a, b) = (c.plus(d), c.minus(d).times(root).turned());
                column::<S, V>(standing, self.place(k, group) + v, k % 4, a.minus(b));
                let (mirror, x) = (half - k, a.plus(b).conjugate());
                column::<S, V>(standing, self.place(mirror, group) + v, mirror % 4, x);
                v += S::width::<V>();
            }
        }
    }

    /// The way back of [`Grid::stand_up`].
    #[inline(always)]
    fn lie_down<V: Vectors>(
        &self,
        standing: &[&mut [Row<S>]; 2],
        group: usize,
        panel: &mut Panel<'_, S>,
    ) {
        let half = self.half;
        for k in 0..=half / 2 {
            let (here, there) = (reversed(k, half), reversed((half - k) % half, half));
            let (cos, sin) = self.fine.get(k);
            let mirror = half - k;
            let mut v = 0;
            while v < 4 {
                let c = from_column::<S, V>(standing, self.place(k, group) + v, k % 4);
                let d = from_column::<S, V>(standing, self.place(mirror, group) + v, mirror % 4)
                    .conjugate();
                let (a, b) = (c.plus(d), c.minus(d).times((cos, -sin)).turned());
                panel.set::<V>(here, v, a.plus(b));
                panel.set::<V>(there, v, a.minus(b).conjugate());
                v += S::width::<V>();
            }
        }
    }
}

/// Writes a pack down a column, from row `first` on.
#[inline(always)]
fn column<S: Real, V: Vectors>(
    parts: &mut [&mut [Row<S>]; 2],
    first: usize,
    lane: usize,
    x: Complex<S::Pack<V>>,
) {
    let (re, im) = (S::unpack::<V>(x.re), S::unpack::<V>(x.im));
    let [to_re, to_im] = parts;
    let rows = first..first + S::width::<V>();
    let (to_re, to_im) = (&mut to_re[rows.clone()], &mut to_im[rows]);
    let mut l = 0;
    while l < S::width::<V>() {
        to_re[l].0[lane % 4] = re[l];
        to_im[l].0[lane % 4] = im[l];
        l += 1;
    }
}

/// Reads a pack from a column.
#[inline(always)]
fn from_column<S: Real, V: Vectors>(
    [re, im]: &[&mut [Row<S>]; 2],
    first: usize,
    lane: usize,
) -> Complex<S::Pack<V>> {
    let rows = first..first + S::width::<V>();
    let (re, im) = (&re[rows.clone()], &im[rows]);
    let (last, lane) = (S::width::<V>() - 1, lane % 4);
    let (b, c) = (last.min(1), last.min(2));
    Complex {
        re: S::pack::<V>([re[0].0[lane], re[b].0[lane], re[c].0[lane], re[last].0[lane]]),
        im: S::pack::<V>([im[0].0[lane], im[b].0[lane], im[c].0[lane], im[last].0[lane]]),
    }
}
