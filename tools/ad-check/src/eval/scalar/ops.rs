//! Names of the scalar operations and the tables from op names to them.

use crate::program::Elem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sqrt,
    Rsqrt,
    Cbrt,
    Erf,
    Erfc,
    Ceil,
    Floor,
    Round,
    RoundEven,
    Trunc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Maximum,
    Minimum,
    MaxNum,
    MinNum,
    Atan2,
    Copysign,
    Pow,
}

/// Operations of the `complex` dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complex {
    Create,
    Re,
    Im,
    Abs,
    Angle,
    Conj,
    Sign,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Exp,
    Expm1,
    Log,
    Log1p,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Tan,
    Tanh,
    Pow,
    PowInt,
    Atan2,
    Equal,
    NotEqual,
}

impl Complex {
    pub fn from_name(name: &str) -> Option<Complex> {
        use Complex::*;
        Some(match name {
            "complex.create" => Create,
            "complex.re" => Re,
            "complex.im" => Im,
            "complex.abs" => Abs,
            "complex.angle" => Angle,
            "complex.conj" => Conj,
            "complex.sign" => Sign,
            "complex.neg" => Neg,
            "complex.add" => Add,
            "complex.sub" => Sub,
            "complex.mul" => Mul,
            "complex.div" => Div,
            "complex.exp" => Exp,
            "complex.expm1" => Expm1,
            "complex.log" => Log,
            "complex.log1p" => Log1p,
            "complex.sqrt" => Sqrt,
            "complex.rsqrt" => Rsqrt,
            "complex.sin" => Sin,
            "complex.cos" => Cos,
            "complex.tan" => Tan,
            "complex.tanh" => Tanh,
            "complex.pow" => Pow,
            "complex.powi" => PowInt,
            "complex.atan2" => Atan2,
            "complex.eq" => Equal,
            "complex.neq" => NotEqual,
            _ => return None,
        })
    }

    /// Whether it is counted as an elementary function rather than as arithmetic.
    pub fn is_elementary(self) -> bool {
        use Complex::*;
        !matches!(self, Create | Re | Im | Conj | Neg | Add | Sub | Mul | Div | Equal | NotEqual)
    }
}

/// In the order of the attribute's numbering, from `false` to `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatCompare {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatTest {
    Finite,
    Infinite,
    Nan,
    Normal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntUnary {
    Abs,
    LeadingZeros,
    TrailingZeros,
    Ones,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntBinary {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    MaxS,
    MaxU,
    MinS,
    MinU,
    Pow,
}

/// In the order of the attribute's numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntCompare {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// Integer operations with two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    AddUi,
    MulSi,
    MulUi,
}

/// A conversion between scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cast {
    pub op: CastOp,
    pub from: Elem,
    pub to: Elem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastOp {
    /// `extf`, `truncf`.
    Float,
    SignedToFloat,
    UnsignedToFloat,
    FloatToSigned,
    FloatToUnsigned,
    /// `extsi`, `trunci`, `index_cast`.
    Signed,
    /// `extui`, `index_castui`.
    Unsigned,
    Bits,
}

impl FloatUnary {
    pub fn from_name(name: &str) -> Option<FloatUnary> {
        use FloatUnary::*;
        Some(match name {
            "arith.negf" => Neg,
            "math.absf" => Abs,
            "math.sin" => Sin,
            "math.cos" => Cos,
            "math.tan" => Tan,
            "math.asin" => Asin,
            "math.acos" => Acos,
            "math.atan" => Atan,
            "math.sinh" => Sinh,
            "math.cosh" => Cosh,
            "math.tanh" => Tanh,
            "math.asinh" => Asinh,
            "math.acosh" => Acosh,
            "math.atanh" => Atanh,
            "math.exp" => Exp,
            "math.exp2" => Exp2,
            "math.expm1" => Expm1,
            "math.log" => Log,
            "math.log2" => Log2,
            "math.log10" => Log10,
            "math.log1p" => Log1p,
            "math.sqrt" => Sqrt,
            "math.rsqrt" => Rsqrt,
            "math.cbrt" => Cbrt,
            "math.erf" => Erf,
            "math.erfc" => Erfc,
            "math.ceil" => Ceil,
            "math.floor" => Floor,
            "math.round" => Round,
            "math.roundeven" => RoundEven,
            "math.trunc" => Trunc,
            _ => return None,
        })
    }

    /// Whether it is counted as an elementary function rather than as arithmetic.
    pub fn is_elementary(self) -> bool {
        use FloatUnary::*;
        !matches!(self, Neg | Abs | Ceil | Floor | Round | RoundEven | Trunc)
    }
}

impl FloatBinary {
    pub fn from_name(name: &str) -> Option<FloatBinary> {
        use FloatBinary::*;
        Some(match name {
            "arith.addf" => Add,
            "arith.subf" => Sub,
            "arith.mulf" => Mul,
            "arith.divf" => Div,
            "arith.remf" => Rem,
            "arith.maximumf" => Maximum,
            "arith.minimumf" => Minimum,
            "arith.maxnumf" => MaxNum,
            "arith.minnumf" => MinNum,
            "math.atan2" => Atan2,
            "math.copysign" => Copysign,
            "math.powf" => Pow,
            _ => return None,
        })
    }

    /// Whether it is counted as an elementary function rather than as arithmetic.
    pub fn is_elementary(self) -> bool {
        matches!(self, FloatBinary::Atan2 | FloatBinary::Pow)
    }
}

impl IntBinary {
    pub fn from_name(name: &str) -> Option<IntBinary> {
        use IntBinary::*;
        Some(match name {
            "arith.addi" => Add,
            "arith.subi" => Sub,
            "arith.muli" => Mul,
            "arith.divsi" => DivS,
            "arith.divui" => DivU,
            "arith.ceildivsi" => CeilDivS,
            "arith.ceildivui" => CeilDivU,
            "arith.floordivsi" => FloorDivS,
            "arith.remsi" => RemS,
            "arith.remui" => RemU,
            "arith.andi" => And,
            "arith.ori" => Or,
            "arith.xori" => Xor,
            "arith.shli" => Shl,
            "arith.shrsi" => ShrS,
            "arith.shrui" => ShrU,
            "arith.maxsi" => MaxS,
            "arith.maxui" => MaxU,
            "arith.minsi" => MinS,
            "arith.minui" => MinU,
            "math.ipowi" => Pow,
            _ => return None,
        })
    }
}

impl IntUnary {
    pub fn from_name(name: &str) -> Option<IntUnary> {
        Some(match name {
            "math.absi" => IntUnary::Abs,
            "math.ctlz" => IntUnary::LeadingZeros,
            "math.cttz" => IntUnary::TrailingZeros,
            "math.ctpop" => IntUnary::Ones,
            _ => return None,
        })
    }
}

impl FloatTest {
    pub fn from_name(name: &str) -> Option<FloatTest> {
        Some(match name {
            "math.isfinite" => FloatTest::Finite,
            "math.isinf" => FloatTest::Infinite,
            "math.isnan" => FloatTest::Nan,
            "math.isnormal" => FloatTest::Normal,
            _ => return None,
        })
    }
}

impl Wide {
    pub fn from_name(name: &str) -> Option<Wide> {
        Some(match name {
            "arith.addui_extended" => Wide::AddUi,
            "arith.mulsi_extended" => Wide::MulSi,
            "arith.mului_extended" => Wide::MulUi,
            _ => return None,
        })
    }
}

impl CastOp {
    pub fn from_name(name: &str) -> Option<CastOp> {
        Some(match name {
            "arith.extf" | "arith.truncf" => CastOp::Float,
            "arith.sitofp" => CastOp::SignedToFloat,
            "arith.uitofp" => CastOp::UnsignedToFloat,
            "arith.fptosi" => CastOp::FloatToSigned,
            "arith.fptoui" => CastOp::FloatToUnsigned,
            "arith.extsi" | "arith.trunci" | "arith.index_cast" => CastOp::Signed,
            "arith.extui" | "arith.index_castui" => CastOp::Unsigned,
            "arith.bitcast" | "tensor.bitcast" => CastOp::Bits,
            _ => return None,
        })
    }
}

impl FloatCompare {
    pub fn from_number(n: i64) -> Option<FloatCompare> {
        use FloatCompare::*;
        [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Ueq, Ugt, Uge, Ult, Ule, Une, Uno, True]
            .get(usize::try_from(n).ok()?)
            .copied()
    }
}

impl IntCompare {
    pub fn from_number(n: i64) -> Option<IntCompare> {
        use IntCompare::*;
        [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge].get(usize::try_from(n).ok()?).copied()
    }
}
