//! The C header of a library.

use std::{collections::BTreeSet, fmt::Write};

use super::{Device, Entry, Library};
use crate::{Element, Kind, Type};

/// What every header says first; `FREE` and `WHERE` depend on where arrays are, `ARITHMETIC` on what floats may be.
const INTRODUCTION: &str = "\
/* Functions compiled by ad-opt, for C99 and C++.

   An array is described by a structure. ad_..._view makes one of memory of yours: give the pointer and the sizes.
   Arrays are row-major, and offset is 0.WHERE
     - An argument that is a tensor is only read. One that is a memref may be written to.
     - A result is new memory, which is yours: FREE(result.allocated) when you are done, also when it has no elements.
       Its elements begin at result.aligned. Nothing of a result structure is read, so it may be uninitialised.
   Sizes that are numbers in the comments must be those, which is not checked. Others that have to be equal, such as those of
   a seed and of what it is a seed of, are compared where they are known in front of loops and branches: that is an
   assertion. The structures of results must be different objects from each other and from those of arguments.

   Functions keep nothing between calls and may be called from several threads at once. Like the programs that they come
   from they call abort() when an assertion fails or there is no memory left.

   Arithmetic on floats is that of --fast-math=ARITHMETIC. */
";

/// Where arrays are, if not in memory of the host.
const WHERE: &str = " Their elements are in the memory of the first NVIDIA GPU, in its
   primary context, which is that of CUDA's runtime.";

/// What is done about subnormal numbers, if they become zero.
const SUBNORMALS: &str = ": results too small for a
   normal number are zero while a function runs. What the calling thread has said of such results is as before when it
   returns";

/// What the header of a library that has kernels says besides.
const DEVICE: &str = "\
/* The functions run on the first NVIDIA GPU, one after another, and copy arrays there and back. Results say nothing when
   that fails, for example because there is no GPU, but are to be freed; so call the next function after them. It waits,
   and gives how long the text of the first error is since its last call, 0 if there was none; as much of the text as
   there is room for is written, with a zero at its end. The error is that of all threads: until it is asked for, no
   function does anything. */
";

/// The same, where arrays are on the device.
const DEVICE_ARRAYS: &str = "\
/* The functions run on the first NVIDIA GPU, in order, on one stream. They may return before the device is done, but
   not before it has the scalars that they give. Results have null pointers when that fails, for example because there
   is no GPU; so call the next function after them. It waits, and gives how long the text of the first error is since
   its last call, 0 if there was none; as much of the text as there is room for is written, with a zero at its end. The
   error is that of all threads: until it is asked for, no function does anything. */
";

/// The functions for arrays on the device.
const OF_ARRAYS: &str = "
/* From now on work is done on this stream (a CUstream or cudaStream_t of that GPU), in order with what is there already;
   waits for the work on the one before. The first stream is one of the library's own, on which nothing waits for yours:
   what makes arguments must be done before. */
void PREFIXset_stream(void *stream);

/* Frees a result, with result.allocated. Its memory may be used again by the work that follows on the stream. */
void PREFIXfree_on_device(void *allocated);
";

/// The header as text; `file` is its name.
pub fn header(library: &Library, file: &str) -> String {
    let Library { entries, device, .. } = library;
    let guard: String = file
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect();
    let guard = format!("AD_OPT_{guard}");
    let (place, free) = match device {
        Some(Device { prefix, has_arrays: true }) => (WHERE, format!("{prefix}free_on_device")),
        _ => ("", "free".into()),
    };
    let subnormals = if library.flushes { SUBNORMALS } else { "" };
    // A prefix may be any word, so that it is put in last.
    let mut text = INTRODUCTION
        .replace("WHERE", place)
        .replace("ARITHMETIC", &format!("{}{subnormals}", library.fast_math))
        .replace("FREE", &free);
    let _ = writeln!(text, "\n#ifndef {guard}\n#define {guard}\n");
    text.push_str("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n");
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");

    let types =
        || entries.iter().flat_map(|e| e.signature.inputs.iter().chain(&e.signature.results));
    let complex: BTreeSet<&str> =
        types().filter(|ty| ty.element.is_complex()).map(|ty| c_type(ty.element)).collect();
    for name in complex {
        text.push_str(&complex_type(name));
    }
    let arrays: BTreeSet<(&str, usize)> = types()
        .filter(|ty| ty.kind == Kind::Array)
        .map(|ty| (short_name(ty.element), ty.shape.len()))
        .collect();
    for (name, rank) in arrays {
        let element = types().map(|ty| ty.element).find(|e| short_name(*e) == name);
        text.push_str(&array_type(name, element.map_or("void", c_type), rank));
    }
    for entry in entries {
        text.push_str(&prototype(entry));
    }
    if let Some(Device { prefix, has_arrays }) = device {
        let said = if *has_arrays { DEVICE_ARRAYS } else { DEVICE };
        let _ = write!(text, "\n{said}size_t {prefix}take_error(char *text, size_t room);\n");
        if *has_arrays {
            text.push_str(&OF_ARRAYS.replace("PREFIX", prefix));
        }
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    text
}

/// A definition that several headers may have.
fn once(name: &str, definition: &str) -> String {
    let guard = name.to_ascii_uppercase();
    format!("\n#ifndef {guard}\n#define {guard}\n{definition}#endif\n")
}

fn complex_type(name: &str) -> String {
    let (part, layout) = match name {
        "ad_c64" => ("float", "float _Complex and std::complex<float>"),
        _ => ("double", "double _Complex and std::complex<double>"),
    };
    let definition =
        format!("/* In memory as {layout}. */\ntypedef struct {{\n  {part} re, im;\n}} {name};\n");
    once(name, &definition)
}

fn array_type(short: &str, element: &str, rank: usize) -> String {
    let name = format!("ad_{short}_{rank}d");
    let mut text = String::new();
    if matches!(short, "f16" | "bf16") {
        let _ = writeln!(text, "/* The bits of {short} numbers. */");
    }

    let _ = writeln!(text, "typedef struct {{");
    let _ = writeln!(text, "  {element} *allocated;");
    let _ = writeln!(text, "  {element} *aligned;");
    let _ = writeln!(text, "  int64_t offset;");
    if rank > 0 {
        let _ = writeln!(text, "  int64_t sizes[{rank}];\n  int64_t strides[{rank}];");
    }
    let _ = writeln!(text, "}} {name};");

    let sizes: String = (0..rank).map(|d| format!(", int64_t size{d}")).collect();
    let _ = writeln!(text, "static inline {name} {name}_view(const {element} *data{sizes}) {{");
    let _ = writeln!(text, "  {name} array;");
    let _ = writeln!(text, "  array.allocated = array.aligned = ({element} *)data;");
    let _ = writeln!(text, "  array.offset = 0;");
    for d in 0..rank {
        let _ = writeln!(text, "  array.sizes[{d}] = size{d};");
    }
    for d in (0..rank).rev() {
        let stride = match d + 1 == rank {
            true => "1".to_string(),
            false => format!("array.strides[{}] * size{}", d + 1, d + 1),
        };
        let _ = writeln!(text, "  array.strides[{d}] = {stride};");
    }
    let _ = writeln!(text, "  return array;\n}}");
    once(&name, &text)
}

/// A function with its type in MLIR.
fn prototype(entry: &Entry) -> String {
    let mut parameters = vec![];
    let mut types = vec![];
    for (ty, name) in entry.signature.inputs.iter().zip(&entry.arguments) {
        parameters.push(match (ty.kind, ty.element.is_complex()) {
            (Kind::Array, _) => format!("const {} *{name}", array_name(ty)),
            (Kind::Scalar, true) => format!("const {} *{name}", c_type(ty.element)),
            (Kind::Scalar, false) => format!("{} {name}", c_type(ty.element)),
        });
        types.push(format!("{name}: {ty}"));
    }
    let results = &entry.signature.results;
    let texts: Vec<&str> = results.iter().map(|ty| ty.text.as_str()).collect();
    let comment =
        format!("@{}({}) -> ({})", entry.signature.name, types.join(", "), texts.join(", "));
    let returned = match entry.returned() {
        Some(ty) => c_type(ty.element),
        None => {
            for (position, ty) in results.iter().enumerate() {
                let name = match ty.kind {
                    Kind::Array => array_name(ty),
                    Kind::Scalar => c_type(ty.element).into(),
                };
                parameters.push(match results.len() {
                    1 => format!("{name} *result"),
                    _ => format!("{name} *result{position}"),
                });
            }
            "void"
        }
    };
    format!("\n/* {comment} */\n{}\n", declaration(returned, &entry.name, &parameters))
}

/// A declaration on one line, or with one parameter on each.
fn declaration(returned: &str, name: &str, parameters: &[String]) -> String {
    const LONGEST: usize = 100;
    if parameters.is_empty() {
        return format!("{returned} {name}(void);");
    }
    let short = format!("{returned} {name}({});", parameters.join(", "));
    if short.len() <= LONGEST {
        return short;
    }
    format!("{returned} {name}(\n    {});", parameters.join(",\n    "))
}

fn array_name(ty: &Type) -> String {
    format!("ad_{}_{}d", short_name(ty.element), ty.shape.len())
}

/// The type of an element in C.
fn c_type(element: Element) -> &'static str {
    match element {
        Element::F16 | Element::BF16 => "uint16_t",
        Element::F32 => "float",
        Element::F64 => "double",
        Element::I1 => "bool",
        Element::I8 => "int8_t",
        Element::I16 => "int16_t",
        Element::I32 => "int32_t",
        Element::I64 | Element::Index => "int64_t",
        Element::C64 => "ad_c64",
        Element::C128 => "ad_c128",
    }
}

/// What arrays of an element have in their name.
fn short_name(element: Element) -> &'static str {
    match element {
        Element::F16 => "f16",
        Element::BF16 => "bf16",
        Element::F32 => "f32",
        Element::F64 => "f64",
        Element::I1 => "bool",
        Element::I8 => "i8",
        Element::I16 => "i16",
        Element::I32 => "i32",
        Element::I64 | Element::Index => "i64",
        Element::C64 => "c64",
        Element::C128 => "c128",
    }
}
