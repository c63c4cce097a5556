"""Prints functions of which each calls the next one twice: chain.py N [CALLS]

The last of the N is a sine, so that `@value` takes 2^(N - 1) of them; `@gradient` is its derivative. `@value` calls the
first once, or CALLS times.
"""

import sys


def main(count, calls=1):
    names = ["x"] + [f"y{number}" for number in range(calls)]
    called = [f"  %{to} = func.call @f0(%{of}) : (f64) -> f64" for of, to in zip(names, names[1:])]
    calls_of_f0 = "\n".join(called)
    for number in range(count - 1):
        print(
            f"""func.func private @f{number}(%x: f64) -> f64 {{
  %a = func.call @f{number + 1}(%x) : (f64) -> f64
  %b = math.cos %a : f64
  %c = func.call @f{number + 1}(%b) : (f64) -> f64
  return %c : f64
}}"""
        )
    print(
        f"""func.func private @f{count - 1}(%x: f64) -> f64 {{
  %y = math.sin %x : f64
  return %y : f64
}}
func.func @value(%x: f64) -> f64 {{
{calls_of_f0}
  return %{names[-1]} : f64
}}
func.func @gradient(%x: f64) -> f64 {{
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @f0(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}}"""
    )


main(*map(int, sys.argv[1:]))
