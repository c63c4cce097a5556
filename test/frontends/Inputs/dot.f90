! A scalar product: returns early, and a loop that ends in its middle.
real(8) function dot(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  integer :: i
  dot = 0
  if (n <= 0) return
  i = 0
  do
    i = i + 1
    dot = dot + x(i) * y(i)
    if (i >= n) exit
  end do
end function
