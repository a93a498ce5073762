-- One field of 65536 × 65536.
return { h = esker.field{ size = 65536, values = 1 } }
