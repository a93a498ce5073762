return { hypsometric = { { 0, "#2f6b3a" }, { 1, "#ffffff" } } }
