-- Table.move over 2^60 places.
table.move({}, 1, 1 << 60, 2)
