//! `.npy` files.
//!
//! The header is read by `npyz`; elements are taken as bytes, so that one path serves all element types.
//! Nothing is allocated for the elements before the header fits the type that is asked for and the size of the file.

use std::{
    fs::File,
    io::{BufRead, BufReader, BufWriter, Write},
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use npyz::{DType, Endianness, NpyHeader, Order};

use crate::{Array, Element, Type, array::byte_count, signature::display_shape};

/// Headers are short; a longer one is damaged.
const LONGEST_HEADER: u32 = 1 << 16;

/// Reads an array of the element type and shape of `ty`. Fortran order and foreign byte order are converted.
pub fn read(path: &Path, ty: &Type) -> Result<Array> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let metadata = file.metadata().with_context(|| format!("cannot read {shown}"))?;
    ensure!(!metadata.is_dir(), "cannot read {shown}: it is a folder");
    let size = metadata.is_file().then_some(metadata.len());
    read_from(&mut BufReader::new(file), size, ty).with_context(|| format!("cannot use {shown}"))
}

/// Reads an array; `size` is the number of bytes there are, if known.
fn read_from(file: &mut impl BufRead, size: Option<u64>, ty: &Type) -> Result<Array> {
    let (header, header_size) = read_header(file)?;
    let element = ty.element;
    let descr = match header.dtype() {
        DType::Plain(descr) if element.accepts(&descr) => descr,
        DType::Plain(descr) => bail!(
            "its elements are {}, but {ty} takes {}: convert it with astype({})",
            numpy_name(&descr),
            element.numpy(),
            match element {
                Element::BF16 => "ml_dtypes.bfloat16".to_owned(),
                _ => format!("numpy.{}", element.numpy()),
            }
        ),
        other => bail!("its elements are structures {}; plain numbers are needed", other.descr()),
    };
    let shape: Vec<usize> = header
        .shape()
        .iter()
        .map(|&size| usize::try_from(size).context("its header has an impossible shape"))
        .collect::<Result<_>>()?;
    ty.check_shape(&shape).context("it does not fit")?;
    let shown = display_shape(&shape);
    let Some(bytes) = byte_count(element, &shape) else {
        bail!("its header has the impossible shape {shown}");
    };
    if let Some(size) = size {
        let found = size.saturating_sub(header_size);
        let wanted = bytes as u64;
        ensure!(
            found >= wanted,
            "it is truncated: shape {shown} needs {wanted} bytes of elements, there are {found}"
        );
        ensure!(
            found == wanted,
            "it is damaged: shape {shown} needs {wanted} bytes of elements, there are {found}"
        );
    }

    let mut array = Array::zeros(element, &shape)?;
    file.read_exact(array.bytes_mut()).context("it is truncated")?;
    if descr.endianness() == Endianness::Big {
        array.bytes_mut().chunks_exact_mut(element.part_size()).for_each(<[u8]>::reverse);
    }
    if element == Element::I1 {
        array.bytes_mut().iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    if header.order() == Order::Fortran && shape.len() > 1 { transposed(&array) } else { Ok(array) }
}

/// The header and its size in bytes.
fn read_header(file: &mut impl BufRead) -> Result<(NpyHeader, u64)> {
    let start = read_start(file)?;
    let long = start[6] >= 2;
    let (field, length) = if long {
        let mut field = [0; 4];
        file.read_exact(&mut field).context("it is truncated")?;
        (field.to_vec(), u32::from_le_bytes(field))
    } else {
        let mut field = [0; 2];
        file.read_exact(&mut field).context("it is truncated")?;
        (field.to_vec(), u32::from(u16::from_le_bytes(field)))
    };
    ensure!(length <= LONGEST_HEADER, "it is damaged: its header claims to have {length} bytes");
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).context("it is truncated within its header")?;
    ensure_flat(&text)?;
    let bytes = [&start[..], &field, &text].concat();
    let header = NpyHeader::from_reader(&bytes[..]).context("its header is damaged")?;
    Ok((header, bytes.len() as u64))
}

/// The magic bytes and the version.
fn read_start(file: &mut impl BufRead) -> Result<[u8; 8]> {
    let mut start = [0; 8];
    ensure!(
        file.read_exact(&mut start).is_ok() && start.starts_with(b"\x93NUMPY"),
        "it is no .npy file"
    );
    Ok(start)
}

/// Refuses headers nested deeper than any that is real, before a recursive parser sees them.
fn ensure_flat(text: &[u8]) -> Result<()> {
    let mut depth = 0;
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        ensure!(depth < 32, "its header is damaged");
    }
    Ok(())
}

/// The row-major form of elements in column-major order.
fn transposed(columns: &Array) -> Result<Array> {
    let (shape, size) = (columns.shape(), columns.element().size());
    let mut rows = Array::zeros(columns.element(), shape)?;
    let mut strides = vec![size; shape.len()];
    for dimension in 1..shape.len() {
        strides[dimension] = strides[dimension - 1] * shape[dimension - 1];
    }
    let source = columns.bytes();
    let mut index = vec![0; shape.len()];
    for element in rows.bytes_mut().chunks_exact_mut(size) {
        let start: usize = index.iter().zip(&strides).map(|(i, stride)| i * stride).sum();
        element.copy_from_slice(&source[start..start + size]);
        for dimension in (0..shape.len()).rev() {
            index[dimension] += 1;
            if index[dimension] < shape[dimension] {
                break;
            }
            index[dimension] = 0;
        }
    }
    Ok(rows)
}

/// `float32` for `<f4`.
fn numpy_name(descr: &npyz::TypeStr) -> String {
    use npyz::TypeChar;
    let bits = descr.size_field() * 8;
    match descr.type_char() {
        TypeChar::Float => format!("float{bits}"),
        TypeChar::Int => format!("int{bits}"),
        TypeChar::Uint => format!("uint{bits}"),
        TypeChar::Complex => format!("complex{bits}"),
        TypeChar::Bool => "bool".into(),
        _ => format!("'{descr}'"),
    }
}

/// Writes an array in row-major order.
pub fn write(path: &Path, array: &Array) -> Result<()> {
    let context = || format!("cannot write {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(context)?);
    write_to(&mut file, array).and_then(|()| Ok(file.flush()?)).with_context(context)
}

fn write_to(file: &mut impl Write, array: &Array) -> Result<()> {
    let descr = array.element().descr();
    let shape = display_shape(array.shape());
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // Elements start at a multiple of 64 bytes; magic, version and length take 10, the line end one.
    let padding = (header.len() + 11).next_multiple_of(64) - (header.len() + 11);
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let length = u16::try_from(header.len()).context("the shape has too many dimensions")?;
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&length.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    file.write_all(array.bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn of(array: &Array) -> Type {
        let kind = if array.shape().is_empty() { Kind::Scalar } else { Kind::Array };
        let shape = array.shape().iter().map(|&size| Some(size)).collect();
        Type { text: "t".into(), kind, element: array.element(), shape }
    }

    fn file(descr: &str, order: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), bytes].concat()
    }

    fn read_bytes(bytes: &[u8], ty: &Type) -> Result<Array> {
        read_from(&mut &bytes[..], Some(bytes.len() as u64), ty)
    }

    #[test]
    fn what_is_written_is_read() {
        use Element::*;
        for element in [F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index, C64, C128] {
            for shape in [&[][..], &[3], &[2, 0], &[2, 3, 2]] {
                let mut array = Array::zeros(element, shape).unwrap();
                array.bytes_mut().iter_mut().enumerate().for_each(|(i, byte)| *byte = i as u8 % 2);
                let mut bytes = vec![];
                write_to(&mut bytes, &array).unwrap();
                let read = read_bytes(&bytes, &of(&array)).unwrap();
                assert_eq!(read.bytes(), array.bytes());
                assert_eq!(read.shape(), array.shape());
            }
        }
    }

    #[test]
    fn fortran_order_and_byte_order_are_converted() {
        let array = Array::zeros(Element::I16, &[2, 3]).unwrap();
        let bytes: Vec<u8> = [1i16, 2, 3, 4, 5, 6].iter().flat_map(|x| x.to_be_bytes()).collect();
        let read = read_bytes(&file(">i2", "True", "(2, 3)", &bytes), &of(&array)).unwrap();
        assert_eq!(read.elements::<i16>(), [1, 3, 5, 2, 4, 6]);
    }

    #[test]
    fn damaged_files_are_errors() {
        let array = Array::zeros(Element::F64, &[2]).unwrap();
        let good = file("<f8", "False", "(2,)", &[0; 16]);
        for length in 0..good.len() {
            assert!(read_bytes(&good[..length], &of(&array)).is_err(), "{length}");
        }
        for position in 0..good.len() - 16 {
            for byte in [0, b'(', b'9', b'-', 255] {
                let mut bad = good.clone();
                bad[position] = byte;
                let _ = read_bytes(&bad, &of(&array));
            }
        }
        let deep = file("<f8", "False", &"(".repeat(30000), &[]);
        assert!(read_bytes(&deep, &of(&array)).is_err());
    }
}
