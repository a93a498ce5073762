-- Tests for `make check-long` alone (tests/long/rounds.sh): a class that luaunit finds only where ESKER_TIMES is set.
local Long = {}
if os.getenv "ESKER_TIMES" then
    TestLong = Long -- luacheck: globals TestLong
end
return Long
