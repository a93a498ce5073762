-- Files anywhere.
for _, path in ipairs{ "/etc/passwd", "/proc/self/environ", "/proc/self/mem", "/proc/self/root/etc/passwd", "/dev/zero",
    "/dev/tty", "/proc/1/cmdline" } do
    local well, value = pcall(esker.info, path)
    if well then print("LEAK", path, value) end
    well, value = pcall(esker.load, path .. "/../x.png")
    if well then print("LEAK", path, value) end
end
return { done = true }
