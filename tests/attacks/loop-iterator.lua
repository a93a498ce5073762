-- A loop over what has no end.
for _ in function() return 1 end do end
