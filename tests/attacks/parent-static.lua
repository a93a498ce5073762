-- esker explore --static recipe/attack.lua -o out/page --levels 0..0
-- A folder of the static page is a link, and the result has the name of a file there.
return { note = esker.spectral{ size = 16 } }
