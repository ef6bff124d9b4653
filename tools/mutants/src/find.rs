//! Places where a source could be wrong.
use proc_macro2::{Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Stmt, UnOp};

/// A wrong text in the place of a right one.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where the right text stands, in bytes.
    pub range: Range<usize>,
    /// The wrong text.
    pub wrong: String,
    /// Whether it is a statement: then nothing takes its place.
    pub statement: bool,
    /// Whether it stands where only the compiler computes.
    pub constant: bool,
}

/// All candidates of a file.
pub fn candidates(text: &str) -> Result<Vec<Candidate>, syn::Error> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { text, constant: 0, found: Vec::new() };
    finder.visit_file(&file);
    Ok(finder.found)
}

struct Finder<'a> {
    text: &'a str,
    /// How many constant contexts are open.
    constant: usize,
    found: Vec<Candidate>,
}

impl<'a> Finder<'a> {
    fn of(&self, item: &impl Spanned) -> &'a str {
        &self.text[item.span().byte_range()]
    }

    fn add(&mut self, place: Span, wrong: String) {
        let (range, constant) = (place.byte_range(), self.constant > 0);
        if self.text[range.clone()] != wrong {
            self.found.push(Candidate { range, wrong, statement: false, constant });
        }
    }

    fn inside_constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.constant += 1;
        visit(self);
        self.constant -= 1;
    }

    /// `a + b` as `a - b`, and as `a`; comparisons at their boundary and turned round.
    fn binary(&mut self, e: &syn::ExprBinary) {
        let (a, b) = (self.of(&e.left), self.of(&e.right));
        let others: &[&str] = match e.op {
            BinOp::Add(_) => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) => &["/", "+"],
            BinOp::Div(_) => &["*"],
            BinOp::Rem(_) => &["/"],
            BinOp::And(_) => &["||"],
            BinOp::Or(_) => &["&&"],
            BinOp::Lt(_) => &["<=", ">="],
            BinOp::Le(_) => &["<", ">"],
            BinOp::Gt(_) => &[">=", "<="],
            BinOp::Ge(_) => &[">", "<"],
            BinOp::Eq(_) => &["!="],
            BinOp::Ne(_) => &["=="],
            BinOp::AddAssign(_) => &["-="],
            BinOp::SubAssign(_) => &["+="],
            BinOp::MulAssign(_) => &["/="],
            BinOp::DivAssign(_) => &["*="],
            BinOp::BitAnd(_) => &["|"],
            BinOp::BitOr(_) => &["&"],
            BinOp::Shl(_) => &[">>"],
            BinOp::Shr(_) => &["<<"],
            _ => &[],
        };
        for other in others {
            self.add(e.span(), format!("{a} {other} {b}"));
        }
        // The last term dropped.
        if matches!(e.op, BinOp::Add(_) | BinOp::Sub(_)) {
            self.add(e.span(), a.to_string());
        }
    }

    fn literal(&mut self, lit: &Lit) {
        let (span, text) = (lit.span(), self.of(lit));
        match lit {
            Lit::Float(x) => match x.base10_parse::<f64>() {
                Ok(0.0) => self.add(span, "1.0".into()),
                // A tolerance must be grossly wrong to be noticed, a coefficient just a little.
                Ok(x) if x < 1e-5 => self.add(span, format!("({text} * 1e6)")),
                Ok(x) if x > 1e5 => self.add(span, format!("({text} * 1e-6)")),
                Ok(_) => self.add(span, format!("({text} * 1.0009765625)")),
                Err(_) => {}
            },
            Lit::Int(n) => match n.base10_parse::<u64>() {
                Ok(value @ 0..=64) => self.add(span, format!("{}{}", value + 1, n.suffix())),
                _ => {}
            },
            Lit::Bool(b) => self.add(span, (!b.value).to_string()),
            _ => {}
        }
    }

    /// The numbers of tables, which stand in a macro.
    fn table(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.table(group.stream()),
                TokenTree::Literal(literal) => self.literal(&Lit::new(literal)),
                _ => {}
            }
        }
    }

    /// `min` for `max`, arguments in another order, and a call that is not made.
    fn call(&mut self, e: &syn::ExprMethodCall) {
        let (name, on) = (e.method.to_string(), self.of(&e.receiver));
        let turned = match name.as_str() {
            "min" => Some("max"),
            "max" => Some("min"),
            "is_some" => Some("is_none"),
            "is_none" => Some("is_some"),
            "is_ok" => Some("is_err"),
            "is_err" => Some("is_ok"),
            "any" => Some("all"),
            "all" => Some("any"),
            "first" => Some("last"),
            "last" => Some("first"),
            "ceil" => Some("floor"),
            "floor" => Some("ceil"),
            _ => None,
        };
        let arguments: Vec<&str> = e.args.iter().map(|argument| self.of(argument)).collect();
        if let Some(turned) = turned {
            self.add(e.span(), format!("{on}.{turned}({})", arguments.join(", ")));
        }
        if matches!(name.as_str(), "abs" | "sqrt" | "transpose" | "inverse") {
            self.add(e.span(), on.to_string());
        }
        if matches!(name.as_str(), "cross" | "bracket" | "compose" | "matmul") {
            if let [argument] = arguments[..] {
                let argument = argument.trim_start_matches('&');
                let by_reference =
                    if e.args.iter().any(|a| matches!(a, Expr::Reference(_))) { "&" } else { "" };
                self.add(e.span(), format!("({argument}).{name}({by_reference}({on}))"));
            }
        }
        self.swap(e.span(), &e.args);
    }

    /// The first two arguments in the other order.
    fn swap<P>(&mut self, place: Span, arguments: &syn::punctuated::Punctuated<Expr, P>) {
        let mut list = arguments.iter();
        let (Some(a), Some(b)) = (list.next(), list.next()) else { return };
        if matches!(a, Expr::Closure(_)) || matches!(b, Expr::Closure(_)) {
            return;
        }
        let (whole, a, b) = (place.byte_range(), a.span().byte_range(), b.span().byte_range());
        let text = self.text;
        let wrong = [
            &text[whole.start..a.start],
            &text[b.clone()],
            &text[a.end..b.start],
            &text[a.clone()],
            &text[b.end..whole.end],
        ];
        self.add(place, wrong.concat());
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Binary(e) => self.binary(e),
            Expr::Lit(e) => self.literal(&e.lit),
            Expr::MethodCall(e) => self.call(e),
            Expr::Call(e) => self.swap(e.span(), &e.args),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_) | UnOp::Not(_)) => {
                // A negative literal is one number.
                self.add(e.span(), self.of(&e.expr).to_string());
            }
            Expr::Range(e) => {
                if let (Some(end), syn::RangeLimits::HalfOpen(_)) = (&e.end, &e.limits) {
                    let start = e.start.as_ref().map_or("", |start| self.of(start));
                    self.add(e.span(), format!("({start}..({}).saturating_sub(1))", self.of(end)));
                }
            }
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    /// A statement whose value nobody takes is left out.
    fn visit_stmt(&mut self, s: &'ast Stmt) {
        if let Stmt::Expr(e, Some(_)) = s
            && matches!(e, Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) | Expr::Binary(_))
            && self.constant == 0
        {
            let range = s.span().byte_range();
            self.found.push(Candidate {
                range,
                wrong: String::new(),
                statement: true,
                constant: false,
            });
        }
        visit::visit_stmt(self, s);
    }

    fn visit_item_const(&mut self, i: &'ast syn::ItemConst) {
        self.inside_constant(|finder| finder.visit_expr(&i.expr));
    }
    fn visit_item_static(&mut self, i: &'ast syn::ItemStatic) {
        self.inside_constant(|finder| finder.visit_expr(&i.expr));
    }
    fn visit_impl_item_const(&mut self, i: &'ast syn::ImplItemConst) {
        self.inside_constant(|finder| finder.visit_expr(&i.expr));
    }
    /// Tables are checked while they are compiled.
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        if m.path.is_ident("tableaux") {
            self.inside_constant(|finder| finder.table(m.tokens.clone()));
        }
    }
    fn visit_expr_const(&mut self, i: &'ast syn::ExprConst) {
        self.inside_constant(|finder| visit::visit_expr_const(finder, i));
    }
    fn visit_item_fn(&mut self, i: &'ast syn::ItemFn) {
        if is_test(&i.attrs) {
            return;
        }
        match i.sig.constness {
            Some(_) => self.inside_constant(|finder| visit::visit_item_fn(finder, i)),
            None => visit::visit_item_fn(self, i),
        }
    }
    fn visit_impl_item_fn(&mut self, i: &'ast syn::ImplItemFn) {
        match i.sig.constness {
            Some(_) => self.inside_constant(|finder| visit::visit_impl_item_fn(finder, i)),
            None => visit::visit_impl_item_fn(self, i),
        }
    }
    fn visit_item_mod(&mut self, i: &'ast syn::ItemMod) {
        if !is_test(&i.attrs) {
            visit::visit_item_mod(self, i);
        }
    }
    // Lengths, patterns and attributes are no expressions.
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_expr_repeat(&mut self, i: &'ast syn::ExprRepeat) {
        self.visit_expr(&i.expr);
    }
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        let cfg = matches!(&a.meta, syn::Meta::List(l) if l.tokens.to_string().contains("test"));
        a.path().is_ident("test") || a.path().is_ident("cfg") && cfg
    })
}
