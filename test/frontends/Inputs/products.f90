! Products of all prefixes, in place of the numbers.
subroutine products(x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 2, n
    x(i) = x(i) * x(i - 1)
  end do
end subroutine
