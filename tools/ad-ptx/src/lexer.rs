//! The words of a PTX text.

use crate::types::Refusal;

/// A word, a number or a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A name, an operation with what follows its dots, or a directive with its dot.
    Word(&'a str),
    /// An integer, of which a minus sign is no part.
    Integer(u64),
    /// The bits of an f32.
    Single(u32),
    /// The bits of an f64.
    Double(u64),
    /// What stands between quotation marks.
    Text(&'a str),
    /// Anything else.
    Mark(char),
    /// The end of the text.
    End,
}

/// All words with their lines; the last is `End`.
pub fn words(text: &str) -> Result<Vec<(Token<'_>, u32)>, Refusal> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut found = vec![];
    loop {
        lexer.skip_space();
        let line = lexer.line;
        let token = lexer.token()?;
        found.push((token, line));
        if token == Token::End {
            return Ok(found);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Lexer<'a> {
    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.rest = rest;
        taken
    }

    /// Takes the bytes at the beginning for which a condition holds.
    fn take_while(&mut self, holds: impl Fn(u8) -> bool) -> &'a str {
        let length = self.rest.bytes().take_while(|byte| holds(*byte)).count();
        self.take(length)
    }

    /// Takes spaces and comments.
    fn skip_space(&mut self) {
        loop {
            self.take_while(|byte| byte.is_ascii_whitespace());
            if self.rest.starts_with("//") {
                self.take_while(|byte| byte != b'\n');
            } else if self.rest.starts_with("/*") {
                let length = self.rest.find("*/").map_or(self.rest.len(), |at| at + 2);
                self.take(length);
            } else {
                return;
            }
        }
    }

    fn token(&mut self) -> Result<Token<'a>, Refusal> {
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first.is_ascii_digit() {
            return self.number();
        }
        if is_letter(first as u32) || first == '.' {
            return Ok(Token::Word(self.word()));
        }
        if first == '"' {
            self.take(1);
            let text = self.take_while(|byte| byte != b'"');
            self.take(1);
            return Ok(Token::Text(text));
        }
        self.take(first.len_utf8());
        Ok(Token::Mark(first))
    }

    /// A word goes on over dots and double colons.
    fn word(&mut self) -> &'a str {
        let bytes = self.rest.as_bytes();
        let mut length = 1;
        while let Some(byte) = bytes.get(length) {
            let is_pair = bytes.get(length..length + 2) == Some(b"::");
            if !(is_letter(u32::from(*byte)) || byte.is_ascii_digit() || *byte == b'.' || is_pair) {
                break;
            }
            length += if is_pair { 2 } else { 1 };
        }
        self.take(length)
    }

    fn number(&mut self) -> Result<Token<'a>, Refusal> {
        let line = self.line;
        let text = self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let bad = || Refusal { line, text: format!("'{text}' is no number") };
        let hexadecimal = |digits: &str, count: usize| {
            let all = (digits.len() == count).then(|| u64::from_str_radix(digits, 16).ok());
            all.flatten().ok_or_else(bad)
        };
        if let Some(digits) = text.strip_prefix("0f").or(text.strip_prefix("0F")) {
            return Ok(Token::Single(hexadecimal(digits, 8)? as u32));
        }
        if let Some(digits) = text.strip_prefix("0d").or(text.strip_prefix("0D")) {
            return Ok(Token::Double(hexadecimal(digits, 16)?));
        }
        if text.contains('.') {
            return text.parse::<f64>().map(|x| Token::Double(x.to_bits())).map_err(|_| bad());
        }
        let digits = text.strip_suffix('U').unwrap_or(text);
        let (digits, radix) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
            [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
            [b'0', _, ..] => (digits, 8),
            _ => (digits, 10),
        };
        u64::from_str_radix(digits, radix).map(Token::Integer).map_err(|_| bad())
    }
}

fn is_letter(code: u32) -> bool {
    char::from_u32(code).is_some_and(|c| c.is_ascii_alphabetic() || "_$%".contains(c))
}
