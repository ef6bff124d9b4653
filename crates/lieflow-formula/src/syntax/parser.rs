//! Tokens to tree, by the strength with which operators bind.
//!
//! ```text
//! comparison  a < b            only as the first argument of `if`, once
//! sum         a + b - c
//! product     a * b / c · d × e
//! sign        -a               looser than a power: -x^2 is -(x^2)
//! power       a ^ b            from the right: a^b^c is a^(b^c)
//! postfix     a'  a[i]  a.x
//! ```
use super::lexer::{Token, short, token};
use super::{Expr, Node, Span, Times};
use crate::error::{Error, Fault, Source};

/// How deeply brackets, signs and powers may stand in each other, so that no text can exhaust the
/// stack.
pub const DEEPEST: usize = 200;

/// The longest formula, in bytes.
const LONGEST: usize = 4_000_000;

/// The tree of a formula.
pub fn parse(source: &Source) -> Result<Node, Error> {
    let length = source.text().len();
    if length > LONGEST {
        let message = format!("a formula has at most {LONGEST} characters, and this has {length}");
        return Err(source.error(Fault::Size, 0..0, message));
    }
    let mut parser = Parser { source, token: Token::End, span: 0..0, last: 0, depth: 0 };
    parser.advance()?;
    let node = parser.comparison()?;
    match parser.token {
        Token::End => Ok(node),
        _ => Err(parser.unexpected("an operator or the end of the formula")),
    }
}

struct Parser<'a> {
    source: &'a Source,
    token: Token,
    span: Span,
    /// The end of the token before.
    last: usize,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(), Error> {
        self.last = self.span.end;
        (self.token, self.span) = token(self.source, self.span.end)?;
        Ok(())
    }

    fn error(&self, span: Span, message: impl Into<String>) -> Error {
        self.source.error(Fault::Syntax, span, message)
    }

    /// The token as it stands in the text.
    fn seen(&self) -> String {
        match self.token {
            Token::End => "the end of the formula".into(),
            _ => format!("'{}'", short(&self.source.text()[self.span.clone()])),
        }
    }

    fn unexpected(&self, expected: &str) -> Error {
        let message = match (&self.token, expected) {
            (Token::Sign('='), _) => {
                "a formula is a value; names are defined in [definitions]".to_string()
            }
            (Token::End, _) => format!("the formula ends where {expected} is expected"),
            (Token::Name(_) | Token::Number(_) | Token::Sign('('), what)
                if what.starts_with("an op") =>
            {
                format!("expected {expected}, found {}; a product is written with *", self.seen())
            }
            (Token::Sign('<' | '>'), what) if what.starts_with("an op") => {
                "a formula compares once, as in if(a < b, c, d)".into()
            }
            _ => format!("expected {expected}, found {}", self.seen()),
        };
        self.error(self.span.clone(), message).found(self.seen()).expected(expected)
    }

    fn expect(&mut self, sign: char, what: &str) -> Result<(), Error> {
        if self.token == Token::Sign(sign) {
            return self.advance();
        }
        let message = match self.token {
            Token::End => format!("the formula ends where '{sign}' is expected {what}"),
            _ => format!("expected '{sign}' {what}, found {}", self.seen()),
        };
        let error = self.error(self.span.clone(), message);
        Err(error.found(self.seen()).expected(format!("'{sign}'")))
    }

    /// Counts how deep we are; every way down passes here.
    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message =
                format!("more than {DEEPEST} brackets, signs or powers stand in each other");
            return Err(self.source.error(Fault::Depth, self.span.clone(), message));
        }
        Ok(())
    }

    fn comparison(&mut self) -> Result<Node, Error> {
        self.deeper()?;
        let mut left = self.sum()?;
        if let Token::Sign(sign @ ('<' | '>')) = self.token {
            self.advance()?;
            let right = self.sum()?;
            let span = left.span.start..right.span.end;
            let (a, b) = if sign == '<' { (left, right) } else { (right, left) };
            left = Node { span, expr: Expr::Less(Box::new(a), Box::new(b)) };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn sum(&mut self) -> Result<Node, Error> {
        let first = self.product()?;
        let mut rest = Vec::new();
        while let Token::Sign(sign @ ('+' | '-')) = self.token {
            self.advance()?;
            rest.push((sign == '-', self.product()?));
        }
        let Some((_, end)) = rest.last() else { return Ok(first) };
        let span = first.span.start..end.span.end;
        Ok(Node { span, expr: Expr::Sum(Box::new(first), rest) })
    }

    fn product(&mut self) -> Result<Node, Error> {
        let first = self.factor()?;
        let mut rest = Vec::new();
        loop {
            let times = match self.token {
                Token::Sign('*') => Times::Star,
                Token::Sign('/') => Times::Over,
                Token::Sign('·') => Times::Dot,
                Token::Sign('×') => Times::Cross,
                _ => break,
            };
            self.advance()?;
            rest.push((times, self.factor()?));
        }
        let Some((_, end)) = rest.last() else { return Ok(first) };
        let span = first.span.start..end.span.end;
        Ok(Node { span, expr: Expr::Product(Box::new(first), rest) })
    }

    fn factor(&mut self) -> Result<Node, Error> {
        let start = self.span.start;
        let Token::Sign(sign @ ('-' | '+')) = self.token else { return self.power() };
        self.deeper()?;
        self.advance()?;
        let inner = self.factor()?;
        self.depth -= 1;
        let span = start..inner.span.end;
        Ok(match sign {
            '-' => Node { span, expr: Expr::Negate(Box::new(inner)) },
            _ => Node { span, expr: inner.expr },
        })
    }

    fn power(&mut self) -> Result<Node, Error> {
        let base = self.postfix()?;
        if self.token != Token::Sign('^') {
            return Ok(base);
        }
        self.deeper()?;
        self.advance()?;
        let exponent = self.factor()?;
        self.depth -= 1;
        let span = base.span.start..exponent.span.end;
        Ok(Node { span, expr: Expr::Power(Box::new(base), Box::new(exponent)) })
    }

    fn postfix(&mut self) -> Result<Node, Error> {
        let mut node = self.atom()?;
        let before = self.depth;
        loop {
            let start = node.span.start;
            let expr = match self.token {
                Token::Sign('\'') => {
                    self.advance()?;
                    Expr::Transpose(Box::new(node))
                }
                Token::Sign('[') => {
                    self.advance()?;
                    let list = self.list(']', "after the last index")?;
                    Expr::Index(Box::new(node), list)
                }
                Token::Sign('.') => {
                    self.advance()?;
                    let Token::Name(name) = self.token.clone() else {
                        return Err(self.unexpected("a name after '.'"));
                    };
                    let span = self.span.clone();
                    self.advance()?;
                    Expr::Field(Box::new(node), name, span)
                }
                _ => break,
            };
            // Each makes the tree deeper by one.
            self.deeper()?;
            node = Node { span: start..self.last, expr };
        }
        self.depth = before;
        Ok(node)
    }

    fn list(&mut self, close: char, what: &str) -> Result<Vec<Node>, Error> {
        let mut items = Vec::new();
        if self.token != Token::Sign(close) {
            items.push(self.comparison()?);
            while self.token == Token::Sign(',') {
                self.advance()?;
                items.push(self.comparison()?);
            }
        }
        self.expect(close, what)?;
        Ok(items)
    }

    fn atom(&mut self) -> Result<Node, Error> {
        let span = self.span.clone();
        match self.token.clone() {
            Token::Number(x) => {
                self.advance()?;
                Ok(Node { span, expr: Expr::Number(x) })
            }
            Token::Name(name) => {
                self.advance()?;
                if self.token != Token::Sign('(') {
                    return Ok(Node { span, expr: Expr::Name(name) });
                }
                self.advance()?;
                let arguments = self.list(')', "after the last argument")?;
                let expr = Expr::Call(name, span.clone(), arguments);
                Ok(Node { span: span.start..self.last, expr })
            }
            Token::Sign('(') => {
                self.advance()?;
                let inner = self.comparison()?;
                self.expect(')', "to close the bracket")?;
                Ok(Node { span: span.start..self.last, expr: inner.expr })
            }
            Token::Sign('[') => {
                self.advance()?;
                let items = self.list(']', "after the last component")?;
                Ok(Node { span: span.start..self.last, expr: Expr::List(items) })
            }
            _ => Err(self.unexpected("a value")),
        }
    }
}
