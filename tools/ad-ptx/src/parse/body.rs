//! Bodies of functions: statements, instructions, operands.

use super::Parser;
use crate::{
    lexer::Token,
    syntax::{Instruction, Operand, Statement},
    types::Refusal,
};

impl<'a> Parser<'a> {
    /// What stands between braces, of which the last is taken.
    pub(super) fn body(&mut self) -> Result<Vec<Statement<'a>>, Refusal> {
        let mut statements = vec![];
        let mut depth = 0u32;
        loop {
            if self.takes('{') {
                depth += 1;
                statements.push(Statement::Open);
            } else if self.takes('}') {
                if depth == 0 {
                    return Ok(statements);
                }
                depth -= 1;
                statements.push(Statement::Close);
            } else if self.takes(';') {
            } else {
                self.statement(&mut statements)?;
            }
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement<'a>>) -> Result<(), Refusal> {
        match self.peek() {
            Token::Word(".reg") => {
                self.next += 1;
                let ty = self.ty()?;
                let names = self.list(';', Self::register)?;
                statements.push(Statement::Registers(ty, names));
            }
            Token::Word(".shared" | ".local" | ".param") => {
                statements.extend(self.variables()?.into_iter().map(Statement::Variable));
            }
            Token::Word(".loc" | ".file") => {
                let line = self.line();
                while self.line() == line && self.peek() != Token::End {
                    self.next += 1;
                }
            }
            Token::Word(".pragma") => self.skip_statement(),
            Token::Word(word) if !word.starts_with('.') => {
                if self.words.get(self.next + 1).map(|w| w.0) == Some(Token::Mark(':')) {
                    self.next += 2;
                    statements.push(if self.takes_word(".branchtargets") {
                        Statement::Targets(word, self.list(';', Self::word)?)
                    } else {
                        Statement::Label(word)
                    });
                } else {
                    let instruction = self.instruction()?;
                    statements.push(Statement::Instruction(instruction));
                }
            }
            Token::Mark('@') => {
                let instruction = self.instruction()?;
                statements.push(Statement::Instruction(instruction));
            }
            _ => return self.expected("a statement"),
        }
        Ok(())
    }

    fn register(&mut self) -> Result<(&'a str, Option<u32>), Refusal> {
        let name = self.word()?;
        if !self.takes('<') {
            return Ok((name, None));
        }
        let count = self.small()?;
        self.mark('>')?;
        Ok((name, Some(count)))
    }

    fn instruction(&mut self) -> Result<Instruction<'a>, Refusal> {
        let line = self.line();
        let guard = if self.takes('@') {
            let negated = self.takes('!');
            Some((self.word()?, negated))
        } else {
            None
        };
        let name = self.word()?;
        let operands = self.list(';', Self::operand)?;
        Ok(Instruction { line, guard, name, operands })
    }

    pub(super) fn operand(&mut self) -> Result<Operand<'a>, Refusal> {
        let token = self.peek();
        self.next += 1;
        Ok(match token {
            Token::Mark('{') => Operand::Vector(self.list('}', Self::operand)?),
            Token::Mark('(') => Operand::Group(self.list(')', Self::operand)?),
            Token::Mark('[') => self.address()?,
            Token::Mark('!') => Operand::Not(self.word()?),
            Token::Mark('-') => match self.operand()? {
                Operand::Integer(value) => Operand::Integer(value.wrapping_neg()),
                Operand::Single(bits) => Operand::Single(bits ^ 1 << 31),
                Operand::Double(bits) => Operand::Double(bits ^ 1 << 63),
                _ => return self.fail("only numbers have a minus sign"),
            },
            Token::Integer(value) => Operand::Integer(value),
            Token::Single(bits) => Operand::Single(bits),
            Token::Double(bits) => Operand::Double(bits),
            Token::Word(name) if self.takes('|') => Operand::Pair(name, self.word()?),
            Token::Word(name) => Operand::Name(name),
            _ => {
                self.next -= 1;
                return self.expected("an operand");
            }
        })
    }

    /// What stands between brackets.
    fn address(&mut self) -> Result<Operand<'a>, Refusal> {
        let base = match self.peek() {
            Token::Word(name) => {
                self.next += 1;
                Some(name)
            }
            _ => None,
        };
        let mut offset = 0i64;
        if base.is_none() || self.takes('+') {
            let Operand::Integer(value) = self.operand()? else {
                return self.expected("an offset");
            };
            offset = value as i64;
        }
        self.mark(']')?;
        Ok(Operand::Address(base, offset))
    }
}
