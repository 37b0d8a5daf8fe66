//! The words of an expression, each with its column.

use super::{LONGEST, PolicyError};

/// A word or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Digits and the time unit behind them, if any.
    Number(&'a str, &'a str),
    Name(&'a str),
    /// An operator, bracket or comma; also `and`, `or`, `not`.
    Sign(&'static str),
    End,
}

impl Token<'_> {
    /// For a sentence.
    pub fn shown(self) -> String {
        match self {
            Self::Number(digits, unit) => format!("{digits}{unit}"),
            Self::Name(name) => name.to_owned(),
            Self::Sign(sign) => sign.to_owned(),
            Self::End => "the end".to_owned(),
        }
    }
}

/// Longest first where one begins another.
const SIGNS: [(&str, &str); 15] = [
    ("<=", "<="),
    (">=", ">="),
    ("==", "=="),
    ("!=", "!="),
    ("&&", "and"),
    ("||", "or"),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("(", "("),
    (")", ")"),
    (",", ","),
];

const WORDS: [&str; 3] = ["and", "or", "not"];

/// An error at a place in the text, counted in bytes.
pub(super) fn error_at(text: &str, byte: usize, what: impl Into<String>) -> PolicyError {
    let column = text.get(..byte).map_or(0, |before| before.chars().count()) + 1;
    PolicyError { column, what: what.into() }
}

/// Splits an expression; each token with the byte at which it begins. The last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, PolicyError> {
    if let Some((byte, _)) = text.char_indices().nth(LONGEST) {
        return Err(error_at(text, byte, format!("the expression is longer than {LONGEST} characters")));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = if first.is_whitespace() {
            first.len_utf8()
        } else {
            let (token, len) = token(rest, first)
                .ok_or_else(|| error_at(text, at, format!("{} has no meaning", quoted(first))))?;
            found.push((at, token));
            len
        };
        at += len;
    }
    found.push((text.len(), Token::End));
    Ok(found)
}

fn quoted(c: char) -> String {
    if c.is_control() { "a control character".to_owned() } else { format!("\"{c}\"") }
}

fn token(rest: &str, first: char) -> Option<(Token<'_>, usize)> {
    let run = |is: fn(char) -> bool| rest.find(|c: char| !is(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let digits = run(|c| c.is_ascii_digit());
        let unit = rest[digits..].find(|c: char| !is_word(c)).unwrap_or(rest.len() - digits);
        let len = digits + unit;
        return Some((Token::Number(&rest[..digits], &rest[digits..len]), len));
    }
    if is_word(first) {
        let len = run(is_word);
        let word = &rest[..len];
        let sign = WORDS.iter().find(|sign| **sign == word);
        return Some((sign.map_or(Token::Name(word), |sign| Token::Sign(sign)), len));
    }
    let (typed, sign) = SIGNS.iter().find(|(typed, _)| rest.starts_with(typed))?;
    Some((Token::Sign(sign), typed.len()))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
