! The cube root by Newton's iteration, until steps are small.
real(8) function newton(a, tolerance) result(x)
  real(8), intent(in) :: a, tolerance
  real(8) :: step
  x = a
  step = a
  do while (abs(step) >= tolerance)
    step = (x * x * x - a) / (3 * x * x)
    x = x - step
  end do
end function
