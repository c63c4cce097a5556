! Steps of Runge and Kutta for a pendulum; slopes are in arrays of the caller.
subroutine slope(y, dy)
  real(8), intent(in) :: y(2)
  real(8), intent(out) :: dy(2)
  dy(1) = y(2)
  dy(2) = -sin(y(1)) - 0.1d0 * y(2)
end subroutine

subroutine runge_kutta(y, h, steps)
  real(8), intent(inout) :: y(2)
  real(8), intent(in) :: h
  integer, intent(in) :: steps
  real(8) :: k1(2), k2(2), k3(2), k4(2), at(2)
  integer :: i, t
  do t = 1, steps
    call slope(y, k1)
    do i = 1, 2
      at(i) = y(i) + h / 2 * k1(i)
    end do
    call slope(at, k2)
    do i = 1, 2
      at(i) = y(i) + h / 2 * k2(i)
    end do
    call slope(at, k3)
    do i = 1, 2
      at(i) = y(i) + h * k3(i)
    end do
    call slope(at, k4)
    do i = 1, 2
      y(i) = y(i) + h / 6 * (k1(i) + 2 * k2(i) + 2 * k3(i) + k4(i))
    end do
  end do
end subroutine
