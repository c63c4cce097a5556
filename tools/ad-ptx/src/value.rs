//! What registers hold: 64 bits each, of which those above the register's width are zero.

/// A number as a register holds it.
pub trait Value: Copy {
    /// From a register.
    fn from_bits(bits: u64) -> Self;
    /// To a register.
    fn bits(self) -> u64;
}

macro_rules! integers {
    ($($signed:ty, $unsigned:ty;)*) => {$(
        impl Value for $unsigned {
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }

            fn bits(self) -> u64 {
                u64::from(self)
            }
        }

        impl Value for $signed {
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }

            fn bits(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )*};
}

integers! { i8, u8; i16, u16; i32, u32; i64, u64; }

impl Value for bool {
    fn from_bits(bits: u64) -> Self {
        bits & 1 != 0
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

impl Value for f32 {
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }

    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Value for f64 {
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The registers of a function while it runs.
pub struct Frame<'a> {
    /// By number.
    pub slots: &'a mut [u64],
    /// What `add.cc` and its like leave.
    pub carry: &'a mut bool,
}

impl Frame<'_> {
    /// What a register holds.
    #[inline]
    pub fn get<T: Value>(&self, slot: u32) -> T {
        T::from_bits(self.slots[slot as usize])
    }

    /// Changes what a register holds.
    #[inline]
    pub fn set<T: Value>(&mut self, slot: u32, value: T) {
        self.slots[slot as usize] = value.bits();
    }
}

/// Registers of an instruction, results first.
pub type Slots = [u32; 6];

/// An instruction that reads and writes nothing but registers.
pub type Compute = Box<dyn Fn(&mut Frame, &Slots) + Send + Sync>;

/// An instruction with one result and one operand.
pub fn unary<A: Value + 'static, R: Value + 'static>(
    f: impl Fn(A) -> R + Send + Sync + 'static,
) -> Compute {
    Box::new(move |frame, s| {
        let value = f(frame.get(s[1]));
        frame.set(s[0], value);
    })
}

/// An instruction with one result and two operands.
pub fn binary<A: Value + 'static, B: Value + 'static, R: Value + 'static>(
    f: impl Fn(A, B) -> R + Send + Sync + 'static,
) -> Compute {
    Box::new(move |frame, s| {
        let value = f(frame.get(s[1]), frame.get(s[2]));
        frame.set(s[0], value);
    })
}

/// An instruction with one result and three operands.
pub fn ternary<A: Value + 'static, B: Value + 'static, C: Value + 'static, R: Value + 'static>(
    f: impl Fn(A, B, C) -> R + Send + Sync + 'static,
) -> Compute {
    Box::new(move |frame, s| {
        let value = f(frame.get(s[1]), frame.get(s[2]), frame.get(s[3]));
        frame.set(s[0], value);
    })
}
