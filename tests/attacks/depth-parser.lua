-- Brackets in brackets.
load(("("):rep(1e6) .. "1" .. (")"):rep(1e6))
