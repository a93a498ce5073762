cat > r.lua <<'X'
print("hello")
return { half = 0.5, text = 'a "b"', play = { unit = 1 } }
X
esker r.lua --json
