//===- AdRecordSyntax.cpp - syntax of records -----------------------------===//

#include "Ad.h"

using namespace mlir;
using namespace ad::request;

Type RecordType::parse(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<StringAttr> names;
  SmallVector<Type> types;
  auto parseField = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  return getChecked([&] { return parser.emitError(location); },
                    parser.getContext(), ArrayRef<StringAttr>(names),
                    ArrayRef<Type>(types));
}

void RecordType::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(llvm::zip_equal(getNames(), getTypes()), printer,
                        [&](auto field) {
                          StringAttr name = std::get<0>(field);
                          printer.printKeywordOrString(name.getValue());
                          printer << ": " << std::get<1>(field);
                        });
  printer << '>';
}

namespace {
/// What stands for a field before the type of the record is known.
struct FieldName {
  SMLoc location;
  std::string name;
  int64_t number = 0;
  bool isNumber = false;
};
} // namespace

/// `[name]` or `[number]`.
static ParseResult parseField(OpAsmParser &parser, FieldName &field) {
  if (parser.parseLSquare() || parser.getCurrentLocation(&field.location))
    return failure();
  OptionalParseResult number = parser.parseOptionalInteger(field.number);
  field.isNumber = number.has_value();
  if (field.isNumber ? *number : parser.parseKeywordOrString(&field.name))
    return failure();
  return parser.parseRSquare();
}

/// The position of the field in the record, as the attribute of that name.
static ParseResult resolveField(OpAsmParser &parser, const FieldName &field,
                                Type type, OperationState &result) {
  int64_t position = field.number;
  if (auto record = dyn_cast<RecordType>(type)) {
    auto name = StringAttr::get(type.getContext(), field.name);
    position = llvm::find(record.getNames(), name) - record.getNames().begin();
  }
  if (isa<RecordType>(type) == field.isNumber || position < 0 ||
      position >= int64_t(fieldTypes(type).size())) { // get_c1, set_c1
    auto error = parser.emitError(field.location);
    if (field.isNumber)
      return error << type << " has no field " << field.number;
    return error << type << " has no field '" << field.name << '\'';
  }
  result.addAttribute("position", parser.getBuilder().getI64IntegerAttr(position));
  return success();
}

static void printField(OpAsmPrinter &printer, Type type, uint64_t position) {
  printer << '[';
  if (auto record = dyn_cast<RecordType>(type))
    printer.printKeywordOrString(record.getNames()[position].getValue());
  else
    printer << position;
  printer << ']';
}

ParseResult GetOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand record;
  FieldName field;
  Type type;
  if (parser.parseOperand(record) || parseField(parser, field) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(record, type, result.operands) ||
      resolveField(parser, field, type, result))
    return failure();
  auto position = cast<IntegerAttr>(result.attributes.get("position"));
  result.addTypes(fieldTypes(type)[position.getInt()]);
  return success();
}

void GetOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getRecord();
  printField(printer, getRecord().getType(), getPosition());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"position"});
  printer << " : " << getRecord().getType();
}

ParseResult SetOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand record, value;
  FieldName field;
  Type type;
  if (parser.parseOperand(record) || parseField(parser, field) ||
      parser.parseEqual() || parser.parseOperand(value) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(record, type, result.operands) ||
      resolveField(parser, field, type, result))
    return failure();
  auto position = cast<IntegerAttr>(result.attributes.get("position"));
  result.addTypes(type);
  return parser.resolveOperand(value, fieldTypes(type)[position.getInt()],
                               result.operands);
}

void SetOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getRecord();
  printField(printer, getRecord().getType(), getPosition());
  printer << " = " << getValue();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"position"});
  printer << " : " << getRecord().getType();
}
