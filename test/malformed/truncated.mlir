// Programs that end too early.
// RUN: ad-opt %s --split-input-file --verify-diagnostics
// RUN: not ad-opt %s --split-input-file --ad-optimize

// expected-error @+1 {{expected ')'}}
func.func @truncated_in_signature(%x: f64

// -----

// expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @truncated_before_body(%x: f64) -> f64

// -----

func.func @truncated_in_body(%x: f64) -> f64 {
  // expected-error @+1 {{expected operation name in quotes}}
  %y = arith.mulf %x, %x : f64

// -----

// expected-error @+1 {{expected non-function type}}
func.func @truncated_in_type(%xs: tensor<?x

// -----

func.func @truncated_in_map(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    // expected-error @+1 {{expected operation name in quotes}}
    %y = math.exp %x : f64

// -----

func.func @truncated_in_operands(%xs: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{expected ':'}}
  %ys = soac.map ins(%xs

// -----

func.func @truncated_request(%x: f64) -> f64 {
  // expected-error @+1 {{expected ')'}}
  %r:2 = ad.vjp @truncated_request(%x) seed(

// -----

func.func @truncated_wrt(%x: f64) -> f64 {
  // expected-error @+1 {{expected '>' to close an array attribute}}
  %r:2 = ad.vjp @truncated_wrt(%x) seed(%x) {wrt = array<i64: 0

// -----

// expected-error @+1 {{unbalanced '<' character in pretty dialect name}}
func.func @truncated_acc(%a: !soac.acc<tensor<?xf64>

// -----

// expected-error @+1 {{expected '"' in string literal}}
func.func @truncated_string() attributes {note = "never closed
