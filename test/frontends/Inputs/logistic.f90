! Logistic regression with labels 0 and 1.
real(8) function logistic(w, x, label, n, d) result(loss)
  integer, intent(in) :: n, d, label(n)
  real(8), intent(in) :: w(d + 1), x(d, n)
  real(8) :: z
  integer :: i, j
  loss = 0
  do i = 1, n
    z = w(d + 1)
    do j = 1, d
      z = z + w(j) * x(j, i)
    end do
    if (label(i) /= 0) z = -z
    loss = loss + log(1 + exp(z))
  end do
  loss = loss / n
end function
