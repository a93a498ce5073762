-- The module that scripts measure: that of ESKER_BUILD or build, unless LUA_CPATH says which. Scripts run in the root
-- of the work tree.

if not (os.getenv("LUA_CPATH") or os.getenv("LUA_CPATH_5_4")) then
    package.cpath = (os.getenv("ESKER_BUILD") or "build") .. "/?.so;" .. package.cpath
end
return require "esker"
