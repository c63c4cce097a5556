! The value of a polynomial.
real(8) function horner(c, n, x) result(y)
  integer, intent(in) :: n
  real(8), intent(in) :: c(n), x
  integer :: i
  y = 0
  do i = n, 1, -1
    y = y * x + c(i)
  end do
end function
