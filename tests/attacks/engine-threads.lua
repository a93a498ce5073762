-- Two hundred and fifty-six threads.
esker.threads(256)
return { h = esker.diamond_square{ size = 1024 }:olsen_erosion{ iterations = 1000000 } }
