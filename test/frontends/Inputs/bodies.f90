! A step of bodies that attract each other in the plane; a callee that writes
! to locals of its caller.
subroutine pull(from, to, x, y)
  real(8), intent(in) :: from(2), to(2)
  real(8), intent(out) :: x, y
  real(8) :: dx, dy, r
  dx = to(1) - from(1)
  dy = to(2) - from(2)
  r = sqrt(dx * dx + dy * dy + 0.01d0)
  x = dx / r**3
  y = dy / r**3
end subroutine

subroutine bodies(at, speed, mass, n, dt)
  integer, intent(in) :: n
  real(8), intent(inout) :: at(2, n), speed(2, n)
  real(8), intent(in) :: mass(n), dt
  real(8) :: from(2), to(2), x, y
  integer :: i, j, k
  do i = 1, n
    do j = 1, n
      if (i == j) cycle
      do k = 1, 2
        from(k) = at(k, i)
        to(k) = at(k, j)
      end do
      call pull(from, to, x, y)
      speed(1, i) = speed(1, i) + dt * mass(j) * x
      speed(2, i) = speed(2, i) + dt * mass(j) * y
    end do
  end do
  do i = 1, n
    do k = 1, 2
      at(k, i) = at(k, i) + dt * speed(k, i)
    end do
  end do
end subroutine
