! Steps of an explicit scheme in two buffers, which are not linear.
subroutine step(u, v, n, k)
  integer, intent(in) :: n
  real(8), intent(in) :: u(n), k
  real(8), intent(inout) :: v(n)
  integer :: i
  do i = 1, n
    if (i == 1 .or. i == n) then
      v(i) = u(i)
      cycle
    end if
    v(i) = u(i) + k * u(i) * (u(i - 1) - 2 * u(i) + u(i + 1))
  end do
end subroutine

subroutine heat(u, v, n, steps, k)
  integer, intent(in) :: n, steps
  real(8), intent(in) :: k
  real(8), intent(inout) :: u(n), v(n)
  integer :: i, t
  do t = 1, steps
    call step(u, v, n, k)
    do i = 1, n
      u(i) = v(i)
    end do
  end do
end subroutine
