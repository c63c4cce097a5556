! Linear between points, which a loop searches; constant outside.
real(8) function interpolate(xs, ys, n, x) result(y)
  integer, intent(in) :: n
  real(8), intent(in) :: xs(n), ys(n), x
  real(8) :: t
  integer :: i
  y = ys(1)
  if (x <= xs(1)) return
  do i = 1, n - 1
    if (xs(i + 1) >= x) then
      t = (x - xs(i)) / (xs(i + 1) - xs(i))
      y = (1 - t) * ys(i) + t * ys(i + 1)
      return
    end if
  end do
  y = ys(n)
end function
