! Sorts by swaps, in place, and sums with weights: a goto in place of a loop.
real(8) function sort(x, w, n) result(total)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: w(n)
  real(8) :: swap
  integer :: i
10 continue
  do i = 2, n
    if (x(i - 1) > x(i)) then
      swap = x(i)
      x(i) = x(i - 1)
      x(i - 1) = swap
      goto 10
    end if
  end do
  total = 0
  do i = 1, n
    total = total + w(i) * x(i) * x(i)
  end do
end function
