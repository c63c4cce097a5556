! x to the power n: a loop that counts up.
real(8) function power(x, n) result(r)
  real(8), intent(in) :: x
  integer, intent(in) :: n
  integer :: i
  r = 1
  do i = 1, n
    r = r * x
  end do
end function
