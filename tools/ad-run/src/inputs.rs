//! Arguments from the command line: literals and `.npy` files.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};

use crate::{
    Array, Element, Kind, Signature, Type, npy,
    runtime::{bf16_of, f16_of},
    signature::arguments,
};

/// Reads one input per argument.
pub fn load(texts: &[String], signature: &Signature) -> Result<Vec<Array>> {
    let wanted = signature.inputs.len();
    ensure!(
        texts.len() == wanted,
        "{signature} takes {}, {} given: pass one --input per argument, in order",
        arguments(wanted),
        texts.len()
    );
    let each = texts.iter().zip(&signature.inputs).enumerate();
    each.map(|(position, (text, ty))| {
        input(text, ty).map_err(|error| anyhow!("input {position} of {signature}: {error:#}"))
    })
    .collect()
}

/// Reads one input per argument for each of several calls, one call behind the other.
pub fn load_calls(
    texts: &[String],
    signature: &Signature,
    calls: usize,
) -> Result<Vec<Vec<Array>>> {
    if calls == 1 {
        return Ok(vec![load(texts, signature)?]);
    }
    let wanted = signature.inputs.len();
    ensure!(
        texts.len() == calls.saturating_mul(wanted),
        "{signature} takes {}, and is called {calls} times, {} given: pass one --input per argument and call, in order",
        arguments(wanted),
        texts.len()
    );
    let call = |at: usize| {
        let texts = &texts[at * wanted..(at + 1) * wanted];
        load(texts, signature).with_context(|| format!("call {at}"))
    };
    (0..calls).map(call).collect()
}

/// Reads one input of a given type.
pub fn input(text: &str, ty: &Type) -> Result<Array> {
    let path = Path::new(text);
    let wrong = match (ty.kind, ty.shape.as_slice()) {
        (Kind::Scalar, _) | (Kind::Array, []) => match literal(text, ty.element) {
            Ok(array) => return Ok(array),
            Err(error) => error,
        },
        _ => anyhow!("there is no file '{text}', and {ty} takes a .npy file"),
    };
    let is_npy = path.extension().is_some_and(|extension| extension == "npy");
    if is_npy || path.exists() { npy::read(path, ty) } else { Err(wrong) }
}

/// A scalar from its text.
fn literal(text: &str, element: Element) -> Result<Array> {
    let bytes = match element {
        Element::I1 => vec![boolean(text)?],
        Element::F16 => f16_of(float(text, element)?).to_le_bytes().to_vec(),
        Element::BF16 => bf16_of(float(text, element)?).to_le_bytes().to_vec(),
        Element::F32 => single(text)?.to_le_bytes().to_vec(),
        Element::F64 => float(text, element)?.to_le_bytes().to_vec(),
        Element::C64 | Element::C128 => complex(text, element)?,
        _ => integer(text, element)?,
    };
    Ok(Array::scalar(element, &bytes))
}

fn boolean(text: &str) -> Result<u8> {
    match text {
        "true" | "1" => Ok(1),
        "false" | "0" => Ok(0),
        _ => bail!("'{text}' is neither 'true' nor 'false', which i1 takes, nor a .npy file"),
    }
}

fn float(text: &str, element: Element) -> Result<f64> {
    let Ok(value) = text.parse::<f64>() else {
        bail!("'{text}' is neither a number, which {element} takes, nor a .npy file");
    };
    fitting(text, value, element)
}

/// A number that is not too large for a type.
fn fitting(text: &str, value: f64, element: Element) -> Result<f64> {
    let fits = match element {
        Element::F16 => f16_of(value).is_finite(),
        Element::BF16 => bf16_of(value).is_finite(),
        Element::F32 => (value as f32).is_finite(),
        _ => value.is_finite(),
    };
    let infinite = text.to_ascii_lowercase().contains("inf");
    ensure!(value.is_nan() || infinite || fits, "'{text}' is too large for {element}");
    Ok(value)
}

/// Rounded once, which a detour over `f64` would not be.
fn single(text: &str) -> Result<f32> {
    float(text, Element::F32)?;
    text.parse().map_err(|_| anyhow!("'{text}' is no number"))
}

/// As Python writes complex numbers: `1+2j`, `(1-2e3j)`, `3`, `4j`.
fn complex(text: &str, element: Element) -> Result<Vec<u8>> {
    let wrong = || {
        anyhow!(
            "'{text}' is neither a complex number such as '1+2j', which {element} takes, nor a .npy file"
        )
    };
    let bare = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let (real, imaginary) = match bare.strip_suffix('j') {
        None => (bare, "0"),
        Some(rest) => {
            // The last sign that belongs to no exponent divides the parts.
            let sign = rest.char_indices().rev().find(|&(at, c)| {
                at > 0 && (c == '+' || c == '-') && !rest[..at].ends_with(['e', 'E'])
            });
            sign.map_or(("0", rest), |(at, _)| rest.split_at(at))
        }
    };
    let part = if element == Element::C64 { Element::F32 } else { Element::F64 };
    let mut bytes = vec![];
    for text in [real, imaginary] {
        let value = fitting(text, text.parse().map_err(|_| wrong())?, part)?;
        match part {
            Element::F32 => bytes.extend((value as f32).to_le_bytes()),
            _ => bytes.extend(value.to_le_bytes()),
        }
    }
    Ok(bytes)
}

/// Integers have no sign of their own: both ranges of the width are taken.
fn integer(text: &str, element: Element) -> Result<Vec<u8>> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!("'{text}' is neither a whole number, which {element} takes, nor a .npy file");
    }
    let bits = element.size() * 8;
    let (low, high) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
    match text.parse::<i128>() {
        Ok(value) if (low..=high).contains(&value) => {
            Ok(value.to_le_bytes()[..element.size()].to_vec())
        }
        _ => bail!("'{text}' is out of range for {element}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_every_type() {
        let f64 = |text| literal(text, Element::F64).unwrap().elements::<f64>()[0];
        assert_eq!(f64("2.5"), 2.5);
        assert_eq!(f64("-1e-3"), -1e-3);
        assert_eq!(f64("7"), 7.0);
        assert_eq!(f64("-inf"), f64::NEG_INFINITY);
        assert!(f64("nan").is_nan());
        assert_eq!(literal("0.1", Element::F32).unwrap().elements::<f32>(), [0.1f32]);
        assert_eq!(literal("-1", Element::I8).unwrap().elements::<i8>(), [-1]);
        assert_eq!(literal("255", Element::I8).unwrap().elements::<i8>(), [-1]);
        assert_eq!(literal("9", Element::Index).unwrap().elements::<i64>(), [9]);
        assert_eq!(literal("true", Element::I1).unwrap().bytes(), [1]);
        for text in ["1-2e+1j", "(1-20j)"] {
            assert_eq!(literal(text, Element::C128).unwrap().elements::<f64>(), [1.0, -20.0]);
        }
        assert_eq!(literal("-2j", Element::C64).unwrap().elements::<f32>(), [0.0, -2.0]);
        assert_eq!(literal("1.5", Element::F16).unwrap().elements::<u16>(), [0x3e00]);
    }

    #[test]
    fn wrong_literals_are_errors() {
        use Element::*;
        for (text, element) in [
            ("2.5", I32),
            ("true", F64),
            ("256", I8),
            ("-129", I8),
            ("1e400", F64),
            ("1e39", F32),
            ("70000", F16),
            ("2", I1),
            ("", F64),
            ("", I64),
            ("-", I64),
            ("1+j2", C64),
            ("j", C128),
            ("99999999999999999999999999999999999999999999", I64),
        ] {
            assert!(literal(text, element).is_err(), "{text} {element}");
        }
    }
}
