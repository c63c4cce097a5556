//! From words to a module: declarations are here, and what is between braces in `body`.

mod body;

use crate::{
    lexer::{Token, words},
    syntax::{Function, Module, Operand, Variable},
    types::{Refusal, Space, Type},
};

/// Parses a text.
pub fn module(text: &str) -> Result<Module<'_>, Refusal> {
    let mut parser = Parser { words: words(text)?, next: 0 };
    parser.header()?;
    let mut module = Module::default();
    while parser.peek() != Token::End {
        parser.declaration(&mut module)?;
    }
    Ok(module)
}

struct Parser<'a> {
    words: Vec<(Token<'a>, u32)>,
    next: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.words.get(self.next).map_or(Token::End, |(token, _)| *token)
    }

    fn line(&self) -> u32 {
        self.words.get(self.next).or(self.words.last()).map_or(0, |(_, line)| *line)
    }

    fn fail<T>(&self, text: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal { line: self.line(), text: text.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T, Refusal> {
        self.fail(format!("{what} is expected, not {:?}", self.peek()))
    }

    /// Takes a mark if it is the next word.
    fn takes(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Token::Mark(mark);
        self.next += usize::from(is_next);
        is_next
    }

    fn mark(&mut self, mark: char) -> Result<(), Refusal> {
        if self.takes(mark) { Ok(()) } else { self.expected(&format!("'{mark}'")) }
    }

    /// Takes a directive if it is the next word.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Token::Word(word);
        self.next += usize::from(is_next);
        is_next
    }

    fn word(&mut self) -> Result<&'a str, Refusal> {
        let Token::Word(word) = self.peek() else { return self.expected("a name") };
        self.next += 1;
        Ok(word)
    }

    fn integer(&mut self) -> Result<u64, Refusal> {
        let Token::Integer(value) = self.peek() else { return self.expected("a number") };
        self.next += 1;
        Ok(value)
    }

    fn small(&mut self) -> Result<u32, Refusal> {
        let value = self.integer()?;
        u32::try_from(value).or_else(|_| self.fail(format!("{value} is too large")))
    }

    /// A type with its dot.
    fn ty(&mut self) -> Result<Type, Refusal> {
        let found = match self.peek() {
            Token::Word(word) => word.strip_prefix('.').and_then(Type::named),
            _ => None,
        };
        let Some(ty) = found else { return self.expected("a type") };
        self.next += 1;
        Ok(ty)
    }

    /// Items between commas until a mark, which is taken.
    fn list<T>(
        &mut self,
        end: char,
        mut item: impl FnMut(&mut Self) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let mut items = vec![];
        if self.takes(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.takes(',') {
                self.mark(end)?;
                return Ok(items);
            }
        }
    }

    /// The version, the target and the size of addresses.
    fn header(&mut self) -> Result<(), Refusal> {
        if !self.takes_word(".version") {
            return self.fail("missing .version directive at start of file");
        }
        self.next += 1;
        if !self.takes_word(".target") {
            return self.expected(".target");
        }
        let line = self.line();
        let target = self.word()?;
        let number = target.strip_prefix("sm_").map(|n| n.trim_end_matches(char::is_alphabetic));
        match number.and_then(|n| n.parse::<u32>().ok()) {
            Some(number) if number <= 80 => {}
            _ => return Err(Refusal { line, text: format!("the device is sm_80, not {target}") }),
        }
        while self.takes(',') {
            self.word()?;
        }
        if self.takes_word(".address_size") && self.integer()? != 64 {
            return self.fail("addresses have 64 bits");
        }
        Ok(())
    }

    /// A variable or a function.
    fn declaration(&mut self, module: &mut Module<'a>) -> Result<(), Refusal> {
        while self.takes_word(".visible")
            || self.takes_word(".extern")
            || self.takes_word(".weak")
            || self.takes_word(".common")
        {}
        match self.peek() {
            Token::Word(".entry" | ".func") => {
                let function = self.function()?;
                module.functions.push(function);
            }
            Token::Word(".global" | ".shared" | ".const") => {
                let variables = self.variables()?;
                module.variables.extend(variables);
            }
            Token::Word(".pragma") => self.skip_statement(),
            _ => return self.expected("a variable or a function"),
        }
        Ok(())
    }

    fn skip_statement(&mut self) {
        while self.peek() != Token::End && !self.takes(';') {
            self.next += 1;
        }
    }

    fn function(&mut self) -> Result<Function<'a>, Refusal> {
        let line = self.line();
        let is_kernel = self.word()? == ".entry";
        let has_results = !is_kernel && self.takes('(');
        let results = if has_results { self.list(')', Self::parameter)? } else { vec![] };
        let name = self.word()?;
        let parameters = if self.takes('(') { self.list(')', Self::parameter)? } else { vec![] };
        let mut function = Function {
            line,
            name,
            is_kernel,
            parameters,
            results,
            most_threads: None,
            required_threads: None,
            body: None,
        };
        loop {
            match self.peek() {
                Token::Word(".noreturn") => self.next += 1,
                Token::Word(".maxntid") => function.most_threads = Some(self.sizes()?),
                Token::Word(".reqntid") => function.required_threads = Some(self.sizes()?),
                Token::Word(".minnctapersm" | ".maxnctapersm" | ".maxnreg") => {
                    self.next += 1;
                    self.integer()?;
                }
                _ => break,
            }
        }
        if !self.takes(';') {
            self.mark('{')?;
            function.body = Some(self.body()?);
        }
        Ok(function)
    }

    /// A directive and its one to three numbers.
    fn sizes(&mut self) -> Result<[u32; 3], Refusal> {
        self.next += 1;
        let mut sizes = [1; 3];
        for (position, size) in sizes.iter_mut().enumerate() {
            if position > 0 && !self.takes(',') {
                break;
            }
            *size = self.small()?;
        }
        Ok(sizes)
    }

    fn parameter(&mut self) -> Result<Variable<'a>, Refusal> {
        if self.peek() != Token::Word(".param") {
            return self.expected(".param");
        }
        self.variable()
    }

    /// Variables of one directive, with its semicolon.
    fn variables(&mut self) -> Result<Vec<Variable<'a>>, Refusal> {
        let variable = self.variable()?;
        let mut variables = vec![variable.clone()];
        while self.takes(',') {
            variables.push(self.declarator(variable.clone())?);
        }
        self.mark(';')?;
        Ok(variables)
    }

    fn variable(&mut self) -> Result<Variable<'a>, Refusal> {
        let line = self.line();
        let word = self.word()?;
        let Some(space) = word.strip_prefix('.').and_then(Space::named) else {
            return Err(Refusal { line, text: format!("{word} is no state space") });
        };
        let mut align = if self.takes_word(".align") { Some(self.small()?) } else { None };
        let ty = self.ty()?;
        if self.takes_word(".ptr") {
            // What a pointer points to says nothing of the parameter itself.
            while let Token::Word(".global" | ".shared" | ".local" | ".const") = self.peek() {
                self.next += 1;
            }
            if self.takes_word(".align") {
                self.small()?;
            }
        }
        if self.takes_word(".align") {
            align = Some(self.small()?);
        }
        let align = align.unwrap_or(ty.bytes());
        if !align.is_power_of_two() {
            return self.fail(format!("{align} is no alignment"));
        }
        let (name, elements, initial) = ("", Some(1), vec![]);
        self.declarator(Variable { line, space, ty, align, name, elements, initial })
    }

    /// The name, the size and what the variable is at first.
    fn declarator(&mut self, mut variable: Variable<'a>) -> Result<Variable<'a>, Refusal> {
        variable.name = self.word()?;
        variable.elements = Some(1);
        variable.initial.clear();
        while self.takes('[') {
            if self.takes(']') {
                variable.elements = None;
                continue;
            }
            let size = self.integer()?;
            variable.elements = variable.elements.and_then(|n| n.checked_mul(size));
            self.mark(']')?;
        }
        if self.takes('=') {
            self.initial(&mut variable)?;
        }
        if variable.elements.is_none() && variable.space == Space::Param {
            return self.fail(format!("'{}' has no size", variable.name));
        }
        Ok(variable)
    }

    fn initial(&mut self, variable: &mut Variable<'a>) -> Result<(), Refusal> {
        if self.takes('{') {
            loop {
                self.initial(variable)?;
                if !self.takes(',') {
                    return self.mark('}');
                }
            }
        }
        let value = match self.operand()? {
            Operand::Integer(value) | Operand::Double(value) => value,
            Operand::Single(value) => u64::from(value),
            _ => return self.fail("a variable is a number at first"),
        };
        variable.initial.push(value);
        Ok(())
    }
}
