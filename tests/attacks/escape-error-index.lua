-- An error whose fields are answered by an error.
error(setmetatable({}, { __index = error, __name = error, __tostring = error }))
