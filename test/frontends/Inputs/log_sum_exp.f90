! The logarithm of a sum of exponentials, with the largest taken out.
real(8) function log_sum_exp(x, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8) :: largest, total
  integer :: i
  largest = x(1)
  do i = 2, n
    if (x(i) > largest) largest = x(i)
  end do
  total = 0
  do i = 1, n
    total = total + exp(x(i) - largest)
  end do
  log_sum_exp = largest + log(total)
end function
